//! WordNet as one compiled table: words, senses, synsets, pointers; no glosses.
//!
//! A word is resolved to a [`LemmaId`] once; every question after that is about small numbers. Synsets are numbered so
//! that most questions are comparisons: first the *inner* ones (those that are a hypernym of another), then the leaves;
//! in each nouns, verbs, adjectives, adverbs; in each of these by first word and number of the sense. The last is the
//! order of the names that NLTK gives them (`dog.n.01`; but for a word that goes on with a hyphen or an apostrophe, which
//! sort before the dot), so that where a definition there breaks a tie by name, the lower number does.
//!
//! Senses are numbered lemma by lemma, in WordNet's order (nouns, verbs, adjectives, adverbs; most frequent first), so
//! that "this sense is one of that lemma's" is a comparison as well.
//!
//! Ids that are out of range are answered as if nothing were known, never with a panic.

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

/// A base form; numbered in the order of the sorted spellings.
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
    /// Where what belongs to a lemma begins; one row more than there are lemmas.
    lemmas: Vec<Row>,
    /// `senses[sense]`: its synset.
    senses: Vec<u32>,
    /// `counts[sense]`: how often it was met in tagged texts.
    counts: Vec<u16>,
    /// `members.row(synset)`: its lemmas, in WordNet's order.
    members: Csr,
    /// `ups.row(synset)`: packed kind and target of the pointers that lead up or aside ([`LAST_UP`] and before), sorted.
    ups: Csr,
    /// The others, sorted.
    downs: Csr,
    /// `ups` of all synsets of a lemma, side by side.
    lemma_ups: Vec<u32>,
    /// Pointers from word to word, by lemma of the source.
    lexical: Vec<Lexical>,
    ancestors: Ancestors,
    /// `masses[synset]`, but for the last adjectives and adverbs: smoothed count of the synset and all below it.
    masses: Vec<f32>,
    /// The same of a root above all nouns and of one above all verbs.
    total_masses: [f64; 2],
    /// Irregular forms by part of speech: the forms, and the lemmas of each.
    exceptions: [(Words, Csr); 4],
}

/// Where the eight classes of synsets begin: inner nouns, verbs, adjectives, adverbs, then the leaves likewise.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    starts: [u32; 9],
}

impl Layout {
    fn n_synsets(&self) -> usize {
        self.starts[8] as usize
    }

    /// Inner synsets are those below this number.
    fn n_inner(&self) -> u32 {
        self.starts[4]
    }

    /// How many of the first synsets have a mass: all but the last adjectives and adverbs.
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

/// The last kind of pointer that leads up or aside.
const LAST_UP: PointerKind = PointerKind::Similar;

/// Kinds stand in the upper five bits of a packed pointer.
const KIND_SHIFT: u32 = 27;
const TARGET_MASK: u32 = (1 << KIND_SHIFT) - 1;

fn packed(kind: PointerKind, target: u32) -> u32 {
    (kind as u32) << KIND_SHIFT | target
}

fn unpacked(pointer: u32) -> (PointerKind, u32) {
    // Only kinds that exist are ever packed.
    (PointerKind::ALL[(pointer >> KIND_SHIFT) as usize % PointerKind::ALL.len()], pointer & TARGET_MASK)
}

impl WordNet {
    /// Where the table comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// How many lemmas there are; their ids are all numbers below.
    pub fn n_lemmas(&self) -> usize {
        self.words.len()
    }

    /// How many synsets there are; their ids are all numbers below.
    pub fn n_synsets(&self) -> usize {
        self.layout.n_synsets()
    }

    /// How many senses there are; their ids are all numbers below.
    pub fn n_senses(&self) -> usize {
        self.senses.len()
    }

    /// The lemma with this spelling. Case does not matter, words are separated by a blank or `_`. All lemmas are ASCII,
    /// so only ASCII letters are folded.
    pub fn lemma(&self, word: &str) -> Option<LemmaId> {
        self.words.find(word).map(LemmaId)
    }

    /// A lemma's spelling: lower case, `_` between words.
    pub fn word(&self, lemma: LemmaId) -> &str {
        self.words.get(lemma.0)
    }

