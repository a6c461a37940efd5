//! The kernel SVM over a Gram matrix.
//!
//! Problem: minimise ½ aᵀQa − Σ aᵢ subject to 0 ≤ aᵢ ≤ costᵢ and Σ yᵢaᵢ = 0, where Qᵢⱼ = yᵢyⱼ K(i,
//! j), yᵢ = ±1 and costᵢ is the cost times the weight of the class of `i`. Input: a square Gram
//! matrix, labels, members. Output: bᵢ = yᵢaᵢ for all rows, and a bias that is not regularised.
//! Algorithm: sequential minimal optimisation with second-order working set selection (Fan, Chen,
//! Lin 2005, WSS 2) and shrinking, as in LIBSVM. The solver is in `smo.rs`.

use super::smo::{Solver, dot};
use super::{ClassWeights, SolverStop, check_common, check_finite, check_members, check_start};
use crate::matrix::Gram;
use crate::progress::Progress;
use crate::{Error, Result};

/// Training parameters as given by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualParams {
    /// Cost of errors relative to the squared length of the weights.
    pub cost: f64,
    /// Factors of the cost per class.
    pub class_weights: ClassWeights,
    /// Training stops when no pair of rows violates the optimality conditions by more than this.
    pub tolerance: f64,
    /// Maximum number of iterations.
    pub max_iterations: usize,
    /// Whether to drop rows that are almost certainly at a bound. Affects the running time, not the
    /// optimum.
    pub shrinking: bool,
}

impl Default for DualParams {
    fn default() -> Self {
        Self {
            cost: 1.0,
            class_weights: ClassWeights::default(),
            tolerance: 1e-3,
            max_iterations: 10_000_000,
            shrinking: true,
        }
    }
}

impl DualParams {
    /// Validates every parameter.
    pub fn check(&self) -> Result<CheckedDualParams> {
        check_common(self.cost, &self.class_weights, self.tolerance)?;
        if self.max_iterations == 0 {
            return Err(Error::parameter("max_iterations is 0, expected at least 1"));
        }
        Ok(CheckedDualParams(*self))
    }
}

/// Validated parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedDualParams(DualParams);

impl CheckedDualParams {
    /// The parameters.
    pub fn params(&self) -> &DualParams {
        &self.0
    }

    /// Returns the same parameters with another cost.
    pub fn with_cost(&self, cost: f64) -> Result<Self> {
        DualParams { cost, ..self.0 }.check()
    }
}

/// A Gram matrix and labels, validated once for all folds and costs.
#[derive(Clone, Copy, Debug)]
pub struct DualProblem<'a> {
    pub(super) gram: &'a Gram,
    pub(super) labels: &'a [bool],
}

impl<'a> DualProblem<'a> {
    /// Checks that the Gram matrix is square and finite and that there is one label per row.
    /// Symmetry is assumed.
    pub fn new(gram: &'a Gram, labels: &'a [bool], progress: Progress<'_>) -> Result<Self> {
        let (n_rows, n_columns) = (gram.n_rows(), gram.n_columns());
        if n_rows != n_columns || n_rows != labels.len() {
            return Err(Error::data(format!(
                "a Gram of {n_rows} x {n_columns} with {} labels, expected a square Gram and one label per row",
                labels.len()
            )));
        }
        check_finite(gram, progress)?;
        Ok(Self { gram, labels })
    }

    /// The Gram matrix.
    pub fn gram(&self) -> &'a Gram {
        self.gram
    }

    /// The labels.
    pub fn labels(&self) -> &'a [bool] {
        self.labels
    }
}

/// A trained kernel SVM.
#[derive(Clone, Debug, PartialEq)]
pub struct DualMachine {
    /// yᵢaᵢ of each row, 0 for rows that are not members.
    pub coefficients: Vec<f64>,
    /// Added to every score (LIBSVM's −rho).
    pub bias: f64,
    /// Why training stopped.
    pub stop: SolverStop,
    /// Number of iterations.
    pub iterations: usize,
    /// ½ aᵀQa − Σ aᵢ, the minimised objective (LIBSVM's obj).
    pub objective: f64,
    /// Number of support vectors.
    pub n_support: usize,
    /// Number of support vectors at the bound.
    pub n_bounded: usize,
}

impl DualMachine {
    /// Returns Σⱼ coefficientⱼ K(x, j) + bias, given the kernel values of `x` with every row of the
    /// problem.
    pub fn score(&self, kernel_values: &[f32]) -> f64 {
        dot(&self.coefficients, kernel_values) + self.bias
    }
}

