//! What a feature of the phrase aligner is: a template and its arguments. Their numbers are the code by which a model's file
//! keeps a feature, so none is ever changed or used again.

use super::argument::{Argument, UnknownCode, arguments, pack, take};
use super::words::{ChunkKind, CoarseLevel, Level, TagMatch, WordClassPair, WordKind, WordMatch};
use resay_text::Upos;

arguments! {
    /// Groups of short words that count as one.
    LightWords {
        /// a, an, one.
        Article = 0,
        /// Forms of be, do and have.
        Verb = 1,
    }

    /// What a similarity of spelling is above, in per cent.
    EditsOver {
        /// 0.3.
        P30 = 30,
        /// 0.5.
        P50 = 50,
        /// 0.65.
        P65 = 65,
        /// 0.8.
        P80 = 80,
        /// 0.9.
        P90 = 90,
    }

    /// What the distance of two words, as a share of their sentences, is above, in per cent.
    ApartOver {
        /// 0.05.
        P05 = 5,
        /// 0.15.
        P15 = 15,
        /// 0.3.
        P30 = 30,
        /// 0.5.
        P50 = 50,
    }

    /// What the cosine of two vectors is above, in per cent.
    CosineOver {
        /// 0.2.
        P20 = 20,
        /// 0.3.
        P30 = 30,
        /// 0.4.
        P40 = 40,
        /// 0.5.
        P50 = 50,
        /// 0.6.
        P60 = 60,
        /// 0.7.
        P70 = 70,
        /// 0.8.
        P80 = 80,
    }

    /// How alike two words are spelled: the measures of [`crate::align::strings::Similarities`], in their order.
    StringMeasure {
        /// Jaro's similarity as Winkler changed it.
        JaroWinkler = 0,
        /// Dice's coefficient of bigrams.
        Dice = 1,
        /// Positions with the same character.
        Hamming = 2,
        /// Characters that occur in both.
        Jaccard = 3,
        /// 1 - edits / length.
        Levenshtein = 4,
        /// Dice's coefficient of 3-grams.
        Trigrams = 5,
        /// Dice's coefficient of 4-grams.
        Fourgrams = 6,
        /// The common beginning.
        Prefix = 7,
        /// The common ending.
        Suffix = 8,
    }

    /// Whether both words are content words: what measures of spelling are learned apart for.
    ContentPair {
        /// Both are.
        Content = 0,
        /// At least one is not.
        Other = 1,
    }

    /// What WordNet says of two words.
    WordNetRelation {
        /// They stand in one synset.
        Synonym = 0,
        /// They are opposites.
        Antonym = 1,
        /// The second is a kind that the first belongs to.
        Hypernym = 2,
        /// The second is a kind of the first.
        Hyponym = 3,
        /// Who does the first does the second.
        Entailment = 4,
        /// The first brings the second about.
        Cause = 5,
        /// The second is a whole that the first is a part of.
        Holonym = 6,
        /// The second is a part of the first.
        Meronym = 7,
        /// Adjectives of one cluster.
        SimilarTo = 8,
        /// One is derived from the other.
        Derivation = 9,
        /// Their most frequent senses are one synset.
        FirstSynonym = 10,
    }

    /// Which of two sentences something holds for.
    WhichSides {
        /// None.
        Neither = 0,
        /// The source only.
        Source = 1,
        /// The target only.
        Target = 2,
        /// Both.
        Both = 3,
    }

    /// What names, numbers and capitals say of two words.
    NameClue {
        /// First names, one short for the other.
        Nickname = 0,
        /// One letter apart, both with capitals.
        OneLetterApart = 1,
        /// Spelled alike, both with capitals.
        SpelledAlike = 2,
        /// Two numbers that are not the same.
        OtherNumber = 3,
        /// One is a number, the other is not.
        OneNumber = 4,
        /// Other words, one of them with a capital.
        OneCapital = 5,
        /// Other words, both with capitals.
        BothCapitals = 6,
        /// One word is the initials of the others.
        Initials = 7,
    }

    /// Neighbours of two words that are alike.
    NeighboursAlike {
        /// The words to the left.
        Left = 0,
        /// The words to the right.
        Right = 1,
        /// Those on both sides.
        Both = 2,
        /// Those on neither side.
        Neither = 3,
        /// The second words to the left.
        SecondLeft = 4,
        /// The second words to the right.
        SecondRight = 5,
        /// The words to the left are one content word.
        LeftSameContent = 6,
        /// The words to the right are one content word.
        RightSameContent = 7,
    }

    /// Before or behind a word.
    Flank {
        /// Before it.
        Left = 0,
        /// Behind it.
        Right = 1,
    }

    /// Before or behind a word, or both.
    Flanks {
        /// Neither.
        Neither = 0,
        /// Before it.
        Left = 1,
        /// Behind it.
        Right = 2,
        /// Both.
        Both = 3,
    }

    /// What a link does to the order of the nearest anchor.
    OrderKept {
        /// It is kept.
        Kept = 0,
        /// It is kept, as many words away in both sentences.
        SameDistance = 1,
        /// It is kept, at distances that differ by two at most.
        WithinTwo = 2,
        /// It is broken.
        Broken = 3,
        /// It is broken, by more than five words.
        BrokenFar = 4,
        /// There is no anchor.
        NoAnchor = 5,
    }

    /// Whether either word of a link has a better partner.
    Rival {
        /// Neither has.
        None = 0,
        /// The source's word has.
        Source = 1,
        /// The target's word has.
        Target = 2,
        /// Both have.
        Both = 3,
        /// There are equals, and these two are the best surrounded.
        NearestOfEquals = 4,
    }

    /// How often something is there.
    NoneOneMore {
        /// Not at all.
        None = 0,
        /// Once.
        One = 1,
        /// More often.
        More = 2,
    }

    /// Whether a word stands once in its sentence.
    Repetition {
        /// It does.
        Once = 0,
        /// It stands there more often.
        Often = 1,
    }

    /// How alike the words of two phrases are, at the least.
    PhraseWords {
        /// Some are others.
        SomeOther = 0,
        /// All are alike.
        AllAlike = 1,
        /// All are the same.
        AllSame = 2,
    }

    /// What the heads of two words are to each other.
    HeadMatch {
        /// They are alike.
        Alike = 0,
        /// They are alike, and so are the relations.
        AlikeByOneRelation = 1,
        /// They are not alike.
        NotAlike = 2,
        /// Neither word has one.
        BothRoots = 3,
        /// One word has none.
        OneRoot = 4,
        /// The relations are one.
        OneRelation = 5,
        /// The head of one is alike to a dependent of the other.
        Crossed = 6,
    }

    /// Words of a phrase.
    PhraseLength {
        /// One.
        One = 1,
        /// Two.
        Two = 2,
        /// Three or more.
        More = 3,
    }

    /// Where a word that a phrase has left over could go.
    Elsewhere {
        /// The same word stands elsewhere in the other sentence.
        Same = 0,
        /// Nowhere.
        Nowhere = 1,
    }
}

