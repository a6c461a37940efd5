//! Named entities: people, places and organisations by a learned model; dates, money, percentages
//! and numbers by pattern.
//!
//! A chain over BIOES labels (see [`super::bio`]) finds the names. A word's features are its form
//! and those of its neighbours, the clusters of both, tags, name lists, and the run of capitalised
//! words that contains it: the words before and after the run, and its first and last word.
//! Patterns then label the remaining words.

pub mod gazetteer;
mod pattern;

use super::atoms::{Atom, CAPITAL, DIGIT, FIRST, MARKS, MIXED, SHOUTED, UPPER};
use super::bio;
use super::learn::{Chain, ChainScratch, hash};
use crate::container::{Container, Origin, SectionReader};
use crate::{Error, Result};
use gazetteer::{Gazetteer, Mark};

/// The entity types, the learned ones first.
pub const ENTITIES: [&str; 7] = ["PER", "LOC", "ORG", "DATE", "MONEY", "NUMBER", "PERCENT"];

/// The number of learned types.
pub const N_LEARNED: usize = 3;

/// The label names, indexed by label (see [`super::bio`]).
pub const ENTITY_LABELS: [&str; 1 + 2 * ENTITIES.len()] = [
    "O",
    "B-PER",
    "I-PER",
    "B-LOC",
    "I-LOC",
    "B-ORG",
    "I-ORG",
    "B-DATE",
    "I-DATE",
    "B-MONEY",
    "I-MONEY",
    "B-NUMBER",
    "I-NUMBER",
    "B-PERCENT",
    "I-PERCENT",
];

/// How far a run of capitalised words is followed to either side.
const MAX_RUN: usize = 6;

/// The entity recogniser.
#[derive(Clone, Debug)]
pub struct Entities {
    chain: Chain,
    names: Gazetteer,
}

/// Buffers reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct EntityScratch {
    chain: ChainScratch,
    marks: Vec<Mark>,
    patterns: pattern::Scratch,
}

impl Entities {
    /// Creates a recogniser from a chain over the BIOES labels of the learned types, and name
    /// lists. `name` is used in error messages.
    pub fn new(name: &str, chain: Chain, names: Gazetteer) -> Result<Self> {
        let (found, expected) = (chain.table().n_labels(), bio::n_fine(N_LEARNED));
        if found != expected {
            return Err(Error::file(name, format!("{found} labels, expected {expected}: the file is damaged")));
        }
        Ok(Self { chain, names })
    }

    /// Computes the entity label of every word, as well-formed indices into [`ENTITY_LABELS`].
    /// `tags` holds one hash of a Penn tag per word ([`super::words::Words::key`]); `form` returns
    /// a word as written.
    pub fn find<'a>(
        &self,
        atoms: &[Atom],
        tags: &[u32],
        form: impl Fn(usize) -> &'a str,
        scratch: &mut EntityScratch,
        out: &mut Vec<u8>,
    ) {
        self.find_names(atoms, tags, scratch, out);
        pattern::label(form, tags, &mut scratch.patterns, out);
    }

    /// Computes the labels of names only: people, places, organisations.
    pub fn find_names(&self, atoms: &[Atom], tags: &[u32], scratch: &mut EntityScratch, out: &mut Vec<u8>) {
        self.names.mark(atoms, &mut scratch.marks);
        let marks = &scratch.marks;
        let features = |word: usize, features: &mut Vec<u32>| features_of(atoms, tags, marks, word, features);
        self.chain.decode(atoms.len(), features, &mut scratch.chain, out);
        bio::from_fine(out);
    }

    /// Returns the number of features with weights.
    pub fn n_features(&self) -> usize {
        self.chain.table().n_features()
    }

    /// Returns the name lists.
    pub fn names(&self) -> &Gazetteer {
        &self.names
    }

    /// Serialises the recogniser.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let (mut chain, mut names) = (Vec::new(), Vec::new());
        self.chain.write(&mut chain);
        self.names.write(&mut names);
        let mut container = Container::new(origin);
        container.push("chain", chain);
        container.push("names", names);
        container.pack()
    }

    /// Reads a recogniser. `name` is used in error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "entities")?;
        let mut reader = SectionReader::new(name, "chain", container.section(name, "chain")?);
        let chain = Chain::read(&mut reader)?;
        reader.end()?;
        let mut reader = SectionReader::new(name, "names", container.section(name, "names")?);
        let names = Gazetteer::read(&mut reader)?;
        reader.end()?;
        Self::new(name, chain, names)
    }
}

