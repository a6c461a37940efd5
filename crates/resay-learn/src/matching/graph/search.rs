//! Closes the gap between bound and solution: subgradient steps that share the gains between two
//! forests, pruning by bounds, and branching if that is not enough.
//!
//! Every gain is split in two. With one share of each, source words choose target words; with the
//! other, target words choose source words. Each side alone is easy (`relax.rs`) and the sum of
//! both optima is an upper bound. If both choose the same, it is the best map (Lagrangian
//! decomposition; Guignard and Kim 1987). Where they differ, a share moves from the side that took
//! a map (or an edge) to the side that did not. Steps follow Polyak (1969): the distance between
//! bound and best solution, divided by the squared length of the direction, reduced if nothing
//! improves for long. Directions keep part of the last one if the two conflict (Camerini, Fratta
//! and Maffioli 1975). Otherwise the steps oscillate between ties, and words that occur twice in a
//! sentence take hundreds of cases.
//!
//! For a map (i, j), the best values of both sides with (i, j) add up to a bound on all solutions
//! that contain it; a map whose bound does not exceed the best solution is pruned. Branching: a map
//! that only one side wants is either made or excluded; depth first, each case starting from the
//! shares of its parent. A case is closed when its bound exceeds the best solution by no more than
//! the tolerance. So ties, of which repeated words produce very many, are not explored.

use super::NONE;
use super::budget::{BOUND_OF_BOTH, Budget, COPY, STRIKE};
use super::choices::{Keeper, Pair};
use super::improve::Incumbent;
use super::prices::{Prices, SWEEP_EVERY, WORTH, is_small};
use super::problem::Problem;
use super::reduce::Reducer;
use super::relax::Relaxation;
use super::sweep::{Costs, Given, Sweep, Swept};

/// Maximum number of steps per case.
const MAX_STEPS: usize = 1000;
/// Number of steps without a substantially better bound after which the step length is reduced, and
/// what counts as substantial, as a share of the gap.
const PATIENCE: usize = 60;
const MUCH: f64 = 0.02;
/// Below this step length, relative to Polyak's, the search branches.
const SHORTEST: f64 = 0.2;
/// How much of the last direction is kept if the new one is exactly opposed.
const DEFLECTION: f64 = 2.0;
/// Components of a direction below this are dropped.
const FADED: f64 = 1e-3;
/// Weight of a step in the running averages that branching uses.
const MEMORY: f64 = 0.03;
/// Number of steps between prunings while the bound improves substantially. Pruning also happens
/// whenever the gap has shrunk by about a fifth.
const STRIKE_EVERY: usize = 4;
/// A solution is fully improved after this many steps, and each time the number of steps doubles.
const IMPROVE_FROM: usize = 4;
/// Maximum number of states of a sweep, plus an allowance for every step made before it.
const MAX_STATES: usize = 2000;
const STATES_A_STEP: usize = 20;
/// From this step on, sweeps are tried even if many maps are left, each time the number of steps
/// doubles.
const SWEEP_FROM: usize = 30;
/// Share of a map's distance from the bound that is moved to the rows before the first step.
const SHIFT: f64 = 0.3;

/// One case: the remaining maps, with initial shares.
#[derive(Clone, Debug, Default)]
struct Case {
    pair: Pair,
    bound: f64,
}

/// The direction of a step, one value per map; compacted with the lists.
#[derive(Clone, Debug, Default)]
struct Direction {
    values: Vec<f64>,
    /// Maps that only one side chose: 1 if the rows did, -1 if the columns did.
    apart: Vec<(u32, f64)>,
}

impl Direction {
    fn reset(&mut self, size: usize) {
        self.values.clear();
        self.values.resize(size, 0.0);
    }

    fn along(&self) -> f64 {
        self.apart.iter().map(|&(at, sign)| sign * self.values[at as usize]).sum()
    }

