//! Decisions and what they are made of.

use super::spans;
use crate::reasons::Reason;
use crate::wording;
use resay::explain::{Explanation, What};
use serde::Serialize;

/// What one part adds to a score.
#[derive(Debug, Serialize)]
pub struct Contribution {
    /// How much it adds to the score.
    pub value: f64,
    /// What kind of part it is.
    pub kind: &'static str,
    /// What it is, in words.
    pub text: String,
}

impl Contribution {
    /// A part without what it is made of.
    pub fn of(leaf: &Explanation) -> Self {
        // A string as it is: quotes are for people.
        let text = if let What::String(string) = &leaf.what { string.clone() } else { wording::what(&leaf.what) };
        Self { value: leaf.value + 0.0, kind: kind(&leaf.what), text }
    }

    /// A reason in words.
    pub fn of_reason(reason: &Reason) -> Self {
        Self { value: reason.value + 0.0, kind: kind(&reason.what), text: reason.text.clone() }
    }
}

/// What a part is, for programs.
pub(super) fn kind(what: &What) -> &'static str {
    match what {
        What::Score => "score",
        What::Bias => "bias",
        What::Kernel(_) => "kernel",
        What::Rule(_) => "rule",
        What::Group(_)
        | What::Feature(_)
        | What::BaseModel(_)
        | What::AlignFeature(_)
        | What::LatentFeature(_)
        | What::NameFeature(_)
        | What::ProgramFeature(_)
        | What::Overlap(_)
        | What::AgainstUsual => "measure",
        What::String(_) => "string",
        What::Phrase { .. } => "phrase",
        What::Variable(_) => "variable",
        What::Pair(_) => "pair",
        What::Rest(_) => "rest",
    }
}

/// A decision about two texts and what it is made of: the line of `explain`.
#[derive(Debug, Serialize)]
pub struct ExplainedJson<'a> {
    /// The source text.
    pub source: &'a str,
    /// The target text.
    pub target: &'a str,
    /// The model.
    pub model: &'a str,
    /// What the model decides.
    pub task: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely yes is.
    pub probability: f64,
    /// The label that was decided on.
    pub label: &'a str,
    /// The score taken apart.
    pub explanation: Node,
}

/// A decision over a declared programme and what it is made of: the line of `explain`.
#[derive(Debug, Serialize)]
pub struct ExplainedProgram<'a> {
    /// The name of the example.
    pub id: &'a str,
    /// The model.
    pub model: &'a str,
    /// What the model decides.
    pub task: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely yes is.
    pub probability: f64,
    /// The label that was decided on.
    pub label: &'a str,
    /// The score taken apart.
    pub explanation: Node,
}

/// A part of a decision, with its parts.
#[derive(Debug, Serialize)]
pub struct Node {
    /// What it is and how much it adds.
    #[serde(flatten)]
    pub contribution: Contribution,
    /// Where it holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<NodePlace>,
    /// What it is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Node>,
}

impl Node {
    /// A part with all below it.
    pub fn of(part: &Explanation) -> Self {
        let places = part.places.iter();
        let places = places.map(|place| NodePlace { source: spans(&place.source), target: spans(&place.target) });
        Self {
            contribution: Contribution::of(part),
            places: places.collect(),
            parts: part.parts.iter().map(Self::of).collect(),
        }
    }
}

/// Where a rule holds.
#[derive(Debug, Serialize)]
pub struct NodePlace {
    /// Spans of the source.
    pub source: Vec<[u32; 2]>,
    /// Spans of the target.
    pub target: Vec<[u32; 2]>,
}
