//! Reads a file line by line, in bounded memory, with errors that name the line.
//!
//! All text formats build on this reader, so that byte order marks, CRLF, a last line without a
//! newline, invalid UTF-8 and endless lines are handled alike everywhere.

use crate::{Error, Result};
use std::io::{BufRead, Read};
use std::path::Path;

/// The longest accepted line, in bytes without its newline (for XML also the longest element). A
/// longer one is rejected after this many bytes: it is not a sentence, and it must not fill the
/// memory.
pub const MAX_LINE: usize = 1 << 20;

/// The longest accepted document, in bytes. A book fits.
pub const MAX_DOCUMENT: usize = 16 << 20;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads lines from `input`. `name` is the file name as the user gave it.
#[derive(Debug)]
pub struct LineReader<R> {
    name: String,
    input: R,
    text: String,
    number: u64,
    /// The longest accepted line, in bytes without its ending.
    longest: usize,
    /// What a line holds, for error messages.
    content: &'static str,
}

impl<R: BufRead> LineReader<R> {
    /// Creates a reader positioned before the first line.
    pub fn new(name: impl Into<String>, input: R) -> Self {
        Self { name: name.into(), input, text: String::new(), number: 0, longest: MAX_LINE, content: "pair" }
    }

    /// Creates a reader of lines that hold a whole document each, up to [`MAX_DOCUMENT`] bytes.
    pub fn of_documents(name: impl Into<String>, input: R) -> Self {
        Self { longest: MAX_DOCUMENT, content: "document", ..Self::new(name, input) }
    }

    /// Sets what a line holds, for error messages.
    pub fn of(self, content: &'static str) -> Self {
        Self { content, ..self }
    }

    /// Returns the file name as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the 1-based number of the current line; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the current line without its line ending.
    pub fn line(&self) -> &str {
        let line = self.text.strip_suffix('\n').unwrap_or(&self.text);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Returns the current line with its line ending.
    pub fn with_ending(&self) -> &str {
        &self.text
    }

    /// Creates an error at the current line.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::line(&self.name, self.number.max(1), message)
    }

    /// Moves to the next line; returns false at the end. After an error the current line is empty.
    pub fn advance(&mut self) -> Result<bool> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        // Two bytes more than the longest line, for its CRLF.
        let most = self.longest + 2;
        let read = self.input.by_ref().take(most as u64).read_until(b'\n', &mut bytes);
        if let Err(source) = read {
            return Err(Error::read(Path::new(&self.name), source));
        }
        if bytes.is_empty() {
            return Ok(false);
        }
        self.number += 1;
        let ending = if bytes.ends_with(b"\r\n") { 2 } else { usize::from(bytes.ends_with(b"\n")) };
        if bytes.len() - ending > self.longest {
            let (longest, content) = (self.longest, self.content);
            return Err(self.error(format!(
                "the line is longer than {longest} bytes, the most that is read; expected one {content} a line: break it up"
            )));
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.text = text,
            Err(error) => return Err(self.error(not_utf8(&error))),
        }
        if self.number == 1 && self.text.starts_with(BYTE_ORDER_MARK) {
            self.text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(true)
    }