    fn square(&self) -> f64 {
        self.values.iter().map(|value| value * value).sum()
    }

    /// Keeps a share of the old direction and adds the disagreements.
    fn turn(&mut self, kept: f64) {
        if kept == 0.0 {
            self.values.fill(0.0);
        } else {
            for value in &mut self.values {
                let faded = *value * kept;
                *value = if faded.abs() < FADED { 0.0 } else { faded };
            }
        }
        for &(at, sign) in &self.apart {
            self.values[at as usize] += sign;
        }
    }
}

/// Keeps the values of the remaining maps.
fn pack(values: &mut Vec<f64>, places: &[u32]) {
    let mut kept = 0;
    for (at, _) in places.iter().enumerate().filter(|(_, place)| **place != NONE) {
        values[kept] = values[at];
        kept += 1;
    }
    values.truncate(kept);
}

/// The state of a search, and statistics of the last one. The work limit is [`super::WORK`] by
/// default.
#[derive(Clone, Debug, Default)]
pub struct GraphSearch {
    rows: Relaxation,
    columns: Relaxation,
    incumbent: Incumbent,
    keeper: Keeper,
    reducer: Reducer,
    prices: Prices,
    sweep: Sweep,
    costs: Costs,
    costs_by_columns: Vec<f64>,
    cases: Vec<Case>,
    /// The rows' shares of maps and of edges at the best bound of a case.
    best_gains: Vec<f64>,
    best_edges: Vec<f64>,
    words: Direction,
    edges: Direction,
    /// Running average of how often each map was chosen.
    averages: Vec<f64>,
    weight: f64,
    labelling: Vec<u32>,
    n_cases: u64,
    n_steps: u64,
    budget: Budget,
    /// The highest bound of a case left open when work was refused.
    left: f64,
    gap: f64,
    is_stopped: bool,
}

impl GraphSearch {
    /// A search that stops at a work limit and returns the best map found so far. The limit is in
    /// maps times steps; other work is counted too, and may take as much again.
    pub fn within(limit: u64) -> Self {
        Self { budget: Budget::new(limit), ..Self::default() }
    }

    /// Whether the last search was stopped: its result may not be optimal.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// An upper bound on how much better the optimum can be than the result of the last search; 0
    /// if it was not stopped.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The work of the last search; never above the limit.
    pub fn work(&self) -> u64 {
        self.budget.used()
    }

    /// Number of cases in the last search; 1 if it did not branch.
    pub fn n_cases(&self) -> u64 {
        self.n_cases
    }

    /// Number of bounds computed in the last search.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Starts the count of work anew, for searches that share one limit.
    pub(super) fn begin(&mut self) {
        self.budget.reset();
    }

    /// Requests work between searches that share one limit.
    pub(super) fn take(&mut self, n: usize, each: usize) -> bool {
        self.budget.take(n, each)
    }

    /// Whether work was refused since [`Self::begin`].
    pub(super) fn is_spent(&self) -> bool {
        self.budget.is_spent()
    }

    /// Ends searches that share one limit: the gap of all of them, if they were stopped.
    pub(super) fn end(&mut self, gap: Option<f64>) {
        (self.is_stopped, self.gap) = (gap.is_some(), gap.unwrap_or(0.0));
    }

    /// Returns the best map of source words to target words, or the best found before work was
    /// refused.
    pub(super) fn solve(&mut self, problem: &mut Problem, start: Option<Vec<u32>>) -> &[u32] {
        self.budget.reset();
        self.solve_more(problem, start)
    }

