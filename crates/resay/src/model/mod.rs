//! Trained models. They score pairs, align them or classify documents, explain their decisions, and
//! are stored in one file each.
//!
//! All kinds share one [`Header`]. Pair models share one interface, [`PairModel`]: kernel machines
//! ([`KernelModel`]), classifiers over a latent alignment ([`LatentModel`]), ensembles
//! ([`Ensemble`]), names across scripts ([`NamesModel`]), the joint judgement
//! ([`JudgementModel`]) and its adaptations ([`AdaptedJudgement`]). Aligners and topic models have small
//! interfaces of their own; a [`ProgramModel`] decides about user-declared structures.

mod adapt;
mod align;
mod answer;
mod contract;
mod ensemble;
mod file;
mod header;
mod judgement;
mod kernel;
mod latent;
mod names;
mod program;
mod pruning;
pub mod registry;
mod rules;
mod support;
mod topics;

pub(crate) use adapt::{AdaptBlock, AdaptRow, HeadChange, describe_answers};
pub(crate) use align::lexicon_for;
pub use align::{AlignAbout, AlignDetails, AlignModel, AlignedText};
pub use answer::{AnswerCalibration, AskedClass, Combination};
pub use contract::{
    AlignerModel, Decision, DocumentModel, Explained, PairDetails, PairModel, PairScorer, Prediction, Ranks, Weight,
};
pub use ensemble::{Assessed, BaseAbout, Ensemble, EnsembleAbout, EnsembleDetails, EnsembleTrained};
pub(crate) use ensemble::{QuadraticScorer, Scale, inputs as ensemble_inputs};
pub use file::AnyModel;
pub use header::{
    About, AdaptedFrom, FoldsAbout, Header, ModelKind, Response, SureAbout, Tried, TriedStrength, Versions,
};
pub(crate) use judgement::RuleWeights;
pub use judgement::{
    AdaptedJudgement, AdaptedJudgementAbout, AdaptedJudgementDetails, Judged, JudgementAbout, JudgementDetails,
    JudgementModel, JudgementTrained, Question, SentencePair, Undone,
};
pub use kernel::{KernelAbout, KernelDetails, KernelModel, KernelTrained};
pub(crate) use latent::LAYERS as LATENT_LAYERS;
pub use latent::{LatentAbout, LatentDetails, LatentModel, LatentTrained};
pub use names::{NameCandidates, NamesAbout, NamesDetails, NamesModel};
pub use program::{ProgramAbout, ProgramDetails, ProgramModel};
pub use pruning::Pruning;
pub(crate) use pruning::keep_heaviest;
pub use resay_text::container::{MAX_HEADER, MAX_SIZE, VERSION};
pub use topics::{Topic, TopicAbout, TopicDecision, TopicDetails, TopicModel, TopicTrained, WeightedString};

use crate::pair::PairContext;
use crate::resources::Resources;

/// The per-thread state for scoring pairs.
pub fn pair_context(resources: &Resources) -> PairContext {
    PairContext::new(resources, registry::pair_aligner)
}
