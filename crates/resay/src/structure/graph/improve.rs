//! The best proper map known so far, and how better ones are made: from a labelling that uses columns twice, by keeping
//! one user of each; from any map, by pairing words off again as if all edges to the present map were certain.

use super::super::assignment::Matching;
use super::NONE;
use super::problem::Problem;

/// How often a map is paired off again at most.
const MAX_ROUNDS: usize = 2;

/// The best map known, and what it takes to find better ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Incumbent {
    /// The column of each row, or [`NONE`].
    pub(super) map: Vec<u32>,
    pub(super) gain: f64,
    candidate: Vec<u32>,
    /// The last that was paired off again.
    paired_off: Vec<u32>,
    /// The row of each column in the candidate.
    users: Vec<u32>,
    gains: Vec<f64>,
    pub(super) matching: Matching,
}

impl Incumbent {
    /// Nothing is mapped, which is always allowed.
    pub(super) fn reset(&mut self, problem: &Problem) {
        self.map.clear();
        self.map.resize(problem.n_rows(), NONE);
        self.gain = 0.0;
    }

    /// Takes a map with at most one row a column if it is better. Returns whether it is.
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

    /// The best pairing without edges, and what pairing off again makes of it. Leaves in `matching` the prices of columns
    /// that prove the incumbent, or what comes near it, best with edges to it certain, half of each for either end.
    pub(super) fn begin(&mut self, problem: &Problem) {
        let mut map = std::mem::take(&mut self.candidate);
        map.clear();
        map.resize(problem.n_rows(), NONE);
        self.pair_off(problem, &mut map);
        map.clone_from(&self.map);
        self.linearise(problem, &map, 0.5);
        self.matching.solve(problem.n_columns(), problem.n_rows(), &self.gains);
        map.clone_from(&self.matching.columns_of_rows);
        self.offer(problem, &map);
        self.candidate = map;
        self.paired_off.clear();
    }

    /// Makes a labelling proper and offers it; with `thorough`, pairs its words off again as long as that helps.
    pub(super) fn repair(&mut self, problem: &Problem, labelling: &[u32], thorough: bool) {
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
            self.pair_off(problem, &mut candidate);
        }
        self.candidate = candidate;
    }

    /// Pairs words off by gains that count every edge whose other end is mapped as it should be, until nothing gets better.
    pub(super) fn pair_off(&mut self, problem: &Problem, map: &mut [u32]) {
        let n = problem.n_columns();
        let mut before = problem.gain_of(map);
        for _ in 0..MAX_ROUNDS {
            self.linearise(problem, map, 1.0);
            self.matching.solve(n, problem.n_rows(), &self.gains);
            let after = problem.gain_of(&self.matching.columns_of_rows);
            if after <= before {
                return;
            }
            before = after;
            map.copy_from_slice(&self.matching.columns_of_rows);
            self.offer(problem, map);
        }
    }

    /// Gains as if edges to the present map were certain, and counted as that part.
    fn linearise(&mut self, problem: &Problem, map: &[u32], part: f64) {
        let n = problem.n_columns();
        self.gains.clear();
        self.gains.extend_from_slice(&problem.gains);
        for i in 0..problem.n_rows() {
            let head = problem.rows.heads[i];
            if head == NONE {
                continue;
            }
            // An edge to a head that is mapped makes all dependents of its column better ...
            let of_head = map[head as usize];
            if of_head != NONE {
                for j in (0..n).filter(|&j| problem.columns.heads[j] == of_head) {
                    self.gains[i * n + j] += part * problem.edge_gains[i * n + j];
                }
            }
            // ... and one from a dependent that is mapped, the head of its column.
            let own = map[i];
            if own != NONE && problem.columns.heads[own as usize] != NONE {
                let at = head as usize * n + problem.columns.heads[own as usize] as usize;
                self.gains[at] += part * problem.edge_gains[i * n + own as usize];
            }
        }
    }
}
