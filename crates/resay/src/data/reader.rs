//! One iterator over the rows of a file, for any record type and format. Classification and scoring
//! stream through it; [`super::Table`] collects from it.

use super::format::FileFormat;
use super::lines::MAX_LINE;
use crate::{Error, Result};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// One entry of a file. Names its formats and the options for reading it.
pub trait Record: Sized + 'static {
    /// The formats of files with such records.
    type Format: FileFormat<Record = Self>;
    /// Options for reading besides the format, such as column names.
    type Options;
    /// The noun for records in messages about empty files: "no rows: expected ...".
    const ROWS: &'static str;
}

/// The input passed to a format's reader.
pub(super) type Input<'a> = Box<dyn BufRead + Send + 'a>;

/// The reader of one format. It is not called again after an error.
pub(super) trait Rows<R>: Send {
    /// Returns the next row and the line on which it starts, or `None` at the end.
    fn next_row(&mut self) -> Result<Option<(u64, R)>>;

    /// Fills in fields that depend on all rows.
    fn complete(&self, _rows: &mut [R]) {}

    /// Returns the columns recognised by non-standard names, and the field each one holds.
    fn recognised(&self) -> &[(String, &'static str)] {
        &[]
    }
}

/// A function can serve as the reader of a simple format.
impl<R, F: FnMut() -> Result<Option<(u64, R)>> + Send> Rows<R> for F {
    fn next_row(&mut self) -> Result<Option<(u64, R)>> {
        self()
    }
}

/// Streams rows as `(line number, row)`. It ends after the first error.
pub struct Reader<'a, R: Record> {
    name: String,
    format: R::Format,
    rows: Box<dyn Rows<R> + 'a>,
    is_done: bool,
}

impl<'a, R: Record> Reader<'a, R> {
    /// Starts reading `input`. `name` is used in messages. Without a format, the format is guessed
    /// from the name and the first line. A table's header is read here, so errors in it surface
    /// before the first row.
    pub fn open(
        name: &str,
        mut input: impl BufRead + Send + 'a,
        format: Option<R::Format>,
        options: &R::Options,
    ) -> Result<Self> {
        let mut peeked = Vec::new();
        let format = match format {
            Some(format) => format,
            None => {
                let first_line =
                    peek(&mut input, &mut peeked).map_err(|source| Error::read(Path::new(name), source))?;
                R::Format::guess(name, peeked.get(first_line..).unwrap_or_default())
            }
        };
        let rows = (format.row().open)(name, Box::new(Cursor::new(peeked).chain(input)), options)?;
        Ok(Self { name: name.to_owned(), format, rows, is_done: false })
    }

    /// Returns the file name as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the format being read.
    pub fn format(&self) -> R::Format {
        self.format
    }

    /// Returns the columns or keys recognised by non-standard names, as spelled in the file, and
    /// the field each one holds: `("question1", "source")`.
    pub fn recognised(&self) -> &[(String, &'static str)] {
        self.rows.recognised()
    }

    /// Fills in fields that depend on all rows of the file.
    pub(super) fn complete(&self, rows: &mut [R]) {
        self.rows.complete(rows);
    }
}

impl<R: Record> Iterator for Reader<'_, R> {
    type Item = Result<(u64, R)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.rows.next_row();
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

impl<R: Record> fmt::Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("name", &self.name).field("format", &self.format).finish_non_exhaustive()
    }
}

/// Reads up to the end of the first non-blank line and no further, because the input may be
/// interactive. Returns where that line starts.
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

