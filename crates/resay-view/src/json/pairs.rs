//! Rows about pairs: scores, ranks, rule weights.

use super::Contribution;
use super::explain::kind;
use crate::text::clean;
use crate::wording;
use resay::model::Weight;
use serde::Serialize;

/// A row of `predict`.
#[derive(Debug, Serialize)]
pub struct PredictionJson<'a> {
    /// The id of the pair.
    pub id: &'a str,
    /// The score; positive scores favour yes.
    pub score: f64,
    /// The probability of yes.
    pub probability: f64,
    /// The predicted label.
    pub label: &'a str,
    /// The strongest parts of the score, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<Contribution>>,
}

/// A row for a pair that could not be processed.
#[derive(Debug, Serialize)]
pub struct Failed<'a> {
    /// The id of the pair.
    pub id: &'a str,
    /// Always null.
    pub score: Option<f64>,
    /// Always null.
    pub probability: Option<f64>,
    /// Always `error`.
    pub label: &'static str,
    /// What was found, what was expected and what to do.
    pub error: &'a str,
}

impl<'a> Failed<'a> {
    /// Builds the row of a pair and its error.
    pub fn of(id: &'a str, error: &'a str) -> Self {
        Self { id, score: None, probability: None, label: "error", error }
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
    /// The score; positive scores favour yes.
    pub score: f64,
    /// The probability of yes.
    pub probability: f64,
    /// The candidate.
    pub target: &'a str,
}

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub struct RuleWeight {
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
    pub fn of(rule: &Weight) -> Self {
        Self {
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
