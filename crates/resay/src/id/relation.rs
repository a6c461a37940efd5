//! The ids of what a joint judgement sees of two texts, and of how texts are related.

use super::{
    AloneMeasure, FeatureGroup, FeatureId, OrderMeasure, Part, PolarityMeasure, RoleMeasure, ScopeMeasure, SizeMeasure,
};

/// How two texts are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TextRelation {
    /// Each follows from the other.
    Equivalent,
    /// The target follows from the source, not the other way round.
    Forward,
    /// The source follows from the target, not the other way round.
    Backward,
    /// Both cannot be true.
    Contradiction,
    /// None of these.
    Neutral,
}

impl TextRelation {
    /// All relations, in the order of their heads.
    pub const ALL: [Self; 5] = [Self::Equivalent, Self::Forward, Self::Backward, Self::Contradiction, Self::Neutral];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Contradiction => "contradiction",
            Self::Neutral => "neutral",
        }
    }

    /// The relation with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|relation| relation.name() == name)
    }

    /// The relation of the texts in the other order.
    pub fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
            same => same,
        }
    }
}

/// The group of a word: what kind of difference it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum WordGroup {
    /// A main verb.
    Verb,
    /// A common noun.
    Noun,
    /// A name.
    Name,
    /// A number.
    Number,
    /// An adjective.
    Adjective,
    /// An adverb.
    Adverb,
    /// A pronoun.
    Pronoun,
    /// A preposition or particle.
    Preposition,
    /// A determiner or possessive.
    Determiner,
    /// An auxiliary or modal verb.
    Auxiliary,
    /// A conjunction, an interjection, or anything else.
    Other,
    /// A word that adds politeness or colour only: "please", "really".
    Filler,
    /// A punctuation mark.
    Mark,
}

impl WordGroup {
    /// All groups.
    pub const ALL: [Self; 13] = [
        Self::Verb,
        Self::Noun,
        Self::Name,
        Self::Number,
        Self::Adjective,
        Self::Adverb,
        Self::Pronoun,
        Self::Preposition,
        Self::Determiner,
        Self::Auxiliary,
        Self::Other,
        Self::Filler,
        Self::Mark,
    ];
}

/// How two corresponding words or phrases are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EditKind {
    /// The same word.
    Same,
    /// Another form of the same word.
    Inflected,
    /// The same after normalisation: another spelling, number or unit.
    Normalised,
    /// Phrases that the table lists as equal.
    Equal,
    /// Phrases equal by way of a third one.
    EqualByWay,
    /// Synonyms of WordNet.
    Synonym,
    /// One is derived from the other: "decide", "decision".
    Derived,
    /// A pair of the paraphrase database.
    Paraphrase,
    /// A first name and its short form.
    Nickname,
    /// One letter differs.
    Misspelt,
    /// The target is more general, by the table of phrases.
    General,
    /// The target is more specific, by the table of phrases.
    Specific,
    /// The target is more general, by WordNet.
    Hypernym,
    /// The target is more specific, by WordNet.
    Hyponym,
    /// One denies the other, by the table of phrases.
    Opposite,
    /// Antonyms of WordNet, or a prefix that denies.
    Antonym,
    /// Both cannot hold, by the table of phrases.
    Alternative,
    /// The same event from the other side.
    Converse,
    /// A number that implies the other one: "exactly 5" and "at least 3".
    NumberImplies,
    /// A number that the other one implies.
    NumberImplied,
    /// Numbers that cannot both hold.
    NumberDiffers,
    /// Numbers of which neither implies nor excludes the other.
    NumberOverlaps,
    /// Two names.
    OtherName,
    /// Words of similar meaning, by the word table.
    Similar,
    /// Words in the same place that nothing relates.
    Unrelated,
    /// Synonyms of WordNet in rarer senses only.
    RareSynonym,
    /// A word and the same with a prefix that denies: "happy" and "unhappy".
    Denied,
}

impl EditKind {
    /// All kinds.
    pub const ALL: [Self; 27] = [
        Self::Same,
        Self::Inflected,
        Self::Normalised,
        Self::Equal,
        Self::EqualByWay,
        Self::Synonym,
        Self::Derived,
        Self::Paraphrase,
        Self::Nickname,
        Self::Misspelt,
        Self::General,
        Self::Specific,
        Self::Hypernym,
        Self::Hyponym,
        Self::Opposite,
        Self::Antonym,
        Self::Alternative,
        Self::Converse,
        Self::NumberImplies,
        Self::NumberImplied,
        Self::NumberDiffers,
        Self::NumberOverlaps,
        Self::OtherName,
        Self::Similar,
        Self::Unrelated,
        Self::RareSynonym,
        Self::Denied,
    ];

    /// Whether the two cannot both hold, or nothing is known that relates them.
    pub(crate) fn is_difference(self) -> bool {
        matches!(
            self,
            Self::Opposite
                | Self::Antonym
                | Self::Denied
                | Self::Alternative
                | Self::NumberDiffers
                | Self::NumberOverlaps
                | Self::OtherName
                | Self::Unrelated
        )
    }
}

