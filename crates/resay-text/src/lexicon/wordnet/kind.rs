//! The kinds of pointers and parts of speech of WordNet, with their numbers in the file.
//!
//! The order of [`PointerKind`] matters: a synset's pointers are sorted by it, so that those that
//! queries about two words need come first, and the long lists (hyponyms, members of a domain) are
//! never scanned.

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
    /// All parts of speech, by number.
    pub const ALL: [Self; 4] = [Self::Noun, Self::Verb, Self::Adjective, Self::Adverb];

    /// Returns WordNet's letter: `n`, `v`, `a`, `r`.
    pub fn letter(self) -> char {
        ['n', 'v', 'a', 'r'][self as usize]
    }
}

macro_rules! pointer_kinds {
    ($($(#[$doc:meta])* $name:ident, $symbol:literal, $mirror:literal;)*) => {
        /// The meaning of a pointer: "the target is a \[kind\] of the source".
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum PointerKind {
            $($(#[$doc])* $name,)*
        }

        impl PointerKind {
            /// All kinds, by number.
            pub const ALL: [Self; 26] = [$(Self::$name,)*];

            /// Returns the symbol in WordNet's files.
            pub fn symbol(self) -> &'static str {
                match self {
                    $(Self::$name => $symbol,)*
                }
            }

            /// Returns the symbol of the inverse kind; empty if there is none.
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
    /// The class of an individual.
    InstanceHypernym, "@i", "~i";
    /// An action that the source entails.
    Entailment, "*", "";
    /// An effect of the source.
    Cause, ">", "";
    /// A group of which the source is a member.
    MemberHolonym, "#m", "%m";
    /// A whole of which the source is a part.
    PartHolonym, "#p", "%p";
    /// A thing made of the source.
    SubstanceHolonym, "#s", "%s";
    /// An adjective of similar meaning.
    Similar, "&", "&";
    /// An antonym; from word to word.
    Antonym, "!", "!";
    /// A derivationally related word; from word to word.
    Derivation, "+", "+";
    /// The noun or adjective to which the word pertains or from which it is derived; from word to
    /// word.
    Pertainym, "\\", "";
    /// The verb of which an adjective is a participle; from word to word.
    Participle, "<", "";
    /// The attribute of which an adjective is a value, and vice versa.
    Attribute, "=", "=";
    /// A verb of similar meaning.
    VerbGroup, "$", "$";
    /// A cross-reference.
    AlsoSee, "^", "^";
    /// The topic of the source.
    TopicDomain, ";c", "-c";
    /// The region in which the source is used.
    RegionDomain, ";r", "-r";
    /// The usage of the source, such as slang.
    UsageDomain, ";u", "-u";
    /// A member of the source, a group.
    MemberMeronym, "%m", "#m";
    /// A part of the source.
    PartMeronym, "%p", "#p";
    /// A substance of which the source is made.
    SubstanceMeronym, "%s", "#s";
    /// A more specific synset.
    Hyponym, "~", "@";
    /// An individual of the source, a class.
    InstanceHyponym, "~i", "@i";
    /// A member of the source, a topic.
    InTopicDomain, "-c", ";c";
    /// A member of the source, a region.
    InRegionDomain, "-r", ";r";
    /// A member of the source, a usage.
    InUsageDomain, "-u", ";u";
}

impl PointerKind {
    /// Returns the kind with this symbol.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.symbol() == symbol)
    }

    /// Returns the inverse kind, if there is one. A single pointer may still lack its inverse.
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
