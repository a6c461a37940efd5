//! Support vector regression: learns real numbers from sparse rows or from a Gram matrix.
//!
//! Problem: minimise ½|w|² + cost Σ max(0, |yᵢ − w·xᵢ| − ε)² over w. Errors within the tube of
//! width ε cost nothing. The solver works on the dual: minimise ½ bᵀ(Q + I / (2 cost))b − Σ yᵢbᵢ +
//! ε Σ |bᵢ| with Qᵢⱼ = xᵢ·xⱼ. Input: rows or a Gram matrix, targets yᵢ, members. Output: b, and w =
//! Σ bᵢxᵢ where there are rows. Algorithm: dual coordinate descent (Ho and Lin 2012), as in
//! LIBLINEAR's L2R_L2LOSS_SVR_DUAL; the solver is in `coordinates.rs`. With ε = 0 this is kernel
//! ridge regression.
//!
//! The bias is the weight of a constant feature of value 1 and is therefore regularised: over a
//! Gram matrix, the kernel is K + 1.
//!
//! Over rows, a visit costs two passes over one row. Over a Gram matrix, the scores of all rows are
//! kept up to date, and a visit that moves a coefficient costs one row of the matrix.

use super::coordinates::{Descent, Example, Limits, RowLoss, Scores};
use super::descent::{add_scaled, dot as sparse_dot};
use super::linear::squared_lengths;
use super::smo::dot as kernel_dot;
use super::{
    ClassWeights, SolverStop, check_common, check_finite, check_numbered_members, check_start, check_targets, search,
};
use crate::matrix::{Gram, Rows};
use crate::progress::Progress;
use crate::{Error, Result};

/// Training parameters as given by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionParams {
    /// Cost of errors relative to the squared length of the weights.
    pub cost: f64,
    /// Errors up to this cost nothing; at least 0.
    pub epsilon: f64,
    /// Training stops when no row violates the optimality conditions by more than this, in units of
    /// the targets.
    pub tolerance: f64,
    /// Maximum number of passes over the active rows.
    pub max_passes: usize,
    /// Seed of the order in which rows are visited.
    pub seed: u64,
}

impl Default for RegressionParams {
    fn default() -> Self {
        Self { cost: 1.0, epsilon: 0.1, tolerance: 1e-4, max_passes: 10_000, seed: 1 }
    }
}

impl RegressionParams {
    /// Parameters that fit the unit of the targets: errors up to a tenth of their standard
    /// deviation cost nothing, and training stops within a two-hundredth of it. A finer optimum
    /// takes many passes at large costs and ranks no held-out row differently.
    pub fn in_units_of(targets: &[f64], seed: u64) -> Self {
        let n = targets.len().max(1) as f64;
        let mean = targets.iter().sum::<f64>() / n;
        let deviation = (targets.iter().map(|target| (target - mean).powi(2)).sum::<f64>() / n).sqrt();
        // Targets that are all alike have no unit.
        let unit = if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 };
        Self { epsilon: 0.1 * unit, tolerance: 0.005 * unit, seed, ..Self::default() }
    }

    /// Validates every parameter.
    pub fn check(&self) -> Result<CheckedRegressionParams> {
        check_common(self.cost, &ClassWeights::default(), self.tolerance)?;
        check_epsilon(self.epsilon)?;
        if self.max_passes == 0 {
            return Err(Error::parameter("max_passes is 0, expected at least 1"));
        }
        Ok(CheckedRegressionParams(*self))
    }
}

/// Checks the width of the tube.
pub(super) fn check_epsilon(epsilon: f64) -> Result<()> {
    if epsilon.is_finite() && epsilon >= 0.0 {
        return Ok(());
    }
    Err(Error::parameter(format!("epsilon is {epsilon}, expected a finite number of at least 0")))
}

/// Validated parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedRegressionParams(RegressionParams);

impl CheckedRegressionParams {
    /// The parameters.
    pub fn params(&self) -> &RegressionParams {
        &self.0
    }

    /// Returns the same parameters with another cost.
    pub fn with_cost(&self, cost: f64) -> Result<Self> {
        RegressionParams { cost, ..self.0 }.check()
    }
}

