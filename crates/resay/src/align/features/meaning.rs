//! The cosine of two words in the word table, and whether either word has a nearer partner in the
//! other sentence.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::{each2, each3};
use crate::id::{AlignFeature, Level};

pub(super) struct Meaning;

/// As in [`crate::id::CosineOver`].
const STEPS: [f32; 7] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const STEP: usize = 8;
const NEAREST: usize = STEP + 8 * STEPS.len();
/// The features for nearer partners apply from this cosine on.
const NEAR: f32 = 0.2;

impl FeatureTemplate for Meaning {
    fn name(&self) -> &'static str {
        "meaning"
    }

    fn what(&self) -> &'static str {
        "likeness in the word table, and whether either word has a nearer partner there"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each2(AlignFeature::Meaning);
        features.extend(each3(AlignFeature::MeaningStep));
        features.extend(each3(AlignFeature::MeaningNearer));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let Some(cosine) = cell.meaning.filter(|_| cell.level < Level::Lemma) else { return };
        let is_same_tag = pair.source.words[source].tag == pair.target.words[target].tag;
        let column = 4 * usize::from(is_same_tag) + cell.word_class_pair as usize;
        out.value(column, cosine);
        for (step, _) in STEPS.iter().enumerate().filter(|(_, least)| cosine > **least) {
            out.flag(STEP + 8 * step + column);
        }
        if cosine > NEAR {
            let is_nearer = |i: usize, j: usize| pair.cell(i, j).meaning > Some(cosine);
            let source_has = (0..pair.target.len()).any(|j| is_nearer(source, j));
            let target_has = (0..pair.source.len()).any(|i| is_nearer(i, target));
            out.flag(NEAREST + 8 * (usize::from(source_has) + 2 * usize::from(target_has)) + column);
        }
    }
}
