//! Reads the MSR Paraphrase Corpus: a table with its own header, `Quality`, two sentence ids and
//! two sentences.
//!
//! A sentence can occur in several pairs. If folds put a sentence on both sides, evaluation
//! measures memorisation. Pairs that share a sentence id, directly or through other pairs,
//! therefore form one group. This needs the whole file: the streaming reader leaves the group empty
//! and [`group_by_sentence`] fills it in.

use super::delimited::EXPECTED;
use super::format::FormatRow;
use super::lines::{LineReader, shorten};
use super::reader::Rows;
use super::{Example, Label};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::io::BufRead;

const HEADER: [&str; 5] = ["Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"];

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    is_certain: |start| start.starts_with(b"Quality\t#1 ID\t"),
    ..FormatRow::new("msrp", EXPECTED, |name, input, _| Ok(Box::new(MsrpReader::new(LineReader::new(name, input))?)))
};

/// Streams the rows of the corpus.
struct MsrpReader<R> {
    lines: LineReader<R>,
}

impl<R: BufRead> MsrpReader<R> {
    /// Checks the header.
    fn new(mut lines: LineReader<R>) -> Result<Self> {
        if !lines.advance_to_text()? {
            return Err(Error::file(lines.name(), format!("no rows: expected {EXPECTED}")));
        }
        if !lines.line().split('\t').eq(HEADER) {
            return Err(lines.error(format!(
                "the first row is not the header of the paraphrase corpus ({}); for a table of your own use the format tsv",
                HEADER.join(", ")
            )));
        }
        Ok(Self { lines })
    }
}

impl<R: BufRead + Send> Rows<Example> for MsrpReader<R> {
    fn next_row(&mut self) -> Result<Option<(u64, Example)>> {
        if !self.lines.advance_to_text()? {
            return Ok(None);
        }
        let mut cells = self.lines.line().split('\t');
        let row = [cells.next(), cells.next(), cells.next(), cells.next(), cells.next(), cells.next()];
        let [Some(quality), Some(first), Some(second), Some(source), Some(target), None] = row else {
            let n_cells = self.lines.line().split('\t').count();
            let plural = if n_cells == 1 { "" } else { "s" };
            return Err(self.lines.error(format!("{n_cells} column{plural}, expected 5 ({})", HEADER.join(", "))));
        };
        for (cell, column) in [(first, HEADER[1]), (second, HEADER[2])] {
            if sentence_number(cell).is_none() {
                return Err(self.lines.error(format!("{column} is \"{}\", expected a number", shorten(cell))));
            }
        }
        let example = Example {
            id: format!("{first}-{second}"),
            group: None,
            source: source.to_owned(),
            target: target.to_owned(),
            label: Label::new(quality),
            analyses: None,
        };
        Ok(Some((self.lines.number(), example)))
    }

    fn complete(&self, rows: &mut [Example]) {
        group_by_sentence(rows);
    }
}

fn sentence_number(cell: &str) -> Option<u64> {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) { cell.parse().ok() } else { None }
}

/// Sets each example's group to the smallest sentence id of its connected component. Two sentences
/// are connected if they form a pair. The example's id consists of its two sentence ids.
fn group_by_sentence(examples: &mut [Example]) {
    let sentences = |example: &Example| {
        let (first, second) = example.id.split_once('-')?;
        Some((sentence_number(first)?, sentence_number(second)?))
    };
    // Disjoint sets. `parent[s]` is a sentence of the same component with an id no larger than `s`.
    // A root is its own parent and so the smallest id of its component.
    let mut parent: BTreeMap<u64, u64> = BTreeMap::new();
    for (first, second) in examples.iter().filter_map(sentences) {
        let (one, other) = (root(&mut parent, first), root(&mut parent, second));
        parent.insert(one.max(other), one.min(other));
    }
    for example in examples {
        example.group = sentences(example).map(|(first, _)| root(&mut parent, first).to_string());
    }
}

/// Returns the root of a sentence's component, with path halving: each sentence on the path is
/// attached to its grandparent.
fn root(parent: &mut BTreeMap<u64, u64>, sentence: u64) -> u64 {
    let mut at = sentence;
    loop {
        let above = *parent.entry(at).or_insert(at);
        if above == at {
            return at;
        }
        let grand = *parent.entry(above).or_insert(above);
        parent.insert(at, grand);
        at = grand;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use crate::data::{Columns, Dataset, Format};

    const HEAD: &str = "\u{feff}Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n";

    #[test]
    fn rows() {
        testing::check(
            Format::Msrp,
            format!("{HEAD}1\t12\t7\tShe said \"no\tHe said \"no\"\r\n0\t3\t4\ta\t\r\n"),
            &["2|12-7|~|She said \"no|He said \"no\"|1", "3|3-4|~|a||0"],
        );
    }

    #[test]
    fn faults() {
        let check_error = |input: &str, expected: &str| testing::check_error(Format::Msrp, input, expected);
        check_error("", "pairs: no rows: expected a header and at least one pair");
        check_error(
            "source\ttarget\n",
            "pairs:1: the first row is not the header of the paraphrase corpus \
             (Quality, #1 ID, #2 ID, #1 String, #2 String); for a table of your own use the format tsv",
        );
        let columns = "expected 5 (Quality, #1 ID, #2 ID, #1 String, #2 String)";
        check_error(&format!("{HEAD}1\t2\t3\ta\r\n"), &format!("pairs:2: 4 columns, {columns}"));
        check_error(&format!("{HEAD}1\t2\t3\ta\tb\tc\r\n"), &format!("pairs:2: 6 columns, {columns}"));
        check_error(&format!("{HEAD}1\t2\tx3\ta\tb\r\n"), "pairs:2: #2 ID is \"x3\", expected a number");
        check_error(&format!("{HEAD}1\t\t3\ta\tb\r\n"), "pairs:2: #1 ID is \"\", expected a number");
    }

    /// Slow reference: propagates the smallest id until nothing changes.
    fn groups_by_spreading(pairs: &[(u64, u64)]) -> Vec<String> {
        let mut names: Vec<u64> = pairs.iter().map(|&(first, second)| first.min(second)).collect();
        loop {
            let before = names.clone();
            for (one, &(a, b)) in pairs.iter().enumerate() {
                for (other, &(c, d)) in pairs.iter().enumerate() {
                    if a == c || a == d || b == c || b == d {
                        names[one] = names[one].min(names[other]);
                    }
                }
            }
            if names == before {
                return names.iter().map(u64::to_string).collect();
            }
        }
    }

    fn groups(pairs: &[(u64, u64)]) -> Vec<String> {
        let rows: String = pairs.iter().map(|(first, second)| format!("1\t{first}\t{second}\ta\tb\n")).collect();
        let input = format!("{HEAD}{rows}");
        let data = Dataset::from_reader("pairs", input.as_bytes(), None, &Columns::default()).expect("read");
        data.groups().into_iter().map(|group| group.expect("a group").to_owned()).collect()
    }

    #[test]
    fn pairs_that_share_a_sentence_are_one_group() {
        assert_eq!(groups(&[(5, 4), (1, 2), (9, 4), (2, 9), (7, 8)]), ["1", "1", "1", "1", "7"]);
    }

    proptest::proptest! {
        #[test]
        fn groups_are_connected_components(pairs in proptest::collection::vec((0u64..30, 0u64..30), 1..25)) {
            proptest::prop_assert_eq!(groups(&pairs), groups_by_spreading(&pairs));
        }
    }
}
