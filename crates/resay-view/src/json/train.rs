//! What training made, and how long it took.

use crate::wording;
use resay::model::{About, BaseAbout, EnsembleDetails, NamesDetails, Response};
use serde::Serialize;

/// The line of `train`, whatever was learned.
#[derive(Debug, Serialize)]
pub struct Training<'a, D> {
    /// The model's file.
    pub model: String,
    /// In bytes.
    pub size: u64,
    /// How many examples it was learned from.
    pub n_pairs: usize,
    /// How many of them have the second of two answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_positive: Option<usize>,
    /// What its answers are called, where they have names.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub labels: &'a [String],
    /// What the model knows about itself.
    #[serde(flatten)]
    pub about: &'a About<D>,
    /// How long that took.
    pub seconds: Seconds,
}

impl<'a, D> Training<'a, D> {
    /// A model that was written to a file of so many bytes.
    pub fn of(model: String, size: u64, about: &'a About<D>, seconds: Seconds) -> Self {
        let header = &about.header;
        let n_positive = matches!(header.response, Response::Binary { .. }).then(|| header.n_positive());
        let labels = header.response.labels();
        // Names are learned from true pairs alone; wrong ones are drawn.
        let n_pairs = header.n_examples;
        Self { model, size, n_pairs, n_positive, labels, about, seconds }
    }
}

/// The line of `train` for an ensemble.
#[derive(Debug, Serialize)]
pub struct EnsembleTraining<'a> {
    /// What is said of every model.
    #[serde(flatten)]
    pub training: Training<'a, EnsembleDetails>,
    /// The base models, each by itself.
    pub parts: Vec<BasePart>,
}

/// How good a base model is by itself.
#[derive(Debug, Serialize)]
pub struct BasePart {
    /// What it is called.
    pub name: &'static str,
    /// The measure on held-out rows.
    pub held_out: f64,
}

impl<'a> EnsembleTraining<'a> {
    /// An ensemble that was written to a file.
    pub fn of(training: Training<'a, EnsembleDetails>) -> Self {
        let bases = training.about.details.base_models.iter();
        let part = |base: &BaseAbout| {
            Some(BasePart { name: wording::features::base_model(base.model()?), held_out: base.held_out })
        };
        Self { parts: bases.filter_map(part).collect(), training }
    }
}

/// The line of `train` for a model of names.
#[derive(Debug, Serialize)]
pub struct NamesTraining<'a> {
    /// What is said of every model.
    #[serde(flatten)]
    pub training: Training<'a, NamesDetails>,
    /// How many wrong pairs were drawn.
    pub n_negatives: usize,
    /// Mean reciprocal rank on held-out pairs.
    pub held_out_mrr: Option<f64>,
}

impl<'a> NamesTraining<'a> {
    /// A model of names that was written to a file.
    pub fn of(training: Training<'a, NamesDetails>) -> Self {
        let header = &training.about.header;
        let n_negatives = header.counts.first().copied().unwrap_or_default();
        Self { n_negatives, held_out_mrr: header.held_out, training }
    }
}

/// How many seconds each stage of training took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Reading files.
    pub read: f64,
    /// Annotating text.
    pub annotate: f64,
    /// Making features.
    pub features: f64,
    /// Choosing the cost.
    pub search: f64,
    /// Training.
    pub train: f64,
    /// Writing the model.
    pub write: f64,
}
