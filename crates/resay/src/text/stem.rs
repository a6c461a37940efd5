//! Stemming: a word to the part its inflections share.

use std::borrow::Cow;

/// Which stemmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StemmerKind {
    /// Snowball English, also called Porter 2.
    English,
    /// Porter's stemmer of 1980.
    Porter,
}

/// A stemmer.
#[derive(Clone, Debug)]
pub struct Stemmer {
    kind: StemmerKind,
}

impl Stemmer {
    /// A stemmer of this kind.
    pub fn new(kind: StemmerKind) -> Self {
        Self { kind }
    }

    /// The stem of a lower-cased word.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        let _ = self.kind;
        Cow::Borrowed(word)
    }
}
