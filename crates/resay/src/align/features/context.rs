//! What stands around two words: neighbours that are alike speak for a link.

use super::{Out, Piece};
use crate::align::compared::{Compared, GATES, Level, NEAR};
use crate::align::words::Kind;

pub(super) struct Context;

const PLACES: [&str; 8] = [
    "left alike",
    "right alike",
    "both sides alike",
    "neither side alike",
    "second left alike",
    "second right alike",
    "left same content word",
    "right same content word",
];
const WINDOW: usize = PLACES.len() * 3 * 4;
const NEXT: usize = WINDOW + 3 * 4 * 2;

impl Piece for Context {
    fn name(&self) -> &'static str {
        "context"
    }

    fn what(&self) -> &'static str {
        "neighbours that are alike, left and right, and content words nearby"
    }

    fn features(&self) -> Vec<String> {
        let mut names = super::grid(&[&PLACES, &Level::COARSE, &GATES]);
        names.extend(super::grid(&[&["alike within three", "share alike within three"], &Level::COARSE, &GATES]));
        names.extend(super::grid(&[
            &["next content word left alike", "next content word right alike"],
            &Level::COARSE,
            &GATES,
        ]));
        names
    }

    fn words(&self, pair: &Compared, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let column = 4 * cell.level.coarse() + cell.gate;
        let back = |steps: usize| pair.level_at(source.checked_sub(steps), target.checked_sub(steps));
        let on = |steps: usize| pair.level_at(Some(source + steps), Some(target + steps));
        let is_alike = |level: Option<Level>| level.is_some_and(|level| level >= Level::Synonym);
        let (left, right) = (is_alike(back(1)), is_alike(on(1)));
        let mut flag = |place: usize, holds: bool| {
            if holds {
                out.flag(place * 12 + column);
            }
        };
        flag(0, left);
        flag(1, right);
        flag(2, left && right);
        flag(3, !left && !right);
        flag(4, is_alike(back(2)));
        flag(5, is_alike(on(2)));
        flag(6, back(1) == Some(Level::Same) && pair.cell(source - 1, target - 1).gate == 0);
        flag(7, on(1) == Some(Level::Same) && pair.cell(source + 1, target + 1).gate == 0);
        let (n_alike, n_words) = nearby(pair, source, target);
        out.value(WINDOW + column, n_alike.min(4) as f32);
        if n_words > 0 {
            out.value(WINDOW + 12 + column, n_alike as f32 / n_words as f32);
        }
        for (place, is_left) in [true, false].into_iter().enumerate() {
            let next = |side: &crate::align::words::Side, at: usize| {
                let is_content = |idx: &usize| side.words[*idx].kind == Kind::Content;
                if is_left { (0..at).rev().find(is_content) } else { (at + 1..side.len()).find(is_content) }
            };
            if is_alike(pair.level_at(next(&pair.source, source), next(&pair.target, target))) {
                out.flag(NEXT + 12 * place + column);
            }
        }
    }
}

/// Content words of the source within three words that have one alike within three words in the target, and how many
/// there are.
fn nearby(pair: &Compared, source: usize, target: usize) -> (usize, usize) {
    let (mut n_alike, mut n_words) = (0, 0);
    for i in source.saturating_sub(NEAR)..(source + NEAR + 1).min(pair.source.len()) {
        if i != source && pair.source.words[i].kind == Kind::Content {
            n_words += 1;
            n_alike += usize::from(pair.is_near(i, target));
        }
    }
    (n_alike, n_words)
}
