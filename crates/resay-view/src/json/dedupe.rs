//! Lines about near-duplicate sentences.

use serde::Serialize;

/// The line of a cluster.
#[derive(Debug, Serialize)]
pub struct SameCluster<'a> {
    /// Number of sentences.
    pub size: usize,
    /// The sentences; all others are compared with the first.
    pub members: Vec<SameMember<'a>>,
}

/// A sentence of a cluster.
#[derive(Debug, Serialize)]
pub struct SameMember<'a> {
    /// Its line number, 1-based.
    pub line: u64,
    /// The id of the sentence.
    pub id: &'a str,
    /// The probability that it is a paraphrase of the first; 1 if its words are identical.
    pub probability: f64,
    /// Whether its words are identical to those of the first.
    pub same_words: bool,
    /// The sentence.
    pub text: &'a str,
}

/// A scored pair.
#[derive(Debug, Serialize)]
pub struct SamePair<'a> {
    /// The id of the first sentence.
    pub first: &'a str,
    /// The id of the second sentence.
    pub second: &'a str,
    /// The similarity of their words.
    pub similarity: f32,
    /// The probability that they are paraphrases.
    pub probability: f64,
    /// Whether they count as paraphrases.
    pub label: bool,
}
