//! WordNet as a source of the lexicon: finds the entry of a word, and the words related to it.
//!
//! A word with a tag is looked up in that part of speech only. Function words (prepositions,
//! articles, ...) are not looked up at all, or "he" would be helium and "in" an inch. Without a tag
//! all senses count.

use super::relation::{Relation, Relations};
use super::wordnet::{LemmaId, PointerKind, Pos, SynsetId, WnSet, WordNet};
use crate::Upos;
use std::collections::BTreeSet;

/// The relations from WordNet, in the order of WordNet's own sets.
pub const BY_WORDNET: [Relation; 10] = [
    Relation::Synonym,
    Relation::Antonym,
    Relation::Hypernym,
    Relation::Hyponym,
    Relation::Entailment,
    Relation::Cause,
    Relation::Holonym,
    Relation::Meronym,
    Relation::SimilarTo,
    Relation::Derivation,
];

/// A word of WordNet, in one part of speech or any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) lemma: LemmaId,
    pub(super) pos: Option<Pos>,
}

/// Converts a set of WordNet's relations. Both types of sets have the same order, with different
/// offsets.
pub(super) fn relations(set: WnSet) -> Relations {
    Relations::from_bits(u64::from(set.bits()), Relation::Synonym)
}

/// Returns the part of speech to search: `None` for function words, `Some(None)` for any.
fn pos(tag: Option<Upos>) -> Option<Option<Pos>> {
    match tag {
        Some(Upos::Noun | Upos::Propn) => Some(Some(Pos::Noun)),
        Some(Upos::Verb | Upos::Aux) => Some(Some(Pos::Verb)),
        Some(Upos::Adj) => Some(Some(Pos::Adjective)),
        Some(Upos::Adv) => Some(Some(Pos::Adverb)),
        Some(Upos::Intj | Upos::Num | Upos::Sym | Upos::X) | None => Some(None),
        Some(Upos::Adp | Upos::Cconj | Upos::Det | Upos::Part | Upos::Pron | Upos::Punct | Upos::Sconj) => None,
    }
}

/// Looks up a word: by its lemma if one is given and known, else by the first base form found by
/// WordNet's rules.
pub(super) fn entry(wordnet: &WordNet, form: &str, lemma: Option<&str>, tag: Option<Upos>) -> Option<Entry> {
    let pos = pos(tag)?;
    let given = lemma.and_then(|lemma| wordnet.lemma(lemma));
    let parts = || pos.map_or(&Pos::ALL[..], |pos| &Pos::ALL[pos as usize..=pos as usize]);
    let found = given.or_else(|| parts().iter().find_map(|&pos| wordnet.morphy(form, pos).first().copied()))?;
    Some(Entry { lemma: found, pos })
}

/// Lists all words to which a word is related; with `is_backward`, the words that are related to
/// it. Each comes with one relation, in no particular order, possibly repeated. Multiword terms are
/// left out, because the lexicon looks up single words.
pub(super) fn listed(
    wordnet: &WordNet,
    entry: Entry,
    depth: u8,
    wanted: Relations,
    is_backward: bool,
) -> Vec<(&str, Relation)> {
    let lemmas = lemmas(wordnet, entry, depth, wanted, is_backward).into_iter();
    lemmas
        .filter(|&(lemma, relation)| relation != Relation::Synonym || lemma != entry.lemma)
        .map(|(lemma, relation)| (wordnet.word(lemma), relation))
        .filter(|(word, _)| !word.contains('_'))
        .collect()
}

