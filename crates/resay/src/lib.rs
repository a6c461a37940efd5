//! Resay learns when one text re-says another, how, and why.
//!
//! The way data takes: text is tokenised and interned once ([`text`]), labelled pairs are read by [`data`],
//! [`kernel`] turns a pair into re-writing rules or a Gram matrix, [`svm`] learns from those, [`model`] keeps
//! what was learned in one file and explains its decisions, [`train`] joins data, learner and measure, and
//! [`eval`] measures. Nothing here reads the environment, prints, or keeps global state.
//!
//! ```
//! use resay::data::{Columns, Dataset};
//! use resay::model::PairModel;
//! use resay_learn::progress::Progress;
//! use resay::resources::Resources;
//! use resay::train::{CostChoice, Options, Task, train};
//!
//! let pairs = "source\ttarget\tlabel\n\
//!     the cat sat\tthe cat was sitting\t1\n\
//!     a dog ran\tthe dog was running\t1\n\
//!     the cat sat\tit rained in June\t0\n\
//!     a dog ran\tprices fell again\t0\n";
//! let pairs = Dataset::from_reader("pairs.tsv", pairs.as_bytes(), None, &Columns::default())?;
//! let options = Options { choice: CostChoice::Folds(2), costs: vec![1.0], ..Options::new(Task::Paraphrase) };
//! let model = train(&pairs, &options, &Resources::bundled(), Progress::none())?;
//! let model: &dyn PairModel = &model;
//! let decision = model.predict_one("the cow slept", "the cow was sleeping")?.decision()?;
//! assert!(decision.score > 0.0 && decision.label);
//! # Ok::<(), resay::Error>(())
//! ```

pub mod align;
mod bundled;
pub mod data;
pub mod dedupe;
pub mod diff;
pub mod explain;
pub mod features;
pub mod id;
pub mod kernel;
pub mod latent;
pub mod model;
pub mod pair;
pub mod resources;
pub mod train;

pub use resay_learn::{Error, Result};
