//! Lines about features and about names.

use super::{MeasureDifference, MeasureInterval};
use serde::Serialize;

/// A row of `rules` for a model whose features have no more than a name and a weight.
#[derive(Debug, Serialize)]
pub struct FeatureWeight<'a> {
    /// The feature by name.
    pub feature: &'a str,
    /// Its weight.
    pub weight: f64,
}

/// The line of `eval` with a model of names.
#[derive(Debug, Serialize)]
pub struct NamesEvaluation<'a> {
    /// The model's file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// How many pairs.
    pub n_pairs: usize,
    /// Candidates of each name at most.
    pub n_candidates: usize,
    /// The measures.
    pub measures: Vec<MeasureInterval>,
    /// Another model on the same data.
    pub versus: Option<NamesVersus>,
}

/// The same names under another model.
#[derive(Debug, Serialize)]
pub struct NamesVersus {
    /// The other model's file.
    pub model: String,
    /// How the two differ.
    pub measures: Vec<MeasureDifference>,
}

/// A row of `rank` for names.
#[derive(Debug, Serialize)]
pub struct RankedNameJson<'a> {
    /// The name that was asked for.
    pub query: &'a str,
    /// The place of the candidate, from 1.
    pub rank: usize,
    /// A name that may be the same.
    pub candidate: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely it is the same.
    pub probability: f64,
}
