//! Typed relations between words: same stem, synonym, hypernym, paraphrase, similar, nickname, a
//! user's own.
//!
//! A word is looked up once ([`Lexicon::word`]). After that, querying the relations of two words
//! ([`Lexicon::relations`]) is cheap enough for all word pairs of two sentences. The result is a
//! set, [`Relations`].
//!
//! ```
//! use resay_text::lexicon::{Lexicon, OwnRelations};
//!
//! let mut own = OwnRelations::new();
//! own.read("clinic.tsv", "drug\taspirin\tASA\n".as_bytes())?;
//! let lexicon = Lexicon::new().with_own(own);
//! let [a, b] = ["Aspirin", "ASA"].map(|form| lexicon.word(form, None, None));
//! assert_eq!(lexicon.show(lexicon.relations(&a, &b)), "drug");
//! # Ok::<(), resay_text::Error>(())
//! ```

mod class;
mod edit;
mod graph;
mod join;
mod lines;
mod neighbours;
mod own;
mod relation;
mod senses;
mod tables;
mod term;
mod vectors;
mod vocabulary;
mod word_table;
pub mod wordnet;

pub use class::Classes;
pub use join::Lexicon;
pub use neighbours::Neighbours;
pub use own::OwnRelations;
pub use relation::{MAX_OWN, Relation, Relations};
pub use senses::BY_WORDNET;
pub use tables::{TablePairs, Tables};
pub use term::Term;
pub use vectors::WordVectors;
pub use word_table::{MeanVector, WordTable};
