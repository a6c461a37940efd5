//! Our solvers against LIBLINEAR, LIBSVM, SciPy and scikit-learn on small random problems. The
//! figures under `golden/` are written by `scripts/oracle/run.sh`; optima are unique in their
//! scores, so tight tolerances must agree.

#![cfg(test)]

use resay_learn::calibrate::{Ordinal, Platt, PredictionInterval, Softmax};
use resay_learn::eval::categories::CategoryFigures;
use resay_learn::eval::category_losses::CategoryLosses;
use resay_learn::eval::exact::clopper_pearson;
use resay_learn::eval::metrics;
use resay_learn::eval::regression::RegressionFigures;
use resay_learn::eval::significance::ResampleOptions;
use resay_learn::matrix::{Gram, Rows};
use resay_learn::progress::Progress;
use resay_learn::svm::{ClassWeights, SolverStop, dual, linear, regression};
use serde::Deserialize;
use serde::de::DeserializeOwned;

fn golden<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let cases: Vec<T> = serde_json::from_str(&text).expect(&path);
    assert!(!cases.is_empty());
    cases
}

fn agree(found: f64, expected: f64, tolerance: f64, what: &str) {
    let distance = (found - expected).abs() / expected.abs().max(1.0);
    assert!(distance <= tolerance, "{what}: {found}, the oracle says {expected}");
}

#[derive(Deserialize)]
struct LinearProblem {
    n_columns: usize,
    rows: Vec<Vec<(u32, f64)>>,
    labels: Vec<bool>,
    cases: Vec<LinearCase>,
}

#[derive(Deserialize)]
struct LinearCase {
    cost: f64,
    loss: String,
    bias: Option<f64>,
    positive_weight: f64,
    negative_weight: f64,
    objective: f64,
    scores: Vec<f64>,
}

fn sparse(n_columns: usize, entries: &[Vec<(u32, f64)>]) -> Rows {
    let mut rows = Rows::new(n_columns);
    for entries in entries {
        rows.push(entries.iter().copied(), 0.0);
    }
    rows
}

/// The Gram matrix of rows whose products are exact in `f32`.
fn gram_of(entries: &[Vec<(u32, f64)>]) -> Gram {
    let value = |left: &[(u32, f64)], right: &[(u32, f64)]| -> f64 {
        let of = |column: u32| right.iter().find(|(other, _)| *other == column).map_or(0.0, |(_, value)| *value);
        left.iter().map(|(column, value)| value * of(*column)).sum()
    };
    let values = entries.iter().flat_map(|left| entries.iter().map(move |right| value(left, right) as f32));
    Gram::new(entries.len(), values.collect())
}

impl LinearCase {
    fn params(&self, tolerance: f64) -> linear::LinearParams {
        linear::LinearParams {
            cost: self.cost,
            loss: if self.loss == "hinge" { linear::Loss::Hinge } else { linear::Loss::SquaredHinge },
            bias: self.bias,
            class_weights: ClassWeights { positive: self.positive_weight, negative: self.negative_weight },
            tolerance,
            max_passes: 20_000_000,
            ..linear::LinearParams::default()
        }
    }
}

fn check_linear(tolerance: f64, score_error: f64) {
    for problem in golden::<LinearProblem>("linear") {
        let rows = sparse(problem.n_columns, &problem.rows);
        let members: Vec<usize> = (0..rows.len()).collect();
        let checked = linear::LinearProblem::new(&rows, &problem.labels, Progress::none()).unwrap();
        for case in &problem.cases {
            let what = format!("cost {} {} bias {:?} weight {}", case.cost, case.loss, case.bias, case.positive_weight);
            let params = case.params(tolerance).check().unwrap();
            let machine = linear::fit(&checked, &members, &params, None, Progress::none()).unwrap();
            assert_eq!(machine.stop, SolverStop::Converged, "{what}");
            // Whatever the tolerance, the optimum lies between the two objectives.
            let rounding = 1e-7 * case.objective;
            let (low, high) = (machine.objective - machine.gap - rounding, machine.objective + rounding);
            assert!((low..=high).contains(&case.objective), "{what}: {} not in {low}..{high}", case.objective);
            for (row, expected) in case.scores.iter().enumerate() {
                let (columns, values) = rows.row(row);
                agree(machine.score(columns, values), *expected, score_error, &what);
            }
        }
    }
}

#[test]
fn linear_agrees_with_liblinear() {
    check_linear(1e-10, 1e-6);
}

