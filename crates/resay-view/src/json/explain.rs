//! Explanations of decisions.

use super::pairs::AnswerJson;
use super::spans;
use crate::reasons::Reason;
use crate::wording;
use resay::explain::{Explanation, What};
use resay::model::{AskedClass, Header, Prediction};
use serde::Serialize;

/// The contribution of one part to a score.
#[derive(Debug, Serialize)]
pub struct Contribution {
    /// Its contribution to the score.
    pub value: f64,
    /// The kind of part.
    pub kind: &'static str,
    /// Its description.
    pub text: String,
}

impl Contribution {
    /// Builds the entry of a part, without its own parts.
    pub fn of(leaf: &Explanation) -> Self {
        // A string verbatim: quotes are for people.
        let text = if let What::String(string) = &leaf.what { string.clone() } else { wording::what(&leaf.what) };
        Self { value: leaf.value + 0.0, kind: kind(&leaf.what), text }
    }

    /// Builds the entry of a reason.
    pub fn of_reason(reason: &Reason) -> Self {
        Self { value: reason.value + 0.0, kind: kind(&reason.what), text: reason.text.clone() }
    }
}

/// The machine-readable kind of a part.
pub(super) fn kind(what: &What) -> &'static str {
    match what {
        What::Score => "score",
        What::Bias => "bias",
        What::Range => "range",
        What::Kernel(_) => "kernel",
        What::Rule(_) => "rule",
        What::Group(_)
        | What::Feature(_)
        | What::RelationFeature(_)
        | What::EqualTexts
        | What::WordsAlone
        | What::Sentences
        | What::BaseModel(_)
        | What::BaseModelClass(..)
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

/// An explained decision about two texts: the line of `explain`.
#[derive(Debug, Serialize)]
pub struct ExplainedJson<'a> {
    /// The source text.
    pub source: &'a str,
    /// The target text.
    pub target: &'a str,
    /// What was decided.
    #[serde(flatten)]
    pub decision: ExplainedDecision<'a>,
}

/// A decision over a declared programme and what it is made of: the line of `explain`.
#[derive(Debug, Serialize)]
pub struct ExplainedProgram<'a> {
    /// The name of the example.
    pub id: &'a str,
    /// What was decided.
    #[serde(flatten)]
    pub decision: ExplainedDecision<'a>,
}

/// An answer and what it is made of.
#[derive(Debug, Serialize)]
pub struct ExplainedDecision<'a> {
    /// The model.
    pub model: &'a str,
    /// The task of the model.
    pub task: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub answer: AnswerJson<'a>,
    /// The class that is explained: of several always, of two if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'a str>,
    /// The class that it is explained against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<&'a str>,
    /// The explanation of the score.
    pub explanation: Node,
}

impl<'a> ExplainedDecision<'a> {
    /// What the model of this name and header said, and why.
    pub fn of(
        model: &'a str,
        header: &'a Header,
        prediction: &Prediction,
        asked: AskedClass,
        explanation: &Explanation,
    ) -> Self {
        let name = |class: usize| header.response.labels().get(class).map(String::as_str);
        let is_category = matches!(prediction, Prediction::Category { .. });
        let class = if is_category { asked.resolved(prediction).class } else { asked.class };
        Self {
            model,
            task: &header.task,
            answer: AnswerJson::of(header, prediction),
            class: class.and_then(name),
            against: asked.against.and_then(name),
            explanation: Node::of(explanation),
        }
    }
}

/// A node of an explanation tree.
#[derive(Debug, Serialize)]
pub struct Node {
    /// Its kind, description and contribution.
    #[serde(flatten)]
    pub contribution: Contribution,
    /// Where it applies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<NodePlace>,
    /// Its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Node>,
}

impl Node {
    /// Builds the tree of a part.
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

/// A place where a rule applies.
#[derive(Debug, Serialize)]
pub struct NodePlace {
    /// Spans of the source.
    pub source: Vec<[u32; 2]>,
    /// Spans of the target.
    pub target: Vec<[u32; 2]>,
}
