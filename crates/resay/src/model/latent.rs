//! Classifiers over a latent alignment: weights for features of aligned words and edges, with the
//! annotators and word relations that they need.

use super::answer::{AnswerCalibration, AskedClass};
use super::contract::{Explained, PairDetails, PairModel, PairScorer, Prediction, Weight};
use super::header::{About, Header, ModelKind, Response, expect_kind};
use crate::data::write_whole;
use crate::explain::{Explanation, Place, What};
use crate::latent::sentences::{
    AlignmentConstraints, Catalogue, PairParts, SentenceScratch, Setup, Shape, describe_compared,
};
use crate::pair::{Needs, PairView};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::matching::Choice;
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader};
use resay_text::{Analysis, Layers, Span};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The learner that fixes alignments before it learns the decision.
const TWO_STAGE: &str = "two-stage";

/// Header fields of latent models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatentDetails {
    /// Whether unaligned words count on both sides or on the target side only.
    pub shape: Shape,
    /// The number of features.
    pub n_features: usize,
    /// The objective before the first iteration and after each one; it never increases.
    pub objectives: Vec<f64>,
    /// The optimality gap of the last convex problem, relative to the objective.
    pub gap: f64,
    /// What the user says about links.
    #[serde(default, skip_serializing_if = "AlignmentConstraints::is_empty")]
    pub constraints: AlignmentConstraints,
}

/// The header of a latent model.
pub type LatentAbout = About<LatentDetails>;

/// The result of training: the contents of the model file.
#[derive(Clone, Debug)]
pub struct LatentTrained {
    /// The header and details.
    pub about: LatentAbout,
    /// The features.
    pub catalogue: Catalogue,
    /// The weights of each head, one per feature. Every head aligns the pair for itself.
    pub weights: Vec<Vec<f64>>,
    /// Separate weights for inferring alignments; `None` if the decision's weights do both.
    pub inference: Option<Vec<f64>>,
    /// From head scores to answers.
    pub calibration: AnswerCalibration,
}

/// The number of heads for answers of this kind: one per category, and one per step of a scale. A
/// scale is decided by whether each level is reached.
pub(crate) fn n_latent_heads(response: &Response) -> usize {
    match response {
        Response::Categories { labels } => labels.len(),
        Response::Ordinal { levels } => levels.len() - 1,
        _ => 1,
    }
}

