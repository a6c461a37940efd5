//! Identities of latent sentence alignment features: a template with up to two small arguments.
//! Model files store the codes of templates and the numbers of arguments, so none is ever changed
//! or reused.

use super::argument::{Argument, UnknownCode, arguments};
use super::words::{Level, WordClass, WordMatch};
use resay_text::Upos;

arguments! {
    /// Whether two things are equal.
    Agreement {
        /// They differ.
        Differ = 0,
        /// They are equal.
        Agree = 1,
    }

    /// How two words compare as parts of named entities.
    EntityMatch {
        /// Only one word is part of an entity.
        OneOnly = 0,
        /// Both are parts of entities, of different types.
        TwoKinds = 1,
        /// Both are parts of entities of the same type.
        OneKind = 2,
    }

    /// Which of two words are negations.
    NegationMatch {
        /// One of them.
        OneWord = 0,
        /// Both.
        Both = 1,
    }

    /// The sentence in which something is unaligned.
    LatentSide {
        /// The source.
        Source = 0,
        /// The target.
        Target = 1,
        /// Either sentence, in symmetric tasks.
        Either = 2,
    }

    /// Whether two dependency edges have the same relation.
    RelationMatch {
        /// Different relations.
        Two = 0,
        /// The same relation.
        One = 1,
    }

    /// Measures of how the source covers the target's content words.
    CoverMeasure {
        /// By the same word.
        SameWord = 0,
        /// By a similar word.
        WordAlike = 1,
        /// Within the sentence of the source that covers the most.
        OneSentence = 2,
        /// Within the 30 consecutive words that cover the most.
        Window = 3,
    }

    /// How many of the target's names and numbers the source covers.
    NamesCover {
        /// The share.
        Share = 0,
        /// Not all.
        NotAll = 1,
        /// All.
        All = 2,
    }

    /// Which of two texts contain a negation.
    NegationPlace {
        /// Neither.
        Nowhere = 0,
        /// The target only.
        TargetOnly = 1,
        /// The source only.
        SourceOnly = 2,
        /// Both.
        Both = 3,
    }
}