/// A property of a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Operator {
    /// Negating words.
    Negation,
    /// "must", "have to": it is required.
    Required,
    /// "should", "ought to".
    Advised,
    /// "can", "may", "be allowed to", "might".
    Possible,
    /// "probably", "reportedly", "seem": it is not said for certain.
    Hedged,
    /// "all", "every", "always".
    All,
    /// "some", "several", "sometimes".
    Some,
    /// "most", "many", "often".
    Many,
    /// "few", "little", "rarely".
    Few,
    /// "only", "except", "but": nothing else.
    Only,
    /// "at least", "more than".
    AtLeast,
    /// "at most", "less than", "up to".
    AtMost,
    /// "if", "unless".
    Condition,
    /// "because", "so", "therefore".
    Cause,
    /// "before", "until".
    Before,
    /// "after", "since".
    After,
    /// A question.
    Question,
    /// Which question word there is, by number.
    Asked,
    /// "will", "going to".
    Future,
    /// The past.
    Past,
    /// "used to", "no longer", "former".
    Former,
    /// "still", "already", "yet".
    Still,
    /// "start", "begin".
    Starting,
    /// "stop", "finish".
    Stopping,
    /// "said", "claimed": somebody says so.
    Said,
    /// "try", "want", "plan", "offer", "promise": it need not happen.
    Intended,
    /// "I", "we".
    First,
    /// "you".
    Second,
    /// "and".
    And,
    /// "or".
    Or,
    /// "more", "less", "than" and comparatives.
    Compared,
    /// "up", "on", "in", "into", "inside", "above".
    Toward,
    /// "down", "off", "out", "from", "outside", "below".
    Away,
    /// Commands: a verb without a subject at the start.
    Command,
    /// "must not", "may not", "cannot", "forbidden".
    Forbidden,
    /// "need not", "do not have to", "optional".
    Exempt,
    /// "not all", "not everyone", "not always".
    NotAll,
    /// "no", "none", "nobody", "never", "not any".
    None,
}

impl Operator {
    /// All operators.
    pub const ALL: [Self; 38] = [
        Self::Negation,
        Self::Required,
        Self::Advised,
        Self::Possible,
        Self::Hedged,
        Self::All,
        Self::Some,
        Self::Many,
        Self::Few,
        Self::Only,
        Self::AtLeast,
        Self::AtMost,
        Self::Condition,
        Self::Cause,
        Self::Before,
        Self::After,
        Self::Question,
        Self::Asked,
        Self::Future,
        Self::Past,
        Self::Former,
        Self::Still,
        Self::Starting,
        Self::Stopping,
        Self::Said,
        Self::Intended,
        Self::First,
        Self::Second,
        Self::And,
        Self::Or,
        Self::Compared,
        Self::Toward,
        Self::Away,
        Self::Command,
        Self::Forbidden,
        Self::Exempt,
        Self::NotAll,
        Self::None,
    ];
}

/// A relation of natural logic between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LogicRelation {
    /// The same set.
    Equal,
    /// The first lies within the second.
    Forward,
    /// The second lies within the first.
    Reverse,
    /// Together they are everything, and have nothing in common.
    Negation,
    /// They have nothing in common.
    Alternation,
    /// Together they are everything.
    Cover,
    /// None of these is known.
    Independent,
}

impl LogicRelation {
    /// All relations.
    pub const ALL: [Self; 7] =
        [Self::Equal, Self::Forward, Self::Reverse, Self::Negation, Self::Alternation, Self::Cover, Self::Independent];
}

/// One of the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TextSide {
    /// The source.
    Source,
    /// The target.
    Target,
}

/// How a word that only one text has belongs to a word that both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Detail {
    /// An adjective, a number or a compound part.
    Modifier,
    /// An adverb.
    Adverb,
    /// A phrase with a preposition.
    Phrase,
    /// A clause.
    Clause,
    /// A subject or an object.
    Participant,
    /// A word joined by "and" or "or".
    Joined,
}

impl Detail {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Modifier, Self::Adverb, Self::Phrase, Self::Clause, Self::Participant, Self::Joined];

    /// Whether a dependency relation is of this kind.
    pub(crate) fn has(self, relation: &str) -> bool {
        let starts: &[&str] = match self {
            Self::Modifier => &["amod", "nummod", "compound", "appos"],
            Self::Adverb => &["advmod"],
            Self::Phrase => &["nmod", "obl"],
            Self::Clause => &["acl", "advcl", "xcomp", "ccomp"],
            Self::Participant => &["nsubj", "obj", "iobj", "csubj"],
            Self::Joined => &["conj", "parataxis"],
        };
        starts.iter().any(|start| relation.starts_with(start))
    }
}

