//! A pair's features under one kernel, in the one form that all explicit kernels share.
//!
//! Rules without links say nothing about how the two sides belong together: every source pattern goes with every
//! target pattern. Their part of the feature vector is an outer product and need never be listed to be compared:
//!
//!   K(x, y) = <source_x, source_y> * <target_x, target_y> + <extra_x, extra_y>
//!
//! ps- and pw-SRK are all product; kb-SRK is the spectrum product for rules without wildcards, and its linked rules are
//! the extra part; `pr` is extra only.

use super::matching::{Matched, matches};
use super::typed::TypedPair;
use super::{Item, PatternIds, PatternTable};
use crate::Result;
use crate::id::OverlapMeasure;
use resay_learn::progress::Progress;
use resay_text::Pair;

/// A pair's features under one kernel. All lists are sorted by their keys, without repetition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// Source patterns of unlinked rules, with their values.
    pub source: Vec<(u32, f64)>,
    /// Target patterns of unlinked rules, with their values.
    pub target: Vec<(u32, f64)>,
    /// Linked rules (source pattern, target pattern), with their values.
    pub extra: Vec<(u32, u32, f64)>,
    /// The squared length of linked rules that are not listed, because no known rule can be one of them.
    pub unlisted: f64,
}

impl Features {
    /// The squared length of the feature vector: the kernel of the pair with itself.
    pub fn squared_length(&self) -> f64 {
        let squares = |side: &[(u32, f64)]| side.iter().map(|(_, value)| value * value).sum::<f64>();
        squares(&self.source) * squares(&self.target)
            + self.extra.iter().map(|(_, _, value)| value * value).sum::<f64>()
            + self.unlisted
    }

    /// Empties all lists and keeps their memory.
    pub fn clear(&mut self) {
        self.source.clear();
        self.target.clear();
        self.extra.clear();
        self.unlisted = 0.0;
    }
}

/// Every pair's features, in order, and the table that numbers their patterns.
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

/// What a feature is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A re-writing rule, to be read off its patterns.
    Rewrite,
    /// A plain number.
    Overlap(OverlapMeasure),
}

/// What terms of an expression found out about one pair and other terms need as well.
#[derive(Debug, Default)]
pub struct PairKnown {
    /// The pair as typed kernels of one scheme see it, and a number for the scheme.
    pub(super) typed: Option<(usize, TypedPair)>,
}

/// A kernel's features, written down.
pub trait FeatureMap: Send + Sync {
    /// Fills `features` with those of `pair`. An error means that there are too many to list.
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()>;

    /// The same, knowing what other terms of the expression found out about this pair.
    fn extract_knowing(
        &self,
        pair: &Pair,
        _known: &mut PairKnown,
        patterns: &mut dyn PatternIds,
        features: &mut Features,
    ) -> Result<()> {
        self.extract(pair, patterns, features)
    }

    /// Whether unlinked rules are few enough to be listed one by one for a linear machine.
    fn is_listable(&self) -> bool;

    /// What the feature with these patterns is.
    fn rule(&self, _source: &[Item], _target: &[Item]) -> Rule {
        Rule::Rewrite
    }

    /// Where the rule with these patterns matches in a pair, in order.
    fn matches<'a>(
        &'a self,
        source: &'a [Item],
        target: &'a [Item],
        pair: &'a Pair,
    ) -> Box<dyn Iterator<Item = Matched> + 'a> {
        Box::new(matches(source, target, pair))
    }
}
