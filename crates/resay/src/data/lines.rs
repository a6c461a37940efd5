//! Lines of a file, one at a time, in bounded memory, with faults that say where they are.
//!
//! All text formats stand on this reader, so that a byte order mark, CRLF, a last line without a newline, bytes that
//! are no UTF-8 and a line without end are treated alike everywhere.

use crate::{Error, Result};
use std::io::{BufRead, Read};
use std::path::Path;

/// The longest line that is read, in bytes without its newline (for XML also the longest element). A longer one is
/// refused after this many bytes: it is no sentence, and it must not fill the memory.
pub const MAX_LINE: usize = 1 << 20;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads lines from `input`; `name` is how the user called it.
#[derive(Debug)]
pub struct LineReader<R> {
    name: String,
    input: R,
    text: String,
    number: u64,
}

impl<R: BufRead> LineReader<R> {
    /// Starts before the first line.
    pub fn new(name: impl Into<String>, input: R) -> Self {
        Self { name: name.into(), input, text: String::new(), number: 0 }
    }

    /// The file as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The 1-based number of the current line; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The current line without its line ending.
    pub fn line(&self) -> &str {
        let line = self.text.strip_suffix('\n').unwrap_or(&self.text);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// The current line as it stands, with its line ending.
    pub(super) fn with_ending(&self) -> &str {
        &self.text
    }

    /// A fault in the current line.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::line(&self.name, self.number.max(1), message)
    }

    /// Goes to the next line; false at the end. After an error the current line is empty.
    pub fn advance(&mut self) -> Result<bool> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        // Two bytes more than the longest line: room for its CRLF.
        let most = MAX_LINE + 2;
        let read = self.input.by_ref().take(most as u64).read_until(b'\n', &mut bytes);
        if let Err(source) = read {
            return Err(Error::read(Path::new(&self.name), source));
        }
        if bytes.is_empty() {
            return Ok(false);
        }
        self.number += 1;
        let ending = if bytes.ends_with(b"\r\n") { 2 } else { usize::from(bytes.ends_with(b"\n")) };
        if bytes.len() - ending > MAX_LINE {
            return Err(self.error(format!(
                "the line is longer than {MAX_LINE} bytes; expected one pair a line: is this a text file with one row a line?"
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

    /// Goes to the next line that holds more than spaces; false at the end. A tab is not nothing: it says that there
    /// are columns, be they empty.
    pub fn advance_to_text(&mut self) -> Result<bool> {
        while self.advance()? {
            if self.line().bytes().any(|byte| byte != b' ') {
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

/// A piece of the user's text for a message: at most forty characters, control characters made visible.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    // `escape_debug` also escapes quotes, which need none here.
    short.replace("\\\"", "\"").replace("\\'", "'")
}
