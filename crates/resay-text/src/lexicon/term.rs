//! A word as the lexicon knows it: looked up once in every table, so that asking how two words are related compares
//! numbers and seldom looks at letters.

use super::edit::{Spelling, is_one_apart};
use super::relation::{Relation, Relations};
use super::senses::Entry;
use super::wordnet::{LemmaId, Reach, SynsetId};
use crate::Upos;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A string that is mostly compared with other strings: unequal hashes settle it, equal ones are not trusted.
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

/// A bit for each of a set of words, by its number modulo 256: a quick no to "is it in the set" for most others.
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

/// What words may have in common.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) enum Handle<'a> {
    Form(&'a str),
    Lemma(&'a str),
    Stem(&'a str),
    Entity(&'a str),
    /// The form without one of its letters, or with all.
    Spelling(&'a str),
    Table(u32),
    WordNet(LemmaId),
    Synset(SynsetId),
    Own(u32),
}

impl Handle<'_> {
    /// A number for looking it up; others may share it.
    pub(super) fn key(self) -> u64 {
        FxBuildHasher.hash_one(self)
    }
}

/// A word that was looked up. It belongs to the lexicon that made it.
#[derive(Clone, Debug)]
pub struct Term {
    pub(super) form: Text,
    pub(super) lemma: Text,
    pub(super) stem: Text,
    pub(super) tag: Option<Upos>,
    pub(super) entity: Option<Text>,
    pub(super) spelling: Spelling,
    /// What it is in WordNet.
    pub(super) wordnet: Option<Entry>,
    /// The words that WordNet can relate it to, roughly.
    pub(super) reach: Option<Box<Reach>>,
    /// The synset that it is mostly used in.
    pub(super) main: Option<SynsetId>,
    /// The number in the tables of pairs.
    pub(super) table: Option<u32>,
    /// The row in the word vectors.
    pub(super) vector: Option<u32>,
    /// Whether it is written or tagged as a name, without which it has no nickname.
    pub(super) is_name: bool,
    /// The words that the tables pair it with, roughly.
    pub(super) partners: Partners,
    /// The number in the user's own files.
    pub(super) own: Option<u32>,
}

impl Term {
    /// The form in lower case.
    pub fn form(&self) -> &str {
        self.form.as_str()
    }

    /// The dictionary form in lower case.
    pub fn lemma(&self) -> &str {
        self.lemma.as_str()
    }

    /// The stem.
    pub fn stem(&self) -> &str {
        self.stem.as_str()
    }

    /// The universal part of speech.
    pub fn tag(&self) -> Option<Upos> {
        self.tag
    }

    /// The kind of named entity that the word is part of, if it is known to be part of one.
    pub fn entity(&self) -> Option<&str> {
        self.entity.as_ref().map(Text::as_str)
    }

    /// The same word as part of an entity: `PER`, or as annotation has it `B-PER` or `I-PER`; `O` is none.
    #[must_use]
    pub fn with_entity(self, entity: Option<&str>) -> Self {
        let kind = |tag| ["B-", "I-"].into_iter().find_map(|prefix| str::strip_prefix(tag, prefix)).unwrap_or(tag);
        Self { entity: entity.map(kind).filter(|kind| !matches!(*kind, "" | "O" | "_")).map(Text::new), ..self }
    }

    /// What words that are alike in a wanted way have in common with this one.
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
            // Words one edit apart are the same without some letter of the one, of the other, or of each.
            add(Relation::Edit1, Handle::Spelling(self.form()));
            for (start, letter) in self.form().char_indices() {
                let without = [&self.form()[..start], &self.form()[start + letter.len_utf8()..]].concat();
                add(Relation::Edit1, Handle::Spelling(&without));
            }
        }
        keys
    }

    /// What the two words' own spelling and annotation say; no table is asked.
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
