//! Bootstrap confidence intervals, and paired significance tests between two systems.
//!
//! A metric here is any function of the sampled examples and a system's outputs on them, so one
//! implementation serves accuracy, F1 and MRR. If examples come in groups (the candidates of one
//! question), whole groups are resampled or swapped, since examples of one group are not
//! independent. Resample `i` uses its own random stream, so that the results do not depend on the
//! number of threads.

use rayon::prelude::*;

use crate::rng::SplitMix;
use crate::{Error, Result};

/// The examples passed to a metric. A group drawn twice appears as two groups.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Example indices; an index may occur several times.
    pub rows: &'a [usize],
    /// The group of each as drawn: use these instead of the group numbers of the data.
    pub groups: &'a [usize],
}

/// Resampling options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResampleOptions {
    /// Number of bootstrap resamples, and of random swaps in the paired test.
    pub n_resamples: usize,
    /// Confidence level of the interval.
    pub level: f64,
    /// Random seed.
    pub seed: u64,
}

impl Default for ResampleOptions {
    fn default() -> Self {
        Self { n_resamples: 2_000, level: 0.95, seed: 1 }
    }
}

/// A value with its interval: of the percentiles of the bootstrap, or exact (`eval::exact`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The value on the data itself.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// A comparison of two systems on the same examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The metric of the first system.
    pub first: f64,
    /// The metric of the second system.
    pub second: f64,
    /// First minus second, with its interval.
    pub difference: Interval,
    /// Two-sided p-value: the probability of a difference at least this large if the two systems
    /// were interchangeable (approximate randomisation, Noreen 1989; (hits + 1) / (trials + 1), so
    /// never 0). That of predicted numbers is defined in `eval::regression`.
    pub p_value: f64,
}

