//! Trains a joint judgement ([`JudgementModel`]) on a mixture of corpora, each of which says something
//! else about the five relations: a paraphrase label tells equivalent from all others, a three-way
//! entailment label leaves open what holds the other way round, a similarity says how much.
//!
//! What is minimised: the sum over all examples of −weight · ln Σ_{r allowed} p_r, with p the softmax
//! of the scores of boosted trees plus the logarithm of how frequent each relation is in the corpus,
//! relative to the reference corpora. So the trees learn what a pair looks like, and not what is
//! frequent where. Frequencies are estimated from the labels by expectation maximisation.
//!
//! Every example is seen in both orders, with forward and backward exchanged. A fifth of the groups
//! is held out first: they calibrate the probabilities and measure; then all examples are learned.

use crate::features::Wanted;
use crate::id::TextRelation;
use crate::model::{
    About, Header, JudgementDetails, JudgementModel, JudgementTrained, ModelKind, Question, Versions, pair_context,
};
use crate::pair::{Needs, PairView, TextAnnotator};
use crate::relate::{self, Knowledge};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::boost::{BoostParams, BoostRows, Boosted, PartialLabels, SquaredError};
use resay_learn::progress::{Progress, Stage};
use resay_text::{EnglishScratch, Layers};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

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
    /// The names of the corpora, and whether each is one of reference: its relations are as frequent
    /// as they will be among the users' texts.
    pub corpora: Vec<(String, bool)>,
    /// The examples.
    pub examples: Vec<RelationExample>,
}

/// Training options.
#[derive(Clone, Debug)]
pub struct JudgementOptions {
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
            BoostParams { rounds: 160, rate: 0.12, leaves: 24, min_curvature: 6.0, ridge: 5.0, inputs: 0.35, seed: 1 };
        let similarity = BoostParams { rounds: 150, rate: 0.08, leaves: 12, min_curvature: 20.0, ..relations.clone() };
        Self { relations, similarity, data: String::new() }
    }
}

/// One example in one order.
#[derive(Clone, Copy)]
struct Row {
    example: usize,
    is_turned: bool,
}

struct Learning<'a> {
    data: &'a RelationData,
    options: &'a JudgementOptions,
    n_inputs: usize,
    /// The clues of every example in both orders, one after another.
    values: Vec<f32>,
    /// The logarithms of relative frequencies: of each corpus in the given order, then of each in
    /// the other order.
    offsets: Vec<Vec<f64>>,
    reference: [f64; 5],
    progress: Progress<'a>,
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
    if let Some(bad) = data.examples.iter().position(|example| example.corpus >= data.corpora.len()) {
        return Err(Error::parameter(format!("example {bad} is of no corpus")));
    }
    if !data.corpora.iter().any(|(_, is_reference)| *is_reference) || data.examples.is_empty() {
        return Err(Error::data("no corpus of reference: expected examples with all five relations"));
    }
    let clues = relate::catalogue();
    let values = look(data, resources, clues.len(), progress)?;
    let reference = frequencies(data, |example| data.corpora[example.corpus].1, [0.2; 5]);
    let offset = |(at, (_, is_reference)): (usize, &(String, bool))| {
        let of = frequencies(data, |example| example.corpus == at, reference);
        let ratio = |relation: usize| if *is_reference { 0.0 } else { (of[relation] / reference[relation]).ln() };
        (0..5).map(|relation| ratio(relation).clamp(-3.0, 3.0)).collect::<Vec<f64>>()
    };
    let mut offsets: Vec<Vec<f64>> = data.corpora.iter().enumerate().map(offset).collect();
    let turned: Vec<Vec<f64>> = offsets.iter().map(|offset| turned(offset)).collect();
    offsets.extend(turned);
    let learning = Learning { data, options, n_inputs: clues.len(), values, offsets, reference, progress };
    let is_held = |example: &RelationExample| {
        let mut hasher = FxHasher::default();
        example.group.hash(&mut hasher);
        hasher.finish().is_multiple_of(5)
    };
    let (held, rest): (Vec<usize>, Vec<usize>) = (0..data.examples.len()).partition(|&at| is_held(&data.examples[at]));
    progress.report(Stage::Search, 0, 2)?;
    let measured = learning.measure(&learning.fit(&rest)?, &held);
    progress.report(Stage::Search, 1, 2)?;
    let (relations, similarity) = learning.fit(&(0..data.examples.len()).collect::<Vec<usize>>())?;
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
        n_clues: clues.len(),
        n_rounds: options.relations.rounds,
        slope: measured.slope,
        interval: measured.interval,
        by_corpus: measured.by_corpus,
    };
    let codes = clues.iter().map(|clue| clue.code()).collect();
    let trained = JudgementTrained { about: About { header, details }, codes, relations, similarity };
    JudgementModel::new(trained, resources)
}

