//! The compiled WordNet against NLTK's reader of the original files, on every lemma. The figures in
//! `golden/wordnet.json` are written by `scripts/oracle/wordnet.py`: numbers of related pairs and
//! digests by initial letter, similarities of fixed pairs, base forms. Departures on purpose are
//! told in `lexicon/wordnet/similarity.rs` and made on the oracle's side too.

#![cfg(test)]

use resay_text::lexicon::wordnet::{LemmaId, PointerKind, Pos, SynsetId, WnRelation, WnSet, WordNet};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Golden {
    lemmas: usize,
    senses: Digests,
    /// Part of speech, then relation.
    relations: BTreeMap<char, BTreeMap<String, Digests>>,
    morphy: Morphy,
    /// Two lemmas; path, Wu-Palmer and Lin similarity where there is one.
    similarities: Vec<(String, String, Option<[f64; 3]>)>,
}

#[derive(Deserialize)]
struct Morphy {
    endings: Vec<String>,
    every: usize,
    regular: Digests,
    irregular: Vec<(String, [Vec<String>; 4])>,
}

/// Number of lines; for each initial letter the sum of the lines' 64-bit FNV-1a hashes.
#[derive(Debug, Default, PartialEq, Deserialize)]
struct Digests {
    lines: usize,
    letters: BTreeMap<String, String>,
}

#[derive(Default)]
struct Sums {
    lines: usize,
    letters: BTreeMap<String, u64>,
}

impl Sums {
    fn add(&mut self, about: &str, line: &[&str]) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in line.iter().flat_map(|part| part.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        let initial = about.chars().next().filter(char::is_ascii_alphabetic);
        let letter = initial.map_or_else(|| "other".to_owned(), String::from);
        let sum = self.letters.entry(letter).or_default();
        *sum = sum.wrapping_add(hash);
        self.lines += 1;
    }

    fn check(&self, expected: &Digests, what: &str) {
        for (letter, digest) in &expected.letters {
            let found = format!("{:016x}", self.letters.get(letter).copied().unwrap_or(0));
            assert_eq!(&found, digest, "{what}, words with {letter}");
        }
        assert_eq!(self.lines, expected.lines, "{what}: number of lines");
    }
}

fn golden() -> Golden {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/wordnet.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect(path)).expect(path)
}

fn wordnet() -> WordNet {
    let [(name, bytes)] = resay_en_wordnet::files() else { panic!("one file") };
    WordNet::open(name, bytes).expect(name)
}

fn lemmas(wordnet: &WordNet) -> impl Iterator<Item = LemmaId> + use<> {
    (0..wordnet.n_lemmas() as u32).map(LemmaId)
}

#[test]
fn senses_their_words_and_their_counts_are_those_of_the_files() {
    let (wordnet, golden) = (wordnet(), golden());
    assert_eq!(wordnet.n_lemmas(), golden.lemmas);
    let mut sums = Sums::default();
    for lemma in lemmas(&wordnet) {
        let word = wordnet.word(lemma);
        assert_eq!(wordnet.lemma(word), Some(lemma));
        for pos in Pos::ALL {
            for (number, sense) in wordnet.senses(lemma, Some(pos)).enumerate() {
                let synset = wordnet.synset_of(sense).unwrap();
                let members: Vec<&str> = wordnet.members(synset).map(|member| wordnet.word(member)).collect();
                let (members, count) = (members.join(","), wordnet.tag_count(sense));
                let line = format!("{word}\t{}\t{number}\t{members}\t{count}", pos.letter());
                sums.add(word, &[&line]);
                assert_eq!((wordnet.pos(synset), wordnet.lemma_of(sense)), (Some(pos), Some(lemma)));
            }
        }
    }
    sums.check(&golden.senses, "senses");
}

/// The relations by name, asked for up to a depth.
const RELATIONS: [(&str, WnRelation, u8); 13] = [
    ("synonym", WnRelation::Synonym, 0),
    ("antonym", WnRelation::Antonym, 0),
    ("hypernym 1", WnRelation::Hypernym, 1),
    ("hypernym 3", WnRelation::Hypernym, 3),
    ("hypernym 255", WnRelation::Hypernym, 255),
    ("hyponym 1", WnRelation::Hyponym, 1),
    ("hyponym 3", WnRelation::Hyponym, 3),
    ("entailment", WnRelation::Entailment, 0),
    ("cause", WnRelation::Cause, 0),
    ("holonym", WnRelation::Holonym, 0),
    ("meronym", WnRelation::Meronym, 0),
    ("similar", WnRelation::Similar, 0),
    ("derivation", WnRelation::Derivation, 0),
];

