//! An undirected graph of word pairs, optionally weighted.
//!
//! An adjacency list takes a few bytes: the gaps between sorted word numbers. A file has half a
//! million pairs, and a user needs the partners of a few words, so lists stay packed in memory and
//! are decoded on demand. Opening a file only records where each list starts.

use crate::container::{SectionReader, put};
use crate::{Error, Result};

/// Pairs of words, by word number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    n_pairs: usize,
    is_weighted: bool,
    /// Where each word's list starts; one entry more than there are words.
    starts: Vec<u32>,
    /// The lists back to back. The first partner is stored as its signed distance from the word
    /// (zigzag encoded), the others as the distance from their predecessor, less 1. In a weighted
    /// graph, a weight byte follows each partner with a higher number than the word: a pair's
    /// weight is stored with its lower word.
    lists: Vec<u8>,
}

/// Serialises pairs of (lower word, higher word, weight) as a section. Pairs may be in any order,
/// but must be unique.
///
/// Layout: the numbers of words, pairs, bytes of the table and bytes of the lists; a table of the
/// words that have partners, as gaps, each with the length of its list in bytes; the lists.
pub(super) fn pack(n_words: usize, pairs: &[(u32, u32, u8)], is_weighted: bool) -> Result<Vec<u8>> {
    let mut both: Vec<(u32, u32, u8)> =
        pairs.iter().flat_map(|&(a, b, weight)| [(a, b, weight), (b, a, weight)]).collect();
    both.sort_unstable();
    let is_fine = pairs.iter().all(|&(a, b, _)| a < b && (b as usize) < n_words);
    if !is_fine || !both.is_sorted_by(|x, y| (x.0, x.1) < (y.0, y.1)) {
        return Err(Error::data("pairs of words must name the lower word first, and no pair twice"));
    }
    let (mut table, mut lists) = (Vec::new(), Vec::new());
    let mut next = 0;
    for list in both.chunk_by(|x, y| x.0 == y.0) {
        let (word, first, _) = list[0];
        let start = lists.len();
        put(&mut lists, if first < word { 2 * u64::from(word - first) - 1 } else { 2 * u64::from(first - word) });
        for (idx, &(_, partner, weight)) in list.iter().enumerate() {
            if idx > 0 {
                put(&mut lists, u64::from(partner - list[idx - 1].1 - 1));
            }
            lists.extend((is_weighted && partner > word).then_some(weight));
        }
        put(&mut table, u64::from(word - next));
        put(&mut table, (lists.len() - start) as u64);
        next = word + 1;
    }
    let mut section = Vec::new();
    for number in [n_words, pairs.len(), table.len(), lists.len()] {
        put(&mut section, number as u64);
    }
    section.extend(table);
    section.extend(lists);
    Ok(section)
}

/// Reads a number as `put` writes it. `None` if it is not below 2^28.
#[inline]
fn number(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0;
    for (idx, &byte) in bytes.iter().take(4).enumerate() {
        value |= u32::from(byte & 0x7f) << (7 * idx);
        if byte & 0x80 == 0 {
            *bytes = &bytes[idx + 1..];
            return Some(value);
        }
    }
    None
}

impl Graph {
    /// Reads a section over a vocabulary of `n_words`. Lists are not validated; a damaged list
    /// yields no partners.
    pub(super) fn unpack(mut reader: SectionReader<'_>, n_words: usize, is_weighted: bool) -> Result<Self> {
        let n_said = reader.number()?;
        if n_said != n_words as u64 {
            return reader.fail(format_args!("pairs of {n_said} words, but there are {n_words}"));
        }
        let n_pairs = reader.count(2)?;
        let [table_len, lists_len] = [reader.count(1)?, reader.count(1)?];
        let mut table = reader.bytes(table_len)?;
        let lists = reader.bytes(lists_len)?;
        reader.end()?;
        let mut starts = Vec::with_capacity(n_words + 1);
        // Start of the next list.
        let mut start = 0_u32;
        while let (Some(gap), Some(len)) = (number(&mut table), number(&mut table)) {
            let word = starts.len() + gap as usize;
            if word >= n_words || len as usize > lists_len - start as usize {
                return reader.fail(format_args!("a list of {len} bytes for word {word}, of {n_words} words"));
            }
            starts.resize(word + 1, start);
            start += len;
        }
        if !table.is_empty() || start as usize != lists_len {
            return reader.fail("the table of lists does not fit the lists");
        }
        starts.resize(n_words + 1, start);
        Ok(Self { n_pairs, is_weighted, starts, lists: lists.to_vec() })
    }

    /// Returns the number of pairs, as stored in the file.
    pub(super) fn n_pairs(&self) -> usize {
        self.n_pairs
    }

    /// Returns the partners of a word in ascending order; none if the word does not exist.
    pub(super) fn partners(&self, word: u32) -> impl Iterator<Item = u32> {
        self.list(word).map(|(partner, _)| partner)
    }

    fn list(&self, word: u32) -> List<'_> {
        let range = self.starts.get(word as usize..).and_then(|starts| Some(*starts.first()?..*starts.get(1)?));
        let list = range.and_then(|range| self.lists.get(range.start as usize..range.end as usize)).unwrap_or_default();
        let n_words = self.starts.len().saturating_sub(1) as u32;
        List { list, word, before: None, n_words, is_weighted: self.is_weighted }
    }

    fn find(&self, word: u32, partner: u32) -> Option<u8> {
        let found = self.list(word).find(|&(other, _)| other >= partner);
        found.filter(|&(other, _)| other == partner).map(|(_, weight)| weight)
    }

    /// Whether the two words are a pair.
    pub(super) fn contains(&self, a: u32, b: u32) -> bool {
        self.find(a.min(b), a.max(b)).is_some()
    }

    /// Returns the weight of a pair, if the pair exists and the graph is weighted.
    pub(super) fn weight(&self, a: u32, b: u32) -> Option<u8> {
        self.find(a.min(b), a.max(b)).filter(|_| self.is_weighted)
    }
}

