//! A corpus as sparse rows over its re-writing rules: what the linear machine learns from, and how its weights become
//! readable rules again.
//!
//! Only rules that at least two pairs have are columns; a rule of one pair alone is in that row's private mass (see
//! [`Rows`]). A rule can only be shared if both its patterns are, which spares most of the literal rules the listing.

use super::features::Features;
use super::{Expression, Mapped, PatternTable, Rows};
use crate::text::Pair;
use crate::{Error, Result};
use rayon::prelude::*;

/// More literal rules than this in one pair and term are refused rather than listed.
const MAX_LISTED: usize = 1 << 24;

/// Which rules the columns of one term are: column `first + n` is rule `rules[n]`.
#[derive(Clone, Debug, Default)]
pub struct RuleColumns {
    /// The first column.
    pub first: usize,
    /// (source pattern, target pattern), sorted.
    pub rules: Vec<(u32, u32)>,
}

/// A corpus under an expression, listed.
#[derive(Debug)]
pub struct Listing {
    /// One row a pair.
    pub rows: Rows,
    /// One a term.
    pub columns: Vec<RuleColumns>,
    /// One table of patterns a term.
    pub patterns: Vec<PatternTable>,
    /// `features[term][pair]` and their scales.
    features: Vec<Vec<Features>>,
    scales: Vec<Vec<f64>>,
}

/// One occurrence of a rule: (source, target, row, scaled value).
type Entry = (u32, u32, u32, f64);

impl Listing {
    /// Lists the rules of all pairs.
    pub fn new(expression: &Expression, pairs: &[Pair]) -> Result<Self> {
        let Some(mapped) = Mapped::new(expression).filter(|_| expression.is_listable()) else {
            return Err(Error::parameter(format!(
                "the rules of {expression} cannot be listed for a linear machine: use --learner dual"
            )));
        };
        // Terms number their own patterns, so each can be extracted by a thread of its own, pair after pair.
        let (patterns, features): (Vec<PatternTable>, Vec<Vec<Features>>) =
            mapped.extract_by_term(pairs)?.into_iter().unzip();
        let scales = mapped.scales(&features);
        let terms = (0..patterns.len())
            .into_par_iter()
            .map(|term| shared_entries(&features[term], &scales[term], patterns[term].len()))
            .collect::<Result<Vec<_>>>()?;
        let mut columns = Vec::with_capacity(patterns.len());
        let mut n_columns = 0;
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); pairs.len()];
        for entries in terms {
            let mut term = RuleColumns { first: n_columns, ..RuleColumns::default() };
            for run in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                term.rules.push((run[0].0, run[0].1));
                for &(_, _, row, value) in run {
                    rows[row as usize].push((n_columns as u32, value));
                }
                n_columns += 1;
            }
            columns.push(term);
        }
        let mut listed = Rows::new(n_columns);
        for (i, row) in rows.into_iter().enumerate() {
            let squared =
                |(features, scales): (&Vec<Features>, &Vec<f64>)| scales[i].powi(2) * features[i].squared_length();
            let all: f64 = features.iter().zip(&scales).map(squared).sum();
            let shared: f64 = row.iter().map(|(_, value)| value * value).sum();
            // Rounding may leave a crumb where everything is shared.
            let private = if all - shared > 1e-12 * all { all - shared } else { 0.0 };
            listed.push(row, private);
        }
        Ok(Self { rows: listed, columns, patterns, features, scales })
    }

    /// The weight of every column in `sum_i coefficients[i] * row_i`.
    pub fn weights(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.rows.n_columns()];
        for (i, &coefficient) in coefficients.iter().enumerate() {
            if coefficient != 0.0 {
                let (columns, values) = self.rows.row(i);
                for (&column, value) in columns.iter().zip(values) {
                    weights[column as usize] += coefficient * value;
                }
            }
        }
        weights
    }

    /// How many different rules the pairs have, those of one pair alone included.
    pub fn n_rules(&self) -> usize {
        let occurrences = |f: &Features| f.source.len() * f.target.len() + f.extra.len();
        let all: usize = self.features.iter().flatten().map(occurrences).sum();
        all - self.rows.n_entries() + self.rows.n_columns()
    }

    /// How many of these rows have each column.
    pub fn support(&self, rows: &[usize]) -> Vec<u32> {
        let mut support = vec![0; self.rows.n_columns()];
        for &row in rows {
            self.rows.row(row).0.iter().for_each(|&column| support[column as usize] += 1);
        }
        support
    }

    /// The rules of `term` that only one pair has: patterns, weight in `sum_i coefficients[i] * row_i`, and that row.
    pub fn private_rules(&self, term: usize, coefficients: &[f64]) -> Vec<(u32, u32, f64, usize)> {
        let shared = &self.columns[term].rules;
        let mut rules = Vec::new();
        for (row, (features, &coefficient)) in self.features[term].iter().zip(coefficients).enumerate() {
            if coefficient != 0.0 {
                each_rule(features, |source, target, value| {
                    if shared.binary_search(&(source, target)).is_err() {
                        rules.push((source, target, coefficient * self.scales[term][row] * value, row));
                    }
                });
            }
        }
        rules.sort_unstable_by_key(|&(source, target, ..)| (source, target));
        rules
    }
}

