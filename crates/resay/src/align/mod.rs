//! The semi-Markov aligner (Yao, Van Durme, Callison-Burch and Clark 2013, with extensions). Aligns
//! the words and phrases of two sentences, trained on aligned pairs.

mod aligner;
mod compared;
mod crf;
mod explanation;
mod features;
mod first;
mod fit;
mod matching;
mod memo;
mod merge;
mod settings;
mod states;
pub mod strings;
mod synthesis;
mod table;
#[cfg(test)]
mod truth;
mod words;

pub(crate) use crate::id::{Level, WordClass as Class};
pub use aligner::{AlignScratch, Aligner, Alignment, Decode, SureLink, SurePhrase};
pub(crate) use compared::{WordMatrix, WordPair};
pub use crf::Costs;
pub use features::feature_templates;
pub use fit::{AlignExample, Fitted, fit};
pub use matching::{Entry, heaviest_chain, matching};
pub(crate) use memo::WordMemo;
pub use merge::Merge;
pub use resay_learn::optim::LbfgsStop;
pub use settings::{AlignSettings, MAX_LONGEST};
pub use synthesis::{chunks, synthesise};
pub use table::Direction;
pub(crate) use words::AlignWord;
