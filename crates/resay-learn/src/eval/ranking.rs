//! Ranking quality: mean average precision, mean reciprocal rank and precision at 1, over groups
//! (the candidates of one question).
//!
//! Every group is first reduced to three numbers, because everything else is a mean of them: the
//! figures themselves, their bootstrap intervals (resampling groups) and the paired test (swapping
//! the two systems' numbers group by group, which flips the sign of their difference).
//!
//! Ties are broken pessimistically: wrong candidates come first. A system gains nothing by failing
//! to tell candidates apart, and the order of the file cannot change a figure.

use super::significance::{self, Comparison, Interval, ResampleOptions, Sample};
use crate::{Error, Result};

/// Which groups to evaluate. All rankings of a group without a correct candidate are equally good,
/// so such groups are always excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Groups with at least one correct candidate, as in trec_eval.
    #[default]
    AnyRight,
    /// Groups with both a correct and a wrong candidate: if all are correct, every ranking is
    /// perfect.
    Mixed,
}

/// The ranking figures of one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The group number.
    pub group: usize,
    /// Mean, over the correct candidates, of the precision at their rank.
    pub average_precision: f64,
    /// 1 / rank of the first correct candidate.
    pub reciprocal_rank: f64,
    /// 1 if the top candidate is correct, else 0.
    pub precision_at_1: f64,
}

/// A mean over groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankingFigure {
    /// Mean average precision.
    Map,
    /// Mean reciprocal rank.
    Mrr,
    /// Precision at 1: the share of groups whose top candidate is correct.
    PrecisionAt1,
}

impl RankingFigure {
    /// All figures, in display order.
    pub const ALL: [Self; 3] = [Self::Map, Self::Mrr, Self::PrecisionAt1];

