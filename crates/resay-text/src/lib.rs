//! Text becomes symbols here, once: below this module nothing sees a string.
//!
//! A [`Sentence`] keeps its text and a byte [`Span`] for every token, so that whatever is said about a token
//! later can be pointed at in what the user wrote.

mod analysis;
mod annotate;
pub mod atoms;
pub mod bio;
mod chunk;
pub mod conllu;
pub mod container;
mod english;
pub mod entity;
mod intern;
pub mod learn;
mod lemma;
pub mod lexicon;
pub mod lines;
mod numerals;
pub mod parse;
mod split;
mod stem;
mod tag;
mod tag_features;
#[cfg(test)]
mod testing;
mod tokenize;
pub mod words;

pub use analysis::{Analysis, Head, Tag, Upos, Word, head_cycle};
pub use annotate::{Annotator, Classify, Units};
pub use chunk::{CHUNK_LABELS, CHUNKS, Chunker, features_of as chunk_features};
pub use english::{English, EnglishParts, EnglishScratch, Layers};
pub use entity::{ENTITIES, ENTITY_LABELS, Entities, EntityScratch};
pub use intern::{Intern, Interner, Overlay, Symbol};
pub use lemma::{ENDINGS, LemmaKey, Lemmatizer};
pub use numerals::cardinal;
pub use resay_learn::{Error, Result};
pub use split::split;
pub use stem::{StemMemo, Stemmer, StemmerKind};
pub use tag::{PENN_TAGS, Tagger, penn_tag};
pub use tag_features::TagFeatures;
pub use tokenize::{Piece, Style, tokenize, tokenize_as};

use std::sync::Arc;

/// Half-open range of bytes in a sentence's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes as an index range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A sentence: its text, and one entry a token in every layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// As the user wrote it.
    pub text: Box<str>,
    /// Where each token stands in `text`.
    pub spans: Vec<Span>,
    /// What the kernels compare: stems, words, tokens or characters, as the [`Annotator`] was told.
    pub units: Vec<Symbol>,
    /// The words with lemma, tags and so on, one a unit, where a kernel asks for them.
    pub analysis: Option<Arc<Analysis>>,
    /// The class of every word, in the same symbols, where a kernel asks for classes.
    pub classes: Vec<Symbol>,
}

impl Sentence {
    /// A sentence of which only the units are known.
    pub fn of_units(units: Vec<Symbol>) -> Self {
        Self { text: "".into(), spans: Vec::new(), units, analysis: None, classes: Vec::new() }
    }

    /// The form of a word, and what annotation says of it; an empty form where there is no such word.
    pub fn word(&self, idx: usize) -> (&str, Option<&Word>) {
        let form = self.spans.get(idx).and_then(|span| self.text.get(span.range()));
        (form.unwrap_or_default(), self.analysis.as_ref().and_then(|analysis| analysis.words.get(idx)))
    }
}

/// Two sentences, one of which may re-say the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The sentence that is re-written (the text, in entailment).
    pub source: Sentence,
    /// What it is re-written to (the hypothesis, in entailment).
    pub target: Sentence,
}
