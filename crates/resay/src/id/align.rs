//! Identities of phrase aligner features: a template and its arguments. Model files store a feature
//! by the code built from their numbers, so no number is ever changed or reused.

use super::argument::{Argument, UnknownCode, arguments, pack, take};
use super::words::{ChunkKind, CoarseLevel, Level, TagMatch, WordClassPair, WordKind, WordMatch};
use resay_text::Upos;

arguments! {
    /// Groups of short words whose members count as the same word.
    LightWords {
        /// a, an, one.
        Article = 0,
        /// Forms of be, do and have.
        Verb = 1,
    }

    /// Thresholds of the edit similarity, in per cent.
    EditsOver {
        /// Above 0.3.
        P30 = 30,
        /// Above 0.5.
        P50 = 50,
        /// Above 0.65.
        P65 = 65,
        /// Above 0.8.
        P80 = 80,
        /// Above 0.9.
        P90 = 90,
    }

    /// Thresholds of the difference between two words' relative positions in their sentences, in
    /// per cent.
    ApartOver {
        /// Above 0.05.
        P05 = 5,
        /// Above 0.15.
        P15 = 15,
        /// Above 0.3.
        P30 = 30,
        /// Above 0.5.
        P50 = 50,
    }

    /// Thresholds of the cosine of two word vectors, in per cent.
    CosineOver {
        /// Above 0.2.
        P20 = 20,
        /// Above 0.3.
        P30 = 30,
        /// Above 0.4.
        P40 = 40,
        /// Above 0.5.
        P50 = 50,
        /// Above 0.6.
        P60 = 60,
        /// Above 0.7.
        P70 = 70,
        /// Above 0.8.
        P80 = 80,
    }

    /// String similarities of two words: the measures of [`crate::align::strings::Similarities`],
    /// in the same order.
    StringMeasure {
        /// Jaro-Winkler similarity.
        JaroWinkler = 0,
        /// Dice coefficient of the character bigrams.
        Dice = 1,
        /// Positions with the same character.
        Hamming = 2,
        /// Characters that occur in both words.
        Jaccard = 3,
        /// 1 - edits / length.
        Levenshtein = 4,
        /// Dice coefficient of the character trigrams.
        Trigrams = 5,
        /// Dice coefficient of the character 4-grams.
        Fourgrams = 6,
        /// The common prefix.
        Prefix = 7,
        /// The common suffix.
        Suffix = 8,
    }

    /// Whether both words are content words. String measures have separate weights for the two
    /// cases.
    ContentPair {
        /// Both are.
        Content = 0,
        /// At least one is not.
        Other = 1,
    }

    /// WordNet relations between two words.
    WordNetRelation {
        /// They share a synset.
        Synonym = 0,
        /// They are antonyms.
        Antonym = 1,
        /// The second is a hypernym of the first.
        Hypernym = 2,
        /// The second is a hyponym of the first.
        Hyponym = 3,
        /// Doing the first entails doing the second.
        Entailment = 4,
        /// The first causes the second.
        Cause = 5,
        /// The second is a whole of which the first is a part.
        Holonym = 6,
        /// The second is a part of the first.
        Meronym = 7,
        /// They are adjectives of one cluster.
        SimilarTo = 8,
        /// One is derived from the other.
        Derivation = 9,
        /// Their most frequent senses are the same synset.
        FirstSynonym = 10,
    }

    /// Which of the two sentences a property holds for.
    WhichSides {
        /// Neither.
        Neither = 0,
        /// The source only.
        Source = 1,
        /// The target only.
        Target = 2,
        /// Both.
        Both = 3,
    }

    /// Evidence from names, numbers and capitals about two words.
    NameClue {
        /// First names, one a short form of the other.
        Nickname = 0,
        /// One letter apart, both capitalised.
        OneLetterApart = 1,
        /// Similar in spelling, both capitalised.
        SpelledAlike = 2,
        /// Two different numbers.
        OtherNumber = 3,
        /// One is a number, the other is not.
        OneNumber = 4,
        /// Different words, one of them capitalised.
        OneCapital = 5,
        /// Different words, both capitalised.
        BothCapitals = 6,
        /// One word is made of the initials of the other phrase.
        Initials = 7,
    }

    /// Which neighbours of two words are similar.
    NeighboursAlike {
        /// The words to the left.
        Left = 0,
        /// The words to the right.
        Right = 1,
        /// The words on both sides.
        Both = 2,
        /// No neighbour on either side.
        Neither = 3,
        /// The words two to the left.
        SecondLeft = 4,
        /// The words two to the right.
        SecondRight = 5,
        /// The words to the left are the same content word.
        LeftSameContent = 6,
        /// The words to the right are the same content word.
        RightSameContent = 7,
    }

    /// A side of a word.
    Flank {
        /// Before the word.
        Left = 0,
        /// After the word.
        Right = 1,
    }

    /// A side of a word, both or neither.
    Flanks {
        /// Neither.
        Neither = 0,
        /// Before the word.
        Left = 1,
        /// After the word.
        Right = 2,
        /// Both.
        Both = 3,
    }

    /// Whether a link keeps the word order relative to the nearest anchor.
    OrderKept {
        /// The order is kept.
        Kept = 0,
        /// The order is kept, at the same distance in both sentences.
        SameDistance = 1,
        /// The order is kept, at distances that differ by at most two words.
        WithinTwo = 2,
        /// The order is reversed.
        Broken = 3,
        /// The order is reversed, by more than five words.
        BrokenFar = 4,
        /// There is no anchor.
        NoAnchor = 5,
    }

    /// Whether either word of a link has a better partner.
    Rival {
        /// Neither word has one.
        None = 0,
        /// The source word has one.
        Source = 1,
        /// The target word has one.
        Target = 2,
        /// Both words have one.
        Both = 3,
        /// There are ties, and no other candidate has more matching neighbours than these two
        /// words.
        NearestOfEquals = 4,
    }

    /// A count, capped at two.
    NoneOneMore {
        /// Zero.
        None = 0,
        /// One.
        One = 1,
        /// Two or more.
        More = 2,
    }

    /// How often a word occurs in its sentence.
    Repetition {
        /// Once.
        Once = 0,
        /// More than once.
        Often = 1,
    }

    /// The lowest similarity between the words of two phrases.
    PhraseWords {
        /// Some words are unrelated.
        SomeOther = 0,
        /// All words are similar.
        AllAlike = 1,
        /// All words are the same.
        AllSame = 2,
    }

    /// How the syntactic heads of two words compare.
    HeadMatch {
        /// The heads are similar.
        Alike = 0,
        /// The heads are similar, and the words have the same relation to them.
        AlikeByOneRelation = 1,
        /// The heads are not similar.
        NotAlike = 2,
        /// Both words are roots.
        BothRoots = 3,
        /// One word is a root.
        OneRoot = 4,
        /// The words have the same relation to their heads.
        OneRelation = 5,
        /// The head of one word is similar to a dependent of the other.
        Crossed = 6,
    }

    /// Thresholds of a probability under the first pass, in per cent.
    ProbabilityOver {
        /// Above 0.02.
        P02 = 2,
        /// Above 0.05.
        P05 = 5,
        /// Above 0.1.
        P10 = 10,
        /// Above 0.2.
        P20 = 20,
        /// Above 0.35.
        P35 = 35,
        /// Above 0.5.
        P50 = 50,
        /// Above 0.65.
        P65 = 65,
        /// Above 0.8.
        P80 = 80,
        /// Above 0.95.
        P95 = 95,
    }

    /// How probable something is under the first pass.
    Likelihood {
        /// Below 0.15.
        Unlikely = 0,
        /// Below 0.5.
        Possible = 1,
        /// 0.5 or more.
        Likely = 2,
    }

    /// The number of words of a phrase.
    PhraseLength {
        /// One.
        One = 1,
        /// Two.
        Two = 2,
        /// Three or more.
        More = 3,
    }

    /// Whether a surplus word of the longer phrase has a match elsewhere.
    Elsewhere {
        /// The same word occurs elsewhere in the other sentence.
        Same = 0,
        /// It does not.
        Nowhere = 1,
    }
}

