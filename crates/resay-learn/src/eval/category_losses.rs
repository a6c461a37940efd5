//! Losses of predicted probabilities of K classes.
//!
//! Shapes: `probabilities` has one row of K numbers per example, each from 0 to 1, which add up to
//! 1; `gold` has the number of the true class, from 0 to K − 1. Whole groups are resampled where
//! they are given.
//!
//! - Brier score: the mean over examples of Σₖ (pₖ − [k is the true class])², from 0 to 2. For two
//!   classes it is twice [`super::metrics::brier`], which only looks at yes.
//! - Log loss: the mean of −ln p of the true class, with p clipped to at least 1e-15.

use super::categories::check_classes;
use super::significance::{self, Comparison, Interval, ResampleOptions, Sample};
use crate::{Error, Result};

/// How far the probabilities of a row may be from adding up to 1.
const SLACK: f64 = 1e-6;

/// The losses of a system, with bootstrap intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CategoryLosses {
    /// Brier score.
    pub brier: Interval,
    /// Log loss.
    pub log_loss: Interval,
}

impl CategoryLosses {
    /// Measures predicted probabilities.
    pub fn of<R: AsRef<[f64]>>(
        gold: &[usize],
        probabilities: &[R],
        groups: Option<&[usize]>,
        options: &ResampleOptions,
    ) -> Result<Self> {
        let losses = losses(gold, probabilities)?;
        let of = |loss: fn(&Loss) -> f64| {
            significance::bootstrap(&losses, groups, options, &|_: &Sample<'_>, drawn: &[Loss]| mean(drawn, loss))
        };
        Ok(Self { brier: of(|loss| loss.brier)?, log_loss: of(|loss| loss.log_loss)? })
    }
}

/// The losses of two systems on the same examples, with the paired randomisation test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossComparison {
    /// Brier scores.
    pub brier: Comparison,
    /// Log losses.
    pub log_loss: Comparison,
}

impl LossComparison {
    /// Compares the predicted probabilities of two systems.
    pub fn of<R: AsRef<[f64]>>(
        gold: &[usize],
        first: &[R],
        second: &[R],
        groups: Option<&[usize]>,
        options: &ResampleOptions,
    ) -> Result<Self> {
        let [first, second] = [losses(gold, first)?, losses(gold, second)?];
        let of = |loss: fn(&Loss) -> f64| {
            let measure = |_: &Sample<'_>, drawn: &[Loss]| mean(drawn, loss);
            significance::compare(&first, &second, groups, options, &measure)
        };
        Ok(Self { brier: of(|loss| loss.brier)?, log_loss: of(|loss| loss.log_loss)? })
    }
}

/// The losses of one example.
#[derive(Clone, Copy, Debug)]
struct Loss {
    brier: f64,
    log_loss: f64,
}

fn mean(losses: &[Loss], loss: fn(&Loss) -> f64) -> f64 {
    losses.iter().map(loss).sum::<f64>() / losses.len() as f64
}