/// One thing that is seen of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationFeature {
    /// Edits of content words, by kind.
    Content(EditKind),
    /// Edits of function words, by kind.
    Function(EditKind),
    /// Edits by group and kind.
    Grouped(WordGroup, EditKind),
    /// A measure of size.
    Size(SizeMeasure),
    /// Words that only one text has, by group.
    Alone(TextSide, WordGroup),
    /// Content words that only one text has, by what they belong to.
    Detail(TextSide, Detail),
    /// A measure of the words that only one text has.
    AloneMeasure(TextSide, AloneMeasure),
    /// How much of an operator a text has.
    Operator(TextSide, Operator),
    /// How much more of it the target has.
    OperatorDiffers(Operator),
    /// A measure of order.
    Order(OrderMeasure),
    /// A measure of what small words belong to.
    Scope(ScopeMeasure),
    /// A measure of roles.
    Role(RoleMeasure),
    /// A measure of polarity.
    Polarity(PolarityMeasure),
    /// Whether natural logic arrives at this relation.
    Logic {
        /// Whether what is similar counts as equal, and what is missing as a detail.
        is_lenient: bool,
        /// The relation.
        relation: LogicRelation,
    },
    /// A feature of ensembles.
    Feature(FeatureId),
    /// How much the words of the pair speak for a relation, by rules learned from other pairs.
    Rules(TextRelation),
}

impl RelationFeature {
    /// The topic; explanations are grouped by it.
    pub fn group(self) -> FeatureGroup {
        match self {
            Self::Content(kind) | Self::Function(kind) | Self::Grouped(_, kind) if kind.is_difference() => {
                FeatureGroup::Mismatch
            }
            Self::Content(_) | Self::Function(_) | Self::Grouped(..) => FeatureGroup::Alignment,
            Self::Size(measure) => match measure {
                SizeMeasure::ContentSource
                | SizeMeasure::ContentTarget
                | SizeMeasure::WordsSource
                | SizeMeasure::WordsTarget => FeatureGroup::Length,
                _ => FeatureGroup::Overlap,
            },
            Self::Alone(..) | Self::Detail(..) | Self::AloneMeasure(..) => FeatureGroup::Unaligned,
            Self::Operator(..) | Self::OperatorDiffers(_) | Self::Polarity(_) | Self::Logic { .. } => {
                FeatureGroup::Mismatch
            }
            Self::Order(_) | Self::Role(_) | Self::Scope(_) => FeatureGroup::Structure,
            Self::Rules(_) => FeatureGroup::Rules,
            Self::Feature(id) => id.feature.group(),
        }
    }

    /// The same of the source, or of the forward direction, if it is about one text or direction.
    pub(crate) fn of_either_text(self) -> Self {
        use TextSide::Source;
        match self {
            Self::Alone(_, group) => Self::Alone(Source, group),
            Self::Detail(_, detail) => Self::Detail(Source, detail),
            Self::AloneMeasure(_, measure) => Self::AloneMeasure(Source, measure),
            Self::Operator(_, operator) => Self::Operator(Source, operator),
            Self::Size(SizeMeasure::ContentTarget) => Self::Size(SizeMeasure::ContentSource),
            Self::Size(SizeMeasure::WordsTarget) => Self::Size(SizeMeasure::WordsSource),
            Self::Order(OrderMeasure::PairsKeptTarget) => Self::Order(OrderMeasure::PairsKeptSource),
            Self::Logic { is_lenient, relation: LogicRelation::Reverse } => {
                Self::Logic { is_lenient, relation: LogicRelation::Forward }
            }
            Self::Feature(id) if id.part == Part::Target => Self::Feature(FeatureId { part: Part::Source, ..id }),
            Self::Rules(TextRelation::Backward) => Self::Rules(TextRelation::Forward),
            same => same,
        }
    }

    /// The code in model files. Codes never change their meaning.
    pub fn code(self) -> u32 {
        let code = |family: u32, a: u8, b: u8| family << 16 | u32::from(a) << 8 | u32::from(b);
        match self {
            Self::Content(kind) => code(1, 0, kind as u8),
            Self::Function(kind) => code(1, 1, kind as u8),
            Self::Grouped(group, kind) => code(2, group as u8, kind as u8),
            Self::Size(measure) => code(3, 0, measure as u8),
            Self::Alone(side, group) => code(4, side as u8, group as u8),
            Self::Detail(side, detail) => code(5, side as u8, detail as u8),
            Self::AloneMeasure(side, measure) => code(6, side as u8, measure as u8),
            Self::Operator(side, operator) => code(7, side as u8, operator as u8),
            Self::OperatorDiffers(operator) => code(7, 2, operator as u8),
            Self::Order(measure) => code(8, 0, measure as u8),
            Self::Role(measure) => code(9, 0, measure as u8),
            Self::Polarity(measure) => code(10, 0, measure as u8),
            Self::Logic { is_lenient, relation } => code(11, u8::from(is_lenient), relation as u8),
            Self::Feature(id) => 12 << 16 | u32::from(id.code()),
            Self::Rules(relation) => code(13, 0, relation as u8),
            Self::Scope(measure) => code(14, 0, measure as u8),
        }
    }
}
