//! Lines about what became of a text's sentences.

use super::{Contribution, spans};
use resay::diff::{Difference, Document, Passage};
use resay::explain::Explanation;
use serde::Serialize;

/// A line of `diff`: one difference. A side that there is not is null.
#[derive(Debug, Serialize)]
pub(crate) struct DiffLine<'a> {
    pub(crate) kind: &'static str,
    pub(crate) moved: bool,
    /// How likely both say the same; null where nothing was judged.
    pub(crate) probability: Option<f64>,
    pub(crate) source: Option<DiffPassage<'a>>,
    pub(crate) target: Option<DiffPassage<'a>>,
    pub(crate) phrases: Vec<DiffPhrase>,
    /// What speaks against both saying the same, where the meaning changed.
    pub(crate) reasons: Vec<Contribution>,
}

/// Sentences of one file: the first and how many, from 0; the line from 1; `[start, end]` in bytes of the file.
#[derive(Debug, Serialize)]
pub(crate) struct DiffPassage<'a> {
    pub(crate) sentence: usize,
    pub(crate) n_sentences: usize,
    pub(crate) line: u32,
    pub(crate) span: [u32; 2],
    pub(crate) text: &'a str,
}

/// A phrase of both sentences, or of one; `[start, end]` in bytes of each file.
#[derive(Debug, Serialize)]
pub(crate) struct DiffPhrase {
    pub(crate) kind: &'static str,
    pub(crate) source: Vec<[u32; 2]>,
    pub(crate) target: Vec<[u32; 2]>,
}

impl<'a> DiffLine<'a> {
    pub(crate) fn of(difference: &Difference, documents: [&'a Document; 2], reasons: &[Explanation]) -> Self {
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
            reasons: reasons.iter().map(Contribution::of).collect(),
        }
    }
}
