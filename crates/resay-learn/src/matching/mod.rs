//! Hidden structure: of all ways to lay a structure over two sentences, the best one, and sums over all of them. Scores
//! come in as numbers; what they were made from, and what is learned from them, is not known here.
//!
//! A structure is a choice of parts (this word stands for that one, this word stands for nothing, ...), every part has a
//! score and a number, and a [`Space`] says which parts go together. Each space has a solver of its own, and can be
//! declared as a [`Program`] too: slower, and with nothing in common but the answer.

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

/// Parts that were chosen, by number and sorted, and the sum of their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The parts, sorted.
    pub active: Vec<u32>,
    /// The sum of their scores, added in their order.
    pub score: f64,
}

impl Choice {
    /// Sorts parts and adds up their scores, in their order. A sum that is not finite is an error.
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

/// All ways to choose parts that go together.
pub trait Space {
    /// What a solver needs while it works; kept by the caller, so that nothing is allocated twice.
    type Scratch: Default + Send;

    /// How many parts there are; they are numbered from 0.
    fn n_parts(&self) -> usize;

    /// The choice of the highest score. `scores`: one a part; minus infinity forbids the part, plus infinity and NaN are
    /// an error, and so is a space in which every choice is forbidden. `start`: a feasible choice under older scores
    /// (parts, sorted), a bound to begin with; what is no feasible choice is ignored. The score of what comes back never
    /// depends on it.
    fn best(&self, scores: &[f64], start: Option<&[u32]>, scratch: &mut Self::Scratch) -> Result<Choice>;

    /// The same space declared as a 0/1 linear programme, one variable a part in the same order: the second opinion.
    fn program(&self) -> Program;
}

/// Scores that a solver can take: one a part, none NaN, none plus infinity.
fn check_scores(scores: &[f64], n_parts: usize) -> Result<()> {
    if scores.len() != n_parts {
        return Err(Error::parameter(format!("{} scores for {n_parts} parts, expected one a part", scores.len())));
    }
    match scores.iter().position(|score| score.is_nan() || *score == f64::INFINITY) {
        None => Ok(()),
        Some(part) => Err(Error::parameter(format!(
            "the score of part {part} is {}; expected a number, or minus infinity for a part that is forbidden",
            scores[part]
        ))),
    }
}

/// What is said when no choice is left.
fn all_forbidden(what: &str) -> Error {
    Error::data(format!(
        "every choice is forbidden: {what} may neither be mapped nor deleted under these scores; \
        give its deletion or one of its maps a score above minus infinity"
    ))
}

/// Rows and columns of which every row is mapped to one column or deleted, and every column likewise: how their parts are
/// numbered, for all spaces of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    rows: usize,
    columns: usize,
}

impl Grid {
    /// Parts are numbered by `u32`.
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

    /// Adds the variables of all parts, numbered on from what is there, and the rule that each row and each column is
    /// mapped once or deleted.
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
