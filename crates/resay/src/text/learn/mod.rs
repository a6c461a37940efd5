//! The one learner behind tags, chunks, entities and heads: a linear model over hashed features.

pub mod hash;
mod table;

pub use table::Table;
