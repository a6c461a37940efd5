//! A trained classifier of name pairs.
//!
//! ```text
//! score = bias + scale(lengths) × max over maps of the sum of its parts' scores
//! ```
//!
//! A two-stage machine aligns with separate inference weights: the alignment is fixed before the
//! decision is made.

use super::Scale;
use super::alphabet::{Alphabet, places};
use super::features::{BIAS_KEY, Key, NameFeatures, Views};
use super::problem::{NamePart, NameScratch, best_map, part};
use crate::explain::{Explanation, Place, What};
use crate::id::NameFeature;
use crate::{Error, Result};
use resay_learn::matching::monotone::best_score;

/// The largest weight accepted, so that sums of many weights cannot overflow.
pub const MAX_WEIGHT: f64 = 1e12;

/// Alphabets, features and weights.
#[derive(Clone, Debug, PartialEq)]
pub struct NameMachine {
    alphabets: [Alphabet; 2],
    features: NameFeatures,
    scale: Scale,
    weights: Vec<f64>,
    /// Separate weights for choosing the alignment, if any.
    inference: Option<Vec<f64>>,
}

/// Scratch space for scoring, kept by the caller.
#[derive(Debug, Default)]
pub struct MachineScratch {
    map: NameScratch,
    cells: Vec<f64>,
    deletions: [Vec<f64>; 2],
    values: Vec<f64>,
}

impl NameMachine {
    /// A machine with one weight per feature.
    pub fn new(
        alphabets: [Alphabet; 2],
        features: NameFeatures,
        scale: Scale,
        weights: Vec<f64>,
        inference: Option<Vec<f64>>,
    ) -> Result<Self> {
        for weights in std::iter::once(&weights).chain(&inference) {
            if weights.len() != features.keys().len() {
                let (found, expected) = (weights.len(), features.keys().len());
                return Err(Error::parameter(format!("{found} weights for {expected} features, expected one each")));
            }
            if let Some(weight) = weights.iter().find(|weight| weight.is_nan() || weight.abs() > MAX_WEIGHT) {
                return Err(Error::parameter(format!("a weight of {weight}, expected at most {MAX_WEIGHT:e}")));
            }
        }
        Ok(Self { alphabets, features, scale, weights, inference })
    }

    /// The same machine with weights rounded to 32 bits and features of zero weight removed,
    /// ordered by key.
    pub fn compact(&self) -> Result<Self> {
        let short = |weights: &[f64], number: usize| f64::from(weights[number] as f32);
        let mut kept: Vec<(Key, f64, f64)> = self
            .features
            .keys()
            .iter()
            .enumerate()
            .map(|(at, key)| (*key, short(&self.weights, at), self.inference().map_or(0.0, |by| short(by, at))))
            .filter(|(key, weight, by)| *key == BIAS_KEY || *weight != 0.0 || *by != 0.0)
            .collect();
        kept.sort_unstable_by_key(|(key, ..)| (*key != BIAS_KEY, *key));
        let mut features = NameFeatures::new(self.features.templates());
        kept.iter().for_each(|(key, ..)| _ = features.add(*key));
        let weights = kept.iter().map(|(_, weight, _)| *weight).collect();
        let inference = self.inference.as_ref().map(|_| kept.iter().map(|(.., by)| *by).collect());
        Self::new(self.alphabets.clone(), features, self.scale, weights, inference)
    }

    /// The alphabets of both sides.
    pub fn alphabets(&self) -> &[Alphabet; 2] {
        &self.alphabets
    }

    /// The weighted features.
    pub fn features(&self) -> &NameFeatures {
        &self.features
    }

    /// The normalisation of feature sums.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The weights, one per feature.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Separate weights for choosing the alignment, if any.
    pub fn inference(&self) -> Option<&[f64]> {
        self.inference.as_deref()
    }

    /// The bias.
    pub fn bias(&self) -> f64 {
        self.features.number(BIAS_KEY).map_or(0.0, |number| self.weights[number as usize])
    }

    /// The views of a name's characters; `side` is 0 for the source.
    pub fn views(&self, side: usize, name: &str) -> Vec<Views> {
        self.alphabets[side].spell(name).iter().map(Views::new).collect()
    }

