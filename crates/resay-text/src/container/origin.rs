//! Where a bundled resource (a tagger, a table of words) comes from: the header of its file.

use super::Container;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A resource's description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// What it is: `tagger`, `wordnet`, ...
    pub resource: String,
    /// The corpora it was made from.
    pub data: String,
    /// Their licences.
    pub licence: String,
    /// How it was made: the command, and what was chosen how.
    pub made: String,
    /// What was measured when it was made, and on what.
    pub quality: Vec<Quality>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// What was measured, and on what: "universal tags, EWT test".
    pub measure: String,
    /// The figure, in percent where it is a share.
    pub value: f64,
}

impl Container<Origin> {
    /// Takes apart the file of a resource and makes sure that it is the one that is expected; `name` is for messages.
    pub fn resource(name: &str, bytes: &[u8], expected: &str) -> Result<Self> {
        let container = Self::unpack(name, bytes)?;
        let found = &container.about.resource;
        if found != expected {
            return Err(Error::file(name, format!("this is '{found}', expected '{expected}': give the right file")));
        }
        Ok(container)
    }
}
