//! kb-SRK: patterns of length k whose wildcards are linked one to one. Each linked pair stands for
//! one symbol.
//!
//! The feature map is small and explicit. For every k-gram pair of (source, target), every partial
//! matching between positions with equal symbols is one rule, and those positions are its linked
//! wildcards. The empty matching gives the literal rules, an outer product of spectra; only the
//! others are listed. Most k-gram pairs share no symbol, so bit rows find those that do: bit `j` of
//! `equal[i]` says that source symbol `i` equals target symbol `j`.

use super::masked::Masked;
use crate::kernel::features::{FeatureMap, Features};
use crate::kernel::index::{ExplicitIndex, Index};
use crate::kernel::pattern::UNTOLD;
use crate::kernel::{Kernel, MAX_K, PatternIds};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::Pair;

/// kb-SRK at one k.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bijective {
    pub(crate) k: usize,
    pub(crate) lambda: f64,
}

/// Largest number of matchings per pair; pairs with more are refused. Only long runs of one symbol,
/// or texts that are not sentences, have so many, and they would take seconds and gigabytes.
const MAX_MATCHINGS: usize = 1 << 22;

/// Largest number of position pairs (8,000 symbols on each side); pairs with more are refused.
const MAX_WINDOWS: usize = 1 << 26;

/// A bit matrix: which source symbol equals which target symbol.
struct Equal {
    n_words: usize,
    bits: Vec<u64>,
}

impl Equal {
    fn new(source: &[u32], target: &[u32]) -> Self {
        // One word more than needed, so that a window may read past the last symbol.
        let n_words = target.len() / 64 + 2;
        let mut bits = vec![0; source.len() * n_words];
        for (row, &symbol) in bits.chunks_exact_mut(n_words).zip(source) {
            for (j, &other) in target.iter().enumerate() {
                row[j / 64] |= u64::from(symbol == other) << (j % 64);
            }
        }
        Self { n_words, bits }
    }

    /// Bit `j` says whether source symbol `i` equals target symbol `j`.
    fn row(&self, i: usize) -> &[u64] {
        &self.bits[i * self.n_words..(i + 1) * self.n_words]
    }

    /// Bit `j` says whether one of the `k` source symbols from `i` on equals target symbol `j`.
    fn any(&self, i: usize, k: usize, any: &mut [u64]) {
        any.copy_from_slice(self.row(i));
        for row in (i + 1..i + k).map(|i| self.row(i)) {
            any.iter_mut().zip(row).for_each(|(any, bits)| *any |= bits);
        }
    }
}

/// Returns the 32 bits of a row from bit `j` on.
fn window(row: &[u64], j: usize) -> u32 {
    let (word, shift) = (j / 64, j % 64);
    let low = row[word] >> shift;
    let high = if shift == 0 { 0 } else { row[word + 1] << (64 - shift) };
    (low | high) as u32
}

/// Enumerates all matchings of one pair.
struct Matching<'a> {
    source: Masked<'a>,
    target: Masked<'a>,
    /// Where the current two k-grams start.
    starts: (usize, usize),
    /// For each source position, the target positions with the same symbol.
    equal: [u32; MAX_K],
    /// The target positions linked so far, in source order.
    partners: [usize; MAX_K],
    /// Source pattern, target pattern and number of links of every matching, packed so that they
    /// sort fast.
    rules: Vec<u64>,
    n_matchings: usize,
    /// `unlisted[n]`: the number of matchings with n links that are not in `rules`.
    unlisted: [usize; MAX_K + 1],
    /// Whether a pattern id was too large to pack.
    overflow: bool,
    patterns: &'a mut dyn PatternIds,
}

