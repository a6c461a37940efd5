//! Decides what to rebuild, in what order, and why: from the table, the record and the current
//! hashes. Does no I/O.
//!
//! A step certainly runs if one of its own inputs changed. A step that reads the output of a step
//! that runs may have to run too, but only if that output changes, which is known only afterwards.
//! So the caller runs the first certain step, updates the state and asks for a new plan.

use super::graph::{Graph, Step};
use super::record::{Made, Record};
use super::state::{Digest, State};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A build request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// The requested steps; all if empty.
    pub(crate) names: Vec<String>,
    /// Steps that run even if nothing changed.
    pub(crate) forced: BTreeSet<String>,
}

/// Why a step runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was requested.
    Forced,
    /// There is no record of it.
    Unrecorded,
    /// Its output is missing.
    Missing,
    /// Its output was modified.
    Edited,
    /// A source file changed.
    Source(String),
    /// The output of another step changed.
    Need(String),
    /// Its list of inputs changed.
    OtherInputs,
    /// Its settings changed.
    Settings,
    /// Its recipe number changed.
    Recipe,
    /// Its output is missing, and this step reads it.
    NeededBy(String),
    /// The output of another step is rebuilt and may change.
    After(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forced => f.write_str("asked for by --force"),
            Self::Unrecorded => f.write_str("no record of how it was made"),
            Self::Missing => f.write_str("output missing"),
            Self::Edited => f.write_str("output edited"),
            Self::Source(file) => write!(f, "corpus {file} changed"),
            Self::Need(file) => write!(f, "{file} changed"),
            Self::OtherInputs => f.write_str("reads other files than before"),
            Self::Settings => f.write_str("settings changed"),
            Self::Recipe => f.write_str("recipe changed"),
            Self::NeededBy(name) => write!(f, "output missing, {name} reads it"),
            Self::After(file) => write!(f, "if {file} changes"),
        }
    }
}

/// A step that will run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    /// The index of the step in the graph.
    pub(crate) step: usize,
    /// Why.
    pub(crate) reasons: Vec<Reason>,
    /// Whether it runs regardless of what other steps write.
    pub(crate) is_certain: bool,
}

impl Planned {
    /// All reasons on one line.
    pub(crate) fn why(&self) -> String {
        self.reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// Returns the steps to run, in order; empty if everything is up to date. The first certain step
/// can run at once.
pub(crate) fn plan(graph: &Graph, record: &Record, state: &State, request: &Request) -> Result<Vec<Planned>> {
    let is_in = graph.with_needs(&request.names)?;
    let mut planned: Vec<Option<Planned>> = vec![None; is_in.len()];
    for (at, step) in graph.steps().iter().enumerate().filter(|(at, _)| is_in[*at]) {
        let needs: Vec<usize> = step.needs.iter().map(|need| graph.index(need)).collect::<Result<_>>()?;
        let (waits, settled): (Vec<usize>, Vec<usize>) = needs.into_iter().partition(|&need| planned[need].is_some());
        let mut reasons = Vec::new();
        if request.forced.contains(step.name) {
            reasons.push(Reason::Forced);
        }
        match record.steps.get(step.name) {
            None => reasons.push(Reason::Unrecorded),
            Some(made) => {
                reasons.extend(of_output(step, made, state, request));
                reasons.extend(of_inputs(step, made, state));
                let settled = settled.into_iter().map(|need| &graph.steps()[need]);
                let is_other = |need: &&Step| made.needs.get(need.name) != record.output(need, state);
                reasons.extend(settled.filter(is_other).map(|need| Reason::Need(need.output.to_owned())));
            }
        }
        let is_certain = !reasons.is_empty();
        if !is_certain {
            reasons = waits.iter().map(|&need| Reason::After(graph.steps()[need].output.to_owned())).collect();
        }
        if !reasons.is_empty() {
            planned[at] = Some(Planned { step: at, reasons, is_certain });
        }
    }
    // Files that exist only in the work folder are built for the steps that read them.
    for at in (0..planned.len()).rev() {
        let Some(is_certain) = planned[at].as_ref().map(|planned| planned.is_certain) else { continue };
        let step = &graph.steps()[at];
        for need in step.needs {
            let need_at = graph.index(need)?;
            if state.outputs.contains_key(*need) {
                continue;
            }
            let reason = Reason::NeededBy(step.name.to_owned());
            match &mut planned[need_at] {
                None => planned[need_at] = Some(Planned { step: need_at, reasons: vec![reason], is_certain }),
                Some(other) if matches!(other.reasons[..], [Reason::NeededBy(_), ..]) => {
                    other.reasons.push(reason);
                    other.is_certain |= is_certain;
                }
                Some(_) => {}
            }
        }
    }
    Ok(planned.into_iter().flatten().collect())
}

/// Checks whether the output of a step exists and is unmodified.
fn of_output(step: &Step, made: &Made, state: &State, request: &Request) -> Option<Reason> {
    let is_wanted = step.is_bundled || request.names.iter().any(|name| name == step.name);
    match state.outputs.get(step.name) {
        None if is_wanted => Some(Reason::Missing),
        Some(digest) if *digest != made.output => Some(Reason::Edited),
        _ => None,
    }
}

/// The changes of a step's inputs, except for the output of other steps.
fn of_inputs(step: &Step, made: &Made, state: &State) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let sources: Vec<String> = step.sources.iter().map(ToString::to_string).collect();
    if !same_names(&made.sources, &sources) || !same_names(&made.needs, step.needs) {
        reasons.push(Reason::OtherInputs);
    }
    for name in sources {
        if made.sources.get(&name).is_some_and(|was| Some(was) != state.sources.get(&name)) {
            reasons.push(Reason::Source(name));
        }
    }
    if made.settings != step.settings_digest() {
        reasons.push(Reason::Settings);
    }
    if made.recipe != step.recipe {
        reasons.push(Reason::Recipe);
    }
    reasons
}

fn same_names<T: AsRef<str>>(recorded: &BTreeMap<String, Digest>, names: &[T]) -> bool {
    let names: BTreeSet<&str> = names.iter().map(AsRef::as_ref).collect();
    recorded.keys().map(String::as_str).eq(names)
}
