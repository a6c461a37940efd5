//! Learning over constrained latent representations (Chang, Goldwasser, Roth, Srikumar 2010). From
//! labels alone, it learns both the latent structure of an example and the decision over it.
//!
//! An example x is scored by f(x) = max over h in C of u·Φ(x, h), the best latent structure that
//! satisfies the constraints, and is positive if the score is above 0. A [`LatentProblem`] defines
//! the structures and their features; [`learn`] finds u.

mod inner;
mod learn;
#[cfg(test)]
mod truth;

pub use inner::{Sparse, dot};
pub use learn::{LatentMachine, LatentParams, LatentStage, LatentStep, LatentStop, learn, two_stage};

use crate::Result;
use crate::matching::Choice;

/// Labelled examples with latent structure.
pub trait LatentProblem: Sync {
    /// Scratch space of inference, one per thread.
    type Scratch: Default + Send;

    /// Number of examples.
    fn n_examples(&self) -> usize;

    /// Number of features.
    fn n_features(&self) -> usize;

    /// Whether an example is positive.
    fn is_positive(&self, example: usize) -> bool;

    /// The weight of an example's loss.
    fn weight(&self, _example: usize) -> f64 {
        1.0
    }

    /// Returns the latent structure with the highest score under these weights. The score may omit
    /// what all structures of the example share. `start` is the best structure under earlier
    /// weights, as a starting point.
    fn best(
        &self,
        example: usize,
        weights: &[f64],
        start: Option<&[u32]>,
        scratch: &mut Self::Scratch,
    ) -> Result<Choice>;

    /// Returns Φ(x, h): the features of a structure, sorted by number and without duplicates,
    /// including what all structures of the example share.
    fn features(&self, example: usize, active: &[u32]) -> Sparse;
}
