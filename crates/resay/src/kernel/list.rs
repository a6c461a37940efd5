//! A corpus as a sparse matrix over its rewriting rules, as training data for a linear model. Also
//! maps the weights back to readable rules.
//!
//! Only rules that occur in at least two pairs become columns; a rule of a single pair goes into
//! the private mass of its row (see [`Rows`]). A rule can only be shared if both its patterns are,
//! so most literal rules are never listed.

use super::features::{Features, each_rule};
use super::passes::listable;
use super::{Expression, PatternTable, Rows};
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::{Progress, sort};
use resay_text::Pair;
use std::ops::Range;

/// Largest number of literal rules per pair and term. Pairs with more are refused.
const MAX_LISTED: usize = 1 << 24;
/// Occurrences are listed in blocks of about this many per pair, so that scanning all pairs for
/// each block costs little.
const BLOCK_BY_PAIR: usize = 64;

/// The rules behind the columns of one term: column `first + n` is rule `rules[n]`.
#[derive(Clone, Debug, Default)]
pub struct RuleColumns {
    /// The first column.
    pub first: usize,
    /// (source pattern, target pattern), sorted.
    pub rules: Vec<(u32, u32)>,
}

/// The rule matrix of a corpus under an expression.
#[derive(Debug)]
pub struct RuleMatrix {
    /// One row per pair.
    pub rows: Rows,
    /// One per term.
    pub columns: Vec<RuleColumns>,
    /// One pattern table per term.
    pub patterns: Vec<PatternTable>,
    /// `features[term][pair]`, and their scales in the same layout.
    features: Vec<Vec<Features>>,
    scales: Vec<Vec<f64>>,
    n_rules: usize,
}

/// One occurrence of a rule: (source, target, row, scaled value).
type Entry = (u32, u32, u32, f64);

impl RuleMatrix {
    /// Lists the rules of all pairs.
    pub fn new(expression: &Expression, pairs: &[Pair], progress: Progress<'_>) -> Result<Self> {
        let mapped = listable(expression)?;
        // Each term numbers its own patterns, so each term can be extracted on its own thread, pair
        // by pair.
        let (patterns, features): (Vec<PatternTable>, Vec<Vec<Features>>) =
            mapped.extract_by_term(pairs, progress)?.into_iter().unzip();
        let scales = mapped.scales(&features);
        let terms = (0..patterns.len())
            .into_par_iter()
            .map(|term| shared_entries(&features[term], &scales[term], patterns[term].len(), progress))
            .collect::<Result<Vec<_>>>()?;
        let mut columns = Vec::with_capacity(patterns.len());
        let mut n_columns = 0;
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); pairs.len()];
        for blocks in terms {
            let mut term = RuleColumns { first: n_columns, ..RuleColumns::default() };
            for entries in blocks {
                progress.check()?;
                for run in entries.chunk_by(is_same_rule) {
                    term.rules.push((run[0].0, run[0].1));
                    for &(_, _, row, value) in run {
                        rows[row as usize].push((n_columns as u32, value));
                    }
                    n_columns += 1;
                }
            }
            columns.push(term);
        }
        let mut listed = Rows::new(n_columns);
        for (i, row) in rows.into_iter().enumerate() {
            progress.check()?;
            let squared =
                |(features, scales): (&Vec<Features>, &Vec<f64>)| scales[i].powi(2) * features[i].squared_length();
            let all: f64 = features.iter().zip(&scales).map(squared).sum();
            let shared: f64 = row.iter().map(|(_, value)| value * value).sum();
            // Rounding may leave a tiny residue where everything is shared.
            let private = if all - shared > 1e-12 * all { all - shared } else { 0.0 };
            listed.push(row, private);
        }
        let occurrences = |f: &Features| f.source.len() * f.target.len() + f.extra.len();
        let all: usize = features.iter().flatten().map(occurrences).sum();
        let n_rules = all - listed.n_entries() + listed.n_columns();
        Ok(Self { rows: listed, columns, patterns, features, scales, n_rules })
    }

    /// A list without the rules of single pairs, of which there are `n_rules` together with others.
    pub(super) fn of_shared(
        rows: Rows,
        columns: Vec<RuleColumns>,
        patterns: Vec<PatternTable>,
        n_rules: usize,
    ) -> Self {
        let n_terms = patterns.len();
        Self {
            rows,
            columns,
            patterns,
            features: vec![Vec::new(); n_terms],
            scales: vec![Vec::new(); n_terms],
            n_rules,
        }
    }

    /// Returns the weight of every column in `sum_i coefficients[i] * row_i`.
    pub fn weights(&self, coefficients: &[f64], progress: Progress<'_>) -> Result<Vec<f64>> {
        let mut weights = vec![0.0; self.rows.n_columns()];
        for (i, &coefficient) in coefficients.iter().enumerate() {
            progress.check()?;
            if coefficient != 0.0 {
                let (columns, values) = self.rows.row(i);
                for (&column, value) in columns.iter().zip(values) {
                    weights[column as usize] += coefficient * value;
                }
            }
        }
        Ok(weights)
    }

    /// Returns the number of distinct rules, including those that are not listed.
    pub fn n_rules(&self) -> usize {
        self.n_rules
    }

    /// Returns in how many of these rows each column occurs.
    pub fn support(&self, rows: &[usize], progress: Progress<'_>) -> Result<Vec<u32>> {
        let mut support = vec![0; self.rows.n_columns()];
        for &row in rows {
            progress.check()?;
            self.rows.row(row).0.iter().for_each(|&column| support[column as usize] += 1);
        }
        Ok(support)
    }

    /// Returns the rules of `term` that occur in one pair only, of pairs that have a coefficient
    /// other than 0 in some head; none if rules were chosen.
    pub fn private_rules(
        &self,
        term: usize,
        coefficients: &[Vec<f64>],
        progress: Progress<'_>,
    ) -> Result<Vec<PrivateRule>> {
        let shared = &self.columns[term].rules;
        let mut rules = Vec::new();
        for (row, features) in self.features[term].iter().enumerate() {
            progress.check()?;
            let is_used = coefficients.iter().any(|head| head.get(row).is_some_and(|value| *value != 0.0));
            if is_used {
                each_rule(features, |source, target, value| {
                    if shared.binary_search(&(source, target)).is_err() {
                        rules.push(PrivateRule { source, target, scale: self.scales[term][row], value, row });
                    }
                });
            }
        }
        // Each rule belongs to one pair only, so no two are equal.
        sort(&mut rules, |a, b| (a.source, a.target).cmp(&(b.source, b.target)), progress)?;
        Ok(rules)
    }
}

