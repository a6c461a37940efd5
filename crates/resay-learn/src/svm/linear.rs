//! The linear SVM over sparse rows.
//!
//! Problem: minimise ½|w|² + Σ costᵢ ξ(1 − yᵢ w·xᵢ) over w, where ξ(z) = max(0, z) (hinge) or
//! max(0, z)² (squared hinge), yᵢ = ±1 and costᵢ is the cost times the weight of the class of `i`.
//! The solver works on the dual: minimise ½ aᵀ(Q + D)a − Σ aᵢ subject to 0 ≤ aᵢ ≤ upperᵢ, with Qᵢⱼ
//! = yᵢyⱼ xᵢ·xⱼ. For the hinge, upperᵢ = costᵢ and D = 0; for the squared hinge, upperᵢ = ∞ and Dᵢᵢ
//! = 1 / (2 costᵢ). Input: rows, labels, members. Output: w = Σ aᵢyᵢxᵢ, and a. Algorithm: dual
//! coordinate descent with shrinking (Hsieh et al. 2008, Alg. 3), as in LIBLINEAR (`descent.rs`).
//!
//! The bias is the weight of a constant feature and is therefore regularised.

use super::descent::Solver;
use super::{ClassWeights, SolverStop, check_common, check_members, check_positive, check_start};
use crate::matrix::Rows;
use crate::progress::Progress;
use crate::{Error, Result};

/// The loss of an example, given its margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// max(0, 1 − margin).
    #[default]
    Hinge,
    /// max(0, 1 − margin)².
    SquaredHinge,
}

/// Training parameters as given by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearParams {
    /// Cost of errors relative to the squared length of the weights.
    pub cost: f64,
    /// The loss function.
    pub loss: Loss,
    /// Value of the constant feature whose weight is the bias; `None` for no bias.
    pub bias: Option<f64>,
    /// Factors of the cost per class.
    pub class_weights: ClassWeights,
    /// Training stops when the projected gradients of one pass span at most this interval. The
    /// default makes every score accurate to three decimals; LIBLINEAR's default (0.1) to one.
    pub tolerance: f64,
    /// Maximum number of passes over the active rows.
    pub max_passes: usize,
    /// Seed of the order in which rows are visited.
    pub seed: u64,
}

impl Default for LinearParams {
    fn default() -> Self {
        Self {
            cost: 1.0,
            loss: Loss::Hinge,
            bias: Some(1.0),
            class_weights: ClassWeights::default(),
            tolerance: 1e-4,
            max_passes: 10_000,
            seed: 1,
        }
    }
}

impl LinearParams {
    /// Validates every parameter.
    pub fn check(&self) -> Result<CheckedLinearParams> {
        check_common(self.cost, &self.class_weights, self.tolerance)?;
        if let Some(bias) = self.bias {
            check_positive("bias feature", bias)?;
            check_positive("square of the bias feature", bias * bias)?;
        }
        if self.max_passes == 0 {
            return Err(Error::parameter("max_passes is 0, expected at least 1"));
        }
        Ok(CheckedLinearParams(*self))
    }
}

/// Validated parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedLinearParams(LinearParams);

impl CheckedLinearParams {
    /// The parameters.
    pub fn params(&self) -> &LinearParams {
        &self.0
    }

    /// Returns the same parameters with another cost.
    pub fn with_cost(&self, cost: f64) -> Result<Self> {
        LinearParams { cost, ..self.0 }.check()
    }
}

/// Rows and labels, validated once for all folds and costs.
#[derive(Clone, Debug)]
pub struct LinearProblem<'a> {
    pub(super) rows: &'a Rows,
    pub(super) labels: &'a [bool],
    /// |xᵢ|² of each row, including private mass, excluding the constant feature.
    pub(super) squared_lengths: Vec<f64>,
}

impl<'a> LinearProblem<'a> {
    /// Checks that there is one label per row, that columns exist and that every value is finite.
    pub fn new(rows: &'a Rows, labels: &'a [bool], progress: Progress<'_>) -> Result<Self> {
        if rows.len() != labels.len() {
            return Err(Error::data(format!(
                "{} rows but {} labels, expected one label per row",
                rows.len(),
                labels.len()
            )));
        }
        let squared_lengths = squared_lengths(rows, progress)?;
        Ok(Self { rows, labels, squared_lengths })
    }

