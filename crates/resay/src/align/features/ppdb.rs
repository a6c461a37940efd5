//! Word pairs of the paraphrase database.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::each2;
use crate::id::{AlignFeature, Level};
use resay_text::lexicon::Relation;

pub(super) struct Paraphrases;

impl FeatureTemplate for Paraphrases {
    fn name(&self) -> &'static str {
        "ppdb"
    }

    fn what(&self) -> &'static str {
        "pairs of the paraphrase database"
    }

    fn features(&self) -> Vec<AlignFeature> {
        each2(AlignFeature::Paraphrase)
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.relations.contains(Relation::Ppdb) && cell.level != Level::Lemma {
            let same = usize::from(pair.source.words[source].tag == pair.target.words[target].tag);
            out.flag(4 * same + cell.word_class_pair as usize);
        }
    }
}
