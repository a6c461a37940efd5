//! The kernel machine over a Gram matrix.
//!
//! Problem: minimise ½ aᵀQa − Σ aᵢ with 0 ≤ aᵢ ≤ costᵢ and Σ yᵢaᵢ = 0, where Qᵢⱼ = yᵢyⱼ K(i, j), yᵢ = ±1 and costᵢ is
//! the cost times the weight of the class of `i`. Given: a square Gram, labels, members. Comes back: bᵢ = yᵢaᵢ over
//! all rows, and a bias that is not regularised. Algorithm: sequential minimal optimisation with second-order
//! selection of the working pair (Fan, Chen, Lin 2005, WSS 2) and shrinking, as in LIBSVM.
//!
//! Written in b instead of a all signs go: with lowᵢ ≤ bᵢ ≤ highᵢ (0..cost for a positive, −cost..0 for a negative) and
//! pull Fᵢ = yᵢ − Σⱼ K(i, j) bⱼ, a step moves b of the row with the strongest pull up by t and that of another down by
//! t, and Fₖ loses t (K(k, up) − K(k, down)). At the optimum no row that can go up has a pull above one that can go
//! down, and the bias is the pull of the rows strictly between their bounds.
//!
//! Kernels that are not positive semi-definite give pairs with no curvature; these get `TINY` instead and move to a
//! bound (LIBSVM's τ). Every step lowers the objective or moves to a bound, so all stays finite.

use super::{ClassWeights, Stop, check_common, check_members};
use crate::kernel::Gram;
use crate::{Error, Result};

/// Curvature given to pairs that have none.
const TINY: f64 = 1e-12;
/// Rows are looked at in blocks of this many when the best is sought: the best value of each block first, then its place.
const BLOCK: usize = 64;

/// What to learn with, as given by a user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// The price of errors against the length of the weights.
    pub cost: f64,
    /// Factors of the cost by class.
    pub class_weights: ClassWeights,
    /// Stop when no pair of rows violates the optimality conditions by more than this.
    pub tolerance: f64,
    /// Stop after this many steps in any case.
    pub max_iterations: usize,
    /// Leave out rows that are surely at a bound. Changes the time taken, not the optimum.
    pub shrinking: bool,
}

impl Default for Params {
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

impl Params {
    /// Checks every parameter.
    pub fn check(&self) -> Result<Checked> {
        check_common(self.cost, &self.class_weights, self.tolerance)?;
        if self.max_iterations == 0 {
            return Err(Error::parameter("max_iterations is 0, expected at least 1"));
        }
        Ok(Checked(*self))
    }
}

/// Parameters that were checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked(Params);

impl Checked {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.0
    }

    /// The same with another cost.
    pub fn with_cost(&self, cost: f64) -> Result<Self> {
        Params { cost, ..self.0 }.check()
    }
}

/// A Gram and labels, checked once for all folds and costs.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    gram: &'a Gram,
    labels: &'a [bool],
}

impl<'a> Problem<'a> {
    /// Checks that the Gram is square and finite and that there is a label a row. Symmetry is taken on trust.
    pub fn new(gram: &'a Gram, labels: &'a [bool]) -> Result<Self> {
        let (n_rows, n_columns) = (gram.n_rows(), gram.n_columns());
        if n_rows != n_columns || n_rows != labels.len() {
            return Err(Error::data(format!(
                "a Gram of {n_rows} x {n_columns} with {} labels, expected a square Gram and one label a row",
                labels.len()
            )));
        }
        for row in 0..n_rows {
            if let Some(column) = gram.row(row).iter().position(|value| !value.is_finite()) {
                return Err(Error::data(format!(
                    "the kernel value of rows {row} and {column} is {}, expected a finite number: look for a kernel that \
                     overflows or an empty text that is normalised",
                    gram.row(row)[column]
                )));
            }
        }
        Ok(Self { gram, labels })
    }

