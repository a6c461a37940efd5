//! Drawings: SVGs that stand alone or in a page. They fetch nothing and run nothing.

mod alignment;
mod layout;
mod plot;

pub use alignment::{Frame, drawing};
pub use plot::Plot;

#[cfg(test)]
pub(crate) use layout::tests::aligned;
