//! The relations between two lemmas, over all senses of both.
//!
//! Input: two lemmas. Output: the set of types such that **the second is a \[type\] of the first**:
//! `Hypernym` for *car* and *vehicle*, `Hyponym` for *vehicle* and *car*. The search starts from
//! the senses of the first lemma, and looks up everything it reaches (the sense itself, its
//! pointers, its ancestors up to a depth) among the senses of the second. It follows upward
//! pointers only. Downward pointers are covered by searching up from the second lemma, because a
//! synset may have hundreds of them. A small bit set answers nearly all lookups.

use super::{LemmaId, Lexical, PointerKind, Pos, TARGET_MASK, WordNet, ancestors, last_of, unpacked};

/// A type of relation: "b is a \[type\] of a".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WnRelation {
    /// The two share a synset. Every lemma is its own synonym.
    Synonym,
    /// An antonym, word to word.
    Antonym,
    /// More general, or the class of an instance; inherited up to the requested depth.
    Hypernym,
    /// More specific, or an instance of a class; inherited likewise.
    Hyponym,
    /// Entailed by a: snoring entails sleeping.
    Entailment,
    /// Caused by a: killing causes dying.
    Cause,
    /// A whole of which a is a member, a part or a substance.
    Holonym,
    /// A member, a part or a substance of a.
    Meronym,
    /// An adjective of similar meaning.
    Similar,
    /// Derivationally related, word to word, across parts of speech.
    Derivation,
}

impl WnRelation {
    /// All relations, by number.
    pub const ALL: [Self; 10] = [
        Self::Synonym,
        Self::Antonym,
        Self::Hypernym,
        Self::Hyponym,
        Self::Entailment,
        Self::Cause,
        Self::Holonym,
        Self::Meronym,
        Self::Similar,
        Self::Derivation,
    ];
}

/// A set of relations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WnSet(u16);

impl WnSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains a relation.
    pub fn contains(self, relation: WnRelation) -> bool {
        self.0 >> relation as u16 & 1 == 1
    }

    /// Adds a relation.
    pub fn insert(&mut self, relation: WnRelation) {
        self.0 |= 1 << relation as u16;
    }

    /// Returns the relations in the set, by number.
    pub fn iter(self) -> impl Iterator<Item = WnRelation> {
        WnRelation::ALL.into_iter().filter(move |&relation| self.contains(relation))
    }

    /// Returns the bit mask: bit `relation as u16` for each relation.
    pub fn bits(self) -> u16 {
        self.0
    }
}

impl FromIterator<WnRelation> for WnSet {
    fn from_iter<I: IntoIterator<Item = WnRelation>>(relations: I) -> Self {
        let mut set = Self::EMPTY;
        relations.into_iter().for_each(|relation| set.insert(relation));
        set
    }
}

/// The senses of a lemma in one part of speech or all, with a filter for membership tests.
struct Senses<'a> {
    synsets: &'a [u32],
    /// The first of the senses.
    first: u32,
    /// One bit per synset, by its lowest eight bits.
    bits: [u64; 4],
    /// Bits of the inner synsets among them, as in lists of ancestors.
    inner_bits: u128,
    pos: Option<Pos>,
    /// Packed pointers that lead up or sideways, from all parts of speech.
    ups: &'a [u32],
    /// Word-to-word pointers, from all parts of speech.
    lexical: &'a [Lexical],
}

impl<'a> Senses<'a> {
    fn new(wordnet: &'a WordNet, lemma: LemmaId, pos: Option<Pos>) -> Self {
        let (row, next) = wordnet.rows(lemma);
        let (first, synsets) = wordnet.in_pos(row.sense, next.sense, pos);
        let mut bits = [0; 4];
        let mut inner_bits = 0;
        for &synset in synsets {
            inner_bits |= if synset < wordnet.layout.n_inner() { ancestors::bit(synset) } else { 0 };
            bits[(synset >> 6 & 3) as usize] |= 1_u64 << (synset & 63);
        }
        Self {
            synsets,
            first,
            bits,
            inner_bits,
            pos,
            ups: &wordnet.lemma_ups[row.up as usize..next.up as usize],
            lexical: &wordnet.lexical[row.lexical as usize..next.lexical as usize],
        }
    }

    #[inline]
    fn has(&self, synset: u32) -> bool {
        self.bits[(synset >> 6 & 3) as usize] >> (synset & 63) & 1 == 1 && self.synsets.contains(&synset)
    }

    fn has_sense(&self, sense: u32) -> bool {
        sense.wrapping_sub(self.first) < self.synsets.len() as u32
    }
}

