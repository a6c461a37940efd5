//! Evaluation metrics ([`metrics`], [`ranking`], [`topics`], [`alignment`]), and their confidence
//! intervals and significance tests ([`significance`]). The input is labels, scores and sets only.

pub mod alignment;
pub mod blocks;
pub mod metrics;
pub mod ranking;
pub mod significance;
pub mod topics;
