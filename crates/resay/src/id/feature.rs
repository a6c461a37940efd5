//! The inputs of an ensemble: the features of a pair and the base models.
//!
//! Codes are stored in model files and never change their meaning: a removed feature leaves its
//! code unused, and a new feature gets the next free one. Display names live elsewhere.

/// The topic of a feature; explanations are grouped by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureGroup {
    /// Words and phrases that occur in both sentences.
    Overlap,
    /// What the aligner aligned.
    Alignment,
    /// What the aligner left unaligned.
    Unaligned,
    /// Differences in names, numbers, negation and other words that change the meaning.
    Mismatch,
    /// Who does what to whom, and when.
    Structure,
    /// Sentence length.
    Length,
    /// What a question asks for.
    Answer,
    /// What the same words meant in other pairs.
    Rules,
}

impl FeatureGroup {
    /// All groups.
    pub const ALL: [Self; 8] = [
        Self::Overlap,
        Self::Alignment,
        Self::Unaligned,
        Self::Mismatch,
        Self::Structure,
        Self::Length,
        Self::Answer,
        Self::Rules,
    ];

    /// Whether the group's features are measures with a value for every pair. An ensemble centres
    /// such features on their mean. The other groups hold counts, which are mostly zero.
    pub fn is_measured(self) -> bool {
        matches!(self, Self::Overlap | Self::Alignment | Self::Length)
    }
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $group:ident;)*) => {
        /// A quantity measured on a pair.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Feature { $($(#[$doc])* $name = $code,)* }

        impl Feature {
            /// All features, by increasing code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The topic of the feature.
            pub fn group(self) -> FeatureGroup {
                match self { $(Self::$name => FeatureGroup::$group,)* }
            }
        }
    };
}

