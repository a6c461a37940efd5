//! Which words of a vocabulary are paired, both ways, and how strongly where that is known.
//!
//! A file holds each pair once, with its lower word, as the gaps between the sorted partners. Opening it lays out both
//! ways: `partners[starts[a]..starts[a + 1]]` are all partners of word a, rising. That takes one walk to count and one to
//! fill, without a sort: lower words come first, so every list fills in order.

use crate::pack::{Reader, put};
use crate::{Error, Result};

/// Pairs of words, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    /// One entry a word and one more.
    starts: Vec<u32>,
    partners: Vec<u32>,
    /// One entry a partner, or none at all.
    weights: Vec<u8>,
}

/// The section of these pairs: lower word, higher word, weight. Pairs may stand in any order, but each only once.
///
/// It holds the number of words and of pairs; the bytes of a list of all lower words that have partners, as gaps, each
/// with how many; the bytes of the gaps between partners; a byte for each weight.
pub(super) fn pack(n_words: usize, pairs: &mut [(u32, u32, u8)], is_weighted: bool) -> Result<Vec<u8>> {
    pairs.sort_unstable();
    let is_fine = pairs.iter().all(|&(a, b, _)| a < b && (b as usize) < n_words);
    if !is_fine || !pairs.is_sorted_by(|x, y| (x.0, x.1) < (y.0, y.1)) {
        return Err(Error::data("pairs of words must name the lower word first, and no pair twice"));
    }
    let (mut lists, mut gaps) = (Vec::new(), Vec::new());
    let mut next = 0;
    for list in pairs.chunk_by(|x, y| x.0 == y.0) {
        let word = list[0].0;
        put(&mut lists, u64::from(word - next));
        put(&mut lists, list.len() as u64);
        next = word + 1;
        let mut before = word;
        for &(_, partner, _) in list {
            put(&mut gaps, u64::from(partner - before - 1));
            before = partner;
        }
    }
    let mut section = Vec::new();
    for number in [n_words, pairs.len(), lists.len(), gaps.len()] {
        put(&mut section, number as u64);
    }
    section.extend(lists);
    section.extend(gaps);
    if is_weighted {
        section.extend(pairs.iter().map(|pair| pair.2));
    }
    Ok(section)
}

/// Numbers as `put` writes them, below 2^28. A file has half a million, so this is not [`Reader::number`], which can
/// say more about what is wrong.
struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let mut value = 0;
        for (idx, &byte) in self.0.iter().take(4).enumerate() {
            value |= usize::from(byte & 0x7f) << (7 * idx);
            if byte & 0x80 == 0 {
                self.0 = &self.0[idx + 1..];
                return Some(value);
            }
        }
        None
    }
}

impl Graph {
    /// Opens a section over a vocabulary of `n_words`.
    pub(super) fn unpack(mut reader: Reader<'_>, n_words: usize, is_weighted: bool) -> Result<Self> {
        let n_said = reader.number()?;
        if n_said != n_words as u64 {
            return reader.fail(format_args!("pairs of {n_said} words, but there are {n_words}"));
        }
        let n_pairs = reader.count(1)?;
        let [lists_len, gaps_len] = [reader.count(1)?, reader.count(1)?];
        let lists = reader.bytes(lists_len)?;
        let mut gaps = Numbers(reader.bytes(gaps_len)?);
        let pair_weights = if is_weighted { reader.bytes(n_pairs)? } else { &[] };
        reader.end()?;
        // Lower words with their number of partners, and the higher word of each pair. `starts[word + 1]` counts.
        let (mut lower, mut higher) = (Vec::new(), Vec::with_capacity(n_pairs));
        let mut starts = vec![0_u32; n_words + 1];
        let (mut lists, mut next_word) = (Numbers(lists), 0);
        while let Some((gap, count)) = lists.next().and_then(|gap| Some((gap, lists.next()?))) {
            let word = next_word + gap;
            if word >= n_words || count > n_pairs - higher.len() {
                return reader.fail(format_args!("{count} partners of word {word}, of {n_words} words"));
            }
            starts[word + 1] += count as u32;
            lower.push((word as u32, count as u32));
            let mut before = word;
            for gap in gaps.by_ref().take(count) {
                let partner = before + 1 + gap;
                let Some(n_partners) = starts.get_mut(partner + 1) else {
                    return reader.fail(format_args!("a partner of word {word} is {partner}, of {n_words} words"));
                };
                *n_partners += 1;
                higher.push(partner as u32);
                before = partner;
            }
            next_word = word + 1;
        }
        if higher.len() != n_pairs {
            return reader.fail(format_args!("{} pairs, expected {n_pairs}", higher.len()));
        }
        if !lists.0.is_empty() || !gaps.0.is_empty() {
            return reader.fail("numbers without a pair");
        }
        for word in 0..n_words {
            starts[word + 1] += starts[word];
        }
        // Each pair stands in two lists; `next[word]` is the first free place in the word's.
        let mut next = starts[..n_words].to_vec();
        let mut place = |word: u32| {
            next[word as usize] += 1;
            next[word as usize] as usize - 1
        };
        let mut partners = vec![0; 2 * n_pairs];
        let mut weights = vec![0; 2 * pair_weights.len()];
        let lower = lower.into_iter().flat_map(|(word, count)| std::iter::repeat_n(word, count as usize));
        for (pair, (word, &partner)) in lower.zip(&higher).enumerate() {
            let places = [place(word), place(partner)];
            partners[places[0]] = partner;
            partners[places[1]] = word;
            if let Some(&weight) = pair_weights.get(pair) {
                weights[places[0]] = weight;
                weights[places[1]] = weight;
            }
        }
        Ok(Self { starts, partners, weights })
    }

