//! One iterator over documents, whatever the format. What is sorted streams through it; [`super::Documents`] collects
//! from it.

use super::jsonl_documents::JsonlDocumentReader;
use super::lines::LineReader;
use super::reader::{Peeked, format_of};
use super::reuters::ReutersReader;
use super::{Document, DocumentFormat};
use crate::Result;
use std::io::BufRead;

/// Streams documents: an iterator of the line a document starts on and the document. It ends after the first error.
#[derive(Debug)]
pub struct DocumentReader<R> {
    inner: Inner<Peeked<R>>,
    format: DocumentFormat,
    is_done: bool,
}

#[derive(Debug)]
enum Inner<R> {
    Jsonl(JsonlDocumentReader<R>),
    Lines(LineReader<R>),
    Reuters(ReutersReader<R>),
}

impl<R: BufRead> DocumentReader<R> {
    /// Starts to read `input`, which the user calls `name`; without a format it is guessed from the name and the first
    /// line.
    pub fn new(name: &str, input: R, format: Option<DocumentFormat>) -> Result<Self> {
        let (format, input) = format_of(name, input, format, DocumentFormat::guess)?;
        let inner = match format {
            DocumentFormat::Jsonl => Inner::Jsonl(JsonlDocumentReader::new(LineReader::of_documents(name, input))),
            DocumentFormat::Lines => Inner::Lines(LineReader::of_documents(name, input)),
            DocumentFormat::Reuters => Inner::Reuters(ReutersReader::new(name, input)),
        };
        Ok(Self { inner, format, is_done: false })
    }

    /// The format that is read.
    pub fn format(&self) -> DocumentFormat {
        self.format
    }

    /// The next document as [`Iterator::next`] gives it, and whether its file says anything about its labels: no labels
    /// can mean that it has none, or that nobody knows.
    pub fn next_labelled(&mut self) -> Option<Result<(u64, Document, bool)>> {
        if self.is_done {
            return None;
        }
        let next = match &mut self.inner {
            Inner::Jsonl(reader) => reader.next_document(),
            Inner::Lines(reader) => next_line(reader),
            Inner::Reuters(reader) => reader.next_document(),
        };
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// A line is a document, an empty line too: a row in, a row out.
fn next_line<R: BufRead>(lines: &mut LineReader<R>) -> Result<Option<(u64, Document, bool)>> {
    if !lines.advance()? {
        return Ok(None);
    }
    let (number, text) = (lines.number(), lines.line().to_owned());
    Ok(Some((number, Document { id: number.to_string(), text, labels: Vec::new(), split: None }, false)))
}

impl<R: BufRead> Iterator for DocumentReader<R> {
    type Item = Result<(u64, Document)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_labelled().map(|next| next.map(|(line, document, _)| (line, document)))
    }
}

#[cfg(test)]
pub(super) mod testing {
    //! A test of a reader is a line of data: what is read, what comes back.

    use super::*;
    use std::io::BufReader;

    /// All documents, read in pieces of `chunk` bytes.
    pub(in super::super) fn read(
        format: Option<DocumentFormat>,
        input: &[u8],
        chunk: usize,
    ) -> Result<Vec<(u64, Document, bool)>> {
        let mut documents = DocumentReader::new("docs", BufReader::with_capacity(chunk, input), format)?;
        std::iter::from_fn(|| documents.next_labelled()).collect()
    }

    /// One document a line: `line|id|labels|text`, `?` for labels of which nothing is said; the split before the id, if
    /// there is one.
    pub(in super::super) fn show((line, document, is_labelled): &(u64, Document, bool)) -> String {
        let labels = if *is_labelled { document.labels.join(" ") } else { "?".to_owned() };
        let split = document.split.map_or_else(String::new, |split| format!("{split:?} "));
        format!("{line}|{split}{}|{labels}|{}", document.id, document.text)
    }

    /// However the bytes arrive, they say `expected`.
    pub(in super::super) fn check(format: DocumentFormat, input: &[u8], expected: &[&str]) {
        for chunk in [1, 7, 4096] {
            let rows = read(Some(format), input, chunk).expect("documents");
            assert_eq!(rows.iter().map(show).collect::<Vec<_>>(), expected, "{:?}", String::from_utf8_lossy(input));
        }
    }

