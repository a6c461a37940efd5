//! Which rows are held out in which fold: for choosing costs, for calibration, and for measuring
//! the loss from pruning.

use super::answers::{Answers, Given};
use super::kernel::CostChoice;
use super::learner::{Exactness, Problem};
use crate::data::{Dataset, FoldGroups, GroupedBy, folds};
use crate::kernel::RuleMatrix;
use crate::model::{FoldsAbout, Pruning};
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_learn::svm::search::HeadsHeldOut;

/// A measure of the head scores of held-out rows.
pub(super) type HeadsMeasure<'a> = &'a (dyn Fn(&HeadsHeldOut<'_>) -> f64 + Sync);

/// The fold that holds out each row, or `None` for a row that is only trained on.
#[derive(Debug)]
pub(super) struct Splits {
    folds: Vec<Option<usize>>,
    n_folds: usize,
    /// Rows from here on are scored only: never trained on, never evaluated.
    n_known: usize,
    /// How the folds were made; none with a development file.
    about: Option<FoldsAbout>,
}

/// Puts every example into a fold. Pairs that share a sentence share a fold, unless a group column
/// decides. If sentences leave too few groups, there are fewer folds; if they leave none to hold
/// out, every pair stands alone.
fn dealt(dataset: &Dataset, strata: &[usize], n_folds: usize, seed: u64) -> Result<(Vec<usize>, FoldsAbout)> {
    let deal = |groups: &FoldGroups, n_folds: usize| {
        let found = folds(&groups.of.iter().map(Some).collect::<Vec<_>>(), strata, n_folds, seed)?;
        let about = FoldsAbout { n_folds, n_groups: groups.len(), by: groups.by, n_used: None };
        Ok((found, about))
    };
    // Too many folds for the pairs themselves are the user's mistake, not the sentences'.
    let alone = deal(&FoldGroups::alone(dataset.len()), n_folds)?;
    let groups = dataset.fold_groups();
    let whole = deal(&groups, n_folds);
    if whole.is_ok() || groups.by == GroupedBy::Column {
        return whole;
    }
    let fewer = (2..n_folds).rev().find_map(|n_folds| deal(&groups, n_folds).ok());
    Ok(fewer.unwrap_or(alone))
}

impl Splits {
    /// The fold of every row. With a development file, its rows are the only fold that is held out.
    pub(super) fn of(dataset: &Dataset, answers: &Answers, choice: CostChoice<'_>, seed: u64) -> Result<Self> {
        match choice {
            CostChoice::Folds(n_folds) => {
                let strata = answers.strata();
                if strata.len() != dataset.len() {
                    return Err(Error::machine("answers of other examples than those to be dealt into folds"));
                }
                let mut found = dealt(dataset, &strata, n_folds, seed);
                // Parts of a range are no classes: folds should be alike in them but need not be.
                if found.is_err() && matches!(answers.given, Given::Numbers(_)) {
                    found = dealt(dataset, &vec![0; strata.len()], n_folds, seed);
                }
                let (folds, about) = found?;
                Ok(Self { about: Some(about), ..Self::new(folds.into_iter().map(Some).collect()) })
            }
            CostChoice::Dev(_) => {
                Ok(Self::new((0..answers.len()).map(|row| (row >= dataset.len()).then_some(0)).collect()))
            }
        }
    }

    pub(super) fn new(folds: Vec<Option<usize>>) -> Self {
        let n_folds = folds.iter().flatten().max().map_or(0, |last| last + 1);
        let n_known = folds.len();
        Self { folds, n_folds, n_known, about: None }
    }

    /// How the folds were made; none with a development file.
    pub(super) fn about(&self) -> Option<FoldsAbout> {
        self.about.clone()
    }

    /// Holds out the first fold only.
    pub(super) fn first_only(mut self) -> Self {
        self.folds.iter_mut().for_each(|fold| *fold = fold.filter(|fold| *fold == 0));
        self.about = self.about.map(|about| FoldsAbout { n_used: Some(1), ..about });
        self.n_folds = self.n_folds.min(1);
        self
    }

    /// Whether every row is held out in some fold.
    pub(super) fn is_whole(&self) -> bool {
        self.folds.iter().all(Option::is_some)
    }

    /// Adds rows that are scored with a fold but neither trained on nor evaluated.
    pub(super) fn with_others(mut self, folds: impl IntoIterator<Item = usize>) -> Self {
        self.folds.extend(folds.into_iter().map(Some));
        self
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.folds.len()
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

    /// Returns the mean of the measure over the folds, given the scores of every head for every
    /// held-out row.
    pub(super) fn mean(&self, scores: &[Vec<f64>], measure: HeadsMeasure<'_>) -> f64 {
        let of_fold = |fold| {
            let rows = self.measured(fold);
            let scores: Vec<Vec<f64>> = scores.iter().map(|head| rows.iter().map(|&row| head[row]).collect()).collect();
            let scores: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
            measure(&HeadsHeldOut { rows: &rows, scores: &scores })
        };
        (0..self.n_folds).map(of_fold).sum::<f64>() / self.n_folds as f64
    }

    /// Returns the rows that are held out in some fold.
    pub(super) fn held_out(&self) -> Vec<usize> {
        (0..self.folds.len()).filter(|&row| self.folds[row].is_some()).collect()
    }

    /// Scores every held-out row by every head of a machine that was not trained on it and is
    /// pruned like the saved one.
    pub(super) fn pruned_scores(
        &self,
        problems: &[Problem<'_>],
        listing: &RuleMatrix,
        cost: f64,
        pruning: Pruning,
        progress: Progress<'_>,
    ) -> Result<Vec<Vec<f64>>> {
        let of_fold = |fold| {
            let (train, held_out) = self.split(fold);
            let fitted = problems
                .iter()
                .map(|problem| problem.fit(&train, cost, Exactness::SEARCHED, progress))
                .collect::<Result<Vec<_>>>()?;
            let weights = fitted.iter().map(|head| listing.weights(&head.coefficients, progress));
            let mut weights = weights.collect::<Result<Vec<_>>>()?;
            let support = listing.support(&train, progress)?;
            pruning.apply(&mut weights, &support);
            let score = |row: usize| {
                progress.check()?;
                let (columns, values) = listing.rows.row(row);
                let head = |(weights, fitted): (&Vec<f64>, &super::learner::Fitted)| {
                    let weighted = columns.iter().zip(values).map(|(&column, value)| weights[column as usize] * value);
                    fitted.bias + weighted.sum::<f64>()
                };
                Ok((row, weights.iter().zip(&fitted).map(head).collect()))
            };
            held_out.into_iter().map(score).collect()
        };
        let by_fold =
            (0..self.n_folds).into_par_iter().map(of_fold).collect::<Result<Vec<Vec<(usize, Vec<f64>)>>>>()?;
        let mut scores = vec![vec![0.0; self.folds.len()]; problems.len()];
        for (row, heads) in by_fold.into_iter().flatten() {
            scores.iter_mut().zip(heads).for_each(|(head, score)| head[row] = score);
        }
        Ok(scores)
    }
}
