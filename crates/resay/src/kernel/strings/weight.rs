//! The weight of a string, given the probability p that its last symbol follows the rest of it: the
//! Fisher score of the model, with the identity in place of the information matrix.
//!
//! The score of a parameter p is tf / p, where tf is the number of occurrences of the string. If
//! all probabilities are equal, that is tf up to a constant. With p = exp(-exp(-t)), the score of
//! the parameter t is tf * ln(1 / p).

use crate::{Error, Result};

/// A weighting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Weight {
    /// All strings weigh the same.
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

    /// Returns the name in an expression.
    pub(super) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, weight)| *weight == self).map_or("", |(name, _)| name)
    }

    /// Parses a name; `kernel` is the kernel to name in error messages.
    pub(super) fn parse(kernel: &str, name: &str) -> Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, weight)| *weight).ok_or_else(|| {
            Error::parameter(format!("kernel {kernel}: weight={name}, expected uniform, inverse or log"))
        })
    }

    /// Returns the weight of a string whose last symbol has this probability, above 0.
    pub(super) fn of(self, chance: f64) -> f64 {
        match self {
            Self::Uniform => 1.0,
            Self::Inverse => 1.0 / chance,
            // A probability of 1 gives 0, never -0.
            Self::Log => (1.0 / chance).ln().abs(),
        }
    }
}
