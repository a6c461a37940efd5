//! Predicted numbers against true ones: correlations and errors with bootstrap intervals, two
//! systems compared, and the coverage of prediction intervals.
//!
//! Shapes: `gold`, `predicted` and `groups` are parallel, one entry per example. Whole groups are
//! resampled where they are given ([`super::significance`]). Numbers must be finite, and there must
//! be at least two examples (or groups) to resample; anything else is an error. A correlation that
//! is undefined is `None` ([`super::correlation`]). No figure is ever NaN.
//!
//! A bootstrap interval is empty where every resample has the same figure, such as a correlation of
//! exactly 1; that does not mean that the figure is certain.

use rayon::prelude::*;

use super::correlation::{Places, pearson};
use super::exact;
use super::significance::{Comparison, Interval, ResampleOptions, Units, check, percentiles};
use crate::{Error, Result};

/// Root of the mean squared difference; `None` without examples or if it is not finite. If lengths
/// differ, the common prefix is used.
pub fn rmse(gold: &[f64], predicted: &[f64]) -> Option<f64> {
    let errors = || gold.iter().zip(predicted).map(|(gold, predicted)| gold - predicted);
    let largest = errors().fold(0.0, |largest: f64, error| largest.max(error.abs()));
    if largest == 0.0 {
        return mae(gold, predicted);
    }
    // Scaled before they are squared, so that nothing overflows or vanishes.
    let (n, sum) = errors().fold((0usize, 0.0), |(n, sum), error| (n + 1, sum + (error / largest).powi(2)));
    Some(largest * (sum / n as f64).sqrt()).filter(|value| value.is_finite())
}

/// Mean absolute difference; `None` without examples or if it is not finite. If lengths differ, the
/// common prefix is used.
pub fn mae(gold: &[f64], predicted: &[f64]) -> Option<f64> {
    let errors = gold.iter().zip(predicted).map(|(gold, predicted)| (gold - predicted).abs());
    let (n, sum) = errors.fold((0usize, 0.0), |(n, sum), error| (n + 1, sum + error));
    Some(sum / n as f64).filter(|value| value.is_finite())
}

/// How well a system predicts numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionFigures {
    /// Number of examples.
    pub n: usize,
    /// Pearson's correlation; `None` if undefined.
    pub pearson: Option<Interval>,
    /// Spearman's correlation; `None` if undefined.
    pub spearman: Option<Interval>,
    /// Root of the mean squared error.
    pub rmse: Interval,
    /// Mean absolute error.
    pub mae: Interval,
}

impl RegressionFigures {
    /// Measures the predictions of a system.
    pub fn of(gold: &[f64], predicted: &[f64], groups: Option<&[usize]>, options: &ResampleOptions) -> Result<Self> {
        let problem = Problem::new(gold, groups, options)?;
        let system = problem.system(predicted)?;
        let values = system.whole(&problem);
        let drawn = problem.resamples(&|rows| system.figures(&problem, rows));
        let interval = |at: usize| percentiles(values[at]?, column(&drawn, at), options);
        Ok(Self {
            n: gold.len(),
            pearson: interval(PEARSON),
            spearman: interval(SPEARMAN),
            rmse: interval(RMSE).ok_or_else(too_large)?,
            mae: interval(MAE).ok_or_else(too_large)?,
        })
    }
}

/// Two systems on the same examples. Differences are first minus second, with their bootstrap
/// intervals.
///
/// The p-value is that of the paired bootstrap: twice the share of resamples on which the
/// difference is zero or has the other sign, (hits + 1) / (trials + 1), at most 1. Random swaps
/// ([`super::significance::compare`]) would not do for correlations: the two systems may predict on
/// different scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionComparison {
    /// Pearson's correlations; `None` if one of them is undefined.
    pub pearson: Option<Comparison>,
    /// Spearman's correlations; `None` if one of them is undefined.
    pub spearman: Option<Comparison>,
    /// Roots of the mean squared errors.
    pub rmse: Comparison,
    /// Mean absolute errors.
    pub mae: Comparison,
}

