//! What speakers know about phrases: typed relations between words and phrases, from readable tables.
//!
//! A line `left<TAB>relation<TAB>right` relates two phrases of lemmas: `resign equal step down`,
//! `sprint forward run`. A second kind of file lists classes of words that exclude each other:
//! `weekday<TAB>monday, tuesday, ...`. [`Phrases::find`] finds all phrases in a text in one pass, and
//! [`Phrases::between`] says how two of them are related.
//!
//! Inside a phrase, `one's` stands for any possessive, `oneself` for any reflexive pronoun, and `...`
//! for one to five words. Articles are passed over.
//!
//! ```
//! use resay_text::phrases::{PhraseRelation, PhraseWord, Phrases};
//!
//! let phrases = Phrases::read(&[("own.tsv", "resign\tequal\tstep down\n")], &[])?;
//! let words = |lemmas: [&'static str; 3]| lemmas.map(|lemma| PhraseWord { lower: lemma, lemma });
//! let [a, b] = [words(["the", "chair", "resign"]), words(["she", "step", "down"])].map(|words| phrases.find(&words));
//! assert!(phrases.between(a[0].phrase, b[0].phrase).has(PhraseRelation::Equal));
//! # Ok::<(), resay_text::Error>(())
//! ```

mod read;
mod search;

pub use read::pack;
pub use search::{PhraseMatch, PhraseWord};

use rustc_hash::FxHashMap;

/// How the first of two phrases is related to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhraseRelation {
    /// Either may replace the other.
    Equal,
    /// The first implies the second, but not the other way round.
    Forward,
    /// The second implies the first, but not the other way round.
    Backward,
    /// One denies the other.
    Opposite,
    /// Both cannot hold, but both may fail.
    Alternative,
    /// The same event from the other side: two participants exchange their places.
    Converse,
}

impl PhraseRelation {
    /// All relations, by bit.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::Forward, Self::Backward, Self::Opposite, Self::Alternative, Self::Converse];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Opposite => "opposite",
            Self::Alternative => "alternative",
            Self::Converse => "converse",
        }
    }

    /// The relation seen from the second phrase.
    pub fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
            same => same,
        }
    }
}

/// A set of relations, each listed or derived: by way of one phrase that is equal to either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhraseRelations(u16);

impl PhraseRelations {
    const DERIVED: u16 = 8;

    fn of(relation: PhraseRelation, is_derived: bool) -> Self {
        Self(1 << (relation as u16 + if is_derived { Self::DERIVED } else { 0 }))
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the relation is listed or derived.
    pub fn has(self, relation: PhraseRelation) -> bool {
        self.is_listed(relation) || self.0 & Self::of(relation, true).0 != 0
    }

    /// Whether the relation is listed.
    pub fn is_listed(self, relation: PhraseRelation) -> bool {
        self.0 & Self::of(relation, false).0 != 0
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Whether a clause under a verb is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseTruth {
    /// It is true.
    True,
    /// It is false.
    False,
    /// Open.
    Open,
}

/// What follows about the clause under a verb: where the verb is affirmed, and where it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Where the verb is affirmed.
    pub affirmed: ClauseTruth,
    /// Where it is negated.
    pub negated: ClauseTruth,
}

/// A table of phrases and their relations.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    phrases: Vec<search::Phrase>,
    /// For each first word, the phrases that begin with it, longest first.
    starts: FxHashMap<Box<str>, Vec<u32>>,
    relations: FxHashMap<(u32, u32), PhraseRelations>,
    /// The classes of each phrase, ascending.
    classes: Vec<Vec<u32>>,
    signatures: FxHashMap<u32, Signature>,
}

impl Phrases {
    /// How the first phrase is related to the second.
    pub fn between(&self, first: u32, second: u32) -> PhraseRelations {
        let mut found = self.relations.get(&(first, second)).copied().unwrap_or_default();
        if first != second && found.is_empty() && self.share_a_class(first, second) {
            found.add(PhraseRelations::of(PhraseRelation::Alternative, true));
        }
        found
    }

    fn share_a_class(&self, first: u32, second: u32) -> bool {
        let of = |phrase: u32| self.classes.get(phrase as usize).map_or(&[][..], |classes| classes);
        of(first).iter().any(|class| of(second).contains(class))
    }

    /// What follows about the clause under this phrase, if that is known.
    pub fn signature(&self, phrase: u32) -> Option<Signature> {
        self.signatures.get(&phrase).copied()
    }

    /// The number of phrases.
    pub fn len(&self) -> usize {
        self.phrases.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty()
    }

    /// The number of related pairs of phrases, derived ones included, each counted from both sides.
    pub fn n_relations(&self) -> usize {
        self.relations.len()
    }
}