#[test]
fn the_default_tolerance_is_good_to_a_thousandth() {
    check_linear(linear::LinearParams::default().tolerance, 1e-3);
}

#[derive(Deserialize)]
struct RegressionProblem {
    n_columns: usize,
    rows: Vec<Vec<(u32, f64)>>,
    targets: Vec<f64>,
    cases: Vec<RegressionCase>,
}

#[derive(Deserialize)]
struct RegressionCase {
    cost: f64,
    epsilon: f64,
    bias: f64,
    objective: f64,
    scores: Vec<f64>,
    /// Of kernel ridge regression over K + 1, without a tube.
    coefficients: Option<Vec<f64>>,
}

#[test]
fn regression_agrees_with_liblinear_and_kernel_ridge() {
    for problem in golden::<RegressionProblem>("regression") {
        let rows = sparse(problem.n_columns, &problem.rows);
        let gram = gram_of(&problem.rows);
        let members: Vec<usize> = (0..rows.len()).collect();
        let over_rows = regression::RegressionProblem::over_rows(&rows, &problem.targets, Progress::none()).unwrap();
        let over_gram = regression::RegressionProblem::over_gram(&gram, &problem.targets, Progress::none()).unwrap();
        for case in &problem.cases {
            let params = regression::RegressionParams {
                cost: case.cost,
                epsilon: case.epsilon,
                tolerance: 1e-11,
                max_passes: 20_000_000,
                ..regression::RegressionParams::default()
            };
            for (input, checked) in [("rows", &over_rows), ("Gram", &over_gram)] {
                let what = format!("{input} cost {} epsilon {}", case.cost, case.epsilon);
                let machine =
                    regression::fit(checked, &members, &params.check().unwrap(), None, Progress::none()).unwrap();
                assert_eq!(machine.stop, SolverStop::Converged, "{what}");
                agree(machine.bias, case.bias, 1e-6, &what);
                agree(machine.objective, case.objective, 1e-7, &what);
                for (row, expected) in case.scores.iter().enumerate() {
                    agree(checked.score(&machine, row), *expected, 1e-6, &what);
                }
                for (found, expected) in machine.coefficients.iter().zip(case.coefficients.iter().flatten()) {
                    agree(*found, *expected, 1e-6, &what);
                }
            }
        }
    }
}

#[derive(Deserialize)]
struct DualProblem {
    gram: Vec<Vec<f32>>,
    labels: Vec<bool>,
    members: Vec<usize>,
    cases: Vec<DualCase>,
}

#[derive(Deserialize)]
struct DualCase {
    cost: f64,
    positive_weight: f64,
    negative_weight: f64,
    rho: f64,
    objective: f64,
    n_support: usize,
    scores: Vec<f64>,
}

#[test]
fn dual_agrees_with_libsvm() {
    for problem in golden::<DualProblem>("dual") {
        let gram = Gram::new(problem.labels.len(), problem.gram.concat());
        let checked = dual::DualProblem::new(&gram, &problem.labels, Progress::none()).unwrap();
        for case in &problem.cases {
            for shrinking in [true, false] {
                let what = format!("cost {} weight {} shrinking {shrinking}", case.cost, case.positive_weight);
                let params = dual::DualParams {
                    cost: case.cost,
                    class_weights: ClassWeights { positive: case.positive_weight, negative: case.negative_weight },
                    tolerance: 1e-8,
                    shrinking,
                    ..dual::DualParams::default()
                };
                let machine =
                    dual::fit(&checked, &problem.members, &params.check().unwrap(), None, Progress::none()).unwrap();
                assert_eq!(machine.stop, SolverStop::Converged, "{what}");
                assert_eq!(machine.n_support, case.n_support, "{what}");
                agree(machine.bias, -case.rho, 1e-6, &what);
                agree(machine.objective, case.objective, 1e-8, &what);
                for (row, expected) in case.scores.iter().enumerate() {
                    agree(machine.score(gram.row(row)), *expected, 1e-6, &what);
                }
            }
        }
    }
}

#[derive(Deserialize)]
struct MulticlassProblem {
    n_columns: usize,
    rows: Vec<Vec<(u32, f64)>>,
    classes: Vec<usize>,
    cases: Vec<MulticlassCase>,
}

#[derive(Deserialize)]
struct MulticlassCase {
    machine: String,
    loss: String,
    cost: f64,
    /// By row, then by class.
    decisions: Vec<Vec<f64>>,
}

