//! The origin of a bundled resource (a tagger, a table of words): the header of its file.

use super::Container;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A resource's description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// What it is: `tagger`, `wordnet`, ...
    pub resource: String,
    /// The corpora it was built from.
    pub data: String,
    /// Their licences.
    pub licence: String,
    /// How it was built: the command, and how parameters were chosen.
    pub made: String,
    /// What was measured when it was built, and on which data.
    pub quality: Vec<Quality>,
}

/// One quality figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// What was measured, and on which data: "universal tags, EWT test".
    pub measure: String,
    /// The figure; shares are in percent.
    pub value: f64,
}

impl Container<Origin> {
    /// Unpacks the file of a resource and checks that it is the expected one. `name` is used in
    /// error messages.
    pub fn resource(name: &str, bytes: &[u8], expected: &str) -> Result<Self> {
        let container = Self::unpack(name, bytes)?;
        let found = &container.about.resource;
        if found != expected {
            return Err(Error::file(name, format!("this is '{found}', expected '{expected}': give the right file")));
        }
        Ok(container)
    }
}
