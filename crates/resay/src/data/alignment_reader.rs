//! One iterator over aligned pairs, whatever the format. [`super::AlignedPairs`] collects from it.

use super::alignment::AlignedPair;
use super::alignment_format::AlignmentFormat;
use super::alignment_json::JsonAlignmentReader;
use super::lines::LineReader;
use super::msr06::Msr06Reader;
use super::pharaoh;
use super::reader::{Peeked, format_of};
use crate::Result;
use std::io::BufRead;

/// Streams aligned pairs: an iterator of the line a pair starts on and the pair. It ends after the first error.
#[derive(Debug)]
pub struct AlignmentReader<R> {
    inner: Inner<Peeked<R>>,
    format: AlignmentFormat,
    is_done: bool,
}

#[derive(Debug)]
enum Inner<R> {
    Json(JsonAlignmentReader<R>),
    Msr06(Msr06Reader<R>),
    Pharaoh(LineReader<R>),
}

impl<R: BufRead> AlignmentReader<R> {
    /// Starts to read `input`, which the user calls `name`; without a format it is guessed from the first line.
    pub fn new(name: &str, input: R, format: Option<AlignmentFormat>) -> Result<Self> {
        let (format, input) = format_of(name, input, format, AlignmentFormat::guess)?;
        let inner = match format {
            AlignmentFormat::Json => Inner::Json(JsonAlignmentReader::new(name, input)),
            AlignmentFormat::Msr06 => Inner::Msr06(Msr06Reader::new(LineReader::new(name, input))),
            AlignmentFormat::Pharaoh => Inner::Pharaoh(LineReader::new(name, input)),
        };
        Ok(Self { inner, format, is_done: false })
    }

    /// The format that is read.
    pub fn format(&self) -> AlignmentFormat {
        self.format
    }
}

impl<R: BufRead> Iterator for AlignmentReader<R> {
    type Item = Result<(u64, AlignedPair)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = match &mut self.inner {
            Inner::Json(reader) => reader.next_pair(),
            Inner::Msr06(reader) => reader.next_pair(),
            Inner::Pharaoh(lines) => pharaoh::next_pair(lines),
        };
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

#[cfg(test)]
pub(super) mod testing {
    //! A test of a reader is a line of data: what is read, what comes back.

    use super::*;
    use std::io::BufReader;

    /// All pairs, read in pieces of `chunk` bytes.
    pub(in super::super) fn read(
        format: Option<AlignmentFormat>,
        input: &[u8],
        chunk: usize,
    ) -> Result<Vec<(u64, AlignedPair)>> {
        AlignmentReader::new("pairs", BufReader::with_capacity(chunk, input), format)?.collect()
    }

    /// One pair a line: `line|id|source|target|sure|possible`.
    pub(in super::super) fn show((line, pair): &(u64, AlignedPair)) -> String {
        let possible = AlignedPair { sure: pair.possible.clone(), ..AlignedPair::default() };
        let (source, target) = (pair.source.join(" "), pair.target.join(" "));
        format!("{line}|{}|{source}|{target}|{}|{}", pair.id, pair.to_pharaoh(), possible.to_pharaoh())
    }

    /// However the bytes arrive, they say `expected`.
    pub(in super::super) fn check(format: AlignmentFormat, input: &str, expected: &[&str]) {
        for chunk in [1, 7, 4096] {
            let rows = read(Some(format), input.as_bytes(), chunk).expect(input);
            assert_eq!(rows.iter().map(show).collect::<Vec<_>>(), expected, "{input:?}");
        }
    }

