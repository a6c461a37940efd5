//! Kernels of texts by themselves: how many strings two texts share, of which lengths and how weighed.
//!
//! Most are recipes that, bound to a corpus, list its strings as numbered features ([`StringFeatures`]), from which texts become
//! sparse vectors. Where there are too many to list, two texts are compared directly (`subsequence`). In an expression such a kernel compares texts that stand alone ([`OneText`]), or both sides of a
//! pair, as a product: `pair(spectrum(k=2))` ([`BothTexts`]).

mod alphabet;
mod automaton;
mod bow;
mod compared;
mod entry;
mod fsm;
mod grams;
mod subsequence;
mod suffixes;
mod text;
mod vectors;
mod weight;

pub(super) use entry::KERNELS;
pub use subsequence::{
    PreparedSubsequences, SubsequenceForm, SubsequenceScratch, Subsequences, subsequences_by_recursion,
    subsequences_by_tables,
};
pub use text::{BothTexts, OneText};
pub use vectors::{TextRows, TextVector, TextVectors};

use super::{Item, Learned};
use crate::Result;
use resay_learn::progress::Progress;
use resay_text::Symbol;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// A kernel of texts whose strings can be listed, at one size: a recipe that knows no data yet.
trait StringKernel: Send + Sync + Debug {
    /// The expression that makes this kernel again.
    fn describe(&self) -> String;

    /// Whether what the strings count depends on the corpus that they are listed from.
    fn learns(&self) -> bool {
        false
    }

    /// The strings of a corpus.
    fn list(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Arc<dyn StringFeatures>>;

    /// The same from what was learned; none if it cannot have been.
    fn restore(&self, learned: &Learned) -> Option<Arc<dyn StringFeatures>>;
}

/// The strings of a corpus as features, numbered from 0.
pub trait StringFeatures: Send + Sync + Debug {
    /// How many features.
    fn n_features(&self) -> usize;

    /// Fills `out` with the features of a text, by rising number; returns the squared length of those that the text has
    /// and the corpus has not.
    fn extract(&self, text: &[Symbol], out: &mut Vec<(u32, f64)>) -> f64;

    /// Where in a text its features are: visits the number and the range of symbols of every occurrence.
    fn occurrences(&self, text: &[Symbol], found: &mut dyn FnMut(u32, Range<usize>));

    /// The string that is a feature; of a very long one, its last symbols.
    fn string(&self, feature: u32) -> Vec<Item>;

    /// What was learned, for a file.
    fn learned(&self) -> Learned;

    /// The logarithm of the probability of a text, where the strings are those of a model of texts.
    fn log_probability(&self, _text: &[Symbol]) -> Option<f64> {
        None
    }
}

/// The most symbols of a feature that are shown.
const MOST_SHOWN: usize = 200;

/// After how many steps of a linear pass over a corpus it is asked whether to go on.
const STEPS_BETWEEN: usize = 1 << 14;

/// At some steps of a linear pass, an error if it was told to stop.
fn check_at(step: usize, progress: Progress<'_>) -> Result<()> {
    if step.is_multiple_of(STEPS_BETWEEN) { progress.check() } else { Ok(()) }
}

/// Counts equal numbers: sorted, each once with how often it came.
fn tally<T: Ord + Copy>(found: &mut [T], mut each: impl FnMut(T, f64)) {
    found.sort_unstable();
    found.chunk_by(|a, b| a == b).for_each(|run| each(run[0], run.len() as f64));
}
