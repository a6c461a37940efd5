//! The interface of all models that decide about pairs of texts.
//!
//! A [`PairModel`] describes itself ([`Header`]), declares what annotation it needs ([`Needs`]) and
//! makes scorers. A [`PairScorer`] belongs to one thread and scores or explains prepared pairs
//! ([`PairView`]). Everything around it (batching, annotating every text once, threads,
//! cancellation) is the same for all models and lives here.
//!
//! Scoring many pairs returns one result per pair: a pair that cannot be scored does not affect the
//! others.

use super::answer::AskedClass;
use super::header::{Header, Response};
use super::{
    AdaptedJudgementDetails, AlignedText, EnsembleDetails, JudgementDetails, KernelDetails, LatentDetails,
    NamesDetails, TopicDecision, pair_context,
};
use crate::align::Decode;
use crate::explain::{Explanation, What};
use crate::pair::{Annotated, Needs, PairContext, PairView, TextAnnotator};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::{Progress, Stage};
use resay_text::Sentence;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The answer of a binary model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Positive if above 0.
    pub score: f64,
    /// The calibrated probability of the positive label.
    pub probability: f64,
    /// Whether the score is above 0.
    pub label: bool,
}

/// What a candidate is ranked by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// The higher, the better.
    pub score: f64,
    /// The probability that goes with it, if there is one.
    pub probability: Option<f64>,
}

/// The answer of a model for a pair, depending on its [`Response`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum Prediction {
    /// A binary label.
    Binary {
        /// Positive if above 0.
        score: f64,
        /// The calibrated probability of the positive label.
        probability: f64,
        /// Whether the score is above 0.
        label: bool,
    },
    /// One of several classes, ordered or not.
    Category {
        /// One score per class; the highest wins.
        scores: Vec<f64>,
        /// One probability per class; they sum to 1.
        probabilities: Vec<f64>,
        /// The predicted class, as an index into the response's labels.
        label: usize,
    },
    /// A number.
    Real {
        /// The point estimate.
        value: f64,
        /// The bounds of its interval.
        interval: [f64; 2],
    },
}

impl Prediction {
    /// The answer as a binary decision; an error for models that are not binary.
    pub fn decision(&self) -> Result<Decision> {
        match *self {
            Self::Binary { score, probability, label } => Ok(Decision { score, probability, label }),
            _ => Err(Error::data("the model does not answer yes or no, which is expected here")),
        }
    }

    /// What to rank candidates by: the score of yes, the log-odds of this class, the number, or the
    /// level to be expected. An error for categories if none is given.
    pub fn rank(&self, response: &Response, class: Option<usize>) -> Result<Ranks> {
        match (self, class) {
            (Self::Binary { score, probability, .. }, None | Some(1)) => {
                Ok(Ranks { score: *score, probability: Some(*probability) })
            }
            (Self::Binary { score, probability, .. }, Some(0)) => {
                Ok(Ranks { score: -score, probability: Some(1.0 - probability) })
            }
            (Self::Category { scores, probabilities, .. }, Some(class)) if class < scores.len() => {
                // Both kinds of scores are logarithms of probabilities, up to a constant of the
                // pair. The score of one class alone would not rank pairs by its probability.
                let others = || scores.iter().enumerate().filter(|(other, _)| *other != class).map(|(_, score)| *score);
                let highest = others().fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = others().map(|score| (score - highest).exp()).sum();
                Ok(Ranks { score: scores[class] - highest - sum.ln(), probability: Some(probabilities[class]) })
            }
            (Self::Category { probabilities, .. }, None) if matches!(response, Response::Ordinal { .. }) => {
                let score = probabilities.iter().enumerate().map(|(level, share)| level as f64 * share).sum();
                Ok(Ranks { score, probability: None })
            }
            (Self::Real { value, .. }, None) => Ok(Ranks { score: *value, probability: None }),
            _ => Err(Error::parameter("several classes: say which one to rank by")),
        }
    }

    /// The name of the predicted label, if labels have names.
    pub fn label<'a>(&self, response: &'a Response) -> Option<&'a str> {
        let at = match self {
            Self::Binary { label, .. } => usize::from(*label),
            Self::Category { label, .. } => *label,
            Self::Real { .. } => return None,
        };
        response.labels().get(at).map(String::as_str)
    }
}

impl From<Decision> for Prediction {
    fn from(Decision { score, probability, label }: Decision) -> Self {
        Self::Binary { score, probability, label }
    }
}

/// A prediction and its explanation.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The prediction.
    pub prediction: Prediction,
    /// The explanation; its leaves add up to the score of what was asked.
    pub explanation: Explanation,
    /// The two texts as the symbols that the kernel compared; kernel models only.
    pub symbols: Option<Box<[Sentence; 2]>>,
}

