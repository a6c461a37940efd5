//! Metrics with their intervals, and comparisons of two models.

use resay_learn::eval::calibration::{Calibration, CalibrationBin};
use resay_learn::eval::categories::CategoryClass;
use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::risk::{RiskCurve, RiskPoint};
use resay_learn::eval::significance::{Comparison, Interval};
use serde::Serialize;

/// The line of `eval` for pairs.
#[derive(Debug, Serialize)]
pub struct Evaluation<'a> {
    /// The model file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// Number of pairs.
    pub n_pairs: usize,
    /// Number of positive pairs.
    pub n_positive: usize,
    /// Group counts, for a ranking model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<RankingGroups>,
    /// The confusion matrix.
    pub counts: ConfusionCounts,
    /// The metrics of each class: yes, then no.
    pub classes: [ClassFigures<'a>; 2],
    /// The metrics.
    pub measures: Vec<MeasureInterval>,
    /// Probabilities against observed shares; null if undefined.
    pub calibration: Option<Reliability>,
    /// Error rates of the surest decisions; null if undefined.
    pub risk_coverage: Option<RiskCoverage>,
    /// A second model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<Versus>,
}

/// Numbers of groups: all, with a correct candidate, and with both correct and wrong candidates.
#[derive(Debug, Serialize)]
pub struct RankingGroups {
    /// All groups.
    pub all: usize,
    /// Groups with a correct candidate.
    pub any_right: usize,
    /// Groups with correct and wrong candidates.
    pub mixed: usize,
}

/// A confusion matrix.
#[derive(Debug, Serialize)]
pub struct ConfusionCounts {
    /// Predicted yes, correctly.
    pub true_positive: usize,
    /// Predicted yes, wrongly.
    pub false_positive: usize,
    /// Predicted no, wrongly.
    pub false_negative: usize,
    /// Predicted no, correctly.
    pub true_negative: usize,
}

impl From<Confusion> for ConfusionCounts {
    fn from(counts: Confusion) -> Self {
        let Confusion { true_positive, false_positive, false_negative, true_negative } = counts;
        Self { true_positive, false_positive, false_negative, true_negative }
    }
}

/// The metrics of one class.
#[derive(Debug, Serialize)]
pub struct ClassFigures<'a> {
    /// The label.
    pub label: &'a str,
    /// Number of examples of it.
    pub n: usize,
    /// Share of its predictions that are correct.
    pub precision: f64,
    /// Share of its examples that were found.
    pub recall: f64,
    /// Harmonic mean of both.
    pub f1: f64,
}

impl<'a> ClassFigures<'a> {
    /// Builds the entry of the positive class of a confusion matrix.
    pub fn of(label: &'a str, counts: Confusion) -> Self {
        let n = counts.true_positive + counts.false_negative;
        Self { label, n, precision: counts.precision(), recall: counts.recall(), f1: counts.f1() }
    }
}

/// Predicted probabilities against observed shares.
#[derive(Debug, Serialize)]
pub struct Reliability {
    /// Expected calibration error.
    pub error: f64,
    /// Bins of equal width, from 0 to 1.
    pub bins: Vec<ReliabilityBin>,
}

/// The examples whose probability is in a range; figures are null without examples.
#[derive(Debug, Serialize)]
pub struct ReliabilityBin {
    /// The lower end of the range.
    pub from: f64,
    /// The upper end of the range.
    pub to: f64,
    /// Number of examples.
    pub n: usize,
    /// Mean probability.
    pub probability: Option<f64>,
    /// Share of positives.
    pub share: Option<f64>,
    /// The lower bound of its exact interval.
    pub low: Option<f64>,
    /// The upper bound of its exact interval.
    pub high: Option<f64>,
}

impl Reliability {
    /// Builds the entry of a calibration.
    pub fn of(found: &Calibration) -> Self {
        let bin = |bin: &CalibrationBin| {
            let part = |part: fn(Interval) -> f64| bin.share.map(part);
            let (share, low, high) = (part(|i| i.value), part(|i| i.low), part(|i| i.high));
            ReliabilityBin { from: bin.from, to: bin.to, n: bin.n, probability: bin.mean_probability, share, low, high }
        };
        Self { error: found.error, bins: found.bins.iter().map(bin).collect() }
    }
}

/// The risk-coverage curve.
#[derive(Debug, Serialize)]
pub struct RiskCoverage {
    /// The area under it.
    pub area: f64,
    /// Points of it, from the surest decisions to all.
    pub points: Vec<CoveragePoint>,
}

/// A point of the risk-coverage curve.
#[derive(Debug, Serialize)]
pub struct CoveragePoint {
    /// The least confidence of an answer.
    pub confidence: f64,
    /// Share of examples that are answered.
    pub coverage: f64,
    /// Share of answers that are wrong.
    pub risk: f64,
}

