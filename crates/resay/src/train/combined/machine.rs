//! Trains the ensemble's scorer, which learns weights for inputs and for products of two inputs.
//!
//! It is a kernel machine ([`dual`]) with K(x, y) = x·y + (0.05 x·y)², where x and y are
//! standardised inputs. Products of two inputs are thus features too, at a four-hundredth of the
//! weight. After training, the kernel machine is expanded into an explicit polynomial
//! ([`QuadraticScorer`]).

use super::CombinedOptions;
use crate::Result;
use crate::model::{AnswerCalibration, QuadraticScorer, Scale, Tried};
use crate::train::answers::{Answers, HeadTarget};
use crate::train::kernel::calibrated;
use crate::train::splits::HeadsMeasure;
use rayon::prelude::*;
use resay_learn::matrix::Gram;
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_learn::svm::regression::{self, RegressionFit, RegressionParams, RegressionProblem};
use resay_learn::svm::search::{self, DualFit, Fit, HeadPlan, HeadsHeldOut};
use resay_learn::svm::{ClassWeights, dual};

/// Scale of the quadratic term relative to the linear term.
const PRODUCT: f64 = 0.05;

/// Maximum number of rows; larger sets are sampled down to it. A hundred inputs need no more, and
/// the Gram matrix grows with its square.
const MOST_ROWS: usize = 8000;

/// Ensemble inputs with answers and folds.
pub(super) struct Examples<'a> {
    /// One row per pair.
    pub(super) rows: &'a [Vec<f64>],
    /// The neutral value of each input, or `None` for an input that is always informative.
    pub(super) silent: &'a [Option<f64>],
    pub(super) answers: &'a Answers,
    /// The number of rows of the data set itself; the others are only trained on.
    pub(super) n_known: usize,
    /// The fold of every row.
    pub(super) folds: &'a [usize],
}

/// The trained scorers, one per head.
pub(super) struct Machine {
    pub(super) scorers: Vec<QuadraticScorer>,
    pub(super) calibration: AnswerCalibration,
    pub(super) cost: f64,
    pub(super) tried: Vec<Tried>,
    pub(super) held_out: f64,
}

impl Machine {
    /// Trains the scorers. The cost is chosen by `measure` on the folds; `measure` identifies rows
    /// by their index in `examples`.
    pub(super) fn learn(
        examples: &Examples<'_>,
        options: &CombinedOptions,
        measure: HeadsMeasure<'_>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let chosen = chosen(examples.rows.len(), options.seed);
        let folds: Vec<usize> = chosen.iter().map(|&row| examples.folds[row]).collect();
        let scale =
            |input: usize| Scale::of(chosen.iter().map(|&row| examples.rows[row][input]), examples.silent[input]);
        let scales: Vec<Scale> = (0..examples.silent.len()).map(scale).collect();
        let even =
            |row: &usize| scales.iter().zip(&examples.rows[*row]).map(|(scale, value)| scale.even(*value)).collect();
        let even: Vec<Vec<f64>> = chosen.iter().map(even).collect();
        let gram = gram(&even, progress)?;
        let targets: Vec<HeadTarget> =
            examples.answers.heads(examples.n_known).iter().map(|target| target.at(&chosen)).collect();
        let heads = targets.iter().map(|target| Head::new(target, &gram, options, progress));
        let heads = heads.collect::<Result<Vec<_>>>()?;
        let fits: Vec<&dyn Fit> = heads.iter().map(Head::as_fit).collect();
        let by = |held_out: &HeadsHeldOut<'_>| {
            let rows: Vec<usize> = held_out.rows.iter().map(|&row| chosen[row]).collect();
            measure(&HeadsHeldOut { rows: &rows, ..*held_out })
        };
        let plan = HeadPlan { folds: &folds, costs: &options.costs, measure: &by, rule: search::CostRule::default() };
        let found = search::search_heads(&fits, &plan, progress)?;
        let cost = found.cost();
        let mut scores = vec![vec![0.0; examples.rows.len()]; heads.len()];
        for ((scores, found), head) in scores.iter_mut().zip(&found.held_out_scores).zip(&heads) {
            chosen.iter().zip(found).for_each(|(&row, score)| scores[row] = score + head.offset());
        }
        let calibration = calibrated(examples.answers, &scores, &chosen)?;
        let fit = |head: &Head<'_>| {
            let (coefficients, bias) = head.fit(cost, progress)?;
            written_out(scales.clone(), &even, &coefficients, bias, progress)
        };
        let scorers = heads.par_iter().map(fit).collect::<Result<Vec<_>>>()?;
        let tried = found.costs.iter().zip(&found.mean).zip(&found.fold_scores);
        let tried = tried.map(|((&cost, &mean), folds)| Tried { cost, mean, folds: folds.clone() }).collect();
        Ok(Self { scorers, calibration, cost, tried, held_out: found.mean[found.chosen] })
    }
}

