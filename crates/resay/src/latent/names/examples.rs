//! True pairs made ready to learn from: characters and names numbered, wrong pairs drawn, features of true pairs numbered.

use super::alphabet::{Alphabet, characters};
use super::features::{NameFeatures, Templates, Views};
use super::machine::NameMachine;
use super::problem::NameProblem;
use super::{Pairing, Scale, begin, negatives};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use rustc_hash::FxHashMap;

/// What is looked at, and which wrong pairs are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamesSettings {
    /// What maps and deletions are judged by.
    pub templates: Templates,
    /// What sums are multiplied by.
    pub scale: Scale,
    /// The share of all wrong pairings that is drawn.
    pub share: f64,
    /// Wrong pairs for each true one at most.
    pub most: usize,
    /// Wrong pairs in all at most.
    pub limit: usize,
    /// Of the drawing.
    pub seed: u64,
}

impl Default for NamesSettings {
    /// Templates, scale and numbers as they were best on folds of 250 English and Hebrew names. The share is the paper's.
    fn default() -> Self {
        Self { templates: Templates::default(), scale: Scale::Longer, share: 0.1, most: 25, limit: 250_000, seed: 1 }
    }
}

/// What the first maps are made by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begin {
    /// What true pairs say of which character stands for which.
    #[default]
    Association,
    /// A table of Latin and Hebrew letters, as in the paper.
    Romanisation,
}

impl Begin {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Association => "association",
            Self::Romanisation => "romanisation",
        }
    }
}

/// Names, pairings and features.
#[derive(Clone, Debug)]
pub struct Examples {
    alphabets: [Alphabet; 2],
    /// Distinct names of each side.
    names: [Vec<Vec<Views>>; 2],
    /// The characters of distinct names.
    spelled: [Vec<Vec<u16>>; 2],
    /// For each distinct name, the first pair that has it.
    first: [Vec<u32>; 2],
    pairings: Vec<Pairing>,
    features: NameFeatures,
    scale: Scale,
}

impl Examples {
    /// Examples from true pairs. There must be two different ones, else there is no wrong pair.
    pub fn new<S: AsRef<str>>(pairs: &[(S, S)], settings: &NamesSettings, progress: Progress<'_>) -> Result<Self> {
        let mut alphabets = [Alphabet::default(), Alphabet::default()];
        let mut spelled: [Vec<Vec<u16>>; 2] = Default::default();
        let mut names: [Vec<Vec<Views>>; 2] = Default::default();
        let mut first: [Vec<u32>; 2] = Default::default();
        let mut numbers: [FxHashMap<Vec<char>, u32>; 2] = Default::default();
        let mut numbered = Vec::with_capacity(pairs.len());
        for (source, target) in pairs {
            progress.check()?;
            let mut pair = [0; 2];
            for (side, name) in [source.as_ref(), target.as_ref()].into_iter().enumerate() {
                let next = names[side].len() as u32;
                pair[side] = *numbers[side].entry(characters(name).collect()).or_insert(next);
                if pair[side] == next {
                    first[side].push(numbered.len() as u32);
                    alphabets[side].learn(name);
                    let contexts = alphabets[side].spell(name);
                    spelled[side].push(contexts.iter().map(|context| context.character).collect());
                    names[side].push(contexts.iter().map(Views::new).collect());
                }
            }
            numbered.push((pair[0], pair[1]));
        }
        let pairings = negatives::draw(
            &numbered,
            settings.share,
            settings.most.saturating_mul(numbered.len()).min(settings.limit),
            settings.seed,
            progress,
        )?;
        if pairings.len() == numbered.len() {
            return Err(Error::data(format!(
                "no wrong pair can be drawn from {} true pairs: expected more pairs of different names",
                numbered.len()
            )));
        }
        let mut features = NameFeatures::new(settings.templates);
        for (source, target) in &numbered {
            progress.check()?;
            features.learn(&names[0][*source as usize], &names[1][*target as usize]);
        }
        Ok(Self { alphabets, names, spelled, first, pairings, features, scale: settings.scale })
    }

    /// True pairs first, then the wrong ones that were drawn.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The spellings of a pairing, given the pairs that these examples were made from, and whether it is a true one.
    pub fn pairing<'a, S: AsRef<str>>(&self, number: usize, pairs: &'a [(S, S)]) -> (&'a str, &'a str, bool) {
        let pairing = &self.pairings[number];
        let source = &pairs[self.first[0][pairing.source as usize] as usize].0;
        let target = &pairs[self.first[1][pairing.target as usize] as usize].1;
        (source.as_ref(), target.as_ref(), pairing.is_true)
    }

    /// How many of the pairs are wrong.
    pub fn n_wrong(&self) -> usize {
        self.pairings.iter().filter(|pairing| !pairing.is_true).count()
    }

    /// How many features have a number.
    pub fn n_features(&self) -> usize {
        self.features.keys().len()
    }

    /// Weights for the first maps.
    pub fn begin(&self, begin: Begin, progress: Progress<'_>) -> Result<Vec<f64>> {
        match begin {
            Begin::Romanisation if !begin::is_latin_to_hebrew(&self.alphabets[0], &self.alphabets[1]) => {
                Err(Error::parameter(
                    "the romanisation table is for names in Latin letters on the left and Hebrew ones on the right; \
                     for other scripts begin by association",
                ))
            }
            Begin::Romanisation => Ok(begin::romanisation(&self.features, &self.alphabets[0], &self.alphabets[1])),
            // Without a score for each deletion, a map of any likelihood would weigh less than leaving everything out.
            Begin::Association if !self.features.templates().has_plain() => Err(Error::parameter(
                "to begin by association takes features of single characters, mapped and left out on both sides; \
                 expected them among the templates",
            )),
            Begin::Association => {
                let name = |side: usize, number: u32| &self.spelled[side][number as usize][..];
                let truth = self.pairings.iter().filter(|pairing| pairing.is_true);
                let pairs: Vec<(&[u16], &[u16])> =
                    truth.map(|pairing| (name(0, pairing.source), name(1, pairing.target))).collect();
                begin::association(&self.features, &pairs, progress)
            }
        }
    }

    /// What is to be learned.
    pub fn problem(&self) -> NameProblem<'_> {
        NameProblem {
            names: [&self.names[0], &self.names[1]],
            pairings: &self.pairings,
            features: &self.features,
            scale: self.scale,
        }
    }

    /// The machine of what was learned; with two stages, also of what maps were made by.
    pub fn machine(&self, weights: &[f64], inference: Option<&[f64]>) -> Result<NameMachine> {
        let parts = (self.alphabets.clone(), self.features.clone());
        NameMachine::new(parts.0, parts.1, self.scale, weights.to_vec(), inference.map(<[f64]>::to_vec))
    }
}