impl MulticlassCase {
    /// The score of every row by the machine of one class against the rest.
    fn scores(&self, rows: &Rows, gram: &Gram, labels: &[bool]) -> Vec<f64> {
        let (members, none) = ((0..labels.len()).collect::<Vec<_>>(), Progress::none());
        if self.machine == "dual" {
            let params = dual::DualParams { cost: self.cost, tolerance: 1e-8, ..dual::DualParams::default() };
            let problem = dual::DualProblem::new(gram, labels, none).unwrap();
            let machine = dual::fit(&problem, &members, &params.check().unwrap(), None, none).unwrap();
            return members.iter().map(|&row| machine.score(gram.row(row))).collect();
        }
        let params = linear::LinearParams {
            cost: self.cost,
            loss: if self.loss == "hinge" { linear::Loss::Hinge } else { linear::Loss::SquaredHinge },
            tolerance: 1e-10,
            max_passes: 20_000_000,
            ..linear::LinearParams::default()
        };
        let problem = linear::LinearProblem::new(rows, labels, none).unwrap();
        let machine = linear::fit(&problem, &members, &params.check().unwrap(), None, none).unwrap();
        members.iter().map(|&row| machine.score(rows.row(row).0, rows.row(row).1)).collect()
    }
}

#[test]
fn one_class_against_the_rest_agrees_with_scikit_learn() {
    for problem in golden::<MulticlassProblem>("multiclass") {
        let (rows, gram) = (sparse(problem.n_columns, &problem.rows), gram_of(&problem.rows));
        for case in &problem.cases {
            for class in 0..case.decisions[0].len() {
                let what = format!("{} {} cost {} class {class}", case.machine, case.loss, case.cost);
                let labels: Vec<bool> = problem.classes.iter().map(|of_row| *of_row == class).collect();
                let scores = case.scores(&rows, &gram, &labels);
                for (found, expected) in scores.iter().zip(&case.decisions) {
                    agree(*found, expected[class], 1e-6, &what);
                }
            }
        }
    }
}

#[derive(Deserialize)]
struct Calibration {
    scores: Vec<f64>,
    labels: Vec<bool>,
    slope: f64,
    intercept: f64,
}

#[test]
fn calibration_agrees_with_another_minimiser() {
    for (number, case) in golden::<Calibration>("calibration").iter().enumerate() {
        let platt = Platt::fit(&case.scores, &case.labels).unwrap();
        agree(platt.slope, case.slope, 1e-6, &format!("slope of case {number}"));
        agree(platt.intercept, case.intercept, 1e-6, &format!("intercept of case {number}"));
    }
}

#[derive(Deserialize)]
struct SoftmaxCase {
    /// By class, then by row.
    scores: Vec<Vec<f64>>,
    labels: Vec<usize>,
    slopes: Vec<f64>,
    intercepts: Vec<f64>,
    /// By row, then by class.
    probabilities: Vec<Vec<f64>>,
}

#[test]
fn softmax_agrees_with_another_minimiser() {
    for (number, case) in golden::<SoftmaxCase>("softmax").iter().enumerate() {
        let what = format!("case {number}");
        let softmax = Softmax::fit(&case.scores, &case.labels).unwrap();
        for class in 0..case.slopes.len() {
            agree(softmax.slopes[class], case.slopes[class], 1e-5, &what);
            agree(softmax.intercepts[class], case.intercepts[class], 1e-5, &what);
        }
        for (row, expected) in case.probabilities.iter().enumerate() {
            let scores: Vec<f64> = case.scores.iter().map(|scores| scores[row]).collect();
            for (found, expected) in softmax.probabilities(&scores).iter().zip(expected) {
                agree(*found, *expected, 1e-6, &what);
            }
        }
    }
}

#[derive(Deserialize)]
struct OrdinalCase {
    n_levels: usize,
    scores: Vec<f64>,
    levels: Vec<usize>,
    slope: f64,
    cuts: Vec<f64>,
    /// By row, then by level.
    probabilities: Vec<Vec<f64>>,
}

#[test]
fn ordinal_agrees_with_another_minimiser() {
    for (number, case) in golden::<OrdinalCase>("ordinal").iter().enumerate() {
        let what = format!("case {number}");
        let ordinal = Ordinal::fit(&case.scores, &case.levels, case.n_levels).unwrap();
        agree(ordinal.slope, case.slope, 1e-5, &what);
        for (found, expected) in ordinal.cuts.iter().zip(&case.cuts) {
            agree(*found, *expected, 1e-5, &what);
        }
        for (score, expected) in case.scores.iter().zip(&case.probabilities) {
            for (found, expected) in ordinal.probabilities(*score).iter().zip(expected) {
                agree(*found, *expected, 1e-6, &what);
            }
        }
    }
}

