//! Lines about sentences that say the same.

use serde::Serialize;

/// The line of a cluster.
#[derive(Debug, Serialize)]
pub(crate) struct SameCluster<'a> {
    pub(crate) size: usize,
    pub(crate) members: Vec<SameMember<'a>>,
}

/// A sentence of a cluster.
#[derive(Debug, Serialize)]
pub(crate) struct SameMember<'a> {
    pub(crate) line: u64,
    pub(crate) id: &'a str,
    /// That it says the same as the first; 1 if its words are the same.
    pub(crate) probability: f64,
    /// Whether its words are the same as those of the first.
    pub(crate) same_words: bool,
    pub(crate) text: &'a str,
}

/// A pair that was judged.
#[derive(Debug, Serialize)]
pub(crate) struct SamePair<'a> {
    pub(crate) first: &'a str,
    pub(crate) second: &'a str,
    pub(crate) similarity: f32,
    pub(crate) probability: f64,
    pub(crate) label: bool,
}
