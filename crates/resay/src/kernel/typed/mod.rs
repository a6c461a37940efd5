//! Type-enriched re-writing kernels (TESRK): rules whose words match by typed relations.
//!
//! `algorithms.rs` has the paper's two algorithms, `rules.rs` what a rule is, `soft.rs` and `index.rs` the fast way,
//! `classes.rs` a sister whose rules can be listed.

mod algorithms;
mod classes;
mod entry;
mod index;
mod kernel;
mod rules;
mod soft;
mod words;

pub use algorithms::{Effort, Instance, Relate, typed_by_algorithm_1, typed_by_algorithm_2, typed_gram_value};
pub(super) use classes::TypedByClass;
pub use entry::TypedEntry;
pub use index::TypedIndex;
pub(super) use kernel::Typed;
pub use rules::TypedPair;
pub use words::{TypedCorpus, typed_corpus};
