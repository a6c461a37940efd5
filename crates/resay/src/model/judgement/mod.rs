//! The joint judgement: one distribution over the five relations of two texts, and a similarity.
//!
//! Every question is read off the verdict, the most probable relation; its probability is the mass of
//! the relations under which it holds. So answers cannot contradict each other. Two texts are always
//! looked at in one order, the alphabetical one, and the answer is turned around where they were
//! given in the other: swapping them swaps forward and backward, to the bit. Texts that are equal
//! after normalisation are equivalent with probability 1. Texts that are not English ([`TextKind`])
//! are judged by the words that they share, and never with confidence. Long texts are judged sentence
//! by sentence (`sentences.rs`).
//!
//! First names are masked before anything is looked at, the order of the texts included: exchanging
//! names alike in two texts of one sentence each changes nothing, to the bit. Words before and behind
//! a text that add nothing are passed over (`fillers.rs`).
//!
//! The relations are scored by boosted trees over what is seen of the pair ([`relate`](crate::relate)).
//! Five of their inputs are the scores of a linear model over rules: which words became which, and
//! what that meant in other pairs.

mod adapted;
mod by_words;
mod explain;
mod file;
mod fillers;
mod rules;
mod sentences;
mod undo;

pub use adapted::{AdaptedJudgement, AdaptedJudgementAbout, AdaptedJudgementDetails};
pub(crate) use rules::RuleWeights;
pub use sentences::SentencePair;
pub use undo::Undone;

use super::answer::AskedClass;
use super::contract::{Explained, PairDetails, PairModel, PairScorer, Prediction, Weight};
use super::header::{About, Header, ModelKind, Response};
use super::pair_context;
use crate::explain::What;
use crate::features::Wanted;
use crate::id::{RelationFeature, TextRelation};
use crate::pair::{Annotated, Needs, PairView};
use crate::relate::{self, Knowledge, RelationFeatures};
use crate::resources::Resources;
use crate::{Error, Result};
use by_words::ByWords;
use fillers::Core;
use resay_learn::boost::Boosted;
use resay_learn::progress::Progress;
use resay_text::phrases::Phrases;
use resay_text::{English, Layers, Span, TextKind};
use sentences::BySentences;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;

/// Header fields of joint judgements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgementDetails {
    /// The number of inputs.
    pub n_inputs: usize,
    /// The number of rules.
    pub n_rules: usize,
    /// The number of trees per relation.
    pub n_rounds: usize,
    /// What the scores of relations are multiplied by: fitted on held-out pairs, so that
    /// probabilities mean what they say.
    pub slope: f64,
    /// How far a similarity is below and above the true one in nine of ten held-out pairs.
    pub interval: [f64; 2],
    /// Held-out figures by corpus: name, number of pairs, share of right verdicts.
    pub by_corpus: Vec<(String, usize, f64)>,
}

/// The header of a joint judgement.
pub type JudgementAbout = About<JudgementDetails>;

/// What is asked of a joint judgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Question {
    /// Do the texts say the same?
    #[default]
    Same,
    /// Does the target follow from the source?
    Entails,
    /// Does the source follow from the target?
    Entailed,
    /// Can the two not both be true?
    Contradicts,
    /// Which of the five relations holds?
    Relation,
    /// How similar are the texts, from 0 to 5?
    Similarity,
}

impl Question {
    /// All questions.
    pub const ALL: [Self; 6] =
        [Self::Same, Self::Entails, Self::Entailed, Self::Contradicts, Self::Relation, Self::Similarity];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Entails => "entails",
            Self::Entailed => "entailed",
            Self::Contradicts => "contradicts",
            Self::Relation => "relation",
            Self::Similarity => "similarity",
        }
    }

    /// The question with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.name() == name)
    }

    /// The relations under which the answer is yes; none for questions of other kinds.
    pub fn holds_under(self) -> &'static [TextRelation] {
        match self {
            Self::Same => &[TextRelation::Equivalent],
            Self::Entails => &[TextRelation::Equivalent, TextRelation::Forward],
            Self::Entailed => &[TextRelation::Equivalent, TextRelation::Backward],
            Self::Contradicts => &[TextRelation::Contradiction],
            Self::Relation | Self::Similarity => &[],
        }
    }

    /// The kind of answers to it.
    pub(crate) fn response(self) -> Response {
        match self {
            Self::Relation => {
                Response::Categories { labels: TextRelation::ALL.map(|relation| relation.name().to_owned()).to_vec() }
            }
            Self::Similarity => Response::Real { low: 0.0, high: HIGHEST },
            _ => Response::Binary { labels: ["0".to_owned(), "1".to_owned()] },
        }
    }
}

