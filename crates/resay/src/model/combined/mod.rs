//! A model that joins every system: what two sentences have in common and where they part (`signs`), re-writing rules, and a
//! decision over a hidden alignment, weighed by one machine ([`Weighing`]).
//!
//! Scores of the systems within are signs like others, and are taken apart down to their own leaves.

mod explain;
mod file;
mod weighing;

pub use explain::Judged;
pub(crate) use weighing::{Scale, Weighing};

use super::{AlignModel, Decision, LatentTrained, Model, Scorer, Tried};
use crate::latent::sentences::{SentenceScratch, Shape};
use crate::lexicon::Lexicon;
use crate::signs::{Observed, Observer, ObserverPool, ObserverScratch, Pooled, SYSTEMS, Sign, Wanted, catalogue};
use crate::svm::calibrate::Platt;
use crate::text::{Analysis, Layers};
use crate::{Error, Result, bundled};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The name of the learner in a model's description.
pub(super) const LEARNER: &str = "combined";

/// What a system within says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartAbout {
    /// Its name.
    pub name: String,
    /// How good it is by itself on held-out rows.
    pub held_out: f64,
}

/// How many pairs a thread reads at once: layer after layer of a few sentences is faster than sentence after sentence.
const BATCH: usize = 32;

/// What a model says of itself; the header of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CombinedAbout {
    /// What it decides: paraphrase, entailment, pair.
    pub task: String,
    /// Always `combined`.
    pub learner: String,
    /// Whether one of the sentences is first.
    pub shape: Shape,
    /// Names of the two answers: no, yes.
    pub labels: [String; 2],
    /// The files that it was learned from, without their folders.
    pub data: String,
    /// How many pairs it was learned from.
    pub n_pairs: usize,
    /// How many of them were positive.
    pub n_positive: usize,
    /// The cost of errors.
    pub cost: f64,
    /// Every cost tried, with the mean over the held-out folds.
    pub search: Vec<Tried>,
    /// What the search measured.
    pub measure: String,
    /// That measure on held-out rows.
    pub held_out: f64,
    /// The systems within, each by itself.
    pub parts: Vec<PartAbout>,
    /// How many signs it weighs.
    pub n_signs: usize,
    /// The version of Resay that wrote it.
    pub version: String,
    /// Whatever else its maker wanted to say (licence, source).
    pub note: String,
}

/// What training hands over: all that is in the file.
pub struct CombinedTrained {
    /// The description.
    pub about: CombinedAbout,
    /// What signs count: those that were noticed first, then the scores of the systems within.
    pub(crate) weighing: Weighing,
    /// From a score to a probability.
    pub platt: Platt,
    /// The re-writing rules.
    pub rules: Model,
    /// The re-writing rules whose variables know relations of words.
    pub typed: Model,
    /// The hidden alignment.
    pub latent: LatentTrained,
}

/// A model that joins every system.
pub struct CombinedModel {
    trained: CombinedTrained,
    signs: Vec<Sign>,
    observer: Arc<Observer>,
    pool: ObserverPool,
}

/// A text with its layers: read once, whichever pairs it will stand in.
#[derive(Clone, Debug)]
pub struct Reading {
    analysis: Arc<Analysis>,
}

impl Reading {
    /// The text and its words.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }
}

/// What a thread keeps while it decides.
struct Scratch<'a> {
    observer: Pooled<'a>,
    sentences: SentenceScratch,
    rules: Scorer<'a>,
    typed: Scorer<'a>,
}

/// How much work the search for a hidden alignment may take; ordinary pairs take a hundredth of it.
const WORK: u64 = 1_500_000;

/// How far behind the words of a phrase must be for the phrase not to be looked at.
const LEFT_OUT: f64 = 4.0;

/// What looks at pairs: the bundled annotation, relations and aligner.
pub(crate) fn observer() -> Result<Observer> {
    let (english, lexicon) = rayon::join(|| bundled::english(Layers::ALL), bundled::lexicon_with_vectors);
    let aligner = AlignModel::read(bundled::ALIGNER, bundled::bytes(bundled::ALIGNER)?)?.1;
    Ok(Observer::new(Arc::new(english?), Arc::new(lexicon?), aligner.leaving_out(LEFT_OUT)))
}

impl CombinedModel {
    /// What was learned, and what it looks at pairs with.
    pub(crate) fn new(trained: CombinedTrained, observer: Arc<Observer>) -> Result<Self> {
        let signs = catalogue(trained.about.shape);
        let (n, expected) = (trained.weighing.len(), signs.len() + SYSTEMS.len());
        if n != expected {
            return Err(Error::parameter(format!("{n} weights, expected {expected}, one a sign")));
        }
        Ok(Self { trained, signs, observer, pool: ObserverPool::default() })
    }

    /// What the model says of itself.
    pub fn about(&self) -> &CombinedAbout {
        &self.trained.about
    }

    /// The word relations that it looks at.
    pub fn lexicon(&self) -> &Lexicon {
        self.observer.lexicon()
    }

    /// Replaces the maker's note.
    pub fn set_note(&mut self, note: impl Into<String>) {
        self.trained.about.note = note.into();
    }

    fn decision(&self, score: f64) -> Decision {
        Decision { score, probability: self.trained.platt.probability(score), label: score > 0.0 }
    }

