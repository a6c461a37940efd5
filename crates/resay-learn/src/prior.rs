//! Linear models that start from an older one: a correction of known scores under a Gaussian prior.
//!
//! Problem: given a score s and sparse features x of every example, find a slope a, an intercept b
//! and weights d such that z = a·s + b + d·x predicts the answers. They minimise
//!
//! ```text
//! sum of losses + (a − a₀)² / 2σₐ² + (b − b₀)² / 2σ_b² + |d|² / 2σ_d²
//! ```
//!
//! The loss of a label is the logistic one, where z is the log-odds; that of a number y is
//! (z − y)² / 2σ². This is the mode of the posterior distribution. A deviation of 0 fixes its
//! variables: with σ_d = 0 only slope and intercept are fitted.
//!
//! Algorithm: L-BFGS over variables in units of their deviation, which makes the Hessian the
//! identity plus what the examples add.

use crate::matrix::Rows;
use crate::optim::{LbfgsLimits, minimise};
use crate::progress::Progress;
use crate::{Error, Result};

/// What is known before any example is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianPrior {
    /// The expected slope and its standard deviation.
    pub slope: [f64; 2],
    /// The expected intercept and its standard deviation.
    pub intercept: [f64; 2],
    /// The standard deviation of every weight.
    pub weights: f64,
    /// The standard deviation of numbers around their prediction.
    pub noise: f64,
}

/// The answers of all examples.
#[derive(Clone, Copy, Debug)]
pub enum PriorAnswers<'a> {
    /// Yes or no.
    Labels(&'a [bool]),
    /// Numbers.
    Numbers(&'a [f64]),
}

impl PriorAnswers<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Labels(labels) => labels.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// The loss of predicting `z`, and its derivative.
    pub fn loss(&self, at: usize, z: f64, noise: f64) -> (f64, f64) {
        match self {
            Self::Labels(labels) => {
                let sign = if labels[at] { 1.0 } else { -1.0 };
                let margin = sign * z;
                let rest = (-margin.abs()).exp();
                let wrong = if margin >= 0.0 { rest / (1.0 + rest) } else { 1.0 / (1.0 + rest) };
                ((-margin).max(0.0) + rest.ln_1p(), -sign * wrong)
            }
            Self::Numbers(numbers) => {
                let error = (z - numbers[at]) / noise;
                (0.5 * error * error, error / noise)
            }
        }
    }
}

/// Examples: a score, features and an answer each.
#[derive(Clone, Copy, Debug)]
pub struct PriorProblem<'a> {
    /// The score of every example.
    pub scores: &'a [f64],
    /// The features of every example.
    pub rows: &'a Rows,
    /// The answer of every example.
    pub answers: PriorAnswers<'a>,
}

/// A fitted correction: z = slope · score + intercept + weights · features.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The slope.
    pub slope: f64,
    /// The intercept.
    pub intercept: f64,
    /// One weight per feature; empty if weights were fixed at 0.
    pub weights: Vec<f64>,
}

impl Correction {
    /// The prediction for an example.
    pub fn predict(&self, score: f64, (columns, values): (&[u32], &[f64])) -> f64 {
        let mut z = self.slope * score + self.intercept;
        if !self.weights.is_empty() {
            z += columns.iter().zip(values).map(|(&column, value)| self.weights[column as usize] * value).sum::<f64>();
        }
        z
    }
}

/// Stopping criteria: far below what a probability shows.
const LIMITS: LbfgsLimits = LbfgsLimits { max_steps: 500, tolerance: 1e-7 };

