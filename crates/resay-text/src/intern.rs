//! Maps strings to dense numbers.
//!
//! Training interns into an [`Interner`]. Prediction must not grow the model's table, but an
//! unknown word that occurs on both sides is still one word. So prediction interns into an
//! [`Overlay`]: the model's table below, the new words of the pair above.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// An interned string. Equal strings have equal symbols within one [`Interner`] and its
/// [`Overlay`]s.
pub type Symbol = u32;

/// Anything that turns strings into symbols.
pub trait Intern {
    /// Returns the symbol of `string`; creates one if it is new.
    fn symbol(&mut self, string: &str) -> Symbol;
}

/// An append-only table of strings, numbered from 0 in order of first appearance. All strings are
/// stored back to back in one arena, and the hash table holds numbers only, so a new string needs
/// no allocation of its own.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    /// All strings, in symbol order.
    arena: String,
    /// Where each string ends in the arena. It starts where its predecessor ends.
    ends: Vec<usize>,
    /// Symbols, hashed by their string.
    table: HashTable<Symbol>,
}

fn hash(string: &str) -> u64 {
    FxBuildHasher.hash_one(string)
}

/// Returns the string of `symbol`, or an empty string if the symbol is unknown.
fn string_at<'a>(arena: &'a str, ends: &[usize], symbol: Symbol) -> &'a str {
    let idx = symbol as usize;
    let start = if idx == 0 { 0 } else { ends.get(idx - 1).copied().unwrap_or(arena.len()) };
    let end = ends.get(idx).copied().unwrap_or(arena.len());
    arena.get(start..end).unwrap_or("")
}

impl Interner {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the symbol of `string`, if it is in the table.
    pub fn get(&self, string: &str) -> Option<Symbol> {
        self.find(hash(string), string)
    }

    fn find(&self, hash: u64, string: &str) -> Option<Symbol> {
        self.table.find(hash, |&symbol| string_at(&self.arena, &self.ends, symbol) == string).copied()
    }

    /// Returns the string of `symbol`, if it is from this table and not from an [`Overlay`].
    pub fn string(&self, symbol: Symbol) -> Option<&str> {
        ((symbol as usize) < self.len()).then(|| string_at(&self.arena, &self.ends, symbol))
    }

    /// Returns all strings, in symbol order.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|idx| string_at(&self.arena, &self.ends, idx as Symbol))
    }
}

impl Intern for Interner {
    fn symbol(&mut self, string: &str) -> Symbol {
        let hash_of_string = hash(string);
        if let Some(symbol) = self.find(hash_of_string, string) {
            return symbol;
        }
        let symbol = self.ends.len() as Symbol;
        self.arena.push_str(string);
        self.ends.push(self.arena.len());
        let (arena, ends) = (&self.arena, &self.ends);
        self.table.insert_unique(hash_of_string, symbol, |&symbol| hash(string_at(arena, ends, symbol)));
        symbol
    }
}

/// New words on top of a table that does not change. Symbols of new words start at the table's
/// length.
#[derive(Debug)]
pub struct Overlay<'a> {
    base: &'a Interner,
    new: Interner,
}

impl<'a> Overlay<'a> {
    /// Creates an overlay without new words.
    pub fn new(base: &'a Interner) -> Self {
        Self { base, new: Interner::new() }
    }

    /// Returns the string of `symbol`.
    pub fn string(&self, symbol: Symbol) -> Option<&str> {
        let len = self.base.len() as Symbol;
        if symbol < len { self.base.string(symbol) } else { self.new.string(symbol - len) }
    }
}

impl Intern for Overlay<'_> {
    fn symbol(&mut self, string: &str) -> Symbol {
        match self.base.get(string) {
            Some(symbol) => symbol,
            None => self.base.len() as Symbol + self.new.symbol(string),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Reference implementation: linear search in a list.
        #[test]
        fn a_table_is_a_list_without_repetitions(strings in prop::collection::vec("[ab\u{e9}]{0,4}", 0..300)) {
            let (mut interner, mut list) = (Interner::new(), Vec::new());
            for string in &strings {
                prop_assert_eq!(interner.get(string), list.iter().position(|known| known == string).map(|at| at as Symbol));
                let at = list.iter().position(|known| known == string).unwrap_or(list.len());
                if at == list.len() {
                    list.push(string.clone());
                }
                prop_assert_eq!(interner.symbol(string) as usize, at);
            }
            prop_assert_eq!(interner.strings().collect::<Vec<_>>(), list.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert_eq!((interner.len(), interner.is_empty()), (list.len(), list.is_empty()));
            prop_assert_eq!(interner.string(list.len() as Symbol), None);
        }
    }

    #[test]
    fn an_overlay_agrees_with_its_base_and_numbers_new_words_above_it() {
        let mut base = Interner::new();
        let (a, b) = (base.symbol("a"), base.symbol("b"));
        assert_eq!((a, b, base.symbol("a")), (0, 1, 0));
        let mut overlay = Overlay::new(&base);
        assert_eq!(overlay.symbol("b"), b);
        let new = overlay.symbol("new");
        assert_eq!((new, overlay.symbol("new")), (2, 2));
        assert_eq!((overlay.string(new), overlay.string(a), base.string(new)), (Some("new"), Some("a"), None));
    }
}
