//! The only JSON that leaves the program: one type for each kind of line. Numbers are written with all their digits.

mod align;
mod dedupe;
mod diff;
mod hidden;
mod topics;

pub(crate) use align::{
    AlignDifference, AlignEvaluation, AlignFeature, AlignPart, AlignTraining, AlignVersus, Aligned, BundledAligner,
    ExplainedAlignment, aligned_pair,
};
pub(crate) use dedupe::{SameCluster, SameMember, SamePair};
pub(crate) use diff::DiffLine;
pub(crate) use hidden::{
    BundledJudge, CombinedTraining, HiddenFeature, LatentTraining, NamesEvaluation, NamesTraining, NamesVersus,
    RankedName,
};
pub(crate) use topics::{
    ExplainedTopic, SortedDocument, TopicEvaluation, TopicRow, TopicScore, TopicString, TopicTraining, TopicVersus,
    Tried,
};

use crate::render;
use resay::eval::metrics::Confusion;
use resay::eval::significance::{Comparison, Interval};
use resay::explain::{Explanation, What};
use resay::model::{About, WeightedRule};
use resay::pack::Origin;
use resay::text::{Analysis, Head, Span};
use serde::Serialize;

/// A row of `predict`.
#[derive(Debug, Serialize)]
pub(crate) struct Prediction<'a> {
    pub(crate) id: &'a str,
    pub(crate) score: f64,
    pub(crate) probability: f64,
    pub(crate) label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Vec<Contribution>>,
}

/// A row of `rank`.
#[derive(Debug, Serialize)]
pub(crate) struct Ranked<'a> {
    pub(crate) group: &'a str,
    pub(crate) rank: usize,
    pub(crate) id: &'a str,
    pub(crate) score: f64,
    pub(crate) probability: f64,
    pub(crate) target: &'a str,
}

/// What one rule adds to a score.
#[derive(Debug, Serialize)]
pub(crate) struct Contribution {
    pub(crate) value: f64,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

impl Contribution {
    pub(crate) fn of(leaf: &Explanation) -> Self {
        // A string as it is: quotes are for people.
        let text = if let What::String(string) = &leaf.what { string.clone() } else { render::what(&leaf.what) };
        Self { value: leaf.value + 0.0, kind: kind(&leaf.what), text }
    }
}

fn kind(what: &What) -> &'static str {
    match what {
        What::Score => "score",
        What::Bias => "bias",
        What::Kernel(_) => "kernel",
        What::Rule(_) => "rule",
        What::Measure(_) => "measure",
        What::String(_) => "string",
        What::Phrase { .. } => "phrase",
        What::Pair(_) => "pair",
        What::Rest(_) => "rest",
    }
}

/// A decision and what it is made of: `explain`, and each answer of `compare`.
#[derive(Debug, Serialize)]
pub(crate) struct Explained<'a> {
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
    pub(crate) model: &'a str,
    pub(crate) task: &'a str,
    pub(crate) score: f64,
    pub(crate) probability: f64,
    pub(crate) label: &'a str,
    pub(crate) explanation: Node,
}

/// A sentence of `annotate`; `start` and `end` of a word are bytes of its text, `head` is a word's number from 1, 0 for
/// the root.
#[derive(Debug, Serialize)]
pub(crate) struct Annotated<'a> {
    pub(crate) id: usize,
    pub(crate) text: &'a str,
    pub(crate) words: Vec<AnnotatedWord<'a>>,
}

/// A word of an annotated sentence; a layer that it has not is left out.
#[derive(Debug, Serialize)]
pub(crate) struct AnnotatedWord<'a> {
    pub(crate) form: &'a str,
    pub(crate) start: u32,
    pub(crate) end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lemma: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) upos: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) xpos: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chunk: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entity: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) head: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relation: Option<&'a str>,
}

