//! Sentences as feature sets, without tagging or parsing, and the detection of identical sentences.
//!
//! A feature is the class of a word: its most frequent WordNet synset, or else its stem. Thus
//! "bought the car" and "purchased an automobile" share two features without any annotation. No
//! stop-word list is needed: a word in every second sentence has almost no weight
//! (`candidates.rs`).

use super::FeatureRows;
use crate::Result;
use resay_learn::progress::Progress;
use resay_text::lexicon::{Classes, Lexicon, Relation, Relations};
use resay_text::{Intern, Interner, tokenize};
use rustc_hash::FxHashMap;

/// The maximum length of a judged sentence: longer text is rarely one sentence, and takes as long
/// as a thousand ordinary ones.
pub const MAX_WORDS: usize = 150;

/// Punctuation that identical sentences may differ in. Question marks, currency and per-cent signs
/// are not included.
const EMPTY_MARKS: [&str; 20] =
    [".", ",", ";", ":", "!", "'", "\"", "`", "``", "''", "‘", "’", "“", "”", "«", "»", "-", "--", "...", "…"];

/// Distinct sentences and their features.
#[derive(Clone, Debug, Default)]
pub struct Sentences {
    /// For each distinct sentence, the index of its first text.
    pub firsts: Vec<u32>,
    /// For each text, its sentence; `None` for a text without words.
    pub sentence_of: Vec<Option<u32>>,
    /// The features of each sentence; empty for those that are too long.
    pub rows: FeatureRows,
    /// The number of sentences with more than [`MAX_WORDS`] words.
    pub n_too_long: usize,
}

/// Maps words to features, with a cache.
struct Words<'a> {
    lexicon: &'a Lexicon,
    classes: Classes,
    symbols: Interner,
    known: FxHashMap<Box<str>, u32>,
}

impl Words<'_> {
    fn feature(&mut self, word: &str) -> u32 {
        if let Some(feature) = self.known.get(word) {
            return *feature;
        }
        let class = self.lexicon.class(&self.lexicon.word(word, None, None), self.classes);
        let feature = self.symbols.symbol(&class);
        self.known.insert(word.into(), feature);
        feature
    }
}

impl Sentences {
    /// Reads texts. Two are identical if their words are, ignoring case, blanks, full stops,
    /// commas, quotation marks and the like.
    pub fn read<T: AsRef<str>>(texts: &[T], lexicon: &Lexicon, progress: Progress<'_>) -> Result<Self> {
        let classes = lexicon.classes(Relations::of(Relation::Stem) | Relations::of(Relation::Synonym))?;
        let mut words = Words { lexicon, classes, symbols: Interner::new(), known: FxHashMap::default() };
        let mut sentences = Self::default();
        let mut known: FxHashMap<Box<str>, u32> = FxHashMap::default();
        let (mut key, mut features) = (String::new(), Vec::new());
        for (text, place) in texts.iter().zip(0u32..) {
            progress.check()?;
            let lower = text.as_ref().to_lowercase();
            let forms = || tokenize(&lower).map(|piece| piece.form()).filter(|form| !EMPTY_MARKS.contains(form));
            key.clear();
            for form in forms() {
                key.push_str(form);
                key.push(' ');
            }
            if key.is_empty() {
                sentences.sentence_of.push(None);
                continue;
            }
            if let Some(sentence) = known.get(key.as_str()) {
                sentences.sentence_of.push(Some(*sentence));
                continue;
            }
            let sentence = sentences.firsts.len() as u32;
            known.insert(key.as_str().into(), sentence);
            sentences.sentence_of.push(Some(sentence));
            sentences.firsts.push(place);
            features.clear();
            if forms().nth(MAX_WORDS).is_some() {
                sentences.n_too_long += 1;
            } else {
                let of_words = forms().filter(|form| form.chars().any(char::is_alphanumeric));
                features.extend(of_words.map(|form| words.feature(form)));
            }
            sentences.rows.push(&mut features);
        }
        Ok(sentences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::Resources;

    fn read(texts: &[&str]) -> Sentences {
        Sentences::read(texts, &Resources::bundled().lexicon().unwrap(), Progress::none()).unwrap()
    }

    #[test]
    fn what_differs_in_marks_and_case_is_one_sentence() {
        let read = read(&[
            "The car stopped.",
            "",
            "the  CAR stopped",
            " -- . ",
            "The car, stopped!",
            "The car stopped?",
            "\"The car stopped.\"",
        ]);
        assert_eq!(read.sentence_of, [Some(0), None, Some(0), None, Some(0), Some(1), Some(0)]);
        assert_eq!(read.firsts, [0, 5]);
        // A question mark is not a word, but it distinguishes sentences.
        assert_eq!(read.rows.row(0), read.rows.row(1));
    }

    #[test]
    fn synonyms_and_forms_are_one_feature() {
        let read = read(&["automobile", "cars", "car", "boat", "buy", "purchased"]);
        let feature = |row: usize| read.rows.row(row).to_vec();
        assert_eq!(feature(0), feature(2));
        assert_eq!(feature(1), feature(2));
        assert_eq!(feature(4), feature(5));
        assert_ne!(feature(3), feature(2));
    }

    #[test]
    fn a_word_counts_once_and_too_many_words_count_nothing() {
        let long = "word ".repeat(MAX_WORDS + 1);
        let fits = "word ".repeat(MAX_WORDS);
        let read = read(&["boat boat boat", &long, &fits]);
        let lengths: Vec<usize> = (0..3).map(|row| read.rows.row(row).len()).collect();
        assert_eq!((lengths, read.n_too_long), (vec![1, 0, 1], 1));
    }
}
