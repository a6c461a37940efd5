//! One iterator over pairs, whatever the format. `predict` streams through it; [`super::Dataset`] collects from it.

use super::jsonl::JsonlReader;
use super::lines::{LineReader, MAX_LINE};
use super::msrp::MsrpReader;
use super::rte::RteReader;
use super::tsv::TsvReader;
use super::{Columns, Example, Format};
use crate::{Error, Result};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

/// Streams pairs: an iterator of the line an example starts on and the example. It ends after the first error.
#[derive(Debug)]
pub struct PairReader<R> {
    inner: Inner<Peeked<R>>,
    format: Format,
    is_done: bool,
}

/// An input of which the beginning has been looked at.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

#[derive(Debug)]
enum Inner<R> {
    Tsv(TsvReader<R>),
    Jsonl(JsonlReader<R>),
    Msrp(MsrpReader<R>),
    Rte(Box<RteReader<R>>),
}

impl<R: BufRead> PairReader<R> {
    /// Starts to read `input`, which the user calls `name`; without a format it is guessed from the name and the first
    /// line. A table's header is read here, so its faults show before the first row.
    pub fn new(name: &str, mut input: R, format: Option<Format>, columns: &Columns) -> Result<Self> {
        let mut peeked = Vec::new();
        let format = match format {
            Some(format) => format,
            None => {
                let first_line =
                    peek(&mut input, &mut peeked).map_err(|source| Error::read(Path::new(name), source))?;
                Format::guess(name, peeked.get(first_line..).unwrap_or_default())
            }
        };
        let lines = LineReader::new(name, Cursor::new(peeked).chain(input));
        let inner = match format {
            Format::Tsv => Inner::Tsv(TsvReader::new(lines, columns)?),
            Format::Jsonl => Inner::Jsonl(JsonlReader::new(lines, columns)),
            Format::Msrp => Inner::Msrp(MsrpReader::new(lines)?),
            Format::Rte => Inner::Rte(Box::new(RteReader::new(lines))),
        };
        Ok(Self { inner, format, is_done: false })
    }

    /// The format that is read.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl<R: BufRead> Iterator for PairReader<R> {
    type Item = Result<(u64, Example)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = match &mut self.inner {
            Inner::Tsv(reader) => reader.next_example(),
            Inner::Jsonl(reader) => reader.next_example(),
            Inner::Msrp(reader) => reader.next_example(),
            Inner::Rte(reader) => reader.next_example(),
        };
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// Reads up to the end of the first line that is not blank, and no further: someone may be typing. Returns where that
/// line starts.
fn peek(input: &mut impl BufRead, peeked: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        let start = peeked.len();
        let left = MAX_LINE.saturating_sub(start) as u64;
        let n_read = input.by_ref().take(left).read_until(b'\n', peeked)?;
        let is_blank = peeked.get(start..).unwrap_or_default().trim_ascii().is_empty();
        if n_read == 0 || !is_blank {
            return Ok(start);
        }
    }
}

/// Opens a file for reading, `-` being standard input; also returns the name for messages.
pub fn open(path: &Path) -> Result<(String, Box<dyn BufRead + Send>)> {
    let name = path.display().to_string();
    if name == "-" {
        return Ok((name, Box::new(BufReader::new(io::stdin()))));
    }
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    Ok((name, Box::new(BufReader::with_capacity(1 << 16, file))))
}