impl LatentTrained {
    /// Serialises the model.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let reals = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        container.push("head", reals(&self.calibration.write()));
        let mut features = Vec::new();
        self.catalogue.write(&mut features);
        container.push("features", features);
        container.push("weights", reals(&self.weights.concat()));
        if let Some(inference) = &self.inference {
            container.push("inference", reals(inference));
        }
        container.pack()
    }

    /// Reads a model file; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        expect_kind(name, bytes, ModelKind::Latent)?;
        let container = Container::<LatentAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let is_two_stage = about.header.learner == TWO_STAGE;
        let expected = if is_two_stage { 4 } else { 3 };
        if container.n_sections() != expected {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {expected}: the model is damaged")));
        }
        let section = |wanted: &'static str| -> Result<SectionReader<'_>> {
            Ok(SectionReader::new(name, wanted, container.section(name, wanted)?))
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
        let mut head = section("head")?;
        let calibration = AnswerCalibration::read(&mut head, &about.header.response)?;
        head.end()?;
        let n_heads = n_latent_heads(&about.header.response);
        let weights = reals("weights", n_heads * catalogue.len())?;
        let weights = (0..n_heads).map(|head| weights[head * catalogue.len()..(head + 1) * catalogue.len()].to_vec());
        let weights = weights.collect();
        let inference = is_two_stage.then(|| reals("inference", catalogue.len())).transpose()?;
        Ok(Self { about, catalogue, weights, inference, calibration })
    }

    /// All candidate parts of a pair's alignments.
    fn parts(&self, pair: &PairView<'_>) -> Result<PairParts> {
        let (words, lexicon) = (pair.words()?, pair.lexicon()?);
        let LatentDetails { shape, ref constraints, .. } = self.about.details;
        describe_compared(pair.analyses(), words, lexicon, Setup { shape, constraints }, &self.catalogue)
    }

    /// The best alignment of a pair for one head.
    fn align(&self, parts: &PairParts, weights: &Vec<f64>, scratch: &mut SentenceScratch) -> Result<Choice> {
        parts.best(self.inference.as_ref().unwrap_or(weights), None, scratch)
    }

    /// The head scores of a pair.
    pub(super) fn score(&self, pair: &PairView<'_>, scratch: &mut SentenceScratch) -> Result<Vec<f64>> {
        let parts = self.parts(pair)?;
        let score = |weights| Ok(parts.score(&self.align(&parts, weights, scratch)?.active, weights));
        self.weights.iter().map(score).collect()
    }

    /// The head scores of a pair and the explanation of each: aligned and unaligned words and edges
    /// with their features. Both come from the same alignment.
    pub(super) fn explain(
        &self,
        pair: &PairView<'_>,
        scratch: &mut SentenceScratch,
    ) -> Result<(Vec<f64>, Vec<Explanation>)> {
        let parts = self.parts(pair)?;
        let explain = |weights| self.explain_head(pair, &parts, weights, scratch);
        let explained = self.weights.iter().map(explain).collect::<Result<Vec<_>>>()?;
        Ok((explained.iter().map(|head| head.value).collect(), explained))
    }

    fn explain_head(
        &self,
        pair: &PairView<'_>,
        parts: &PairParts,
        weights: &Vec<f64>,
        scratch: &mut SentenceScratch,
    ) -> Result<Explanation> {
        let choice = self.align(parts, weights, scratch)?;
        let sentences = pair.analyses();
        let mut shown: Vec<Explanation> = Vec::new();
        for part in &choice.active {
            let features = parts.part(*part as usize);
            let leaf = |&(number, value): &(u32, f32)| {
                let value = weights[number as usize] * f64::from(value) * parts.scale();
                Some(Explanation::leaf(What::LatentFeature(self.catalogue.feature(number)?), value))
            };
            let mut leaves: Vec<Explanation> = features.iter().filter_map(leaf).collect();
            leaves.retain(|leaf| leaf.value != 0.0);
            if leaves.is_empty() {
                continue;
            }
            Explanation::strongest_first(&mut leaves);
            let (what, place) = part_of(parts, *part as usize, sentences);
            let value = leaves.iter().map(|leaf| leaf.value).sum();
            shown.push(Explanation { what, value, places: vec![place], parts: leaves });
        }
        for (number, value) in parts.constant() {
            let value = weights[*number as usize] * f64::from(*value);
            let feature = self.catalogue.feature(*number);
            shown.extend(feature.map(|feature| Explanation::leaf(What::LatentFeature(feature), value)));
        }
        shown.retain(|part| part.value != 0.0);
        Explanation::strongest_first(&mut shown);
        let value = parts.score(&choice.active, weights);
        Ok(Explanation { what: What::Score, value, places: Vec::new(), parts: shown })
    }

    /// Writes the model file atomically.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
}

/// A trained latent model with its resources.
pub struct LatentModel {
    trained: LatentTrained,
    resources: Resources,
}

/// The annotation layers that latent models use.
pub(crate) const LAYERS: Layers = Layers { chunks: false, ..Layers::ALL };

impl LatentModel {
    /// Joins a trained model with its resources.
    pub fn new(trained: LatentTrained, resources: &Resources) -> Self {
        Self { trained, resources: resources.clone() }
    }

    /// The header and details.
    pub fn about(&self) -> &LatentAbout {
        &self.trained.about
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.trained.about.header
    }

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        Ok(Self::new(LatentTrained::from_bytes(name, bytes)?, resources))
    }

    /// Serialises the model.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.trained.to_bytes()
    }
}

/// The per-thread state of scoring.
struct LatentScorer<'a> {
    model: &'a LatentModel,
    scratch: SentenceScratch,
}

impl PairScorer for LatentScorer<'_> {
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>> {
        let score = |pair: &PairView<'_>| {
            progress.check()?;
            let trained = &self.model.trained;
            Ok(trained.calibration.predict(&trained.score(pair, &mut self.scratch)?))
        };
        pairs.iter().map(score).collect()
    }

    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, _top: usize) -> Result<Explained> {
        let trained = &self.model.trained;
        let (heads, explained) = trained.explain(pair, &mut self.scratch)?;
        let combination = trained.calibration.asked(asked, &heads)?;
        let weighted = combination.factors.iter().zip(explained).filter(|(factor, _)| **factor != 0.0);
        let explanation = Explanation::merged(weighted.map(|(factor, head)| head.scaled(*factor)));
        Ok(Explained {
            prediction: trained.calibration.predict(&heads),
            explanation: combination.complete(explanation, &heads),
            symbols: None,
        })
    }
}