/// The jump in the target from the last word of one link to the first word of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Jump {
    /// Backwards, further than [`Self::REACH`].
    Back,
    /// By this many words, backwards if negative.
    By(i8),
    /// Forwards, further than [`Self::REACH`].
    On,
}

impl Jump {
    /// The longest jump, in either direction, that has a value of its own.
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
            /// The code that model files store.
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
    // Word classes of aligned and unaligned words.
    /// Two words are linked.
    Link = 1 (classes: WordClassPair);
    /// A word is unaligned; how similar its best candidate was.
    AloneBest = 2 (kind: WordKind, best: Level);
    /// A word with this tag is unaligned.
    AloneTag = 3 (tag: Option<Upos>);

    // Spelling.
    /// Equal, ignoring case.
    Same = 10 (classes: WordClassPair);
    /// Equal, case included.
    SameCase = 11 (classes: WordClassPair);
    /// Two members of one group of short words.
    Light = 12 (words: LightWords);
    /// The edit similarity is above a threshold.
    EditSimilarity = 13 (over: EditsOver, classes: WordClassPair);
    /// The value of a string measure.
    Spelled = 14 (measure: StringMeasure, classes: ContentPair);
    /// Two phrases are equal once their words are joined.
    Joined = 15;

    // Forms of the same word.
    /// The same lemma.
    OneLemma = 20 (classes: WordClassPair);
    /// The same stem.
    OneStem = 21 (classes: WordClassPair);

