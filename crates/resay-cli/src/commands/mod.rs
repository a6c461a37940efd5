//! One file per command: converts the arguments, calls the library and prints the results. There is
//! no learning logic here.

pub(crate) mod align;
pub(crate) mod annotate;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod dedupe;
pub(crate) mod diff;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod gram;
pub(crate) mod man;
pub(crate) mod models;
pub(crate) mod predict;
pub(crate) mod rank;
pub(crate) mod rules;
pub(crate) mod train;
