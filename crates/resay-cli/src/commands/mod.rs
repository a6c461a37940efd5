//! One file a command: takes what was typed, calls the library, shows what comes back. No learning logic is here.

pub(crate) mod align;
pub(crate) mod annotate;
mod blocks;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod eval;
mod eval_align;
mod eval_topics;
pub(crate) mod explain;
mod explain_align;
mod explain_topics;
pub(crate) mod gram;
mod gram_input;
pub(crate) mod man;
pub(crate) mod models;
pub(crate) mod predict;
mod predict_topics;
pub(crate) mod rank;
pub(crate) mod reproduce;
pub(crate) mod rules;
mod rules_align;
mod rules_topics;
mod topics;
pub(crate) mod train;
mod train_align;
mod train_topics;