    /// The rows.
    pub fn rows(&self) -> &'a Rows {
        self.rows
    }

    /// The labels.
    pub fn labels(&self) -> &'a [bool] {
        self.labels
    }
}

/// Returns |xᵢ|² of each row, including private mass. Checks that columns exist and that every
/// value is finite.
pub(super) fn squared_lengths(rows: &Rows, progress: Progress<'_>) -> Result<Vec<f64>> {
    let mut squared_lengths = Vec::with_capacity(rows.len());
    for row in 0..rows.len() {
        progress.check()?;
        let (columns, _) = rows.row(row);
        if let Some(column) = columns.iter().find(|&&column| column as usize >= rows.n_columns()) {
            return Err(Error::data(format!("row {row}: column {column}, expected below {}", rows.n_columns())));
        }
        let squared_length = rows.squared_length(row);
        let private = rows.private(row);
        // A finite sum of squares also means that every single value is finite.
        if !squared_length.is_finite() || !private.is_finite() || private < 0.0 {
            return Err(Error::data(format!(
                "row {row}: squared length {squared_length}, private part {private}; expected finite values and a \
                 private part of at least 0: look for a kernel that overflows"
            )));
        }
        squared_lengths.push(squared_length);
    }
    Ok(squared_lengths)
}

/// A trained linear SVM.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearMachine {
    /// One weight per column.
    pub weights: Vec<f64>,
    /// Added to every score: the constant feature times its weight.
    pub bias: f64,
    /// One dual variable per row, 0 for rows that are not members.
    pub alphas: Vec<f64>,
    /// Why training stopped.
    pub stop: SolverStop,
    /// Number of passes over the active rows.
    pub passes: usize,
    /// The primal objective ½|w|² + Σ costᵢ ξ.
    pub objective: f64,
    /// Primal minus dual objective: the optimum is at least `objective − gap`.
    pub gap: f64,
}

impl LinearMachine {
    /// Returns w·x + bias. Unknown columns contribute nothing.
    pub fn score(&self, columns: &[u32], values: &[f64]) -> f64 {
        let known =
            columns.iter().zip(values).filter_map(|(&column, value)| Some(self.weights.get(column as usize)? * value));
        known.sum::<f64>() + self.bias
    }
}

