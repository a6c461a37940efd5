//! Kernels between pairs of sentences.

mod gram;
mod rows;

pub use gram::Gram;
pub use rows::Rows;
