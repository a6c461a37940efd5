//! What a cost is chosen by: a measure of held-out answers.

use super::answers::{Answers, Given};
use crate::model::Response;
use crate::{Error, Result};
use resay_learn::eval::ranking::{Ranked, RankingFigure, Which, rank};
use resay_learn::svm::search::{self, HeadsHeldOut, HeldOut};

/// The measure maximised when choosing the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// Fraction of correct decisions.
    Accuracy,
    /// Harmonic mean of precision and recall of the positive class; the mean over all classes if
    /// there are more than two.
    F1,
    /// Mean reciprocal rank over groups with both right and wrong candidates. All rankings of any
    /// other group are equally good.
    Mrr,
    /// Mean average precision over the same groups.
    Map,
    /// Pearson's correlation with the labels, for numbers and levels.
    Pearson,
}

impl Measure {
    /// Returns the measure's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::F1 => "F1",
            Self::Mrr => RankingFigure::Mrr.name(),
            Self::Map => RankingFigure::Map.name(),
            Self::Pearson => "Pearson",
        }
    }

    /// Returns whether the measure ranks within groups.
    pub fn ranks(self) -> bool {
        matches!(self, Self::Mrr | Self::Map)
    }

    /// Returns the measure for answers of this kind: numbers and levels have no accuracy to choose
    /// by, but a correlation. Any other measure must fit.
    pub(super) fn for_answers(self, response: &Response) -> Result<Self> {
        let is_number = matches!(response, Response::Real { .. } | Response::Ordinal { .. });
        let is_binary = matches!(response, Response::Binary { .. });
        match self {
            Self::Accuracy if is_number => Ok(Self::Pearson),
            Self::Pearson if !is_number => {
                Err(Error::parameter("Pearson's correlation is for numbers and levels: choose by accuracy or F1"))
            }
            Self::F1 if is_number => {
                Err(Error::parameter("F1 is for classes: choose by accuracy or Pearson's correlation"))
            }
            Self::Mrr | Self::Map if !is_binary => {
                let name = self.name();
                Err(Error::parameter(format!("{name} is for answers of yes or no: name the positive label")))
            }
            _ => Ok(self),
        }
    }

    /// Evaluates held-out rows of yes or no. If the measure ranks, `groups` holds the group number
    /// of every row.
    pub(super) fn of(self, held_out: &HeldOut<'_>, groups: &[usize]) -> f64 {
        let ranked = |figure: RankingFigure| figure.mean(&ranked(held_out, groups)).unwrap_or(0.0);
        match self {
            Self::Accuracy | Self::Pearson => search::accuracy(held_out),
            Self::F1 => search::f1(held_out),
            Self::Mrr => ranked(RankingFigure::Mrr),
            Self::Map => ranked(RankingFigure::Map),
        }
    }

    /// Evaluates held-out rows of any kind of answer, by the scores of all heads.
    pub(super) fn of_heads(self, held_out: &HeadsHeldOut<'_>, answers: &Answers, groups: &[usize]) -> f64 {
        let HeadsHeldOut { rows, scores } = *held_out;
        match (&answers.given, &answers.response) {
            (Given::Labels(labels), _) => {
                let labels: Vec<bool> = rows.iter().map(|&row| labels[row]).collect();
                self.of(&HeldOut { rows, scores: scores[0], labels: &labels }, groups)
            }
            (Given::Classes(levels), Response::Ordinal { .. }) => {
                pearson(&sums(scores), &rows.iter().map(|&row| levels[row] as f64).collect::<Vec<_>>())
            }
            (Given::Classes(classes), _) => {
                let said = (0..rows.len()).map(|at| {
                    (0..scores.len())
                        .fold(0, |best, head| if scores[head][at] > scores[best][at] { head } else { best })
                });
                let pairs: Vec<(usize, usize)> = said.zip(rows.iter().map(|&row| classes[row])).collect();
                if self == Self::F1 { macro_f1(&pairs, scores.len()) } else { accuracy(&pairs) }
            }
            (Given::Numbers(numbers), _) => {
                pearson(&sums(scores), &rows.iter().map(|&row| numbers[row]).collect::<Vec<_>>())
            }
        }
    }
}

/// Groups as held-out scores rank them.
pub(super) fn ranked(held_out: &HeldOut<'_>, groups: &[usize]) -> Vec<Ranked> {
    let groups: Vec<usize> = held_out.rows.iter().map(|&row| groups[row]).collect();
    rank(held_out.scores, held_out.labels, &groups, Which::Mixed)
}

