//! Sums of kernels, normalised.
//!
//! For the normalised terms K_1 .. K_n of an expression,
//!
//!   K(x, y) = sum_t K_t(x, y) / sqrt(K_t(x, x) K_t(y, y)), itself divided by sqrt(K(x, x) K(y, y)).
//!
//! A term of which a pair has no rule at all (a sentence shorter than k) contributes 0 instead of 0/0, so that K(x, x)
//! before the last division is the number of terms that x does have. Other terms are added after that: normalised by
//! themselves only, or as they are. Both steps are one scale for each pair and term, which is also what a linear
//! machine's features are multiplied with.

use super::features::{FeatureMap, Features, extract_all};
use super::{Expression, Gram, Index, PatternIds, PatternTable, Scaling};
use crate::Result;
use crate::text::Pair;
use rayon::prelude::*;

/// What to multiply each term's features of one pair with, given the terms' kernels of the pair with itself.
fn scales(scalings: &[Scaling], self_values: &[f64]) -> Vec<f64> {
    let terms = || scalings.iter().zip(self_values);
    let n_live = terms().filter(|(scaling, value)| **scaling == Scaling::Whole && **value > 0.0).count() as f64;
    terms()
        .map(|(scaling, &self_value)| match scaling {
            Scaling::Plain => 1.0,
            Scaling::Whole | Scaling::Part if self_value <= 0.0 => 0.0,
            Scaling::Whole => (self_value * n_live).sqrt().recip(),
            Scaling::Part => self_value.sqrt().recip(),
        })
        .collect()
}

/// A pair's features under every term of an expression, with the scale of each term.
#[derive(Clone, Debug, Default)]
pub struct PairFeatures {
    /// One a term.
    pub terms: Vec<Features>,
    /// What each term's values are multiplied with.
    pub scales: Vec<f64>,
}

/// An expression whose every term has a feature map, so that pairs become vectors.
#[derive(Clone, Copy, Debug)]
pub struct Mapped<'a>(&'a Expression);

impl<'a> Mapped<'a> {
    /// None if some term has no feature map.
    pub fn new(expression: &'a Expression) -> Option<Self> {
        expression.terms().iter().all(|term| term.features().is_some()).then_some(Self(expression))
    }

    /// Fills `out` with the features of `pair`; `patterns` has one table a term.
    pub fn extract<P: PatternIds>(&self, pair: &Pair, patterns: &mut [P], out: &mut PairFeatures) -> Result<()> {
        out.terms.resize_with(self.0.terms().len(), Features::default);
        for ((term, patterns), features) in self.0.terms().iter().zip(patterns).zip(&mut out.terms) {
            if let Some(map) = term.features() {
                map.extract(pair, patterns, features)?;
            }
        }
        let self_values: Vec<f64> = out.terms.iter().map(Features::squared_length).collect();
        out.scales = scales(&self.0.scalings(), &self_values);
        Ok(())
    }

    /// All pairs' features under each term, with the term's table of patterns.
    pub fn extract_by_term(&self, pairs: &[Pair]) -> Result<Vec<(PatternTable, Vec<Features>)>> {
        let maps: Vec<&dyn FeatureMap> = self.0.terms().iter().filter_map(|term| term.features()).collect();
        maps.into_par_iter().with_max_len(1).map(|map| extract_all(map, pairs)).collect()
    }

    /// The scale of each term and pair (`[term][pair]`), given the features in the same order.
    pub fn scales(&self, features: &[Vec<Features>]) -> Vec<Vec<f64>> {
        let scalings = self.0.scalings();
        let n_pairs = features.first().map_or(0, Vec::len);
        let mut all = vec![Vec::with_capacity(n_pairs); features.len()];
        for pair in 0..n_pairs {
            let self_values: Vec<f64> = features.iter().map(|term| term[pair].squared_length()).collect();
            all.iter_mut().zip(scales(&scalings, &self_values)).for_each(|(term, scale)| term.push(scale));
        }
        all
    }
}

/// An expression bound to the pairs that others will be compared with.
pub struct Bound {
    scalings: Vec<Scaling>,
    indexes: Vec<Box<dyn Index>>,
    /// `scales[column][term]`.
    scales: Vec<Vec<f64>>,
}

