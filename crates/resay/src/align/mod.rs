//! The semi-Markov aligner (Yao, Van Durme, Callison-Burch and Clark 2013, and beyond): which words and phrases of one
//! sentence correspond to which of the other, learned from aligned pairs.

pub mod lbfgs;
pub mod merge;
pub mod states;
pub mod synthesis;
