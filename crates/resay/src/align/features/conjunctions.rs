//! One feature per combination of the similarity of two words, the similarity of their neighbours,
//! their kind, tags and rivals. A combination says more than its parts.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::each5;
use crate::id::{AlignFeature, Level};

pub(super) struct Conjunctions;

impl FeatureTemplate for Conjunctions {
    fn name(&self) -> &'static str {
        "conjunctions"
    }

    fn what(&self) -> &'static str {
        "combinations of likeness, neighbours, kind, tags and repetition"
    }

    fn features(&self) -> Vec<AlignFeature> {
        each5(AlignFeature::Conjunction)
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        let is_alike = |level: Option<Level>| usize::from(level >= Some(Level::Synonym));
        let left = is_alike(pair.level_at(source.checked_sub(1), target.checked_sub(1)));
        let right = is_alike(pair.level_at(Some(source + 1), Some(target + 1)));
        let tag = usize::from(a.tag == b.tag);
        let often = usize::from(a.n_same > 1 || b.n_same > 1);
        out.flag(
            (((cell.level as usize * 4 + left + 2 * right) * 2 + tag) * 2 + often) * 4 + cell.word_class_pair as usize,
        );
    }
}
