//! Builds the bundled files whose inputs changed.
//!
//! The record (`made.json`) holds the hashes of all inputs of a file and of the file itself. It is
//! written after every step, so that an interrupted build continues where it stopped. If a rebuilt
//! file has the same bytes as before, the files that depend on it are not rebuilt.

pub(crate) mod graph;
mod plan;
mod record;
mod state;
#[cfg(test)]
mod tests;

use self::graph::{Graph, Source, Step};
use self::plan::{Request, plan};
use self::record::Record;
use self::state::State;
use crate::files::{Files, Folders};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::Instant;

#[derive(Args)]
pub(crate) struct MakeArgs {
    /// The files to make, by name, with what they need; all if none is named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Say what would be made and why, and make nothing
    #[arg(long)]
    dry_run: bool,
    /// Make the named files (all if none is named) even if nothing changed
    #[arg(long)]
    force: bool,
    /// Print the steps: what each writes, reads and needs
    #[arg(long, conflicts_with_all = ["dry_run", "force", "adopt"])]
    list: bool,
    /// Record the named files (all if none is named) as made from what is there now, and make
    /// nothing. For files that are right but have no record, and after changes of the code that
    /// change no file
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    adopt: bool,
}

/// Runs the command.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn run(graph: &Graph, folders: &Folders, args: &MakeArgs) -> Result<()> {
    let say = &mut |line: &str| println!("{line}");
    let forced = graph.steps().iter().map(|step| step.name.to_owned());
    let forced = forced.filter(|name| args.force && (args.names.is_empty() || args.names.contains(name))).collect();
    let request = Request { names: args.names.clone(), forced };
    if args.list {
        list(graph, &args.names, say)
    } else if args.dry_run {
        dry_run(graph, folders, &request, say)
    } else if args.adopt {
        adopt(graph, folders, &args.names, say)
    } else {
        make(graph, folders, request, say).map(|_| ())
    }
}

/// Receives a line of output.
type Say<'a> = &'a mut dyn FnMut(&str);

fn list(graph: &Graph, names: &[String], say: Say<'_>) -> Result<()> {
    let is_in = graph.with_needs(names)?;
    for (step, _) in graph.steps().iter().zip(is_in).filter(|(_, is_in)| *is_in) {
        say(&format!("{}: {}, recipe {}", step.name, step.output, step.recipe));
        step.sources.iter().for_each(|source| say(&format!("  reads {source}")));
        if !step.needs.is_empty() {
            say(&format!("  needs {}", step.needs.join(", ")));
        }
        say(&format!("  settings {}", (step.settings)()));
    }
    Ok(())
}

fn dry_run(graph: &Graph, folders: &Folders, request: &Request, say: Say<'_>) -> Result<()> {
    let state = State::look(graph, &graph.with_needs(&request.names)?, folders)?;
    let planned = plan(graph, &Record::read(&folders.models)?, &state, request)?;
    for planned in &planned {
        say(&format!("{}: {}", graph.steps()[planned.step].name, planned.why()));
    }
    if planned.is_empty() {
        say("nothing to do");
    }
    Ok(())
}

/// Records files as built from the current inputs.
fn adopt(graph: &Graph, folders: &Folders, names: &[String], say: Say<'_>) -> Result<()> {
    let _lock = lock(folders)?;
    let state = State::look(graph, &graph.with_needs(names)?, folders)?;
    let mut record = Record::read(&folders.models)?;
    for name in names {
        graph.find(name)?;
    }
    let is_named = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    for step in graph.steps().iter().filter(is_named) {
        let made = record.of_now(graph, step, &state).with_context(|| {
            let name = step.name;
            let path = folders.output(step);
            format!(
                "{}: it, or a file that it is made from, is not there: make them one by one with 'resay-lab step', or \
                 all with 'resay-lab make {name}'",
                path.display()
            )
        })?;
        record.steps.insert(step.name.to_owned(), made);
        say(&format!("{}: recorded as it is", step.name));
    }
    record.write(graph, &folders.models)
}

