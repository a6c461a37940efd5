//! What is bundled with the program.

use resay::model::About;
use resay_text::container::Origin;
use serde::Serialize;

/// A row of `models`.
#[derive(Debug, Serialize)]
pub struct BundledModelJson<'a, D> {
    /// What it is called.
    pub name: &'a str,
    /// In bytes.
    pub size: usize,
    /// What the model knows about itself.
    #[serde(flatten)]
    pub about: &'a About<D>,
}

/// Another bundled file: a part of annotation or of the lexicon.
#[derive(Debug, Serialize)]
pub struct BundledResource<'a> {
    /// What it is called.
    pub name: &'a str,
    /// In bytes.
    pub size: usize,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: &'a Origin,
}
