//! Inflected forms of one word.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::each;
use crate::id::{AlignFeature, Level};

pub(super) struct Lemmas;

impl FeatureTemplate for Lemmas {
    fn name(&self) -> &'static str {
        "lemma"
    }

    fn what(&self) -> &'static str {
        "one dictionary form or one stem"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each(AlignFeature::OneLemma);
        features.extend(each(AlignFeature::OneStem));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.level == Level::Same {
            return;
        }
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        if a.lemma == b.lemma {
            out.flag(cell.word_class_pair as usize);
        }
        if a.stem == b.stem {
            out.flag(4 + cell.word_class_pair as usize);
        }
    }
}