impl RegressionComparison {
    /// Compares the predictions of two systems.
    pub fn of(
        gold: &[f64],
        first: &[f64],
        second: &[f64],
        groups: Option<&[usize]>,
        options: &ResampleOptions,
    ) -> Result<Self> {
        let problem = Problem::new(gold, groups, options)?;
        let systems = [problem.system(first)?, problem.system(second)?];
        let [of_first, of_second] = [systems[0].whole(&problem), systems[1].whole(&problem)];
        let drawn = problem.resamples(&|rows| {
            let [first, second] = [systems[0].figures(&problem, rows), systems[1].figures(&problem, rows)];
            std::array::from_fn(|at| Some(difference(at, first[at]?, second[at]?)))
        });
        let comparison = |at: usize| {
            let (first, second) = (of_first[at]?, of_second[at]?);
            let differences = column(&drawn, at);
            let p_value = bootstrap_p_value(&differences);
            let difference = percentiles(difference(at, first, second), differences, options)?;
            Some(Comparison { first, second, difference, p_value })
        };
        Ok(Self {
            pearson: comparison(PEARSON),
            spearman: comparison(SPEARMAN),
            rmse: comparison(RMSE).ok_or_else(too_large)?,
            mae: comparison(MAE).ok_or_else(too_large)?,
        })
    }
}

/// How often prediction intervals contain the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalCoverage {
    /// Share of examples whose interval contains the truth, ends included.
    pub share: Interval,
    /// Mean width of the intervals; `None` if it is infinite.
    pub mean_width: Option<f64>,
}

impl IntervalCoverage {
    /// Counts the true values within intervals from low to high. The interval of the share is exact
    /// for single examples, and as in [`exact::share`] for groups. Ends may be infinite.
    pub fn of(
        gold: &[f64],
        intervals: &[(f64, f64)],
        groups: Option<&[usize]>,
        options: &ResampleOptions,
    ) -> Result<Self> {
        check_numbers("true value", gold, gold.len())?;
        if intervals.len() != gold.len() {
            let (n, found) = (gold.len(), intervals.len());
            return Err(Error::data(format!("{n} true values but {found} prediction intervals, expected one each")));
        }
        if gold.is_empty() {
            return Err(Error::data("no examples to measure"));
        }
        let is_wrong = |(low, high): &(f64, f64)| low.is_nan() || high.is_nan() || low > high;
        if let Some(row) = intervals.iter().position(is_wrong) {
            let (low, high) = intervals[row];
            return Err(Error::data(format!("prediction interval {} is from {low} to {high}", row + 1)));
        }
        let rows = || gold.iter().zip(intervals);
        let is_inside: Vec<Option<bool>> =
            rows().map(|(gold, (low, high))| Some(low <= gold && gold <= high)).collect();
        let mean_width = intervals.iter().map(|(low, high)| high - low).sum::<f64>() / gold.len() as f64;
        let share = exact::share(&is_inside, groups, options)?;
        Ok(Self { share, mean_width: Some(mean_width).filter(|width| width.is_finite()) })
    }
}

const N_FIGURES: usize = 4;
const PEARSON: usize = 0;
const SPEARMAN: usize = 1;
const RMSE: usize = 2;
const MAE: usize = 3;

/// The figures of one system on one sample.
type Figures = [Option<f64>; N_FIGURES];

/// The truth, and how it is resampled.
struct Problem<'a> {
    gold: &'a [f64],
    places: Places,
    units: Units,
    options: &'a ResampleOptions,
}

impl<'a> Problem<'a> {
    fn new(gold: &'a [f64], groups: Option<&[usize]>, options: &'a ResampleOptions) -> Result<Self> {
        check(options)?;
        let units = Units::new(gold.len(), groups)?;
        if units.n_with(|_| true) < 2 {
            let what = if groups.is_some() { "group" } else { "example" };
            return Err(Error::data(format!("1 {what} to measure, expected at least 2 to find an interval")));
        }
        Ok(Self { gold, places: check_numbers("true value", gold, gold.len())?, units, options })
    }

