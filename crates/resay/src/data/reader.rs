//! One iterator over pairs, whatever the format. `predict` streams through it; [`super::Dataset`] collects from it.

use super::heilman_smith::HeilmanSmithReader;
use super::jsonl::JsonlReader;
use super::lines::{LineReader, MAX_LINE};
use super::msrp::MsrpReader;
use super::rte::RteReader;
use super::trecqa::TrecqaReader;
use super::tsv::TsvReader;
use super::{Analyses, Columns, Example, Format};
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
pub(super) type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

#[derive(Debug)]
enum Inner<R> {
    Tsv(TsvReader<R>),
    Jsonl(JsonlReader<R>),
    Msrp(MsrpReader<R>),
    Rte(Box<RteReader<R>>),
    Trecqa(TrecqaReader<R>),
    HeilmanSmith(HeilmanSmithReader<R>),
}

impl<R: BufRead> PairReader<R> {
    /// Starts to read `input`, which the user calls `name`; without a format it is guessed from the name and the first
    /// line. A table's header is read here, so its faults show before the first row.
    pub fn new(name: &str, input: R, format: Option<Format>, columns: &Columns) -> Result<Self> {
        let (format, input) = format_of(name, input, format, Format::guess)?;
        let lines = LineReader::new(name, input);
        let inner = match format {
            Format::Tsv => Inner::Tsv(TsvReader::new(lines, columns)?),
            Format::Jsonl => Inner::Jsonl(JsonlReader::new(lines, columns)),
            Format::Msrp => Inner::Msrp(MsrpReader::new(lines)?),
            Format::Rte => Inner::Rte(Box::new(RteReader::new(lines))),
            Format::Trecqa => Inner::Trecqa(TrecqaReader::new(lines)),
            Format::HeilmanSmith => Inner::HeilmanSmith(HeilmanSmithReader::new(lines)),
        };
        Ok(Self { inner, format, is_done: false })
    }

