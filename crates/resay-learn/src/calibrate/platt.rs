//! The probability of one of two classes (Platt scaling).
//!
//! Problem: find slope and intercept such that p(score) = 1 / (1 + exp(−(slope · score +
//! intercept))) has the least log loss on given scores and labels. The targets are not 1 and 0 but
//! (n₊ + 1) / (n₊ + 2) and 1 / (n₋ + 2), so that scores that separate the classes do not need an
//! infinite slope (Platt 1999). Algorithm: Newton steps with backtracking (Lin, Lin, Weng 2007,
//! Alg. 1), in a form that neither overflows nor cancels.

use super::sigmoid;
use crate::{Error, Result};

/// A fitted calibration. The slope is never negative: a higher score never has a lower probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platt {
    /// Change of the log-odds per unit of score, at least 0.
    pub slope: f64,
    /// Log-odds at score 0.
    pub intercept: f64,
}

impl Platt {
    /// Fits to cross-fitted scores. If the scores carry no information (only one class, only one
    /// distinct score, or higher scores for negatives), every score gets the smoothed base rate.
    pub fn fit(scores: &[f64], labels: &[bool]) -> Result<Self> {
        if scores.len() != labels.len() || scores.is_empty() {
            return Err(Error::data(format!(
                "calibration got {} scores and {} labels, expected one label per score and at least one",
                scores.len(),
                labels.len()
            )));
        }
        if let Some(place) = scores.iter().position(|score| !score.is_finite()) {
            return Err(Error::data(format!(
                "calibration score {place} is {}, expected a finite number",
                scores[place]
            )));
        }
        let n_positive = labels.iter().filter(|label| **label).count() as f64;
        let n_negative = labels.len() as f64 - n_positive;
        let (target_positive, target_negative) = ((n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0));
        let mean_target = (n_positive * target_positive + n_negative * target_negative) / labels.len() as f64;
        let base_rate = Self { slope: 0.0, intercept: (mean_target / (1.0 - mean_target)).ln() };

        let (lowest, highest) =
            scores.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(*s), h.max(*s)));
        let spread = highest - lowest;
        if n_positive == 0.0 || n_negative == 0.0 || spread <= 0.0 || !spread.is_finite() {
            return Ok(base_rate);
        }
        // Newton's method runs on scores scaled to 0..1, so that its thresholds do not depend on
        // their range.
        let unit: Vec<f64> = scores.iter().map(|score| (score - lowest) / spread).collect();
        let targets: Vec<f64> =
            labels.iter().map(|label| if *label { target_positive } else { target_negative }).collect();
        let (slope, intercept) = newton(&unit, &targets, base_rate.intercept);
        let fitted = Self { slope: slope / spread, intercept: intercept - slope * lowest / spread };
        let usable = fitted.slope.is_finite() && fitted.intercept.is_finite() && fitted.slope > 0.0;
        Ok(if usable { fitted } else { base_rate })
    }

    /// Returns the log-odds of the positive class.
    pub fn log_odds(&self, score: f64) -> f64 {
        self.slope * score + self.intercept
    }

    /// Returns the probability of the positive class. It never decreases as the score increases.
    pub fn probability(&self, score: f64) -> f64 {
        sigmoid(self.log_odds(score))
    }
}

/// Σ −t log p − (1 − t) log(1 − p). Each term is ln(1 + exp(−|z|)) plus a part that cannot
/// overflow.
fn loss(scores: &[f64], targets: &[f64], slope: f64, intercept: f64) -> f64 {
    let term = |(score, target): (&f64, &f64)| {
        let log_odds = slope * score + intercept;
        (-log_odds.abs()).exp().ln_1p() + if log_odds >= 0.0 { (1.0 - target) * log_odds } else { -target * log_odds }
    };
    scores.iter().zip(targets).map(term).sum()
}