    /// The same with what earlier searches left of the limit.
    pub(super) fn solve_more(&mut self, problem: &mut Problem, start: Option<Vec<u32>>) -> &[u32] {
        (self.n_cases, self.n_steps, self.left) = (0, 0, f64::NEG_INFINITY);
        self.reducer.reduce(problem, &mut self.budget);
        self.search(problem, start);
        (self.is_stopped, self.gap) = (false, 0.0);
        if self.budget.is_spent() {
            self.incumbent.take_in_turn(problem);
            // Pruned maps and closed cases are no better than the incumbent: only open cases could
            // be.
            let bound = self.left.min(self.prices.best_bound).min(problem.ceiling());
            if bound > self.floor(problem) {
                (self.is_stopped, self.gap) = (true, bound - self.incumbent.gain);
            }
        }
        &self.incumbent.map
    }

    /// Proves the incumbent optimal, or leaves open cases.
    fn search(&mut self, problem: &Problem, start: Option<Vec<u32>>) {
        self.incumbent.reset(problem);
        if let Some(start) = start {
            self.incumbent.offer(problem, &start);
        }
        self.cases.clear();
        self.incumbent.begin(problem, &mut self.budget);
        let mut pair = Pair::new(problem);
        let is_solved = self.prices.solve(problem, &mut self.incumbent, &mut pair, &mut self.budget);
        self.n_steps = self.prices.n_steps;
        if is_solved {
            self.n_cases = 1;
            return;
        }
        if self.budget.is_spent() {
            self.left = f64::INFINITY;
            return;
        }
        self.cases.push(root(pair, &self.prices));
        while let Some(case) = self.cases.pop() {
            if self.budget.is_spent() {
                self.left = self.left.max(case.bound);
            } else if case.bound > self.floor(problem) {
                self.n_cases += 1;
                self.look_at(problem, case);
            }
        }
    }

    /// The value that a solution must exceed to matter.
    fn floor(&self, problem: &Problem) -> f64 {
        self.incumbent.gain + problem.tolerance
    }

    /// Computes the bound of a case and the choices of both sides; `None` if work is refused.
    fn bound(&mut self, problem: &Problem, case: &Case) -> Option<f64> {
        if !self.budget.take(case.pair.n_maps(), BOUND_OF_BOTH) {
            return None;
        }
        self.n_steps += 1;
        let of_rows = self.rows.solve(&problem.rows, &case.pair.rows);
        let of_columns = self.columns.solve(&problem.columns, &case.pair.columns);
        Some(of_rows + of_columns)
    }

    /// Makes the choices of the rows proper and offers them.
    fn repair(&mut self, problem: &Problem, case: &Case, thorough: bool) {
        let labels = &case.pair.rows.labels;
        self.labelling.clear();
        self.labelling.extend(self.rows.chosen.iter().map(|&at| if at == NONE { NONE } else { labels[at as usize] }));
        self.incumbent.repair(problem, &self.labelling, thorough, &mut self.budget);
    }

