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

use resay_text::Layers;
use resay_text::lexicon::{Lexicon, Relation, Relations};

pub use algorithms::{Effort, Instance, Relate, typed_by_algorithm_1, typed_by_algorithm_2, typed_gram_value};
pub(super) use classes::TypedByClass;
pub use entry::TypedEntry;
pub use index::TypedIndex;
pub(super) use kernel::Typed;
pub use rules::TypedPair;
pub use words::{TypedCorpus, typed_corpus};

/// The expression of a typed kernel, without the closing bracket.
fn described(k: usize, lambda: f64, lexicon: &Lexicon, pattern: Relations, variable: Relations) -> String {
    let (pattern, variable) = (lexicon.show(pattern), lexicon.show(variable));
    format!("tesrk(k={k},pattern={pattern},variable={variable},lambda={lambda}")
}

/// What annotation these types look at.
fn layers(types: Relations) -> Layers {
    Layers { entities: types.contains(Relation::Ne), ..Layers::LEMMAS }
}
