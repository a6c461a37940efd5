//! The models and resources bundled with the program.

use resay::model::About;
use resay_text::container::Origin;
use serde::Serialize;

/// A row of `models`.
#[derive(Debug, Serialize)]
pub struct BundledModelJson<'a, D> {
    /// Its name.
    pub name: &'a str,
    /// Its size in bytes.
    pub size: usize,
    /// The model's metadata.
    #[serde(flatten)]
    pub about: &'a About<D>,
}

/// Another bundled file: a resource of the annotation or of the lexicon.
#[derive(Debug, Serialize)]
pub struct BundledResource<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its size in bytes.
    pub size: usize,
    /// Its origin.
    #[serde(flatten)]
    pub origin: &'a Origin,
}
