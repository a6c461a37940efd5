//! A model that decides over a hidden alignment: weights of features of aligned words and edges, with the annotation and the
//! word relations that they look at.

use super::file::read_file;
use super::{Decision, Tried};
use crate::align::Compared;
use crate::data::write_whole;
use crate::explain::{Explanation, Place, What};
use crate::latent::sentences::{Catalogue, PairParts, SentenceScratch, Shape, describe_compared};
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

    /// What is in a file; `name` is for messages.
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
        if platt.slope < 0.0 {
            return section("head")?.fail("probabilities that fall as the score rises");
        }
        Ok(Self { about, catalogue, weights, inference, platt })
    }

    fn align(
        &self,
        pair: [&Analysis; 2],
        compared: &Compared,
        lexicon: &Lexicon,
        scratch: &mut SentenceScratch,
    ) -> Result<(PairParts, Choice)> {
        check_size(pair).map_err(Error::data)?;
        let parts = describe_compared(pair, compared, lexicon, self.about.shape, &self.catalogue)?;
        let choice = parts.best(self.inference.as_ref().unwrap_or(&self.weights), None, scratch)?;
        Ok((parts, choice))
    }

    /// The score of a pair that was compared.
    pub(super) fn score(
        &self,
        pair: [&Analysis; 2],
        compared: &Compared,
        lexicon: &Lexicon,
        scratch: &mut SentenceScratch,
    ) -> Result<f64> {
        let (parts, choice) = self.align(pair, compared, lexicon, scratch)?;
        Ok(parts.score(&choice.active, &self.weights))
    }

    /// That score taken apart.
    pub(super) fn explain(
        &self,
        pair: [&Analysis; 2],
        compared: &Compared,
        lexicon: &Lexicon,
        scratch: &mut SentenceScratch,
    ) -> Result<Explanation> {
        let (parts, choice) = self.align(pair, compared, lexicon, scratch)?;
        let mut shown: Vec<Explanation> = Vec::new();
        for part in &choice.active {
            let features = parts.part(*part as usize);
            let leaf = |&(feature, value): &(u32, f32)| {
                let value = self.weights[feature as usize] * f64::from(value) * parts.scale();
                Explanation::leaf(What::Measure(self.catalogue.name(feature)), value)
            };
            let mut leaves: Vec<Explanation> = features.iter().map(leaf).collect();
            leaves.retain(|leaf| leaf.value != 0.0);
            if leaves.is_empty() {
                continue;
            }
            Explanation::strongest_first(&mut leaves);
            let (what, place) = part_of(&parts, *part as usize, pair);
            let value = leaves.iter().map(|leaf| leaf.value).sum();
            shown.push(Explanation { what, value, places: vec![place], parts: leaves });
        }
        for (feature, value) in parts.constant() {
            let value = self.weights[*feature as usize] * f64::from(*value);
            shown.push(Explanation::leaf(What::Measure(self.catalogue.name(*feature)), value));
        }
        shown.retain(|part| part.value != 0.0);
        Explanation::strongest_first(&mut shown);
        let value = parts.score(&choice.active, &self.weights);
        Ok(Explanation { what: What::Score, value, places: Vec::new(), parts: shown })
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

    /// Decides about a pair.
    pub fn score(&self, source: &str, target: &str) -> Result<Decision> {
        self.score_with(source, target, &mut Scratch::default())
    }

    fn score_with(&self, source: &str, target: &str, scratch: &mut Scratch) -> Result<Decision> {
        let pair = self.annotate(source, target, &mut scratch.english);
        let compared = Compared::new(&pair[0], &pair[1], &self.lexicon);
        Ok(self.decision(self.trained.score([&pair[0], &pair[1]], &compared, &self.lexicon, &mut scratch.sentences)?))
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
        let compared = Compared::new(&pair[0], &pair[1], &self.lexicon);
        let scratch = &mut SentenceScratch::default();
        let explanation = self.trained.explain([&pair[0], &pair[1]], &compared, &self.lexicon, scratch)?;
        Ok((pair, explanation))
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
        Self::new(LatentTrained::from_bytes(name, bytes)?)
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

/// Words beyond which a pair is not aligned: time and memory grow with the product of both sides.
const MAX_CELLS: usize = 1_000_000;

/// Says no to a pair that is too long.
pub(crate) fn check_size([source, target]: [&Analysis; 2]) -> std::result::Result<(), String> {
    let [m, n] = [source.words.len(), target.words.len()];
    if m.saturating_mul(n) > MAX_CELLS {
        return Err(format!("{m} and {n} words are too many to align: expected sentences or short texts, cut them up"));
    }
    Ok(())
}

/// What a part is about, and where.
fn part_of(parts: &PairParts, part: usize, [source, target]: [&Analysis; 2]) -> (What, Place) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::random::SplitMix;
    use crate::latent::sentences::SentencePairs;

    const TEXTS: [(&str, &str); 5] = [
        ("Anna sold 12 old boats in Lima.", "In Lima, 12 boats were sold by Anna."),
        ("The cat chased a small dog.", "A small dog chased the cat."),
        ("He never left. She stayed.", "They stayed; nobody went away."),
        ("Yes.", ""),
        ("", ""),
    ];

    /// Weights by chance for the features of these pairs.
    fn trained(shape: Shape, is_two_stage: bool) -> LatentTrained {
        let english = bundled::english(LAYERS).unwrap();
        let lexicon = bundled::lexicon_with_vectors().unwrap();
        let mut scratch = EnglishScratch::default();
        let pairs = TEXTS.map(|(a, b)| [a, b].map(|text| english.text(text, &mut scratch)));
        let problem = SentencePairs::new(&pairs, vec![true; pairs.len()], &lexicon, shape).unwrap();
        let catalogue = problem.catalogue().clone();
        let mut random = SplitMix::new(7);
        let mut weights = || (0..catalogue.len()).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).collect();
        let about = LatentAbout {
            task: "paraphrase".to_owned(),
            learner: LEARNERS[usize::from(is_two_stage)].to_owned(),
            shape,
            labels: ["0".to_owned(), "1".to_owned()],
            data: "pairs.tsv".to_owned(),
            n_pairs: 5,
            n_positive: 5,
            cost: 0.01,
            search: vec![Tried { cost: 0.01, mean: 0.5, folds: vec![0.5] }],
            measure: "accuracy".to_owned(),
            held_out: 0.5,
            n_features: catalogue.len(),
            objectives: vec![2.0, 1.0],
            gap: 0.0,
            stop: "converged".to_owned(),
            version: "0".to_owned(),
            note: String::new(),
        };
        let (weights, inference) = (weights(), is_two_stage.then(&mut weights));
        LatentTrained { about, catalogue, weights, inference, platt: Platt { slope: 0.5, intercept: 0.1 } }
    }

    #[test]
    fn saved_and_opened_it_decides_the_same() {
        for (shape, is_two_stage) in [(Shape::Both, false), (Shape::Both, true), (Shape::Target, false)] {
            let model = LatentModel::new(trained(shape, is_two_stage)).unwrap();
            let bytes = model.to_bytes().unwrap();
            let again = LatentModel::from_bytes("m.resay", &bytes).unwrap();
            assert_eq!(again.to_bytes().unwrap(), bytes);
            assert_eq!(again.about(), model.about());
            let decisions = model.score_all(&TEXTS, |pair| *pair).unwrap();
            assert_eq!(again.score_all(&TEXTS, |pair| *pair).unwrap(), decisions);
            for ((source, target), decision) in TEXTS.iter().zip(decisions) {
                assert_eq!(again.score(source, target).unwrap(), decision);
                assert_eq!(decision.label, decision.score > 0.0);
            }
        }
    }

    #[test]
    fn leaves_add_up_and_say_where() {
        for (shape, is_two_stage) in [(Shape::Both, false), (Shape::Target, false), (Shape::Both, true)] {
            let model = LatentModel::new(trained(shape, is_two_stage)).unwrap();
            for (source, target) in TEXTS {
                let score = model.score(source, target).unwrap().score;
                let (pair, explanation) = model.explain(source, target).unwrap();
                assert_eq!((&*pair[0].text, &*pair[1].text), (source, target));
                let sum: f64 = explanation.leaves().iter().map(|leaf| leaf.value).sum();
                assert!((sum - score).abs() < 1e-9 * score.abs().max(1.0), "{source}: {sum} {score}");
                assert_eq!(explanation.value, score);
                for part in &explanation.parts {
                    let What::Phrase { source: first, target: second } = &part.what else { continue };
                    // What is shown is what stands at the places, words of an edge in the order of the text.
                    let check = |shown: &Option<String>, spans: &[Span], text: &str| {
                        let mut expected: Vec<&str> = shown.iter().flat_map(|shown| shown.split(" > ")).collect();
                        let mut found: Vec<&str> = spans.iter().map(|span| &text[span.range()]).collect();
                        expected.sort_unstable();
                        found.sort_unstable();
                        assert_eq!(found, expected);
                    };
                    check(first, &part.places[0].source, source);
                    check(second, &part.places[0].target, target);
                }
            }
        }
    }

    #[test]
    fn features_are_listed_by_weight() {
        let mut trained = trained(Shape::Both, false);
        trained.weights[3] = 0.0;
        let n_weights = trained.weights.iter().filter(|weight| **weight != 0.0).count();
        let features = LatentModel::new(trained).unwrap().features();
        assert_eq!(features.len(), n_weights);
        assert!(features.is_sorted_by(|a, b| a.1.abs() >= b.1.abs()));
    }

    #[test]
    fn damaged_files_are_refused() {
        let good = trained(Shape::Both, true);
        let bytes = good.to_bytes().unwrap();
        for cut in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            assert!(LatentModel::from_bytes("m.resay", &bytes[..cut]).is_err(), "{cut}");
        }
        let check = |change: &dyn Fn(&mut LatentTrained), expected: &str| {
            let mut changed = good.clone();
            change(&mut changed);
            let bytes = changed.to_bytes().unwrap();
            let error = LatentModel::from_bytes("m.resay", &bytes).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with("m.resay: ") && error.contains(expected), "{error}, expected {expected}");
        };
        check(&|model| model.platt.slope = -0.1, "probabilities that fall as the score rises");
        check(&|model| model.platt.intercept = f64::NAN, "head");
        check(&|model| model.weights.truncate(5), "weights");
        check(&|model| model.weights.push(1.0), "weights");
        check(&|model| model.weights[2] = f64::INFINITY, "weights");
        check(&|model| model.inference = Some(vec![1.0]), "inference");
        check(&|model| model.inference = None, "3 sections, expected 4");
        check(&|model| model.about.learner = "latent".to_owned(), "4 sections, expected 3");
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let model = LatentModel::new(trained(Shape::Both, false)).unwrap();
        let long = "word ".repeat(1001);
        let error = model.score(&long, &long).unwrap_err().to_string();
        assert!(error.contains("1001 and 1001 words are too many to align"), "{error}");
        assert!(model.score(&long, "word").is_ok());
    }
}
