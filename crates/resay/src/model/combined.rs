//! A model that joins every system: what two sentences have in common and where they part (`signs`), re-writing rules, and a
//! decision over a hidden alignment, weighed by one linear machine.
//!
//! A sign of value v adds `(plain + alike * a) * v` to the score, where a is how far all else is alike
//! ([`crate::signs::Noticed`]): what differs weighs more where nothing else does. Scores of the two systems within are signs
//! like others, and are taken apart down to their own leaves.

use super::file::read_file;
use super::{AlignModel, AlignedText, Decision, LatentTrained, Model, Scorer, Tried};
use crate::data::write_whole;
use crate::explain::{Explanation, What};
use crate::latent::sentences::{SentenceScratch, Shape};
use crate::lexicon::Lexicon;
use crate::pack::{Container, Reader, put, put_str};
use crate::signs::{Group, Observed, Observer, ObserverScratch, SYSTEMS, Sign, Wanted, catalogue};
use crate::svm::calibrate::Platt;
use crate::text::{Analysis, Layers};
use crate::{Error, Result, bundled};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

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
    /// What a sign counts, and what it counts more where all else is alike; signs first, then the systems within.
    pub weights: Vec<[f64; 2]>,
    /// What it counts that all else is alike.
    pub alike: f64,
    /// What the score starts from.
    pub bias: f64,
    /// From a score to a probability.
    pub platt: Platt,
    /// The re-writing rules.
    pub rules: Model,
    /// The hidden alignment.
    pub latent: LatentTrained,
}

/// A model that joins every system.
pub struct CombinedModel {
    trained: CombinedTrained,
    signs: Vec<Sign>,
    observer: Observer,
}

/// A pair as the model sees it: all signs, those of the systems within last, and how far all else is alike.
pub(crate) struct Seen {
    pub(crate) values: Vec<f64>,
    pub(crate) alike: f64,
}

impl Seen {
    /// Values as the linear machine takes them: plain, then each as much as all else is alike, then that itself.
    pub(crate) fn row(&self) -> Vec<f64> {
        let alike = self.values.iter().map(|value| value * self.alike);
        self.values.iter().copied().chain(alike).chain([self.alike]).collect()
    }
}

/// A text with its layers: read once, whichever pairs it will stand in.
#[derive(Clone, Debug)]
pub struct Reading {
    analysis: Analysis,
}

impl Reading {
    /// The text and its words.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }
}

/// What a thread keeps while it decides.
struct Scratch<'a> {
    observer: ObserverScratch,
    sentences: SentenceScratch,
    rules: Scorer<'a>,
}

/// What looks at pairs: the bundled annotation, relations and aligner.
pub(crate) fn observer() -> Result<Observer> {
    let (english, lexicon) = rayon::join(|| bundled::english(Layers::ALL), bundled::lexicon_with_vectors);
    let aligner = AlignModel::read(bundled::ALIGNER, bundled::bytes(bundled::ALIGNER)?)?.1;
    Ok(Observer::new(english?, lexicon?, aligner))
}