    fn scratch(&self) -> Scratch<'_> {
        Scratch {
            observer: self.pool.take(),
            sentences: SentenceScratch::within(WORK),
            rules: self.trained.rules.scorer(),
            typed: self.trained.typed.scorer(),
        }
    }

    fn read<T: AsRef<str>>(&self, texts: &[T], scratch: &mut ObserverScratch) -> Vec<Reading> {
        let reading = |analysis| Reading { analysis: Arc::new(analysis) };
        self.observer.annotate(texts, scratch).into_iter().map(reading).collect()
    }

    /// Reads many texts in parallel, in order.
    pub fn read_all<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Vec<Reading> {
        let read = |scratch: &mut Pooled<'_>, texts: &[T]| self.read(texts, scratch);
        let batches: Vec<Vec<Reading>> = texts.par_chunks(2 * BATCH).map_init(|| self.pool.take(), read).collect();
        batches.into_iter().flatten().collect()
    }

    /// All signs of each pair, scores of the systems within last. One system after another looks at all pairs: its tables are
    /// near the processor meanwhile.
    fn look(
        &self,
        pairs: &[[&Reading; 2]],
        wanted: Wanted,
        scratch: &mut Scratch<'_>,
    ) -> Result<Vec<(Observed, Vec<f64>)>> {
        let texts = || pairs.iter().map(|pair| pair.map(|reading| &reading.analysis));
        let mut seen: Vec<(Observed, Vec<f64>)> = Vec::with_capacity(pairs.len());
        for texts in texts() {
            let sentences = texts.map(|text| &**text);
            super::latent_size(sentences).map_err(Error::data)?;
            let shape = self.trained.about.shape;
            let mut observed = self.observer.observe(sentences, shape, wanted, &mut scratch.observer)?;
            let values = std::mem::take(&mut observed.noticed.values);
            seen.push((observed, values));
        }
        for (texts, (_, values)) in texts().zip(&mut seen) {
            values.push(scratch.rules.score_read(texts)?.score);
        }
        for (texts, (_, values)) in texts().zip(&mut seen) {
            values.push(scratch.typed.score_read(texts)?.score);
        }
        let lexicon = self.observer.lexicon();
        for (texts, (observed, values)) in texts().zip(&mut seen) {
            let sentences = texts.map(|text| &**text);
            values.push(self.trained.latent.score(sentences, &observed.compared, lexicon, &mut scratch.sentences)?);
        }
        Ok(seen)
    }

    /// Decides about some pairs; beside each decision, the scores of the systems within.
    fn decide(&self, pairs: &[[&Reading; 2]], scratch: &mut Scratch<'_>) -> Result<Vec<(Decision, Vec<f64>)>> {
        let decide = |(_, mut values): (Observed, Vec<f64>)| {
            (self.decision(self.trained.weighing.score(&values)), values.split_off(self.signs.len()))
        };
        Ok(self.look(pairs, Wanted::Values, scratch)?.into_iter().map(decide).collect())
    }

    /// Decides about a pair.
    pub fn score(&self, source: &str, target: &str) -> Result<Decision> {
        let mut scratch = self.scratch();
        let read = self.read(&[source, target], &mut scratch.observer);
        let decided = self.decide(&[[&read[0], &read[1]]], &mut scratch)?;
        Ok(decided[0].0)
    }

    /// Decides about pairs of texts that were read, by their places, in parallel and in order.
    pub fn decide_pairs(&self, readings: &[Reading], pairs: &[[usize; 2]]) -> Result<Vec<Decision>> {
        let decide = |scratch: &mut Scratch<'_>, batch: &[[usize; 2]]| {
            let pairs: Vec<[&Reading; 2]> = batch.iter().map(|pair| pair.map(|at| &readings[at])).collect();
            self.decide(&pairs, scratch)
        };
        let batches: Vec<Vec<_>> =
            pairs.par_chunks(BATCH).map_init(|| self.scratch(), decide).collect::<Result<_>>()?;
        Ok(batches.into_iter().flatten().map(|(decision, _)| decision).collect())
    }

    /// Decides about many pairs in parallel, in order.
    pub fn score_all<T: Sync>(&self, items: &[T], texts: impl Fn(&T) -> (&str, &str) + Sync) -> Result<Vec<Decision>> {
        Ok(self.score_with_parts(items, texts)?.into_iter().map(|(decision, _)| decision).collect())
    }

    /// The same with the scores of the systems within, in the order of the description.
    pub fn score_with_parts<T: Sync>(
        &self,
        items: &[T],
        texts: impl Fn(&T) -> (&str, &str) + Sync,
    ) -> Result<Vec<(Decision, Vec<f64>)>> {
        let score = |scratch: &mut Scratch<'_>, batch: &[T]| {
            let both: Vec<&str> = batch.iter().map(&texts).flat_map(|(source, target)| [source, target]).collect();
            let read = self.read(&both, &mut scratch.observer);
            let pairs: Vec<[&Reading; 2]> = read.chunks_exact(2).map(|pair| [&pair[0], &pair[1]]).collect();
            self.decide(&pairs, scratch)
        };
        let batches: Vec<Vec<_>> = items.par_chunks(BATCH).map_init(|| self.scratch(), score).collect::<Result<_>>()?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// Every sign with what one spread more of it counts where all else is as usual; heaviest first.
    pub fn signs(&self) -> Vec<(String, f64)> {
        let names = self.signs.iter().map(|sign| sign.name.as_str()).chain(SYSTEMS);
        let weights = self.trained.weighing.linear();
        let mut signs: Vec<(String, f64)> =
            names.zip(weights).map(|(name, weight)| (name.to_owned(), *weight)).collect();
        signs.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
        signs
    }
}
