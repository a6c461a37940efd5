//! Lines about sentences that say the same.

use serde::Serialize;

/// The line of a cluster.
#[derive(Debug, Serialize)]
pub struct SameCluster<'a> {
    /// How many sentences.
    pub size: usize,
    /// The sentences; all others are held against the first.
    pub members: Vec<SameMember<'a>>,
}

/// A sentence of a cluster.
#[derive(Debug, Serialize)]
pub struct SameMember<'a> {
    /// Its line, from 1.
    pub line: u64,
    /// The name of the sentence.
    pub id: &'a str,
    /// That it says the same as the first; 1 if its words are the same.
    pub probability: f64,
    /// Whether its words are the same as those of the first.
    pub same_words: bool,
    /// The sentence.
    pub text: &'a str,
}

/// A pair that was judged.
#[derive(Debug, Serialize)]
pub struct SamePair<'a> {
    /// The name of the first sentence.
    pub first: &'a str,
    /// The name of the second.
    pub second: &'a str,
    /// How similar their words are.
    pub similarity: f32,
    /// How likely they say the same.
    pub probability: f64,
    /// Whether they count as saying the same.
    pub label: bool,
}
