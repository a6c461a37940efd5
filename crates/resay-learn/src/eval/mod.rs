//! Evaluation metrics of yes or no ([`metrics`]), of rankings ([`ranking`]), of categories
//! ([`categories`], [`category_losses`]), of numbers ([`correlation`], [`regression`]), of topics
//! ([`topics`]) and of alignments ([`alignment`]); calibration ([`calibration`]), the risk-coverage
//! curve ([`risk`]) and thresholds ([`threshold`]); confidence intervals and significance tests
//! ([`significance`], [`exact`]). The input is labels, scores and sets only.

pub mod alignment;
pub mod blocks;
pub mod calibration;
pub mod categories;
pub mod category_losses;
pub mod correlation;
pub mod exact;
pub mod metrics;
pub mod ranking;
pub mod regression;
pub mod risk;
pub mod significance;
pub mod threshold;
pub mod topics;
