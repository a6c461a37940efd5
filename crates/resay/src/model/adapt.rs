//! What a model must offer to be adapted to other data: the score of a pair, the features that its
//! weights multiply, and a way to change the weights.

use super::answer::AnswerCalibration;
use super::header::Header;
use super::{AnyModel, Response};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use std::ops::Range;

/// A pair as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AdaptRow {
    /// The score of each head.
    pub(crate) heads: Vec<f64>,
    /// The features of each head, by column; a single list if all heads share them, and none if
    /// weights cannot change.
    pub(crate) features: Vec<Vec<(u32, f64)>>,
    /// Whether the model's answer stays, whatever the weights are: nothing is learned from such a
    /// pair.
    pub(crate) is_fixed: bool,
}

/// Columns that are brought to one scale, so that the pairs decide and not the units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AdaptBlock {
    pub(crate) columns: Range<usize>,
    /// Whether every column counts as much, by its deviation from the mean; otherwise only all of
    /// them together count as much as another block.
    pub(crate) is_even: bool,
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

    /// The blocks of columns, in order; none if features are taken as they are.
    fn blocks(&self) -> Vec<AdaptBlock> {
        Vec::new()
    }

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
            Self::AdaptedJudgement(model) => return Ok(&mut **model),
            Self::Judgement(_) => "a joint judgement that was asked nothing",
        };
        Err(Error::parameter(format!(
            "{name} is {kind}: only ensembles, kernel models and joint judgements can be adapted to other data"
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
