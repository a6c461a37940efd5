//! Decisions among K classes against the truth.
//!
//! Shapes: `gold` and `predicted` have one class per example, numbered from 0 to K − 1; `groups` is
//! parallel to them. Whole groups are resampled where they are given. The confusion matrix is K × K,
//! one row per true class and one column per predicted class.
//!
//! Precision, recall and F1 are 0 by convention if nothing was predicted or found. Macro F1 is the
//! mean of F1 over the classes that occur, be it as truth or as a prediction: a class that is
//! absent from a file (or from a resample) neither helps nor hurts.
//!
//! Shares (accuracy, precision, recall) have the interval of [`exact::share`]: exact, or over
//! groups. F1 and macro F1 have that of the bootstrap. At exactly 0 or 1 it is empty, and their
//! bounds come from the intervals of precision and recall ([`exact::f1_bounds`]).

use rayon::prelude::*;

use super::exact;
use super::significance::{self, Comparison, Interval, ResampleOptions, Sample, Units, check, mcnemar, percentiles};
use crate::{Error, Result};

/// The matrix has at most this many rows.
const MOST_CLASSES: usize = 1_000;

/// How well a system decides among K classes.
#[derive(Clone, Debug, PartialEq)]
pub struct CategoryFigures {
    /// Numbers of examples: `confusion[gold][predicted]`.
    pub confusion: Vec<Vec<usize>>,
    /// Share of correct decisions.
    pub accuracy: Interval,
    /// The figures of each class, K in all.
    pub classes: Vec<CategoryClass>,
    /// Mean F1 of the classes that occur.
    pub macro_f1: Interval,
}

/// The figures of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CategoryClass {
    /// Number of examples of it.
    pub n_gold: usize,
    /// Number of examples that were predicted to be of it.
    pub n_predicted: usize,
    /// Share of its predictions that are correct.
    pub precision: Interval,
    /// Share of its examples that were found.
    pub recall: Interval,
    /// Harmonic mean of both.
    pub f1: Interval,
}

impl CategoryFigures {
    /// Measures the decisions of a system.
    pub fn of(
        gold: &[usize],
        predicted: &[usize],
        n_classes: usize,
        groups: Option<&[usize]>,
        options: &ResampleOptions,
    ) -> Result<Self> {
        check(options)?;
        let rows = paired(gold, predicted, n_classes)?;
        let units = Units::new(rows.len(), groups)?;
        let counts = Counts::of(&rows, n_classes);
        let draw = |number: u64| {
            let drawn: Vec<Row> = units.draw(options, number).0.into_iter().map(|row| rows[row]).collect();
            Counts::of(&drawn, n_classes).f1s()
        };
        let drawn: Vec<Vec<f64>> = (0..options.n_resamples as u64).into_par_iter().map(draw).collect();
        let share = |outcome: &dyn Fn(Row) -> Option<bool>| {
            let outcomes: Vec<Option<bool>> = rows.iter().map(|row| outcome(*row)).collect();
            exact::share(&outcomes, groups, options)
        };
        let mut classes = Vec::with_capacity(n_classes);
        for class in 0..n_classes {
            let precision = share(&|row| (row.predicted == class).then_some(row.gold == class))?;
            let recall = share(&|row| (row.gold == class).then_some(row.predicted == class))?;
            let resampled = drawn.iter().map(|f1s| f1s[class]).collect();
            let f1 = f1_interval(counts.f1(class), resampled, exact::f1_bounds(&precision, &recall), options);
            let (n_gold, n_predicted) = (counts.n_gold[class], counts.n_predicted[class]);
            classes.push(CategoryClass { n_gold, n_predicted, precision, recall, f1 });
        }
        let means = drawn.iter().map(|f1s| mean_f1(f1s)).collect();
        let macro_f1 = f1_interval(mean_f1(&counts.f1s()), means, macro_bounds(&classes), options);
        let accuracy = share(&|row| Some(row.gold == row.predicted))?;
        Ok(Self { confusion: confusion(&rows, n_classes), accuracy, classes, macro_f1 })
    }
}