impl WordNet {
    /// Returns the relations that hold between some sense of `a` and some sense of `b`, each in the
    /// given part of speech or in any: "b is a \[type\] of a". Hypernyms and hyponyms are inherited
    /// over at most `depth` steps: 1 for direct ones, 0 for none, `u8::MAX` for all.
    pub fn relations(&self, a: LemmaId, a_pos: Option<Pos>, b: LemmaId, b_pos: Option<Pos>, depth: u8) -> WnSet {
        let (a_senses, b_senses) = (Senses::new(self, a, a_pos), Senses::new(self, b, b_pos));
        let mut found = self.walk(&a_senses, &b_senses, depth);
        let back = self.walk(&b_senses, &a_senses, depth);
        if back.contains(WnRelation::Hypernym) {
            found.insert(WnRelation::Hyponym);
        }
        if back.contains(WnRelation::Holonym) {
            found.insert(WnRelation::Meronym);
        }
        if a_senses.synsets.iter().any(|&synset| b_senses.has(synset)) {
            found.insert(WnRelation::Synonym);
        }
        for pointer in a_senses.lexical {
            let (kind, target) = unpacked(pointer.kind_and_target);
            if b_senses.has_sense(target) && a_senses.has_sense(pointer.source) {
                match kind {
                    PointerKind::Antonym => found.insert(WnRelation::Antonym),
                    PointerKind::Derivation => found.insert(WnRelation::Derivation),
                    _ => {}
                }
            }
        }
        found
    }

    /// Returns the relations to senses of `goal` found by pointers that lead up or sideways.
    fn walk(&self, from: &Senses<'_>, goal: &Senses<'_>, depth: u8) -> WnSet {
        let mut found = WnSet::EMPTY;
        // Only inner synsets can be reached by going up.
        let goes_up = depth > 1 && goal.inner_bits != 0;
        let last_hypernym = last_of(PointerKind::InstanceHypernym);
        for &pointer in from.ups {
            let target = pointer & TARGET_MASK;
            // These pointers stay within a part of speech, so the target reveals that of the
            // source.
            if from.pos.is_some_and(|pos| !self.layout.is_in(target, pos)) {
                continue;
            }
            if goal.has(target) {
                found.insert(match unpacked(pointer).0 {
                    PointerKind::Hypernym | PointerKind::InstanceHypernym if depth == 0 => continue,
                    PointerKind::Hypernym | PointerKind::InstanceHypernym => WnRelation::Hypernym,
                    PointerKind::Entailment => WnRelation::Entailment,
                    PointerKind::Cause => WnRelation::Cause,
                    PointerKind::Similar => WnRelation::Similar,
                    _ => WnRelation::Holonym,
                });
            }
            if goes_up && pointer <= last_hypernym && self.meets_ancestor(from, target, goal, depth - 1) {
                found.insert(WnRelation::Hypernym);
            }
        }
        found
    }

    /// Whether a sense of `goal` is an ancestor of a hypernym of a sense of `from`, at most `depth`
    /// steps away. Through the cycle (see `ancestors.rs`) a sense can reach itself, which does not
    /// count.
    fn meets_ancestor(&self, from: &Senses<'_>, hypernym: u32, goal: &Senses<'_>, depth: u8) -> bool {
        let is_from_another = |ancestor: u32| {
            let others = from.synsets.iter().filter(|&&synset| synset != ancestor);
            others.flat_map(|&synset| self.parents(synset)).any(|parent| parent == hypernym)
        };
        let near = self.ancestors.of_any(hypernym, goal.inner_bits).iter().map(|&ancestor| ancestors::unpack(ancestor));
        near.take_while(|&(_, distance)| distance <= u32::from(depth))
            .any(|(ancestor, _)| goal.has(ancestor) && is_from_another(ancestor))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SynsetId, toy};
    use super::*;
    use WnRelation::*;

    #[test]
    fn the_second_word_is_what_of_the_first() {
        let wordnet = toy::wordnet();
        let check = |a: &str, b: &str, depth: u8, expected: &[WnRelation]| {
            let (a_lemma, b_lemma) = (wordnet.lemma(a).unwrap(), wordnet.lemma(b).unwrap());
            let found = wordnet.relations(a_lemma, None, b_lemma, None, depth);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{a}, {b}, depth {depth}");
        };
        check("animal", "beast", 1, &[Synonym]);
        check("raven", "bird", 1, &[Hypernym]);
        check("bird", "raven", 1, &[Hyponym]);
        check("polly", "bird", 1, &[Hypernym]);
        check("raven", "bird", 0, &[]);
        check("raven", "beast", 1, &[]);
        check("raven", "beast", 2, &[Hypernym]);
        check("beast", "raven", 2, &[Hyponym]);
        check("raven", "thing", 2, &[]);
        check("raven", "thing", 3, &[Hypernym]);
        check("raven", "thing", u8::MAX, &[Hypernym]);
        check("bird", "thing", 2, &[Hypernym]);
        check("raven", "polly", u8::MAX, &[]);
        check("wing", "bird", 0, &[Holonym]);
        check("bird", "wing", 0, &[Meronym]);
        check("wing", "fly", 0, &[Cause]);
        check("fly", "wing", 0, &[Entailment]);
        check("fly", "flap", 0, &[Entailment, Derivation]);
        check("flap", "fly", 0, &[Cause, Derivation]);
        // To fly is to flutter, and to flutter is to fly in another sense.
        check("flutter", "fly", 1, &[Synonym, Hypernym]);
        check("fly", "fly", 1, &[Synonym, Hypernym, Hyponym]);
        check("wing", "wing", 1, &[Synonym, Derivation]);
        check("sooty", "dark", 0, &[Similar]);
        check("black", "sooty", 0, &[Similar]);
        check("dark", "bright", 0, &[Antonym]);
        check("bright", "dark", 0, &[Antonym]);
        check("black", "bright", 0, &[]);
        check("blackly", "black", 0, &[]);
    }

