//! How alike two words are spelled: the paper's measures, and the two groups of words that it counts as one.

use super::{Out, Piece, Stretch};
use crate::align::compared::{Compared, GATES, Level};
use crate::align::memo::Known;
use crate::align::strings::Similarities;
use std::sync::Arc;

pub(super) struct Strings;

const SAME: usize = 0;
const SAME_CASE: usize = 4;
const LIGHT: usize = 8;
const BINS: usize = 10;
const EDGES: [f32; 5] = [0.3, 0.5, 0.65, 0.8, 0.9];
const MEASURES: usize = BINS + EDGES.len() * 4;
const JOINED: usize = MEASURES + Similarities::NAMES.len() * 2;

impl Piece for Strings {
    fn name(&self) -> &'static str {
        "string"
    }

    fn what(&self) -> &'static str {
        "how alike words are spelled, with and without case; a/an/one and be, do, have"
    }

    fn features(&self) -> Vec<String> {
        let mut names = super::grid(&[&["same"], &GATES]);
        names.extend(super::grid(&[&["same to the case"], &GATES]));
        names.extend(["both a, an or one".to_owned(), "both be, do or have".to_owned()]);
        names.extend(super::grid(&[&["edits over"], &["0.3", "0.5", "0.65", "0.8", "0.9"], &GATES]));
        names.extend(super::grid(&[&Similarities::NAMES, &["content", "other"]]));
        names.push("phrases are one when joined".to_owned());
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        if cell.level == Level::Same {
            out.flag(SAME + cell.gate);
            if a.form == b.form {
                out.flag(SAME_CASE + cell.gate);
            }
            return;
        }
        match (a.light, b.light) {
            (4, 4) => out.flag(LIGHT),
            (1..=3, 1..=3) => out.flag(LIGHT + 1),
            _ => {}
        }
        let gated = usize::from(cell.gate != 0);
        for (measure, value) in cell.strings.values().into_iter().enumerate() {
            if value > 0.0 {
                out.value(MEASURES + 2 * measure + gated, value);
            }
        }
        let n_over = EDGES.iter().filter(|edge| cell.strings.levenshtein > **edge).count();
        if n_over > 0 {
            out.flag(BINS + (n_over - 1) * 4 + cell.gate);
        }
    }

    /// `web site` and `website`, `well-known` and `well known`.
    fn phrase(&self, pair: &Compared, stretch: Stretch, _members: &[(usize, usize)], out: &mut Out) {
        let source = &pair.source.known[stretch.source..stretch.source + stretch.n_source];
        let target = &pair.target.known[stretch.target..stretch.target + stretch.n_target];
        if source.len() != target.len() && letters(source).eq(letters(target)) {
            out.flag(JOINED);
        }
    }
}

fn letters(words: &[Arc<Known>]) -> impl Iterator<Item = u8> {
    words.iter().flat_map(|known| known.term.form().bytes()).filter(|byte| *byte != b'-')
}