    fn system<'s>(&self, predicted: &'s [f64]) -> Result<System<'s>> {
        Ok(System { predicted, places: check_numbers("predicted value", predicted, self.gold.len())? })
    }

    /// The figures on every resample, in order.
    fn resamples(&self, figures: &(dyn Fn(&[usize]) -> Figures + Sync)) -> Vec<Figures> {
        let numbers = (0..self.options.n_resamples as u64).into_par_iter();
        numbers.map(|number| figures(&self.units.draw(self.options, number).0)).collect()
    }
}

/// The predictions of one system.
struct System<'a> {
    predicted: &'a [f64],
    places: Places,
}

impl System<'_> {
    fn whole(&self, problem: &Problem<'_>) -> Figures {
        let rows: Vec<usize> = (0..self.predicted.len()).collect();
        self.figures(problem, &rows)
    }

    /// The figures on some rows, which may occur several times.
    fn figures(&self, problem: &Problem<'_>, rows: &[usize]) -> Figures {
        let (gold, predicted): (Vec<f64>, Vec<f64>) =
            rows.iter().map(|&row| (problem.gold[row], self.predicted[row])).unzip();
        let spearman = pearson(&problem.places.ranks(rows), &self.places.ranks(rows));
        let mut found = [None; N_FIGURES];
        found[PEARSON] = pearson(&gold, &predicted);
        found[SPEARMAN] = spearman;
        found[RMSE] = rmse(&gold, &predicted);
        found[MAE] = mae(&gold, &predicted);
        found
    }
}

/// The defined values of one figure.
fn column(drawn: &[Figures], at: usize) -> Vec<f64> {
    drawn.iter().filter_map(|figures| figures[at]).collect()
}

/// First minus second; 0 where they differ by rounding only, which must not count as a sign.
fn difference(at: usize, first: f64, second: f64) -> f64 {
    let scale = if at == PEARSON || at == SPEARMAN { 1.0 } else { first.max(second) };
    if (first - second).abs() <= 1e-12 * scale { 0.0 } else { first - second }
}

/// See [`RegressionComparison`].
fn bootstrap_p_value(differences: &[f64]) -> f64 {
    let n_hits = |is_hit: fn(&f64) -> bool| differences.iter().filter(|difference| is_hit(difference)).count();
    let n_smaller = n_hits(|difference| *difference <= 0.0).min(n_hits(|difference| *difference >= 0.0));
    (2.0 * (n_smaller + 1) as f64 / (differences.len() + 1) as f64).min(1.0)
}

/// Checks that there are `n` finite numbers, and sorts them.
fn check_numbers(what: &str, values: &[f64], n: usize) -> Result<Places> {
    if values.len() != n {
        return Err(Error::data(format!("{n} true values but {} predicted ones, expected one each", values.len())));
    }
    if let Some(row) = values.iter().position(|value| !value.is_finite()) {
        return Err(Error::data(format!("{what} {} is {}, expected a finite number", row + 1, values[row])));
    }
    Places::of(values).ok_or_else(too_large)
}