/// The number of relations.
const N_RELATIONS: usize = TextRelation::ALL.len();

/// The highest similarity.
const HIGHEST: f64 = 5.0;

/// The score of texts that are equal after normalisation, for every question that holds of them.
const CERTAIN: f64 = 20.0;

/// What a joint judgement says of two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The most probable relation.
    pub relation: TextRelation,
    /// The probability of each relation, in the order of [`TextRelation::ALL`].
    pub probabilities: [f64; 5],
    /// The similarity, from 0 to 5.
    pub similarity: f64,
    /// Whether the texts are equal after normalisation.
    pub is_equal: bool,
    /// What kinds of texts they are. Unless both are English, the answer goes by their words alone.
    pub kinds: [TextKind; 2],
    /// Their sentences, by the source; empty if the texts were judged as a whole.
    pub sentences: Vec<SentencePair>,
}

impl Judged {
    /// Whether one of the texts is not English, and they were not equal.
    pub fn is_by_words(&self) -> bool {
        !self.is_equal && self.kinds != [TextKind::English; 2]
    }

    /// The probability that the answer is yes.
    pub fn probability(&self, question: Question) -> f64 {
        let holding = question.holds_under();
        // All of them are 1, and not almost 1.
        if holding.contains(&self.relation) && self.is_equal {
            return 1.0;
        }
        holding.iter().map(|relation| self.probabilities[*relation as usize]).sum::<f64>().min(1.0)
    }

    /// The answer that goes with the verdict.
    pub fn holds(&self, question: Question) -> bool {
        question.holds_under().contains(&self.relation)
    }
}

/// The result of training: the contents of the model file.
#[derive(Clone, Debug)]
pub struct JudgementTrained {
    /// The header and details.
    pub about: JudgementAbout,
    /// The inputs of the trees, by code, in order.
    pub(crate) codes: Vec<u32>,
    /// What words became which, and what that means.
    pub(crate) rules: RuleWeights,
    /// One head per relation.
    pub(crate) relations: Boosted,
    /// One head: the similarity from 0 to 1.
    pub(crate) similarity: Boosted,
}

/// A joint judgement, asked one question.
pub struct JudgementModel {
    trained: Arc<JudgementTrained>,
    /// The header, with the response of the question.
    header: Header,
    question: Question,
    features: Arc<Vec<RelationFeature>>,
    /// For each input, its place among the features.
    places: Arc<Vec<usize>>,
    phrases: Arc<Phrases>,
    english: Arc<English>,
    resources: Resources,
}

/// Head scores of a pair.
struct Scored {
    /// One score per relation, and the similarity.
    heads: [f64; 5],
    similarity: f64,
    /// Whether the texts were turned around.
    is_turned: bool,
    /// Whether the texts are the same from either side: one with its names exchanged is the other.
    is_symmetric: bool,
    is_equal: bool,
    kinds: [TextKind; 2],
    /// Their sentences; empty if the texts were judged as a whole.
    sentences: Vec<SentencePair>,
    /// How much of the heads is the judgement as a whole.
    whole: f64,
    features: RelationFeatures,
    inputs: Vec<f32>,
}

/// How a pair is judged.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Long texts by their sentences, others as a whole.
    ByLength,
    /// By their sentences.
    Sentences,
    Whole,
    /// As a whole, whatever the language: the inputs are wanted.
    Plain,
}

impl Scored {
    /// Scores of a pair whose features were not looked at.
    fn of(heads: [f64; 5], similarity: f64, is_turned: bool, kinds: [TextKind; 2]) -> Self {
        let (sentences, features, inputs) = (Vec::new(), RelationFeatures::default(), Vec::new());
        let is_symmetric = false;
        Self {
            heads,
            similarity,
            is_turned,
            is_symmetric,
            is_equal: false,
            kinds,
            sentences,
            whole: 1.0,
            features,
            inputs,
        }
    }

    /// Moves all places by what stands before the texts.
    fn shift(&mut self, by: [u32; 2]) {
        let moved = |spans: &mut Vec<Span>, by: u32| spans.iter_mut().for_each(|span| *span = shifted(*span, by));
        let [first, second] = if self.is_turned { [by[1], by[0]] } else { by };
        for evidence in self.features.evidence.iter_mut().chain(&mut self.features.rule_evidence) {
            moved(&mut evidence.place.source, first);
            moved(&mut evidence.place.target, second);
        }
        for pair in &mut self.sentences {
            pair.source = pair.source.map(|span| shifted(span, by[0]));
            pair.target = pair.target.map(|span| shifted(span, by[1]));
        }
    }

