//! Strings to dense numbers. Training interns into an [`Interner`]; prediction must not grow the model's table,
//! yet an unknown word that stands on both sides is still one word, so it interns into an [`Overlay`]: the
//! model's table below, a pair's own new words above.

use rustc_hash::FxHashMap;

/// An interned string. Equal strings have equal symbols within one [`Interner`] and its [`Overlay`]s.
pub type Symbol = u32;

/// Anything that turns strings into symbols.
pub trait Intern {
    /// The symbol of `string`, new if it was not known.
    fn symbol(&mut self, string: &str) -> Symbol;
}

/// An append-only table of strings, numbered from 0 in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    symbols: FxHashMap<Box<str>, Symbol>,
    strings: Vec<Box<str>>,
}

impl Interner {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many strings are known.
    pub fn len(&self) -> usize {
        self.strings.len()
    }

    /// Whether no string is known.
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// The symbol of `string`, if it is known.
    pub fn get(&self, string: &str) -> Option<Symbol> {
        self.symbols.get(string).copied()
    }

    /// The string of `symbol`, if this table made it (an [`Overlay`] may have).
    pub fn string(&self, symbol: Symbol) -> Option<&str> {
        self.strings.get(symbol as usize).map(|string| &**string)
    }

    /// All strings, in order of their symbols.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = &str> {
        self.strings.iter().map(|string| &**string)
    }
}

impl Intern for Interner {
    fn symbol(&mut self, string: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(string) {
            return symbol;
        }
        let symbol = self.strings.len() as Symbol;
        self.strings.push(string.into());
        self.symbols.insert(string.into(), symbol);
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
