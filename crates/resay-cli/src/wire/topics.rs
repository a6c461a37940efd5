//! Lines about topics of documents.

use super::{Contribution, Difference, Figure, Node, Seconds};
use resay::eval::topics::LabelFigures;
use resay::model::TopicAbout;
use resay::task::topics::Candidate;
use serde::Serialize;

/// What a model says of one topic.
#[derive(Debug, Serialize)]
pub(crate) struct TopicScore<'a> {
    pub(crate) topic: &'a str,
    pub(crate) score: f64,
    pub(crate) probability: f64,
}

/// A row of `predict`.
#[derive(Debug, Serialize)]
pub(crate) struct SortedDocument<'a> {
    pub(crate) id: &'a str,
    /// The topics that the document is of, best first.
    pub(crate) labels: Vec<&'a str>,
    /// All topics, in the order of the model.
    pub(crate) topics: Vec<TopicScore<'a>>,
    /// The strongest strings of the best topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strings: Option<Vec<Contribution>>,
}

/// The line of `train --task topics`.
#[derive(Debug, Serialize)]
pub(crate) struct TopicTraining<'a> {
    pub(crate) model: String,
    pub(crate) size: u64,
    #[serde(flatten)]
    pub(crate) about: &'a TopicAbout,
    /// What `--search` tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tried: Option<Vec<Tried<'a>>>,
    pub(crate) seconds: Seconds,
}

/// One kernel that was tried: its average precision on held-out documents, or its information criterion in bits a symbol.
#[derive(Debug, Serialize)]
pub(crate) struct Tried<'a> {
    pub(crate) kernel: &'a str,
    pub(crate) units: &'a str,
    pub(crate) value: f64,
    pub(crate) best: bool,
}

impl<'a> Tried<'a> {
    pub(crate) fn of(candidate: &'a Candidate, best: bool) -> Self {
        let Candidate { kernel, units, value } = candidate;
        Self { kernel, units: units.name(), value: *value, best }
    }
}

/// The line of `eval`.
#[derive(Debug, Serialize)]
pub(crate) struct TopicEvaluation<'a> {
    pub(crate) model: String,
    pub(crate) data: &'a str,
    pub(crate) n_documents: usize,
    /// How many documents have a label that the model does not know.
    pub(crate) n_unknown: usize,
    pub(crate) topics: Vec<TopicRow<'a>>,
    pub(crate) measures: Vec<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) versus: Option<TopicVersus>,
}

/// The figures of one topic; null where undefined.
#[derive(Debug, Serialize)]
pub(crate) struct TopicRow<'a> {
    pub(crate) topic: &'a str,
    pub(crate) documents: usize,
    pub(crate) average_precision: Option<f64>,
    pub(crate) accepted_average_precision: Option<f64>,
    pub(crate) break_even: Option<f64>,
    pub(crate) precision: Option<f64>,
    pub(crate) recall: Option<f64>,
    pub(crate) f1: Option<f64>,
}

impl<'a> TopicRow<'a> {
    pub(crate) fn of(topic: &'a str, figures: &LabelFigures) -> Self {
        let counts = figures.confusion;
        let (n_given, n_true) = (counts.true_positive + counts.false_positive, figures.n_true);
        Self {
            topic,
            documents: n_true,
            average_precision: figures.average_precision,
            accepted_average_precision: figures.accepted_average_precision,
            break_even: figures.break_even,
            precision: (n_given > 0).then(|| counts.precision()),
            recall: (n_true > 0).then(|| counts.recall()),
            f1: (n_given + n_true > 0).then(|| counts.f1()),
        }
    }
}

/// A second model on the same documents and the topics that both know.
#[derive(Debug, Serialize)]
pub(crate) struct TopicVersus {
    pub(crate) model: String,
    pub(crate) n_topics: usize,
    pub(crate) measures: Vec<Difference>,
}

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub(crate) struct TopicString<'a> {
    pub(crate) topic: &'a str,
    pub(crate) weight: f64,
    pub(crate) kernel: &'a str,
    pub(crate) string: &'a str,
}

/// The line of `explain`; spans are bytes of the text.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainedTopic<'a> {
    pub(crate) text: &'a str,
    pub(crate) model: &'a str,
    pub(crate) task: &'a str,
    pub(crate) labels: Vec<&'a str>,
    pub(crate) topics: Vec<TopicScore<'a>>,
    /// Whose score is taken apart.
    pub(crate) topic: &'a str,
    pub(crate) score: f64,
    pub(crate) probability: f64,
    pub(crate) explanation: Node,
}