    /// Closes a case, or branches into two. If work is refused, the case stays open with its best
    /// bound.
    fn look_at(&mut self, problem: &Problem, mut case: Case) {
        let (mut length, mut since_better) = (1.0, 0);
        let mut best_bound = f64::INFINITY;
        let (mut tried_gap, mut struck_gap) = (f64::INFINITY, f64::INFINITY);
        let n_maps = case.pair.n_maps();
        self.words.reset(n_maps);
        self.edges.reset(n_maps);
        self.averages.clear();
        self.averages.resize(n_maps, 0.0);
        self.weight = 1.0;
        for step in 0..MAX_STEPS {
            let Some(bound) = self.bound(problem, &case) else {
                self.left = self.left.max(best_bound.min(case.bound));
                return;
            };
            if bound <= self.floor(problem) {
                return;
            }
            self.repair(problem, &case, step.is_power_of_two() && step >= IMPROVE_FROM);
            let gap = bound - self.incumbent.gain;
            if best_bound.min(bound) <= self.floor(problem) {
                return;
            }
            self.average(&case);
            since_better += 1;
            self.compare(&case);
            if self.words.apart.is_empty() {
                // Both sides agree on a proper map, which is the optimum of this case.
                return;
            }
            let square = self.turn();
            let mut is_struck = false;
            if bound < best_bound {
                let is_much = best_bound - bound > MUCH * gap;
                if is_much {
                    since_better = 0;
                }
                best_bound = bound;
                if struck_gap - gap > 0.2 * gap || step.is_multiple_of(STRIKE_EVERY) && is_much {
                    struck_gap = gap;
                    match self.strike(problem, &mut case) {
                        None => return,
                        Some(is_less) => is_struck = is_less,
                    }
                }
                self.best_gains.clone_from(&case.pair.rows.gains);
                self.best_edges.clone_from(&case.pair.rows.edges);
            }
            if since_better >= PATIENCE {
                since_better = 0;
                length *= 0.5;
                if length < SHORTEST {
                    break;
                }
            }
            let best_gap = best_bound - self.incumbent.gain;
            let is_time = is_small(problem, &case.pair) || step >= SWEEP_FROM && (step + 1).is_power_of_two();
            if is_time && step % SWEEP_EVERY == SWEEP_EVERY - 1 && best_gap < WORTH * tried_gap {
                tried_gap = best_gap;
                if self.sweep(problem, &mut case, MAX_STATES + STATES_A_STEP * step) {
                    return;
                }
            }
            let square = if is_struck { self.words.square() + self.edges.square() } else { square };
            if square > 0.0 {
                self.step(&mut case, length * gap / square);
            }
        }
        self.swap_shares(&mut case);
        self.branch(problem, case, best_bound);
    }

    /// Searches the remaining maps exhaustively, with the shares of the best bound. Returns whether
    /// the case is closed.
    fn sweep(&mut self, problem: &Problem, case: &mut Case, max_states: usize) -> bool {
        self.swap_shares(case);
        let Some(bound) = self.bound(problem, case) else {
            self.swap_shares(case);
            return false;
        };
        let floor = self.floor(problem);
        let Pair { rows, columns } = &case.pair;
        self.costs.bound = self.columns.bound;
        self.costs.used.resize(rows.labels.len(), 0.0);
        self.costs.deleted.resize(columns.n_words(), 0.0);
        self.costs_by_columns.resize(rows.labels.len(), 0.0);
        self.columns.costs(&problem.columns, columns, &mut self.costs_by_columns, &mut self.costs.deleted);
        for (cost, &twin) in self.costs.used.iter_mut().zip(&rows.twins) {
            *cost = self.costs_by_columns[twin as usize];
        }
        if bound <= floor {
            return true;
        }
        let (relaxation, costs) = (&self.rows, &mut self.costs);
        let given = &mut Given { problem, choices: rows, relaxation, costs, floor };
        let swept = self.sweep.run(given, max_states, &mut self.budget);
        if swept == Swept::Best {
            self.labelling.clear();
            let label = |&at: &u32| if at == NONE { NONE } else { rows.labels[at as usize] };
            self.labelling.extend(self.sweep.chosen.iter().map(label));
            self.incumbent.offer(problem, &self.labelling);
        }
        self.swap_shares(case);
        swept != Swept::TooMany
    }

    /// Swaps the current shares with those of the best bound. A second call swaps them back.
    fn swap_shares(&mut self, case: &mut Case) {
        let Pair { rows, columns } = &mut case.pair;
        for (at, &twin) in rows.twins.iter().enumerate() {
            columns.gains[twin as usize] += rows.gains[at] - self.best_gains[at];
            if rows.edges[at] > f64::NEG_INFINITY {
                columns.edges[twin as usize] += rows.edges[at] - self.best_edges[at];
            }
        }
        std::mem::swap(&mut rows.gains, &mut self.best_gains);
        std::mem::swap(&mut rows.edges, &mut self.best_edges);
    }