/// What a machine learns from.
#[derive(Clone, Copy, Debug)]
enum Input<'a> {
    Rows(&'a Rows),
    Gram(&'a Gram),
}

/// Rows or a Gram matrix, with targets; validated once for all folds and costs.
#[derive(Clone, Debug)]
pub struct RegressionProblem<'a> {
    input: Input<'a>,
    targets: &'a [f64],
    /// K(i, i) of each row, including private mass, excluding the constant feature.
    squared_lengths: Vec<f64>,
}

impl<'a> RegressionProblem<'a> {
    /// Checks that there is one finite target per row, that columns exist and that every value is
    /// finite.
    pub fn over_rows(rows: &'a Rows, targets: &'a [f64], progress: Progress<'_>) -> Result<Self> {
        check_targets(targets, rows.len())?;
        Ok(Self { input: Input::Rows(rows), targets, squared_lengths: squared_lengths(rows, progress)? })
    }

    /// Checks that the Gram matrix is square and finite, that no row has a negative kernel value
    /// with itself, and that there is one finite target per row. Symmetry is assumed. If the matrix
    /// is not positive semi-definite, clip its spectrum first (see [`super::spectrum`]): there is
    /// no optimum otherwise, and training may fail.
    pub fn over_gram(gram: &'a Gram, targets: &'a [f64], progress: Progress<'_>) -> Result<Self> {
        let (n_rows, n_columns) = (gram.n_rows(), gram.n_columns());
        if n_rows != n_columns {
            return Err(Error::data(format!("a Gram of {n_rows} x {n_columns}, expected a square Gram")));
        }
        check_targets(targets, n_rows)?;
        check_finite(gram, progress)?;
        let squared_lengths: Vec<f64> = (0..n_rows).map(|row| f64::from(gram.row(row)[row])).collect();
        if let Some(row) = squared_lengths.iter().position(|value| *value < 0.0) {
            return Err(Error::data(format!(
                "the kernel value of row {row} with itself is {}, expected at least 0",
                squared_lengths[row]
            )));
        }
        Ok(Self { input: Input::Gram(gram), targets, squared_lengths })
    }

    /// The targets.
    pub fn targets(&self) -> &'a [f64] {
        self.targets
    }

    /// Returns the score of a row of the problem, as a new row: without private mass.
    pub fn score(&self, machine: &RegressionMachine, row: usize) -> f64 {
        match self.input {
            Input::Rows(rows) => machine.score_row(rows.row(row).0, rows.row(row).1),
            Input::Gram(gram) => machine.score_kernel(gram.row(row)),
        }
    }

    fn private(&self, row: usize) -> f64 {
        match self.input {
            Input::Rows(rows) => rows.private(row),
            Input::Gram(_) => 0.0,
        }
    }
}

/// A trained machine.
#[derive(Clone, Debug, PartialEq)]
pub struct RegressionMachine {
    /// One coefficient per row of the problem, 0 for rows that are not members: w = Σᵢ
    /// coefficientᵢ xᵢ.
    pub coefficients: Vec<f64>,
    /// One weight per column, if trained over rows.
    pub weights: Option<Vec<f64>>,
    /// Added to every score.
    pub bias: f64,
    /// Number of passes over the active rows.
    pub passes: usize,
    /// Why training stopped.
    pub stop: SolverStop,
    /// The primal objective ½|w|² + cost Σ max(0, |yᵢ − w·xᵢ| − ε)².
    pub objective: f64,
    /// Primal minus dual objective: the optimum is at least `objective − gap`.
    pub gap: f64,
}

impl RegressionMachine {
    /// Returns w·x + bias of a machine over rows. Unknown columns contribute nothing.
    pub fn score_row(&self, columns: &[u32], values: &[f64]) -> f64 {
        debug_assert!(self.weights.is_some());
        let weights = self.weights.as_deref().unwrap_or_default();
        let known =
            columns.iter().zip(values).filter_map(|(&column, value)| Some(weights.get(column as usize)? * value));
        known.sum::<f64>() + self.bias
    }

    /// Returns Σⱼ coefficientⱼ K(x, j) + bias, given the kernel values of `x` with every row of the
    /// problem.
    pub fn score_kernel(&self, kernel_values: &[f32]) -> f64 {
        kernel_dot(&self.coefficients, kernel_values) + self.bias
    }
}

