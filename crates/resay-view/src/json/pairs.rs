//! Rows about pairs: their scores, their ranks, what a model learned about them.

use super::Contribution;
use super::explain::kind;
use crate::text::clean;
use crate::wording;
use resay::model::Weight;
use serde::Serialize;

/// A row of `predict`.
#[derive(Debug, Serialize)]
pub struct PredictionJson<'a> {
    /// The name of the pair.
    pub id: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely yes is.
    pub probability: f64,
    /// The label that was decided on.
    pub label: &'a str,
    /// The strongest parts of the score, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<Contribution>>,
}

/// A row of a pair that could not be worked on.
#[derive(Debug, Serialize)]
pub struct Failed<'a> {
    /// The name of the pair.
    pub id: &'a str,
    /// Null: there is none.
    pub score: Option<f64>,
    /// Null: there is none.
    pub probability: Option<f64>,
    /// Always `error`.
    pub label: &'static str,
    /// What was found, what was expected, what to do.
    pub error: &'a str,
}

impl<'a> Failed<'a> {
    /// A pair, and why it could not be worked on.
    pub fn of(id: &'a str, error: &'a str) -> Self {
        Self { id, score: None, probability: None, label: "error", error }
    }
}

/// A row of `rank`.
#[derive(Debug, Serialize)]
pub struct RankedPair<'a> {
    /// The group that the candidate is of.
    pub group: &'a str,
    /// Its place in the group, from 1.
    pub rank: usize,
    /// The name of the pair.
    pub id: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely yes is.
    pub probability: f64,
    /// The candidate.
    pub target: &'a str,
}

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub struct RuleWeight {
    /// Its weight.
    pub weight: f64,
    /// How many training pairs have it.
    pub support: u32,
    /// The kernel that it is of.
    pub kernel: String,
    /// What kind of part it is.
    pub kind: &'static str,
    /// The rule as people read it.
    pub rule: String,
    /// The rule with its wildcards as they were first seen.
    pub example: Option<String>,
}

impl RuleWeight {
    /// A rule of a model and its weight.
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
    /// The name of the pair or text.
    pub id: &'a str,
    /// Its kernel with every column.
    pub values: &'a [f64],
}
