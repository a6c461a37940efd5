//! The features of a pair that an ensemble weighs, and the base models that it asks.
//!
//! Codes are written to model files and never change their meaning: a feature that is taken out leaves its code unused, a new
//! one gets the next. What a feature is called for people is none of this module's business.

/// What a feature is about; explanations go group by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureGroup {
    /// Words and phrases that both sentences have.
    Overlap,
    /// What the aligner could lay side by side.
    Alignment,
    /// What it could not.
    Unaligned,
    /// Names, numbers, negation and other things that change what is said.
    Mismatch,
    /// Who does what to whom, and when.
    Structure,
    /// How long the sentences are.
    Length,
    /// What a question asks for.
    Answer,
}

impl FeatureGroup {
    /// Every group.
    pub const ALL: [Self; 7] =
        [Self::Overlap, Self::Alignment, Self::Unaligned, Self::Mismatch, Self::Structure, Self::Length, Self::Answer];

    /// Whether its features always have something to say, so that they count by how far they are from their mean; the
    /// others count what is there, and mostly nothing is.
    pub fn is_measured(self) -> bool {
        matches!(self, Self::Overlap | Self::Alignment | Self::Length)
    }
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $group:ident;)*) => {
        /// What is measured about a pair.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Feature { $($(#[$doc])* $name = $code,)* }

        impl Feature {
            /// Every feature, by rising code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// What it is about.
            pub fn group(self) -> FeatureGroup {
                match self { $(Self::$name => FeatureGroup::$group,)* }
            }
        }
    };
}

features! {
    /// Words that both have.
    WordsShared = 1, Overlap;
    /// Runs of two words that both have.
    WordPairsShared = 2, Overlap;
    /// Runs of three words.
    WordTriplesShared = 3, Overlap;
    /// Runs of four words.
    WordQuadruplesShared = 4, Overlap;
    /// Stems that both have.
    StemsShared = 5, Overlap;
    /// Runs of two stems.
    StemPairsShared = 6, Overlap;
    /// Runs of three stems.
    StemTriplesShared = 7, Overlap;
    /// Runs of four stems.
    StemQuadruplesShared = 8, Overlap;
    /// As in BLEU: the geometric mean of the shares of runs of words, against the shorter.
    RunsGeometricMean = 9, Overlap;
    /// Content words that both have.
    ContentShared = 10, Overlap;
    /// The longest common subsequence of words.
    WordsInOrder = 11, Overlap;
    /// The longest run of words that both have.
    LongestRun = 12, Overlap;
    /// Runs of letters that both have.
    LettersShared = 13, Overlap;
    /// Words that both have, weighed by how rare they are.
    RareShared = 14, Overlap;
    /// How rare the rarest word is that only one has.
    RarestUnshared = 15, Overlap;
    /// Content words by the nearest of the other sentence, by their vectors.
    NearestContent = 16, Overlap;
    /// Words to insert, delete or replace.
    WordEdits = 17, Overlap;
    /// How many words.
    Words = 18, Length;
    /// The difference of lengths as a part of the longer.
    RelativeLengthDifference = 19, Length;
    /// The difference of lengths.
    LengthDifference = 20, Length;
    /// What the best alignment gains over none, per word.
    AlignmentGain = 21, Alignment;
    /// How likely content words are unaligned.
    ProbablyUnaligned = 22, Alignment;
    /// Content words that are unaligned.
    ContentUnaligned = 23, Unaligned;
    /// Numbers that are unaligned.
    NumbersUnaligned = 24, Unaligned;
    /// Numbers that are not.
    NumbersAligned = 25, Alignment;
    /// Names that are unaligned.
    NamesUnaligned = 26, Unaligned;
    /// Names that are not.
    NamesAligned = 27, Alignment;
    /// Verbs that are unaligned.
    VerbsUnaligned = 28, Unaligned;
    /// Verbs that are not.
    VerbsAligned = 29, Alignment;
    /// Adjectives and adverbs that are unaligned.
    ModifiersUnaligned = 30, Unaligned;
    /// Adjectives and adverbs that are not.
    ModifiersAligned = 31, Alignment;
    /// Nouns that are unaligned.
    NounsUnaligned = 32, Unaligned;
    /// Nouns that are not.
    NounsAligned = 33, Alignment;
    /// Words aligned with other words.
    Substitutions = 34, Alignment;
    /// Those of them that are known to be related.
    RelatedSubstitutions = 35, Alignment;
    /// How near their vectors are.
    SubstitutionSimilarity = 36, Alignment;
    /// Aligned words whose order is turned around.
    StepsBack = 37, Alignment;
    /// Aligned stretches that stand elsewhere.
    StretchesElsewhere = 38, Alignment;
    /// Aligned words in a row.
    AlignedInRow = 39, Alignment;
    /// A number against another.
    OtherNumber = 40, Mismatch;
    /// A number in one only.
    NumberInOne = 41, Mismatch;
    /// A name against another.
    OtherName = 42, Mismatch;
    /// A name in one only.
    NameInOne = 43, Mismatch;
    /// A negation in one only.
    NegationInOne = 44, Mismatch;
    /// A word of quantity against another.
    OtherQuantity = 45, Mismatch;
    /// A word of quantity in one only.
    QuantityInOne = 46, Mismatch;
    /// A word of time against another.
    OtherTime = 47, Mismatch;
    /// A word of time in one only.
    TimeInOne = 48, Mismatch;
    /// A unit against another.
    OtherUnit = 49, Mismatch;
    /// A unit in one only.
    UnitInOne = 50, Mismatch;
    /// Words of one kind aligned with each other that do not mean the same.
    SiblingsExchanged = 51, Mismatch;
    /// A word against its opposite.
    Opposites = 52, Mismatch;
    /// Words of one class exchanged for words that nothing joins them to.
    UnrelatedExchanged = 53, Mismatch;
    /// Said to be so in one, to be possible in the other.
    FactAndPossibility = 54, Structure;
    /// Past in one, future in the other.
    PastAndFuture = 55, Structure;
    /// Past in one, present in the other.
    PastAndPresent = 56, Structure;
    /// Done in one, going on in the other.
    DoneAndOngoing = 57, Structure;
    /// Who does it and whom it is done to are exchanged.
    AgentAndPatientExchanged = 58, Structure;
    /// Two words have each other's place.
    PlacesExchanged = 59, Structure;
    /// Nouns changed places although the words around them did not.
    OrderReversed = 60, Structure;
    /// Words that both have, under other heads.
    OtherHeads = 61, Structure;
    /// Edges of the two trees that correspond.
    EdgesKept = 62, Alignment;
    /// The roots are aligned.
    RootsAligned = 63, Alignment;
    /// The roots are the same word.
    RootsSame = 64, Alignment;
    /// The fewer content words are unaligned that no mismatch is about, the more.
    AllElseAlike = 65, Alignment;
    /// Something of the kind that a question asks for.
    AnswerKind = 66, Answer;
    /// Nothing of the kind that a question asks for.
    NoAnswerKind = 67, Answer;
    /// What is asked for stands near words of the question.
    AnswerNearQuestion = 68, Answer;
}

