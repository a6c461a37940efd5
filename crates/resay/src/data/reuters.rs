//! Reads the SGML of Reuters-21578 as found in its 22 files: `<REUTERS ... NEWID="1">`,
//! `<TOPICS><D>earn</D></TOPICS>`, and `<TEXT>` with `<TITLE>`, `<AUTHOR>`, `<DATELINE>` and
//! `<BODY>`. It is not XML (no root, bytes in Latin-1, references to control characters), so
//! documents are located by their tags. Every other `<` in the corpus is written `&lt;`.
//!
//! The text of a document is its title, a line break and its body, both trimmed, without author and
//! dateline. For a document without such markup (`TYPE="UNPROC"`), it is all of `<TEXT>`. For a
//! brief (`TYPE="BRIEF"`), it is the title, because the rest is filler.
//!
//! The splits are ModApte: LEWISSPLIT is TRAIN or TEST, and the attribute TOPICS is YES, which
//! means that an indexer has seen the document, not that it has a topic. All other documents are
//! unused.

use super::document::label_set;
use super::format::FormatRow;
use super::lines::{MAX_DOCUMENT, shorten};
use super::reader::Rows;
use super::sgml::{Fault, attribute, decode, element, ends_name, fault, find, find_open, n_lines};
use super::{Document, Split};
use crate::{Error, Result};
use std::io::{BufRead, ErrorKind};
use std::path::Path;

const OPEN: &[u8] = b"<REUTERS";
const CLOSE: &[u8] = b"</REUTERS>";

pub(super) const FORMAT: FormatRow<Document> = FormatRow {
    endings: &[".sgm", ".sgml"],
    is_certain: |start| start.starts_with(b"<!DOCTYPE lewis") || start.starts_with(b"<REUTERS "),
    ..FormatRow::new("reuters", "at least one <REUTERS ...>", |name, input, ()| {
        Ok(Box::new(ReutersReader::new(name, input)))
    })
};

/// Streams the documents of a file and holds at most one of them.
struct ReutersReader<R> {
    name: String,
    input: R,
    /// Bytes read so far; `buffer[..at]` has been consumed.
    buffer: Vec<u8>,
    at: usize,
    /// The 1-based line of `buffer[at]`.
    line: u64,
    n_documents: u64,
}

impl<R: BufRead + Send> Rows<Document> for ReutersReader<R> {
    fn next_row(&mut self) -> Result<Option<(u64, Document)>> {
        if !self.skip_to_document()? {
            if self.n_documents == 0 {
                let message = "no <REUTERS ...> in it; expected the SGML of Reuters-21578 (reut2-000.sgm and so on), \
                               or name another format with --format";
                return Err(Error::file(&self.name, message));
            }
            return Ok(None);
        }
        let length = self.document_length()?;
        let bytes = &self.buffer[self.at..self.at + length];
        let document = parse(bytes).map_err(|fault| {
            let line = self.line + n_lines(&bytes[..fault.at]);
            Error::line(&self.name, line, fault.message)
        })?;
        let line = self.line;
        self.consume(length);
        self.n_documents += 1;
        Ok(Some((line, document)))
    }
}

impl<R: BufRead> ReutersReader<R> {
    fn new(name: &str, input: R) -> Self {
        Self { name: name.to_owned(), input, buffer: Vec::new(), at: 0, line: 1, n_documents: 0 }
    }

