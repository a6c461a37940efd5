//! Evaluation metrics ([`metrics`], [`ranking`], [`topics`], [`alignment`]), calibration
//! ([`calibration`]) and the risk-coverage curve ([`risk`]), and confidence intervals and
//! significance tests ([`significance`], [`exact`]). The input is labels, scores and sets only.

pub mod alignment;
pub mod blocks;
pub mod calibration;
pub mod exact;
pub mod metrics;
pub mod ranking;
pub mod risk;
pub mod significance;
pub mod topics;
