//! WordNet as one compiled table: words, senses, synsets, pointers; no glosses.
//!
//! A word is resolved to a [`LemmaId`] once; all further queries are about small numbers. Synsets
//! are numbered so that most queries are comparisons: first the *inner* ones (those with hyponyms),
//! then the leaves; within each nouns, verbs, adjectives, adverbs; within each of these by first
//! word and sense number. The last is the order of the names that NLTK gives them (`dog.n.01`;
//! except for a word that continues with a hyphen or an apostrophe, which sort before the dot).
//! Where NLTK breaks a tie by name, this table breaks it by the lower number.
//!
//! Senses are numbered lemma by lemma, in WordNet's order (nouns, verbs, adjectives, adverbs; most
//! frequent first), so that "this sense belongs to that lemma" is a comparison as well.
//!
//! Ids out of range return empty results, never a panic.

mod ancestors;
mod kind;
mod morphy;
mod reach;
mod read;
mod relations;
mod similarity;
mod table;
#[cfg(test)]
pub(super) mod toy;
mod words;
mod write;

pub use kind::{PointerKind, Pos};
pub(crate) use reach::Reach;
pub use relations::{WnRelation, WnSet};
pub use similarity::Heights;
pub use write::{Source, SourceSynset, SourceWord, WordPlace};

use crate::container::Origin;
use ancestors::Ancestors;
use table::Csr;
use words::Words;

/// A base form, numbered in alphabetical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LemmaId(pub u32);

/// A set of synonyms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SynsetId(pub u32);

/// A word in one of its synsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SenseId(pub u32);

/// The compiled table.
#[derive(Debug)]
pub struct WordNet {
    origin: Origin,
    words: Words,
    layout: Layout,
    /// Where the data of each lemma begin; one row more than there are lemmas.
    lemmas: Vec<Row>,
    /// `senses[sense]` is its synset.
    senses: Vec<u32>,
    /// `counts[sense]` is its number of occurrences in tagged texts.
    counts: Vec<u16>,
    /// `members.row(synset)` holds its lemmas, in WordNet's order.
    members: Csr,
    /// `ups.row(synset)` holds the packed pointers that lead up or sideways (kinds up to
    /// [`LAST_UP`]), sorted.
    ups: Csr,
    /// The other pointers, sorted.
    downs: Csr,
    /// The `ups` of all synsets of a lemma, concatenated.
    lemma_ups: Vec<u32>,
    /// Pointers from word to word, by source lemma.
    lexical: Vec<Lexical>,
    ancestors: Ancestors,
    /// `masses[synset]` is the smoothed count of the synset and all synsets below it. Leaf
    /// adjectives and adverbs, which come last, have none.
    masses: Vec<f32>,
    /// The same for a root above all nouns and one above all verbs.
    total_masses: [f64; 2],
    /// Irregular forms by part of speech: the forms, and the lemmas of each.
    exceptions: [(Words, Csr); 4],
}

/// Where the eight classes of synsets begin: inner nouns, verbs, adjectives, adverbs, then the
/// leaves likewise.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    starts: [u32; 9],
}

impl Layout {
    fn n_synsets(&self) -> usize {
        self.starts[8] as usize
    }

    /// Returns the number of inner synsets, which are those below this number.
    fn n_inner(&self) -> u32 {
        self.starts[4]
    }

    /// Returns the number of synsets with a mass: all but the leaf adjectives and adverbs.
    fn n_masses(&self) -> usize {
        self.starts[6] as usize
    }

    fn is_in(&self, synset: u32, pos: Pos) -> bool {
        let is_within = |class: usize| (self.starts[class]..self.starts[class + 1]).contains(&synset);
        is_within(pos as usize) || is_within(pos as usize + 4)
    }

