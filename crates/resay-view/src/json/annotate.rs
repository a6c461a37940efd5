//! Annotated sentences.

use resay_text::{Analysis, Head};
use serde::Serialize;

/// A row of `annotate`.
#[derive(Debug, Serialize)]
pub struct AnnotatedSentence<'a> {
    /// Its number.
    pub id: usize,
    /// The text.
    pub text: &'a str,
    /// The words.
    pub words: Vec<AnnotatedWord<'a>>,
}

/// A word of an annotated sentence; a layer that it has not is left out.
#[derive(Debug, Serialize)]
pub struct AnnotatedWord<'a> {
    /// The word as it stands in the text.
    pub form: &'a str,
    /// Its first byte in the sentence's text.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
    /// Its dictionary form.
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
    /// The number of its head, from 1; 0 for the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<u32>,
    /// Its relation to its head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<&'a str>,
}

impl<'a> AnnotatedSentence<'a> {
    /// An annotated sentence and its number.
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
