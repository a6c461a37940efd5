//! Names across scripts: aligns the characters of two spellings and decides whether they are the
//! same name.
//!
//! A pair is scored by its best alignment: one-to-one and monotone, with deletions on either side
//! ([`resay_learn::matching::monotone`]). Training takes true pairs only; negative pairs are drawn.

mod alphabet;
mod begin;
mod examples;
mod features;
mod machine;
mod negatives;
mod numbers;
mod problem;
mod rank;
#[cfg(test)]
mod truth;
mod units;

pub use alphabet::Alphabet;
pub use examples::{Begin, Examples, NamesSettings};
pub use features::{Key, NameFeatures, Templates, Views, is_possible};
pub use machine::{MAX_WEIGHT, MachineScratch, NameMachine};
pub use problem::{NamePart, NameProblem, NameScratch};
pub use rank::{Best, PreparedNames, RankScratch, RankedName};
pub use units::{NameUnits, whole_of_second};

/// A pair of numbered names and its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the source name.
    pub source: u32,
    /// The number of the target name.
    pub target: u32,
    /// Whether it is a true pair.
    pub is_true: bool,
}

/// The divisor of Φ, so that long names do not outweigh short ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// No normalisation.
    One,
    /// The total number of characters.
    Sum,
    /// The length of the longer name.
    Longer,
    /// The square root of the total number of characters.
    Root,
}

impl Scale {
    /// All scales with their names.
    pub const NAMES: [(&'static str, Self); 4] =
        [("one", Self::One), ("sum", Self::Sum), ("longer", Self::Longer), ("root", Self::Root)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, scale)| *scale == self).map_or("", |(name, _)| name)
    }

    /// The factor that features are multiplied by.
    pub fn of(self, n_source: usize, n_target: usize) -> f64 {
        let sum = (n_source + n_target).max(1) as f64;
        match self {
            Self::One => 1.0,
            Self::Sum => 1.0 / sum,
            Self::Longer => 1.0 / n_source.max(n_target).max(1) as f64,
            Self::Root => 1.0 / sum.sqrt(),
        }
    }
}
