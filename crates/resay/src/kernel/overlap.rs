//! `pr`: unigram precision and recall (Wan et al. 2006), two plain numbers beside the rules.
//!
//! With o the size of the multiset intersection of both sides' symbols, precision is o/|target| and
//! recall is o/|source|. The papers do not say whether they count stems or words. Symbols are those
//! that the other kernels of the sum see; stems do better on held-out folds of both tasks. The
//! kernel is linear and not normalised: a cosine of two positive numbers would carry next to no
//! information, and the published figures are only reached without it.

use super::features::{FeatureMap, Features, Rule};
use super::index::{ExplicitIndex, Index};
use super::{Item, Kernel, PatternIds, Scaling};
use crate::Result;
use crate::id::OverlapMeasure;
use resay_learn::progress::Progress;
use resay_text::{Pair, Symbol};

/// Unigram precision and recall. As features they are "rules" of one and of two wildcards with an
/// empty target, so that every feature of every kernel is a pair of patterns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap;

/// Indexed by the number of wildcards in the "rule", minus one.
const MEASURES: [OverlapMeasure; 2] = [OverlapMeasure::Precision, OverlapMeasure::Recall];

/// Returns the size of the multiset intersection.
fn common(source: &[Symbol], target: &[Symbol]) -> usize {
    let (mut source, mut target) = (source.to_vec(), target.to_vec());
    source.sort_unstable();
    target.sort_unstable();
    let (mut i, mut j, mut n_common) = (0, 0, 0);
    while i < source.len() && j < target.len() {
        match source[i].cmp(&target[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, n_common) = (i + 1, j + 1, n_common + 1),
        }
    }
    n_common
}

impl FeatureMap for Overlap {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        let (source, target) = (&pair.source.units, &pair.target.units);
        let n_common = common(source, target) as f64;
        if n_common > 0.0 {
            let nothing = patterns.id(&[]);
            for (number, len) in [target.len(), source.len()].into_iter().enumerate() {
                let measure = patterns.id(&[Item::ANY; MEASURES.len()][..=number]);
                features.extra.push((measure, nothing, n_common / len as f64));
            }
            features.extra.sort_unstable_by_key(|entry| entry.0);
        }
        Ok(())
    }

    fn is_listable(&self) -> bool {
        true
    }

    fn rule(&self, source: &[Item], _: &[Item]) -> Rule {
        let measure = source.len().checked_sub(1).and_then(|number| MEASURES.get(number));
        measure.map_or(Rule::Rewrite, |measure| Rule::Overlap(*measure))
    }
}

impl Kernel for Overlap {
    fn describe(&self) -> String {
        "pr".to_owned()
    }

    fn scaling(&self) -> Scaling {
        Scaling::Plain
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(*self, columns, progress)?))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_intersection_is_the_sum_of_smaller_counts(
            source in prop::collection::vec(0_u32..4, 0..9), target in prop::collection::vec(0_u32..4, 0..9)
        ) {
            let count = |side: &[u32], word| side.iter().filter(|&&w| w == word).count();
            let expected: usize = (0..4).map(|word| count(&source, word).min(count(&target, word))).sum();
            prop_assert_eq!(common(&source, &target), expected);
        }
    }
}