/// The weights of the columns and of the constant feature.
struct RowScores<'a> {
    rows: &'a Rows,
    weights: Vec<f64>,
    bias: f64,
}

impl Scores for RowScores<'_> {
    fn score(&self, row: usize) -> f64 {
        let (columns, values) = self.rows.row(row);
        sparse_dot(&self.weights, columns, values) + self.bias
    }

    fn add(&mut self, row: usize, change: f64) {
        let (columns, values) = self.rows.row(row);
        add_scaled(&mut self.weights, columns, values, change);
        self.bias += change;
    }
}

/// The scores of all rows, without the bias.
struct GramScores<'a> {
    gram: &'a Gram,
    scores: Vec<f64>,
    bias: f64,
}

impl Scores for GramScores<'_> {
    fn score(&self, row: usize) -> f64 {
        self.scores[row] + self.bias
    }

    fn add(&mut self, row: usize, change: f64) {
        for (score, &value) in self.scores.iter_mut().zip(self.gram.row(row)) {
            *score += change * f64::from(value);
        }
        self.bias += change;
    }
}

/// Trains on the rows in `members`. `start` is an optional warm start (one coefficient per row of
/// the problem, as in [`RegressionMachine::coefficients`]), ideally from a slightly smaller cost.
/// It affects the running time, not the optimum.
pub fn fit(
    problem: &RegressionProblem<'_>,
    members: &[usize],
    params: &CheckedRegressionParams,
    start: Option<&[f64]>,
    progress: Progress<'_>,
) -> Result<RegressionMachine> {
    let n_rows = problem.targets.len();
    check_numbered_members(n_rows, members)?;
    check_start(start, n_rows)?;
    let machine = match problem.input {
        Input::Rows(rows) => {
            let scores = RowScores { rows, weights: vec![0.0; rows.n_columns()], bias: 0.0 };
            let (machine, scores) = run(problem, scores, members, params, start, progress)?;
            RegressionMachine { weights: Some(scores.weights), bias: scores.bias, ..machine }
        }
        Input::Gram(gram) => {
            let scores = GramScores { gram, scores: vec![0.0; n_rows], bias: 0.0 };
            let (machine, scores) = run(problem, scores, members, params, start, progress)?;
            RegressionMachine { bias: scores.bias, ..machine }
        }
    };
    if machine.objective.is_finite() && machine.gap.is_finite() && machine.bias.is_finite() {
        return Ok(machine);
    }
    Err(Error::data(format!(
        "the machine's numbers overflow at cost {}: lower the cost, normalise rows, or clip the spectrum of a kernel \
         that is not positive semi-definite",
        params.0.cost
    )))
}

/// Trains over either input. Weights and bias are left to the caller.
fn run<S: Scores>(
    problem: &RegressionProblem<'_>,
    scores: S,
    members: &[usize],
    params: &CheckedRegressionParams,
    start: Option<&[f64]>,
    progress: Progress<'_>,
) -> Result<(RegressionMachine, S)> {
    let params = params.params();
    let example = |&row: &usize| Example {
        row,
        target: problem.targets[row],
        cost: params.cost,
        squared_length: problem.squared_lengths[row] + 1.0,
        private: problem.private(row),
        start: start.map_or(0.0, |start| start[row]),
    };
    let loss = RowLoss::SquaredTube { epsilon: params.epsilon };
    let mut descent = Descent::new(scores, members.iter().map(example), loss, progress)?;
    let limits = Limits { tolerance: params.tolerance, max_passes: params.max_passes, seed: params.seed };
    let (stop, passes) = descent.descend(limits, progress)?;
    let cost_and_private = |row: usize| (params.cost, problem.private(row));
    let ending = descent.finish(problem.targets.len(), members, cost_and_private, progress)?;
    let machine = RegressionMachine {
        coefficients: ending.coefficients,
        weights: None,
        bias: 0.0,
        passes,
        stop,
        objective: ending.objective,
        gap: ending.gap,
    };
    Ok((machine, descent.scores))
}

