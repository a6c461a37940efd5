//! What a feature of the names model is: how a character of one spelling is seen that stands for one of the other, or that
//! is left out.

/// How a character is seen. A character that is none is one that the alphabet has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameView {
    /// By itself.
    Alone(Option<char>),
    /// With the one before it.
    After {
        /// The one before; none is the beginning of the name.
        before: Option<char>,
        /// Itself.
        character: Option<char>,
    },
    /// With the one behind it.
    Before {
        /// Itself.
        character: Option<char>,
        /// The one behind; none is the end of the name.
        behind: Option<char>,
    },
}

/// A feature of the names model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameFeature {
    /// What is always there.
    Constant,
    /// A character of the source stands for one of the target.
    Map {
        /// The source's.
        source: NameView,
        /// The target's.
        target: NameView,
    },
    /// A character of the source is left out.
    DeleteSource(NameView),
    /// A character of the target is left out.
    DeleteTarget(NameView),
}
