//! Examples as numbers: sparse rows of features ([`Rows`]), or the kernel value of every two of them ([`Gram`]).

mod gram;
mod rows;

pub use gram::Gram;
pub use rows::Rows;
