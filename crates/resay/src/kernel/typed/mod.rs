//! Type-enriched string rewriting kernels (TESRK): rules whose words match by typed relations.
//!
//! `algorithms.rs` holds the paper's two algorithms, `rules.rs` defines rules, `soft.rs` and
//! `index.rs` are the fast implementation, and `classes.rs` is a variant whose rules can be listed.

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
pub use words::{LinkTypes, TypedCorpus, typed_corpus};

/// Returns the expression of a typed kernel, without the closing bracket.
fn described(k: usize, lambda: f64, lexicon: &Lexicon, pattern: Relations, variable: LinkTypes) -> String {
    let (pattern, variable) = (lexicon.show(pattern), variable.show(lexicon));
    format!("tesrk(k={k},pattern={pattern},variable={variable},lambda={lambda}")
}

/// Returns the annotation layers these types need.
fn layers(types: Relations) -> Layers {
    Layers { entities: types.contains(Relation::Ne), ..Layers::LEMMAS }
}