    /// The Gram.
    pub fn gram(&self) -> &'a Gram {
        self.gram
    }

    /// The labels.
    pub fn labels(&self) -> &'a [bool] {
        self.labels
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// yᵢaᵢ of each row, 0 for rows that are not members.
    pub coefficients: Vec<f64>,
    /// Added to every score (LIBSVM's −rho).
    pub bias: f64,
    /// Why training stopped.
    pub stop: Stop,
    /// How many steps were made.
    pub iterations: usize,
    /// ½ aᵀQa − Σ aᵢ, to be minimised (LIBSVM's obj).
    pub objective: f64,
    /// How many coefficients are not 0.
    pub n_support: usize,
    /// How many of these are at the bound.
    pub n_bounded: usize,
}

impl Machine {
    /// Σⱼ coefficientⱼ K(x, j) + bias, given K of `x` with every row of the problem.
    pub fn score(&self, kernel_values: &[f32]) -> f64 {
        dot(&self.coefficients, kernel_values) + self.bias
    }
}

/// Learns from the rows in `members`; `start` gives coefficients to start from (one a row of the problem, as in
/// [`Machine::coefficients`]), best those of a somewhat smaller cost. The start changes the time taken, not the optimum.
pub fn fit(problem: &Problem<'_>, members: &[usize], params: &Checked, start: Option<&[f64]>) -> Result<Machine> {
    check_members(problem.labels, members)?;
    if let Some(start) = start.filter(|start| start.len() != problem.labels.len()) {
        let message = format!("{} starting values for {} rows, expected one a row", start.len(), problem.labels.len());
        return Err(Error::data(message));
    }
    let mut solver = Solver::new(problem, members, params.params(), start);
    let (stop, iterations) = solver.solve(params.params());
    let machine = solver.finish(stop, iterations);
    if machine.objective.is_finite() && machine.bias.is_finite() {
        return Ok(machine);
    }
    Err(Error::data(format!(
        "the machine's numbers overflow at cost {}: lower the cost or normalise the kernel",
        params.0.cost
    )))
}

/// All vectors are by position: the first `n_active` positions are active, in rising order of rows.
struct Solver<'a> {
    gram: &'a Gram,
    n_active: usize,
    rows: Vec<usize>,
    coefficients: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// Fₖ = yₖ − Σⱼ K(k, j) bⱼ; up to date for active positions only.
    pull: Vec<f64>,
    /// 0 where the coefficient can go up, else −∞: added to the pull it takes the position out of a maximum.
    bar_up: Vec<f64>,
    /// 0 where the coefficient can go down, else +∞.
    bar_down: Vec<f64>,
    /// K(k, k).
    diagonal: Vec<f64>,
    sign: Vec<f64>,
    /// K(up, k) of the current step.
    up_values: Vec<f64>,
    n_steps_to_shrink: usize,
}

/// The strongest pull up and the weakest pull of a row that can go down.
struct Extremes {
    up: f64,
    up_position: usize,
    down: f64,
}

impl<'a> Solver<'a> {
    fn new(problem: &Problem<'a>, members: &[usize], params: &Params, start: Option<&[f64]>) -> Self {
        let mut rows = members.to_vec();
        rows.sort_unstable();
        let n = rows.len();
        let sign: Vec<f64> = rows.iter().map(|&row| if problem.labels[row] { 1.0 } else { -1.0 }).collect();
        let cost = |&row: &usize| params.cost * params.class_weights.of(problem.labels[row]);
        let low: Vec<f64> = rows.iter().map(|row| if problem.labels[*row] { 0.0 } else { -cost(row) }).collect();
        let high: Vec<f64> = rows.iter().map(|row| if problem.labels[*row] { cost(row) } else { 0.0 }).collect();
        let diagonal = rows.iter().map(|&row| f64::from(problem.gram.row(row)[row])).collect();
        let mut solver = Self {
            gram: problem.gram,
            n_active: n,
            coefficients: vec![0.0; n],
            pull: sign.clone(),
            bar_up: vec![0.0; n],
            bar_down: vec![0.0; n],
            up_values: vec![0.0; n],
            rows,
            low,
            high,
            diagonal,
            sign,
            n_steps_to_shrink: n.min(1000),
        };
        if let Some(start) = start {
            solver.start_from(start);
        }
        for position in 0..n {
            solver.set_bars(position);
        }
        solver
    }