/// Like [`listed`], as WordNet's lemmas, including multiword terms.
///
/// The inverse of a pointer is its mirror pointer. Entailment and cause have none, so all verbs are
/// searched for them.
pub(super) fn lemmas(
    wordnet: &WordNet,
    entry: Entry,
    depth: u8,
    wanted: Relations,
    is_backward: bool,
) -> Vec<(LemmaId, Relation)> {
    let mut found: Vec<(LemmaId, Relation)> = Vec::new();
    let own: BTreeSet<SynsetId> = wordnet.synsets(entry.lemma, entry.pos).collect();
    let mut add = |synset: SynsetId, relation: Relation| {
        found.extend(wordnet.members(synset).map(|lemma| (lemma, relation)));
    };
    let (above, below) = match is_backward {
        false => (Relation::Hypernym, Relation::Hyponym),
        true => (Relation::Hyponym, Relation::Hypernym),
    };
    let (whole, part) = match is_backward {
        false => (Relation::Holonym, Relation::Meronym),
        true => (Relation::Meronym, Relation::Holonym),
    };
    for &synset in &own {
        add(synset, Relation::Synonym);
        for (kind, target) in wordnet.pointers(synset) {
            match kind {
                PointerKind::Entailment if !is_backward => add(target, Relation::Entailment),
                PointerKind::Cause if !is_backward => add(target, Relation::Cause),
                PointerKind::MemberHolonym | PointerKind::PartHolonym | PointerKind::SubstanceHolonym => {
                    add(target, whole);
                }
                PointerKind::MemberMeronym | PointerKind::PartMeronym | PointerKind::SubstanceMeronym => {
                    add(target, part);
                }
                PointerKind::Similar => add(target, Relation::SimilarTo),
                _ => {}
            }
        }
        let ways = [
            (above, [PointerKind::Hypernym, PointerKind::InstanceHypernym]),
            (below, [PointerKind::Hyponym, PointerKind::InstanceHyponym]),
        ];
        for (relation, kinds) in ways.into_iter().filter(|(relation, _)| wanted.contains(*relation)) {
            reached(wordnet, synset, kinds, depth).into_iter().for_each(|target| add(target, relation));
        }
    }
    let without_mirror = [(PointerKind::Entailment, Relation::Entailment), (PointerKind::Cause, Relation::Cause)];
    if is_backward && without_mirror.iter().any(|(_, relation)| wanted.contains(*relation)) {
        let verbs = (0..wordnet.n_synsets() as u32).map(SynsetId).filter(|&id| wordnet.pos(id) == Some(Pos::Verb));
        for synset in verbs {
            for (kind, target) in wordnet.pointers(synset) {
                if let Some((_, relation)) = without_mirror.iter().find(|(known, _)| *known == kind)
                    && own.contains(&target)
                {
                    add(synset, *relation);
                }
            }
        }
    }
    for (source, kind, target) in wordnet.word_pointers(entry.lemma) {
        let relation = match kind {
            PointerKind::Antonym => Relation::Antonym,
            PointerKind::Derivation => Relation::Derivation,
            _ => continue,
        };
        if wordnet.synset_of(source).is_some_and(|synset| own.contains(&synset)) {
            found.extend(wordnet.lemma_of(target).map(|lemma| (lemma, relation)));
        }
    }
    found.retain(|(_, relation)| wanted.contains(*relation));
    found
}

