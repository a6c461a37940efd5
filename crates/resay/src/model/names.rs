//! A model of names across scripts: whether two spellings are one name, and which of many candidates is.

use super::Decision;
use super::about::Tried;
use super::file::{kind, read_file};
use crate::data::write_whole;
use crate::explain::Explanation;
use crate::latent::names::{
    Alphabet, Best, Features, Key, MAX_WEIGHT, MachineScratch, NameMachine, Prepared, RankScratch, Scale, Templates,
    is_possible,
};
use crate::pack::{Container, Reader, put, put_str};
use crate::svm::calibrate::Platt;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the task in a model's description.
pub(super) const TASK: &str = "names";

/// What a model of names says of itself; the header of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamesAbout {
    /// Always `names`.
    pub task: String,
    /// `latent` (maps and decision learned together) or `two-stage` (maps held).
    pub learner: String,
    /// What the first maps were made by: `association` or `romanisation`.
    pub begin: String,
    /// The templates of its features, as bits.
    pub templates: u16,
    /// What sums are multiplied by: `one`, `sum`, `longer`, `root`.
    pub scale: String,
    /// The file that it was learned from, without its folder.
    pub data: String,
    /// How many true pairs it was learned from.
    pub n_pairs: usize,
    /// How many wrong pairs were drawn.
    pub n_negatives: usize,
    /// The cost it was trained with: 1 / lambda.
    pub cost: f64,
    /// Every cost tried, with the mean reciprocal rank on held-out pairs.
    pub search: Vec<Tried>,
    /// Mean reciprocal rank on held-out pairs at the chosen cost.
    pub held_out_mrr: f64,
    /// The share of held-out pairs whose best candidate is right.
    pub held_out_accuracy: f64,
    /// Candidates of a held-out name.
    pub n_candidates: usize,
    /// The objective before the first iteration and after each.
    pub objectives: Vec<f64>,
    /// How far the last convex problem may be from its optimum, as a part of the objective.
    pub gap: f64,
    /// Why training stopped.
    pub stop: String,
    /// Features in training, and those that have a weight.
    pub n_features: [usize; 2],
    /// The version of Resay that wrote it.
    pub version: String,
    /// Whatever else its maker wanted to say (licence, source).
    pub note: String,
}

/// A model of names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamesModel {
    about: NamesAbout,
    machine: NameMachine,
    platt: Platt,
}

/// Candidates that were prepared once for many queries to one model.
#[derive(Clone, Debug)]
pub struct Candidates {
    names: Vec<String>,
    prepared: Prepared,
}

impl Candidates {
    /// Prepares names; equal ones stay as they are, each by itself.
    pub fn new(model: &NamesModel, names: Vec<String>) -> Self {
        let prepared = Prepared::new(&model.machine, &names);
        Self { names, prepared }
    }

