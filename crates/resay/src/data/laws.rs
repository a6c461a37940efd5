//! Properties that hold for the readers of all formats: they accept any bytes without a panic, give
//! the same result however the bytes are chunked, and read back what was written.

use super::format::FileFormat;
use super::testing::{Shown, read};
use super::{AlignedPair, AlignmentFormat, Document, Example, Format, Label};
use proptest::prelude::*;

/// Reads the input in each format and with a guessed format. Any result is acceptable if it does
/// not depend on chunk size and every row satisfies `law`.
fn survives<R: Shown>(input: &[u8], law: impl Fn(&R)) {
    let all = <R::Format as FileFormat>::ALL.iter().copied().map(Some);
    for format in [None].into_iter().chain(all) {
        let collect = |chunk: usize| read::<R>(format, input, chunk).map_err(|error| error.to_string());
        let at_once = collect(4096);
        assert_eq!(at_once, collect(3), "{format:?}");
        for (line, row) in at_once.iter().flatten() {
            assert!(*line >= 1);
            law(row);
        }
    }
}

fn all_survive(input: &[u8]) {
    survives(input, |_: &Example| {});
    survives(input, labels_are_a_set);
    survives(input, links_are_right);
}

fn labels_are_a_set(document: &Document) {
    assert!(document.labels.is_sorted_by(|left, right| left < right), "{document:?}");
    assert!(document.is_labelled || document.labels.is_empty(), "{document:?}");
}

/// Checks that links are sorted and within the sentences, and that a written pair reads back
/// unchanged.
fn links_are_right(pair: &AlignedPair) {
    assert!(pair.sure.is_sorted_by(|a, b| a < b) && pair.possible.is_sorted_by(|a, b| a < b), "{pair:?}");
    assert!(pair.possible.iter().all(|link| !pair.sure.contains(link)), "{pair:?}");
    let line = format!("{}\n", pair.to_pharaoh());
    let pharaoh = read::<AlignedPair>(Some(AlignmentFormat::Pharaoh), line.as_bytes(), 64);
    assert_eq!(pharaoh.expect("a line")[0].1.sure, pair.sure);
    if pair.has_words() {
        let has_words = |link: &crate::data::Link| {
            (link.source as usize) < pair.source.len() && (link.target as usize) < pair.target.len()
        };
        assert!(pair.sure.iter().chain(&pair.possible).all(has_words), "{pair:?}");
        let again = read(Some(AlignmentFormat::Json), pair.to_json().as_bytes(), 64).expect("an object");
        // An empty id is replaced by the row number.
        let id = if pair.id.is_empty() { "1".to_owned() } else { pair.id.clone() };
        assert_eq!(again, [(1, AlignedPair { id, ..pair.clone() })]);
    }
}

/// Fragments of files of pairs, so that inputs get past the first check.
#[rustfmt::skip]
const OF_PAIRS: &[&str] = &[
    "source", "target", "label", "\t", "source,target\n", "\"\"", "\"a,b\n\"", "question1", "question2", "Premise",
    "is_duplicate", "\n", "\r\n", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n", "1", "{", "}", "\"", ":", ",",
    "\"source\":\"a\"", "\"target\":\"b\"", "[", "null", "\\u00e9", "\u{feff}", "<pair id='1'", ">", "<pair>",
    "</pair>", "<t>", "</t>", "<h>", "</h>", "<h/>", "&amp;", "&#65;", "&x;", "<!--", "-->", "<![CDATA[", "]]>",
    "<?xml?>", "<!DOCTYPE a [", "<QApairs id='1'>\n", "</QApairs>\n", "<question>\n", "</question>\n",
    "<question>\na\nX\nR\n0\n-\n</question>\n", "<negative>\na\nX\nR\n0\n-\n</negative>\n", "<positive>\n",
    "1\ta\tX\tR\t0\tO\tfalse\t", "1\ta\tX\tR\t0\tO\ttrue\t{}\t", "-1.5\t", "PER-B", "é", "\0", " ",
];

/// Fragments of files of documents.
#[rustfmt::skip]
const OF_DOCUMENTS: &[&[u8]] = &[
    b"{\"text\":\"a\"}\n", b"{\"text\":", b"\"labels\":[\"a\",\"b\"]", b"}", b",", b"\n", b"<REUTERS NEWID=\"1\">",
    b"<REUTERS TOPICS=\"YES\" LEWISSPLIT='TRAIN' NEWID=2>", b"<REUTERS", b" ", b"\"", b">", b"</REUTERS>",
    b"<REUTERS NEWID=\"1\"><TEXT>a</TEXT></REUTERS>", b"<TOPICS>", b"</TOPICS>",
    b"<TOPICS><D>b</D><D>a</D><D>b</D></TOPICS>", b"<D>", b"</D>", b"<TEXT>", b"<TEXT TYPE=\"BRIEF\">", b"</TEXT>",
    b"<TITLE>", b"</TITLE>", b"<BODY>", b"</BODY>", b"<DATELINE>", b"</DATELINE>", b"<AUTHOR>", b"</AUTHOR>", b"&lt;",
    b"&#3;", b"&#233;", b"&#99999999999;", b"&", b"\xe9", b"\xff", b"\0", b"It rains.",
];

