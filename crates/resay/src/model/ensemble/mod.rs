//! The ensemble: features of what two sentences share and where they differ
//! ([`features`](crate::features)), re-writing rules, and a classifier over a latent alignment,
//! combined by one scorer ([`QuadraticScorer`]).
//!
//! The scores of base models are inputs like features, and are explained down to their own leaves.
//! A pair is analysed once: scoring keeps what an explanation needs.

mod adapt;
mod explain;
mod file;
mod quadratic;

pub(crate) use quadratic::{QuadraticScorer, Scale};

use super::answer::{AnswerCalibration, AskedClass};
use super::contract::{Explained, PairDetails, PairModel, PairScorer, Prediction, Weight, score_texts};
use super::header::{About, Header, ModelKind};
use super::kernel::KernelScorer;
use super::{KernelModel, LatentTrained};
use crate::explain::What;
use crate::features::{self, FeatureSet, FeatureVector, Wanted, catalogue};
use crate::id::{BaseModel, EnsembleInput, FeatureId};
use crate::latent::sentences::{SentenceScratch, Shape};
use crate::pair::{Needs, PairView};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::{English, Layers};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The quality of a base model by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseAbout {
    /// The code of the base model.
    pub code: u16,
    /// The measure on held-out examples.
    pub held_out: f64,
}

impl BaseAbout {
    /// The base model; `None` if this version does not know its code.
    pub fn model(&self) -> Option<BaseModel> {
        BaseModel::ALL.into_iter().find(|base| base.code() == self.code)
    }
}

/// Header fields of ensembles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnsembleDetails {
    /// Whether the task is symmetric or directed.
    pub shape: Shape,
    /// The base models by themselves.
    pub base_models: Vec<BaseAbout>,
    /// The number of inputs.
    pub n_features: usize,
}

/// The header of an ensemble.
pub type EnsembleAbout = About<EnsembleDetails>;

/// The result of training: the contents of the model file.
pub struct EnsembleTrained {
    /// The header and details.
    pub about: EnsembleAbout,
    /// The inputs in the order of their weights: features first, then base models.
    pub(crate) inputs: Vec<EnsembleInput>,
    /// One scorer of the inputs per head.
    pub(crate) machines: Vec<QuadraticScorer>,
    /// From head scores to answers.
    pub calibration: AnswerCalibration,
    /// The base model over re-writing rules.
    pub rules: KernelModel,
    /// The base model over re-writing rules with word relations on their variables.
    pub typed: KernelModel,
    /// The base model over a latent alignment.
    pub latent: LatentTrained,
}

impl EnsembleTrained {
    /// The number of heads of each base model, in the order of [`BaseModel::ALL`].
    fn n_base_heads(&self) -> [usize; BaseModel::ALL.len()] {
        [self.rules.n_heads(), self.typed.n_heads(), self.latent.weights.len()]
    }
}

/// An ensemble of features and base models.
pub struct Ensemble {
    trained: EnsembleTrained,
    /// For each input that is a feature, its index in the extracted vector.
    places: Vec<usize>,
    /// The features to extract: those among the inputs, and few others.
    set: FeatureSet,
    english: Arc<English>,
    resources: Resources,
}

/// The inputs of an ensemble of this version, in order.
pub(crate) fn inputs(shape: Shape) -> Vec<EnsembleInput> {
    let features = catalogue(shape).into_iter().map(EnsembleInput::Feature);
    features.chain(BaseModel::ALL.map(EnsembleInput::Base)).collect()
}

/// The work limit of the latent alignment search; ordinary pairs need a hundredth of it.
const WORK: u64 = 1_500_000;

/// An answer and the head scores of the base models, in the order of [`BaseModel::ALL`].
pub type Assessed = (Prediction, Vec<f64>);

/// The features and inputs of a pair.
struct Assessment {
    vector: FeatureVector,
    /// One value per input, in the order of the weights.
    values: Vec<f64>,
}

impl Ensemble {
    /// Joins a trained ensemble with its resources. Fails if the file's inputs do not match this
    /// version's.
    pub(crate) fn new(trained: EnsembleTrained, resources: &Resources) -> Result<Self> {
        let n_features = trained.inputs.iter().filter(|input| matches!(input, EnsembleInput::Feature(_))).count();
        let expected = n_features + trained.n_base_heads().iter().sum::<usize>();
        if let Some(n) = trained.machines.iter().map(QuadraticScorer::len).find(|n| *n != expected) {
            return Err(Error::parameter(format!("{n} weights, expected {expected}, one per input")));
        }
        let made = catalogue(trained.about.details.shape);
        let place = |feature: &FeatureId| {
            let at = made.iter().position(|known| known == feature);
            at.ok_or_else(|| {
                Error::data(format!("a feature (code {}) that this version does not make", feature.code()))
            })
        };
        let features = trained.inputs.iter().filter_map(|input| match input {
            EnsembleInput::Feature(feature) => Some(feature),
            EnsembleInput::Base(_) => None,
        });
        let set = FeatureSet::of(features.clone().copied());
        let places = features.map(place).collect::<Result<Vec<usize>>>()?;
        let bases: Vec<EnsembleInput> = trained.inputs[places.len()..].to_vec();
        if bases != BaseModel::ALL.map(EnsembleInput::Base) {
            return Err(Error::data("base models are missing, or stand in the wrong place"));
        }
        let english = resources.english(Layers::ALL)?;
        Ok(Self { trained, places, set, english, resources: resources.clone() })
    }

    /// The header and details.
    pub fn about(&self) -> &EnsembleAbout {
        &self.trained.about
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.trained.about.header
    }