    /// The names, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl NamesModel {
    /// What was learned; weights are kept at half their size, and only those that are not 0. How many features there are
    /// is filled in here.
    pub fn new(mut about: NamesAbout, machine: &NameMachine, platt: Platt) -> Result<Self> {
        about.n_features[0] = machine.features().keys().len();
        let machine = machine.compact()?;
        about.n_features[1] = machine.features().keys().len();
        about.task = TASK.to_owned();
        about.templates = machine.features().templates().bits();
        about.scale = machine.scale().name().to_owned();
        about.version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self { about, machine, platt })
    }

    /// What the model says of itself.
    pub fn about(&self) -> &NamesAbout {
        &self.about
    }

    /// Replaces the maker's note.
    pub fn set_note(&mut self, note: impl Into<String>) {
        self.about.note = note.into();
    }

    /// Characters, features and weights.
    pub fn machine(&self) -> &NameMachine {
        &self.machine
    }

    /// The decision that goes with a score.
    pub fn decide(&self, score: f64) -> Decision {
        Decision { score, probability: self.platt.probability(score), label: score > 0.0 }
    }

    /// Whether two spellings are one name.
    pub fn score(&self, source: &str, target: &str) -> Result<Decision> {
        self.score_with(source, target, &mut MachineScratch::default())
    }

    /// The same for who asks often.
    pub fn score_with(&self, source: &str, target: &str, scratch: &mut MachineScratch) -> Result<Decision> {
        let views = [self.machine.views(0, source), self.machine.views(1, target)];
        Ok(self.decide(self.machine.score(&views[0], &views[1], scratch)?))
    }

    /// The score taken apart; leaves add up to it. Every part of the best map has its bytes in the names.
    pub fn explain(&self, source: &str, target: &str) -> Result<Explanation> {
        self.machine.explain(source, target, &mut MachineScratch::default())
    }

    /// The `top` best candidates for a name.
    pub fn rank(&self, query: &str, candidates: &Candidates, top: usize) -> Result<Best> {
        candidates.prepared.rank(&self.machine, query, top, &mut RankScratch::default())
    }

    /// The best candidates of many names, in parallel, in order.
    pub fn rank_all<S: AsRef<str> + Sync>(
        &self,
        queries: &[S],
        candidates: &Candidates,
        top: usize,
    ) -> Result<Vec<Best>> {
        candidates.prepared.rank_all(&self.machine, queries, top)
    }

    /// The heaviest features, by the size of their weight: how each reads, and its weight.
    pub fn heaviest(&self, top: usize) -> Vec<(String, f64)> {
        let weights = self.machine.weights();
        let mut order: Vec<u32> = (0..weights.len() as u32).collect();
        order.sort_by(|&a, &b| weights[b as usize].abs().total_cmp(&weights[a as usize].abs()).then(a.cmp(&b)));
        order.iter().take(top).map(|&number| (self.machine.show(number), weights[number as usize])).collect()
    }

    /// The model as the bytes of its file. `characters`: those of both sides. `weights`, and with two stages `inference`:
    /// keys by their distance from the one before, and weights.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let mut head = Vec::new();
        head.extend(self.platt.slope.to_le_bytes());
        head.extend(self.platt.intercept.to_le_bytes());
        container.push("head", head);
        let mut characters = Vec::new();
        for alphabet in self.machine.alphabets() {
            put_str(&mut characters, &alphabet.characters().iter().collect::<String>());
        }
        container.push("characters", characters);
        let weighted = |weights: &[f64]| {
            let mut out = Vec::new();
            put(&mut out, weights.len() as u64);
            let mut before = 0;
            // The constant, number 0, has the last of all keys and goes first without one.
            for (at, (&key, &weight)) in self.machine.features().keys().iter().zip(weights).enumerate() {
                if at > 0 {
                    put(&mut out, key - before);
                    before = key;
                }
                out.extend((weight as f32).to_le_bytes());
            }
            out
        };
        container.push("weights", weighted(self.machine.weights()));
        if let Some(inference) = self.machine.inference() {
            container.push("inference", weighted(inference));
        }
        container.pack()
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let task = kind(name, bytes)?;
        if task != TASK {
            return Err(Error::file(name, format!("a model of task {task}, expected one of task {TASK}")));
        }
        let container = Container::<NamesAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let has_inference = about.learner == "two-stage";
        let expected = if has_inference { 4 } else { 3 };
        if container.n_sections() != expected {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {expected}: the model is damaged")));
        }
        let damaged = |what: String| Error::file(name, format!("{what}: the model is damaged"));
        let mut head = Reader::new(name, "head", container.section(name, "head")?);
        let platt = Platt { slope: head.real()?, intercept: head.real()? };
        head.end()?;
        if platt.slope < 0.0 {
            return head.fail("probabilities that fall as the score rises");
        }
        let mut reader = Reader::new(name, "characters", container.section(name, "characters")?);
        let mut alphabets = [Alphabet::default(), Alphabet::default()];
        for alphabet in &mut alphabets {
            let Some(read) = Alphabet::new(reader.string()?.chars()) else {
                return reader.fail("a character that stands twice, or too many of them");
            };
            *alphabet = read;
        }
        reader.end()?;
        let templates = Templates::from_bits(about.templates)
            .ok_or_else(|| damaged(format!("templates {}, expected a set of known ones", about.templates)))?;
        let scale = Scale::NAMES.iter().find(|(known, _)| *known == about.scale);
        let Some(&(_, scale)) = scale else {
            return Err(damaged(format!("a scale '{}', expected one, sum, longer or root", about.scale)));
        };
        let read = |section: &str| -> Result<(Features, Vec<f64>)> {
            let mut reader = Reader::new(name, section, container.section(name, section)?);
            let mut features = Features::new(templates);
            let n_features = reader.count(4)?;
            let mut weights = Vec::with_capacity(n_features);
            let mut before: Key = 0;
            for at in 0..n_features {
                if at > 0 {
                    let key = reader.number()?.checked_add(before);
                    match key.filter(|&key| is_possible(key, templates, &alphabets)) {
                        Some(key) if features.add(key) => before = key,
                        _ => return reader.fail("a feature that cannot be, or stands twice"),
                    }
                }
                let weight = f64::from(reader.short_real()?);
                if weight.abs() > MAX_WEIGHT {
                    return reader.fail(format_args!("a weight of {weight}"));
                }
                weights.push(weight);
            }
            reader.end()?;
            Ok((features, weights))
        };
        let (features, weights) = read("weights")?;
        let inference = if has_inference { Some(read("inference")?) } else { None };
        if inference.as_ref().is_some_and(|(others, _)| *others != features) {
            return Err(damaged("section 'inference' has other features than 'weights'".to_owned()));
        }
        let inference = inference.map(|(_, weights)| weights);
        let machine = NameMachine::new(alphabets, features, scale, weights, inference)
            .map_err(|error| damaged(error.to_string()))?;
        Ok(Self { about, machine, platt })
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