/// Fragments of files of aligned pairs.
#[rustfmt::skip]
const OF_ALIGNMENTS: &[&[u8]] = &[
    b"# sentence pair 1\n", b"# sentence pair \na b c\nNULL ({ / / }) a ({ 1 p2 / / }) d ({ 3 / / })\n", b"a b c\n",
    b"NULL ({ / / }) ", b"a ({ 1 p2 / / }) ", b"({ ", b"}) ", b"/ ", b"p2 ", b"1 ", b"0-0 ", b"1-0", b"-", b"\n",
    b"\r\n", b"[", b"]", b",", b"{", b"}",
    b"{\"source\":\"a b\",\"target\":\"c d\",\"sureAlign\":\"0-0 1-1 0-0\",\"possibleAlign\":\"0-1 0-0\"}",
    b"\"source\":\"a b\"", b"\"target\":\"a\"", b"\"sureAlign\":\"0-0\"", b"\"id\":\"\\u0007\"", b"\"", b"\\",
    b"\xef\xbb\xbf", b"\xc2\xa0", b"\xff", b"\0",
];

/// Fragments of one type of file in any order.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let of_pairs = prop::collection::vec(prop::sample::select(OF_PAIRS), 0..40).prop_map(|p| p.concat().into_bytes());
    let of_documents = prop::collection::vec(prop::sample::select(OF_DOCUMENTS), 0..40).prop_map(|p| p.concat());
    let of_alignments = prop::collection::vec(prop::sample::select(OF_ALIGNMENTS), 0..30).prop_map(|p| p.concat());
    prop_oneof![of_pairs, of_documents, of_alignments]
}

/// Texts that an unquoted cell can hold.
fn cell() -> impl Strategy<Value = String> {
    "[^\t\r\n]{0,20}"
}

/// Texts that a quoted cell can hold.
fn quoted_cell() -> impl Strategy<Value = String> {
    prop_oneof![cell(), "[ab,\"\t\r\n]{0,12}"]
}

fn example<S: Strategy<Value = String>>(cell: fn() -> S) -> impl Strategy<Value = Example> {
    // An empty id, group or label means none, and labels are trimmed.
    let named = || "[a-zé\"\\\\0-9]{1,8}";
    (named(), prop::option::of(named()), cell(), cell(), prop::option::of(named())).prop_map(
        |(id, group, source, target, label)| {
            let label = label.and_then(|label| Label::new(&label));
            Example { id, group, source, target, label, analyses: None }
        },
    )
}

/// Formats examples as a table with the delimiter `between`. `write` formats each cell.
fn as_table(examples: &[Example], between: &str, write: impl Fn(&str) -> String) -> String {
    let mut table = ["id", "group", "source", "target", "label"].join(between);
    for e in examples {
        let group = e.group.as_deref().unwrap_or("");
        let label = e.label.as_ref().map_or("", Label::as_str);
        table.push('\n');
        table.push_str(&[&e.id, group, &e.source, &e.target, label].map(&write).join(between));
    }
    table
}

fn as_jsonl(examples: &[Example]) -> String {
    let object = |e: &Example| {
        let label = e.label.as_ref().map(Label::as_str);
        let (id, group, source, target) = (&e.id, &e.group, &e.source, &e.target);
        let object = serde_json::json!({"id": id, "group": group, "source": source, "target": target, "label": label});
        format!("{object}\n")
    };
    examples.iter().map(object).collect()
}

fn check_read(text: &str, format: Format, expected: &[Example]) {
    let read = read(Some(format), text.as_bytes(), 4096).expect("what was written");
    let read: Vec<Example> = read.into_iter().map(|(_, example)| example).collect();
    assert_eq!(read, expected, "{format}");
}

proptest! {
    #[test]
    fn any_bytes_are_survived(input in prop::collection::vec(any::<u8>(), 0..300)) {
        all_survive(&input);
    }

    #[test]
    fn almost_right_files_are_survived(input in fragments(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        all_survive(&input);
        if !input.is_empty() {
            let mut broken = input.clone();
            broken[at.index(input.len())] = byte;
            all_survive(&broken);
        }
    }

    #[test]
    fn what_is_written_is_read(examples in prop::collection::vec(example(cell), 1..10)) {
        check_read(&as_table(&examples, "\t", str::to_owned), Format::Tsv, &examples);
    }

    #[test]
    fn what_is_quoted_is_read(examples in prop::collection::vec(example(quoted_cell), 1..10), all in any::<bool>()) {
        let quoted = |cell: &str| {
            let is_quoted = all || cell.contains([',', '"', '\r', '\n']);
            if is_quoted { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
        };
        check_read(&as_table(&examples, ",", quoted), Format::Csv, &examples);
        check_read(&as_jsonl(&examples), Format::Jsonl, &examples);
    }
}