    fn is_by_words(&self) -> bool {
        !self.is_equal && self.kinds != [TextKind::English; 2]
    }
}

impl JudgementModel {
    /// Joins what was trained with its resources.
    pub(crate) fn new(trained: JudgementTrained, resources: &Resources) -> Result<Self> {
        let features = relate::catalogue();
        let place = |code: &u32| {
            let at = features.iter().position(|feature| feature.code() == *code);
            at.ok_or_else(|| Error::data(format!("an input (code {code}) that this version does not know")))
        };
        let places = trained.codes.iter().map(place).collect::<Result<Vec<usize>>>()?;
        let n_inputs = places.len();
        let fits = |made: &Boosted, n_heads: usize| {
            let nodes = || made.trees.iter().flat_map(|tree| &tree.nodes);
            made.n_heads() == n_heads && nodes().all(|node| usize::from(node.input) < n_inputs.max(1))
        };
        if !fits(&trained.relations, TextRelation::ALL.len()) || !fits(&trained.similarity, 1) {
            return Err(Error::data("trees over inputs that do not exist"));
        }
        Ok(Self {
            header: trained.about.header.clone(),
            trained: Arc::new(trained),
            question: Question::Same,
            features: Arc::new(features),
            places: Arc::new(places),
            phrases: resources.phrases()?,
            english: resources.english(Layers::ALL)?,
            resources: resources.clone(),
        }
        .asking(Question::Same))
    }

    /// The same model, asked another question.
    #[must_use]
    pub fn asking(&self, question: Question) -> Self {
        let response = question.response();
        // Labels of the corpora leave some relations open: there is nothing to count.
        let counts = vec![0; response.labels().len()];
        let header = Header { response, counts, ..self.trained.about.header.clone() };
        let Self { trained, features, places, phrases, english, resources, .. } = self;
        let (trained, features, places) = (trained.clone(), features.clone(), places.clone());
        let (phrases, english, resources) = (phrases.clone(), english.clone(), resources.clone());
        Self { trained, header, question, features, places, phrases, english, resources }
    }

    /// What is asked.
    pub fn question(&self) -> Question {
        self.question
    }

    /// The header and details.
    pub fn about(&self) -> &JudgementAbout {
        &self.trained.about
    }

    /// Says under which licence the training data was, and what else there is to know.
    pub fn describe(&mut self, licence: &str, note: &str) {
        let trained = Arc::make_mut(&mut self.trained);
        trained.about.header.licence = licence.to_owned();
        trained.about.header.note = note.to_owned();
        self.header.licence = licence.to_owned();
        self.header.note = note.to_owned();
    }

    /// Annotates texts for [`Self::judge`].
    pub fn annotate_texts<T: AsRef<str> + Sync>(&self, texts: &[T], progress: Progress<'_>) -> Result<Vec<Annotated>> {
        let model: &dyn PairModel = self;
        model.annotate(texts, progress)
    }

    /// What the model says of a pair, whatever is asked.
    pub fn judge(&self, pair: &PairView<'_>) -> Result<Judged> {
        Ok(self.judged(&self.scored(pair, Wanted::Values, Progress::none())?))
    }

    /// What the model says of a pair by its sentences, and as a whole, however long it is.
    pub fn judge_both_ways(&self, pair: &PairView<'_>) -> Result<[Judged; 2]> {
        let ways = [Way::Sentences, Way::Whole].map(|way| self.scored_in(way, pair, Wanted::Values, Progress::none()));
        let [sentences, whole] = ways;
        Ok([self.judged(&sentences?), self.judged(&whole?)])
    }

    /// What kind of text this is. A pair with a text that is not English is judged by its words alone.
    pub fn kind(&self, text: &str) -> TextKind {
        self.english.kind(text)
    }

    fn scored(&self, pair: &PairView<'_>, wanted: Wanted, progress: Progress<'_>) -> Result<Scored> {
        self.scored_in(Way::ByLength, pair, wanted, progress)
    }

