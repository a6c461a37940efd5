//! Where in their sentences two words stand.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level};

pub(super) struct Position;

const EDGES: [f32; 4] = [0.05, 0.15, 0.3, 0.5];
const LAST: usize = 8 + 8 * 4;

impl Piece for Position {
    fn name(&self) -> &'static str {
        "position"
    }

    fn what(&self) -> &'static str {
        "how far apart words stand, as shares of their sentences; both first or both last"
    }

    fn features(&self) -> Vec<String> {
        let words = ["other word", "same word"];
        let mut names = super::grid(&[&["apart by"], &words, &GATES]);
        names.extend(super::grid(&[&["apart over"], &["0.05", "0.15", "0.3", "0.5"], &words, &GATES]));
        names.extend(["both first", "both last"].map(str::to_owned));
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let (n_source, n_target) = (pair.source.len(), pair.target.len());
        let apart = (source as f32 / n_source as f32 - target as f32 / n_target as f32).abs();
        let column = 4 * usize::from(cell.level >= Level::Lemma) + cell.gate;
        out.value(column, apart);
        for edge in 0..EDGES.iter().filter(|edge| apart > **edge).count() {
            out.flag(8 + 8 * edge + column);
        }
        if source == 0 && target == 0 {
            out.flag(LAST);
        }
        if source + 1 == n_source && target + 1 == n_target {
            out.flag(LAST + 1);
        }
    }
}
