//! The numerical core of Resay. Nothing in this crate handles text.
//!
//! - [`matrix`]: sparse rows and Gram matrices.
//! - [`svm`]: support vector machines over either, and the search for their cost; [`calibrate`]
//!   turns scores into probabilities and intervals.
//! - [`sequence`]: semi-Markov lattices. [`matching`]: the best alignment of two structures, under
//!   constraints.
//! - [`latent`]: learning over latent structures (LCLR). [`optim`]: L-BFGS. [`prior`]: linear models
//!   that start from an older one.
//! - [`boost`]: gradient-boosted trees. [`softmax`]: logistic regression over many binary columns.
//! - [`eval`]: evaluation metrics, confidence intervals and significance tests.
//! - [`progress`]: progress reports and cancellation. [`threads`]: thread pools. [`rng`]: seeded
//!   random numbers.
//!
//! All crates of Resay share this crate's [`Error`].

pub mod boost;
pub mod calibrate;
mod error;
pub mod eval;
pub mod latent;
pub mod matching;
pub mod matrix;
pub mod optim;
pub mod prior;
pub mod progress;
pub mod rng;
pub mod sequence;
pub mod softmax;
pub mod svm;
pub mod threads;

pub use error::{Error, Result};