#[derive(Deserialize)]
struct IntervalCase {
    values: Vec<f64>,
    gold: Vec<f64>,
    coverage: f64,
    below: f64,
    above: f64,
}

#[test]
fn intervals_agree_with_the_quantiles_of_numpy() {
    for case in golden::<IntervalCase>("interval") {
        let interval = PredictionInterval::fit(&case.values, &case.gold, case.coverage).unwrap();
        assert_eq!(interval, PredictionInterval { below: case.below, above: case.above, coverage: case.coverage });
    }
}

#[derive(Deserialize)]
struct Metrics {
    probabilities: Vec<f64>,
    labels: Vec<bool>,
    roc_auc: f64,
    average_precision: f64,
    log_loss: f64,
    brier: f64,
}

#[test]
fn measures_agree_with_scikit_learn() {
    for case in golden::<Metrics>("metrics") {
        let found = |measure: fn(&[f64], &[bool]) -> Option<f64>| measure(&case.probabilities, &case.labels).unwrap();
        agree(found(metrics::roc_auc), case.roc_auc, 1e-12, "roc_auc");
        agree(found(metrics::average_precision), case.average_precision, 1e-12, "average_precision");
        agree(found(metrics::log_loss), case.log_loss, 1e-12, "log_loss");
        agree(found(metrics::brier), case.brier, 1e-12, "brier");
    }
}

const FEW: ResampleOptions = ResampleOptions { n_resamples: 20, level: 0.95, seed: 1 };

#[derive(Deserialize)]
struct Categories {
    n_classes: usize,
    gold: Vec<usize>,
    predicted: Vec<usize>,
    probabilities: Vec<Vec<f64>>,
    confusion: Vec<Vec<usize>>,
    accuracy: f64,
    precision: Vec<f64>,
    recall: Vec<f64>,
    f1: Vec<f64>,
    macro_f1: f64,
    brier: f64,
    log_loss: f64,
}

#[test]
fn measures_of_categories_agree_with_scikit_learn() {
    for case in golden::<Categories>("categories") {
        let found = CategoryFigures::of(&case.gold, &case.predicted, case.n_classes, None, &FEW).unwrap();
        assert_eq!(found.confusion, case.confusion);
        agree(found.accuracy.value, case.accuracy, 1e-12, "accuracy");
        agree(found.macro_f1.value, case.macro_f1, 1e-12, "macro F1");
        assert_eq!(found.classes.len(), case.f1.len());
        for (class, figures) in found.classes.iter().enumerate() {
            agree(figures.precision.value, case.precision[class], 1e-12, &format!("precision of class {class}"));
            agree(figures.recall.value, case.recall[class], 1e-12, &format!("recall of class {class}"));
            agree(figures.f1.value, case.f1[class], 1e-12, &format!("F1 of class {class}"));
        }
        let losses = CategoryLosses::of(&case.gold, &case.probabilities, None, &FEW).unwrap();
        agree(losses.brier.value, case.brier, 1e-12, "Brier");
        agree(losses.log_loss.value, case.log_loss, 1e-12, "log loss");
    }
}

#[derive(Deserialize)]
struct Numbers {
    gold: Vec<f64>,
    predicted: Vec<f64>,
    pearson: f64,
    spearman: f64,
    rmse: f64,
    mae: f64,
}

#[test]
fn measures_of_numbers_agree_with_scipy() {
    for case in golden::<Numbers>("numbers") {
        let found = RegressionFigures::of(&case.gold, &case.predicted, None, &FEW).unwrap();
        agree(found.pearson.unwrap().value, case.pearson, 1e-12, "Pearson");
        agree(found.spearman.unwrap().value, case.spearman, 1e-12, "Spearman");
        agree(found.rmse.value, case.rmse, 1e-12, "RMSE");
        agree(found.mae.value, case.mae, 1e-12, "MAE");
    }
}

#[derive(Deserialize)]
struct Share {
    part: usize,
    whole: usize,
    level: f64,
    low: f64,
    high: f64,
}

#[test]
fn exact_intervals_agree_with_scipy() {
    for case in golden::<Share>("shares") {
        let found = clopper_pearson(case.part, case.whole, case.level);
        let what = format!("{} of {} at {}", case.part, case.whole, case.level);
        agree(found.low, case.low, 1e-10, &what);
        agree(found.high, case.high, 1e-10, &what);
    }
}
