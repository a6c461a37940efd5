//! The numbers behind Resay: nothing in this crate sees a word.
//!
//! - [`matrix`]: sparse rows and Gram matrices.
//! - [`svm`]: support vector machines over either, with the search for their cost; [`calibrate`] turns scores into
//!   probabilities.
//! - [`sequence`]: semi-Markov lattices. [`matching`]: the best way to lay one structure over another, under constraints.
//! - [`latent`]: learning over latent structures (LCLR). [`optim`]: L-BFGS.
//! - [`eval`]: measures of quality, and how far to trust them.
//! - [`progress`]: reports of long work, and how to stop it. [`threads`]: who does it. [`rng`]: chance with a seed.
//!
//! All crates of Resay share the one [`Error`] of this crate.

pub mod calibrate;
mod error;
pub mod eval;
pub mod latent;
pub mod matching;
pub mod matrix;
pub mod optim;
pub mod progress;
pub mod rng;
pub mod sequence;
pub mod svm;
pub mod threads;

pub use error::{Error, Result};