features! {
    /// Words in both sentences.
    WordsShared = 1, Overlap;
    /// Word bigrams in both sentences.
    WordPairsShared = 2, Overlap;
    /// Word trigrams in both sentences.
    WordTriplesShared = 3, Overlap;
    /// Word 4-grams in both sentences.
    WordQuadruplesShared = 4, Overlap;
    /// Stems in both sentences.
    StemsShared = 5, Overlap;
    /// Stem bigrams in both sentences.
    StemPairsShared = 6, Overlap;
    /// Stem trigrams in both sentences.
    StemTriplesShared = 7, Overlap;
    /// Stem 4-grams in both sentences.
    StemQuadruplesShared = 8, Overlap;
    /// The geometric mean of the n-gram shares relative to the shorter sentence, as in BLEU.
    RunsGeometricMean = 9, Overlap;
    /// Content words in both sentences.
    ContentShared = 10, Overlap;
    /// The longest common subsequence of words.
    WordsInOrder = 11, Overlap;
    /// The longest common run of words.
    LongestRun = 12, Overlap;
    /// Character n-grams in both sentences.
    LettersShared = 13, Overlap;
    /// Words in both sentences, weighted by rarity.
    RareShared = 14, Overlap;
    /// The rarity of the rarest word that occurs in one sentence only.
    RarestUnshared = 15, Overlap;
    /// Content words scored by the cosine with the nearest word of the other sentence.
    NearestContent = 16, Overlap;
    /// The word-level edit distance.
    WordEdits = 17, Overlap;
    /// The number of words.
    Words = 18, Length;
    /// The difference in length relative to the longer sentence.
    RelativeLengthDifference = 19, Length;
    /// The difference in length.
    LengthDifference = 20, Length;
    /// The gain of the best alignment over the empty alignment, per word.
    AlignmentGain = 21, Alignment;
    /// The probability that content words are unaligned.
    ProbablyUnaligned = 22, Alignment;
    /// Unaligned content words.
    ContentUnaligned = 23, Unaligned;
    /// Unaligned numbers.
    NumbersUnaligned = 24, Unaligned;
    /// Aligned numbers.
    NumbersAligned = 25, Alignment;
    /// Unaligned names.
    NamesUnaligned = 26, Unaligned;
    /// Aligned names.
    NamesAligned = 27, Alignment;
    /// Unaligned verbs.
    VerbsUnaligned = 28, Unaligned;
    /// Aligned verbs.
    VerbsAligned = 29, Alignment;
    /// Unaligned adjectives and adverbs.
    ModifiersUnaligned = 30, Unaligned;
    /// Aligned adjectives and adverbs.
    ModifiersAligned = 31, Alignment;
    /// Unaligned nouns.
    NounsUnaligned = 32, Unaligned;
    /// Aligned nouns.
    NounsAligned = 33, Alignment;
    /// Words aligned with different words.
    Substitutions = 34, Alignment;
    /// Substitutions of related words.
    RelatedSubstitutions = 35, Alignment;
    /// The similarity of the vectors of substituted words.
    SubstitutionSimilarity = 36, Alignment;
    /// Aligned words in reversed order.
    StepsBack = 37, Alignment;
    /// Contiguous aligned segments per aligned word.
    StretchesElsewhere = 38, Alignment;
    /// Adjacent aligned words whose partners are adjacent too.
    AlignedInRow = 39, Alignment;
    /// A number replaced by a different number.
    OtherNumber = 40, Mismatch;
    /// A number in one sentence only.
    NumberInOne = 41, Mismatch;
    /// A name replaced by a different name.
    OtherName = 42, Mismatch;
    /// A name in one sentence only.
    NameInOne = 43, Mismatch;
    /// A negation in one sentence only.
    NegationInOne = 44, Mismatch;
    /// A quantifier replaced by a different quantifier.
    OtherQuantity = 45, Mismatch;
    /// A quantifier in one sentence only.
    QuantityInOne = 46, Mismatch;
    /// A time expression replaced by a different one.
    OtherTime = 47, Mismatch;
    /// A time expression in one sentence only.
    TimeInOne = 48, Mismatch;
    /// A unit replaced by a different unit.
    OtherUnit = 49, Mismatch;
    /// A unit in one sentence only.
    UnitInOne = 50, Mismatch;
    /// Aligned words of the same kind with different meanings.
    SiblingsExchanged = 51, Mismatch;
    /// A word replaced by its antonym.
    Opposites = 52, Mismatch;
    /// Words replaced by unrelated words of the same class.
    UnrelatedExchanged = 53, Mismatch;
    /// Stated as fact in one sentence, as a possibility in the other.
    FactAndPossibility = 54, Structure;
    /// Past in one sentence, future in the other.
    PastAndFuture = 55, Structure;
    /// Past in one sentence, present in the other.
    PastAndPresent = 56, Structure;
    /// Completed in one sentence, ongoing in the other.
    DoneAndOngoing = 57, Structure;
    /// Agent and patient are swapped.
    AgentAndPatientExchanged = 58, Structure;
    /// Two words have swapped places.
    PlacesExchanged = 59, Structure;
    /// Nouns swapped places while the words around them did not.
    OrderReversed = 60, Structure;
    /// Shared words attached to different heads.
    OtherHeads = 61, Structure;
    /// Dependency edges that both trees share under the alignment.
    EdgesKept = 62, Alignment;
    /// The roots are aligned.
    RootsAligned = 63, Alignment;
    /// The roots are the same word.
    RootsSame = 64, Alignment;
    /// Decreases with the number of unaligned content words that no mismatch accounts for.
    AllElseAlike = 65, Alignment;
    /// The other text has a candidate of the kind that the question asks for.
    AnswerKind = 66, Answer;
    /// The other text has no candidate of the kind that the question asks for.
    NoAnswerKind = 67, Answer;
    /// The total rarity of the question's words around the best candidate answer.
    AnswerNearQuestion = 68, Answer;
    /// The similarity of the weighted means of the content words' vectors.
    TextSimilarity = 69, Overlap;
    /// The same of unaligned content words alone; 0 if a sentence has none.
    UnalignedTextSimilarity = 70, Unaligned;
    /// Content words scored by the similarity of the nearest word of the other sentence, weighted
    /// by rarity.
    MeaningCovered = 71, Overlap;
    /// The similarity of the nearest word to the content word that has none near.
    LeastCovered = 72, Overlap;
    /// The largest similarity of an unaligned content word with a word of the other sentence.
    UnalignedNearest = 73, Unaligned;
}

