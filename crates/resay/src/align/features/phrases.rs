//! Phrases as such: their lengths, how similar their words are, and which words of the longer one
//! are left over.

use super::{FeatureTemplate, Out, Stretch};
use crate::align::compared::WordMatrix;
use crate::align::words::{AlignWord, Side};
use crate::id::align::{each2, each3};
use crate::id::{AlignFeature, Level, WordKind};

pub(super) struct Phrases;

const SIZES: usize = 9;
const LEFT: usize = SIZES + SIZES * 6;

impl FeatureTemplate for Phrases {
    fn name(&self) -> &'static str {
        "phrases"
    }

    fn what(&self) -> &'static str {
        "lengths of phrases, how alike their words, and words left over"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each2(AlignFeature::PhraseLengths);
        features.extend(each3(AlignFeature::LeastAlike));
        features.extend(each2(AlignFeature::LeftOver));
        features.extend([AlignFeature::OffDiagonal, AlignFeature::MarkInside]);
        features
    }

    fn phrase(&self, pair: &WordMatrix, stretch: Stretch, members: &[(usize, usize)], out: &mut Out) {
        let Stretch { source, n_source, target, n_target } = stretch;
        let size = (n_source.min(3) - 1) * 3 + n_target.min(3) - 1;
        out.flag(size);
        let least = members.iter().map(|&(i, j)| pair.level(i, j)).min().unwrap_or(Level::None);
        out.flag(SIZES + least as usize * SIZES + size);
        if n_source != n_target {
            let mut left = |side: &Side, word: usize, best: Level| {
                out.flag(LEFT + 2 * side.words[word].kind as usize + usize::from(best != Level::Same));
            };
            for i in (source..source + n_source).filter(|i| members.iter().all(|member| member.0 != *i)) {
                left(&pair.source, i, pair.source_best[i]);
            }
            for j in (target..target + n_target).filter(|j| members.iter().all(|member| member.1 != *j)) {
                left(&pair.target, j, pair.target_best[j]);
            }
        }
        let mut n_off = 0;
        for i in source..source + n_source {
            for j in target..target + n_target {
                n_off += usize::from(pair.level(i, j) >= Level::Lemma && !members.contains(&(i, j)));
            }
        }
        if n_off > 0 {
            out.value(LEFT + 6, n_off as f32);
        }
        let is_mark = |word: &AlignWord| word.kind == WordKind::Mark;
        if pair.source.words[source..source + n_source].iter().any(is_mark)
            || pair.target.words[target..target + n_target].iter().any(is_mark)
        {
            out.flag(LEFT + 7);
        }
    }
}
