//! The assignment problem with all edges to a given map taken as certain: the source of good maps
//! and of initial prices.
//!
//! It uses the same shortest augmenting paths as `assignment.rs`, with the same result to the last
//! bit. But most of the time on long or repetitive text is spent here, so its work is counted and
//! it can be stopped: rows are added one at a time, and the rows assigned so far form a proper map.
//! It runs over lists of the remaining maps instead of all cells.

use super::NONE;
use super::budget::Budget;
use super::problem::Problem;
use std::ops::Range;

/// Lists of maps with their gains, and the state of the solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    /// Start of each row's maps; the columns and gains of the maps.
    starts: Vec<u32>,
    columns: Vec<u32>,
    gains: Vec<f64>,
    row_prices: Vec<f64>,
    pub(super) column_prices: Vec<f64>,
    /// The answer: the column of each row, or [`NONE`].
    pub(super) columns_of_rows: Vec<u32>,
    rows_of_columns: Vec<u32>,
    /// For each column, its distance from the new row (minus infinity if settled), and the row
    /// before it on the path.
    distances: Vec<f64>,
    befores: Vec<u32>,
    /// Columns reached by a path: the settled ones with their distances, and the others.
    settled: Vec<(u32, f64)>,
    reached: Vec<u32>,
}

impl Pairing {
    /// Lists the maps that are not forbidden.
    pub(super) fn list(&mut self, problem: &Problem) {
        let n = problem.n_columns();
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
        for i in 0..problem.n_rows() {
            let gains = &problem.gains[i * n..][..n];
            self.columns.extend((0..n as u32).filter(|&j| gains[j as usize] > f64::NEG_INFINITY));
            self.starts.push(self.columns.len() as u32);
        }
        self.column_prices.clear();
        self.column_prices.resize(n, 0.0);
        self.distances.clear();
        self.distances.resize(n, f64::INFINITY);
        self.settled.clear();
        self.reached.clear();
    }

