//! Lines about document topics.

use super::{Contribution, MeasureDifference, MeasureInterval, Node, Seconds};
use resay::model::TopicAbout;
use resay::train::topics::TopicCandidate;
use resay_learn::eval::topics::LabelFigures;
use serde::Serialize;

/// The score of one topic.
#[derive(Debug, Serialize)]
pub struct TopicScore<'a> {
    /// The topic.
    pub topic: &'a str,
    /// The score; positive scores favour the topic.
    pub score: f64,
    /// The probability that the document has the topic.
    pub probability: f64,
}

/// A row of `predict` for documents.
#[derive(Debug, Serialize)]
pub struct SortedDocument<'a> {
    /// The id of the document.
    pub id: &'a str,
    /// The predicted topics, best first.
    pub labels: Vec<&'a str>,
    /// All topics, in the order of the model.
    pub topics: Vec<TopicScore<'a>>,
    /// The strongest strings of the best topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strings: Option<Vec<Contribution>>,
}

/// The line of `train` for a topic model.
#[derive(Debug, Serialize)]
pub struct TopicTraining<'a> {
    /// The model file.
    pub model: String,
    /// Its size in bytes.
    pub size: u64,
    /// Number of training documents.
    pub n_documents: usize,
    /// The topics, with the number of documents of each.
    pub topics: Vec<(&'a str, usize)>,
    /// The model's metadata.
    #[serde(flatten)]
    pub about: &'a TopicAbout,
    /// The kernels tried, if they were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<Vec<TriedKernel<'a>>>,
    /// Training time.
    pub seconds: Seconds,
}

/// A kernel that was tried: its average precision on held-out documents, or its information
/// criterion in bits per symbol.
#[derive(Debug, Serialize)]
pub struct TriedKernel<'a> {
    /// The kernel.
    pub kernel: &'a str,
    /// Its units: words or characters.
    pub units: &'a str,
    /// Its figure.
    pub value: f64,
    /// Whether it was chosen.
    pub best: bool,
}

impl<'a> TriedKernel<'a> {
    /// Builds the entry of a kernel that was tried.
    pub fn of(candidate: &'a TopicCandidate, best: bool) -> Self {
        let TopicCandidate { kernel, units, value } = candidate;
        Self { kernel, units: units.name(), value: *value, best }
    }
}

/// The line of `eval` for a topic model.
#[derive(Debug, Serialize)]
pub struct TopicEvaluation<'a> {
    /// The model file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// Number of documents.
    pub n_documents: usize,
    /// Number of documents with a label unknown to the model.
    pub n_unknown: usize,
    /// The figures per topic.
    pub topics: Vec<TopicRow<'a>>,
    /// The metrics.
    pub measures: Vec<MeasureInterval>,
    /// A second model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<TopicVersus>,
}

/// The figures of one topic; null if undefined.
#[derive(Debug, Serialize)]
pub struct TopicRow<'a> {
    /// The topic.
    pub topic: &'a str,
    /// Number of documents with the topic.
    pub documents: usize,
    /// Average precision over the true documents.
    pub average_precision: Option<f64>,
    /// The same over the true documents that were accepted.
    pub accepted_average_precision: Option<f64>,
    /// The break-even point of precision and recall.
    pub break_even: Option<f64>,
    /// Share of predicted documents that are correct.
    pub precision: Option<f64>,
    /// Share of true documents that were predicted.
    pub recall: Option<f64>,
    /// The harmonic mean of precision and recall.
    pub f1: Option<f64>,
}

impl<'a> TopicRow<'a> {
    /// Builds the row of a topic.
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

/// A second model on the same documents and the topics known to both.
#[derive(Debug, Serialize)]
pub struct TopicVersus {
    /// The other model's file.
    pub model: String,
    /// Number of topics known to both.
    pub n_topics: usize,
    /// The differences by metric.
    pub measures: Vec<MeasureDifference>,
}

/// A row of `rules` for a topic model.
#[derive(Debug, Serialize)]
pub struct TopicString<'a> {
    /// The topic.
    pub topic: &'a str,
    /// Its weight.
    pub weight: f64,
    /// Its kernel.
    pub kernel: &'a str,
    /// The string.
    pub string: &'a str,
    /// The units of its symbols; missing if they are the model's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<&'a str>,
}

/// The line of `explain` for a topic model.
#[derive(Debug, Serialize)]
pub struct ExplainedTopic<'a> {
    /// The text.
    pub text: &'a str,
    /// The model.
    pub model: &'a str,
    /// The task of the model.
    pub task: &'a str,
    /// The predicted topics, best first.
    pub labels: Vec<&'a str>,
    /// All topics, in the order of the model.
    pub topics: Vec<TopicScore<'a>>,
    /// The explained topic.
    pub topic: &'a str,
    /// The score; positive scores favour the topic.
    pub score: f64,
    /// The probability that the document has this topic.
    pub probability: f64,
    /// The explanation of the score.
    pub explanation: Node,
}