    fn scored_in(&self, way: Way, pair: &PairView<'_>, wanted: Wanted, progress: Progress<'_>) -> Result<Scored> {
        let texts = pair.texts();
        if texts.iter().any(|text| text.text().trim().is_empty()) {
            return Err(Error::data("an empty text: expected two texts to compare"));
        }
        let cores = texts.map(|text| fillers::core(text.text()));
        if cores.iter().any(Option::is_some) {
            return self.scored_cores(way, texts, cores, wanted, progress);
        }
        let order = order(pair)?;
        let (is_turned, is_symmetric) = (order == Ordering::Greater, order == Ordering::Equal);
        let kinds = match way {
            Way::Plain => [TextKind::English; 2],
            _ => texts.map(|text| self.english.kind(text.text())),
        };
        if texts[0].text() == texts[1].text() || texts[0].normal().is_same(texts[1].normal()) {
            let heads = [CERTAIN, 0.0, 0.0, 0.0, 0.0];
            return Ok(Scored { is_equal: true, ..Scored::of(heads, 1.0, is_turned, kinds) });
        }
        if kinds != [TextKind::English; 2] {
            let ByWords { heads, similarity } = ByWords::of(texts.map(Annotated::text));
            return Ok(Scored::of(heads, similarity, is_turned, kinds));
        }
        if !matches!(way, Way::Whole | Way::Plain) && !is_symmetric {
            let in_order = if is_turned { [texts[1], texts[0]] } else { texts };
            if let Some(found) = self.by_sentences(in_order, way == Way::Sentences, progress)? {
                let BySentences { heads, similarity, pairs, whole } = found.given(is_turned);
                if whole == 0.0 {
                    return Ok(Scored { sentences: pairs, whole, ..Scored::of(heads, similarity, is_turned, kinds) });
                }
                let mut scored = self.scored_in(Way::Whole, pair, wanted, progress)?;
                for (head, by_sentences) in scored.heads.iter_mut().zip(heads) {
                    *head = whole * *head + (1.0 - whole) * by_sentences;
                }
                return Ok(Scored { sentences: pairs, whole, ..scored });
            }
        }
        let knowledge = Knowledge { english: &self.english, phrases: &self.phrases, left_out: &[] };
        let features = if is_turned {
            relate::extract(&pair.turned(), knowledge, wanted)?
        } else {
            relate::extract(pair, knowledge, wanted)?
        };
        let rules = self.trained.rules.scores(&features.rules);
        let n_seen = features.values.len();
        let value = |&place: &usize| if place < n_seen { features.values[place] } else { rules[place - n_seen] };
        let inputs: Vec<f32> = self.places.iter().map(value).collect();
        let slope = self.trained.about.details.slope;
        let mut heads = [0.0; 5];
        for (head, score) in heads.iter_mut().zip(self.trained.relations.scores(&inputs)) {
            *head = slope * score;
        }
        let [forward, backward] = [TextRelation::Forward, TextRelation::Backward].map(|relation| relation as usize);
        if is_turned {
            heads.swap(forward, backward);
        }
        if is_symmetric {
            let mean = (heads[forward] + heads[backward]) / 2.0;
            [heads[forward], heads[backward]] = [mean; 2];
        }
        let similarity = self.trained.similarity.scores(&inputs)[0].clamp(0.0, 1.0);
        Ok(Scored { features, inputs, is_symmetric, ..Scored::of(heads, similarity, is_turned, kinds) })
    }

    /// Judges texts without the words before and behind them that add nothing.
    fn scored_cores(
        &self,
        way: Way,
        texts: [&Annotated; 2],
        cores: [Option<Core>; 2],
        wanted: Wanted,
        progress: Progress<'_>,
    ) -> Result<Scored> {
        let parts = [0, 1].map(|side: usize| cores[side].as_ref().map_or(texts[side].text(), |core| &core.text));
        let annotated = self.annotate_texts(&parts, Progress::none())?;
        let context = pair_context(&self.resources);
        let pair = PairView::new(&context, &annotated[0], &annotated[1]);
        let mut scored = self.scored_in(way, &pair, wanted, progress)?;
        scored.shift(cores.map(|core| core.map_or(0, |core| core.start as u32)));
        Ok(scored)
    }

    fn judged(&self, scored: &Scored) -> Judged {
        let heads = &scored.heads;
        let highest = heads.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let masses = heads.map(|head| (head - highest).exp());
        // In an order that does not change when forward and backward are exchanged.
        let sum = masses[0] + (masses[1] + masses[2]) + masses[3] + masses[4];
        let probabilities = if scored.is_equal { [1.0, 0.0, 0.0, 0.0, 0.0] } else { masses.map(|mass| mass / sum) };
        // Of equally probable relations the one that is the same both ways.
        let order = [0, 3, 4, 1, 2];
        let best = order.into_iter().fold(0, |best, at| if heads[at] > heads[best] { at } else { best });
        Judged {
            relation: TextRelation::ALL[best],
            probabilities,
            similarity: HIGHEST * scored.similarity,
            is_equal: scored.is_equal,
            kinds: scored.kinds,
            sentences: scored.sentences.clone(),
        }
    }

