//! Measures: sees labels, scores and sets only.
