//! The result of training, and its time.

use crate::wording;
use resay::model::{About, BaseAbout, EnsembleDetails, NamesDetails, Response};
use serde::Serialize;

/// The line of `train` for any model.
#[derive(Debug, Serialize)]
pub struct TrainingJson<'a, D> {
    /// The model file.
    pub model: String,
    /// Its size in bytes.
    pub size: u64,
    /// Number of training examples.
    pub n_pairs: usize,
    /// Number of examples with the second of two labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_positive: Option<usize>,
    /// The names of the labels, if they have any.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub labels: &'a [String],
    /// The model's metadata.
    #[serde(flatten)]
    pub about: &'a About<D>,
    /// Training time.
    pub seconds: Seconds,
}

impl<'a, D> TrainingJson<'a, D> {
    /// Builds the line of a model written to a file of `size` bytes.
    pub fn of(model: String, size: u64, about: &'a About<D>, seconds: Seconds) -> Self {
        let header = &about.header;
        let n_positive = matches!(header.response, Response::Binary { .. }).then(|| header.n_positive());
        let labels = header.response.labels();
        // Names are trained on true pairs only; negatives are sampled.
        let n_pairs = header.n_examples;
        Self { model, size, n_pairs, n_positive, labels, about, seconds }
    }
}

/// The line of `train` for an ensemble.
#[derive(Debug, Serialize)]
pub struct EnsembleTraining<'a> {
    /// The fields common to all models.
    #[serde(flatten)]
    pub training: TrainingJson<'a, EnsembleDetails>,
    /// The base models, evaluated separately.
    pub parts: Vec<BasePart>,
}

/// The quality of a base model alone.
#[derive(Debug, Serialize)]
pub struct BasePart {
    /// Its name.
    pub name: &'static str,
    /// The metric on held-out rows.
    pub held_out: f64,
}

impl<'a> EnsembleTraining<'a> {
    /// Builds the line of an ensemble.
    pub fn of(training: TrainingJson<'a, EnsembleDetails>) -> Self {
        let bases = training.about.details.base_models.iter();
        let part = |base: &BaseAbout| {
            Some(BasePart { name: wording::features::base_model(base.model()?), held_out: base.held_out })
        };
        Self { parts: bases.filter_map(part).collect(), training }
    }
}

/// The line of `train` for a names model.
#[derive(Debug, Serialize)]
pub struct NamesTraining<'a> {
    /// The fields common to all models.
    #[serde(flatten)]
    pub training: TrainingJson<'a, NamesDetails>,
    /// Number of sampled negatives.
    pub n_negatives: usize,
    /// Mean reciprocal rank on held-out pairs.
    pub held_out_mrr: Option<f64>,
}

impl<'a> NamesTraining<'a> {
    /// Builds the line of a names model.
    pub fn of(training: TrainingJson<'a, NamesDetails>) -> Self {
        let header = &training.about.header;
        let n_negatives = header.counts.first().copied().unwrap_or_default();
        Self { n_negatives, held_out_mrr: header.held_out, training }
    }
}

/// Seconds per stage of training.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Reading files.
    pub read: f64,
    /// Annotating text.
    pub annotate: f64,
    /// Extracting features.
    pub features: f64,
    /// Choosing the cost.
    pub search: f64,
    /// TrainingJson.
    pub train: f64,
    /// Writing the model.
    pub write: f64,
}