/// Synsets that are met from one by some kinds of pointers, within so many steps, itself left out.
fn closure(wordnet: &WordNet, start: SynsetId, kinds: [PointerKind; 2], depth: u8) -> BTreeSet<SynsetId> {
    let (mut found, mut level) = (BTreeSet::new(), vec![start]);
    for _ in 0..depth {
        let next = level.iter().flat_map(|&synset| wordnet.pointers(synset));
        let next: Vec<SynsetId> = next.filter(|(kind, _)| kinds.contains(kind)).map(|(_, target)| target).collect();
        level = next.into_iter().filter(|&synset| found.insert(synset)).collect();
        if level.is_empty() {
            break;
        }
    }
    found.remove(&start);
    found
}

/// The lemmas that are a \[relation\] of a lemma, from single pointers: slow, and without
/// `WordNet::relations`.
fn related(wordnet: &WordNet, lemma: LemmaId, pos: Pos, relation: WnRelation, depth: u8) -> BTreeSet<LemmaId> {
    use PointerKind as Kind;
    let mut synsets = BTreeSet::new();
    let mut lemmas = BTreeSet::new();
    for sense in wordnet.senses(lemma, Some(pos)) {
        let synset = wordnet.synset_of(sense).unwrap();
        let kinds: &[Kind] = match relation {
            WnRelation::Synonym => {
                synsets.insert(synset);
                &[]
            }
            WnRelation::Hypernym => {
                synsets.extend(closure(wordnet, synset, [Kind::Hypernym, Kind::InstanceHypernym], depth));
                &[]
            }
            WnRelation::Hyponym => {
                synsets.extend(closure(wordnet, synset, [Kind::Hyponym, Kind::InstanceHyponym], depth));
                &[]
            }
            WnRelation::Entailment => &[Kind::Entailment],
            WnRelation::Cause => &[Kind::Cause],
            WnRelation::Holonym => &[Kind::MemberHolonym, Kind::PartHolonym, Kind::SubstanceHolonym],
            WnRelation::Meronym => &[Kind::MemberMeronym, Kind::PartMeronym, Kind::SubstanceMeronym],
            WnRelation::Similar => &[Kind::Similar],
            WnRelation::Antonym => &[Kind::Antonym],
            WnRelation::Derivation => &[Kind::Derivation],
        };
        synsets.extend(pointed(wordnet, synset, kinds));
        lemmas.extend(pointed_words(wordnet, lemma, pos, kinds));
    }
    lemmas.extend(synsets.iter().flat_map(|&synset| wordnet.members(synset)));
    lemmas
}

fn pointed(wordnet: &WordNet, synset: SynsetId, kinds: &[PointerKind]) -> Vec<SynsetId> {
    wordnet.pointers(synset).filter(|(kind, _)| kinds.contains(kind)).map(|(_, target)| target).collect()
}

fn pointed_words(wordnet: &WordNet, lemma: LemmaId, pos: Pos, kinds: &[PointerKind]) -> Vec<LemmaId> {
    let in_pos = |sense| wordnet.synset_of(sense).and_then(|synset| wordnet.pos(synset)) == Some(pos);
    let pointers = wordnet.word_pointers(lemma);
    let pointers = pointers.filter(|&(source, kind, _)| in_pos(source) && kinds.contains(&kind));
    pointers.map(|(_, _, target)| wordnet.lemma_of(target).unwrap()).collect()
}

#[test]
fn every_related_lemma_of_every_lemma_is_nltks() {
    let (wordnet, golden) = (wordnet(), golden());
    for pos in Pos::ALL {
        for (name, relation, depth) in RELATIONS {
            let mut sums = Sums::default();
            for lemma in lemmas(&wordnet) {
                let word = wordnet.word(lemma);
                for other in related(&wordnet, lemma, pos, relation, depth) {
                    sums.add(word, &[word, "\t", wordnet.word(other)]);
                }
            }
            sums.check(&golden.relations[&pos.letter()][name], &format!("{name}, {pos:?}"));
        }
    }
}