/// Returns the synsets reached by at most `depth` pointers of these kinds.
fn reached(wordnet: &WordNet, from: SynsetId, kinds: [PointerKind; 2], depth: u8) -> BTreeSet<SynsetId> {
    let mut reached = BTreeSet::new();
    let mut edge = vec![from];
    for _ in 0..depth {
        let next = edge.iter().flat_map(|&synset| wordnet.pointers(synset));
        let next: BTreeSet<SynsetId> =
            next.filter(|(kind, _)| kinds.contains(kind)).map(|(_, target)| target).collect();
        edge = next.difference(&reached).copied().collect();
        reached.extend(&edge);
        if edge.is_empty() {
            break;
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::super::wordnet::{Source, SourceSynset, SourceWord, WnRelation};
    use super::*;
    use crate::container::Origin;

    const WORDS: [&str; 14] = [
        "bark", "beagle", "canine", "cat", "dog", "drop", "fall", "hound", "loud", "noisy", "pack", "quiet", "sleep",
        "snore",
    ];

    /// ```text
    /// nouns       0 canine   1 dog = hound (@ 0; #m 4)   2 beagle (@ 1)   3 cat   4 pack   5 bark
    /// verbs       6 bark   7 drop (> 8)   8 fall   9 sleep   10 snore (* 9)
    /// adjectives  11 loud   12 noisy (& 11)   13 quiet
    /// word to word: bark (noun) + bark (verb), loud ! quiet
    /// ```
    fn wordnet() -> WordNet {
        let number = |word: &str| WORDS.iter().position(|known| *known == word).unwrap() as u32;
        let synset = |pos: Pos, words: &[&str], depths: Option<(u8, u8)>| SourceSynset {
            pos,
            words: words.iter().map(|word| SourceWord { lemma: number(word), sense: 0, count: 1 }).collect(),
            depths,
            mass: if pos > Pos::Verb { 0.0 } else { 1.0 },
        };
        let mut synsets =
            vec![synset(Pos::Noun, &["canine"], Some((0, 0))), synset(Pos::Noun, &["dog", "hound"], Some((1, 1)))];
        synsets.extend(["beagle", "cat", "pack", "bark"].map(|word| synset(Pos::Noun, &[word], None)));
        synsets.extend(["bark", "drop", "fall", "sleep", "snore"].map(|word| synset(Pos::Verb, &[word], None)));
        synsets.extend(["loud", "noisy", "quiet"].map(|word| synset(Pos::Adjective, &[word], None)));
        let mut pointers = BTreeSet::new();
        for (kind, source, target) in [
            (PointerKind::Hypernym, 1, 0),
            (PointerKind::Hypernym, 2, 1),
            (PointerKind::MemberHolonym, 1, 4),
            (PointerKind::Cause, 7, 8),
            (PointerKind::Entailment, 10, 9),
            (PointerKind::Similar, 12, 11),
        ] {
            pointers.insert((kind, source, target));
            pointers.extend(kind.mirror().map(|mirror| (mirror, target, source)));
        }
        let mut word_pointers = BTreeSet::new();
        for (kind, source, target) in
            [(PointerKind::Derivation, ("bark", 5), ("bark", 6)), (PointerKind::Antonym, ("loud", 11), ("quiet", 13))]
        {
            let [source, target] = [source, target].map(|(word, synset)| (number(word), synset));
            word_pointers.extend([(kind, source, target), (kind, target, source)]);
        }
        let source = Source {
            lemmas: WORDS.map(str::to_owned).to_vec(),
            synsets,
            pointers,
            word_pointers,
            total_masses: [10.0, 10.0],
            exceptions: [vec![], vec![("fell".to_owned(), vec![number("fall")])], vec![], vec![]],
        };
        let [data, licence, made] = ["made up", "", ""].map(str::to_owned);
        let origin = Origin { resource: "wordnet".to_owned(), data, licence, made, quality: Vec::new() };
        WordNet::open("toy.resay", &source.pack(origin).unwrap()).unwrap()
    }

    #[test]
    fn both_sets_have_one_order() {
        for (wn, relation) in WnRelation::ALL.into_iter().zip(BY_WORDNET) {
            assert_eq!(relations([wn].into_iter().collect()), Relations::of(relation), "{wn:?}");
        }
    }

    #[test]
    fn words_are_related_by_their_senses() {
        let lexicon = Lexicon::new().with_wordnet(wordnet());
        let check = |a: (&str, Option<Upos>), b: (&str, Option<Upos>), expected: &str| {
            let [a, b] = [a, b].map(|(form, tag)| lexicon.word(form, None, tag));
            assert_eq!(lexicon.show(lexicon.relations(&a, &b)), expected, "{a:?} {b:?}");
        };
        let (noun, verb) = (Some(Upos::Noun), Some(Upos::Verb));
        check(("dog", None), ("hounds", None), "synonym:synonym1");
        check(("Beagles", noun), ("canine", None), "hypernym");
        check(("canines", noun), ("beagle", noun), "hyponym");
        check(("dog", None), ("pack", None), "holonym");
        check(("pack", None), ("dogs", None), "meronym");
        check(("snoring", verb), ("slept", verb), "none");
        check(("snoring", verb), ("sleeps", verb), "entailment");
        check(("drops", verb), ("fell", verb), "cause");
        check(("drops", noun), ("fell", verb), "none");
        check(("noisy", None), ("loud", None), "similar_to");
        check(("loud", None), ("quiet", None), "antonym");
        check(("bark", noun), ("barks", verb), "lemma:stem:derivation:edit1");
        check(("dog", Some(Upos::Adp)), ("hound", noun), "none");
    }

    #[test]
    fn lemmas_come_from_who_knows_best() {
        let lexicon = Lexicon::new().with_wordnet(wordnet());
        let check = |form: &str, lemma: Option<&str>, tag: Option<Upos>, expected: (&str, bool)| {
            let term = lexicon.word(form, lemma, tag);
            assert_eq!((term.lemma(), term.wordnet.is_some()), expected, "{form}");
        };
        check("Fell", None, None, ("fall", true));
        check("Fell", None, Some(Upos::Noun), ("fell", false));
        check("fell", Some("Fall"), Some(Upos::Verb), ("fall", true));
        // A given lemma is kept, even if WordNet finds the word by another.
        check("dogs", Some("doggy"), Some(Upos::Noun), ("doggy", true));
        check("dogs", None, Some(Upos::Det), ("dogs", false));
    }

    #[test]
    fn depth_bounds_hypernyms() {
        let check = |depth: u8, expected: bool| {
            let lexicon = Lexicon::new().with_wordnet(wordnet()).with_hypernym_depth(depth);
            let [beagle, canine] = ["beagle", "canine"].map(|form| lexicon.word(form, None, None));
            assert_eq!(lexicon.relations(&beagle, &canine).contains(Relation::Hypernym), expected);
            let listed = lexicon.related(&beagle, Relations::of(Relation::Hypernym));
            assert_eq!(listed.iter().any(|(word, _)| *word == "canine"), expected);
        };
        check(0, false);
        check(1, false);
        check(2, true);
    }

    #[test]
    fn similarities_are_reached() {
        let lexicon = Lexicon::new().with_wordnet(wordnet());
        let [beagle, canine, loud] = ["beagle", "canine", "loud"].map(|form| lexicon.word(form, None, None));
        assert_eq!(lexicon.path_similarity(&beagle, &canine), Some(1.0 / 3.0));
        assert!(lexicon.wu_palmer_similarity(&beagle, &canine).is_some_and(|value| value > 0.0));
        assert!(lexicon.lin_similarity(&beagle, &beagle).is_some_and(|value| value > 0.99));
        assert_eq!(lexicon.path_similarity(&beagle, &loud), None);
    }

    /// Words listed as related are those that querying every word of the table finds.
    fn check_lists(lexicon: &Lexicon, words: &[&str], asked: &[&str]) {
        let wanted: Relations = BY_WORDNET.into_iter().collect();
        let terms: Vec<_> = words.iter().map(|word| lexicon.word(word, Some(word), None)).collect();
        for form in asked {
            let term = lexicon.word(form, Some(form), None);
            for is_backward in [false, true] {
                let ask = |other| match is_backward {
                    false => lexicon.relations_among(&term, other, wanted),
                    true => lexicon.relations_among(other, &term, wanted),
                };
                let found = words.iter().zip(&terms).map(|(word, other)| (*word, ask(other)));
                let found: Vec<(&str, Relations)> = found.filter(|(_, how)| !how.is_empty()).collect();
                let listed = if is_backward { lexicon.relating(&term, wanted) } else { lexicon.related(&term, wanted) };
                assert_eq!(listed, found, "{form}, backward: {is_backward}");
            }
        }
    }

    #[test]
    fn related_words_are_those_that_the_query_finds() {
        check_lists(&Lexicon::new().with_wordnet(wordnet()), &WORDS, &WORDS);
    }

    #[test]
    fn related_words_of_the_bundled_table() {
        let wordnet = crate::testing::wordnet();
        let words: Vec<String> = (0..wordnet.n_lemmas() as u32)
            .map(|lemma| wordnet.word(LemmaId(lemma)).to_owned())
            .filter(|word| !word.contains('_'))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        check_lists(&Lexicon::new().with_wordnet(wordnet), &words, &["dog", "buy", "sleep", "wheel", "hot", "quickly"]);
    }
}