    // Parts of speech.
    /// Whether the universal tags agree.
    Tags = 30 (tags: TagMatch, words: WordMatch, classes: WordClassPair);
    /// The fine-grained tags agree.
    SameFineTag = 31 (words: WordMatch, classes: WordClassPair);
    /// The two tags.
    TagPair = 32 (words: WordMatch, source: Option<Upos>, target: Option<Upos>);

    // Positions.
    /// The difference of the relative positions.
    Apart = 40 (words: WordMatch, classes: WordClassPair);
    /// The difference of the relative positions is above a threshold.
    FurtherApart = 41 (over: ApartOver, words: WordMatch, classes: WordClassPair);
    /// Both words open their sentences.
    BothFirst = 42;
    /// Both words close their sentences.
    BothLast = 43;

    // Word relations.
    /// WordNet relates the words.
    WordNet = 50 (relation: WordNetRelation, tags: TagMatch);
    /// The paraphrase database lists the pair.
    Paraphrase = 60 (tags: TagMatch, classes: WordClassPair);

    // Word vectors.
    /// Both words have a vector.
    HasVectors = 70 (tags: TagMatch, classes: WordClassPair);
    /// The cosine of the vectors.
    Cosine = 71 (tags: TagMatch, classes: WordClassPair);
    /// The cosine is above a threshold.
    CosineStep = 72 (over: CosineOver, tags: TagMatch, classes: WordClassPair);
    /// Which of the two words have a nearer candidate.
    NearerPartner = 73 (who: WhichSides, tags: TagMatch, classes: WordClassPair);

    // Names and numbers.
    /// Evidence from names, numbers and capitals.
    Name = 80 (feature: NameClue);

    // Transitions: the state of a word given the state of the word before it.
    /// The first word is unaligned.
    StartsAlone = 90;
    /// The first word is linked.
    StartsLinked = 91;
    /// An unaligned word follows an unaligned word.
    AloneAfterAlone = 92;
    /// A linked word follows an unaligned word.
    LinkedAfterAlone = 93;
    /// An unaligned word follows a linked word.
    AloneAfterLinked = 94;
    /// The jump from one link to the next.
    Step = 95 (jump: Jump);
    /// The length of the jump as a share of the sentence.
    StepShare = 96;

    // Context of the two words.
    /// Which neighbours are similar.
    Neighbours = 100 (which: NeighboursAlike, level: CoarseLevel, classes: WordClassPair);
    /// How many content words within three positions have a similar word within three positions of
    /// the other word.
    AlikeNearby = 101 (level: CoarseLevel, classes: WordClassPair);
    /// The share of content words within three positions that have a similar word within three
    /// positions of the other word.
    ShareAlikeNearby = 102 (level: CoarseLevel, classes: WordClassPair);
    /// The next content words are similar.
    NextContentAlike = 103 (flank: Flank, level: CoarseLevel, classes: WordClassPair);

    // Word order around anchors.
    /// Whether the order relative to the nearest anchor is kept.
    Order = 110 (flank: Flank, kept: OrderKept, words: WordMatch, classes: WordClassPair);
    /// The order relative to the nearest anchors on both sides is kept.
    BetweenAnchors = 111 (words: WordMatch, classes: WordClassPair);

    // Competing links.
    /// Whether either word has a better partner.
    Rivals = 120 (rival: Rival, level: CoarseLevel, classes: WordClassPair);
    /// The same word, which occurs once in each sentence.
    OnceInEach = 121 (classes: WordClassPair);
    /// A word is unaligned; how often it occurs in the other sentence and in its own.
    AloneSame = 122 (there: NoneOneMore, here: Repetition);

    // Conjunctions of the above.
    /// Similarity of the words, of their neighbours and of their tags, and whether they are
    /// repeated.
    Conjunction = 130 (level: Level, flanks: Flanks, tags: TagMatch, times: Repetition, classes: WordClassPair);

    // Chunks.
    /// The chunks that contain the two words.
    ChunkPair = 140 (source: Option<ChunkKind>, target: Option<ChunkKind>);
    /// The share of the chunks' other words that are similar.
    ChunkShare = 141 (words: WordMatch, classes: WordClassPair);
    /// Which of two phrases are whole chunks.
    WholeChunks = 142 (which: WhichSides, words: PhraseWords);
    /// Both phrases are whole chunks of the same kind.
    BothChunks = 143 (kind: ChunkKind, words: PhraseWords);
    /// Which of two phrases lie within one chunk.
    InsideChunk = 144 (which: WhichSides);

