//! Word order around anchors: equal content words that occur exactly once in each sentence. A link
//! that keeps the order of its nearest anchors on both sides is likelier than one that crosses
//! them.

use super::{FeatureTemplate, Out};
use crate::align::compared::WordMatrix;
use crate::id::align::{each2, each4};
use crate::id::{AlignFeature, Argument, Level, OrderKept};

pub(super) struct Order;

const HOW: usize = OrderKept::ALL.len();

impl FeatureTemplate for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn what(&self) -> &'static str {
        "whether the order of the nearest words that stand once in both is kept"
    }

    fn features(&self) -> Vec<AlignFeature> {
        let mut features = each4(AlignFeature::Order);
        features.extend(each2(AlignFeature::BetweenAnchors));
        features
    }

    fn words(&self, pair: &WordMatrix, source: usize, target: usize, out: &mut Out) {
        let cell = pair.cell(source, target);
        let column = 4 * usize::from(cell.level >= Level::Lemma) + cell.word_class_pair as usize;
        let after = pair.anchors.partition_point(|(i, _)| *i < source);
        let left = after.checked_sub(1).map(|at| pair.anchors[at]);
        let right = pair.anchors[after..].iter().find(|(i, _)| *i > source).copied();
        let mut flag = |place: usize, kept: OrderKept| out.flag((place * HOW + kept as usize) * 8 + column);
        let mut n_kept = 0;
        for (place, anchor) in [left, right].into_iter().enumerate() {
            order((source, target), place == 0, anchor, |kept| {
                n_kept += usize::from(kept == OrderKept::Kept);
                flag(place, kept);
            });
        }
        if n_kept == 2 {
            out.flag(2 * HOW * 8 + column);
        }
    }
}

/// Lists whether a link keeps the order of an anchor before or after its source word.
pub(super) fn order(
    (source, target): (usize, usize),
    is_before: bool,
    anchor: Option<(usize, usize)>,
    mut each: impl FnMut(OrderKept),
) {
    let Some((i, j)) = anchor else {
        each(OrderKept::NoAnchor);
        return;
    };
    let is_kept = if is_before { j < target } else { j > target };
    let (steps, others) = (source.abs_diff(i), target.abs_diff(j));
    if is_kept {
        each(OrderKept::Kept);
        if steps == others {
            each(OrderKept::SameDistance);
        }
        if steps.abs_diff(others) <= 2 {
            each(OrderKept::WithinTwo);
        }
    } else {
        each(OrderKept::Broken);
        if others > 5 {
            each(OrderKept::BrokenFar);
        }
    }
}
