//! `spectrum`, `wildcard` and `ngram`: strings of one length.
//!
//! - `spectrum(k)`: every string of k symbols, with its number of occurrences (Leslie et al. 2002).
//! - `wildcard(k, m, lambda)`: every string of k symbols of which up to m are wildcards, with its
//!   number of matches times lambda to the number of wildcards (Leslie et al. 2004).
//! - `ngram(k, min, weight)`: the strings ux of k symbols that occur at least `min` times in the
//!   corpus, as Fisher features of the Markov model of k stages (Saunders et al. 2002, Section 2).
//!   The value is the number of occurrences times the weight (`weight.rs`) of the probability p(x |
//!   u) = (f(ux) + c) / (|A| c + sum over x' of f(ux')). The paper does not smooth these
//!   probabilities; c = 0 unless `smoothing` says otherwise.
//!
//! In the first two kernels every string is a feature, whether it occurs in the corpus or not, and
//! lengthens the vector of a text. In the last one only the strings frequent in the corpus are
//! features.

use super::alphabet::Alphabet;
use super::weight::Weight;
use super::{StringFeatures, StringKernel, check_at, tally};
use crate::Result;
use crate::kernel::sequence;
use crate::kernel::{Item, Learned, PatternIds, PatternOverlay, PatternTable};
use resay_learn::progress::Progress;
use resay_text::Symbol;
use std::ops::Range;
use std::sync::Arc;

/// The set of strings that are features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Spectrum,
    Wildcard { most: usize, lambda: f64 },
    Ngram { min: usize, weight: Weight, smoothing: f64 },
}

/// The kernel at one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grams {
    pub(super) k: usize,
    pub(super) kind: Kind,
}

/// The strings of a corpus.
#[derive(Debug)]
struct Listed {
    recipe: Grams,
    table: PatternTable,
    /// For `ngram`, one per string.
    chances: Vec<Chance>,
    weights: Vec<f64>,
    /// The number of symbols in the corpus.
    n_symbols: u32,
}

/// The counts behind the probability of the last symbol of a string.
#[derive(Clone, Copy, Debug)]
struct Chance {
    /// How often the string occurs.
    count: u32,
    /// How often its prefix occurs, followed by any symbol.
    total: u32,
}

impl Grams {
    /// Fills `out` with the strings of a text and their values, for the kinds where every string is
    /// a feature.
    fn extract(self, text: &[Symbol], patterns: &mut dyn PatternIds, out: &mut Vec<(u32, f64)>) {
        match self.kind {
            Kind::Wildcard { most, lambda } => sequence::wildcard(self.k, most, lambda, text, patterns, out),
            Kind::Spectrum | Kind::Ngram { .. } => sequence::spectrum(self.k, text, patterns, out),
        }
    }

    /// Returns the strings with at least `min` occurrences, and the counts behind their
    /// probabilities.
    fn frequent(self, corpus: &[&[Symbol]], min: usize, progress: Progress<'_>) -> Result<(PatternTable, Vec<Chance>)> {
        let (mut all, mut beginnings) = (PatternTable::default(), PatternTable::default());
        let (mut counts, mut totals, mut beginning_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut items = Vec::with_capacity(self.k);
        for (at, gram) in corpus.iter().flat_map(|text| text.windows(self.k)).enumerate() {
            check_at(at, progress)?;
            items.clear();
            items.extend(gram.iter().map(|&symbol| Item::symbol(symbol)));
            let id = all.id(&items) as usize;
            if id == counts.len() {
                let beginning = beginnings.id(&items[..self.k - 1]);
                totals.resize(beginnings.len(), 0_u32);
                counts.push(0_u32);
                beginning_of.push(beginning);
            }
            counts[id] += 1;
            totals[beginning_of[id] as usize] += 1;
        }
        let (mut table, mut chances) = (PatternTable::default(), Vec::new());
        for (id, count) in counts.into_iter().enumerate().filter(|(_, count)| *count as usize >= min) {
            check_at(chances.len(), progress)?;
            table.id(all.pattern(id as u32));
            chances.push(Chance { count, total: totals[beginning_of[id] as usize] });
        }
        Ok((table, chances))
    }
}

impl StringKernel for Grams {
    fn describe(&self) -> String {
        let k = self.k;
        match self.kind {
            Kind::Spectrum => format!("spectrum(k={k})"),
            Kind::Wildcard { most, lambda } => format!("wildcard(k={k},m={most},lambda={lambda})"),
            Kind::Ngram { min, weight, smoothing } => {
                format!("ngram(k={k},min={min},weight={},smoothing={smoothing})", weight.name())
            }
        }
    }

    fn learns(&self) -> bool {
        matches!(self.kind, Kind::Ngram { .. })
    }

