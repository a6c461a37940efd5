//! The incumbent, the best proper map known so far, and heuristics that improve it. A labelling
//! that uses columns twice is made proper by keeping one user of each. Any map can be improved by
//! solving the assignment problem again, with all edges to the current map taken as certain.

use super::NONE;
use super::budget::Budget;
use super::pairing::Pairing;
use super::problem::Problem;

/// Maximum number of reassignments of a map.
const MAX_ROUNDS: usize = 2;

/// The best map known, and the state of the heuristics.
#[derive(Clone, Debug, Default)]
pub(super) struct Incumbent {
    /// The column of each row, or [`NONE`].
    pub(super) map: Vec<u32>,
    pub(super) gain: f64,
    candidate: Vec<u32>,
    /// The last map that was reassigned.
    paired_off: Vec<u32>,
    /// The row of each column in the candidate.
    users: Vec<u32>,
    pub(super) pairing: Pairing,
}

impl Incumbent {
    /// Starts with the empty map, which is always feasible.
    pub(super) fn reset(&mut self, problem: &Problem) {
        self.map.clear();
        self.map.resize(problem.n_rows(), NONE);
        self.gain = 0.0;
    }

    /// Takes a map with at most one row per column if it is better. Returns whether it is.
    pub(super) fn offer(&mut self, problem: &Problem, map: &[u32]) -> bool {
        let gain = problem.gain_of(map);
        let is_better = map.len() == problem.n_rows() && gain > self.gain;
        if is_better {
            self.map.clear();
            self.map.extend_from_slice(map);
            self.gain = gain;
        }
        is_better
    }

    /// Starts with the best assignment without edges and improves it by reassignment. Leaves the
    /// prices of columns in `pairing`: they prove the incumbent (or a map close to it) optimal if
    /// edges to it are certain, with half of each edge counted at either end.
    pub(super) fn begin(&mut self, problem: &Problem, budget: &mut Budget) {
        self.pairing.list(problem);
        let mut map = std::mem::take(&mut self.candidate);
        map.clear();
        map.resize(problem.n_rows(), NONE);
        self.pair_off(problem, &mut map, budget);
        map.clone_from(&self.map);
        if self.pairing.linearise(problem, &map, 0.5, budget) {
            self.pairing.solve(budget);
            map.clone_from(&self.pairing.columns_of_rows);
            self.offer(problem, &map);
        }
        self.candidate = map;
        self.paired_off.clear();
    }

    /// Makes a labelling proper and offers it; with `thorough`, reassigns its words as long as that
    /// helps.
    pub(super) fn repair(&mut self, problem: &Problem, labelling: &[u32], thorough: bool, budget: &mut Budget) {
        let mut candidate = std::mem::take(&mut self.candidate);
        candidate.clear();
        candidate.extend_from_slice(labelling);
        self.users.clear();
        self.users.resize(problem.n_columns(), NONE);
        for i in 0..problem.n_rows() {
            let j = labelling[i];
            if j == NONE {
                continue;
            }
            let user = self.users[j as usize];
            if user == NONE {
                self.users[j as usize] = i as u32;
            } else if problem.gain_at(labelling, i, j) > problem.gain_at(labelling, user as usize, j) {
                self.users[j as usize] = i as u32;
                candidate[user as usize] = NONE;
            } else {
                candidate[i] = NONE;
            }
        }
        self.offer(problem, &candidate);
        if thorough && candidate != self.paired_off {
            self.paired_off.clone_from(&candidate);
            self.pair_off(problem, &mut candidate, budget);
        }
        self.candidate = candidate;
    }

    /// Greedy: heads before their dependents, each word takes the best free column.
    pub(super) fn take_in_turn(&mut self, problem: &Problem) {
        let mut map = std::mem::take(&mut self.candidate);
        map.clear();
        map.resize(problem.n_rows(), NONE);
        let mut is_free = vec![true; problem.n_columns()];
        for &i in problem.rows.order.iter().rev() {
            let (mut best, mut most) = (NONE, 0.0);
            for j in (0..problem.n_columns() as u32).filter(|&j| is_free[j as usize]) {
                let gain = problem.gain_at(&map, i as usize, j);
                if gain > most {
                    (best, most) = (j, gain);
                }
            }
            map[i as usize] = best;
            if best != NONE {
                is_free[best as usize] = false;
            }
        }
        self.offer(problem, &map);
        self.candidate = map;
    }

    /// Reassigns words by gains that count every edge whose other end is mapped accordingly, until
    /// nothing improves.
    fn pair_off(&mut self, problem: &Problem, map: &mut [u32], budget: &mut Budget) {
        let mut before = problem.gain_of(map);
        for _ in 0..MAX_ROUNDS {
            if !self.pairing.linearise(problem, map, 1.0, budget) {
                return;
            }
            self.pairing.solve(budget);
            let after = problem.gain_of(&self.pairing.columns_of_rows);
            if after <= before {
                return;
            }
            before = after;
            map.copy_from_slice(&self.pairing.columns_of_rows);
            self.offer(problem, map);
        }
    }
}
