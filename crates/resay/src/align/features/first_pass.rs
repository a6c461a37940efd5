//! What the first pass thinks of a link and of the links around it. Like the steps of
//! [`super::Distortion`], these features need more than two words: they have functions of their own.

use super::order::order;
use super::{FeatureTemplate, Out, Stretch};
use crate::align::MAX_LONGEST;
use crate::align::compared::WordMatrix;
use crate::align::first::{FirstPass, likelihood};
use crate::id::align::{each, each2, each3, each4};
use crate::id::{AlignFeature, Argument, Level, OrderKept, ProbabilityOver};
use resay_text::Layers;

pub(in crate::align) struct FirstPassFeatures;

/// As in [`ProbabilityOver`].
const OVER: [f32; 9] = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95];
/// Log-odds are cut off here.
const MOST: f32 = 6.0;

const STEP: usize = 12;
const DIRECTIONS: usize = STEP + OVER.len() * 4;
const RIVALS: usize = DIRECTIONS + 9 * 3;
const NEIGHBOURS: usize = RIVALS + 9 * 12;
const BESIDE: usize = NEIGHBOURS + 9 * 12;
const CONTENT: usize = BESIDE + 9 * 12;
const ORDER: usize = CONTENT + 9 * 12;
const ALONE_LOGIT: usize = ORDER + 2 * OrderKept::ALL.len() * 8;
const ALONE: usize = ALONE_LOGIT + 3;
const ALONE_NEIGHBOURS: usize = ALONE + OVER.len() * 3;
const INSIDE: usize = ALONE_NEIGHBOURS + 9 * 3;
const OUTSIDE: usize = INSIDE + OVER.len() * 9;

impl FeatureTemplate for FirstPassFeatures {
    fn name(&self) -> &'static str {
        "first-pass"
    }

    fn what(&self) -> &'static str {
        "confidences of a first pass: of the link, of its rivals and of the links around it"
    }

    fn layers(&self) -> Layers {
        Layers::LEMMAS
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each2(AlignFeature::FirstLogit);
        features.extend(each2(AlignFeature::FirstOver));
        features.extend(each3(AlignFeature::FirstDirections));
        features.extend(each4(AlignFeature::FirstRivals));
        features.extend(each4(AlignFeature::FirstNeighbours));
        features.extend(each4(AlignFeature::FirstBeside));
        features.extend(each4(AlignFeature::FirstContent));
        features.extend(each4(AlignFeature::FirstOrder));
        features.extend(each(AlignFeature::FirstAloneLogit));
        features.extend(each2(AlignFeature::FirstAlone));
        features.extend(each3(AlignFeature::FirstAloneNeighbours));
        features.extend(each3(AlignFeature::FirstInside));
        features.extend(each3(AlignFeature::FirstOutside));
        debug_assert_eq!(OVER.len(), ProbabilityOver::ALL.len());
        debug_assert_eq!(features.len(), OUTSIDE + 27);
        features
    }
}

/// Returns the log-odds of a probability, cut off.
fn logit(probability: f32) -> f32 {
    (probability / (1.0 - probability)).ln().clamp(-MOST, MOST)
}

/// Returns the number of two likelihoods.
fn two(a: f32, b: f32) -> usize {
    3 * likelihood(a) as usize + likelihood(b) as usize
}

/// Returns the number of thresholds that a probability exceeds.
fn n_over(probability: f32) -> usize {
    OVER.partition_point(|over| probability > *over)
}

impl FirstPassFeatures {
    /// Extracts the features of two words.
    pub(super) fn of_words(first: &FirstPass, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (level, class) = (cell.level.coarse() as usize, cell.word_class_pair as usize);
        let column = 4 * level + class;
        let link = first.link(source, target);
        out.value(column, logit(link));
        for over in 0..n_over(link) {
            out.flag(STEP + 4 * over + class);
        }
        let [forward, backward] = first.both(source, target);
        out.flag(DIRECTIONS + 3 * two(forward, backward) + level);
        let [of_source, of_target] = first.rivals(source, target);
        out.flag(RIVALS + 12 * two(of_source, of_target) + column);
        let (before, after) = (source.checked_sub(1), Some(source + 1));
        let (left, right) = (target.checked_sub(1), Some(target + 1));
        out.flag(NEIGHBOURS + 12 * two(first.link_at(before, left), first.link_at(after, right)) + column);
        let along = |a: f32, b: f32| a.max(b);
        let of_source = along(first.link_at(Some(source), left), first.link_at(Some(source), right));
        let of_target = along(first.link_at(before, Some(target)), first.link_at(after, Some(target)));
        out.flag(BESIDE + 12 * two(of_source, of_target) + column);
        let [left, right] = first.content(source, target);
        out.flag(CONTENT + 12 * two(left, right) + column);
        let column = 4 * usize::from(cell.level >= Level::Lemma) + class;
        for (flank, anchor) in first.around(source).into_iter().enumerate() {
            order((source, target), flank == 0, anchor, |kept| {
                out.flag(ORDER + (flank * OrderKept::ALL.len() + kept as usize) * 8 + column);
            });
        }
    }

    /// Extracts the features of an unaligned word.
    pub(super) fn of_null(first: &FirstPass, pair: &WordMatrix, is_turned: bool, word: usize, out: &mut Out) {
        let side = usize::from(is_turned);
        let kind = if is_turned { &pair.target } else { &pair.source }.words[word].kind as usize;
        let alone = first.alone(side, Some(word));
        out.value(ALONE_LOGIT + kind, logit(alone));
        for over in 0..n_over(alone) {
            out.flag(ALONE + 3 * over + kind);
        }
        let around = two(first.alone(side, word.checked_sub(1)), first.alone(side, Some(word + 1)));
        out.flag(ALONE_NEIGHBOURS + 3 * around + kind);
    }

    /// Extracts the features of a phrase.
    pub(super) fn of_phrase(first: &FirstPass, stretch: Stretch, out: &mut Out) {
        let Stretch { source, n_source, target, n_target } = stretch;
        let size = (n_source.min(3) - 1) * 3 + n_target.min(3) - 1;
        let mut inside = 0.0;
        let mut outside = 0.0_f32;
        let (mut of_source, mut of_target) = ([0.0_f32; MAX_LONGEST], [0.0_f32; MAX_LONGEST]);
        for (i, of_source) in of_source[..n_source].iter_mut().enumerate() {
            for (j, of_target) in of_target[..n_target].iter_mut().enumerate() {
                let link = first.link(source + i, target + j);
                inside += link;
                *of_source = of_source.max(link);
                *of_target = of_target.max(link);
            }
        }
        for (i, inside) in of_source[..n_source].iter().enumerate() {
            let best = first.best(0, source + i);
            outside = outside.max(if best > *inside { best } else { 0.0 });
        }
        for (j, inside) in of_target[..n_target].iter().enumerate() {
            let best = first.best(1, target + j);
            outside = outside.max(if best > *inside { best } else { 0.0 });
        }
        for over in 0..n_over(inside / (n_source.max(n_target)) as f32) {
            out.flag(INSIDE + 9 * over + size);
        }
        out.flag(OUTSIDE + 9 * likelihood(outside) as usize + size);
    }
}
