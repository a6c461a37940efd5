//! The feature numbers of all parts of a pairing, looked up once.
//!
//! Learning aligns every pairing again and again under new weights, and looking up features by
//! their keys takes most of that time. Most features of a wrong pair have no number, so what is
//! kept is short: one entry per part and numbered feature.

use super::Pairing;
use super::features::{NameFeatures, Views};
use crate::Result;
use rayon::prelude::*;
use resay_learn::progress::Progress;

/// The maximum number of parts of all pairings that are kept, which bounds the memory to about
/// 200 MB. Further pairings are looked up each time.
pub(super) const MAX_PARTS: usize = 1 << 24;

/// For each of the first pairings, its parts and their feature numbers, in the order in which the
/// weights are added.
#[derive(Clone, Debug, Default)]
pub(super) struct PartNumbers(Vec<Box<[(u32, u32)]>>);

impl PartNumbers {
    /// Looks up the features of the first pairings that have at most `most` parts together.
    pub(super) fn new(
        features: &NameFeatures,
        names: &[Vec<Vec<Views>>; 2],
        pairings: &[Pairing],
        most: usize,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let sides =
            |pairing: &Pairing| (&names[0][pairing.source as usize][..], &names[1][pairing.target as usize][..]);
        let mut n_parts = 0_usize;
        let fits = |pairing: &&Pairing| {
            let (source, target) = sides(pairing);
            n_parts = n_parts.saturating_add(source.len() * target.len() + source.len() + target.len());
            n_parts <= most
        };
        let n_kept = pairings.iter().take_while(fits).count();
        let of_one = |pairing: &Pairing| {
            progress.check()?;
            let (source, target) = sides(pairing);
            Ok(look_up(features, source, target))
        };
        pairings[..n_kept].par_iter().map(of_one).collect::<Result<_>>().map(Self)
    }

    /// The number of pairings that were looked up.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The feature numbers of these parts of a pairing, in any order; false if it was not looked up.
    pub(super) fn collect(&self, pairing: usize, parts: &[u32], numbers: &mut Vec<u32>) -> bool {
        let Some(entries) = self.0.get(pairing) else { return false };
        for &part in parts {
            let first = entries.partition_point(|entry| entry.0 < part);
            numbers.extend(entries[first..].iter().take_while(|entry| entry.0 == part).map(|entry| entry.1));
        }
        true
    }

    /// Computes the scores of all parts of a pairing; false if it was not looked up.
    pub(super) fn score(&self, pairing: usize, n_parts: usize, weights: &[f64], scores: &mut Vec<f64>) -> bool {
        let Some(entries) = self.0.get(pairing) else { return false };
        scores.clear();
        scores.resize(n_parts, 0.0);
        for (part, number) in entries {
            scores[*part as usize] += weights[*number as usize];
        }
        true
    }
}

/// The parts of a pair in the order of [`resay_learn::matching::Monotone`], with the numbers of
/// their features.
fn look_up(features: &NameFeatures, source: &[Views], target: &[Views]) -> Box<[(u32, u32)]> {
    let mut entries = Vec::new();
    let mut part = 0;
    for a in source {
        for b in target {
            features.of_map(a, b, |number| entries.push((part, number)));
            part += 1;
        }
    }
    for (side, views) in [source, target].into_iter().enumerate() {
        for views in views {
            features.of_deletion(side, views, |number| entries.push((part, number)));
            part += 1;
        }
    }
    entries.into_boxed_slice()
}