    /// How many pairs there are.
    pub(super) fn n_pairs(&self) -> usize {
        self.partners.len() / 2
    }

    fn range(&self, word: u32) -> std::ops::Range<usize> {
        match self.starts.get(word as usize..word as usize + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// All partners of a word, rising; none for a number that is no word's.
    pub(super) fn partners(&self, word: u32) -> &[u32] {
        &self.partners[self.range(word)]
    }

    /// One weight a partner, in the same order.
    pub(super) fn weights(&self, word: u32) -> &[u8] {
        self.weights.get(self.range(word)).unwrap_or_default()
    }

    /// Whether the two are a pair.
    pub(super) fn contains(&self, a: u32, b: u32) -> bool {
        self.partners(a).binary_search(&b).is_ok()
    }

    /// The weight of a pair, if the two are one.
    pub(super) fn weight(&self, a: u32, b: u32) -> Option<u8> {
        self.weights(a).get(self.partners(a).binary_search(&b).ok()?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const N_WORDS: u32 = 12;

    fn open(section: &[u8], is_weighted: bool) -> Result<Graph> {
        Graph::unpack(Reader::new("r.resay", "ppdb", section), N_WORDS as usize, is_weighted)
    }

    proptest! {
        #[test]
        fn pairs_against_a_plain_map(
            pairs in prop::collection::btree_map((0..N_WORDS, 0..N_WORDS), any::<u8>(), 0..40),
            is_weighted in any::<bool>(),
        ) {
            let pairs: BTreeMap<(u32, u32), u8> = pairs.into_iter().filter(|((a, b), _)| a < b).collect();
            let mut list: Vec<(u32, u32, u8)> = pairs.iter().rev().map(|(&(a, b), &weight)| (a, b, weight)).collect();
            let graph = open(&pack(N_WORDS as usize, &mut list, is_weighted).unwrap(), is_weighted).unwrap();
            prop_assert_eq!(graph.n_pairs(), pairs.len());
            for a in 0..N_WORDS + 2 {
                let weight = |b: u32| pairs.get(&(a.min(b), a.max(b))).copied();
                let expected: Vec<u32> = (0..N_WORDS).filter(|&b| weight(b).is_some()).collect();
                prop_assert_eq!(graph.partners(a), expected.as_slice());
                let expected: Vec<u8> = (0..N_WORDS).filter_map(weight).filter(|_| is_weighted).collect();
                prop_assert_eq!(graph.weights(a), expected.as_slice());
                for b in 0..N_WORDS + 2 {
                    prop_assert_eq!(graph.contains(a, b), weight(b).is_some());
                    prop_assert_eq!(graph.weight(a, b), weight(b).filter(|_| is_weighted));
                }
            }
        }

        #[test]
        fn any_bytes_are_opened_or_refused(
            lists in prop::collection::vec(0..4_u8, 0..8),
            gaps in prop::collection::vec(0..5_u8, 0..8),
            n_pairs in 0..8_u8,
            weights in prop::collection::vec(any::<u8>(), 0..8),
            is_weighted in any::<bool>(),
        ) {
            let head = [N_WORDS as u8, n_pairs, lists.len() as u8, gaps.len() as u8];
            let section: Vec<u8> = head.into_iter().chain(lists).chain(gaps).chain(weights).collect();
            if let Ok(graph) = open(&section, is_weighted) {
                prop_assert_eq!(graph.n_pairs(), usize::from(n_pairs));
                for a in 0..N_WORDS {
                    prop_assert!(graph.partners(a).is_sorted_by(|a, b| a < b));
                    prop_assert!(graph.partners(a).iter().all(|&b| graph.contains(b, a) && b != a));
                }
            }
        }

        #[test]
        fn numbers_are_those_that_were_put(numbers in prop::collection::vec(0..1_usize << 28, 0..10), cut in 1..4_usize) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| put(&mut bytes, number as u64));
            prop_assert_eq!(Numbers(&bytes).collect::<Vec<_>>(), numbers);
            let mut cut_off = Numbers(&[0xff, 0xff, 0xff, 0xff][..cut]);
            prop_assert_eq!((cut_off.next(), cut_off.0.len()), (None, cut));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |n_words: usize, section: &[u8], expected: &str| {
            let error = Graph::unpack(Reader::new("r.resay", "ppdb", section), n_words, false).unwrap_err().to_string();
            assert_eq!(error, format!("r.resay: section 'ppdb': {expected}: the model is damaged"));
        };
        check(3, &[2, 0, 0, 0], "pairs of 2 words, but there are 3");
        check(2, &[2, 1, 2, 1, 0, 1, 1], "a partner of word 0 is 2, of 2 words");
        check(2, &[2, 1, 2, 1, 1, 1, 0], "a partner of word 1 is 2, of 2 words");
        check(2, &[2, 1, 2, 1, 2, 1, 0], "1 partners of word 2, of 2 words");
        check(2, &[2, 1, 2, 1, 0, 2, 0], "2 partners of word 0, of 2 words");
        check(2, &[2, 1, 2, 1, 0, 1, 0, 0], "1 bytes too many");
        check(2, &[2, 1, 1, 1, 0, 0], "0 pairs, expected 1");
        check(2, &[2, 0, 2, 1, 0, 0, 0], "numbers without a pair");
        check(2, &[2, 9, 0, 0], "a list of 9 entries in 2 bytes");
        assert!(pack(2, &mut [(1, 0, 0)], false).is_err());
        assert!(pack(2, &mut [(0, 2, 0)], false).is_err());
        assert!(pack(2, &mut [(0, 1, 0), (0, 1, 9)], false).is_err());
    }
}
