//! Calibrates and measures on examples that were not learned from.

use super::learn::{Fitted, Learning, Row};
use super::{RelationExample, RelationSet};
use crate::id::TextRelation;
use rayon::prelude::*;

/// What was measured on held-out examples.
pub(super) struct Measured {
    pub(super) slope: f64,
    pub(super) interval: [f64; 2],
    pub(super) of_reference: f64,
    pub(super) by_corpus: Vec<(String, usize, f64)>,
}

impl Learning<'_> {
    /// Calibrates and measures on examples that the trees have not seen.
    pub(super) fn measure(&self, fitted: &Fitted, held: &[usize]) -> Measured {
        let scored = |&at: &usize| {
            let row = Row { example: at, is_turned: self.data.examples[at].source > self.data.examples[at].target };
            let example = &self.data.examples[at];
            let allowed = if row.is_turned { example.allowed.reversed() } else { example.allowed };
            let inputs: Vec<f32> = self.inputs_of(row, &fitted.rule_scores).collect();
            (example, allowed, fitted.relations.scores(&inputs), fitted.similarity.scores(&inputs)[0])
        };
        let scored: Vec<_> = held.par_iter().map(scored).collect();
        let mut by_corpus: Vec<(String, usize, f64)> =
            self.data.corpora.iter().map(|(name, _)| (name.clone(), 0, 0.0)).collect();
        let (mut n_reference, mut n_right) = (0_usize, 0_usize);
        for (example, allowed, scores, _) in scored.iter().filter(|one| one.1 != RelationSet::ALL) {
            let best = (0..5).fold(0, |best, at| if scores[at] > scores[best] { at } else { best });
            let is_right = allowed.has(TextRelation::ALL[best]);
            let (_, n, sum) = &mut by_corpus[example.corpus];
            *n += 1;
            *sum += f64::from(u8::from(is_right));
            if self.data.corpora[example.corpus].1 {
                n_reference += 1;
                n_right += usize::from(is_right);
            }
        }
        by_corpus.iter_mut().for_each(|(_, n, sum)| *sum /= (*n).max(1) as f64);
        by_corpus.retain(|(_, n, _)| *n > 0);
        // The slope with the least log loss among those of reference.
        let loss = |slope: f64| {
            let of = |(example, allowed, scores, _): &(&RelationExample, RelationSet, Vec<f64>, f64)| {
                if !self.data.corpora[example.corpus].1 || *allowed == RelationSet::ALL {
                    return 0.0;
                }
                let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mass = |at: usize| (slope * (scores[at] - highest)).exp();
                let open: f64 = (0..5).filter(|at| allowed.has(TextRelation::ALL[*at])).map(mass).sum();
                -(open / (0..5).map(mass).sum::<f64>()).max(1e-12).ln()
            };
            scored.iter().map(of).sum::<f64>()
        };
        let slopes = (4..=40).map(|step| f64::from(step) * 0.05);
        let slope = slopes.fold((1.0, loss(1.0)), |best, slope| {
            let found = loss(slope);
            if found < best.1 { (slope, found) } else { best }
        });
        let mut errors: Vec<f64> =
            scored.iter().filter_map(|one| Some(f64::from(one.0.similarity?) - one.3.clamp(0.0, 1.0))).collect();
        errors.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| errors.get((errors.len() as f64 * share) as usize).copied().unwrap_or(0.0);
        let interval = [(-5.0 * at(0.05)).max(0.0), (5.0 * at(0.95)).max(0.0)];
        Measured { slope: slope.0, interval, of_reference: n_right as f64 / n_reference.max(1) as f64, by_corpus }
    }
}