/// A rule or feature of a model with its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The kernel that it belongs to; kernel models only.
    pub kernel: Option<String>,
    /// The rule or feature.
    pub what: What,
    /// The contribution to the score per unit.
    pub weight: f64,
    /// The number of training pairs that contain it, if known.
    pub support: Option<u32>,
    /// A rule with its wildcards filled in from a training pair.
    pub example: Option<String>,
}

impl Weight {
    /// A weight without further information.
    pub(super) fn of(what: What, weight: f64) -> Self {
        Self { kernel: None, what, weight, support: None, example: None }
    }

    /// Sorts by decreasing absolute weight; ties keep their order.
    pub(super) fn heaviest_first(weights: &mut [Self]) {
        weights.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    }
}

/// Scores and explains pairs; one per thread.
pub trait PairScorer {
    /// Scores pairs, with one result per pair, in order. After a cancellation, the remaining
    /// results are errors.
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>>;

    /// Scores one pair and explains the answer asked about: the leaves add up to its score. Kernel
    /// models show at most `top` leaves per kernel and sum up the rest.
    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, top: usize) -> Result<Explained>;
}

/// Header fields that only one kind of model has.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PairDetails<'a> {
    /// A kernel machine.
    Kernel(&'a KernelDetails),
    /// A classifier over a latent alignment.
    Latent(&'a LatentDetails),
    /// Features and base models, combined by one scorer.
    Ensemble(&'a EnsembleDetails),
    /// Names across scripts.
    Names(&'a NamesDetails),
    /// A joint judgement.
    Judgement(&'a JudgementDetails),
    /// A joint judgement that was adapted.
    AdaptedJudgement(&'a AdaptedJudgementDetails),
}

/// A model that decides about pairs of texts.
pub trait PairModel: Send + Sync {
    /// The header.
    fn header(&self) -> &Header;

    /// The resources for annotating and comparing texts.
    fn resources(&self) -> &Resources;

    /// The header fields of its kind.
    fn details(&self) -> PairDetails<'_>;

    /// The annotation that it needs of a text.
    fn needs(&self) -> Needs;

    /// Makes a scorer, one per thread.
    fn scorer(&self) -> Box<dyn PairScorer + '_>;

    /// The features of a head with their weights, heaviest first; empty for models over support
    /// vectors. A model has one head per category, and one for any other answer.
    fn weights(&self, head: usize) -> Vec<Weight>;

    /// Serialises the model.
    fn to_bytes(&self) -> Result<Vec<u8>>;

    /// How many pairs one thread takes at once.
    fn batch(&self, _n_pairs: usize) -> usize {
        BATCH
    }
}

/// The default batch size: annotating a few sentences layer by layer is faster than sentence by
/// sentence.
const BATCH: usize = 32;

fn nothing() -> Result<Prediction> {
    Err(Error::machine("a scorer gave no result for a pair"))
}

impl dyn PairModel + '_ {
    /// Scores one pair.
    pub fn predict_one(&self, source: &str, target: &str) -> Result<Prediction> {
        self.with_pair(source, target, |scorer, view| {
            scorer.score(std::slice::from_ref(view), Progress::none()).pop().unwrap_or_else(nothing)
        })
    }

    /// Explains one answer.
    pub fn explain_one(&self, source: &str, target: &str, top: usize) -> Result<Explained> {
        self.explain_asked(source, target, AskedClass::ANSWER, top)
    }

    /// Explains a class, or why it is this class and not another.
    pub fn explain_asked(&self, source: &str, target: &str, asked: AskedClass, top: usize) -> Result<Explained> {
        self.with_pair(source, target, |scorer, view| scorer.explain(view, asked, top))
    }

    fn with_pair<R>(
        &self,
        source: &str,
        target: &str,
        work: impl FnOnce(&mut dyn PairScorer, &PairView<'_>) -> Result<R>,
    ) -> Result<R> {
        let annotator = TextAnnotator::new(self.resources(), self.needs())?;
        let context = pair_context(self.resources());
        let texts = context.annotate(&annotator, &[source, target]);
        work(&mut *self.scorer(), &PairView::new(&context, &texts[0], &texts[1]))
    }

    /// Scores many pairs in parallel, with one result per pair, in order. A text that occurs in
    /// several pairs of a batch is annotated once.
    pub fn predict<T: Sync>(
        &self,
        items: &[T],
        texts: impl Fn(&T) -> (&str, &str) + Sync,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<Prediction>>> {
        let begin = || self.scorer();
        score_texts(self, items, texts, progress, begin, |scorer, views| scorer.score(views, progress.quiet()))
    }

    /// Scores pairs of annotated texts, given as indices into `texts`, in parallel and in order.
    /// The texts must have the annotation that this model needs.
    pub fn predict_annotated(
        &self,
        texts: &[Annotated],
        pairs: &[[usize; 2]],
        progress: Progress<'_>,
    ) -> Result<Vec<Result<Prediction>>> {
        if let Some(at) = pairs.iter().flatten().find(|at| **at >= texts.len()) {
            return Err(Error::parameter(format!("text {at} of a pair, but there are {} texts", texts.len())));
        }
        if let Some(at) = texts.iter().position(|text| !text.fits(self.needs())) {
            return Err(Error::parameter(format!("text {at} was annotated otherwise than the model needs it")));
        }
        in_batches(
            self,
            pairs,
            progress,
            || self.scorer(),
            |scorer, context, batch| {
                let views: Vec<PairView<'_>> = batch
                    .iter()
                    .map(|&[source, target]| PairView::new(context, &texts[source], &texts[target]))
                    .collect();
                scorer.score(&views, progress.quiet())
            },
        )
    }

    /// Annotates many texts for this model, in parallel and in order.
    pub fn annotate<T: AsRef<str> + Sync>(&self, texts: &[T], progress: Progress<'_>) -> Result<Vec<Annotated>> {
        let annotator = TextAnnotator::new(self.resources(), self.needs())?;
        let annotate = |context: &mut PairContext, texts: &[T]| {
            progress.check()?;
            Ok(context.annotate(&annotator, texts))
        };
        let begin = || pair_context(self.resources());
        let run = || texts.par_chunks(2 * BATCH).map_init(begin, annotate).collect::<Result<Vec<_>>>();
        Ok(self.resources().threads().run(run)??.into_iter().flatten().collect())
    }
}

/// Scores pairs of texts in batches: `begin` makes the state of a thread, `score` scores a batch.
pub(super) fn score_texts<T: Sync, S, R: Send>(
    model: &(impl PairModel + ?Sized),
    items: &[T],
    texts: impl Fn(&T) -> (&str, &str) + Sync,
    progress: Progress<'_>,
    begin: impl Fn() -> S + Sync,
    score: impl Fn(&mut S, &[PairView<'_>]) -> Vec<Result<R>> + Sync,
) -> Result<Vec<Result<R>>> {
    let annotator = TextAnnotator::new(model.resources(), model.needs())?;
    in_batches(model, items, progress, begin, |state, context, batch| {
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        let mut different: Vec<&str> = Vec::with_capacity(2 * batch.len());
        let mut places: Vec<[usize; 2]> = Vec::with_capacity(batch.len());
        for item in batch {
            let (source, target) = texts(item);
            places.push([source, target].map(|text| {
                *known.entry(text).or_insert_with(|| {
                    different.push(text);
                    different.len() - 1
                })
            }));
        }
        let annotated = context.annotate(&annotator, &different);
        let view = |&[source, target]: &[usize; 2]| PairView::new(context, &annotated[source], &annotated[target]);
        let views: Vec<PairView<'_>> = places.iter().map(view).collect();
        score(state, &views)
    })
}

/// Processes items in batches, in parallel; one result per item, in order.
fn in_batches<T: Sync, S, R: Send>(
    model: &(impl PairModel + ?Sized),
    items: &[T],
    progress: Progress<'_>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &PairContext, &[T]) -> Vec<Result<R>> + Sync,
) -> Result<Vec<Result<R>>> {
    let done = AtomicUsize::new(0);
    let begin = || (begin(), pair_context(model.resources()));
    let batch_of = |(state, context): &mut (S, PairContext), batch: &[T]| -> Result<Vec<Result<R>>> {
        progress.check()?;
        let results = work(state, context, batch);
        let done = done.fetch_add(batch.len(), Ordering::Relaxed) + batch.len();
        progress.report(Stage::Score, done, items.len())?;
        Ok(results)
    };
    let run = || {
        let size = model.batch(items.len()).max(1);
        items.par_chunks(size).map_init(begin, batch_of).collect::<Result<Vec<_>>>()
    };
    Ok(model.resources().threads().run(run)??.into_iter().flatten().collect())
}

/// A model that classifies documents.
pub trait DocumentModel: Send + Sync {
    /// The header; the topics are the labels of its response.
    fn header(&self) -> &Header;

    /// Decides every topic for every document, in parallel and in order.
    fn classify(&self, texts: &[&str], progress: Progress<'_>) -> Result<Vec<Vec<TopicDecision>>>;

    /// Explains the score of a document for a topic.
    fn explain(&self, text: &str, topic: usize, top: usize) -> Result<(Sentence, Explanation)>;
}

/// A model that aligns.
pub trait AlignerModel: Send + Sync {
    /// The header.
    fn header(&self) -> &Header;

    /// Aligns pairs of texts, each as one sentence, in parallel; one result per pair, in order.
    fn align_texts(
        &self,
        pairs: &[(&str, &str)],
        decode: Decode,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<AlignedText>>>;
}
