//! Parts of speech: whether they are equal, and which pairs with which.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::align::words::N_TAGS;
use crate::id::align::{each2, each3};
use crate::id::{AlignFeature, Level};

pub(super) struct Tags;

const FINE: usize = 16;
const MAP: usize = FINE + 8;

impl FeatureTemplate for Tags {
    fn name(&self) -> &'static str {
        "pos"
    }

    fn what(&self) -> &'static str {
        "parts of speech: equal or not, and which stands for which"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each3(AlignFeature::Tags);
        features.extend(each2(AlignFeature::SameFineTag));
        features.extend(each3(AlignFeature::TagPair));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        let is_same = usize::from(cell.level >= Level::Lemma);
        let class = cell.word_class_pair as usize;
        out.flag((2 * usize::from(a.tag == b.tag) + is_same) * 4 + class);
        if a.fine == b.fine {
            out.flag(FINE + 4 * is_same + class);
        }
        out.flag(MAP + (is_same * N_TAGS + a.tag) * N_TAGS + b.tag);
    }
}
