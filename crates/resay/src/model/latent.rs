//! A model that decides over a hidden alignment: weights of features of aligned words and edges, with the annotation and the
//! word relations that they look at.

use super::file::read_file;
use super::{Decision, Tried};
use crate::data::write_whole;
use crate::explain::{Explanation, Place, What};
use crate::latent::sentences::{Catalogue, PairParts, SentenceScratch, Shape, describe_with};
use crate::lexicon::Lexicon;
use crate::pack::{Container, Reader};
use crate::structure::Choice;
use crate::svm::calibrate::Platt;
use crate::text::{Analysis, English, EnglishScratch, Layers, Span};
use crate::{Error, Result, bundled};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The learners whose models these are.
pub(super) const LEARNERS: [&str; 2] = ["latent", "two-stage"];

/// What a model says of itself; the header of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatentAbout {
    /// What it decides: paraphrase, entailment, pair.
    pub task: String,
    /// latent, or two-stage.
    pub learner: String,
    /// Which words may be left alone at a cost: those of both sentences, or of the target.
    pub shape: Shape,
    /// Names of the two answers: no, yes.
    pub labels: [String; 2],
    /// The file that it was learned from, without its folder.
    pub data: String,
    /// How many pairs it was learned from.
    pub n_pairs: usize,
    /// How many of them were positive.
    pub n_positive: usize,
    /// The cost of errors: 1 / lambda.
    pub cost: f64,
    /// Every cost tried, with the mean over the held-out folds.
    pub search: Vec<Tried>,
    /// What the search measured.
    pub measure: String,
    /// That measure on held-out rows.
    pub held_out: f64,
    /// How many features it has.
    pub n_features: usize,
    /// The objective before the first iteration and after each; it falls.
    pub objectives: Vec<f64>,
    /// How far the last convex problem may be from its optimum, as a part of the objective.
    pub gap: f64,
    /// Why training stopped.
    pub stop: String,
    /// The version of Resay that wrote it.
    pub version: String,
    /// Whatever else its maker wanted to say (licence, source).
    pub note: String,
}

/// What training hands over: all that is in the file.
#[derive(Clone, Debug)]
pub struct LatentTrained {
    /// The description.
    pub about: LatentAbout,
    /// The features.
    pub catalogue: Catalogue,
    /// One a feature.
    pub weights: Vec<f64>,
    /// The weights that alignments are found by; none if they are those of the decision.
    pub inference: Option<Vec<f64>>,
    /// From a score to a probability.
    pub platt: Platt,
}

impl LatentTrained {
    /// The model as the bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let reals = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        container.push("head", reals(&[self.platt.slope, self.platt.intercept]));
        let mut features = Vec::new();
        self.catalogue.write(&mut features);
        container.push("features", features);
        container.push("weights", reals(&self.weights));
        if let Some(inference) = &self.inference {
            container.push("inference", reals(inference));
        }
        container.pack()
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
}

/// A model that aligns to decide.
pub struct LatentModel {
    trained: LatentTrained,
    english: English,
    lexicon: Lexicon,
}

/// What a thread keeps while it decides.
#[derive(Default)]
struct Scratch {
    english: EnglishScratch,
    sentences: SentenceScratch,
}

/// What such a model looks at.
pub(crate) const LAYERS: Layers = Layers { chunks: false, ..Layers::ALL };

impl LatentModel {
    /// What was learned.
    pub fn new(trained: LatentTrained) -> Result<Self> {
        let (english, lexicon) = rayon::join(|| bundled::english(LAYERS), bundled::lexicon_with_vectors);
        Ok(Self { trained, english: english?, lexicon: lexicon? })
    }

    /// What the model says of itself.
    pub fn about(&self) -> &LatentAbout {
        &self.trained.about
    }

    /// Replaces the maker's note.
    pub fn set_note(&mut self, note: impl Into<String>) {
        self.trained.about.note = note.into();
    }

    fn decision(&self, score: f64) -> Decision {
        Decision { score, probability: self.trained.platt.probability(score), label: score > 0.0 }
    }

    fn annotate(&self, source: &str, target: &str, scratch: &mut EnglishScratch) -> [Analysis; 2] {
        [source, target].map(|text| self.english.text(text, scratch))
    }

    fn align(&self, pair: &[Analysis; 2], scratch: &mut SentenceScratch) -> Result<(PairParts, Choice)> {
        let parts = describe_with(pair, &self.lexicon, self.trained.about.shape, &self.trained.catalogue)?;
        let choice = parts.best(self.trained.inference.as_ref().unwrap_or(&self.trained.weights), None, scratch)?;
        Ok((parts, choice))
    }

    /// Decides about a pair.
    pub fn score(&self, source: &str, target: &str) -> Result<Decision> {
        self.score_with(source, target, &mut Scratch::default())
    }

    fn score_with(&self, source: &str, target: &str, scratch: &mut Scratch) -> Result<Decision> {
        let pair = self.annotate(source, target, &mut scratch.english);
        let (parts, choice) = self.align(&pair, &mut scratch.sentences)?;
        Ok(self.decision(parts.score(&choice.active, &self.trained.weights)))
    }

    /// Decides about many pairs in parallel, in order.
    pub fn score_all<T: Sync>(&self, items: &[T], texts: impl Fn(&T) -> (&str, &str) + Sync) -> Result<Vec<Decision>> {
        let score = |scratch: &mut Scratch, item: &T| {
            let (source, target) = texts(item);
            self.score_with(source, target, scratch)
        };
        items.par_iter().map_init(Scratch::default, score).collect()
    }

