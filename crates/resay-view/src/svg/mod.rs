//! Drawings: SVGs that stand alone or in a page. They fetch nothing and run nothing.

mod alignment;
mod layout;

pub use alignment::{Frame, drawing};

#[cfg(test)]
pub(crate) use layout::tests::aligned;
