//! The user's own tables of phrases, for the commands that ask the bundled judge.

use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Default, Args)]
pub(crate) struct PhraseArgs {
    /// Also use the phrase relations of FILE; may be given several times
    ///
    /// For the bundled judge. A line is a phrase, a tab, a relation, a tab, a phrase, such as "gold
    /// plan", "alternative", "silver plan". Relations are equal, forward, backward, opposite,
    /// alternative and converse; docs/phrases.md says more. They hold before the bundled ones.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) phrases: Vec<PathBuf>,
}
