//! The probability of each of several classes, from one score per class.
//!
//! Problem: find slopes aₖ ≥ 0 and intercepts bₖ such that pₖ ∝ exp(aₖ scoreₖ + bₖ) has the least
//! log loss −Σᵢ Σₖ tᵢₖ ln pᵢₖ, with the smoothed targets t of [`super`]. Adding a number to all
//! intercepts changes no probability, so the intercepts add up to 0. Slopes may be undetermined as
//! well (of two classes with opposite scores, only their sum counts), so a tiny multiple of their
//! squares is added, measured in units of the range of each class's scores: the solution is unique.
//! Algorithm: projected Newton steps (`newton.rs`); the problem is convex.
//!
//! With two classes and opposite scores, this is Platt's calibration with half the slope for each
//! class.

use super::newton::{Convex, minimise};
use super::{Targets, UnitScores, check_values};
use crate::{Error, Result};

/// Factor of half the squared slopes.
const RIDGE: f64 = 1e-6;
/// Scaled scores are kept within ± this, so that differences stay finite.
const LARGEST: f64 = 1e300;

/// A fitted calibration: pₖ ∝ exp(slopeₖ · scoreₖ + interceptₖ). A higher score of a class never
/// gives it a lower probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Softmax {
    /// One slope per class, at least 0.
    pub slopes: Vec<f64>,
    /// One intercept per class; they add up to 0.
    pub intercepts: Vec<f64>,
}

impl Softmax {
    /// Fits to cross-fitted scores: `scores` has one list per class with one score per row,
    /// `labels` one class per row. Classes whose scores carry no information get slope 0. If none
    /// does (rows of one class only, equal scores, higher scores for other classes), every row gets
    /// the smoothed base rates.
    pub fn fit(scores: &[Vec<f64>], labels: &[usize]) -> Result<Self> {
        if scores.len() < 2 {
            return Err(Error::data(format!("calibration over {} classes, expected at least 2", scores.len())));
        }
        for (class, scores) in scores.iter().enumerate() {
            check_values(&format!("class {class} score"), scores, labels.len())?;
        }
        let targets = Targets::new(labels, scores.len())?;
        let base_rates = Self::base_rates(&targets);
        let columns: Vec<Option<UnitScores>> = scores.iter().map(|scores| UnitScores::new(scores)).collect();
        if !targets.are_mixed() || columns.iter().all(Option::is_none) {
            return Ok(base_rates);
        }
        let n_classes = scores.len();
        let problem = Problem { columns: &columns, labels, targets: &targets };
        let mut point = vec![0.0; n_classes];
        point.extend(&base_rates.intercepts);
        let mut bounded = vec![true; n_classes];
        bounded.resize(2 * n_classes, false);
        minimise(&problem, &mut point, &bounded);

        let (slopes, intercepts) = point.split_at(n_classes);
        let mut fitted = Self { slopes: vec![0.0; n_classes], intercepts: intercepts.to_vec() };
        for (class, column) in columns.iter().enumerate() {
            if let Some(column) = column {
                fitted.slopes[class] = slopes[class] / column.spread;
                fitted.intercepts[class] -= slopes[class] * column.lowest / column.spread;
            }
        }
        centre(&mut fitted.intercepts);
        let is_finite = fitted.slopes.iter().chain(&fitted.intercepts).all(|value| value.is_finite());
        let says_something = fitted.slopes.iter().any(|slope| *slope > 0.0);
        Ok(if is_finite && says_something { fitted } else { base_rates })
    }

    /// Slope 0 for every class, with the mean targets as probabilities.
    fn base_rates(targets: &Targets) -> Self {
        let n_classes = targets.counts.len();
        let mut intercepts: Vec<f64> = (0..n_classes).map(|class| targets.sum(class).ln()).collect();
        centre(&mut intercepts);
        Self { slopes: vec![0.0; n_classes], intercepts }
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.slopes.len()
    }

    /// Returns slope · score + intercept of a class: the log of its probability, up to a number
    /// that is the same for all classes. A score that is NaN counts as 0.
    pub fn scaled(&self, class: usize, score: f64) -> f64 {
        let product = self.slopes[class] * score;
        let product = if product.is_nan() { 0.0 } else { product };
        (product + self.intercepts[class]).clamp(-LARGEST, LARGEST)
    }

