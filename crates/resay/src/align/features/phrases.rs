//! Phrases as such: how long they are, how alike their words, and what is left over in the longer of the two.

use super::{Out, Piece, Stretch};
use crate::align::compared::{Compared, Level};
use crate::align::words::{Kind, Side};

pub(super) struct Phrases;

const SIZES: usize = 9;
const LEFT: usize = SIZES + SIZES * 6;

impl Piece for Phrases {
    fn name(&self) -> &'static str {
        "phrases"
    }

    fn what(&self) -> &'static str {
        "lengths of phrases, how alike their words, and words left over"
    }

    fn features(&self) -> Vec<String> {
        let lengths: [&[&str]; 2] = [&["1", "2", "3 or more"], &["1", "2", "3 or more"]];
        let mut names = super::grid(&[lengths[0], &["to"], lengths[1]]);
        names.extend(super::grid(&[&["least alike"], &Level::NAMES, lengths[0], &["to"], lengths[1]]));
        names.extend(super::grid(&[&["left over"], &["content", "function", "mark"], &["same elsewhere", "alone"]]));
        names.extend(["words alike off the diagonal".to_owned(), "mark inside".to_owned()]);
        names
    }

    fn phrase(&self, pair: &Compared, stretch: Stretch, members: &[(usize, usize)], out: &mut Out) {
        let Stretch { source, n_source, target, n_target } = stretch;
        let size = (n_source.min(3) - 1) * 3 + n_target.min(3) - 1;
        out.flag(size);
        let least = members.iter().map(|&(i, j)| pair.cell(i, j).level).min().unwrap_or(Level::None);
        out.flag(SIZES + least as usize * SIZES + size);
        let mut has_mark = false;
        let mut left = |side: &Side, word: usize, is_member: bool, has_same: bool| {
            let kind = side.words[word].kind;
            has_mark |= kind == Kind::Mark;
            if !is_member {
                out.flag(LEFT + 2 * kind as usize + usize::from(!has_same));
            }
        };
        for i in source..source + n_source {
            let has_same = pair.source_best[i] == Level::Same;
            left(&pair.source, i, members.iter().any(|member| member.0 == i), has_same);
        }
        for j in target..target + n_target {
            let has_same = pair.target_best[j] == Level::Same;
            left(&pair.target, j, members.iter().any(|member| member.1 == j), has_same);
        }
        let is_member = |i: usize, j: usize| members.contains(&(i, j));
        let n_off = (source..source + n_source)
            .flat_map(|i| (target..target + n_target).map(move |j| (i, j)))
            .filter(|&(i, j)| !is_member(i, j) && pair.cell(i, j).level >= Level::Lemma)
            .count();
        if n_off > 0 {
            out.value(LEFT + 6, n_off as f32);
        }
        if has_mark {
            out.flag(LEFT + 7);
        }
    }
}
