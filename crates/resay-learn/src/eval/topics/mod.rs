//! Multi-label topic classification: figures per label, and summaries over all labels.
//!
//! A macro figure is a mean over labels, so rare labels count as much as frequent ones. A micro
//! figure pools all decisions. Labels that no document has cannot be ranked well or badly and are
//! excluded from the means; the summary counts them. A label with true documents of which none was
//! accepted counts as 0 in the mean of `accepted_average_precision`: excluding it would reward
//! silence.

mod label;
mod resample;

pub use label::{LabelFigures, average_precision_of_accepted, break_even};
pub use resample::{topic_comparisons, topic_intervals};

use super::metrics::Confusion;
use crate::{Error, Result};
use label::Ranking;

/// Figures of every label, in the given order, and their summary.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicFigures {
    /// One entry per label.
    pub labels: Vec<LabelFigures>,
    /// The summary over all labels.
    pub summary: TopicSummary,
}

/// Summary figures over all labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicSummary {
    /// Mean of the labels' average precision.
    pub macro_average_precision: Option<f64>,
    /// Mean of the labels' break-even points.
    pub macro_break_even: Option<f64>,
    /// Mean of the labels' average precision of accepted documents.
    pub macro_accepted_average_precision: Option<f64>,
    /// All decisions pooled, with precision, recall and F1.
    pub micro: Confusion,
    /// Mean of the labels' F1.
    pub macro_f1: Option<f64>,
    /// Number of labels that no document has: they are excluded from the first three means.
    pub n_without_true: usize,
    /// Number of labels that no document has or was assigned: they are excluded from the mean of
    /// F1.
    pub n_without_f1: usize,
}

/// A summary figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicFigure {
    /// `TopicSummary::macro_average_precision`.
    MacroAveragePrecision,
    /// `TopicSummary::macro_break_even`.
    MacroBreakEven,
    /// `TopicSummary::macro_accepted_average_precision`.
    MacroAcceptedAveragePrecision,
    /// F1 of `TopicSummary::micro`.
    MicroF1,
    /// `TopicSummary::macro_f1`.
    MacroF1,
}

impl TopicFigure {
    /// All figures, in display order.
    pub const ALL: [Self; 5] = [
        Self::MacroAveragePrecision,
        Self::MacroBreakEven,
        Self::MacroAcceptedAveragePrecision,
        Self::MicroF1,
        Self::MacroF1,
    ];

    /// The name of the figure.
    pub fn name(self) -> &'static str {
        match self {
            Self::MacroAveragePrecision => "macro AP",
            Self::MacroBreakEven => "macro break-even",
            Self::MacroAcceptedAveragePrecision => "macro AP of accepted",
            Self::MicroF1 => "micro F1",
            Self::MacroF1 => "macro F1",
        }
    }

    /// Returns its value, if it is defined.
    pub fn of(self, summary: &TopicSummary) -> Option<f64> {
        match self {
            Self::MacroAveragePrecision => summary.macro_average_precision,
            Self::MacroBreakEven => summary.macro_break_even,
            Self::MacroAcceptedAveragePrecision => summary.macro_accepted_average_precision,
            Self::MicroF1 => Some(summary.micro.f1()),
            Self::MacroF1 => summary.macro_f1,
        }
    }
}

/// Computes all figures of `scores[label][document]` against `truth[label][document]`. A label is
/// assigned if `score > threshold`.
pub fn topic_figures(scores: &[Vec<f64>], truth: &[Vec<bool>], threshold: f64) -> Result<TopicFigures> {
    check_shape(scores, truth)?;
    let of_label = |(scores, truth): (&Vec<f64>, &Vec<bool>)| Ranking::new(scores, truth, threshold).figures(|_, _| 1);
    let labels: Vec<LabelFigures> = scores.iter().zip(truth).map(of_label).collect();
    let summary = TopicSummary::of(&labels);
    Ok(TopicFigures { labels, summary })
}