impl PairModel for LatentModel {
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
        PairDetails::Latent(&self.trained.about.details)
    }

    fn needs(&self) -> Needs {
        Needs::sentences(LAYERS)
    }

    fn scorer(&self) -> Box<dyn PairScorer + '_> {
        Box::new(LatentScorer { model: self, scratch: SentenceScratch::default() })
    }

    /// Ties are in order of first occurrence in training.
    fn weights(&self, head: usize) -> Vec<Weight> {
        let LatentTrained { weights, catalogue, .. } = &self.trained;
        let weighted = (0..).zip(weights.get(head).map_or(&[][..], |head| head)).filter(|(_, weight)| **weight != 0.0);
        let named = weighted
            .filter_map(|(number, weight)| Some(Weight::of(What::LatentFeature(catalogue.feature(number)?), *weight)));
        let mut weights: Vec<Weight> = named.collect();
        Weight::heaviest_first(&mut weights);
        weights
    }
}

/// The words of a part, and their places.
fn part_of(parts: &PairParts, part: usize, [source, target]: [&Analysis; 2]) -> (What, Place) {
    let form = |side: &Analysis, word: u32| side.form(word as usize).to_owned();
    let span = |side: &Analysis, word: u32| side.words[word as usize].span;
    let edge = |side: &Analysis, (head, dependent): (u32, u32)| {
        let mut spans: Vec<Span> = vec![span(side, head), span(side, dependent)];
        spans.sort_by_key(|span| span.start);
        (format!("{} > {}", form(side, head), form(side, dependent)), spans)
    };
    use resay_learn::matching::graph::GraphPart;
    let (source, target) = match parts.graph().part(part) {
        GraphPart::Word(i, j) => {
            (Some((form(source, i), vec![span(source, i)])), Some((form(target, j), vec![span(target, j)])))
        }
        GraphPart::SourceWord(i) => (Some((form(source, i), vec![span(source, i)])), None),
        GraphPart::TargetWord(j) => (None, Some((form(target, j), vec![span(target, j)]))),
        GraphPart::Edge(e, f) => (
            Some(edge(source, parts.graph().source_edges()[e as usize])),
            Some(edge(target, parts.graph().target_edges()[f as usize])),
        ),
        GraphPart::SourceEdge(e) => (Some(edge(source, parts.graph().source_edges()[e as usize])), None),
        GraphPart::TargetEdge(f) => (None, Some(edge(target, parts.graph().target_edges()[f as usize]))),
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
    use crate::latent::sentences::SentencePairs;
    use crate::model::Decision;
    use crate::model::header::tests::header;
    use crate::model::pair_context;
    use crate::pair::TextAnnotator;
    use resay_learn::calibrate::Platt;
    use resay_learn::rng::SplitMix;
    use resay_text::EnglishScratch;

    const TEXTS: [(&str, &str); 5] = [
        ("Anna sold 12 old boats in Lima.", "In Lima, 12 boats were sold by Anna."),
        ("The cat chased a small dog.", "A small dog chased the cat."),
        ("He never left. She stayed.", "They stayed; nobody went away."),
        ("Yes.", ""),
        ("", ""),
    ];

    /// Random weights for the features of these pairs.
    fn trained(shape: Shape, is_two_stage: bool) -> LatentTrained {
        let resources = Resources::bundled();
        let (english, lexicon) = (resources.english(LAYERS).unwrap(), resources.lexicon_with_vectors().unwrap());
        let mut scratch = EnglishScratch::default();
        let pairs = TEXTS.map(|(a, b)| [a, b].map(|text| english.text(text, &mut scratch)));
        let problem = SentencePairs::new(&pairs, vec![true; pairs.len()], &lexicon, shape, Progress::none()).unwrap();
        let catalogue = problem.catalogue().clone();
        let mut random = SplitMix::new(7);
        let mut weights = || (0..catalogue.len()).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).collect();
        let labels = ["0".to_owned(), "1".to_owned()];
        let header = Header {
            learner: if is_two_stage { TWO_STAGE } else { "latent" }.to_owned(),
            ..header(ModelKind::Latent, Response::Binary { labels })
        };
        let details = LatentDetails {
            shape,
            n_features: catalogue.len(),
            objectives: vec![2.0, 1.0],
            gap: 0.0,
            constraints: AlignmentConstraints::default(),
        };
        let about = About { header, details };
        let (weights, inference) = (weights(), is_two_stage.then(&mut weights));
        let calibration = AnswerCalibration::Binary(Platt { slope: 0.5, intercept: 0.1 });
        LatentTrained { about, catalogue, weights: vec![weights], inference, calibration }
    }

    fn model(shape: Shape, is_two_stage: bool) -> LatentModel {
        LatentModel::new(trained(shape, is_two_stage), &Resources::bundled())
    }

    #[test]
    fn saved_and_opened_it_decides_the_same() {
        for (shape, is_two_stage) in [(Shape::Both, false), (Shape::Both, true), (Shape::Target, false)] {
            let model = model(shape, is_two_stage);
            let bytes = model.to_bytes().unwrap();
            let again = LatentModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap();
            assert_eq!(again.to_bytes().unwrap(), bytes);
            assert_eq!(again.about(), model.about());
            let decisions = |model: &dyn PairModel| -> Vec<Decision> {
                let predictions = model.predict(&TEXTS, |pair| *pair, Progress::none()).unwrap();
                predictions.into_iter().map(|prediction| prediction.unwrap().decision().unwrap()).collect()
            };
            assert_eq!(decisions(&again), decisions(&model));
            let again: &dyn PairModel = &again;
            for ((source, target), decision) in TEXTS.iter().zip(decisions(&model)) {
                assert_eq!(again.predict_one(source, target).unwrap(), decision.into());
                assert_eq!(decision.label, decision.score > 0.0);
            }
        }
    }

    #[test]
    fn constraints_are_kept_and_used() {
        let mut trained = trained(Shape::Both, false);
        let decided = |trained: &LatentTrained| -> Vec<f64> {
            let bytes = trained.to_bytes().unwrap();
            let model = LatentModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap();
            assert_eq!((model.about(), model.to_bytes().unwrap()), (&trained.about, bytes));
            let model: &dyn PairModel = &model;
            TEXTS.map(|(a, b)| model.predict_one(a, b).unwrap().decision().unwrap().score).to_vec()
        };
        let free = decided(&trained);
        // A file without constraints has no such key.
        assert!(!String::from_utf8_lossy(&trained.to_bytes().unwrap()).contains("constraints"));
        let text = "must-not-link any any !same-form\nat-most 2 any any";
        trained.about.details.constraints = AlignmentConstraints::parse("c.rules", text).unwrap();
        let bound = decided(&trained);
        // The score is the best of all alignments, so fewer of them cannot score higher.
        assert!(bound.iter().zip(&free).all(|(bound, free)| *bound <= free + 1e-9), "{bound:?} {free:?}");
        assert!(bound != free);
        // Constraints of a stranger are checked.
        let bytes = trained.to_bytes().unwrap();
        let about = serde_json::to_value(&trained.about).unwrap();
        for wrong in ["must-not-link any", "at-most 4294967296 any any", "", "\u{0} \"", "only-if x any any"] {
            let mut about = about.clone();
            about["constraints"] = serde_json::json!([wrong]);
            assert!(serde_json::from_value::<LatentAbout>(about).is_err(), "{wrong}");
        }
        assert!(LatentTrained::from_bytes("m.resay", &bytes).is_ok());
    }

    #[test]
    fn leaves_add_up_and_say_where() {
        for (shape, is_two_stage) in [(Shape::Both, false), (Shape::Target, false), (Shape::Both, true)] {
            let model: &dyn PairModel = &model(shape, is_two_stage);
            for (source, target) in TEXTS {
                let score = model.predict_one(source, target).unwrap().decision().unwrap().score;
                let Explained { prediction, explanation, .. } = model.explain_one(source, target, 10).unwrap();
                assert_eq!(prediction.decision().unwrap().score, score);
                let sum: f64 = explanation.leaves().iter().map(|leaf| leaf.value).sum();
                assert!((sum - score).abs() < 1e-9 * score.abs().max(1.0), "{source}: {sum} {score}");
                assert_eq!(explanation.value, score);
                for part in &explanation.parts {
                    let What::Phrase { source: first, target: second } = &part.what else { continue };
                    // The displayed text matches the spans, which list an edge's words in text
                    // order.
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
        trained.weights[0][3] = 0.0;
        let n_weights = trained.weights[0].iter().filter(|weight| **weight != 0.0).count();
        let features = LatentModel::new(trained, &Resources::bundled()).weights(0);
        assert_eq!(features.len(), n_weights);
        assert!(features.is_sorted_by(|a, b| a.weight.abs() >= b.weight.abs()));
        assert!(features.iter().all(|feature| matches!(feature.what, What::LatentFeature(_))));
    }

    #[test]
    fn damaged_files_are_refused() {
        let good = trained(Shape::Both, true);
        let bytes = good.to_bytes().unwrap();
        let resources = Resources::bundled();
        for cut in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            assert!(LatentModel::from_bytes("m.resay", &bytes[..cut], &resources).is_err(), "{cut}");
        }
        let check = |change: &dyn Fn(&mut LatentTrained), expected: &str| {
            let mut changed = good.clone();
            change(&mut changed);
            let bytes = changed.to_bytes().unwrap();
            let error = LatentModel::from_bytes("m.resay", &bytes, &resources).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with("m.resay: ") && error.contains(expected), "{error}, expected {expected}");
        };
        let platt = |slope, intercept| AnswerCalibration::Binary(Platt { slope, intercept });
        check(&|model| model.calibration = platt(-0.1, 0.0), "probabilities that fall as the score rises");
        check(&|model| model.calibration = platt(0.1, f64::NAN), "head");
        check(&|model| model.weights[0].truncate(5), "weights");
        check(&|model| model.weights[0].push(1.0), "weights");
        check(&|model| model.weights[0][2] = f64::INFINITY, "weights");
        check(&|model| model.inference = Some(vec![1.0]), "inference");
        check(&|model| model.inference = None, "3 sections, expected 4");
        check(&|model| model.about.header.learner = "latent".to_owned(), "4 sections, expected 3");
    }

    #[test]
    fn long_texts_and_repeated_words_are_aligned_within_the_limit() {
        use resay_learn::matching::graph::{GraphPart, WORK};
        let model = model(Shape::Both, false);
        let annotator = TextAnnotator::new(model.resources(), model.needs()).unwrap();
        let context = pair_context(model.resources());
        let check = |source: &str, target: &str, n_words: usize| {
            let texts = context.annotate(&annotator, &[source, target]);
            let view = PairView::new(&context, &texts[0], &texts[1]);
            assert!(view.analyses().iter().all(|text| text.words.len() >= n_words));
            let mut scratch = SentenceScratch::default();
            let parts = model.trained.parts(&view).unwrap();
            let choice = model.trained.align(&parts, &model.trained.weights[0], &mut scratch).unwrap();
            let search = scratch.search();
            assert!(search.work() <= WORK && search.gap().is_finite(), "{} {}", search.work(), search.gap());
            assert_eq!(search.is_stopped(), search.gap() > 0.0);
            // Every word of either side is aligned or unaligned, exactly once.
            let mut counts = view.analyses().map(|text| vec![0; text.words.len()]);
            for part in choice.active.iter().map(|part| parts.graph().part(*part as usize)) {
                let (source, target) = match part {
                    GraphPart::Word(i, j) => (Some(i), Some(j)),
                    GraphPart::SourceWord(i) => (Some(i), None),
                    GraphPart::TargetWord(j) => (None, Some(j)),
                    _ => continue,
                };
                source.into_iter().for_each(|i| counts[0][i as usize] += 1);
                target.into_iter().for_each(|j| counts[1][j as usize] += 1);
            }
            assert!(counts.iter().flatten().all(|count| *count == 1));
            (search.is_stopped(), parts.score(&choice.active, &model.trained.weights[0]))
        };
        let repeated = "word ".repeat(100);
        let (is_stopped, score) = check(&repeated, &repeated, 100);
        assert!(is_stopped);
        // The public entry point has the same limit.
        let judged = (&model as &dyn PairModel).predict_one(&repeated, &repeated).unwrap();
        assert_eq!(judged.decision().unwrap().score, score);
        let words = ["Anna", "sold", "old", "boats", "in", "Lima", "and", "never", "left", "the", "small", "dog", "."];
        let mut random = SplitMix::new(11);
        let mut text = || (0..310).map(|_| words[random.below(words.len())]).collect::<Vec<_>>().join(" ");
        check(&text(), &text(), 300);
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let model: &dyn PairModel = &model(Shape::Both, false);
        let long = "word ".repeat(1001);
        let error = model.predict_one(&long, &long).unwrap_err().to_string();
        assert!(error.contains("1001 and 1001 words are too many to align"), "{error}");
        assert!(model.predict_one(&long, "word").is_ok());
    }
}
