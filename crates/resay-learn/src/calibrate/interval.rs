//! The interval around a predicted number in which the true number lies with given probability.
//!
//! Problem: given predicted values and gold values, find `below` and `above` such that the gold
//! value of a new example lies within [value − below, value + above] with a probability of at least
//! `coverage`, whatever the distribution, as long as new examples resemble the given ones
//! (split-conformal prediction, Vovk et al. 2005; Lei et al. 2018).
//!
//! Algorithm: a new residual (gold − value) is equally likely to fall into each of the n + 1 gaps
//! between the n sorted residuals. With α = 1 − coverage, the interval reaches from residual number
//! ⌊(n + 1) α / 2⌋ to residual number ⌈(n + 1) (1 − α / 2)⌉, counted from 1: on either side it is
//! missed with a probability of at most α / 2. With fewer than 2 / α − 1 examples there are no such
//! residuals. Then the interval spans all residuals, which covers (n − 1) / (n + 1).

use super::check_values;
use crate::{Error, Result};

/// Added to or subtracted from a count before it is rounded: (n + 1) α / 2 may be off by a rounding
/// error from the whole number that it is.
const ROUNDING: f64 = 1e-9;

/// How far gold values lie from predicted values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionInterval {
    /// How far the interval reaches below the value, at least 0.
    pub below: f64,
    /// How far the interval reaches above the value, at least 0.
    pub above: f64,
    /// The guaranteed share of new values within the interval: as requested, or less if there were
    /// too few examples.
    pub coverage: f64,
}

impl PredictionInterval {
    /// Fits to cross-fitted values and their gold values. `coverage` lies between 0 and 1, usually
    /// 0.9.
    pub fn fit(values: &[f64], gold: &[f64], coverage: f64) -> Result<Self> {
        if !(coverage > 0.0 && coverage < 1.0) {
            return Err(Error::parameter(format!("coverage is {coverage}, expected a number between 0 and 1")));
        }
        check_values("value", values, gold.len())?;
        check_values("gold value", gold, values.len())?;
        let mut residuals: Vec<f64> = gold.iter().zip(values).map(|(gold, value)| gold - value).collect();
        if let Some(place) = residuals.iter().position(|residual| !residual.is_finite()) {
            return Err(Error::data(format!(
                "calibration value {place} is {} and its gold value {}, too far apart to subtract",
                values[place], gold[place]
            )));
        }
        residuals.sort_unstable_by(f64::total_cmp);
        let n = residuals.len();
        let outside = (n + 1) as f64 * (1.0 - coverage) / 2.0;
        // Counted from 1: the residual of number `first` and the one as far from the other end.
        let first = (outside + ROUNDING).floor() as usize;
        let (first, coverage) =
            if first == 0 { (1, coverage.min((n - 1) as f64 / (n + 1) as f64)) } else { (first, coverage) };
        // Both ends include the value itself; this can only widen the interval.
        Ok(Self { below: (-residuals[first - 1]).max(0.0), above: residuals[n - first].max(0.0), coverage })
    }

    /// Returns the interval around a value.
    pub fn around(&self, value: f64) -> [f64; 2] {
        [value - self.below, value + self.above]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    #[test]
    fn residuals_of_the_right_number_are_the_ends() {
        // Residuals −1, 2, −3, 4, ..., in any order: sorted, they are odd and negative, then even.
        let check = |n: usize, coverage: f64, below: f64, above: f64, guaranteed: f64| {
            let gold: Vec<f64> = (1..=n).map(|i| if i % 2 == 0 { i as f64 } else { -(i as f64) }).collect();
            let found = PredictionInterval::fit(&vec![0.0; n], &gold, coverage).unwrap();
            assert_eq!(found, PredictionInterval { below, above, coverage: guaranteed }, "{n} {coverage}");
        };
        // Of 19 residuals, the first and the last: 20 · 0.05 = 1.
        check(19, 0.9, 19.0, 18.0, 0.9);
        check(18, 0.9, 17.0, 18.0, 17.0 / 19.0);
        check(38, 0.9, 37.0, 38.0, 0.9);
        check(39, 0.9, 37.0, 36.0, 0.9);
        check(99, 0.9, 91.0, 90.0, 0.9);
        check(99, 0.5, 51.0, 50.0, 0.5);
        check(3, 0.5, 3.0, 2.0, 0.5);
        check(2, 0.5, 1.0, 2.0, 1.0 / 3.0);
        check(1, 0.9, 1.0, 0.0, 0.0);
    }

    #[test]
    fn at_least_the_coverage_of_new_values_lies_within() {
        for (n, coverage) in [(19, 0.9), (50, 0.9), (200, 0.8), (10, 0.9)] {
            let mut random = SplitMix::new(n as u64);
            // Skewed residuals.
            let mut draw = |count: usize| (0..count).map(|_| random.unit().powi(3) - 0.2).collect::<Vec<f64>>();
            let (mut n_within, mut guaranteed) = (0, 0.0);
            let n_rounds = 4_000;
            for _ in 0..n_rounds {
                let found = PredictionInterval::fit(
                    &vec![1.0; n],
                    &draw(n).iter().map(|r| 1.0 + r).collect::<Vec<_>>(),
                    coverage,
                );
                let found = found.unwrap();
                let [low, high] = found.around(1.0);
                n_within += usize::from((low..=high).contains(&(1.0 + draw(1)[0])));
                guaranteed = found.coverage;
            }
            let share = n_within as f64 / f64::from(n_rounds);
            // Three standard errors of the estimate, and not much wider than needed either.
            assert!(share > guaranteed - 0.02 && share < guaranteed + 2.0 / (n + 1) as f64 + 0.02, "{n}: {share}");
            assert!(guaranteed <= coverage);
        }
    }

    #[test]
    fn the_value_lies_within() {
        let found = PredictionInterval::fit(&[0.0; 40], &[3.0; 40], 0.9).unwrap();
        assert_eq!((found.below, found.above), (0.0, 3.0));
        let found = PredictionInterval::fit(&[0.0; 40], &[-3.0; 40], 0.9).unwrap();
        assert_eq!((found.below, found.above), (3.0, 0.0));
        assert_eq!(found.around(7.0), [4.0, 7.0]);
    }

    #[test]
    fn wrong_input_is_refused() {
        let check = |values: &[f64], gold: &[f64], coverage: f64, expected: &str| {
            let message = PredictionInterval::fit(values, gold, coverage).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(&[], &[], 0.9, "at least one");
        check(&[1.0], &[1.0, 2.0], 0.9, "got 1 values and 2 labels");
        check(&[1.0, f64::NAN], &[1.0, 2.0], 0.9, "calibration value 1 is NaN");
        check(&[1.0, 2.0], &[1.0, f64::INFINITY], 0.9, "gold value 1 is inf");
        check(&[f64::MAX, 1.0], &[f64::MIN, 1.0], 0.9, "too far apart");
        for coverage in [0.0, 1.0, -0.5, f64::NAN] {
            check(&[1.0], &[1.0], coverage, "expected a number between 0 and 1");
        }
    }
}