/// Fits the examples `members`.
pub fn fit(
    problem: &PriorProblem<'_>,
    members: &[usize],
    prior: &GaussianPrior,
    progress: Progress<'_>,
) -> Result<Correction> {
    let n = problem.scores.len();
    if problem.rows.len() != n || problem.answers.len() != n || members.iter().any(|&row| row >= n) {
        return Err(Error::data("scores, features and answers of different numbers of examples"));
    }
    let deviations = [prior.slope[1], prior.intercept[1], prior.weights];
    if let Some(wrong) = deviations.iter().find(|deviation| !(deviation.is_finite() && **deviation >= 0.0)) {
        return Err(Error::parameter(format!("a deviation of {wrong}, expected a number of at least 0")));
    }
    if !(prior.noise.is_finite() && prior.noise > 0.0) {
        return Err(Error::parameter(format!("a noise of {}, expected a number above 0", prior.noise)));
    }
    if let Some(score) = problem.scores.iter().find(|score| !score.is_finite()) {
        return Err(Error::data(format!("a score of {score}, expected a finite number")));
    }
    let n_weights = if prior.weights > 0.0 { problem.rows.n_columns() } else { 0 };
    let read = |v: &[f64]| Correction {
        slope: prior.slope[0] + prior.slope[1] * v[0],
        intercept: prior.intercept[0] + prior.intercept[1] * v[1],
        weights: v[2..].iter().map(|weight| prior.weights * weight).collect(),
    };
    let mut v = vec![0.0; 2 + n_weights];
    let value = |v: &[f64], gradient: &mut [f64]| {
        progress.check()?;
        let correction = read(v);
        let mut sum = 0.0;
        for &at in members {
            let (score, row) = (problem.scores[at], problem.rows.row(at));
            let (loss, slope) = problem.answers.loss(at, correction.predict(score, row), prior.noise);
            sum += loss;
            gradient[0] += slope * score * prior.slope[1];
            gradient[1] += slope * prior.intercept[1];
            if n_weights > 0 {
                let scaled = slope * prior.weights;
                row.0.iter().zip(row.1).for_each(|(&column, value)| gradient[2 + column as usize] += scaled * value);
            }
        }
        for (gradient, v) in gradient.iter_mut().zip(v) {
            *gradient += v;
            sum += 0.5 * v * v;
        }
        Ok(sum)
    };
    minimise(&mut v, LIMITS, value, |_, _, _| Ok(()))?;
    let found = read(&v);
    let is_finite =
        found.slope.is_finite() && found.intercept.is_finite() && found.weights.iter().all(|w| w.is_finite());
    if is_finite { Ok(found) } else { Err(Error::data("scores or features that are too large to correct")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    fn case(n: usize) -> (Vec<f64>, Rows, Vec<bool>) {
        let mut random = SplitMix::new(5);
        let (mut scores, mut rows, mut labels) = (Vec::new(), Rows::new(3), Vec::new());
        for _ in 0..n {
            let [s, x, y, noise] = [0; 4].map(|_| 2.0 * random.unit() - 1.0);
            scores.push(s);
            rows.push([(0, x), (2, y)], 0.0);
            labels.push(s + 2.0 * x + 0.3 * noise > 0.2);
        }
        (scores, rows, labels)
    }

    const PRIOR: GaussianPrior = GaussianPrior { slope: [1.5, 1.5], intercept: [0.2, 2.0], weights: 1.0, noise: 1.0 };

    #[test]
    fn no_neighbour_is_better() {
        let (scores, rows, labels) = case(80);
        let numbers: Vec<f64> = scores.iter().map(|score| 3.0 * score + 1.0).collect();
        for answers in [PriorAnswers::Labels(&labels), PriorAnswers::Numbers(&numbers)] {
            let problem = PriorProblem { scores: &scores, rows: &rows, answers };
            let members: Vec<usize> = (0..60).collect();
            let found = fit(&problem, &members, &PRIOR, Progress::none()).unwrap();
            let value = |c: &Correction| {
                let loss = |&at: &usize| answers.loss(at, c.predict(scores[at], rows.row(at)), 1.0).0;
                let part = |value: f64, [mean, spread]: [f64; 2]| 0.5 * ((value - mean) / spread).powi(2);
                members.iter().map(loss).sum::<f64>()
                    + part(c.slope, PRIOR.slope)
                    + part(c.intercept, PRIOR.intercept)
                    + c.weights.iter().map(|w| part(*w, [0.0, PRIOR.weights])).sum::<f64>()
            };
            let least = value(&found);
            for at in 0..5 {
                for step in [-1e-3, 1e-3] {
                    let mut other = found.clone();
                    match at {
                        0 => other.slope += step,
                        1 => other.intercept += step,
                        _ => other.weights[at - 2] += step,
                    }
                    assert!(value(&other) > least, "{at} {step}");
                }
            }
        }
    }

    #[test]
    fn a_deviation_of_0_changes_nothing() {
        let (scores, rows, labels) = case(40);
        let problem = PriorProblem { scores: &scores, rows: &rows, answers: PriorAnswers::Labels(&labels) };
        let all: Vec<usize> = (0..40).collect();
        let fixed = GaussianPrior { slope: [1.5, 0.0], intercept: [0.2, 0.0], weights: 0.0, noise: 1.0 };
        let found = fit(&problem, &all, &fixed, Progress::none()).unwrap();
        assert_eq!((found.slope, found.intercept, found.weights.len()), (1.5, 0.2, 0));
        let none = fit(&problem, &[], &PRIOR, Progress::none()).unwrap();
        assert_eq!((none.slope, none.intercept, none.weights), (1.5, 0.2, vec![0.0; 3]));
    }

    #[test]
    fn wrong_input_is_refused() {
        let (scores, rows, labels) = case(4);
        let problem = PriorProblem { scores: &scores, rows: &rows, answers: PriorAnswers::Labels(&labels) };
        let refused = |problem: &PriorProblem<'_>, members: &[usize], prior: GaussianPrior| {
            assert!(fit(problem, members, &prior, Progress::none()).is_err());
        };
        refused(&problem, &[4], PRIOR);
        refused(&problem, &[0], GaussianPrior { weights: f64::NAN, ..PRIOR });
        refused(&problem, &[0], GaussianPrior { noise: 0.0, ..PRIOR });
        refused(&PriorProblem { scores: &[f64::INFINITY, 0.0, 0.0, 0.0], ..problem }, &[0], PRIOR);
        refused(&PriorProblem { scores: &scores[1..], ..problem }, &[0], PRIOR);
    }
}
