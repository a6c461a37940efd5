//! Names across scripts: which character of one spelling stands for which of the other, and whether both are one name.
//!
//! A pair of names is judged by its best map: one-to-one, without crossings, characters left out on either side
//! ([`crate::structure::monotone`]). Only true pairs are given; wrong ones are drawn.

pub mod alphabet;
pub mod begin;
pub mod features;
pub mod machine;
pub mod negatives;
pub mod problem;
pub mod rank;

pub use alphabet::{Alphabet, Context};
pub use features::{Features, Templates, Views};
pub use machine::{MachineScratch, NameMachine};
pub use problem::{NameProblem, NameScratch, Part};
pub use rank::{Best, Found, Prepared, RankScratch};

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
