//! The header that all kinds of model files share.
//!
//! The header states a file's kind before anything is unpacked, so that a file of the wrong kind is
//! rejected for what it is, not for what it lacks. Fields of a single kind are kept beside it
//! ([`About`]).

use super::contract::Prediction;
use crate::data::GroupedBy;
use crate::{Error, Result};
use resay_text::container::{Container, Origin};
use serde::{Deserialize, Serialize};

/// The current header layout; models with older layouts were never released.
const LAYOUT: u32 = 2;

/// The version of the tokeniser: models of the same version tokenise texts alike.
const TOKENISER: u32 = 1;

/// The kind of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ModelKind {
    /// A kernel machine, as rules or as support vectors.
    Kernel,
    /// A classifier over a latent alignment.
    Latent,
    /// Features and base models, combined by one scorer.
    Ensemble,
    /// Names across scripts.
    Names,
    /// Document classification by topic.
    Topics,
    /// A phrase aligner.
    Align,
    /// A classifier over declared programmes.
    Program,
    /// A joint judgement of how two texts are related.
    Judgement,
    /// A joint judgement that was adapted to other pairs.
    AdaptedJudgement,
}

/// The type of a model's answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum Response {
    /// A binary label.
    Binary {
        /// The names of the negative and the positive label.
        labels: [String; 2],
    },
    /// One of several classes.
    Categories {
        /// The names of the classes.
        labels: Vec<String>,
    },
    /// One of several ordered classes.
    Ordinal {
        /// The names of the classes, lowest first.
        levels: Vec<String>,
    },
    /// A number.
    Real {
        /// The smallest value in the training data.
        low: f64,
        /// The largest value in the training data.
        high: f64,
    },
    /// Any subset of the topics.
    Topics {
        /// The names of the topics.
        labels: Vec<String>,
    },
    /// Links between words.
    Links,
}

impl Response {
    /// The names of the labels, in order; empty for numbers and links.
    pub fn labels(&self) -> &[String] {
        match self {
            Self::Binary { labels } => labels,
            Self::Categories { labels } | Self::Topics { labels } => labels,
            Self::Ordinal { levels } => levels,
            Self::Real { .. } | Self::Links => &[],
        }
    }

    /// Rejects responses that no model could have.
    fn check(&self) -> std::result::Result<(), &'static str> {
        let labels = self.labels();
        let is_twice = (1..labels.len()).any(|at| labels[..at].contains(&labels[at]));
        match self {
            _ if is_twice => Err("two answers of one name"),
            Self::Categories { .. } | Self::Ordinal { .. } if labels.len() < 2 => Err("fewer than two answers"),
            Self::Real { low, high } if !(low.is_finite() && high.is_finite() && low <= high) => {
                Err("a range of numbers without an end")
            }
            _ => Ok(()),
        }
    }
}

/// One cost tried in a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The cost.
    pub cost: f64,
    /// The mean of the measure over the folds.
    pub mean: f64,
    /// The measure on each fold.
    pub folds: Vec<f64>,
}

/// The folds that a cost was chosen on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldsAbout {
    /// The number of folds.
    pub n_folds: usize,
    /// The number of groups of examples; the examples of a group share a fold.
    pub n_groups: usize,
    /// What the groups are made of.
    pub by: GroupedBy,
    /// The number of folds that were held out, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_used: Option<usize>,
}

/// When a model is sure of a label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SureAbout {
    /// The share of right answers that was asked for.
    pub precision: f64,
    /// For each label the probability from which on it is sure; none if it never is.
    pub thresholds: Vec<Option<f64>>,
    /// The share of held-out examples that it was sure of.
    pub coverage: f64,
}

/// One strength tried when a model was adapted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriedStrength {
    /// How far the weights may move; 0 for calibration alone.
    pub strength: f64,
    /// The mean loss of held-out examples: log loss, or half the squared error of numbers in units
    /// of their spread.
    pub loss: f64,
    /// The mean of the measure over the folds.
    pub mean: f64,
}

/// The model that another one was adapted from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptedFrom {
    /// The name of the model: a bundled one, or a file without its folder.
    pub name: String,
    /// The names of its training files, without their folders.
    pub data: String,
    /// The number of its training examples.
    pub n_examples: usize,
    /// The licence of its training data.
    pub licence: String,
    /// How far the weights could move: the standard deviation of the change of an average pair, in
    /// log-odds or in units of the spread of numbers. 0 if only the calibration follows the new data.
    pub strength: f64,
    /// Every strength tried on held-out folds.
    pub tried: Vec<TriedStrength>,
}