impl Feature {
    /// Whether the feature is computed from the word table.
    pub fn needs_word_table(self) -> bool {
        use Feature::{LeastCovered, MeaningCovered, TextSimilarity, UnalignedNearest, UnalignedTextSimilarity};
        matches!(self, TextSimilarity | UnalignedTextSimilarity | MeaningCovered | LeastCovered | UnalignedNearest)
    }

    fn of_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|feature| *feature as u16 == code)
    }
}

/// The sentence that a feature's value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Part {
    /// The pair as a whole.
    Whole = 0,
    /// The smaller of the two values, for symmetric tasks.
    Less = 1,
    /// The larger of the two values, for symmetric tasks.
    More = 2,
    /// The target.
    Target = 3,
    /// The source.
    Source = 4,
}

impl Part {
    const ALL: [Self; 5] = [Self::Whole, Self::Less, Self::More, Self::Target, Self::Source];
}

/// One feature value of an ensemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId {
    /// What is measured.
    pub feature: Feature,
    /// The sentence it belongs to.
    pub part: Part,
}

impl FeatureId {
    /// The topic of the feature.
    pub fn group(self) -> FeatureGroup {
        self.feature.group()
    }

    /// The code in model files.
    pub fn code(self) -> u16 {
        self.feature as u16 * 8 + self.part as u16
    }

    /// The feature with this code, or `None` if no feature has it.
    pub fn of_code(code: u16) -> Option<Self> {
        let part = Part::ALL.into_iter().find(|part| *part as u16 == code % 8)?;
        Some(Self { feature: Feature::of_code(code / 8)?, part })
    }
}

/// A model whose score an ensemble uses beside the features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum BaseModel {
    /// Re-writing rules.
    Rules = 1,
    /// Re-writing rules with word relations on their variables.
    TypedRules = 2,
    /// A classifier over a latent alignment.
    Latent = 3,
}

impl BaseModel {
    /// All base models, in the order of the ensemble's inputs.
    pub const ALL: [Self; 3] = [Self::Rules, Self::TypedRules, Self::Latent];

    /// The code in model files, above all feature codes.
    pub fn code(self) -> u16 {
        0x8000 + self as u16
    }
}

/// One input of an ensemble: a feature, or a base model's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EnsembleInput {
    /// A feature of the pair.
    Feature(FeatureId),
    /// A base model's score.
    Base(BaseModel),
}

impl EnsembleInput {
    /// The code in model files.
    pub fn code(self) -> u16 {
        match self {
            Self::Feature(feature) => feature.code(),
            Self::Base(base) => base.code(),
        }
    }

    /// The input with this code, or `None` if nothing has it.
    pub fn of_code(code: u16) -> Option<Self> {
        let base = BaseModel::ALL.into_iter().find(|base| base.code() == code).map(Self::Base);
        base.or_else(|| FeatureId::of_code(code).map(Self::Feature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_lead_back() {
        let features = Feature::ALL.iter().flat_map(|&feature| Part::ALL.map(|part| FeatureId { feature, part }));
        let inputs = features.map(EnsembleInput::Feature).chain(BaseModel::ALL.map(EnsembleInput::Base));
        let mut codes = Vec::new();
        for input in inputs {
            assert_eq!(EnsembleInput::of_code(input.code()), Some(input));
            codes.push(input.code());
        }
        let n_codes = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), n_codes);
        for code in [0, 5, 7, 74 * 8, 0x7fff, 0x8000, 0x8004, u16::MAX] {
            assert_eq!(EnsembleInput::of_code(code), None, "{code}");
        }
    }

    /// Codes in published model files. A failure here means that a change breaks them.
    #[test]
    fn codes_stay_what_they_are() {
        let check = |input: EnsembleInput, code: u16| assert_eq!(input.code(), code, "{input:?}");
        let feature = |feature, part| EnsembleInput::Feature(FeatureId { feature, part });
        check(feature(Feature::WordsShared, Part::Less), 9);
        check(feature(Feature::RunsGeometricMean, Part::Whole), 72);
        check(feature(Feature::OtherNumber, Part::Whole), 320);
        check(feature(Feature::NameInOne, Part::Source), 348);
        check(feature(Feature::AnswerNearQuestion, Part::Whole), 544);
        check(feature(Feature::MeaningCovered, Part::More), 570);
        check(EnsembleInput::Base(BaseModel::Latent), 0x8003);
    }
}
