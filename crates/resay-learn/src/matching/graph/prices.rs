//! Prices on columns that several rows choose: a bound that closes most problems in a few steps,
//! and leaves few maps of the others.
//!
//! Rows choose freely, but pay for their columns (`relax.rs`), and the total price of all columns
//! is added:
//! ```text
//! bound(v) = sum over columns j of v[j] + best labelling of rows by gain(i, j) - v[j],      v >= 0
//! ```
//! This bounds all proper maps (Lagrangian relaxation). Prices rise where several rows take a
//! column and fall where none does, by Polyak's step rule (1969). Part of the last direction is
//! kept if the two directions conflict (Camerini, Fratta and Maffioli 1975). The initial prices are
//! those that prove the best assignment without edges optimal. There is only one multiplier per
//! column, so a few steps go a long way; `search.rs` has a better bound, which takes more steps.

use super::NONE;
use super::budget::{BOUND_OF_ROWS, Budget, STRIKE};
use super::choices::{Keeper, Pair};
use super::improve::Incumbent;
use super::problem::Problem;
use super::relax::Relaxation;
use super::sweep::{Costs, Given, Sweep, Swept};

/// Maximum number of steps.
const MAX_STEPS: usize = 24;
/// When to try a sweep: at most this many maps per word are left, this many steps have passed, and
/// the gap is below this share of what it was at the last attempt.
const SMALL: usize = 3;
pub(super) const SWEEP_EVERY: usize = 4;
pub(super) const WORTH: f64 = 0.7;
/// Maximum number of states of a sweep.
const MAX_STATES: usize = 1000;
/// Number of steps without a substantially better bound after which the step length is reduced, and
/// what counts as substantial, as a share of the gap.
const PATIENCE: usize = 20;
const MUCH: f64 = 0.02;
/// How much of the last direction is kept if the new one is exactly opposed.
const DEFLECTION: f64 = 1.5;

/// The prices and the state of the subgradient method.
#[derive(Clone, Debug, Default)]
pub(super) struct Prices {
    pub(super) rows: Relaxation,
    keeper: Keeper,
    sweep: Sweep,
    costs: Costs,
    pub(super) prices: Vec<f64>,
    best_prices: Vec<f64>,
    /// The lowest bound so far, and the latest.
    pub(super) best_bound: f64,
    pub(super) last_bound: f64,
    direction: Vec<f64>,
    wanted: Vec<f64>,
    labelling: Vec<u32>,
    length: f64,
    since_better: usize,
    /// Number of bounds computed in the last search.
    pub(super) n_steps: u64,
}