/// A step of the target from the last word of one link to the first of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Jump {
    /// Further back than [`Self::REACH`].
    Back,
    /// So many words, back if below 0.
    By(i8),
    /// Further on than [`Self::REACH`].
    On,
}

impl Jump {
    /// Steps that are told apart one by one, to either side.
    pub const REACH: i8 = 10;
}

impl Argument for Jump {
    const ALL: &'static [Self] = &{
        let mut all = [Self::Back; 2 * Self::REACH as usize + 3];
        let mut step = -Self::REACH;
        while step <= Self::REACH {
            all[(step + Self::REACH + 1) as usize] = Self::By(step);
            step += 1;
        }
        all[2 * Self::REACH as usize + 2] = Self::On;
        all
    };

    fn number(self) -> u8 {
        match self {
            Self::Back => 0,
            Self::By(step) => 128_u8.wrapping_add_signed(step),
            Self::On => u8::MAX,
        }
    }
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $template:literal $(($($argument:ident: $kind:ty),+))?;)*) => {
        /// A feature of the phrase aligner.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AlignFeature { $($(#[$doc])* $name $(($($kind),+))?,)* }

        impl AlignFeature {
            /// The number by which files keep it.
            pub fn code(self) -> u64 {
                match self {
                    $(Self::$name $(($($argument),+))? => pack($template, &[$($($argument.number()),+)?]),)*
                }
            }

            fn unpack(code: u64) -> Option<Self> {
                let mut rest = code >> 8;
                let feature = match code as u8 {
                    $($template => Self::$name $(($(take::<$kind>(&mut rest)?),+))?,)*
                    _ => return None,
                };
                (rest == 0).then_some(feature)
            }
        }

        #[cfg(test)]
        const TEMPLATES: &[u8] = &[$($template,)*];
    };
}

