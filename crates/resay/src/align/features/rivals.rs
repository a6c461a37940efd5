//! Rivals: other words to which either of the two could be linked as well or better. A link is a
//! choice among them.

use super::{FeatureTemplate, Out, View};
use crate::align::compared::WordMatrix;
use crate::id::align::{each, each2, each3};
use crate::id::{AlignFeature, Argument, Level, Rival};

pub(super) struct Rivals;

const ONCE: usize = Rival::ALL.len() * 12;
const NULL: usize = ONCE + 4;

impl FeatureTemplate for Rivals {
    fn name(&self) -> &'static str {
        "rivals"
    }

    fn what(&self) -> &'static str {
        "whether either word has a better or a nearer partner"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each3(AlignFeature::Rivals);
        features.extend(each(AlignFeature::OnceInEach));
        features.extend(each2(AlignFeature::AloneSame));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let class = cell.word_class_pair as usize;
        let column = 4 * cell.level.coarse() as usize + class;
        let rival = match (pair.source_best[source] > cell.level, pair.target_best[target] > cell.level) {
            (false, false) => Rival::None,
            (true, false) => Rival::Source,
            (false, true) => Rival::Target,
            (true, true) => Rival::Both,
        };
        out.flag(rival as usize * 12 + column);
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        if cell.level == Level::Same {
            if a.n_same == 1 && b.n_same == 1 {
                out.flag(ONCE + class);
            } else if is_nearest(pair, source, target) {
                out.flag(Rival::NearestOfEquals as usize * 12 + column);
            }
        }
    }

    fn null(&self, view: &View, word: usize, out: &mut Out) {
        let own = &view.side().words[word];
        let n_there = view.other().words.iter().filter(|other| other.lower == own.lower).count();
        out.flag(NULL + 2 * n_there.min(2) + usize::from(own.n_same > 1));
    }
}

/// Returns whether no other pair of equal words has a better context, measured by how many of the
/// four words around are the same.
fn is_nearest(pair: &WordMatrix, source: usize, target: usize) -> bool {
    let surroundings = |i: usize, j: usize| {
        let same = |a: Option<usize>, b: Option<usize>| usize::from(pair.level_at(a, b) >= Some(Level::Lemma));
        2 * same(i.checked_sub(1), j.checked_sub(1))
            + 2 * same(Some(i + 1), Some(j + 1))
            + same(i.checked_sub(2), j.checked_sub(2))
            + same(Some(i + 2), Some(j + 2))
    };
    let own = surroundings(source, target);
    let is_same = |i: usize, j: usize| pair.level(i, j) == Level::Same;
    let better_target = (0..pair.target.len()).any(|j| is_same(source, j) && surroundings(source, j) > own);
    let better_source = (0..pair.source.len()).any(|i| is_same(i, target) && surroundings(i, target) > own);
    !better_source && !better_target
}