    pub(in super::super) fn check_error(format: AlignmentFormat, input: &[u8], expected: &str) {
        for chunk in [1, 4096] {
            let error = read(Some(format), input, chunk).expect_err(expected);
            assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(&input[..input.len().min(200)]));
            assert!(error.is_usage(), "{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{read, show};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_format_is_guessed_and_nothing_is_lost() {
        let check = |input: &str, expected: &[&str]| {
            for chunk in [1, 4096] {
                let rows = read(None, input.as_bytes(), chunk).expect(input);
                assert_eq!(rows.iter().map(show).collect::<Vec<_>>(), expected, "{input}");
            }
        };
        check("\n0-0\n", &["1|1||||", "2|2|||0-0|"]);
        check("\n# sentence pair 3\na\nNULL ({ / / }) b ({ 1 / / })", &["2|3|a|b|0-0|"]);
        check("\n[{\"source\":\"a\",\"target\":\"b\",\"sureAlign\":\"0-0\"}]", &["2|1|a|b|0-0|"]);
        check("", &[]);
    }

    #[test]
    fn reading_stops_at_the_first_fault() {
        let mut pairs = AlignmentReader::new("-", &b"0-0\nx\n1-1"[..], None).expect("starts");
        assert_eq!(pairs.format(), AlignmentFormat::Pharaoh);
        assert!(pairs.next().expect("row 1").is_ok());
        assert!(pairs.next().expect("row 2").is_err());
        assert!(pairs.next().is_none());
    }

    /// Reads all, in each format and guessing; any answer will do, as long as it is the same in small pieces, links are
    /// sorted and point at words, and what is written says the same when it is read again.
    fn survives(input: &[u8]) {
        for format in [None].into_iter().chain(AlignmentFormat::ALL.map(Some)) {
            let collect = |chunk: usize| read(format, input, chunk).map_err(|error| error.to_string());
            let at_once = collect(4096);
            assert_eq!(at_once, collect(3), "{format:?}");
            for (line, pair) in at_once.iter().flatten() {
                assert!(*line >= 1);
                assert!(pair.sure.is_sorted_by(|a, b| a < b) && pair.possible.is_sorted_by(|a, b| a < b), "{pair:?}");
                assert!(pair.possible.iter().all(|link| !pair.sure.contains(link)), "{pair:?}");
                let pharaoh = read(Some(AlignmentFormat::Pharaoh), format!("{}\n", pair.to_pharaoh()).as_bytes(), 64);
                assert_eq!(pharaoh.expect("a line")[0].1.sure, pair.sure);
                if pair.has_words() {
                    let has_words = |link: &crate::data::Link| {
                        (link.source as usize) < pair.source.len() && (link.target as usize) < pair.target.len()
                    };
                    assert!(pair.sure.iter().chain(&pair.possible).all(has_words), "{pair:?}");
                    let again = read(Some(AlignmentFormat::Json), pair.to_json().as_bytes(), 64).expect("an object");
                    // An id that is empty gives way to the pair's number.
                    let id = if pair.id.is_empty() { "1".to_owned() } else { pair.id.clone() };
                    assert_eq!(again, [(1, AlignedPair { id, ..pair.clone() })]);
                }
            }
        }
    }

    /// Text like the files', so that more than the first check is reached.
    fn fragments() -> impl Strategy<Value = Vec<u8>> {
        let fragment = prop::sample::select(vec![
            &b"# sentence pair 1\n"[..],
            b"# sentence pair \na b c\nNULL ({ / / }) a ({ 1 p2 / / }) d ({ 3 / / })\n",
            b"a b c\n",
            b"NULL ({ / / }) ",
            b"a ({ 1 p2 / / }) ",
            b"({ ",
            b"}) ",
            b"/ ",
            b"p2 ",
            b"1 ",
            b"0-0 ",
            b"1-0",
            b"-",
            b"\n",
            b"\r\n",
            b"[",
            b"]",
            b",",
            b"{",
            b"}",
            b"{\"source\":\"a b\",\"target\":\"c d\",\"sureAlign\":\"0-0 1-1 0-0\",\"possibleAlign\":\"0-1 0-0\"}",
            b"\"source\":\"a b\"",
            b"\"target\":\"a\"",
            b"\"sureAlign\":\"0-0\"",
            b"\"id\":\"\\u0007\"",
            b"\"",
            b"\\",
            b"\xef\xbb\xbf",
            b"\xc2\xa0",
            b"\xff",
            b"\0",
        ]);
        prop::collection::vec(fragment, 0..30).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(input in prop::collection::vec(any::<u8>(), 0..300)) {
            survives(&input);
        }

        #[test]
        fn almost_right_files_are_survived(input in fragments(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            survives(&input);
            if !input.is_empty() {
                let mut broken = input.clone();
                broken[at.index(input.len())] = byte;
                survives(&broken);
            }
        }
    }
}
