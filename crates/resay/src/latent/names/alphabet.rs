//! Numbered characters, one alphabet per side, and names as sequences of character contexts.
//!
//! A name is lower-cased and split into characters; combining marks remain separate characters. The
//! context of a character is its left and right neighbour, with a boundary symbol at both ends.

use super::units::NameUnits;
use resay_text::Span;
use rustc_hash::FxHashMap;

/// The boundary symbol, before the first character and after the last.
pub(super) const EDGE: u16 = 0;

/// A character outside the alphabet. No feature uses it.
pub(super) const UNKNOWN: u16 = MAX_CHARACTERS as u16 + 1;

/// The maximum size of an alphabet: four character numbers must fit into a feature key.
pub(super) const MAX_CHARACTERS: usize = (1 << 15) - 2;

/// The maximum number of characters used of a name; the rest is ignored.
pub(super) const MAX_LENGTH: usize = 1_000;

/// The characters of one side, numbered from 1 in order of first occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    characters: Vec<char>,
    numbers: FxHashMap<char, u16>,
    units: NameUnits,
}

impl Alphabet {
    /// An alphabet of these characters, in this order; `None` if one is repeated or there are too
    /// many.
    pub fn new(characters: impl IntoIterator<Item = char>) -> Option<Self> {
        let mut alphabet = Self::default();
        for character in characters {
            let before = alphabet.len();
            alphabet.add(character);
            if alphabet.len() == before {
                return None;
            }
        }
        Some(alphabet)
    }

    /// The same alphabet, for names in these units.
    pub fn with_units(self, units: NameUnits) -> Self {
        Self { units, ..self }
    }

    /// The units that names are split into.
    pub fn units(&self) -> NameUnits {
        self.units
    }

    /// Adds the characters of a name.
    pub fn learn(&mut self, name: &str) {
        cut(name, self.units).for_each(|(character, _)| _ = self.add(character));
    }

    fn add(&mut self, character: char) -> u16 {
        let next = self.characters.len() + 1;
        if next > MAX_CHARACTERS {
            return self.numbers.get(&character).copied().unwrap_or(UNKNOWN);
        }
        let number = *self.numbers.entry(character).or_insert(next as u16);
        if number as usize == next {
            self.characters.push(character);
        }
        number
    }

    /// The number of a character.
    pub fn number(&self, character: char) -> u16 {
        self.numbers.get(&character).copied().unwrap_or(UNKNOWN)
    }

    /// The character with this number; `None` for the boundary symbol and unknown characters.
    pub fn character(&self, number: u16) -> Option<char> {
        self.characters.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// All characters, ordered by number.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The number of characters.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// Whether the alphabet is empty.
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// The contexts of a name's characters.
    pub fn spell(&self, name: &str) -> Vec<Context> {
        let numbers: Vec<u16> = cut(name, self.units).map(|(character, _)| self.number(character)).collect();
        let at = |place: Option<usize>| place.and_then(|place| numbers.get(place)).copied().unwrap_or(EDGE);
        let context = |place: usize| Context {
            left: at(place.checked_sub(1)),
            character: numbers[place],
            right: at(Some(place + 1)),
        };
        (0..numbers.len()).map(context).collect()
    }
}

/// A character with its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Context {
    /// The preceding character.
    pub left: u16,
    /// The character.
    pub character: u16,
    /// The following character.
    pub right: u16,
}

/// Whether a character is a directional mark. Such marks are invisible and get copied along by
/// accident.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Splits a name into lower-cased symbols, at most [`MAX_LENGTH`], each with the bytes of its whole
/// character.
fn cut(name: &str, units: NameUnits) -> impl Iterator<Item = (char, Span)> {
    let first = name.len() - name.trim_start().len();
    let of_one = move |(start, character): (usize, char)| {
        let start = first + start;
        let span = Span { start: start as u32, end: (start + character.len_utf8()) as u32 };
        character.to_lowercase().flat_map(move |lower| units.split(lower)).map(move |symbol| (symbol, span))
    };
    name.trim().char_indices().filter(|(_, character)| !is_mark(*character)).flat_map(of_one).take(MAX_LENGTH)
}

/// The spans of a name's characters, one per context of [`Alphabet::spell`].
pub(super) fn places(name: &str, units: NameUnits) -> Vec<Span> {
    cut(name, units).map(|(_, span)| span).collect()
}

/// The lower-cased characters of a name, as whole characters.
pub(super) fn characters(name: &str) -> impl Iterator<Item = char> {
    cut(name, NameUnits::Characters).map(|(character, _)| character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_cased_and_keep_their_places() {
        let mut alphabet = Alphabet::default();
        alphabet.learn("Abba");
        assert_eq!(alphabet.characters(), ['a', 'b']);
        let spelled = alphabet.spell(" BaX ");
        let shown: Vec<[u16; 3]> = spelled.iter().map(|c| [c.left, c.character, c.right]).collect();
        assert_eq!(shown, [[EDGE, 2, 1], [2, 1, UNKNOWN], [1, UNKNOWN, EDGE]]);
        let spans: Vec<(u32, u32)> =
            places(" BaX ", NameUnits::Parts).iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(spans, [(1, 2), (2, 3), (3, 4)]);
        // One letter lower-cases to two characters, both from the same two bytes.
        assert_eq!(characters("İ").collect::<Vec<_>>(), ['i', '\u{307}']);
        assert_eq!(
            places("İ", NameUnits::Parts).iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(),
            [(0, 2), (0, 2)]
        );
        // All symbols of a character lie on its bytes.
        let spans: Vec<(u32, u32)> =
            places("한中a", NameUnits::Parts).iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(spans, [(0, 3), (0, 3), (0, 3), (3, 6), (3, 6), (6, 7)]);
        assert_eq!(places("한中a", NameUnits::Characters).len(), 3);
        // Directional marks are skipped.
        assert_eq!(characters("a\u{200f}b").collect::<String>(), "ab");
        assert_eq!(places(&"x".repeat(5_000), NameUnits::Parts).len(), MAX_LENGTH);
    }

    #[test]
    fn an_alphabet_has_its_limits() {
        assert!(Alphabet::new("aba".chars()).is_none());
        let mut many = Alphabet::new(('\u{10000}'..).take(MAX_CHARACTERS)).unwrap();
        assert!(Alphabet::new(('\u{10000}'..).take(MAX_CHARACTERS + 1)).is_none());
        many.learn("a");
        assert_eq!((many.len(), many.number('a'), many.number('\u{10000}')), (MAX_CHARACTERS, UNKNOWN, 1));
        assert_eq!((many.character(EDGE), many.character(1)), (None, Some('\u{10000}')));
    }
}