    /// Returns the probability of each class, given one score per class. They add up to 1, and are
    /// ordered as the scaled scores. A missing score counts as 0.
    pub fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        debug_assert_eq!(scores.len(), self.n_classes());
        let scaled = |class: usize| self.scaled(class, scores.get(class).copied().unwrap_or(0.0));
        let mut values: Vec<f64> = (0..self.n_classes()).map(scaled).collect();
        softmax(&mut values);
        values
    }
}

/// Moves all values so that they add up to 0.
fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

/// Replaces z by exp(z) / Σ exp(z). Returns ln Σ exp(z).
fn softmax(values: &mut [f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter_mut().for_each(|value| *value = (*value - largest).exp());
    let sum: f64 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
    largest + sum.ln()
}

/// The loss over x = (slopes, intercepts) of unit scores:
/// Σᵢ (ln Σₖ exp(zᵢₖ) − Σₖ tᵢₖ zᵢₖ) + ½ RIDGE Σₖ slopeₖ² + ½ (Σₖ interceptₖ)².
/// The last term is 0 at the minimum; it makes the Hessian regular.
struct Problem<'a> {
    /// By class; `None` if the scores of the class say nothing.
    columns: &'a [Option<UnitScores>],
    labels: &'a [usize],
    targets: &'a Targets,
}

impl Problem<'_> {
    /// Writes the scores of a row and zₖ = slopeₖ scoreₖ + interceptₖ.
    fn fill(&self, x: &[f64], row: usize, scores: &mut [f64], scaled: &mut [f64]) {
        let n_classes = self.columns.len();
        for (class, column) in self.columns.iter().enumerate() {
            scores[class] = column.as_ref().map_or(0.0, |column| column.values[row]);
            scaled[class] = x[class] * scores[class] + x[n_classes + class];
        }
    }
}

