//! The names model: decides whether two spellings across scripts are the same name, and ranks
//! candidates.

use super::answer::{AnswerCalibration, AskedClass};
use super::contract::{Decision, Explained, PairDetails, PairModel, PairScorer, Prediction, Weight};
use super::header::{About, Header, ModelKind, expect_kind};
use crate::explain::What;
use crate::latent::names::{
    Alphabet, Best, Key, MAX_WEIGHT, MachineScratch, NameFeatures, NameMachine, NameUnits, PreparedNames, RankScratch,
    Scale, Templates, is_possible,
};
use crate::pair::{Needs, PairView};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::calibrate::Platt;
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader, put, put_str};
use serde::{Deserialize, Serialize};

/// Header fields of names models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamesDetails {
    /// How the first alignments were found: `association` or `romanisation`.
    pub begin: String,
    /// The feature templates, as bits.
    pub templates: u16,
    /// The normalisation of feature sums: `one`, `sum`, `longer`, `root`.
    pub scale: String,
    /// The share of held-out pairs whose best candidate is right.
    pub held_out_accuracy: f64,
    /// The number of candidates per held-out name.
    pub n_candidates: usize,
    /// The objective before the first iteration and after each one.
    pub objectives: Vec<f64>,
    /// The optimality gap of the last convex problem, relative to the objective.
    pub gap: f64,
    /// The number of features in training, and of those with a weight.
    pub n_features: [usize; 2],
    /// The code of the units that names are split into; 0, whole characters, in older models.
    #[serde(default)]
    pub units: u8,
}

/// The header of a names model. Its measure is the mean reciprocal rank on held-out pairs.
pub type NamesAbout = About<NamesDetails>;

/// A names model.
#[derive(Clone, Debug)]
pub struct NamesModel {
    about: NamesAbout,
    machine: NameMachine,
    platt: Platt,
    resources: Resources,
}

/// Candidates, prepared once for many queries to one model.
#[derive(Clone, Debug)]
pub struct NameCandidates {
    names: Vec<String>,
    prepared: PreparedNames,
}

impl NameCandidates {
    /// Prepares names; duplicates are kept.
    pub fn new(model: &NamesModel, names: Vec<String>) -> Self {
        let prepared = PreparedNames::new(&model.machine, &names);
        Self { names, prepared }
    }

    /// The names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl NamesModel {
    /// A trained model. Weights are rounded to 32 bits and zero weights dropped. The number of
    /// features is filled in here.
    pub fn new(mut about: NamesAbout, machine: &NameMachine, platt: Platt, resources: &Resources) -> Result<Self> {
        about.details.n_features[0] = machine.features().keys().len();
        let machine = machine.compact()?;
        about.details.n_features[1] = machine.features().keys().len();
        about.details.templates = machine.features().templates().bits();
        about.details.units = machine.alphabets()[1].units().code();
        about.details.scale = machine.scale().name().to_owned();
        Ok(Self { about, machine, platt, resources: resources.clone() })
    }

    /// The header and details.
    pub fn about(&self) -> &NamesAbout {
        &self.about
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// Alphabets, features and weights.
    pub fn machine(&self) -> &NameMachine {
        &self.machine
    }

    /// The decision for a score.
    pub fn decide(&self, score: f64) -> Decision {
        Decision { score, probability: self.platt.probability(score), label: score > 0.0 }
    }

    /// The `top` best candidates for a name.
    pub fn rank(&self, query: &str, candidates: &NameCandidates, top: usize) -> Result<Best> {
        candidates.prepared.rank(&self.machine, query, top, &mut RankScratch::default())
    }

    /// The best candidates for many names, computed in parallel, in the order of the queries.
    pub fn rank_all<S: AsRef<str> + Sync>(
        &self,
        queries: &[S],
        candidates: &NameCandidates,
        top: usize,
        progress: Progress<'_>,
    ) -> Result<Vec<Best>> {
        let run = || candidates.prepared.rank_all(&self.machine, queries, top, progress);
        self.resources.threads().run(run)?
    }

    /// Serialises the model. `characters`: the alphabets of both sides. `weights`, and after
    /// two-stage learning `inference`: delta-coded keys with their weights.
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
            // The bias, number 0, has the largest key and is written first, without its key.
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

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        expect_kind(name, bytes, ModelKind::Names)?;
        let container = Container::<NamesAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let has_inference = about.header.learner == "two-stage";
        let expected = if has_inference { 4 } else { 3 };
        if container.n_sections() != expected {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {expected}: the model is damaged")));
        }
        let damaged = |what: String| Error::file(name, format!("{what}: the model is damaged"));
        let mut head = SectionReader::new(name, "head", container.section(name, "head")?);
        let platt = Platt { slope: head.real()?, intercept: head.real()? };
        head.end()?;
        if platt.slope < 0.0 {
            return head.fail("probabilities that fall as the score rises");
        }
        let units = NameUnits::CODES.iter().find(|(code, _)| *code == about.details.units);
        let Some(&(_, units)) = units else {
            return Err(damaged(format!("units {}, expected 0 or 1", about.details.units)));
        };
        let mut reader = SectionReader::new(name, "characters", container.section(name, "characters")?);
        let mut alphabets = [Alphabet::default(), Alphabet::default()];
        for alphabet in &mut alphabets {
            let Some(read) = Alphabet::new(reader.string()?.chars()) else {
                return reader.fail("a character that stands twice, or too many of them");
            };
            *alphabet = read.with_units(units);
        }
        reader.end()?;
        let templates = Templates::from_bits(about.details.templates)
            .ok_or_else(|| damaged(format!("templates {}, expected a set of known ones", about.details.templates)))?;
        let scale = Scale::NAMES.iter().find(|(known, _)| *known == about.details.scale);
        let Some(&(_, scale)) = scale else {
            return Err(damaged(format!("a scale '{}', expected one, sum, longer or root", about.details.scale)));
        };
        let read = |section: &str| -> Result<(NameFeatures, Vec<f64>)> {
            let mut reader = SectionReader::new(name, section, container.section(name, section)?);
            let mut features = NameFeatures::new(templates);
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
        Ok(Self { about, machine, platt, resources: resources.clone() })
    }
}

/// The per-thread state of scoring.
struct NamesScorer<'a> {
    model: &'a NamesModel,
    scratch: MachineScratch,
}

