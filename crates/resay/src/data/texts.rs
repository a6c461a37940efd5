//! Reads text to annotate: running text, one sentence per line, tokens separated by blanks, or
//! CoNLL-U with some columns filled. The first line does not identify the format, so the file name
//! decides.

use super::format::FormatRow;
use super::reader::Reader;
use super::{ConlluReader, ConlluSentence, LineReader, ParagraphReader, TextFormat, TokenReader};
use crate::Result;
use std::io::BufRead;

/// Streams pieces of text as `(line number, piece)`. It ends after the first error.
pub type TextReader<'a> = Reader<'a, TextPiece>;

impl<'a> TextReader<'a> {
    /// Starts reading `input`. `name` is used in messages. Without a format, the format is guessed
    /// from the name.
    pub fn new(name: &str, input: impl BufRead + Send + 'a, format: Option<TextFormat>) -> Result<Self> {
        Self::open(name, input, format, &())
    }
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPiece {
    /// Any number of sentences.
    Paragraph(String),
    /// One sentence.
    Sentence(String),
    /// One tokenised sentence, possibly with further annotation.
    Words(Box<ConlluSentence>),
}

impl From<ConlluSentence> for TextPiece {
    fn from(sentence: ConlluSentence) -> Self {
        Self::Words(Box::new(sentence))
    }
}

impl TextPiece {
    /// Returns the approximate size of the text in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Paragraph(text) | Self::Sentence(text) => text.len(),
            Self::Words(sentence) => sentence.analysis.text.len(),
        }
    }
}

pub(super) const TEXT: FormatRow<TextPiece> = FormatRow::new("text", "at least one paragraph", |name, input, ()| {
    let mut paragraphs = ParagraphReader::new(name, input);
    Ok(Box::new(move || {
        let next = paragraphs.next().transpose()?;
        Ok(next.map(|(line, text)| (line, TextPiece::Paragraph(text))))
    }))
});

pub(super) const LINES: FormatRow<TextPiece> = FormatRow::new("lines", "at least one line", |name, input, ()| {
    let mut lines = LineReader::new(name, input);
    Ok(Box::new(move || {
        let sentence = |lines: &LineReader<_>| TextPiece::Sentence(lines.line().trim().to_owned());
        Ok(if lines.advance_to_text()? { Some((lines.number(), sentence(&lines))) } else { None })
    }))
});

pub(super) const TOKENS: FormatRow<TextPiece> = FormatRow::new("tokens", "at least one line", |name, input, ()| {
    let mut sentences = TokenReader::new(name, input);
    Ok(Box::new(move || {
        let next = sentences.next().transpose()?;
        Ok(next.map(|(line, analysis)| (line, ConlluSentence { analysis, ..ConlluSentence::default() }.into())))
    }))
});

pub(super) const CONLLU: FormatRow<TextPiece> = FormatRow {
    endings: &[".conllu", ".conll-u", ".conllup"],
    ..FormatRow::new("conllu", "at least one sentence", |name, input, ()| {
        let mut sentences = ConlluReader::new(name, input);
        Ok(Box::new(move || {
            let next = sentences.next().transpose()?;
            Ok(next.map(|(line, sentence)| (line, sentence.into())))
        }))
    })
};

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: TextFormat, text: &str, expected: &[&str]) {
        let found: Vec<String> = TextReader::new("t", text.as_bytes(), Some(format))
            .unwrap()
            .map(|piece| match piece.unwrap().1 {
                TextPiece::Paragraph(text) => format!("P {text:?}"),
                TextPiece::Sentence(text) => format!("S {text:?}"),
                TextPiece::Words(words) => format!("W {} {:?}", words.analysis.words.len(), words.analysis.text),
            })
            .collect();
        assert_eq!(found, expected, "{text:?} as {format}");
    }

    #[test]
    fn pieces_by_format() {
        let text = "It rains. It\nsnows.\n\nBye .\n";
        check(TextFormat::Text, text, &[r#"P "It rains. It\nsnows.\n""#, r#"P "Bye .\n""#]);
        check(TextFormat::Lines, text, &[r#"S "It rains. It""#, r#"S "snows.""#, r#"S "Bye .""#]);
        check(TextFormat::Tokens, text, &[r#"W 3 "It rains. It""#, r#"W 1 "snows.""#, r#"W 2 "Bye .""#]);
        let words = "1\tBye\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
        check(TextFormat::Conllu, words, &[r#"W 2 "Bye.""#]);
    }
}