/// The maximum number of bins of a measure.
const N_BINS: usize = 64;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($kind:ty);)*) => {
        /// The type of a template's argument.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum LatentKind {
            /// Unused, always 0.
            None,
            /// A string in the catalogue's table, numbered from 1; 0 is an unknown string.
            Label,
            /// A bin of a measure: the lower bound of the first bin and the number of bins per
            /// unit.
            Bin(f32, f32),
            $($(#[$doc])* $name,)*
        }

        /// An argument of a template.
        #[derive(Clone, Debug, PartialEq)]
        pub enum LatentArgument {
            /// Unused by the template.
            None,
            /// An entity type or dependency relation from the annotator; `None` if training did not
            /// see it.
            Label(Option<String>),
            /// The bin of a measure with this lower bound.
            From(f32),
            $($(#[$doc])* $name($kind),)*
        }

        impl LatentKind {
            /// The number of values, which are numbered from 0.
            pub(crate) fn n_values(self, n_labels: usize) -> usize {
                match self {
                    Self::None => 1,
                    Self::Label => n_labels + 1,
                    Self::Bin(..) => N_BINS,
                    $(Self::$name => <$kind>::ALL.len(),)*
                }
            }

            /// The argument with this number; `label` returns labels by number from 0.
            fn resolve<'a>(self, value: u16, label: impl Fn(u32) -> Option<&'a str>) -> Option<LatentArgument> {
                Some(match self {
                    Self::None => LatentArgument::None,
                    Self::Label => {
                        let label = value.checked_sub(1).and_then(|number| label(u32::from(number)));
                        LatentArgument::Label(label.map(str::to_owned))
                    }
                    Self::Bin(first, to_a_unit) => LatentArgument::From(first + f32::from(value) / to_a_unit),
                    $(Self::$name => LatentArgument::$name(<$kind>::of_number(value.try_into().ok()?)?),)*
                })
            }
        }

        #[cfg(test)]
        fn numbers_have_no_gap() -> bool {
            true $(&& <$kind>::ALL.iter().enumerate().all(|(at, value)| usize::from(value.number()) == at))*
        }
    };
}

kinds! {
    /// The similarity of two words.
    Level(Level);
    /// A word class; `None` for words of different classes.
    Class(Option<WordClass>);
    /// A universal tag, or `None`.
    Tag(Option<Upos>);
    /// Whether two words are the same.
    Words(WordMatch);
    /// Whether two things are equal.
    Agreement(Agreement);
    /// How two words compare as parts of entities.
    Entities(EntityMatch);
    /// Which of two words are negations.
    Negation(NegationMatch);
    /// The sentence in which something is unaligned.
    Side(LatentSide);
    /// Whether two relations are the same.
    Relations(RelationMatch);
    /// How content words are covered.
    Cover(CoverMeasure);
    /// How many names and numbers are covered.
    Names(NamesCover);
    /// Which texts contain a negation.
    Negated(NegationPlace);
}

macro_rules! templates {
    ($($(#[$doc:meta])* $name:ident = $code:literal: $first:expr, $second:expr;)*) => {
        /// Feature templates.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum LatentTemplate { $($(#[$doc])* $name = $code,)* }

        impl LatentTemplate {
            /// All templates.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The types of its arguments.
            pub(crate) fn kinds(self) -> [LatentKind; 2] {
                use LatentKind::*;
                match self { $(Self::$name => [$first, $second],)* }
            }
        }
    };
}

templates! {
    /// Two words are aligned, by similarity.
    Map = 0: Level, None;
    /// Two words are aligned, by similarity and word class.
    MapOfClass = 1: Level, Class;
    /// Whether the tags of aligned words agree.
    TagsAgree = 2: Agreement, None;
    /// The tags of aligned words, if they differ.
    Tags = 3: Tag, Tag;
    /// The cosine of the aligned words' vectors.
    Cosine = 4: None, None;
    /// A bin of the cosine.
    CosineBin = 5: Bin(-1.0, 5.0), None;
    /// One of the aligned words has no vector.
    NoVector = 6: None, None;
    /// The WordNet similarity of aligned words.
    WordNet = 7: None, None;
    /// A bin of the WordNet similarity.
    WordNetBin = 8: Bin(0.0, 5.0), None;
    /// The edit similarity of aligned words.
    Spelling = 9: None, None;
    /// A bin of the edit similarity.
    SpellingBin = 10: Bin(0.0, 4.0), None;
    /// Aligned words that are parts of entities.
    Entities = 11: Entities, None;
    /// Aligned words that are parts of entities of this type.
    Entity = 12: Label, Words;
    /// Whether aligned numbers agree.
    Numbers = 13: Agreement, None;
    /// Aligned words of which one or both are negations.
    Negation = 14: Negation, None;
    /// The difference of the aligned words' relative positions.
    Distance = 15: None, None;
    /// A bin of the difference of positions.
    DistanceBin = 16: Bin(0.0, 5.0), Words;
    /// A word is unaligned, by word class.
    Alone = 17: Class, Side;
    /// A word is unaligned, by tag.
    AloneTag = 18: Tag, Side;
    /// A word of an entity is unaligned.
    AloneEntity = 19: Label, Side;
    /// A number is unaligned.
    AloneNumber = 20: None, Side;
    /// A negation is unaligned.
    AloneNegation = 21: None, Side;
    /// Two dependency edges are aligned.
    Edge = 22: Relations, None;
    /// Two dependency edges are aligned, by their relations.
    EdgeRelations = 23: Label, Label;
    /// Two dependency edges are aligned, by the similarity of the heads.
    EdgeNodes = 24: Level, None;
    /// Two dependency edges are aligned, by the similarity and class of the dependents.
    EdgeDependent = 25: Level, Class;
    /// A dependency edge is unaligned.
    EdgeAlone = 26: Label, Side;
    /// The bias, active in every example.
    Bias = 27: None, None;
    /// How much of the target's content words the source covers.
    Covered = 28: Cover, None;
    /// How much of the target's names and numbers the source covers.
    NamesCovered = 29: Names, None;
    /// Which texts contain a negation.
    Negated = 30: Negated, None;
    /// The difference in length.
    Length = 31: None, None;
    /// A bin of the difference in length.
    LengthBin = 32: Bin(0.0, 10.0), None;
}

impl LatentTemplate {
    /// The template with this code in model files.
    pub fn from_code(code: u8) -> Result<Self, UnknownCode> {
        let known = Self::ALL.iter().find(|template| **template as u8 == code);
        known.copied().ok_or(UnknownCode(u64::from(code)))
    }
}

/// A feature of latent sentence alignments.
#[derive(Clone, Debug, PartialEq)]
pub struct LatentFeature {
    /// The template.
    pub template: LatentTemplate,
    /// The arguments of the template.
    pub arguments: [LatentArgument; 2],
}

impl LatentFeature {
    /// The feature with these argument numbers, or `None` if one is out of range. `label` returns
    /// labels by number from 0.
    pub(crate) fn of_numbers<'a>(
        template: LatentTemplate,
        numbers: [u16; 2],
        label: impl Fn(u32) -> Option<&'a str>,
    ) -> Option<Self> {
        let [first, second] = template.kinds();
        let arguments = [first.resolve(numbers[0], &label)?, second.resolve(numbers[1], &label)?];
        Some(Self { template, arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_old_files() {
        for (code, template) in (0..).zip(LatentTemplate::ALL) {
            assert_eq!((*template as u8, LatentTemplate::from_code(code)), (code, Ok(*template)));
        }
        assert_eq!(LatentTemplate::from_code(33), Err(UnknownCode(33)));
        assert!(numbers_have_no_gap());
    }

    #[test]
    fn numbers_become_values() {
        let labels = |number: u32| ["nsubj"].get(number as usize).copied();
        let check = |template, numbers, expected: [LatentArgument; 2]| {
            let found = LatentFeature::of_numbers(template, numbers, labels);
            assert_eq!(found, Some(LatentFeature { template, arguments: expected }));
        };
        let label = |label: Option<&str>| LatentArgument::Label(label.map(str::to_owned));
        check(LatentTemplate::EdgeRelations, [1, 0], [label(Some("nsubj")), label(None)]);
        check(
            LatentTemplate::MapOfClass,
            [3, 5],
            [LatentArgument::Level(Level::Synonym), LatentArgument::Class(Some(WordClass::Verb))],
        );
        check(LatentTemplate::CosineBin, [5, 0], [LatentArgument::From(0.0), LatentArgument::None]);
        check(LatentTemplate::Tags, [0, 17], [LatentArgument::Tag(Some(Upos::Adj)), LatentArgument::Tag(None)]);
        assert_eq!(LatentFeature::of_numbers(LatentTemplate::Map, [6, 0], labels), None);
    }
}
