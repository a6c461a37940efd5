//! Reads labelled pairs, documents, aligned pairs and plain text from files, and writes whole
//! files.
//!
//! A [`Record`] is one entry of a file: an [`Example`], a [`Document`], an [`AlignedPair`] or a
//! [`TextPiece`]. Each record type lists its formats in a [`FileFormat`], one row per format. Every
//! format can be read in two ways. A [`Reader`] streams: it yields one record at a time and holds
//! one line or element in memory. A [`Table`] holds all rows of one or more files together with the
//! line number of each row, so that later errors can still name `file:line`. [`Dataset`],
//! [`Documents`], [`AlignedPairs`] and [`Names`] are tables with queries for their type of row.
//!
//! To add a format, write one file with a `FORMAT`, and add one `mod` line here and one row to
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
mod fold_groups;
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
pub use fold_groups::{FoldGroups, GroupedBy, MOST_SHARED};
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
