//! SVG drawings, standalone or in a page, without requests or scripts.

mod alignment;
mod layout;
mod plot;
mod reliability;
mod risk;

pub use alignment::{Frame, drawing};
pub use reliability::reliability;
pub use risk::risk_coverage;

#[cfg(test)]
pub(crate) use layout::tests::aligned;