fn turned(offset: &[f64]) -> Vec<f64> {
    TextRelation::ALL.iter().map(|relation| offset[relation.reversed() as usize]).collect()
}

/// The clues of all pairs in both orders. A pair that cannot be looked at has zeros only.
fn look(data: &RelationData, resources: &Resources, n_inputs: usize, progress: Progress<'_>) -> Result<Vec<f32>> {
    const BATCH: usize = 32;
    let (english, phrases) = (resources.english(Layers::ALL)?, resources.phrases()?);
    let annotator = TextAnnotator::new(resources, Needs::sentences(Layers::ALL))?;
    let knowledge = Knowledge { english: &english, phrases: &phrases };
    progress.report(Stage::Features, 0, data.examples.len())?;
    let batch = |(context, scratch): &mut (_, EnglishScratch), batch: &[RelationExample]| -> Result<Vec<f32>> {
        progress.check()?;
        let texts: Vec<&str> = batch.iter().flat_map(|example| [&*example.source, &*example.target]).collect();
        let annotated = annotator.annotate(&texts, scratch);
        let mut values = Vec::with_capacity(2 * batch.len() * n_inputs);
        for pair in annotated.chunks(2) {
            for [source, target] in [[0, 1], [1, 0]] {
                let view = PairView::new(context, &pair[source], &pair[target]);
                match relate::extract(&view, knowledge, Wanted::Values) {
                    Ok(found) => values.extend(found.values),
                    Err(_) => values.extend(std::iter::repeat_n(0.0, n_inputs)),
                }
            }
        }
        Ok(values)
    };
    let begin = || (pair_context(resources), EnglishScratch::default());
    let found = data.examples.par_chunks(BATCH).map_init(begin, batch).collect::<Result<Vec<_>>>()?;
    Ok(found.concat())
}

/// How frequent each relation is among some examples, whose labels may leave several open.
fn frequencies(data: &RelationData, is_in: impl Fn(&RelationExample) -> bool, begin: [f64; 5]) -> [f64; 5] {
    const ROUNDS: usize = 20;
    let among: Vec<&RelationExample> =
        data.examples.iter().filter(|example| example.allowed != RelationSet::ALL && is_in(example)).collect();
    let mut shares = begin;
    for _ in 0..ROUNDS {
        // One of each beforehand, so that none is impossible.
        let mut sums = [1.0; 5];
        for example in &among {
            let open: Vec<usize> = (0..5).filter(|at| example.allowed.has(TextRelation::ALL[*at])).collect();
            let mass: f64 = open.iter().map(|at| shares[*at]).sum();
            open.iter().for_each(|at| sums[*at] += shares[*at] / mass.max(f64::MIN_POSITIVE));
        }
        let all: f64 = sums.iter().sum();
        shares = sums.map(|sum| sum / all);
    }
    shares
}

/// What was measured on held-out examples.
struct Measured {
    slope: f64,
    interval: [f64; 2],
    of_reference: f64,
    by_corpus: Vec<(String, usize, f64)>,
}

