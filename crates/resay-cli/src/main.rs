//! The command line of Resay: turns arguments into calls of the library and prints the results.
//!
//! All commands return here. A failure is one message on standard error and an exit status: 2 if
//! the user can fix it (usage, input), 3 for a system error. Status 1 is not a failure: a `--check`
//! did not hold. Nor is a reader that closes the pipe.

mod args;
mod classified;
mod commands;
mod failure;
mod files;
mod hints;
mod input;
mod models;
mod output;
mod progress;
mod render;
mod stream;
mod text_file;
mod unfit;

use args::{Cli, Command, Common};
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use failure::{Failure, Usage};
use output::Output;
use resay::resources::Resources;
use resay_learn::threads::Threads;
use resay_view::json::{VERSION, Version};
use std::io::Write;
use std::num::NonZero;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match std::env::args_os().len() {
        0 | 1 => show(&Cli::command().render_help()),
        _ => match parse() {
            Ok((command, matches, cli)) => files::check(&command, &matches, &cli.common).and_then(|()| run(cli)),
            Err(asked)
                if asked.kind() == ErrorKind::DisplayVersion && std::env::args_os().any(|arg| arg == "--json") =>
            {
                show_version()
            }
            // A request for help or the version.
            Err(asked) if asked.exit_code() == 0 => show(&asked.render()),
            Err(fault) => {
                let typed: Vec<String> =
                    std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
                match hints::hint(&fault, &typed) {
                    Some(hint) => Err(Usage(hint).into()),
                    None => {
                        // Ignored: nothing can be done if standard error is closed.
                        let _ = fault.print();
                        return ExitCode::from(2);
                    }
                }
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

/// Parses the command line, both into the types of the commands and argument by argument.
fn parse() -> Result<(clap::Command, ArgMatches, Cli), clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((command, matches, cli))
}

/// Prints the versions of the program and of its JSON, for other programs.
fn show_version() -> anyhow::Result<()> {
    let mut out = Output::stdout();
    out.json(&Version { version: env!("CARGO_PKG_VERSION"), json: VERSION })?;
    out.finish()
}

fn show(text: &StyledStr) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    let text = if out.is_coloured() { text.ansi().to_string() } else { text.to_string() };
    out.write_str(&text)?;
    out.finish()
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let Cli { mut common, command } = cli;
    common.resources =
        Resources::bundled().with_threads(Threads::new(common.threads.map(usize::from).and_then(NonZero::new)));
    let phrases = command.phrases().map(|args| input::phrases(&common, &args.phrases)).transpose()?;
    if let Some(tables) = phrases.filter(|tables| !tables.is_empty()) {
        common.resources = common.resources.with_phrases(tables)?;
    }
    // All parallel work of a command uses these threads.
    common.resources.threads().run(|| dispatch(&common, command))?
}

fn dispatch(common: &Common, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Compare(args) => commands::compare::run(common, &args),
        Command::Diff(args) => commands::diff::run(common, &args),
        Command::Align(args) => commands::align::run(common, &args),
        Command::Train(args) => commands::train::run(common, &args),
        Command::Predict(args) => commands::predict::run(common, &args),
        Command::Rank(args) => commands::rank::run(common, &args),
        Command::Dedupe(args) => commands::dedupe::run(common, &args),
        Command::Eval(args) => commands::eval::run(common, &args),
        Command::Rules(args) => commands::rules::run(common, &args),
        Command::Explain(args) => commands::explain::run(common, &args),
        Command::Gram(args) => commands::gram::run(common, &args),
        Command::Annotate(args) => commands::annotate::run(common, &args),
        Command::Models(args) => commands::models::run(common, &args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man => commands::man::run(),
    }
}
