//! Shared by the chunker and the entity recogniser: sentences with predicted tags and BIO labels,
//! and the evaluation of predicted spans.

use crate::files::Files;
use crate::{open, tagger};
use anyhow::Result;
use resay_text::Tagger;
use resay_text::atoms::Atom;
use resay_text::bio;
use resay_text::learn::ChainScratch;
use resay_text::words::Words;

/// A sentence with labels numbered as in [`bio`].
pub(crate) struct Labelled {
    pub(crate) atoms: Vec<Atom>,
    /// Hashes of Penn tags.
    pub(crate) tags: Vec<u32>,
    pub(crate) labels: Vec<u8>,
}

/// Adds atoms and tags to sentences.
pub(crate) struct Annotator {
    words: Words,
    tagger: Tagger,
    /// The hash of the Penn tag of each tagger label.
    keys: Vec<u32>,
}

impl Annotator {
    /// Opens the word table and the tagger built by earlier steps.
    pub(crate) fn open(files: &Files<'_>) -> Result<Self> {
        let tagger = open::tagger(files)?;
        let keys = tagger.labels().iter().map(|(_, xpos)| Words::key(xpos)).collect();
        Ok(Self { words: open::words(files)?, tagger, keys })
    }

    /// Annotates a sentence; `tags` overrides the predicted tags.
    pub(crate) fn annotate(&self, forms: &[String], tags: Option<&[u32]>, labels: Vec<u8>) -> Labelled {
        let atoms = tagger::sentence_atoms(forms, &self.words);
        let tags = tags.map(<[u32]>::to_vec).unwrap_or_else(|| {
            let mut found = Vec::new();
            self.tagger.tag(&atoms, &mut ChainScratch::default(), &mut found);
            found.iter().map(|&label| self.keys[label as usize]).collect()
        });
        Labelled { atoms, tags, labels }
    }
}

/// Numbers labels by name. `B-X` and `I-X` of an unknown type become `O`; an `I-X` that does not
/// follow X starts a span (some corpora write it this way).
pub(crate) fn numbers(names: &[String], kind_of: impl Fn(&str) -> Option<u8>) -> Vec<u8> {
    let mut before = (bio::OUTSIDE, "");
    let mut out = Vec::with_capacity(names.len());
    for name in names {
        let (step, kind_name) = name.split_once('-').unwrap_or((name, ""));
        let label = match kind_of(kind_name) {
            None => bio::OUTSIDE,
            Some(kind) if step == "I" && before.0 != bio::OUTSIDE && before.1 == kind_name => bio::inside(kind),
            Some(kind) => bio::begin(kind),
        };
        before = (label, kind_name);
        out.push(label);
    }
    out
}

/// Precision, recall and F1 of spans, in percent: a span is correct if its words and its type are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    n_gold: usize,
    n_found: usize,
    n_right: usize,
}

impl Score {
    /// Counts a sentence.
    pub(crate) fn add(&mut self, gold: &[u8], found: &[u8]) {
        let (gold, found) = (bio::stretches(gold), bio::stretches(found));
        self.n_gold += gold.len();
        self.n_found += found.len();
        self.n_right += found.iter().filter(|stretch| gold.binary_search(stretch).is_ok()).count();
    }

    pub(crate) fn precision(&self) -> f64 {
        100.0 * self.n_right as f64 / self.n_found.max(1) as f64
    }

    pub(crate) fn recall(&self) -> f64 {
        100.0 * self.n_right as f64 / self.n_gold.max(1) as f64
    }

    pub(crate) fn f1(&self) -> f64 {
        200.0 * self.n_right as f64 / (self.n_found + self.n_gold).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &str) -> Vec<u8> {
        let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
        numbers(&names, |kind| ["A", "B"].iter().position(|name| *name == kind).map(|at| at as u8))
    }

    #[test]
    fn labels_by_name() {
        let check = |names: &str, expected: &[u8]| assert_eq!(labels(names), expected, "{names}");
        check("B-A I-A O B-B B-B I-A", &[1, 2, 0, 3, 3, 1]);
        check("I-A I-A I-B O I-B", &[1, 2, 3, 0, 3]);
        check("B-C I-C I-A", &[0, 0, 1]);
        check("B-O O-X", &[0, 0]);
    }

    #[test]
    fn a_stretch_is_right_as_a_whole_or_not_at_all() {
        let check = |gold: &str, found: &str, expected: [usize; 3]| {
            let mut score = Score::default();
            score.add(&labels(gold), &labels(found));
            assert_eq!([score.n_gold, score.n_found, score.n_right], expected, "{gold} / {found}");
        };
        check("B-A I-A O", "B-A I-A O", [1, 1, 1]);
        check("B-A I-A O", "B-A O O", [1, 1, 0]);
        check("B-A I-A O", "B-B I-B B-A", [1, 2, 0]);
        check("B-A B-A O", "B-A I-A O", [2, 1, 0]);
        check("B-A B-B I-B", "B-A B-B I-B", [2, 2, 2]);
        check("O", "O", [0, 0, 0]);
    }
}
