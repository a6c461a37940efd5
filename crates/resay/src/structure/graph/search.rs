//! Bound and solution brought together: prices by subgradient steps, labels struck out by bounds, and cases where that is
//! not enough.
//!
//! Steps are Polyak's (1969): along `users of a column - 1`, by the distance between bound and best solution over the square
//! of that direction, shortened while nothing gets better. Cases: of a column that several rows want, one row has it, or has
//! it not; depth first, the first case first, each from the prices of the case above. A case is closed when its bound is no
//! more than the tolerance above the best solution, so that equal solutions, of which repeated words give very many, are not
//! looked for.

use super::NONE;
use super::improve::Incumbent;
use super::problem::Problem;
use super::relax::{Labels, Relaxation};

/// Steps that a case gets, however well they go.
const MAX_STEPS: usize = 300;
/// Steps without a better bound after which steps get shorter.
const PATIENCE: usize = 6;
/// A step this short, of Polyak's, is the last.
const SHORTEST: f64 = 0.05;

/// One case: what is still possible, and prices to begin with.
#[derive(Clone, Debug, Default)]
struct Case {
    labels: Labels,
    prices: Vec<f64>,
    bound: f64,
}

/// Space for the search, and how long the last one took.
#[derive(Clone, Debug, Default)]
pub struct Search {
    relaxation: Relaxation,
    incumbent: Incumbent,
    cases: Vec<Case>,
    best_prices: Vec<f64>,
    n_cases: u64,
    n_steps: u64,
}

impl Search {
    /// How many cases the last search looked at; 1 if nothing had to be told apart.
    pub fn n_cases(&self) -> u64 {
        self.n_cases
    }

    /// How many times the last search computed a bound.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// The best map of source words to target words.
    pub(super) fn solve(&mut self, problem: &Problem, start: Option<Vec<u32>>) -> Vec<u32> {
        (self.n_cases, self.n_steps) = (0, 0);
        self.incumbent.reset(problem);
        if let Some(start) = start {
            self.incumbent.offer(problem, &problem.turned(start, problem.rows));
        }
        let root = Case { labels: Labels::all(problem), prices: vec![0.0; problem.columns], bound: f64::INFINITY };
        self.cases.clear();
        self.cases.push(root);
        while let Some(case) = self.cases.pop() {
            if case.bound > self.floor(problem) {
                self.n_cases += 1;
                self.look_at(problem, case);
            }
        }
        problem.turned(self.incumbent.map.clone(), problem.columns)
    }

    /// What a solution must be above to matter.
    fn floor(&self, problem: &Problem) -> f64 {
        self.incumbent.gain + problem.tolerance
    }

    /// Closes a case, or adds the two that it falls into.
    fn look_at(&mut self, problem: &Problem, mut case: Case) {
        let (mut length, mut since_better) = (1.0, 0);
        let mut best_bound = f64::INFINITY;
        self.best_prices.clone_from(&case.prices);
        for step in 0..MAX_STEPS {
            self.n_steps += 1;
            let bound = self.relaxation.bound(problem, &case.labels, &case.prices);
            if bound <= self.floor(problem) {
                return;
            }
            let is_thorough = step == 0 || step % 16 == 15;
            self.incumbent.repair(problem, &self.relaxation.map, is_thorough);
            let gap = bound - self.incumbent.gain;
            if gap <= problem.tolerance {
                return;
            }
            if bound < best_bound {
                let is_much = best_bound - bound > 0.02 * gap;
                since_better = if is_much { 0 } else { since_better + 1 };
                best_bound = bound;
                self.best_prices.clone_from(&case.prices);
                let floor = self.floor(problem);
                if (step % 4 == 0 || is_much) && self.relaxation.strike(problem, &mut case.labels, bound, floor) {
                    if !settle(&mut case.labels, problem) {
                        return;
                    }
                    // Nobody wants these any longer.
                    self.drop_prices(&case.labels, &mut case.prices);
                }
            } else {
                since_better += 1;
            }
            if since_better >= PATIENCE {
                since_better = 0;
                length *= 0.5;
                if length < SHORTEST {
                    break;
                }
                case.prices.clone_from(&self.best_prices);
                self.drop_prices(&case.labels, &mut case.prices);
                continue;
            }
            let direction = |users: u32, price: f64| {
                let excess = f64::from(users) - 1.0;
                if excess < 0.0 && price == 0.0 { 0.0 } else { excess }
            };
            let users = &self.relaxation.n_users;
            let square: f64 = users.iter().zip(&case.prices).map(|(&u, &price)| direction(u, price).powi(2)).sum();
            if square == 0.0 {
                // The labelling is proper and nothing is paid for what is not used: it is the best of this case.
                return;
            }
            let by = length * gap / square;
            for (price, &users) in case.prices.iter_mut().zip(users) {
                *price = (*price + by * direction(users, *price)).max(0.0);
            }
        }
        case.prices.clone_from(&self.best_prices);
        self.drop_prices(&case.labels, &mut case.prices);
        self.branch(problem, case);
    }

