//! Resay learns when one text re-says another, how, and why.
//!
//! The way data takes: text is tokenised and interned once ([`text`]), labelled pairs are read by [`data`],
//! [`kernel`] turns a pair into re-writing rules or a Gram matrix, [`svm`] learns from those, [`model`] keeps
//! what was learned in one file and explains its decisions, [`task`] joins data, learner and measure, and
//! [`eval`] measures. Nothing here reads the environment, prints, or keeps global state.

pub mod data;
mod error;
pub mod eval;
pub mod explain;
pub mod kernel;
pub mod model;
pub mod svm;
pub mod task;
pub mod text;

pub use error::{Error, Result};