impl Convex for Problem<'_> {
    fn value(&self, x: &[f64]) -> f64 {
        let n_classes = self.columns.len();
        let (mut scores, mut scaled) = (vec![0.0; n_classes], vec![0.0; n_classes]);
        let mut sum = 0.0;
        for (row, &label) in self.labels.iter().enumerate() {
            self.fill(x, row, &mut scores, &mut scaled);
            let expected: f64 = scaled.iter().enumerate().map(|(class, z)| self.targets.of(label, class) * z).sum();
            sum += softmax(&mut scaled) - expected;
        }
        let (slopes, intercepts) = x.split_at(n_classes);
        let gauge: f64 = intercepts.iter().sum();
        sum + 0.5 * RIDGE * slopes.iter().map(|slope| slope * slope).sum::<f64>() + 0.5 * gauge * gauge
    }

    fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]) {
        let n_classes = self.columns.len();
        let n = 2 * n_classes;
        let (mut scores, mut shares) = (vec![0.0; n_classes], vec![0.0; n_classes]);
        for (row, &label) in self.labels.iter().enumerate() {
            self.fill(x, row, &mut scores, &mut shares);
            softmax(&mut shares);
            for k in 0..n_classes {
                let error = shares[k] - self.targets.of(label, k);
                gradient[k] += error * scores[k];
                gradient[n_classes + k] += error;
                // ∂² / ∂zₖ∂zⱼ = pₖ (δₖⱼ − pⱼ)
                let (slopes, intercepts) = hessian.split_at_mut(n_classes * n);
                let (slopes, intercepts) = (&mut slopes[k * n..], &mut intercepts[k * n..(k + 1) * n]);
                let (by_slope, by_intercept) = intercepts.split_at_mut(n_classes);
                for j in 0..n_classes {
                    let curvature = shares[k] * (if j == k { 1.0 } else { 0.0 } - shares[j]);
                    slopes[j] += curvature * scores[k] * scores[j];
                    by_slope[j] += curvature * scores[j];
                    by_intercept[j] += curvature;
                }
            }
        }
        let gauge: f64 = x[n_classes..].iter().sum();
        for k in 0..n_classes {
            gradient[k] += RIDGE * x[k];
            gradient[n_classes + k] += gauge;
            hessian[k * n + k] += RIDGE;
            hessian[(n_classes + k) * n + n_classes..(n_classes + k + 1) * n].iter_mut().for_each(|slot| *slot += 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Platt;
    use super::super::newton::check_derivatives;
    use super::*;
    use crate::rng::SplitMix;

    /// Scores that are higher by `gap` for the right class, on scales that differ between classes.
    fn random_case(seed: u64, n: usize, n_classes: usize, gap: f64) -> (Vec<Vec<f64>>, Vec<usize>) {
        let mut random = SplitMix::new(seed);
        let labels: Vec<usize> =
            (0..n).map(|row| if row < n_classes { row } else { random.below(n_classes) }).collect();
        let mut column = |class: usize| {
            let mut score = |label: &usize| random.unit() * 3.0 + if *label == class { gap } else { 0.0 } - 1.0;
            labels.iter().map(|label| score(label) * (1.0 + class as f64)).collect()
        };
        ((0..n_classes).map(&mut column).collect(), labels)
    }

    /// The log loss by its definition, without the ridge.
    fn plain_loss(softmax: &Softmax, scores: &[Vec<f64>], labels: &[usize]) -> f64 {
        let n_classes = scores.len();
        let count = |label: usize| labels.iter().filter(|other| **other == label).count() as f64;
        let row_loss = |row: usize| {
            let weights: Vec<f64> =
                (0..n_classes).map(|k| (softmax.slopes[k] * scores[k][row] + softmax.intercepts[k]).exp()).collect();
            let sum: f64 = weights.iter().sum();
            let total = count(labels[row]) + n_classes as f64;
            let target = |k: usize| if labels[row] == k { (count(k) + 1.0) / total } else { 1.0 / total };
            (0..n_classes).map(|k| -target(k) * (weights[k] / sum).ln()).sum::<f64>()
        };
        (0..labels.len()).map(row_loss).sum()
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        for (seed, n_classes) in [(1, 2), (2, 3), (3, 5)] {
            let (mut scores, labels) = random_case(seed, 40, n_classes, 1.0);
            scores[0].fill(2.0);
            let columns: Vec<Option<UnitScores>> = scores.iter().map(|scores| UnitScores::new(scores)).collect();
            let targets = Targets::new(&labels, n_classes).unwrap();
            let problem = Problem { columns: &columns, labels: &labels, targets: &targets };
            let mut random = SplitMix::new(seed);
            let x: Vec<f64> = (0..2 * n_classes).map(|_| random.unit() * 4.0 - 1.0).collect();
            check_derivatives(&problem, &x);
        }
    }

    #[test]
    fn no_neighbour_has_less_loss() {
        for (seed, n, n_classes, gap) in [(1, 40, 3, 1.0), (2, 300, 4, 0.4), (3, 60, 3, 10.0), (4, 80, 6, 2.0)] {
            let (scores, labels) = random_case(seed, n, n_classes, gap);
            let fitted = Softmax::fit(&scores, &labels).unwrap();
            assert!(fitted.intercepts.iter().sum::<f64>().abs() < 1e-9);
            let least = plain_loss(&fitted, &scores, &labels);
            let mut random = SplitMix::new(seed);
            for step in [1e-2, 0.3] {
                for _ in 0..50 {
                    let mut near = fitted.clone();
                    near.slopes.iter_mut().for_each(|slope| *slope = (*slope + step * (random.unit() - 0.5)).max(0.0));
                    near.intercepts.iter_mut().for_each(|intercept| *intercept += step * (random.unit() - 0.5));
                    assert!(plain_loss(&near, &scores, &labels) > least, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn two_classes_with_opposite_scores_are_those_of_platt() {
        let (scores, labels) = random_case(5, 120, 2, 1.0);
        let opposite: Vec<f64> = scores[1].iter().map(|score| -score).collect();
        let labels_of_two: Vec<bool> = labels.iter().map(|label| *label == 1).collect();
        let platt = Platt::fit(&scores[1], &labels_of_two).unwrap();
        let fitted = Softmax::fit(&[opposite, scores[1].clone()], &labels).unwrap();
        assert!((fitted.slopes[0] - fitted.slopes[1]).abs() < 1e-6, "{fitted:?}");
        for &score in &scores[1] {
            assert!((fitted.probabilities(&[-score, score])[1] - platt.probability(score)).abs() < 1e-6);
        }
    }

    #[test]
    fn scaled_and_moved_scores_have_the_same_probabilities() {
        let (scores, labels) = random_case(6, 100, 3, 1.0);
        let fitted = Softmax::fit(&scores, &labels).unwrap();
        for (scale, shift) in [(1e-6, 0.0), (1e6, -7.0), (3.0, 1e3)] {
            let moved: Vec<Vec<f64>> =
                scores.iter().map(|scores| scores.iter().map(|score| score * scale + shift).collect()).collect();
            let same = Softmax::fit(&moved, &labels).unwrap();
            for row in 0..labels.len() {
                let of = |columns: &[Vec<f64>]| columns.iter().map(|column| column[row]).collect::<Vec<f64>>();
                let (left, right) = (fitted.probabilities(&of(&scores)), same.probabilities(&of(&moved)));
                assert!(left.iter().zip(&right).all(|(left, right)| (left - right).abs() < 1e-6));
            }
        }
    }

    #[test]
    fn scores_that_say_nothing_give_the_base_rates() {
        let check = |scores: &[Vec<f64>], labels: &[usize], expected: &[f64]| {
            let fitted = Softmax::fit(scores, labels).unwrap();
            assert!(fitted.slopes.iter().all(|slope| *slope == 0.0), "{fitted:?}");
            for score in [-1e300, 0.0, 5.0] {
                let found = fitted.probabilities(&vec![score; expected.len()]);
                assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
            }
        };
        let rising = vec![1.0, 2.0, 3.0];
        check(&[rising.clone(), rising.clone(), rising.clone()], &[1, 1, 1], &[1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0]);
        check(&[vec![0.5; 4], vec![-1.0; 4]], &[0, 1, 0, 1], &[0.5, 0.5]);
        // Lower for the right class.
        check(&[vec![-1.0, 1.0, -1.0, 1.0], vec![1.0, -1.0, 1.0, -1.0]], &[0, 1, 0, 1], &[0.5, 0.5]);
        check(&[vec![f64::MAX, f64::MIN], vec![0.0, 0.0]], &[0, 1], &[0.5, 0.5]);
    }

    #[test]
    fn one_class_of_many_may_say_nothing_or_be_missing() {
        let (mut scores, labels) = random_case(7, 200, 3, 2.0);
        scores[2].iter_mut().for_each(|score| *score = -*score);
        let fitted = Softmax::fit(&scores, &labels).unwrap();
        assert!(fitted.slopes[2] == 0.0 && fitted.slopes[0] > 0.0 && fitted.slopes[1] > 0.0, "{fitted:?}");
        let (scores, labels) = random_case(8, 200, 4, 2.0);
        let without: Vec<usize> = labels.iter().map(|label| if *label == 3 { 0 } else { *label }).collect();
        let fitted = Softmax::fit(&scores, &without).unwrap();
        for row in 0..200 {
            let found = fitted.probabilities(&scores.iter().map(|column| column[row]).collect::<Vec<_>>());
            assert!(found[3] > 0.0 && found[3] < 0.1, "{found:?}");
        }
    }

    #[test]
    fn probabilities_add_up_and_are_ordered_as_scaled_scores() {
        let fitted = Softmax { slopes: vec![1.0, 0.0, 1e9, 2.0], intercepts: vec![0.5, -0.5, 1.0, -1.0] };
        let values = [-1e308, f64::NEG_INFINITY, -1e3, -1.0, 0.0, 1e-9, 2.0, 1e3, 1e308, f64::INFINITY, f64::NAN];
        let mut random = SplitMix::new(9);
        for _ in 0..2_000 {
            let scores: Vec<f64> = (0..4).map(|_| values[random.below(values.len())]).collect();
            let found = fitted.probabilities(&scores);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{scores:?}: {found:?}");
            assert!(found.iter().all(|value| (0.0..=1.0).contains(value)), "{scores:?}: {found:?}");
            for (k, j) in (0..4).flat_map(|k| (0..4).map(move |j| (k, j))) {
                let is_ordered = fitted.scaled(k, scores[k]) < fitted.scaled(j, scores[j]) || found[k] >= found[j];
                assert!(is_ordered, "{scores:?}: {found:?}");
            }
        }
    }

    #[test]
    fn wrong_input_is_refused() {
        let check = |scores: &[Vec<f64>], labels: &[usize], expected: &str| {
            let message = Softmax::fit(scores, labels).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(&[], &[], "over 0 classes");
        check(&[vec![1.0]], &[0], "over 1 classes");
        check(&[vec![], vec![]], &[], "at least one");
        check(&[vec![1.0, 2.0], vec![1.0]], &[0, 1], "got 1 class 1 scores and 2 labels");
        check(&[vec![1.0, 2.0], vec![1.0, f64::NAN]], &[0, 1], "class 1 score 1 is NaN");
        check(&[vec![1.0, 2.0], vec![1.0, 3.0]], &[0, 2], "label 1 is 2, expected a number below 2");
    }
}