impl Bound {
    /// Binds every term.
    pub fn new(expression: &Expression, columns: &[Pair]) -> Result<Self> {
        expression.terms().iter().for_each(|term| term.prepare(columns));
        let indexes =
            expression.terms().par_iter().map(|term| term.index(columns)).collect::<Result<Vec<Box<dyn Index>>>>()?;
        let scalings = expression.scalings();
        let scales = (0..columns.len())
            .map(|column| {
                let self_values: Vec<f64> = indexes.iter().map(|index| index.self_values()[column]).collect();
                scales(&scalings, &self_values)
            })
            .collect();
        Ok(Self { scalings, indexes, scales })
    }

    /// How many columns.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there is no column.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Writes the kernel of column `i` with columns `0..out.len()`.
    pub fn column(&self, i: usize, out: &mut [f64]) {
        let mut raw = vec![0.0; out.len()];
        out.fill(0.0);
        for (term, index) in self.indexes.iter().enumerate() {
            index.column(i, &mut raw);
            self.add(term, self.scales[i][term], &raw, out);
        }
    }

    /// Writes the kernel of a new pair with columns `0..out.len()`.
    pub fn row(&self, pair: &Pair, out: &mut [f64]) -> Result<()> {
        let mut raw = vec![vec![0.0; out.len()]; self.indexes.len()];
        let mut self_values = Vec::with_capacity(self.indexes.len());
        for (index, raw) in self.indexes.iter().zip(&mut raw) {
            self_values.push(index.row(pair, raw)?);
        }
        out.fill(0.0);
        for (term, scale) in scales(&self.scalings, &self_values).into_iter().enumerate() {
            self.add(term, scale, &raw[term], out);
        }
        Ok(())
    }

    /// out[c] += raw[c] * (scale of the row * scale of c): one product of both scales, so that it commutes.
    fn add(&self, term: usize, scale: f64, raw: &[f64], out: &mut [f64]) {
        if scale != 0.0 {
            for ((sum, raw), scales) in out.iter_mut().zip(raw).zip(&self.scales) {
                *sum += raw * (scale * scales[term]);
            }
        }
    }

    /// Whether the kernel of x with y is that of y with x, for all columns.
    pub fn is_symmetric(&self) -> bool {
        self.indexes.iter().all(|index| index.is_symmetric())
    }

    /// The columns against each other; row i is the kernel of column i with all others. Where that is symmetric only one
    /// triangle is computed. `done` is told of every row.
    pub fn square(&self, done: &(dyn Fn(usize) + Sync)) -> Gram {
        let (n, is_symmetric) = (self.len(), self.is_symmetric());
        let mut values = vec![0.0_f32; n * n];
        values.par_chunks_mut(n.max(1)).enumerate().for_each(|(i, row)| {
            let mut exact = vec![0.0; if is_symmetric { i + 1 } else { n }];
            self.column(i, &mut exact);
            row.iter_mut().zip(exact).for_each(|(value, exact)| *value = exact as f32);
            done(1);
        });
        if is_symmetric {
            mirror(&mut values, n);
        }
        Gram::new(n, values)
    }

    /// New pairs against the columns.
    pub fn rectangle(&self, pairs: &[Pair], done: &(dyn Fn(usize) + Sync)) -> Result<Gram> {
        let n = self.len();
        let mut values = vec![0.0_f32; n * pairs.len()];
        values.par_chunks_mut(n.max(1)).zip(pairs).try_for_each(|(row, pair)| {
            let mut exact = vec![0.0; n];
            self.row(pair, &mut exact)?;
            row.iter_mut().zip(exact).for_each(|(value, exact)| *value = exact as f32);
            done(1);
            Ok(())
        })?;
        Ok(Gram::new(n, values))
    }
}

/// Copies the lower triangle to the upper, tile by tile so that both sides stay in cache.
fn mirror(values: &mut [f32], n: usize) {
    const TILE: usize = 64;
    for top in (0..n).step_by(TILE) {
        for left in (0..=top).step_by(TILE) {
            for i in top..(top + TILE).min(n) {
                for j in left..(left + TILE).min(i) {
                    values[j * n + i] = values[i * n + j];
                }
            }
        }
    }
}
