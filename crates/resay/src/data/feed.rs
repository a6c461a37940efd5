//! Feeds lines to an XML parser. The parser works on bytes, does not count lines, and buffers
//! elements of any length. Fed from a [`LineReader`], its input is valid UTF-8, every position has
//! a line number, and an element that grows too long ends in an error before it fills the memory.

use super::lines::{LineReader, MAX_LINE};
use crate::{Error, Result};
use std::io::{self, BufRead, Read};

/// Passes checked lines to the parser one by one, and stops it when an element grows too long.
#[derive(Debug)]
pub(super) struct Feed<R> {
    lines: LineReader<R>,
    /// How many bytes of the current line have been consumed.
    at: usize,
    /// The line on which the current element starts.
    started: u64,
    /// How many more bytes the current element may take.
    left: usize,
    /// The error behind the last `io::Error`.
    fault: Option<Error>,
}

impl<R: BufRead> Feed<R> {
    /// Creates a feed positioned before the first line.
    pub(super) fn new(lines: LineReader<R>) -> Self {
        Self { lines, at: 0, started: 1, left: 0, fault: None }
    }

    /// Takes the error behind the last `io::Error`, if this feed raised it.
    pub(super) fn take_fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    /// Resets the limit for the next element, tag or text. Returns the line of the next byte, on
    /// which it starts.
    pub(super) fn begin_element(&mut self) -> u64 {
        let is_taken = self.at >= self.lines.with_ending().len();
        self.started = self.lines.number() + u64::from(is_taken);
        self.left = MAX_LINE;
        self.started
    }

    fn refill(&mut self) -> Result<()> {
        if self.at < self.lines.with_ending().len() {
            return Ok(());
        }
        if self.left == 0 {
            let message = format!("an element is longer than {MAX_LINE} bytes; is its end tag missing?");
            return Err(Error::line(self.lines.name(), self.started, message));
        }
        self.at = 0;
        self.lines.advance()?;
        Ok(())
    }
}

impl<R: BufRead> BufRead for Feed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Err(error) = self.refill() {
            self.fault = Some(error);
            return Err(io::Error::other("see the fault of the feed"));
        }
        Ok(self.lines.with_ending().as_bytes().get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
        self.left = self.left.saturating_sub(amount);
    }
}

impl<R: BufRead> Read for Feed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n_read = self.fill_buf()?.read(into)?;
        self.consume(n_read);
        Ok(n_read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_pass_unchanged_and_lines_are_counted() {
        let mut feed = Feed::new(LineReader::new("f", &b"ab\r\n\nc"[..]));
        let mut taken = Vec::new();
        let mut lines = Vec::new();
        let mut byte = [0];
        loop {
            lines.push(feed.begin_element());
            if feed.read(&mut byte).expect("text") == 0 {
                break;
            }
            taken.extend(byte);
        }
        assert_eq!(taken, b"ab\r\n\nc");
        assert_eq!(lines, [1, 1, 1, 1, 2, 3, 4]);
    }

    #[test]
    fn what_an_element_may_take_is_bounded() {
        let input = "x\n".repeat(MAX_LINE);
        let mut feed = Feed::new(LineReader::new("f", input.as_bytes()));
        feed.begin_element();
        let mut taken = Vec::new();
        assert!(feed.read_to_end(&mut taken).is_err());
        assert_eq!(taken.len(), MAX_LINE);
        let fault = feed.take_fault().expect("a fault").to_string();
        assert_eq!(fault, "f:1: an element is longer than 1048576 bytes; is its end tag missing?");
    }
}
