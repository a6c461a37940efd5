//! Helpers that reduce a test of a reader to one line: the input and the expected result.

use super::format::FileFormat;
use super::reader::{Reader, Record};
use super::{AlignedPair, Document, Example};
use crate::Result;
use std::io::BufReader;

/// A record that tests can format as one line.
pub(super) trait Shown: Record<Options: Default> + Clone + PartialEq + std::fmt::Debug {
    /// The file name in messages.
    const FILE: &'static str;

    /// Formats the record without its line number.
    fn show(&self) -> String;
}

/// Formats one line per record, `line|...`.
pub(super) fn show_all<R: Shown>(rows: &[(u64, R)]) -> Vec<String> {
    rows.iter().map(|(line, row)| format!("{line}|{}", row.show())).collect()
}

/// `id|group|source|target|label`, with `~` for a missing field.
impl Shown for Example {
    const FILE: &'static str = "pairs";

    fn show(&self) -> String {
        let label = self.label.as_ref().map_or("~", |label| label.as_str());
        format!("{}|{}|{}|{}|{label}", self.id, self.group.as_deref().unwrap_or("~"), self.source, self.target)
    }
}

/// `id|labels|text`, with `?` for unknown labels, preceded by the split if there is one.
impl Shown for Document {
    const FILE: &'static str = "docs";

    fn show(&self) -> String {
        let labels = if self.is_labelled { self.labels.join(" ") } else { "?".to_owned() };
        let split = self.split.map_or_else(String::new, |split| format!("{split:?} "));
        format!("{split}{}|{labels}|{}", self.id, self.text)
    }
}

/// `id|source|target|sure|possible`.
impl Shown for AlignedPair {
    const FILE: &'static str = "pairs";

    fn show(&self) -> String {
        let possible = Self { sure: self.possible.clone(), ..Self::default() };
        let (source, target) = (self.source.join(" "), self.target.join(" "));
        format!("{}|{source}|{target}|{}|{}", self.id, self.to_pharaoh(), possible.to_pharaoh())
    }
}

/// Reads all rows in chunks of `chunk` bytes.
pub(super) fn read<R: Shown>(format: Option<R::Format>, input: &[u8], chunk: usize) -> Result<Vec<(u64, R)>> {
    let input = BufReader::with_capacity(chunk, input);
    Reader::open(R::FILE, input, format, &R::Options::default())?.collect()
}

/// Checks the rows, for any chunk size.
pub(super) fn check<F: FileFormat<Record: Shown>>(format: F, input: impl AsRef<[u8]>, expected: &[&str]) {
    let input = input.as_ref();
    for chunk in [1, 7, 4096] {
        let rows = read::<F::Record>(Some(format), input, chunk).expect("rows");
        assert_eq!(show_all(&rows), expected, "{:?}", String::from_utf8_lossy(input));
    }
}

/// Checks the error message, for any chunk size.
pub(super) fn check_error<F: FileFormat<Record: Shown>>(format: F, input: impl AsRef<[u8]>, expected: &str) {
    let input = input.as_ref();
    for chunk in [1, 4096] {
        let error = read::<F::Record>(Some(format), input, chunk).expect_err(expected);
        assert_eq!(error.to_string(), expected, "{}", String::from_utf8_lossy(&input[..input.len().min(200)]));
        assert!(error.is_usage(), "{error}");
    }
}