    #[test]
    fn parts_of_speech_narrow_it() {
        let wordnet = toy::wordnet();
        let check = |a: &str, a_pos: Pos, b: &str, b_pos: Pos, expected: &[WnRelation]| {
            let (a, b) = (wordnet.lemma(a).unwrap(), wordnet.lemma(b).unwrap());
            assert_eq!(wordnet.relations(a, Some(a_pos), b, Some(b_pos), 1).iter().collect::<Vec<_>>(), expected);
        };
        check("wing", Pos::Noun, "wing", Pos::Verb, &[Derivation]);
        check("wing", Pos::Verb, "wing", Pos::Verb, &[Synonym]);
        check("wing", Pos::Noun, "bird", Pos::Noun, &[Holonym]);
        check("wing", Pos::Verb, "bird", Pos::Noun, &[]);
        check("wing", Pos::Verb, "fly", Pos::Verb, &[Cause]);
        check("wing", Pos::Verb, "fly", Pos::Noun, &[]);
        check("fly", Pos::Noun, "beast", Pos::Noun, &[Hypernym]);
        check("fly", Pos::Verb, "beast", Pos::Noun, &[]);
    }

    /// Reference implementation by definition: every sense of both, every pointer, step by step.
    fn slow(wordnet: &WordNet, a: LemmaId, a_pos: Option<Pos>, b: LemmaId, b_pos: Option<Pos>, depth: u8) -> WnSet {
        use PointerKind as Kind;
        let goal: Vec<SynsetId> = wordnet.synsets(b, b_pos).collect();
        let mut found = WnSet::EMPTY;
        for start in wordnet.synsets(a, a_pos) {
            let has = |relation: WnRelation, found: &mut WnSet, synset: SynsetId| {
                if goal.contains(&synset) {
                    found.insert(relation);
                }
            };
            has(Synonym, &mut found, start);
            for (kind, target) in wordnet.pointers(start) {
                match kind {
                    Kind::Entailment => has(Entailment, &mut found, target),
                    Kind::Cause => has(Cause, &mut found, target),
                    Kind::MemberHolonym | Kind::PartHolonym | Kind::SubstanceHolonym => {
                        has(Holonym, &mut found, target)
                    }
                    Kind::MemberMeronym | Kind::PartMeronym | Kind::SubstanceMeronym => {
                        has(Meronym, &mut found, target)
                    }
                    Kind::Similar => has(Similar, &mut found, target),
                    _ => {}
                }
            }
            for (relation, kinds) in [
                (Hypernym, [Kind::Hypernym, Kind::InstanceHypernym]),
                (Hyponym, [Kind::Hyponym, Kind::InstanceHyponym]),
            ] {
                let mut level = vec![start];
                for _ in 0..depth.min(20) {
                    let next = level.iter().flat_map(|&synset| wordnet.pointers(synset));
                    level = next.filter(|(kind, _)| kinds.contains(kind)).map(|(_, target)| target).collect();
                    level.iter().filter(|&&synset| synset != start).for_each(|&met| has(relation, &mut found, met));
                }
            }
        }
        let senses = |lemma, pos| wordnet.senses(lemma, pos).collect::<Vec<_>>();
        for (source, kind, target) in wordnet.word_pointers(a) {
            if senses(a, a_pos).contains(&source) && senses(b, b_pos).contains(&target) {
                match kind {
                    Kind::Antonym => found.insert(Antonym),
                    Kind::Derivation => found.insert(Derivation),
                    _ => {}
                }
            }
        }
        found
    }

    #[test]
    fn all_pairs_agree_with_the_definition() {
        toy::each_question(|wordnet, [a, b], [a_pos, b_pos], depth| {
            let found = wordnet.relations(a, a_pos, b, b_pos, depth);
            let words = (wordnet.word(a), a_pos, wordnet.word(b), b_pos, depth);
            assert_eq!(found, slow(wordnet, a, a_pos, b, b_pos, depth), "{words:?}");
        });
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let set: WnSet = [Meronym, Synonym].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Synonym, Meronym]);
        assert_eq!(set.bits(), 1 | 1 << 7);
        assert!(!set.is_empty() && set.contains(Meronym) && !set.contains(Holonym));
        assert!(WnSet::EMPTY.is_empty());
    }
}
