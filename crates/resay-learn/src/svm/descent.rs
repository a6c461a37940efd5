//! Dual coordinate descent, the solver of [`super::linear`] (which states the problem and defines
//! the symbols).
//!
//! Each visit moves one dual variable to its optimum with the others fixed and updates w, at the
//! cost of two passes over one row. Every pass visits the rows in a new random order. Rows that
//! stay at a bound are skipped until the others have converged (Hsieh et al. 2008, Alg. 3).
//!
//! A row's private mass (the columns that no other row has) interacts with that row only: it adds
//! `private`ᵢ to Qᵢᵢ and changes nothing else, exactly as D does. So the solver adds it to D, and
//! private mass costs no extra time.

use super::SolverStop;
use super::linear::{LinearMachine, LinearParams, LinearProblem, Loss};
use crate::Result;
use crate::matrix::Rows;
use crate::progress::Progress;
use crate::rng::SplitMix;

/// Number of row visits between two checks for cancellation.
const VISITS_BETWEEN: usize = 16;

/// The solver's state of one member. Everything a visit needs besides the row itself fits in one
/// cache line.
#[derive(Clone, Copy, Debug)]
struct Member {
    row: usize,
    /// yᵢ = ±1.
    sign: f64,
    alpha: f64,
    upper: f64,
    /// Dᵢᵢ: the term of the loss plus the private mass.
    own: f64,
    /// Qᵢᵢ + Dᵢᵢ.
    diagonal: f64,
    cost: f64,
}

