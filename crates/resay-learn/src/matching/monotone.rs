//! Monotone maps of characters: the best alignment of two strings without crossings.
//!
//! Input: `rows` and `columns` characters, a score for every map (i, j) and for deleting a
//! character of either side. Every row is mapped to exactly one column or deleted, every column
//! likewise, and maps do not cross: of two maps (i, j) and (i', j') with i < i', j < j'. Output:
//! the choice with the highest score. This is the latent structure of names in two scripts in
//! Chang, Goldwasser, Roth and Srikumar (2010), section 3.1. Since it is one-to-one and monotone,
//! it needs no integer programme. With `best[i][j]` the best score of the first i rows and the
//! first j columns:
//! ```text
//! best[i][j] = max(best[i-1][j-1] + map(i, j),
//!                  best[i-1][j] + delete row i,
//!                  best[i][j-1] + delete column j)
//! ```
//! Time and space are O(rows x columns). Ties are broken from the end: a map before a deleted row,
//! a deleted row before a deleted column.

use super::program::ConstraintSense;
use super::{Choice, Grid, Program, Space, all_forbidden, check_scores};
use crate::{Error, Result};

/// Larger tables (512 MB of values) are rejected.
const MAX_CELLS: usize = 1 << 26;

/// All monotone one-to-one maps of `rows` to `columns`. Parts: the maps (i, j), row by row; the
/// deletions of rows; the deletions of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Monotone {
    grid: Grid,
}

