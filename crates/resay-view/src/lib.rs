//! How Resay's answers look: ids in English, JSON shapes, HTML and SVG. Every face (command line, Python, web) shows what the
//! library found through this crate, so that all of them say the same in the same words. Nothing here decides anything, and
//! nothing is read back from its words.

pub mod wording;
