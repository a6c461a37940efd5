//! What WordNet says of two words.

use super::{Out, Piece};
use crate::align::compared::{Compared, Level};
use crate::lexicon::Relation;

pub(super) struct WordNetRelations;

const TYPES: [Relation; 11] = [
    Relation::Synonym,
    Relation::Antonym,
    Relation::Hypernym,
    Relation::Hyponym,
    Relation::Entailment,
    Relation::Cause,
    Relation::Holonym,
    Relation::Meronym,
    Relation::SimilarTo,
    Relation::Derivation,
    Relation::Synonym1,
];

impl Piece for WordNetRelations {
    fn name(&self) -> &'static str {
        "wordnet"
    }

    fn what(&self) -> &'static str {
        "synonyms, hypernyms, parts, opposites and the like"
    }

    fn features(&self) -> Vec<String> {
        let names: Vec<&str> = TYPES.iter().filter_map(|relation| relation.name()).collect();
        super::grid(&[&names, &["other tag", "same tag"]])
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.relations.is_empty() || cell.level == Level::Lemma {
            return;
        }
        let same = usize::from(pair.source.words[source].tag == pair.target.words[target].tag);
        for (number, relation) in TYPES.into_iter().enumerate() {
            if cell.relations.contains(relation) {
                out.flag(2 * number + same);
            }
        }
    }
}
