//! The machine over products against machines over the same features written out, and over the
//! Gram matrix of the same kernel.

use super::*;
use crate::matrix::{Gram, Rows};
use crate::progress::testing::stops;
use crate::rng::SplitMix;
use crate::svm::search::{CostRule, HeadPlan, HeadsHeldOut, search_heads};
use crate::svm::{dual, linear, regression};

fn fit(
    rows: &QuadraticRows,
    answers: QuadraticAnswers<'_>,
    members: &[usize],
    params: &QuadraticParams,
    start: Option<&[f64]>,
) -> Result<QuadraticMachine> {
    super::fit(rows, answers, members, &params.check().unwrap(), start, Progress::none())
}

/// Rows with labels and numbers that depend on products.
fn random_problem(seed: u64, n: usize, n_inputs: usize) -> (QuadraticRows, Vec<bool>, Vec<f64>) {
    let mut random = SplitMix::new(seed);
    let values: Vec<f64> = (0..n * n_inputs).map(|_| random.unit() * 4.0 - 2.0).collect();
    let rows = QuadraticRows { n_inputs, values };
    let number = |x: &[f64]| 0.7 + x[0] - 0.5 * x[1] + 0.6 * x[0] * x[1] - 0.3 * x[2] * x[2];
    let numbers: Vec<f64> = (0..n).map(|row| number(rows.row(row)) + 0.8 * (random.unit() - 0.5)).collect();
    let labels = numbers.iter().enumerate().map(|(row, y)| if row < 2 { row == 0 } else { *y > 0.3 }).collect();
    (rows, labels, numbers)
}

fn tight(cost: f64) -> QuadraticParams {
    QuadraticParams {
        cost,
        product: 0.4,
        bias_scale: 2.0,
        class_weights: ClassWeights { positive: 1.5, negative: 0.8 },
        tolerance: 1e-9,
        max_passes: 1_000_000,
        ..QuadraticParams::default()
    }
}

/// The features written out: inputs, products of two different inputs √2 times, squares.
fn written_out(rows: &QuadraticRows, product: f64) -> Rows {
    let d = rows.n_inputs;
    let mut sparse = Rows::new(d + d * (d + 1) / 2);
    for row in 0..rows.len() {
        let x = rows.row(row);
        let mut features = x.to_vec();
        for i in 0..d {
            features.extend((0..=i).map(|j| product * x[i] * x[j] * if i == j { 1.0 } else { 2f64.sqrt() }));
        }
        sparse.push((0u32..).zip(features), 0.0);
    }
    sparse
}

fn kernel(rows: &QuadraticRows, params: &QuadraticParams, i: usize, j: usize) -> f64 {
    let product: f64 = rows.row(i).iter().zip(rows.row(j)).map(|(x, y)| x * y).sum();
    product + (params.product * product).powi(2)
}

fn distance(left: &[f64], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).map(|(left, right)| (left - right).abs()).fold(0.0, f64::max)
}

fn scores(machine: &QuadraticMachine, rows: &QuadraticRows) -> Vec<f64> {
    (0..rows.len()).map(|row| machine.score(rows.row(row))).collect()
}

#[test]
fn labels_equal_a_linear_machine_over_the_features_written_out() {
    let (rows, labels, _) = random_problem(1, 70, 5);
    let members: Vec<usize> = (0..70).filter(|row| row % 6 != 5).collect();
    for cost in [0.02, 0.5, 5.0] {
        let params = tight(cost);
        let machine = fit(&rows, QuadraticAnswers::Labels(&labels), &members, &params, None).unwrap();
        assert_eq!(machine.stop, SolverStop::Converged);
        assert!(machine.gap.abs() < 1e-6 * machine.objective, "{} of {}", machine.gap, machine.objective);
        let sparse = written_out(&rows, params.product);
        let problem = linear::LinearProblem::new(&sparse, &labels, Progress::none()).unwrap();
        let linear_params = linear::LinearParams {
            cost,
            bias: Some(params.bias_scale),
            class_weights: params.class_weights,
            tolerance: 1e-9,
            max_passes: 1_000_000,
            ..linear::LinearParams::default()
        };
        let truth = linear::fit(&problem, &members, &linear_params.check().unwrap(), None, Progress::none()).unwrap();
        let expected: Vec<f64> = (0..70).map(|row| truth.score(sparse.row(row).0, sparse.row(row).1)).collect();
        assert!(distance(&scores(&machine, &rows), &expected) < 1e-5, "cost {cost}");
        assert!(distance(&machine.linear, &truth.weights[..5]) < 1e-5 && (machine.bias - truth.bias).abs() < 1e-5);
        assert!((machine.objective - truth.objective).abs() < 1e-7 * truth.objective, "cost {cost}");
    }
}