impl Learning<'_> {
    fn values(&self, row: Row) -> &[f32] {
        let at = 2 * row.example + usize::from(row.is_turned);
        &self.values[at * self.n_inputs..(at + 1) * self.n_inputs]
    }

    fn fit(&self, examples: &[usize]) -> Result<(Boosted, Boosted)> {
        let of = |at: &usize| &self.data.examples[*at];
        let both = |at: usize| [false, true].map(|is_turned| Row { example: at, is_turned });
        let labelled = examples.iter().filter(|at| of(at).allowed != RelationSet::ALL);
        let rows: Vec<Row> = labelled.flat_map(|at| both(*at)).collect();
        let allowed: Vec<u32> = rows
            .iter()
            .map(|row| {
                let allowed = of(&row.example).allowed;
                u32::from(if row.is_turned { allowed.reversed().0 } else { allowed.0 })
            })
            .collect();
        let weights: Vec<f32> = rows.iter().map(|row| of(&row.example).weight).collect();
        let n_corpora = self.data.corpora.len();
        let offset_of: Vec<usize> =
            rows.iter().map(|row| of(&row.example).corpus + if row.is_turned { n_corpora } else { 0 }).collect();
        let objective =
            PartialLabels { allowed: &allowed, weights: &weights, offset_of: &offset_of, offsets: &self.offsets };
        let begin = self.reference.map(f64::ln).to_vec();
        let relations = self.boost(&rows, &objective, begin, &self.options.relations)?;
        let known = examples.iter().filter(|at| of(at).similarity.is_some());
        let mut rows: Vec<Row> = known.flat_map(|at| both(*at)).collect();
        if rows.is_empty() {
            rows = both(examples.first().copied().unwrap_or_default()).to_vec();
        }
        let numbers: Vec<f32> = rows.iter().map(|row| of(&row.example).similarity.unwrap_or(0.0)).collect();
        let weights = vec![1.0; rows.len()];
        let mean = numbers.iter().map(|number| f64::from(*number)).sum::<f64>() / numbers.len() as f64;
        let objective = SquaredError { numbers: &numbers, weights: &weights };
        let similarity = self.boost(&rows, &objective, vec![mean], &self.options.similarity)?;
        Ok((relations, similarity))
    }

    fn boost(
        &self,
        rows: &[Row],
        objective: &dyn resay_learn::boost::Objective,
        begin: Vec<f64>,
        params: &BoostParams,
    ) -> Result<Boosted> {
        let values: Vec<f32> = rows.iter().flat_map(|row| self.values(*row)).copied().collect();
        let rows = BoostRows { n_inputs: self.n_inputs, values: &values };
        Boosted::fit(rows, objective, begin, params, self.progress)
    }

    /// Calibrates and measures on examples that the trees have not seen.
    fn measure(&self, (relations, similarity): &(Boosted, Boosted), held: &[usize]) -> Measured {
        let scored = |&at: &usize| {
            let row = Row { example: at, is_turned: self.data.examples[at].source > self.data.examples[at].target };
            let example = &self.data.examples[at];
            let allowed = if row.is_turned { example.allowed.reversed() } else { example.allowed };
            (example, allowed, relations.scores(self.values(row)), similarity.scores(self.values(row))[0])
        };
        let scored: Vec<_> = held.par_iter().map(scored).collect();
        let mut by_corpus: Vec<(String, usize, f64)> =
            self.data.corpora.iter().map(|(name, _)| (name.clone(), 0, 0.0)).collect();
        let (mut n_reference, mut n_right) = (0_usize, 0_usize);
        for (example, allowed, scores, _) in scored.iter().filter(|one| one.1 != RelationSet::ALL) {
            let best = (0..5).fold(0, |best, at| if scores[at] > scores[best] { at } else { best });
            let is_right = allowed.has(TextRelation::ALL[best]);
            let (_, n, sum) = &mut by_corpus[example.corpus];
            *n += 1;
            *sum += f64::from(u8::from(is_right));
            if self.data.corpora[example.corpus].1 {
                n_reference += 1;
                n_right += usize::from(is_right);
            }
        }
        by_corpus.iter_mut().for_each(|(_, n, sum)| *sum /= (*n).max(1) as f64);
        by_corpus.retain(|(_, n, _)| *n > 0);
        // The slope with the least log loss among those of reference.
        let loss = |slope: f64| {
            let of = |(example, allowed, scores, _): &(&RelationExample, RelationSet, Vec<f64>, f64)| {
                if !self.data.corpora[example.corpus].1 || *allowed == RelationSet::ALL {
                    return 0.0;
                }
                let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mass = |at: usize| (slope * (scores[at] - highest)).exp();
                let open: f64 = (0..5).filter(|at| allowed.has(TextRelation::ALL[*at])).map(mass).sum();
                -(open / (0..5).map(mass).sum::<f64>()).max(1e-12).ln()
            };
            scored.iter().map(of).sum::<f64>()
        };
        let slopes = (4..=40).map(|step| f64::from(step) * 0.05);
        let slope = slopes.fold((1.0, loss(1.0)), |best, slope| {
            let found = loss(slope);
            if found < best.1 { (slope, found) } else { best }
        });
        let mut errors: Vec<f64> =
            scored.iter().filter_map(|one| Some(f64::from(one.0.similarity?) - one.3.clamp(0.0, 1.0))).collect();
        errors.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| errors.get((errors.len() as f64 * share) as usize).copied().unwrap_or(0.0);
        let interval = [(-5.0 * at(0.05)).max(0.0), (5.0 * at(0.95)).max(0.0)];
        Measured { slope: slope.0, interval, of_reference: n_right as f64 / n_reference.max(1) as f64, by_corpus }
    }
}
