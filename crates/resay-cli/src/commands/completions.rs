//! `resay completions`: what a shell needs to complete command lines.

use crate::args::{Cli, CompletionsArgs};
use crate::output::Output;
use clap::CommandFactory;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    // Written to memory first: the generators panic where they cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "resay", &mut script);
    let mut out = Output::stdout();
    out.write_bytes(&script)?;
    out.finish()
}