/// Builds what is out of date. Returns the names of the steps that ran, in order.
fn make(graph: &Graph, folders: &Folders, mut request: Request, say: Say<'_>) -> Result<Vec<&'static str>> {
    let is_in = graph.with_needs(&request.names)?;
    let _lock = lock(folders)?;
    let mut record = Record::read(&folders.models)?;
    let mut state = State::look(graph, &is_in, folders)?;
    let mut done: Vec<&'static str> = Vec::new();
    loop {
        let planned = plan(graph, &record, &state, &request)?;
        let Some(next) = planned.iter().find(|planned| planned.is_certain) else { break };
        let step = &graph.steps()[next.step];
        ensure!(!done.contains(&step.name), "{}: another step wrote its file, {}", step.name, step.output);
        say(&format!("{}: {}", step.name, next.why()));
        state = make_one(graph, folders, &is_in, (step, &state), &mut record, say)?;
        request.forced.remove(step.name);
        done.push(step.name);
    }
    say(&match done.len() {
        0 => "nothing to do".to_owned(),
        n => format!("made {n} of {} files", is_in.iter().filter(|is_in| **is_in).count()),
    });
    Ok(done)
}

/// Runs a step and records it. Returns the state afterwards.
fn make_one(
    graph: &Graph,
    folders: &Folders,
    is_in: &[bool],
    (step, before): (&Step, &State),
    record: &mut Record,
    say: Say<'_>,
) -> Result<State> {
    let path = folders.output(step);
    let needs = step.needs.iter().map(|need| graph.find(need).map(|need| need.output.to_owned()));
    let reads = step.sources.iter().map(|source| Ok(source.to_string())).chain(needs).collect::<Result<Vec<_>>>()?;
    say(&format!("{}: reads {}", step.name, reads.join(", ")));
    let start = Instant::now();
    (step.make)(&Files::new(folders, graph, step)).with_context(|| {
        format!(
            "step {}, which writes {}, failed; what was made before stays: mend this and run the same command again",
            step.name,
            path.display()
        )
    })?;
    let after = State::look(graph, is_in, folders)?;
    let was = before.outputs.get(step.name).cloned();
    // Everything but its own output must be unchanged since the step started; otherwise it is
    // unknown what it read.
    let mut others = after.clone();
    others.outputs.remove(step.name);
    let mut others_before = before.clone();
    others_before.outputs.remove(step.name);
    ensure!(
        others == others_before,
        "step {}: other files were changed while it ran, so it is not recorded: run the same command again",
        step.name
    );
    let now = after.outputs.get(step.name);
    ensure!(now.is_some(), "step {}: it wrote no {}", step.name, path.display());
    let end = if was.as_ref() == now { ", the same as before" } else { "" };
    let size = path.metadata().map_or(0, |file| file.len());
    let made = record.of_now(graph, step, &after).with_context(|| format!("step {}: its input is gone", step.name))?;
    record.steps.insert(step.name.to_owned(), made);
    record.write(graph, &folders.models)?;
    let seconds = start.elapsed().as_secs_f64();
    say(&format!("{}: wrote {}, {size} bytes, in {seconds:.1} s{end}", step.name, path.display()));
    Ok(after)
}

/// Prevents two builds from overwriting each other's files. Held until dropped.
fn lock(folders: &Folders) -> Result<File> {
    let named = |path: &Path| path.display().to_string();
    ensure!(folders.models.is_dir(), "{}: no such folder, expected the one of the models", named(&folders.models));
    fs::create_dir_all(&folders.work).with_context(|| named(&folders.work))?;
    let path = folders.work.join("lock");
    let file = File::create(&path).with_context(|| named(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => anyhow::bail!("{}: another make is at work: wait until it ends", named(&path)),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| named(&path)),
    }
}

/// Reports which corpora are present.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn check(graph: &Graph, folders: &Folders) -> Result<()> {
    let sources: BTreeSet<Source> = graph.steps().iter().flat_map(|step| step.sources).copied().collect();
    let mut n_missing = 0;
    for source in sources {
        match folders.source(source).metadata() {
            Ok(file) => println!("{:>10}  {source}", file.len()),
            Err(_) => {
                println!("{:>10}  {source}", "missing");
                n_missing += 1;
            }
        }
    }
    ensure!(n_missing == 0, "{n_missing} files are missing in {}", folders.data.display());
    Ok(())
}