impl Feature {
    fn of_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|feature| *feature as u16 == code)
    }
}

/// Which of a pair's two sentences a feature is of, where it has a value for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Part {
    /// Of the pair as a whole.
    Whole = 0,
    /// The smaller of both values, where neither sentence is first.
    Less = 1,
    /// The larger of both.
    More = 2,
    /// The target's.
    Target = 3,
    /// The source's.
    Source = 4,
}

impl Part {
    const ALL: [Self; 5] = [Self::Whole, Self::Less, Self::More, Self::Target, Self::Source];
}

/// One number that an ensemble weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId {
    /// What is measured.
    pub feature: Feature,
    /// Of which sentence.
    pub part: Part,
}

impl FeatureId {
    /// What it is about.
    pub fn group(self) -> FeatureGroup {
        self.feature.group()
    }

    /// As model files have it.
    pub fn code(self) -> u16 {
        self.feature as u16 * 8 + self.part as u16
    }

    /// The feature of a code; none for a code that no feature has.
    pub fn of_code(code: u16) -> Option<Self> {
        let part = Part::ALL.into_iter().find(|part| *part as u16 == code % 8)?;
        Some(Self { feature: Feature::of_code(code / 8)?, part })
    }
}

/// A model that an ensemble asks, beside its own features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum BaseModel {
    /// Re-writing rules.
    Rules = 1,
    /// Re-writing rules whose variables know relations of words.
    TypedRules = 2,
    /// A decision over a latent alignment.
    Latent = 3,
}

impl BaseModel {
    /// Every base model, in the order in which ensembles weigh them.
    pub const ALL: [Self; 3] = [Self::Rules, Self::TypedRules, Self::Latent];

    /// As model files have it; above all codes of features.
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
    /// As model files have it.
    pub fn code(self) -> u16 {
        match self {
            Self::Feature(feature) => feature.code(),
            Self::Base(base) => base.code(),
        }
    }

    /// The input of a code; none for a code that nothing has.
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
        for code in [0, 5, 7, 69 * 8, 0x7fff, 0x8000, 0x8004, u16::MAX] {
            assert_eq!(EnsembleInput::of_code(code), None, "{code}");
        }
    }

    /// The codes of files that are out there. A line that fails here is a change that breaks them.
    #[test]
    fn codes_stay_what_they_are() {
        let check = |input: EnsembleInput, code: u16| assert_eq!(input.code(), code, "{input:?}");
        let feature = |feature, part| EnsembleInput::Feature(FeatureId { feature, part });
        check(feature(Feature::WordsShared, Part::Less), 9);
        check(feature(Feature::RunsGeometricMean, Part::Whole), 72);
        check(feature(Feature::OtherNumber, Part::Whole), 320);
        check(feature(Feature::NameInOne, Part::Source), 348);
        check(feature(Feature::AnswerNearQuestion, Part::Whole), 544);
        check(EnsembleInput::Base(BaseModel::Latent), 0x8003);
    }
}
