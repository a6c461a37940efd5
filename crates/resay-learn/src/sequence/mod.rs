//! Sequences of labelled segments: the best segmentation, and sums over all of them.

pub mod semi_markov;
