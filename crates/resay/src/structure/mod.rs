//! Hidden structure: of all ways to lay a structure over two sentences, the best one, and sums over all of them. Scores
//! come in as numbers; what they were made from, and what is learned from them, is not known here.

pub mod semi_markov;

/// Parts that were chosen, by number and sorted, and the sum of their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Numbers of the chosen parts, ascending.
    pub active: Vec<u32>,
    /// The sum of their scores.
    pub score: f64,
}
