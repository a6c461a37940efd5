//! The features of a pair under one kernel, in the form that all explicit kernels share.
//!
//! Rules without links say nothing about how the two sides correspond: every source pattern
//! combines with every target pattern. Their part of the feature vector is an outer product, which
//! need not be listed to be compared:
//!
//!   K(x, y) = <source_x, source_y> * <target_x, target_y> + <extra_x, extra_y>
//!
//! ps- and pw-SRK consist of the product only. In kb-SRK the product is the spectrum kernel of
//! rules without wildcards, and the linked rules are the extra part. `pr` has the extra part only.

use super::matching::{Matched, matches};
use super::typed::TypedPair;
use super::{Item, PatternIds, PatternTable};
use crate::Result;
use crate::id::OverlapMeasure;
use resay_learn::progress::Progress;
use resay_text::Pair;

/// The features of a pair under one kernel. All lists are sorted by key, without duplicates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// Source patterns of unlinked rules, with their values.
    pub source: Vec<(u32, f64)>,
    /// Target patterns of unlinked rules, with their values.
    pub target: Vec<(u32, f64)>,
    /// Linked rules (source pattern, target pattern), with their values.
    pub extra: Vec<(u32, u32, f64)>,
    /// Squared length of the linked rules that are not listed because they equal no known rule.
    pub unlisted: f64,
}

impl Features {
    /// Returns the squared length of the feature vector, which is the kernel of the pair with
    /// itself.
    pub fn squared_length(&self) -> f64 {
        let squares = |side: &[(u32, f64)]| side.iter().map(|(_, value)| value * value).sum::<f64>();
        squares(&self.source) * squares(&self.target)
            + self.extra.iter().map(|(_, _, value)| value * value).sum::<f64>()
            + self.unlisted
    }

    /// Empties all lists and keeps their allocations.
    pub fn clear(&mut self) {
        self.source.clear();
        self.target.clear();
        self.extra.clear();
        self.unlisted = 0.0;
    }
}

/// Extracts the features of every pair, in order, with the table that numbers their patterns.
pub(super) fn extract_all(
    map: &dyn FeatureMap,
    pairs: &[Pair],
    progress: Progress<'_>,
) -> Result<(PatternTable, Vec<Features>)> {
    let mut patterns = PatternTable::default();
    let mut all = vec![Features::default(); pairs.len()];
    for (pair, features) in pairs.iter().zip(&mut all) {
        progress.check()?;
        map.extract(pair, &mut patterns, features)?;
    }
    Ok((patterns, all))
}

/// Visits every rule of a pair under one term, listing the product of unlinked patterns.
pub(super) fn each_rule(features: &Features, mut visit: impl FnMut(u32, u32, f64)) {
    for &(source, value) in &features.source {
        for &(target, other) in &features.target {
            visit(source, target, value * other);
        }
    }
    for &(source, target, value) in &features.extra {
        visit(source, target, value);
    }
}

/// The kind of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A rewriting rule, given by its patterns.
    Rewrite,
    /// A plain number, such as precision or recall.
    Overlap(OverlapMeasure),
}

/// Intermediate results about one pair that several terms of an expression share.
#[derive(Debug, Default)]
pub struct PairKnown {
    /// The pair as typed kernels of one scheme see it, and the scheme's number.
    pub(super) typed: Option<(usize, TypedPair)>,
}

/// The explicit feature map of a kernel.
pub trait FeatureMap: Send + Sync {
    /// Fills `features` with those of `pair`. Fails if there are too many to list.
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()>;

    /// Like [`FeatureMap::extract`], but reuses what other terms of the expression computed for
    /// this pair.
    fn extract_knowing(
        &self,
        pair: &Pair,
        _known: &mut PairKnown,
        patterns: &mut dyn PatternIds,
        features: &mut Features,
    ) -> Result<()> {
        self.extract(pair, patterns, features)
    }

    /// Returns whether unlinked rules are few enough to list one by one for a linear model.
    fn is_listable(&self) -> bool;

    /// Returns the kind of the feature with these patterns.
    fn rule(&self, _source: &[Item], _target: &[Item]) -> Rule {
        Rule::Rewrite
    }

    /// Returns where the rule with these patterns matches in a pair, in order.
    fn matches<'a>(
        &'a self,
        source: &'a [Item],
        target: &'a [Item],
        pair: &'a Pair,
    ) -> Box<dyn Iterator<Item = Matched> + 'a> {
        Box::new(matches(source, target, pair))
    }
}
