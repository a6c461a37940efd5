//! Tagger features: a word's form and affixes, its entry in the table of words, the same of its
//! neighbours, and the nearest auxiliaries.
//!
//! The templates were chosen on the development part of the treebank. The nearest auxiliary before
//! a word ("has *never officially* said") tells participles from past forms and infinitives from
//! present forms when it is out of reach of the neighbour features; the nearest auxiliary after a
//! word tells conjunctions from prepositions.

use super::atoms::{Atom, CAPITAL, FIRST, HYPHEN, MARKS, SHOUTED, UPPER};
use super::learn::hash;
use super::words::Words;

/// Words that determine the form of the next verb.
const AUXILIARIES: [&str; 46] = [
    "be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "have", "has", "had", "having", "'ve",
    "do", "does", "did", "ca", "can", "could", "will", "would", "'ll", "'d", "wo", "shall", "should", "may", "might",
    "must", "to", "let", "lets", "help", "make", "makes", "made", "see", "get", "got", "ai", "gon", "wan", "used",
];
/// How far to search for an auxiliary, in words.
const REACH: usize = 6;

/// What the search finds instead of an auxiliary: the end of the sentence, punctuation, or nothing
/// within [`REACH`] words.
const END: u32 = 1;
const MARK: u32 = 2;
const NONE: u32 = 3;
/// Added to the parts of speech of a following auxiliary, to keep them apart from the values above.
const AFTER: u32 = 10;

/// The feature extractor of the tagger.
#[derive(Clone, Debug)]
pub struct TagFeatures {
    /// Keys of auxiliaries, sorted.
    auxiliaries: Vec<u32>,
    /// Keys of punctuation that does not end the search.
    quotes: [u32; 2],
}

impl Default for TagFeatures {
    fn default() -> Self {
        Self::new()
    }
}

impl TagFeatures {
    /// Creates a feature extractor.
    pub fn new() -> Self {
        let mut auxiliaries: Vec<u32> = AUXILIARIES.into_iter().map(Words::key).collect();
        auxiliaries.sort_unstable();
        Self { auxiliaries, quotes: ["\"", "'"].map(Words::key) }
    }

    /// Computes the auxiliary clues of every word: the auxiliary before it, and the parts of speech
    /// of the one after it.
    pub fn clues(&self, atoms: &[Atom], out: &mut Vec<[u32; 2]>) {
        out.clear();
        let (mut seen, mut age) = (END, 1);
        for atom in atoms {
            out.push([seen, END]);
            (seen, age) = self.pass(atom, atom.lower, seen, age);
        }
        (seen, age) = (END, 1);
        for (atom, clue) in atoms.iter().zip(out).rev() {
            clue[1] = seen;
            (seen, age) = self.pass(atom, AFTER + u32::from(atom.lower_info.pos), seen, age);
        }
    }

    /// Moves the search on by one word. Returns what the next word sees and its distance: this word
    /// if it is an auxiliary (as `value`) or punctuation, else what this word saw, up to [`REACH`].
    fn pass(&self, atom: &Atom, value: u32, seen: u32, age: usize) -> (u32, usize) {
        if self.auxiliaries.binary_search(&atom.lower).is_ok() {
            (value, 1)
        } else if atom.is(MARKS) && !atom.is(HYPHEN) && !self.quotes.contains(&atom.lower) {
            (MARK, 1)
        } else if age < REACH {
            (seen, age + 1)
        } else {
            (NONE, REACH)
        }
    }