/// The versions that a model was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The version of Resay.
    pub resay: String,
    /// The layout of the header.
    pub header: u32,
    /// The version of the tokeniser.
    pub tokeniser: u32,
}

impl Default for Versions {
    fn default() -> Self {
        Self { resay: env!("CARGO_PKG_VERSION").to_owned(), header: LAYOUT, tokeniser: TOKENISER }
    }
}

/// The description of a model: what it is for, how it was trained, how good it was on held-out
/// folds, and the licence of its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Header {
    /// The kind of the file.
    pub kind: ModelKind,
    /// The task: paraphrase, entailment, pair, answers, names, topics, align, program.
    pub task: String,
    /// The type of the answers.
    pub response: Response,
    /// The learner: linear, dual, latent, two-stage, combined.
    pub learner: String,
    /// The names of the training files, without their folders.
    pub data: String,
    /// The number of training examples.
    pub n_examples: usize,
    /// The number of training examples per label, if labels have names.
    pub counts: Vec<usize>,
    /// The cost used in training.
    pub cost: Option<f64>,
    /// Every cost tried, with the mean over the held-out folds.
    pub search: Vec<Tried>,
    /// The measure of the search.
    pub measure: String,
    /// The measure on held-out examples, for the saved machine.
    pub held_out: Option<f64>,
    /// The folds of the search, if there were any and the program that made the model noted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folds: Option<FoldsAbout>,
    /// Labels of the data that were merged into the negative one, if different ones were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<String>,
    /// When the model is sure of a label; without it, it always is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sure: Option<SureAbout>,
    /// The model that this one was adapted from; `data` and `n_examples` are about what it was
    /// adapted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<AdaptedFrom>,
    /// Why training stopped.
    pub stop: String,
    /// The versions it was made with.
    pub versions: Versions,
    /// The licence of the training data.
    pub licence: String,
    /// A free-form note by the trainer.
    pub note: String,
}

impl Header {
    /// Reads the header of a model file of any kind; `name` is for error messages.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self> {
        if let Ok(Origin { resource, .. }) = Container::<Origin>::describe(name, bytes) {
            let message = format!("no model but a resource ({resource}): expected a file written by 'resay train'");
            return Err(Error::file(name, message));
        }
        let value = Container::<serde_json::Value>::describe(name, bytes)?;
        if value.get("kind").is_none() && value.get("task").is_some() {
            let message = "a model of an earlier version of Resay, which had no release: train it again";
            return Err(Error::file(name, message));
        }
        let header: Self = serde_json::from_value(value).map_err(|error| {
            Error::file(name, format!("the model's header cannot be read ({error}): it is damaged"))
        })?;
        if header.versions.header > LAYOUT {
            let (found, resay) = (header.versions.header, &header.versions.resay);
            let message = format!("written by Resay {resay}, whose headers (layout {found}) this version cannot read");
            return Err(Error::file(name, message));
        }
        header.response.check().map_err(|what| Error::file(name, format!("{what}: the model is damaged")))?;
        Ok(header)
    }

    /// Whether the model is sure of an answer: always, unless it was trained for a precision.
    pub fn is_sure(&self, prediction: &Prediction) -> bool {
        let Some(SureAbout { thresholds, .. }) = &self.sure else { return true };
        let (label, probability) = match prediction {
            Prediction::Binary { probability, label, .. } => {
                (usize::from(*label), if *label { *probability } else { 1.0 - probability })
            }
            Prediction::Category { probabilities, label, .. } => (*label, probabilities[*label]),
            Prediction::Real { .. } => return true,
        };
        thresholds.get(label).copied().flatten().is_some_and(|threshold| probability >= threshold)
    }

    /// The number of positive examples.
    pub fn n_positive(&self) -> usize {
        self.counts.get(1).copied().unwrap_or(0)
    }

    /// The names of the negative and the positive label; "0" and "1" if the model is not binary.
    pub fn binary_labels(&self) -> [&str; 2] {
        match &self.response {
            Response::Binary { labels } => labels.each_ref().map(String::as_str),
            _ => ["0", "1"],
        }
    }
}

/// A header and the fields of one kind of model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About<D> {
    /// The fields of all models.
    #[serde(flatten)]
    pub header: Header,
    /// The fields of this kind.
    #[serde(flatten)]
    pub details: D,
}