fn losses<R: AsRef<[f64]>>(gold: &[usize], probabilities: &[R]) -> Result<Vec<Loss>> {
    if gold.len() != probabilities.len() {
        let (n, found) = (gold.len(), probabilities.len());
        return Err(Error::data(format!("{n} true classes but {found} rows of probabilities, expected one each")));
    }
    let n_classes = probabilities.first().map_or(1, |row| row.as_ref().len());
    check_classes("true", gold, n_classes)?;
    let rows = gold.iter().zip(probabilities).enumerate();
    rows.map(|(number, (class, row))| {
        let row = row.as_ref();
        if row.len() != n_classes {
            let found = row.len();
            return Err(Error::data(format!("row {} has {found} probabilities, expected {n_classes}", number + 1)));
        }
        let sum: f64 = row.iter().sum();
        // Also refuses what is not a number.
        let is_sound = row.iter().all(|p| (0.0..=1.0 + SLACK).contains(p)) && (sum - 1.0).abs() <= SLACK;
        if !is_sound {
            let message = format!("row {} has probabilities {row:?}, expected numbers that add up to 1", number + 1);
            return Err(Error::data(message));
        }
        let brier = row.iter().enumerate().map(|(k, p)| (p - f64::from(u8::from(k == *class))).powi(2)).sum();
        Ok(Loss { brier, log_loss: -row[*class].clamp(1e-15, 1.0).ln() })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::metrics;
    use crate::rng::SplitMix;

    fn options(n_resamples: usize) -> ResampleOptions {
        ResampleOptions { n_resamples, ..ResampleOptions::default() }
    }

    fn random_case(seed: u64, n: usize, n_classes: usize) -> (Vec<usize>, Vec<Vec<f64>>) {
        let mut random = SplitMix::new(seed);
        let mut row = |_| {
            let weights: Vec<f64> = (0..n_classes).map(|_| random.unit() + 0.01).collect();
            let sum: f64 = weights.iter().sum();
            (random.below(n_classes), weights.iter().map(|weight| weight / sum).collect())
        };
        (0..n).map(&mut row).unzip()
    }

    #[test]
    fn losses_by_hand() {
        let found = CategoryLosses::of(&[0, 2], &[[0.7, 0.2, 0.1], [0.5, 0.5, 0.0]], None, &options(50)).unwrap();
        let brier = (0.3f64.powi(2) + 0.2f64.powi(2) + 0.1f64.powi(2) + 0.25 + 0.25 + 1.0) / 2.0;
        assert!((found.brier.value - brier).abs() < 1e-12);
        assert!((found.log_loss.value - (-(0.7f64.ln()) - 1e-15f64.ln()) / 2.0).abs() < 1e-12);
        let sure = CategoryLosses::of(&[0, 1], &[[1.0, 0.0], [0.0, 1.0]], None, &options(50)).unwrap();
        assert_eq!((sure.brier.value, sure.log_loss.value), (0.0, 0.0));
    }

    #[test]
    fn two_classes_are_yes_and_no() {
        for seed in 0..30 {
            let (gold, probabilities) = random_case(seed, 40, 2);
            let found = CategoryLosses::of(&gold, &probabilities, None, &options(50)).unwrap();
            let yes: Vec<f64> = probabilities.iter().map(|row| row[1]).collect();
            let labels: Vec<bool> = gold.iter().map(|class| *class == 1).collect();
            assert!((found.brier.value - 2.0 * metrics::brier(&yes, &labels).unwrap()).abs() < 1e-12);
            assert!((found.log_loss.value - metrics::log_loss(&yes, &labels).unwrap()).abs() < 1e-12);
            assert!(found.brier.low < found.brier.value && found.brier.value < found.brier.high);
        }
    }

    #[test]
    fn the_interval_is_near_the_normal_one() {
        let (gold, probabilities) = random_case(1, 900, 3);
        let found = CategoryLosses::of(&gold, &probabilities, None, &options(2_000)).unwrap().brier;
        let each: Vec<f64> = losses(&gold, &probabilities).unwrap().iter().map(|loss| loss.brier).collect();
        let variance = each.iter().map(|loss| (loss - found.value).powi(2)).sum::<f64>() / 900.0;
        let half = 1.96 * (variance / 900.0).sqrt();
        assert!(((found.high - found.low) / (2.0 * half) - 1.0).abs() < 0.1, "{found:?} {half}");
        let groups: Vec<usize> = (0..900).map(|row| row / 900).collect();
        let grouped = CategoryLosses::of(&gold, &probabilities, Some(&groups), &options(20)).unwrap().brier;
        assert!((grouped.high - grouped.low).abs() < 1e-12, "one group is always drawn whole");
    }

    #[test]
    fn two_systems_are_compared() {
        let (gold, first) = random_case(2, 150, 3);
        // Half of the way to the truth.
        let nearer = |(class, row): (&usize, &Vec<f64>)| -> Vec<f64> {
            row.iter().enumerate().map(|(k, p)| 0.5 * p + if k == *class { 0.5 } else { 0.0 }).collect()
        };
        let second: Vec<Vec<f64>> = gold.iter().zip(&first).map(nearer).collect();
        let found = LossComparison::of(&gold, &first, &second, None, &options(300)).unwrap();
        for comparison in [found.brier, found.log_loss] {
            assert!(comparison.difference.low > 0.0 && comparison.p_value < 0.01, "{comparison:?}");
        }
        assert!((found.brier.second - 0.25 * found.brier.first).abs() < 1e-12);
        let same = LossComparison::of(&gold, &first, &first, None, &options(50)).unwrap();
        assert_eq!((same.brier.p_value, same.log_loss.p_value), (1.0, 1.0));
    }

    #[test]
    fn wrong_input_is_refused() {
        let of = |gold: &[usize], rows: &[&[f64]]| {
            CategoryLosses::of(gold, rows, None, &options(10)).map_err(|error| error.to_string())
        };
        for (found, expected) in [
            (of(&[], &[]), "no examples to measure"),
            (of(&[0, 1], &[&[1.0, 0.0]]), "2 true classes but 1 rows of probabilities"),
            (of(&[2], &[&[1.0, 0.0]]), "true class 1 is number 2, expected one below 2"),
            (of(&[0], &[&[]]), "0 classes, expected from 1 to 1000"),
            (of(&[0, 0], &[&[1.0, 0.0], &[1.0]]), "row 2 has 1 probabilities, expected 2"),
            (of(&[0], &[&[0.5, 0.4]]), "row 1 has probabilities [0.5, 0.4], expected numbers that add up to 1"),
            (of(&[0], &[&[1.5, -0.5]]), "row 1 has probabilities"),
            (of(&[0], &[&[f64::NAN, 1.0]]), "row 1 has probabilities"),
        ] {
            let said = found.unwrap_err();
            assert!(said.starts_with(expected), "{said}");
        }
    }
}