/// A rule that only one pair has.
#[derive(Clone, Copy, Debug)]
pub struct PrivateRule {
    /// The source pattern.
    pub source: u32,
    /// The target pattern.
    pub target: u32,
    /// The factor of the pair's features.
    pub scale: f64,
    /// The value of the feature, before it is scaled.
    pub value: f64,
    /// The pair.
    pub row: usize,
}

impl PrivateRule {
    /// The weight of the rule in `sum_i coefficients[i] * row_i`.
    pub fn weight(&self, coefficients: &[f64]) -> f64 {
        coefficients.get(self.row).map_or(0.0, |coefficient| coefficient * self.scale * self.value)
    }
}

fn is_same_rule(a: &Entry, b: &Entry) -> bool {
    (a.0, a.1) == (b.0, b.1)
}

/// Returns the occurrences of rules that at least two pairs have, sorted by (source, target, row),
/// in blocks that never split the rules of a source. Blocks are built independently, so that the
/// rules of single pairs are never all in memory at once.
fn shared_entries(
    pairs: &[Features],
    scales: &[f64],
    n_patterns: usize,
    progress: Progress<'_>,
) -> Result<Vec<Vec<Entry>>> {
    // Per side, the number of pairs that have a pattern in an unlinked rule, then in a linked rule.
    // Counts stop at two.
    let mut counts = [vec![0_u8; n_patterns], vec![0; n_patterns], vec![0; n_patterns], vec![0; n_patterns]];
    let mut last_seen = [vec![u32::MAX; n_patterns], vec![u32::MAX; n_patterns]];
    for (row, pair) in pairs.iter().enumerate() {
        progress.check()?;
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
    let is_linked = |rule: &(u32, u32, f64)| shared(2, rule.0) && shared(3, rule.1);
    // For every pair, the targets that other pairs have too; for every source, the number of
    // occurrences to expect.
    let mut targets: Vec<Vec<(u32, f64)>> = Vec::with_capacity(pairs.len());
    let mut n_entries = vec![0_usize; n_patterns];
    for (row, pair) in pairs.iter().enumerate() {
        progress.check()?;
        let Features { source, target, extra, .. } = pair;
        if source.len().saturating_mul(target.len()) > MAX_LISTED {
            return Err(Error::data(format!(
                "pair {} has {} x {} literal rules, more than can be listed: use the dual learner or shorter texts",
                row + 1,
                source.len(),
                target.len()
            )));
        }
        let known: Vec<(u32, f64)> = target.iter().copied().filter(|(target, _)| shared(1, *target)).collect();
        for (source, _) in source.iter().filter(|(source, _)| shared(0, *source)) {
            n_entries[*source as usize] += known.len();
        }
        extra.iter().filter(|rule| is_linked(rule)).for_each(|(source, ..)| n_entries[*source as usize] += 1);
        targets.push(known);
    }
    let block = |sources: Range<u32>| {
        let n_entries = n_entries[sources.start as usize..sources.end as usize].iter().sum();
        let mut entries: Vec<Entry> = Vec::with_capacity(n_entries);
        for (row, pair) in pairs.iter().enumerate() {
            progress.check()?;
            let (row, scale, targets) = (row as u32, scales[row], &targets[row]);
            for &(source, value) in within(&pair.source, &sources, |entry| entry.0) {
                if shared(0, source) {
                    let literal = targets.iter().map(|&(target, other)| (source, target, row, scale * (value * other)));
                    entries.extend(literal);
                }
            }
            let linked = within(&pair.extra, &sources, |rule| rule.0).iter().filter(|rule| is_linked(rule));
            entries.extend(linked.map(|&(source, target, value)| (source, target, row, scale * value)));
        }
        sort(&mut entries, |a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)), progress)?;
        let mut kept = 0;
        let mut start = 0;
        while start < entries.len() {
            let len = entries[start..].iter().take_while(|entry| is_same_rule(entry, &entries[start])).count();
            if len > 1 {
                entries.copy_within(start..start + len, kept);
                kept += len;
            }
            start += len;
        }
        entries.truncate(kept);
        entries.shrink_to_fit();
        Ok(entries)
    };
    blocks(&n_entries, BLOCK_BY_PAIR * pairs.len()).into_par_iter().map(block).collect()
}