    // Dependencies.
    /// How the heads of the two words compare.
    Heads = 150 (heads: HeadMatch, level: CoarseLevel, classes: WordClassPair);
    /// How many dependents are similar, at most three.
    Dependents = 151 (level: CoarseLevel, classes: WordClassPair);

    // Phrases as a whole.
    /// The lengths of two phrases.
    PhraseLengths = 160 (source: PhraseLength, target: PhraseLength);
    /// The similarity of the least similar words.
    LeastAlike = 161 (level: Level, source: PhraseLength, target: PhraseLength);
    /// A word of the longer phrase is surplus.
    LeftOver = 162 (kind: WordKind, elsewhere: Elsewhere);
    /// Similar words at different offsets of the two phrases.
    OffDiagonal = 163;
    /// The phrase contains a punctuation mark.
    MarkInside = 164;

    // Probabilities under the first pass.
    /// The log-odds of the link.
    FirstLogit = 180 (level: CoarseLevel, classes: WordClassPair);
    /// The probability of the link is above a threshold.
    FirstOver = 181 (over: ProbabilityOver, classes: WordClassPair);
    /// The probability of the link from source to target, and back.
    FirstDirections = 182 (forward: Likelihood, backward: Likelihood, level: CoarseLevel);
    /// The best other link of the source word, and of the target word.
    FirstRivals = 183 (source: Likelihood, target: Likelihood, level: CoarseLevel, classes: WordClassPair);
    /// The links of the words before the two, and of the words after them.
    FirstNeighbours = 184 (left: Likelihood, right: Likelihood, level: CoarseLevel, classes: WordClassPair);
    /// The links of the source word to the words beside the target word, and the reverse.
    FirstBeside = 185 (source: Likelihood, target: Likelihood, level: CoarseLevel, classes: WordClassPair);
    /// Whether the order relative to the nearest likely link is kept.
    FirstOrder = 186 (flank: Flank, kept: OrderKept, words: WordMatch, classes: WordClassPair);
    /// The link of the next content words on either side.
    FirstContent = 187 (left: Likelihood, right: Likelihood, level: CoarseLevel, classes: WordClassPair);
    /// The log-odds of a word to be unaligned.
    FirstAloneLogit = 188 (kind: WordKind);
    /// The probability of a word to be unaligned is above a threshold.
    FirstAlone = 189 (over: ProbabilityOver, kind: WordKind);
    /// Whether the words before and after an unaligned word are unaligned.
    FirstAloneNeighbours = 190 (left: Likelihood, right: Likelihood, kind: WordKind);
    /// The probabilities of the links of a phrase, summed, per word of its longer side, are above a
    /// threshold.
    FirstInside = 191 (over: ProbabilityOver, source: PhraseLength, target: PhraseLength);
    /// The best link of a word of the phrase to a word outside it.
    FirstOutside = 192 (best: Likelihood, source: PhraseLength, target: PhraseLength);
}

impl AlignFeature {
    /// The feature with this code in model files.
    pub fn from_code(code: u64) -> Result<Self, UnknownCode> {
        Self::unpack(code).ok_or(UnknownCode(code))
    }
}

/// One feature per value of the argument.
pub(crate) fn each<A: Argument>(make: impl Fn(A) -> AlignFeature) -> Vec<AlignFeature> {
    A::ALL.iter().map(|&a| make(a)).collect()
}

/// One feature per combination of two arguments. Here and below the last argument varies fastest.
pub(crate) fn each2<A: Argument, B: Argument>(make: impl Fn(A, B) -> AlignFeature) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each(|b| make(a, b))).collect()
}

/// One feature per combination of three arguments.
pub(crate) fn each3<A: Argument, B: Argument, C: Argument>(
    make: impl Fn(A, B, C) -> AlignFeature,
) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each2(|b, c| make(a, b, c))).collect()
}

/// One feature per combination of four arguments.
pub(crate) fn each4<A: Argument, B: Argument, C: Argument, D: Argument>(
    make: impl Fn(A, B, C, D) -> AlignFeature,
) -> Vec<AlignFeature> {
    A::ALL.iter().flat_map(|&a| each3(|b, c, d| make(a, b, c, d))).collect()
}

/// One feature per combination of five arguments.
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
        // Unknown templates, an unknown argument, one argument too many.
        for code in [0, 0xff, 0x0401, 0x010301, 0x010f, u64::MAX] {
            assert_eq!(AlignFeature::from_code(code), Err(UnknownCode(code)));
        }
        assert_eq!(UnknownCode(0xff).to_string(), "no feature has the code 0xff");
    }
}
