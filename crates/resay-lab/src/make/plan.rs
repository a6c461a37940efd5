//! What must be made again, in order, and why: from the table, the record and the hashes of now. Nothing is read or
//! written here.
//!
//! A step runs for certain if something of its own changed. A step that needs the file of one that runs may have to run
//! too, but only if that file changes, which shows when it is made. So whoever makes takes the
//! first step that runs for certain, looks again, and asks for a new plan.

use super::graph::{Graph, Step};
use super::record::{Made, Record};
use super::state::{Digest, State};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// The steps whose files are wanted; all, if empty.
    pub(crate) names: Vec<String>,
    /// Steps that run whether anything changed or not.
    pub(crate) forced: BTreeSet<String>,
}

/// Why a step runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was asked for.
    Forced,
    /// There is no record of it.
    Unrecorded,
    /// Its file is not there.
    Missing,
    /// Its file is not what it wrote.
    Edited,
    /// A file that no step makes is another one.
    Source(String),
    /// The file of another step is another one.
    Need(String),
    /// It reads other files than before.
    OtherInputs,
    /// It is told something else.
    Settings,
    /// Its code was changed.
    Recipe,
    /// Its file is not there, and this step reads it.
    NeededBy(String),
    /// The file of another step is made again and may change.
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

/// A step that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    /// The place of the step in the graph.
    pub(crate) step: usize,
    /// Why.
    pub(crate) reasons: Vec<Reason>,
    /// Whether it runs whatever other steps write.
    pub(crate) is_certain: bool,
}

impl Planned {
    /// All reasons on one line.
    pub(crate) fn why(&self) -> String {
        self.reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// The steps that run, in order; empty if there is nothing to do. The first that is certain can be run at once.
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
    // Files that are kept nowhere but in the folder for work are made for those who read them.
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

/// Whether the step's own file is there as it was written.
fn of_output(step: &Step, made: &Made, state: &State, request: &Request) -> Option<Reason> {
    let is_wanted = step.is_bundled || request.names.iter().any(|name| name == step.name);
    match state.outputs.get(step.name) {
        None if is_wanted => Some(Reason::Missing),
        Some(digest) if *digest != made.output => Some(Reason::Edited),
        _ => None,
    }
}

/// What changed of what the step is given, files of other steps left out.
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
