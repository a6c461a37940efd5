//! `resay completions`: prints a completion script for a shell.

use crate::args::{Cli, CompletionsArgs};
use crate::output::Output;
use clap::CommandFactory;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    // Written to memory first, because the generators panic on write errors.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "resay", &mut script);
    let mut out = Output::stdout();
    out.write_bytes(&script)?;
    out.finish()
}
