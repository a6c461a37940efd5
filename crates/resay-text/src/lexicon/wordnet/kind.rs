//! The kinds of pointers and parts of speech of WordNet, numbered for packing.
//!
//! The order of [`PointerKind`] matters: a synset's pointers are kept in it, so that those that a question about two
//! words needs stand first and the long lists (hyponyms, members of a domain) are never walked for it.

/// A part of speech. Adjective satellites are adjectives here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pos {
    /// Nouns.
    Noun,
    /// Verbs.
    Verb,
    /// Adjectives and adjective satellites.
    Adjective,
    /// Adverbs.
    Adverb,
}

impl Pos {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Noun, Self::Verb, Self::Adjective, Self::Adverb];

    /// WordNet's letter: `n`, `v`, `a`, `r`.
    pub fn letter(self) -> char {
        ['n', 'v', 'a', 'r'][self as usize]
    }
}

macro_rules! pointer_kinds {
    ($($(#[$doc:meta])* $name:ident, $symbol:literal, $mirror:literal;)*) => {
        /// What a pointer says: "the target is a \[kind\] of the source".
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum PointerKind {
            $($(#[$doc])* $name,)*
        }

        impl PointerKind {
            /// All of them, in the order of their numbers.
            pub const ALL: [Self; 26] = [$(Self::$name,)*];

            /// The symbol in WordNet's files.
            pub fn symbol(self) -> &'static str {
                match self {
                    $(Self::$name => $symbol,)*
                }
            }

            /// The symbol of the pointer that leads back, empty where none does.
            fn mirror_symbol(self) -> &'static str {
                match self {
                    $(Self::$name => $mirror,)*
                }
            }
        }
    };
}

pointer_kinds! {
    /// A more general synset.
    Hypernym, "@", "~";
    /// The class of a single thing or person.
    InstanceHypernym, "@i", "~i";
    /// What doing the source entails.
    Entailment, "*", "";
    /// What the source causes.
    Cause, ">", "";
    /// A group that the source is a member of.
    MemberHolonym, "#m", "%m";
    /// A whole that the source is a part of.
    PartHolonym, "#p", "%p";
    /// A thing that is made of the source.
    SubstanceHolonym, "#s", "%s";
    /// An adjective close in meaning.
    Similar, "&", "&";
    /// An opposite; from word to word.
    Antonym, "!", "!";
    /// A word of the same root; from word to word.
    Derivation, "+", "+";
    /// The noun or adjective that the word pertains to or is derived from; from word to word.
    Pertainym, "\\", "";
    /// The verb that an adjective is a participle of; from word to word.
    Participle, "<", "";
    /// The attribute that an adjective is a value of, and the other way round.
    Attribute, "=", "=";
    /// A verb close in meaning.
    VerbGroup, "$", "$";
    /// See there too.
    AlsoSee, "^", "^";
    /// The field that the source belongs to.
    TopicDomain, ";c", "-c";
    /// The region where the source is said.
    RegionDomain, ";r", "-r";
    /// The manner of speaking that the source belongs to.
    UsageDomain, ";u", "-u";
    /// A member of the group that the source is.
    MemberMeronym, "%m", "#m";
    /// A part of the source.
    PartMeronym, "%p", "#p";
    /// What the source is made of.
    SubstanceMeronym, "%s", "#s";
    /// A more special synset.
    Hyponym, "~", "@";
    /// A single thing or person of the class that the source is.
    InstanceHyponym, "~i", "@i";
    /// Something in the field that the source is.
    InTopicDomain, "-c", ";c";
    /// Something said in the region that the source is.
    InRegionDomain, "-r", ";r";
    /// Something said in the manner that the source is.
    InUsageDomain, "-u", ";u";
}

impl PointerKind {
    /// The kind with this symbol.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.symbol() == symbol)
    }

    /// The kind of the pointer back, if there is one by the kind's nature; single pointers may lack it all the same.
    pub fn mirror(self) -> Option<Self> {
        Self::from_symbol(self.mirror_symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_symbol_and_mirrors_mirror() {
        for (number, kind) in PointerKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert_eq!(PointerKind::from_symbol(kind.symbol()), Some(kind));
            if let Some(mirror) = kind.mirror() {
                assert_eq!(mirror.mirror(), Some(kind));
            }
        }
        assert_eq!(PointerKind::Hypernym.mirror(), Some(PointerKind::Hyponym));
        assert_eq!(PointerKind::Antonym.mirror(), Some(PointerKind::Antonym));
        assert_eq!(PointerKind::Cause.mirror(), None);
        assert_eq!(PointerKind::from_symbol(""), None);
    }
}
