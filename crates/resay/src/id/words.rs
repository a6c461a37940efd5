//! What words are and how two of them compare, as far as features of several models ask.

use super::argument::{Argument, arguments};
use resay_text::Upos;

arguments! {
    /// How alike two words are, in steps.
    Level {
        /// Nothing is known that joins them.
        None = 0,
        /// They are spelled much alike.
        Spelling = 1,
        /// Near in meaning or a kind of each other, by some table.
        Near = 2,
        /// Synonyms, paraphrases, derived from each other, nicknames.
        Synonym = 3,
        /// One dictionary form or one stem.
        Lemma = 4,
        /// The same, whatever the case.
        Same = 5,
    }

    /// How alike two words are in coarser steps, where finer ones would be too rare to learn.
    CoarseLevel {
        /// Nothing is known that joins them.
        Other = 0,
        /// Alike in spelling or meaning.
        Alike = 1,
        /// The same word or a form of it.
        Same = 2,
    }

    /// Whether two words are one, in whatever form.
    WordMatch {
        /// They are two words.
        Other = 0,
        /// They are one.
        Same = 1,
    }

    /// Whether two words have one tag.
    TagMatch {
        /// They have two.
        Other = 0,
        /// They have one.
        Same = 1,
    }

    /// What kind of word it is: links of each kind are learned apart, because a comma that stands in both sentences says
    /// less than a noun that does.
    WordKind {
        /// It means something by itself.
        Content = 0,
        /// It holds others together.
        Function = 1,
        /// Punctuation and symbols.
        Mark = 2,
    }

    /// The kinds of two words together.
    WordClassPair {
        /// Both are content words.
        Content = 0,
        /// Both are function words.
        Function = 1,
        /// Both are marks.
        Mark = 2,
        /// They are of two kinds.
        Mixed = 3,
    }

    /// Classes of words that are told apart where tags would be too many. Number 0 is "of two classes".
    WordClass {
        /// Holds others together.
        Function = 1,
        /// Punctuation and symbols.
        Mark = 2,
        /// A numeral.
        Number = 3,
        /// A proper noun.
        Name = 4,
        /// A verb.
        Verb = 5,
        /// An adjective or adverb.
        Modifier = 6,
        /// A noun, or whatever else means something by itself.
        Noun = 7,
    }

    /// Kinds of chunks.
    ChunkKind {
        /// A noun phrase.
        Np = 0,
        /// A verb group.
        Vp = 1,
        /// A preposition.
        Pp = 2,
        /// An adverb phrase.
        Advp = 3,
        /// An adjective phrase.
        Adjp = 4,
        /// What opens a subordinate clause.
        Sbar = 5,
        /// Any other.
        Other = 6,
    }
}

impl Level {
    /// The coarser step.
    pub fn coarse(self) -> CoarseLevel {
        match self {
            Self::Same | Self::Lemma => CoarseLevel::Same,
            Self::Synonym | Self::Near | Self::Spelling => CoarseLevel::Alike,
            Self::None => CoarseLevel::Other,
        }
    }
}

impl WordClass {
    /// Those that mean something by themselves.
    pub const CONTENT: [Self; 5] = [Self::Number, Self::Name, Self::Verb, Self::Modifier, Self::Noun];
}

impl WordClassPair {
    /// Of two words.
    pub fn of(first: WordKind, second: WordKind) -> Self {
        match (first, second) {
            (WordKind::Content, WordKind::Content) => Self::Content,
            (WordKind::Function, WordKind::Function) => Self::Function,
            (WordKind::Mark, WordKind::Mark) => Self::Mark,
            _ => Self::Mixed,
        }
    }
}

/// How many universal tags there are, and the number of "no tag".
const N_TAGS: usize = Upos::ALL.len();

/// A universal tag, or none.
impl Argument for Option<Upos> {
    const ALL: &'static [Self] = &{
        let mut all = [None; N_TAGS + 1];
        let mut at = 0;
        while at < N_TAGS {
            all[at] = Some(Upos::ALL[at]);
            at += 1;
        }
        all
    };

    fn number(self) -> u8 {
        self.map_or(N_TAGS as u8, |tag| tag as u8)
    }
}

/// The class of two words; none if they are of two.
impl Argument for Option<WordClass> {
    const ALL: &'static [Self] = &[
        None,
        Some(WordClass::Function),
        Some(WordClass::Mark),
        Some(WordClass::Number),
        Some(WordClass::Name),
        Some(WordClass::Verb),
        Some(WordClass::Modifier),
        Some(WordClass::Noun),
    ];

    fn number(self) -> u8 {
        self.map_or(0, WordClass::number)
    }
}

/// The kind of chunk that a word is in; none if it is in none.
impl Argument for Option<ChunkKind> {
    const ALL: &'static [Self] = &[
        Some(ChunkKind::Np),
        Some(ChunkKind::Vp),
        Some(ChunkKind::Pp),
        Some(ChunkKind::Advp),
        Some(ChunkKind::Adjp),
        Some(ChunkKind::Sbar),
        Some(ChunkKind::Other),
        None,
    ];

    fn number(self) -> u8 {
        self.map_or(u8::MAX, ChunkKind::number)
    }
}
