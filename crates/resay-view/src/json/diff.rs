//! Lines about the differences between two texts.

use super::{Contribution, spans};
use crate::reasons::Reason;
use resay::diff::{DiffDocument, Difference, Passage};
use serde::Serialize;

/// A line of `diff`: one difference. A missing side is null.
#[derive(Debug, Serialize)]
pub struct DiffLine<'a> {
    /// The kind: same, reworded, moved, changed, added or dropped.
    pub kind: &'static str,
    /// Whether its position changed.
    pub moved: bool,
    /// The probability that both are paraphrases; null if the pair was not scored.
    pub probability: Option<f64>,
    /// The passage of the first text.
    pub source: Option<DiffPassage<'a>>,
    /// The passage of the second text.
    pub target: Option<DiffPassage<'a>>,
    /// The differences of its phrases.
    pub phrases: Vec<DiffPhrase>,
    /// The reasons against a paraphrase, if the meaning changed.
    pub reasons: Vec<Contribution>,
}

/// Sentences of one file. Sentence numbers are 0-based, lines 1-based, spans `[start, end]` in
/// bytes of the file.
#[derive(Debug, Serialize)]
pub struct DiffPassage<'a> {
    /// The number of its first sentence, 0-based.
    pub sentence: usize,
    /// Number of sentences.
    pub n_sentences: usize,
    /// Its line number, 1-based.
    pub line: u32,
    /// Its byte range in the file.
    pub span: [u32; 2],
    /// The text.
    pub text: &'a str,
}

/// A phrase of one or both sentences; spans are `[start, end]` in bytes of each file.
#[derive(Debug, Serialize)]
pub struct DiffPhrase {
    /// The kind of difference.
    pub kind: &'static str,
    /// Spans of the first file.
    pub source: Vec<[u32; 2]>,
    /// Spans of the second file.
    pub target: Vec<[u32; 2]>,
}

impl<'a> DiffLine<'a> {
    /// Builds the line of a difference between two documents, with the reasons against a
    /// paraphrase.
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