    /// A lemma's senses: nouns, verbs, adjectives, adverbs, each the most frequent first.
    pub fn senses(&self, lemma: LemmaId, pos: Option<Pos>) -> impl ExactSizeIterator<Item = SenseId> + use<> {
        let (row, next) = self.rows(lemma);
        let (first, synsets) = self.in_pos(row.sense, next.sense, pos);
        (first..first + synsets.len() as u32).map(SenseId)
    }

    /// The synsets of a lemma's senses, in the same order.
    pub fn synsets(&self, lemma: LemmaId, pos: Option<Pos>) -> impl ExactSizeIterator<Item = SynsetId> {
        self.senses(lemma, pos).map(|sense| SynsetId(self.senses[sense.0 as usize]))
    }

    /// How often a sense was met in the texts that WordNet's makers tagged; 0 for most.
    pub fn tag_count(&self, sense: SenseId) -> u32 {
        self.counts.get(sense.0 as usize).map_or(0, |&count| u32::from(count))
    }

    /// The synset of a sense.
    pub fn synset_of(&self, sense: SenseId) -> Option<SynsetId> {
        self.senses.get(sense.0 as usize).copied().map(SynsetId)
    }

    /// The lemma of a sense.
    pub fn lemma_of(&self, sense: SenseId) -> Option<LemmaId> {
        let after = self.lemmas.partition_point(|row| row.sense <= sense.0) as u32;
        ((sense.0 as usize) < self.senses.len()).then(|| LemmaId(after.saturating_sub(1)))
    }

    /// A synset's part of speech.
    pub fn pos(&self, synset: SynsetId) -> Option<Pos> {
        self.layout.pos(synset.0)
    }

    /// A synset's words, in WordNet's order. Spellings that differ in case only are one lemma and stand once.
    pub fn members(&self, synset: SynsetId) -> impl ExactSizeIterator<Item = LemmaId> {
        self.members.row(synset.0 as usize).iter().map(|&lemma| LemmaId(lemma))
    }

    /// What a synset points to, by kind: "the target is a \[kind\] of the synset".
    pub fn pointers(&self, synset: SynsetId) -> impl Iterator<Item = (PointerKind, SynsetId)> {
        let row = synset.0 as usize;
        self.ups.row(row).iter().chain(self.downs.row(row)).map(|&pointer| {
            let (kind, target) = unpacked(pointer);
            (kind, SynsetId(target))
        })
    }

    /// What a lemma's senses point to, from word to word: source, kind, target.
    pub fn word_pointers(&self, lemma: LemmaId) -> impl ExactSizeIterator<Item = (SenseId, PointerKind, SenseId)> {
        let (row, next) = self.rows(lemma);
        self.lexical[row.lexical as usize..next.lexical as usize].iter().map(|pointer| {
            let (kind, target) = unpacked(pointer.kind_and_target);
            (SenseId(pointer.source), kind, SenseId(target))
        })
    }

    /// Those of a lemma's senses that are in a part of speech: the first, and the synsets of all. Senses of one part of
    /// speech stand together.
    fn in_pos(&self, start: u32, end: u32, pos: Option<Pos>) -> (u32, &[u32]) {
        let synsets = &self.senses[start as usize..end as usize];
        let Some(pos) = pos else { return (start, synsets) };
        let skipped = synsets.iter().take_while(|synset| !self.layout.is_in(**synset, pos)).count();
        let taken = synsets[skipped..].iter().take_while(|synset| self.layout.is_in(**synset, pos)).count();
        (start + skipped as u32, &synsets[skipped..skipped + taken])
    }

    /// A lemma's row and the next; two empty ones where there is none.
    fn rows(&self, lemma: LemmaId) -> (Row, Row) {
        match self.lemmas.get(lemma.0 as usize..).and_then(|rows| rows.first_chunk()) {
            Some(&[row, next]) => (row, next),
            None => Default::default(),
        }
    }

    /// The direct hypernyms of a synset, instances' classes among them.
    fn parents(&self, synset: u32) -> impl Iterator<Item = u32> {
        parents_of(self.ups.row(synset as usize))
    }
}

/// The last packed pointer of a kind.
fn last_of(kind: PointerKind) -> u32 {
    packed(kind, TARGET_MASK)
}

/// The hypernyms among a synset's pointers: those that stand first.
fn parents_of(pointers: &[u32]) -> impl Iterator<Item = u32> {
    let end = last_of(PointerKind::InstanceHypernym);
    pointers.iter().take_while(move |pointer| **pointer <= end).map(|pointer| pointer & TARGET_MASK)
}
