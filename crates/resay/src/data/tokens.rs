//! Reads tokenised text: one sentence per line, with blanks between tokens. The line is kept as it
//! is, and token spans point into it.

use super::lines::LineReader;
use crate::Result;
use resay_text::{Analysis, Span};
use std::io::BufRead;

/// Streams sentences as `(line number, sentence)`, without annotation layers. Blank lines are
/// skipped. It ends after the first error.
#[derive(Debug)]
pub struct TokenReader<R> {
    lines: LineReader<R>,
    is_done: bool,
}

impl<R: BufRead> TokenReader<R> {
    /// Starts reading `input`. `name` is used in messages.
    pub fn new(name: &str, input: R) -> Self {
        Self { lines: LineReader::new(name, input), is_done: false }
    }

    fn next_sentence(&mut self) -> Result<Option<(u64, Analysis)>> {
        while self.lines.advance()? {
            let line = self.lines.line();
            let mut words = line.split_whitespace().peekable();
            if words.peek().is_some() {
                let place = |token: &str| {
                    let start = token.as_ptr() as usize - line.as_ptr() as usize;
                    Span { start: start as u32, end: (start + token.len()) as u32 }
                };
                return Ok(Some((self.lines.number(), Analysis::bare(line, words.map(place)))));
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for TokenReader<R> {
    type Item = Result<(u64, Analysis)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.next_sentence();
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sentences() {
        let input = "He left .\r\n\n \t \n  Don't\u{a0}stop\tnow ";
        let found: Vec<(u64, Analysis)> = TokenReader::new("f", input.as_bytes()).collect::<Result<_>>().expect("text");
        let forms = |analysis: &Analysis| {
            (0..analysis.words.len()).map(|word| analysis.form(word).to_owned()).collect::<Vec<_>>().join("|")
        };
        let shown: Vec<_> = found.iter().map(|(line, analysis)| (*line, &*analysis.text, forms(analysis))).collect();
        assert_eq!(
            shown,
            [(1, "He left .", "He|left|.".to_owned()), (4, "  Don't\u{a0}stop\tnow ", "Don't|stop|now".to_owned())]
        );
    }

    #[test]
    fn reading_stops_at_the_first_fault() {
        let mut lines = TokenReader::new("f", &b"a\n\xff\nb\n"[..]);
        assert!(lines.next().expect("a line").is_ok());
        assert!(lines.next().expect("a fault").is_err());
        assert!(lines.next().is_none());
    }
}