/// Trains on the rows in `members`. `start` is an optional warm start (one coefficient per row of
/// the problem, as in [`DualMachine::coefficients`]), ideally from a slightly smaller cost. It
/// affects the running time, not the optimum.
pub fn fit(
    problem: &DualProblem<'_>,
    members: &[usize],
    params: &CheckedDualParams,
    start: Option<&[f64]>,
    progress: Progress<'_>,
) -> Result<DualMachine> {
    check_members(problem.labels, members)?;
    check_start(start, problem.labels.len())?;
    let mut solver = Solver::new(problem, members, params.params(), start, progress)?;
    let (stop, iterations) = solver.solve(params.params(), progress)?;
    let machine = solver.finish(stop, iterations);
    if machine.objective.is_finite() && machine.bias.is_finite() {
        return Ok(machine);
    }
    Err(Error::data(format!(
        "the machine's numbers overflow at cost {}: lower the cost or normalise the kernel",
        params.0.cost
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::testing::stops;
    use crate::rng::SplitMix;

    fn fit(
        problem: &DualProblem<'_>,
        members: &[usize],
        params: &CheckedDualParams,
        start: Option<&[f64]>,
    ) -> Result<DualMachine> {
        super::fit(problem, members, params, start, Progress::none())
    }

    /// A Gram matrix of random vectors (of low dimension, so that free and bounded rows occur) and
    /// noisy labels.
    fn random_problem(seed: u64, n: usize, n_dimensions: usize) -> (Gram, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let vectors: Vec<Vec<f64>> =
            (0..n).map(|_| (0..n_dimensions).map(|_| random.unit() * 2.0 - 1.0).collect()).collect();
        let dot =
            |i: usize, j: usize| vectors[i].iter().zip(&vectors[j]).map(|(left, right)| left * right).sum::<f64>();
        let values = (0..n * n).map(|place| (dot(place / n, place % n) + 0.5).powi(2) as f32).collect();
        let labels =
            (0..n).map(|row| if row < 2 { row == 0 } else { vectors[row][0] + 0.8 * random.unit() > 0.4 }).collect();
        (Gram::new(n, values), labels)
    }

    fn params(cost: f64) -> DualParams {
        let class_weights = ClassWeights { positive: 0.7, negative: 1.4 };
        DualParams { cost, class_weights, tolerance: 1e-6, ..DualParams::default() }
    }

    fn distance(left: &DualMachine, right: &DualMachine, gram: &Gram) -> f64 {
        let scores = (0..gram.n_rows()).map(|row| (left.score(gram.row(row)) - right.score(gram.row(row))).abs());
        scores.fold(0.0, f64::max)
    }

    /// Checks optimality up to `slack`: coefficients within bounds and summing to 0; y·score is at
    /// least 1 where a = 0, at most 1 at the bound and 1 in between.
    fn check_optimality(
        problem: &DualProblem<'_>,
        members: &[usize],
        params: &DualParams,
        machine: &DualMachine,
        slack: f64,
    ) {
        let sum: f64 = machine.coefficients.iter().sum();
        assert!(sum.abs() < 1e-9 * (1.0 + params.cost * members.len() as f64), "sum {sum}");
        let (mut n_support, mut n_bounded) = (0, 0);
        for row in 0..problem.labels.len() {
            let coefficient = machine.coefficients[row];
            if !members.contains(&row) {
                assert_eq!(coefficient, 0.0);
                continue;
            }
            let label = problem.labels[row];
            let upper = params.cost * params.class_weights.of(label);
            let sign = if label { 1.0 } else { -1.0 };
            let (alpha, margin) = (sign * coefficient, sign * machine.score(problem.gram.row(row)));
            assert!((0.0..=upper).contains(&alpha), "alpha {alpha} of row {row}");
            assert!(alpha > 0.0 || margin >= 1.0 - slack, "row {row}: out at margin {margin}");
            assert!(alpha < upper || margin <= 1.0 + slack, "row {row}: at the bound at margin {margin}");
            n_support += usize::from(alpha > 0.0);
            n_bounded += usize::from(alpha == upper);
        }
        assert_eq!((machine.n_support, machine.n_bounded), (n_support, n_bounded));
    }

    #[test]
    fn ends_where_the_optimality_conditions_hold() {
        for (seed, n, n_dimensions) in [(1, 30, 2), (2, 80, 4), (3, 80, 40), (4, 300, 3)] {
            let (gram, labels) = random_problem(seed, n, n_dimensions);
            let problem = DualProblem::new(&gram, &labels, Progress::none()).unwrap();
            let members: Vec<usize> = (0..n).filter(|row| row % 7 != 6).collect();
            for cost in [0.01, 1.0, 50.0] {
                let params = params(cost);
                let machine = fit(&problem, &members, &params.check().unwrap(), None).unwrap();
                assert_eq!(machine.stop, SolverStop::Converged);
                check_optimality(&problem, &members, &params, &machine, 1e-5);
                let loose = DualParams { tolerance: 1e-3, ..params };
                let machine = fit(&problem, &members, &loose.check().unwrap(), None).unwrap();
                check_optimality(&problem, &members, &loose, &machine, 2e-3);
            }
        }
    }

    #[test]
    fn shrinking_and_the_start_do_not_change_the_optimum() {
        let (gram, labels) = random_problem(5, 400, 4);
        let problem = DualProblem::new(&gram, &labels, Progress::none()).unwrap();
        let members: Vec<usize> = (0..400).filter(|row| row % 5 != 0 || *row == 0).collect();
        for cost in [0.1, 10.0, 100.0] {
            let params = params(cost);
            let plain = DualParams { shrinking: false, ..params }.check().unwrap();
            let cold = fit(&problem, &members, &plain, None).unwrap();
            assert!(cold.iterations > 400 || cost < 1.0, "too few steps to shrink: {}", cold.iterations);
            let wild: Vec<f64> = (0..400).map(|row| [f64::NAN, -3.0, 1e9, 0.5][row % 4]).collect();
            let smaller = fit(&problem, &members, &plain.with_cost(cost / 3.0).unwrap(), None).unwrap();
            for start in [None, Some(&smaller.coefficients), Some(&wild), Some(&cold.coefficients)] {
                let machine = fit(&problem, &members, &params.check().unwrap(), start.map(Vec::as_slice)).unwrap();
                check_optimality(&problem, &members, &params, &machine, 1e-5);
                assert!(distance(&machine, &cold, &gram) < 1e-4);
                assert!((machine.objective - cold.objective).abs() < 1e-6 * cold.objective.abs());
            }
            let again = fit(&problem, &members, &params.check().unwrap(), Some(&cold.coefficients)).unwrap();
            assert!(again.iterations <= 5, "{} steps from the optimum", again.iterations);
        }
    }

    #[test]
    fn a_subset_in_place_is_the_same_as_a_copy() {
        let (gram, labels) = random_problem(6, 90, 5);
        let members: Vec<usize> = (0..90).filter(|row| row % 4 != 3).collect();
        let values = members.iter().flat_map(|&row| members.iter().map(move |&column| (row, column)));
        let copy = Gram::new(members.len(), values.map(|(row, column)| gram.row(row)[column]).collect());
        let copied_labels: Vec<bool> = members.iter().map(|&row| labels[row]).collect();
        let params = params(3.0).check().unwrap();
        let in_place =
            fit(&DualProblem::new(&gram, &labels, Progress::none()).unwrap(), &members, &params, None).unwrap();
        let all: Vec<usize> = (0..copy.n_rows()).collect();
        let copied =
            fit(&DualProblem::new(&copy, &copied_labels, Progress::none()).unwrap(), &all, &params, None).unwrap();
        assert_eq!(members.iter().map(|&row| in_place.coefficients[row]).collect::<Vec<_>>(), copied.coefficients);
        assert_eq!((in_place.bias, in_place.iterations), (copied.bias, copied.iterations));
    }

    #[test]
    fn two_points_have_the_machine_in_the_middle() {
        // x = 2 and x = −1: the maximum margin is at w = 2/3, bias −1/3.
        let gram = Gram::new(2, vec![4.0, -2.0, -2.0, 1.0]);
        let problem = DualProblem::new(&gram, &[true, false], Progress::none()).unwrap();
        let machine = fit(&problem, &[0, 1], &DualParams::default().check().unwrap(), None).unwrap();
        assert!((machine.coefficients[0] - 2.0 / 9.0).abs() < 1e-12 && (machine.bias + 1.0 / 3.0).abs() < 1e-12);
        assert!((machine.objective + 2.0 / 9.0).abs() < 1e-12);
        assert_eq!((machine.n_support, machine.n_bounded), (2, 0));
    }

    #[test]
    fn kernels_that_are_no_kernels_end_finite_and_the_same_each_time() {
        let check = |gram: &Gram, cost: f64| {
            let n = gram.n_rows();
            let labels: Vec<bool> = (0..n).map(|row| row % 2 == 0).collect();
            let problem = DualProblem::new(gram, &labels, Progress::none()).unwrap();
            let members: Vec<usize> = (0..n).collect();
            for shrinking in [false, true] {
                let params =
                    DualParams { cost, max_iterations: 50_000, shrinking, ..DualParams::default() }.check().unwrap();
                let machine = fit(&problem, &members, &params, None).unwrap();
                assert!(machine.bias.is_finite() && machine.objective.is_finite() && machine.objective < 0.0);
                assert!(machine.coefficients.iter().all(|coefficient| coefficient.abs() <= cost));
                assert_eq!(machine, fit(&problem, &members, &params, None).unwrap());
            }
        };
        for cost in [0.01, 1.0, 10.0, 1000.0] {
            // Three words: the middle one is related to both others, which are not related to each
            // other.
            check(&Gram::new(3, vec![1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]), cost);
            for seed in 0..20 {
                let mut random = SplitMix::new(seed);
                for n in [2, 3, 7, 40] {
                    let mut values = vec![0.0f32; n * n];
                    for i in 0..n {
                        for j in 0..=i {
                            let value = (random.unit() * 2.0 - 1.0) as f32;
                            (values[i * n + j], values[j * n + i]) = (value, value);
                        }
                    }
                    check(&Gram::new(n, values), cost);
                }
            }
        }
        let zeros = Gram::new(3, vec![0.0; 9]);
        let problem = DualProblem::new(&zeros, &[true, false, true], Progress::none()).unwrap();
        let machine = fit(&problem, &[0, 1, 2], &DualParams::default().check().unwrap(), None).unwrap();
        assert!(machine.bias.is_finite());
    }

    #[test]
    fn says_when_it_ran_out_of_steps() {
        let (gram, labels) = random_problem(7, 100, 3);
        let members: Vec<usize> = (0..100).collect();
        let params = DualParams { cost: 100.0, max_iterations: 5, ..DualParams::default() }.check().unwrap();
        let machine =
            fit(&DualProblem::new(&gram, &labels, Progress::none()).unwrap(), &members, &params, None).unwrap();
        assert_eq!((machine.stop, machine.iterations), (SolverStop::Limit, 5));
    }

    #[test]
    fn wrong_input_is_refused() {
        let check = |n_columns: usize, values: Vec<f32>, labels: &[bool], expected: &str| {
            let gram = Gram::new(n_columns, values);
            let message = DualProblem::new(&gram, labels, Progress::none()).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(2, vec![1.0, 0.0], &[true], "1 x 2");
        check(2, vec![1.0, 0.0, 0.0, 1.0], &[true], "1 labels");
        check(2, vec![1.0, f32::NAN, 0.0, 1.0], &[true, false], "rows 0 and 1 is NaN");
        check(2, vec![1.0, 0.0, f32::INFINITY, 1.0], &[true, false], "rows 1 and 0 is inf");
        assert!(
            DualParams { cost: -1.0, ..DualParams::default() }.check().unwrap_err().to_string().contains("cost is -1")
        );
        assert!(DualParams { max_iterations: 0, ..DualParams::default() }.check().is_err());
        let gram = Gram::new(2, vec![1.0, 0.0, 0.0, 1.0]);
        let problem = DualProblem::new(&gram, &[true, true], Progress::none()).unwrap();
        let params = DualParams::default().check().unwrap();
        assert!(fit(&problem, &[0, 1], &params, None).unwrap_err().to_string().contains("all positive"));
    }

    #[test]
    fn a_fit_can_be_stopped() {
        let (gram, labels) = random_problem(8, 400, 3);
        let problem = DualProblem::new(&gram, &labels, Progress::none()).unwrap();
        let members: Vec<usize> = (0..400).collect();
        for shrinking in [false, true] {
            let limits =
                DualParams { tolerance: f64::MIN_POSITIVE, max_iterations: usize::MAX, shrinking, ..params(100.0) };
            stops(|progress| super::fit(&problem, &members, &limits.check().unwrap(), None, progress));
        }
    }
}
