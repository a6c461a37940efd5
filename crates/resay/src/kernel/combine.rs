//! Normalised sums of kernels.
//!
//! For the normalised terms K_1 .. K_n of an expression,
//!
//!   K(x, y) = sum_t K_t(x, y) / sqrt(K_t(x, x) K_t(y, y)),
//!
//! itself divided by sqrt(K(x, x) K(y, y)).
//!
//! A term under which a pair has no rule at all (a sentence shorter than k) contributes 0 instead
//! of 0/0. K(x, x) before the last division is therefore the number of terms under which x has
//! rules. The other terms are added afterwards, normalised only by themselves or not at all. Both
//! steps come down to one scale per pair and term, which also multiplies the features of a linear
//! model.

use super::features::{FeatureMap, Features, PairKnown, extract_all};
use super::{Expression, Gram, Index, PatternIds, PatternTable, Scaling};
use crate::Result;
use rayon::prelude::*;
use resay_learn::progress::{Progress, Stage};
use resay_text::Pair;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the scale of each term for one pair, given the terms' kernels of the pair with itself.
pub(super) fn scales(scalings: &[Scaling], self_values: &[f64]) -> Vec<f64> {
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
    /// One per term.
    pub terms: Vec<Features>,
    /// The factor for the feature values of each term.
    pub scales: Vec<f64>,
}

/// An expression whose terms all have feature maps, so that pairs become vectors.
#[derive(Clone, Copy, Debug)]
pub struct FeatureUnion<'a>(&'a Expression);

impl<'a> FeatureUnion<'a> {
    /// Returns `None` if a term has no feature map.
    pub fn new(expression: &'a Expression) -> Option<Self> {
        expression.terms().iter().all(|term| term.features().is_some()).then_some(Self(expression))
    }

    /// Fills `out` with the features of `pair`; `patterns` holds one table per term.
    pub fn extract<P: PatternIds>(&self, pair: &Pair, patterns: &mut [P], out: &mut PairFeatures) -> Result<()> {
        out.terms.resize_with(self.0.terms().len(), Features::default);
        let mut known = PairKnown::default();
        for ((term, patterns), features) in self.0.terms().iter().zip(patterns).zip(&mut out.terms) {
            if let Some(map) = term.features() {
                map.extract_knowing(pair, &mut known, patterns, features)?;
            }
        }
        let self_values: Vec<f64> = out.terms.iter().map(Features::squared_length).collect();
        out.scales = scales(&self.0.scalings(), &self_values);
        Ok(())
    }

    /// Extracts the features of all pairs under each term. Returns one pattern table per term.
    pub fn extract_by_term(
        &self,
        pairs: &[Pair],
        progress: Progress<'_>,
    ) -> Result<Vec<(PatternTable, Vec<Features>)>> {
        let maps: Vec<&dyn FeatureMap> = self.0.terms().iter().filter_map(|term| term.features()).collect();
        maps.into_par_iter().with_max_len(1).map(|map| extract_all(map, pairs, progress)).collect()
    }

    /// Returns the scale of each term and pair (`[term][pair]`), given the features in the same
    /// order.
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

/// An expression bound to the pairs (columns) that others are compared with.
pub struct BoundKernel {
    indexes: Vec<Box<dyn Index>>,
    /// One per part of a term, all terms concatenated.
    scalings: Vec<Scaling>,
    /// `scales[column][part]`.
    scales: Vec<Vec<f64>>,
}

impl BoundKernel {
    /// Binds every term to the columns.
    pub fn new(expression: &Expression, columns: &[Pair], progress: Progress<'_>) -> Result<Self> {
        expression.terms().iter().try_for_each(|term| term.prepare(columns, progress))?;
        let index = |term: usize| expression.terms()[term].index(columns, progress);
        let terms = 0..expression.terms().len();
        let indexes = terms.into_par_iter().map(index).collect::<Result<Vec<Box<dyn Index>>>>()?;
        let parts = indexes.iter().zip(expression.scalings());
        let scalings: Vec<Scaling> = parts.flat_map(|(index, scaling)| vec![scaling; index.n_parts()]).collect();
        let n = columns.len();
        let scales = (0..n)
            .map(|column| {
                // Within one index, the values of successive parts are `n` apart.
                let parts = indexes.iter().flat_map(|index| index.self_values()[column..].iter().step_by(n));
                let self_values: Vec<f64> = parts.copied().collect();
                scales(&scalings, &self_values)
            })
            .collect();
        Ok(Self { indexes, scalings, scales })
    }

