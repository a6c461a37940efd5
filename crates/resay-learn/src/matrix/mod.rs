//! Numeric representations of examples: sparse feature rows ([`Rows`]), or the kernel value of
//! every two examples ([`Gram`]).

mod gram;
mod rows;

pub use gram::Gram;
pub use rows::Rows;
