//! Reads running text paragraph by paragraph. Paragraphs are separated by blank lines and keep
//! their line breaks. Memory is bounded by the longest paragraph, whose size is limited.

use crate::{Error, Result};
use std::io::{BufRead, Read};
use std::path::Path;

/// Maximum length of a paragraph, in bytes.
pub const MAX_PARAGRAPH: usize = 64 << 20;

/// Streams paragraphs as `(line number, text)`. It ends after the first error.
#[derive(Debug)]
pub struct ParagraphReader<R> {
    name: String,
    input: R,
    line_number: u64,
    is_done: bool,
}

impl<R: BufRead> ParagraphReader<R> {
    /// Starts reading `input`. `name` is used in messages.
    pub fn new(name: impl Into<String>, input: R) -> Self {
        Self { name: name.into(), input, line_number: 0, is_done: false }
    }

    fn next_paragraph(&mut self) -> Result<Option<(u64, String)>> {
        let mut paragraph = Vec::new();
        let mut first_line = self.line_number + 1;
        loop {
            let start = paragraph.len();
            let room = (MAX_PARAGRAPH - start) as u64 + 1;
            let mut limited = self.input.by_ref().take(room);
            let n_read = limited
                .read_until(b'\n', &mut paragraph)
                .map_err(|source| Error::read(Path::new(&self.name), source))?;
            if paragraph.len() > MAX_PARAGRAPH {
                let message = "a paragraph of more than 64 MiB: break it up with blank lines";
                return Err(Error::line(&self.name, first_line, message));
            }
            if n_read == 0 {
                break;
            }
            self.line_number += 1;
            if self.line_number == 1 && paragraph.starts_with(b"\xef\xbb\xbf") {
                paragraph.drain(..3);
            }
            if paragraph[start.min(paragraph.len())..].trim_ascii().is_empty() {
                paragraph.truncate(start);
                if start == 0 {
                    first_line = self.line_number + 1;
                    continue;
                }
                break;
            }
        }
        if paragraph.is_empty() {
            return Ok(None);
        }
        match String::from_utf8(paragraph) {
            Ok(text) => Ok(Some((first_line, text))),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = first_line + valid.iter().filter(|&&byte| byte == b'\n').count() as u64;
                Err(Error::line(&self.name, line, "bytes that are not UTF-8: convert the file to UTF-8"))
            }
        }
    }
}

impl<R: BufRead> Iterator for ParagraphReader<R> {
    type Item = Result<(u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.next_paragraph().transpose();
        self.is_done = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Result<(u64, String)>> {
        ParagraphReader::new("t.txt", text).collect()
    }

    #[test]
    fn blank_lines_part_paragraphs() {
        let check = |text: &str, expected: &[(u64, &str)]| {
            let found: Vec<(u64, String)> = read(text.as_bytes()).into_iter().map(|item| item.unwrap()).collect();
            let expected: Vec<(u64, String)> =
                expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", &[]);
        check("\n \n", &[]);
        check("a\nb\n\n\nc", &[(1, "a\nb\n"), (5, "c")]);
        check("\u{feff}a\r\n\r\nb\r\n", &[(1, "a\r\n"), (3, "b\r\n")]);
        check("\n\nx\n", &[(3, "x\n")]);
    }

    #[test]
    fn faults_say_the_line() {
        let found = read(b"fine\n\nalso fine\nnot \xff fine\n\nnever read\n");
        assert_eq!(found.len(), 2);
        let error = found[1].as_ref().unwrap_err().to_string();
        assert_eq!(error, "t.txt:4: bytes that are not UTF-8: convert the file to UTF-8");
    }
}
