//! Measures of quality ([`metrics`]) and how far to trust them ([`significance`]). Sees labels, scores and sets only.

pub mod metrics;
pub mod random;
pub mod significance;