#[test]
fn every_other_pointer_is_nltks() {
    let (wordnet, golden) = (wordnet(), golden());
    let kinds = [
        ("pertainym", PointerKind::Pertainym),
        ("participle", PointerKind::Participle),
        ("attribute", PointerKind::Attribute),
        ("verb group", PointerKind::VerbGroup),
        ("also see", PointerKind::AlsoSee),
        ("topic", PointerKind::TopicDomain),
        ("region", PointerKind::RegionDomain),
        ("usage", PointerKind::UsageDomain),
        ("in topic", PointerKind::InTopicDomain),
        ("in region", PointerKind::InRegionDomain),
        ("in usage", PointerKind::InUsageDomain),
    ];
    for pos in Pos::ALL {
        for (name, kind) in kinds {
            let mut sums = Sums::default();
            for lemma in lemmas(&wordnet) {
                let synsets = wordnet.synsets(lemma, Some(pos)).flat_map(|synset| pointed(&wordnet, synset, &[kind]));
                let mut found: BTreeSet<LemmaId> =
                    synsets.flat_map(|synset| wordnet.members(synset).collect::<Vec<_>>()).collect();
                found.extend(pointed_words(&wordnet, lemma, pos, &[kind]));
                let word = wordnet.word(lemma);
                found.into_iter().for_each(|other| sums.add(word, &[word, "\t", wordnet.word(other)]));
            }
            sums.check(&golden.relations[&pos.letter()][name], &format!("{name}, {pos:?}"));
        }
    }
}

/// What `WordNet::relations` says of a lemma and all lemmas that are related to it somehow, and of
/// as many that are not.
#[test]
fn the_fast_answer_is_the_slow_one_for_every_lemma() {
    let wordnet = wordnet();
    for depth in [1, 3] {
        let asked: Vec<WnRelation> = WnRelation::ALL.to_vec();
        for lemma in lemmas(&wordnet) {
            for pos in Pos::ALL.into_iter().filter(|&pos| wordnet.synsets(lemma, Some(pos)).len() > 0) {
                let mut sets: BTreeMap<LemmaId, WnSet> = BTreeMap::new();
                for &relation in &asked {
                    for other in related(&wordnet, lemma, pos, relation, depth) {
                        sets.entry(other).or_default().insert(relation);
                    }
                }
                // Others are mostly unrelated; they are taken from all over the table.
                for number in 1..=4_u32 {
                    let other = lemma.0.wrapping_mul(2_654_435_761).wrapping_add(number * 36_827);
                    sets.entry(LemmaId(other % wordnet.n_lemmas() as u32)).or_default();
                }
                for (other, expected) in sets {
                    let found = wordnet.relations(lemma, Some(pos), other, None, depth);
                    let words = (wordnet.word(lemma), wordnet.word(other));
                    assert_eq!(found, expected, "{words:?}, {pos:?}, depth {depth}");
                }
            }
        }
    }
}

#[test]
fn similarities_are_nltks() {
    let (wordnet, golden) = (wordnet(), golden());
    assert!(golden.similarities.len() > 2000);
    for (a, b, expected) in golden.similarities {
        let (one, other) = (wordnet.lemma(&a).unwrap(), wordnet.lemma(&b).unwrap());
        let found = [
            wordnet.path_similarity(one, None, other, None),
            wordnet.wu_palmer_similarity(one, None, other, None),
            wordnet.lin_similarity(one, None, other, None),
        ];
        match expected {
            None => assert_eq!(found, [None; 3], "{a}, {b}"),
            Some(expected) => {
                for (kind, (found, expected)) in ["path", "wu_palmer", "lin"].iter().zip(found.iter().zip(expected)) {
                    let found =
                        found.unwrap_or_else(|| panic!("{kind} of {a}, {b}: nothing, the oracle says {expected}"));
                    assert!((found - expected).abs() < 1e-9, "{kind} of {a}, {b}: {found}, the oracle says {expected}");
                }
            }
        }
    }
}

#[test]
fn base_forms_are_nltks() {
    let (wordnet, golden) = (wordnet(), golden());
    let base_forms = |form: &str, pos: Pos| -> Vec<String> {
        wordnet.morphy(form, pos).into_iter().map(|lemma| wordnet.word(lemma).to_owned()).collect()
    };
    let mut sums = Sums::default();
    for lemma in lemmas(&wordnet).step_by(golden.morphy.every) {
        let word = wordnet.word(lemma);
        for ending in &golden.morphy.endings {
            for pos in Pos::ALL {
                let form = format!("{word}{ending}");
                let found = base_forms(&form, pos).join(",");
                sums.add(word, &[&form, "\t", &pos.letter().to_string(), "\t", &found]);
            }
        }
    }
    sums.check(&golden.morphy.regular, "base forms");
    assert!(golden.morphy.irregular.len() > 2000);
    for (form, expected) in &golden.morphy.irregular {
        for pos in Pos::ALL {
            assert_eq!(base_forms(form, pos), expected[pos as usize], "{form}, {pos:?}");
        }
    }
}
