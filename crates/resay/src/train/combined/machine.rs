//! Trains the ensemble's scorers, which learn weights for inputs and for products of two inputs.
//!
//! They are machines with the kernel K(x, y) = x·y + (0.05 x·y)², where x and y are standardised
//! inputs. Products of two inputs are thus features too, at a four-hundredth of the weight. Up to
//! [`MOST_GRAM_ROWS`] rows the kernel matrix is the faster way ([`dual`]), and the machine is then
//! expanded into an explicit polynomial ([`QuadraticScorer`]). Beyond, the polynomial is learned
//! directly ([`quadratic`]): time grows with the number of rows, and memory does not.

use super::CombinedOptions;
use crate::Result;
use crate::model::{AnswerCalibration, QuadraticScorer, Scale, Tried};
use crate::train::answers::{Answers, HeadTarget};
use crate::train::kernel::calibrated;
use crate::train::splits::HeadsMeasure;
use rayon::prelude::*;
use resay_learn::matrix::Gram;
use resay_learn::progress::Progress;
use resay_learn::svm::quadratic::{self, QuadraticAnswers, QuadraticFit, QuadraticParams, QuadraticRows};
use resay_learn::svm::regression::{self, RegressionFit, RegressionParams, RegressionProblem};
use resay_learn::svm::search::{self, DualFit, Fit, HeadPlan};
use resay_learn::svm::{ClassWeights, dual};

/// Scale of the quadratic term relative to the linear term.
const PRODUCT: f64 = 0.05;

/// Maximum number of rows for which a Gram matrix is computed; it then takes 256 MB.
const MOST_GRAM_ROWS: usize = 8000;

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
    /// The cross-fitted scores of every head.
    pub(super) scores: Vec<Vec<f64>>,
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
        let n_rows = examples.rows.len();
        let scale = |input: usize| Scale::of(examples.rows.iter().map(|row| row[input]), examples.silent[input]);
        let scales: Vec<Scale> = (0..examples.silent.len()).map(scale).collect();
        let even = |row: &Vec<f64>| scales.iter().zip(row).map(|(scale, value)| scale.even(*value)).collect::<Vec<_>>();
        let even = QuadraticRows { n_inputs: scales.len(), values: examples.rows.iter().flat_map(even).collect() };
        let gram = if n_rows <= MOST_GRAM_ROWS { Some(gram(&even, progress)?) } else { None };
        let targets = examples.answers.heads(examples.n_known);
        let heads = targets.iter().map(|target| Head::new(target, &even, gram.as_ref(), options, progress));
        let heads = heads.collect::<Result<Vec<_>>>()?;
        let fits: Vec<&dyn Fit> = heads.iter().map(Head::as_fit).collect();
        let (costs, rule) = (&options.costs, search::CostRule::default());
        let plan = HeadPlan { folds: examples.folds, costs, measure, rule };
        let found = search::search_heads(&fits, &plan, progress)?;
        let cost = found.cost();
        let scores = heads.iter().zip(&found.held_out_scores);
        let scores: Vec<Vec<f64>> =
            scores.map(|(head, scores)| scores.iter().map(|score| score + head.offset()).collect()).collect();
        let calibration = calibrated(examples.answers, &scores, &(0..n_rows).collect::<Vec<_>>())?;
        let fit = |head: &Head<'_>| head.fit(&scales, &even, cost, progress);
        let scorers = heads.par_iter().map(fit).collect::<Result<Vec<_>>>()?;
        let tried = found.costs.iter().zip(&found.mean).zip(&found.fold_scores);
        let tried = tried.map(|((&cost, &mean), folds)| Tried { cost, mean, folds: folds.clone() }).collect();
        Ok(Self { scorers, calibration, cost, tried, held_out: found.mean[found.chosen], scores })
    }
}