    /// Skips to the next document. Returns false if there is none.
    fn skip_to_document(&mut self) -> Result<bool> {
        loop {
            let unread = &self.buffer[self.at..];
            let found = find(unread, OPEN);
            match found.map(|at| (at, unread.get(at + OPEN.len()))) {
                Some((at, Some(next))) if ends_name(*next) => {
                    self.consume(at);
                    return Ok(true);
                }
                // A longer tag name that starts the same way.
                Some((at, Some(_))) => self.consume(at + OPEN.len()),
                // Keep the bytes that may be the start of a tag.
                _ => {
                    let n_kept = OPEN.len().min(unread.len());
                    self.consume(found.unwrap_or(unread.len() - n_kept));
                    if !self.fill()? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Returns the length in bytes of the document at `at`, including its closing tag.
    fn document_length(&mut self) -> Result<usize> {
        let mut n_searched = 0;
        loop {
            let unread = &self.buffer[self.at..];
            if let Some(at) = find(&unread[n_searched..], CLOSE) {
                n_searched += at + CLOSE.len();
                if n_searched <= MAX_DOCUMENT {
                    return Ok(n_searched);
                }
            }
            // Both the length found and the length read are checked against the limit, so that the
            // result does not depend on how the bytes arrive.
            if unread.len() > MAX_DOCUMENT {
                let message = format!("a document of more than {MAX_DOCUMENT} bytes; is its </REUTERS> missing?");
                return Err(Error::line(&self.name, self.line, message));
            }
            n_searched = (unread.len() + 1).saturating_sub(CLOSE.len());
            if !self.fill()? {
                let message = "the document is not closed: no </REUTERS> to the end of the file; was it cut off?";
                return Err(Error::line(&self.name, self.line, message));
            }
        }
    }

    fn consume(&mut self, n_bytes: usize) {
        self.line += n_lines(&self.buffer[self.at..self.at + n_bytes]);
        self.at += n_bytes;
    }

    /// Reads more bytes. Returns false at the end.
    fn fill(&mut self) -> Result<bool> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let piece = loop {
            match self.input.fill_buf() {
                Ok(piece) => break piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::read(Path::new(&self.name), error)),
            }
        };
        let n_read = piece.len();
        self.buffer.extend_from_slice(piece);
        self.input.consume(n_read);
        Ok(n_read > 0)
    }
}

/// Parses a document from `<REUTERS` to `</REUTERS>`.
fn parse(bytes: &[u8]) -> Result<Document, Fault> {
    let tag_end = bytes.iter().position(|byte| *byte == b'>').unwrap_or(bytes.len());
    let (tag, end) = (&bytes[OPEN.len().min(tag_end)..tag_end], bytes.len() - CLOSE.len());
    let all = (tag_end.min(end), end);
    if let Some(another) = find_open(&bytes[1..], OPEN) {
        let line = n_lines(&bytes[..another + 1]);
        let message =
            format!("the document is not closed: another <REUTERS begins {line} lines below; expected </REUTERS>");
        return Err(fault(0, message));
    }
    let id = attribute(tag, b"NEWID").map(decode).unwrap_or_default();
    let id = id.trim();
    if id.is_empty() {
        let found = shorten(&decode(tag));
        return Err(fault(0, format!("no NEWID in <REUTERS{found}>; expected NEWID=\"NUMBER\"")));
    }
    let was_indexed = attribute(tag, b"TOPICS") == Some(b"YES");
    let split = match attribute(tag, b"LEWISSPLIT") {
        Some(b"TRAIN") if was_indexed => Split::Train,
        Some(b"TEST") if was_indexed => Split::Test,
        _ => Split::Unused,
    };
    let topics = element(bytes, all, "TOPICS")?;
    let mut names = Vec::new();
    if let Some(topics) = &topics {
        let mut from = topics.inner.start;
        while let Some(name) = element(bytes, (from, topics.inner.end), "D")? {
            names.push(decode(&bytes[name.inner]));
            from = name.whole.end;
        }
        names.retain(|name| !name.trim().is_empty());
    }
    let Some(text) = element(bytes, all, "TEXT")? else {
        return Err(fault(0, "no <TEXT> in the document; expected <TEXT>...</TEXT>"));
    };
    let (inside, id) = ((text.inner.start, text.inner.end), id.to_owned());
    let text = text_of(bytes, inside)?;
    let labels = label_set(names.into_iter());
    Ok(Document { id, text, labels, is_labelled: topics.is_some(), split: Some(split) })
}

/// Extracts the text from `bytes[from..to]`, the content of `<TEXT>`.
fn text_of(bytes: &[u8], (from, to): (usize, usize)) -> Result<String, Fault> {
    let (title, body) = (element(bytes, (from, to), "TITLE")?, element(bytes, (from, to), "BODY")?);
    if title.is_some() || body.is_some() {
        let parts = [title, body].into_iter().flatten().map(|part| decode(&bytes[part.inner]));
        let parts: Vec<String> = parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
        return Ok(parts.join("\n"));
    }
    let mut left_out = Vec::new();
    for name in ["AUTHOR", "DATELINE"] {
        left_out.extend(element(bytes, (from, to), name)?.map(|part| part.whole));
    }
    left_out.sort_unstable_by_key(|part| part.start);
    let (mut text, mut at) = (String::new(), from);
    for part in left_out {
        text.push_str(&decode(&bytes[at..part.start.max(at)]));
        at = part.end.max(at);
    }
    text.push_str(&decode(&bytes[at..to]));
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DocumentFormat;
    use crate::data::testing;

    fn check(input: &[u8], expected: &[&str]) {
        testing::check(DocumentFormat::Reuters, input, expected);
    }

    fn check_error(input: &[u8], expected: &str) {
        testing::check_error(DocumentFormat::Reuters, input, expected);
    }

    #[test]
    fn a_whole_document() {
        let input = b"<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\r\n\
            <REUTERS TOPICS=\"YES\" LEWISSPLIT=\"TRAIN\" CGISPLIT=\"TRAINING-SET\" OLDID=\"5\" NEWID=\"12\">\n\
            <DATE> 1-APR-1987 15:01:01.79</DATE>\n<TOPICS><D>wet</D><D>cold</D><D>wet</D></TOPICS>\n\
            <PLACES><D>norway</D></PLACES>\n<UNKNOWN>\n&#5;&#5;T\n</UNKNOWN>\n<TEXT>&#2;\n\
            <TITLE> RAIN &lt;AGAIN> </TITLE>\n<AUTHOR> By Nobody</AUTHOR>\n\
            <DATELINE>  BERGEN, April 1 - </DATELINE><BODY>It rained &amp; caf\xe9s\n    closed. &#169; \x01\n&#3;</BODY></TEXT>\n\
            </REUTERS>\n\
            <REUTERS TOPICS=\"YES\" LEWISSPLIT=\"TEST\" NEWID=\"13\">\n<TOPICS></TOPICS><TEXT>\
            <TITLE>Snow</TITLE><BODY>\n&#3;</BODY></TEXT></REUTERS> left over";
        check(input, &["2|Train 12|cold wet|RAIN <AGAIN>\nIt rained & cafés\n    closed. ©", "16|Test 13||Snow"]);
    }

    #[test]
    fn briefs_and_unprocessed_texts() {
        let document = |text: &str| format!("<REUTERS NEWID=\"1\"><TOPICS></TOPICS><TEXT{text}</TEXT></REUTERS>");
        let check = |text: &str, expected: &str| {
            check(document(text).as_bytes(), &[&format!("1|Unused 1||{expected}")]);
        };
        check(" TYPE=\"BRIEF\">&#2;\n******<TITLE>Rain ends\n</TITLE>Filler.\n&#3;\n\n", "Rain ends");
        check(" TYPE=\"UNPROC\">&#2;\nRAIN  12\nSNOW   3\n&#3;", "RAIN  12\nSNOW   3");
        check("><DATELINE>BERGEN</DATELINE>a<AUTHOR>b</AUTHOR>c", "ac");
        check("><AUTHOR>b<DATELINE>d</AUTHOR>c</DATELINE>e", "e");
        check("><BODY>b</BODY>", "b");
        check(">", "");
        check("><BODYX>b", "<BODYX>b");
    }

    #[test]
    fn splits() {
        let check = |attributes: &str, expected: &str| {
            let input = format!("<REUTERS {attributes}><TEXT>a</TEXT></REUTERS>");
            check(input.as_bytes(), &[&format!("1|{expected}|?|a")]);
        };
        check("TOPICS=\"YES\" LEWISSPLIT=\"TRAIN\" NEWID=\"1\"", "Train 1");
        check("NEWID=1 LEWISSPLIT = 'TEST' TOPICS=YES", "Test 1");
        check("CSECS TOPICS=\"YES\" OLDNEWID=\"2\" LEWISSPLIT=\"TRAIN\" NEWID=\"1\"", "Train 1");
        check("TOPICS=\"NO\" LEWISSPLIT=\"TRAIN\" NEWID=\"1\"", "Unused 1");
        check("TOPICS=\"BYPASS\" LEWISSPLIT=\"TEST\" NEWID=\"1\"", "Unused 1");
        check("TOPICS=\"YES\" LEWISSPLIT=\"NOT-USED\" NEWID=\"1\"", "Unused 1");
        check("X=\"NEWID=2\" NEWID=\" 1 \"", "Unused 1");
    }

    #[test]
    fn faults() {
        let not_reuters = "docs: no <REUTERS ...> in it; expected the SGML of Reuters-21578 (reut2-000.sgm and so on), \
                           or name another format with --format";
        for input in [&b""[..], b"It rains.", b"<REUTERSX NEWID=\"1\">", b"<REUTERS"] {
            check_error(input, not_reuters);
        }
        let cut = "docs:2: the document is not closed: no </REUTERS> to the end of the file; was it cut off?";
        check_error(b"\n<REUTERS ", cut);
        check_error(b"\n<REUTERS NEWID=\"1\">\n<TEXT>a</TEXT>\n</REUTERS", cut);
        check_error(
            b"\n<REUTERS NEWID=\"1\">\n<TEXT>a</TEXT>\n<REUTERS NEWID=\"2\"><TEXT>a</TEXT></REUTERS>",
            "docs:2: the document is not closed: another <REUTERS begins 2 lines below; expected </REUTERS>",
        );
        check_error(
            b"<REUTERS OLDID=\"1\"><TEXT>a</TEXT></REUTERS>",
            "docs:1: no NEWID in <REUTERS OLDID=\"1\">; expected NEWID=\"NUMBER\"",
        );
        check_error(
            b"<REUTERS NEWID=\"1\">\n<BODY>a</BODY></REUTERS>",
            "docs:1: no <TEXT> in the document; expected <TEXT>...</TEXT>",
        );
        check_error(
            b"<REUTERS NEWID=\"1\">\n<TEXT>\n<TITLE>a</TEXT></REUTERS>",
            "docs:3: <TITLE> is not closed: expected </TITLE> before the end of its document",
        );
        check_error(
            b"<REUTERS NEWID=\"1\">\n<TOPICS><D>a</TOPICS><TEXT></TEXT></REUTERS>",
            "docs:2: <D> is not closed: expected </D> before the end of its document",
        );
        check_error(b"<REUTERS NEWID=\"1\" </REUTERS>", "docs:1: no <TEXT> in the document; expected <TEXT>...</TEXT>");
    }

    #[test]
    fn a_document_past_all_measure_does_not_fill_the_memory() {
        let mut input = b"\n<REUTERS NEWID=\"1\"><TEXT>".to_vec();
        input.resize(MAX_DOCUMENT + 100, b'x');
        let mut reader = ReutersReader::new("docs", std::io::BufReader::with_capacity(4096, &input[..]));
        assert_eq!(
            reader.next_row().expect_err("too long").to_string(),
            "docs:2: a document of more than 16777216 bytes; is its </REUTERS> missing?"
        );
        assert!(reader.buffer.len() <= MAX_DOCUMENT + 4096);
        // Bytes before a document are dropped as they are read.
        let input = b"x".repeat(1 << 20);
        let mut reader = ReutersReader::new("docs", std::io::BufReader::with_capacity(4096, &input[..]));
        assert!(reader.next_row().is_err());
        assert!(reader.buffer.capacity() <= 3 * 4096, "{}", reader.buffer.capacity());
    }
}