    fn of(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// Sets the gains as if edges to the current map were certain, weighted by `part`. Returns
    /// false if work was refused.
    pub(super) fn linearise(&mut self, problem: &Problem, map: &[u32], part: f64, budget: &mut Budget) -> bool {
        if !budget.take(self.columns.len(), 2) {
            return false;
        }
        let n = problem.n_columns();
        self.gains.clear();
        for i in 0..problem.n_rows() {
            self.gains.extend(self.columns[self.of(i)].iter().map(|&j| problem.gains[i * n + j as usize]));
        }
        for i in 0..problem.n_rows() {
            let head = problem.rows.heads[i];
            if head == NONE {
                continue;
            }
            // An edge to a mapped head makes all dependents of its column better ...
            let of_head = map[head as usize];
            if of_head != NONE {
                for at in self.of(i) {
                    let j = self.columns[at] as usize;
                    if problem.columns.heads[j] == of_head {
                        self.gains[at] += part * problem.edge_gains[i * n + j];
                    }
                }
            }
            // ... and an edge from a mapped dependent makes the head of its column better.
            let own = map[i];
            if own != NONE && problem.columns.heads[own as usize] != NONE {
                let of_head = self.of(head as usize);
                let column = problem.columns.heads[own as usize];
                if let Ok(at) = self.columns[of_head.clone()].binary_search(&column) {
                    self.gains[of_head.start + at] += part * problem.edge_gains[i * n + own as usize];
                }
            }
        }
        true
    }

    /// Finds the maximum weight assignment. Returns whether all rows were added.
    pub(super) fn solve(&mut self, budget: &mut Budget) -> bool {
        let (rows, columns) = (self.starts.len() - 1, self.column_prices.len());
        self.row_prices.clear();
        self.row_prices.resize(rows, 0.0);
        self.column_prices.fill(0.0);
        self.columns_of_rows.clear();
        self.columns_of_rows.resize(rows, NONE);
        self.rows_of_columns.clear();
        self.rows_of_columns.resize(columns, NONE);
        self.befores.resize(columns, NONE);
        for row in 0..rows {
            let own = self.of(row);
            if !budget.take(own.len(), 1) {
                return false;
            }
            let maps = self.columns[own.clone()].iter().zip(&self.gains[own]);
            let price = maps.fold(0.0, |price: f64, (&j, gain)| price.max(gain - self.column_prices[j as usize]));
            self.row_prices[row] = price;
            if price > 0.0 && !self.add(row, budget) {
                return false;
            }
        }
        true
    }

    /// Assigns a new row along the shortest path and updates the prices. Returns false if work was
    /// refused.
    fn add(&mut self, new: usize, budget: &mut Budget) -> bool {
        for column in self.settled.drain(..).map(|settled| settled.0).chain(self.reached.drain(..)) {
            self.distances[column as usize] = f64::INFINITY;
        }
        // The end of the shortest path so far: a row that is deleted. The new row itself is the
        // first candidate.
        let (mut row, mut distance) = (new, 0.0);
        let (mut end, mut end_row) = (self.row_prices[new], new);
        let free_column = loop {
            let own = self.of(row);
            if !budget.take(2 * own.len() + self.reached.len(), 1) {
                return false;
            }
            // distance(j) = min over reached rows i of distance(i) + u[i] + v[j] - gain(i, j)
            let base = distance + self.row_prices[row];
            let (prices, distances, befores) =
                (&self.column_prices[..], &mut self.distances[..], &mut self.befores[..]);
            for (&column, &gain) in self.columns[own.clone()].iter().zip(&self.gains[own]) {
                let through = base + prices[column as usize] - gain;
                let distance = &mut distances[column as usize];
                if through < *distance {
                    if *distance == f64::INFINITY {
                        self.reached.push(column);
                    }
                    *distance = through;
                    befores[column as usize] = row as u32;
                }
            }
            // The nearest column, the first on ties.
            let (mut at, mut next, mut next_distance) = (0, NONE, f64::INFINITY);
            for (place, &column) in self.reached.iter().enumerate() {
                let distance = distances[column as usize];
                if distance < next_distance || distance == next_distance && column < next {
                    (at, next, next_distance) = (place, column, distance);
                }
            }
            if next == NONE || next_distance >= end {
                break NONE;
            }
            // Rounding may make a zero-length step negative.
            distance = next_distance.max(distance);
            let owner = self.rows_of_columns[next as usize];
            if owner == NONE {
                (end, end_row) = (distance, usize::MAX);
                break next;
            }
            self.reached.swap_remove(at);
            self.settled.push((next, next_distance));
            self.distances[next as usize] = f64::NEG_INFINITY;
            row = owner as usize;
            if distance + self.row_prices[row] < end {
                (end, end_row) = (distance + self.row_prices[row], row);
            }
        };
        // Reached rows get cheaper by the remaining length of the path, their columns dearer.
        self.row_prices[new] = (self.row_prices[new] - end).max(0.0);
        for &(column, distance) in &self.settled {
            let left = (end - distance).max(0.0);
            let owner = self.rows_of_columns[column as usize] as usize;
            self.column_prices[column as usize] += left;
            self.row_prices[owner] = (self.row_prices[owner] - left).max(0.0);
        }
        // Back along the path: every column goes to the row before it.
        let mut column = free_column;
        if column == NONE {
            column = std::mem::replace(&mut self.columns_of_rows[end_row], NONE);
        }
        while column != NONE {
            let before = self.befores[column as usize];
            self.rows_of_columns[column as usize] = before;
            column = std::mem::replace(&mut self.columns_of_rows[before as usize], column);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::assignment::Matching;
    use super::super::Graph;
    use super::*;
    use crate::rng::SplitMix;

    /// Scores with many ties and many forbidden parts.
    fn problem(random: &mut SplitMix) -> Problem {
        let mut heads = |n: usize| (0..n).map(|word| (word > 0).then(|| random.below(word) as u32)).collect::<Vec<_>>();
        let (source, target) = (heads(12), heads(9));
        let graph = Graph::new(source, target).unwrap();
        let value = |_| match random.below(9) {
            0..=3 => f64::NEG_INFINITY,
            4 => random.below(3) as f64 / 3.0,
            _ => random.unit() - 0.3,
        };
        let mut scores: Vec<f64> = (0..graph.source_deletion(0)).map(value).collect();
        scores.resize(graph.edge(0, 0), 0.0);
        scores.extend((0..graph.source_edge_deletion(0) - graph.edge(0, 0)).map(|_| random.unit() - 0.4));
        let n_parts = graph.target_edge_deletion(graph.target_edges().len());
        scores.resize(n_parts, 0.0);
        Problem::new(&graph, &scores)
    }

    #[test]
    fn lists_are_paired_off_as_all_cells_are() {
        let (mut random, mut pairing, mut matching) = (SplitMix::new(8), Pairing::default(), Matching::default());
        for _ in 0..300 {
            let problem = problem(&mut random);
            let (m, n) = (problem.n_rows(), problem.n_columns());
            pairing.list(&problem);
            let mut map = vec![NONE; m];
            for part in [1.0, 1.0, 0.5] {
                let mut budget = Budget::new(u64::MAX);
                assert!(pairing.linearise(&problem, &map, part, &mut budget) && pairing.solve(&mut budget));
                let mut gains = problem.gains.clone();
                for i in 0..m {
                    let (head, own) = (problem.rows.heads[i] as usize, map[i] as usize);
                    if problem.rows.heads[i] == NONE {
                        continue;
                    }
                    for j in (0..n).filter(|&j| map[head] != NONE && problem.columns.heads[j] == map[head]) {
                        gains[i * n + j] += part * problem.edge_gains[i * n + j];
                    }
                    if map[i] != NONE && problem.columns.heads[own] != NONE {
                        let at = head * n + problem.columns.heads[own] as usize;
                        gains[at] += part * problem.edge_gains[i * n + own];
                    }
                }
                matching.solve(n, m, &gains);
                assert_eq!(pairing.columns_of_rows, matching.columns_of_rows);
                assert_eq!(pairing.column_prices, matching.column_prices);
                map.clone_from(&pairing.columns_of_rows);
            }
        }
    }

    #[test]
    fn a_pairing_that_is_stopped_is_proper() {
        let (mut random, mut pairing, mut n_stopped) = (SplitMix::new(9), Pairing::default(), 0);
        for limit in 1..60 {
            let problem = problem(&mut random);
            pairing.list(&problem);
            let nothing = vec![NONE; problem.n_rows()];
            assert!(pairing.linearise(&problem, &nothing, 1.0, &mut Budget::new(u64::MAX)));
            let mut budget = Budget::new(limit);
            n_stopped += usize::from(!pairing.solve(&mut budget));
            assert!(budget.used() <= limit);
            let mut used: Vec<u32> = pairing.columns_of_rows.iter().copied().filter(|j| *j != NONE).collect();
            let n_used = used.len();
            used.sort_unstable();
            used.dedup();
            assert_eq!(used.len(), n_used);
        }
        assert!((10..50).contains(&n_stopped), "{n_stopped}");
    }
}
