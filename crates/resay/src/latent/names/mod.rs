//! Names across scripts: which character of one spelling stands for which of the other, and whether both are one name.
//!
//! A pair of names is judged by its best map: one-to-one, without crossings, characters left out on either side
//! ([`resay_learn::matching::monotone`]). Only true pairs are given; wrong ones are drawn.

mod alphabet;
mod begin;
mod examples;
mod features;
mod machine;
mod negatives;
mod problem;
mod rank;
#[cfg(test)]
mod truth;

pub use alphabet::Alphabet;
pub use examples::{Begin, Examples, NamesSettings};
pub use features::{Key, NameFeatures, Templates, Views, is_possible};
pub use machine::{MAX_WEIGHT, MachineScratch, NameMachine};
pub use problem::{NamePart, NameProblem, NameScratch};
pub use rank::{Best, PreparedNames, RankScratch, RankedName};

/// Two names and whether they are one, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Which name of the source.
    pub source: u32,
    /// Which name of the target.
    pub target: u32,
    /// Whether it is a true pair.
    pub is_true: bool,
}

/// What Φ is divided by, so that long names weigh no more than short ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Nothing.
    One,
    /// The characters of both.
    Sum,
    /// The characters of the longer.
    Longer,
    /// The root of the characters of both.
    Root,
}

impl Scale {
    /// Every scale, by its name.
    pub const NAMES: [(&'static str, Self); 4] =
        [("one", Self::One), ("sum", Self::Sum), ("longer", Self::Longer), ("root", Self::Root)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, scale)| *scale == self).map_or("", |(name, _)| name)
    }

    /// What features are multiplied by.
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
