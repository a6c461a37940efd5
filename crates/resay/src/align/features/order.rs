//! Word order around anchors: content words that stand exactly once in each sentence and are the same. A link that
//! keeps the order of its nearest anchors on both sides is likelier than one that jumps over them.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};

pub(super) struct Order;

const HOW: [&str; 6] = ["kept", "kept at one distance", "kept within two", "broken", "broken by far", "no anchor"];

impl Piece for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn what(&self) -> &'static str {
        "whether the order of the nearest words that stand once in both is kept"
    }

    fn features(&self) -> Vec<String> {
        let words = ["other word", "same word"];
        let mut names = super::grid(&[&["left", "right"], &HOW, &words, &GATES]);
        names.extend(super::grid(&[&["between anchors on both sides"], &words, &GATES]));
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let column = 4 * usize::from(cell.level >= Level::Lemma) + cell.gate;
        let after = pair.anchors.partition_point(|(i, _)| *i < source);
        let left = after.checked_sub(1).map(|at| pair.anchors[at]);
        let right = pair.anchors[after..].iter().find(|(i, _)| *i > source).copied();
        let mut n_kept = 0;
        for (place, anchor) in [left, right].into_iter().enumerate() {
            let Some((i, j)) = anchor else {
                out.flag((place * 6 + 5) * 8 + column);
                continue;
            };
            let is_kept = if place == 0 { j < target } else { j > target };
            let (steps, others) = (source.abs_diff(i), target.abs_diff(j));
            if is_kept {
                n_kept += 1;
                out.flag(place * 48 + column);
                if steps == others {
                    out.flag((place * 6 + 1) * 8 + column);
                }
                if steps.abs_diff(others) <= 2 {
                    out.flag((place * 6 + 2) * 8 + column);
                }
            } else {
                out.flag((place * 6 + 3) * 8 + column);
                if others > 5 {
                    out.flag((place * 6 + 4) * 8 + column);
                }
            }
        }
        if n_kept == 2 {
            out.flag(96 + column);
        }
    }
}
