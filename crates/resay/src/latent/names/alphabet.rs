//! Characters as numbers, one alphabet a side, and names as the contexts of their characters.
//!
//! A name is lower-cased, character by character, and cut into characters; combining marks stay characters of their own.
//! Every character is seen with its left and right neighbour, and beyond the ends stands a symbol for that.

use resay_text::Span;
use rustc_hash::FxHashMap;

/// What stands before the first character and behind the last.
pub(super) const EDGE: u16 = 0;

/// A character that the alphabet has not. No feature looks at it.
pub(super) const UNKNOWN: u16 = MAX_CHARACTERS as u16 + 1;

/// The most characters that an alphabet can have: the numbers of four must fit into a feature's key.
pub(super) const MAX_CHARACTERS: usize = (1 << 15) - 2;

/// The most characters of a name that are looked at; names are no texts.
pub(super) const MAX_LENGTH: usize = 1_000;

/// The characters of one side, numbered from 1 in the order in which they were met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    characters: Vec<char>,
    numbers: FxHashMap<char, u16>,
}

impl Alphabet {
    /// An alphabet of these characters, in this order; none if one stands twice or there are too many.
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

    /// Numbers the characters of a name.
    pub fn learn(&mut self, name: &str) {
        cut(name).for_each(|(character, _)| _ = self.add(character));
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

    /// The character of a number; none for an edge and for what is not known.
    pub fn character(&self, number: u16) -> Option<char> {
        self.characters.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// All characters, in order of their numbers.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// How many characters there are.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// A name as the contexts of its characters.
    pub fn spell(&self, name: &str) -> Vec<Context> {
        let numbers: Vec<u16> = cut(name).map(|(character, _)| self.number(character)).collect();
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
    /// The character before it.
    pub left: u16,
    /// Itself.
    pub character: u16,
    /// The character behind it.
    pub right: u16,
}

/// Marks that say which way to write: they are not seen, and copied along by chance.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Lower-cased characters with the bytes that they come from, the first [`MAX_LENGTH`] of them.
fn cut(name: &str) -> impl Iterator<Item = (char, Span)> {
    let first = name.len() - name.trim_start().len();
    let of_one = move |(start, character): (usize, char)| {
        let start = first + start;
        let span = Span { start: start as u32, end: (start + character.len_utf8()) as u32 };
        character.to_lowercase().map(move |lower| (lower, span))
    };
    name.trim().char_indices().filter(|(_, character)| !is_mark(*character)).flat_map(of_one).take(MAX_LENGTH)
}

/// Where the characters of a name stand in it, as many as [`Alphabet::spell`] has contexts.
pub(super) fn places(name: &str) -> Vec<Span> {
    cut(name).map(|(_, span)| span).collect()
}

/// The lower-cased characters of a name.
pub(super) fn characters(name: &str) -> impl Iterator<Item = char> {
    cut(name).map(|(character, _)| character)
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
        let spans: Vec<(u32, u32)> = places(" BaX ").iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(spans, [(1, 2), (2, 3), (3, 4)]);
        // One letter that becomes two, both from its two bytes.
        assert_eq!(characters("İ").collect::<Vec<_>>(), ['i', '\u{307}']);
        assert_eq!(places("İ").iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(0, 2), (0, 2)]);
        // Marks that say which way to write are not seen.
        assert_eq!(characters("a\u{200f}b").collect::<String>(), "ab");
        assert_eq!(places(&"x".repeat(5_000)).len(), MAX_LENGTH);
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