features! {
    // Kinds of words that are linked or left alone.
    /// Two words are linked.
    Link = 1 (classes: WordClassPair);
    /// A word is left alone; how alike the best at hand was.
    AloneBest = 2 (kind: WordKind, best: Level);
    /// A word of this tag is left alone.
    AloneTag = 3 (tag: Option<Upos>);

    // Spelling.
    /// The same, whatever the case.
    Same = 10 (classes: WordClassPair);
    /// The same to the case.
    SameCase = 11 (classes: WordClassPair);
    /// Two of one group of short words.
    Light = 12 (words: LightWords);
    /// A similarity by edits above this.
    EditSimilarity = 13 (over: EditsOver, classes: WordClassPair);
    /// The value of a measure of spelling.
    Spelled = 14 (measure: StringMeasure, classes: ContentPair);
    /// Two phrases are one when their words are joined.
    Joined = 15;

    // Forms of one word.
    /// One dictionary form.
    OneLemma = 20 (classes: WordClassPair);
    /// One stem.
    OneStem = 21 (classes: WordClassPair);

    // Parts of speech.
    /// Whether tags agree.
    Tags = 30 (tags: TagMatch, words: WordMatch, classes: WordClassPair);
    /// Finer tags agree.
    SameFineTag = 31 (words: WordMatch, classes: WordClassPair);
    /// Which tag stands for which.
    TagPair = 32 (words: WordMatch, source: Option<Upos>, target: Option<Upos>);

    // Where words stand.
    /// How far apart, as shares of their sentences.
    Apart = 40 (words: WordMatch, classes: WordClassPair);
    /// Further apart than this.
    FurtherApart = 41 (over: ApartOver, words: WordMatch, classes: WordClassPair);
    /// Both are the first of their sentences.
    BothFirst = 42;
    /// Both are the last of their sentences.
    BothLast = 43;

    // Word relations.
    /// WordNet relates them.
    WordNet = 50 (relation: WordNetRelation, tags: TagMatch);
    /// The paraphrase database has them as a pair.
    Paraphrase = 60 (tags: TagMatch, classes: WordClassPair);

    // Word vectors.
    /// Both have one.
    HasVectors = 70 (tags: TagMatch, classes: WordClassPair);
    /// Their cosine.
    Cosine = 71 (tags: TagMatch, classes: WordClassPair);
    /// A cosine above this.
    CosineStep = 72 (over: CosineOver, tags: TagMatch, classes: WordClassPair);
    /// Which of the two words have a nearer partner.
    NearerPartner = 73 (who: WhichSides, tags: TagMatch, classes: WordClassPair);

    // Names and numbers.
    /// What names, numbers and capitals say.
    Name = 80 (clue: NameClue);

    // Where a word goes, given where the last one went.
    /// The first word is left alone.
    StartsAlone = 90;
    /// The first word is linked.
    StartsLinked = 91;
    /// A word is left alone behind one that is.
    AloneAfterAlone = 92;
    /// A word is linked behind one that is left alone.
    LinkedAfterAlone = 93;
    /// A word is left alone behind one that is linked.
    AloneAfterLinked = 94;
    /// A step from link to link.
    Step = 95 (jump: Jump);
    /// The share of the sentence that a step goes over.
    StepShare = 96;

    // What stands around two words.
    /// Neighbours that are alike.
    Neighbours = 100 (which: NeighboursAlike, level: CoarseLevel, classes: WordClassPair);
    /// How many content words within three have one alike within three.
    AlikeNearby = 101 (level: CoarseLevel, classes: WordClassPair);
    /// The share of content words within three that have one alike within three.
    ShareAlikeNearby = 102 (level: CoarseLevel, classes: WordClassPair);
    /// The next content words are alike.
    NextContentAlike = 103 (flank: Flank, level: CoarseLevel, classes: WordClassPair);

    // Word order around anchors.
    /// What happens to the order of the nearest anchor.
    Order = 110 (flank: Flank, kept: OrderKept, words: WordMatch, classes: WordClassPair);
    /// The order of the nearest anchors on both sides is kept.
    BetweenAnchors = 111 (words: WordMatch, classes: WordClassPair);

    // Rivals of a link.
    /// Whether either word has a better partner.
    Rivals = 120 (rival: Rival, level: CoarseLevel, classes: WordClassPair);
    /// The same word, once in each sentence.
    OnceInEach = 121 (classes: WordClassPair);
    /// A word is left alone; how often the other sentence has it, and its own.
    AloneSame = 122 (there: NoneOneMore, here: Repetition);

    // Several of these together.
    /// How alike two words are, their neighbours and tags, and whether they stand there once.
    Conjunction = 130 (level: Level, flanks: Flanks, tags: TagMatch, times: Repetition, classes: WordClassPair);

    // Chunks.
    /// The chunks that two words are in.
    ChunkPair = 140 (source: Option<ChunkKind>, target: Option<ChunkKind>);
    /// The share of the chunks' other words that are alike.
    ChunkShare = 141 (words: WordMatch, classes: WordClassPair);
    /// Which of two phrases are whole chunks.
    WholeChunks = 142 (which: WhichSides, words: PhraseWords);
    /// Two phrases are whole chunks of one kind.
    BothChunks = 143 (kind: ChunkKind, words: PhraseWords);
    /// Which of two phrases lie inside one chunk.
    InsideChunk = 144 (which: WhichSides);

    // Dependencies.
    /// What the heads of two words are to each other.
    Heads = 150 (heads: HeadMatch, level: CoarseLevel, classes: WordClassPair);
    /// How many dependents are alike.
    Dependents = 151 (level: CoarseLevel, classes: WordClassPair);

    // Phrases as such.
    /// The lengths of two phrases.
    PhraseLengths = 160 (source: PhraseLength, target: PhraseLength);
    /// How alike the least alike of their words are.
    LeastAlike = 161 (level: Level, source: PhraseLength, target: PhraseLength);
    /// A word of the longer phrase is left over.
    LeftOver = 162 (kind: WordKind, elsewhere: Elsewhere);
    /// Words that are alike but do not meet.
    OffDiagonal = 163;
    /// A mark stands inside.
    MarkInside = 164;
}

