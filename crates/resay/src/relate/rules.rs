//! Rules of a pair: which words become which, in templates that are filled with the pair's own words.
//!
//! A rule is known by a number, a hash of its template and its words, so a model stores weights and
//! no words. Explanations find the words again in the pair at hand.

use super::edits::Edits;
use super::words::Side;
use crate::id::{EditKind, WordGroup};

/// The shape of a rule. The codes are part of the hash; they never change their meaning.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Template {
    /// These words become those.
    Becomes = 1,
    /// These words become some words by this kind of edit.
    Left = 2,
    /// Some words become these by this kind of edit.
    Came = 3,
    /// An edit of this kind between these groups of words, and which of the two is negated.
    Negated = 4,
    /// An edit of this kind between words with these dependency relations.
    Relations = 5,
    /// This word is in one text only, with this relation, negated or not.
    Alone = 6,
    /// A word of this group is in one text only, below a word that became another in this way.
    AloneUnder = 7,
    /// This word is in one text only, below that word.
    AloneBelow = 8,
    /// This word is in the source only, that one of the same group in the target only.
    Instead = 9,
    /// Words of these groups and relations are each in one text only.
    InsteadGroups = 10,
}

/// FNV-1a over the template and what fills it.
struct Key(u64);

impl Key {
    fn new(template: Template) -> Self {
        Self(0xcbf2_9ce4_8422_2325).byte(template as u8)
    }

    fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    fn text(self, text: &str) -> Self {
        text.bytes().fold(self, Self::byte).byte(0)
    }

    fn words(self, side: &Side<'_>, words: &[u32]) -> Self {
        words.iter().fold(self, |key, word| key.text(side.lemma[*word as usize])).byte(1)
    }

    fn key(self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}

/// Pairs of words that each stand in one text only are listed up to this number: beyond it, the texts
/// have little in common.
const MOST_PAIRS: usize = 1024;

/// Calls `out` with every rule of a pair; some several times.
pub(super) fn each(sides: &[Side<'_>; 2], edits: &Edits, mut out: impl FnMut(u32, [&[u32]; 2])) {
    let is_negated = |side: usize, word: usize| sides[side].negations[word] % 2;
    for edit in &edits.edits {
        let (i, j) = (edit.words[0][0] as usize, edit.words[1][0] as usize);
        if edit.kind == EditKind::Same || sides[0].group[i] == WordGroup::Mark {
            continue;
        }
        let words: [&[u32]; 2] = [&edit.words[0], &edit.words[1]];
        let kind = edit.kind as u8;
        out(Key::new(Template::Becomes).words(&sides[0], words[0]).words(&sides[1], words[1]).key(), words);
        out(Key::new(Template::Left).byte(kind).words(&sides[0], words[0]).key(), words);
        out(Key::new(Template::Came).byte(kind).words(&sides[1], words[1]).key(), words);
        let groups = [sides[0].group[i] as u8, sides[1].group[j] as u8];
        let negated = 2 * is_negated(0, i) + is_negated(1, j);
        let key = Key::new(Template::Negated).byte(kind).byte(groups[0]).byte(groups[1]).byte(negated);
        out(key.key(), words);
        let key = Key::new(Template::Relations).byte(kind);
        out(key.text(sides[0].relation(i)).text(sides[1].relation(j)).key(), words);
    }
    let alone = [0, 1].map(|side: usize| {
        let is_alone = |word: &usize| edits.of[side][*word].is_none() && sides[side].group[*word] != WordGroup::Mark;
        (0..sides[side].len()).filter(is_alone).collect::<Vec<usize>>()
    });
    for (side, alone) in alone.iter().enumerate() {
        let here = &sides[side];
        for &word in alone {
            let own = [word as u32];
            let words: [&[u32]; 2] = if side == 0 { [&own, &[]] } else { [&[], &own] };
            let (lemma, relation, group) = (here.lemma[word], here.relation(word), here.group[word] as u8);
            let begin = |template| Key::new(template).byte(side as u8);
            let key = begin(Template::Alone).text(lemma).text(relation);
            out(key.byte(is_negated(side, word)).key(), words);
            let key = begin(Template::AloneUnder).byte(group);
            let Some(head) = here.head[word] else {
                out(key.text("root").key(), words);
                continue;
            };
            let kind = edits.kind(side, head).map_or(u8::MAX, |kind| kind as u8);
            out(key.text(relation).byte(kind).key(), words);
            out(begin(Template::AloneBelow).text(lemma).text(here.lemma[head]).key(), words);
        }
    }
    if alone[0].len() * alone[1].len() > MOST_PAIRS {
        return;
    }
    let [source, target] = sides;
    for &i in &alone[0] {
        for &j in &alone[1] {
            let own = [[i as u32], [j as u32]];
            let words: [&[u32]; 2] = [&own[0], &own[1]];
            let groups = [source.group[i], target.group[j]];
            if groups[0] == groups[1] {
                let key = Key::new(Template::Instead).text(source.lemma[i]).text(target.lemma[j]);
                out(key.key(), words);
            }
            let key = Key::new(Template::InsteadGroups).byte(groups[0] as u8).byte(groups[1] as u8);
            out(key.text(source.relation(i)).text(target.relation(j)).key(), words);
        }
    }
}
