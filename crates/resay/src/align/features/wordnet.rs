//! WordNet relations between two words.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::each2;
use crate::id::{AlignFeature, Argument, Level, WordNetRelation};
use resay_text::lexicon::Relation;

pub(super) struct WordNetRelations;

/// Returns the corresponding relation of the lexicon.
fn in_lexicon(relation: WordNetRelation) -> Relation {
    match relation {
        WordNetRelation::Synonym => Relation::Synonym,
        WordNetRelation::Antonym => Relation::Antonym,
        WordNetRelation::Hypernym => Relation::Hypernym,
        WordNetRelation::Hyponym => Relation::Hyponym,
        WordNetRelation::Entailment => Relation::Entailment,
        WordNetRelation::Cause => Relation::Cause,
        WordNetRelation::Holonym => Relation::Holonym,
        WordNetRelation::Meronym => Relation::Meronym,
        WordNetRelation::SimilarTo => Relation::SimilarTo,
        WordNetRelation::Derivation => Relation::Derivation,
        WordNetRelation::FirstSynonym => Relation::Synonym1,
    }
}

impl FeatureTemplate for WordNetRelations {
    fn name(&self) -> &'static str {
        "wordnet"
    }

    fn what(&self) -> &'static str {
        "synonyms, hypernyms, parts, opposites and the like"
    }

    fn features(&self) -> Vec<AlignFeature> {
        each2(AlignFeature::WordNet)
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.relations.is_empty() || cell.level == Level::Lemma {
            return;
        }
        let same = usize::from(pair.source.words[source].tag == pair.target.words[target].tag);
        for (number, relation) in WordNetRelation::ALL.iter().enumerate() {
            if cell.relations.contains(in_lexicon(*relation)) {
                out.flag(2 * number + same);
            }
        }
    }
}