/// Rejects a file with another kind of model.
pub(super) fn expect_kind(name: &str, bytes: &[u8], expected: ModelKind) -> Result<Header> {
    let header = Header::read(name, bytes)?;
    if header.kind == expected {
        return Ok(header);
    }
    let is = |kind: ModelKind| match kind {
        ModelKind::Kernel => "a kernel model that decides about pairs",
        ModelKind::Latent => "a latent model that decides about pairs",
        ModelKind::Ensemble => "an ensemble that decides about pairs",
        ModelKind::Names => "a model of names",
        ModelKind::Topics => "a model that sorts documents",
        ModelKind::Align => "a model that aligns",
        ModelKind::Program => "a model over declared programmes",
        ModelKind::Judgement => "a judgement of how two texts are related",
        ModelKind::AdaptedJudgement => "an adapted judgement that decides about pairs",
    };
    Err(Error::file(name, format!("{} (task {}), expected {}", is(header.kind), header.task, is(expected))))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn header(kind: ModelKind, response: Response) -> Header {
        Header {
            kind,
            task: "pair".to_owned(),
            counts: vec![0; response.labels().len()],
            response,
            learner: "dual".to_owned(),
            data: "pairs.tsv".to_owned(),
            n_examples: 3,
            cost: Some(0.1),
            search: vec![Tried { cost: 0.1, mean: 0.7, folds: vec![0.6, 0.8] }],
            measure: "accuracy".to_owned(),
            held_out: Some(0.7),
            folds: Some(FoldsAbout { n_folds: 5, n_groups: 7, by: GroupedBy::Sentences, n_used: None }),
            merged: Vec::new(),
            sure: None,
            from: None,
            stop: "converged".to_owned(),
            versions: Versions::default(),
            licence: "CC0".to_owned(),
            note: String::new(),
        }
    }

    fn strings(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|&label| label.to_owned()).collect()
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Details {
        kernel: String,
    }

    #[test]
    fn every_kind_of_response_survives_the_file_and_json() {
        let responses = [
            Response::Binary { labels: ["0".to_owned(), "1".to_owned()] },
            Response::Categories { labels: strings(&["entailment", "neutral", "contradiction"]) },
            Response::Ordinal { levels: strings(&["poor", "fair", "good"]) },
            Response::Real { low: 0.1, high: 5.0 },
            Response::Topics { labels: strings(&["grain", "trade"]) },
            Response::Links,
        ];
        for response in responses {
            let header = header(ModelKind::Kernel, response);
            let json = serde_json::to_string(&header).unwrap();
            assert_eq!(serde_json::from_str::<Header>(&json).unwrap(), header, "{json}");
            let about = About { header: header.clone(), details: Details { kernel: "pr".to_owned() } };
            let bytes = Container::new(about.clone()).pack().unwrap();
            assert_eq!(Header::read("m.resay", &bytes).unwrap(), header);
            assert_eq!(Container::<About<Details>>::unpack("m.resay", &bytes).unwrap().about, about);
        }
    }

    #[test]
    fn files_are_refused_by_what_they_are() {
        let check = |bytes: Vec<u8>, expected: &str| {
            let error = expect_kind("m.resay", &bytes, ModelKind::Align).unwrap_err().to_string();
            assert!(error.starts_with("m.resay: ") && error.contains(expected), "{error}, expected {expected}");
        };
        let pack = |change: &dyn Fn(&mut Header)| {
            let mut header = header(ModelKind::Topics, Response::Topics { labels: strings(&["a", "b"]) });
            change(&mut header);
            Container::new(header).pack().unwrap()
        };
        check(pack(&|_| {}), "a model that sorts documents (task pair), expected a model that aligns");
        check(pack(&|header| header.versions.header = 99), "whose headers (layout 99)");
        check(pack(&|header| header.response = Response::Ordinal { levels: strings(&["one"]) }), "fewer than two");
        check(pack(&|header| header.response = Response::Categories { labels: strings(&["a", "a"]) }), "of one name");
        check(pack(&|header| header.response = Response::Real { low: 2.0, high: 1.0 }), "a range of numbers");
        let old = serde_json::json!({"task": "paraphrase", "learner": "dual"});
        check(Container::new(old).pack().unwrap(), "an earlier version of Resay");
        check(Container::new(serde_json::json!({"kind": "align"})).pack().unwrap(), "cannot be read");
        check(crate::resources::Resources::bundled().bytes("tagger").unwrap().into_owned(), "a resource (tagger)");
        check(b"text".to_vec(), "not a Resay model");
    }
}