    /// Takes coefficients over within bounds. Their sum must be 0: the heavier side is scaled down to the other.
    fn start_from(&mut self, start: &[f64]) {
        for (position, &row) in self.rows.iter().enumerate() {
            let value = if start[row].is_finite() { start[row] } else { 0.0 };
            self.coefficients[position] = value.clamp(self.low[position], self.high[position]);
        }
        let positive: f64 = self.coefficients.iter().filter(|value| **value > 0.0).sum();
        let negative: f64 = -self.coefficients.iter().filter(|value| **value < 0.0).sum::<f64>();
        // A sum that is 0 but for rounding is left alone, or bounded coefficients would leave their bounds.
        if (positive - negative).abs() > 1e-12 * (positive + negative) {
            let target = positive.min(negative);
            let scale_positive = if positive > target { target / positive } else { 1.0 };
            let scale_negative = if negative > target { target / negative } else { 1.0 };
            for value in &mut self.coefficients {
                *value *= if *value > 0.0 { scale_positive } else { scale_negative };
            }
        }
        self.refresh_pulls(0);
    }

    fn set_bars(&mut self, position: usize) {
        let value = self.coefficients[position];
        self.bar_up[position] = if value < self.high[position] { 0.0 } else { f64::NEG_INFINITY };
        self.bar_down[position] = if value > self.low[position] { 0.0 } else { f64::INFINITY };
    }

    /// Fₖ from its definition for the positions from `first` on.
    fn refresh_pulls(&mut self, first: usize) {
        let coefficients = self.by_row();
        for position in first..self.rows.len() {
            self.pull[position] = self.sign[position] - dot(&coefficients, self.gram.row(self.rows[position]));
        }
    }

    /// The coefficients over all rows of the Gram.
    fn by_row(&self) -> Vec<f64> {
        let mut coefficients = vec![0.0; self.gram.n_rows()];
        for (&row, &coefficient) in self.rows.iter().zip(&self.coefficients) {
            coefficients[row] = coefficient;
        }
        coefficients
    }

    fn solve(&mut self, params: &Params) -> (Stop, usize) {
        let mut countdown = self.n_steps_to_shrink;
        let mut unshrunk_once = false;
        let mut extremes = self.extremes();
        for iteration in 0..params.max_iterations {
            countdown -= 1;
            if countdown == 0 {
                countdown = self.n_steps_to_shrink;
                if params.shrinking {
                    // Near the optimum all rows are taken in once, so that late shrinking is by good pulls.
                    if !unshrunk_once && extremes.up - extremes.down <= 10.0 * params.tolerance {
                        unshrunk_once = true;
                        self.unshrink();
                        extremes = self.extremes();
                    }
                    self.shrink(&extremes);
                    extremes = self.extremes();
                }
            }
            if extremes.up - extremes.down < params.tolerance {
                if self.n_active == self.rows.len() {
                    return (Stop::Converged, iteration);
                }
                self.unshrink();
                extremes = self.extremes();
                if extremes.up - extremes.down < params.tolerance {
                    return (Stop::Converged, iteration);
                }
                // Shrink again at the next step, as LIBSVM does.
                countdown = 1;
            }
            let up = extremes.up_position;
            let Some(down) = self.partner(up, extremes.up) else {
                return (Stop::Converged, iteration);
            };
            self.step(up, down);
            extremes = self.extremes();
        }
        self.unshrink();
        (Stop::Limit, params.max_iterations)
    }

    /// The row with the strongest pull among those that can go up (the first of equals), and the weakest among those
    /// that can go down.
    fn extremes(&self) -> Extremes {
        let active = ..self.n_active;
        let (mut up, mut block, mut down) = (f64::NEG_INFINITY, 0, f64::INFINITY);
        let blocks = self.pull[active]
            .chunks(BLOCK)
            .zip(self.bar_up[active].chunks(BLOCK))
            .zip(self.bar_down[active].chunks(BLOCK));
        for (number, ((pulls, bars_up), bars_down)) in blocks.enumerate() {
            let mut block_up = [f64::NEG_INFINITY; 4];
            let mut block_down = [f64::INFINITY; 4];
            for ((pull, bar_up), bar_down) in pulls.chunks(4).zip(bars_up.chunks(4)).zip(bars_down.chunks(4)) {
                for (lane, ((pull, bar_up), bar_down)) in pull.iter().zip(bar_up).zip(bar_down).enumerate() {
                    let (can_up, can_down) = (pull + bar_up, pull + bar_down);
                    block_up[lane] = if can_up > block_up[lane] { can_up } else { block_up[lane] };
                    block_down[lane] = if can_down < block_down[lane] { can_down } else { block_down[lane] };
                }
            }
            for lane in 0..4 {
                if block_up[lane] > up {
                    (up, block) = (block_up[lane], number);
                }
                down = down.min(block_down[lane]);
            }
        }
        let first = block * BLOCK;
        let last = (first + BLOCK).min(self.n_active);
        let place = (first..last).find(|&position| self.pull[position] + self.bar_up[position] == up);
        Extremes { up, up_position: place.unwrap_or(first), down }
    }

