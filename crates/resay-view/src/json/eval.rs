//! Measures with their intervals, and how two models compare.

use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::significance::{Comparison, Interval};
use serde::Serialize;

/// The line of `eval` for pairs.
#[derive(Debug, Serialize)]
pub struct Evaluation<'a> {
    /// The model's file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// How many pairs.
    pub n_pairs: usize,
    /// How many of them are labelled yes.
    pub n_positive: usize,
    /// Of a model that ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<RankingGroups>,
    /// Decisions by truth.
    pub counts: ConfusionCounts,
    /// The measures.
    pub measures: Vec<MeasureInterval>,
    /// Another model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<Versus>,
}

/// How many groups there are, and how many have a right candidate, or right and wrong ones.
#[derive(Debug, Serialize)]
pub struct RankingGroups {
    /// All groups.
    pub all: usize,
    /// Those with a right candidate.
    pub any_right: usize,
    /// Those with right and wrong ones.
    pub mixed: usize,
}

/// Decisions by truth.
#[derive(Debug, Serialize)]
pub struct ConfusionCounts {
    /// Yes, and rightly so.
    pub true_positive: usize,
    /// Yes, but it should be no.
    pub false_positive: usize,
    /// No, but it should be yes.
    pub false_negative: usize,
    /// No, and rightly so.
    pub true_negative: usize,
}

impl From<Confusion> for ConfusionCounts {
    fn from(counts: Confusion) -> Self {
        let Confusion { true_positive, false_positive, false_negative, true_negative } = counts;
        Self { true_positive, false_positive, false_negative, true_negative }
    }
}

/// A measure with its 95 % interval; null where it is undefined.
#[derive(Debug, Serialize)]
pub struct MeasureInterval {
    /// The measure by name.
    pub measure: &'static str,
    /// On all of the data.
    pub value: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl MeasureInterval {
    /// A measure by name; `None` where it is undefined.
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
    /// Its decisions by truth.
    pub counts: ConfusionCounts,
    /// Exact, on accuracy.
    pub mcnemar_p: f64,
    /// How the two differ.
    pub measures: Vec<MeasureDifference>,
}

/// A measure of both models: the first minus the second, with its 95 % interval and the paired
/// randomisation test.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureDifference {
    /// The measure by name.
    pub measure: &'static str,
    /// The first model.
    pub first: Option<f64>,
    /// The second model.
    pub second: Option<f64>,
    /// The first minus the second.
    pub difference: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The p-value of the test.
    pub p: Option<f64>,
}

impl MeasureDifference {
    /// A measure by name; `None` where it is undefined.
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
