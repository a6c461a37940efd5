//! The lemmatiser: WordNet's exceptions, and forms from the training part of the English Web
//! Treebank whose lemmas the rules do not find.

use crate::files::Files;
use crate::tagger::sentence_atoms;
use crate::treebank::{self, Gold};
use crate::wndb::Wndb;
use crate::{MADE_BY, open, settings_of};
use anyhow::Result;
use resay_text::atoms::Atom;
use resay_text::container::{Origin, Quality};
use resay_text::learn::ChainScratch;
use resay_text::words::Words;
use resay_text::{LemmaKey, Lemmatizer, Tagger, Upos};
use std::collections::BTreeMap;

/// Minimum number of training tokens that a learned entry must correct.
const LEAST: i32 = 1;

/// Lemma counts of a form with its tags, and how often the rules are correct.
#[derive(Default)]
struct Seen<'a> {
    lemmas: BTreeMap<&'a str, i32>,
    n_by_rule: i32,
}

impl<'a> Seen<'a> {
    fn add(&mut self, lemma: &'a str, is_by_rule: bool) {
        *self.lemmas.entry(lemma).or_default() += 1;
        self.n_by_rule += i32::from(is_by_rule);
    }

    /// Returns the most frequent lemma (on ties, the first in alphabetical order) if it is correct
    /// more often than the rules are.
    fn learned(&self) -> Option<&'a str> {
        let (lemma, n) = self.lemmas.iter().rev().max_by_key(|(_, n)| **n)?;
        (*n >= self.n_by_rule + LEAST).then_some(lemma)
    }
}

type Tagged<'a> = (u32, Upos, &'a str);

/// Learns the exceptions to the rules.
fn learn(wordnet: &Wndb, words: &Words, sentences: &[Gold]) -> Lemmatizer {
    let mut entries: Vec<(LemmaKey<'_>, &str)> = Vec::new();
    for (pos, exceptions) in wordnet.exceptions.iter().enumerate() {
        for exception in exceptions.iter().filter(|exception| !exception.form.contains('_')) {
            if let Some(base) = exception.bases.first() {
                entries.push((LemmaKey::Exception(Words::key(&exception.form), pos), base));
            }
        }
    }
    let rules = Lemmatizer::new(entries.iter().copied());
    let mut scratch = String::new();
    let mut lower: BTreeMap<Tagged<'_>, Seen<'_>> = BTreeMap::new();
    // Visits all words: the atom, the sentence, the word, and whether the rules are correct.
    let mut each = |found: &mut dyn FnMut(&Atom, usize, usize, bool)| {
        for (at, sentence) in sentences.iter().enumerate() {
            let atoms = sentence_atoms(&sentence.forms, words);
            for (word, atom) in atoms.iter().enumerate() {
                let (upos, xpos) = (sentence.upos[word], sentence.xpos[word].as_str());
                let lemma = rules.by_rule(words, &sentence.forms[word], atom, (upos, xpos), &mut scratch);
                found(atom, at, word, lemma == sentence.lemmas[word]);
            }
        }
    };
    each(&mut |atom, at, word, is_right| {
        let Gold { lemmas, upos, xpos, .. } = &sentences[at];
        lower.entry((atom.lower_key, upos[word], &xpos[word])).or_default().add(&lemmas[word], is_right);
    });
    let learned: BTreeMap<Tagged<'_>, &str> =
        lower.iter().filter_map(|(key, seen)| Some((*key, seen.learned()?))).collect();
    // Then the remaining errors, keyed by the form as written.
    let mut written: BTreeMap<Tagged<'_>, Seen<'_>> = BTreeMap::new();
    each(&mut |atom, at, word, is_right| {
        let Gold { lemmas, upos, xpos, .. } = &sentences[at];
        let (upos, xpos, lemma) = (upos[word], xpos[word].as_str(), lemmas[word].as_str());
        let is_right = learned.get(&(atom.lower_key, upos, xpos)).map_or(is_right, |learned| *learned == lemma);
        written.entry((atom.form, upos, xpos)).or_default().add(lemma, is_right);
    });
    entries.extend(learned.iter().map(|((key, upos, xpos), lemma)| (LemmaKey::Lower(*key, *upos, xpos), *lemma)));
    for ((key, upos, xpos), seen) in &written {
        if let Some(lemma) = seen.learned() {
            entries.push((LemmaKey::Written(*key, *upos, xpos), lemma));
        }
    }
    Lemmatizer::new(entries)
}

/// Lemma accuracy in percent, with gold tags and with predicted tags.
fn measure(lemmatizer: &Lemmatizer, tagger: &Tagger, words: &Words, sentences: &[Gold]) -> [f64; 2] {
    let (mut n, mut right) = (0, [0; 2]);
    let (mut scratch, mut space, mut tags) = (ChainScratch::default(), String::new(), Vec::new());
    for sentence in sentences {
        let atoms = sentence_atoms(&sentence.forms, words);
        tagger.tag(&atoms, &mut scratch, &mut tags);
        for (word, atom) in atoms.iter().enumerate() {
            let (upos, xpos) = &tagger.labels()[tags[word] as usize];
            let given = [(sentence.upos[word], sentence.xpos[word].as_str()), (*upos, &**xpos)];
            n += 1;
            for (right, tags) in right.iter_mut().zip(given) {
                let lemma = lemmatizer.lemma(words, &sentence.forms[word], atom, tags, &mut space);
                *right += i32::from(lemma == sentence.lemmas[word]);
            }
        }
    }
    right.map(|right| 100.0 * f64::from(right) / f64::from(n))
}

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "lemma".to_owned(),
        data: "WordNet 3.0 exceptions; Universal Dependencies English-EWT, training part".to_owned(),
        licence: "WordNet, CC BY-SA 4.0".to_owned(),
        made: format!("{MADE_BY} lemma"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("least={LEAST}"))
}

/// Builds `lemma.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, with_test: bool) -> Result<()> {
    let (words, tagger) = (open::words(files)?, open::tagger(files)?);
    let part = |part: &str| treebank::ewt(files, part);
    let lemmatizer = learn(&Wndb::read(files)?, &words, &part("train")?);
    let mut quality = Vec::new();
    let parts: &[&str] = if with_test { &["dev", "test"] } else { &["dev"] };
    for part_name in parts {
        let [gold, own] = measure(&lemmatizer, &tagger, &words, &part(part_name)?);
        println!("lemma: EWT {part_name}: {gold:.2} with gold tags, {own:.2} with the tagger's");
        for (tags, value) in [("gold", gold), ("the tagger's", own)] {
            quality.push(Quality { measure: format!("lemmas, EWT {part_name}, gold tokens, {tags} tags"), value });
        }
    }
    let bytes = lemmatizer.to_bytes(origin(quality))?;
    println!("lemma: {} entries, {} bytes", lemmatizer.len(), bytes.len());
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}
