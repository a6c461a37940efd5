//! The record of what was made from what: hashes and names, nothing else. It lies with the lab, so that whoever has the
//! same corpora knows that there is nothing to do.

use super::graph::{Graph, Step};
use super::state::{Digest, State};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Its file, below the folder of crates.
const FILE: &str = "resay-lab/made.json";

/// What one file was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Made {
    /// The file itself.
    pub(crate) output: Digest,
    /// Files that no step makes, by name.
    pub(crate) sources: BTreeMap<String, Digest>,
    /// Files of other steps, by the step's name.
    pub(crate) needs: BTreeMap<String, Digest>,
    pub(crate) settings: Digest,
    pub(crate) recipe: u32,
}

/// Every file's, by the step's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Record {
    pub(crate) steps: BTreeMap<String, Made>,
}

impl Record {
    fn path(models: &Path) -> PathBuf {
        models.join(FILE)
    }

    /// The record in a folder; an empty one if there is none.
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

    /// Writes the record, without steps that are no more.
    pub(crate) fn write(&mut self, graph: &Graph, models: &Path) -> Result<()> {
        self.steps.retain(|name, _| graph.find(name).is_ok());
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        let path = Self::path(models);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        Ok(resay::data::write_whole(&path, |file| file.write_all(text.as_bytes()))?)
    }

    /// The file of a step as it is; of one that is not there but was made, as it was.
    pub(crate) fn output<'a>(&'a self, step: &Step, state: &'a State) -> Option<&'a Digest> {
        let was = || self.steps.get(step.name).filter(|_| !step.is_bundled).map(|made| &made.output);
        state.outputs.get(step.name).or_else(was)
    }

    /// What stands in the record of a step if its file was made from what is there now; none if something is missing.
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