    /// The row to go down with `up`: of those with less pull, the one whose step lowers the objective most,
    /// (F_up − Fₖ)² / (K(up, up) + K(k, k) − 2 K(up, k)).
    fn partner(&mut self, up: usize, up_pull: f64) -> Option<usize> {
        let values = self.gram.row(self.rows[up]);
        let own = self.diagonal[up];
        let (mut best, mut best_gain) = (None, 0.0);
        for position in 0..self.n_active {
            let value = f64::from(values[self.rows[position]]);
            self.up_values[position] = value;
            let difference = up_pull - (self.pull[position] + self.bar_down[position]);
            if difference > 0.0 {
                let curvature = own + self.diagonal[position] - 2.0 * value;
                let gain = difference * difference / if curvature > 0.0 { curvature } else { TINY };
                if gain > best_gain {
                    (best, best_gain) = (Some(position), gain);
                }
            }
        }
        best
    }

    fn step(&mut self, up: usize, down: usize) {
        let curvature = self.diagonal[up] + self.diagonal[down] - 2.0 * self.up_values[down];
        let wanted = (self.pull[up] - self.pull[down]) / if curvature > 0.0 { curvature } else { TINY };
        let room_up = self.high[up] - self.coefficients[up];
        let room_down = self.coefficients[down] - self.low[down];
        let change = wanted.min(room_up).min(room_down);
        // A clipped coefficient is set to its bound exactly, not by a sum that rounds.
        self.coefficients[up] = if change >= room_up { self.high[up] } else { self.coefficients[up] + change };
        self.coefficients[down] = if change >= room_down { self.low[down] } else { self.coefficients[down] - change };
        self.set_bars(up);
        self.set_bars(down);
        let down_values = self.gram.row(self.rows[down]);
        let active = ..self.n_active;
        for ((pull, up_value), &row) in
            self.pull[active].iter_mut().zip(&self.up_values[active]).zip(&self.rows[active])
        {
            *pull -= change * (up_value - f64::from(down_values[row]));
        }
    }

    /// Leaves out rows at a bound that no partner can pull off it: those that can only go down but whose pull is
    /// above every pull up, and those that can only go up but whose pull is below every pull down.
    fn shrink(&mut self, extremes: &Extremes) {
        let n_active = self.n_active;
        let stays = |position: usize| {
            let only_down = self.bar_up[position] != 0.0;
            let only_up = self.bar_down[position] != 0.0;
            !(only_down && self.pull[position] > extremes.up || only_up && self.pull[position] < extremes.down)
        };
        let (mut order, out): (Vec<usize>, Vec<usize>) = (0..n_active).partition(|&position| stays(position));
        if out.is_empty() {
            return;
        }
        self.n_active = order.len();
        order.extend(out);
        order.extend(n_active..self.rows.len());
        self.reorder(&order);
    }

    /// Takes every row back in, with its pull made up to date, in rising order of rows.
    fn unshrink(&mut self) {
        if self.n_active == self.rows.len() {
            return;
        }
        self.refresh_pulls(self.n_active);
        self.n_active = self.rows.len();
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_unstable_by_key(|&position| self.rows[position]);
        self.reorder(&order);
    }

    fn reorder(&mut self, order: &[usize]) {
        fn permute<T: Copy>(values: &mut Vec<T>, order: &[usize]) {
            *values = order.iter().map(|&position| values[position]).collect();
        }
        permute(&mut self.rows, order);
        for values in [
            &mut self.coefficients,
            &mut self.low,
            &mut self.high,
            &mut self.pull,
            &mut self.bar_up,
            &mut self.bar_down,
            &mut self.diagonal,
            &mut self.sign,
        ] {
            permute(values, order);
        }
    }

