//! Chunking: flat, non-overlapping noun phrases, verb groups and the like, as in the CoNLL-2000
//! shared task.
//!
//! A word's features are the surrounding words and Penn tags, and the clusters of its neighbours.
//! The chain model adds the previous label. Tags come from our own tagger in training too, so that
//! the chunker sees the same tagging errors in training and in use.

use super::atoms::Atom;
use super::bio;
use super::learn::{Chain, ChainScratch, hash};
use crate::container::{Container, Origin, SectionReader};
use crate::{Error, Result};

/// The chunk types.
pub const CHUNKS: [&str; 11] = ["ADJP", "ADVP", "CONJP", "INTJ", "LST", "NP", "PP", "PRT", "SBAR", "UCP", "VP"];

/// The label names, indexed by label (see [`super::bio`]).
pub const CHUNK_LABELS: [&str; 1 + 2 * CHUNKS.len()] = [
    "O", "B-ADJP", "I-ADJP", "B-ADVP", "I-ADVP", "B-CONJP", "I-CONJP", "B-INTJ", "I-INTJ", "B-LST", "I-LST", "B-NP",
    "I-NP", "B-PP", "I-PP", "B-PRT", "I-PRT", "B-SBAR", "I-SBAR", "B-UCP", "I-UCP", "B-VP", "I-VP",
];

/// The chunker.
#[derive(Clone, Debug)]
pub struct Chunker {
    chain: Chain,
}

impl Chunker {
    /// Creates a chunker from a chain over the BIOES labels of [`super::bio`]. `name` is used in
    /// error messages.
    pub fn new(name: &str, chain: Chain) -> Result<Self> {
        let (found, expected) = (chain.table().n_labels(), bio::n_fine(CHUNKS.len()));
        if found != expected {
            return Err(Error::file(name, format!("{found} labels, expected {expected}: the file is damaged")));
        }
        Ok(Self { chain })
    }

    /// Computes the chunk label of every word, as well-formed indices into [`CHUNK_LABELS`]. `tags`
    /// holds one hash of a Penn tag per word ([`super::words::Words::key`]).
    pub fn chunk(&self, atoms: &[Atom], tags: &[u32], scratch: &mut ChainScratch, out: &mut Vec<u8>) {
        self.chain.decode(atoms.len(), |word, features| features_of(atoms, tags, word, features), scratch, out);
        bio::from_fine(out);
    }

    /// Returns the number of features with weights.
    pub fn n_features(&self) -> usize {
        self.chain.table().n_features()
    }

    /// Serialises the chunker.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let mut chain = Vec::new();
        self.chain.write(&mut chain);
        let mut container = Container::new(origin);
        container.push("chain", chain);
        container.pack()
    }

    /// Reads a chunker. `name` is used in error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "chunker")?;
        let mut reader = SectionReader::new(name, "chain", container.section(name, "chain")?);
        let chain = Chain::read(&mut reader)?;
        reader.end()?;
        Self::new(name, chain)
    }
}

/// Computes the features of a word. Tags outside the sentence are 0.
pub fn features_of(atoms: &[Atom], tags: &[u32], word: usize, out: &mut Vec<u32>) {
    let edge = Atom::default();
    let place = |offset: isize| word.checked_add_signed(offset);
    let at = |offset: isize| place(offset).and_then(|at| atoms.get(at)).unwrap_or(&edge);
    let tag = |offset: isize| place(offset).and_then(|at| tags.get(at)).copied().unwrap_or(0);
    let (w, l, r) = (at(0), at(-1), at(1));
    let (t, tl, tr, tll, trr) = (tag(0), tag(-1), tag(1), tag(-2), tag(2));
    let pos = |atom: &Atom| u32::from(atom.lower_info.pos);
    let mut template = 0;
    let mut add = |values: &[u32]| {
        out.push(hash::feature(template, values));
        template += 1;
    };
    add(&[]);
    // Words and tags, alone and combined.
    add(&[w.lower]);
    add(&[l.lower]);
    add(&[r.lower]);
    add(&[t]);
    add(&[tl]);
    add(&[tr]);
    add(&[tll]);
    add(&[trr]);
    add(&[tl, t]);
    add(&[t, tr]);
    add(&[tll, tl]);
    add(&[tr, trr]);
    add(&[tll, tl, t]);
    add(&[tl, t, tr]);
    add(&[t, tr, trr]);
    add(&[tll, tl, t, tr]);
    add(&[tl, t, tr, trr]);
    add(&[l.lower, w.lower]);
    add(&[w.lower, r.lower]);
    add(&[w.lower, t]);
    add(&[w.lower, tl]);
    add(&[w.lower, tr]);
    add(&[tl, w.lower, tr]);
    // Back-off features for unknown words and wrong tags.
    add(&[w.suffix[2]]);
    add(&[w.flags]);
    add(&[w.info.brown]);
    add(&[w.brown(10)]);
    add(&[l.info.brown]);
    add(&[r.info.brown]);
    add(&[l.brown(8), w.brown(8)]);
    add(&[w.brown(8), r.brown(8)]);
    add(&[t, l.brown(10)]);
    add(&[t, r.brown(10)]);
    add(&[u32::from(w.lower_info.fine)]);
    add(&[pos(w), t]);
    add(&[pos(l), pos(w)]);
    add(&[pos(w), pos(r)]);
    add(&[l.suffix[1], tl, t]);
    add(&[r.suffix[1], tr, t]);
}

