//! The rules of one pair under typed relations: for every k-gram pair, every partial matching of
//! words that a variable type links.
//!
//! The source pattern of a rule holds words, and wildcards with the set of variable types that link
//! them to their partners. The target pattern holds words, and the numbers of the source's
//! wildcards. So a rule is a pair of patterns. Whether two rules of two pairs match is decided on
//! each side separately, position by position.

use crate::kernel::{Item, MAX_K};
use crate::{Error, Result};
use rustc_hash::FxHashMap;

/// A pair as typed kernels see it: words as numbers, and the types of every link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedPair {
    /// The words of the source.
    pub source: Vec<u32>,
    /// The words of the target.
    pub target: Vec<u32>,
    /// `links[i * target.len() + j]`: the variable types, as bits, that lead from source word i to
    /// target word j.
    pub links: Vec<u64>,
}

/// Largest number of matchings per pair; pairs with more are refused, as in kb-SRK.
const MAX_MATCHINGS: usize = 1 << 22;
/// Largest number of position pairs; pairs with more are refused.
const MAX_WINDOWS: usize = 1 << 24;

/// Ids of sets of types, from 0 in order of first appearance.
#[derive(Clone, Debug, Default)]
pub(super) struct TypeSets {
    sets: Vec<u64>,
    numbers: FxHashMap<u64, u32>,
}

impl TypeSets {
    pub(super) fn number(&mut self, set: u64) -> u32 {
        *self.numbers.entry(set).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        })
    }

    pub(super) fn get(&self, number: u32) -> u64 {
        self.sets.get(number as usize).copied().unwrap_or(0)
    }
}

/// Receives the source items and the target items of each matching.
pub(super) trait TakeRule {
    fn take(&mut self, source: &[Item], target: &[Item]);
}

/// Refuses pairs with too many positions to enumerate.
pub(super) fn check_size(k: usize, n: usize, m: usize) -> Result<()> {
    if n.saturating_mul(m) > MAX_WINDOWS { Err(too_many(k, n, m)) } else { Ok(()) }
}

fn too_many(k: usize, n: usize, m: usize) -> Error {
    Error::data(format!(
        "a pair of {n} and {m} words has more than {MAX_MATCHINGS} typed re-writing rules at k={k}: \
         use a smaller k, fewer variable types or shorter texts"
    ))
}

/// Enumerates all matchings with at least one link, numbering sets of types in `sets`.
pub(super) fn for_each_rule(k: usize, pair: &TypedPair, sets: &mut TypeSets, rules: &mut impl TakeRule) -> Result<()> {
    let (n, m) = (pair.source.len(), pair.target.len());
    if n < k || m < k {
        return Ok(());
    }
    check_size(k, n, m)?;
    let numbers: Vec<u32> = pair.links.iter().map(|&set| if set == 0 { NO_LINK } else { sets.number(set) }).collect();
    if sets.sets.len() > Item::MAX_SET as usize {
        return Err(Error::data("more than a million different sets of variable types: use fewer types"));
    }
    let mut matching = Matching {
        k,
        numbers: &numbers,
        m,
        starts: (0, 0),
        source: [Item::ANY; MAX_K],
        target: [Item::ANY; MAX_K],
        n_matchings: 0,
        rules,
    };
    for i in 0..=n - k {
        // Skip target k-grams without any link to these k source words.
        let has_link = |j: usize| (i..i + k).any(|i| numbers[i * m + j] != NO_LINK);
        let linked: Vec<bool> = (0..m).map(has_link).collect();
        for j in 0..=m - k {
            if !linked[j..j + k].contains(&true) {
                continue;
            }
            matching.starts = (i, j);
            for place in 0..k {
                matching.source[place] = Item::symbol(pair.source[i + place]);
                matching.target[place] = Item::symbol(pair.target[j + place]);
            }
            matching.extend(0, 0, 0);
            if matching.n_matchings > MAX_MATCHINGS {
                return Err(too_many(k, n, m));
            }
        }
    }
    Ok(())
}

const NO_LINK: u32 = u32::MAX;

struct Matching<'a, R> {
    k: usize,
    numbers: &'a [u32],
    m: usize,
    starts: (usize, usize),
    source: [Item; MAX_K],
    target: [Item; MAX_K],
    n_matchings: usize,
    rules: &'a mut R,
}

impl<R: TakeRule> Matching<'_, R> {
    /// Decides the source positions from `place` on; `taken` holds the target positions already
    /// linked.
    fn extend(&mut self, place: usize, taken: u32, n_links: usize) {
        if place == self.k {
            if n_links > 0 {
                self.n_matchings += 1;
                self.rules.take(&self.source[..self.k], &self.target[..self.k]);
            }
            return;
        }
        self.extend(place + 1, taken, n_links);
        let row = (self.starts.0 + place) * self.m + self.starts.1;
        for partner in 0..self.k {
            let set = self.numbers[row + partner];
            if set == NO_LINK || taken >> partner & 1 == 1 || self.n_matchings > MAX_MATCHINGS {
                continue;
            }
            let (source, target) = (self.source[place], self.target[partner]);
            self.source[place] = Item::typed(n_links, set);
            self.target[partner] = Item::linked(n_links);
            self.extend(place + 1, taken | 1 << partner, n_links + 1);
            (self.source[place], self.target[partner]) = (source, target);
        }
    }
}