/// Decodes a list into partners and weights. The weight is 0 for partners with a lower number than
/// the word, and in graphs without weights.
#[derive(Clone, Debug)]
struct List<'a> {
    list: &'a [u8],
    word: u32,
    before: Option<u32>,
    n_words: u32,
    is_weighted: bool,
}

impl Iterator for List<'_> {
    type Item = (u32, u8);

    fn next(&mut self) -> Option<(u32, u8)> {
        let said = number(&mut self.list)?;
        // No overflow: all numbers are below 2^28.
        let partner = match self.before {
            Some(before) => before + 1 + said,
            None if said % 2 == 1 => self.word.checked_sub(said / 2 + 1)?,
            None => self.word + said / 2,
        };
        self.before = Some(partner);
        let weight = if self.is_weighted && partner > self.word {
            let (&weight, rest) = self.list.split_first()?;
            self.list = rest;
            weight
        } else {
            0
        };
        if partner >= self.n_words {
            self.list = &[];
            return None;
        }
        Some((partner, weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const N_WORDS: u32 = 12;

    fn open(section: &[u8], is_weighted: bool) -> Result<Graph> {
        Graph::unpack(SectionReader::new("r.resay", "ppdb", section), N_WORDS as usize, is_weighted)
    }

    proptest! {
        #[test]
        fn pairs_against_a_plain_map(
            pairs in prop::collection::btree_map((0..N_WORDS, 0..N_WORDS), any::<u8>(), 0..40),
            is_weighted in any::<bool>(),
        ) {
            let pairs: BTreeMap<(u32, u32), u8> = pairs.into_iter().filter(|((a, b), _)| a < b).collect();
            let list: Vec<(u32, u32, u8)> = pairs.iter().rev().map(|(&(a, b), &weight)| (a, b, weight)).collect();
            let graph = open(&pack(N_WORDS as usize, &list, is_weighted).unwrap(), is_weighted).unwrap();
            prop_assert_eq!(graph.n_pairs(), pairs.len());
            for a in 0..N_WORDS + 2 {
                let weight = |b: u32| pairs.get(&(a.min(b), a.max(b))).copied();
                let expected: Vec<(u32, u8)> = (0..N_WORDS)
                    .filter_map(|b| Some((b, weight(b).map(|weight| if is_weighted && b > a { weight } else { 0 })?)))
                    .collect();
                prop_assert_eq!(graph.list(a).collect::<Vec<_>>(), expected);
                for b in 0..N_WORDS + 2 {
                    prop_assert_eq!(graph.contains(a, b), weight(b).is_some());
                    prop_assert_eq!(graph.weight(a, b), weight(b).filter(|_| is_weighted));
                }
            }
        }

        #[test]
        fn any_bytes_are_opened_or_refused(
            table in prop::collection::vec(0..4_u8, 0..8),
            lists in prop::collection::vec(any::<u8>(), 0..12),
            is_weighted in any::<bool>(),
        ) {
            let head = [N_WORDS as u8, 0, table.len() as u8, lists.len() as u8];
            let section: Vec<u8> = head.into_iter().chain(table).chain(lists).collect();
            if let Ok(graph) = open(&section, is_weighted) {
                for a in 0..N_WORDS + 2 {
                    let partners: Vec<u32> = graph.partners(a).collect();
                    prop_assert!(partners.is_sorted_by(|a, b| a < b));
                    prop_assert!(partners.iter().all(|&partner| partner < N_WORDS));
                }
            }
        }

        #[test]
        fn numbers_are_those_that_were_put(numbers in prop::collection::vec(0..1_u32 << 28, 0..10), cut in 1..4_usize) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| put(&mut bytes, u64::from(number)));
            let mut rest = bytes.as_slice();
            prop_assert_eq!(std::iter::from_fn(|| number(&mut rest)).collect::<Vec<_>>(), numbers);
            let mut cut_off = &[0xff, 0xff, 0xff, 0xff][..cut];
            prop_assert_eq!(number(&mut cut_off), None);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |section: &[u8], expected: &str| {
            let error =
                Graph::unpack(SectionReader::new("r.resay", "ppdb", section), 2, false).unwrap_err().to_string();
            assert_eq!(error, format!("r.resay: section 'ppdb': {expected}: the model is damaged"));
        };
        check(&[3, 0, 0, 0], "pairs of 3 words, but there are 2");
        check(&[2, 1, 4, 2, 0, 1, 0, 1, 2, 1, 0], "1 bytes too many");
        check(&[2, 1, 4, 2, 0, 1, 1, 1, 2, 1], "a list of 1 bytes for word 2, of 2 words");
        check(&[2, 0, 2, 1, 0, 2, 2], "a list of 2 bytes for word 0, of 2 words");
        check(&[2, 0, 3, 1, 0, 1, 0x80, 2], "the table of lists does not fit the lists");
        check(&[2, 0, 2, 2, 0, 1, 2, 0], "the table of lists does not fit the lists");
        check(&[2, 9, 0, 0], "a list of 9 entries in 2 bytes");
        assert!(open(&pack(N_WORDS as usize, &[(0, 1, 0)], false).unwrap(), false).is_ok());
        assert!(pack(2, &[(1, 0, 0)], false).is_err());
        assert!(pack(2, &[(0, 2, 0)], false).is_err());
        assert!(pack(2, &[(0, 1, 0), (0, 1, 9)], false).is_err());
    }
}