#[test]
fn numbers_equal_a_regression_over_the_features_written_out() {
    let (rows, _, numbers) = random_problem(2, 70, 5);
    let members: Vec<usize> = (0..70).filter(|row| row % 6 != 5).collect();
    let sparse = written_out(&rows, 0.4);
    let problem = regression::RegressionProblem::over_rows(&sparse, &numbers, Progress::none()).unwrap();
    for (cost, epsilon) in [(0.02, 0.0), (0.5, 0.1), (5.0, 0.3)] {
        let params = QuadraticParams { bias_scale: 1.0, epsilon, ..tight(cost) };
        let machine = fit(&rows, QuadraticAnswers::Numbers(&numbers), &members, &params, None).unwrap();
        assert_eq!(machine.stop, SolverStop::Converged);
        let other = regression::RegressionParams { cost, epsilon, tolerance: 1e-9, max_passes: 1_000_000, seed: 7 };
        let truth = regression::fit(&problem, &members, &other.check().unwrap(), None, Progress::none()).unwrap();
        let expected: Vec<f64> = (0..70).map(|row| problem.score(&truth, row)).collect();
        assert!(distance(&scores(&machine, &rows), &expected) < 1e-6, "cost {cost}");
        assert!(distance(&machine.coefficients, &truth.coefficients) < 1e-6, "cost {cost}");
        assert!((machine.objective - truth.objective).abs() < 1e-7 * truth.objective, "cost {cost}");
    }
}

#[test]
fn a_large_constant_equals_the_gram_of_the_same_kernel() {
    let (rows, labels, _) = random_problem(3, 80, 12);
    let members: Vec<usize> = (0..80).filter(|row| row % 5 != 4).collect();
    let params = QuadraticParams { bias_scale: 50.0, tolerance: 1e-5, product: 0.1, ..tight(0.05) };
    let values = (0..80 * 80).map(|place| kernel(&rows, &params, place / 80, place % 80) as f32).collect();
    let gram = Gram::new(80, values);
    let problem = dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap();
    for cost in [0.01, 0.05, 0.5] {
        let machine =
            fit(&rows, QuadraticAnswers::Labels(&labels), &members, &QuadraticParams { cost, ..params }, None).unwrap();
        assert_eq!(machine.stop, SolverStop::Converged);
        let other =
            dual::DualParams { cost, class_weights: params.class_weights, tolerance: 1e-6, ..Default::default() };
        let truth = dual::fit(&problem, &members, &other.check().unwrap(), None, Progress::none()).unwrap();
        let expected: Vec<f64> = (0..80).map(|row| truth.score(gram.row(row))).collect();
        let found = scores(&machine, &rows);
        assert!(distance(&found, &expected) < 1e-3, "cost {cost}: {}", distance(&found, &expected));
    }
}

#[test]
fn the_score_is_the_sum_over_kernel_values() {
    for n_inputs in [3, 8, 13] {
        let (rows, labels, _) = random_problem(4, 50, n_inputs);
        let params = QuadraticParams { tolerance: 1e-3, ..tight(0.3) };
        let members: Vec<usize> = (0..40).collect();
        let machine = fit(&rows, QuadraticAnswers::Labels(&labels), &members, &params, None).unwrap();
        for row in 0..50 {
            let constant = params.bias_scale * params.bias_scale;
            let term = |other: usize| machine.coefficients[other] * (kernel(&rows, &params, row, other) + constant);
            let slow: f64 = (0..50).map(term).sum();
            assert!((machine.score(rows.row(row)) - slow).abs() < 1e-9, "{n_inputs} inputs, row {row}");
        }
        assert!((40..50).all(|row| machine.coefficients[row] == 0.0));
        let at = |i: usize, j: usize| machine.products[i * n_inputs + j];
        assert!((0..n_inputs).all(|i| (0..i).all(|j| at(i, j) == at(j, i))));
    }
}