/// Two systems on the same examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CategoryComparison {
    /// Shares of correct decisions, with the paired randomisation test.
    pub accuracy: Comparison,
    /// Macro F1, with the paired randomisation test.
    pub macro_f1: Comparison,
    /// The exact McNemar test on accuracy, which takes examples as independent.
    pub mcnemar_p: f64,
}

impl CategoryComparison {
    /// Compares the decisions of two systems.
    pub fn of(
        gold: &[usize],
        first: &[usize],
        second: &[usize],
        n_classes: usize,
        groups: Option<&[usize]>,
        options: &ResampleOptions,
    ) -> Result<Self> {
        let [first, second] = [paired(gold, first, n_classes)?, paired(gold, second, n_classes)?];
        let compare = |measure: &(dyn Fn(&[Row]) -> f64 + Sync)| {
            significance::compare(&first, &second, groups, options, &|_: &Sample<'_>, rows: &[Row]| measure(rows))
        };
        let is_right = |rows: &[Row]| -> Vec<bool> { rows.iter().map(|row| row.gold == row.predicted).collect() };
        let accuracy =
            |rows: &[Row]| is_right(rows).into_iter().filter(|is_right| *is_right).count() as f64 / rows.len() as f64;
        Ok(Self {
            accuracy: compare(&accuracy)?,
            macro_f1: compare(&|rows| mean_f1(&Counts::of(rows, n_classes).f1s()))?,
            mcnemar_p: mcnemar(&is_right(&first), &is_right(&second)),
        })
    }
}

/// The mean F1 of the classes that occur.
pub fn macro_f1(gold: &[usize], predicted: &[usize], n_classes: usize) -> Result<f64> {
    let rows = paired(gold, predicted, n_classes)?;
    Ok(mean_f1(&Counts::of(&rows, n_classes).f1s()))
}

/// One example.
#[derive(Clone, Copy, Debug)]
struct Row {
    gold: usize,
    predicted: usize,
}

/// What F1 needs of each class.
struct Counts {
    n_right: Vec<usize>,
    n_gold: Vec<usize>,
    n_predicted: Vec<usize>,
}

impl Counts {
    fn of(rows: &[Row], n_classes: usize) -> Self {
        let zeros = || vec![0; n_classes];
        let mut counts = Self { n_right: zeros(), n_gold: zeros(), n_predicted: zeros() };
        for row in rows {
            counts.n_gold[row.gold] += 1;
            counts.n_predicted[row.predicted] += 1;
            counts.n_right[row.gold] += usize::from(row.gold == row.predicted);
        }
        counts
    }

    /// 2 right / (gold + predicted); NaN for a class that does not occur.
    fn f1(&self, class: usize) -> f64 {
        2.0 * self.n_right[class] as f64 / (self.n_gold[class] + self.n_predicted[class]) as f64
    }

