//! Sequential minimal optimisation, the solver of [`super::dual`] (which states the problem and
//! defines the symbols).
//!
//! Written in b instead of a, all signs disappear. The bounds are lowᵢ ≤ bᵢ ≤ highᵢ (0..cost for a
//! positive example, −cost..0 for a negative one), and the pull (the negative gradient) is Fᵢ = yᵢ
//! − Σⱼ K(i, j) bⱼ. A step moves b of the row with the strongest pull up by t and b of another row
//! down by t; Fₖ decreases by t (K(k, up) − K(k, down)). At the optimum, no row that can move up
//! has a larger pull than a row that can move down, and the bias is the pull of the rows strictly
//! between their bounds.
//!
//! Kernels that are not positive semi-definite have pairs without positive curvature. These get
//! `TINY` instead and move to a bound (LIBSVM's τ). Every step lowers the objective or moves to a
//! bound, so everything stays finite.

use super::SolverStop;
use super::dual::{DualMachine, DualParams, DualProblem};
use crate::Result;
use crate::matrix::Gram;
use crate::progress::Progress;

/// Curvature assigned to pairs that have none.
const TINY: f64 = 1e-12;
/// Block length in searches for the best row: first the best value of each block, then its
/// position.
const BLOCK: usize = 64;

/// All vectors are indexed by position: the first `n_active` positions are active, in increasing
/// order of rows.
pub(super) struct Solver<'a> {
    gram: &'a Gram,
    n_active: usize,
    rows: Vec<usize>,
    coefficients: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// Fₖ = yₖ − Σⱼ K(k, j) bⱼ; up to date for active positions only.
    pull: Vec<f64>,
    /// 0 where the coefficient can move up, else −∞: added to the pull, it excludes the position
    /// from a maximum.
    bar_up: Vec<f64>,
    /// 0 where the coefficient can move down, else +∞.
    bar_down: Vec<f64>,
    /// K(k, k).
    diagonal: Vec<f64>,
    sign: Vec<f64>,
    /// K(up, k) of the current step.
    up_values: Vec<f64>,
    n_steps_to_shrink: usize,
}

