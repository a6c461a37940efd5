//! The string re-writing kernels (SRK) of Bu, Li and Zhu (2012). Two sentence pairs are similar to
//! the extent that the same rewriting rules apply to both. A rule is a source pattern and a target
//! pattern, with wildcards that may be linked across. Its value in a pair is the number of its
//! matches times lambda to the number of its wildcards (of linked wildcard pairs, in the bijective
//! kernel).

mod bijective;
mod masked;
mod pairwise;

pub(super) use bijective::Bijective;
pub(super) use pairwise::{PairwiseSpectrum, PairwiseWildcard};
