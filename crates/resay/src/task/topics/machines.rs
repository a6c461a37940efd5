//! One linear machine a topic, over vectors that all of them share.

use crate::eval::metrics::average_precision;
use crate::eval::random::SplitMix;
use crate::kernel::Rows;
use crate::svm::linear::{self, Machine, Params, Problem};
use crate::svm::search::{Fit, LinearFit};
use crate::{Error, Result};
use rayon::prelude::*;

/// Documents as rows, and for each topic which of them are of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machines<'a> {
    pub(crate) rows: &'a Rows,
    /// `truth[topic][document]`.
    pub(crate) truth: &'a [Vec<bool>],
    /// All but the cost.
    pub(crate) params: Params,
}

/// What machines that had not seen a document say of it, at one cost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeldOut {
    pub(crate) cost: f64,
    /// `scores[topic][document]`.
    pub(crate) scores: Vec<Vec<f64>>,
}

impl Machines<'_> {
    /// One machine a topic from these documents.
    pub(crate) fn fit(&self, members: &[usize], cost: f64) -> Result<Vec<Machine>> {
        let params = Params { cost, ..self.params }.check()?;
        let fit = |labels: &Vec<bool>| linear::fit(&Problem::new(self.rows, labels)?, members, &params, None);
        self.truth.par_iter().with_max_len(1).map(fit).collect()
    }

    /// Scores of every document by machines trained on the other folds, at each of rising costs. A topic of which the other folds
    /// have no document, or nothing else, scores 0.
    pub(crate) fn held_out(&self, folds: &[usize], costs: &[f64]) -> Result<Vec<HeldOut>> {
        let n_folds = folds.iter().max().map_or(0, |last| last + 1);
        let jobs: Vec<(usize, usize)> =
            (0..self.truth.len()).flat_map(|topic| (0..n_folds).map(move |fold| (topic, fold))).collect();
        let run = |&(topic, fold): &(usize, usize)| -> Result<(Vec<usize>, Vec<Vec<f64>>)> {
            let (train, held): (Vec<usize>, Vec<usize>) = (0..folds.len()).partition(|&row| folds[row] != fold);
            let n_positive = train.iter().filter(|&&row| self.truth[topic][row]).count();
            if n_positive == 0 || n_positive == train.len() {
                let zeros = vec![vec![0.0; held.len()]; costs.len()];
                return Ok((held, zeros));
            }
            let fit = LinearFit { problem: Problem::new(self.rows, &self.truth[topic])?, params: self.params };
            let scores = fit.scores(&train, &held, costs)?;
            Ok((held, scores))
        };
        let found: Vec<_> = jobs.par_iter().with_max_len(1).map(run).collect::<Result<_>>()?;
        let empty = vec![vec![0.0; self.rows.len()]; self.truth.len()];
        let mut all: Vec<HeldOut> =
            costs.iter().map(|&cost| HeldOut { cost, scores: empty.clone() }).collect();
        for ((topic, _), (held, by_cost)) in jobs.into_iter().zip(found) {
            for (at_cost, scores) in all.iter_mut().zip(by_cost) {
                held.iter().zip(scores).for_each(|(&row, score)| at_cost.scores[topic][row] = score);
            }
        }
        Ok(all)
    }
}

impl HeldOut {
    /// The mean over topics of average precision, of all documents together.
    pub(crate) fn macro_average_precision(&self, truth: &[Vec<bool>]) -> f64 {
        let each = self.scores.iter().zip(truth).filter_map(|(scores, truth)| average_precision(scores, truth));
        let (sum, n) = each.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
        if n > 0.0 { sum / n } else { 0.0 }
    }
}

/// A fold for every document, drawn by the seed; folds differ by at most one document.
pub(crate) fn folds(n_documents: usize, n_folds: usize, seed: u64) -> Result<Vec<usize>> {
    if n_folds < 2 || n_folds > n_documents {
        return Err(Error::parameter(format!(
            "{n_folds} folds of {n_documents} documents, expected from 2 to as many as there are documents (--folds)"
        )));
    }
    let mut folds: Vec<usize> = (0..n_documents).map(|row| row % n_folds).collect();
    SplitMix::new(seed).shuffle(&mut folds);
    Ok(folds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_out_documents_were_not_seen() {
        // Each document has a column of its own and its topic's: with the topic's it is found, without it is not.
        let mut rows = Rows::new(3);
        let truth = vec![vec![true, true, true, true, false, false, false, false], vec![true; 8]];
        for row in 0..8 {
            rows.push([(if truth[0][row] { 0 } else { 1 }, 1.0)], 0.5);
        }
        let machines = Machines { rows: &rows, truth: &truth, params: Params::default() };
        let folds = [0, 1, 2, 3, 0, 1, 2, 3];
        let found = machines.held_out(&folds, &[0.1, 1.0]).unwrap();
        assert_eq!(found.iter().map(|at| at.cost).collect::<Vec<_>>(), [0.1, 1.0]);
        assert!(found[1].scores[0].iter().zip(&truth[0]).all(|(score, is)| (*score > 0.0) == *is), "{found:?}");
        // A topic that all documents have cannot be learned.
        assert_eq!(found[1].scores[1], [0.0; 8]);
        assert_eq!(found[1].macro_average_precision(&truth), 1.0);
        let one = machines.fit(&[0, 1, 2, 4, 5, 6], 1.0);
        assert!(one.unwrap_err().to_string().contains("all positive"));
        assert!(super::folds(3, 4, 1).is_err() && super::folds(4, 1, 1).is_err());
        let mut even = super::folds(10, 3, 7).unwrap();
        even.sort_unstable();
        assert_eq!(even, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
    }
}