    /// Columns that no row may have cost nothing.
    fn drop_prices(&mut self, labels: &Labels, prices: &mut [f64]) {
        let mut is_wanted = vec![false; prices.len()];
        for row in 0..labels.can_delete.len() {
            labels.of(row).iter().for_each(|&j| is_wanted[j as usize] = true);
        }
        for (price, _) in prices.iter_mut().zip(is_wanted).filter(|(_, is_wanted)| !is_wanted) {
            *price = 0.0;
        }
    }

    /// Two cases: a row has a column, or it has it not.
    fn branch(&mut self, problem: &Problem, mut case: Case) {
        self.n_steps += 1;
        case.bound = self.relaxation.bound(problem, &case.labels, &case.prices);
        if case.bound <= self.floor(problem) {
            return;
        }
        let Some((row, column)) = self.pair(problem, &case) else {
            self.incumbent.repair(problem, &self.relaxation.map, true);
            return;
        };
        let mut without = case.clone();
        without.labels.retain(|i, j| (i, j) != (row, column));
        if settle(&mut without.labels, problem) {
            self.cases.push(without);
        }
        case.labels.retain(|i, j| (i == row) == (j == column));
        case.labels.can_delete[row] = false;
        if settle(&mut case.labels, problem) {
            self.cases.push(case);
        }
    }

    /// What to tell cases apart by: of the column that most rows want, the row that gains most; if every column is used
    /// once at most, of the dearest that is not used.
    fn pair(&self, problem: &Problem, case: &Case) -> Option<(usize, u32)> {
        let users = &self.relaxation.n_users;
        let mut column = None;
        let mut most = 1;
        for (j, &n_users) in users.iter().enumerate() {
            if n_users > most {
                (most, column) = (n_users, Some(j as u32));
            }
        }
        let gain = |i: usize, j: u32| problem.gains[i * problem.columns + j as usize];
        let better = |best: Option<usize>, i: usize, j: u32| match best {
            Some(best) if gain(best, j) >= gain(i, j) => Some(best),
            _ => Some(i),
        };
        if let Some(j) = column {
            let rows = (0..problem.rows).filter(|&i| self.relaxation.map[i] == j);
            return Some((rows.fold(None, |best, i| better(best, i, j))?, j));
        }
        let unused = (0..problem.columns).filter(|&j| users[j] == 0 && case.prices[j] > 0.0);
        let dearest = unused.fold(None, |best: Option<usize>, j| match best {
            Some(best) if case.prices[best] >= case.prices[j] => Some(best),
            _ => Some(j),
        })? as u32;
        let rows = (0..problem.rows).filter(|&i| case.labels.of(i).contains(&dearest));
        Some((rows.fold(None, |best, i| better(best, i, dearest))?, dearest))
    }
}

/// Takes columns that a row must have from all others, until nothing changes. Returns whether every row has a label left.
fn settle(labels: &mut Labels, problem: &Problem) -> bool {
    let mut owners = vec![NONE; problem.columns];
    loop {
        let mut is_changed = false;
        for row in 0..problem.rows {
            if labels.can_delete[row] {
                continue;
            }
            match *labels.of(row) {
                [] => return false,
                [column] => {
                    let owner = &mut owners[column as usize];
                    if *owner == NONE {
                        *owner = row as u32;
                        is_changed = true;
                    } else if *owner != row as u32 {
                        return false;
                    }
                }
                _ => {}
            }
        }
        if !is_changed {
            return true;
        }
        labels.retain(|row, column| [NONE, row as u32].contains(&owners[column as usize]));
    }
}