fn newton(scores: &[f64], targets: &[f64], first_intercept: f64) -> (f64, f64) {
    /// Added to the diagonal of the Hessian, which is singular if all probabilities are 0 or 1.
    const RIDGE: f64 = 1e-12;
    let (mut slope, mut intercept) = (0.0, first_intercept);
    let mut value = loss(scores, targets, slope, intercept);
    for _ in 0..100 {
        // Gradient (g₁, g₂) and Hessian ((h₁₁, h₂₁), (h₂₁, h₂₂)) with respect to slope and
        // intercept.
        let (mut g1, mut g2, mut h11, mut h21, mut h22) = (0.0, 0.0, RIDGE, 0.0, RIDGE);
        for (score, target) in scores.iter().zip(targets) {
            let probability = Platt { slope, intercept }.probability(*score);
            let (error, curvature) = (probability - target, probability * (1.0 - probability));
            g1 += error * score;
            g2 += error;
            h11 += curvature * score * score;
            h21 += curvature * score;
            h22 += curvature;
        }
        if g1.abs() < 1e-9 && g2.abs() < 1e-9 {
            break;
        }
        let determinant = h11 * h22 - h21 * h21;
        let (step_slope, step_intercept) = (-(h22 * g1 - h21 * g2) / determinant, -(h11 * g2 - h21 * g1) / determinant);
        let descent = g1 * step_slope + g2 * step_intercept;
        let mut length = 1.0;
        let found = loop {
            let (new_slope, new_intercept) = (slope + length * step_slope, intercept + length * step_intercept);
            let new_value = loss(scores, targets, new_slope, new_intercept);
            if new_value < value + 1e-4 * length * descent {
                (slope, intercept, value) = (new_slope, new_intercept, new_value);
                break true;
            }
            length *= 0.5;
            if length < 1e-10 {
                break false;
            }
        };
        if !found {
            break;
        }
    }
    (slope, intercept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    fn random_case(seed: u64, n: usize, gap: f64) -> (Vec<f64>, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let labels: Vec<bool> = (0..n).map(|row| row == 0 || row != 1 && random.below(3) == 0).collect();
        let scores = labels.iter().map(|label| random.unit() * 3.0 + if *label { gap } else { 0.0 } - 1.0).collect();
        (scores, labels)
    }

    #[test]
    fn no_neighbour_has_less_loss() {
        for (seed, n, gap) in [(1, 20, 1.0), (2, 300, 0.3), (3, 50, 10.0), (4, 40, 2.0)] {
            let (scores, labels) = random_case(seed, n, gap);
            let platt = Platt::fit(&scores, &labels).unwrap();
            assert!(platt.slope > 0.0, "{platt:?}");
            let n_positive = labels.iter().filter(|label| **label).count() as f64;
            let n_negative = n as f64 - n_positive;
            let target =
                |label: &bool| if *label { (n_positive + 1.0) / (n_positive + 2.0) } else { 1.0 / (n_negative + 2.0) };
            let value = |slope: f64, intercept: f64| -> f64 {
                let term = |(score, label): (&f64, &bool)| {
                    let probability = 1.0 / (1.0 + (-(slope * score + intercept)).exp());
                    -target(label) * probability.ln() - (1.0 - target(label)) * (1.0 - probability).ln()
                };
                scores.iter().zip(&labels).map(term).sum()
            };
            let least = value(platt.slope, platt.intercept);
            for (slope, intercept) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3), (1e-3, -1e-3), (0.3, 0.3)]
            {
                assert!(value(platt.slope + slope, platt.intercept + intercept) > least, "seed {seed}");
            }
        }
    }

    #[test]
    fn scaled_and_moved_scores_have_the_same_probabilities() {
        let (scores, labels) = random_case(5, 100, 1.0);
        let platt = Platt::fit(&scores, &labels).unwrap();
        for (scale, shift) in [(1e-6, 0.0), (1e6, -7.0), (3.0, 1e3)] {
            let moved: Vec<f64> = scores.iter().map(|score| score * scale + shift).collect();
            let same = Platt::fit(&moved, &labels).unwrap();
            for (score, moved) in scores.iter().zip(&moved) {
                assert!((platt.probability(*score) - same.probability(*moved)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn scores_that_say_nothing_give_the_base_rate() {
        let check = |scores: &[f64], labels: &[bool], expected: f64| {
            let platt = Platt::fit(scores, labels).unwrap();
            assert_eq!(platt.slope, 0.0);
            for score in [-1e300, 0.0, 5.0] {
                assert!((platt.probability(score) - expected).abs() < 1e-12, "{platt:?}");
            }
        };
        check(&[1.0, 2.0, 3.0], &[true; 3], 4.0 / 5.0);
        check(&[1.0, 2.0, 3.0], &[false; 3], 1.0 / 5.0);
        check(&[0.5; 4], &[true, false, true, false], 0.5);
        check(&[1.0, -1.0, 1.0, -1.0], &[false, true, false, true], 0.5);
        check(&[f64::MAX, f64::MIN], &[true, false], 0.5);
    }

    #[test]
    fn a_higher_score_never_has_a_lower_probability() {
        for (slope, intercept) in [(0.0, 0.3), (1.0, -2.0), (1e9, 5.0), (1e-9, 0.0)] {
            let platt = Platt { slope, intercept };
            let scores = [-1e308, -1e3, -40.0, -1.0, -1e-9, 0.0, 1e-9, 1.0, 30.0, 800.0, 1e308];
            let probabilities: Vec<f64> = scores.iter().map(|score| platt.probability(*score)).collect();
            assert!(probabilities.windows(2).all(|pair| pair[0] <= pair[1]), "{probabilities:?}");
            assert!(probabilities.iter().all(|probability| (0.0..=1.0).contains(probability)));
        }
    }

    #[test]
    fn wrong_input_is_refused() {
        assert!(Platt::fit(&[], &[]).is_err());
        assert!(Platt::fit(&[1.0], &[true, false]).is_err());
        assert!(Platt::fit(&[1.0, f64::NAN], &[true, false]).unwrap_err().to_string().contains("score 1 is NaN"));
    }
}