fn too_large() -> Error {
    Error::data("the errors are too large to measure: expected numbers whose differences are finite")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::correlation::spearman;
    use crate::eval::exact::clopper_pearson;
    use crate::rng::SplitMix;

    fn options(n_resamples: usize) -> ResampleOptions {
        ResampleOptions { n_resamples, ..ResampleOptions::default() }
    }

    /// A bell curve of variance 1, by the sum of twelve draws.
    fn bell(random: &mut SplitMix) -> f64 {
        (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
    }

    /// True values, and predictions that are off by some noise.
    fn noisy(seed: u64, n: usize, noise: f64) -> (Vec<f64>, Vec<f64>) {
        let mut random = SplitMix::new(seed);
        (0..n)
            .map(|_| {
                let gold = bell(&mut random);
                (gold, gold + noise * bell(&mut random))
            })
            .unzip()
    }

    #[test]
    fn errors_are_means_of_differences() {
        for seed in 0..100 {
            let (gold, predicted) = noisy(seed, 1 + seed as usize % 9, 1.0);
            let n = gold.len() as f64;
            let (mut squares, mut sizes) = (0.0, 0.0);
            for row in 0..gold.len() {
                squares += (gold[row] - predicted[row]).powi(2);
                sizes += (gold[row] - predicted[row]).abs();
            }
            assert!((rmse(&gold, &predicted).unwrap() - (squares / n).sqrt()).abs() < 1e-12);
            assert!((mae(&gold, &predicted).unwrap() - sizes / n).abs() < 1e-12);
        }
        assert_eq!((rmse(&[], &[]), mae(&[], &[])), (None, None));
        assert_eq!((rmse(&[2.0], &[2.0]), mae(&[2.0], &[2.0])), (Some(0.0), Some(0.0)));
        assert_eq!((rmse(&[f64::NAN], &[1.0]), mae(&[f64::NAN], &[1.0])), (None, None));
        assert_eq!((rmse(&[f64::INFINITY], &[1.0]), mae(&[1.0], &[f64::INFINITY])), (None, None));
        let (far, near) = (rmse(&[1e200, 0.0], &[0.0, 0.0]).unwrap(), rmse(&[1e-200, 0.0], &[0.0, 0.0]).unwrap());
        assert!(
            (far / (1e200 * 0.5f64.sqrt()) - 1.0).abs() < 1e-12
                && (near / (1e-200 * 0.5f64.sqrt()) - 1.0).abs() < 1e-12
        );
    }

    #[test]
    fn values_are_those_of_all_rows_and_intervals_hold_them() {
        let (gold, predicted) = noisy(1, 120, 0.7);
        let found = RegressionFigures::of(&gold, &predicted, None, &options(500)).unwrap();
        for (interval, value) in [
            (found.pearson.unwrap(), pearson(&gold, &predicted)),
            (found.spearman.unwrap(), spearman(&gold, &predicted)),
            (found.rmse, rmse(&gold, &predicted)),
            (found.mae, mae(&gold, &predicted)),
        ] {
            assert!((interval.value - value.unwrap()).abs() < 1e-12);
            assert!(interval.low < interval.value && interval.value < interval.high, "{interval:?}");
        }
        assert_eq!(found.n, 120);
    }

    #[test]
    fn the_interval_of_a_correlation_is_near_that_of_fisher() {
        // For bell curves, atanh r has a standard error of 1 / √(n − 3).
        let (gold, predicted) = noisy(2, 1_000, 0.8);
        let found = RegressionFigures::of(&gold, &predicted, None, &options(2_000)).unwrap().pearson.unwrap();
        let half = 1.96 / 997f64.sqrt();
        for (bound, expected) in [(found.low, -half), (found.high, half)] {
            let distance = bound.atanh() - found.value.atanh();
            assert!((distance / expected - 1.0).abs() < 0.15, "{found:?}");
        }
    }

    #[test]
    fn copies_in_one_group_do_not_narrow_the_interval() {
        let (gold, predicted) = noisy(3, 100, 0.7);
        let fourfold = |values: &[f64]| -> Vec<f64> { values.iter().flat_map(|value| [*value; 4]).collect() };
        let (gold_4, predicted_4) = (fourfold(&gold), fourfold(&predicted));
        let groups: Vec<usize> = (0..400).map(|row| row / 4).collect();
        let single = RegressionFigures::of(&gold, &predicted, None, &options(300)).unwrap();
        let grouped = RegressionFigures::of(&gold_4, &predicted_4, Some(&groups), &options(300)).unwrap();
        let careless = RegressionFigures::of(&gold_4, &predicted_4, None, &options(300)).unwrap();
        // The same groups are drawn as single rows were.
        for (one, other) in [(single.rmse, grouped.rmse), (single.pearson.unwrap(), grouped.pearson.unwrap())] {
            assert!((one.low - other.low).abs() < 1e-9 && (one.high - other.high).abs() < 1e-9, "{one:?} {other:?}");
        }
        assert!(careless.rmse.high - careless.rmse.low < 0.7 * (single.rmse.high - single.rmse.low));
    }

    /// All samples of n of n rows, with replacement.
    fn all_samples(n: usize) -> Vec<Vec<usize>> {
        let mut samples = vec![Vec::new()];
        for _ in 0..n {
            let longer = |sample: &Vec<usize>| (0..n).map(|row| [&sample[..], &[row]].concat()).collect::<Vec<_>>();
            samples = samples.iter().flat_map(longer).collect();
        }
        samples
    }

    #[test]
    fn the_paired_test_is_near_that_over_all_samples() {
        for seed in 0..4 {
            let (gold, first) = noisy(seed, 6, 0.5);
            let second: Vec<f64> = noisy(seed + 50, 6, 0.5).1.iter().zip(&gold).map(|(far, near)| far + near).collect();
            let found = RegressionComparison::of(&gold, &first, &second, None, &options(20_000)).unwrap();
            let samples = all_samples(6);
            let at = |values: &[f64], rows: &[usize]| -> Vec<f64> { rows.iter().map(|&row| values[row]).collect() };
            type Figure = fn(&[f64], &[f64]) -> Option<f64>;
            for (comparison, figure) in [
                (found.pearson.unwrap(), pearson as Figure),
                (found.spearman.unwrap(), spearman),
                (found.rmse, rmse),
                (found.mae, mae),
            ] {
                let difference = |rows: &Vec<usize>| {
                    let gold = at(&gold, rows);
                    Some(figure(&gold, &at(&first, rows))? - figure(&gold, &at(&second, rows))?)
                };
                let all: Vec<f64> = samples.iter().filter_map(difference).collect();
                let share = |holds: fn(&f64) -> bool| all.iter().filter(|d| holds(d)).count() as f64 / all.len() as f64;
                let truth = (2.0 * share(|d| *d <= 0.0).min(share(|d| *d >= 0.0))).min(1.0);
                assert!((comparison.p_value - truth).abs() < 0.02, "{comparison:?} {truth}");
                assert!((comparison.difference.value - (comparison.first - comparison.second)).abs() < 1e-12);
                // The ends cut off a fortieth each. Ranks are few: many samples may be at an end.
                let Interval { low, high, .. } = comparison.difference;
                let cut = |holds: &dyn Fn(f64) -> bool| {
                    (all.iter().filter(|d| holds(**d)).count() as f64 / all.len() as f64) - 0.025
                };
                assert!(cut(&|d| d < low - 1e-2) < 0.01 && cut(&|d| d <= low + 1e-2) > -0.01, "{comparison:?}");
                assert!(cut(&|d| d > high + 1e-2) < 0.01 && cut(&|d| d >= high - 1e-2) > -0.01, "{comparison:?}");
            }
        }
    }

    #[test]
    fn a_better_system_is_told_apart_and_an_equal_one_is_not() {
        let (gold, good) = noisy(7, 200, 0.3);
        let bad: Vec<f64> =
            noisy(8, 200, 1.0).1.iter().zip(&gold).map(|(noise, gold)| 10.0 + 5.0 * (gold + noise)).collect();
        let found = RegressionComparison::of(&gold, &good, &bad, None, &options(500)).unwrap();
        let of_pearson = found.pearson.unwrap();
        assert!(of_pearson.p_value < 0.01 && of_pearson.difference.low > 0.0, "{of_pearson:?}");
        assert!(found.rmse.difference.high < 0.0 && found.rmse.p_value < 0.01);
        // A correlation does not see scales.
        let scaled: Vec<f64> = good.iter().map(|value| 4.0 * value - 1.0).collect();
        let same = RegressionComparison::of(&gold, &good, &good, None, &options(200)).unwrap();
        assert_eq!((same.pearson.unwrap().p_value, same.rmse.p_value), (1.0, 1.0));
        let scaled = RegressionComparison::of(&gold, &good, &scaled, None, &options(200)).unwrap();
        assert_eq!((scaled.pearson.unwrap().p_value, scaled.spearman.unwrap().p_value), (1.0, 1.0));
        assert_eq!(scaled.pearson.unwrap().difference, Interval { value: 0.0, low: 0.0, high: 0.0 });
        assert!(scaled.rmse.p_value < 0.02);
    }

    #[test]
    fn coverage_counts_ends_as_inside() {
        let gold = [1.0, 2.0, 3.0, 4.0];
        let intervals = [(1.0, 2.0), (0.0, 1.9), (2.5, 3.0), (-1.0, 9.0)];
        let found = IntervalCoverage::of(&gold, &intervals, None, &options(10)).unwrap();
        assert_eq!(found.share, clopper_pearson(3, 4, 0.95));
        assert!((found.mean_width.unwrap() - (1.0 + 1.9 + 0.5 + 10.0) / 4.0).abs() < 1e-12);
        let endless = [(f64::NEG_INFINITY, f64::INFINITY); 4];
        let found = IntervalCoverage::of(&gold, &endless, Some(&[1, 1, 2, 2]), &options(10)).unwrap();
        assert_eq!((found.share, found.mean_width), (clopper_pearson(2, 2, 0.95), None));
        for wrong in [[(0.0, f64::NAN); 4], [(2.0, 1.0); 4]] {
            assert!(IntervalCoverage::of(&gold, &wrong, None, &options(10)).is_err());
        }
        assert!(IntervalCoverage::of(&gold, &intervals[..3], None, &options(10)).is_err());
        assert!(IntervalCoverage::of(&[], &[], None, &options(10)).is_err());
        assert!(IntervalCoverage::of(&[f64::NAN], &[(0.0, 1.0)], None, &options(10)).is_err());
    }

    #[test]
    fn degenerate_input_has_no_correlation_or_is_refused() {
        let of = |gold: &[f64], predicted: &[f64]| RegressionFigures::of(gold, predicted, None, &options(50));
        let constant = of(&[1.0, 2.0, 3.0], &[0.1; 3]).unwrap();
        assert_eq!((constant.pearson, constant.spearman), (None, None));
        assert!(constant.rmse.low.is_finite() && constant.rmse.low <= constant.rmse.value);
        let two = of(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!((two.pearson, two.rmse.value), (None, 0.0));
        let versus =
            RegressionComparison::of(&[1.0, 2.0, 3.0], &[0.1; 3], &[1.0, 2.0, 3.0], None, &options(50)).unwrap();
        assert!(versus.pearson.is_none() && versus.spearman.is_none() && versus.mae.p_value > 0.0);
        assert!(of(&[], &[]).is_err() && of(&[1.0], &[1.0]).is_err() && of(&[1.0, 2.0], &[1.0]).is_err());
        for wrong in [f64::NAN, f64::INFINITY] {
            assert!(of(&[1.0, 2.0, wrong], &[1.0, 2.0, 3.0]).is_err());
            let said = of(&[1.0, 2.0, 3.0], &[1.0, 2.0, wrong]).unwrap_err().to_string();
            assert!(said.starts_with("predicted value 3 is "), "{said}");
        }
        assert!(of(&[f64::MAX, -f64::MAX], &[-f64::MAX, f64::MAX]).is_err());
        let groups = Some(&[4, 4, 4][..]);
        assert!(RegressionFigures::of(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], groups, &options(50)).is_err());
        assert!(RegressionFigures::of(&[1.0, 2.0], &[1.0, 2.0], None, &options(0)).is_err());
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let (gold, predicted) = noisy(9, 80, 0.5);
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| RegressionFigures::of(&gold, &predicted, None, &options(200)).unwrap())
        };
        assert_eq!(with(1), with(2));
    }
}
