//! Words that stand in like company: the cosine of their vectors, where one is among the other's nearest.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};

pub(super) struct Vectors;

impl Piece for Vectors {
    fn name(&self) -> &'static str {
        "vectors"
    }

    fn what(&self) -> &'static str {
        "likeness of word vectors"
    }

    fn features(&self) -> Vec<String> {
        super::grid(&[&["near", "cosine"], &["other tag", "same tag"], &GATES])
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let Some(cosine) = cell.cosine.filter(|_| cell.level < Level::Lemma) else { return };
        let same = usize::from(pair.source.words[source].tag == pair.target.words[target].tag);
        out.flag(4 * same + cell.gate);
        out.value(8 + 4 * same + cell.gate, cosine);
    }
}
