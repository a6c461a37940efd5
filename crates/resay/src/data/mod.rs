//! Labelled pairs, read from files, and files written whole.
//!
//! Every format has a reader of its own that streams: one example at a time, one line or element in memory.
//! [`PairReader`] puts them behind one iterator, [`Dataset`] keeps a whole file with the line of each example, so
//! that whoever finds a fault later can still say `file:line`. A new format is one file here, one row in
//! [`Format`] and one arm in [`PairReader`].

mod columns;
mod dataset;
mod example;
mod folds;
mod format;
mod jsonl;
mod lines;
mod msrp;
mod reader;
mod rte;
mod tsv;
mod write;

pub use columns::Columns;
pub use dataset::Dataset;
pub use example::{ACCEPTED_BINARY, Example, Label};
pub use folds::folds;
pub use format::Format;
pub use lines::{LineReader, MAX_LINE};
pub use reader::{PairReader, open};
pub use write::write_whole;