    /// The name of the figure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "MAP",
            Self::Mrr => "MRR",
            Self::PrecisionAt1 => "P@1",
        }
    }

    fn of(self, ranked: &Ranked) -> f64 {
        match self {
            Self::Map => ranked.average_precision,
            Self::Mrr => ranked.reciprocal_rank,
            Self::PrecisionAt1 => ranked.precision_at_1,
        }
    }

    /// Returns the mean over groups; `None` without groups.
    pub fn mean(self, ranked: &[Ranked]) -> Option<f64> {
        (!ranked.is_empty()).then(|| mean(&self.values(ranked)))
    }

    /// Returns the mean with its bootstrap interval, resampling groups; `None` without groups.
    pub fn interval(self, ranked: &[Ranked], options: &ResampleOptions) -> Result<Option<Interval>> {
        if ranked.is_empty() {
            return Ok(None);
        }
        significance::bootstrap(&self.values(ranked), None, options, &mean_of_sample).map(Some)
    }

    /// Compares two systems on the same groups: both means, the interval of the difference, and
    /// approximate randomisation over groups; `None` without groups.
    pub fn compare(self, first: &[Ranked], second: &[Ranked], options: &ResampleOptions) -> Result<Option<Comparison>> {
        let groups = |ranked: &[Ranked]| ranked.iter().map(|ranked| ranked.group).collect::<Vec<_>>();
        if groups(first) != groups(second) {
            return Err(Error::data("two systems that ranked different groups: a paired test needs both on the same"));
        }
        if first.is_empty() {
            return Ok(None);
        }
        significance::compare(&self.values(first), &self.values(second), None, options, &mean_of_sample).map(Some)
    }

    fn values(self, ranked: &[Ranked]) -> Vec<f64> {
        ranked.iter().map(|ranked| self.of(ranked)).collect()
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn mean_of_sample(_: &Sample<'_>, values: &[f64]) -> f64 {
    mean(values)
}

/// Ranks by score within groups (rows with the same group number, in any position). Returns one
/// entry per evaluated group, by increasing number. The slices are parallel; if their lengths
/// differ, the common prefix is ranked.
pub fn rank(scores: &[f64], labels: &[bool], groups: &[usize], which: Which) -> Vec<Ranked> {
    let rows = groups.iter().zip(scores).zip(labels);
    // Adding 0 turns −0 into 0, so that equal scores have equal bits.
    let mut order: Vec<(usize, f64, bool)> =
        rows.map(|((&group, &score), &is_right)| (group, score + 0.0, is_right)).collect();
    order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut ranked = Vec::new();
    for candidates in order.chunk_by(|a, b| a.0 == b.0) {
        // average precision = (1 / n_right) sum over correct candidates r of (correct ones up to r)
        // / (rank of r)
        let (mut n_right, mut precisions, mut first) = (0_usize, 0.0, 0);
        for (place, _) in candidates.iter().enumerate().filter(|(_, candidate)| candidate.2) {
            n_right += 1;
            precisions += n_right as f64 / (place + 1) as f64;
            if n_right == 1 {
                first = place;
            }
        }
        if n_right == 0 || (which == Which::Mixed && n_right == candidates.len()) {
            continue;
        }
        ranked.push(Ranked {
            group: candidates[0].0,
            average_precision: precisions / n_right as f64,
            reciprocal_rank: 1.0 / (first + 1) as f64,
            precision_at_1: if first == 0 { 1.0 } else { 0.0 },
        });
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// Few candidates with few distinct scores: many ties, and few enough to try all orders of a
    /// group.
    fn random_case(seed: u64) -> (Vec<f64>, Vec<bool>, Vec<usize>) {
        let mut random = SplitMix::new(seed);
        let n = 1 + random.below(16);
        let scores = (0..n).map(|_| random.below(4) as f64 - 1.5).collect();
        let labels = (0..n).map(|_| random.below(3) == 0).collect();
        (scores, labels, (0..n).map(|_| random.below(4) * 10).collect())
    }

    /// All orders of the candidates that are sorted by decreasing score.
    fn orders(rest: &[(f64, bool)]) -> Vec<Vec<bool>> {
        if rest.is_empty() {
            return vec![Vec::new()];
        }
        let best = rest.iter().map(|candidate| candidate.0).fold(f64::NEG_INFINITY, f64::max);
        let mut all = Vec::new();
        for at in (0..rest.len()).filter(|&at| rest[at].0 == best) {
            let mut others = rest.to_vec();
            let (_, is_right) = others.remove(at);
            all.extend(orders(&others).into_iter().map(|tail| [vec![is_right], tail].concat()));
        }
        all
    }

    /// The three figures of a list of correct and wrong candidates, by definition.
    fn figures(list: &[bool]) -> [f64; 3] {
        let right: Vec<usize> = (0..list.len()).filter(|&at| list[at]).collect();
        let precision = |n: usize| list[..n].iter().filter(|is_right| **is_right).count() as f64 / n as f64;
        let average = right.iter().map(|&at| precision(at + 1)).sum::<f64>() / right.len() as f64;
        [average, 1.0 / (right[0] + 1) as f64, precision(1)]
    }

    #[test]
    fn ties_are_broken_for_the_worst() {
        let mut n_seen = [0; 2];
        for seed in 0..200 {
            let (scores, labels, groups) = random_case(seed);
            for (which, n_seen) in [Which::AnyRight, Which::Mixed].into_iter().zip(&mut n_seen) {
                let mut found = rank(&scores, &labels, &groups, which).into_iter();
                for group in [0, 10, 20, 30] {
                    let rows = (0..scores.len()).filter(|&row| groups[row] == group);
                    let candidates: Vec<(f64, bool)> = rows.map(|row| (scores[row], labels[row])).collect();
                    let n_right = candidates.iter().filter(|candidate| candidate.1).count();
                    let all_right = which == Which::Mixed && n_right == candidates.len();
                    if n_right == 0 || all_right || candidates.len() > 8 {
                        if n_right > 0 && !all_right {
                            found.next();
                        }
                        continue;
                    }
                    *n_seen += 1;
                    let ranked = found.next().unwrap();
                    assert_eq!(ranked.group, group);
                    let orders = orders(&candidates);
                    for (figure, at) in RankingFigure::ALL.into_iter().zip(0..) {
                        let worst = orders.iter().map(|order| figures(order)[at]).fold(f64::INFINITY, f64::min);
                        assert!((figure.of(&ranked) - worst).abs() < 1e-12, "seed {seed}, group {group}: {figure:?}");
                    }
                }
                assert_eq!(found.next(), None);
            }
        }
        assert!(n_seen[0] > n_seen[1] && n_seen[1] > 100, "{n_seen:?}");
    }

    #[test]
    fn by_hand() {
        let check = |scores: &[f64], labels: &[u8], groups: &[usize], which: Which, expected: Option<[f64; 3]>| {
            let labels: Vec<bool> = labels.iter().map(|label| *label == 1).collect();
            let ranked = rank(scores, &labels, groups, which);
            let found = RankingFigure::ALL.map(|figure| figure.mean(&ranked));
            assert_eq!(found, expected.map_or([None; 3], |expected| expected.map(Some)), "{scores:?}");
        };
        // Correct at ranks 1 and 3.
        check(
            &[0.9, 0.1, 0.5, 0.3],
            &[1, 0, 0, 1],
            &[7; 4],
            Which::AnyRight,
            Some([(1.0 + 2.0 / 3.0) / 2.0, 1.0, 1.0]),
        );
        // One group with rank 2, and one with only correct candidates.
        check(&[1.0, 2.0, 1.0], &[1, 0, 1], &[0, 0, 1], Which::AnyRight, Some([0.75, 0.75, 0.5]));
        check(&[1.0, 2.0, 1.0], &[1, 0, 1], &[0, 0, 1], Which::Mixed, Some([0.5, 0.5, 0.0]));
        check(&[0.0, -0.0], &[1, 0], &[0, 0], Which::Mixed, Some([0.5, 0.5, 0.0]));
        check(&[1.0, 2.0], &[0, 0], &[0, 1], Which::AnyRight, None);
        check(&[], &[], &[], Which::AnyRight, None);
    }

    #[test]
    fn the_order_of_the_input_changes_nothing() {
        for seed in 0..50 {
            let (scores, labels, groups) = random_case(seed);
            let mut order: Vec<usize> = (0..scores.len()).collect();
            SplitMix::new(seed).shuffle(&mut order);
            let (s, l): (Vec<f64>, Vec<bool>) = order.iter().map(|&i| (scores[i], labels[i])).unzip();
            let g: Vec<usize> = order.iter().map(|&i| groups[i]).collect();
            assert_eq!(rank(&scores, &labels, &groups, Which::AnyRight), rank(&s, &l, &g, Which::AnyRight));
        }
    }

    #[test]
    fn nothing_panics_on_numbers_that_are_none() {
        let scores = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let ranked = rank(&scores, &[true, false, true, false], &[0, 0, 1, 1], Which::AnyRight);
        assert!(RankingFigure::Map.mean(&ranked).is_some_and(f64::is_finite));
    }

    fn ranked_at(ranks: &[usize]) -> Vec<Ranked> {
        let ranked = |(group, rank): (usize, &usize)| {
            let share = 1.0 / *rank as f64;
            Ranked { group, average_precision: share, reciprocal_rank: share, precision_at_1: f64::from(*rank == 1) }
        };
        ranks.iter().enumerate().map(ranked).collect()
    }

    /// The paired test against all sign flips of the differences.
    #[test]
    fn the_paired_test_is_the_share_of_sign_flips() {
        let (first, second) = (ranked_at(&[1, 1, 2, 1, 3, 1, 1, 2]), ranked_at(&[2, 1, 4, 3, 2, 2, 5, 1]));
        let differences: Vec<f64> =
            first.iter().zip(&second).map(|(a, b)| a.reciprocal_rank - b.reciprocal_rank).collect();
        let observed = differences.iter().sum::<f64>().abs();
        let sum = |flips: u32| {
            let sign = |at: usize| if flips >> at & 1 == 1 { -1.0 } else { 1.0 };
            differences.iter().enumerate().map(|(at, difference)| sign(at) * difference).sum::<f64>().abs()
        };
        let exact = (0..256).filter(|&flips| sum(flips) >= observed - 1e-9).count() as f64 / 256.0;
        let options = ResampleOptions { n_resamples: 20_000, ..ResampleOptions::default() };
        let found = RankingFigure::Mrr.compare(&first, &second, &options).unwrap().unwrap();
        assert!((found.p_value - exact).abs() < 0.015, "{} {exact}", found.p_value);
        assert!((found.difference.value - differences.iter().sum::<f64>() / 8.0).abs() < 1e-12);
        assert!(found.difference.low < found.difference.value && found.difference.value < found.difference.high);
        assert!(RankingFigure::Mrr.compare(&first, &second[1..], &options).is_err());
        assert_eq!(RankingFigure::Mrr.compare(&[], &[], &options).unwrap(), None);
    }

    #[test]
    fn the_interval_is_that_of_a_mean_over_groups() {
        let ranked = ranked_at(&(0..400).map(|at| 1 + at % 2).collect::<Vec<_>>());
        let found = RankingFigure::Mrr.interval(&ranked, &ResampleOptions::default()).unwrap().unwrap();
        // Half of the groups at 1, half at 1/2: the standard error of the mean is 0.25 / 20.
        assert!((found.value - 0.75).abs() < 1e-12);
        assert!((found.high - found.low - 2.0 * 1.96 * 0.0125).abs() < 0.004, "{found:?}");
        assert_eq!(RankingFigure::Mrr.interval(&[], &ResampleOptions::default()).unwrap(), None);
    }
}
