//! Support vector machines: [`linear`] trains on sparse rows, [`dual`] on a Gram matrix, both for
//! two classes. [`regression`] learns real numbers from either. [`quadratic`] trains on dense rows
//! and the products of their inputs, for classes or numbers. [`search`] chooses the cost by grouped
//! cross-validation, [`spectrum`] clips the negative eigenvalues of a Gram matrix.
//!
//! The input is vectors or Gram matrices, and labels or numbers; no text. All machines train on
//! `members`, a subset of the rows given by index, so that all folds and costs share one feature
//! matrix or one Gram matrix.

mod coordinates;
mod descent;
pub mod dual;
pub mod linear;
pub mod quadratic;
pub mod regression;
pub mod search;
mod smo;
pub mod spectrum;
mod tridiagonal;

use crate::matrix::Gram;
use crate::progress::Progress;
use crate::{Error, Result};

/// Class weights: factors of the cost per class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassWeights {
    /// Factor for positive examples.
    pub positive: f64,
    /// Factor for negative examples.
    pub negative: f64,
}

impl Default for ClassWeights {
    fn default() -> Self {
        Self { positive: 1.0, negative: 1.0 }
    }
}

impl ClassWeights {
    /// Balances the classes with the usual weights n / (2 n_class).
    pub fn balanced(labels: &[bool], members: &[usize]) -> Self {
        let n_positive = members.iter().filter(|&&row| labels.get(row) == Some(&true)).count();
        let n_negative = members.len() - n_positive;
        if n_positive == 0 || n_negative == 0 {
            return Self::default();
        }
        let half = members.len() as f64 / 2.0;
        Self { positive: half / n_positive as f64, negative: half / n_negative as f64 }
    }

    fn of(&self, label: bool) -> f64 {
        if label { self.positive } else { self.negative }
    }
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverStop {
    /// It reached the optimum within the tolerance.
    Converged,
    /// It reached the limit of passes or iterations: the model is usable but not optimal.
    Limit,
}

/// Checks that `value` is positive and finite. The error names the parameter.
fn check_positive(name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Error::parameter(format!("{name} is {value}, expected a finite number above 0")))
}

fn check_common(cost: f64, weights: &ClassWeights, tolerance: f64) -> Result<()> {
    check_positive("cost", cost)?;
    check_positive("positive class weight", weights.positive)?;
    check_positive("negative class weight", weights.negative)?;
    check_positive("tolerance", tolerance)?;
    for (name, weight) in [("positive", weights.positive), ("negative", weights.negative)] {
        check_positive(&format!("cost times {name} class weight"), cost * weight)?;
    }
    Ok(())
}

/// Checks that every value is finite.
fn check_finite(gram: &Gram, progress: Progress<'_>) -> Result<()> {
    for row in 0..gram.n_rows() {
        progress.check()?;
        if let Some(column) = gram.row(row).iter().position(|value| !value.is_finite()) {
            return Err(Error::data(format!(
                "the kernel value of rows {row} and {column} is {}, expected a finite number: look for a kernel that \
                 overflows or an empty text that is normalised",
                gram.row(row)[column]
            )));
        }
    }
    Ok(())
}

/// Checks that members are existing rows, each listed once.
fn check_listed(n_rows: usize, members: &[usize]) -> Result<()> {
    let mut seen = vec![false; n_rows];
    for &row in members {
        match seen.get_mut(row) {
            None => {
                let message = format!("training row {row} does not exist: there are {n_rows} rows, counted from 0");
                return Err(Error::data(message));
            }
            Some(true) => return Err(Error::data(format!("training row {row} is listed twice: list each row once"))),
            Some(slot) => *slot = true,
        }
    }
    Ok(())
}

/// Checks that members are existing rows, each listed once, and that both classes occur among them.
fn check_members(labels: &[bool], members: &[usize]) -> Result<()> {
    check_listed(labels.len(), members)?;
    let n_positive = members.iter().filter(|&&row| labels[row]).count();
    if n_positive == 0 || n_positive == members.len() {
        let kind = if n_positive == 0 { "negative" } else { "positive" };
        return Err(Error::data(format!(
            "{} training examples, all {kind}: a machine needs examples of both classes; add some of the other",
            members.len()
        )));
    }
    Ok(())
}

/// Checks that there is one target per row and that every target is finite.
fn check_targets(targets: &[f64], n_rows: usize) -> Result<()> {
    if targets.len() != n_rows {
        return Err(Error::data(format!("{n_rows} rows but {} targets, expected one target per row", targets.len())));
    }
    match targets.iter().position(|target| !target.is_finite()) {
        None => Ok(()),
        Some(row) => Err(Error::data(format!("the target of row {row} is {}, expected a finite number", targets[row]))),
    }
}

/// Checks that members of a regression are existing rows, each listed once, and at least one.
fn check_numbered_members(n_rows: usize, members: &[usize]) -> Result<()> {
    if members.is_empty() {
        return Err(Error::data("no training examples: a machine needs at least one"));
    }
    check_listed(n_rows, members)
}

/// Checks that a warm start has one value per row.
fn check_start(start: Option<&[f64]>, n_rows: usize) -> Result<()> {
    match start.filter(|start| start.len() != n_rows) {
        None => Ok(()),
        Some(start) => {
            Err(Error::data(format!("{} starting values for {n_rows} rows, expected one per row", start.len())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_checked() {
        let check = |members: &[usize], expected: &str| {
            let message =
                check_members(&[true, false, true], members).map_or_else(|error| error.to_string(), |()| String::new());
            assert!(message.contains(expected) && message.is_empty() == expected.is_empty(), "{members:?}: {message}");
        };
        check(&[0, 1], "");
        check(&[2, 1, 0], "");
        check(&[0, 3], "row 3 does not exist");
        check(&[0, 1, 0], "row 0 is listed twice");
        check(&[0, 2], "all positive");
        check(&[1], "1 training examples, all negative");
        check(&[], "0 training examples");
    }

    #[test]
    fn balanced_weights_give_both_classes_half() {
        let weights = ClassWeights::balanced(&[true, false, false, false], &[0, 1, 2, 3]);
        assert_eq!(weights, ClassWeights { positive: 2.0, negative: 4.0 / 6.0 });
        assert_eq!(ClassWeights::balanced(&[true, true], &[0, 1]), ClassWeights::default());
    }
}
