//! Labelled pairs, read from files.