impl TopicSummary {
    /// Summarises the figures of labels.
    pub fn of(labels: &[LabelFigures]) -> Self {
        let with_true = || labels.iter().filter(|label| label.n_true > 0);
        let accepted = |label: &LabelFigures| label.accepted_average_precision.unwrap_or(0.0);
        let confusions: Vec<Confusion> = labels.iter().map(|label| label.confusion).collect();
        let (macro_f1, n_without_f1) = macro_f1(&confusions);
        Self {
            macro_average_precision: mean(with_true().filter_map(|label| label.average_precision)),
            macro_break_even: mean(with_true().filter_map(|label| label.break_even)),
            macro_accepted_average_precision: mean(with_true().map(accepted)),
            micro: micro(&confusions),
            macro_f1,
            n_without_true: labels.len() - with_true().count(),
            n_without_f1,
        }
    }
}

/// Pools the decisions of all labels: precision, recall and F1 of the result are the micro figures.
pub fn micro(labels: &[Confusion]) -> Confusion {
    labels.iter().fold(Confusion::default(), |sum, label| Confusion {
        true_positive: sum.true_positive + label.true_positive,
        false_positive: sum.false_positive + label.false_positive,
        false_negative: sum.false_negative + label.false_negative,
        true_negative: sum.true_negative + label.true_negative,
    })
}

/// Returns the mean of the labels' F1, and the number of labels excluded because no document has
/// them or was assigned them: their F1 is 0/0. The mean is `None` if all are excluded.
pub fn macro_f1(labels: &[Confusion]) -> (Option<f64>, usize) {
    let is_defined = |label: &&Confusion| label.true_positive + label.false_positive + label.false_negative > 0;
    let defined = || labels.iter().filter(is_defined);
    (mean(defined().map(Confusion::f1)), labels.len() - defined().count())
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0usize, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / n as f64)
}

/// Checks that scores and truth have the same labels and documents. Returns the number of
/// documents.
fn check_shape(scores: &[Vec<f64>], truth: &[Vec<bool>]) -> Result<usize> {
    if scores.len() != truth.len() {
        let (n, other) = (scores.len(), truth.len());
        return Err(Error::data(format!("scores of {n} labels but the truth of {other}, expected the same labels")));
    }
    let Some(n_documents) = truth.first().map(Vec::len) else {
        return Err(Error::data("no labels to measure, expected at least one"));
    };
    let lengths = scores.iter().map(Vec::len).chain(truth.iter().map(Vec::len));
    match lengths.enumerate().find(|(_, length)| *length != n_documents) {
        Some((at, length)) => {
            let label = at % truth.len();
            Err(Error::data(format!("label {label} has {length} documents, expected {n_documents} as the first has")))
        }
        None => Ok(n_documents),
    }
}

#[cfg(test)]
mod testing {
    use crate::rng::SplitMix;

    /// The truth, and scores `[label][document]` of few distinct values, better than chance by
    /// `skill`.
    pub(super) fn random_case(
        seed: u64,
        n_labels: usize,
        n_documents: usize,
        skill: f64,
    ) -> (Vec<Vec<f64>>, Vec<Vec<bool>>) {
        // The truth has its own stream, so that two systems can share it.
        let (mut of_truth, mut of_scores) = (SplitMix::new(77), SplitMix::new(seed));
        let mut truth = Vec::new();
        for label in 0..n_labels {
            truth.push((0..n_documents).map(|_| of_truth.below(3 + label) == 0).collect::<Vec<bool>>());
        }
        let mut score = |is_true: &bool| {
            let shift = if *is_true { skill } else { 0.0 };
            ((of_scores.unit() - 0.7 + shift) * 20.0).round() / 20.0
        };
        let scores = truth.iter().map(|label| label.iter().map(&mut score).collect()).collect();
        (scores, truth)
    }
}

#[cfg(test)]
mod tests {
    use super::testing::random_case;
    use super::*;
    use crate::eval::metrics::average_precision;

    type Measure<'m> = &'m dyn Fn(&[f64], &[bool]) -> Option<f64>;