    fn f1s(&self) -> Vec<f64> {
        (0..self.n_gold.len()).map(|class| self.f1(class)).collect()
    }
}

/// The mean of the F1 that are defined.
fn mean_f1(f1s: &[f64]) -> f64 {
    let (n, sum) = f1s.iter().filter(|f1| f1.is_finite()).fold((0usize, 0.0), |(n, sum), f1| (n + 1, sum + f1));
    if n == 0 { 0.0 } else { sum / n as f64 }
}

/// The bootstrap interval; at 0, at 1 and where F1 is undefined, the bounds.
fn f1_interval(value: f64, resampled: Vec<f64>, (low, high): (f64, f64), options: &ResampleOptions) -> Interval {
    let value = if value.is_finite() { value } else { 0.0 };
    let found = percentiles(value, resampled, options).filter(|_| value > 0.0 && value < 1.0);
    found.unwrap_or(Interval { value, low, high })
}

/// Bounds of macro F1 from those of the classes that occur.
fn macro_bounds(classes: &[CategoryClass]) -> (f64, f64) {
    let bounds: Vec<(f64, f64)> = classes
        .iter()
        .filter(|class| class.n_gold + class.n_predicted > 0)
        .map(|class| exact::f1_bounds(&class.precision, &class.recall))
        .collect();
    let mean = |end: fn(&(f64, f64)) -> f64| bounds.iter().map(end).sum::<f64>() / bounds.len().max(1) as f64;
    (mean(|bounds| bounds.0), mean(|bounds| bounds.1))
}

fn confusion(rows: &[Row], n_classes: usize) -> Vec<Vec<usize>> {
    let mut counts = vec![vec![0; n_classes]; n_classes];
    rows.iter().for_each(|row| counts[row.gold][row.predicted] += 1);
    counts
}

fn paired(gold: &[usize], predicted: &[usize], n_classes: usize) -> Result<Vec<Row>> {
    if gold.len() != predicted.len() {
        let (n, found) = (gold.len(), predicted.len());
        return Err(Error::data(format!("{n} true classes but {found} predicted ones, expected one each")));
    }
    if gold.is_empty() {
        return Err(Error::data("no examples to measure"));
    }
    check_classes("true", gold, n_classes)?;
    check_classes("predicted", predicted, n_classes)?;
    Ok(gold.iter().zip(predicted).map(|(&gold, &predicted)| Row { gold, predicted }).collect())
}

/// Checks that every class is below their number.
pub(super) fn check_classes(what: &str, classes: &[usize], n_classes: usize) -> Result<()> {
    if n_classes == 0 || n_classes > MOST_CLASSES {
        return Err(Error::parameter(format!("{n_classes} classes, expected from 1 to {MOST_CLASSES}")));
    }
    match classes.iter().position(|class| *class >= n_classes) {
        Some(row) => {
            let class = classes[row];
            Err(Error::data(format!("{what} class {} is number {class}, expected one below {n_classes}", row + 1)))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::exact::clopper_pearson;
    use crate::eval::metrics::Confusion;
    use crate::rng::SplitMix;

    fn options(n_resamples: usize) -> ResampleOptions {
        ResampleOptions { n_resamples, ..ResampleOptions::default() }
    }

    /// True classes, and predictions that are right with this chance and else any class.
    fn random_case(seed: u64, n: usize, n_classes: usize, chance: f64) -> (Vec<usize>, Vec<usize>) {
        let mut random = SplitMix::new(seed);
        let mut row = |_| {
            let gold = random.below(n_classes);
            (gold, if random.unit() < chance { gold } else { random.below(n_classes) })
        };
        (0..n).map(&mut row).unzip()
    }

    /// One class against all others.
    fn one_against_all(gold: &[usize], predicted: &[usize], class: usize) -> Confusion {
        let is = |classes: &[usize]| -> Vec<bool> { classes.iter().map(|other| *other == class).collect() };
        Confusion::of(&is(predicted), &is(gold))
    }

    #[test]
    fn every_class_is_measured_as_yes_against_the_rest() {
        for seed in 0..40 {
            let (n, n_classes) = (1 + seed as usize, 1 + seed as usize % 5);
            let (gold, predicted) = random_case(seed, n, n_classes, 0.6);
            let found = CategoryFigures::of(&gold, &predicted, n_classes, None, &options(20)).unwrap();
            let mut f1s = Vec::new();
            for (class, figures) in found.classes.iter().enumerate() {
                let plain = one_against_all(&gold, &predicted, class);
                let (n_gold, n_predicted) =
                    (plain.true_positive + plain.false_negative, plain.true_positive + plain.false_positive);
                assert_eq!((figures.n_gold, figures.n_predicted), (n_gold, n_predicted));
                assert_eq!(figures.precision, clopper_pearson(plain.true_positive, n_predicted, 0.95));
                assert_eq!(figures.recall, clopper_pearson(plain.true_positive, n_gold, 0.95));
                assert!((figures.f1.value - plain.f1()).abs() < 1e-12);
                assert!(figures.f1.low <= figures.f1.high && figures.f1.low >= 0.0 && figures.f1.high <= 1.0);
                if n_gold + n_predicted > 0 {
                    f1s.push(plain.f1());
                }
                for other in 0..n_classes {
                    let count = (0..n).filter(|&row| gold[row] == class && predicted[row] == other).count();
                    assert_eq!(found.confusion[class][other], count);
                }
            }
            let expected = f1s.iter().sum::<f64>() / f1s.len() as f64;
            assert!((found.macro_f1.value - expected).abs() < 1e-12, "seed {seed}");
            assert_eq!(macro_f1(&gold, &predicted, n_classes).unwrap(), found.macro_f1.value);
            if n_classes == 2 {
                let plain = one_against_all(&gold, &predicted, 1).macro_f1();
                assert!((plain - expected).abs() < 1e-12, "seed {seed}");
            }
            let n_right = (0..n).filter(|&row| gold[row] == predicted[row]).count();
            assert_eq!(found.accuracy, clopper_pearson(n_right, n, 0.95));
        }
    }

    /// The sorted macro F1 of all samples of n of n rows, with replacement.
    fn all_macro_f1s(gold: &[usize], predicted: &[usize], n_classes: usize) -> Vec<f64> {
        let n = gold.len();
        let mut all: Vec<f64> = (0..n.pow(n as u32))
            .map(|number| {
                let rows: Vec<usize> = (0..n).map(|at| number / n.pow(at as u32) % n).collect();
                let at = |classes: &[usize]| -> Vec<usize> { rows.iter().map(|&row| classes[row]).collect() };
                macro_f1(&at(gold), &at(predicted), n_classes).unwrap()
            })
            .collect();
        all.sort_unstable_by(f64::total_cmp);
        all
    }

    #[test]
    fn the_interval_of_macro_f1_is_near_that_over_all_samples() {
        let (gold, predicted) = ([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]);
        let all = all_macro_f1s(&gold, &predicted, 3);
        let found = CategoryFigures::of(&gold, &predicted, 3, None, &options(20_000)).unwrap().macro_f1;
        let share = |holds: &dyn Fn(f64) -> bool| all.iter().filter(|f1| holds(**f1)).count() as f64 / all.len() as f64;
        // Each end cuts off at most a fortieth, and nothing smaller would.
        assert!(share(&|f1| f1 < found.low - 1e-9) < 0.03 && share(&|f1| f1 <= found.low + 0.02) > 0.02, "{found:?}");
        assert!(share(&|f1| f1 > found.high + 1e-9) < 0.03 && share(&|f1| f1 >= found.high - 0.02) > 0.02, "{found:?}");
        assert!(found.low < found.value && found.value < found.high);
    }

    #[test]
    fn figures_at_the_ends_have_intervals_that_are_not_empty() {
        let gold: Vec<usize> = (0..30).map(|row| row % 3).collect();
        let wrong: Vec<usize> = gold.iter().map(|class| (class + 1) % 3).collect();
        let perfect = CategoryFigures::of(&gold, &gold, 3, None, &options(50)).unwrap();
        let low = clopper_pearson(10, 10, 0.95).low;
        assert!((perfect.macro_f1.low - low).abs() < 1e-12 && perfect.macro_f1.high == 1.0, "{perfect:?}");
        assert!((perfect.classes[1].f1.low - low).abs() < 1e-12 && perfect.classes[1].f1.value == 1.0);
        let none = CategoryFigures::of(&gold, &wrong, 3, None, &options(50)).unwrap();
        assert!(none.macro_f1.value == 0.0 && none.macro_f1.low == 0.0 && none.macro_f1.high > 0.2, "{none:?}");
        // A class that never occurs has no say.
        let more = CategoryFigures::of(&gold, &gold, 5, None, &options(50)).unwrap();
        assert_eq!((more.macro_f1, more.accuracy), (perfect.macro_f1, perfect.accuracy));
        assert_eq!(more.classes[4].f1, Interval { value: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn copies_in_one_group_do_not_narrow_the_interval() {
        let (gold, predicted) = random_case(5, 90, 3, 0.5);
        let fourfold = |classes: &[usize]| -> Vec<usize> { classes.iter().flat_map(|class| [*class; 4]).collect() };
        let (gold_4, predicted_4) = (fourfold(&gold), fourfold(&predicted));
        let groups: Vec<usize> = (0..360).map(|row| row / 4).collect();
        let single = CategoryFigures::of(&gold, &predicted, 3, None, &options(300)).unwrap();
        let grouped = CategoryFigures::of(&gold_4, &predicted_4, 3, Some(&groups), &options(300)).unwrap();
        let careless = CategoryFigures::of(&gold_4, &predicted_4, 3, None, &options(300)).unwrap();
        // The same groups are drawn as single rows were.
        assert_eq!(single.macro_f1, grouped.macro_f1);
        let width = |interval: Interval| interval.high - interval.low;
        assert!(width(careless.macro_f1) < 0.7 * width(single.macro_f1));
        assert!(width(careless.accuracy) < 0.7 * width(grouped.accuracy), "{careless:?} {grouped:?}");
    }

    #[test]
    fn two_systems_are_compared_row_by_row() {
        let (gold, good) = random_case(6, 200, 4, 0.9);
        let (_, bad) = random_case(7, 200, 4, 0.5);
        let found = CategoryComparison::of(&gold, &good, &bad, 4, None, &options(300)).unwrap();
        assert!(found.accuracy.p_value < 0.01 && found.macro_f1.p_value < 0.01 && found.mcnemar_p < 0.01);
        assert!(found.accuracy.difference.low > 0.0 && found.macro_f1.difference.low > 0.0);
        assert_eq!(found.macro_f1.first, macro_f1(&gold, &good, 4).unwrap());
        let is_right = |system: &[usize]| -> Vec<bool> { system.iter().zip(&gold).map(|(a, b)| a == b).collect() };
        let share = is_right(&bad).iter().filter(|right| **right).count() as f64 / 200.0;
        assert_eq!(found.accuracy.second, share);
        assert_eq!(found.mcnemar_p, mcnemar(&is_right(&good), &is_right(&bad)));
        let same = CategoryComparison::of(&gold, &good, &good, 4, None, &options(50)).unwrap();
        assert_eq!((same.accuracy.p_value, same.macro_f1.p_value, same.mcnemar_p), (1.0, 1.0, 1.0));
    }

    #[test]
    fn wrong_input_is_refused() {
        let of = |gold: &[usize], predicted: &[usize], n_classes: usize, groups: Option<&[usize]>| {
            CategoryFigures::of(gold, predicted, n_classes, groups, &options(10)).map_err(|error| error.to_string())
        };
        for (found, expected) in [
            (of(&[], &[], 2, None), "no examples to measure"),
            (of(&[0], &[0, 1], 2, None), "1 true classes but 2 predicted ones, expected one each"),
            (of(&[0, 2], &[0, 1], 2, None), "true class 2 is number 2, expected one below 2"),
            (of(&[0, 1], &[7, 1], 2, None), "predicted class 1 is number 7, expected one below 2"),
            (of(&[0], &[0], 0, None), "0 classes, expected from 1 to 1000"),
            (of(&[0], &[0], 1_001, None), "1001 classes, expected from 1 to 1000"),
            (of(&[0], &[0], 2, Some(&[1, 2])), "1 outputs but 2 group numbers, expected one each"),
        ] {
            assert_eq!(found.unwrap_err(), expected);
        }
        assert!(CategoryFigures::of(&[0], &[0], 1, None, &options(0)).is_err());
        assert!(CategoryComparison::of(&[0, 1], &[0, 1], &[0, 3], 2, None, &options(10)).is_err());
        let one = of(&[1], &[1], 2, None).unwrap();
        assert!(one.macro_f1.value == 1.0 && one.macro_f1.low < 0.1 && one.accuracy.low < 0.1, "{one:?}");
    }
}