    /// Computes the features of a word.
    pub fn of(&self, atoms: &[Atom], clues: &[[u32; 2]], word: usize, out: &mut Vec<u32>) {
        let edge = Atom::default();
        let at = |offset: isize| word.checked_add_signed(offset).and_then(|at| atoms.get(at)).unwrap_or(&edge);
        let (w, l, r, ll, rr) = (at(0), at(-1), at(1), at(-2), at(2));
        let [aux_before, aux_after] = clues.get(word).copied().unwrap_or_default();
        let mut template = 0;
        let mut add = |values: &[u32]| {
            out.push(hash::feature(template, values));
            template += 1;
        };
        let case = w.flags & (CAPITAL | FIRST);
        let capital = |atom: &Atom| atom.flags & (CAPITAL | FIRST | UPPER);
        let pos = |atom: &Atom| u32::from(atom.lower_info.pos);
        // The word alone: form, affixes, shape.
        add(&[]);
        add(&[w.form]);
        add(&[w.lower]);
        for prefix in w.prefix {
            add(&[prefix]);
        }
        for suffix in w.suffix {
            add(&[suffix]);
        }
        add(&[w.shape]);
        add(&[w.shape, case]);
        add(&[w.flags]);
        add(&[w.suffix[2], w.flags]);
        add(&[w.lower, w.flags & (FIRST | SHOUTED | CAPITAL)]);
        // Its entry in the table of words.
        add(&[case, u32::from(w.lower_info.capital)]);
        add(&[pos(w)]);
        add(&[pos(w), w.suffix[1], case]);
        add(&[w.info.brown]);
        for bits in [4, 6, 8, 10, 12, 16] {
            add(&[w.brown(bits)]);
        }
        add(&[u32::from(w.info.names), case]);
        add(&[u32::from(w.lower_info.fine)]);
        add(&[u32::from(w.lower_info.fine), case]);
        add(&[u32::from(w.lower_info.coarse)]);
        add(&[u32::from(w.lower_info.frequency), case, w.suffix[1]]);
        // The neighbours.
        add(&[l.lower]);
        add(&[r.lower]);
        add(&[ll.lower]);
        add(&[rr.lower]);
        add(&[l.info.brown]);
        add(&[r.info.brown]);
        add(&[ll.info.brown]);
        add(&[rr.info.brown]);
        add(&[l.brown(6)]);
        add(&[r.brown(6)]);
        add(&[l.suffix[2]]);
        add(&[r.suffix[2]]);
        // Combinations of two or three.
        add(&[l.lower, w.lower]);
        add(&[w.lower, r.lower]);
        add(&[l.lower, r.lower]);
        add(&[ll.lower, l.lower]);
        add(&[r.lower, rr.lower]);
        add(&[l.info.brown, w.info.brown]);
        add(&[w.info.brown, r.info.brown]);
        add(&[l.brown(8), w.lower]);
        add(&[w.lower, r.brown(8)]);
        add(&[l.brown(8), w.brown(8), r.brown(8)]);
        add(&[l.suffix[1], w.suffix[1]]);
        add(&[w.suffix[1], r.suffix[1]]);
        add(&[l.flags, w.flags, r.flags]);
        add(&[capital(w), u32::from(w.lower_info.capital), capital(l), capital(r)]);
        add(&[l.shape, w.lower]);
        add(&[w.lower, r.shape]);
        add(&[u32::from(l.lower_info.coarse), u32::from(r.lower_info.coarse)]);
        add(&[pos(w), pos(l)]);
        add(&[pos(w), pos(r)]);
        add(&[pos(w), l.lower]);
        add(&[pos(w), r.lower]);
        add(&[pos(w), l.lower, pos(r)]);
        add(&[w.lower, pos(r)]);
        add(&[w.lower, pos(l)]);
        // Auxiliaries.
        add(&[aux_before, pos(w)]);
        add(&[aux_before, w.suffix[1]]);
        add(&[aux_before, w.lower]);
        add(&[aux_after, w.lower]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::atoms;

    fn clues(sentence: &str) -> Vec<[u32; 2]> {
        let (mut found, mut out) = (Vec::new(), Vec::new());
        atoms(sentence.split(' '), &Words::new(&[]), &mut found);
        TagFeatures::new().clues(&found, &mut out);
        out
    }

    #[test]
    fn the_nearest_auxiliary_is_seen_up_to_marks_and_the_reach() {
        let check = |sentence: &str, word: usize, before: u32, after: u32| {
            assert_eq!(clues(sentence)[word], [before, after], "{sentence}: {word}");
        };
        let has = Words::key("has");
        check("She has never officially said so", 4, has, END);
        check("She has never officially said so", 0, END, AFTER);
        check("She has never officially said so", 1, END, END);
        check("She has , said Ann", 3, MARK, END);
        check("it has \" often said", 4, has, END);
        check("it has a b c d e f g", 7, has, END);
        check("it has a b c d e f g", 8, NONE, END);
        check("a b c d e f g h", 5, END, END);
        check("a b c d e f g h", 6, NONE, END);
        check("a b c d e f g has", 0, END, NONE);
    }

    #[test]
    fn auxiliaries_are_listed_once() {
        let features = TagFeatures::new();
        assert!(features.auxiliaries.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_word_has_as_many_features_as_there_are_templates() {
        let (mut found, mut out, features) = (Vec::new(), Vec::new(), TagFeatures::new());
        atoms("Any words will do".split(' '), &Words::new(&[]), &mut found);
        let clues = clues("Any words will do");
        for word in 0..4 {
            features.of(&found, &clues, word, &mut out);
        }
        assert_eq!(out.len(), 4 * 72);
        out.sort_unstable();
        out.dedup();
        assert!(out.len() > 72, "words that differ share features only where they are alike");
    }
}