/// Returns the entries of a list, sorted by key, whose keys lie in a range.
fn within<'a, T>(list: &'a [T], range: &Range<u32>, key: impl Fn(&T) -> u32) -> &'a [T] {
    let start = list.partition_point(|entry| key(entry) < range.start);
    &list[start..start + list[start..].partition_point(|entry| key(entry) < range.end)]
}

/// Returns ranges of sources that each have about `size` occurrences.
fn blocks(n_entries: &[usize], size: usize) -> Vec<Range<u32>> {
    let (mut blocks, mut start, mut n) = (Vec::new(), 0, 0);
    for (end, n_own) in (1..).zip(n_entries) {
        n += n_own;
        if n >= size {
            blocks.push(start..end);
            (start, n) = (end, 0);
        }
    }
    if n > 0 {
        blocks.push(start..n_entries.len() as u32);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::BoundKernel;
    use resay_learn::progress::testing::stops;
    use resay_learn::rng::SplitMix;
    use resay_text::Sentence;

    /// Pairs of twenty words, some of them frequent. Targets contain most words of their sources.
    fn pairs(n: usize) -> Vec<Pair> {
        let mut random = SplitMix::new(1);
        let mut word = || (random.unit().powi(3) * 2000.0) as u32;
        let mut pair = || {
            let source: Vec<u32> = (0..20).map(|_| word()).collect();
            let target = source.iter().map(|&own| if own % 3 == 0 { word() } else { own }).collect();
            Pair { source: Sentence::of_units(source), target: Sentence::of_units(target) }
        };
        (0..n).map(|_| pair()).collect()
    }

    #[test]
    fn binding_listing_and_comparing_can_be_stopped() {
        let pairs = pairs(3000);
        let expression: Expression = "kb(k=1..4)+pr".parse().unwrap();
        stops(|progress| RuleMatrix::new(&expression, &pairs, progress));
        stops(|progress| BoundKernel::new(&expression, &pairs, progress).map(|_| ()));
        let bound = BoundKernel::new(&expression, &pairs, Progress::none()).unwrap();
        stops(|progress| bound.square(progress));
        stops(|progress| bound.rectangle(&pairs, progress));
        let by_subsequence: Expression = "subsequence(k=1..4,lambda=0.5)".parse().unwrap();
        let bound = BoundKernel::new(&by_subsequence, &pairs, Progress::none()).unwrap();
        stops(|progress| bound.square(progress));
    }

    #[test]
    fn blocks_end_between_sources_and_have_them_all() {
        let check = |n_entries: &[usize], size: usize, expected: &[Range<u32>]| {
            assert_eq!(blocks(n_entries, size), expected, "{n_entries:?}");
        };
        check(&[], 3, &[]);
        check(&[0, 0], 3, &[]);
        check(&[1, 1, 1, 3], 3, &[0..3, 3..4]);
        check(&[5, 0, 2, 2, 0, 1], 3, &[0..1, 1..4, 4..6]);
    }

    #[test]
    fn the_size_of_blocks_changes_nothing() {
        let pairs = pairs(300);
        let expression: Expression = "kb(k=2)".parse().unwrap();
        let mapped = crate::kernel::FeatureUnion::new(&expression).unwrap();
        let (patterns, features) = mapped.extract_by_term(&pairs, Progress::none()).unwrap().remove(0);
        let scales = vec![1.0; pairs.len()];
        let found = shared_entries(&features, &scales, patterns.len(), Progress::none()).unwrap().concat();
        // By the definition: lists all occurrences at once and keeps those of at least two pairs.
        let mut all: Vec<Entry> = Vec::new();
        for (row, features) in features.iter().enumerate() {
            each_rule(features, |source, target, value| all.push((source, target, row as u32, value)));
        }
        all.sort_unstable_by_key(|&(source, target, row, _)| (source, target, row));
        let kept: Vec<Entry> = all.chunk_by(is_same_rule).filter(|run| run.len() > 1).flatten().copied().collect();
        assert!(kept.len() > 1000 && found == kept, "{} occurrences instead of {}", found.len(), kept.len());
    }
}