/// Every rule of a pair under one term, unlinked ones listed.
fn each_rule(features: &Features, mut visit: impl FnMut(u32, u32, f64)) {
    for &(source, value) in &features.source {
        for &(target, other) in &features.target {
            visit(source, target, value * other);
        }
    }
    for &(source, target, value) in &features.extra {
        visit(source, target, value);
    }
}

/// The occurrences of rules that at least two pairs have, sorted by (source, target, row).
fn shared_entries(pairs: &[Features], scales: &[f64], n_patterns: usize) -> Result<Vec<Entry>> {
    // How many pairs have a pattern, on each side, in an unlinked and in a linked rule; two are as good as more.
    let mut counts = [vec![0_u8; n_patterns], vec![0; n_patterns], vec![0; n_patterns], vec![0; n_patterns]];
    let mut last_seen = [vec![u32::MAX; n_patterns], vec![u32::MAX; n_patterns]];
    for (row, pair) in pairs.iter().enumerate() {
        let Features { source, target, extra, .. } = pair;
        for (side, list) in [source, target].into_iter().enumerate() {
            list.iter()
                .for_each(|(pattern, _)| counts[side][*pattern as usize] = 2.min(counts[side][*pattern as usize] + 1));
        }
        for &(source, target, _) in extra {
            for (side, pattern) in [source as usize, target as usize].into_iter().enumerate() {
                if last_seen[side][pattern] != row as u32 {
                    last_seen[side][pattern] = row as u32;
                    counts[2 + side][pattern] = 2.min(counts[2 + side][pattern] + 1);
                }
            }
        }
    }
    let shared = |kind: usize, pattern: u32| counts[kind][pattern as usize] == 2;
    let mut entries: Vec<Entry> = Vec::new();
    for (row, pair) in pairs.iter().enumerate() {
        let Features { source, target, extra, .. } = pair;
        let (row, scale) = (row as u32, scales[row]);
        if source.len().saturating_mul(target.len()) > MAX_LISTED {
            return Err(Error::data(format!(
                "pair {} has {} x {} literal rules, more than can be listed: use --learner dual or shorter texts",
                row + 1,
                source.len(),
                target.len()
            )));
        }
        let targets: Vec<(u32, f64)> = target.iter().copied().filter(|(target, _)| shared(1, *target)).collect();
        for &(source, value) in source.iter().filter(|(source, _)| shared(0, *source)) {
            entries.extend(targets.iter().map(|&(target, other)| (source, target, row, scale * (value * other))));
        }
        let linked = extra.iter().filter(|(source, target, _)| shared(2, *source) && shared(3, *target));
        entries.extend(linked.map(|&(source, target, value)| (source, target, row, scale * value)));
    }
    entries.par_sort_unstable_by_key(|&(source, target, row, _)| (source, target, row));
    let same = |a: &Entry, b: &Entry| (a.0, a.1) == (b.0, b.1);
    let mut kept = 0;
    let mut start = 0;
    while start < entries.len() {
        let len = entries[start..].iter().take_while(|entry| same(entry, &entries[start])).count();
        if len > 1 {
            entries.copy_within(start..start + len, kept);
            kept += len;
        }
        start += len;
    }
    entries.truncate(kept);
    Ok(entries)
}
