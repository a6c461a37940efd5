//! The positions of two words in their sentences.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::{each2, each3};
use crate::id::{AlignFeature, Level};

pub(super) struct Position;

/// As in [`crate::id::ApartOver`].
const EDGES: [f32; 4] = [0.05, 0.15, 0.3, 0.5];
const LAST: usize = 8 + 8 * 4;

impl FeatureTemplate for Position {
    fn name(&self) -> &'static str {
        "position"
    }

    fn what(&self) -> &'static str {
        "how far apart words stand, as shares of their sentences; both first or both last"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each2(AlignFeature::Apart);
        features.extend(each3(AlignFeature::FurtherApart));
        features.extend([AlignFeature::BothFirst, AlignFeature::BothLast]);
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (n_source, n_target) = (pair.source.len(), pair.target.len());
        let apart = (source as f32 / n_source as f32 - target as f32 / n_target as f32).abs();
        let column = 4 * usize::from(cell.level >= Level::Lemma) + cell.word_class_pair as usize;
        out.value(column, apart);
        for edge in 0..EDGES.iter().filter(|edge| apart > **edge).count() {
            out.flag(8 + 8 * edge + column);
        }
        if source == 0 && target == 0 {
            out.flag(LAST);
        }
        if source + 1 == n_source && target + 1 == n_target {
            out.flag(LAST + 1);
        }
    }
}
