//! One-to-one maps of words, in any order: the assignment problem.
//!
//! Input: `rows` and `columns` words, a score for every map (i, j) and for deleting a word of
//! either side. Every row is mapped to exactly one column or deleted, every column likewise.
//! Output: the choice with the highest score.
//!
//! With `gain(i, j) = map(i, j) - delete row i - delete column j` this is the maximum weight
//! matching of a bipartite graph, solved by shortest augmenting paths (Kuhn 1955; Jonker and
//! Volgenant 1987). The dual prices u of rows and v of columns satisfy
//! ```text
//! u[i] + v[j] >= gain(i, j), equal on matched pairs
//! u, v >= 0,   v[j] = 0 if j is free,   u[i] = 0 if i is deleted
//! ```
//! which proves that the matching is optimal. Rows are added one at a time: each takes the shortest
//! path along matched pairs to a free column, or to a row that is better deleted. O(rows^2
//! columns).
//!
//! A forbidden deletion costs more than all other scores together could make up for; if one is left
//! in the answer, every choice is forbidden.

use super::{Choice, Grid, Program, Space, all_forbidden, check_scores};
use crate::Result;

/// No row, or no column.
pub(super) const NONE: u32 = u32::MAX;

/// All one-to-one maps of `rows` to `columns`. Parts: the maps (i, j), row by row; the deletions of
/// rows; the deletions of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    grid: Grid,
}

impl Assignment {
    /// Either side may be empty.
    pub fn new(rows: usize, columns: usize) -> Result<Self> {
        Ok(Self { grid: Grid::new(rows, columns)? })
    }

    /// Returns the part that maps a row to a column.
    pub fn map(&self, row: usize, column: usize) -> usize {
        self.grid.map(row, column)
    }

    /// Returns the part that deletes a row.
    pub fn row_deletion(&self, row: usize) -> usize {
        self.grid.row_deletion(row)
    }

    /// Returns the part that deletes a column.
    pub fn column_deletion(&self, column: usize) -> usize {
        self.grid.column_deletion(column)
    }
}

/// Working memory of the solver; `columns_of_rows` is its answer.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    gains: Vec<f64>,
    pub(super) row_prices: Vec<f64>,
    pub(super) column_prices: Vec<f64>,
    /// The column of a row, or [`NONE`].
    pub(super) columns_of_rows: Vec<u32>,
    rows_of_columns: Vec<u32>,
    /// For each column, its distance from the new row and the row before it on the path.
    distances: Vec<f64>,
    befores: Vec<u32>,
    /// Settled columns, in the order in which they were settled.
    settled: Vec<u32>,
    is_settled: Vec<bool>,
}

impl Matching {
    /// Finds the maximum weight matching: `gains[i * columns + j]`, minus infinity for forbidden
    /// pairs.
    pub(super) fn solve(&mut self, columns: usize, rows: usize, gains: &[f64]) {
        self.row_prices.clear();
        self.row_prices.resize(rows, 0.0);
        self.column_prices.clear();
        self.column_prices.resize(columns, 0.0);
        self.columns_of_rows.clear();
        self.columns_of_rows.resize(rows, NONE);
        self.rows_of_columns.clear();
        self.rows_of_columns.resize(columns, NONE);
        self.befores.clear();
        self.befores.resize(columns, NONE);
        for row in 0..rows {
            let of_row = &gains[row * columns..][..columns];
            let price = of_row.iter().zip(&self.column_prices).fold(0.0, |price: f64, (g, v)| price.max(g - v));
            self.row_prices[row] = price;
            if price > 0.0 {
                self.add(row, columns, gains);
            }
        }
    }

