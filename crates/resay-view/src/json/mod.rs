//! The JSON of all front ends: one type per kind of line. Numbers are written with all their
//! digits.
//!
//! docs/json.md describes every shape with an example. [`VERSION`] is the version of all shapes: a
//! new key does not change it; removing a key or changing its meaning does.
//!
//! A front end fills a type and passes it to `serde_json`. Types that correspond to one value of
//! the library have a function `of`. Spans are `[start, end]` in bytes of the text they refer to.

mod align;
mod annotate;
mod compare;
mod dedupe;
mod diff;
mod eval;
mod explain;
mod models;
mod names;
mod pairs;
mod topics;
mod train;

pub use align::{
    AlignDifference, AlignEvaluation, AlignFeatureJson, AlignPart, AlignTraining, AlignVersus, Aligned, AlignedLink,
    AlignedPhrase, AlignedWord, ExplainedAlignment, aligned_pair,
};
pub use annotate::{AnnotatedSentence, AnnotatedWord};
pub use compare::{ComparedAnswer, ComparedPair, JudgedSentences, Only, Said, Shared, Warning, said_once};
pub use dedupe::{SameCluster, SameMember, SamePair};
pub use diff::{DiffLine, DiffPassage, DiffPhrase};
pub use eval::{
    AnswersVersus, CategoryClassJson, CategoryEvaluation, ClassFigures, ConfusionCounts, CoveragePoint, Evaluation,
    MeasureDifference, MeasureInterval, NumberEvaluation, RankingGroups, Reliability, ReliabilityBin, RiskCoverage,
    Versus,
};
pub use explain::{Contribution, ExplainedDecision, ExplainedJson, ExplainedProgram, Node, NodePlace};
pub use models::{BundledModelJson, BundledResource};
pub use names::{FeatureWeight, NamesEvaluation, NamesVersus, RankedNameJson};
pub use pairs::{AnswerJson, ByLabel, Failed, GramRow, NoAnswer, PredictionJson, RankedPair, RuleWeight, said_label};
pub use topics::{
    ExplainedTopic, SortedDocument, TopicEvaluation, TopicRow, TopicScore, TopicString, TopicTraining, TopicVersus,
    TriedKernel,
};
pub use train::{BasePart, EnsembleTraining, NamesTraining, Seconds, TrainingJson};

use resay_text::Span;
use serde::Serialize;

/// The version of all shapes of this module.
pub const VERSION: u32 = 1;

/// The line of `--version`.
#[derive(Debug, Serialize)]
pub struct Version {
    /// The version of Resay.
    pub version: &'static str,
    /// The version of its JSON shapes.
    pub json: u32,
}

fn spans(spans: &[Span]) -> Vec<[u32; 2]> {
    spans.iter().map(|span| [span.start, span.end]).collect()
}
