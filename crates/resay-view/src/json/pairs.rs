//! Rows about pairs: scores, ranks, rule weights.

use super::Contribution;
use super::explain::kind;
use crate::text::clean;
use crate::wording;
use resay::model::{Header, Prediction, Response, Weight};
use serde::{Serialize, Serializer};

/// A row of `predict`.
#[derive(Debug, Serialize)]
pub struct PredictionJson<'a> {
    /// The id of the pair.
    pub id: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub answer: AnswerJson<'a>,
    /// The strongest parts of the score, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<Contribution>>,
}

/// An answer of any kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AnswerJson<'a> {
    /// Yes or no.
    Binary {
        /// The score; positive scores favour yes.
        score: f64,
        /// The probability of yes.
        probability: f64,
        /// The predicted label.
        label: &'a str,
    },
    /// One of several classes, or a level of a scale.
    Category {
        /// The predicted label.
        label: &'a str,
        /// The probability of each label.
        probabilities: ByLabel<'a>,
        /// The score of each label; the highest wins.
        scores: ByLabel<'a>,
    },
    /// A number.
    Real {
        /// The value.
        value: f64,
        /// The lower end of its interval.
        low: f64,
        /// The upper end of its interval.
        high: f64,
    },
}

impl<'a> AnswerJson<'a> {
    /// What a model of this header said.
    pub fn of(header: &'a Header, prediction: &Prediction) -> Self {
        let labels = header.response.labels();
        let label = said_label(header, prediction);
        match prediction {
            Prediction::Binary { score, probability, .. } => {
                Self::Binary { score: *score, probability: *probability, label }
            }
            Prediction::Category { scores, probabilities, .. } => {
                let labelled = |values: &[f64]| ByLabel { labels, values: values.to_vec() };
                Self::Category { label, probabilities: labelled(probabilities), scores: labelled(scores) }
            }
            Prediction::Real { value, interval: [low, high] } => Self::Real { value: *value, low: *low, high: *high },
        }
    }
}

/// The label of an answer, or `unsure`.
pub fn said_label<'a>(header: &'a Header, prediction: &Prediction) -> &'a str {
    if header.is_sure(prediction) { prediction.label(&header.response).unwrap_or_default() } else { UNSURE }
}

/// The label of an answer that the model is not sure of.
const UNSURE: &str = "unsure";

/// A number per label, as an object.
#[derive(Clone, Debug)]
pub struct ByLabel<'a> {
    /// The labels.
    pub labels: &'a [String],
    /// A number for each.
    pub values: Vec<f64>,
}

impl Serialize for ByLabel<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.labels.iter().zip(&self.values))
    }
}

/// A row for a pair that could not be processed.
#[derive(Debug, Serialize)]
pub struct Failed<'a> {
    /// The id of the pair.
    pub id: &'a str,
    /// The keys of an answer, without one.
    #[serde(flatten)]
    pub answer: NoAnswer,
    /// What was found, what was expected and what to do.
    pub error: &'a str,
}

/// The keys of an answer that could not be given: every number is null, and the label `error`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum NoAnswer {
    /// Yes or no.
    Binary {
        /// Always null.
        score: (),
        /// Always null.
        probability: (),
        /// Always `error`.
        label: &'static str,
    },
    /// One of several classes, or a level of a scale.
    Category {
        /// Always `error`.
        label: &'static str,
        /// Always null.
        probabilities: (),
        /// Always null.
        scores: (),
    },
    /// A number.
    Real {
        /// Always null.
        value: (),
        /// Always null.
        low: (),
        /// Always null.
        high: (),
    },
}

impl<'a> Failed<'a> {
    /// Builds the row of a pair and its error.
    pub fn of(id: &'a str, error: &'a str) -> Self {
        Self { id, answer: NoAnswer::Binary { score: (), probability: (), label: "error" }, error }
    }

    /// Builds the same for answers of any kind.
    pub fn like(response: &Response, id: &'a str, error: &'a str) -> Self {
        let answer = match response {
            Response::Categories { .. } | Response::Ordinal { .. } => {
                NoAnswer::Category { label: "error", probabilities: (), scores: () }
            }
            Response::Real { .. } => NoAnswer::Real { value: (), low: (), high: () },
            _ => return Self::of(id, error),
        };
        Self { id, answer, error }
    }
}

/// A row of `rank`.
#[derive(Debug, Serialize)]
pub struct RankedPair<'a> {
    /// The group of the candidate.
    pub group: &'a str,
    /// Its rank in the group, 1-based.
    pub rank: usize,
    /// The id of the pair.
    pub id: &'a str,
    /// What it is ranked by: the score of yes or of the class asked for, or the number.
    pub score: f64,
    /// The probability of yes or of the class; none for numbers.
    pub probability: Option<f64>,
    /// The candidate.
    pub target: &'a str,
}

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub struct RuleWeight {
    /// The class that it speaks for, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Its weight.
    pub weight: f64,
    /// Number of training pairs that have it.
    pub support: u32,
    /// Its kernel.
    pub kernel: String,
    /// The kind of part.
    pub kind: &'static str,
    /// The rule, for display.
    pub rule: String,
    /// The rule with its wildcards filled in as first seen.
    pub example: Option<String>,
}

impl RuleWeight {
    /// Builds the row of a model's rule.
    pub fn of(rule: &Weight, class: Option<&str>) -> Self {
        Self {
            class: class.map(str::to_owned),
            weight: rule.weight,
            support: rule.support.unwrap_or(0),
            kernel: rule.kernel.clone().unwrap_or_default(),
            kind: kind(&rule.what),
            rule: wording::what(&rule.what),
            example: rule.example.as_deref().map(clean),
        }
    }
}

/// A row of `gram`.
#[derive(Debug, Serialize)]
pub struct GramRow<'a> {
    /// The id of the pair or text.
    pub id: &'a str,
    /// Its kernel values, one per column.
    pub values: &'a [f64],
}
