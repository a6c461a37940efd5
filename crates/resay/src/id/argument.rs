//! Small typed arguments of features, and the encoding of a feature and its arguments as one code.

/// A small value that distinguishes features of one template. Its number is stored in model files:
/// a value keeps its number for good, and a new value gets a new number.
pub trait Argument: Copy + PartialEq + 'static {
    /// All values, in the order in which features are numbered.
    const ALL: &'static [Self];

    /// The number in model files.
    fn number(self) -> u8;

    /// The value with this number in model files.
    fn of_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.number() == number)
    }
}

/// Declares enums whose variants are arguments with fixed numbers.
macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $value:ident = $number:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$what])* $value = $number,)* }

        impl Argument for $name {
            const ALL: &'static [Self] = &[$(Self::$value,)*];

            fn number(self) -> u8 {
                self as u8
            }
        }
    )*};
}
pub(super) use arguments;

/// A code in a model file that no feature of this version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no feature has the code {0:#x}")]
pub struct UnknownCode(pub u64);

/// Packs a template and its arguments into one code, one byte each. The template is the lowest
/// byte, so that features with few arguments have small codes.
pub(super) fn pack(template: u8, arguments: &[u8]) -> u64 {
    arguments.iter().rev().fold(0, |code, argument| code << 8 | u64::from(*argument)) << 8 | u64::from(template)
}

/// Decodes the next argument of a code.
pub(super) fn take<A: Argument>(rest: &mut u64) -> Option<A> {
    let argument = A::of_number(*rest as u8);
    *rest >>= 8;
    argument
}

#[cfg(test)]
mod tests {
    use super::super::{Level, OrderKept, WordClassPair};
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_hold_their_parts() {
        let mut rest = pack(7, &[5, 0, 3]);
        assert_eq!(rest, 0x0300_0507);
        rest >>= 8;
        assert_eq!(take::<Level>(&mut rest), Some(Level::Same));
        assert_eq!(take::<OrderKept>(&mut rest), Some(OrderKept::Kept));
        assert_eq!((take::<WordClassPair>(&mut rest), rest), (Some(WordClassPair::Mixed), 0));
        assert_eq!(take::<WordClassPair>(&mut 4), None);
    }

    #[test]
    fn numbers_of_values_are_their_own() {
        fn check<A: Argument + std::fmt::Debug>() {
            let numbers: BTreeSet<u8> = A::ALL.iter().map(|value| value.number()).collect();
            assert_eq!(numbers.len(), A::ALL.len(), "{:?}", A::ALL);
            for value in A::ALL {
                assert_eq!(A::of_number(value.number()), Some(*value));
            }
        }
        check::<Option<resay_text::Upos>>();
        check::<Option<super::super::WordClass>>();
        check::<Option<super::super::ChunkKind>>();
        check::<super::super::Jump>();
        check::<super::super::CosineOver>();
    }
}
