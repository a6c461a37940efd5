//! How much a string counts, given the chance p that its last symbol follows the rest of it: Fisher scores of the model that
//! says so, with the identity in place of the information matrix.
//!
//! The score of a parameter p is tf / p, where tf is how often the string occurs; with all chances equal that is tf alone, up to
//! a constant; and with p = exp(-exp(-t)) the score of the parameter t is tf * ln(1 / p).

use crate::{Error, Result};

/// A weighting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Weight {
    /// Every string counts the same.
    #[default]
    Uniform,
    /// 1 / p.
    Inverse,
    /// ln(1 / p).
    Log,
}

impl Weight {
    const NAMES: [(&'static str, Self); 3] =
        [("uniform", Self::Uniform), ("inverse", Self::Inverse), ("log", Self::Log)];

    /// Its name in an expression.
    pub(super) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, weight)| *weight == self).map_or("", |(name, _)| name)
    }

    /// By its name, for a kernel that messages call `kernel`.
    pub(super) fn parse(kernel: &str, name: &str) -> Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, weight)| *weight).ok_or_else(|| {
            Error::parameter(format!("kernel {kernel}: weight={name}, expected uniform, inverse or log"))
        })
    }

    /// The weight of a string whose last symbol has this chance, above 0.
    pub(super) fn of(self, chance: f64) -> f64 {
        match self {
            Self::Uniform => 1.0,
            Self::Inverse => 1.0 / chance,
            // A chance of 1 gives 0, and never -0.
            Self::Log => (1.0 / chance).ln().abs(),
        }
    }
}
