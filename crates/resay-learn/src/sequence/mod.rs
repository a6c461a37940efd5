//! Sequences of labelled segments: the best one, and sums over all of them.

pub mod semi_markov;