/// Opens a file for reading; `-` is standard input. Also returns the name for messages.
pub fn open(path: &Path) -> Result<(String, Box<dyn BufRead + Send>)> {
    let name = path.display().to_string();
    if name == "-" {
        return Ok((name, Box::new(BufReader::new(io::stdin()))));
    }
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    Ok((name, Box::new(BufReader::with_capacity(1 << 16, file))))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Shown, show_all};
    use super::super::{AlignmentFormat, AlignmentReader, Columns, DocumentFormat, DocumentReader, Format, PairReader};
    use super::*;

    #[test]
    fn the_format_is_guessed_and_nothing_is_lost() {
        fn check<F: FileFormat<Record: Shown>>(input: &str, format: F, expected: &[&str]) {
            for chunk in [1, 7, 4096] {
                let slow = BufReader::with_capacity(chunk, input.as_bytes());
                let options = <F::Record as Record>::Options::default();
                let reader = Reader::<F::Record>::open("-", slow, None, &options).expect(input);
                assert_eq!(reader.format(), format, "{input}");
                let rows: Vec<_> = reader.collect::<Result<_>>().expect(input);
                assert_eq!(show_all(&rows), expected, "{input}");
            }
        }
        let (tsv, jsonl) = (Format::Tsv, Format::Jsonl);
        check("\n\nsource\ttarget\na\tb\n", tsv, &["4|1|~|a|b|~"]);
        check("\n\nsource,target\na,b\n", Format::Csv, &["4|1|~|a|b|~"]);
        check("\r\n {\"source\":\"a\",\"target\":\"b\"}\n", jsonl, &["2|1|~|a|b|~"]);
        check("\u{feff}Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t2\t3\ta\tb", Format::Msrp, &["2|2-3|~|a|b|1"]);
        check("\n<pair><t>a</t><h>b</h></pair>", Format::Rte, &["2|1|taf63dc4c8601ec8c|a|b|~"]);
        check("\n\nIt rains.\n", DocumentFormat::Lines, &["1|1|?|", "2|2|?|", "3|3|?|It rains."]);
        check("\n{\"text\":\"a\"}", DocumentFormat::Jsonl, &["2|1|?|a"]);
        check("\n<REUTERS NEWID=\"7\"><TEXT>a</TEXT></REUTERS>", DocumentFormat::Reuters, &["2|Unused 7|?|a"]);
        let (json, msr06, pharaoh) = (AlignmentFormat::Json, AlignmentFormat::Msr06, AlignmentFormat::Pharaoh);
        check("\n0-0\n", pharaoh, &["1|1||||", "2|2|||0-0|"]);
        check("\n# sentence pair 3\na\nNULL ({ / / }) b ({ 1 / / })", msr06, &["2|3|a|b|0-0|"]);
        check("\n[{\"source\":\"a\",\"target\":\"b\",\"sureAlign\":\"0-0\"}]", json, &["2|1|a|b|0-0|"]);
        check("", pharaoh, &[]);
    }

    /// Returns one line, then counts how often more is requested.
    struct Typing<'a> {
        line: &'a [u8],
        n_asked: usize,
    }

    impl Read for Typing<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.n_asked += usize::from(self.line.is_empty());
            self.line.read(into)
        }
    }

    #[test]
    fn a_row_is_answered_before_the_next_is_typed() {
        let check = |line: &[u8], format: Option<Format>| {
            let mut typing = Typing { line, n_asked: 0 };
            let input = BufReader::new(&mut typing);
            let mut pairs = PairReader::new("-", input, format, &Columns::default()).expect("starts");
            assert!(pairs.next().expect("a row").is_ok());
            drop(pairs);
            assert_eq!(typing.n_asked, 0);
        };
        check(b"{\"source\":\"a\",\"target\":\"b\"}\n", None);
        check(b"{\"source\":\"a\",\"target\":\"b\"}\n", Some(Format::Jsonl));
        check(b"source,target\na,\"b\"\n", None);
    }

    #[test]
    fn reading_stops_at_the_first_error() {
        fn check<R: Record>(reader: Result<Reader<'_, R>>) {
            let mut reader = reader.expect("starts");
            assert!(reader.next().expect("row 1").is_ok());
            assert!(reader.next().expect("row 2").is_err());
            assert!(reader.next().is_none());
        }
        check(PairReader::new("-", &b"source\ttarget\na\tb\nc\nd\te\n"[..], None, &Columns::default()));
        check(DocumentReader::new("-", &b"{\"text\":\"a\"}\n{}\n{\"text\":\"b\"}"[..], None));
        check(AlignmentReader::new("-", &b"0-0\nx\n1-1"[..], None));
    }

    #[test]
    fn a_file_that_is_not_there() {
        let Err(error) = open(Path::new("no/such/file.tsv")) else { panic!("it is there") };
        assert!(error.to_string().starts_with("cannot read no/such/file.tsv: "), "{error}");
        assert!(error.is_usage());
    }
}
