//! Resay learns when two texts say the same thing, how, and why.
//!
//! A [`Judge`] decides about pairs of texts and explains its decisions. The bundled one needs
//! nothing else; [`Training`] makes one from your own labelled pairs in seconds, without a GPU or a
//! network. The same input gives the same answer, to the last bit, on any number of threads.
//!
//! ```
//! use resay::prelude::*;
//!
//! # let folder = std::env::temp_dir().join(format!("resay-first-example-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).map_err(|error| resay::Error::write(&folder, error))?;
//! # let rows = "the cat sat\tthe cat was sitting\t1\na dog ran\tthe dog was running\t1\n\
//! #     the cat sat\tit rained in June\t0\na dog ran\tprices fell again\t0\n".repeat(5);
//! # let rows = format!("source\ttarget\tlabel\n{rows}");
//! # let [file, model] = ["pairs.tsv", "mine.resay"].map(|name| folder.join(name));
//! # std::fs::write(&file, rows).map_err(|error| resay::Error::write(&file, error))?;
//! let resources = Resources::bundled();
//! let judge = Judge::bundled()?;
//! let said = judge.decide("He paid 60 euros.", "He paid 80 euros.")?;
//! println!("the same? {} ({:.2})", said.label, said.probability);
//! for part in judge.explain("He paid 60 euros.", "He paid 80 euros.")?.leaves() {
//!     println!("{:+.3} {:?}", part.value, part.what);
//! }
//! let pairs = Dataset::read(&file, None, &Columns::default())?; // source, target, label
//! let mine = Training::new(Task::Paraphrase).fit(&pairs, &resources)?;
//! mine.save(&model)?;
//! # assert!(!said.label && Judge::open(&model, &resources)?.decide("a cow ran", "the cow was running")?.label);
//! # std::fs::remove_dir_all(&folder).map_err(|error| resay::Error::write(&folder, error))?;
//! # Ok::<(), resay::Error>(())
//! ```
//!
//! On the same engine:
//!
//! | task | start here |
//! |---|---|
//! | judge and explain pairs | [`Judge::decide`], [`Judge::predict_all`], [`Judge::explain`] |
//! | learn from labelled pairs | [`Training`], [`Learner`] |
//! | align words and phrases | [`PhraseAligner`] |
//! | compare two versions of a text | [`Judge::diff`] |
//! | find near-duplicates | [`Judge::dedupe`] |
//! | kernels by themselves | [`PairKernel`] |
//! | names across scripts, topics of documents, declared programmes | [`names`], [`topics`], [`programs`] |
//! | annotate English | [`Resources::english`] |
//!
//! Nothing here reads the environment, prints, keeps global state or talks to a network. Long work
//! reports to a [`Progress`] and can be stopped by it. The crate `resay-view` turns explanations
//! into English, JSON, HTML and SVG.
//!
//! # Features
//!
//! `unstable` opens the modules that the command line, the lab and the tests of this repository
//! use: kernels and their feature maps, aligners, latent alignments, model files, readers of
//! research corpora. They may change in any release. Without it, options and results may gain
//! fields: make options by `Default` or `new` and set what you need.

#![cfg_attr(not(feature = "unstable"), allow(dead_code, unreachable_pub, unused_imports))]

#[cfg(feature = "unstable")]
pub mod align;
#[cfg(not(feature = "unstable"))]
mod align;
mod bundled;
#[cfg(feature = "unstable")]
pub mod data;
#[cfg(not(feature = "unstable"))]
mod data;
#[cfg(feature = "unstable")]
pub mod dedupe;
#[cfg(not(feature = "unstable"))]
mod dedupe;
#[cfg(feature = "unstable")]
pub mod diff;
#[cfg(not(feature = "unstable"))]
mod diff;
#[cfg(feature = "unstable")]
pub mod explain;
#[cfg(not(feature = "unstable"))]
mod explain;
#[cfg(feature = "unstable")]
pub mod features;
#[cfg(not(feature = "unstable"))]
mod features;
#[cfg(feature = "unstable")]
pub mod id;
#[cfg(not(feature = "unstable"))]
mod id;
mod judge;
#[cfg(feature = "unstable")]
pub mod kernel;
#[cfg(not(feature = "unstable"))]
mod kernel;
#[cfg(feature = "unstable")]
pub mod latent;
#[cfg(not(feature = "unstable"))]
mod latent;
#[cfg(feature = "unstable")]
pub mod model;
#[cfg(not(feature = "unstable"))]
mod model;
#[cfg(feature = "unstable")]
pub mod pair;
#[cfg(not(feature = "unstable"))]
mod pair;
mod pair_kernel;
mod phrase_aligner;
pub mod prelude;
#[cfg(feature = "unstable")]
pub mod relate;
#[cfg(not(feature = "unstable"))]
mod relate;
#[cfg(feature = "unstable")]
pub mod resources;
#[cfg(not(feature = "unstable"))]
mod resources;
#[cfg(feature = "unstable")]
pub mod train;
#[cfg(not(feature = "unstable"))]
mod train;
mod training;

pub use align::{Alignment, SureLink, SurePhrase};
pub use data::{Columns, Dataset, Example, Format, Label};
pub use dedupe::{Cluster, DedupeOptions, DedupeSummary, Duplicates, JudgedPair, Member};
pub use diff::{DiffDocument, Difference, DifferenceKind, Passage};
pub use explain::{Explanation, Place, RewriteRule, Slot, What};
pub use judge::Judge;
pub use model::{AlignedText, Decision, Header, Prediction, Response};
pub use pair_kernel::PairKernel;
pub use phrase_aligner::PhraseAligner;
pub use resay_learn::matrix::Gram;
pub use resay_learn::progress::{Cancel, Progress, Stage, Step};
pub use resay_learn::threads::Threads;
pub use resay_learn::{Error, Result};
pub use resources::Resources;
pub use train::Task;
pub use training::{Learner, Training};

pub mod names {
    //! Names across scripts: whether two spellings are one name.

    pub use crate::data::Names;
    pub use crate::model::{NameCandidates, NamesModel};
    pub use crate::train::names::{NamesChoice, NamesOptions, train_names};
}

pub mod programs {
    //! Declared programmes: decisions over a latent structure of your own, each example with its
    //! own 0/1 variables, features and constraints.

    pub use crate::data::{ProgramExample, Programs};
    pub use crate::model::ProgramModel;
    pub use crate::train::program::{ProgramChoice, ProgramOptions, train_programs};
}

pub mod topics {
    //! Documents and their topics.

    pub use crate::data::{Document, Documents};
    pub use crate::model::{TopicDecision, TopicModel};
    pub use crate::train::topics::{TopicOptions, train_topics};
}
