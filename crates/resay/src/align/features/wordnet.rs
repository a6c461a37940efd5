//! What WordNet says of two words.

use super::{Out, Piece};
use crate::align::compared::{Compared, Level};
use crate::lexicon::{BY_WORDNET, Relation};

pub(super) struct WordNetRelations;

/// WordNet's types, and one that is derived from them.
fn types() -> impl Iterator<Item = Relation> {
    BY_WORDNET.into_iter().chain([Relation::Synonym1])
}

impl Piece for WordNetRelations {
    fn name(&self) -> &'static str {
        "wordnet"
    }

    fn what(&self) -> &'static str {
        "synonyms, hypernyms, parts, opposites and the like"
    }

    fn features(&self) -> Vec<String> {
        let names: Vec<&str> = types().filter_map(Relation::name).collect();
        super::grid(&[&names, &["other tag", "same tag"]])
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.relations.is_empty() || cell.level == Level::Lemma {
            return;
        }
        let same = usize::from(pair.source.words[source].tag == pair.target.words[target].tag);
        for (number, relation) in types().enumerate() {
            if cell.relations.contains(relation) {
                out.flag(2 * number + same);
            }
        }
    }
}
