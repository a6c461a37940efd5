//! What a model must offer to be adapted to other data: the score of a pair, the features that its
//! weights multiply, and a way to change the weights.

use super::answer::AnswerCalibration;
use super::header::Header;
use super::{AnyModel, Response};
use crate::{Error, Result};
use resay_learn::progress::Progress;

/// A pair as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AdaptRow {
    /// The score of each head.
    pub(crate) heads: Vec<f64>,
    /// The features of each head, by column; a single list if all heads share them, and none if
    /// weights cannot change.
    pub(crate) features: Vec<Vec<(u32, f64)>>,
}

/// The new score of a head: `scale` times the old one, plus `weights` times features, plus `bias`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeadChange {
    pub(crate) scale: f64,
    /// One per column; empty to change none.
    pub(crate) weights: Vec<f64>,
    pub(crate) bias: f64,
}

/// A model whose scores can be adapted.
pub(crate) trait Adaptable {
    /// The header.
    fn header(&self) -> &Header;

    /// From head scores to answers.
    fn calibration(&self) -> &AnswerCalibration;

    /// The number of columns; 0 if only scale and bias can change.
    fn n_weights(&self) -> usize;

    /// Looks at pairs, in parallel; one result per pair, in order.
    fn rows(&self, pairs: &[(&str, &str)], progress: Progress<'_>) -> Result<Vec<Result<AdaptRow>>>;

    /// Changes header, heads and calibration.
    fn change(&mut self, header: Header, changes: &[HeadChange], calibration: AnswerCalibration);
}

impl AnyModel {
    /// The model as one that can be adapted; `name` is for the error message.
    pub(crate) fn as_adaptable(&mut self, name: &str) -> Result<&mut dyn Adaptable> {
        let kind = match self {
            Self::Kernel(model) => return Ok(&mut **model),
            Self::Ensemble(model) => return Ok(&mut **model),
            Self::Latent(_) => "a latent alignment",
            Self::Names(_) => "a model of names",
            Self::Topics(_) => "a model that sorts documents",
            Self::Align(_) => "a model that aligns",
            Self::Program(_) => "a model over declared programmes",
            Self::Judgement(_) => "a joint judgement",
        };
        Err(Error::parameter(format!(
            "{name} is {kind}: only ensembles and kernel models can be adapted to other data"
        )))
    }
}

/// Describes a kind of answers with its labels, for error messages.
pub(crate) fn describe_answers(response: &Response) -> String {
    match response {
        Response::Binary { labels: [no, yes] } => format!("yes or no ({yes} or {no})"),
        Response::Categories { labels } => format!("one of {}", labels.join(", ")),
        Response::Ordinal { levels } => format!("levels {}", levels.join(", ")),
        Response::Real { low, high } => format!("numbers from {low} to {high}"),
        Response::Topics { .. } => "topics".to_owned(),
        Response::Links => "links".to_owned(),
    }
}
