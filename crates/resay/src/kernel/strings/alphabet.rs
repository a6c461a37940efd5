//! The symbols of a corpus, numbered without gaps. Features fitted to a corpus use no other
//! symbols.

use resay_text::Symbol;

/// Symbols and their numbers, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Alphabet {
    /// By number.
    symbols: Vec<Symbol>,
    /// By symbol: its number plus one, or 0 if the symbol is not in the alphabet.
    numbers: Vec<u32>,
}

impl Alphabet {
    /// Numbers these symbols in their order. Returns `None` if one occurs twice.
    pub(super) fn new(symbols: Vec<Symbol>) -> Option<Self> {
        let most = symbols.iter().max().map_or(0, |most| *most as usize + 1);
        let mut numbers = vec![0; most];
        for (symbol, number) in symbols.iter().zip(1..) {
            if std::mem::replace(&mut numbers[*symbol as usize], number) != 0 {
                return None;
            }
        }
        Some(Self { symbols, numbers })
    }

    /// Collects the symbols of the texts, in ascending order.
    pub(super) fn of(texts: &[&[Symbol]]) -> Self {
        let all = || texts.iter().flat_map(|text| text.iter());
        let most = all().max().map_or(0, |most| *most as usize + 1);
        let mut numbers = vec![0; most];
        all().for_each(|symbol| numbers[*symbol as usize] = 1);
        let mut symbols = Vec::new();
        for (symbol, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number > 0) {
            symbols.push(symbol as Symbol);
            *number = symbols.len() as u32;
        }
        Self { symbols, numbers }
    }

    /// Returns the number of symbols.
    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Returns the symbols by number.
    pub(super) fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the number of a symbol if it is in the alphabet.
    pub(super) fn number(&self, symbol: Symbol) -> Option<u32> {
        self.numbers.get(symbol as usize)?.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_gaps() {
        let alphabet = Alphabet::of(&[&[7, 2, 7], &[], &[4]]);
        assert_eq!(alphabet.symbols(), [2, 4, 7]);
        assert_eq!([2, 4, 7, 3, 99].map(|symbol| alphabet.number(symbol)), [Some(0), Some(1), Some(2), None, None]);
        assert_eq!(Alphabet::new(vec![2, 4, 7]), Some(alphabet));
        assert_eq!(Alphabet::new(vec![5, 1]).map(|turned| turned.number(1)), Some(Some(1)));
        assert_eq!(Alphabet::new(vec![5, 5]), None);
    }
}
