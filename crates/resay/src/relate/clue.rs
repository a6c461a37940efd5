//! The ids of what is seen of a pair.

use super::{EditKind, LogicRelation, Operator, OrderMeasure, PolarityMeasure, RoleMeasure, WordGroup};
use crate::id::{FeatureGroup, FeatureId};

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
    pub const ALL: [Self; 6] = [Self::Modifier, Self::Adverb, Self::Phrase, Self::Clause, Self::Participant, Self::Joined];

    /// Whether a dependency relation is of this kind.
    pub(super) fn has(self, relation: &str) -> bool {
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
}

/// One thing that is seen of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clue {
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
}

impl Clue {
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
            Self::Order(_) | Self::Role(_) => FeatureGroup::Structure,
            Self::Feature(id) => id.feature.group(),
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
        }
    }
}