    /// Updates the average of how often each map was chosen by either side: near 0 or 1 if they
    /// agree, in between if they do not.
    fn average(&mut self, case: &Case) {
        // Instead of decaying all averages, give each step a larger weight than the last.
        self.weight /= 1.0 - MEMORY;
        for at in self.rows.chosen.iter().copied().filter(|&at| at != NONE) {
            self.averages[at as usize] += 0.5 * self.weight;
        }
        for at in self.columns.chosen.iter().copied().filter(|&at| at != NONE) {
            self.averages[case.pair.columns.twins[at as usize] as usize] += 0.5 * self.weight;
        }
    }

    /// Collects the disagreements of both sides. If they agree on words, they agree on edges.
    fn compare(&mut self, case: &Case) {
        let Pair { rows, columns } = &case.pair;
        self.words.apart.clear();
        self.edges.apart.clear();
        let (of_rows, of_columns) = (&self.rows.chosen, &self.columns.chosen);
        for &at in of_rows.iter().filter(|at| **at != NONE) {
            let place = at as usize;
            let is_shared = of_columns[rows.labels[place] as usize] == rows.twins[place];
            if !is_shared {
                self.words.apart.push((at, 1.0));
            }
            let parent = rows.parents[place];
            if parent != NONE {
                let parent_twin = rows.twins[parent as usize];
                let head = columns.labels[parent_twin as usize] as usize;
                if of_rows[head] == parent {
                    let column_head = rows.labels[parent as usize] as usize;
                    if !(is_shared && of_columns[column_head] == parent_twin) {
                        self.edges.apart.push((at, 1.0));
                    }
                }
            }
        }
        for &at in of_columns.iter().filter(|at| **at != NONE) {
            let place = at as usize;
            let twin = columns.twins[place];
            let is_shared = of_rows[columns.labels[place] as usize] == twin;
            if !is_shared {
                self.words.apart.push((twin, -1.0));
            }
            let parent = columns.parents[place];
            if parent != NONE {
                let parent_twin = columns.twins[parent as usize];
                let column_head = rows.labels[parent_twin as usize] as usize;
                if of_columns[column_head] == parent {
                    let head = columns.labels[parent as usize] as usize;
                    if !(is_shared && of_rows[head] == parent_twin) {
                        self.edges.apart.push((twin, -1.0));
                    }
                }
            }
        }
    }

    /// Computes the next direction: the disagreements, plus part of the last direction if the two
    /// conflict. Returns its squared length.
    fn turn(&mut self) -> f64 {
        let along = self.words.along() + self.edges.along();
        let kept = if along < 0.0 {
            (-DEFLECTION * along / (self.words.square() + self.edges.square())).min(1.0)
        } else {
            0.0
        };
        self.words.turn(kept);
        self.edges.turn(kept);
        self.words.square() + self.edges.square()
    }

    /// Moves shares from the side that took a map or an edge to the side that did not.
    fn step(&self, case: &mut Case, by: f64) {
        let Pair { rows, columns } = &mut case.pair;
        for (at, &twin) in rows.twins.iter().enumerate() {
            let (word, edge) = (by * self.words.values[at], by * self.edges.values[at]);
            if word != 0.0 {
                rows.gains[at] -= word;
                columns.gains[twin as usize] += word;
            }
            if edge != 0.0 {
                rows.edges[at] -= edge;
                columns.edges[twin as usize] += edge;
            }
        }
    }

