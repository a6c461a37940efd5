//! Where the next word is aligned, given where the last one was. These are features of steps and
//! not of words, so the lattice uses them: see [`Distortion::scores`].

use super::FeatureTemplate;
use crate::id::align::each;
use crate::id::{AlignFeature, Jump};
use resay_learn::sequence::semi_markov::{LatticeShape, Transitions};

pub(in super::super) struct Distortion;

/// The largest step, in either direction, that has a feature of its own.
const REACH: i64 = Jump::REACH as i64;
const N_STEPS: usize = 2 * REACH as usize + 3;
const STEPS: usize = 5;
const SHARE: usize = STEPS + N_STEPS;

/// Returns the feature of a step from the last word of a span to the first word of the next.
fn step(jump: i64) -> usize {
    STEPS + (jump.clamp(-REACH - 1, REACH + 1) + REACH + 1) as usize
}

/// Returns every jump of a shape, in the order of the lattice.
fn jumps(shape: &LatticeShape) -> impl Iterator<Item = i64> {
    let n_target = shape.n_target() as i64;
    (0..shape.n_jumps() as i64).map(move |number| number + 1 - n_target)
}

impl FeatureTemplate for Distortion {
    fn name(&self) -> &'static str {
        "distortion"
    }

    fn what(&self) -> &'static str {
        "where a word goes, given where the last one went"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = vec![
            AlignFeature::StartsAlone,
            AlignFeature::StartsLinked,
            AlignFeature::AloneAfterAlone,
            AlignFeature::LinkedAfterAlone,
            AlignFeature::AloneAfterLinked,
        ];
        features.extend(each(AlignFeature::Step));
        features.push(AlignFeature::StepShare);
        features
    }
}

fn share(jump: i64, shape: &LatticeShape) -> f64 {
    (jump - 1).abs() as f64 / shape.n_target() as f64
}

impl Distortion {
    /// Returns the scores of a shape's transitions; `weights` are those of this template.
    pub(in super::super) fn scores(weights: &[f64], shape: &LatticeShape) -> Transitions {
        Transitions {
            start_null: weights[0],
            start_aligned: weights[1],
            null_null: weights[2],
            null_aligned: weights[3],
            aligned_null: weights[4],
            jumps: jumps(shape).map(|jump| weights[step(jump)] + weights[SHARE] * share(jump, shape)).collect(),
        }
    }

    /// Adds the expected transitions, times `factor`, to the expectations of this template's
    /// features.
    pub(in super::super) fn add(expected: &Transitions, shape: &LatticeShape, factor: f64, features: &mut [f64]) {
        let plain = [
            expected.start_null,
            expected.start_aligned,
            expected.null_null,
            expected.null_aligned,
            expected.aligned_null,
        ];
        features.iter_mut().zip(plain).for_each(|(feature, plain)| *feature += factor * plain);
        for (jump, value) in jumps(shape).zip(&expected.jumps) {
            features[step(jump)] += factor * value;
            features[SHARE] += factor * value * share(jump, shape);
        }
    }
}