impl RiskCoverage {
    /// Builds the entry of a curve, with at most `n_points` of its points.
    pub fn of(curve: &RiskCurve, n_points: usize) -> Self {
        let point = |RiskPoint { confidence, coverage, risk }| CoveragePoint { confidence, coverage, risk };
        Self { area: curve.area, points: curve.thinned(n_points).into_iter().map(point).collect() }
    }
}

/// A metric with its 95 % interval; null if undefined.
#[derive(Debug, Serialize)]
pub struct MeasureInterval {
    /// The name of the metric.
    pub measure: &'static str,
    /// The value on all data.
    pub value: Option<f64>,
    /// The lower bound of the interval.
    pub low: Option<f64>,
    /// The upper bound of the interval.
    pub high: Option<f64>,
}

impl MeasureInterval {
    /// Builds the entry of a metric; `None` if undefined.
    pub fn of(measure: &'static str, interval: Option<Interval>) -> Self {
        let end = |end: fn(Interval) -> f64| interval.map(end);
        Self { measure, value: end(|i| i.value), low: end(|i| i.low), high: end(|i| i.high) }
    }
}

/// A second model on the same pairs.
#[derive(Debug, Serialize)]
pub struct Versus {
    /// The other model's file.
    pub model: String,
    /// Its confusion matrix.
    pub counts: ConfusionCounts,
    /// The p-value of the exact McNemar test on accuracy.
    pub mcnemar_p: f64,
    /// The differences by metric.
    pub measures: Vec<MeasureDifference>,
}

/// A metric of both models: the first minus the second, with its 95 % interval and the paired
/// randomisation test.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureDifference {
    /// The name of the metric.
    pub measure: &'static str,
    /// The value of the first model.
    pub first: Option<f64>,
    /// The value of the second model.
    pub second: Option<f64>,
    /// The first minus the second.
    pub difference: Option<f64>,
    /// The lower bound of the interval.
    pub low: Option<f64>,
    /// The upper bound of the interval.
    pub high: Option<f64>,
    /// The p-value of the test.
    pub p: Option<f64>,
}

impl MeasureDifference {
    /// Builds the entry of a metric; `None` if undefined.
    pub fn of(measure: &'static str, found: Option<Comparison>) -> Self {
        let part = |part: fn(Comparison) -> f64| found.map(part);
        Self {
            measure,
            first: part(|c| c.first),
            second: part(|c| c.second),
            difference: part(|c| c.difference.value),
            low: part(|c| c.difference.low),
            high: part(|c| c.difference.high),
            p: part(|c| c.p_value),
        }
    }
}

/// The line of `eval` for a model of several classes or levels.
#[derive(Debug, Serialize)]
pub struct CategoryEvaluation<'a> {
    /// The model file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// Number of pairs.
    pub n_pairs: usize,
    /// The classes.
    pub labels: &'a [String],
    /// Numbers of pairs: one row per true class, one column per predicted class.
    pub confusion: Vec<Vec<usize>>,
    /// The figures of each class.
    pub classes: Vec<CategoryClassJson<'a>>,
    /// The metrics.
    pub measures: Vec<MeasureInterval>,
    /// A second model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<AnswersVersus>,
}

/// The figures of one class of several.
#[derive(Debug, Serialize)]
pub struct CategoryClassJson<'a> {
    /// The class.
    pub class: &'a str,
    /// Number of pairs of it.
    pub n_gold: usize,
    /// Number of pairs that were predicted to be of it.
    pub n_predicted: usize,
    /// Share of its predictions that are correct.
    pub precision: MeasureInterval,
    /// Share of its pairs that were found.
    pub recall: MeasureInterval,
    /// Harmonic mean of both.
    pub f1: MeasureInterval,
}

impl<'a> CategoryClassJson<'a> {
    /// Builds the entry of a class.
    pub fn of(class: &'a str, found: &CategoryClass) -> Self {
        Self {
            class,
            n_gold: found.n_gold,
            n_predicted: found.n_predicted,
            precision: MeasureInterval::of("precision", Some(found.precision)),
            recall: MeasureInterval::of("recall", Some(found.recall)),
            f1: MeasureInterval::of("F1", Some(found.f1)),
        }
    }
}

/// The line of `eval` for a model of numbers.
#[derive(Debug, Serialize)]
pub struct NumberEvaluation<'a> {
    /// The model file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// Number of pairs.
    pub n_pairs: usize,
    /// The mean width of the intervals around predicted numbers.
    pub mean_interval_width: Option<f64>,
    /// The metrics.
    pub measures: Vec<MeasureInterval>,
    /// A second model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<AnswersVersus>,
}

/// A second model of classes or numbers on the same pairs.
#[derive(Debug, Serialize)]
pub struct AnswersVersus {
    /// The other model's file.
    pub model: String,
    /// The p-value of the exact McNemar test on accuracy, for classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar_p: Option<f64>,
    /// The differences by metric.
    pub measures: Vec<MeasureDifference>,
}
