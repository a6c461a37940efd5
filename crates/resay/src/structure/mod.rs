//! Hidden structure: of all ways to lay a structure over two sentences, the best one, and sums over all of them. Scores
//! come in as numbers; what they were made from, and what is learned from them, is not known here.

pub mod semi_markov;
