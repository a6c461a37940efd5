//! Text to annotate, in whatever state it comes: running text, a sentence a line, tokens with blanks between them, or
//! CoNLL-U with some columns filled.

use super::{ConlluReader, ConlluSentence, LineReader, ParagraphReader, TokenReader};
use crate::{Error, Result};
use std::fmt;
use std::io::BufRead;
use std::str::FromStr;

/// The state that a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// Running text; blank lines part paragraphs.
    Text,
    /// One sentence a line.
    Lines,
    /// One sentence a line, tokens with blanks between them.
    Tokens,
    /// CoNLL-U; what its columns say is kept.
    Conllu,
}

impl TextFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Text, Self::Lines, Self::Tokens, Self::Conllu];

    /// The name for `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Lines => "lines",
            Self::Tokens => "tokens",
            Self::Conllu => "conllu",
        }
    }

    /// Guesses from the file's name: CoNLL-U by its usual endings, everything else is running text.
    pub fn guess(file_name: &str) -> Self {
        match file_name.rsplit_once('.') {
            Some((_, "conllu" | "conll-u" | "conllup")) => Self::Conllu,
            _ => Self::Text,
        }
    }
}

impl fmt::Display for TextFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TextFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            Error::parameter(format!("unknown format '{name}', expected one of: {}", known.join(", ")))
        })
    }
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPiece {
    /// Any number of sentences.
    Paragraph(String),
    /// One sentence.
    Sentence(String),
    /// One sentence, its words known, and whatever else.
    Words(Box<ConlluSentence>),
}

impl TextPiece {
    /// About how many bytes of text it has.
    pub fn size(&self) -> usize {
        match self {
            Self::Paragraph(text) | Self::Sentence(text) => text.len(),
            Self::Words(sentence) => sentence.analysis.text.len(),
        }
    }
}

/// Streams pieces of text. It ends after the first error.
#[derive(Debug)]
pub struct TextReader<R> {
    inner: Inner<R>,
    is_done: bool,
}

#[derive(Debug)]
enum Inner<R> {
    Text(ParagraphReader<R>),
    Lines(LineReader<R>),
    Tokens(TokenReader<R>),
    Conllu(ConlluReader<R>),
}

impl<R: BufRead> TextReader<R> {
    /// Starts to read `input`, which the user calls `name`.
    pub fn new(name: &str, input: R, format: TextFormat) -> Self {
        let inner = match format {
            TextFormat::Text => Inner::Text(ParagraphReader::new(name, input)),
            TextFormat::Lines => Inner::Lines(LineReader::new(name, input)),
            TextFormat::Tokens => Inner::Tokens(TokenReader::new(name, input)),
            TextFormat::Conllu => Inner::Conllu(ConlluReader::new(name, input)),
        };
        Self { inner, is_done: false }
    }

    fn next_piece(&mut self) -> Result<Option<TextPiece>> {
        Ok(match &mut self.inner {
            Inner::Text(reader) => reader.next().transpose()?.map(|(_, text)| TextPiece::Paragraph(text)),
            Inner::Lines(reader) => {
                if reader.advance_to_text()? {
                    Some(TextPiece::Sentence(reader.line().trim().to_owned()))
                } else {
                    None
                }
            }
            Inner::Tokens(reader) => reader.next().transpose()?.map(|(_, analysis)| {
                TextPiece::Words(Box::new(ConlluSentence { analysis, ..ConlluSentence::default() }))
            }),
            Inner::Conllu(reader) => {
                reader.next().transpose()?.map(|(_, sentence)| TextPiece::Words(Box::new(sentence)))
            }
        })
    }
}

impl<R: BufRead> Iterator for TextReader<R> {
    type Item = Result<TextPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.next_piece().transpose();
        self.is_done = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: TextFormat, text: &str, expected: &[&str]) {
        let found: Vec<String> = TextReader::new("t", text.as_bytes(), format)
            .map(|piece| match piece.unwrap() {
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

    #[test]
    fn formats_by_name() {
        for format in TextFormat::ALL {
            assert_eq!(format.name().parse::<TextFormat>().unwrap(), format);
        }
        assert!("pdf".parse::<TextFormat>().is_err());
        assert_eq!(TextFormat::guess("dev.conllu"), TextFormat::Conllu);
        assert_eq!(TextFormat::guess("notes.txt"), TextFormat::Text);
        assert_eq!(TextFormat::guess("-"), TextFormat::Text);
    }
}
