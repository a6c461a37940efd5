//! Dependencies: words with similar heads or similar dependents play similar parts in their
//! sentences.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::{each2, each3};
use crate::id::{AlignFeature, Argument, HeadMatch, Level};
use resay_text::Layers;

pub(super) struct Heads;

impl FeatureTemplate for Heads {
    fn name(&self) -> &'static str {
        "heads"
    }

    fn what(&self) -> &'static str {
        "heads and dependents that are alike"
    }

    fn layers(&self) -> Layers {
        Layers { heads: true, ..Layers::LEMMAS }
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each3(AlignFeature::Heads);
        features.extend(each2(AlignFeature::Dependents));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let column = 4 * cell.level.coarse() as usize + cell.word_class_pair as usize;
        let (a, b) = (&pair.source.words[source], &pair.target.words[target]);
        let is_alike = |i: usize, j: usize| pair.level(i, j) >= Level::Synonym;
        let mut flag = |heads: HeadMatch| out.flag(heads as usize * 12 + column);
        if a.relation.is_some() && a.relation == b.relation {
            flag(HeadMatch::OneRelation);
        }
        let (of_source, of_target) = (&pair.source.dependents[source], &pair.target.dependents[target]);
        match (a.head, b.head) {
            (Some(i), Some(j)) if is_alike(i, j) => {
                flag(HeadMatch::Alike);
                if a.relation == b.relation {
                    flag(HeadMatch::AlikeByOneRelation);
                }
            }
            (Some(_), Some(_)) => flag(HeadMatch::NotAlike),
            (None, None) => flag(HeadMatch::BothRoots),
            _ => flag(HeadMatch::OneRoot),
        }
        let crossed = a.head.is_some_and(|head| of_target.iter().any(|&j| is_alike(head, j)))
            || b.head.is_some_and(|head| of_source.iter().any(|&i| is_alike(i, head)));
        if crossed {
            flag(HeadMatch::Crossed);
        }
        let n_alike = of_source.iter().filter(|&&i| of_target.iter().any(|&j| is_alike(i, j))).count();
        if n_alike > 0 {
            out.value(HeadMatch::ALL.len() * 12 + column, n_alike.min(3) as f32);
        }
    }
}