    fn list(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Arc<dyn StringFeatures>> {
        let n_symbols = Alphabet::of(corpus).len() as u32;
        let (table, chances) = match self.kind {
            Kind::Ngram { min, .. } => self.frequent(corpus, min, progress)?,
            Kind::Spectrum | Kind::Wildcard { .. } => {
                let (mut table, mut out) = (PatternTable::default(), Vec::new());
                for text in corpus {
                    progress.check()?;
                    self.extract(text, &mut table, &mut out);
                }
                (table, Vec::new())
            }
        };
        Ok(Arc::new(Listed::new(*self, table, chances, n_symbols)))
    }

    fn restore(&self, learned: &Learned) -> Option<Arc<dyn StringFeatures>> {
        let alphabet = Alphabet::new(learned.symbols.clone())?;
        let (&n_symbols, numbers) = learned.numbers.split_first()?;
        let with_chance = self.learns();
        let strings = numbers.chunks_exact(self.k + if with_chance { 2 } else { 0 });
        if !strings.remainder().is_empty() || (n_symbols as usize) < alphabet.len() {
            return None;
        }
        let (mut table, mut chances, mut items) = (PatternTable::default(), Vec::new(), Vec::new());
        for (id, string) in strings.enumerate() {
            items.clear();
            for &number in &string[..self.k] {
                items.push(match number.checked_sub(1) {
                    None => Item::ANY,
                    Some(number) => Item::symbol(*alphabet.symbols().get(number as usize)?),
                });
            }
            let &[count, total] = &string[self.k..] else {
                if table.id(&items) as usize != id {
                    return None;
                }
                continue;
            };
            if table.id(&items) as usize != id || count == 0 || count > total || items.contains(&Item::ANY) {
                return None;
            }
            chances.push(Chance { count, total });
        }
        Some(Arc::new(Listed::new(*self, table, chances, n_symbols)))
    }
}

impl Listed {
    fn new(recipe: Grams, table: PatternTable, chances: Vec<Chance>, n_symbols: u32) -> Self {
        let weight = |chance: &Chance| match recipe.kind {
            Kind::Ngram { weight, smoothing, .. } => {
                let all = f64::from(n_symbols) * smoothing + f64::from(chance.total);
                weight.of((f64::from(chance.count) + smoothing) / all)
            }
            Kind::Spectrum | Kind::Wildcard { .. } => 1.0,
        };
        let weights = chances.iter().map(weight).collect();
        Self { recipe, table, chances, weights, n_symbols }
    }

    /// Visits the id and the start of every n-gram of a text that is a feature.
    fn known(&self, text: &[Symbol], mut visit: impl FnMut(u32, usize)) {
        let mut items = Vec::with_capacity(self.recipe.k);
        for (start, gram) in text.windows(self.recipe.k).enumerate() {
            items.clear();
            items.extend(gram.iter().map(|&symbol| Item::symbol(symbol)));
            if let Some(id) = self.table.get(&items) {
                visit(id, start);
            }
        }
    }
}

impl StringFeatures for Listed {
    fn n_features(&self) -> usize {
        self.table.len()
    }

    fn extract(&self, text: &[Symbol], out: &mut Vec<(u32, f64)>) -> f64 {
        if self.recipe.learns() {
            out.clear();
            let mut found = Vec::with_capacity(text.len());
            self.known(text, |id, _| found.push(id));
            tally(&mut found, |id, n| out.push((id, n * self.weights[id as usize])));
            return 0.0;
        }
        self.recipe.extract(text, &mut PatternOverlay::new(&self.table), out);
        let n_known = out.partition_point(|(id, _)| (*id as usize) < self.table.len());
        let unlisted = out[n_known..].iter().map(|(_, value)| value * value).sum();
        out.truncate(n_known);
        unlisted
    }

    fn occurrences(&self, text: &[Symbol], found: &mut dyn FnMut(u32, Range<usize>)) {
        let k = self.recipe.k;
        if self.recipe.learns() {
            return self.known(text, |id, start| found(id, start..start + k));
        }
        let mut strings = Vec::new();
        for (start, gram) in text.windows(k).enumerate() {
            self.recipe.extract(gram, &mut PatternOverlay::new(&self.table), &mut strings);
            let known = strings.iter().filter(|(id, _)| (*id as usize) < self.table.len());
            known.for_each(|(id, _)| found(*id, start..start + k));
        }
    }

    fn string(&self, feature: u32) -> Vec<Item> {
        self.table.pattern(feature).to_vec()
    }

    fn learned(&self) -> Learned {
        let patterns = || (0..self.table.len() as u32).map(|id| self.table.pattern(id));
        let used: Vec<Symbol> = patterns().flatten().filter_map(|item| item.as_symbol()).collect();
        let alphabet = Alphabet::of(&[&used]);
        let mut numbers = vec![self.n_symbols];
        for (id, pattern) in patterns().enumerate() {
            let number = |item: &Item| item.as_symbol().and_then(|symbol| alphabet.number(symbol)).map_or(0, |n| n + 1);
            numbers.extend(pattern.iter().map(number));
            numbers.extend(self.chances.get(id).into_iter().flat_map(|chance| [chance.count, chance.total]));
        }
        Learned { symbols: alphabet.symbols().to_vec(), numbers }
    }
}
