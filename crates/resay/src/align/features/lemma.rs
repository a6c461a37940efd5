//! Words that are forms of one word.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};

pub(super) struct Lemmas;

impl Piece for Lemmas {
    fn name(&self) -> &'static str {
        "lemma"
    }

    fn what(&self) -> &'static str {
        "one dictionary form or one stem"
    }

    fn features(&self) -> Vec<String> {
        super::grid(&[&["one lemma", "one stem"], &GATES])
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        if cell.level == Level::Same {
            return;
        }
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        if a.lemma == b.lemma {
            out.flag(cell.gate);
        }
        if a.stem == b.stem {
            out.flag(4 + cell.gate);
        }
    }
}