#[test]
fn the_start_and_the_seed_do_not_change_the_optimum() {
    let (rows, labels, numbers) = random_problem(5, 100, 6);
    let members: Vec<usize> = (0..100).collect();
    for answers in [QuadraticAnswers::Labels(&labels), QuadraticAnswers::Numbers(&numbers)] {
        let params = tight(0.5);
        let cold = fit(&rows, answers, &members, &params, None).unwrap();
        let small = fit(&rows, answers, &members, &tight(0.1), None).unwrap();
        let wild: Vec<f64> = (0..100).map(|row| [f64::NAN, -3.0, f64::INFINITY, 0.5][row % 4]).collect();
        for start in [None, Some(&small.coefficients), Some(&cold.coefficients), Some(&wild)] {
            let other = QuadraticParams { seed: 99, ..params };
            let warm = fit(&rows, answers, &members, &other, start.map(Vec::as_slice)).unwrap();
            assert!(distance(&scores(&cold, &rows), &scores(&warm, &rows)) < 1e-5);
        }
        let again = fit(&rows, answers, &members, &params, Some(&cold.coefficients)).unwrap();
        assert!(again.passes <= 10 + cold.passes / 4, "{} passes from the optimum", again.passes);
        let limited = fit(&rows, answers, &members, &QuadraticParams { max_passes: 2, ..params }, None).unwrap();
        assert_eq!((limited.stop, limited.passes), (SolverStop::Limit, 2));
        assert!(limited.gap > 0.0);
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (rows, labels, numbers) = random_problem(6, 120, 9);
    let params = QuadraticParams { product: 0.2, ..QuadraticParams::default() };
    let fits = [
        QuadraticFit { rows: &rows, answers: QuadraticAnswers::Labels(&labels), params },
        QuadraticFit { rows: &rows, answers: QuadraticAnswers::Numbers(&numbers), params },
    ];
    let folds: Vec<usize> = (0..120).map(|row| row % 4).collect();
    let measure = |held_out: &HeadsHeldOut<'_>| {
        let right =
            held_out.rows.iter().zip(held_out.scores[0]).filter(|(row, score)| (**score > 0.0) == labels[**row]);
        right.count() as f64 / held_out.rows.len() as f64
    };
    let plan = HeadPlan { folds: &folds, costs: &[0.01, 0.1, 1.0], measure: &measure, rule: CostRule::Best };
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let fits: Vec<&dyn Fit> = fits.iter().map(|fit| fit as &dyn Fit).collect();
        pool.install(|| search_heads(&fits, &plan, Progress::none()).unwrap())
    };
    let (one, two) = (with(1), with(2));
    assert_eq!(one, two);
    assert!(one.mean[one.chosen] > 0.8, "{:?}", one.mean);
    // A warm start ends where a cold one does.
    let train: Vec<usize> = (0..120).filter(|row| row % 4 != 1).collect();
    for (head, fit) in fits.iter().enumerate() {
        let cold = fit.scores(&train, &[1, 5, 9], &[one.cost()], Progress::none()).unwrap().remove(0);
        let warm = [1, 5, 9].map(|row: usize| one.held_out_scores[head][row]);
        assert!(distance(&cold, &warm) < 0.02, "{cold:?} {warm:?}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let check = |params: QuadraticParams, expected: &str| {
        let message = params.check().unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    let good = QuadraticParams::default();
    check(QuadraticParams { cost: 0.0, ..good }, "cost is 0");
    check(QuadraticParams { product: -1.0, ..good }, "product is -1");
    check(QuadraticParams { bias_scale: 0.0, ..good }, "bias_scale is 0");
    check(QuadraticParams { epsilon: f64::INFINITY, ..good }, "epsilon is inf");
    check(QuadraticParams { max_passes: 0, ..good }, "max_passes is 0");
    check(QuadraticParams { tolerance: f64::NAN, ..good }, "tolerance is NaN");
    assert!(good.check().unwrap().with_cost(-1.0).is_err());

    let (rows, labels, numbers) = random_problem(7, 6, 3);
    let refuse = |rows: &QuadraticRows,
                  answers: QuadraticAnswers<'_>,
                  members: &[usize],
                  start: Option<&[f64]>,
                  expected: &str| {
        let message = fit(rows, answers, members, &good, start).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    let given = QuadraticAnswers::Labels(&labels);
    refuse(&QuadraticRows { n_inputs: 0, ..rows.clone() }, given, &[0, 1], None, "18 values in rows of 0 inputs");
    refuse(&QuadraticRows { n_inputs: 5, ..rows.clone() }, given, &[0, 1], None, "18 values in rows of 5 inputs");
    refuse(&rows, QuadraticAnswers::Labels(&labels[..5]), &[0, 1], None, "6 rows but 5 answers");
    refuse(&rows, given, &[0], None, "all positive");
    refuse(&rows, given, &[0, 1, 6], None, "row 6 does not exist");
    refuse(&rows, given, &[0, 1], Some(&[1.0]), "1 starting values for 6 rows");
    refuse(&rows, QuadraticAnswers::Numbers(&numbers), &[], None, "no training examples");
    let with_nan: Vec<f64> = numbers.iter().map(|y| if *y > 1e9 { *y } else { f64::NAN }).collect();
    refuse(&rows, QuadraticAnswers::Numbers(&with_nan), &[0], None, "the target of row 0 is NaN");
    for value in [f64::NAN, f64::INFINITY, 1e100] {
        let mut bad = rows.clone();
        bad.values[4] = value;
        refuse(&bad, given, &[0, 1], None, "row 1: squared length");
    }
}

#[test]
fn a_fit_can_be_stopped() {
    let (rows, labels, numbers) = random_problem(8, 400, 40);
    let members: Vec<usize> = (0..400).collect();
    let params = QuadraticParams { tolerance: f64::MIN_POSITIVE, max_passes: usize::MAX, ..tight(10.0) };
    for answers in [QuadraticAnswers::Labels(&labels), QuadraticAnswers::Numbers(&numbers)] {
        stops(|progress| super::fit(&rows, answers, &members, &params.check().unwrap(), None, progress));
    }
}
