//! Pairs of names as examples with a latent character alignment.

use super::features::{NameFeatures, Views};
use super::numbers::PartNumbers;
use super::{Pairing, Scale};
use crate::Result;
use crate::latent::{LatentProblem, Sparse};
use resay_learn::matching::{Choice, Monotone, Space};

/// The names of both sides and their pairings.
#[derive(Debug)]
pub struct NameProblem<'a> {
    /// The source and target names, as the views of their characters.
    pub names: [&'a [Vec<Views>]; 2],
    /// The examples, positive and negative.
    pub pairings: &'a [Pairing],
    /// The numbered features.
    pub features: &'a NameFeatures,
    /// The divisor of Φ.
    pub scale: Scale,
    /// The features of the parts of the examples that were looked up.
    pub(super) numbers: &'a PartNumbers,
}

/// The scores of parts, and the solver's scratch space.
#[derive(Debug, Default)]
pub struct NameScratch {
    scores: Vec<f64>,
    values: Vec<f64>,
}

/// The best alignment of two names under these weights, with its score before scaling and without
/// the bias.
pub(super) fn best_map(
    features: &NameFeatures,
    source: &[Views],
    target: &[Views],
    weights: &[f64],
    scratch: &mut NameScratch,
) -> Result<Choice> {
    let scores = &mut scratch.scores;
    scores.clear();
    for a in source {
        scores.extend(target.iter().map(|b| features.map(a, b, weights)));
    }
    scores.extend(source.iter().map(|a| features.deletion(0, a, weights)));
    scores.extend(target.iter().map(|b| features.deletion(1, b, weights)));
    Monotone::new(source.len(), target.len())?.best(scores, None, &mut scratch.values)
}

/// A part of a character alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamePart {
    /// A source character aligned to a target character.
    Map(usize, usize),
    /// A deleted source character.
    Source(usize),
    /// A deleted target character.
    Target(usize),
}

/// The part with this number.
pub(super) fn part(number: u32, n_source: usize, n_target: usize) -> NamePart {
    let number = number as usize;
    let n_maps = n_source * n_target;
    match number.checked_sub(n_maps) {
        None => NamePart::Map(number / n_target, number % n_target),
        Some(deletion) if deletion < n_source => NamePart::Source(deletion),
        Some(deletion) => NamePart::Target(deletion - n_source),
    }
}

/// Adds the feature numbers of the parts of an alignment.
pub(super) fn look_up(
    features: &NameFeatures,
    source: &[Views],
    target: &[Views],
    active: &[u32],
    numbers: &mut Vec<u32>,
) {
    for &number in active {
        match part(number, source.len(), target.len()) {
            NamePart::Map(i, j) => features.of_map(&source[i], &target[j], |number| numbers.push(number)),
            NamePart::Source(i) => features.of_deletion(0, &source[i], |number| numbers.push(number)),
            NamePart::Target(j) => features.of_deletion(1, &target[j], |number| numbers.push(number)),
        }
    }
}

/// Φ of an alignment with these feature numbers: scaled feature counts and the bias.
pub(super) fn vector(mut numbers: Vec<u32>, scale: f64) -> Sparse {
    numbers.sort_unstable();
    let counted = numbers.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64 * scale));
    // The bias is feature 0.
    std::iter::once((0, 1.0)).chain(counted).collect()
}

impl NameProblem<'_> {
    fn sides(&self, example: usize) -> [&[Views]; 2] {
        let pairing = &self.pairings[example];
        [&self.names[0][pairing.source as usize], &self.names[1][pairing.target as usize]]
    }
}

impl LatentProblem for NameProblem<'_> {
    type Scratch = NameScratch;

    fn n_examples(&self) -> usize {
        self.pairings.len()
    }

    fn n_features(&self) -> usize {
        self.features.keys().len()
    }

    fn is_positive(&self, example: usize) -> bool {
        self.pairings[example].is_true
    }

    fn best(&self, example: usize, weights: &[f64], _: Option<&[u32]>, scratch: &mut NameScratch) -> Result<Choice> {
        let [source, target] = self.sides(example);
        let space = Monotone::new(source.len(), target.len())?;
        if self.numbers.score(example, space.n_parts(), weights, &mut scratch.scores) {
            return space.best(&scratch.scores, None, &mut scratch.values);
        }
        best_map(self.features, source, target, weights, scratch)
    }

    fn features(&self, example: usize, active: &[u32]) -> Sparse {
        let [source, target] = self.sides(example);
        let mut numbers = Vec::with_capacity(8 * active.len());
        if !self.numbers.collect(example, active, &mut numbers) {
            look_up(self.features, source, target, active, &mut numbers);
        }
        vector(numbers, self.scale.of(source.len(), target.len()))
    }
}
