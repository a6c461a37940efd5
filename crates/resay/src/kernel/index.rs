//! A kernel bound to a corpus: computes whole rows of kernel values at once with inverted lists.
//!
//! Comparing a query with n pairs one by one would walk its features n times. Here each feature of
//! the query walks only the list of the pairs that have it, and most of these lists are short. Sums
//! run over the features in sorted order, whichever of two pairs is the query, so that the matrix
//! is symmetric to the last bit.

use super::features::{FeatureMap, Features, extract_all};
use super::{PatternOverlay, PatternTable, RuleTable};
use crate::Result;
use resay_learn::progress::{Progress, sort};
use resay_text::Pair;

/// Raw kernel values against the columns that a kernel is bound to. If an index evaluates several
/// kernels (parts) at once, a list of values consists of one list per part, concatenated.
pub trait Index: Send + Sync {
    /// Returns the number of kernels evaluated at once.
    fn n_parts(&self) -> usize {
        1
    }

    /// Returns the kernel of each column with itself.
    fn self_values(&self) -> &[f64];

    /// Returns whether K(x, y) = K(y, x) for all columns.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// Writes the kernel of column `i` with the first `out.len()` columns.
    fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()>;

    /// Writes the kernel of a new pair with the first columns to `out`, and with itself to `own`.
    fn row(&self, pair: &Pair, out: &mut [f64], own: &mut [f64], progress: Progress<'_>) -> Result<()>;
}

/// An inverted index: for each feature, the columns that have it, ascending, and its value there.
/// The columns of feature `f` are `columns[offsets[f]..offsets[f + 1]]`.
#[derive(Debug, Default)]
pub(super) struct Postings {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Postings {
    /// Builds the lists from the (feature, value) list of every column.
    pub(super) fn new<'a, I>(n_features: usize, columns: impl Fn() -> I, progress: Progress<'_>) -> Result<Self>
    where
        I: Iterator<Item = &'a [(u32, f64)]>,
    {
        let mut offsets = vec![0_u32; n_features + 1];
        for list in columns() {
            progress.check()?;
            list.iter().for_each(|(feature, _)| offsets[*feature as usize + 1] += 1);
        }
        for feature in 0..n_features {
            offsets[feature + 1] += offsets[feature];
        }
        let n_entries = offsets[n_features] as usize;
        let (mut postings, mut values) = (vec![0; n_entries], vec![0.0; n_entries]);
        let mut next = offsets.clone();
        for (column, list) in columns().enumerate() {
            progress.check()?;
            for (feature, value) in list {
                let place = &mut next[*feature as usize];
                postings[*place as usize] = column as u32;
                values[*place as usize] = *value;
                *place += 1;
            }
        }
        Ok(Self { offsets, columns: postings, values })
    }

    /// out[c] += value * (the feature's value in column c), for c < out.len().
    pub(super) fn add(&self, feature: u32, value: f64, out: &mut [f64]) {
        let feature = feature as usize;
        let Some(&end) = self.offsets.get(feature + 1) else { return };
        let range = self.offsets[feature] as usize..end as usize;
        for (&column, other) in self.columns[range.clone()].iter().zip(&self.values[range]) {
            let Some(sum) = out.get_mut(column as usize) else { break };
            *sum += value * other;
        }
    }
}

/// The features of a column, with linked rules as numbers.
#[derive(Debug)]
struct Column {
    source: Vec<(u32, f64)>,
    target: Vec<(u32, f64)>,
    extra: Vec<(u32, f64)>,
}

/// The index of a kernel with a feature map.
pub(super) struct ExplicitIndex<M> {
    map: M,
    patterns: PatternTable,
    rules: RuleTable,
    columns: Vec<Column>,
    self_values: Vec<f64>,
    source: Postings,
    target: Postings,
    extra: Postings,
}

impl<M: FeatureMap> ExplicitIndex<M> {
    pub(super) fn new(map: M, pairs: &[Pair], progress: Progress<'_>) -> Result<Self> {
        let (patterns, columns) = extract_all(&map, pairs, progress)?;
        let self_values = columns.iter().map(Features::squared_length).collect();
        let mut rules: Vec<(u32, u32)> = Vec::with_capacity(columns.iter().map(|column| column.extra.len()).sum());
        for column in &columns {
            progress.check()?;
            rules.extend(column.extra.iter().map(|rule| (rule.0, rule.1)));
        }
        sort(&mut rules, Ord::cmp, progress)?;
        rules.dedup();
        let rules = RuleTable::new(patterns.len(), rules);
        let column = |features: Features| {
            progress.check()?;
            let extra = numbered(&rules, &features).collect();
            Ok(Column { extra, source: features.source, target: features.target })
        };
        let columns: Vec<Column> = columns.into_iter().map(column).collect::<Result<_>>()?;
        let source = Postings::new(patterns.len(), || columns.iter().map(|c| &c.source[..]), progress)?;
        let target = Postings::new(patterns.len(), || columns.iter().map(|c| &c.target[..]), progress)?;
        let extra = Postings::new(rules.len(), || columns.iter().map(|c| &c.extra[..]), progress)?;
        Ok(Self { map, patterns, rules, columns, self_values, source, target, extra })
    }

    /// out[c] = <source, source_c> <target, target_c> + <extra, extra_c>
    fn fill(&self, source: &[(u32, f64)], target: &[(u32, f64)], extra: &[(u32, f64)], out: &mut [f64]) {
        out.fill(0.0);
        let mut other = vec![0.0; out.len()];
        if !source.is_empty() && !target.is_empty() {
            for &(pattern, value) in source {
                self.source.add(pattern, value, out);
            }
            for &(pattern, value) in target {
                self.target.add(pattern, value, &mut other);
            }
            out.iter_mut().zip(&other).for_each(|(value, other)| *value *= other);
            other.fill(0.0);
        }
        // The linked rules are summed separately, so that the order of additions is the same for
        // both pairs.
        let mut linked = other;
        for &(rule, value) in extra {
            self.extra.add(rule, value, &mut linked);
        }
        out.iter_mut().zip(&linked).for_each(|(value, linked)| *value += linked);
    }
}

fn numbered<'a>(rules: &'a RuleTable, features: &'a Features) -> impl Iterator<Item = (u32, f64)> + 'a {
    features.extra.iter().filter_map(|&(source, target, value)| Some((rules.get(source, target)?, value)))
}

impl<M: FeatureMap> Index for ExplicitIndex<M> {
    fn self_values(&self) -> &[f64] {
        &self.self_values
    }

    fn column(&self, i: usize, out: &mut [f64], _progress: Progress<'_>) -> Result<()> {
        let Column { source, target, extra } = &self.columns[i];
        self.fill(source, target, extra, out);
        Ok(())
    }

    fn row(&self, pair: &Pair, out: &mut [f64], own: &mut [f64], _progress: Progress<'_>) -> Result<()> {
        let mut features = Features::default();
        self.map.extract(pair, &mut PatternOverlay::new(&self.patterns), &mut features)?;
        let extra: Vec<(u32, f64)> = numbered(&self.rules, &features).collect();
        self.fill(&features.source, &features.target, &extra, out);
        own.fill(features.squared_length());
        Ok(())
    }
}