/// An annotated sentence.
pub(crate) fn annotated(id: usize, analysis: &Analysis) -> Annotated<'_> {
    let words = analysis.words.iter().enumerate().map(|(at, word)| AnnotatedWord {
        form: analysis.form(at),
        start: word.span.start,
        end: word.span.end,
        lemma: word.lemma.as_deref(),
        upos: word.upos.map(|upos| upos.name()),
        xpos: word.xpos.as_deref(),
        chunk: word.chunk.as_deref(),
        entity: word.entity.as_deref(),
        head: word.head.map(|head| match head {
            Head::Root => 0,
            Head::Word(number) => number + 1,
        }),
        relation: word.relation.as_deref(),
    });
    Annotated { id, text: &analysis.text, words: words.collect() }
}

/// A part of a decision; spans are bytes `[start, end]` of the two sentences.
#[derive(Debug, Serialize)]
pub(crate) struct Node {
    #[serde(flatten)]
    pub(crate) contribution: Contribution,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) places: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<Node>,
}

impl Node {
    pub(crate) fn of(part: &Explanation) -> Self {
        let places = part.places.iter();
        let places = places.map(|place| Place { source: spans(&place.source), target: spans(&place.target) });
        Self {
            contribution: Contribution::of(part),
            places: places.collect(),
            parts: part.parts.iter().map(Self::of).collect(),
        }
    }
}

/// Where a rule holds.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    pub(crate) source: Vec<[u32; 2]>,
    pub(crate) target: Vec<[u32; 2]>,
}

pub(crate) fn spans(spans: &[Span]) -> Vec<[u32; 2]> {
    spans.iter().map(|span| [span.start, span.end]).collect()
}

/// The line of `compare`.
#[derive(Debug, Serialize)]
pub(crate) struct Compared<'a> {
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
    pub(crate) paraphrase: Answer,
    pub(crate) entailment: Answer,
    pub(crate) entailment_back: Answer,
    pub(crate) shared: Shared,
    pub(crate) only: Only,
    pub(crate) aligned: Aligned<'a>,
}

/// One question that `compare` asks.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    pub(crate) score: f64,
    pub(crate) probability: f64,
    pub(crate) label: bool,
    #[serde(rename = "for")]
    pub(crate) speaks_for: Vec<Contribution>,
    pub(crate) against: Vec<Contribution>,
}

/// Words that both sentences have, as spans of each.
#[derive(Debug, Serialize)]
pub(crate) struct Shared {
    pub(crate) source: Vec<[u32; 2]>,
    pub(crate) target: Vec<[u32; 2]>,
}

/// What only one of the sentences says.
#[derive(Debug, Serialize)]
pub(crate) struct Only {
    pub(crate) source: Vec<Said>,
    pub(crate) target: Vec<Said>,
}

/// Words that stand together, and where they are in bytes of their text.
#[derive(Debug, Serialize)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub(crate) struct Rule {
    pub(crate) weight: f64,
    pub(crate) support: u32,
    pub(crate) kernel: String,
    pub(crate) kind: &'static str,
    pub(crate) rule: String,
    pub(crate) example: Option<String>,
}

impl Rule {
    pub(crate) fn of(rule: &WeightedRule) -> Self {
        Self {
            weight: rule.weight,
            support: rule.support,
            kernel: rule.kernel.clone(),
            kind: kind(&rule.what),
            rule: render::what(&rule.what),
            example: rule.example.as_deref().map(render::clean),
        }
    }
}

/// The line of `train`.
#[derive(Debug, Serialize)]
pub(crate) struct Training<'a> {
    pub(crate) model: String,
    pub(crate) size: u64,
    #[serde(flatten)]
    pub(crate) about: &'a About,
    pub(crate) seconds: Seconds,
}

/// How long each stage of training took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Seconds {
    pub(crate) read: f64,
    pub(crate) annotate: f64,
    pub(crate) features: f64,
    pub(crate) search: f64,
    pub(crate) train: f64,
    pub(crate) write: f64,
}

/// The line of `eval`.
#[derive(Debug, Serialize)]
pub(crate) struct Evaluation<'a> {
    pub(crate) model: String,
    pub(crate) data: &'a str,
    pub(crate) n_pairs: usize,
    pub(crate) n_positive: usize,
    /// Of a model that ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<Groups>,
    pub(crate) counts: Counts,
    pub(crate) measures: Vec<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) versus: Option<Versus>,
}

