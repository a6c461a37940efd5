//! The types of word relations, and sets of them.
//!
//! A set is a bit mask, so that one query finds all relations between two words and one `and`
//! compares them with those wanted. Built-in types come first, then a user's own. The latter are
//! mere numbers here; the [`Lexicon`](super::Lexicon) that read them knows their names.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// Maximum number of types that a user's files may add.
pub const MAX_OWN: usize = 40;
/// The bit of the first user-defined type. The bits below are for built-in types, some of them
/// spare.
const FIRST_OWN: u8 = 24;

macro_rules! relations {
    ($($relation:ident $name:literal $what:literal;)*) => {
        /// A type of relation from a word `a` to a word `b`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Relation {
            $(#[doc = $what] $relation,)*
            /// A user-defined type, by its number, below [`MAX_OWN`].
            Own(u8),
        }

        impl Relation {
            /// The built-in types, in display order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$relation,)*];

            /// Returns the name of a built-in type; `None` for a user-defined one, whose name the
            /// lexicon knows.
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$relation => Some($name),)*
                    Self::Own(_) => None,
                }
            }

            /// Returns a one-sentence description of a built-in type.
            pub fn meaning(self) -> Option<&'static str> {
                match self {
                    $(Self::$relation => Some($what),)*
                    Self::Own(_) => None,
                }
            }
        }
    };
}

relations! {
    Id "id" "The same form, whatever its case, with the same tag.";
    IdMinusTag "idminustag" "The same form, whatever its case.";
    Lemma "lemma" "The same dictionary form.";
    Stem "stem" "The same stem.";
    Synonym "synonym" "Two words that stand in one synset of WordNet.";
    Antonym "antonym" "WordNet calls them opposites.";
    Hypernym "hypernym" "b is a kind that a belongs to: b stands above a in WordNet.";
    Hyponym "hyponym" "b is a kind of a: b stands below a in WordNet.";
    Entailment "entailment" "Who does a does b as well, by WordNet.";
    Cause "cause" "a brings b about, by WordNet.";
    Holonym "holonym" "b is a whole that a is a part, member or substance of, by WordNet.";
    Meronym "meronym" "b is a part, member or substance of a, by WordNet.";
    SimilarTo "similar_to" "Adjectives that WordNet puts into one cluster.";
    Derivation "derivation" "One is derived from the other, by WordNet.";
    Ppdb "ppdb" "The paraphrase database has them as a pair.";
    Similar "similar" "They stand in like company: near in a space of word vectors.";
    Nickname "nickname" "First names, one short for the other.";
    Edit1 "edit1" "Spelled alike but for one letter.";
    Ne "ne" "Both are named entities of one kind.";
    Synonym1 "synonym1" "Two words whose most frequent senses are one synset of WordNet.";
}

/// Aliases of built-in types, as used in the papers.
const ALIASES: [(&str, Relation); 2] = [("idMinusTag", Relation::IdMinusTag), ("lvhsn", Relation::Edit1)];

impl Relation {
    /// Returns the built-in type with this name.
    pub fn named(name: &str) -> Option<Self> {
        let ours = Self::ALL.into_iter().find(|relation| relation.name() == Some(name));
        ours.or_else(|| ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, relation)| *relation))
    }

    /// Returns the bit in a set. User-defined numbers that are too large share the last bit.
    const fn bit(self) -> u32 {
        match self {
            Self::Own(number) => {
                let number = if (number as usize) < MAX_OWN { number } else { MAX_OWN as u8 - 1 };
                (FIRST_OWN + number) as u32
            }
            Self::Id => 0,
            Self::IdMinusTag => 1,
            Self::Lemma => 2,
            Self::Stem => 3,
            Self::Synonym => 4,
            Self::Antonym => 5,
            Self::Hypernym => 6,
            Self::Hyponym => 7,
            Self::Entailment => 8,
            Self::Cause => 9,
            Self::Holonym => 10,
            Self::Meronym => 11,
            Self::SimilarTo => 12,
            Self::Derivation => 13,
            Self::Ppdb => 14,
            Self::Similar => 15,
            Self::Nickname => 16,
            Self::Edit1 => 17,
            Self::Ne => 18,
            Self::Synonym1 => 19,
        }
    }

    fn at_bit(bit: u32) -> Option<Self> {
        let own = bit.checked_sub(u32::from(FIRST_OWN));
        own.map(|number| Self::Own(number as u8)).or_else(|| Self::ALL.get(bit as usize).copied())
    }
}