    /// The bias is the mean pull of the free rows; without any, the middle of the interval that optimality leaves.
    fn finish(&self, stop: Stop, iterations: usize) -> Machine {
        let (mut n_support, mut n_bounded, mut free_sum, mut n_free) = (0, 0, 0.0, 0usize);
        let mut objective = 0.0;
        for position in 0..self.rows.len() {
            let value = self.coefficients[position];
            // aᵢ (Gᵢ − 1) / 2 with Gᵢ = −yᵢFᵢ
            objective -= 0.5 * (value * self.pull[position] + value.abs());
            let (can_up, can_down) = (self.bar_up[position] == 0.0, self.bar_down[position] == 0.0);
            if can_up && can_down {
                free_sum += self.pull[position];
                n_free += 1;
            }
            if value != 0.0 {
                n_support += 1;
                n_bounded += usize::from(!(can_up && can_down));
            }
        }
        let extremes = self.extremes();
        let bias = if n_free > 0 { free_sum / n_free as f64 } else { 0.5 * (extremes.up + extremes.down) };
        Machine { coefficients: self.by_row(), bias, stop, iterations, objective, n_support, n_bounded }
    }
}

/// Σ coefficientⱼ valueⱼ, in eight sums so that additions need not wait for each other and can share instructions.
fn dot(coefficients: &[f64], values: &[f32]) -> f64 {
    let mut sums = [0.0; 8];
    let (coefficient_blocks, value_blocks) = (coefficients.chunks_exact(8), values.chunks_exact(8));
    let rest = coefficient_blocks.remainder().iter().zip(value_blocks.remainder());
    let rest: f64 = rest.map(|(coefficient, &value)| coefficient * f64::from(value)).sum();
    for (coefficients, values) in coefficient_blocks.zip(value_blocks) {
        for lane in 0..8 {
            sums[lane] += coefficients[lane] * f64::from(values[lane]);
        }
    }
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::random::SplitMix;

    /// A Gram of random vectors (of few dimensions, so that free and bounded rows occur) and noisy labels.
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

    fn params(cost: f64) -> Params {
        let class_weights = ClassWeights { positive: 0.7, negative: 1.4 };
        Params { cost, class_weights, tolerance: 1e-6, ..Params::default() }
    }

    fn distance(left: &Machine, right: &Machine, gram: &Gram) -> f64 {
        let scores = (0..gram.n_rows()).map(|row| (left.score(gram.row(row)) - right.score(gram.row(row))).abs());
        scores.fold(0.0, f64::max)
    }

    /// Optimality: within bounds, sum 0, and y·score at least 1 at 0, at most 1 at the bound, 1 between, up to `slack`.
    fn check_optimality(problem: &Problem<'_>, members: &[usize], params: &Params, machine: &Machine, slack: f64) {
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
            let problem = Problem::new(&gram, &labels).unwrap();
            let members: Vec<usize> = (0..n).filter(|row| row % 7 != 6).collect();
            for cost in [0.01, 1.0, 50.0] {
                let params = params(cost);
                let machine = fit(&problem, &members, &params.check().unwrap(), None).unwrap();
                assert_eq!(machine.stop, Stop::Converged);
                check_optimality(&problem, &members, &params, &machine, 1e-5);
                let loose = Params { tolerance: 1e-3, ..params };
                let machine = fit(&problem, &members, &loose.check().unwrap(), None).unwrap();
                check_optimality(&problem, &members, &loose, &machine, 2e-3);
            }
        }
    }

    #[test]
    fn shrinking_and_the_start_do_not_change_the_optimum() {
        let (gram, labels) = random_problem(5, 400, 4);
        let problem = Problem::new(&gram, &labels).unwrap();
        let members: Vec<usize> = (0..400).filter(|row| row % 5 != 0 || *row == 0).collect();
        for cost in [0.1, 10.0, 100.0] {
            let params = params(cost);
            let plain = Params { shrinking: false, ..params }.check().unwrap();
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
        let in_place = fit(&Problem::new(&gram, &labels).unwrap(), &members, &params, None).unwrap();
        let all: Vec<usize> = (0..copy.n_rows()).collect();
        let copied = fit(&Problem::new(&copy, &copied_labels).unwrap(), &all, &params, None).unwrap();
        assert_eq!(members.iter().map(|&row| in_place.coefficients[row]).collect::<Vec<_>>(), copied.coefficients);
        assert_eq!((in_place.bias, in_place.iterations), (copied.bias, copied.iterations));
    }

    #[test]
    fn two_points_have_the_machine_in_the_middle() {
        // x = 2 and x = −1: the widest margin is w = 2/3, bias −1/3.
        let gram = Gram::new(2, vec![4.0, -2.0, -2.0, 1.0]);
        let problem = Problem::new(&gram, &[true, false]).unwrap();
        let machine = fit(&problem, &[0, 1], &Params::default().check().unwrap(), None).unwrap();
        assert!((machine.coefficients[0] - 2.0 / 9.0).abs() < 1e-12 && (machine.bias + 1.0 / 3.0).abs() < 1e-12);
        assert!((machine.objective + 2.0 / 9.0).abs() < 1e-12);
        assert_eq!((machine.n_support, machine.n_bounded), (2, 0));
    }

    #[test]
    fn kernels_that_are_no_kernels_end_finite_and_the_same_each_time() {
        for seed in 0..20 {
            let mut random = SplitMix::new(seed);
            let n = 40;
            let mut values = vec![0.0f32; n * n];
            for i in 0..n {
                for j in 0..=i {
                    let value = (random.unit() * 2.0 - 1.0) as f32;
                    (values[i * n + j], values[j * n + i]) = (value, value);
                }
            }
            let labels: Vec<bool> = (0..n).map(|row| row % 2 == 0).collect();
            let gram = Gram::new(n, values);
            let problem = Problem::new(&gram, &labels).unwrap();
            let members: Vec<usize> = (0..n).collect();
            let params = Params { cost: 10.0, max_iterations: 50_000, ..Params::default() }.check().unwrap();
            let machine = fit(&problem, &members, &params, None).unwrap();
            assert!(machine.bias.is_finite() && machine.objective < 0.0);
            assert!(machine.coefficients.iter().all(|coefficient| coefficient.abs() <= 10.0));
            assert_eq!(machine, fit(&problem, &members, &params, None).unwrap());
        }
        let zeros = Gram::new(3, vec![0.0; 9]);
        let problem = Problem::new(&zeros, &[true, false, true]).unwrap();
        let machine = fit(&problem, &[0, 1, 2], &Params::default().check().unwrap(), None).unwrap();
        assert!(machine.bias.is_finite());
    }

    #[test]
    fn says_when_it_ran_out_of_steps() {
        let (gram, labels) = random_problem(7, 100, 3);
        let members: Vec<usize> = (0..100).collect();
        let params = Params { cost: 100.0, max_iterations: 5, ..Params::default() }.check().unwrap();
        let machine = fit(&Problem::new(&gram, &labels).unwrap(), &members, &params, None).unwrap();
        assert_eq!((machine.stop, machine.iterations), (Stop::Limit, 5));
    }

    #[test]
    fn wrong_input_is_refused() {
        let check = |n_columns: usize, values: Vec<f32>, labels: &[bool], expected: &str| {
            let gram = Gram::new(n_columns, values);
            let message = Problem::new(&gram, labels).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(2, vec![1.0, 0.0], &[true], "1 x 2");
        check(2, vec![1.0, 0.0, 0.0, 1.0], &[true], "1 labels");
        check(2, vec![1.0, f32::NAN, 0.0, 1.0], &[true, false], "rows 0 and 1 is NaN");
        check(2, vec![1.0, 0.0, f32::INFINITY, 1.0], &[true, false], "rows 1 and 0 is inf");
        assert!(Params { cost: -1.0, ..Params::default() }.check().unwrap_err().to_string().contains("cost is -1"));
        assert!(Params { max_iterations: 0, ..Params::default() }.check().is_err());
        let gram = Gram::new(2, vec![1.0, 0.0, 0.0, 1.0]);
        let problem = Problem::new(&gram, &[true, true]).unwrap();
        let params = Params::default().check().unwrap();
        assert!(fit(&problem, &[0, 1], &params, None).unwrap_err().to_string().contains("all positive"));
    }
}
