//! Lines about topics of documents.

use super::{Contribution, MeasureDifference, MeasureInterval, Node, Seconds};
use resay::model::TopicAbout;
use resay::train::topics::TopicCandidate;
use resay_learn::eval::topics::LabelFigures;
use serde::Serialize;

/// What a model says of one topic.
#[derive(Debug, Serialize)]
pub struct TopicScore<'a> {
    /// The topic.
    pub topic: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely the document is of it.
    pub probability: f64,
}

/// A row of `predict` for documents.
#[derive(Debug, Serialize)]
pub struct SortedDocument<'a> {
    /// The name of the document.
    pub id: &'a str,
    /// The topics that the document is of, best first.
    pub labels: Vec<&'a str>,
    /// All topics, in the order of the model.
    pub topics: Vec<TopicScore<'a>>,
    /// The strongest strings of the best topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strings: Option<Vec<Contribution>>,
}

/// The line of `train` for a model of topics.
#[derive(Debug, Serialize)]
pub struct TopicTraining<'a> {
    /// The model's file.
    pub model: String,
    /// In bytes.
    pub size: u64,
    /// How many documents it was learned from.
    pub n_documents: usize,
    /// The topics, and how many documents each had.
    pub topics: Vec<(&'a str, usize)>,
    /// What the model knows about itself.
    #[serde(flatten)]
    pub about: &'a TopicAbout,
    /// The kernels that were tried, if they were searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<Vec<TriedKernel<'a>>>,
    /// How long that took.
    pub seconds: Seconds,
}

/// One kernel that was tried: its average precision on held-out documents, or its information
/// criterion in bits per symbol.
#[derive(Debug, Serialize)]
pub struct TriedKernel<'a> {
    /// The kernel.
    pub kernel: &'a str,
    /// What it counts: words, characters.
    pub units: &'a str,
    /// Its figure.
    pub value: f64,
    /// Whether it was taken.
    pub best: bool,
}

impl<'a> TriedKernel<'a> {
    /// A kernel that was tried, and whether it was the best.
    pub fn of(candidate: &'a TopicCandidate, best: bool) -> Self {
        let TopicCandidate { kernel, units, value } = candidate;
        Self { kernel, units: units.name(), value: *value, best }
    }
}

/// The line of `eval` for a model of topics.
#[derive(Debug, Serialize)]
pub struct TopicEvaluation<'a> {
    /// The model's file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// How many documents.
    pub n_documents: usize,
    /// How many documents have a label that the model does not know.
    pub n_unknown: usize,
    /// The figures of every topic.
    pub topics: Vec<TopicRow<'a>>,
    /// The measures.
    pub measures: Vec<MeasureInterval>,
    /// Another model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<TopicVersus>,
}

/// The figures of one topic; null where undefined.
#[derive(Debug, Serialize)]
pub struct TopicRow<'a> {
    /// The topic.
    pub topic: &'a str,
    /// How many documents are of it.
    pub documents: usize,
    /// Average precision over the true documents.
    pub average_precision: Option<f64>,
    /// The same over the true documents that were accepted.
    pub accepted_average_precision: Option<f64>,
    /// Where precision and recall meet.
    pub break_even: Option<f64>,
    /// The share of what the model puts there that is right.
    pub precision: Option<f64>,
    /// The share of what is of it that the model found.
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    pub f1: Option<f64>,
}

impl<'a> TopicRow<'a> {
    /// A topic and its figures.
    pub fn of(topic: &'a str, figures: &LabelFigures) -> Self {
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
pub struct TopicVersus {
    /// The other model's file.
    pub model: String,
    /// How many topics both know.
    pub n_topics: usize,
    /// How the two differ.
    pub measures: Vec<MeasureDifference>,
}

/// A row of `rules` for a model of topics.
#[derive(Debug, Serialize)]
pub struct TopicString<'a> {
    /// The topic.
    pub topic: &'a str,
    /// Its weight.
    pub weight: f64,
    /// The kernel that it is of.
    pub kernel: &'a str,
    /// The string.
    pub string: &'a str,
}

/// The line of `explain` for a model of topics.
#[derive(Debug, Serialize)]
pub struct ExplainedTopic<'a> {
    /// The text.
    pub text: &'a str,
    /// The model.
    pub model: &'a str,
    /// What the model decides.
    pub task: &'a str,
    /// The topics that the document is of, best first.
    pub labels: Vec<&'a str>,
    /// All topics, in the order of the model.
    pub topics: Vec<TopicScore<'a>>,
    /// Whose score is taken apart.
    pub topic: &'a str,
    /// The score: above 0 speaks for yes.
    pub score: f64,
    /// How likely the document is of that topic.
    pub probability: f64,
    /// The score taken apart.
    pub explanation: Node,
}