    fn prediction(&self, scored: &Scored) -> Prediction {
        let judged = self.judged(scored);
        match self.question {
            Question::Relation => Prediction::Category {
                scores: scored.heads.to_vec(),
                probabilities: judged.probabilities.to_vec(),
                label: judged.relation as usize,
            },
            Question::Similarity => {
                let [below, above] = self.trained.about.details.interval;
                let value = judged.similarity;
                let interval = if judged.is_equal { [value; 2] } else { [value - below, value + above] };
                Prediction::Real { value, interval: interval.map(|end| end.clamp(0.0, HIGHEST)) }
            }
            question => {
                let (yes, no) = sides(question, &scored.heads);
                let score = scored.heads[yes] - scored.heads[no];
                let label = judged.holds(question);
                // Never 0 on the side of yes: a score above 0 is what yes means.
                let score = if label { score.max(f64::MIN_POSITIVE) } else { score.min(0.0) };
                Prediction::Binary { score, probability: judged.probability(question), label }
            }
        }
    }
}

fn shifted(span: Span, by: u32) -> Span {
    Span { start: span.start + by, end: span.end + by }
}

/// The alphabetical order of two texts with canonical names. If they are the same, the order that
/// makes the other text the first one in the alphabet when names are numbered jointly.
fn order(pair: &PairView<'_>) -> Result<Ordering> {
    let [source, target] = pair.texts();
    let order = source.masked_text().cmp(target.masked_text());
    if order != Ordering::Equal {
        return Ok(order);
    }
    let turned = pair.turned();
    Ok(match (pair.with_names_alike()?, turned.with_names_alike()?) {
        (Some([_, target]), Some([_, source])) => target.text().cmp(source.text()),
        _ => Ordering::Equal,
    })
}

/// The most probable relations under which the answer to a yes-or-no question is yes, and no.
fn sides(question: Question, heads: &[f64; 5]) -> (usize, usize) {
    let holds = |at: &usize| question.holds_under().contains(&TextRelation::ALL[*at]);
    let best = |among: Vec<usize>| {
        let first = among.first().copied().unwrap_or_default();
        among.into_iter().fold(first, |best, at| if heads[at] > heads[best] { at } else { best })
    };
    let (yes, no): (Vec<usize>, Vec<usize>) = (0..heads.len()).partition(holds);
    (best(yes), best(no))
}

/// The per-thread state of scoring.
struct JudgementScorer<'a> {
    model: &'a JudgementModel,
}

impl PairScorer for JudgementScorer<'_> {
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>> {
        let score = |pair: &PairView<'_>| {
            progress.check()?;
            Ok(self.model.prediction(&self.model.scored(pair, Wanted::Values, progress)?))
        };
        pairs.iter().map(score).collect()
    }

    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, _top: usize) -> Result<Explained> {
        self.model.explain(pair, asked)
    }
}

impl PairModel for JudgementModel {
    fn header(&self) -> &Header {
        &self.header
    }

    fn resources(&self) -> &Resources {
        &self.resources
    }

    fn details(&self) -> PairDetails<'_> {
        PairDetails::Judgement(&self.trained.about.details)
    }

    fn needs(&self) -> Needs {
        Needs::sentences(Layers::ALL).with_masked_names()
    }

    fn scorer(&self) -> Box<dyn PairScorer + '_> {
        Box::new(JudgementScorer { model: self })
    }

    /// How much the trees of a relation make of each input: the sum of how far its splits move the
    /// score.
    fn weights(&self, head: usize) -> Vec<Weight> {
        let made =
            if self.question == Question::Similarity { &self.trained.similarity } else { &self.trained.relations };
        if head >= made.n_heads() {
            return Vec::new();
        }
        let spread = made.importance(head, self.places.len());
        let weights = self.places.iter().zip(spread).filter(|(_, spread)| *spread > 0.0);
        let mut weights: Vec<Weight> =
            weights.map(|(&place, spread)| Weight::of(What::RelationFeature(self.features[place]), spread)).collect();
        Weight::heaviest_first(&mut weights);
        weights
    }

    fn to_bytes(&self) -> Result<Vec<u8>> {
        self.trained.to_bytes()
    }
}

/// The kind of these files.
pub(super) const KIND: ModelKind = ModelKind::Judgement;
