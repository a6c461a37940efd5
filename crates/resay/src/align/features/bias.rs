//! How often words of a kind are linked at all, and left alone.

use super::{Out, Piece, View};
use crate::align::compared::{Compared, GATES, Level};
use crate::align::words::N_TAGS;
use crate::text::Upos;

pub(super) struct Bias;

const BEST: usize = 4;
const TAG: usize = BEST + 3 * 6;

impl Piece for Bias {
    fn name(&self) -> &'static str {
        "bias"
    }

    fn what(&self) -> &'static str {
        "kinds of words that are linked or left alone, and the best that was at hand"
    }

    fn features(&self) -> Vec<String> {
        let mut names = super::grid(&[&["link"], &GATES]);
        names.extend(super::grid(&[&["alone"], &["content", "function", "mark"], &["best"], &Level::NAMES]));
        names.extend(Upos::ALL.iter().map(|tag| format!("alone {}", tag.name())).chain(["alone untagged".to_owned()]));
        debug_assert_eq!(names.len(), TAG + N_TAGS);
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        out.flag(pair.cell(source, target).gate);
    }

    fn null(&self, view: &View, word: usize, out: &mut Out) {
        let own = &view.side().words[word];
        let best = view.best()[word];
        out.flag(BEST + own.kind as usize * 6 + best as usize);
        out.flag(TAG + own.tag);
    }
}
