//! Training examples from true pairs: numbers characters and names, draws negative pairs and
//! numbers the features of the true pairs.

use super::alphabet::{Alphabet, characters};
use super::features::{NameFeatures, Templates, Views};
use super::machine::NameMachine;
use super::numbers::{MAX_PARTS, PartNumbers};
use super::problem::NameProblem;
use super::{NameUnits, Pairing, Scale, begin, negatives};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use rustc_hash::FxHashMap;

/// Which features are used, and how negative pairs are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamesSettings {
    /// What names are compared by.
    pub units: NameUnits,
    /// The feature templates of maps and deletions.
    pub templates: Templates,
    /// The normalisation of feature sums.
    pub scale: Scale,
    /// The share of all wrong pairings to draw.
    pub share: f64,
    /// The maximum number of negative pairs per true pair.
    pub most: usize,
    /// The maximum number of negative pairs in total.
    pub limit: usize,
    /// The seed for drawing negative pairs.
    pub seed: u64,
}

impl Default for NamesSettings {
    /// Templates, scale and counts that did best in cross-validation on 250 English and Hebrew
    /// names. The share is the paper's.
    fn default() -> Self {
        Self {
            units: NameUnits::default(),
            templates: Templates::default(),
            scale: Scale::Longer,
            share: 0.1,
            most: 25,
            limit: 250_000,
            seed: 1,
        }
    }
}

/// How the first alignments are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begin {
    /// By character associations estimated from the true pairs.
    #[default]
    Association,
    /// By a table of Latin and Hebrew letters, as in the paper.
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

/// Names, pairings and numbered features.
#[derive(Clone, Debug)]
pub struct Examples {
    alphabets: [Alphabet; 2],
    /// The distinct names of each side.
    names: [Vec<Vec<Views>>; 2],
    /// The characters of the distinct names.
    spelled: [Vec<Vec<u16>>; 2],
    /// For each distinct name, the first pair that contains it.
    first: [Vec<u32>; 2],
    pairings: Vec<Pairing>,
    features: NameFeatures,
    scale: Scale,
    numbers: PartNumbers,
}

impl Examples {
    /// Builds examples from true pairs. At least two must differ, or no negative pair can be drawn.
    pub fn new<S: AsRef<str>>(pairs: &[(S, S)], settings: &NamesSettings, progress: Progress<'_>) -> Result<Self> {
        let mut alphabets = [(); 2].map(|()| Alphabet::default().with_units(settings.units));
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
        let numbers = PartNumbers::default();
        Ok(Self { alphabets, names, spelled, first, pairings, features, scale: settings.scale, numbers })
    }

    /// The same examples with the features of all pairings looked up, for learning from them more
    /// than once.
    pub fn looked_up(self, progress: Progress<'_>) -> Result<Self> {
        self.looked_up_to(MAX_PARTS, progress)
    }

    /// The same, for the first pairings that have at most `most` parts together.
    pub(super) fn looked_up_to(self, most: usize, progress: Progress<'_>) -> Result<Self> {
        let numbers = PartNumbers::new(&self.features, &self.names, &self.pairings, most, progress)?;
        Ok(Self { numbers, ..self })
    }

    /// The true pairs, followed by the negative pairs.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The spellings of a pairing and whether it is a true pair. `pairs` are those passed to
    /// [`Self::new`].
    pub fn pairing<'a, S: AsRef<str>>(&self, number: usize, pairs: &'a [(S, S)]) -> (&'a str, &'a str, bool) {
        let pairing = &self.pairings[number];
        let source = &pairs[self.first[0][pairing.source as usize] as usize].0;
        let target = &pairs[self.first[1][pairing.target as usize] as usize].1;
        (source.as_ref(), target.as_ref(), pairing.is_true)
    }

    /// The number of negative pairs.
    pub fn n_wrong(&self) -> usize {
        self.pairings.iter().filter(|pairing| !pairing.is_true).count()
    }

    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.features.keys().len()
    }

    /// Weights for the first alignments.
    pub fn begin(&self, begin: Begin, progress: Progress<'_>) -> Result<Vec<f64>> {
        match begin {
            Begin::Romanisation if !begin::is_latin_to_hebrew(&self.alphabets[0], &self.alphabets[1]) => {
                Err(Error::parameter(
                    "the romanisation table is for names in Latin letters on the left and Hebrew ones on the right; \
                     for other scripts begin by association",
                ))
            }
            Begin::Romanisation => Ok(begin::romanisation(&self.features, &self.alphabets[0], &self.alphabets[1])),
            // Without a score per deletion, deleting everything would beat a map of any likelihood.
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

    /// The learning problem.
    pub fn problem(&self) -> NameProblem<'_> {
        NameProblem {
            names: [&self.names[0], &self.names[1]],
            pairings: &self.pairings,
            features: &self.features,
            scale: self.scale,
            numbers: &self.numbers,
        }
    }

    /// The machine with the learned weights and, after two-stage learning, separate inference
    /// weights.
    pub fn machine(&self, weights: &[f64], inference: Option<&[f64]>) -> Result<NameMachine> {
        let parts = (self.alphabets.clone(), self.features.clone());
        NameMachine::new(parts.0, parts.1, self.scale, weights.to_vec(), inference.map(<[f64]>::to_vec))
    }
}