impl AlignFeature {
    /// The feature that files keep by this number.
    pub fn from_code(code: u64) -> Result<Self, UnknownCode> {
        Self::unpack(code).ok_or(UnknownCode(code))
    }
}

/// One feature for each value of the argument.
pub(crate) fn each<A: Argument>(make: impl Fn(A) -> AlignFeature) -> Vec<AlignFeature> {
    A::ALL.iter().map(|&a| make(a)).collect()
}

/// One feature for each combination, as in all that follow: the last argument runs fastest.
pub(crate) fn each2<A: Argument, B: Argument>(make: impl Fn(A, B) -> AlignFeature) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each(|b| make(a, b))).collect()
}

/// Of three arguments.
pub(crate) fn each3<A: Argument, B: Argument, C: Argument>(
    make: impl Fn(A, B, C) -> AlignFeature,
) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each2(|b, c| make(a, b, c))).collect()
}

/// Of four arguments.
pub(crate) fn each4<A: Argument, B: Argument, C: Argument, D: Argument>(
    make: impl Fn(A, B, C, D) -> AlignFeature,
) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each3(|b, c, d| make(a, b, c, d))).collect()
}

/// Of five arguments.
pub(crate) fn each5<A: Argument, B: Argument, C: Argument, D: Argument, E: Argument>(
    make: impl Fn(A, B, C, D, E) -> AlignFeature,
) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each4(|b, c, d, e| make(a, b, c, d, e))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_template_has_a_code_of_its_own() {
        assert_eq!(TEMPLATES.iter().collect::<BTreeSet<_>>().len(), TEMPLATES.len());
    }

    #[test]
    fn what_no_feature_has_is_refused() {
        let link = AlignFeature::Link(WordClassPair::Mixed).code();
        assert_eq!(link, 0x0301);
        assert_eq!(AlignFeature::from_code(link), Ok(AlignFeature::Link(WordClassPair::Mixed)));
        // A template that is not, an argument that is not, one argument too many.
        for code in [0, 0xff, 0x0401, 0x010301, 0x010f, u64::MAX] {
            assert_eq!(AlignFeature::from_code(code), Err(UnknownCode(code)));
        }
        assert_eq!(UnknownCode(0xff).to_string(), "no feature has the code 0xff");
    }
}