#[cfg(test)]
mod tests {
    use super::super::atoms::atoms;
    use super::super::learn::{FitOptions, Labelled, fit};
    use super::super::words::Words;
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    /// Sentences of words `form/tag`.
    const SENTENCES: [&str; 4] = [
        "the/DT old/JJ dog/NN slept/VBD in/IN the/DT barn/NN",
        "she/PRP has/VBZ slept/VBN well/RB",
        "dogs/NNS bark/VBP and/CC cats/NNS run/VBP away/RP",
        "he/PRP said/VBD that/IN it/PRP was/VBD cold/JJ",
    ];
    const LABELS: [&str; 4] = [
        "B-NP I-NP I-NP B-VP B-PP B-NP I-NP",
        "B-NP B-VP I-VP B-ADVP",
        "B-NP B-VP O B-NP B-VP B-PRT",
        "B-NP B-VP B-SBAR B-NP B-VP B-ADJP",
    ];

    fn read(sentence: &str) -> (Vec<Atom>, Vec<u32>) {
        let mut out = Vec::new();
        atoms(sentence.split(' ').map(|word| word.split('/').next().unwrap_or("")), &Words::new(&[]), &mut out);
        (out, sentence.split(' ').map(|word| Words::key(word.split('/').nth(1).unwrap_or(""))).collect())
    }

    fn learned() -> Chunker {
        let number = |label: &str| CHUNK_LABELS.iter().position(|name| *name == label).unwrap() as u8;
        let data: Vec<Labelled> = SENTENCES
            .iter()
            .zip(LABELS)
            .map(|(sentence, labels)| {
                let (atoms, tags) = read(sentence);
                let labels: Vec<u8> = labels.split(' ').map(number).collect();
                Labelled::new(bio::to_fine(&labels), |word, out| features_of(&atoms, &tags, word, out))
            })
            .collect();
        let options = FitOptions {
            epochs: 20,
            l1: 0.0,
            l2: 0.0,
            min_count: 1,
            allowed: bio::allowed(CHUNKS.len()),
            ..FitOptions::default()
        };
        Chunker::new("chunker", fit(bio::n_fine(CHUNKS.len()), &data, &options, |_, _| (), |_, _| ())).unwrap()
    }

    fn names(chunker: &Chunker, sentence: &str) -> String {
        let (atoms, tags) = read(sentence);
        let mut out = Vec::new();
        chunker.chunk(&atoms, &tags, &mut ChainScratch::default(), &mut out);
        out.iter().map(|&label| CHUNK_LABELS[label as usize]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_are_named_after_their_kinds() {
        for (kind, name) in CHUNKS.iter().enumerate() {
            assert_eq!(CHUNK_LABELS[bio::begin(kind as u8) as usize], format!("B-{name}"));
            assert_eq!(CHUNK_LABELS[bio::inside(kind as u8) as usize], format!("I-{name}"));
        }
    }

    #[test]
    fn a_few_sentences_are_learned_by_heart_and_kept_in_a_file() {
        let chunker = learned();
        let origin = |resource: &str| Origin {
            resource: resource.to_owned(),
            data: String::new(),
            licence: String::new(),
            made: String::new(),
            quality: Vec::new(),
        };
        let file = chunker.to_bytes(origin("chunker")).unwrap();
        let back = Chunker::from_bytes("chunker.resay", &file).unwrap();
        for (sentence, labels) in SENTENCES.iter().zip(LABELS) {
            assert_eq!(names(&chunker, sentence), labels);
            assert_eq!(names(&back, sentence), labels);
        }
        assert_eq!(names(&back, "a/DT young/JJ cat/NN slept/VBD"), "B-NP I-NP I-NP B-VP", "tags carry over");
        assert!(Chunker::from_bytes("chunker.resay", &file[..file.len() / 2]).is_err());
        let other = chunker.to_bytes(origin("tagger")).unwrap();
        assert!(Chunker::from_bytes("tagger.resay", &other).unwrap_err().to_string().contains("expected 'chunker'"));
    }

    #[test]
    fn any_words_and_tags_give_well_formed_labels() {
        let chunker = learned();
        let words = prop::collection::vec(("\\PC{0,6}", any::<u32>()), 0..12);
        let law = |words: Vec<(String, u32)>| {
            let mut made = Vec::new();
            atoms(words.iter().map(|(word, _)| word.as_str()), &Words::new(&[]), &mut made);
            // Too few tags must not fail either.
            let tags: Vec<u32> = words.iter().skip(1).map(|(_, tag)| *tag).collect();
            let mut out = Vec::new();
            chunker.chunk(&made, &tags, &mut ChainScratch::default(), &mut out);
            prop_assert_eq!(out.len(), words.len());
            prop_assert!(bio::is_well_formed(&out, CHUNKS.len()));
            Ok(())
        };
        TestRunner::deterministic().run(&words, law).unwrap();
    }
}