    /// Matches a new row along the shortest path and updates the prices.
    fn add(&mut self, new: usize, columns: usize, gains: &[f64]) {
        self.distances.clear();
        self.distances.resize(columns, f64::INFINITY);
        self.is_settled.clear();
        self.is_settled.resize(columns, false);
        self.settled.clear();
        // The end of the shortest path so far: a row that is deleted. The new row itself is the
        // first candidate.
        let (mut row, mut distance) = (new, 0.0);
        let (mut end, mut end_row) = (self.row_prices[new], new);
        let free_column = loop {
            // distance(j) = min over reached rows i of distance(i) + u[i] + v[j] - gain(i, j)
            let (mut next, mut next_distance) = (NONE, f64::INFINITY);
            let base = distance + self.row_prices[row];
            let of_row = &gains[row * columns..][..columns];
            for (column, &gain) in of_row.iter().enumerate() {
                if self.is_settled[column] {
                    continue;
                }
                let through = base + self.column_prices[column] - gain;
                if through < self.distances[column] {
                    self.distances[column] = through;
                    self.befores[column] = row as u32;
                }
                if self.distances[column] < next_distance {
                    (next, next_distance) = (column as u32, self.distances[column]);
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
            self.is_settled[next as usize] = true;
            self.settled.push(next);
            row = owner as usize;
            if distance + self.row_prices[row] < end {
                (end, end_row) = (distance + self.row_prices[row], row);
            }
        };
        // Reached rows get cheaper by the remaining length of the path, their columns dearer.
        self.row_prices[new] = (self.row_prices[new] - end).max(0.0);
        for &column in &self.settled {
            let left = (end - self.distances[column as usize]).max(0.0);
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
    }
}

/// A finite stand-in for minus infinity as the score of a deletion: below any possible difference
/// of other choices.
pub(super) fn forbidden_deletion(scores: &[f64]) -> f64 {
    let total: f64 = scores.iter().filter(|score| score.is_finite()).map(|score| score.abs()).sum();
    -(1.0 + 2.0 * total)
}

impl Space for Assignment {
    type Scratch = Matching;

    fn n_parts(&self) -> usize {
        self.grid.n_parts()
    }

    fn best(&self, scores: &[f64], _start: Option<&[u32]>, scratch: &mut Matching) -> Result<Choice> {
        check_scores(scores, self.n_parts())?;
        let Grid { rows, columns } = self.grid;
        let (maps, deletions) = scores.split_at(rows * columns);
        let has_forbidden = deletions.contains(&f64::NEG_INFINITY);
        let least = if has_forbidden { forbidden_deletion(scores) } else { 0.0 };
        let deletion = |part: usize| if scores[part] == f64::NEG_INFINITY { least } else { scores[part] };
        let mut gains = std::mem::take(&mut scratch.gains);
        gains.clear();
        for row in 0..rows {
            let of_row = deletion(self.row_deletion(row));
            let map = &maps[row * columns..][..columns];
            gains.extend((0..columns).map(|column| map[column] - of_row - deletion(self.column_deletion(column))));
        }
        scratch.solve(columns, rows, &gains);
        scratch.gains = gains;

        let mut active = Vec::with_capacity(rows + columns);
        for (row, &column) in scratch.columns_of_rows.iter().enumerate() {
            active.push(if column == NONE { self.row_deletion(row) } else { self.map(row, column as usize) } as u32);
        }
        let free = (0..columns).filter(|&column| scratch.rows_of_columns[column] == NONE);
        active.extend(free.map(|column| self.column_deletion(column) as u32));
        if has_forbidden && active.iter().any(|&part| scores[part as usize] == f64::NEG_INFINITY) {
            return Err(all_forbidden("a word"));
        }
        Choice::new(active, scores)
    }

    fn program(&self) -> Program {
        let mut program = Program::new();
        self.grid.declare(&mut program, "a", "b");
        program
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO: f64 = f64::NEG_INFINITY;

    fn check(rows: usize, columns: usize, scores: &[f64], expected: &[u32]) {
        let space = Assignment::new(rows, columns).unwrap();
        let choice = space.best(scores, None, &mut Matching::default()).unwrap();
        assert_eq!(choice.active, expected, "{scores:?}");
    }

    #[test]
    fn words_are_paired() {
        check(0, 0, &[], &[]);
        check(0, 2, &[3.0, -3.0], &[0, 1]);
        check(1, 1, &[-1.0, 0.0, 0.0], &[1, 2]);
        check(1, 1, &[1.0, 0.0, 0.0], &[0]);
        // The greedy pair (0, 0) is not chosen.
        check(2, 2, &[5.0, 4.0, 4.0, 1.0, 0.0, 0.0, 0.0, 0.0], &[1, 2]);
        // A matched row is deleted in favour of another.
        check(2, 1, &[2.0, 3.0, 0.0, 0.0, 0.0], &[1, 2]);
        check(2, 1, &[2.0, 3.0, -5.0, 0.0, 0.0], &[0, 3]);
        // A forbidden deletion makes a bad map the best choice.
        check(1, 2, &[-9.0, -8.0, NO, 0.0, 0.0], &[1, 3]);
        check(2, 2, &[-9.0, NO, -8.0, -1.0, 0.0, 0.0, NO, 0.0], &[2, 4, 7]);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let check = |rows: usize, columns: usize, scores: &[f64], expected: &str| {
            let space = Assignment::new(rows, columns).unwrap();
            let error = space.best(scores, None, &mut Matching::default()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(1, 0, &[NO], "every choice is forbidden");
        // Two rows compete for the only column, and neither may be deleted.
        check(2, 1, &[1.0, 1.0, NO, NO, 0.0], "every choice is forbidden");
        check(1, 1, &[NO, 0.0, NO], "every choice is forbidden");
        check(1, 1, &[1.0, 0.0, f64::NAN], "the score of part 2 is NaN");
        check(1, 1, &[f64::MAX, f64::MAX, f64::MAX], "make them smaller");
        assert!(Assignment::new(usize::MAX, 3).is_err());
    }
}