impl Matching<'_> {
    /// Decides the source positions from `place` on; the masks hold the positions linked so far.
    fn extend(&mut self, place: usize, source_mask: u32, target_mask: u32, n_links: usize) {
        let k = self.source.k;
        let Some(next) = (place..k).find(|&next| self.equal[next] & !target_mask != 0) else {
            if n_links > 0 {
                self.n_matchings += 1;
                // If each side has a symbol that occurs nowhere else, the rule matches only here.
                // If one of its patterns is also missing from the table, it can equal no known
                // rule. Only its length counts then.
                let is_single = self.source.marks[self.starts.0].once & !source_mask != 0
                    && self.target.marks[self.starts.1].once & !target_mask != 0;
                let source = self.source.id(self.starts.0, source_mask, self.patterns);
                if is_single && source >= UNTOLD {
                    self.unlisted[n_links] += 1;
                    return;
                }
                let partners = &self.partners[..n_links];
                let target = if partners.is_sorted() {
                    self.target.id(self.starts.1, target_mask, self.patterns)
                } else {
                    self.target.reordered_id(self.starts.1, partners, self.patterns)
                };
                if is_single && target >= UNTOLD {
                    self.unlisted[n_links] += 1;
                    return;
                }
                self.overflow |= source.max(target) > MAX_PATTERN;
                self.rules.push(pack(source, target, n_links));
            }
            return;
        };
        self.extend(next + 1, source_mask, target_mask, n_links);
        let mut free = self.equal[next] & !target_mask;
        while free != 0 && self.n_matchings <= MAX_MATCHINGS {
            let partner = free.trailing_zeros() as usize;
            free &= free - 1;
            self.partners[n_links] = partner;
            self.extend(next + 1, source_mask | 1 << next, target_mask | 1 << partner, n_links + 1);
        }
    }
}

/// Packs patterns up to MAX_PATTERN and links below 2^4. Sorts by (source, target).
fn pack(source: u32, target: u32, n_links: usize) -> u64 {
    u64::from(source) << 34 | u64::from(target) << 4 | n_links as u64
}

/// Reverses [`pack`].
fn unpack(rule: u64) -> (u32, u32, usize) {
    ((rule >> 34) as u32, (rule >> 4) as u32 & MAX_PATTERN, (rule & 15) as usize)
}

/// The largest pattern id that can be packed.
const MAX_PATTERN: u32 = (1 << 30) - 1;

impl Bijective {
    fn fill(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        let k = self.k;
        let (source, target) = (&pair.source.units, &pair.target.units);
        if source.len() < k || target.len() < k {
            return Ok(()); // A rule needs both sides.
        }
        let too_many = || {
            Error::data(format!(
                "a pair of {} and {} symbols has more than {MAX_MATCHINGS} re-writing rules at k={k}: \
                 use a smaller k or shorter texts",
                source.len(),
                target.len()
            ))
        };
        if source.len().saturating_mul(target.len()) > MAX_WINDOWS {
            return Err(too_many());
        }
        let equal = Equal::new(source, target);
        let mask = ((1_u64 << k) - 1) as u32;
        let n_symbols = patterns.n_symbols();
        let mut source_patterns = Masked::new(k, source, n_symbols);
        let mut target_patterns = Masked::new(k, target, n_symbols);
        source_patterns.spectrum(patterns, &mut features.source);
        target_patterns.spectrum(patterns, &mut features.target);
        let mut matching = Matching {
            source: source_patterns,
            target: target_patterns,
            starts: (0, 0),
            equal: [0; MAX_K],
            partners: [0; MAX_K],
            rules: Vec::with_capacity(64 * k),
            n_matchings: 0,
            unlisted: [0; MAX_K + 1],
            overflow: false,
            patterns,
        };
        let mut any = vec![0; equal.n_words];
        for i in 0..=source.len() - k {
            equal.any(i, k, &mut any);
            for j in 0..=target.len() - k {
                if window(&any, j) & mask == 0 {
                    continue;
                }
                for (place, bits) in matching.equal[..k].iter_mut().enumerate() {
                    *bits = window(equal.row(i + place), j) & mask;
                }
                matching.starts = (i, j);
                matching.extend(0, 0, 0, 0);
                if matching.n_matchings > MAX_MATCHINGS {
                    return Err(too_many());
                }
            }
        }
        let Matching { mut rules, unlisted, overflow, .. } = matching;
        rules.sort_unstable();
        if overflow {
            return Err(Error::data("more than 2^30 different patterns: use fewer pairs or a smaller k"));
        }
        let powers: [f64; MAX_K + 1] = std::array::from_fn(|n_links| self.lambda.powi(n_links as i32));
        features.unlisted = unlisted.iter().zip(powers).map(|(&count, power)| count as f64 * power * power).sum();
        features.extra.reserve(rules.len());
        for run in rules.chunk_by(|a, b| a == b) {
            let (source, target, n_links) = unpack(run[0]);
            features.extra.push((source, target, run.len() as f64 * powers[n_links]));
        }
        Ok(())
    }
}

impl FeatureMap for Bijective {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        self.fill(pair, patterns, features)
    }

    fn is_listable(&self) -> bool {
        true
    }
}

impl Kernel for Bijective {
    fn describe(&self) -> String {
        format!("kb(k={},lambda={})", self.k, self.lambda)
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(*self, columns, progress)?))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}