/// The state of a descent: dual variables and the corresponding weights.
pub(super) struct Solver<'a> {
    rows: &'a Rows,
    /// In visiting order: the first `n_active` are active.
    members: Vec<Member>,
    /// w, one entry per column.
    weights: Vec<f64>,
    /// Value of the constant feature, 0 if there is none.
    constant: f64,
    /// Weight of the constant feature.
    constant_weight: f64,
    loss: Loss,
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        problem: &LinearProblem<'a>,
        members: &[usize],
        params: &LinearParams,
        start: Option<&[f64]>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let constant = params.bias.unwrap_or(0.0);
        let member = |&row: &usize| {
            let label = problem.labels[row];
            let cost = params.cost * params.class_weights.of(label);
            let (upper, slack) = match params.loss {
                Loss::Hinge => (cost, 0.0),
                Loss::SquaredHinge => (f64::INFINITY, 0.5 / cost),
            };
            let first = start.map_or(0.0, |start| start[row]);
            let alpha = if first.is_finite() { first.clamp(0.0, upper) } else { 0.0 };
            let own = slack + problem.rows.private(row);
            let diagonal = slack + problem.squared_lengths[row] + constant * constant;
            Member { row, sign: if label { 1.0 } else { -1.0 }, alpha, upper, own, diagonal, cost }
        };
        let members: Vec<Member> = members.iter().map(member).collect();
        let mut weights = vec![0.0; problem.rows.n_columns()];
        let mut constant_weight = 0.0;
        for member in members.iter().filter(|member| member.alpha > 0.0) {
            progress.check()?;
            let (columns, values) = problem.rows.row(member.row);
            add_scaled(&mut weights, columns, values, member.sign * member.alpha);
            constant_weight += member.sign * member.alpha * constant;
        }
        Ok(Self { rows: problem.rows, members, weights, constant, constant_weight, loss: params.loss })
    }

    /// Runs passes until the projected gradients of all members are within the tolerance.
    pub(super) fn descend(&mut self, params: &LinearParams, progress: Progress<'_>) -> Result<(SolverStop, usize)> {
        let mut random = SplitMix::new(params.seed);
        let mut n_visits = 0_usize;
        let mut n_active = self.members.len();
        // The largest and smallest projected gradient of the previous pass. A row at a bound whose
        // gradient pushes it outwards by more than these is skipped until the others have
        // converged.
        let (mut highest_before, mut lowest_before) = (f64::INFINITY, f64::NEG_INFINITY);
        for pass in 1..=params.max_passes {
            random.shuffle(&mut self.members[..n_active]);
            let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut position = 0;
            while position < n_active {
                if n_visits.is_multiple_of(VISITS_BETWEEN) {
                    progress.check()?;
                }
                n_visits += 1;
                let member = self.members[position];
                let (columns, values) = self.rows.row(member.row);
                // gradient = yᵢ w·xᵢ − 1 + Dᵢᵢ aᵢ
                let score = dot(&self.weights, columns, values) + self.constant_weight * self.constant;
                let gradient = member.sign * score - 1.0 + member.own * member.alpha;
                let projected = if member.alpha <= 0.0 {
                    if gradient > highest_before {
                        n_active -= 1;
                        self.members.swap(position, n_active);
                        continue;
                    }
                    gradient.min(0.0)
                } else if member.alpha >= member.upper {
                    if gradient < lowest_before {
                        n_active -= 1;
                        self.members.swap(position, n_active);
                        continue;
                    }
                    gradient.max(0.0)
                } else {
                    gradient
                };
                highest = highest.max(projected);
                lowest = lowest.min(projected);
                if projected.abs() > 1e-12 {
                    // An all-zero row without bias has diagonal 0: its optimal alpha is the upper
                    // bound.
                    let step = if member.diagonal > 0.0 { gradient / member.diagonal } else { f64::NEG_INFINITY };
                    let alpha = (member.alpha - step).clamp(0.0, member.upper);
                    let change = (alpha - member.alpha) * member.sign;
                    self.members[position].alpha = alpha;
                    add_scaled(&mut self.weights, columns, values, change);
                    self.constant_weight += change * self.constant;
                }
                position += 1;
            }
            if highest - lowest <= params.tolerance {
                if n_active == self.members.len() {
                    return Ok((SolverStop::Converged, pass));
                }
                n_active = self.members.len();
                (highest_before, lowest_before) = (f64::INFINITY, f64::NEG_INFINITY);
            } else {
                highest_before = if highest > 0.0 { highest } else { f64::INFINITY };
                lowest_before = if lowest < 0.0 { lowest } else { f64::NEG_INFINITY };
            }
        }
        Ok((SolverStop::Limit, params.max_passes))
    }

    /// Computes both objectives, summing over the members in the given order, so that the result
    /// does not depend on the last shuffle.
    pub(super) fn finish(
        self,
        order: &[usize],
        (stop, passes): (SolverStop, usize),
        progress: Progress<'_>,
    ) -> Result<LinearMachine> {
        let mut place = vec![0; self.rows.len()];
        for (position, member) in self.members.iter().enumerate() {
            place[member.row] = position;
        }
        let mut alphas = vec![0.0; self.rows.len()];
        // ½|w|² and ½ aᵀ(Q + D)a share the squared length of w over stored columns, constant
        // feature and private columns.
        let mut half_length = 0.5 * self.weights.iter().map(|weight| weight * weight).sum::<f64>();
        half_length += 0.5 * self.constant_weight * self.constant_weight;
        let (mut errors, mut slack, mut sum) = (0.0, 0.0, 0.0);
        for &row in order {
            progress.check()?;
            let member = &self.members[place[row]];
            let (columns, values) = self.rows.row(row);
            let private = self.rows.private(row);
            let score = dot(&self.weights, columns, values) + self.constant_weight * self.constant;
            let short = (1.0 - member.sign * score - private * member.alpha).max(0.0);
            errors += match self.loss {
                Loss::Hinge => member.cost * short,
                Loss::SquaredHinge => member.cost * short * short,
            };
            half_length += 0.5 * private * member.alpha * member.alpha;
            if self.loss == Loss::SquaredHinge {
                slack += 0.25 / member.cost * member.alpha * member.alpha;
            }
            sum += member.alpha;
            alphas[row] = member.alpha;
        }
        let objective = half_length + errors;
        let dual = sum - half_length - slack;
        let bias = self.constant_weight * self.constant;
        Ok(LinearMachine { weights: self.weights, bias, alphas, stop, passes, objective, gap: objective - dual })
    }
}

/// w·x over the stored columns. Four partial sums keep the additions independent.
pub(super) fn dot(weights: &[f64], columns: &[u32], values: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let mut column_blocks = columns.chunks_exact(4);
    let mut value_blocks = values.chunks_exact(4);
    for (columns, values) in column_blocks.by_ref().zip(value_blocks.by_ref()) {
        for lane in 0..4 {
            sums[lane] += weights[columns[lane] as usize] * values[lane];
        }
    }
    let rest: f64 = column_blocks
        .remainder()
        .iter()
        .zip(value_blocks.remainder())
        .map(|(&column, value)| weights[column as usize] * value)
        .sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// w += scale x over the stored columns.
pub(super) fn add_scaled(weights: &mut [f64], columns: &[u32], values: &[f64], scale: f64) {
    for (&column, value) in columns.iter().zip(values) {
        weights[column as usize] += scale * value;
    }
}
