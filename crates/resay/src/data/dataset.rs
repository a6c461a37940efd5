//! A whole file of pairs, with the line each came from. Whether labels must be there, and must mean yes or no, is
//! found out long after reading; the message then still has to name the line.

use super::lines::shorten;
use super::{ACCEPTED_BINARY, Analyses, Columns, Example, Format, Label, PairReader, msrp, open};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

/// Examples in the order of their file or files.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The file as the user named it; files that were joined are named with `+` between them.
    pub name: String,
    /// The pairs.
    pub examples: Vec<Example>,
    /// One an example: what its file says about its words, if it says anything.
    pub analyses: Vec<Analyses>,
    /// `lines[idx]`: the line that example `idx` starts on.
    lines: Vec<u64>,
    /// The files: where the examples of each begin, and its name.
    files: Vec<(usize, String)>,
}

impl Dataset {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path, format: Option<Format>, columns: &Columns) -> Result<Self> {
        let (name, input) = open(path)?;
        Self::from_reader(&name, input, format, columns)
    }

    /// Reads all of `input`, which the user calls `name`.
    pub fn from_reader(name: &str, input: impl BufRead, format: Option<Format>, columns: &Columns) -> Result<Self> {
        let mut pairs = PairReader::new(name, input, format, columns)?;
        let format = pairs.format();
        let (mut lines, mut examples, mut analyses) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(pair) = pairs.next_annotated() {
            let (line, example, annotated) = pair?;
            lines.push(line);
            examples.push(example);
            analyses.push(annotated);
        }
        if examples.is_empty() {
            let expected = match format {
                Format::Tsv | Format::Msrp => "a header and at least one pair",
                Format::Jsonl => "at least one object",
                Format::Rte => "at least one <pair> with <t> and <h>",
                Format::Trecqa => "at least one <positive> or <negative> below a <question>",
                Format::HeilmanSmith => "at least one pair",
            };
            return Err(Error::file(name, format!("no rows: expected {expected}")));
        }
        if format == Format::Msrp {
            msrp::group_by_sentence(&mut examples);
        }
        Ok(Self { name: name.to_owned(), examples, analyses, lines, files: vec![(0, name.to_owned())] })
    }

    /// The examples of these numbers, in their order; faults in them still name file and line.
    pub fn subset(&self, numbers: &[usize]) -> Self {
        let mut kept = Self {
            name: self.name.clone(),
            examples: Vec::new(),
            analyses: Vec::new(),
            lines: Vec::new(),
            files: Vec::new(),
        };
        for &idx in numbers.iter().filter(|&&idx| idx < self.examples.len()) {
            let file = self.files.iter().rev().find(|(start, _)| *start <= idx);
            kept.files.extend(file.map(|(_, name)| (kept.examples.len(), name.clone())));
            kept.examples.push(self.examples[idx].clone());
            kept.analyses.push(self.analyses[idx].clone());
            kept.lines.push(self.lines[idx]);
        }
        kept
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// Adds the examples of another file behind these.
    pub fn append(&mut self, other: Self) {
        let n_before = self.examples.len();
        self.name.push('+');
        self.name.push_str(&other.name);
        self.examples.extend(other.examples);
        self.analyses.extend(other.analyses);
        self.lines.extend(other.lines);
        self.files.extend(other.files.into_iter().map(|(start, name)| (start + n_before, name)));
    }

    /// The name without its folder.
    pub fn file_name(&self) -> String {
        let file_name = Path::new(&self.name).file_name();
        file_name.map_or_else(|| self.name.clone(), |name| name.to_string_lossy().into_owned())
    }

    /// A fault in one example: it says the file and line the example came from.
    pub fn error(&self, example_idx: usize, message: impl Into<String>) -> Error {
        let file = self.files.iter().rev().find(|(start, _)| *start <= example_idx);
        let file = file.map_or(self.name.as_str(), |(_, name)| name);
        match self.lines.get(example_idx) {
            Some(&line) => Error::line(file, line, message),
            None => Error::file(file, message),
        }
    }

    /// The labels as they were read, one an example; an example without is a fault.
    pub fn labels(&self) -> Result<Vec<&Label>> {
        const MISSING: &str =
            "no label; to train or measure, every pair needs one (column \"label\", or another that is named)";
        let numbered = self.examples.iter().enumerate();
        numbered.map(|(idx, example)| example.label.as_ref().ok_or_else(|| self.error(idx, MISSING))).collect()
    }

    /// The labels as yes or no, one an example; a missing or another label is a fault.
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

    /// The groups, one an example.
    pub fn groups(&self) -> Vec<Option<&str>> {
        self.examples.iter().map(|example| example.group.as_deref()).collect()
    }

    /// A number for each example's group: the place of the group's first example. One without a group is one by itself.
    pub fn group_numbers(&self) -> Vec<usize> {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let numbered = self.groups().into_iter().enumerate();
        numbered.map(|(idx, group)| group.map_or(idx, |name| *numbers.entry(name).or_insert(idx))).collect()
    }

    /// The same for ranking, where an example without a group is a fault.
    pub fn ranking_groups(&self) -> Result<Vec<usize>> {
        const MISSING: &str = "no group; to rank, every candidate needs the question that it belongs to (column \"group\", or another that is named)";
        match self.examples.iter().position(|example| example.group.is_none()) {
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
    fn joined_files_still_name_their_own_lines() {
        let mut data = read("a.tsv", "label\tsource\ttarget\n1\ta\tb\n").expect("read");
        data.append(read("b.tsv", "\nlabel\tsource\ttarget\n1\ta\tb\n").expect("read"));
        data.append(read("c.tsv", "label\tsource\ttarget\nx\ta\tb\n").expect("read"));
        assert_eq!((data.name.as_str(), data.len()), ("a.tsv+b.tsv+c.tsv", 3));
        for (idx, expected) in ["a.tsv:2: !", "b.tsv:3: !", "c.tsv:2: !", "c.tsv: !"].into_iter().enumerate() {
            assert_eq!(data.error(idx, "!").to_string(), expected);
        }
        let accepted = format!("is neither yes nor no; accepted: {ACCEPTED_BINARY}");
        check_error(data.labels_binary(), &format!("c.tsv:2: label \"x\" {accepted}"));
    }

    #[test]
    fn parts_of_joined_files_still_name_their_own_lines() {
        let mut data = read("a.tsv", "source\ttarget\na1\tb\n\na2\tb\n").expect("read");
        data.append(read("b.tsv", "source\ttarget\nb1\tb\nb2\tb\n").expect("read"));
        // In another order, one of them twice, and one that is not there.
        let part = data.subset(&[3, 0, 1, 9, 3]);
        let sources: Vec<&str> = part.examples.iter().map(|example| &*example.source).collect();
        assert_eq!((sources, part.analyses.len()), (vec!["b2", "a1", "a2", "b2"], 4));
        for (idx, expected) in ["b.tsv:3: !", "a.tsv:2: !", "a.tsv:4: !", "b.tsv:3: !"].into_iter().enumerate() {
            assert_eq!(part.error(idx, "!").to_string(), expected);
        }
        assert_eq!(part.subset(&[2]).error(0, "!").to_string(), "a.tsv:4: !");
        assert!(data.subset(&[]).is_empty());
    }

    #[test]
    fn files_without_rows() {
        check_error(read("-", ""), "-: no rows: expected a header and at least one pair");
        check_error(read("f.tsv", "source\ttarget\n"), "f.tsv: no rows: expected a header and at least one pair");
        check_error(read("f.jsonl", "\n"), "f.jsonl: no rows: expected at least one object");
        check_error(read("f.xml", "<devset/>"), "f.xml: no rows: expected at least one <pair> with <t> and <h>");
    }

    #[test]
    fn corpora_have_the_counts_of_their_papers() {
        for (file, format, n_examples, n_positive) in CORPORA {
            let Some(path) = resay_testing::corpus("counts of pairs", file) else { continue };
            let data = Dataset::read(&path, None, &Columns::default()).expect(file);
            let guessed = Dataset::read(&path, Some(format), &Columns::default()).expect(file);
            assert_eq!(data.examples, guessed.examples, "{file}");
            assert_eq!(data.len(), n_examples, "{file}");
            let labels = data.labels_binary().expect(file);
            assert_eq!(labels.iter().filter(|&&is_positive| is_positive).count(), n_positive, "{file}");
            for example in &data.examples {
                assert!(example.group.is_some(), "{file}: {}", example.id);
                assert!(!example.source.is_empty() && !example.target.is_empty(), "{file}: {}", example.id);
            }
        }
    }
}
