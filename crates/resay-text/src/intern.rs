//! Strings to dense numbers. Training interns into an [`Interner`]; prediction must not grow the model's table,
//! yet an unknown word that stands on both sides is still one word, so it interns into an [`Overlay`]: the
//! model's table below, a pair's own new words above.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// An interned string. Equal strings have equal symbols within one [`Interner`] and its [`Overlay`]s.
pub type Symbol = u32;

/// Anything that turns strings into symbols.
pub trait Intern {
    /// The symbol of `string`, new if it was not known.
    fn symbol(&mut self, string: &str) -> Symbol;
}

/// An append-only table of strings, numbered from 0 in order of first appearance. All strings stand one after the
/// other in one arena, and the hash table holds numbers only: a new string costs no allocation of its own.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    /// Every string, in order of its symbol.
    arena: String,
    /// Where each string ends in the arena; it begins where the one before it ends.
    ends: Vec<usize>,
    /// Symbols, found by the hash of their string.
    table: HashTable<Symbol>,
}

fn hash(string: &str) -> u64 {
    FxBuildHasher.hash_one(string)
}

/// The string of `symbol`; an empty one if there is no such symbol.
fn string_at<'a>(arena: &'a str, ends: &[usize], symbol: Symbol) -> &'a str {
    let idx = symbol as usize;
    let start = if idx == 0 { 0 } else { ends.get(idx - 1).copied().unwrap_or(arena.len()) };
    let end = ends.get(idx).copied().unwrap_or(arena.len());
    arena.get(start..end).unwrap_or("")
}

impl Interner {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many strings are known.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no string is known.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The symbol of `string`, if it is known.
    pub fn get(&self, string: &str) -> Option<Symbol> {
        self.find(hash(string), string)
    }

    fn find(&self, hash: u64, string: &str) -> Option<Symbol> {
        self.table.find(hash, |&symbol| string_at(&self.arena, &self.ends, symbol) == string).copied()
    }

    /// The string of `symbol`, if this table made it (an [`Overlay`] may have).
    pub fn string(&self, symbol: Symbol) -> Option<&str> {
        ((symbol as usize) < self.len()).then(|| string_at(&self.arena, &self.ends, symbol))
    }

    /// All strings, in order of their symbols.
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

/// New words on top of a table that stays as it is. Symbols of new words count on from the table's length.
#[derive(Debug)]
pub struct Overlay<'a> {
    base: &'a Interner,
    new: Interner,
}

impl<'a> Overlay<'a> {
    /// Nothing new yet.
    pub fn new(base: &'a Interner) -> Self {
        Self { base, new: Interner::new() }
    }

    /// The string of `symbol`.
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
        /// The slow truth: a list that is searched from its beginning.
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
