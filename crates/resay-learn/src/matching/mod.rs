//! Latent structure: the best alignment of two sentences under constraints. The input is scores;
//! this module knows neither their origin nor the learning that uses them.
//!
//! A structure is a choice of parts (this word is mapped to that one, this word is deleted, ...).
//! Every part has a number and a score, and a [`Space`] defines which parts are compatible. Each
//! space has its own solver, and can also be declared as a [`Program`]: slower, and independent of
//! the solver except for the answer.

pub mod assignment;
pub mod graph;
pub mod monotone;
pub mod program;
#[cfg(test)]
mod truth;

pub use assignment::Assignment;
pub use graph::Graph;
pub use monotone::Monotone;
pub use program::Program;

use crate::{Error, Result};

/// A choice of parts with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The chosen parts, sorted.
    pub active: Vec<u32>,
    /// The sum of their scores, added in this order.
    pub score: f64,
}

impl Choice {
    /// Sorts the parts and sums their scores in this order. Fails if the sum is not finite.
    fn new(mut active: Vec<u32>, scores: &[f64]) -> Result<Self> {
        active.sort_unstable();
        let score: f64 = active.iter().map(|&part| scores[part as usize]).sum();
        if !score.is_finite() {
            return Err(Error::data(format!(
                "the scores of the chosen parts add up to {score}; scores this large cannot be compared, make them smaller"
            )));
        }
        Ok(Self { active, score })
    }
}

/// A space of feasible choices of parts.
pub trait Space {
    /// Working memory of the solver, kept by the caller to avoid repeated allocation.
    type Scratch: Default + Send;

    /// Number of parts; they are numbered from 0.
    fn n_parts(&self) -> usize;

    /// Returns the choice with the highest score. `scores` has one entry per part; minus infinity
    /// forbids a part. Plus infinity and NaN are errors, and so is a space in which every choice is
    /// forbidden. `start` is a warm start: a feasible choice under earlier scores (sorted parts),
    /// used as an initial bound and ignored if it is not feasible. The resulting score never
    /// depends on it.
    fn best(&self, scores: &[f64], start: Option<&[u32]>, scratch: &mut Self::Scratch) -> Result<Choice>;

    /// Declares the same space as a 0/1 linear programme, with one variable per part in the same
    /// order, as an independent check.
    fn program(&self) -> Program;
}

/// Checks that there is one score per part, and none is NaN or plus infinity.
fn check_scores(scores: &[f64], n_parts: usize) -> Result<()> {
    if scores.len() != n_parts {
        return Err(Error::parameter(format!("{} scores for {n_parts} parts, expected one per part", scores.len())));
    }
    match scores.iter().position(|score| score.is_nan() || *score == f64::INFINITY) {
        None => Ok(()),
        Some(part) => Err(Error::parameter(format!(
            "the score of part {part} is {}; expected a number, or minus infinity for a part that is forbidden",
            scores[part]
        ))),
    }
}

/// The error if no feasible choice is left.
fn all_forbidden(what: &str) -> Error {
    Error::data(format!(
        "every choice is forbidden: {what} may neither be mapped nor deleted under these scores; \
        give its deletion or one of its maps a score above minus infinity"
    ))
}

/// The numbering of parts for spaces in which every row is mapped to one column or deleted, and
/// every column likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    rows: usize,
    columns: usize,
}

impl Grid {
    /// Fails if the number of parts does not fit `u32`.
    fn new(rows: usize, columns: usize) -> Result<Self> {
        let n_parts = rows.checked_mul(columns).and_then(|n| n.checked_add(rows)).and_then(|n| n.checked_add(columns));
        match n_parts {
            Some(n) if n <= u32::MAX as usize / 2 => Ok(Self { rows, columns }),
            _ => Err(Error::parameter(format!(
                "{rows} x {columns} words or characters are too many to be mapped at once; cut the texts into pieces"
            ))),
        }
    }

    fn n_parts(self) -> usize {
        self.rows * self.columns + self.rows + self.columns
    }

    fn map(self, row: usize, column: usize) -> usize {
        row * self.columns + column
    }

    fn row_deletion(self, row: usize) -> usize {
        self.rows * self.columns + row
    }

    fn column_deletion(self, column: usize) -> usize {
        self.rows * self.columns + self.rows + column
    }

    /// Adds the variables of all parts, numbered after the existing ones, and the constraint that
    /// each row and each column is mapped once or deleted.
    fn declare(self, program: &mut Program, row: &str, column: &str) {
        let first = program.n_variables();
        for i in 0..self.rows {
            for j in 0..self.columns {
                program.binary(format!("{row}{i}-{column}{j}"));
            }
        }
        (0..self.rows).for_each(|i| _ = program.binary(format!("{row}{i}-none")));
        (0..self.columns).for_each(|j| _ = program.binary(format!("none-{column}{j}")));
        for i in 0..self.rows {
            let maps = (0..self.columns).map(|j| self.map(i, j));
            let terms: Vec<_> = maps.chain([self.row_deletion(i)]).map(|part| (first + part, 1.0)).collect();
            program.constrain(format!("{row}{i} once"), &terms, program::ConstraintSense::Equal, 1.0);
        }
        for j in 0..self.columns {
            let maps = (0..self.rows).map(|i| self.map(i, j));
            let terms: Vec<_> = maps.chain([self.column_deletion(j)]).map(|part| (first + part, 1.0)).collect();
            program.constrain(format!("{column}{j} once"), &terms, program::ConstraintSense::Equal, 1.0);
        }
    }
}
