//! Lines about models that decide over hidden alignments, and about names.

use super::{Difference, Figure, Seconds};
use resay::model::{CombinedAbout, LatentAbout, NamesAbout};
use serde::Serialize;

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub(crate) struct HiddenFeature<'a> {
    pub(crate) feature: &'a str,
    pub(crate) weight: f64,
}

/// The line of `train --learner latent`.
#[derive(Debug, Serialize)]
pub(crate) struct LatentTraining<'a> {
    pub(crate) model: String,
    pub(crate) size: u64,
    #[serde(flatten)]
    pub(crate) about: &'a LatentAbout,
    pub(crate) seconds: Seconds,
}

/// The line of `train --learner combined`.
#[derive(Debug, Serialize)]
pub(crate) struct CombinedTraining<'a> {
    pub(crate) model: String,
    pub(crate) size: u64,
    #[serde(flatten)]
    pub(crate) about: &'a CombinedAbout,
    pub(crate) seconds: Seconds,
}

/// The line of `models` about the judge.
#[derive(Debug, Serialize)]
pub(crate) struct BundledJudge<'a> {
    pub(crate) name: &'a str,
    pub(crate) size: usize,
    #[serde(flatten)]
    pub(crate) about: &'a CombinedAbout,
}

/// The line of `train --task names`.
#[derive(Debug, Serialize)]
pub(crate) struct NamesTraining<'a> {
    pub(crate) model: String,
    pub(crate) size: u64,
    #[serde(flatten)]
    pub(crate) about: &'a NamesAbout,
    pub(crate) seconds: Seconds,
}

/// The line of `eval` with a model of names.
#[derive(Debug, Serialize)]
pub(crate) struct NamesEvaluation<'a> {
    pub(crate) model: String,
    pub(crate) data: &'a str,
    pub(crate) n_pairs: usize,
    /// Candidates of each name at most.
    pub(crate) n_candidates: usize,
    pub(crate) measures: Vec<Figure>,
    pub(crate) versus: Option<NamesVersus>,
}

/// The same names under another model.
#[derive(Debug, Serialize)]
pub(crate) struct NamesVersus {
    pub(crate) model: String,
    pub(crate) measures: Vec<Difference>,
}

/// A row of `rank --queries`.
#[derive(Debug, Serialize)]
pub(crate) struct RankedName<'a> {
    pub(crate) query: &'a str,
    pub(crate) rank: usize,
    pub(crate) candidate: &'a str,
    pub(crate) score: f64,
    pub(crate) probability: f64,
}
