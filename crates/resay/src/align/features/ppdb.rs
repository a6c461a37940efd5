//! Words that the paraphrase database has as a pair.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};
use crate::lexicon::Relation;

pub(super) struct Paraphrases;

impl Piece for Paraphrases {
    fn name(&self) -> &'static str {
        "ppdb"
    }

    fn what(&self) -> &'static str {
        "pairs of the paraphrase database"
    }

    fn features(&self) -> Vec<String> {
        super::grid(&[&["paraphrase"], &["other tag", "same tag"], &GATES])
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.relations.contains(Relation::Ppdb) && cell.level != Level::Lemma {
            let same = usize::from(pair.source.words[source].tag == pair.target.words[target].tag);
            out.flag(4 * same + cell.gate);
        }
    }
}
