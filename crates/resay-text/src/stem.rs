//! Stemming with the Snowball project's algorithms. Kernels treat two words of a rule as equal if
//! their stems are equal, so stems must be exactly Snowball's: a test compares every word of the
//! published vocabularies.

use rustc_hash::FxHashMap;
use snowball_stemmers_rs as snowball;
use std::borrow::Cow;
use std::str::FromStr;

/// Longer words are returned unchanged. No real word is that long, and the algorithms copy the word
/// at every step, so a hostile text of one endless word would take hours.
const LONGEST: usize = 256;

/// The stemming algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StemmerKind {
    /// Snowball English, also called Porter 2.
    #[default]
    English,
    /// Porter's stemmer of 1980.
    Porter,
}

impl StemmerKind {
    /// All kinds with their names.
    pub const NAMES: [(&'static str, StemmerKind); 2] =
        [("english", StemmerKind::English), ("porter", StemmerKind::Porter)];

    /// Returns the name, as [`FromStr`] reads it.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for StemmerKind {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind).ok_or_else(|| {
            crate::Error::parameter(format!("unknown stemmer '{name}', expected one of: english, porter"))
        })
    }
}

/// A stemmer.
#[derive(Clone, Debug, Default)]
pub struct Stemmer {
    kind: StemmerKind,
}

impl Stemmer {
    /// Creates a stemmer of this kind.
    pub fn new(kind: StemmerKind) -> Self {
        Self { kind }
    }

    /// Returns the kind of stemmer.
    pub fn kind(&self) -> StemmerKind {
        self.kind
    }

    /// Returns the stem of a lower-cased word. Numbers and punctuation go through Snowball too,
    /// which nearly always leaves them unchanged. Allocates only if the stem differs from the word.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if word.len() > LONGEST {
            return Cow::Borrowed(word);
        }
        let algorithm = match self.kind {
            StemmerKind::English => snowball::Algorithm::English,
            StemmerKind::Porter => snowball::Algorithm::Porter,
        };
        // Creating a stemmer only looks up a function.
        snowball::Stemmer::create(algorithm).stem(word)
    }
}

/// A cache of stems. Running text repeats its words, and a lookup costs a tenth of stemming.
#[derive(Clone, Debug, Default)]
pub struct StemMemo {
    stems: FxHashMap<Box<str>, Box<str>>,
}

impl StemMemo {
    /// The cache is cleared when it reaches this many words, so that its memory is bounded.
    const MAX_WORDS: usize = 1 << 16;

    /// Returns the stem of a lower-cased word. Use a memo with one stemmer only.
    pub fn stem(&mut self, stemmer: &Stemmer, word: &str) -> &str {
        if !self.stems.contains_key(word) {
            if self.stems.len() >= Self::MAX_WORDS {
                self.stems.clear();
            }
            self.stems.insert(word.into(), stemmer.stem(word).into());
        }
        self.stems.get(word).map_or("", |stem| stem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_memo_says_what_the_stemmer_says() {
        let (stemmer, mut memo) = (Stemmer::new(StemmerKind::English), StemMemo::default());
        for word in ["running", "runs", "running", "", "2.5", "runs"] {
            assert_eq!(memo.stem(&stemmer, word), stemmer.stem(word));
        }
        for number in 0..=StemMemo::MAX_WORDS {
            let word = format!("word{number}s");
            assert_eq!(memo.stem(&stemmer, &word), stemmer.stem(&word));
        }
        assert!(memo.stems.len() <= StemMemo::MAX_WORDS);
    }

    fn check(word: &str, english: &str, porter: &str) {
        assert_eq!(Stemmer::new(StemmerKind::English).stem(word), english, "{word} in english");
        assert_eq!(Stemmer::new(StemmerKind::Porter).stem(word), porter, "{word} in porter");
    }

    #[test]
    fn stems_by_example() {
        check("walking", "walk", "walk");
        check("walks", "walk", "walk");
        check("relational", "relat", "relat");
        check("happily", "happili", "happili");
        check("generously", "generous", "gener");
        check("skies", "sky", "ski");
        check("dying", "die", "dy");
        check("succeed", "succeed", "succe");
        check("yes", "yes", "ye");
        check("is", "is", "i");
        check("a", "a", "a");
        check("", "", "");
        check("1,000", "1,000", "1,000");
        check("n't", "n't", "n't");
        check("'s", "'s", "'");
        check("naïve", "naïv", "naïv");
        check("日本", "日本", "日本");
    }

    #[test]
    fn names_are_read_back() {
        for (name, kind) in StemmerKind::NAMES {
            assert_eq!(kind.name(), name);
            assert_eq!(name.parse::<StemmerKind>().ok(), Some(kind));
        }
        let error = "lovins".parse::<StemmerKind>().expect_err("there is no such stemmer").to_string();
        assert!(error.contains("lovins") && error.contains("english, porter"), "{error}");
    }

    #[test]
    fn an_endless_word_is_left_alone() {
        let word = "ay".repeat(1 << 20);
        check(&word, &word, &word);
    }

    proptest! {
        #[test]
        fn any_word_has_a_stem(word in prop_oneof![any::<String>(), "[a-zé'’ßy]{0,20}", "[a-z]{1,6}(ly|ing|ed|'s|s'|ies|ly'|é)"]) {
            for (_, kind) in StemmerKind::NAMES {
                let stem = Stemmer::new(kind).stem(&word).into_owned();
                prop_assert!(stem.len() <= word.len() + 1);
            }
        }
    }

    /// Checks every word of the published vocabularies, which are not part of the project.
    #[test]
    fn stems_are_those_of_the_published_vocabularies() {
        let Some(data) = resay_testing::corpus("stems of published vocabularies", "stemmer_vocab") else { return };
        for (kind, n_words) in [(StemmerKind::English, 42_649), (StemmerKind::Porter, 42_603)] {
            let read = |file: &str| std::fs::read_to_string(data.join(kind.name()).join(file)).unwrap();
            let (words, stems) = (read("voc.txt"), read("output.txt"));
            let stemmer = Stemmer::new(kind);
            assert_eq!((words.lines().count(), stems.lines().count()), (n_words, n_words));
            for (word, stem) in words.lines().zip(stems.lines()) {
                assert_eq!(stemmer.stem(word), stem, "{word} in {}", kind.name());
            }
        }
    }
}
