//! Properties of words and of word pairs that features of several models share.

use super::argument::{Argument, arguments};
use resay_text::Upos;

arguments! {
    /// Levels of word similarity, lowest first.
    Level {
        /// No known relation.
        None = 0,
        /// Very similar in spelling.
        Spelling = 1,
        /// Near in meaning, or hypernym and hyponym, by some table.
        Near = 2,
        /// Synonyms, paraphrases, derived words, nicknames.
        Synonym = 3,
        /// The same lemma or the same stem.
        Lemma = 4,
        /// The same word, ignoring case.
        Same = 5,
    }

    /// Coarser levels of word similarity, for features where the finer levels would be too rare to
    /// learn.
    CoarseLevel {
        /// No known relation.
        Other = 0,
        /// Similar in spelling or meaning.
        Alike = 1,
        /// The same word or a form of it.
        Same = 2,
    }

    /// Whether two words are the same, in any inflected form.
    WordMatch {
        /// Different words.
        Other = 0,
        /// The same word.
        Same = 1,
    }

    /// Whether two words have the same tag.
    TagMatch {
        /// Different tags.
        Other = 0,
        /// The same tag.
        Same = 1,
    }

    /// Coarse word kinds. Links of each kind have separate weights, because a comma that occurs in
    /// both sentences is weaker evidence than a noun that does.
    WordKind {
        /// Content words.
        Content = 0,
        /// Function words.
        Function = 1,
        /// Punctuation and symbols.
        Mark = 2,
    }

    /// The kinds of two words.
    WordClassPair {
        /// Both are content words.
        Content = 0,
        /// Both are function words.
        Function = 1,
        /// Both are punctuation or symbols.
        Mark = 2,
        /// Words of different kinds.
        Mixed = 3,
    }

    /// Word classes, for features where tags would be too many. Number 0 is reserved for two words
    /// of different classes.
    WordClass {
        /// A function word.
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
        /// A noun or any other content word.
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
        /// The opening of a subordinate clause.
        Sbar = 5,
        /// Any other.
        Other = 6,
    }
}

impl Level {
    /// The coarse level.
    pub fn coarse(self) -> CoarseLevel {
        match self {
            Self::Same | Self::Lemma => CoarseLevel::Same,
            Self::Synonym | Self::Near | Self::Spelling => CoarseLevel::Alike,
            Self::None => CoarseLevel::Other,
        }
    }
}

impl WordClass {
    /// The classes of content words.
    pub const CONTENT: [Self; 5] = [Self::Number, Self::Name, Self::Verb, Self::Modifier, Self::Noun];
}

impl WordClassPair {
    /// The pair of two word kinds.
    pub fn of(first: WordKind, second: WordKind) -> Self {
        match (first, second) {
            (WordKind::Content, WordKind::Content) => Self::Content,
            (WordKind::Function, WordKind::Function) => Self::Function,
            (WordKind::Mark, WordKind::Mark) => Self::Mark,
            _ => Self::Mixed,
        }
    }
}

/// The number of universal tags, and the number of "no tag".
const N_TAGS: usize = Upos::ALL.len();

/// A universal tag, or `None` for no tag.
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

/// The common class of two words, or `None` if their classes differ.
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

/// The kind of chunk that contains a word, or `None` outside chunks.
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
