//! Parts of speech: the same, or which for which.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};
use crate::align::words::N_TAGS;
use crate::text::Upos;

pub(super) struct Tags;

const IS_SAME: [&str; 2] = ["other word", "same word"];
const FINE: usize = 16;
const MAP: usize = FINE + 8;

impl Piece for Tags {
    fn name(&self) -> &'static str {
        "pos"
    }

    fn what(&self) -> &'static str {
        "parts of speech: equal or not, and which stands for which"
    }

    fn features(&self) -> Vec<String> {
        let mut names = super::grid(&[&["other tag", "same tag"], &IS_SAME, &GATES]);
        names.extend(super::grid(&[&["same fine tag"], &IS_SAME, &GATES]));
        let tags: Vec<&str> = Upos::ALL.iter().map(|tag| tag.name()).chain(["untagged"]).collect();
        names.extend(super::grid(&[&IS_SAME, &tags, &tags]));
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        let is_same = usize::from(cell.level >= Level::Lemma);
        out.flag((2 * usize::from(a.tag == b.tag) + is_same) * 4 + cell.gate);
        if a.fine == b.fine {
            out.flag(FINE + 4 * is_same + cell.gate);
        }
        out.flag(MAP + (is_same * N_TAGS + a.tag) * N_TAGS + b.tag);
    }
}
