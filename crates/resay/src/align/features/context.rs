//! The context of two words: similar neighbours support a link.

use super::{FeatureTemplate, Out};
use crate::align::compared::{NEAR, WordMatrix};
use crate::id::align::{each2, each3};
use crate::id::{AlignFeature, Argument, Level, NeighboursAlike, WordClassPair, WordKind};

pub(super) struct Context;

const WINDOW: usize = NeighboursAlike::ALL.len() * 3 * 4;
const NEXT: usize = WINDOW + 3 * 4 * 2;

impl FeatureTemplate for Context {
    fn name(&self) -> &'static str {
        "context"
    }

    fn what(&self) -> &'static str {
        "neighbours that are alike, left and right, and content words nearby"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each3(AlignFeature::Neighbours);
        features.extend(each2(AlignFeature::AlikeNearby));
        features.extend(each2(AlignFeature::ShareAlikeNearby));
        features.extend(each3(AlignFeature::NextContentAlike));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let column = 4 * cell.level.coarse() as usize + cell.word_class_pair as usize;
        let back = |steps: usize| pair.level_at(source.checked_sub(steps), target.checked_sub(steps));
        let on = |steps: usize| pair.level_at(Some(source + steps), Some(target + steps));
        let is_alike = |level: Option<Level>| level.is_some_and(|level| level >= Level::Synonym);
        let (left, right) = (is_alike(back(1)), is_alike(on(1)));
        let mut flag = |place: NeighboursAlike, holds: bool| {
            if holds {
                out.flag(place as usize * 12 + column);
            }
        };
        flag(NeighboursAlike::Left, left);
        flag(NeighboursAlike::Right, right);
        flag(NeighboursAlike::Both, left && right);
        flag(NeighboursAlike::Neither, !left && !right);
        flag(NeighboursAlike::SecondLeft, is_alike(back(2)));
        flag(NeighboursAlike::SecondRight, is_alike(on(2)));
        let is_content = |i: usize, j: usize| pair.cell(i, j).word_class_pair == WordClassPair::Content;
        let left_is_same = back(1) == Some(Level::Same) && is_content(source - 1, target - 1);
        let right_is_same = on(1) == Some(Level::Same) && is_content(source + 1, target + 1);
        flag(NeighboursAlike::LeftSameContent, left_is_same);
        flag(NeighboursAlike::RightSameContent, right_is_same);
        let (n_alike, n_words) = nearby(pair, source, target);
        out.value(WINDOW + column, n_alike.min(4) as f32);
        if n_words > 0 {
            out.value(WINDOW + 12 + column, n_alike as f32 / n_words as f32);
        }
        for (place, is_left) in [true, false].into_iter().enumerate() {
            let next = |side: &crate::align::words::Side, at: usize| {
                let is_content = |idx: &usize| side.words[*idx].kind == WordKind::Content;
                if is_left { (0..at).rev().find(is_content) } else { (at + 1..side.len()).find(is_content) }
            };
            if is_alike(pair.level_at(next(&pair.source, source), next(&pair.target, target))) {
                out.flag(NEXT + 12 * place + column);
            }
        }
    }
}

/// Returns the number of content words within three words of `source` that have a similar word
/// within three words of `target`, and the number of content words there.
fn nearby(pair: &WordMatrix, source: usize, target: usize) -> (usize, usize) {
    let (mut n_alike, mut n_words) = (0, 0);
    for i in source.saturating_sub(NEAR)..(source + NEAR + 1).min(pair.source.len()) {
        if i != source && pair.source.words[i].kind == WordKind::Content {
            n_words += 1;
            n_alike += usize::from(pair.is_near(i, target));
        }
    }
    (n_alike, n_words)
}
