//! Trains one linear machine per topic, over shared document vectors.

use crate::kernel::strings::{TextRows, TextVector, TextVectors};
use crate::kernel::{Expression, Rows};
use crate::model::keep_heaviest;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::eval::metrics::average_precision;
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_learn::svm::ClassWeights;
use resay_learn::svm::linear::{self, LinearMachine, LinearParams, LinearProblem};
use resay_learn::svm::search::{Fit, LinearFit};
use resay_text::Sentence;

/// Documents as rows, and the members of each topic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machines<'a> {
    pub(crate) rows: &'a Rows,
    /// Indexed `truth[topic][document]`.
    pub(crate) truth: &'a [Vec<bool>],
    /// All parameters except the cost and, if classes are balanced, their weights.
    pub(crate) params: LinearParams,
    /// Whether to balance the classes of each topic.
    pub(crate) is_balanced: bool,
}

/// Held-out scores at one cost: each document is scored by machines that were not trained on it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeldOut {
    pub(crate) cost: f64,
    /// Indexed `scores[topic][document]`.
    pub(crate) scores: Vec<Vec<f64>>,
}

impl Machines<'_> {
    fn params_of(&self, topic: usize, members: &[usize], cost: f64) -> LinearParams {
        let balanced = || ClassWeights::balanced(&self.truth[topic], members);
        let class_weights = if self.is_balanced { balanced() } else { self.params.class_weights };
        LinearParams { cost, class_weights, ..self.params }
    }

    /// Trains one machine per topic on these documents.
    pub(crate) fn fit(&self, members: &[usize], cost: f64, progress: Progress<'_>) -> Result<Vec<LinearMachine>> {
        let fit = |topic: usize| self.fit_one(topic, members, cost, progress);
        (0..self.truth.len()).into_par_iter().with_max_len(1).map(fit).collect()
    }

    fn fit_one(&self, topic: usize, members: &[usize], cost: f64, progress: Progress<'_>) -> Result<LinearMachine> {
        let problem = LinearProblem::new(self.rows, &self.truth[topic], progress)?;
        linear::fit(&problem, members, &self.params_of(topic, members, cost).check()?, None, progress)
    }

    /// Scores every document with machines trained on the other folds, at each of the ascending
    /// costs.
    pub(crate) fn held_out(&self, folds: &[usize], costs: &[f64], progress: Progress<'_>) -> Result<Vec<HeldOut>> {
        let scores = self.by_fold(folds, costs.len(), &|topic, train, held| {
            let params = self.params_of(topic, train, 1.0);
            let problem = LinearProblem::new(self.rows, &self.truth[topic], progress)?;
            LinearFit { problem, params }.scores(train, held, costs, progress)
        })?;
        Ok(costs.iter().zip(scores).map(|(&cost, scores)| HeldOut { cost, scores }).collect())
    }

    /// Like [`Machines::held_out`], at one cost and with machines pruned to their largest weights.
    pub(crate) fn held_out_pruned(
        &self,
        folds: &[usize],
        cost: f64,
        most: usize,
        progress: Progress<'_>,
    ) -> Result<HeldOut> {
        let mut scores = self.by_fold(folds, 1, &|topic, train, held| {
            let mut machine = self.fit_one(topic, train, cost, progress)?;
            keep_heaviest(&mut machine.weights, most);
            let score =
                |&row: &usize| progress.check().map(|()| machine.score(self.rows.row(row).0, self.rows.row(row).1));
            Ok(vec![held.iter().map(score).collect::<Result<_>>()?])
        })?;
        Ok(HeldOut { cost, scores: scores.pop().unwrap_or_default() })
    }

    /// Returns `scores[number][topic][document]` of held-out documents, where `number` counts the
    /// score lists returned by `score`. A topic scores 0 if it contains none or all of the training
    /// documents.
    fn by_fold(&self, folds: &[usize], n: usize, score: Score<'_>) -> Result<Vec<Vec<Vec<f64>>>> {
        let n_folds = folds.iter().max().map_or(0, |last| last + 1);
        let jobs: Vec<(usize, usize)> =
            (0..self.truth.len()).flat_map(|topic| (0..n_folds).map(move |fold| (topic, fold))).collect();
        let run = |&(topic, fold): &(usize, usize)| -> Result<(Vec<usize>, Vec<Vec<f64>>)> {
            let (train, held): (Vec<usize>, Vec<usize>) = (0..folds.len()).partition(|&row| folds[row] != fold);
            let n_positive = train.iter().filter(|&&row| self.truth[topic][row]).count();
            if n_positive == 0 || n_positive == train.len() {
                let zeros = vec![vec![0.0; held.len()]; n];
                return Ok((held, zeros));
            }
            let scores = score(topic, &train, &held)?;
            Ok((held, scores))
        };
        let found: Vec<_> = jobs.par_iter().with_max_len(1).map(run).collect::<Result<_>>()?;
        let mut all = vec![vec![vec![0.0; self.rows.len()]; self.truth.len()]; n];
        for ((topic, _), (held, numbered)) in jobs.into_iter().zip(found) {
            for (scores, found) in all.iter_mut().zip(numbered) {
                held.iter().zip(found).for_each(|(&row, score)| scores[topic][row] = score);
            }
        }
        Ok(all)
    }
}

