//! SVG drawings, standalone or in a page, without requests or scripts.

mod alignment;
mod layout;

pub use alignment::{Frame, drawing};

#[cfg(test)]
pub(crate) use layout::tests::aligned;
