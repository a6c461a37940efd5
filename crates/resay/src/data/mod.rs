//! Labelled pairs, documents and annotated sentences, read from files, and files written whole.
//!
//! Every format has a reader of its own that streams: one example at a time, one line or element in memory.
//! [`PairReader`] puts them behind one iterator, [`Dataset`] keeps a whole file with the line of each example, so
//! that whoever finds a fault later can still say `file:line`. A new format is one file here, one row in
//! [`Format`] and one arm in [`PairReader`]. [`ConlluReader`] and [`TokenReader`] stream sentences instead of pairs,
//! [`DocumentReader`] and [`Documents`] are the same for documents with any number of labels, [`AlignmentReader`] and
//! [`AlignedPairs`] for pairs whose words are linked.

mod aligned_pairs;
mod alignment;
mod alignment_format;
mod alignment_json;
mod alignment_reader;
mod annotated;
mod archive;
mod columns;
mod dataset;
mod document;
mod document_format;
mod document_reader;
mod documents;
mod example;
mod feed;
mod folds;
mod format;
mod heilman_smith;
mod json;
mod json_objects;
mod jsonl;
mod jsonl_documents;
mod msr06;
mod msrp;
mod names;
mod paragraphs;
mod pharaoh;
mod reader;
mod reuters;
mod rte;
mod sgml;
mod texts;
mod tokens;
mod trecqa;
mod tsv;
mod write;

pub use aligned_pairs::AlignedPairs;
pub use alignment::{AlignedPair, Link};
pub use alignment_format::AlignmentFormat;
pub use alignment_reader::AlignmentReader;
pub use archive::tar_gz;
pub use columns::Columns;
pub use dataset::Dataset;
pub use document::{Document, Split};
pub use document_format::DocumentFormat;
pub use document_reader::DocumentReader;
pub use documents::Documents;
pub use example::{ACCEPTED_BINARY, Analyses, Example, Label};
pub use folds::folds;
pub use format::Format;
pub use names::{MAX_NAME, Names, names_from_reader, read_names};
pub use paragraphs::{MAX_PARAGRAPH, ParagraphReader};
pub use reader::{PairReader, open};
pub use resay_text::conllu::{ConlluReader, ConlluSentence, ExtraKind, ExtraLine, Extras, WordExtras, write_conllu};
use resay_text::lines;
pub use resay_text::lines::{LineReader, MAX_DOCUMENT, MAX_LINE};
pub use texts::{TextFormat, TextPiece, TextReader};
pub use tokens::TokenReader;
pub use write::write_whole;

#[cfg(test)]
mod testing {
    //! A test of a reader is a line of data: what is read, what comes back.

    use super::{Columns, Example, Format, PairReader};
    use crate::Result;
    use std::io::BufReader;

    pub(super) fn read(name: &str, format: Format, input: &[u8], columns: &Columns) -> Result<Vec<(u64, Example)>> {
        PairReader::new(name, input, Some(format), columns)?.collect()
    }

    /// One example a line: `line|id|group|source|target|label`, `~` for what is not there.
    pub(super) fn show(examples: &[(u64, Example)]) -> Vec<String> {
        let row = |(line, e): &(u64, Example)| {
            let label = e.label.as_ref().map_or("~", |label| label.as_str());
            format!("{line}|{}|{}|{}|{}|{label}", e.id, e.group.as_deref().unwrap_or("~"), e.source, e.target)
        };
        examples.iter().map(row).collect()
    }

    pub(super) fn check(format: Format, input: &str, expected: &[&str]) {
        let columns = Columns::default();
        let read_at_once = read("pairs", format, input.as_bytes(), &columns).expect(input);
        assert_eq!(show(&read_at_once), expected, "{input:?}");
        // However the bytes arrive, they say the same.
        let in_bytes = BufReader::with_capacity(1, input.as_bytes());
        let read_in_bytes = PairReader::new("pairs", in_bytes, Some(format), &columns).expect(input);
        assert_eq!(read_in_bytes.collect::<Result<Vec<_>>>().expect(input), read_at_once, "{input:?}");
    }

    pub(super) fn check_error(format: Format, input: &[u8], expected: &str) {
        let error = read("pairs", format, input, &Columns::default()).expect_err(expected);
        assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(&input[..input.len().min(200)]));
        assert!(error.is_usage(), "{error}");
    }
}