    /// The hidden alignment that decided, taken apart: words and edges that stand for each other or are left alone, each
    /// with its features. Leaves add up to the score.
    pub fn explain(&self, source: &str, target: &str) -> Result<([Analysis; 2], Explanation)> {
        let pair = self.annotate(source, target, &mut EnglishScratch::default());
        let (parts, choice) = self.align(&pair, &mut SentenceScratch::default())?;
        let mut shown: Vec<Explanation> = Vec::new();
        for part in &choice.active {
            let features = parts.part(*part as usize);
            let leaf = |&(feature, value): &(u32, f32)| {
                let value = self.trained.weights[feature as usize] * f64::from(value) * parts.scale();
                Explanation::leaf(What::Measure(self.trained.catalogue.name(feature)), value)
            };
            let mut leaves: Vec<Explanation> = features.iter().map(leaf).collect();
            leaves.retain(|leaf| leaf.value != 0.0);
            if leaves.is_empty() {
                continue;
            }
            strongest_first(&mut leaves);
            let (what, place) = part_of(&parts, *part as usize, &pair);
            let value = leaves.iter().map(|leaf| leaf.value).sum();
            shown.push(Explanation { what, value, places: vec![place], parts: leaves });
        }
        for (feature, value) in parts.constant() {
            let value = self.trained.weights[*feature as usize] * f64::from(*value);
            shown.push(Explanation::leaf(What::Measure(self.trained.catalogue.name(*feature)), value));
        }
        shown.retain(|part| part.value != 0.0);
        strongest_first(&mut shown);
        let value = parts.score(&choice.active, &self.trained.weights);
        Ok((pair, Explanation { what: What::Score, value, places: Vec::new(), parts: shown }))
    }

    /// Every feature with its weight, heaviest first.
    pub fn features(&self) -> Vec<(String, f64)> {
        let mut features: Vec<(String, f64)> = (0..)
            .zip(&self.trained.weights)
            .map(|(feature, weight)| (self.trained.catalogue.name(feature), *weight))
            .collect();
        features.retain(|(_, weight)| *weight != 0.0);
        features.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
        features
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::<LatentAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let is_two_stage = about.learner == LEARNERS[1];
        let expected = if is_two_stage { 4 } else { 3 };
        if container.n_sections() != expected {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {expected}: the model is damaged")));
        }
        let section = |wanted: &'static str| -> Result<Reader<'_>> {
            Ok(Reader::new(name, wanted, container.section(name, wanted)?))
        };
        let mut reader = section("features")?;
        let catalogue = Catalogue::read(&mut reader)?;
        reader.end()?;
        let reals = |wanted: &'static str, n: usize| -> Result<Vec<f64>> {
            let mut reader = section(wanted)?;
            let values = (0..n).map(|_| reader.real()).collect::<Result<Vec<f64>>>()?;
            reader.end()?;
            Ok(values)
        };
        let head = reals("head", 2)?;
        let weights = reals("weights", catalogue.len())?;
        let inference = is_two_stage.then(|| reals("inference", catalogue.len())).transpose()?;
        let platt = Platt { slope: head[0], intercept: head[1] };
        Self::new(LatentTrained { about, catalogue, weights, inference, platt })
    }

    /// Opens a model's file.
    pub fn open(path: &Path) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes)
    }

    /// The model as the bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.trained.to_bytes()
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.trained.save(path)
    }
}

fn strongest_first(parts: &mut [Explanation]) {
    parts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
}

/// What a part is about, and where.
fn part_of(parts: &PairParts, part: usize, [source, target]: &[Analysis; 2]) -> (What, Place) {
    let form = |side: &Analysis, word: u32| side.form(word as usize).to_owned();
    let span = |side: &Analysis, word: u32| side.words[word as usize].span;
    let edge = |side: &Analysis, (head, dependent): (u32, u32)| {
        let mut spans: Vec<Span> = vec![span(side, head), span(side, dependent)];
        spans.sort_by_key(|span| span.start);
        (format!("{} > {}", form(side, head), form(side, dependent)), spans)
    };
    use crate::structure::graph::Part;
    let (source, target) = match parts.graph().part(part) {
        Part::Word(i, j) => {
            (Some((form(source, i), vec![span(source, i)])), Some((form(target, j), vec![span(target, j)])))
        }
        Part::SourceWord(i) => (Some((form(source, i), vec![span(source, i)])), None),
        Part::TargetWord(j) => (None, Some((form(target, j), vec![span(target, j)]))),
        Part::Edge(e, f) => (
            Some(edge(source, parts.graph().source_edges()[e as usize])),
            Some(edge(target, parts.graph().target_edges()[f as usize])),
        ),
        Part::SourceEdge(e) => (Some(edge(source, parts.graph().source_edges()[e as usize])), None),
        Part::TargetEdge(f) => (None, Some(edge(target, parts.graph().target_edges()[f as usize]))),
    };
    let place = Place {
        source: source.as_ref().map_or_else(Vec::new, |side| side.1.clone()),
        target: target.as_ref().map_or_else(Vec::new, |side| side.1.clone()),
    };
    let (source, target) = (source.map(|side| side.0), target.map(|side| side.0));
    (What::Phrase { source, target }, place)
}
