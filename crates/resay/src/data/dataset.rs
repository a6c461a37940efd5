//! A table of pairs, with queries about labels and groups.

use super::lines::shorten;
use super::reader::{Reader, open};
use super::table::Table;
use super::{ACCEPTED_BINARY, Columns, Example, Format, Label};
use crate::Result;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

/// Streams pairs as `(line number, example)`. It ends after the first error.
pub type PairReader<'a> = Reader<'a, Example>;

impl<'a> PairReader<'a> {
    /// Starts reading `input`. `name` is used in messages. Without a format, the format is guessed
    /// from the name and the first line. A table's header is read here, so errors in it surface
    /// before the first row.
    pub fn new(name: &str, input: impl BufRead + Send + 'a, format: Option<Format>, columns: &Columns) -> Result<Self> {
        Self::open(name, input, format, columns)
    }
}

/// Examples in file order, from one or more files.
pub type Dataset = Table<Example>;

impl Dataset {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path, format: Option<Format>, columns: &Columns) -> Result<Self> {
        let (name, input) = open(path)?;
        Self::from_reader(&name, input, format, columns)
    }

    /// Reads all of `input`. `name` is used in messages.
    pub fn from_reader(
        name: &str,
        input: impl BufRead + Send,
        format: Option<Format>,
        columns: &Columns,
    ) -> Result<Self> {
        Self::collect(PairReader::new(name, input, format, columns)?)
    }

    /// Returns the labels as read, one per example. A missing label is an error.
    pub fn labels(&self) -> Result<Vec<&Label>> {
        const MISSING: &str =
            "no label; to train or measure, every pair needs one (column \"label\", or another that is named)";
        let numbered = self.rows.iter().enumerate();
        numbered.map(|(idx, example)| example.label.as_ref().ok_or_else(|| self.error(idx, MISSING))).collect()
    }

    /// Returns the labels as booleans, one per example. A label that is missing or neither yes nor
    /// no is an error.
    pub fn labels_binary(&self) -> Result<Vec<bool>> {
        let labels = self.labels()?;
        let binary = |(idx, label): (usize, &Label)| {
            label.as_binary().ok_or_else(|| {
                let found = shorten(label.as_str());
                self.error(idx, format!("label \"{found}\" is neither yes nor no; accepted: {ACCEPTED_BINARY}"))
            })
        };
        labels.into_iter().enumerate().map(binary).collect()
    }

    /// Returns the groups, one per example.
    pub fn groups(&self) -> Vec<Option<&str>> {
        self.rows.iter().map(|example| example.group.as_deref()).collect()
    }

    /// Returns one number per example that identifies its group: the index of the group's first
    /// example. An example without a group forms its own group.
    pub fn group_numbers(&self) -> Vec<usize> {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let numbered = self.groups().into_iter().enumerate();
        numbered.map(|(idx, group)| group.map_or(idx, |name| *numbers.entry(name).or_insert(idx))).collect()
    }

    /// Like [`Dataset::group_numbers`], but a missing group is an error, as ranking requires.
    pub fn ranking_groups(&self) -> Result<Vec<usize>> {
        const MISSING: &str = "no group; to rank, every candidate needs the question that it belongs to (column \"group\", or another that is named)";
        match self.rows.iter().position(|example| example.group.is_none()) {
            Some(idx) => Err(self.error(idx, MISSING)),
            None => Ok(self.group_numbers()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts taken from the files with `grep -c`, not with these readers.
    const CORPORA: [(&str, Format, usize, usize); 11] = [
        ("msrp/msr_paraphrase_train.txt", Format::Msrp, 4076, 2753),
        ("msrp/msr_paraphrase_test.txt", Format::Msrp, 1725, 1147),
        ("rte/rte1_dev.xml", Format::Rte, 567, 283),
        ("rte/rte1_test.xml", Format::Rte, 800, 400),
        ("rte/rte2_dev.xml", Format::Rte, 800, 400),
        ("rte/rte2_test.xml", Format::Rte, 800, 400),
        ("rte/rte3_dev.xml", Format::Rte, 800, 412),
        ("rte/rte3_test.xml", Format::Rte, 800, 410),
        ("rte/rte4_test.xml", Format::Rte, 1000, 500),
        ("rte/rte5_dev.xml", Format::Rte, 600, 300),
        ("rte/rte5_test.xml", Format::Rte, 600, 300),
    ];

    fn read(name: &str, input: &str) -> Result<Dataset> {
        Dataset::from_reader(name, input.as_bytes(), None, &Columns::default())
    }

    fn check_error<T: std::fmt::Debug>(result: Result<T>, expected: &str) {
        assert_eq!(result.expect_err(expected).to_string(), expected);
    }

    #[test]
    fn labels_as_yes_or_no() {
        let data = read("f.tsv", "label\tsource\ttarget\nyes\ta\tb\nCONTRADICTION\tc\td\n").expect("read");
        assert_eq!(data.labels_binary().expect("binary"), [true, false]);
    }

    #[test]
    fn label_faults_name_the_line() {
        let accepted = format!("is neither yes nor no; accepted: {ACCEPTED_BINARY}");
        let data = read("f.tsv", "label\tsource\ttarget\n1\ta\tb\n\nmaybe\tc\td\n").expect("read");
        assert_eq!(data.labels().expect("any label").len(), 2);
        check_error(data.labels_binary(), &format!("f.tsv:4: label \"maybe\" {accepted}"));
        let missing = "no label; to train or measure, every pair needs one \
                       (column \"label\", or another that is named)";
        let data = read("f.tsv", "label\tsource\ttarget\n1\ta\tb\n \tc\td\n").expect("read");
        check_error(data.labels_binary(), &format!("f.tsv:3: {missing}"));
        let data = read("f.tsv", "source\ttarget\na\tb\n").expect("read");
        check_error(data.labels(), &format!("f.tsv:2: {missing}"));
    }

    #[test]
    fn groups_are_numbered_by_their_first_example() {
        let data =
            read("f.tsv", "group\tsource\ttarget\nq2\ta\tb\nq1\ta\tb\nq2\ta\tb\n\ta\tb\nq1\ta\tb\n").expect("read");
        assert_eq!(data.group_numbers(), [0, 1, 0, 3, 1]);
        let missing = "f.tsv:5: no group; to rank, every candidate needs the question that it belongs to \
                       (column \"group\", or another that is named)";
        check_error(data.ranking_groups(), missing);
        let data = read("f.tsv", "group\tsource\ttarget\nq2\ta\tb\nq1\ta\tb\n").expect("read");
        assert_eq!(data.ranking_groups().expect("all have one"), [0, 1]);
    }

    #[test]
    fn corpora_have_the_counts_of_their_papers() {
        for (file, format, n_examples, n_positive) in CORPORA {
            let Some(path) = resay_testing::corpus("counts of pairs", file) else { continue };
            let data = Dataset::read(&path, None, &Columns::default()).expect(file);
            let guessed = Dataset::read(&path, Some(format), &Columns::default()).expect(file);
            assert_eq!(data.rows, guessed.rows, "{file}");
            assert_eq!(data.len(), n_examples, "{file}");
            let labels = data.labels_binary().expect(file);
            assert_eq!(labels.iter().filter(|&&is_positive| is_positive).count(), n_positive, "{file}");
            for example in &data.rows {
                assert!(example.group.is_some(), "{file}: {}", example.id);
                assert!(!example.source.is_empty() && !example.target.is_empty(), "{file}: {}", example.id);
            }
        }
    }
}