/// Given a topic, training documents and held-out documents, trains machines and returns one or
/// more lists of held-out scores.
type Score<'a> = &'a (dyn Fn(usize, &[usize], &[usize]) -> Result<Vec<Vec<f64>>> + Sync);

impl HeldOut {
    /// Returns the mean over topics of average precision, over all documents together.
    pub(crate) fn macro_average_precision(&self, truth: &[Vec<bool>]) -> f64 {
        let each = self.scores.iter().zip(truth).filter_map(|(scores, truth)| average_precision(scores, truth));
        let (sum, n) = each.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
        if n > 0.0 { sum / n } else { 0.0 }
    }
}

/// Training texts with their topics, and training parameters.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'a> {
    /// The kernel, over single texts.
    pub expression: &'a Expression,
    /// The texts, with the readings that the kernel needs.
    pub texts: &'a [&'a Sentence],
    /// Indexed `truth[topic][text]`.
    pub truth: &'a [Vec<bool>],
    /// The parameters of the machines.
    pub params: LinearParams,
    /// Whether to balance the classes of each topic.
    pub is_balanced: bool,
}

impl Recipe<'_> {
    /// Trains on the texts and returns `scores[topic][text]` of `others`. A topic of all texts or
    /// of none scores 0.
    pub fn scores(&self, others: &[&Sentence], progress: Progress<'_>) -> Result<Vec<Vec<f64>>> {
        let vectors = TextVectors::new(self.expression, self.texts, progress)?;
        let TextRows { rows, columns } = vectors.rows(self.texts, progress)?;
        let members: Vec<usize> = (0..self.texts.len()).collect();
        let extract = |text: &&Sentence| progress.check().and_then(|()| vectors.extract(text));
        let others: Vec<TextVector> = others.par_iter().map(extract).collect::<Result<_>>()?;
        let machines = Machines { rows: &rows, truth: self.truth, params: self.params, is_balanced: self.is_balanced };
        let of_topic = |topic: usize| -> Result<Vec<f64>> {
            let n_positive = self.truth[topic].iter().filter(|is| **is).count();
            if n_positive == 0 || n_positive == members.len() {
                return Ok(vec![0.0; others.len()]);
            }
            let machine = machines.fit_one(topic, &members, self.params.cost, progress)?;
            let mut weights = vec![0.0; vectors.n_columns()];
            columns.iter().zip(&machine.weights).for_each(|(&column, weight)| weights[column as usize] = *weight);
            let score = |vector: &TextVector| {
                let weighed = vector.entries.iter().map(|(column, value)| weights[*column as usize] * value);
                weighed.sum::<f64>() + machine.bias
            };
            Ok(others.iter().map(score).collect())
        };
        (0..self.truth.len()).into_par_iter().with_max_len(1).map(of_topic).collect()
    }
}

/// Assigns each document to a fold at random by the seed. Fold sizes differ by at most one.
pub(crate) fn folds(n_documents: usize, n_folds: usize, seed: u64) -> Result<Vec<usize>> {
    if n_folds < 2 || n_folds > n_documents {
        return Err(Error::parameter(format!(
            "{n_folds} folds of {n_documents} documents, expected from 2 to as many as there are documents"
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
        // Each document has its own column and its topic's. Only the topic's column generalises.
        let mut rows = Rows::new(3);
        let truth = vec![vec![true, true, true, true, false, false, false, false], vec![true; 8]];
        for is_true in &truth[0] {
            rows.push([(if *is_true { 0 } else { 1 }, 1.0)], 0.5);
        }
        let machines = Machines { rows: &rows, truth: &truth, params: LinearParams::default(), is_balanced: false };
        let folds = [0, 1, 2, 3, 0, 1, 2, 3];
        let found = machines.held_out(&folds, &[0.1, 1.0], Progress::none()).unwrap();
        assert_eq!(found.iter().map(|at| at.cost).collect::<Vec<_>>(), [0.1, 1.0]);
        assert!(found[1].scores[0].iter().zip(&truth[0]).all(|(score, is)| (*score > 0.0) == *is), "{found:?}");
        // A topic of all documents cannot be learned.
        assert_eq!(found[1].scores[1], [0.0; 8]);
        assert_eq!(found[1].macro_average_precision(&truth), 1.0);
        let pruned = machines.held_out_pruned(&folds, 1.0, 99, Progress::none()).unwrap();
        assert_eq!(pruned.scores[0].iter().map(|s| *s > 0.0).collect::<Vec<_>>(), truth[0]);
        // Without weights, a machine gives all held-out documents the same score.
        let bare = machines.held_out_pruned(&folds, 1.0, 0, Progress::none()).unwrap();
        assert_eq!(bare.scores[0][0], bare.scores[0][4]);
        let one = machines.fit(&[0, 1, 2, 4, 5, 6], 1.0, Progress::none());
        assert!(one.unwrap_err().to_string().contains("all positive"));
        assert!(super::folds(3, 4, 1).is_err() && super::folds(4, 1, 1).is_err());
        let mut even = super::folds(10, 3, 7).unwrap();
        even.sort_unstable();
        assert_eq!(even, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
    }
}