    pub(in super::super) fn check_error(format: DocumentFormat, input: &[u8], expected: &str) {
        for chunk in [1, 4096] {
            let error = read(Some(format), input, chunk).expect_err(expected);
            assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(&input[..input.len().min(200)]));
            assert!(error.is_usage(), "{error}");
        }
    }

    /// Reads all, in each format and guessing; any answer will do, as long as it is the same in small pieces.
    pub(in super::super) fn survives(input: &[u8]) {
        for format in [None].into_iter().chain(DocumentFormat::ALL.map(Some)) {
            let collect = |chunk: usize| read(format, input, chunk).map_err(|error| error.to_string());
            let at_once = collect(4096);
            assert_eq!(at_once, collect(3), "{format:?}");
            for (line, document, _) in at_once.iter().flatten() {
                assert!(*line >= 1 && document.labels.is_sorted_by(|left, right| left < right), "{document:?}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{check, check_error, read, show, survives};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_a_document() {
        let format = DocumentFormat::Lines;
        check(format, b"It rains.\n\n \r\nIt snows.", &["1|1|?|It rains.", "2|2|?|", "3|3|?| ", "4|4|?|It snows."]);
        check(format, b"\n", &["1|1|?|"]);
        check(format, b"", &[]);
        check_error(
            format,
            b"a\n\xff\n",
            "docs:2: byte 1 (0xff) is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
        );
    }

    #[test]
    fn the_format_is_guessed_and_nothing_is_lost() {
        let check = |input: &str, expected: &[&str]| {
            for chunk in [1, 7, 4096] {
                let rows = read(None, input.as_bytes(), chunk).expect(input);
                assert_eq!(rows.iter().map(show).collect::<Vec<_>>(), expected, "{input}");
            }
        };
        check("\n\nIt rains.\n", &["1|1|?|", "2|2|?|", "3|3|?|It rains."]);
        check("\n{\"text\":\"a\"}", &["2|1|?|a"]);
        check("\n<REUTERS NEWID=\"7\"><TEXT>a</TEXT></REUTERS>", &["2|Unused 7|?|a"]);
    }

    #[test]
    fn reading_stops_at_the_first_fault() {
        let mut documents =
            DocumentReader::new("-", &b"{\"text\":\"a\"}\n{}\n{\"text\":\"b\"}"[..], None).expect("starts");
        assert!(documents.next().expect("row 1").is_ok());
        assert!(documents.next().expect("row 2").is_err());
        assert!(documents.next().is_none());
    }

    /// Text like the files', so that more than the first check is reached.
    fn fragments() -> impl Strategy<Value = Vec<u8>> {
        let fragment = prop::sample::select(vec![
            &b"{\"text\":\"a\"}\n"[..],
            b"{\"text\":",
            b"\"labels\":[\"a\",\"b\"]",
            b"}",
            b",",
            b"\n",
            b"<REUTERS NEWID=\"1\">",
            b"<REUTERS TOPICS=\"YES\" LEWISSPLIT='TRAIN' NEWID=2>",
            b"<REUTERS",
            b" ",
            b"\"",
            b">",
            b"</REUTERS>",
            b"<REUTERS NEWID=\"1\"><TEXT>a</TEXT></REUTERS>",
            b"<TOPICS>",
            b"</TOPICS>",
            b"<TOPICS><D>b</D><D>a</D><D>b</D></TOPICS>",
            b"<D>",
            b"</D>",
            b"<TEXT>",
            b"<TEXT TYPE=\"BRIEF\">",
            b"</TEXT>",
            b"<TITLE>",
            b"</TITLE>",
            b"<BODY>",
            b"</BODY>",
            b"<DATELINE>",
            b"</DATELINE>",
            b"<AUTHOR>",
            b"</AUTHOR>",
            b"&lt;",
            b"&#3;",
            b"&#233;",
            b"&#99999999999;",
            b"&",
            b"\xe9",
            b"\xff",
            b"\0",
            b"It rains.",
        ]);
        prop::collection::vec(fragment, 0..40).prop_map(|parts| parts.concat())
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
