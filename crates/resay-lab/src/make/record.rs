//! The build record: hashes and names of the inputs of every file. It is part of the repository, so
//! that anyone with the same corpora knows that everything is up to date.

use super::graph::{Graph, Step};
use super::state::{Digest, State};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file of the record, in the folder of crates.
const FILE: &str = "resay-lab/made.json";

/// The inputs of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Made {
    /// The file itself.
    pub(crate) output: Digest,
    /// Source files, by name.
    pub(crate) sources: BTreeMap<String, Digest>,
    /// Output of other steps, by step name.
    pub(crate) needs: BTreeMap<String, Digest>,
    pub(crate) settings: Digest,
    pub(crate) recipe: u32,
}

/// The entries of all files, by step name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Record {
    pub(crate) steps: BTreeMap<String, Made>,
}

impl Record {
    fn path(models: &Path) -> PathBuf {
        models.join(FILE)
    }

    /// Reads the record in a folder; an empty one if it is missing.
    pub(crate) fn read(models: &Path) -> Result<Self> {
        let path = Self::path(models);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            text => text.with_context(|| path.display().to_string())?,
        };
        serde_json::from_str(&text).with_context(|| {
            let path = path.display();
            format!("{path}: no record that this program wrote: take it from the repository again, or remove it")
        })
    }

    /// Writes the record, without steps that no longer exist.
    pub(crate) fn write(&mut self, graph: &Graph, models: &Path) -> Result<()> {
        self.steps.retain(|name, _| graph.find(name).is_ok());
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        let path = Self::path(models);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        Ok(resay::data::write_whole(&path, |file| file.write_all(text.as_bytes()))?)
    }

    /// The current hash of a step's output; if an intermediate file is missing, its recorded hash.
    pub(crate) fn output<'a>(&'a self, step: &Step, state: &'a State) -> Option<&'a Digest> {
        let was = || self.steps.get(step.name).filter(|_| !step.is_bundled).map(|made| &made.output);
        state.outputs.get(step.name).or_else(was)
    }

    /// The entry of a step if its file were built from the current inputs; `None` if something is
    /// missing.
    pub(crate) fn of_now(&self, graph: &Graph, step: &Step, state: &State) -> Option<Made> {
        let source = |name: String| state.sources.get(&name).map(|digest| (name, digest.clone()));
        let need = |name: &&str| {
            let digest = self.output(graph.find(name).ok()?, state)?;
            Some(((*name).to_owned(), digest.clone()))
        };
        Some(Made {
            output: self.output(step, state)?.clone(),
            sources: step.sources.iter().map(ToString::to_string).map(source).collect::<Option<_>>()?,
            needs: step.needs.iter().map(need).collect::<Option<_>>()?,
            settings: step.settings_digest(),
            recipe: step.recipe,
        })
    }
}