/// The largest pull of a row that can move up and the smallest pull of a row that can move down.
struct Extremes {
    up: f64,
    up_position: usize,
    down: f64,
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        problem: &DualProblem<'a>,
        members: &[usize],
        params: &DualParams,
        start: Option<&[f64]>,
        progress: Progress<'_>,
    ) -> Result<Self> {
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
            solver.start_from(start, progress)?;
        }
        for position in 0..n {
            solver.set_bars(position);
        }
        Ok(solver)
    }

    /// Takes over a warm start, clamped to the bounds. The coefficients must sum to 0, so the
    /// heavier side is scaled down to match the other.
    fn start_from(&mut self, start: &[f64], progress: Progress<'_>) -> Result<()> {
        for (position, &row) in self.rows.iter().enumerate() {
            let value = if start[row].is_finite() { start[row] } else { 0.0 };
            self.coefficients[position] = value.clamp(self.low[position], self.high[position]);
        }
        let positive: f64 = self.coefficients.iter().filter(|value| **value > 0.0).sum();
        let negative: f64 = -self.coefficients.iter().filter(|value| **value < 0.0).sum::<f64>();
        // Leave a sum alone that is 0 up to rounding: scaling would move bounded coefficients off
        // their bounds.
        if (positive - negative).abs() > 1e-12 * (positive + negative) {
            let target = positive.min(negative);
            let scale_positive = if positive > target { target / positive } else { 1.0 };
            let scale_negative = if negative > target { target / negative } else { 1.0 };
            for value in &mut self.coefficients {
                *value *= if *value > 0.0 { scale_positive } else { scale_negative };
            }
        }
        self.refresh_pulls(0, progress)
    }

    fn set_bars(&mut self, position: usize) {
        let value = self.coefficients[position];
        self.bar_up[position] = if value < self.high[position] { 0.0 } else { f64::NEG_INFINITY };
        self.bar_down[position] = if value > self.low[position] { 0.0 } else { f64::INFINITY };
    }

    /// Computes Fₖ from its definition for the positions from `first` on.
    fn refresh_pulls(&mut self, first: usize, progress: Progress<'_>) -> Result<()> {
        let coefficients = self.by_row();
        for position in first..self.rows.len() {
            progress.check()?;
            self.pull[position] = self.sign[position] - dot(&coefficients, self.gram.row(self.rows[position]));
        }
        Ok(())
    }

    /// Returns the coefficients over all rows of the Gram matrix.
    fn by_row(&self) -> Vec<f64> {
        let mut coefficients = vec![0.0; self.gram.n_rows()];
        for (&row, &coefficient) in self.rows.iter().zip(&self.coefficients) {
            coefficients[row] = coefficient;
        }
        coefficients
    }

    pub(super) fn solve(&mut self, params: &DualParams, progress: Progress<'_>) -> Result<(SolverStop, usize)> {
        let mut countdown = self.n_steps_to_shrink;
        let mut unshrunk_once = false;
        let mut extremes = self.extremes();
        for iteration in 0..params.max_iterations {
            progress.check()?;
            countdown -= 1;
            if countdown == 0 {
                countdown = self.n_steps_to_shrink;
                if params.shrinking {
                    // Near the optimum, reactivate all rows once, so that later shrinking uses
                    // accurate pulls.
                    if !unshrunk_once && extremes.up - extremes.down <= 10.0 * params.tolerance {
                        unshrunk_once = true;
                        self.unshrink(progress)?;
                        extremes = self.extremes();
                    }
                    self.shrink(&extremes);
                    extremes = self.extremes();
                }
            }
            if extremes.up - extremes.down < params.tolerance {
                if self.n_active == self.rows.len() {
                    return Ok((SolverStop::Converged, iteration));
                }
                self.unshrink(progress)?;
                extremes = self.extremes();
                if extremes.up - extremes.down < params.tolerance {
                    return Ok((SolverStop::Converged, iteration));
                }
                // Shrink again at the next step, as LIBSVM does.
                countdown = 1;
            }
            let up = extremes.up_position;
            let Some(down) = self.partner(up, extremes.up) else {
                // Only an overflow leaves no partner; `fit` rejects the result.
                self.unshrink(progress)?;
                return Ok((SolverStop::Limit, iteration));
            };
            self.step(up, down);
            extremes = self.extremes();
        }
        self.unshrink(progress)?;
        Ok((SolverStop::Limit, params.max_iterations))
    }

    /// Finds the row with the largest pull among those that can move up (the first on ties), and
    /// the smallest pull among those that can move down.
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

    /// Chooses the row that moves down while `up` moves up: among those with a smaller pull, the
    /// one whose step lowers the objective most, (F_up − Fₖ)² / (K(up, up) + K(k, k) − 2 K(up, k)).
    fn partner(&mut self, up: usize, up_pull: f64) -> Option<usize> {
        let values = self.gram.row(self.rows[up]);
        let own = self.diagonal[up];
        // Below every gain, even one that underflows to 0.
        let (mut best, mut best_gain) = (None, -1.0);
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
        // Set a clipped coefficient to its bound exactly; a sum would round.
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

    /// Drops rows at a bound that no partner can move off it: those that can only move down but
    /// whose pull is above every pull up, and those that can only move up but whose pull is below
    /// every pull down.
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

    /// Reactivates every row, in increasing order of rows, and updates its pull.
    fn unshrink(&mut self, progress: Progress<'_>) -> Result<()> {
        if self.n_active == self.rows.len() {
            return Ok(());
        }
        self.refresh_pulls(self.n_active, progress)?;
        self.n_active = self.rows.len();
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_unstable_by_key(|&position| self.rows[position]);
        self.reorder(&order);
        Ok(())
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

    /// Builds the result. The bias is the mean pull of the free rows; if there are none, the
    /// midpoint of the interval that optimality allows.
    pub(super) fn finish(&self, stop: SolverStop, iterations: usize) -> DualMachine {
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
        DualMachine { coefficients: self.by_row(), bias, stop, iterations, objective, n_support, n_bounded }
    }
}

/// Σ coefficientⱼ valueⱼ. Eight partial sums keep the additions independent, so that they
/// vectorise.
pub(super) fn dot(coefficients: &[f64], values: &[f32]) -> f64 {
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
