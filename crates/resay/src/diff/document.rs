//! A document for comparison: its text and the positions of its sentences.
//!
//! Sentences never cross a blank line, so the text is split paragraph by paragraph. Spans are exact
//! byte ranges of the document's text. Comparisons use the text of a sentence with every run of
//! whitespace collapsed to one blank, because re-wrapping a document does not change what it says.

use crate::{Error, Result};
use resay_text::{Span, Style, split, tokenize_as};

/// The maximum file size. Spans have 32 bits, and nobody reads a comparison of such a length.
pub const MAX_BYTES: usize = 256 << 20;

/// A sentence of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentencePlace {
    /// Its span in the document's text.
    pub span: Span,
    /// The line that it starts on, from 1.
    pub line: u32,
    /// Its paragraph, from 0.
    pub paragraph: u32,
    /// The number of tokens, punctuation included.
    pub n_words: u32,
}

/// A text and its sentences.
#[derive(Clone, Debug, Default)]
pub struct DiffDocument {
    text: String,
    sentences: Vec<SentencePlace>,
}

impl DiffDocument {
    /// A document with this text.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        Self::from_bytes("text", text.into().into_bytes())
    }

    /// Reads a document from the bytes of a file; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        if bytes.len() > MAX_BYTES {
            let message = format!("more than {} MiB of text: compare it in parts", MAX_BYTES >> 20);
            return Err(Error::file(name, message));
        }
        let line_of = |at: usize| 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
        if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
            let message = "a byte 0: not a text, or one in UTF-16; expected text in UTF-8, convert the file";
            return Err(Error::line(name, line_of(at), message));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::from_text(text)),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count() as u64;
                Err(Error::line(name, line, "bytes that are not UTF-8: convert the file to UTF-8"))
            }
        }
    }

    /// Splits a text of at most [`MAX_BYTES`] bytes into sentences.
    pub(super) fn from_text(text: String) -> Self {
        let mut sentences = Vec::new();
        let mut tokens: Vec<Span> = Vec::new();
        let (mut line, mut counted) = (1, 0);
        for (number, (start, end)) in paragraphs(&text).into_iter().enumerate() {
            let paragraph = &text[start..end];
            tokens.clear();
            tokens.extend(tokenize_as(paragraph, Style::Web).map(|piece| piece.span));
            for range in split(paragraph, &tokens) {
                let own = &tokens[range];
                let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
                let span = Span { start: start as u32 + first.start, end: start as u32 + last.end };
                let between = &text.as_bytes()[counted..span.start as usize];
                line += between.iter().filter(|&&byte| byte == b'\n').count() as u32;
                counted = span.start as usize;
                sentences.push(SentencePlace { span, line, paragraph: number as u32, n_words: own.len() as u32 });
            }
        }
        Self { text, sentences }
    }

    /// The text as it is in the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All sentences, in order.
    pub fn sentences(&self) -> &[SentencePlace] {
        &self.sentences
    }

    /// The text of a span; empty if the span is out of range.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// A sentence with every run of whitespace collapsed to one blank.
    pub(super) fn normalised(&self, sentence: usize) -> String {
        let text = self.slice(self.sentences[sentence].span);
        let mut words = text.split_whitespace();
        let mut joined = words.next().unwrap_or("").to_owned();
        for word in words {
            joined.push(' ');
            joined.push_str(word);
        }
        joined
    }
}

/// The byte ranges of paragraphs, which are runs of non-blank lines.
fn paragraphs(text: &str) -> Vec<(usize, usize)> {
    let mut paragraphs = Vec::new();
    let (mut at, mut start) = (if text.starts_with('\u{feff}') { 3 } else { 0 }, None);
    for line in text[at..].split_inclusive('\n') {
        if line.trim().is_empty() {
            paragraphs.extend(start.take().map(|start| (start, at)));
        } else {
            start.get_or_insert(at);
        }
        at += line.len();
    }
    paragraphs.extend(start.map(|start| (start, at)));
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_are_slices_of_the_text() {
        let check = |text: &str, expected: &[(u32, u32, &str)]| {
            let document = DiffDocument::from_text(text.to_owned());
            let found =
                document.sentences().iter().map(|place| (place.line, place.paragraph, document.slice(place.span)));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text:?}");
        };
        check("", &[]);
        check(" \n\t\n", &[]);
        check("It rained. We stayed\nat home.\n", &[(1, 0, "It rained."), (1, 0, "We stayed\nat home.")]);
        check("\u{feff}Über uns.\r\n\r\n\r\nEin Satz", &[(1, 0, "Über uns."), (4, 1, "Ein Satz")]);
        check("A title\n\nIt rained.", &[(1, 0, "A title"), (3, 1, "It rained.")]);
    }

    #[test]
    fn blanks_are_one_blank() {
        let document = DiffDocument::from_text("We  stayed\r\n at home.".to_owned());
        assert_eq!(document.normalised(0), "We stayed at home.");
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        let check = |bytes: &[u8], expected: &str| {
            let error = DiffDocument::from_bytes("t.txt", bytes.to_vec()).unwrap_err();
            assert!(error.is_usage() && error.to_string().starts_with(expected), "{error}");
        };
        check(b"fine\nnot \0 fine", "t.txt:2: a byte 0");
        check(b"fine\n\nnot \xff fine", "t.txt:3: bytes that are not UTF-8");
        check(&vec![b' '; MAX_BYTES + 1], "t.txt: more than 256 MiB");
    }

    proptest! {
        #[test]
        fn whatever_the_text_no_word_is_lost(text in "([a-zA-Z.!?é ]{0,12}[\n\r]{0,2}){0,6}") {
            let document = DiffDocument::from_text(text.clone());
            let mut rest = 0;
            for place in document.sentences() {
                let between = &text[rest..place.span.start as usize];
                prop_assert!(between.trim().is_empty(), "{between:?} of {text:?}");
                prop_assert!(!document.slice(place.span).trim().is_empty());
                rest = place.span.end as usize;
            }
            prop_assert!(text[rest..].trim().is_empty());
        }
    }
}
