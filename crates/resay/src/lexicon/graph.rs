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
pub(super) fn pack(n_words: usize, pairs: &mut [(u32, u32, u8)], is_weighted: bool) -> Result<Vec<u8>> {
    pairs.sort_unstable();
    let is_fine = pairs.iter().all(|&(a, b, _)| a < b && (b as usize) < n_words);
    if !is_fine || !pairs.is_sorted_by(|x, y| (x.0, x.1) < (y.0, y.1)) {
        return Err(Error::data("pairs of words must name the lower word first, and no pair twice"));
    }
    let mut section = Vec::new();
    put(&mut section, n_words as u64);
    let mut gaps = Vec::new();
    let mut rest: &[(u32, u32, u8)] = pairs;
    for word in 0..n_words as u32 {
        let (own, after) = rest.split_at(rest.partition_point(|pair| pair.0 == word));
        rest = after;
        put(&mut section, own.len() as u64);
        let mut before = word;
        for &(_, partner, _) in own {
            put(&mut gaps, u64::from(partner - before - 1));
            before = partner;
        }
    }
    section.extend(gaps);
    if is_weighted {
        section.extend(pairs.iter().map(|pair| pair.2));
    }
    Ok(section)
}

impl Graph {
    /// Opens a section over a vocabulary of `n_words`.
    pub(super) fn unpack(mut reader: Reader<'_>, n_words: usize, is_weighted: bool) -> Result<Self> {
        let n_said = reader.number()?;
        if n_said != n_words as u64 {
            return reader.fail(format_args!("pairs of {n_said} words, but there are {n_words}"));
        }
        let mut counts = Vec::with_capacity(n_words);
        let mut n_pairs = 0_usize;
        for _ in 0..n_words {
            // Every pair takes a byte that is still to come.
            let count = reader.count(1)?;
            counts.push(count as u32);
            n_pairs += count;
        }
        if n_pairs > u32::MAX as usize / 2 {
            return reader.fail(format_args!("{n_pairs} pairs"));
        }
        // The higher word of each pair, and how many partners each word has.
        let mut higher = Vec::new();
        let mut starts = vec![0_u32; n_words + 1];
        for (word, &count) in counts.iter().enumerate() {
            starts[word + 1] += count;
            let mut before = word;
            for _ in 0..count {
                let partner = before + 1 + reader.below(n_words - before - 1, "a gap of")? as usize;
                starts[partner + 1] += 1;
                higher.push(partner as u32);
                before = partner;
            }
        }
        let pair_weights = if is_weighted { reader.bytes(n_pairs)? } else { &[] };
        reader.end()?;
        for word in 0..n_words {
            starts[word + 1] += starts[word];
        }
        // Each pair stands in two lists; `next[word]` is the first free place in the word's.
        let mut next = starts[..n_words].to_vec();
        let mut place = |word: usize| {
            next[word] += 1;
            next[word] as usize - 1
        };
        let mut partners = vec![0; 2 * n_pairs];
        let mut weights = vec![0; 2 * pair_weights.len()];
        let mut pair = 0;
        for (word, &count) in counts.iter().enumerate() {
            for _ in 0..count {
                let partner = higher[pair];
                let places = [place(word), place(partner as usize)];
                partners[places[0]] = partner;
                partners[places[1]] = word as u32;
                if let Some(&weight) = pair_weights.get(pair) {
                    weights[places[0]] = weight;
                    weights[places[1]] = weight;
                }
                pair += 1;
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
            counts in prop::collection::vec(0..3_u8, N_WORDS as usize),
            rest in prop::collection::vec(0..6_u8, 0..30),
            is_weighted in any::<bool>(),
        ) {
            let section: Vec<u8> = [N_WORDS as u8].into_iter().chain(counts).chain(rest).collect();
            if let Ok(graph) = open(&section, is_weighted) {
                for a in 0..N_WORDS {
                    prop_assert!(graph.partners(a).is_sorted_by(|a, b| a < b));
                    prop_assert!(graph.partners(a).iter().all(|&b| graph.contains(b, a) && b != a));
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |n_words: usize, section: &[u8], expected: &str| {
            let error = Graph::unpack(Reader::new("r.resay", "ppdb", section), n_words, false).unwrap_err().to_string();
            assert_eq!(error, format!("r.resay: section 'ppdb': {expected}: the model is damaged"));
        };
        check(3, &[2, 0, 0], "pairs of 2 words, but there are 3");
        check(2, &[2, 1, 0, 1], "a gap of 1, expected one below 1");
        check(2, &[2, 0, 1, 0], "a gap of 0, expected one below 0");
        check(2, &[2, 1, 0, 0, 0], "1 bytes too many");
        check(2, &[2, 3, 0, 0], "a list of 3 entries in 2 bytes");
        assert!(pack(2, &mut [(1, 0, 0)], false).is_err());
        assert!(pack(2, &mut [(0, 2, 0)], false).is_err());
        assert!(pack(2, &mut [(0, 1, 0), (0, 1, 9)], false).is_err());
    }
}
