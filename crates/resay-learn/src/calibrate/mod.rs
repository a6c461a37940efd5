//! Turns scores into probabilities, and values into intervals.
//!
//! - [`Platt`]: two classes, one score.
//! - [`Softmax`]: any number of classes, one score per class.
//! - [`Ordinal`]: ordered levels, one score.
//! - [`PredictionInterval`]: a real value, with the interval in which new values lie nine times out of ten.
//!
//! All scores must come from models that were not trained on the example (cross-fitted, see
//! [`crate::svm::search`]). Scores of training examples are too extreme, and probabilities fitted
//! to them overconfident.
//!
//! Targets are smoothed as Platt (1999) does for two classes. An example of class c, one of n_c out
//! of K classes, counts as (n_c + 1) / (n_c + K) of its own class and 1 / (n_c + K) of every other,
//! so that scores that separate the classes do not need an infinite slope, and a class without
//! examples keeps a small probability.

mod interval;
mod newton;
mod ordinal;
mod platt;
mod softmax;

pub use interval::PredictionInterval;
pub use ordinal::Ordinal;
pub use platt::Platt;
pub use softmax::Softmax;

use crate::{Error, Result};

/// Smoothed targets by the class of the example.
#[derive(Clone, Debug, PartialEq)]
struct Targets {
    /// Number of examples of each class.
    counts: Vec<usize>,
    /// What an example of each class counts of its own class.
    own: Vec<f64>,
    /// What an example of each class counts of every other class.
    other: Vec<f64>,
}

impl Targets {
    /// Counts the classes. Fails if a label is not below `n_classes`.
    fn new(labels: &[usize], n_classes: usize) -> Result<Self> {
        let mut counts = vec![0usize; n_classes];
        for (place, &label) in labels.iter().enumerate() {
            let Some(count) = counts.get_mut(label) else {
                return Err(Error::data(format!(
                    "calibration label {place} is {label}, expected a number below {n_classes}, the number of classes"
                )));
            };
            *count += 1;
        }
        let total = |count: &usize| (count + n_classes) as f64;
        let own = counts.iter().map(|count| (count + 1) as f64 / total(count)).collect();
        let other = counts.iter().map(|count| 1.0 / total(count)).collect();
        Ok(Self { counts, own, other })
    }

    /// The target of `class` for an example of class `label`.
    fn of(&self, label: usize, class: usize) -> f64 {
        if label == class { self.own[label] } else { self.other[label] }
    }

    /// The sum of the targets of `class` over all examples.
    fn sum(&self, class: usize) -> f64 {
        self.counts.iter().enumerate().map(|(label, count)| *count as f64 * self.of(label, class)).sum()
    }

    /// Whether examples of at least two classes occur.
    fn are_mixed(&self) -> bool {
        self.counts.iter().filter(|count| **count > 0).count() > 1
    }
}

/// Checks that `values` has `expected` finite numbers and at least one. `name` is for the message.
fn check_values(name: &str, values: &[f64], expected: usize) -> Result<()> {
    if values.len() != expected || values.is_empty() {
        return Err(Error::data(format!(
            "calibration got {} {name}s and {expected} labels, expected one label per {name} and at least one",
            values.len()
        )));
    }
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(place) => {
            Err(Error::data(format!("calibration {name} {place} is {}, expected a finite number", values[place])))
        }
    }
}

/// Scores moved and scaled to 0..1, so that no threshold of a minimiser depends on their range.
#[derive(Clone, Debug, PartialEq)]
struct UnitScores {
    values: Vec<f64>,
    lowest: f64,
    spread: f64,
}

impl UnitScores {
    /// `None` if all scores are equal, or too far apart to subtract.
    fn new(scores: &[f64]) -> Option<Self> {
        let extremes = scores.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(*s), h.max(*s)));
        let (lowest, spread) = (extremes.0, extremes.1 - extremes.0);
        let is_usable = spread > 0.0 && spread.is_finite();
        is_usable.then(|| Self {
            values: scores.iter().map(|score| (score - lowest) / spread).collect(),
            lowest,
            spread,
        })
    }
}

/// 1 / (1 + exp(−z)), without overflow.
fn sigmoid(z: f64) -> f64 {
    if z >= 0.0 { 1.0 / (1.0 + (-z).exp()) } else { z.exp() / (1.0 + z.exp()) }
}

/// ln(1 + exp(z)), without overflow: the log loss of an example whose log-odds are −z.
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_add_up_to_one_and_are_those_of_platt_for_two_classes() {
        let targets = Targets::new(&[0, 1, 1, 1], 2).unwrap();
        assert_eq!((targets.of(1, 1), targets.of(0, 1)), (4.0 / 5.0, 1.0 / 3.0));
        let targets = Targets::new(&[0, 2, 2, 0, 2], 4).unwrap();
        for label in 0..4 {
            assert!(((0..4).map(|class| targets.of(label, class)).sum::<f64>() - 1.0).abs() < 1e-15);
        }
        assert!(((0..4).map(|class| targets.sum(class)).sum::<f64>() - 5.0).abs() < 1e-14);
        assert!(targets.are_mixed() && !Targets::new(&[3, 3], 4).unwrap().are_mixed());
        assert!(Targets::new(&[0, 4], 4).unwrap_err().to_string().contains("label 1 is 4"));
    }
}
