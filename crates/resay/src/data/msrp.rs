//! The MSR Paraphrase Corpus: a table with its own header, `Quality`, two sentence ids, two sentences.
//!
//! A sentence can stand in several pairs. If folds put one sentence on both sides, what is measured is memory, so
//! pairs that share a sentence id, also through others, are one group. That needs the whole file: the streaming
//! reader leaves the group open and [`group_by_sentence`] fills it in.

use super::lines::{LineReader, shorten};
use super::{Example, Label};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::io::BufRead;

const HEADER: [&str; 5] = ["Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"];

/// Streams the rows of the corpus.
#[derive(Debug)]
pub(super) struct MsrpReader<R> {
    lines: LineReader<R>,
}

impl<R: BufRead> MsrpReader<R> {
    /// Checks the header.
    pub(super) fn new(mut lines: LineReader<R>) -> Result<Self> {
        if !lines.advance_to_text()? {
            return Err(Error::file(lines.name(), "no rows: expected a header and at least one pair"));
        }
        if !lines.line().split('\t').eq(HEADER) {
            return Err(lines.error(format!(
                "the first row is not the header of the paraphrase corpus ({}); for a table of your own use --format tsv",
                HEADER.join(", ")
            )));
        }
        Ok(Self { lines })
    }

    /// The next pair and its line.
    pub(super) fn next_example(&mut self) -> Result<Option<(u64, Example)>> {
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
        };
        Ok(Some((self.lines.number(), example)))
    }
}

fn sentence_number(cell: &str) -> Option<u64> {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) { cell.parse().ok() } else { None }
}

/// Sets each example's group to the smallest sentence id of its connected component, where two sentences are
/// connected if they stand in one pair. The sentence ids are the two halves of the example's id.
pub(super) fn group_by_sentence(examples: &mut [Example]) {
    let sentences = |example: &Example| {
        let (first, second) = example.id.split_once('-')?;
        Some((sentence_number(first)?, sentence_number(second)?))
    };
    // `parent[s]`: a sentence of the same component that is no larger; a root is its own parent, so a root is the
    // smallest sentence of its component.
    let mut parent: BTreeMap<u64, u64> = BTreeMap::new();
    for (first, second) in examples.iter().filter_map(sentences) {
        let (one, other) = (root(&mut parent, first), root(&mut parent, second));
        parent.insert(one.max(other), one.min(other));
    }
    for example in examples {
        example.group = sentences(example).map(|(first, _)| root(&mut parent, first).to_string());
    }
}

/// The root of a sentence's component; on the way, each sentence passed is hung on its grandparent.
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
