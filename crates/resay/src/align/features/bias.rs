//! How often words of a kind are linked at all, or left unaligned.

use super::{FeatureTemplate, Out, View};
use crate::align::compared::WordMatrix;
use crate::align::words::N_TAGS;
use crate::id::AlignFeature;
use crate::id::align::{each, each2};

pub(super) struct Bias;

const BEST: usize = 4;
const TAG: usize = BEST + 3 * 6;

impl FeatureTemplate for Bias {
    fn name(&self) -> &'static str {
        "bias"
    }

    fn what(&self) -> &'static str {
        "kinds of words that are linked or left alone, and the best that was at hand"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each(AlignFeature::Link);
        features.extend(each2(AlignFeature::AloneBest));
        features.extend(each(AlignFeature::AloneTag));
        debug_assert_eq!(features.len(), TAG + N_TAGS);
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        out.flag(pair.cell(source, target).word_class_pair as usize);
    }

    fn null(&self, view: &View, word: usize, out: &mut Out) {
        let own = &view.side().words[word];
        let best = view.best()[word];
        out.flag(BEST + own.kind as usize * 6 + best as usize);
        out.flag(TAG + own.tag);
    }
}
