//! The command line of Resay: what was typed becomes a call of the library, and what comes back is shown.
//!
//! Every command returns here. A failure is one message on standard error and an exit status: 2 if the user can put it
//! right (usage, input), 3 if the machine is at fault. A reader that closes the pipe has had enough, which is no failure.

mod args;
mod bundled;
mod commands;
mod failure;
mod input;
mod output;
mod progress;
mod render;
mod wire;

use args::{Cli, Command, Common};
use clap::{CommandFactory, Parser};
use failure::Failure;
use output::Output;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match std::env::args_os().len() {
        0 | 1 => help(),
        _ => match Cli::try_parse() {
            Ok(cli) => run(cli),
            Err(error) => return usage(&error),
        },
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let failure = Failure::of(&error);
    if let Some(message) = failure.message {
        // Nothing is left to do if even standard error is closed.
        let _ = writeln!(std::io::stderr(), "error: {message}");
    }
    ExitCode::from(failure.status)
}

/// `resay` alone.
fn help() -> anyhow::Result<()> {
    let mut out = Output::stdout();
    out.write_str(&Cli::command().render_help().to_string())?;
    out.finish()
}

/// Wrong usage, or a call for help or the version.
fn usage(error: &clap::Error) -> ExitCode {
    match (error.print(), error.exit_code()) {
        (Err(refused), 0) if refused.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(3),
        (_, status) => ExitCode::from(u8::try_from(status).unwrap_or(2)),
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let Cli { common, command } = cli;
    start_threads(&common)?;
    match command {
        Command::Compare(args) => commands::compare::run(&common, &args),
        Command::Train(args) => commands::train::run(&common, &args),
        Command::Predict(args) => commands::predict::run(&common, &args),
        Command::Eval(args) => commands::eval::run(&common, &args),
        Command::Rules(args) => commands::rules::run(&common, &args),
        Command::Explain(args) => commands::explain::run(&common, &args),
        Command::Gram(args) => commands::gram::run(&common, &args),
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
