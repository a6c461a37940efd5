//! Kernels of single texts: how many strings two texts share, of which lengths and with which
//! weights.
//!
//! Most are bound to a corpus to list its strings as numbered features ([`StringFeatures`]), which
//! turn texts into sparse vectors. Where there are too many strings to list, two texts are compared
//! directly (`subsequence`). In an expression, such a kernel compares single texts ([`OneText`]),
//! or both sides of a pair, as a product: `pair(spectrum(k=2))` ([`BothTexts`]).

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

/// A kernel of texts whose strings can be listed, at one size and not yet bound to data.
trait StringKernel: Send + Sync + Debug {
    /// Returns an expression that parses to this kernel.
    fn describe(&self) -> String;

    /// Returns whether the values of strings depend on the corpus that lists them.
    fn learns(&self) -> bool {
        false
    }

    /// Lists the strings of a corpus.
    fn list(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Arc<dyn StringFeatures>>;

    /// Restores the listed strings from their stored form. Returns `None` if it is invalid.
    fn restore(&self, learned: &Learned) -> Option<Arc<dyn StringFeatures>>;
}

/// The strings of a corpus as features, numbered from 0.
pub trait StringFeatures: Send + Sync + Debug {
    /// Returns the number of features.
    fn n_features(&self) -> usize;

    /// Fills `out` with the features of a text, by ascending number. Returns the squared length of
    /// those that occur in the text but not in the corpus.
    fn extract(&self, text: &[Symbol], out: &mut Vec<(u32, f64)>) -> f64;

    /// Visits every occurrence of a feature in a text: feature number and range of symbols.
    fn occurrences(&self, text: &[Symbol], found: &mut dyn FnMut(u32, Range<usize>));

    /// Returns the string of a feature, or the last symbols of a very long one.
    fn string(&self, feature: u32) -> Vec<Item>;

    /// Returns the fitted state, to be stored in a file.
    fn learned(&self) -> Learned;

    /// Returns the log probability of a text, if the strings belong to a probabilistic model of
    /// texts.
    fn log_probability(&self, _text: &[Symbol]) -> Option<f64> {
        None
    }
}

/// The maximal number of symbols of a feature to show.
const MOST_SHOWN: usize = 200;

/// The number of steps of a linear pass over a corpus between two checks for cancellation.
const STEPS_BETWEEN: usize = 1 << 14;

/// Checks for cancellation at some steps of a linear pass.
fn check_at(step: usize, progress: Progress<'_>) -> Result<()> {
    if step.is_multiple_of(STEPS_BETWEEN) { progress.check() } else { Ok(()) }
}

/// Sorts the items and visits each distinct one with its count.
fn tally<T: Ord + Copy>(found: &mut [T], mut each: impl FnMut(T, f64)) {
    found.sort_unstable();
    found.chunk_by(|a, b| a == b).for_each(|run| each(run[0], run.len() as f64));
}