/// Returns the metric of a system's outputs (one per example) with its bootstrap interval.
/// Resamples on which the metric is not finite are dropped.
pub fn bootstrap<T: Clone + Send + Sync>(
    outputs: &[T],
    groups: Option<&[usize]>,
    options: &ResampleOptions,
    measure: &(dyn Fn(&Sample<'_>, &[T]) -> f64 + Sync),
) -> Result<Interval> {
    let units = Units::new(outputs.len(), groups)?;
    check(options)?;
    let value = units.whole(|sample| measure(sample, outputs));
    units.interval(value, options, &|sample| measure(sample, &gather(outputs, sample.rows)))
}

/// Compares two systems' outputs on the same examples: both metrics, the interval of the
/// difference, and the paired test.
pub fn compare<T: Clone + Send + Sync>(
    first: &[T],
    second: &[T],
    groups: Option<&[usize]>,
    options: &ResampleOptions,
    measure: &(dyn Fn(&Sample<'_>, &[T]) -> f64 + Sync),
) -> Result<Comparison> {
    if first.len() != second.len() {
        return Err(Error::data(format!(
            "{} outputs of the first system but {} of the second: a paired test needs both on the same examples",
            first.len(),
            second.len()
        )));
    }
    let units = Units::new(first.len(), groups)?;
    check(options)?;
    let (of_first, of_second) = units.whole(|sample| (measure(sample, first), measure(sample, second)));
    let difference = units.interval(of_first - of_second, options, &|sample| {
        measure(sample, &gather(first, sample.rows)) - measure(sample, &gather(second, sample.rows))
    })?;
    let observed = (of_first - of_second).abs();
    let n_hits = (0..options.n_resamples as u64)
        .into_par_iter()
        .filter(|&trial| {
            let (mut left, mut right) = (first.to_vec(), second.to_vec());
            for row in units.swaps(options, trial) {
                std::mem::swap(&mut left[row], &mut right[row]);
            }
            let swapped = units.whole(|sample| measure(sample, &left) - measure(sample, &right)).abs();
            is_hit(swapped, observed)
        })
        .count();
    Ok(Comparison { first: of_first, second: of_second, difference, p_value: p_value(n_hits, options) })
}

/// Whether a random swap gave a difference at least as large as the observed one, up to rounding.
pub(super) fn is_hit(swapped: f64, observed: f64) -> bool {
    swapped >= observed - 1e-12
}

/// The p-value of approximate randomisation. The observed data count as one more hit.
pub(super) fn p_value(n_hits: usize, options: &ResampleOptions) -> f64 {
    (n_hits + 1) as f64 / (options.n_resamples + 1) as f64
}

/// Exact McNemar test of two systems' accuracy: the two-sided probability, with a fair coin for
/// each example on which exactly one is correct, of a split at least as uneven as the observed one.
pub fn mcnemar(first_right: &[bool], second_right: &[bool]) -> f64 {
    let [n_first, n_second] = only_one_right(first_right, second_right);
    let (n, smaller) = (n_first + n_second, n_first.min(n_second));
    (2.0 * at_most(n, smaller, 0.5)).min(1.0)
}

/// The number of examples that only the first system has right, and that only the second has.
pub fn only_one_right(first_right: &[bool], second_right: &[bool]) -> [usize; 2] {
    let pairs = || first_right.iter().zip(second_right);
    [
        pairs().filter(|(first, second)| **first && !**second).count(),
        pairs().filter(|(first, second)| !**first && **second).count(),
    ]
}

/// The power of [`mcnemar`]: the smallest true difference of two accuracies that it finds with this
/// probability, at this level of significance, if exactly one of the systems is right about
/// `n_apart` of `n` examples. `None` if not even the most uneven split is significant.
pub fn detectable_difference(n: usize, n_apart: usize, level: f64, power: f64) -> Option<f64> {
    // The most uneven splits that are significant: k or fewer on one side.
    let most = (0..=n_apart / 2).take_while(|&k| 2.0 * at_most(n_apart, k, 0.5) <= level).last()?;
    let found = |share: f64| at_most(n_apart, most, 1.0 - share) + at_most(n_apart, most, share);
    if n == 0 || !(power > 0.0 && power < 1.0) {
        return None;
    }
    // The share of the better system among those examples.
    let (mut low, mut high) = (0.5, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if found(middle) < power {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some((2.0 * high - 1.0) * n_apart as f64 / n as f64)
}

/// The probability of at most `k` heads in `n` throws of a coin that shows heads with probability
/// `share`.
fn at_most(n: usize, k: usize, share: f64) -> f64 {
    if share <= 0.0 {
        return 1.0;
    }
    if share >= 1.0 {
        return if k >= n { 1.0 } else { 0.0 };
    }
    let mut log_term = n as f64 * (1.0 - share).ln();
    let mut sum = log_term.exp();
    for k in 1..=k.min(n) {
        log_term += ((n - k + 1) as f64 / k as f64).ln() + share.ln() - (1.0 - share).ln();
        sum += log_term.exp();
    }
    sum.min(1.0)
}

/// The most differences of [`sign_flips`]: it tries all signs.
pub const MAX_FLIPS: usize = 24;

/// Exact paired test of the mean of differences (Fisher's randomisation): the two-sided probability
/// of a mean at least as far from 0 if every difference had either sign with equal probability.
pub fn sign_flips(differences: &[f64]) -> Result<f64> {
    let n = differences.len();
    if n == 0 || n > MAX_FLIPS || differences.iter().any(|difference| !difference.is_finite()) {
        return Err(Error::parameter(format!(
            "{n} differences for a test of all signs, expected 1 to {MAX_FLIPS} finite numbers"
        )));
    }
    let observed = differences.iter().sum::<f64>().abs();
    let sum = |signs: u32| {
        let signed = |(at, difference): (usize, &f64)| if signs >> at & 1 == 1 { -difference } else { *difference };
        differences.iter().enumerate().map(signed).sum::<f64>().abs()
    };
    let n_hits = (0..1_u32 << n).into_par_iter().filter(|&signs| is_hit(sum(signs), observed)).count();
    Ok(n_hits as f64 / f64::from(1_u32 << n))
}

pub(super) fn check(options: &ResampleOptions) -> Result<()> {
    if options.n_resamples == 0 {
        return Err(Error::parameter("0 resamples, expected at least 1"));
    }
    if !(options.level > 0.0 && options.level < 1.0) {
        return Err(Error::parameter(format!("level {} of an interval, expected between 0 and 1", options.level)));
    }
    Ok(())
}

fn gather<T: Clone>(outputs: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| outputs[row].clone()).collect()
}

/// The units of resampling: groups, or single examples.
pub(super) struct Units {
    /// The rows of each unit.
    members: Vec<Vec<usize>>,
    /// The unit of each row.
    unit_of: Vec<usize>,
}

impl Units {
    pub(super) fn new(n: usize, groups: Option<&[usize]>) -> Result<Self> {
        if n == 0 {
            return Err(Error::data("no examples to measure"));
        }
        let Some(groups) = groups else {
            return Ok(Self { members: (0..n).map(|row| vec![row]).collect(), unit_of: (0..n).collect() });
        };
        if groups.len() != n {
            return Err(Error::data(format!("{n} outputs but {} group numbers, expected one each", groups.len())));
        }
        let mut names = groups.to_vec();
        names.sort_unstable();
        names.dedup();
        let mut members = vec![Vec::new(); names.len()];
        let mut unit_of = Vec::with_capacity(n);
        for (row, group) in groups.iter().enumerate() {
            let unit = names.partition_point(|name| name < group);
            members[unit].push(row);
            unit_of.push(unit);
        }
        Ok(Self { members, unit_of })
    }

    /// Number of units with a row that counts.
    pub(super) fn n_with(&self, counts: impl Fn(usize) -> bool) -> usize {
        self.members.iter().filter(|rows| rows.iter().any(|&row| counts(row))).count()
    }

    /// Computes a figure of the original data.
    fn whole<R>(&self, figure: impl FnOnce(&Sample<'_>) -> R) -> R {
        let rows: Vec<usize> = (0..self.unit_of.len()).collect();
        figure(&Sample { rows: &rows, groups: &self.unit_of })
    }

    /// Draws as many units as there are, with replacement. Returns their rows and the group of each
    /// row as drawn. Resample `number` is always the same.
    pub(super) fn draw(&self, options: &ResampleOptions, number: u64) -> (Vec<usize>, Vec<usize>) {
        let mut random = SplitMix::stream(options.seed, number);
        let (mut rows, mut groups) = (Vec::with_capacity(self.unit_of.len()), Vec::with_capacity(self.unit_of.len()));
        for draw in 0..self.members.len() {
            let unit = &self.members[random.below(self.members.len())];
            rows.extend_from_slice(unit);
            groups.extend(std::iter::repeat_n(draw, unit.len()));
        }
        (rows, groups)
    }

    /// Returns the rows on which the two systems are swapped in a trial: a fair coin per unit.
    pub(super) fn swaps(&self, options: &ResampleOptions, trial: u64) -> Vec<usize> {
        // The complement of the seed separates these streams from those of the bootstrap.
        let mut random = SplitMix::stream(!options.seed, trial);
        let is_swapped = |_: &&Vec<usize>| random.next_u64() >> 63 == 1;
        self.members.iter().filter(is_swapped).flatten().copied().collect()
    }

    fn interval(
        &self,
        value: f64,
        options: &ResampleOptions,
        figure: &(dyn Fn(&Sample<'_>) -> f64 + Sync),
    ) -> Result<Interval> {
        let resample = |number: u64| {
            let (rows, groups) = self.draw(options, number);
            figure(&Sample { rows: &rows, groups: &groups })
        };
        let figures = (0..options.n_resamples as u64).into_par_iter().map(resample).collect();
        percentiles(value, figures, options)
            .ok_or_else(|| Error::data("the measure is undefined on every resample: there may be one class only"))
    }
}

/// The percentile interval of `value`, from its values on resamples, ignoring non-finite ones;
/// `None` if all are.
pub(super) fn percentiles(value: f64, mut figures: Vec<f64>, options: &ResampleOptions) -> Option<Interval> {
    figures.retain(|figure| figure.is_finite());
    if figures.is_empty() {
        return None;
    }
    figures.sort_unstable_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - options.level);
    Some(Interval { value, low: quantile(&figures, tail), high: quantile(&figures, 1.0 - tail) })
}

/// Quantile of sorted values, with linear interpolation.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::ranking::{RankingFigure, Which, rank};

    /// Mean of outputs that are 1 if correct and 0 if wrong.
    fn accuracy(_: &Sample<'_>, right: &[f64]) -> f64 {
        right.iter().sum::<f64>() / right.len() as f64
    }

    fn coin_flips(seed: u64, n: usize, chance: f64) -> Vec<f64> {
        let mut random = SplitMix::new(seed);
        (0..n).map(|_| f64::from(u8::from(random.unit() < chance))).collect()
    }

    #[test]
    fn the_interval_of_a_share_is_near_its_normal_one() {
        let right = coin_flips(1, 1000, 0.8);
        let found = bootstrap(&right, None, &ResampleOptions::default(), &accuracy).unwrap();
        assert_eq!(found.value, right.iter().sum::<f64>() / 1000.0);
        let half = 1.96 * (found.value * (1.0 - found.value) / 1000.0).sqrt();
        assert!(((found.value - found.low) / half - 1.0).abs() < 0.15, "{found:?}");
        assert!(((found.high - found.value) / half - 1.0).abs() < 0.15, "{found:?}");
        let narrow =
            bootstrap(&right, None, &ResampleOptions { level: 0.5, ..ResampleOptions::default() }, &accuracy).unwrap();
        assert!(narrow.low > found.low && narrow.high < found.high);
    }

    #[test]
    fn copies_in_one_group_do_not_narrow_the_interval() {
        let single = coin_flips(2, 200, 0.7);
        let fourfold: Vec<f64> = single.iter().flat_map(|value| [*value; 4]).collect();
        let groups: Vec<usize> = (0..800).map(|row| 1000 - row / 4).collect();
        let width = |outputs: &[f64], groups: Option<&[usize]>| {
            let found = bootstrap(outputs, groups, &ResampleOptions::default(), &accuracy).unwrap();
            found.high - found.low
        };
        let (truth, grouped, careless) =
            (width(&single, None), width(&fourfold, Some(&groups)), width(&fourfold, None));
        assert!((grouped / truth - 1.0).abs() < 0.1, "{grouped} {truth}");
        assert!(careless < 0.6 * truth, "{careless} {truth}");
    }

    #[test]
    fn a_group_drawn_twice_is_two_groups() {
        // Every group has its correct candidate second: in any resample, the mean reciprocal rank
        // is one half.
        let scores: Vec<f64> = (0..30).map(|row| if row % 3 == 0 { 2.0 } else { -f64::from(row) }).collect();
        let labels: Vec<bool> = (0..30).map(|row| row % 3 == 1).collect();
        let groups: Vec<usize> = (0..30).map(|row| row / 3).collect();
        let mrr = |sample: &Sample<'_>, scores: &[f64]| {
            let labels: Vec<bool> = sample.rows.iter().map(|&row| labels[row]).collect();
            RankingFigure::Mrr.mean(&rank(scores, &labels, sample.groups, Which::AnyRight)).unwrap_or(0.0)
        };
        let found = bootstrap(&scores, Some(&groups), &ResampleOptions::default(), &mrr).unwrap();
        assert_eq!(found, Interval { value: 0.5, low: 0.5, high: 0.5 });
    }

    #[test]
    fn random_swaps_are_near_all_swaps() {
        let measure = |_: &Sample<'_>, outputs: &[f64]| outputs.iter().sum::<f64>();
        for seed in 0..5 {
            let mut random = SplitMix::new(seed);
            let (first, second): (Vec<f64>, Vec<f64>) = (0..12).map(|_| (random.unit() + 0.2, random.unit())).unzip();
            let gaps: Vec<f64> = first.iter().zip(&second).map(|(first, second)| first - second).collect();
            let observed = gaps.iter().sum::<f64>().abs();
            let swapped = |swaps: u32| -> f64 {
                gaps.iter().enumerate().map(|(row, gap)| if swaps >> row & 1 == 1 { -gap } else { *gap }).sum()
            };
            let truth =
                (0..1u32 << 12).filter(|&swaps| swapped(swaps).abs() >= observed - 1e-12).count() as f64 / 4096.0;
            let options = ResampleOptions { n_resamples: 5_000, ..ResampleOptions::default() };
            let found = compare(&first, &second, None, &options, &measure).unwrap();
            assert!((found.p_value - truth).abs() < 0.03, "{} {truth}", found.p_value);
            assert!((found.difference.value - gaps.iter().sum::<f64>()).abs() < 1e-12);
            assert!(found.difference.low < found.difference.value && found.difference.value < found.difference.high);
        }
    }

    #[test]
    fn a_system_does_not_differ_from_itself_and_swaps_whole_groups() {
        let first = coin_flips(3, 60, 0.5);
        let same = compare(&first, &first, None, &ResampleOptions::default(), &accuracy).unwrap();
        assert_eq!((same.p_value, same.difference), (1.0, Interval { value: 0.0, low: 0.0, high: 0.0 }));
        // A single group can only be swapped as a whole, which preserves the size of the
        // difference.
        let (good, bad, groups) = ([1.0; 60], [0.0; 60], [7; 60]);
        assert_eq!(compare(&good, &bad, Some(&groups), &ResampleOptions::default(), &accuracy).unwrap().p_value, 1.0);
        assert!(compare(&good, &bad, None, &ResampleOptions::default(), &accuracy).unwrap().p_value < 0.001);
    }

    #[test]
    fn what_a_test_can_find_is_what_it_finds() {
        // With five examples apart, even 5 : 0 has p 0.0625.
        assert_eq!(detectable_difference(100, 5, 0.05, 0.8), None);
        assert_eq!(detectable_difference(100, 0, 0.05, 0.8), None);
        // Six apart: only 6 : 0 is significant, so a share s has the power s^6 + (1 - s)^6.
        let found = detectable_difference(100, 6, 0.05, 0.8).unwrap();
        let share: f64 = 0.5 * (1.0 + found * 100.0 / 6.0);
        assert!((share.powi(6) + (1.0 - share).powi(6) - 0.8).abs() < 1e-9, "{share}");
        // By simulation.
        let (n, n_apart) = (1000, 90);
        let difference = detectable_difference(n, n_apart, 0.05, 0.8).unwrap();
        let share = 0.5 * (1.0 + difference * n as f64 / n_apart as f64);
        let mut random = SplitMix::new(5);
        let mut is_found = || {
            let first: Vec<bool> = (0..n_apart).map(|_| random.unit() < share).collect();
            let second: Vec<bool> = first.iter().map(|right| !right).collect();
            mcnemar(&first, &second) <= 0.05
        };
        let n_found = (0..2000).filter(|_| is_found()).count();
        assert!((1540..1660).contains(&n_found), "{n_found} of 2000");
        assert!(detectable_difference(n, n_apart, 0.05, 0.9).unwrap() > difference);
    }

    #[test]
    fn all_signs_are_tried() {
        let check = |differences: &[f64], expected: f64| assert_eq!(sign_flips(differences).unwrap(), expected);
        check(&[1.0], 1.0);
        check(&[1.0, 2.0, 4.0], 2.0 / 8.0);
        check(&[1.0, 2.0, -4.0], 1.0);
        check(&[0.0; 4], 1.0);
        check(&[0.5; 10], 2.0 / 1024.0);
        assert!(sign_flips(&[]).is_err() && sign_flips(&[1.0; 25]).is_err() && sign_flips(&[f64::NAN]).is_err());
    }

    #[test]
    fn mcnemar_counts_coin_flips() {
        let check = |n_first: usize, n_second: usize| {
            let n = n_first + n_second;
            let uneven = n_first.abs_diff(n_second);
            let as_uneven = |flips: &u32| (2 * flips.count_ones() as usize).abs_diff(n) >= uneven;
            let truth = (0..1u32 << n).filter(as_uneven).count() as f64 / f64::from(1u32 << n);
            let first: Vec<bool> = (0..n + 4).map(|row| row < n_first || row >= n + 2).collect();
            let second: Vec<bool> = (0..n + 4).map(|row| (n_first..n).contains(&row) || row >= n + 2).collect();
            let found = mcnemar(&first, &second);
            assert!((found - truth).abs() < 1e-12, "{n_first} {n_second}: {found} {truth}");
        };
        for n_first in 0..7 {
            for n_second in 0..7 {
                check(n_first, n_second);
            }
        }
        let (first, second) = (vec![true; 40_000], (0..40_000).map(|row| row % 2 == 0).collect::<Vec<_>>());
        assert_eq!(mcnemar(&first, &second), 0.0);
        let other: Vec<bool> = second.iter().map(|right| !right).collect();
        assert!((mcnemar(&second, &other) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let (first, second) = (coin_flips(4, 150, 0.7), coin_flips(5, 150, 0.6));
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| compare(&first, &second, None, &ResampleOptions::default(), &accuracy).unwrap())
        };
        assert_eq!(with(1), with(2));
        assert_ne!(
            with(1),
            compare(&first, &second, None, &ResampleOptions { seed: 2, ..ResampleOptions::default() }, &accuracy)
                .unwrap()
        );
    }

    #[test]
    fn wrong_input_is_refused() {
        let options = ResampleOptions::default();
        assert!(bootstrap(&[], None, &options, &accuracy).is_err());
        assert!(bootstrap(&[1.0], Some(&[1, 2]), &options, &accuracy).is_err());
        assert!(bootstrap(&[1.0], None, &ResampleOptions { n_resamples: 0, ..options }, &accuracy).is_err());
        assert!(bootstrap(&[1.0], None, &ResampleOptions { level: 1.0, ..options }, &accuracy).is_err());
        assert!(bootstrap(&[1.0], None, &options, &|_, _| f64::NAN).is_err());
        assert!(compare(&[1.0], &[1.0, 2.0], None, &options, &accuracy).is_err());
    }
}