impl fmt::Display for Relation {
    /// Writes the name, or the number of a user-defined type.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.name()) {
            (Self::Own(number), _) => write!(formatter, "own{number}"),
            (_, name) => formatter.write_str(name.unwrap_or_default()),
        }
    }
}

/// A set of relation types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Relations(u64);

impl Relations {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All possible types, including user-defined ones.
    pub const EVERY: Self = Self(u64::MAX);

    /// Creates a set of one type.
    pub const fn of(relation: Relation) -> Self {
        Self(1 << relation.bit())
    }

    /// Whether the type is in the set.
    pub fn contains(self, relation: Relation) -> bool {
        self.intersects(Self::of(relation))
    }

    /// Returns the bit mask, one bit per type.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether the sets have a type in common.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds a type to the set.
    pub fn insert(&mut self, relation: Relation) {
        *self |= Self::of(relation);
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of types.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Returns the types in a fixed order: built-in ones as in [`Relation::ALL`], then user-defined
    /// ones by number.
    pub fn iter(self) -> impl Iterator<Item = Relation> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(bit)
        })
        .filter_map(Relation::at_bit)
    }

    /// Creates a set from the bits of another set with the same order of types, of which bit 0 is
    /// `first`.
    pub(super) fn from_bits(bits: u64, first: Relation) -> Self {
        Self(bits << first.bit())
    }

    /// Creates a set of one type if the condition holds, else the empty set.
    pub(super) fn when(condition: bool, relation: Relation) -> Self {
        Self(u64::from(condition) << relation.bit())
    }
}

impl FromIterator<Relation> for Relations {
    fn from_iter<I: IntoIterator<Item = Relation>>(relations: I) -> Self {
        relations.into_iter().fold(Self::NONE, |set, relation| set | Self::of(relation))
    }
}

impl BitOr for Relations {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Relations {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Relations {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Relations {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl fmt::Display for Relations {
    /// Writes the names joined by colons, as in kernel expressions; `none` for the empty set.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("none");
        }
        for (position, relation) in self.iter().enumerate() {
            if position > 0 {
                formatter.write_str(":")?;
            }
            write!(formatter, "{relation}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn bits_are_the_order_of_the_names() {
        for (bit, relation) in Relation::ALL.into_iter().enumerate() {
            assert_eq!(relation.bit(), bit as u32);
            assert_eq!(Relation::named(relation.name().unwrap()), Some(relation));
        }
        assert!(Relation::ALL.len() <= usize::from(FIRST_OWN));
        assert_eq!(usize::from(FIRST_OWN) + MAX_OWN, 64);
        assert_eq!(Relation::named("lvhsn"), Some(Relation::Edit1));
        assert_eq!(Relation::named("Synonym"), None);
    }

    #[test]
    fn sets_are_sets() {
        let every: Vec<Relation> = Relation::ALL.into_iter().chain((0..MAX_OWN as u8).map(Relation::Own)).collect();
        // Every third and every fourth type: compares the set with the standard library's.
        let [thirds, fourths] = [3, 4].map(|step| every.iter().step_by(step).copied().collect::<BTreeSet<_>>());
        let [a, b] = [&thirds, &fourths].map(|set| set.iter().copied().collect::<Relations>());
        let check = |set: Relations, expected: Vec<Relation>| {
            assert_eq!(set.iter().collect::<Vec<_>>(), expected);
            assert_eq!(set.len(), expected.len());
            assert_eq!(set.is_empty(), expected.is_empty());
            for relation in &every {
                assert_eq!(set.contains(*relation), expected.contains(relation));
            }
        };
        check(a, thirds.iter().copied().collect());
        check(a | b, thirds.union(&fourths).copied().collect());
        check(a & b, thirds.intersection(&fourths).copied().collect());
        check(a - b, thirds.difference(&fourths).copied().collect());
        check(Relations::EVERY, every.clone());
        check(Relations::NONE, Vec::new());
    }

    #[test]
    fn sets_are_shown_as_kernels_have_them() {
        let check = |relations: &[Relation], expected: &str| {
            assert_eq!(relations.iter().copied().collect::<Relations>().to_string(), expected);
        };
        check(&[], "none");
        check(&[Relation::Synonym, Relation::Id], "id:synonym");
        check(&[Relation::Own(3), Relation::SimilarTo, Relation::Own(0)], "similar_to:own0:own3");
    }
}