/// One head, ready to be fitted.
enum Head<'a> {
    Labels(DualFit<'a>),
    Numbers(RegressionFit<'a>, f64),
}

impl<'a> Head<'a> {
    fn new(target: &'a HeadTarget, gram: &'a Gram, options: &CombinedOptions, progress: Progress<'_>) -> Result<Self> {
        match target {
            HeadTarget::Labels(labels) => {
                let members: Vec<usize> = (0..labels.len()).collect();
                let class_weights = if options.task.is_balanced() {
                    ClassWeights::balanced(labels, &members)
                } else {
                    ClassWeights::default()
                };
                let params = dual::DualParams { class_weights, ..dual::DualParams::default() };
                Ok(Self::Labels(DualFit { problem: dual::DualProblem::new(gram, labels, progress)?, params }))
            }
            HeadTarget::Numbers { centred, mean } => {
                let params = RegressionParams { seed: options.seed, ..RegressionParams::default() };
                let problem = RegressionProblem::over_gram(gram, centred, progress)?;
                Ok(Self::Numbers(RegressionFit { problem, params }, *mean))
            }
        }
    }

    fn as_fit(&self) -> &dyn Fit {
        match self {
            Self::Labels(fit) => fit,
            Self::Numbers(fit, _) => fit,
        }
    }

    /// The mean of numbers, which are learned as differences from it.
    fn offset(&self) -> f64 {
        if let Self::Numbers(_, mean) = self { *mean } else { 0.0 }
    }

    /// Fits all rows; returns their coefficients and the bias.
    fn fit(&self, cost: f64, progress: Progress<'_>) -> Result<(Vec<f64>, f64)> {
        match self {
            Self::Labels(DualFit { problem, params }) => {
                let members: Vec<usize> = (0..problem.labels().len()).collect();
                let machine = dual::fit(problem, &members, &params_at(*params, cost)?, None, progress)?;
                Ok((machine.coefficients, machine.bias))
            }
            Self::Numbers(RegressionFit { problem, params }, mean) => {
                let members: Vec<usize> = (0..problem.targets().len()).collect();
                let params = RegressionParams { cost, ..*params }.check()?;
                let machine = regression::fit(problem, &members, &params, None, progress)?;
                Ok((machine.coefficients, machine.bias + mean))
            }
        }
    }
}

fn params_at(params: dual::DualParams, cost: f64) -> Result<dual::CheckedDualParams> {
    dual::DualParams { cost, ..params }.check()
}

/// Returns all rows, or a random sample of at most [`MOST_ROWS`], in ascending order.
fn chosen(n_rows: usize, seed: u64) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..n_rows).collect();
    if n_rows > MOST_ROWS {
        SplitMix::stream(seed, 2).shuffle(&mut rows);
        rows.truncate(MOST_ROWS);
        rows.sort_unstable();
    }
    rows
}

fn kernel(dot: f64) -> f64 {
    dot + (PRODUCT * dot).powi(2)
}

fn gram(rows: &[Vec<f64>], progress: Progress<'_>) -> Result<Gram> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut values = vec![0.0_f32; rows.len() * rows.len()];
    values.par_chunks_mut(rows.len().max(1)).zip(rows).try_for_each(|(values, a)| {
        progress.check()?;
        values.iter_mut().zip(rows).for_each(|(value, b)| *value = kernel(dot(a, b)) as f32);
        Ok(())
    })?;
    Ok(Gram::new(rows.len(), values))
}

