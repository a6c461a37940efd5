//! The ingredients of a judgement, to measure what each is worth by leaving it out.

use crate::id::RelationFeature;

/// A part of what is seen of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ingredient {
    /// Our own tables of phrases.
    Lexicon,
    /// One form for numbers, units, dates, contractions and spelling variants.
    Normalisation,
    /// The similarity of words by the word table.
    WordTable,
    /// The order of words, and who does what to whom.
    Order,
    /// Natural logic over the edits.
    Logic,
    /// What the same words meant in other pairs.
    Rules,
}

impl Ingredient {
    /// All ingredients.
    pub const ALL: [Self; 6] =
        [Self::Lexicon, Self::Normalisation, Self::WordTable, Self::Order, Self::Logic, Self::Rules];

    /// The name in tables of results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lexicon => "lexicon",
            Self::Normalisation => "normalisation",
            Self::WordTable => "word table",
            Self::Order => "order and roles",
            Self::Logic => "natural logic",
            Self::Rules => "rules of words",
        }
    }

    /// Whether a feature is part of it. Features that only change their values without it are not.
    pub fn has(self, feature: RelationFeature) -> bool {
        match self {
            Self::Lexicon | Self::Normalisation => false,
            Self::WordTable => matches!(feature, RelationFeature::Feature(id) if id.feature.needs_word_table()),
            Self::Order => {
                matches!(feature, RelationFeature::Order(_) | RelationFeature::Role(_) | RelationFeature::Scope(_))
            }
            Self::Logic => matches!(feature, RelationFeature::Polarity(_) | RelationFeature::Logic { .. }),
            Self::Rules => matches!(feature, RelationFeature::Rules(_)),
        }
    }

    /// Whether leaving it out changes other features, so that texts must be looked at again.
    pub fn changes_others(self) -> bool {
        matches!(self, Self::Lexicon | Self::Normalisation | Self::WordTable)
    }
}
