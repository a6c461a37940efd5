//! Plots of `eval`.

use super::{OutputFile, refuse};
use clap::{Args, ValueHint};

/// Options of `eval` for models that decide yes or no.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for models that decide yes or no")]
pub(crate) struct PlotArgs {
    /// Also write a plot of observed shares by probability (SVG); - prints the plot only
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) reliability: Option<OutputFile>,
    /// Also write a plot of error rates by coverage (SVG); - prints the plot only
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) risk: Option<OutputFile>,
}

impl PlotArgs {
    /// Returns an error if any option was given.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        let typed = [("--reliability", self.reliability.is_some()), ("--risk", self.risk.is_some())];
        refuse(&typed, "is for models that decide yes or no")
    }
}
