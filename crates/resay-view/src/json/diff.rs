//! Lines about what became of a text's sentences.

use super::{Contribution, spans};
use crate::reasons::Reason;
use resay::diff::{DiffDocument, Difference, Passage};
use serde::Serialize;

/// A line of `diff`: one difference. A side that there is not is null.
#[derive(Debug, Serialize)]
pub struct DiffLine<'a> {
    /// What became of it: same, reworded, moved, changed, added or dropped.
    pub kind: &'static str,
    /// Whether it stands elsewhere.
    pub moved: bool,
    /// How likely both say the same; null where nothing was judged.
    pub probability: Option<f64>,
    /// The passage of the first text.
    pub source: Option<DiffPassage<'a>>,
    /// The passage of the second.
    pub target: Option<DiffPassage<'a>>,
    /// What became of its phrases.
    pub phrases: Vec<DiffPhrase>,
    /// What speaks against both saying the same, where the meaning changed.
    pub reasons: Vec<Contribution>,
}

/// Sentences of one file: the first and how many, from 0; the line from 1; `[start, end]` in bytes
/// of the file.
#[derive(Debug, Serialize)]
pub struct DiffPassage<'a> {
    /// The number of its first sentence, from 0.
    pub sentence: usize,
    /// How many sentences.
    pub n_sentences: usize,
    /// Its line, from 1.
    pub line: u32,
    /// Its bytes of the file.
    pub span: [u32; 2],
    /// The text.
    pub text: &'a str,
}

/// A phrase of both sentences, or of one; `[start, end]` in bytes of each file.
#[derive(Debug, Serialize)]
pub struct DiffPhrase {
    /// What became of it.
    pub kind: &'static str,
    /// Spans of the first file.
    pub source: Vec<[u32; 2]>,
    /// Spans of the second.
    pub target: Vec<[u32; 2]>,
}

impl<'a> DiffLine<'a> {
    /// A difference between two documents, and what speaks against both saying the same.
    pub fn of(difference: &Difference, documents: [&'a DiffDocument; 2], reasons: &[Reason]) -> Self {
        let passage = |side: usize, passage: &Option<Passage>| {
            passage.as_ref().map(|passage| DiffPassage {
                sentence: passage.sentences.start,
                n_sentences: passage.sentences.len(),
                line: passage.line,
                span: [passage.span.start, passage.span.end],
                text: documents[side].slice(passage.span),
            })
        };
        let phrases = difference.phrases.iter().map(|phrase| DiffPhrase {
            kind: phrase.kind.name(),
            source: spans(&phrase.source),
            target: spans(&phrase.target),
        });
        Self {
            kind: difference.kind.name(),
            moved: difference.is_moved,
            probability: difference.probability,
            source: passage(0, &difference.source),
            target: passage(1, &difference.target),
            phrases: phrases.collect(),
            reasons: reasons.iter().map(Contribution::of_reason).collect(),
        }
    }
}
