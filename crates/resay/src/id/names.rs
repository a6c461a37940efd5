//! Identities of names model features: two aligned characters, or a deleted character, each seen
//! with some context.

/// A character and its context. `None` is a character outside the alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameView {
    /// The character alone.
    Alone(Option<char>),
    /// The character and its predecessor.
    After {
        /// The predecessor; `None` at the start of the name.
        before: Option<char>,
        /// The character.
        character: Option<char>,
    },
    /// The character and its successor.
    Before {
        /// The character.
        character: Option<char>,
        /// The successor; `None` at the end of the name.
        behind: Option<char>,
    },
}

/// A feature of the names model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameFeature {
    /// The bias, active in every pair.
    Constant,
    /// A source character is aligned to a target character.
    Map {
        /// The source character.
        source: NameView,
        /// The target character.
        target: NameView,
    },
    /// A source character is deleted.
    DeleteSource(NameView),
    /// A target character is deleted.
    DeleteTarget(NameView),
}
