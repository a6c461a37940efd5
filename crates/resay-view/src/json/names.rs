//! Lines about features and about names.

use super::{MeasureDifference, MeasureInterval};
use serde::Serialize;

/// A row of `rules` for a model whose features have just a name and a weight.
#[derive(Debug, Serialize)]
pub struct FeatureWeight<'a> {
    /// The class that it speaks for, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'a str>,
    /// The name of the feature.
    pub feature: &'a str,
    /// Its weight.
    pub weight: f64,
}

/// The line of `eval` for a names model.
#[derive(Debug, Serialize)]
pub struct NamesEvaluation<'a> {
    /// The model file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// Number of pairs.
    pub n_pairs: usize,
    /// Maximum number of candidates per name.
    pub n_candidates: usize,
    /// The metrics.
    pub measures: Vec<MeasureInterval>,
    /// A second model on the same data.
    pub versus: Option<NamesVersus>,
}

/// A second model on the same names.
#[derive(Debug, Serialize)]
pub struct NamesVersus {
    /// The other model's file.
    pub model: String,
    /// The differences by metric.
    pub measures: Vec<MeasureDifference>,
}

/// A row of `rank` for names.
#[derive(Debug, Serialize)]
pub struct RankedNameJson<'a> {
    /// The query name.
    pub query: &'a str,
    /// The rank of the candidate, 1-based.
    pub rank: usize,
    /// The candidate name.
    pub candidate: &'a str,
    /// The score; positive scores favour a match.
    pub score: f64,
    /// The probability of a match.
    pub probability: f64,
}
