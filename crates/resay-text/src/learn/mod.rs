//! The learner behind tags, chunks and entities: a linear chain model over hashed features.

mod chain;
mod fit;
pub mod hash;
mod lattice;
mod table;

pub use chain::{Chain, ChainScratch, MAX_CANDIDATES};
pub use fit::{FitOptions, Labelled, Method, fit};
pub use table::WeightTable;
