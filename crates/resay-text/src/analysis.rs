//! A sentence with its annotation: lemma, tags, chunk, entity and head per word.
//!
//! [`super::Sentence`] holds the symbols that kernels compare; an [`Analysis`] holds words as
//! people and treebanks write them. A layer that was not requested, or that a file does not have,
//! is `None`. A layer that a file has is kept unchanged, whatever its tag set. That is why tags are
//! strings: our own tags are borrowed and cost no allocation, foreign ones are owned.

use super::Span;
use std::borrow::Cow;
use std::str::FromStr;

/// The name of a tag, borrowed if it is one of our own.
pub type Tag = Cow<'static, str>;

/// A sentence and its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The text as the user wrote it. If only words were given, they are joined by single spaces.
    pub text: Box<str>,
    /// The words in text order. Spans ascend and do not overlap.
    pub words: Vec<Word>,
}

impl AsMut<Analysis> for Analysis {
    fn as_mut(&mut self) -> &mut Analysis {
        self
    }
}

impl Analysis {
    /// Returns the form of a word: the text at its span.
    pub fn form(&self, word: usize) -> &str {
        &self.text[self.words[word].span.range()]
    }

    /// Creates an analysis from a text and the spans of its words, with no layers yet.
    pub fn bare(text: &str, spans: impl IntoIterator<Item = Span>) -> Self {
        Self { text: text.into(), words: spans.into_iter().map(Word::at).collect() }
    }

    /// Creates an analysis from words, joined by single spaces, with no layers yet.
    pub fn from_forms<'a>(forms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut text = String::new();
        let mut words = Vec::new();
        for form in forms {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len() as u32;
            text.push_str(form);
            words.push(Word::at(Span { start, end: text.len() as u32 }));
        }
        Self { text: text.into(), words }
    }
}

/// A word and its annotation layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Position in the sentence's text.
    pub span: Span,
    /// The lemma (dictionary form).
    pub lemma: Option<Box<str>>,
    /// The universal part of speech.
    pub upos: Option<Upos>,
    /// The language-specific part of speech. Our own annotators use Penn Treebank tags.
    pub xpos: Option<Tag>,
    /// The chunk label: `B-NP`, `I-NP`, `O` and so on.
    pub chunk: Option<Tag>,
    /// The entity label: `B-PER`, `I-PER`, `O` and so on.
    pub entity: Option<Tag>,
    /// The syntactic head.
    pub head: Option<Head>,
    /// The dependency relation to the head.
    pub relation: Option<Tag>,
}

impl Word {
    /// Creates a word with no layers.
    pub fn at(span: Span) -> Self {
        Self { span, lemma: None, upos: None, xpos: None, chunk: None, entity: None, head: None, relation: None }
    }
}

/// The head of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// None: the word is the root of its sentence.
    Root,
    /// The word with this index, from 0.
    Word(u32),
}

macro_rules! upos {
    ($($name:ident $text:literal $what:literal;)*) => {
        /// The universal parts of speech (UPOS).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Upos { $(#[doc = $what] $name,)* }

        impl Upos {
            /// All parts of speech, sorted by name.
            pub const ALL: [Self; 17] = [$(Self::$name,)*];

            /// Returns the name used in treebanks.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

upos! {
    Adj "ADJ" "Adjective.";
    Adp "ADP" "Preposition or postposition.";
    Adv "ADV" "Adverb.";
    Aux "AUX" "Auxiliary verb.";
    Cconj "CCONJ" "Coordinating conjunction.";
    Det "DET" "Determiner.";
    Intj "INTJ" "Interjection.";
    Noun "NOUN" "Noun.";
    Num "NUM" "Numeral.";
    Part "PART" "Particle.";
    Pron "PRON" "Pronoun.";
    Propn "PROPN" "Proper noun.";
    Punct "PUNCT" "Punctuation.";
    Sconj "SCONJ" "Subordinating conjunction.";
    Sym "SYM" "Symbol.";
    Verb "VERB" "Verb.";
    X "X" "Anything else.";
}

impl FromStr for Upos {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<Self> {
        Self::ALL.into_iter().find(|upos| upos.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|upos| upos.name()).collect();
            crate::Error::data(format!("unknown universal tag '{name}', expected one of: {}", known.join(", ")))
        })
    }
}

/// Returns the first word on a cycle of heads. Returns `None` if every path of heads ends at a
/// root, at a word without a head, or at a missing word.
pub fn head_cycle<T>(words: &[T], head: impl Fn(&T) -> Option<Head>) -> Option<usize> {
    // `seen[word]` is 0 if unvisited, else the number of the walk that visited the word, from 1. A
    // walk that meets itself has found a cycle; a walk that meets an earlier one ends as that one
    // did. Every word is visited once.
    let mut seen = vec![0; words.len()];
    for start in 0..words.len() {
        let mut at = start;
        while let Some(mark) = seen.get_mut(at) {
            if *mark == start + 1 {
                // The walk may have entered the cycle from outside, but this word is on it.
                return first_of_cycle(words, head, at);
            }
            if *mark > 0 {
                break;
            }
            *mark = start + 1;
            match words.get(at).and_then(&head) {
                Some(Head::Word(next)) => at = next as usize,
                _ => break,
            }
        }
    }
    None
}

/// Returns the smallest index on the cycle that contains `on_it`.
fn first_of_cycle<T>(words: &[T], head: impl Fn(&T) -> Option<Head>, on_it: usize) -> Option<usize> {
    let (mut at, mut first) = (on_it, on_it);
    while let Some(Head::Word(next)) = words.get(at).and_then(&head) {
        at = next as usize;
        first = first.min(at);
        if at == on_it {
            break;
        }
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_joined_by_blanks_stand_where_their_spans_say() {
        let analysis = Analysis::from_forms(["A", "café", "!"]);
        assert_eq!(&*analysis.text, "A café !");
        let forms: Vec<&str> = (0..3).map(|word| analysis.form(word)).collect();
        assert_eq!(forms, ["A", "café", "!"]);
    }

    #[test]
    fn universal_tags_by_name() {
        for upos in Upos::ALL {
            assert_eq!(upos.name().parse::<Upos>().unwrap(), upos);
        }
        assert!(Upos::ALL.is_sorted_by_key(|upos| upos.name()));
        assert!("noun".parse::<Upos>().is_err());
    }

    #[test]
    fn cycles_by_example() {
        let check = |heads: &[i64], expected: Option<usize>| {
            let head = |head: &i64| match *head {
                -1 => None,
                0 => Some(Head::Root),
                head => Some(Head::Word(head as u32 - 1)),
            };
            assert_eq!(head_cycle(heads, head), expected, "{heads:?}");
        };
        check(&[], None);
        check(&[0], None);
        check(&[2, 3, 0, 3, -1], None);
        check(&[0, 2], Some(1));
        check(&[4, 0, 4, 3], Some(2));
        check(&[2, 3, 1], Some(0));
        check(&[9, 1], None);
    }

    #[test]
    fn a_long_chain_is_walked_once() {
        let heads: Vec<u32> = (0..1_000_000).map(|word| word + 1).collect();
        assert_eq!(head_cycle(&heads, |&head| Some(Head::Word(head))), None);
    }
}
