//! Measures of quality ([`metrics`], [`ranking`], [`topics`], [`alignment`]) and how far to trust them ([`significance`]).
//! Sees labels, scores and sets only.

pub mod alignment;
pub mod blocks;
pub mod metrics;
pub mod ranking;
pub mod significance;
pub mod topics;