    /// Returns the number of columns.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Returns whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Writes the kernel of column `i` with columns `0..out.len()`.
    pub fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let mut raw = Vec::new();
        out.fill(0.0);
        let mut part = 0;
        for index in &self.indexes {
            progress.check()?;
            raw.resize(out.len() * index.n_parts(), 0.0);
            index.column(i, &mut raw, progress)?;
            for raw in raw.chunks(out.len().max(1)) {
                self.add(part, self.scales[i][part], raw, out);
                part += 1;
            }
        }
        Ok(())
    }

    /// Writes the kernel of a new pair with columns `0..out.len()`.
    pub fn row(&self, pair: &Pair, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let n_parts = self.scalings.len();
        let (mut raw, mut own) = (vec![0.0; out.len() * n_parts], vec![0.0; n_parts]);
        let mut part = 0;
        for index in &self.indexes {
            progress.check()?;
            let parts = part..part + index.n_parts();
            let raw = &mut raw[parts.start * out.len()..parts.end * out.len()];
            index.row(pair, raw, &mut own[parts.clone()], progress)?;
            part = parts.end;
        }
        out.fill(0.0);
        for ((part, scale), raw) in
            scales(&self.scalings, &own).into_iter().enumerate().zip(raw.chunks(out.len().max(1)))
        {
            self.add(part, scale, raw, out);
        }
        Ok(())
    }

    /// out[c] += raw[c] * (scale of the row * scale of c). Both scales are multiplied first, so
    /// that the result does not depend on which pair is the row.
    fn add(&self, part: usize, scale: f64, raw: &[f64], out: &mut [f64]) {
        if scale != 0.0 {
            for ((sum, raw), scales) in out.iter_mut().zip(raw).zip(&self.scales) {
                *sum += raw * (scale * scales[part]);
            }
        }
    }

    /// Returns whether K(x, y) = K(y, x) for all columns.
    pub fn is_symmetric(&self) -> bool {
        self.indexes.iter().all(|index| index.is_symmetric())
    }

    /// Returns the Gram matrix of the columns: row i is the kernel of column i with all others. If
    /// the kernel is symmetric, only one triangle is computed. Reports progress per row.
    pub fn square(&self, progress: Progress<'_>) -> Result<Gram> {
        let (n, is_symmetric) = (self.len(), self.is_symmetric());
        let mut values = vec![0.0_f32; n * n];
        let done = AtomicUsize::new(0);
        values.par_chunks_mut(n.max(1)).enumerate().try_for_each(|(i, row)| {
            let mut exact = vec![0.0; if is_symmetric { i + 1 } else { n }];
            self.column(i, &mut exact, progress)?;
            row.iter_mut().zip(exact).for_each(|(value, exact)| *value = exact as f32);
            progress.report(Stage::Features, 1 + done.fetch_add(1, Ordering::Relaxed), n)
        })?;
        if is_symmetric {
            mirror(&mut values, n, progress)?;
        }
        Ok(Gram::new(n, values))
    }

    /// Returns the kernel of each new pair (row) with each column. Reports progress per row.
    pub fn rectangle(&self, pairs: &[Pair], progress: Progress<'_>) -> Result<Gram> {
        let n = self.len();
        let mut values = vec![0.0_f32; n * pairs.len()];
        let done = AtomicUsize::new(0);
        values.par_chunks_mut(n.max(1)).zip(pairs).try_for_each(|(row, pair)| {
            let mut exact = vec![0.0; n];
            self.row(pair, &mut exact, progress)?;
            row.iter_mut().zip(exact).for_each(|(value, exact)| *value = exact as f32);
            progress.report(Stage::Features, 1 + done.fetch_add(1, Ordering::Relaxed), pairs.len())
        })?;
        Ok(Gram::new(n, values))
    }
}

/// Copies the lower triangle to the upper one, tile by tile so that both sides stay in cache.
fn mirror(values: &mut [f32], n: usize, progress: Progress<'_>) -> Result<()> {
    const TILE: usize = 64;
    for top in (0..n).step_by(TILE) {
        progress.check()?;
        for left in (0..=top).step_by(TILE) {
            for i in top..(top + TILE).min(n) {
                for j in left..(left + TILE).min(i) {
                    values[j * n + i] = values[i * n + j];
                }
            }
        }
    }
    Ok(())
}