/// How many groups there are, and how many have a right candidate, or right and wrong ones.
#[derive(Debug, Serialize)]
pub(crate) struct Groups {
    pub(crate) all: usize,
    pub(crate) any_right: usize,
    pub(crate) mixed: usize,
}

/// Decisions by truth.
#[derive(Debug, Serialize)]
pub(crate) struct Counts {
    pub(crate) true_positive: usize,
    pub(crate) false_positive: usize,
    pub(crate) false_negative: usize,
    pub(crate) true_negative: usize,
}

impl From<Confusion> for Counts {
    fn from(counts: Confusion) -> Self {
        let Confusion { true_positive, false_positive, false_negative, true_negative } = counts;
        Self { true_positive, false_positive, false_negative, true_negative }
    }
}

/// A measure with its 95 % interval; null where it is undefined.
#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) measure: &'static str,
    pub(crate) value: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

impl Figure {
    pub(crate) fn of(measure: &'static str, interval: Option<Interval>) -> Self {
        let end = |end: fn(Interval) -> f64| interval.map(end);
        Self { measure, value: end(|i| i.value), low: end(|i| i.low), high: end(|i| i.high) }
    }
}

/// A second model on the same pairs.
#[derive(Debug, Serialize)]
pub(crate) struct Versus {
    pub(crate) model: String,
    pub(crate) counts: Counts,
    /// Exact, on accuracy.
    pub(crate) mcnemar_p: f64,
    pub(crate) measures: Vec<Difference>,
}

/// A measure of both models: the first minus the second, with its 95 % interval and the paired randomisation test.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Difference {
    pub(crate) measure: &'static str,
    pub(crate) first: Option<f64>,
    pub(crate) second: Option<f64>,
    pub(crate) difference: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) p: Option<f64>,
}

impl Difference {
    pub(crate) fn of(measure: &'static str, found: Option<Comparison>) -> Self {
        let part = |part: fn(Comparison) -> f64| found.map(part);
        Self {
            measure,
            first: part(|c| c.first),
            second: part(|c| c.second),
            difference: part(|c| c.difference.value),
            low: part(|c| c.difference.low),
            high: part(|c| c.difference.high),
            p: part(|c| c.p_value),
        }
    }
}

/// A row of `gram`.
#[derive(Debug, Serialize)]
pub(crate) struct GramRow<'a> {
    pub(crate) id: &'a str,
    pub(crate) values: &'a [f64],
}

/// A row of `models`.
#[derive(Debug, Serialize)]
pub(crate) struct Bundled<'a> {
    pub(crate) name: &'a str,
    pub(crate) size: usize,
    #[serde(flatten)]
    pub(crate) about: &'a About,
}

/// Another bundled file: a part of annotation or of the lexicon.
#[derive(Debug, Serialize)]
pub(crate) struct BundledResource<'a> {
    pub(crate) name: &'a str,
    pub(crate) size: usize,
    #[serde(flatten)]
    pub(crate) origin: &'a Origin,
}

/// A point of the figures of `resay reproduce --plots`.
#[derive(Serialize)]
pub(crate) struct Effort {
    pub(crate) k: usize,
    pub(crate) calls: f64,
    pub(crate) quadruples: f64,
}

/// A row of `resay reproduce`.
#[derive(Serialize)]
pub(crate) struct Reproduced<'a> {
    dataset: &'a str,
    system: &'a str,
    protocol: &'a str,
    cost: f64,
    metric: &'a str,
    value: f64,
    held_out: Option<f64>,
    paper: Option<f64>,
    note: &'a str,
}

impl<'a> From<&'a resay::task::reproduce::Row> for Reproduced<'a> {
    fn from(row: &'a resay::task::reproduce::Row) -> Self {
        Self {
            dataset: row.dataset,
            system: &row.system,
            protocol: row.protocol,
            cost: row.cost,
            metric: row.metric,
            value: row.value,
            held_out: row.held_out,
            paper: row.paper,
            note: &row.note,
        }
    }
}
