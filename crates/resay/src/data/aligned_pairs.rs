//! A table of aligned pairs. Links without words take their words from a second file.

use super::alignment::{AlignedPair, split_words};
use super::reader::{Reader, open};
use super::table::Table;
use super::{AlignmentFormat, Dataset};
use crate::{Error, Result};
use std::io::BufRead;
use std::path::Path;

/// Streams aligned pairs as `(line number, pair)`. It ends after the first error.
pub type AlignmentReader<'a> = Reader<'a, AlignedPair>;

impl<'a> AlignmentReader<'a> {
    /// Starts reading `input`. `name` is used in messages. Without a format, the format is guessed
    /// from the first line.
    pub fn new(name: &str, input: impl BufRead + Send + 'a, format: Option<AlignmentFormat>) -> Result<Self> {
        Self::open(name, input, format, &())
    }
}

/// Aligned pairs in file order, from one or more files.
pub type AlignedPairs = Table<AlignedPair>;

impl AlignedPairs {
    /// Reads a file; `-` is standard input. Pairs in the Pharaoh format have links but no words.
    pub fn read(path: &Path, format: Option<AlignmentFormat>) -> Result<Self> {
        let (name, input) = open(path)?;
        Self::from_reader(&name, input, format)
    }

    /// Reads all of `input`. `name` is used in messages.
    pub fn from_reader(name: &str, input: impl BufRead + Send, format: Option<AlignmentFormat>) -> Result<Self> {
        Self::collect(AlignmentReader::new(name, input, format)?)
    }

    /// Returns the index of the first pair that has links but no words.
    pub fn first_without_words(&self) -> Option<usize> {
        self.rows.iter().position(|pair| !pair.has_words() && !pair.sure.is_empty())
    }

    /// Splits the pairs into those whose index satisfies `is_first` and the rest. Both halves keep
    /// their file and line numbers.
    pub fn split_by(&self, is_first: impl Fn(usize) -> bool) -> (Self, Self) {
        let (first, second): (Vec<usize>, Vec<usize>) = (0..self.len()).partition(|&idx| is_first(idx));
        (self.subset(&first), self.subset(&second))
    }

    /// Adds the words and ids of `sentences` to these links, row by row. Words are split at blanks.
    /// A link outside its sentence is an error in the file of links.
    pub fn with_sentences(self, sentences: &Dataset) -> Result<Self> {
        let words = |idx: usize| {
            let example = sentences.rows.get(idx)?;
            Some((example.id.clone(), split_words(&example.source), split_words(&example.target)))
        };
        self.with(&sentences.name, sentences.len(), words)
    }

    /// Adds the words and ids of other aligned pairs to these links, so that predicted links can be
    /// compared with gold links.
    pub fn with_words_of(self, other: &Self) -> Result<Self> {
        let words = |idx: usize| {
            let pair = other.rows.get(idx)?;
            Some((pair.id.clone(), pair.source.clone(), pair.target.clone()))
        };
        self.with(&other.name, other.len(), words)
    }

    fn with(
        mut self,
        name: &str,
        n_rows: usize,
        words: impl Fn(usize) -> Option<(String, Vec<String>, Vec<String>)>,
    ) -> Result<Self> {
        if n_rows != self.len() {
            let message =
                format!("{} pairs, but {name} has {n_rows}; expected links and sentences row by row", self.len());
            return Err(Error::file(&self.name, message));
        }
        for idx in 0..n_rows {
            let Some((id, source, target)) = words(idx) else { continue };
            let pair = std::mem::take(&mut self.rows[idx]);
            self.rows[idx] = AlignedPair::new(id, source, target, pair.sure, pair.possible)
                .map_err(|message| self.error(idx, message))?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Columns, Link};

    fn read(name: &str, input: &str) -> Result<AlignedPairs> {
        AlignedPairs::from_reader(name, input.as_bytes(), None)
    }

    fn check_error(result: Result<AlignedPairs>, expected: &str) {
        assert_eq!(result.expect_err(expected).to_string(), expected);
    }

    #[test]
    fn links_get_words() {
        let table = "id\tsource\ttarget\nx\tIt rains .\tRain .\ny\tNo .\tYes .\n";
        let sentences = Dataset::from_reader("s.tsv", table.as_bytes(), None, &Columns::default()).expect("sentences");
        let links = |input: &str| read("l.txt", input).expect("links");
        let joined = links("2-1 1-0\n1-1").with_sentences(&sentences).expect("joined");
        assert_eq!(joined.rows[0].target, ["Rain", "."]);
        assert_eq!((joined.rows[1].id.as_str(), &joined.rows[1].sure[..]), ("y", &[Link::from((1, 1))][..]));
        assert_eq!(links("2-1 1-0\n1-1").with_words_of(&joined).expect("joined").rows, joined.rows);
        check_error(
            links("0-0\n0-0 2-0").with_sentences(&sentences),
            "l.txt:2: link 2-0 points at no word: the source has 2 words and the target 2; expected source-target, counted from 0",
        );
        check_error(
            links("0-0").with_words_of(&joined),
            "l.txt: 1 pairs, but l.txt has 2; expected links and sentences row by row",
        );
    }

    /// File, number of pairs, number of sure links, and the percentage of sure links between
    /// identical words where it is published.
    const CORPORA: [(&str, usize, usize, Option<f64>); 8] = [
        ("msr06/converted/RTE2_dev_M.align.txt", 800, 5971, None),
        ("msr06/converted/RTE2_test_M.align.txt", 800, 5697, Some(78.6)),
        ("msr06/synthetic-phrases/RTE2_dev_M.synthetic-phrases.json", 800, 7547, None),
        ("msr06/synthetic-phrases/RTE2_test_M.synthetic-phrases.json", 800, 7583, Some(59.0)),
        ("edinburgh/gold.train.sure.json", 714, 13314, None),
        ("edinburgh/gold.test.sure.json", 306, 5766, Some(75.2)),
        ("edinburgh/synthetic-phrases/gold.synthetic-phrases.train.sure.json", 714, 18770, None),
        ("edinburgh/synthetic-phrases/gold.synthetic-phrases.test.sure.json", 306, 8440, Some(51.7)),
    ];

    #[test]
    fn corpora_have_the_published_counts() {
        for (file, n_pairs, n_sure, share_identical) in CORPORA {
            let Some(path) = resay_testing::corpus("counts of aligned pairs", file) else { continue };
            let read = AlignedPairs::read(&path, None).expect(file);
            let n_found: usize = read.rows.iter().map(|pair| pair.sure.len()).sum();
            assert_eq!((read.len(), n_found), (n_pairs, n_sure), "{file}");
            let count = |pair: &AlignedPair| pair.sure.iter().filter(|link| pair.is_identical(**link)).count();
            let n_identical: usize = read.rows.iter().map(count).sum();
            let share = (1000.0 * n_identical as f64 / n_found as f64).round() / 10.0;
            assert!(share_identical.is_none_or(|expected| expected == share), "{file}: {share}");
        }
        // The files of the three annotators, before and after conversion, with all their oddities.
        for (stage, part, annotator) in ["orig", "converted"].into_iter().flat_map(|stage| {
            ["dev", "test"].into_iter().flat_map(move |part| ["A", "B", "C"].map(|annotator| (stage, part, annotator)))
        }) {
            let file = format!("msr06/{stage}/RTE2_{part}_{annotator}.align.txt");
            let Some(path) = resay_testing::corpus("counts of aligned pairs", &file) else { continue };
            assert_eq!(AlignedPairs::read(&path, None).expect(stage).len(), 800, "{file}");
        }
    }
}
