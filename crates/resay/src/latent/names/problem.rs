//! Pairs of names as examples with hidden structure: which character stands for which.

use super::features::{NameFeatures, Views};
use super::{Pairing, Scale};
use crate::Result;
use crate::latent::{LatentProblem, Sparse};
use resay_learn::matching::{Choice, Monotone, Space};

/// Names of both sides and which of them are paired.
#[derive(Debug)]
pub struct NameProblem<'a> {
    /// Names of the source and of the target, as the views of their characters.
    pub names: [&'a [Vec<Views>]; 2],
    /// The examples: true pairs and others.
    pub pairings: &'a [Pairing],
    /// The features that have numbers.
    pub features: &'a NameFeatures,
    /// What Φ is divided by.
    pub scale: Scale,
}

/// The scores of parts, and what the solver needs.
#[derive(Debug, Default)]
pub struct NameScratch {
    scores: Vec<f64>,
    values: Vec<f64>,
}

/// The best map of two names under these weights, and its score before it is scaled and without the constant.
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

/// What a part of a map is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamePart {
    /// A character of the source stands for one of the target.
    Map(usize, usize),
    /// A character of the source stands for nothing.
    Source(usize),
    /// A character of the target stands for nothing.
    Target(usize),
}

/// The part of this number.
pub(super) fn part(number: u32, n_source: usize, n_target: usize) -> NamePart {
    let number = number as usize;
    let n_maps = n_source * n_target;
    match number.checked_sub(n_maps) {
        None => NamePart::Map(number / n_target, number % n_target),
        Some(deletion) if deletion < n_source => NamePart::Source(deletion),
        Some(deletion) => NamePart::Target(deletion - n_source),
    }
}

/// Φ of a map: how often each feature occurs, scaled, and the constant.
pub(super) fn vector(
    features: &NameFeatures,
    source: &[Views],
    target: &[Views],
    active: &[u32],
    scale: f64,
) -> Sparse {
    let mut numbers = Vec::with_capacity(8 * active.len());
    for &number in active {
        match part(number, source.len(), target.len()) {
            NamePart::Map(i, j) => features.of_map(&source[i], &target[j], |number| numbers.push(number)),
            NamePart::Source(i) => features.of_deletion(0, &source[i], |number| numbers.push(number)),
            NamePart::Target(j) => features.of_deletion(1, &target[j], |number| numbers.push(number)),
        }
    }
    numbers.sort_unstable();
    let counted = numbers.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64 * scale));
    // The constant is number 0.
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
        best_map(self.features, source, target, weights, scratch)
    }

    fn features(&self, example: usize, active: &[u32]) -> Sparse {
        let [source, target] = self.sides(example);
        vector(self.features, source, target, active, self.scale.of(source.len(), target.len()))
    }
}
