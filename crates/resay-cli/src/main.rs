//! The command line of Resay: what was typed becomes a call of the library, and what comes back is shown.
//!
//! Every command returns here. A failure is one message on standard error and an exit status: 2 if the user can put it
//! right (usage, input), 3 if the machine is at fault. 1 is no failure: a check that was asked for found something. A reader that closes the pipe has had enough, which is no failure.

mod args;
mod bundled;
mod commands;
mod failure;
mod groups;
mod html;
mod input;
mod output;
mod picture;
mod plot;
mod progress;
mod reasons;
mod render;
mod wire;

use args::{Cli, Command, Common};
use clap::builder::StyledStr;
use clap::{CommandFactory, Parser};
use failure::Failure;
use output::Output;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match std::env::args_os().len() {
        0 | 1 => show(&Cli::command().render_help()),
        _ => match Cli::try_parse() {
            Ok(cli) => run(cli),
            // A call for help or for the version.
            Err(asked) if asked.exit_code() == 0 => show(&asked.render()),
            Err(error) => {
                // Nothing is left to do if even standard error is closed.
                let _ = error.print();
                return ExitCode::from(2);
            }
        },
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let failure = Failure::of(&error);
    if let Some(message) = failure.message {
        let _ = writeln!(std::io::stderr(), "error: {message}");
    }
    ExitCode::from(failure.status)
}

fn show(text: &StyledStr) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    let text = if out.is_coloured() { text.ansi().to_string() } else { text.to_string() };
    out.write_str(&text)?;
    out.finish()
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let Cli { common, command } = cli;
    start_threads(&common)?;
    match command {
        Command::Compare(args) => commands::compare::run(&common, &args),
        Command::Diff(args) => commands::diff::run(&common, &args),
        Command::Align(args) => commands::align::run(&common, &args),
        Command::Train(args) => commands::train::run(&common, &args),
        Command::Predict(args) => commands::predict::run(&common, &args),
        Command::Rank(args) => commands::rank::run(&common, &args),
        Command::Dedupe(args) => commands::dedupe::run(&common, &args),
        Command::Eval(args) => commands::eval::run(&common, &args),
        Command::Rules(args) => commands::rules::run(&common, &args),
        Command::Explain(args) => commands::explain::run(&common, &args),
        Command::Gram(args) => commands::gram::run(&common, &args),
        Command::Annotate(args) => commands::annotate::run(&common, &args),
        Command::Reproduce(args) => commands::reproduce::run(&common, &args),
        Command::Models(args) => commands::models::run(&common, &args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man => commands::man::run(),
    }
}

fn start_threads(common: &Common) -> anyhow::Result<()> {
    if let Some(n_threads) = common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(n_threads.into()).build_global()?;
    }
    Ok(())
}