impl PairScorer for NamesScorer<'_> {
    fn score(&mut self, pairs: &[PairView<'_>], progress: Progress<'_>) -> Vec<Result<Prediction>> {
        let machine = &self.model.machine;
        let score = |pair: &PairView<'_>| {
            progress.check()?;
            let [source, target] = pair.texts().map(|text| text.text());
            let views = [machine.views(0, source), machine.views(1, target)];
            Ok(self.model.decide(machine.score(&views[0], &views[1], &mut self.scratch)?).into())
        };
        pairs.iter().map(score).collect()
    }

    /// Every part of the best alignment has its byte spans in the names.
    fn explain(&mut self, pair: &PairView<'_>, asked: AskedClass, _top: usize) -> Result<Explained> {
        let [source, target] = pair.texts().map(|text| text.text());
        let explanation = self.model.machine.explain(source, target, &mut self.scratch)?;
        let heads = [explanation.value];
        let combination = AnswerCalibration::Binary(self.model.platt).asked(asked, &heads)?;
        let explanation = explanation.scaled(combination.factors[0]);
        let prediction = self.model.decide(heads[0]).into();
        Ok(Explained { prediction, explanation: combination.complete(explanation, &heads), symbols: None })
    }
}

impl PairModel for NamesModel {
    fn to_bytes(&self) -> Result<Vec<u8>> {
        Self::to_bytes(self)
    }

    fn header(&self) -> &Header {
        &self.about.header
    }

    fn resources(&self) -> &Resources {
        &self.resources
    }

    fn details(&self) -> PairDetails<'_> {
        PairDetails::Names(&self.about.details)
    }

    /// Names are compared character by character.
    fn needs(&self) -> Needs {
        Needs::TEXT
    }

    fn scorer(&self) -> Box<dyn PairScorer + '_> {
        Box::new(NamesScorer { model: self, scratch: MachineScratch::default() })
    }

    fn weights(&self, _head: usize) -> Vec<Weight> {
        let weighted = (0..).zip(self.machine.weights());
        let named = weighted
            .filter_map(|(number, weight)| Some(Weight::of(What::NameFeature(self.machine.feature(number)?), *weight)));
        let mut weights: Vec<Weight> = named.collect();
        Weight::heaviest_first(&mut weights);
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Names;
    use crate::latent::names::NamesSettings;
    use crate::train::names::{NamesChoice, NamesOptions, train_names};
    use serde_json::Value;

    const PAIRS: &str = "hana\t하나\nsora\t소라\nmina\t미나\nnara\t나라\nsona\t소나\nhara\t하라\n\
        misa\t미사\nnaho\t나호\n";

    fn trained(units: NameUnits) -> NamesModel {
        let names = Names::from_reader("names.tsv", PAIRS.as_bytes()).unwrap();
        let settings = NamesSettings { units, share: 1.0, ..NamesSettings::default() };
        let choice = NamesChoice::Folds(2);
        let options = NamesOptions { settings, choice, costs: vec![1.0], ..NamesOptions::default() };
        train_names(&names, &options, &Resources::bundled(), Progress::none(), &mut |_| Ok(())).unwrap()
    }

    /// The file of a model, with a change of its header.
    fn changed(model: &NamesModel, change: impl Fn(&mut serde_json::Map<String, Value>)) -> Vec<u8> {
        let good = Container::<Value>::unpack("m.resay", &model.to_bytes().unwrap()).unwrap();
        let mut about = good.about.clone();
        change(about.as_object_mut().unwrap());
        let mut container = Container::new(about);
        for section in ["head", "characters", "weights"] {
            container.push(section, good.section("m.resay", section).unwrap().to_vec());
        }
        container.pack().unwrap()
    }

    #[test]
    fn files_from_before_units_score_as_they_did() {
        let whole = trained(NameUnits::Characters);
        let old = changed(&whole, |about| assert_eq!(about.remove("units"), Some(0.into())));
        let opened = NamesModel::from_bytes("old.resay", &old, &Resources::bundled()).unwrap();
        assert_eq!((opened.machine(), opened.about()), (whole.machine(), whole.about()));
        let score = |model: &dyn PairModel, source: &str, target: &str| {
            model.predict_one(source, target).unwrap().decision().unwrap().score.to_bits()
        };
        let parts = trained(NameUnits::Parts);
        for (source, target) in [("hana", "하나"), ("misora", "미소라"), ("nara", "하나"), ("x", "한")] {
            assert_eq!(score(&opened, source, target), score(&whole, source, target), "{source} {target}");
            assert_ne!(score(&opened, source, target), score(&parts, source, target), "{source} {target}");
        }
        // Each syllable is one character, as it was then.
        assert_eq!((opened.machine().views(1, "하나").len(), parts.machine().views(1, "하나").len()), (2, 4));
    }

    #[test]
    fn unknown_units_are_refused() {
        let bytes = changed(&trained(NameUnits::Parts), |about| _ = about.insert("units".to_owned(), 7.into()));
        let error = NamesModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap_err().to_string();
        assert!(error.contains("units 7, expected 0 or 1: the model is damaged"), "{error}");
    }
}
