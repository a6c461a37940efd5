//! Prices for columns that too many rows want: a bound that closes most problems in a few steps, and leaves few maps of the
//! others.
//!
//! Rows choose as they like, but pay for their columns (`relax.rs`), and what all columns cost is added:
//! ```text
//! bound(v) = sum over columns j of v[j] + best labelling of rows by gain(i, j) - v[j],      v >= 0
//! ```
//! holds for all proper maps. Prices go up where several rows take a column and down where none does, by Polyak's steps
//! (1969), with a part of the last direction kept if the two are at odds (Camerini, Fratta and Maffioli 1975). They begin
//! with those that prove the best pairing without edges best. There is one number a column to be found, so few steps go a
//! long way; `search.rs` has a better bound, which takes more of them.

use super::NONE;
use super::budget::{BOUND_OF_ROWS, Budget, STRIKE};
use super::choices::{Keeper, Pair};
use super::improve::Incumbent;
use super::problem::Problem;
use super::relax::Relaxation;
use super::sweep::{Costs, Given, Sweep, Swept};

/// How many steps are made.
const MAX_STEPS: usize = 24;
/// A sweep is tried if this many maps a word are left, after so many steps, and if the gap is that part of what it was.
const SMALL: usize = 3;
pub(super) const SWEEP_EVERY: usize = 4;
pub(super) const WORTH: f64 = 0.7;
/// How many states a sweep may make.
const MAX_STATES: usize = 1000;
/// Steps without a much better bound after which steps get shorter, and what is much, of the gap.
const PATIENCE: usize = 20;
const MUCH: f64 = 0.02;
/// How much of the last direction is kept if the new one is straight against it.
const DEFLECTION: f64 = 1.5;

/// Space for prices and how they move.
#[derive(Clone, Debug, Default)]
pub(super) struct Prices {
    pub(super) rows: Relaxation,
    keeper: Keeper,
    sweep: Sweep,
    costs: Costs,
    pub(super) prices: Vec<f64>,
    best_prices: Vec<f64>,
    /// The lowest bound there was, and the last.
    pub(super) best_bound: f64,
    pub(super) last_bound: f64,
    direction: Vec<f64>,
    wanted: Vec<f64>,
    labelling: Vec<u32>,
    length: f64,
    since_better: usize,
    /// How many times the last search computed a bound.
    pub(super) n_steps: u64,
}

impl Prices {
    /// Makes the incumbent the best map and returns true, or strikes out what cannot be in a better one. If work is
    /// refused, `best_bound` holds, but there are no prices to go on with.
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

    /// Tries all that is left at once, with the best prices. Returns whether the incumbent is the best.
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

    /// The bound with the present prices; none if work is refused.
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

    /// What rows, or the sweep, have chosen, as columns.
    fn take(&mut self, labels: &[u32], is_swept: bool) {
        let chosen = if is_swept { &self.sweep.chosen } else { &self.rows.chosen };
        self.labelling.clear();
        self.labelling.extend(chosen.iter().map(|&at| if at == NONE { NONE } else { labels[at as usize] }));
    }

    /// One step. Returns whether the incumbent is the best.
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

    /// Moves prices. Returns whether there was anywhere to go: if not, rows choose a proper map, the best.
    fn go(&mut self, gap: f64) -> bool {
        // A price of 0 does not go down.
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
            // Nothing is left of either: the next step goes where rows want it.
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

    /// Strikes out all that cannot be in a better solution. Returns whether anything is left.
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

/// Whether so few maps are left that a sweep is worth trying.
pub(super) fn is_small(problem: &Problem, pair: &Pair) -> bool {
    pair.n_maps() <= SMALL * problem.n_rows().min(problem.n_columns())
}