    /// Moves to the next line that holds more than spaces; returns false at the end. A tab counts:
    /// it means that there are columns, even if they are empty.
    pub fn advance_to_text(&mut self) -> Result<bool> {
        while self.advance()? {
            if self.line().bytes().any(|byte| byte != b' ') {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves to the next line that holds more than white space; returns false at the end.
    pub fn advance_to_visible(&mut self) -> Result<bool> {
        while self.advance()? {
            if !self.line().trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn not_utf8(error: &std::string::FromUtf8Error) -> String {
    let column = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return "the file is UTF-16, expected UTF-8; convert to UTF-8 (for example iconv -f utf-16 -t utf-8)"
            .to_owned();
    }
    let found = bytes.get(column).copied().unwrap_or_default();
    format!("byte {} (0x{found:02x}) is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)", column + 1)
}

/// Shortens user text for an error message: at most 40 characters, with control characters made
/// visible.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    let mut short = String::new();
    for character in text.chars().take(MOST) {
        if character.is_control() {
            short.extend(character.escape_debug());
        } else {
            short.push(character);
        }
    }
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, BufReader};

    fn check(input: &[u8], expected: &[&str]) {
        for chunk in [1, 2, 3, 4096] {
            let mut lines = LineReader::new("f", BufReader::with_capacity(chunk, input));
            let mut found = Vec::new();
            while lines.advance().expect("text") {
                found.push(lines.line().to_owned());
                assert_eq!(lines.number(), found.len() as u64);
            }
            assert_eq!(found, expected, "{input:?} in chunks of {chunk}");
        }
    }

    #[test]
    fn line_endings_and_byte_order_marks() {
        check(b"", &[]);
        check(b"\n", &[""]);
        check(b"a", &["a"]);
        check(b"a\nb", &["a", "b"]);
        check(b"a\r\nb\r\n", &["a", "b"]);
        check(b"a\rb\r\r\n", &["a\rb\r"]);
        check("\u{feff}a\n\u{feff}b".as_bytes(), &["a", "\u{feff}b"]);
        check("\u{feff}".as_bytes(), &[""]);
        check(b"a\0b\n\0", &["a\0b", "\0"]);
    }

    #[test]
    fn blank_lines_are_stepped_over_but_counted() {
        let mut lines = LineReader::new("f", &b"\n  \r\n\t\n x"[..]);
        assert!(lines.advance_to_text().expect("text"));
        assert_eq!((lines.number(), lines.line()), (3, "\t"));
        assert!(lines.advance_to_text().expect("text"));
        assert_eq!((lines.number(), lines.line()), (4, " x"));
        assert!(!lines.advance_to_text().expect("end"));
    }

    #[test]
    fn the_longest_line_is_read_and_a_longer_one_is_not() {
        for (n_bytes, ending) in [(MAX_LINE, ""), (MAX_LINE, "\n"), (MAX_LINE, "\r\n")] {
            let text = format!("{}{ending}", "x".repeat(n_bytes));
            let mut lines = LineReader::new("f", text.as_bytes());
            assert!(lines.advance().expect("fits"));
            assert_eq!(lines.line().len(), MAX_LINE);
            assert!(!lines.advance().expect("end"));
            let longer = format!("x{text}");
            let error = LineReader::new("f", longer.as_bytes()).advance().expect_err("too long").to_string();
            assert_eq!(
                error,
                "f:1: the line is longer than 1048576 bytes, the most that is read; expected one pair a line: break it up"
            );
        }
    }

    #[test]
    fn documents_may_be_longer_than_pairs() {
        let text = "x".repeat(MAX_DOCUMENT);
        assert!(LineReader::of_documents("f", text.as_bytes()).advance().expect("fits"));
        assert_eq!(
            LineReader::of_documents("f", format!("x{text}").as_bytes()).advance().expect_err("too long").to_string(),
            "f:1: the line is longer than 16777216 bytes, the most that is read; expected one document a line: break it up"
        );
    }

    /// An endless input that counts the bytes read from it.
    struct Endless(usize);

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            into.fill(b'x');
            self.0 += into.len();
            Ok(into.len())
        }
    }

    #[test]
    fn an_endless_line_does_not_fill_the_memory() {
        let mut endless = Endless(0);
        assert!(LineReader::new("f", BufReader::with_capacity(4096, &mut endless)).advance().is_err());
        assert!(endless.0 <= MAX_LINE + 2 * 4096, "{} bytes were read", endless.0);
    }

    #[test]
    fn bytes_that_are_no_text_say_where() {
        let check = |input: &[u8], expected: &str| {
            let mut lines = LineReader::new("f", input);
            let error = loop {
                match lines.advance() {
                    Ok(more) => assert!(more, "no error in {input:?}"),
                    Err(error) => break error.to_string(),
                }
            };
            assert_eq!(error, expected);
        };
        let hint = "is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)";
        check(b"ok\ncaf\xe9\n", &format!("f:2: byte 4 (0xe9) {hint}"));
        check(
            "né\n".as_bytes().split_last().expect("bytes").1.split_last().expect("bytes").1,
            &format!("f:1: byte 2 (0xc3) {hint}"),
        );
        check(
            b"\xff\xfea\0\n\0",
            "f:1: the file is UTF-16, expected UTF-8; convert to UTF-8 (for example iconv -f utf-16 -t utf-8)",
        );
    }

    #[test]
    fn a_failing_disk_is_no_end_of_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let error = LineReader::new("f", BufReader::new((&b"a\nb"[..]).chain(Broken)));
        let mut lines = error;
        assert!(lines.advance().expect("the first line is whole"));
        assert_eq!(lines.advance().expect_err("broken").to_string(), "cannot read f: the disk is gone");
    }

    #[test]
    fn messages_stay_short_and_visible() {
        assert_eq!(shorten("a\"b'c"), "a\"b'c");
        assert_eq!(shorten("a\0\x1b[31m"), "a\\0\\u{1b}[31m");
        assert_eq!(shorten(&"é".repeat(41)), format!("{}...", "é".repeat(40)));
        assert_eq!(shorten("שָׁלוֹם"), "שָׁלוֹם");
    }
}
