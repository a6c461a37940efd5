//! A sentence with everything that annotation says of its words: lemma, tags, chunk, entity, head.
//!
//! Where [`super::Sentence`] holds the symbols that kernels compare, an [`Analysis`] holds words as people and treebanks
//! write them. A layer that was not asked for, or that a file did not give, is `None`; a layer that a file gave is kept
//! as it is, whatever tag set it is in. That is why tags are strings: ours cost no allocation, foreign ones are owned.

use super::Span;
use std::borrow::Cow;
use std::str::FromStr;

/// The name of a tag: borrowed where it is one of ours.
pub type Tag = Cow<'static, str>;

/// A sentence and its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// As the user wrote it; where only words were given, those joined by blanks.
    pub text: Box<str>,
    /// In the order of the text; spans rise and do not overlap.
    pub words: Vec<Word>,
}

impl AsMut<Analysis> for Analysis {
    fn as_mut(&mut self) -> &mut Analysis {
        self
    }
}

impl Analysis {
    /// The form of a word: the text at its span.
    pub fn form(&self, word: usize) -> &str {
        &self.text[self.words[word].span.range()]
    }

    /// A text and the spans of its words, with no layer yet.
    pub fn bare(text: &str, spans: impl IntoIterator<Item = Span>) -> Self {
        Self { text: text.into(), words: spans.into_iter().map(Word::at).collect() }
    }

    /// Words joined by single blanks, with no layer yet.
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

/// A word and its layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands in the sentence's text.
    pub span: Span,
    /// The dictionary form.
    pub lemma: Option<Box<str>>,
    /// The universal part of speech.
    pub upos: Option<Upos>,
    /// The part of speech in the language's own tag set: Penn Treebank tags, for ours.
    pub xpos: Option<Tag>,
    /// The chunk it is in, as `B-NP`, `I-NP` or `O`.
    pub chunk: Option<Tag>,
    /// The entity it is in, as `B-PER`, `I-PER` or `O`.
    pub entity: Option<Tag>,
    /// The word it depends on.
    pub head: Option<Head>,
    /// How it depends on its head.
    pub relation: Option<Tag>,
}

impl Word {
    /// A word with no layer.
    pub fn at(span: Span) -> Self {
        Self { span, lemma: None, upos: None, xpos: None, chunk: None, entity: None, head: None, relation: None }
    }
}

/// What a word depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// Nothing: it is the root of its sentence.
    Root,
    /// The word of this number, from 0.
    Word(u32),
}

macro_rules! upos {
    ($($name:ident $text:literal $what:literal;)*) => {
        /// The universal parts of speech.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Upos { $(#[doc = $what] $name,)* }

        impl Upos {
            /// All of them, in the order of their names.
            pub const ALL: [Self; 17] = [$(Self::$name,)*];

            /// The name in treebanks.
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

/// The first word on a cycle of heads; `None` if every path ends at a root, at a word without a head, or at a head that is
/// not there.
pub fn head_cycle<T>(words: &[T], head: impl Fn(&T) -> Option<Head>) -> Option<usize> {
    // `seen[word]`: 0 if not yet, else the number of the walk that came by, from 1. A walk that meets itself is a
    // cycle; one that meets an earlier walk ends as that did. Every word is walked over once.
    let mut seen = vec![0; words.len()];
    for start in 0..words.len() {
        let mut at = start;
        while let Some(mark) = seen.get_mut(at) {
            if *mark == start + 1 {
                // The walk may have come into the cycle from outside; this word is on it.
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

/// The smallest word of the cycle that `on_it` is on.
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