    /// Prunes maps that cannot be in a better solution. Returns whether anything was pruned; `None`
    /// if nothing is left.
    fn strike(&mut self, problem: &Problem, case: &mut Case) -> Option<bool> {
        let floor = self.floor(problem);
        if !self.budget.take(case.pair.n_maps(), 2 * STRIKE) {
            return Some(false);
        }
        let Pair { rows: row_choices, columns: column_choices } = &mut case.pair;
        self.rows.walk_down(&problem.rows, row_choices);
        self.columns.walk_down(&problem.columns, column_choices);
        let (rows, columns) = (&self.rows, &self.columns);
        let mut is_less = false;
        for (i, can_delete) in row_choices.can_delete.iter_mut().enumerate() {
            if *can_delete && rows.best_without(i) + columns.bound <= floor {
                *can_delete = false;
                is_less = true;
            }
        }
        for (j, can_delete) in column_choices.can_delete.iter_mut().enumerate() {
            if *can_delete && columns.best_without(j) + rows.bound <= floor {
                *can_delete = false;
                is_less = true;
            }
        }
        self.keeper.keeps.clear();
        for (at, &twin) in row_choices.twins.iter().enumerate() {
            let keep = rows.best_with(at) + columns.best_with(twin as usize) > floor;
            is_less |= !keep;
            self.keeper.keeps.push(keep);
        }
        if !is_less {
            return Some(false);
        }
        if !self.keeper.settle(&mut case.pair, &mut self.budget) {
            return None;
        }
        pack(&mut self.averages, &self.keeper.places);
        pack(&mut self.words.values, &self.keeper.places);
        pack(&mut self.edges.values, &self.keeper.places);
        for (value, &parent) in self.edges.values.iter_mut().zip(&case.pair.rows.parents) {
            if parent == NONE {
                *value = 0.0;
            }
        }
        Some(true)
    }

    /// Branches into two cases: a row is mapped to a column, or not.
    fn branch(&mut self, problem: &Problem, mut case: Case, best_bound: f64) {
        let bound = if self.budget.take(case.pair.n_maps(), COPY) { self.bound(problem, &case) } else { None };
        let Some(bound) = bound else {
            self.left = self.left.max(best_bound.min(case.bound));
            return;
        };
        case.bound = bound;
        if case.bound <= self.floor(problem) {
            return;
        }
        // The map with the most disagreement. If there is none, the sides agree.
        let rows = &case.pair.rows;
        let mut most_torn = None;
        let mut most = 0.0;
        for i in 0..rows.n_words() {
            let is_fixed = !rows.can_delete[i] && rows.of(i).len() == 1;
            for at in rows.of(i).filter(|_| !is_fixed) {
                let average = self.averages[at] * MEMORY / self.weight;
                let torn = average.min(1.0 - average);
                if torn > most || most_torn.is_none() {
                    (most, most_torn) = (torn, Some((i, at)));
                }
            }
        }
        let Some((row, torn)) = most_torn else {
            self.repair(problem, &case, false);
            return;
        };
        let mut without = case.clone();
        self.keeper.reset(&without.pair);
        self.keeper.keeps[torn] = false;
        if self.keeper.settle(&mut without.pair, &mut self.budget) {
            self.cases.push(without);
        }
        let column = case.pair.rows.labels[torn] as usize;
        self.keeper.reset(&case.pair);
        for at in case.pair.rows.of(row) {
            self.keeper.keeps[at] = at == torn;
        }
        case.pair.rows.can_delete[row] = false;
        case.pair.columns.can_delete[column] = false;
        if self.keeper.settle(&mut case.pair, &mut self.budget) {
            self.cases.push(case);
        }
    }
}

/// The root case: what is left after prices, with every gain split accordingly.
fn root(mut pair: Pair, prices: &Prices) -> Case {
    // The rows get everything but the prices, and a share of each map's distance from the bound.
    let Pair { rows, columns } = &mut pair;
    for (at, &twin) in rows.twins.iter().enumerate() {
        let short = SHIFT * (prices.rows.bound - prices.rows.best_with(at));
        let short = if short.is_finite() { short } else { 0.0 };
        rows.gains[at] += short;
        columns.gains[twin as usize] = prices.prices[rows.labels[at] as usize] - short;
        // They also get the edges, but a forbidden edge is forbidden for both.
        columns.edges[twin as usize] = if rows.edges[at] > f64::NEG_INFINITY { 0.0 } else { f64::NEG_INFINITY };
    }
    Case { pair, bound: prices.last_bound }
}
