//! The one contract of all models that decide about pairs of texts, whatever they are made of.
//!
//! A [`PairModel`] says what it is ([`Header`]), what it needs of a text ([`Needs`]), and makes scorers; a [`PairScorer`]
//! belongs to one thread and scores or explains pairs that were prepared once ([`PairView`]). Everything around that (cutting
//! work into batches, annotating every text once, threads, cancelling) is the same for all of them and stands here.
//!
//! Scoring many pairs gives one result per pair: a pair that cannot be scored takes no other with it.

use super::header::{Header, Response};
use super::{AlignedText, EnsembleDetails, KernelDetails, LatentDetails, NamesDetails, TopicDecision, pair_context};
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

/// What a model that says yes or no says of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Above 0 is yes.
    pub score: f64,
    /// The calibrated probability of yes.
    pub probability: f64,
    /// Whether the score is above 0.
    pub label: bool,
}

/// What a model says of a pair, by its [`Response`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Prediction {
    /// Yes or no.
    Binary {
        /// Above 0 is yes.
        score: f64,
        /// The calibrated probability of yes.
        probability: f64,
        /// Whether the score is above 0.
        label: bool,
    },
    /// One of several answers, ordered or not.
    Category {
        /// One per answer; the highest wins.
        scores: Vec<f64>,
        /// One per answer; they add up to 1.
        probabilities: Vec<f64>,
        /// The answer, by its place in the response.
        label: usize,
    },
    /// A number.
    Real {
        /// The best guess.
        value: f64,
        /// The ends of its interval.
        interval: [f64; 2],
    },
}

impl Prediction {
    /// The answer as yes or no; an error for a model whose answers are others.
    pub fn decision(&self) -> Result<Decision> {
        match *self {
            Self::Binary { score, probability, label } => Ok(Decision { score, probability, label }),
            _ => Err(Error::data("the model does not answer yes or no, which is expected here")),
        }
    }

    /// What the answer is called, where answers have names.
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

/// A prediction taken apart.
#[derive(Clone, Debug)]
pub struct Explained {
    /// What was predicted.
    pub prediction: Prediction,
    /// Why; leaves add up to the score.
    pub explanation: Explanation,
    /// The two texts in the symbols that a kernel compared, for models over kernels.
    pub symbols: Option<Box<[Sentence; 2]>>,
}

/// A part of a model with its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The kernel that it belongs to, of models over kernels.
    pub kernel: Option<String>,
    /// The rule or feature.
    pub what: What,
    /// What one more of it adds to the score.
    pub weight: f64,
    /// How many training pairs have it, where that is known.
    pub support: Option<u32>,
    /// A rule with its wildcards as they were first seen.
    pub example: Option<String>,
}

impl Weight {
    /// A feature with nothing more known of it.
    pub(super) fn of(what: What, weight: f64) -> Self {
        Self { kernel: None, what, weight, support: None, example: None }
    }

    /// Sorts by how much parts weigh, whichever way; of equals, the order stays.
    pub(super) fn heaviest_first(weights: &mut [Self]) {
        weights.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    }
}

/// Scores and explains pairs, one thread's own.
pub trait PairScorer {
    /// Scores pairs, in order, one result per pair. Stops early, with an error for what is left, once the work is cancelled.
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>>;

    /// Scores one pair and says why: leaves add up to the score. Of models over kernels at most `top` leaves per kernel are
    /// named, the rest is summed up.
    fn explain(&mut self, pair: &PairView<'_>, top: usize) -> Result<Explained>;
}

/// What only one kind of model says of itself.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PairDetails<'a> {
    /// A kernel machine.
    Kernel(&'a KernelDetails),
    /// A decision over a latent alignment.
    Latent(&'a LatentDetails),
    /// Features and base models, weighed together.
    Ensemble(&'a EnsembleDetails),
    /// Names across scripts.
    Names(&'a NamesDetails),
}

/// A model that decides about pairs of texts.
pub trait PairModel: Send + Sync {
    /// What it says of itself.
    fn header(&self) -> &Header;

    /// What it looks at pairs with.
    fn resources(&self) -> &Resources;

    /// What only its kind says of itself.
    fn details(&self) -> PairDetails<'_>;

    /// What it needs of a text.
    fn needs(&self) -> Needs;

    /// Something that scores; one per thread.
    fn scorer(&self) -> Box<dyn PairScorer + '_>;

    /// Its parts with their weights, heaviest first; none of models that lean on training pairs.
    fn weights(&self) -> Vec<Weight>;

    /// The bytes of its file.
    fn to_bytes(&self) -> Result<Vec<u8>>;

    /// How many pairs one thread takes at once.
    fn batch(&self, _n_pairs: usize) -> usize {
        BATCH
    }
}

/// How many pairs a thread takes at once: layer after layer of a few sentences is faster than sentence after sentence.
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

    /// One decision taken apart.
    pub fn explain_one(&self, source: &str, target: &str, top: usize) -> Result<Explained> {
        self.with_pair(source, target, |scorer, view| scorer.explain(view, top))
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

    /// Scores many pairs in parallel, in order, one result per pair. Texts that stand in several pairs of a batch are
    /// annotated once.
    pub fn predict<T: Sync>(
        &self,
        items: &[T],
        texts: impl Fn(&T) -> (&str, &str) + Sync,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<Prediction>>> {
        let begin = || self.scorer();
        score_texts(self, items, texts, progress, begin, |scorer, views| scorer.score(views, progress.quiet()))
    }

    /// Scores pairs of texts that were annotated as this model needs them, by their places, in parallel and in order.
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

    /// Annotates many texts as this model needs them, in parallel and in order.
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

/// Scores pairs of texts in batches: `begin` makes what a thread keeps, `score` scores the pairs of a batch.
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

/// Works on many things in batches, in parallel and in order; one result per thing.
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

/// A model that sorts documents.
pub trait DocumentModel: Send + Sync {
    /// What it says of itself; topics are the labels of its response.
    fn header(&self) -> &Header;

    /// What it says of every document and topic, in parallel and in order.
    fn classify(&self, texts: &[&str], progress: Progress<'_>) -> Result<Vec<Vec<TopicDecision>>>;

    /// The score of a document for a topic, taken apart.
    fn explain(&self, text: &str, topic: usize, top: usize) -> Result<(Sentence, Explanation)>;
}

/// A model that aligns.
pub trait AlignerModel: Send + Sync {
    /// What it says of itself.
    fn header(&self) -> &Header;

    /// Aligns pairs of texts, each as one sentence, in parallel and in order, one result per pair.
    fn align_texts(
        &self,
        pairs: &[(&str, &str)],
        decode: Decode,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<AlignedText>>>;
}