/// Regression as a learner of a cost search.
#[derive(Clone, Debug)]
pub struct RegressionFit<'a> {
    /// Rows or Gram matrix, and targets.
    pub problem: RegressionProblem<'a>,
    /// All parameters but the cost.
    pub params: RegressionParams,
}

impl search::Fit for RegressionFit<'_> {
    fn scores(
        &self,
        train: &[usize],
        held_out: &[usize],
        costs: &[f64],
        progress: Progress<'_>,
    ) -> Result<Vec<Vec<f64>>> {
        let mut start: Option<Vec<f64>> = None;
        let mut all = Vec::with_capacity(costs.len());
        for &cost in costs {
            let params = RegressionParams { cost, ..self.params }.check()?;
            let machine = fit(&self.problem, train, &params, start.as_deref(), progress)?;
            let score = |&row: &usize| {
                progress.check()?;
                Ok(self.problem.score(&machine, row))
            };
            all.push(held_out.iter().map(score).collect::<Result<_>>()?);
            start = Some(machine.coefficients);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::testing::stops;
    use crate::rng::SplitMix;
    use crate::svm::search::{CostRule, Fit, HeadPlan, HeadsHeldOut, search_heads};

    fn fit(
        problem: &RegressionProblem<'_>,
        members: &[usize],
        params: &RegressionParams,
        start: Option<&[f64]>,
    ) -> Result<RegressionMachine> {
        super::fit(problem, members, &params.check().unwrap(), start, Progress::none())
    }

    /// Rows of eighths, so that a Gram of `f32` is exact, with noisy linear targets.
    fn random_problem(seed: u64, n_rows: usize, n_columns: usize, has_private: bool) -> (Rows, Vec<f64>) {
        let mut random = SplitMix::new(seed);
        let plane: Vec<f64> = (0..n_columns).map(|_| random.unit() * 4.0 - 2.0).collect();
        let mut rows = Rows::new(n_columns);
        let mut targets = Vec::new();
        for _ in 0..n_rows {
            let mut entries = Vec::new();
            for column in 0..n_columns {
                if random.below(2) == 0 {
                    entries.push((column as u32, (random.below(17) as f64 - 8.0) / 8.0));
                }
            }
            let side: f64 = entries.iter().map(|(column, value)| plane[*column as usize] * value).sum();
            targets.push(1.5 + side + 0.5 * (random.unit() - 0.5));
            rows.push(entries, if has_private && random.below(2) == 0 { random.unit() } else { 0.0 });
        }
        (rows, targets)
    }

    /// Row as a dense vector: columns, the constant feature, one private column per row.
    fn dense(rows: &Rows, row: usize) -> Vec<f64> {
        let n_columns = rows.n_columns();
        let mut dense = vec![0.0; n_columns + 1 + rows.len()];
        rows.row(row).0.iter().zip(rows.row(row).1).for_each(|(column, value)| dense[*column as usize] = *value);
        dense[n_columns] = 1.0;
        dense[n_columns + 1 + row] = rows.private(row).sqrt();
        dense
    }

    fn product(left: &[f64], right: &[f64]) -> f64 {
        left.iter().zip(right).map(|(left, right)| left * right).sum()
    }

    fn gram_of(rows: &Rows) -> Gram {
        let n = rows.len();
        let constant = 1.0;
        let value = |i: usize, j: usize| (product(&dense(rows, i), &dense(rows, j)) - constant) as f32;
        Gram::new(n, (0..n * n).map(|place| value(place / n, place % n)).collect())
    }

    fn tight(cost: f64, epsilon: f64) -> RegressionParams {
        RegressionParams { cost, epsilon, tolerance: 1e-10, max_passes: 1_000_000, seed: 1 }
    }

    fn variants() -> Vec<RegressionParams> {
        [0.02, 1.0, 20.0].into_iter().flat_map(|cost| [0.0, 0.1, 1.0].map(|epsilon| tight(cost, epsilon))).collect()
    }

    fn distance(left: &[f64], right: &[f64]) -> f64 {
        assert_eq!(left.len(), right.len());
        left.iter().zip(right).map(|(left, right)| (left - right).abs()).fold(0.0, f64::max)
    }

    fn scores(problem: &RegressionProblem<'_>, machine: &RegressionMachine) -> Vec<f64> {
        (0..problem.targets.len()).map(|row| problem.score(machine, row)).collect()
    }

    /// Solves (I + 2 cost XᵀX) w = 2 cost Xᵀy by Gaussian elimination.
    fn normal_equations(rows: &Rows, targets: &[f64], members: &[usize], cost: f64) -> Vec<f64> {
        let n = dense(rows, 0).len();
        let mut matrix = vec![vec![0.0; n + 1]; n];
        matrix.iter_mut().enumerate().for_each(|(i, line)| line[i] = 1.0);
        for &row in members {
            let x = dense(rows, row);
            for i in 0..n {
                (0..n).for_each(|j| matrix[i][j] += 2.0 * cost * x[i] * x[j]);
                matrix[i][n] += 2.0 * cost * x[i] * targets[row];
            }
        }
        for i in 0..n {
            let line = matrix[i].clone();
            for (_, other) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
                let factor = other[i] / line[i];
                other.iter_mut().zip(&line).for_each(|(to, from)| *to -= factor * from);
            }
        }
        (0..n).map(|i| matrix[i][n] / matrix[i][i]).collect()
    }

    #[test]
    fn without_a_tube_the_normal_equations_hold() {
        let (rows, targets) = random_problem(1, 30, 8, true);
        let members: Vec<usize> = (0..30).filter(|row| row % 6 != 5).collect();
        let problem = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        for cost in [0.02, 1.0, 20.0] {
            let machine = fit(&problem, &members, &tight(cost, 0.0), None).unwrap();
            let truth = normal_equations(&rows, &targets, &members, cost);
            assert_eq!(machine.stop, SolverStop::Converged);
            assert!(distance(machine.weights.as_ref().unwrap(), &truth[..8]) < 1e-8, "cost {cost}");
            assert!((machine.bias - truth[8]).abs() < 1e-8, "cost {cost}");
            for &row in &members {
                let own = machine.coefficients[row] * rows.private(row).sqrt();
                assert!((own - truth[9 + row]).abs() < 1e-8, "cost {cost}");
            }
        }
    }

    /// The optimum is known when a primal and a dual objective, both by their definitions, meet.
    #[test]
    fn both_objectives_meet() {
        let (rows, targets) = random_problem(2, 40, 8, true);
        let members: Vec<usize> = (0..40).collect();
        let problem = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        for params in variants() {
            let machine = fit(&problem, &members, &params, None).unwrap();
            let mut w = vec![0.0; dense(&rows, 0).len()];
            for &row in &members {
                w.iter_mut().zip(dense(&rows, row)).for_each(|(w, x)| *w += machine.coefficients[row] * x);
            }
            assert!(distance(machine.weights.as_ref().unwrap(), &w[..8]) < 1e-9 && (machine.bias - w[8]).abs() < 1e-9);
            let half = 0.5 * product(&w, &w);
            let outside =
                |row: usize| ((targets[row] - product(&w, &dense(&rows, row))).abs() - params.epsilon).max(0.0);
            let primal = half + params.cost * members.iter().map(|&row| outside(row).powi(2)).sum::<f64>();
            let term = |row: usize| {
                let b: f64 = machine.coefficients[row];
                targets[row] * b - params.epsilon * b.abs() - b * b / (4.0 * params.cost)
            };
            let dual = members.iter().map(|&row| term(row)).sum::<f64>() - half;
            assert!((primal - dual).abs() < 1e-7 * primal, "{params:?}: {primal} {dual}");
            assert!((machine.objective - primal).abs() < 1e-9 * primal, "{params:?}");
            assert!((machine.gap - (primal - dual)).abs() < 1e-9 * primal, "{params:?}");
        }
    }

    #[test]
    fn a_gram_equals_its_rows() {
        let (rows, targets) = random_problem(3, 60, 7, false);
        let gram = gram_of(&rows);
        let members: Vec<usize> = (0..60).filter(|row| row % 5 != 3).collect();
        let over_rows = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        let over_gram = RegressionProblem::over_gram(&gram, &targets, Progress::none()).unwrap();
        for params in variants() {
            let (left, right) =
                (fit(&over_rows, &members, &params, None).unwrap(), fit(&over_gram, &members, &params, None).unwrap());
            assert!(distance(&left.coefficients, &right.coefficients) < 1e-7, "{params:?}");
            assert!(distance(&scores(&over_rows, &left), &scores(&over_gram, &right)) < 1e-7, "{params:?}");
            assert!((left.objective - right.objective).abs() < 1e-7 * left.objective, "{params:?}");
            assert!(right.weights.is_none() && (left.bias - right.bias).abs() < 1e-7);
            assert!((0..60).all(|row| members.contains(&row) || right.coefficients[row] == 0.0));
        }
    }

    #[test]
    fn the_start_and_the_seed_do_not_change_the_optimum() {
        let (rows, targets) = random_problem(4, 80, 10, true);
        let members: Vec<usize> = (0..80).collect();
        let problem = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        for params in variants() {
            let cold = fit(&problem, &members, &params, None).unwrap();
            let small = fit(&problem, &members, &RegressionParams { cost: 0.01, ..params }, None).unwrap();
            let wild: Vec<f64> = (0..80).map(|row| [f64::NAN, -3.0, f64::INFINITY, 0.5][row % 4]).collect();
            for start in [None, Some(&small.coefficients), Some(&cold.coefficients), Some(&wild)] {
                let other = RegressionParams { seed: 99, ..params };
                let warm = fit(&problem, &members, &other, start.map(Vec::as_slice)).unwrap();
                assert!(distance(&scores(&problem, &cold), &scores(&problem, &warm)) < 1e-6, "{params:?}");
            }
            let again = fit(&problem, &members, &params, Some(&cold.coefficients)).unwrap();
            assert!(again.passes <= 10 + cold.passes / 4, "{params:?}: {} passes from the optimum", again.passes);
        }
    }

    #[test]
    fn rows_within_the_tube_have_no_coefficient() {
        let (rows, targets) = random_problem(5, 200, 5, false);
        let members: Vec<usize> = (0..200).collect();
        let problem = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        let machine = fit(&problem, &members, &tight(10.0, 0.2), None).unwrap();
        let mut n_within = 0;
        for (row, target) in targets.iter().enumerate() {
            let residual = target - problem.score(&machine, row);
            if residual.abs() < 0.2 - 1e-6 {
                assert_eq!(machine.coefficients[row], 0.0, "row {row}");
                n_within += 1;
            } else {
                let expected = 20.0 * (residual.abs() - 0.2).max(0.0).copysign(residual);
                assert!((machine.coefficients[row] - expected).abs() < 1e-6, "row {row}");
            }
        }
        assert!((20..200).contains(&n_within), "{n_within}");
        let wide = fit(&problem, &members, &tight(10.0, 100.0), None).unwrap();
        assert_eq!((wide.bias, wide.gap, wide.passes), (0.0, 0.0, 1));
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let (rows, targets) = random_problem(6, 100, 6, false);
        let gram = gram_of(&rows);
        let params = RegressionParams::default();
        let fits = [
            RegressionFit { problem: RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap(), params },
            RegressionFit { problem: RegressionProblem::over_gram(&gram, &targets, Progress::none()).unwrap(), params },
        ];
        let folds: Vec<usize> = (0..100).map(|row| row % 4).collect();
        let measure = |held_out: &HeadsHeldOut<'_>| {
            let error = |(row, score): (&usize, &f64)| (targets[*row] - score).powi(2);
            -held_out.rows.iter().zip(held_out.scores[0]).map(error).sum::<f64>()
        };
        let plan = HeadPlan { folds: &folds, costs: &[0.01, 0.1, 1.0], measure: &measure, rule: CostRule::Best };
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let fits: Vec<&dyn Fit> = fits.iter().map(|fit| fit as &dyn Fit).collect();
            pool.install(|| search_heads(&fits, &plan, Progress::none()).unwrap())
        };
        let (one, two) = (with(1), with(2));
        assert_eq!(one, two);
        // Rows and Gram agree, and the scores are cross-fitted.
        assert!(distance(&one.held_out_scores[0], &one.held_out_scores[1]) < 1e-2);
        let cold = fits[0].scores(
            &(0..100).filter(|row| row % 4 != 1).collect::<Vec<_>>(),
            &[1, 5],
            &[one.cost()],
            Progress::none(),
        );
        let cold = cold.unwrap().remove(0);
        assert!(distance(&cold, &[one.held_out_scores[0][1], one.held_out_scores[0][5]]) < 1e-2);
    }

    #[test]
    fn says_when_it_ran_out_of_passes() {
        let (rows, targets) = random_problem(7, 60, 10, false);
        let members: Vec<usize> = (0..60).collect();
        let problem = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        let params = RegressionParams { cost: 100.0, max_passes: 2, ..RegressionParams::default() };
        let machine = fit(&problem, &members, &params, None).unwrap();
        assert_eq!((machine.stop, machine.passes), (SolverStop::Limit, 2));
        assert!(machine.gap > 0.0);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let good = RegressionParams::default();
        let check = |params: RegressionParams, expected: &str| {
            let message = params.check().unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(RegressionParams { cost: 0.0, ..good }, "cost is 0");
        check(RegressionParams { epsilon: -0.1, ..good }, "epsilon is -0.1");
        check(RegressionParams { epsilon: f64::NAN, ..good }, "epsilon is NaN");
        check(RegressionParams { tolerance: 0.0, ..good }, "tolerance is 0");
        check(RegressionParams { max_passes: 0, ..good }, "max_passes is 0");
        assert!(good.check().unwrap().with_cost(-1.0).is_err());

        let refuse = |problem: Result<RegressionProblem<'_>>, expected: &str| {
            let message = problem.unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        let mut rows = Rows::new(1);
        rows.push([(0, 1.0)], 0.0);
        rows.push([(0, f64::NAN)], 0.0);
        let none = Progress::none();
        refuse(RegressionProblem::over_rows(&rows, &[1.0, 2.0], none), "row 1: squared length NaN");
        refuse(RegressionProblem::over_rows(&rows, &[1.0], none), "2 rows but 1 targets");
        refuse(RegressionProblem::over_rows(&rows, &[1.0, f64::NAN], none), "the target of row 1 is NaN");
        let gram = |values: &[f32]| Gram::new(2, values.to_vec());
        refuse(RegressionProblem::over_gram(&gram(&[1.0, 0.0]), &[1.0], none), "1 x 2");
        refuse(RegressionProblem::over_gram(&gram(&[1.0, 0.0, 0.0, -1.0]), &[1.0; 2], none), "row 1 with itself is -1");
        refuse(RegressionProblem::over_gram(&gram(&[1.0, f32::NAN, 0.0, 1.0]), &[1.0; 2], none), "is NaN");

        let (rows, targets) = random_problem(8, 6, 3, false);
        let problem = RegressionProblem::over_rows(&rows, &targets, none).unwrap();
        let refuse = |members: &[usize], start: Option<&[f64]>, expected: &str| {
            let message = fit(&problem, members, &good, start).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        refuse(&[], None, "no training examples");
        refuse(&[0, 6], None, "row 6 does not exist");
        refuse(&[0, 0], None, "row 0 is listed twice");
        refuse(&[0, 1], Some(&[0.0]), "1 starting values for 6 rows");
        // Not positive semi-definite: the dual has no optimum.
        let gram = gram(&[1.0, 50.0, 50.0, 1.0]);
        let problem = RegressionProblem::over_gram(&gram, &[1.0, -1.0], none).unwrap();
        let message = fit(&problem, &[0, 1], &tight(100.0, 0.0), None).unwrap_err().to_string();
        assert!(message.contains("clip the spectrum"), "{message}");
    }

    #[test]
    fn a_fit_can_be_stopped() {
        let (rows, targets) = random_problem(9, 300, 40, true);
        let gram = gram_of(&rows);
        let members: Vec<usize> = (0..300).collect();
        let params = RegressionParams { tolerance: f64::MIN_POSITIVE, max_passes: usize::MAX, ..tight(1e4, 0.0) };
        let params = params.check().unwrap();
        let over_rows = RegressionProblem::over_rows(&rows, &targets, Progress::none()).unwrap();
        let over_gram = RegressionProblem::over_gram(&gram, &targets, Progress::none()).unwrap();
        for problem in [over_rows, over_gram] {
            stops(|progress| super::fit(&problem, &members, &params, None, progress));
        }
    }
}