/// One head, ready to be fitted.
enum Head<'a> {
    Labels(DualFit<'a>),
    Numbers(RegressionFit<'a>, f64),
    /// Without a Gram matrix; of numbers with their mean.
    Explicit(QuadraticFit<'a>, f64),
}

impl<'a> Head<'a> {
    fn new(
        target: &'a HeadTarget,
        rows: &'a QuadraticRows,
        gram: Option<&'a Gram>,
        options: &CombinedOptions,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let class_weights = match target {
            HeadTarget::Labels(labels) if options.task.is_balanced() => {
                ClassWeights::balanced(labels, &(0..labels.len()).collect::<Vec<_>>())
            }
            _ => ClassWeights::default(),
        };
        let seed = options.seed;
        match (target, gram) {
            (HeadTarget::Labels(labels), Some(gram)) => {
                let params = dual::DualParams { class_weights, ..dual::DualParams::default() };
                Ok(Self::Labels(DualFit { problem: dual::DualProblem::new(gram, labels, progress)?, params }))
            }
            (HeadTarget::Numbers { centred, mean }, Some(gram)) => {
                let params = RegressionParams::in_units_of(centred, seed);
                let problem = RegressionProblem::over_gram(gram, centred, progress)?;
                Ok(Self::Numbers(RegressionFit { problem, params }, *mean))
            }
            (target, None) => {
                let (answers, mean, epsilon) = match target {
                    HeadTarget::Labels(labels) => (QuadraticAnswers::Labels(labels), 0.0, 0.0),
                    HeadTarget::Numbers { centred, mean } => {
                        let epsilon = RegressionParams::in_units_of(centred, seed).epsilon;
                        (QuadraticAnswers::Numbers(centred), *mean, epsilon)
                    }
                };
                let params = QuadraticParams {
                    product: PRODUCT,
                    class_weights,
                    seed,
                    epsilon,
                    tolerance: TOLERANCE,
                    ..QuadraticParams::default()
                };
                Ok(Self::Explicit(QuadraticFit { rows, answers, params }, mean))
            }
        }
    }

    fn as_fit(&self) -> &dyn Fit {
        match self {
            Self::Labels(fit) => fit,
            Self::Numbers(fit, _) => fit,
            Self::Explicit(fit, _) => fit,
        }
    }

    /// The mean of numbers, which are learned as differences from it.
    fn offset(&self) -> f64 {
        match self {
            Self::Labels(_) => 0.0,
            Self::Numbers(_, mean) | Self::Explicit(_, mean) => *mean,
        }
    }

    /// Fits all rows.
    fn fit(
        &self,
        scales: &[Scale],
        rows: &QuadraticRows,
        cost: f64,
        progress: Progress<'_>,
    ) -> Result<QuadraticScorer> {
        let members: Vec<usize> = (0..rows.len()).collect();
        match self {
            Self::Labels(DualFit { problem, params }) => {
                let machine = dual::fit(problem, &members, &params_at(*params, cost)?, None, progress)?;
                written_out(scales, rows, &machine.coefficients, machine.bias, progress)
            }
            Self::Numbers(RegressionFit { problem, params }, mean) => {
                let params = RegressionParams { cost, ..*params }.check()?;
                let machine = regression::fit(problem, &members, &params, None, progress)?;
                written_out(scales, rows, &machine.coefficients, machine.bias + mean, progress)
            }
            Self::Explicit(QuadraticFit { rows, answers, params }, mean) => {
                let params = QuadraticParams { cost, ..*params }.check()?;
                let machine = quadratic::fit(rows, *answers, &members, &params, None, progress)?;
                let bias = machine.bias + mean;
                Ok(QuadraticScorer::new(scales.to_vec(), &machine.linear, machine.products, bias))
            }
        }
    }
}

/// How exactly the explicit scorer is fitted, in units of the score.
const TOLERANCE: f64 = 1e-2;

fn params_at(params: dual::DualParams, cost: f64) -> Result<dual::CheckedDualParams> {
    dual::DualParams { cost, ..params }.check()
}

fn kernel(dot: f64) -> f64 {
    dot + (PRODUCT * dot).powi(2)
}

fn gram(rows: &QuadraticRows, progress: Progress<'_>) -> Result<Gram> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let n = rows.len();
    let mut values = vec![0.0_f32; n * n];
    values.par_chunks_mut(n.max(1)).enumerate().try_for_each(|(at, values)| {
        progress.check()?;
        let row = rows.row(at);
        values.iter_mut().enumerate().for_each(|(other, value)| *value = kernel(dot(row, rows.row(other))) as f32);
        Ok(())
    })?;
    Ok(Gram::new(n, values))
}

/// Expands the kernel machine with coefficients b into a polynomial of its inputs: linear = sum of
/// b x, products = 0.0025 sum of b x xᵀ.
fn written_out(
    scales: &[Scale],
    rows: &QuadraticRows,
    coefficients: &[f64],
    bias: f64,
    progress: Progress<'_>,
) -> Result<QuadraticScorer> {
    let n = scales.len();
    let (mut linear, mut products) = (vec![0.0; n], vec![0.0; n * n]);
    for (at, coefficient) in coefficients.iter().enumerate().filter(|(_, coefficient)| **coefficient != 0.0) {
        progress.check()?;
        let row = rows.row(at);
        for i in 0..n {
            linear[i] += coefficient * row[i];
            let scaled = coefficient * PRODUCT.powi(2) * row[i];
            products[i * n..(i + 1) * n].iter_mut().zip(row).for_each(|(product, other)| *product += scaled * other);
        }
    }
    Ok(QuadraticScorer::new(scales.to_vec(), &linear, products, bias))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Response;
    use crate::train::answers::Given;
    use crate::train::measure::Measure;
    use resay_learn::rng::SplitMix;
    use resay_learn::svm::search::HeadsHeldOut;

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
    fn with_or_without_a_matrix_the_polynomial_is_the_same() {
        let (rows, labels) = rows(60);
        let scales: Vec<Scale> =
            (0..4).map(|input| Scale::of(rows.iter().map(|row| row[input]), (input == 2).then_some(0.5))).collect();
        let even = |row: &Vec<f64>| scales.iter().zip(row).map(|(scale, value)| scale.even(*value)).collect::<Vec<_>>();
        let even = QuadraticRows { n_inputs: 4, values: rows.iter().flat_map(even).collect() };
        let gram = gram(&even, Progress::none()).unwrap();
        let options = CombinedOptions::new(crate::train::Task::Pair);
        let numbers: Vec<f64> = rows.iter().map(|row| 2.0 * row[0] - row[1] * row[2]).collect();
        for target in [HeadTarget::Labels(labels.clone()), HeadTarget::Numbers { centred: numbers.clone(), mean: 0.7 }]
        {
            let fit = |gram: Option<&Gram>| {
                let head = Head::new(&target, &even, gram, &options, Progress::none()).unwrap();
                head.fit(&scales, &even, 3.0, Progress::none()).unwrap()
            };
            let (with, without) = (fit(Some(&gram)), fit(None));
            for row in &rows {
                let (one, other) = (with.score(row), without.score(row));
                assert!((one - other).abs() < 0.1, "{one} {other}");
            }
            if let HeadTarget::Numbers { .. } = target {
                let error: f64 = rows.iter().zip(&numbers).map(|(row, y)| (with.score(row) - y - 0.7).abs()).sum();
                assert!(error / 60.0 < 0.4, "{error}");
            }
        }
    }
}
