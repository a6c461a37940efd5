//! Labelled pairs, documents, aligned pairs and text, read from files, and files written whole.
//!
//! A [`Record`] is what a file holds: an [`Example`], a [`Document`], an [`AlignedPair`], a [`TextPiece`]. Its formats are a
//! [`FileFormat`], one row each, and all are read in two ways. A [`Reader`] streams: one record at a time, one line or
//! element in memory. A [`Table`] keeps all rows of a file, or of several, with the line of each, so that whoever finds
//! something wrong later can still say `file:line`. [`Dataset`], [`Documents`], [`AlignedPairs`] and [`Names`] are tables
//! with what can be asked of such rows. A new format is one file with a `FORMAT`, one `mod` line here, and one row in
//! `formats.rs`.

mod aligned_pairs;
mod alignment;
mod alignment_json;
mod annotated;
mod archive;
mod columns;
mod csv;
mod dataset;
mod delimited;
mod document;
mod documents;
mod example;
mod feed;
mod folds;
mod format;
mod formats;
mod heilman_smith;
mod json;
mod json_objects;
mod jsonl;
mod jsonl_documents;
#[cfg(test)]
mod laws;
mod line_documents;
mod msr06;
mod msrp;
mod names;
mod paragraphs;
mod pharaoh;
mod programs;
mod reader;
mod reuters;
mod rte;
mod sgml;
mod table;
#[cfg(test)]
mod testing;
mod texts;
mod tokens;
mod trecqa;
mod tsv;
mod write;

pub use aligned_pairs::{AlignedPairs, AlignmentReader};
pub use alignment::{AlignedPair, Link};
pub use archive::tar_gz;
pub use columns::Columns;
pub use dataset::{Dataset, PairReader};
pub use document::{Document, Split};
pub use documents::{DocumentReader, Documents};
pub use example::{ACCEPTED_BINARY, Analyses, Example, Label};
pub use folds::folds;
pub use format::FileFormat;
pub use formats::{AlignmentFormat, DocumentFormat, Format, TextFormat};
pub use names::{MAX_NAME, Names, names_from_reader, read_names};
pub use paragraphs::{MAX_PARAGRAPH, ParagraphReader};
pub use programs::{
    MAX_FEATURE_VALUE, MAX_PROGRAM_CONSTRAINTS, MAX_PROGRAM_VARIABLES, NamedFeatures, ProgramExample, ProgramReader,
    Programs,
};
pub use reader::{Reader, Record, open};
pub use resay_text::conllu::{ConlluReader, ConlluSentence, ExtraKind, ExtraLine, Extras, WordExtras, write_conllu};
use resay_text::lines;
pub use resay_text::lines::{LineReader, MAX_DOCUMENT, MAX_LINE};
pub use table::Table;
pub use texts::{TextPiece, TextReader};
pub use tokens::TokenReader;
pub use write::write_whole;
