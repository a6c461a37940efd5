//! Kernels: how alike two pairs of sentences are, as re-writings.
//!
//! Three shapes carry the whole module. A [`Kernel`] is a recipe: one kernel at one size, not normalised. BoundKernel to a
//! corpus it is an [`Index`] that gives whole rows of kernel values at once. An [`Expression`] is what the user wrote,
//! `kb(k=1..4)+pr`: a sum of kernels, normalised. Kernels whose features can be written down also offer a
//! [`FeatureMap`], from which a linear machine learns without any Gram matrix and whose features can be read.

mod classic;
mod combine;
mod expression;
mod features;
mod idf;
mod index;
mod list;
mod matching;
mod overlap;
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
pub use list::{RuleColumns, RuleMatrix};
pub use matching::{Matched, matches};
pub use pattern::{Item, PatternIds, PatternOverlay, PatternTable, RuleTable};
pub use resay_learn::matrix::{Gram, Rows};

use crate::Result;
use resay_learn::progress::Progress;
use resay_text::{Classify, Layers, Pair, Symbol};
use std::fmt::Debug;
use std::sync::Arc;

/// The largest k: patterns are matched with bit masks, and nobody's sentences share longer rules.
pub const MAX_K: usize = 12;

/// How a kernel joins a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Cosine-normalised, and again together with the others of its kind.
    Whole,
    /// Cosine-normalised by itself only.
    Part,
    /// As it is.
    Plain,
}

/// What a kernel learned from a corpus, in a form that any file can hold: symbols, which each file numbers in its own way,
/// and numbers. What they mean is the kernel's affair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Without repetition.
    pub symbols: Vec<Symbol>,
    /// In the kernel's order.
    pub numbers: Vec<u32>,
}

/// A kernel at one size: a recipe that knows no data yet. Values are raw; [`Expression`] normalises.
pub trait Kernel: Send + Sync + Debug {
    /// The expression that makes this kernel again, such as `kb(k=2,lambda=0.5)`.
    fn describe(&self) -> String;

    /// How the kernel joins a sum.
    fn scaling(&self) -> Scaling {
        Scaling::Whole
    }

    /// What annotation the kernel looks at besides a sentence's units.
    fn layers(&self) -> Layers {
        Layers::NONE
    }

    /// The kernel of texts that stand alone, if it is one; all others compare pairs.
    fn text(&self) -> Option<&strings::OneText> {
        None
    }

    /// The classes of words that the kernel looks at, which sentences then hold.
    fn classes(&self) -> Option<Arc<dyn Classify>> {
        None
    }

    /// Makes what kernels of one kind share before they are bound to pairs, all at once.
    fn prepare(&self, _columns: &[Pair], _progress: Progress<'_>) -> Result<()> {
        Ok(())
    }

    /// Binds the kernel to the pairs that will be compared with.
    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>>;

    /// About how many patterns a side of `n` symbols has: what binding the kernel to it costs.
    fn n_patterns(&self, n: usize) -> usize {
        n
    }

    /// The kernel's features, if they can be written down. A kernel that learns from a corpus has none before it has.
    fn features(&self) -> Option<&dyn FeatureMap>;

    /// The kernel with what it learns from a corpus; none if it learns nothing, or has learned already. One that has
    /// not when it is bound learns from the pairs that it is bound to.
    fn learn(&self, _corpus: &[Pair], _progress: Progress<'_>) -> Result<Option<Box<dyn Kernel>>> {
        Ok(None)
    }

    /// What it has learned.
    fn learned(&self) -> Option<Learned> {
        None
    }

    /// The kernel with what one of its kind has learned; none if that cannot be.
    fn with_learned(&self, _learned: &Learned) -> Option<Box<dyn Kernel>> {
        None
    }
}
