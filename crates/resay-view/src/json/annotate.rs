//! Annotated sentences.

use resay_text::{Analysis, Head};
use serde::Serialize;

/// A row of `annotate`.
#[derive(Debug, Serialize)]
pub struct AnnotatedSentence<'a> {
    /// The sentence number.
    pub id: usize,
    /// The text.
    pub text: &'a str,
    /// The words.
    pub words: Vec<AnnotatedWord<'a>>,
}

/// A word of an annotated sentence; missing layers are omitted.
#[derive(Debug, Serialize)]
pub struct AnnotatedWord<'a> {
    /// The word as it appears in the text.
    pub form: &'a str,
    /// Its first byte in the text of the sentence.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Its lemma.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lemma: Option<&'a str>,
    /// Its universal part of speech.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upos: Option<&'a str>,
    /// Its Penn Treebank tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xpos: Option<&'a str>,
    /// Its chunk tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk: Option<&'a str>,
    /// Its entity tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<&'a str>,
    /// The 1-based number of its head; 0 for the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<u32>,
    /// Its dependency relation to its head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<&'a str>,
}

impl<'a> AnnotatedSentence<'a> {
    /// Builds the row of an annotated sentence.
    pub fn of(id: usize, analysis: &'a Analysis) -> Self {
        let words = analysis.words.iter().enumerate().map(|(at, word)| AnnotatedWord {
            form: analysis.form(at),
            start: word.span.start,
            end: word.span.end,
            lemma: word.lemma.as_deref(),
            upos: word.upos.map(|upos| upos.name()),
            xpos: word.xpos.as_deref(),
            chunk: word.chunk.as_deref(),
            entity: word.entity.as_deref(),
            head: word.head.map(|head| match head {
                Head::Root => 0,
                Head::Word(number) => number + 1,
            }),
            relation: word.relation.as_deref(),
        });
        Self { id, text: &analysis.text, words: words.collect() }
    }
}