/// Computes the features of a word. Tags outside the sentence are 0.
pub fn features_of(atoms: &[Atom], tags: &[u32], marks: &[Mark], word: usize, out: &mut Vec<u32>) {
    let edge = Atom::default();
    let place = |offset: isize| word.checked_add_signed(offset);
    let at = |offset: isize| place(offset).and_then(|at| atoms.get(at)).unwrap_or(&edge);
    let tag = |offset: isize| place(offset).and_then(|at| tags.get(at)).copied().unwrap_or(0);
    let mark = |offset: isize| place(offset).and_then(|at| marks.get(at)).copied().unwrap_or_default().value();
    let (w, l, r) = (at(0), at(-1), at(1));
    let (t, tl, tr) = (tag(0), tag(-1), tag(1));
    let (m, ml, mr) = (mark(0), mark(-1), mark(1));
    let looks = |atom: &Atom| atom.flags & (CAPITAL | UPPER | MIXED | DIGIT | MARKS | SHOUTED);
    let fine = |atom: &Atom| u32::from(atom.lower_info.fine);
    let coarse = |atom: &Atom| u32::from(atom.lower_info.coarse);
    let names = |atom: &Atom| u32::from(atom.lower_info.names);
    let case = w.flags & (CAPITAL | FIRST | SHOUTED);
    let usual = u32::from(w.lower_info.capital);
    let mut template = 0;
    let mut add = |values: &[u32]| {
        out.push(hash::feature(template, values));
        template += 1;
    };
    add(&[]);
    // The word and its neighbours.
    add(&[w.form]);
    add(&[w.lower]);
    add(&[l.lower]);
    add(&[r.lower]);
    add(&[at(-2).lower]);
    add(&[at(2).lower]);
    add(&[l.lower, w.lower]);
    add(&[w.lower, r.lower]);
    add(&[l.lower, case]);
    add(&[r.lower, case]);
    // Its affixes and shape.
    add(&[w.prefix[2]]);
    add(&[w.suffix[1]]);
    add(&[w.suffix[2]]);
    add(&[w.suffix[3]]);
    add(&[w.shape]);
    add(&[looks(w), w.flags & FIRST]);
    add(&[looks(l), looks(w), looks(r)]);
    add(&[case, usual]);
    // Name lists.
    add(&[case, usual, names(w)]);
    add(&[names(l), looks(l), names(w), looks(w)]);
    add(&[names(w), looks(w), names(r), looks(r)]);
    add(&[m, usual]);
    add(&[m, case]);
    add(&[m, mr, looks(w)]);
    add(&[ml, m, looks(w)]);
    // Tags.
    add(&[t]);
    add(&[tl, t]);
    add(&[t, tr]);
    add(&[tl, t, tr]);
    add(&[t, names(w)]);
    // Clusters.
    add(&[w.info.brown, case]);
    add(&[w.brown(4), case]);
    add(&[w.brown(6), case]);
    add(&[w.brown(8), case]);
    add(&[w.brown(10), case]);
    add(&[l.info.brown]);
    add(&[r.info.brown]);
    add(&[l.brown(10)]);
    add(&[r.brown(10)]);
    add(&[l.brown(6), case]);
    add(&[r.brown(6), case]);
    add(&[l.brown(8), w.brown(8)]);
    add(&[w.brown(8), r.brown(8)]);
    add(&[fine(w), case & !FIRST]);
    add(&[coarse(w), case & !FIRST]);
    add(&[fine(l)]);
    add(&[fine(r)]);
    add(&[coarse(l), case]);
    add(&[coarse(r), case]);
    add(&[coarse(l), coarse(w), case]);
    add(&[coarse(w), coarse(r), case]);
    // The run of capitalised words around it.
    if w.is(CAPITAL) {
        let is_in_run = |atom: &&Atom| atom.is(CAPITAL);
        let n_after = atoms[word..].iter().take(MAX_RUN).take_while(is_in_run).count();
        let n_before = atoms[..word].iter().rev().take(MAX_RUN).take_while(is_in_run).count();
        let (first, last) = (&atoms[word - n_before], &atoms[word + n_after - 1]);
        let (before, after) = (at(-(n_before as isize) - 1), at(n_after as isize));
        let run = n_before.min(3) as u32 * 8 + n_after.min(4) as u32;
        add(&[run]);
        add(&[before.lower]);
        add(&[after.lower]);
        add(&[coarse(before)]);
        add(&[coarse(after)]);
        add(&[first.lower]);
        add(&[last.lower]);
        add(&[fine(last)]);
        add(&[first.info.brown]);
        add(&[last.info.brown]);
        add(&[names(first), run]);
        add(&[names(last), run]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::atoms::atoms;
    use super::super::learn::{FitOptions, Labelled, fit};
    use super::super::words::Words;
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    const SENTENCES: [(&str, &str); 4] = [
        ("Mr. Anders Holm flew to Oslo", "O B-PER I-PER O O B-LOC"),
        ("he works for Brenner Steel Corp. in Bern", "O O O B-ORG I-ORG I-ORG O B-LOC"),
        ("the weather in Lisbon was fine", "O O O B-LOC O O"),
        ("Ulla met Mr. Sten Ek", "B-PER O O B-PER I-PER"),
    ];

    fn made(sentence: &str) -> Vec<Atom> {
        let mut out = Vec::new();
        atoms(sentence.split(' '), &Words::new(&[]), &mut out);
        out
    }

    fn learned() -> Entities {
        let number = |label: &str| ENTITY_LABELS.iter().position(|name| *name == label).unwrap() as u8;
        let names = Gazetteer::new(&[(Words::key("oslo"), gazetteer::PLACE)]);
        let data: Vec<Labelled> = SENTENCES
            .iter()
            .map(|(sentence, labels)| {
                let atoms = made(sentence);
                let mut marks = Vec::new();
                names.mark(&atoms, &mut marks);
                let labels: Vec<u8> = labels.split(' ').map(number).collect();
                Labelled::new(bio::to_fine(&labels), |word, out| features_of(&atoms, &[], &marks, word, out))
            })
            .collect();
        let options = FitOptions {
            epochs: 20,
            l1: 0.0,
            l2: 0.0,
            min_count: 1,
            allowed: bio::allowed(N_LEARNED),
            ..FitOptions::default()
        };
        Entities::new("entities", fit(bio::n_fine(N_LEARNED), &data, &options, |_, _| (), |_, _| ()), names).unwrap()
    }

    fn found(entities: &Entities, sentence: &str) -> String {
        let words: Vec<&str> = sentence.split(' ').collect();
        let mut out = Vec::new();
        entities.find(&made(sentence), &[], |word| words[word], &mut EntityScratch::default(), &mut out);
        out.iter().map(|&label| ENTITY_LABELS[label as usize]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_are_named_after_their_kinds() {
        for (kind, name) in ENTITIES.iter().enumerate() {
            assert_eq!(ENTITY_LABELS[bio::begin(kind as u8) as usize], format!("B-{name}"));
            assert_eq!(ENTITY_LABELS[bio::inside(kind as u8) as usize], format!("I-{name}"));
        }
        assert_eq!(ENTITIES[pattern::DATE as usize], "DATE");
        assert_eq!(ENTITIES[pattern::MONEY as usize], "MONEY");
        assert_eq!(ENTITIES[pattern::NUMBER as usize], "NUMBER");
        assert_eq!(ENTITIES[pattern::PERCENT as usize], "PERCENT");
    }

    #[test]
    fn a_few_sentences_are_learned_by_heart_and_kept_in_a_file() {
        let entities = learned();
        let origin = |resource: &str| Origin {
            resource: resource.to_owned(),
            data: String::new(),
            licence: String::new(),
            made: String::new(),
            quality: Vec::new(),
        };
        let file = entities.to_bytes(origin("entities")).unwrap();
        let back = Entities::from_bytes("entities.resay", &file).unwrap();
        for (sentence, labels) in SENTENCES {
            assert_eq!(found(&entities, sentence), labels);
            assert_eq!(found(&back, sentence), labels);
        }
        assert_eq!(found(&back, "Mr. Anders Holm paid $ 20 in 1999"), "O B-PER I-PER O B-MONEY I-MONEY O B-DATE");
        assert!(Entities::from_bytes("entities.resay", &file[..file.len() / 2]).is_err());
        let other = entities.to_bytes(origin("chunker")).unwrap();
        assert!(Entities::from_bytes("chunker.resay", &other).unwrap_err().to_string().contains("expected 'entities'"));
    }

    #[test]
    fn any_words_and_tags_give_well_formed_labels() {
        let entities = learned();
        let words = prop::collection::vec(
            (prop_oneof!["\\PC{0,6}", "(Mr\\.|Oslo|Corp\\.|Holm|3|March|%|five|in|2004)"], any::<u32>()),
            0..12,
        );
        let law = |words: Vec<(String, u32)>| {
            let mut made = Vec::new();
            atoms(words.iter().map(|(word, _)| word.as_str()), &Words::new(&[]), &mut made);
            // Too few tags must not fail either.
            let tags: Vec<u32> = words.iter().skip(1).map(|(_, tag)| *tag).collect();
            let mut out = Vec::new();
            entities.find(&made, &tags, |word| words[word].0.as_str(), &mut EntityScratch::default(), &mut out);
            prop_assert_eq!(out.len(), words.len());
            prop_assert!(bio::is_well_formed(&out, ENTITIES.len()));
            Ok(())
        };
        TestRunner::deterministic().run(&words, law).unwrap();
    }
}
