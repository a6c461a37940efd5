//! kb-SRK: patterns of length k whose wildcards are linked one to one, each linked pair standing for one symbol.
//!
//! The feature map is small and explicit: for every k-gram pair of (source, target), every partial matching between
//! places that hold equal symbols is one rule, those places being its linked wildcards. The empty matching gives the
//! literal rules, an outer product of spectra; only the others are listed. Most k-gram pairs share no symbol, so they
//! are found by bit rows: bit `j` of `equal[i]` says that source symbol `i` is target symbol `j`.

use crate::kernel::features::{FeatureMap, Features};
use crate::kernel::index::{ExplicitIndex, Index};
use crate::kernel::{Item, Kernel, PatternIds, sequence};
use crate::text::Pair;
use crate::{Error, Result};

/// kb-SRK at one k.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bijective {
    pub(crate) k: usize,
    pub(crate) lambda: f64,
}

/// More matchings than this in one pair are refused: only long runs of one symbol, or texts that are no sentences,
/// have so many, and they would take seconds and gigabytes.
const MAX_MATCHINGS: usize = 1 << 22;

/// Which source symbol equals which target symbol.
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

    /// Bit `b` says whether source symbol `i` is target symbol `j + b`; `b` below 32.
    fn window(&self, i: usize, j: usize) -> u32 {
        let row = &self.bits[i * self.n_words..];
        let (word, shift) = (j / 64, j % 64);
        let low = row[word] >> shift;
        let high = if shift == 0 { 0 } else { row[word + 1] << (64 - shift) };
        (low | high) as u32
    }
}

/// One k-gram pair being matched: the two patterns so far, and the wildcards used.
struct Matching<'a> {
    source: &'a mut [Item],
    target: &'a mut [Item],
    /// For each source place, the target places that hold the same symbol.
    equal: &'a [u32],
    rules: &'a mut Vec<(u32, u32, u32)>,
    patterns: &'a mut dyn PatternIds,
}

impl Matching<'_> {
    /// Decides source places from `place` on; `used` are the target places taken, `n_links` how many.
    fn extend(&mut self, place: usize, used: u32, n_links: usize) {
        let Some(next) = (place..self.equal.len()).find(|&next| self.equal[next] & !used != 0) else {
            if n_links > 0 {
                let source = self.patterns.id(self.source);
                let target = self.patterns.id(self.target);
                self.rules.push((source, target, n_links as u32));
            }
            return;
        };
        self.extend(next + 1, used, n_links);
        let mut free = self.equal[next] & !used;
        let kept = self.source[next];
        while free != 0 && self.rules.len() <= MAX_MATCHINGS {
            let partner = free.trailing_zeros() as usize;
            free &= free - 1;
            self.source[next] = Item::linked(n_links);
            self.target[partner] = Item::linked(n_links);
            self.extend(next + 1, used | 1 << partner, n_links + 1);
            self.target[partner] = kept;
        }
        self.source[next] = kept;
    }
}

impl Bijective {
    fn linked(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        let k = self.k;
        let (source, target) = (&pair.source.units, &pair.target.units);
        if source.len() < k || target.len() < k {
            return Ok(());
        }
        let equal = Equal::new(source, target);
        let mask = ((1_u64 << k) - 1) as u32;
        let (mut source_items, mut target_items) = (vec![Item::ANY; k], vec![Item::ANY; k]);
        let mut window = vec![0; k];
        let mut rules = Vec::new();
        for i in 0..=source.len() - k {
            for j in 0..=target.len() - k {
                let mut any = 0;
                for (place, bits) in window.iter_mut().enumerate() {
                    *bits = equal.window(i + place, j) & mask;
                    any |= *bits;
                }
                if any == 0 {
                    continue;
                }
                for place in 0..k {
                    source_items[place] = Item::symbol(source[i + place]);
                    target_items[place] = Item::symbol(target[j + place]);
                }
                Matching {
                    source: &mut source_items,
                    target: &mut target_items,
                    equal: &window,
                    rules: &mut rules,
                    patterns,
                }
                .extend(0, 0, 0);
                if rules.len() > MAX_MATCHINGS {
                    return Err(Error::data(format!(
                        "a pair of {} and {} symbols has more than {MAX_MATCHINGS} re-writing rules at k={k}: \
                         use a smaller k or shorter texts",
                        source.len(),
                        target.len()
                    )));
                }
            }
        }
        rules.sort_unstable();
        for run in rules.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (source, target, n_links) = run[0];
            features.extra.push((source, target, run.len() as f64 * self.lambda.powi(n_links as i32)));
        }
        Ok(())
    }
}

impl FeatureMap for Bijective {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        sequence::spectrum(self.k, &pair.source.units, patterns, &mut features.source);
        sequence::spectrum(self.k, &pair.target.units, patterns, &mut features.target);
        self.linked(pair, patterns, features)
    }

    fn is_listable(&self) -> bool {
        true
    }
}

impl Kernel for Bijective {
    fn describe(&self) -> String {
        format!("kb(k={},lambda={})", self.k, self.lambda)
    }

    fn index(&self, columns: &[Pair]) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(*self, columns)?))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}