/// The sum of all heads for each row.
fn sums(scores: &[&[f64]]) -> Vec<f64> {
    (0..scores.first().map_or(0, |head| head.len())).map(|at| scores.iter().map(|head| head[at]).sum()).collect()
}

fn accuracy(pairs: &[(usize, usize)]) -> f64 {
    pairs.iter().filter(|(said, is)| said == is).count() as f64 / pairs.len().max(1) as f64
}

/// The mean over classes of 2 |said and is| / (|said| + |is|); a class that never occurs counts 0.
fn macro_f1(pairs: &[(usize, usize)], n_classes: usize) -> f64 {
    let of_class = |class: usize| {
        let both = pairs.iter().filter(|pair| **pair == (class, class)).count();
        let either =
            pairs.iter().map(|(said, is)| usize::from(*said == class) + usize::from(*is == class)).sum::<usize>();
        2.0 * both as f64 / either.max(1) as f64
    };
    (0..n_classes).map(of_class).sum::<f64>() / n_classes.max(1) as f64
}

/// Pearson's correlation; 0 if either side is constant.
fn pearson(values: &[f64], gold: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_value, mean_gold) = (mean(values), mean(gold));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        values.iter().zip(gold).map(|(value, gold)| of(value - mean_value, gold - mean_gold)).sum()
    };
    let (both, one, other) = (sum(&|a, b| a * b), sum(&|a, _| a * a), sum(&|_, b| b * b));
    if one > 0.0 && other > 0.0 { both / (one.sqrt() * other.sqrt()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(response: Response, given: Given) -> Answers {
        Answers { response, given, merged: Vec::new() }
    }

    #[test]
    fn the_highest_head_is_the_class() {
        let labels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let truth = answers(Response::Categories { labels }, Given::Classes(vec![9, 0, 1, 2, 2]));
        let heads: [&[f64]; 3] = [&[1.0, 0.0, 0.5, 0.5], &[0.0, 2.0, 0.4, 0.5], &[0.5, 0.0, 0.6, 0.4]];
        let held_out = HeadsHeldOut { rows: &[1, 2, 3, 4], scores: &heads };
        assert_eq!(Measure::Accuracy.of_heads(&held_out, &truth, &[]), 0.75);
        // Class 0: said twice, is once, both once; class 1: once each; class 2: said once, is twice.
        let expected = (2.0 / 3.0 + 1.0 + 2.0 / 3.0) / 3.0;
        assert!((Measure::F1.of_heads(&held_out, &truth, &[]) - expected).abs() < 1e-12);
    }

    #[test]
    fn numbers_and_levels_are_correlated() {
        let truth = answers(Response::Real { low: 0.0, high: 9.0 }, Given::Numbers(vec![1.0, 2.0, 4.0]));
        let of = |scores: &[f64]| {
            Measure::Pearson.of_heads(&HeadsHeldOut { rows: &[0, 1, 2], scores: &[scores] }, &truth, &[])
        };
        assert!((of(&[10.0, 20.0, 40.0]) - 1.0).abs() < 1e-12 && (of(&[-1.0, -2.0, -4.0]) + 1.0).abs() < 1e-12);
        assert_eq!(of(&[3.0, 3.0, 3.0]), 0.0);
        let levels = ["1", "2", "3"].map(str::to_owned).to_vec();
        let truth = answers(Response::Ordinal { levels }, Given::Classes(vec![0, 1, 2]));
        let two_steps: [&[f64]; 2] = [&[0.0, 1.0, 1.0], &[0.0, 0.0, 1.0]];
        let held_out = HeadsHeldOut { rows: &[0, 1, 2], scores: &two_steps };
        assert!((Measure::Pearson.of_heads(&held_out, &truth, &[]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn measures_fit_the_answers() {
        let binary = Response::Binary { labels: ["0".to_owned(), "1".to_owned()] };
        let real = Response::Real { low: 0.0, high: 1.0 };
        assert_eq!(Measure::Accuracy.for_answers(&real).unwrap(), Measure::Pearson);
        assert_eq!(Measure::F1.for_answers(&binary).unwrap(), Measure::F1);
        for (measure, response) in [(Measure::Pearson, &binary), (Measure::F1, &real), (Measure::Map, &real)] {
            assert!(measure.for_answers(response).is_err());
        }
    }
}