/// Trains on the rows in `members`. `start` is an optional warm start (one dual variable per row of
/// the problem, as in [`LinearMachine::alphas`]), ideally from a slightly smaller cost. It affects
/// the running time, not the optimum.
pub fn fit(
    problem: &LinearProblem<'_>,
    members: &[usize],
    params: &CheckedLinearParams,
    start: Option<&[f64]>,
    progress: Progress<'_>,
) -> Result<LinearMachine> {
    check_members(problem.labels, members)?;
    check_start(start, problem.labels.len())?;
    let mut solver = Solver::new(problem, members, params.params(), start, progress)?;
    let end = solver.descend(params.params(), progress)?;
    let machine = solver.finish(members, end, progress)?;
    if machine.objective.is_finite() && machine.gap.is_finite() {
        return Ok(machine);
    }
    Err(Error::data(format!(
        "the machine's numbers overflow at cost {}: lower the cost or normalise rows",
        params.0.cost
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::testing::stops;
    use crate::rng::SplitMix;

    fn fit(
        problem: &LinearProblem<'_>,
        members: &[usize],
        params: &CheckedLinearParams,
        start: Option<&[f64]>,
    ) -> Result<LinearMachine> {
        super::fit(problem, members, params, start, Progress::none())
    }

    /// Rows with some private mass, and labels that a hyperplane separates in part.
    fn random_problem(seed: u64, n_rows: usize, n_columns: usize) -> (Rows, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let plane: Vec<f64> = (0..n_columns).map(|_| random.unit() - 0.5).collect();
        let mut rows = Rows::new(n_columns);
        let mut labels = Vec::new();
        for row in 0..n_rows {
            let mut entries = Vec::new();
            for column in 0..n_columns {
                if random.below(3) == 0 {
                    entries.push((column as u32, random.unit() * 2.0 - 1.0));
                }
            }
            let side: f64 = entries.iter().map(|(column, value)| plane[*column as usize] * value).sum();
            labels.push(if row < 2 { row == 0 } else { side + 0.2 * (random.unit() - 0.5) > 0.0 });
            rows.push(entries, if random.below(2) == 0 { random.unit() } else { 0.0 });
        }
        (rows, labels)
    }

    fn scores(machine: &LinearMachine, rows: &Rows) -> Vec<f64> {
        (0..rows.len()).map(|row| machine.score(rows.row(row).0, rows.row(row).1)).collect()
    }

    fn distance(left: &[f64], right: &[f64]) -> f64 {
        assert_eq!(left.len(), right.len());
        left.iter().zip(right).map(|(left, right)| (left - right).abs()).fold(0.0, f64::max)
    }

    fn tight(cost: f64, loss: Loss, bias: Option<f64>) -> LinearParams {
        let class_weights = ClassWeights { positive: 1.5, negative: 0.8 };
        LinearParams { cost, loss, bias, class_weights, tolerance: 1e-10, max_passes: 1_000_000, seed: 1 }
    }

    fn variants() -> Vec<LinearParams> {
        let mut variants = Vec::new();
        for cost in [0.05, 1.0, 20.0] {
            for loss in [Loss::Hinge, Loss::SquaredHinge] {
                for bias in [None, Some(1.0), Some(3.0)] {
                    variants.push(tight(cost, loss, bias));
                }
            }
        }
        variants
    }

    /// The dual objective ½ aᵀ(Q + D)a − Σ a, minimised over the dense matrix by coordinate descent
    /// in fixed order.
    fn slow_truth(rows: &Rows, labels: &[bool], params: &LinearParams) -> f64 {
        let n = rows.len();
        let dense = |row: usize| {
            let mut dense = vec![0.0; rows.n_columns() + 1];
            rows.row(row).0.iter().zip(rows.row(row).1).for_each(|(column, value)| dense[*column as usize] = *value);
            dense[rows.n_columns()] = params.bias.unwrap_or(0.0);
            dense
        };
        let sign = |row: usize| if labels[row] { 1.0 } else { -1.0 };
        let mut matrix = vec![vec![0.0; n]; n];
        let mut upper = vec![0.0; n];
        for i in 0..n {
            let product = |j: usize| dense(i).iter().zip(dense(j)).map(|(left, right)| left * right).sum::<f64>();
            matrix[i] = (0..n).map(|j| sign(i) * sign(j) * product(j)).collect();
            let cost = params.cost * params.class_weights.of(labels[i]);
            matrix[i][i] += rows.private(i);
            upper[i] = cost;
            if params.loss == Loss::SquaredHinge {
                matrix[i][i] += 0.5 / cost;
                upper[i] = f64::INFINITY;
            }
        }
        let mut alphas = vec![0.0f64; n];
        let gradient = |alphas: &[f64], i: usize| {
            matrix[i].iter().zip(alphas).map(|(entry, alpha)| entry * alpha).sum::<f64>() - 1.0
        };
        for _ in 0..20_000 {
            for i in 0..n {
                alphas[i] = (alphas[i] - gradient(&alphas, i) / matrix[i][i]).clamp(0.0, upper[i]);
            }
        }
        (0..n).map(|i| 0.5 * alphas[i] * (gradient(&alphas, i) - 1.0)).sum()
    }

    #[test]
    fn reaches_the_optimum_of_the_dense_problem_with_a_closed_gap() {
        let (rows, labels) = random_problem(1, 24, 10);
        let members: Vec<usize> = (0..rows.len()).collect();
        let problem = LinearProblem::new(&rows, &labels, Progress::none()).unwrap();
        for params in variants() {
            let machine = fit(&problem, &members, &params.check().unwrap(), None).unwrap();
            assert_eq!(machine.stop, SolverStop::Converged);
            assert!(machine.gap.abs() < 1e-7 * machine.objective, "{params:?}: {machine:?}");
            let truth = -slow_truth(&rows, &labels, &params);
            assert!((machine.objective - truth).abs() < 1e-6 * truth, "{params:?}: {} {truth}", machine.objective);
        }
    }

    #[test]
    fn private_mass_is_a_column_of_its_own() {
        let (rows, labels) = random_problem(2, 40, 12);
        let n_columns = rows.n_columns();
        let mut listed = Rows::new(n_columns + rows.len());
        for row in 0..rows.len() {
            let (columns, values) = rows.row(row);
            let own = ((n_columns + row) as u32, rows.private(row).sqrt());
            listed.push(columns.iter().copied().zip(values.iter().copied()).chain([own]), 0.0);
        }
        let members: Vec<usize> = (0..rows.len()).filter(|row| row % 5 != 4).collect();
        let (problem, explicit) = (
            LinearProblem::new(&rows, &labels, Progress::none()).unwrap(),
            LinearProblem::new(&listed, &labels, Progress::none()).unwrap(),
        );
        for params in variants() {
            let params = params.check().unwrap();
            let machine = fit(&problem, &members, &params, None).unwrap();
            let same = fit(&explicit, &members, &params, None).unwrap();
            assert!(distance(&machine.weights, &same.weights[..n_columns]) < 1e-7);
            assert!((machine.bias - same.bias).abs() < 1e-7);
            assert!((machine.objective - same.objective).abs() < 1e-7 * same.objective);
            assert!((machine.gap - same.gap).abs() < 1e-7 * same.objective);
        }
    }

    #[test]
    fn a_subset_in_place_is_the_same_as_a_copy() {
        let (rows, labels) = random_problem(3, 50, 15);
        let members: Vec<usize> = (0..rows.len()).filter(|row| row % 3 != 2).collect();
        let mut copy = Rows::new(rows.n_columns());
        for &row in &members {
            copy.push(rows.row(row).0.iter().copied().zip(rows.row(row).1.iter().copied()), rows.private(row));
        }
        let copied_labels: Vec<bool> = members.iter().map(|&row| labels[row]).collect();
        let params = LinearParams::default().check().unwrap();
        let in_place =
            fit(&LinearProblem::new(&rows, &labels, Progress::none()).unwrap(), &members, &params, None).unwrap();
        let all: Vec<usize> = (0..copy.len()).collect();
        let copied =
            fit(&LinearProblem::new(&copy, &copied_labels, Progress::none()).unwrap(), &all, &params, None).unwrap();
        assert_eq!(in_place.weights, copied.weights);
        assert_eq!((in_place.bias, in_place.objective), (copied.bias, copied.objective));
        assert!((0..rows.len()).filter(|row| !members.contains(row)).all(|row| in_place.alphas[row] == 0.0));
        assert_eq!(members.iter().map(|&row| in_place.alphas[row]).collect::<Vec<_>>(), copied.alphas);
    }

    #[test]
    fn the_start_and_the_seed_do_not_change_the_optimum() {
        let (rows, labels) = random_problem(4, 60, 10);
        let members: Vec<usize> = (0..rows.len()).collect();
        let problem = LinearProblem::new(&rows, &labels, Progress::none()).unwrap();
        for params in variants() {
            let cold = fit(&problem, &members, &params.check().unwrap(), None).unwrap();
            let other_seed = LinearParams { seed: 99, ..params }.check().unwrap();
            let small = fit(&problem, &members, &params.check().unwrap().with_cost(0.02).unwrap(), None).unwrap();
            let wild: Vec<f64> = (0..rows.len()).map(|row| [f64::NAN, -3.0, 1e9, 0.5][row % 4]).collect();
            for start in [None, Some(&small.alphas), Some(&cold.alphas), Some(&wild)] {
                let warm = fit(&problem, &members, &other_seed, start.map(Vec::as_slice)).unwrap();
                assert!(distance(&scores(&cold, &rows), &scores(&warm, &rows)) < 1e-5, "{params:?}");
            }
            let again = fit(&problem, &members, &params.check().unwrap(), Some(&cold.alphas)).unwrap();
            assert!(again.passes <= 10 + cold.passes / 4, "{params:?}: {} passes from the optimum", again.passes);
        }
    }

    #[test]
    fn says_when_it_ran_out_of_passes() {
        let (rows, labels) = random_problem(5, 60, 10);
        let members: Vec<usize> = (0..rows.len()).collect();
        let params = LinearParams { cost: 100.0, max_passes: 2, ..LinearParams::default() }.check().unwrap();
        let machine =
            fit(&LinearProblem::new(&rows, &labels, Progress::none()).unwrap(), &members, &params, None).unwrap();
        assert_eq!((machine.stop, machine.passes), (SolverStop::Limit, 2));
        assert!(machine.gap > 0.0);
    }

    #[test]
    fn rows_without_entries_are_learned_from_like_any_other() {
        let mut rows = Rows::new(1);
        rows.push([(0, 1.0)], 0.0);
        rows.push([], 0.0);
        rows.push([], 0.0);
        let labels = [true, false, false];
        let problem = LinearProblem::new(&rows, &labels, Progress::none()).unwrap();
        for loss in [Loss::Hinge, Loss::SquaredHinge] {
            for bias in [None, Some(1.0)] {
                let params = tight(2.0, loss, bias).check().unwrap();
                let machine = fit(&problem, &[0, 1, 2], &params, None).unwrap();
                assert_eq!(machine.stop, SolverStop::Converged);
                assert!(machine.score(&[0], &[1.0]) > machine.score(&[], &[]));
                assert!(machine.gap.abs() < 1e-7, "{machine:?}");
            }
        }
    }

    #[test]
    fn columns_never_seen_add_nothing() {
        let (rows, labels) = random_problem(6, 20, 5);
        let members: Vec<usize> = (0..rows.len()).collect();
        let params = LinearParams::default().check().unwrap();
        let machine =
            fit(&LinearProblem::new(&rows, &labels, Progress::none()).unwrap(), &members, &params, None).unwrap();
        assert_eq!(machine.score(&[1, 5, u32::MAX], &[2.0, 7.0, 9.0]), 2.0 * machine.weights[1] + machine.bias);
    }

    #[test]
    fn wrong_parameters_are_named() {
        let check = |params: LinearParams, expected: &str| {
            let message = params.check().unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        let good = LinearParams::default();
        check(LinearParams { cost: 0.0, ..good }, "cost is 0");
        check(LinearParams { cost: f64::NAN, ..good }, "cost is NaN");
        check(LinearParams { bias: Some(-1.0), ..good }, "bias feature is -1");
        check(LinearParams { tolerance: f64::INFINITY, ..good }, "tolerance is inf");
        check(LinearParams { max_passes: 0, ..good }, "max_passes is 0");
        let class_weights = ClassWeights { positive: 1.0, negative: 0.0 };
        check(LinearParams { class_weights, ..good }, "negative class weight is 0");
        assert!(good.check().unwrap().with_cost(-1.0).is_err());
    }

    #[test]
    fn wrong_data_are_refused() {
        let check = |value: f64, private: f64, n_labels: usize, expected: &str| {
            let mut rows = Rows::new(2);
            rows.push([(0, 1.0)], 0.0);
            rows.push([(1, value)], private);
            let labels = vec![true; n_labels];
            let message = LinearProblem::new(&rows, &labels, Progress::none()).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(f64::NAN, 0.0, 2, "row 1: squared length NaN");
        check(f64::INFINITY, 0.0, 2, "row 1: squared length inf");
        check(1e200, 0.0, 2, "row 1: squared length inf");
        check(1.0, -2.0, 2, "private part -2");
        check(1.0, f64::NAN, 2, "private part NaN");
        check(1.0, 0.0, 3, "2 rows but 3 labels");
        let (rows, labels) = random_problem(7, 6, 3);
        let problem = LinearProblem::new(&rows, &labels, Progress::none()).unwrap();
        let params = LinearParams::default().check().unwrap();
        assert!(fit(&problem, &[0], &params, None).unwrap_err().to_string().contains("all positive"));
        assert!(fit(&problem, &[0, 1], &params, Some(&[0.0])).unwrap_err().to_string().contains("1 starting values"));
        let huge = LinearParams { cost: 1e308, class_weights: ClassWeights::default(), ..LinearParams::default() }
            .check()
            .unwrap();
        let found = fit(&problem, &[0, 1], &huge, None);
        assert!(found.map_or(true, |machine| machine.objective.is_finite()));
    }

    #[test]
    fn a_fit_can_be_stopped() {
        let (rows, labels) = random_problem(8, 300, 40);
        let problem = LinearProblem::new(&rows, &labels, Progress::none()).unwrap();
        let members: Vec<usize> = (0..rows.len()).collect();
        for loss in [Loss::Hinge, Loss::SquaredHinge] {
            let params =
                LinearParams { tolerance: f64::MIN_POSITIVE, max_passes: usize::MAX, ..tight(100.0, loss, None) };
            stops(|progress| super::fit(&problem, &members, &params.check().unwrap(), None, progress));
        }
    }
}