impl Prices {
    /// Proves the incumbent optimal and returns true, or prunes maps that cannot be in a better
    /// solution. If work is refused, `best_bound` is valid, but there are no prices to continue
    /// with.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        incumbent: &mut Incumbent,
        pair: &mut Pair,
        budget: &mut Budget,
    ) -> bool {
        let n = problem.n_columns();
        self.prices.clone_from(&incumbent.pairing.column_prices);
        self.direction.clear();
        self.direction.resize(n, 0.0);
        (self.best_bound, self.length, self.since_better, self.n_steps) = (f64::INFINITY, 1.0, 0, 0);
        let mut tried_gap = f64::INFINITY;
        for step in 1..=MAX_STEPS {
            if self.step(problem, incumbent, pair, step.is_power_of_two() && step > 2, budget) {
                return true;
            }
            if budget.is_spent() {
                return false;
            }
            let gap = self.best_bound - incumbent.gain;
            if step.is_multiple_of(SWEEP_EVERY) && is_small(problem, pair) && gap < WORTH * tried_gap {
                tried_gap = gap;
                if self.sweep(problem, incumbent, pair, budget) {
                    return true;
                }
            }
        }
        std::mem::swap(&mut self.prices, &mut self.best_prices);
        let Some(bound) = self.bound(problem, pair, budget) else { return false };
        self.last_bound = bound;
        self.rows.walk_down(&problem.rows, &pair.rows);
        bound <= incumbent.gain + problem.tolerance
    }

    /// Searches the remaining maps exhaustively, with the best prices. Returns whether the
    /// incumbent is proved optimal.
    fn sweep(&mut self, problem: &Problem, incumbent: &mut Incumbent, pair: &mut Pair, budget: &mut Budget) -> bool {
        std::mem::swap(&mut self.prices, &mut self.best_prices);
        let Some(bound) = self.bound(problem, pair, budget) else { return false };
        let floor = incumbent.gain + problem.tolerance;
        self.costs.bound = self.prices.iter().sum();
        self.costs.deleted.clone_from(&self.prices);
        self.costs.used.clear();
        self.costs.used.resize(pair.n_maps(), 0.0);
        std::mem::swap(&mut self.prices, &mut self.best_prices);
        if bound <= floor {
            return true;
        }
        let (choices, relaxation, costs) = (&pair.rows, &self.rows, &mut self.costs);
        let swept = self.sweep.run(&mut Given { problem, choices, relaxation, costs, floor }, MAX_STATES, budget);
        if swept == Swept::Best {
            self.take(&pair.rows.labels, true);
            incumbent.offer(problem, &self.labelling);
        }
        swept != Swept::TooMany
    }

    /// Computes the bound with the current prices; `None` if work is refused.
    fn bound(&mut self, problem: &Problem, pair: &mut Pair, budget: &mut Budget) -> Option<f64> {
        if !budget.take(pair.n_maps(), BOUND_OF_ROWS) {
            return None;
        }
        self.n_steps += 1;
        let n = problem.n_columns();
        let rows = &mut pair.rows;
        for i in 0..problem.n_rows() {
            let gains = &problem.gains[i * n..][..n];
            for at in rows.of(i) {
                let j = rows.labels[at] as usize;
                rows.gains[at] = gains[j] - self.prices[j];
            }
        }
        Some(self.rows.solve(&problem.rows, rows) + self.prices.iter().sum::<f64>())
    }

    /// Converts the choices of the rows, or of the sweep, to columns.
    fn take(&mut self, labels: &[u32], is_swept: bool) {
        let chosen = if is_swept { &self.sweep.chosen } else { &self.rows.chosen };
        self.labelling.clear();
        self.labelling.extend(chosen.iter().map(|&at| if at == NONE { NONE } else { labels[at as usize] }));
    }

    /// Takes one step. Returns whether the incumbent is proved optimal.
    fn step(
        &mut self,
        problem: &Problem,
        incumbent: &mut Incumbent,
        pair: &mut Pair,
        thorough: bool,
        budget: &mut Budget,
    ) -> bool {
        let Some(bound) = self.bound(problem, pair, budget) else { return false };
        if bound <= incumbent.gain + problem.tolerance {
            return true;
        }
        self.take(&pair.rows.labels, false);
        incumbent.repair(problem, &self.labelling, thorough, budget);
        let gap = bound - incumbent.gain;
        if gap <= problem.tolerance {
            return true;
        }
        self.wanted.clear();
        self.wanted.resize(problem.n_columns(), -1.0);
        self.labelling.iter().filter(|j| **j != NONE).for_each(|&j| self.wanted[j as usize] += 1.0);
        self.since_better += 1;
        if bound < self.best_bound {
            if self.best_bound - bound > MUCH * gap {
                self.since_better = 0;
            }
            self.best_bound = bound;
            self.best_prices.clone_from(&self.prices);
            if !self.strike(problem, pair, bound, incumbent.gain + problem.tolerance, budget) {
                return true;
            }
        }
        if self.since_better >= PATIENCE {
            (self.since_better, self.length) = (0, 0.5 * self.length);
        }
        !self.go(gap)
    }

    /// Updates the prices. Returns false if the direction is zero: the rows then choose a proper
    /// map, which is optimal.
    fn go(&mut self, gap: f64) -> bool {
        // A price of 0 cannot decrease.
        let is_held = |price: f64, by: f64| price <= 0.0 && by < 0.0;
        let (mut along, mut square) = (0.0, 0.0);
        for ((wanted, &price), direction) in self.wanted.iter_mut().zip(&self.prices).zip(&self.direction) {
            if is_held(price, *wanted) {
                *wanted = 0.0;
            }
            along += *wanted * direction;
            square += direction * direction;
        }
        let kept = if along < 0.0 { (-DEFLECTION * along / square).min(1.0) } else { 0.0 };
        let mut square = 0.0;
        for ((wanted, &price), direction) in self.wanted.iter().zip(&self.prices).zip(&mut self.direction) {
            *direction = wanted + kept * *direction;
            if is_held(price, *direction) {
                *direction = 0.0;
            }
            square += *direction * *direction;
        }
        if square == 0.0 {
            // The combined direction vanishes: use the plain subgradient.
            self.direction.clone_from(&self.wanted);
            square = self.wanted.iter().map(|wanted| wanted * wanted).sum();
            if square == 0.0 {
                return false;
            }
        }
        let by = self.length * gap / square;
        for (price, direction) in self.prices.iter_mut().zip(&self.direction) {
            *price = (*price + by * direction).max(0.0);
        }
        true
    }

    /// Prunes maps that cannot be in a better solution. Returns whether anything is left.
    fn strike(&mut self, problem: &Problem, pair: &mut Pair, bound: f64, floor: f64, budget: &mut Budget) -> bool {
        if !budget.take(pair.n_maps(), STRIKE) {
            return true;
        }
        let Pair { rows, columns } = pair;
        self.rows.walk_down(&problem.rows, rows);
        let all: f64 = self.prices.iter().sum();
        let mut is_less = false;
        for (i, can_delete) in rows.can_delete.iter_mut().enumerate() {
            if *can_delete && self.rows.best_without(i) + all <= floor {
                *can_delete = false;
                is_less = true;
            }
        }
        for (can_delete, price) in columns.can_delete.iter_mut().zip(&self.prices) {
            if *can_delete && bound - price <= floor {
                *can_delete = false;
                is_less = true;
            }
        }
        self.keeper.keeps.clear();
        for at in 0..rows.labels.len() {
            let keep = self.rows.best_with(at) + all > floor;
            is_less |= !keep;
            self.keeper.keeps.push(keep);
        }
        !is_less || self.keeper.settle(pair, budget)
    }
}

/// Whether few enough maps are left for a sweep to be worthwhile.
pub(super) fn is_small(problem: &Problem, pair: &Pair) -> bool {
    pair.n_maps() <= SMALL * problem.n_rows().min(problem.n_columns())
}
