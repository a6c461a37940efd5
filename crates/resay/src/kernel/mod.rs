//! Kernels: how similar two sentence pairs are as rewritings.
//!
//! Three types carry the module. A [`Kernel`] is a specification: one kernel at one size, not
//! normalised. Bound to a corpus, it becomes an [`Index`], which computes whole rows of kernel
//! values at once. An [`Expression`] is what the user wrote, such as `kb(k=1..4)+pr`: a normalised
//! sum of kernels. Kernels with explicit features also offer a [`FeatureMap`]. A linear model
//! learns from it without a Gram matrix, and its features can be read.

mod classic;
mod combine;
mod expression;
mod features;
mod idf;
mod index;
mod list;
mod matching;
mod only;
mod overlap;
mod passes;
mod pattern;
mod rewrite;
mod sequence;
pub mod strings;
pub mod typed;

pub use classic::{bijective_by_algorithm_1, bijective_by_algorithm_2, double_list_value};
pub use combine::{BoundKernel, FeatureUnion, PairFeatures};
pub use expression::{Expression, Open};
pub use features::{FeatureMap, Features, PairKnown, Rule};
pub use index::Index;
pub use list::{PrivateRule, RuleColumns, RuleMatrix};
pub use matching::{Matched, matches};
pub use passes::{RuleAnswers, RuleLimits};
pub use pattern::{Item, PatternIds, PatternOverlay, PatternTable, RuleTable};
pub use resay_learn::matrix::{Gram, Rows};

use crate::Result;
use resay_learn::progress::Progress;
use resay_text::{Classify, Layers, Pair, Symbol, Units};
use std::fmt::Debug;
use std::sync::Arc;

/// The largest k. Patterns are matched with bit masks, and sentences hardly ever share longer
/// rules.
pub const MAX_K: usize = 12;

/// How a kernel joins a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Cosine-normalised, and once more together with all others of this kind.
    Whole,
    /// Cosine-normalised by itself only.
    Part,
    /// Not normalised.
    Plain,
}

/// The fitted state of a kernel in a form that any file can hold: symbols, which each file numbers
/// in its own way, and numbers. Only the kernel knows their meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Without duplicates.
    pub symbols: Vec<Symbol>,
    /// In the kernel's order.
    pub numbers: Vec<u32>,
}

/// A kernel at one size, not yet bound to data. Values are raw; [`Expression`] normalises them.
pub trait Kernel: Send + Sync + Debug {
    /// Returns an expression that parses to this kernel, such as `kb(k=2,lambda=0.5)`.
    fn describe(&self) -> String;

    /// Returns how the kernel joins a sum.
    fn scaling(&self) -> Scaling {
        Scaling::Whole
    }

    /// Returns the annotation layers the kernel needs besides a sentence's units.
    fn layers(&self) -> Layers {
        Layers::NONE
    }

    /// Returns the kernel of single texts if it is one; all others compare pairs.
    fn text(&self) -> Option<&strings::OneText> {
        None
    }

    /// Returns the units that the kernel compares instead of a sentence's own. Sentences must hold
    /// them as a reading.
    fn units(&self) -> Option<Units> {
        None
    }

    /// Returns the word classes the kernel uses. Sentences must hold them.
    fn classes(&self) -> Option<Arc<dyn Classify>> {
        None
    }

    /// Builds what kernels of one kind share, once for all of them, before they are bound to pairs.
    fn prepare(&self, _columns: &[Pair], _progress: Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// Binds the kernel to the pairs (columns) to compare with.
    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>>;

    /// Returns about how many patterns a side of `n` symbols has, as the cost of binding the kernel
    /// to it.
    fn n_patterns(&self, n: usize) -> usize {
        n
    }

    /// Returns the feature map if the features are explicit. A kernel that needs fitting has none
    /// before.
    fn features(&self) -> Option<&dyn FeatureMap>;

    /// Returns the kernel fitted to a corpus, or `None` if it needs no fitting or is fitted
    /// already. A kernel not yet fitted when it is bound is fitted to the pairs it is bound to.
    fn learn(&self, _corpus: &[Pair], _progress: Progress<'_>) -> Result<Option<Box<dyn Kernel>>> {
        Ok(None)
    }

    /// Returns the fitted state.
    fn learned(&self) -> Option<Learned> {
        None
    }

    /// Returns the kernel with the fitted state of one of its kind, or `None` if the state does not
    /// fit.
    fn with_learned(&self, _learned: &Learned) -> Option<Box<dyn Kernel>> {
        None
    }
}
