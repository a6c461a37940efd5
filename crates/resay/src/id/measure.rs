//! The ids of what is measured of two texts: order, roles, what small words belong to, polarity, size.

/// A measure of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum OrderMeasure {
    /// The share of pairs of corresponding content words that stand the other way round.
    Inverted,
    /// The same among neighbours.
    InvertedNeighbours,
    /// The number of inverted pairs of names or numbers.
    InvertedNames,
    /// The number of inverted pairs of nouns.
    InvertedNouns,
    /// The share of content words that keep the function word before them.
    KeptLeft,
    /// The same for the function word behind them.
    KeptRight,
    /// The share of content words that keep the content word before them.
    KeptContentLeft,
    /// The share of pairs of neighbouring words that the other text has too, of the source.
    PairsKeptSource,
    /// The same of the target.
    PairsKeptTarget,
    /// Words that begin both texts.
    SameStart,
    /// Words that end both texts.
    SameEnd,
    /// The longest stretch of the source that stands elsewhere, as a share.
    Moved,
    /// Prepositions whose object changed.
    OtherObject,
    /// Modifiers whose head changed.
    OtherHead,
    /// Subjects whose verb changed.
    OtherVerb,
    /// Inverted pairs that "and", "or" or a comma joins in both texts.
    InvertedInList,
    /// Inverted pairs of nouns and names that nothing joins.
    InvertedApart,
}

impl OrderMeasure {
    /// All measures.
    pub const ALL: [Self; 17] = [
        Self::Inverted,
        Self::InvertedNeighbours,
        Self::InvertedNames,
        Self::InvertedNouns,
        Self::KeptLeft,
        Self::KeptRight,
        Self::KeptContentLeft,
        Self::PairsKeptSource,
        Self::PairsKeptTarget,
        Self::SameStart,
        Self::SameEnd,
        Self::Moved,
        Self::OtherObject,
        Self::OtherHead,
        Self::OtherVerb,
        Self::InvertedInList,
        Self::InvertedApart,
    ];
}

/// A measure of what small words belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ScopeMeasure {
    /// "only", "just", "even" and the like belong to another word.
    FocusMoved,
    /// A negation belongs to another word.
    NegationMoved,
    /// A quantifier belongs to another word.
    QuantifierMoved,
    /// "if", "because", "when" and the like belong to another clause.
    MarkerMoved,
    /// "and" or "or" joins another word.
    JoinMoved,
    /// Words with another preposition.
    OtherPreposition,
    /// Numbers, times and amounts with another preposition.
    OtherPrepositionOfNumber,
    /// Words with a preposition in one text only.
    PrepositionInOne,
    /// Predicates that follow each other the other way round.
    InvertedPredicates,
    /// The same where "then" or the like says that the order matters.
    InvertedSequence,
    /// Content words below another content word.
    OtherContentHead,
    /// Pairs of "may" and "must" and the like that differ in force.
    OtherModal,
    /// Words negated in one text only.
    NegatedInOne,
}

impl ScopeMeasure {
    /// All measures.
    pub const ALL: [Self; 13] = [
        Self::FocusMoved,
        Self::NegationMoved,
        Self::QuantifierMoved,
        Self::MarkerMoved,
        Self::JoinMoved,
        Self::OtherPreposition,
        Self::OtherPrepositionOfNumber,
        Self::PrepositionInOne,
        Self::InvertedPredicates,
        Self::InvertedSequence,
        Self::OtherContentHead,
        Self::OtherModal,
        Self::NegatedInOne,
    ];
}

/// A measure of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RoleMeasure {
    /// Participants that keep their role.
    Kept,
    /// Participants that take another core role.
    Swapped,
    /// Participants that keep their role under a converse verb.
    KeptUnderConverse,
    /// Participants that take another core role under a converse verb.
    SwappedUnderConverse,
    /// Corresponding verbs with one participant replaced by another word.
    Replaced,
    /// Participants of a verb that only one text has.
    Missing,
    /// Whether one text is passive where the other is active.
    OtherVoice,
    /// Whether the roots correspond.
    Roots,
    /// The kind of edit of the roots, by number, 30 if none.
    RootEdit,
    /// The kind of edit of the subjects, by number, 30 if none, 31 if a text has no subject.
    SubjectEdit,
    /// The kind of edit of the objects, likewise.
    ObjectEdit,
    /// Whether two comparisons exchange what is compared.
    ComparisonTurned,
    /// Clauses that exchange their places around the same word: "A before B", "B before A".
    ClausesTurned,
    /// Clauses that exchange their places around converse words: "A before B", "B after A".
    ClausesTurnedWithConverse,
    /// Clauses that keep their places around another word: "A before B", "A after B".
    ClausesUnderOther,
    /// Pairs of words that stand on the other sides of the same predicate, in the same voice.
    SidesExchanged,
    /// The same where one text is passive.
    SidesExchangedInPassive,
    /// Pairs of words that stand on the same sides of the same predicate.
    SidesKept,
}

impl RoleMeasure {
    /// All measures.
    pub const ALL: [Self; 18] = [
        Self::Kept,
        Self::Swapped,
        Self::KeptUnderConverse,
        Self::SwappedUnderConverse,
        Self::Replaced,
        Self::Missing,
        Self::OtherVoice,
        Self::Roots,
        Self::RootEdit,
        Self::SubjectEdit,
        Self::ObjectEdit,
        Self::ComparisonTurned,
        Self::ClausesTurned,
        Self::ClausesTurnedWithConverse,
        Self::ClausesUnderOther,
        Self::SidesExchanged,
        Self::SidesExchangedInPassive,
        Self::SidesKept,
    ];
}

/// Edits by polarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PolarityMeasure {
    /// Equal words, one of which is negated.
    EqualNegatedOnce,
    /// Opposites, one of which is negated: they cancel out.
    OppositeNegatedOnce,
    /// Opposites under the same number of negations.
    OppositeAlike,
    /// Equal predicates, one of which is negated.
    PredicateNegatedOnce,
    /// Opposite predicates, one of which is negated.
    PredicateCancelled,
    /// Opposite predicates under the same number of negations.
    PredicateOpposed,
    /// Negations and opposites together: whether their number is odd.
    Odd,
    /// Whether the number of negating words differs by an odd number.
    OddNegations,
}

impl PolarityMeasure {
    /// All measures.
    pub const ALL: [Self; 8] = [
        Self::EqualNegatedOnce,
        Self::OppositeNegatedOnce,
        Self::OppositeAlike,
        Self::PredicateNegatedOnce,
        Self::PredicateCancelled,
        Self::PredicateOpposed,
        Self::Odd,
        Self::OddNegations,
    ];
}

/// A measure of the words that only one text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum AloneMeasure {
    /// The sum of their rarities.
    Rarity,
    /// Their share of the rarity of all content words.
    Share,
    /// Whether the main predicate is among them.
    Root,
}

/// A measure of size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SizeMeasure {
    /// The largest distance of corresponding words.
    LargestEdit,
    /// The sum of the distances.
    SumOfEdits,
    /// Their mean.
    MeanEdit,
    /// The least similarity of words that nothing relates.
    LeastSimilar,
    /// Content words of the source.
    ContentSource,
    /// Content words of the target.
    ContentTarget,
    /// Words of the source.
    WordsSource,
    /// Words of the target.
    WordsTarget,
    /// Whether both are the same after normalisation.
    SameNormalised,
    /// The least similarity of words that WordNet or the paraphrase database calls synonyms.
    LeastSimilarSynonyms,
}
