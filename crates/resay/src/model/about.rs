//! What a model says of itself: enough to know what it is for, how it was made, and how good it was on held-out folds.

use crate::text::Units;
use serde::{Deserialize, Serialize};

/// A model's description; the header of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// What it decides: paraphrase, entailment, pair.
    pub task: String,
    /// The kernel expression.
    pub kernel: String,
    /// What a symbol is.
    pub units: Units,
    /// linear or dual.
    pub learner: String,
    /// Names of the two answers: no, yes.
    pub labels: [String; 2],
    /// The file that it was learned from, without its folder.
    pub data: String,
    /// How many pairs it was learned from.
    pub n_pairs: usize,
    /// How many of them were positive.
    pub n_positive: usize,
    /// The cost it was trained with.
    pub cost: f64,
    /// Every cost tried, with the mean over the held-out folds.
    pub search: Vec<Tried>,
    /// What the search measured.
    pub measure: String,
    /// That measure on held-out rows, of the machine as it is saved.
    pub held_out: f64,
    /// Why training stopped.
    pub stop: String,
    /// How many rules it had before pruning, and has.
    pub n_rules: [usize; 2],
    /// The version of Resay that wrote it.
    pub version: String,
    /// Whatever else its maker wanted to say (licence, source).
    pub note: String,
}

/// One cost of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The cost.
    pub cost: f64,
    /// The measure's mean over the folds.
    pub mean: f64,
    /// The measure in each fold.
    pub folds: Vec<f64>,
}
