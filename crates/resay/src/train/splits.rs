//! Which rows are held out in which fold: for choosing costs, for calibration, and for measuring
//! the loss from pruning.

use super::learner::Problem;
use crate::Result;
use crate::kernel::RuleMatrix;
use crate::model::Pruning;
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_learn::svm::search::{HeldOut, HeldOutMeasure};

/// The fold that holds out each row, or `None` for a row that is only trained on.
#[derive(Debug)]
pub(super) struct Splits {
    folds: Vec<Option<usize>>,
    n_folds: usize,
    /// Rows from here on are scored only: never trained on, never evaluated.
    n_known: usize,
}

impl Splits {
    pub(super) fn new(folds: Vec<Option<usize>>) -> Self {
        let n_folds = folds.iter().flatten().max().map_or(0, |last| last + 1);
        let n_known = folds.len();
        Self { folds, n_folds, n_known }
    }

    /// Adds rows that are scored with a fold but neither trained on nor evaluated.
    pub(super) fn with_others(mut self, folds: impl IntoIterator<Item = usize>) -> Self {
        self.folds.extend(folds.into_iter().map(Some));
        self
    }

    pub(super) fn n_folds(&self) -> usize {
        self.n_folds
    }

    /// Returns the fold of each row, if every row has one.
    pub(super) fn folds(&self) -> Vec<usize> {
        self.folds.iter().map(|fold| fold.unwrap_or(0)).collect()
    }

    /// Returns the training rows and the held-out rows of a fold.
    pub(super) fn split(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut train, held_out): (Vec<usize>, Vec<usize>) =
            (0..self.folds.len()).partition(|&row| self.folds[row] != Some(fold));
        train.retain(|&row| row < self.n_known);
        (train, held_out)
    }

    /// Returns the rows of a fold that are evaluated.
    pub(super) fn measured(&self, fold: usize) -> Vec<usize> {
        (0..self.n_known).filter(|&row| self.folds[row] == Some(fold)).collect()
    }

    /// Returns the mean of the measure over the folds, given a score for every held-out row.
    pub(super) fn mean(&self, scores: &[f64], labels: &[bool], measure: HeldOutMeasure<'_>) -> f64 {
        let of_fold = |fold| {
            let rows = self.measured(fold);
            let scores: Vec<f64> = rows.iter().map(|&row| scores[row]).collect();
            let labels: Vec<bool> = rows.iter().map(|&row| labels[row]).collect();
            measure(&HeldOut { rows: &rows, scores: &scores, labels: &labels })
        };
        (0..self.n_folds).map(of_fold).sum::<f64>() / self.n_folds as f64
    }

    /// Returns the scores and labels of rows that are held out in some fold.
    pub(super) fn held_out_only(&self, scores: &[f64], labels: &[bool]) -> (Vec<f64>, Vec<bool>) {
        let rows = || (0..self.folds.len()).filter(|&row| self.folds[row].is_some());
        (rows().map(|row| scores[row]).collect(), rows().map(|row| labels[row]).collect())
    }

    /// Scores every held-out row with a machine that was not trained on it and is pruned like the
    /// saved one.
    pub(super) fn pruned_scores(
        &self,
        problem: &Problem<'_>,
        listing: &RuleMatrix,
        cost: f64,
        pruning: Pruning,
        progress: Progress<'_>,
    ) -> Result<Vec<f64>> {
        let of_fold = |fold| {
            let (train, held_out) = self.split(fold);
            let fitted = problem.fit(&train, cost, progress)?;
            let mut weights = listing.weights(&fitted.coefficients, progress)?;
            let support = listing.support(&train, progress)?;
            pruning.apply(&mut weights, &support);
            let score = |row: usize| {
                progress.check()?;
                let (columns, values) = listing.rows.row(row);
                let weighted = columns.iter().zip(values).map(|(&column, value)| weights[column as usize] * value);
                Ok((row, fitted.bias + weighted.sum::<f64>()))
            };
            held_out.into_iter().map(score).collect()
        };
        let by_fold = (0..self.n_folds).into_par_iter().map(of_fold).collect::<Result<Vec<Vec<(usize, f64)>>>>()?;
        let mut scores = vec![0.0; self.folds.len()];
        by_fold.into_iter().flatten().for_each(|(row, score)| scores[row] = score);
        Ok(scores)
    }
}