    #[test]
    fn the_summary_is_made_of_the_plain_measures() {
        for seed in 0..50 {
            let (scores, truth) = random_case(seed, 4, 30, 0.2);
            let found = topic_figures(&scores, &truth, 0.0).unwrap();
            let over = |measure: Measure<'_>| {
                let values: Vec<f64> =
                    scores.iter().zip(&truth).filter_map(|(scores, truth)| measure(scores, truth)).collect();
                Some(values.iter().sum::<f64>() / values.len() as f64)
            };
            let close = |left: Option<f64>, right: Option<f64>| (left.unwrap() - right.unwrap()).abs() < 1e-12;
            let summary = found.summary;
            assert!(close(summary.macro_average_precision, over(&average_precision)));
            assert!(close(summary.macro_break_even, over(&break_even)));
            let accepted = |scores: &[f64], truth: &[bool]| {
                Some(average_precision_of_accepted(scores, truth, 0.0).unwrap_or_default())
            };
            assert!(close(summary.macro_accepted_average_precision, over(&accepted)));
            let f1 = |scores: &[f64], truth: &[bool]| Some(Confusion::at(scores, truth, 0.0).f1());
            assert!(close(summary.macro_f1, over(&f1)));
            // Micro: all decisions in one long list.
            assert_eq!(summary.micro, Confusion::at(&scores.concat(), &truth.concat(), 0.0));
            assert_eq!((summary.n_without_true, summary.n_without_f1), (0, 0));
        }
    }

    #[test]
    fn labels_without_documents_are_left_out_and_counted() {
        let check = |scores: &[&[f64]], truth: &[&[u8]], expected: [Option<f64>; 5], n_left_out: (usize, usize)| {
            let scores: Vec<Vec<f64>> = scores.iter().map(|row| row.to_vec()).collect();
            let bools = |row: &&[u8]| row.iter().map(|bit| *bit == 1).collect();
            let truth: Vec<Vec<bool>> = truth.iter().map(bools).collect();
            let summary = topic_figures(&scores, &truth, 0.0).unwrap().summary;
            assert_eq!(TopicFigure::ALL.map(|figure| figure.of(&summary)), expected);
            assert_eq!((summary.n_without_true, summary.n_without_f1), n_left_out);
        };
        let (right, none) = (Some(1.0), None);
        check(&[&[1.0, -1.0], &[-1.0, -1.0]], &[&[1, 0], &[0, 0]], [right; 5], (1, 1));
        // A label that no document has but one was assigned: F1 is 0 and counts.
        let half = Some(0.5);
        check(&[&[1.0, -1.0], &[1.0, -1.0]], &[&[1, 0], &[0, 0]], [right, right, right, Some(2.0 / 3.0), half], (1, 0));
        // A label whose documents were all missed: its accepted precision is 0 and counts.
        check(&[&[1.0, -1.0], &[-1.0, -2.0]], &[&[1, 0], &[1, 0]], [right, right, half, Some(2.0 / 3.0), half], (0, 0));
        check(&[&[-1.0]], &[&[0]], [none, none, none, Some(0.0), none], (1, 1));
        check(&[&[]], &[&[]], [none, none, none, Some(0.0), none], (1, 1));
    }

    #[test]
    fn shapes_that_differ_are_refused() {
        let check = |scores: &[Vec<f64>], truth: &[Vec<bool>], expected: &str| {
            assert_eq!(topic_figures(scores, truth, 0.0).unwrap_err().to_string(), expected);
        };
        check(&[], &[], "no labels to measure, expected at least one");
        check(&[vec![]], &[], "scores of 1 labels but the truth of 0, expected the same labels");
        let (two, one) = (vec![true; 2], vec![0.0]);
        check(
            &[vec![0.0; 2], one],
            &[two.clone(), two.clone()],
            "label 1 has 1 documents, expected 2 as the first has",
        );
        check(
            &[vec![0.0; 2], vec![0.0; 2]],
            &[two, vec![true]],
            "label 1 has 1 documents, expected 2 as the first has",
        );
    }
}