    /// The format that is read.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The next pair as [`Iterator::next`] gives it, with the analyses of its two texts where the format has them.
    pub fn next_annotated(&mut self) -> Option<Result<(u64, Example, Analyses)>> {
        if self.is_done {
            return None;
        }
        let bare = |next: Option<(u64, Example)>| next.map(|(line, example)| (line, example, None));
        let next = match &mut self.inner {
            Inner::Tsv(reader) => reader.next_example().map(bare),
            Inner::Jsonl(reader) => reader.next_example().map(bare),
            Inner::Msrp(reader) => reader.next_example().map(bare),
            Inner::Rte(reader) => reader.next_example().map(bare),
            Inner::Trecqa(reader) => reader.next_example(),
            Inner::HeilmanSmith(reader) => reader.next_example(),
        };
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

impl<R: BufRead> Iterator for PairReader<R> {
    type Item = Result<(u64, Example)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_annotated().map(|next| next.map(|(line, example, _)| (line, example)))
    }
}

/// The format, if none is named as `guess` says by the file's name and first line; and the input from its beginning.
pub(super) fn format_of<R: BufRead, F>(
    name: &str,
    mut input: R,
    format: Option<F>,
    guess: impl Fn(&str, &[u8]) -> F,
) -> Result<(F, Peeked<R>)> {
    let mut peeked = Vec::new();
    let format = match format {
        Some(format) => format,
        None => {
            let first_line = peek(&mut input, &mut peeked).map_err(|source| Error::read(Path::new(name), source))?;
            guess(name, peeked.get(first_line..).unwrap_or_default())
        }
    };
    Ok((format, Cursor::new(peeked).chain(input)))
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

#[cfg(test)]
mod tests {
    use super::super::{Label, testing};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_format_is_guessed_and_nothing_is_lost() {
        let check = |input: &str, format: Format, expected: &[&str]| {
            for chunk in [1, 7, 4096] {
                let slow = BufReader::with_capacity(chunk, input.as_bytes());
                let pairs = PairReader::new("-", slow, None, &Columns::default()).expect(input);
                assert_eq!(pairs.format(), format, "{input}");
                let rows: Vec<_> = pairs.collect::<Result<_>>().expect(input);
                assert_eq!(testing::show(&rows), expected, "{input}");
            }
        };
        check("\n\nsource\ttarget\na\tb\n", Format::Tsv, &["4|1|~|a|b|~"]);
        check("\r\n {\"source\":\"a\",\"target\":\"b\"}\n", Format::Jsonl, &["2|1|~|a|b|~"]);
        check("\u{feff}Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t2\t3\ta\tb", Format::Msrp, &["2|2-3|~|a|b|1"]);
        check("\n<pair><t>a</t><h>b</h></pair>", Format::Rte, &["2|1|taf63dc4c8601ec8c|a|b|~"]);
    }

    /// Hands out one line, and then counts how often it is asked for more.
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
        let mut typing = Typing { line: b"{\"source\":\"a\",\"target\":\"b\"}\n", n_asked: 0 };
        let mut pairs = PairReader::new("-", BufReader::new(&mut typing), None, &Columns::default()).expect("starts");
        assert!(pairs.next().expect("a row").is_ok());
        drop(pairs);
        assert_eq!(typing.n_asked, 0);
    }

    #[test]
    fn reading_stops_at_the_first_fault() {
        let input = "source\ttarget\na\tb\nc\nd\te\n";
        let mut pairs = PairReader::new("-", input.as_bytes(), None, &Columns::default()).expect("a header");
        assert!(pairs.next().expect("row 1").is_ok());
        assert!(pairs.next().expect("row 2").is_err());
        assert!(pairs.next().is_none());
    }

    #[test]
    fn a_file_that_is_not_there() {
        let Err(error) = open(Path::new("no/such/file.tsv")) else { panic!("it is there") };
        assert!(error.to_string().starts_with("cannot read no/such/file.tsv: "), "{error}");
        assert!(error.is_usage());
    }

    /// Reads all, in each format and guessing; any answer will do, as long as it is one. What is read in small pieces
    /// must be what is read at once.
    fn survives(input: &[u8]) {
        let columns = Columns::default();
        for format in [None].into_iter().chain(Format::ALL.map(Some)) {
            let collect = |chunk: usize| {
                let input = BufReader::with_capacity(chunk, input);
                let pairs = PairReader::new("f", input, format, &columns);
                pairs.and_then(Iterator::collect::<Result<Vec<_>>>).map_err(|error| error.to_string())
            };
            assert_eq!(collect(4096), collect(3), "{format:?}");
        }
    }

    /// Text like the files', so that more than the first check is reached.
    fn fragments() -> impl Strategy<Value = Vec<u8>> {
        let fragment = prop::sample::select(vec![
            "source",
            "target",
            "label",
            "\t",
            "\n",
            "\r\n",
            "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n",
            "1",
            "{",
            "}",
            "\"",
            ":",
            ",",
            "\"source\":\"a\"",
            "\"target\":\"b\"",
            "[",
            "null",
            "\\u00e9",
            "\u{feff}",
            "<pair id='1'",
            ">",
            "<pair>",
            "</pair>",
            "<t>",
            "</t>",
            "<h>",
            "</h>",
            "<h/>",
            "&amp;",
            "&#65;",
            "&x;",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<?xml?>",
            "<!DOCTYPE a [",
            "<QApairs id='1'>\n",
            "</QApairs>\n",
            "<question>\n",
            "</question>\n",
            "<question>\na\nX\nR\n0\n-\n</question>\n",
            "<negative>\na\nX\nR\n0\n-\n</negative>\n",
            "<positive>\n",
            "1\ta\tX\tR\t0\tO\tfalse\t",
            "1\ta\tX\tR\t0\tO\ttrue\t{}\t",
            "-1.5\t",
            "PER-B",
            "é",
            "\0",
            " ",
        ]);
        prop::collection::vec(fragment, 0..40).prop_map(|parts| parts.concat().into_bytes())
    }

    /// Texts that a cell of a table can hold.
    fn cell() -> impl Strategy<Value = String> {
        "[^\t\r\n]{0,20}"
    }

    fn example() -> impl Strategy<Value = Example> {
        // An empty id, group or label means none, and a label stands without blanks around it.
        let named = || "[a-zé\"\\\\0-9]{1,8}";
        (named(), prop::option::of(named()), cell(), cell(), prop::option::of(named())).prop_map(
            |(id, group, source, target, label)| {
                let label = label.and_then(|label| Label::new(&label));
                Example { id, group, source, target, label }
            },
        )
    }

    fn as_tsv(examples: &[Example]) -> String {
        let mut table = "id\tgroup\tsource\ttarget\tlabel\n".to_owned();
        for e in examples {
            let group = e.group.as_deref().unwrap_or("");
            let label = e.label.as_ref().map_or("", Label::as_str);
            table.push_str(&[&e.id, group, &e.source, &e.target, label].join("\t"));
            table.push('\n');
        }
        table
    }

    fn as_jsonl(examples: &[Example]) -> String {
        let object = |e: &Example| {
            let label = e.label.as_ref().map(Label::as_str);
            let (id, group, source, target) = (&e.id, &e.group, &e.source, &e.target);
            format!(
                "{}\n",
                serde_json::json!({"id": id, "group": group, "source": source, "target": target, "label": label})
            )
        };
        examples.iter().map(object).collect()
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

        #[test]
        fn what_is_written_is_read(examples in prop::collection::vec(example(), 1..10)) {
            for (text, format) in [(as_tsv(&examples), Format::Tsv), (as_jsonl(&examples), Format::Jsonl)] {
                let read = testing::read("f", format, text.as_bytes(), &Columns::default()).expect("what was written");
                let read: Vec<Example> = read.into_iter().map(|(_, example)| example).collect();
                prop_assert_eq!(&read, &examples);
            }
        }
    }
}