impl Monotone {
    /// Either side may be empty.
    pub fn new(rows: usize, columns: usize) -> Result<Self> {
        let grid = Grid::new(rows, columns)?;
        if grid.n_parts() >= MAX_CELLS {
            return Err(Error::parameter(format!(
                "{rows} x {columns} characters are too many to be mapped at once; cut the texts into pieces"
            )));
        }
        Ok(Self { grid })
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

/// The larger of two numbers that are not NaN.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// The values before the first row: all columns so far are deleted.
fn first_row(delete_columns: &[f64], values: &mut Vec<f64>) {
    let mut sum = 0.0;
    values.push(sum);
    for deletion in delete_columns {
        sum += deletion;
        values.push(sum);
    }
}

/// One row of the recursion, in place: `values` is `best[i-1]` before and `best[i]` after.
#[inline]
fn next_row(values: &mut [f64], map: impl Fn(usize) -> f64, delete_row: f64, delete_columns: &[f64]) {
    let Some((first, others)) = values.split_first_mut() else { return };
    let mut diagonal = *first;
    *first += delete_row;
    let mut left = *first;
    for (column, (value, delete_column)) in others.iter_mut().zip(delete_columns).enumerate() {
        let without = larger(diagonal + map(column), *value + delete_row);
        diagonal = *value;
        left = larger(without, left + delete_column);
        *value = left;
    }
}

/// Returns the score of the best monotone map, with memory for one row only: for callers that need
/// just the score of many candidates. `score(i, j)` is the score of a map; there is one deletion
/// score per row and per column. Minus infinity forbids, and is returned if everything is
/// forbidden. No score may be NaN.
pub fn best_score(
    score: impl Fn(usize, usize) -> f64,
    delete_rows: &[f64],
    delete_columns: &[f64],
    buffer: &mut Vec<f64>,
) -> f64 {
    buffer.clear();
    first_row(delete_columns, buffer);
    for (row, &delete_row) in delete_rows.iter().enumerate() {
        next_row(buffer, |column| score(row, column), delete_row, delete_columns);
    }
    buffer.last().copied().unwrap_or(0.0)
}

impl Space for Monotone {
    /// The table of values.
    type Scratch = Vec<f64>;

    fn n_parts(&self) -> usize {
        self.grid.n_parts()
    }

    fn best(&self, scores: &[f64], _start: Option<&[u32]>, values: &mut Vec<f64>) -> Result<Choice> {
        check_scores(scores, self.n_parts())?;
        let Grid { rows, columns } = self.grid;
        let (maps, deletions) = scores.split_at(rows * columns);
        let (delete_rows, delete_columns) = deletions.split_at(rows);
        // `values[i * width + j]` is `best[i][j]`.
        let width = columns + 1;
        values.clear();
        first_row(delete_columns, values);
        for (row, &delete_row) in delete_rows.iter().enumerate() {
            values.extend_from_within(row * width..);
            let map = &maps[row * columns..][..columns];
            next_row(&mut values[(row + 1) * width..], |column| map[column], delete_row, delete_columns);
        }
        if values.last() == Some(&f64::NEG_INFINITY) {
            return Err(all_forbidden("a character"));
        }
        // Backtracking repeats the same additions.
        let (mut i, mut j) = (rows, columns);
        let mut active = Vec::with_capacity(rows + columns);
        while i > 0 || j > 0 {
            let value = values[i * width + j];
            if i > 0 && j > 0 && value == values[(i - 1) * width + j - 1] + maps[(i - 1) * columns + j - 1] {
                (i, j) = (i - 1, j - 1);
                active.push(self.map(i, j) as u32);
            } else if i > 0 && (j == 0 || value == values[(i - 1) * width + j] + delete_rows[i - 1]) {
                i -= 1;
                active.push(self.row_deletion(i) as u32);
            } else {
                j -= 1;
                active.push(self.column_deletion(j) as u32);
            }
        }
        Choice::new(active, scores)
    }

    fn program(&self) -> Program {
        let Grid { rows, columns } = self.grid;
        let mut program = Program::new();
        self.grid.declare(&mut program, "a", "b");
        // Of two rows, the upper one may not be mapped to a column or to its right while the lower
        // one is mapped to that column or to its left.
        for upper in 0..rows {
            for lower in upper + 1..rows {
                for cut in 0..columns {
                    let right = (cut..columns).map(|j| (self.map(upper, j), 1.0));
                    let left = (0..=cut).map(|j| (self.map(lower, j), 1.0));
                    let terms: Vec<_> = right.chain(left).collect();
                    program.constrain(
                        format!("a{upper} before a{lower} at b{cut}"),
                        &terms,
                        ConstraintSense::AtMost,
                        1.0,
                    );
                }
            }
        }
        program
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters of two words: equal letters score 2, two different vowels 0.5, others are forbidden;
    /// deletions cost 0.25.
    fn check(rows: &str, columns: &str, expected_score: f64, expected_maps: &[(usize, usize)]) {
        let (a, b): (Vec<char>, Vec<char>) = (rows.chars().collect(), columns.chars().collect());
        let score = |i: usize, j: usize| match (a[i], b[j]) {
            (x, y) if x == y => 2.0,
            (x, y) if "aeiou".contains(x) && "aeiou".contains(y) => 0.5,
            _ => f64::NEG_INFINITY,
        };
        let space = Monotone::new(a.len(), b.len()).unwrap();
        let mut scores: Vec<f64> =
            (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))).map(|(i, j)| score(i, j)).collect();
        scores.resize(space.n_parts(), -0.25);
        let mut scratch = vec![7.0; 3];
        let choice = space.best(&scores, None, &mut scratch).unwrap();
        let maps: Vec<(usize, usize)> = choice
            .active
            .iter()
            .map(|&part| part as usize)
            .filter(|part| *part < a.len() * b.len())
            .map(|part| (part / b.len(), part % b.len()))
            .collect();
        assert_eq!((choice.score, maps.as_slice()), (expected_score, expected_maps), "{rows} {columns}");
        assert_eq!(choice.active.len(), a.len() + b.len() - maps.len());
        let deletions = (vec![-0.25; a.len()], vec![-0.25; b.len()]);
        assert_eq!(best_score(score, &deletions.0, &deletions.1, &mut scratch), choice.score);
    }

    #[test]
    fn names() {
        check("", "", 0.0, &[]);
        check("ab", "", -0.5, &[]);
        check("", "ab", -0.5, &[]);
        check("anna", "hanna", 7.75, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        check("jon", "johan", 5.5, &[(0, 0), (1, 1), (2, 4)]);
        // The two maps cross: only one is chosen.
        check("ab", "ba", 1.5, &[(0, 1)]);
        check("tim", "tom", 4.5, &[(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let space = Monotone::new(1, 1).unwrap();
        let check = |scores: &[f64], expected: &str| {
            let error = space.best(scores, None, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&[0.0], "1 scores for 3 parts");
        check(&[f64::NAN, 0.0, 0.0], "the score of part 0 is NaN");
        check(&[0.0, f64::INFINITY, 0.0], "the score of part 1 is inf");
        check(&[f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0], "every choice is forbidden");
        check(&[f64::NEG_INFINITY, f64::MAX, f64::MAX], "make them smaller");
        assert!(Monotone::new(1 << 20, 1 << 20).unwrap_err().to_string().contains("too many"));
        assert!(Monotone::new(usize::MAX, usize::MAX).is_err());
    }
}