impl CombinedModel {
    /// What was learned.
    pub fn new(trained: CombinedTrained) -> Result<Self> {
        let signs = catalogue(trained.about.shape);
        if trained.weights.len() != signs.len() + SYSTEMS.len() {
            let (n, expected) = (trained.weights.len(), signs.len() + SYSTEMS.len());
            return Err(Error::parameter(format!("{n} weights, expected {expected}, one a sign")));
        }
        Ok(Self { trained, signs, observer: observer()? })
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
            observer: ObserverScratch::default(),
            sentences: SentenceScratch::default(),
            rules: self.trained.rules.scorer(),
        }
    }

    fn read(&self, text: &str, scratch: &mut ObserverScratch) -> Reading {
        Reading { analysis: self.observer.annotate(text, scratch) }
    }

    /// Reads many texts in parallel, in order.
    pub fn read_all<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Vec<Reading> {
        texts.par_iter().map_init(ObserverScratch::default, |scratch, text| self.read(text.as_ref(), scratch)).collect()
    }

    fn look(&self, pair: [&Reading; 2], wanted: Wanted, scratch: &mut Scratch<'_>) -> Result<(Observed, Seen)> {
        let sentences = pair.map(Reading::analysis);
        super::latent_size(sentences).map_err(Error::data)?;
        let mut observed = self.observer.observe(sentences, self.trained.about.shape, wanted, &mut scratch.observer)?;
        let rules = scratch.rules.score(&sentences[0].text, &sentences[1].text)?.score;
        let lexicon = self.observer.lexicon();
        let hidden = self.trained.latent.score(sentences, &observed.compared, lexicon, &mut scratch.sentences)?;
        let mut values = std::mem::take(&mut observed.noticed.values);
        values.extend([rules, hidden]);
        let seen = Seen { values, alike: observed.noticed.alike };
        Ok((observed, seen))
    }

    /// What a unit of a sign counts for this pair.
    fn weight(&self, sign: usize, alike: f64) -> f64 {
        let [plain, more] = self.trained.weights[sign];
        plain + more * alike
    }

    fn score_of(&self, seen: &Seen) -> f64 {
        let signs = seen.values.iter().enumerate().map(|(sign, value)| self.weight(sign, seen.alike) * value);
        self.trained.bias + self.trained.alike * seen.alike + signs.sum::<f64>()
    }

    /// Decides about a pair.
    pub fn score(&self, source: &str, target: &str) -> Result<Decision> {
        let mut scratch = self.scratch();
        let [source, target] = [source, target].map(|text| self.read(text, &mut scratch.observer));
        let (_, seen) = self.look([&source, &target], Wanted::Values, &mut scratch)?;
        Ok(self.decision(self.score_of(&seen)))
    }

    /// Decides about pairs of texts that were read, by their places, in parallel and in order.
    pub fn decide_pairs(&self, readings: &[Reading], pairs: &[[usize; 2]]) -> Result<Vec<Decision>> {
        let score = |scratch: &mut Scratch<'_>, &pair: &[usize; 2]| {
            let (_, seen) = self.look(pair.map(|at| &readings[at]), Wanted::Values, scratch)?;
            Ok(self.decision(self.score_of(&seen)))
        };
        pairs.par_iter().map_init(|| self.scratch(), score).collect()
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
        let score = |scratch: &mut Scratch<'_>, item: &T| {
            let (source, target) = texts(item);
            let [source, target] = [source, target].map(|text| self.read(text, &mut scratch.observer));
            let (_, seen) = self.look([&source, &target], Wanted::Values, scratch)?;
            Ok((self.decision(self.score_of(&seen)), seen.values[self.signs.len()..].to_vec()))
        };
        items.par_iter().map_init(|| self.scratch(), score).collect()
    }

    /// One decision taken apart, with the sentences and what corresponds in them; leaves add up to the score.
    pub fn explain(&self, source: &str, target: &str) -> Result<(Judged, Explanation)> {
        let [source, target] = [source, target].map(|text| self.read(text, &mut ObserverScratch::default()));
        self.explain_pair([&source, &target])
    }

    /// The same for two texts that were read.
    pub fn explain_pair(&self, pair: [&Reading; 2]) -> Result<(Judged, Explanation)> {
        let (observed, seen) = self.look(pair, Wanted::Evidence, &mut self.scratch())?;
        let sentences = pair.map(Reading::analysis);
        let mut groups: Vec<(Group, Vec<Explanation>)> = Vec::new();
        for (at, sign) in self.signs.iter().enumerate() {
            let value = self.weight(at, seen.alike) * seen.values[at];
            if value == 0.0 {
                continue;
            }
            let evidence: Vec<_> = observed.noticed.evidence.iter().filter(|evidence| evidence.sign == at).collect();
            let share = value / evidence.len().max(1) as f64;
            let parts = evidence.into_iter().map(|evidence| Explanation {
                what: evidence.what.clone(),
                value: share,
                places: vec![evidence.place.clone()],
                parts: Vec::new(),
            });
            let what = What::Measure(sign.name.clone());
            let node = Explanation { what, value, places: Vec::new(), parts: parts.collect() };
            match groups.iter_mut().find(|(group, _)| *group == sign.group) {
                Some((_, nodes)) => nodes.push(node),
                None => groups.push((sign.group, vec![node])),
            }
        }
        let mut parts: Vec<Explanation> =
            groups.into_iter().map(|(group, nodes)| node(group.name().to_owned(), nodes)).collect();
        let lexicon = self.observer.lexicon();
        let hidden = self.trained.latent.explain(sentences, &observed.compared, lexicon)?;
        let rules = self.trained.rules.explain(&sentences[0].text, &sentences[1].text, usize::MAX)?.1;
        for (at, (name, within)) in SYSTEMS.into_iter().zip([rules, hidden]).enumerate() {
            let weight = self.weight(self.signs.len() + at, seen.alike);
            parts.push(node(name.to_owned(), scaled(within, weight).parts));
        }
        parts.push(Explanation::leaf(What::Measure("all else alike".to_owned()), self.trained.alike * seen.alike));
        parts.push(Explanation::leaf(What::Bias, self.trained.bias));
        parts.retain(|part| part.value != 0.0);
        Explanation::strongest_first(&mut parts);
        let explanation = Explanation { what: What::Score, value: self.score_of(&seen), places: Vec::new(), parts };
        let [source, target] = sentences.map(Clone::clone);
        let aligned = AlignedText { source, target, alignment: observed.alignment };
        Ok((Judged { aligned, decision: self.decision(explanation.value) }, explanation))
    }

    /// Every sign with what it counts, and what it counts where all else is alike; heaviest first.
    pub fn signs(&self) -> Vec<(String, f64, f64)> {
        let names = self.signs.iter().map(|sign| sign.name.as_str()).chain(SYSTEMS);
        let mut signs: Vec<(String, f64, f64)> = names
            .zip(&self.trained.weights)
            .map(|(name, [plain, more])| (name.to_owned(), *plain, plain + more))
            .collect();
        signs.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then_with(|| a.0.cmp(&b.0)));
        signs
    }

    /// The model as the bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let trained = &self.trained;
        let mut container = Container::new(trained.about.clone());
        let reals = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        container.push("head", reals(&[trained.platt.slope, trained.platt.intercept, trained.bias, trained.alike]));
        let mut weights = Vec::new();
        put(&mut weights, trained.weights.len() as u64);
        let names = self.signs.iter().map(|sign| sign.name.as_str()).chain(SYSTEMS);
        for (name, both) in names.zip(&trained.weights) {
            put_str(&mut weights, name);
            weights.extend(reals(both));
        }
        container.push("signs", weights);
        container.push("rules", trained.rules.to_bytes()?);
        container.push("latent", trained.latent.to_bytes()?);
        container.pack()
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::<CombinedAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        if container.n_sections() != 4 {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected 4: the model is damaged")));
        }
        let section = |wanted: &'static str| -> Result<Reader<'_>> {
            Ok(Reader::new(name, wanted, container.section(name, wanted)?))
        };
        let mut reader = section("head")?;
        let head = (0..4).map(|_| reader.real()).collect::<Result<Vec<f64>>>()?;
        reader.end()?;
        let platt = Platt { slope: head[0], intercept: head[1] };
        if platt.slope < 0.0 {
            return section("head")?.fail("probabilities that fall as the score rises");
        }
        let known = catalogue(about.shape);
        let mut names = known.iter().map(|sign| sign.name.as_str()).chain(SYSTEMS);
        let mut reader = section("signs")?;
        let mut weights = Vec::new();
        for _ in 0..reader.count(17)? {
            let sign = reader.string()?;
            if names.next() != Some(sign) {
                return reader.fail(format!("'{sign}' is no sign of this version, or stands in the wrong place"));
            }
            weights.push([reader.real()?, reader.real()?]);
        }
        reader.end()?;
        if names.next().is_some() {
            return section("signs")?.fail("signs are missing");
        }
        let rules = Model::from_bytes(name, container.section(name, "rules")?)?;
        let latent = LatentTrained::from_bytes(name, container.section(name, "latent")?)?;
        if latent.about.shape != about.shape {
            return section("latent")?.fail("a hidden alignment of another task");
        }
        Self::new(CombinedTrained { about, weights, alike: head[3], bias: head[2], platt, rules, latent })
    }

    /// Opens a model's file.
    pub fn open(path: &Path) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes)
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
}

/// Two sentences with what corresponds in them, and what was decided.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The sentences and what corresponds.
    pub aligned: AlignedText,
    /// The decision.
    pub decision: Decision,
}

fn node(name: String, mut parts: Vec<Explanation>) -> Explanation {
    Explanation::strongest_first(&mut parts);
    let value = parts.iter().map(|part| part.value).sum();
    Explanation { what: What::Measure(name), value, places: Vec::new(), parts }
}

/// Everything of a tree times a number.
fn scaled(explanation: Explanation, by: f64) -> Explanation {
    let Explanation { what, value, places, parts } = explanation;
    let parts = parts.into_iter().map(|part| scaled(part, by)).collect();
    Explanation { what, value: value * by, places, parts }
}