    /// The score of two names.
    pub fn score(&self, source: &[Views], target: &[Views], scratch: &mut MachineScratch) -> Result<f64> {
        if self.inference.is_some() {
            let parts = self.parts(source, target, scratch)?;
            return Ok(self.whole(parts.iter().map(|part| part.1).sum(), source.len(), target.len()));
        }
        let MachineScratch { cells, deletions: [of_source, of_target], values, .. } = scratch;
        cells.clear();
        for b in target {
            cells.extend(source.iter().map(|a| self.features.map(a, b, &self.weights)));
        }
        self.deletions(0, source, of_source);
        self.deletions(1, target, of_target);
        let n_source = source.len();
        let best = best_score(|j, i| cells[j * n_source + i], of_target, of_source, values);
        Ok(self.whole(best, source.len(), target.len()))
    }

    /// The score of deleting each character.
    pub(super) fn deletions(&self, side: usize, views: &[Views], out: &mut Vec<f64>) {
        out.clear();
        out.extend(views.iter().map(|views| self.features.deletion(side, views, &self.weights)));
    }

    /// The score of a pair from the sum over the parts of its alignment.
    pub(super) fn whole(&self, sum: f64, n_source: usize, n_target: usize) -> f64 {
        self.bias() + self.scale.of(n_source, n_target) * sum
    }

    /// The parts of the best alignment, each with its score before scaling.
    pub fn parts(
        &self,
        source: &[Views],
        target: &[Views],
        scratch: &mut MachineScratch,
    ) -> Result<Vec<(NamePart, f64)>> {
        let by = self.inference.as_ref().unwrap_or(&self.weights);
        let best = best_map(&self.features, source, target, by, &mut scratch.map)?;
        let scored = |&number: &u32| {
            let part = part(number, source.len(), target.len());
            let score = match part {
                NamePart::Map(i, j) => self.features.map(&source[i], &target[j], &self.weights),
                NamePart::Source(i) => self.features.deletion(0, &source[i], &self.weights),
                NamePart::Target(j) => self.features.deletion(1, &target[j], &self.weights),
            };
            (part, score)
        };
        Ok(best.active.iter().map(scored).collect())
    }

    /// Explains a score: the bias, and every part of the best alignment with its features.
    pub fn explain(&self, source: &str, target: &str, scratch: &mut MachineScratch) -> Result<Explanation> {
        let views = [self.views(0, source), self.views(1, target)];
        let spans = [places(source, self.alphabets[0].units()), places(target, self.alphabets[1].units())];
        let scale = self.scale.of(views[0].len(), views[1].len());
        let mut parts = vec![Explanation::leaf(What::Bias, self.bias())];
        for (part, score) in self.parts(&views[0], &views[1], scratch)? {
            let of_source = |i: usize| (source, spans[0][i]);
            let of_target = |j: usize| (target, spans[1][j]);
            let mut numbers = Vec::new();
            let (a, b) = match part {
                NamePart::Map(i, j) => {
                    self.features.of_map(&views[0][i], &views[1][j], |number| numbers.push(number));
                    (Some(of_source(i)), Some(of_target(j)))
                }
                NamePart::Source(i) => {
                    self.features.of_deletion(0, &views[0][i], |number| numbers.push(number));
                    (Some(of_source(i)), None)
                }
                NamePart::Target(j) => {
                    self.features.of_deletion(1, &views[1][j], |number| numbers.push(number));
                    (None, Some(of_target(j)))
                }
            };
            let text = |side: Option<(&str, resay_text::Span)>| {
                side.and_then(|(name, span)| name.get(span.start as usize..span.end as usize)).map(str::to_owned)
            };
            let mut leaves: Vec<Explanation> = numbers
                .iter()
                .filter_map(|&number| {
                    let value = scale * self.weights[number as usize];
                    Some(Explanation::leaf(What::NameFeature(self.feature(number)?), value))
                })
                .collect();
            Explanation::strongest_first(&mut leaves);
            let place = Place {
                source: a.iter().map(|(_, span)| *span).collect(),
                target: b.iter().map(|(_, span)| *span).collect(),
            };
            parts.push(Explanation {
                what: What::Phrase { source: text(a), target: text(b) },
                value: scale * score,
                places: vec![place],
                parts: leaves,
            });
        }
        Explanation::strongest_first(&mut parts);
        let value = self.score(&views[0], &views[1], scratch)?;
        Ok(Explanation { parts, ..Explanation::leaf(What::Score, value) })
    }

    /// The feature with this number.
    pub fn feature(&self, number: u32) -> Option<NameFeature> {
        self.features.keys().get(number as usize).map(|&key| super::features::resolve(key, &self.alphabets))
    }
}
