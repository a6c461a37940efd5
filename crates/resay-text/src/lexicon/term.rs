//! A word looked up once in every source, so that querying the relations of two words compares
//! numbers and rarely letters.

use super::edit::{Spelling, is_one_apart};
use super::relation::{Relation, Relations};
use super::senses::Entry;
use super::wordnet::{LemmaId, Reach, SynsetId};
use crate::Upos;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A string that is mostly compared with others. Unequal hashes settle a comparison; equal ones are
/// verified.
#[derive(Clone, Debug)]
pub(super) struct Text {
    hash: u64,
    text: Box<str>,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        Self { hash: FxBuildHasher.hash_one(text), text: text.into() }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.text == other.text
    }
}

/// A one-hash Bloom filter for a set of words: one bit per word number modulo 256. Rejects most
/// words that are not in the set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Partners([u64; 4]);

impl Partners {
    pub(super) fn insert(&mut self, word: u32) {
        self.0[(word >> 6 & 3) as usize] |= 1 << (word & 63);
    }

    pub(super) fn may_have(&self, word: u32) -> bool {
        self.0[(word >> 6 & 3) as usize] >> (word & 63) & 1 == 1
    }
}

/// A property that related words have in common.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) enum Handle<'a> {
    Form(&'a str),
    Lemma(&'a str),
    Stem(&'a str),
    Entity(&'a str),
    /// The form, or the form without one of its letters.
    Spelling(&'a str),
    Table(u32),
    WordNet(LemmaId),
    Synset(SynsetId),
    Own(u32),
}

impl Handle<'_> {
    /// Returns a lookup key, which other handles may share.
    pub(super) fn key(self) -> u64 {
        FxBuildHasher.hash_one(self)
    }
}

/// A word looked up in a lexicon. Only valid with that lexicon.
#[derive(Clone, Debug)]
pub struct Term {
    pub(super) form: Text,
    pub(super) lemma: Text,
    pub(super) stem: Text,
    pub(super) tag: Option<Upos>,
    pub(super) entity: Option<Text>,
    pub(super) spelling: Spelling,
    /// The entry in WordNet.
    pub(super) wordnet: Option<Entry>,
    /// A filter of the words to which WordNet can relate it.
    pub(super) reach: Option<Box<Reach>>,
    /// The synset in which it is mostly used.
    pub(super) main: Option<SynsetId>,
    /// The number in the tables of pairs.
    pub(super) table: Option<u32>,
    /// The row in the word vectors.
    pub(super) vector: Option<u32>,
    /// Whether it is written or tagged as a name. Only names have nicknames.
    pub(super) is_name: bool,
    /// A filter of the words with which the tables pair it.
    pub(super) partners: Partners,
    /// The number in the user's own files.
    pub(super) own: Option<u32>,
}

impl Term {
    /// Returns the form in lower case.
    pub fn form(&self) -> &str {
        self.form.as_str()
    }

    /// Returns the lemma in lower case.
    pub fn lemma(&self) -> &str {
        self.lemma.as_str()
    }

    /// Returns the stem.
    pub fn stem(&self) -> &str {
        self.stem.as_str()
    }

    /// Returns the universal part of speech.
    pub fn tag(&self) -> Option<Upos> {
        self.tag
    }

    /// Returns the type of the named entity that contains the word, if known.
    pub fn entity(&self) -> Option<&str> {
        self.entity.as_ref().map(Text::as_str)
    }

    /// Sets the entity type: `PER`, or `B-PER` or `I-PER` as in annotation. `O` is none.
    #[must_use]
    pub fn with_entity(self, entity: Option<&str>) -> Self {
        let kind = |tag| ["B-", "I-"].into_iter().find_map(|prefix| str::strip_prefix(tag, prefix)).unwrap_or(tag);
        Self { entity: entity.map(kind).filter(|kind| !matches!(*kind, "" | "O" | "_")).map(Text::new), ..self }
    }

    /// Returns the keys that this word shares with words of the same form, lemma, stem and so on.
    pub(super) fn keys(&self, wanted: Relations) -> Vec<u64> {
        let mut keys = Vec::new();
        let mut add = |how: Relation, handle: Handle<'_>| {
            if wanted.contains(how) {
                keys.push(handle.key());
            }
        };
        add(Relation::Id, Handle::Form(self.form()));
        add(Relation::IdMinusTag, Handle::Form(self.form()));
        add(Relation::Lemma, Handle::Lemma(self.lemma()));
        add(Relation::Stem, Handle::Stem(self.stem()));
        if let Some(entity) = self.entity() {
            add(Relation::Ne, Handle::Entity(entity));
        }
        if let Some(main) = self.main {
            add(Relation::Synonym1, Handle::Synset(main));
        }
        if self.spelling.may_be_one_apart(self.spelling) {
            // Words one edit apart become equal by deleting a letter of the one, of the other, or
            // of each.
            add(Relation::Edit1, Handle::Spelling(self.form()));
            for (start, letter) in self.form().char_indices() {
                let without = [&self.form()[..start], &self.form()[start + letter.len_utf8()..]].concat();
                add(Relation::Edit1, Handle::Spelling(&without));
            }
        }
        keys
    }

    /// Returns the relations that follow from spelling and annotation alone. No table is searched.
    pub(super) fn by_itself(&self, other: &Self) -> Relations {
        let is_same_form = self.form == other.form;
        let is_edit1 = self.spelling.may_be_one_apart(other.spelling) && is_one_apart(self.form(), other.form());
        Relations::when(is_same_form && self.tag == other.tag, Relation::Id)
            | Relations::when(is_same_form, Relation::IdMinusTag)
            | Relations::when(self.lemma == other.lemma, Relation::Lemma)
            | Relations::when(self.stem == other.stem, Relation::Stem)
            | Relations::when(is_edit1, Relation::Edit1)
            | Relations::when(self.entity.is_some() && self.entity == other.entity, Relation::Ne)
    }
}