/// Expands the kernel machine with coefficients b into a polynomial of its inputs: linear = sum of
/// b x, products = 0.0025 sum of b x xᵀ.
fn written_out(
    scales: Vec<Scale>,
    rows: &[Vec<f64>],
    coefficients: &[f64],
    bias: f64,
    progress: Progress<'_>,
) -> Result<QuadraticScorer> {
    let n = scales.len();
    let (mut linear, mut products) = (vec![0.0; n], vec![0.0; n * n]);
    for (row, coefficient) in rows.iter().zip(coefficients).filter(|(_, coefficient)| **coefficient != 0.0) {
        progress.check()?;
        for i in 0..n {
            linear[i] += coefficient * row[i];
            let scaled = coefficient * PRODUCT.powi(2) * row[i];
            products[i * n..(i + 1) * n].iter_mut().zip(row).for_each(|(product, other)| *product += scaled * other);
        }
    }
    Ok(QuadraticScorer::new(scales, &linear, products, bias))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Response;
    use crate::train::answers::Given;
    use crate::train::measure::Measure;

    /// Rows labelled by whether two inputs have the same sign, which no linear function can decide.
    fn rows(n: usize) -> (Vec<Vec<f64>>, Vec<bool>) {
        let mut random = SplitMix::new(3);
        let mut number = || random.below(2001) as f64 / 1000.0 - 1.0;
        let rows: Vec<Vec<f64>> = (0..n).map(|_| vec![number(), number(), number(), 5.0]).collect();
        let labels = rows.iter().map(|row| row[0] * row[1] > 0.0).collect();
        (rows, labels)
    }

    #[test]
    fn products_of_signs_are_learned_and_written_out() {
        let (rows, labels) = rows(300);
        let folds: Vec<usize> = (0..300).map(|row| row % 3).collect();
        let silent = [None, Some(0.0), None, None];
        let response = Response::Binary { labels: ["0".to_owned(), "1".to_owned()] };
        let answers = Answers { response, given: Given::Labels(labels.clone()), merged: Vec::new() };
        let examples = Examples { rows: &rows, silent: &silent, answers: &answers, n_known: 300, folds: &folds };
        let options = CombinedOptions { costs: vec![1.0, 100.0], ..CombinedOptions::new(crate::train::Task::Pair) };
        let by = |held_out: &HeadsHeldOut<'_>| Measure::Accuracy.of_heads(held_out, &answers, &[]);
        let machine = Machine::learn(&examples, &options, &by, Progress::none()).unwrap();
        assert!(machine.held_out > 0.9, "{}", machine.held_out);
        let right =
            rows.iter().zip(&labels).filter(|(row, label)| (machine.scorers[0].score(row) > 0.0) == **label).count();
        assert!(right > 280, "{right} of 300");
    }

    #[test]
    fn the_polynomial_is_the_kernel_machine() {
        let (rows, labels) = rows(40);
        let scales: Vec<Scale> =
            (0..4).map(|input| Scale::of(rows.iter().map(|row| row[input]), (input == 2).then_some(0.5))).collect();
        let even: Vec<Vec<f64>> =
            rows.iter().map(|row| scales.iter().zip(row).map(|(scale, value)| scale.even(*value)).collect()).collect();
        let gram = gram(&even, Progress::none()).unwrap();
        let problem = dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap();
        let members: Vec<usize> = (0..40).collect();
        let params = params_at(dual::DualParams::default(), 3.0).unwrap();
        let machine = dual::fit(&problem, &members, &params, None, Progress::none()).unwrap();
        let scorer = written_out(scales, &even, &machine.coefficients, machine.bias, Progress::none()).unwrap();
        for (at, row) in rows.iter().enumerate() {
            let (found, expected) = (scorer.score(row), machine.score(gram.row(at)));
            assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found} {expected}");
        }
    }

    #[test]
    fn of_many_rows_some_are_chosen() {
        assert_eq!(chosen(5, 1), [0, 1, 2, 3, 4]);
        let some = chosen(3 * MOST_ROWS, 1);
        assert!(some.len() == MOST_ROWS && some.is_sorted() && some != chosen(3 * MOST_ROWS, 2));
    }
}
