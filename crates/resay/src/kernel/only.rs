//! `only(k)`: the k-grams of one side that the other side lacks.
//!
//! The features are rules with an empty side: `-> x` for a k-gram x of the target that the source
//! does not contain, and `x ->` the other way round. Each counts 1, however often it occurs. They
//! say what was added and what was dropped, whatever the rest of the pair looks like; the rules of
//! the re-writing kernels always name something on both sides. On labels that depend on single
//! words, such as those of three-way entailment, this is what a bag of words would learn.

use super::features::{FeatureMap, Features};
use super::index::{ExplicitIndex, Index};
use super::matching::Matched;
use super::{Item, Kernel, PatternIds};
use crate::Result;
use resay_learn::progress::Progress;
use resay_text::{Pair, Symbol};
use rustc_hash::FxHashSet;

/// The kernel of k-grams that only one side has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Only {
    k: usize,
}

impl Only {
    pub(super) fn new(k: usize) -> Self {
        Self { k }
    }

    /// Visits each k-gram of `these` that `others` lack.
    fn each<'a>(&self, these: &'a [Symbol], others: &'a [Symbol], mut visit: impl FnMut(&'a [Symbol])) {
        let known: FxHashSet<&[Symbol]> = others.windows(self.k).collect();
        these.windows(self.k).filter(|gram| !known.contains(gram)).for_each(&mut visit);
    }
}

impl FeatureMap for Only {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        let (source, target) = (&pair.source.units[..], &pair.target.units[..]);
        let nothing = patterns.id(&[]);
        let mut items = Vec::with_capacity(self.k);
        let mut id = |gram: &[Symbol]| {
            items.clear();
            items.extend(gram.iter().map(|&symbol| Item::symbol(symbol)));
            patterns.id(&items)
        };
        self.each(source, target, |gram| features.extra.push((id(gram), nothing, 1.0)));
        self.each(target, source, |gram| features.extra.push((nothing, id(gram), 1.0)));
        features.extra.sort_unstable_by_key(|(source, target, _)| (*source, *target));
        features.extra.dedup_by_key(|(source, target, _)| (*source, *target));
        Ok(())
    }

    fn is_listable(&self) -> bool {
        true
    }

    fn matches<'a>(
        &'a self,
        source: &'a [Item],
        target: &'a [Item],
        pair: &'a Pair,
    ) -> Box<dyn Iterator<Item = Matched> + 'a> {
        let (pattern, units) =
            if source.is_empty() { (target, &pair.target.units) } else { (source, &pair.source.units) };
        let is_here =
            move |units: &[Symbol]| units.iter().zip(pattern).all(|(unit, item)| item.as_symbol() == Some(*unit));
        let at = move |place: usize| {
            if source.is_empty() { Matched { source: 0, target: place } } else { Matched { source: place, target: 0 } }
        };
        let places = units.windows(self.k).enumerate().filter(move |(_, units)| is_here(units));
        Box::new(places.map(move |(place, _)| at(place)))
    }
}

impl Kernel for Only {
    fn describe(&self) -> String {
        format!("only(k={})", self.k)
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(*self, columns, progress)?))
    }

    fn n_patterns(&self, n: usize) -> usize {
        n
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::PatternTable;
    use proptest::prelude::*;
    use resay_text::Sentence;

    fn pair(source: Vec<u32>, target: Vec<u32>) -> Pair {
        Pair { source: Sentence::of_units(source), target: Sentence::of_units(target) }
    }

    proptest! {
        #[test]
        fn features_are_the_k_grams_of_one_side(
            k in 1_usize..4,
            source in prop::collection::vec(0_u32..4, 0..7),
            target in prop::collection::vec(0_u32..4, 0..7)
        ) {
            let (mut patterns, mut features) = (PatternTable::default(), Features::default());
            let both = pair(source.clone(), target.clone());
            let only = Only::new(k);
            only.extract(&both, &mut patterns, &mut features).unwrap();
            let grams = |side: &[u32]| -> std::collections::BTreeSet<Vec<u32>> {
                side.windows(k).map(<[u32]>::to_vec).collect()
            };
            let (of_source, of_target) = (grams(&source), grams(&target));
            let found: std::collections::BTreeSet<(Vec<u32>, Vec<u32>)> = features
                .extra
                .iter()
                .map(|(source, target, value)| {
                    assert_eq!(*value, 1.0);
                    let units = |id| patterns.pattern(id).iter().map(|item: &Item| item.as_symbol().unwrap()).collect();
                    (units(*source), units(*target))
                })
                .collect();
            let dropped = of_source.difference(&of_target).map(|gram| (gram.clone(), vec![]));
            let added = of_target.difference(&of_source).map(|gram| (vec![], gram.clone()));
            prop_assert_eq!(found.len(), features.extra.len());
            prop_assert_eq!(&found, &dropped.chain(added).collect());
            for (source_items, target_items, _) in &features.extra {
                let (from, to) = (patterns.pattern(*source_items), patterns.pattern(*target_items));
                prop_assert!(only.matches(from, to, &both).count() >= 1);
            }
        }
    }
}
