//! Trains a joint judgement ([`JudgementModel`]) on a mixture of corpora, each of which says something
//! else about the five relations: a paraphrase label tells equivalent from all others, a three-way
//! entailment label leaves open what holds the other way round, a similarity says how much.
//!
//! What is minimised: the sum over all examples of −weight · ln Σ_{r allowed} p_r, with p the softmax
//! of the scores of boosted trees plus the logarithm of how frequent each relation is in the corpus,
//! relative to how frequent it is taken to be among users' texts. So the trees learn what a pair looks
//! like, and not what is frequent where. Frequencies are estimated from the labels by expectation
//! maximisation.
//!
//! Before the trees, a linear model with the same loss learns what rules mean (`relate::rules`). Its scores
//! are inputs of the trees. For an example that is learned from, they come from a model that has not
//! seen its group.
//!
//! Every example is seen in both orders, with forward and backward exchanged. A fifth of the groups
//! is held out first: they calibrate the probabilities and measure; then all examples are learned.

mod learn;
mod measure;
mod study;

pub use crate::relate::Ingredient;
pub use study::{JudgementStudy, StudyAnswer};

use crate::Result;
use crate::id::TextRelation;
use crate::model::{About, Header, JudgementDetails, JudgementModel, JudgementTrained, ModelKind, Question, Versions};
use crate::relate;
use crate::resources::Resources;
use learn::{Fitted, Learning, part};
use resay_learn::boost::BoostParams;
use resay_learn::progress::{Progress, Stage};
use resay_learn::softmax::SoftmaxParams;

/// The relations that a label leaves open, as bits in the order of [`TextRelation::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationSet(u8);

impl RelationSet {
    /// Every relation: nothing is known.
    pub const ALL: Self = Self(0b11111);

    /// A set of relations.
    pub fn of(relations: &[TextRelation]) -> Self {
        Self(relations.iter().fold(0, |bits, relation| bits | 1 << *relation as u8))
    }

    /// All other relations.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }

    /// The set from its bits.
    pub fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether the relation is left open.
    pub fn has(self, relation: TextRelation) -> bool {
        self.0 >> relation as u8 & 1 == 1
    }

    /// The set for the texts in the other order.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self(
            TextRelation::ALL
                .into_iter()
                .filter(|relation| self.has(*relation))
                .fold(0, |bits, relation| bits | 1 << relation.reversed() as u8),
        )
    }
}

/// A labelled pair.
#[derive(Clone, Debug)]
pub struct RelationExample {
    /// The source.
    pub source: String,
    /// The target.
    pub target: String,
    /// The relations that the label leaves open.
    pub allowed: RelationSet,
    /// How similar the texts are, from 0 to 1, if that is known.
    pub similarity: Option<f32>,
    /// How much the example counts.
    pub weight: f32,
    /// The corpus, as an index into the corpora.
    pub corpus: usize,
    /// Examples of one group are held out together.
    pub group: String,
}

/// A mixture of corpora.
#[derive(Clone, Debug, Default)]
pub struct RelationData {
    /// The names of the corpora, and whether each is one of reference: its texts are like those of
    /// users, and probabilities are calibrated on them.
    pub corpora: Vec<(String, bool)>,
    /// The examples.
    pub examples: Vec<RelationExample>,
}

/// Training options.
#[derive(Clone, Debug)]
pub struct JudgementOptions {
    /// How frequent each relation is taken to be among users' texts, in the order of
    /// [`TextRelation::ALL`].
    pub frequencies: [f64; 5],
    /// How the weights of rules are fitted.
    pub rules: SoftmaxParams,
    /// A rule has a weight if so many rows have it.
    pub min_support: usize,
    /// How the trees of the relations are grown.
    pub relations: BoostParams,
    /// How the trees of the similarity are grown.
    pub similarity: BoostParams,
    /// The names of the training data, for the header.
    pub data: String,
}

impl Default for JudgementOptions {
    fn default() -> Self {
        let relations =
            BoostParams { rounds: 200, rate: 0.12, leaves: 40, min_curvature: 6.0, ridge: 5.0, inputs: 0.35, seed: 1 };
        let similarity = BoostParams { rounds: 150, rate: 0.08, leaves: 12, min_curvature: 20.0, ..relations.clone() };
        let rules = SoftmaxParams { ridge: 2.0, max_steps: 40 };
        let frequencies = [0.42, 0.11, 0.11, 0.2, 0.16];
        Self { frequencies, rules, min_support: 4, relations, similarity, data: String::new() }
    }
}

/// Trains a model.
pub fn train_judgement(
    data: &RelationData,
    options: &JudgementOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<JudgementModel> {
    resources.threads().run(|| learn(data, options, resources, progress))?
}

fn learn(
    data: &RelationData,
    options: &JudgementOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<JudgementModel> {
    let learning = Learning::new(data, options, &[], resources, progress)?;
    let is_held = |example: &RelationExample| part(example, 0, 5) == 0;
    let (held, rest): (Vec<usize>, Vec<usize>) = (0..data.examples.len()).partition(|&at| is_held(&data.examples[at]));
    progress.report(Stage::Search, 0, 2)?;
    let measured = learning.measure(&learning.fit(&rest)?, &held);
    progress.report(Stage::Search, 1, 2)?;
    let Fitted { rules, relations, similarity, .. } =
        learning.fit(&(0..data.examples.len()).collect::<Vec<usize>>())?;
    let header = Header {
        kind: ModelKind::Judgement,
        task: "relation".to_owned(),
        response: Question::Same.response(),
        learner: "boosted".to_owned(),
        data: options.data.clone(),
        n_examples: data.examples.len(),
        counts: vec![0; 2],
        cost: None,
        search: Vec::new(),
        measure: "accuracy".to_owned(),
        held_out: Some(measured.of_reference),
        folds: None,
        merged: Vec::new(),
        sure: None,
        from: None,
        stop: format!("{} rounds", options.relations.rounds),
        versions: Versions::default(),
        licence: String::new(),
        note: String::new(),
    };
    let details = JudgementDetails {
        n_inputs: learning.inputs.len(),
        n_rules: rules.len(),
        n_rounds: options.relations.rounds,
        slope: measured.slope,
        interval: measured.interval,
        by_corpus: measured.by_corpus,
    };
    let codes = relate::catalogue().iter().map(|feature| feature.code()).collect();
    let trained = JudgementTrained { about: About { header, details }, codes, rules, relations, similarity };
    JudgementModel::new(trained, resources)
}
