//! Learning over constrained latent representations (Chang, Goldwasser, Roth, Srikumar 2010): from labels alone, both the
//! latent structure of an example and the decision over it are learned.
//!
//! An example x is judged by f(x) = max over h in C of u·Φ(x, h): the best latent structure that constraints allow, and yes
//! if its score is above 0. A [`LatentProblem`] says what structures there are and what their features are; [`learn`] finds u.

mod inner;
mod learn;
#[cfg(test)]
mod truth;

pub use inner::{Sparse, dot};
pub use learn::{LatentMachine, LatentParams, LatentStage, LatentStep, LatentStop, learn, two_stage};

use crate::Result;
use crate::matching::Choice;

/// Labelled examples with hidden structure.
pub trait LatentProblem: Sync {
    /// What inference needs while it works; one a thread.
    type Scratch: Default + Send;

    /// How many examples there are.
    fn n_examples(&self) -> usize;

    /// How many features there are.
    fn n_features(&self) -> usize;

    /// The label of an example.
    fn is_positive(&self, example: usize) -> bool;

    /// What the example's loss is multiplied by.
    fn weight(&self, _example: usize) -> f64 {
        1.0
    }

    /// The hidden structure of the highest score under these weights. Its score need not count what all structures of the
    /// example share. `start` is the best one under other weights: where to begin.
    fn best(
        &self,
        example: usize,
        weights: &[f64],
        start: Option<&[u32]>,
        scratch: &mut Self::Scratch,
    ) -> Result<Choice>;

    /// Φ(x, h): features of a structure, by number, each once; with what all structures of the example share.
    fn features(&self, example: usize, active: &[u32]) -> Sparse;
}