    /// The number of heads of each base model, in the order of [`BaseModel::ALL`].
    fn n_base_heads(&self) -> [usize; BaseModel::ALL.len()] {
        self.trained.n_base_heads()
    }

    /// What each value stands for: features, then the heads of each base model.
    fn values(&self) -> Vec<What> {
        let features = self.trained.inputs.iter().filter_map(|input| match input {
            EnsembleInput::Feature(feature) => Some(What::Feature(*feature)),
            EnsembleInput::Base(_) => None,
        });
        let labels = self.trained.about.header.response.labels();
        let of_base = |(base, n): (BaseModel, usize)| -> Vec<What> {
            match n {
                1 => vec![What::BaseModel(base)],
                n => (0..n).map(|head| What::BaseModelClass(base, labels[head].clone())).collect(),
            }
        };
        features.chain(BaseModel::ALL.into_iter().zip(self.n_base_heads()).flat_map(of_base)).collect()
    }

    /// The score of each head for these inputs.
    fn heads(&self, values: &[f64]) -> Vec<f64> {
        self.trained.machines.iter().map(|machine| machine.score(values)).collect()
    }

    /// The features of a pair, in the order of the weights.
    fn features(&self, pair: &PairView<'_>, wanted: Wanted) -> Result<Assessment> {
        let vector = features::extract_set(self.set, pair, &self.english, self.trained.about.details.shape, wanted)?;
        let mut values: Vec<f64> = self.places.iter().map(|&place| vector.values[place]).collect();
        values.reserve(BaseModel::ALL.len());
        Ok(Assessment { vector, values })
    }

    fn new_scorer(&self) -> EnsembleScorer<'_> {
        EnsembleScorer {
            model: self,
            sentences: SentenceScratch::within(WORK),
            rules: self.trained.rules.new_scorer(),
            typed: self.trained.typed.new_scorer(),
        }
    }

    /// Scores pairs, with the scores of the base models beside each decision, in the order of
    /// [`BaseModel::ALL`].
    pub fn score_with_bases(&self, pairs: &[(&str, &str)], progress: Progress<'_>) -> Result<Vec<Result<Assessed>>> {
        let begin = || self.new_scorer();
        score_texts(
            self,
            pairs,
            |pair| *pair,
            progress,
            begin,
            |scorer, views| scorer.assess_all(views, progress.quiet()),
        )
    }
}

/// The per-thread state of scoring.
pub(super) struct EnsembleScorer<'a> {
    model: &'a Ensemble,
    sentences: SentenceScratch,
    rules: KernelScorer<'a>,
    typed: KernelScorer<'a>,
}

impl EnsembleScorer<'_> {
    /// The value of every input for each pair. Each base model scores all pairs in turn, so that its
    /// tables stay in the cache.
    fn values_all(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Vec<f64>>> {
        let model = self.model;
        let mut found: Vec<Result<Assessment>> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            found.push(progress.check().and_then(|()| model.features(pair, Wanted::Values)));
        }
        let mut ask = |of: &mut dyn FnMut(&PairView<'_>) -> Result<Vec<f64>>| {
            for (pair, assessed) in pairs.iter().zip(&mut found) {
                if let Ok(known) = assessed {
                    match progress.check().and_then(|()| of(pair)) {
                        Ok(heads) => known.values.extend(heads),
                        Err(error) => *assessed = Err(error),
                    }
                }
            }
        };
        ask(&mut |pair| self.rules.score_words(pair));
        ask(&mut |pair| self.typed.score_words(pair));
        ask(&mut |pair| model.trained.latent.score(pair, &mut self.sentences));
        found.into_iter().map(|assessed| assessed.map(|assessed| assessed.values)).collect()
    }

    /// Decides each pair and keeps the scores of the base models.
    fn assess_all(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Assessed>> {
        let model = self.model;
        let decide = |values: Result<Vec<f64>>| {
            let mut values = values?;
            let prediction = model.trained.calibration.predict(&model.heads(&values));
            Ok((prediction, values.split_off(model.places.len())))
        };
        self.values_all(pairs, progress).into_iter().map(decide).collect()
    }
}

impl PairScorer for EnsembleScorer<'_> {
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>> {
        let decided = self.assess_all(pairs, progress).into_iter();
        decided.map(|result| result.map(|(prediction, _)| prediction)).collect()
    }

    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, top: usize) -> Result<Explained> {
        self.explain_pair(pair, asked, top)
    }
}

impl PairModel for Ensemble {
    fn to_bytes(&self) -> Result<Vec<u8>> {
        Self::to_bytes(self)
    }

    fn header(&self) -> &Header {
        &self.trained.about.header
    }

    fn resources(&self) -> &Resources {
        &self.resources
    }

    fn details(&self) -> PairDetails<'_> {
        PairDetails::Ensemble(&self.trained.about.details)
    }

    fn needs(&self) -> Needs {
        Needs::sentences(Layers::ALL)
    }

    fn scorer(&self) -> Box<dyn PairScorer + '_> {
        Box::new(self.new_scorer())
    }

    /// The effect of one standard deviation of each input, with all other inputs at their usual
    /// values.
    fn weights(&self, head: usize) -> Vec<Weight> {
        let Some(machine) = self.trained.machines.get(head) else { return Vec::new() };
        let linear = self.values().into_iter().zip(machine.linear());
        let mut weights: Vec<Weight> = linear.map(|(what, weight)| Weight::of(what, *weight)).collect();
        Weight::heaviest_first(&mut weights);
        weights
    }
}

/// The kind of ensemble files.
pub(super) const KIND: ModelKind = ModelKind::Ensemble;