    fn pos(&self, synset: u32) -> Option<Pos> {
        Pos::ALL.into_iter().find(|&pos| self.is_in(synset, pos))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    sense: u32,
    up: u32,
    lexical: u32,
}

/// A pointer from word to word.
#[derive(Clone, Copy, Debug, Default)]
struct Lexical {
    source: u32,
    kind_and_target: u32,
}

/// The last kind of pointer that leads up or sideways.
const LAST_UP: PointerKind = PointerKind::Similar;

/// The kind is in the upper five bits of a packed pointer.
const KIND_SHIFT: u32 = 27;
const TARGET_MASK: u32 = (1 << KIND_SHIFT) - 1;

fn packed(kind: PointerKind, target: u32) -> u32 {
    (kind as u32) << KIND_SHIFT | target
}

fn unpacked(pointer: u32) -> (PointerKind, u32) {
    // Only existing kinds are ever packed.
    (PointerKind::ALL[(pointer >> KIND_SHIFT) as usize % PointerKind::ALL.len()], pointer & TARGET_MASK)
}

impl WordNet {
    /// Returns the origin of the table.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the number of lemmas. Their ids are the numbers below it.
    pub fn n_lemmas(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of synsets. Their ids are the numbers below it.
    pub fn n_synsets(&self) -> usize {
        self.layout.n_synsets()
    }

    /// Returns the number of senses. Their ids are the numbers below it.
    pub fn n_senses(&self) -> usize {
        self.senses.len()
    }

    /// Returns the lemma with this spelling. Case does not matter; words are separated by a space
    /// or `_`. All lemmas are ASCII, so only ASCII letters are folded.
    pub fn lemma(&self, word: &str) -> Option<LemmaId> {
        self.words.find(word).map(LemmaId)
    }

    /// Returns the spelling of a lemma: lower case, `_` between words.
    pub fn word(&self, lemma: LemmaId) -> &str {
        self.words.get(lemma.0)
    }

    /// Returns the senses of a lemma: nouns, verbs, adjectives, adverbs, each with the most
    /// frequent first.
    pub fn senses(&self, lemma: LemmaId, pos: Option<Pos>) -> impl ExactSizeIterator<Item = SenseId> + use<> {
        let (row, next) = self.rows(lemma);
        let (first, synsets) = self.in_pos(row.sense, next.sense, pos);
        (first..first + synsets.len() as u32).map(SenseId)
    }

    /// Returns the synsets of a lemma's senses, in the same order.
    pub fn synsets(&self, lemma: LemmaId, pos: Option<Pos>) -> impl ExactSizeIterator<Item = SynsetId> {
        self.senses(lemma, pos).map(|sense| SynsetId(self.senses[sense.0 as usize]))
    }

    /// Returns how often a sense occurs in the texts tagged by WordNet's authors; 0 for most.
    pub fn tag_count(&self, sense: SenseId) -> u32 {
        self.counts.get(sense.0 as usize).map_or(0, |&count| u32::from(count))
    }

    /// Returns the synset of a sense.
    pub fn synset_of(&self, sense: SenseId) -> Option<SynsetId> {
        self.senses.get(sense.0 as usize).copied().map(SynsetId)
    }

    /// Returns the lemma of a sense.
    pub fn lemma_of(&self, sense: SenseId) -> Option<LemmaId> {
        let after = self.lemmas.partition_point(|row| row.sense <= sense.0) as u32;
        ((sense.0 as usize) < self.senses.len()).then(|| LemmaId(after.saturating_sub(1)))
    }

    /// Returns the part of speech of a synset.
    pub fn pos(&self, synset: SynsetId) -> Option<Pos> {
        self.layout.pos(synset.0)
    }

    /// Returns the lemmas of a synset, in WordNet's order. Spellings that differ only in case are
    /// one lemma.
    pub fn members(&self, synset: SynsetId) -> impl ExactSizeIterator<Item = LemmaId> {
        self.members.row(synset.0 as usize).iter().map(|&lemma| LemmaId(lemma))
    }

    /// Returns the pointers of a synset, by kind: "the target is a \[kind\] of the synset".
    pub fn pointers(&self, synset: SynsetId) -> impl Iterator<Item = (PointerKind, SynsetId)> {
        let row = synset.0 as usize;
        self.ups.row(row).iter().chain(self.downs.row(row)).map(|&pointer| {
            let (kind, target) = unpacked(pointer);
            (kind, SynsetId(target))
        })
    }

    /// Returns the word-to-word pointers of a lemma's senses: source, kind, target.
    pub fn word_pointers(&self, lemma: LemmaId) -> impl ExactSizeIterator<Item = (SenseId, PointerKind, SenseId)> {
        let (row, next) = self.rows(lemma);
        self.lexical[row.lexical as usize..next.lexical as usize].iter().map(|pointer| {
            let (kind, target) = unpacked(pointer.kind_and_target);
            (SenseId(pointer.source), kind, SenseId(target))
        })
    }

    /// Returns the senses of a lemma in a part of speech: the first one, and the synsets of all.
    /// Senses of one part of speech are contiguous.
    fn in_pos(&self, start: u32, end: u32, pos: Option<Pos>) -> (u32, &[u32]) {
        let synsets = &self.senses[start as usize..end as usize];
        let Some(pos) = pos else { return (start, synsets) };
        let skipped = synsets.iter().take_while(|synset| !self.layout.is_in(**synset, pos)).count();
        let taken = synsets[skipped..].iter().take_while(|synset| self.layout.is_in(**synset, pos)).count();
        (start + skipped as u32, &synsets[skipped..skipped + taken])
    }

    /// Returns the row of a lemma and the next row; two empty ones if the lemma does not exist.
    fn rows(&self, lemma: LemmaId) -> (Row, Row) {
        match self.lemmas.get(lemma.0 as usize..).and_then(|rows| rows.first_chunk()) {
            Some(&[row, next]) => (row, next),
            None => Default::default(),
        }
    }

    /// Returns the direct hypernyms of a synset, including the classes of instances.
    fn parents(&self, synset: u32) -> impl Iterator<Item = u32> {
        parents_of(self.ups.row(synset as usize))
    }
}

/// Returns the largest packed pointer of a kind.
fn last_of(kind: PointerKind) -> u32 {
    packed(kind, TARGET_MASK)
}

/// Returns the hypernyms among a synset's pointers, which come first.
fn parents_of(pointers: &[u32]) -> impl Iterator<Item = u32> {
    let end = last_of(PointerKind::InstanceHypernym);
    pointers.iter().take_while(move |pointer| **pointer <= end).map(|pointer| pointer & TARGET_MASK)
}
