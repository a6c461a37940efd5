//! Text analysis for Resay: tokens, annotation, lexicon, treebank files and model containers.
//!
//! Text becomes symbols here, once: the kernels above this crate never see a string. A [`Sentence`]
//! keeps its text and a byte [`Span`] per token, so that any later statement about a token can be
//! shown in the user's own text.

mod analysis;
mod annotate;
pub mod atoms;
pub mod bio;
mod chunk;
pub mod conllu;
pub mod container;
mod english;
pub mod entity;
pub mod first_names;
mod intern;
mod kind;
pub mod learn;
mod lemma;
pub mod lexicon;
pub mod lines;
pub mod normalise;
mod numerals;
pub mod parse;
pub mod phrases;
mod split;
mod stem;
mod tag;
mod tag_features;
#[cfg(test)]
mod testing;
mod tokenize;
pub mod words;

pub use analysis::{Analysis, Head, Tag, Upos, Word, head_cycle};
pub use annotate::{Annotator, Classify, SentenceNeeds, Units};
pub use chunk::{CHUNK_LABELS, CHUNKS, Chunker, features_of as chunk_features};
pub use english::{English, EnglishParts, EnglishScratch, Layers};
pub use entity::{ENTITIES, ENTITY_LABELS, Entities, EntityScratch};
pub use intern::{Intern, Interner, Overlay, Symbol};
pub use kind::TextKind;
pub use lemma::{ENDINGS, LemmaKey, Lemmatizer};
pub use numerals::cardinal;
pub use resay_learn::{Error, Result};
pub use split::split;
pub use stem::{StemMemo, Stemmer, StemmerKind};
pub use tag::{PENN_TAGS, Tagger, penn_tag};
pub use tag_features::TagFeatures;
pub use tokenize::{Style, Token, tokenize, tokenize_as};

use std::sync::Arc;

/// A half-open byte range in a sentence's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the bytes as an index range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A sentence: its text, and one entry per token in every layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The text as the user wrote it.
    pub text: Box<str>,
    /// The position of each token in `text`.
    pub spans: Vec<Span>,
    /// The units that kernels compare: stems, words, tokens or characters, as set in the
    /// [`Annotator`].
    pub units: Vec<Symbol>,
    /// One word per unit with lemma, tags and so on, if a kernel needs them.
    pub analysis: Option<Arc<Analysis>>,
    /// The class of every word, as a symbol of the same table, if a kernel needs classes.
    pub classes: Vec<Symbol>,
    /// The same text in other units, with symbols of the same table, if a kernel needs them.
    pub readings: Vec<Reading>,
}

/// A text in units of its own, beside the units of its [`Sentence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What a symbol stands for.
    pub units: Units,
    /// The position of each symbol in the text.
    pub spans: Vec<Span>,
    /// The symbols in text order.
    pub symbols: Vec<Symbol>,
}

impl Sentence {
    /// Creates a sentence of which only the units are known.
    pub fn of_units(units: Vec<Symbol>) -> Self {
        Self { text: "".into(), spans: Vec::new(), units, analysis: None, classes: Vec::new(), readings: Vec::new() }
    }

    /// Returns the symbols in these units with their positions, or the sentence's own units for
    /// `None`. Other units must be among the sentence's readings.
    pub fn read_as(&self, units: Option<Units>) -> Result<(&[Symbol], &[Span])> {
        let Some(units) = units else { return Ok((&self.units, &self.spans)) };
        match self.readings.iter().find(|reading| reading.units == units) {
            Some(reading) => Ok((&reading.symbols, &reading.spans)),
            None => Err(Error::machine(format!(
                "a sentence without {}, expected an annotator that was told what the kernel needs",
                units.name()
            ))),
        }
    }

    /// Drops the text and all positions in it, to save memory where only symbols are compared.
    #[must_use]
    pub fn without_places(self) -> Self {
        let bare = |reading: Reading| Reading { spans: Vec::new(), ..reading };
        let readings = self.readings.into_iter().map(bare).collect();
        Self { text: "".into(), spans: Vec::new(), analysis: None, readings, ..self }
    }

    /// Returns the form of a word and its annotation. The form is empty if the word does not exist.
    pub fn word(&self, idx: usize) -> (&str, Option<&Word>) {
        let form = self.spans.get(idx).and_then(|span| self.text.get(span.range()));
        (form.unwrap_or_default(), self.analysis.as_ref().and_then(|analysis| analysis.words.get(idx)))
    }
}

/// Two sentences, one of which may rephrase the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The original sentence (the text, in entailment).
    pub source: Sentence,
    /// The rephrased sentence (the hypothesis, in entailment).
    pub target: Sentence,
}
