//! What is known of words beforehand: typed relations between them.

pub mod wordnet;
