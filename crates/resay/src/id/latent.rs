//! What a feature of latent alignments of sentences is: a template with up to two small arguments. The codes of templates and
//! the numbers of arguments are written to files, so none is ever changed or used again.

use super::argument::{Argument, UnknownCode, arguments};
use super::words::{Level, WordClass, WordMatch};
use resay_text::Upos;

arguments! {
    /// Whether two things are one.
    Agreement {
        /// They are not.
        Differ = 0,
        /// They are.
        Agree = 1,
    }

    /// Words that are parts of named entities.
    EntityMatch {
        /// One of the two words only.
        OneOnly = 0,
        /// Both, of two kinds.
        TwoKinds = 1,
        /// Both, of one kind.
        OneKind = 2,
    }

    /// Words that negate.
    NegationMatch {
        /// One of the two words does.
        OneWord = 0,
        /// Both do.
        Both = 1,
    }

    /// The sentence that something was left alone in.
    LatentSide {
        /// The source.
        Source = 0,
        /// The target.
        Target = 1,
        /// Either: neither sentence is first.
        Either = 2,
    }

    /// The relations of two edges.
    RelationMatch {
        /// They are two.
        Two = 0,
        /// They are one.
        One = 1,
    }

    /// How the source may have a content word of the target.
    CoverMeasure {
        /// As the same word.
        SameWord = 0,
        /// As a word alike.
        WordAlike = 1,
        /// In that one of its sentences which has most.
        OneSentence = 2,
        /// Within those 30 words which have most.
        Window = 3,
    }

    /// How many of the target's names and numbers the source has.
    NamesCover {
        /// The share.
        Share = 0,
        /// Not all.
        NotAll = 1,
        /// All.
        All = 2,
    }

    /// Which of two texts negate.
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

/// How many stretches a measure is cut into at most.
const N_BINS: usize = 64;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($kind:ty);)*) => {
        /// What an argument of a template stands for.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum LatentKind {
            /// Nothing: it is 0.
            None,
            /// A string of the catalogue's own table, from 1; 0 is one that was never met.
            Label,
            /// A stretch of a measure: counted from this value, so many to a unit.
            Bin(f32, f32),
            $($(#[$doc])* $name,)*
        }

        /// An argument of a template.
        #[derive(Clone, Debug, PartialEq)]
        pub enum LatentArgument {
            /// The template has none here.
            None,
            /// A kind of entity or a relation, as annotators call it; none is one that was never met in training.
            Label(Option<String>),
            /// The stretch of a measure that begins here.
            From(f32),
            $($(#[$doc])* $name($kind),)*
        }

        impl LatentKind {
            /// How many values there are; they are numbered from 0.
            pub(crate) fn n_values(self, n_labels: usize) -> usize {
                match self {
                    Self::None => 1,
                    Self::Label => n_labels + 1,
                    Self::Bin(..) => N_BINS,
                    $(Self::$name => <$kind>::ALL.len(),)*
                }
            }

            /// The argument of a number; `label` gives labels by number from 0.
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
    /// How alike two words are.
    Level(Level);
    /// A class of words; none are words of two classes.
    Class(Option<WordClass>);
    /// A universal tag, or none.
    Tag(Option<Upos>);
    /// Whether words are one.
    Words(WordMatch);
    /// Whether two things are one.
    Agreement(Agreement);
    /// What two words are as parts of entities.
    Entities(EntityMatch);
    /// Which of two words negate.
    Negation(NegationMatch);
    /// Where something was left alone.
    Side(LatentSide);
    /// Whether relations are one.
    Relations(RelationMatch);
    /// How content words are covered.
    Cover(CoverMeasure);
    /// How many names are covered.
    Names(NamesCover);
    /// Which texts negate.
    Negated(NegationPlace);
}

macro_rules! templates {
    ($($(#[$doc:meta])* $name:ident = $code:literal: $first:expr, $second:expr;)*) => {
        /// The kinds of features.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum LatentTemplate { $($(#[$doc])* $name = $code,)* }

        impl LatentTemplate {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// What its arguments are.
            pub(crate) fn kinds(self) -> [LatentKind; 2] {
                use LatentKind::*;
                match self { $(Self::$name => [$first, $second],)* }
            }
        }
    };
}

templates! {
    /// Two words stand for each other.
    Map = 0: Level, None;
    /// The same, by class of word.
    MapOfClass = 1: Level, Class;
    /// Whether their tags agree.
    TagsAgree = 2: Agreement, None;
    /// Their tags, where they differ.
    Tags = 3: Tag, Tag;
    /// The cosine of their vectors.
    Cosine = 4: None, None;
    /// A stretch of it.
    CosineBin = 5: Bin(-1.0, 5.0), None;
    /// One of them has no vector.
    NoVector = 6: None, None;
    /// Their similarity by WordNet.
    WordNet = 7: None, None;
    /// A stretch of it.
    WordNetBin = 8: Bin(0.0, 5.0), None;
    /// Their similarity by edits.
    Spelling = 9: None, None;
    /// A stretch of it.
    SpellingBin = 10: Bin(0.0, 4.0), None;
    /// Parts of entities.
    Entities = 11: Entities, None;
    /// Parts of entities of this kind.
    Entity = 12: Label, Words;
    /// Numbers.
    Numbers = 13: Agreement, None;
    /// Words that negate.
    Negation = 14: Negation, None;
    /// How far apart they stand.
    Distance = 15: None, None;
    /// A stretch of it.
    DistanceBin = 16: Bin(0.0, 5.0), Words;
    /// A word is left alone.
    Alone = 17: Class, Side;
    /// The same, by tag.
    AloneTag = 18: Tag, Side;
    /// A part of an entity is left alone.
    AloneEntity = 19: Label, Side;
    /// A number is left alone.
    AloneNumber = 20: None, Side;
    /// A word that negates is left alone.
    AloneNegation = 21: None, Side;
    /// Two edges stand for each other.
    Edge = 22: Relations, None;
    /// The same, by their relations.
    EdgeRelations = 23: Label, Label;
    /// The same, by how alike the heads are.
    EdgeNodes = 24: Level, None;
    /// The same, by how alike the dependents are.
    EdgeDependent = 25: Level, Class;
    /// An edge is left alone.
    EdgeAlone = 26: Label, Side;
    /// What is always there.
    Bias = 27: None, None;
    /// How much of the target's content words the source has.
    Covered = 28: Cover, None;
    /// How much of the target's names and numbers the source has.
    NamesCovered = 29: Names, None;
    /// Where there is a negation.
    Negated = 30: Negated, None;
    /// The difference of lengths.
    Length = 31: None, None;
    /// A stretch of it.
    LengthBin = 32: Bin(0.0, 10.0), None;
}

impl LatentTemplate {
    /// The template that files keep by this code.
    pub fn from_code(code: u8) -> Result<Self, UnknownCode> {
        let known = Self::ALL.iter().find(|template| **template as u8 == code);
        known.copied().ok_or(UnknownCode(u64::from(code)))
    }
}

/// A feature of latent alignments of sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct LatentFeature {
    /// What it is about.
    pub template: LatentTemplate,
    /// What tells it from others of its template.
    pub arguments: [LatentArgument; 2],
}

impl LatentFeature {
    /// A feature by the numbers of its arguments; none if one is out of range. `label` gives labels by number from 0.
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
