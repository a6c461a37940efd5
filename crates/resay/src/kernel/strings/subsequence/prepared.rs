//! A text prepared for many comparisons, and the symbols that two such texts share.
//!
//! Only cells (row of one text, column of the other) with equal symbols contribute to the kernel. A
//! prepared text knows the positions of each of its symbols. One walk along the symbol lists of
//! both texts then drops all rows and columns without a match and lists the columns that match a
//! row.

/// Marks a symbol that the other text does not contain.
const NONE: u32 = u32::MAX;
/// A table of this many symbols is cheap for any text.
const SMALL_TABLE: usize = 4096;

/// A text with its symbols numbered in order. A text longer than 2^32 - 1 symbols is truncated.
#[derive(Clone, Debug, Default)]
pub struct PreparedSubsequences {
    /// Sorted, without duplicates.
    symbols: Vec<u32>,
    /// The number of occurrences of each symbol.
    counts: Vec<u32>,
    /// For each position, the index of its symbol in `symbols`.
    numbers: Vec<u32>,
    /// Buffer for numbering symbols.
    room: Vec<u64>,
}

impl PreparedSubsequences {
    /// Prepares a text.
    pub fn new(text: &[u32]) -> Self {
        let mut prepared = Self::default();
        prepared.refill(text);
        prepared.room = Vec::new();
        prepared
    }

    /// Returns the number of symbols in the text.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Prepares another text in the same buffers.
    pub(super) fn refill(&mut self, text: &[u32]) {
        let text = &text[..text.len().min(u32::MAX as usize)];
        self.symbols.clear();
        self.counts.clear();
        self.numbers.clear();
        let n_possible = text.iter().max().map_or(0, |&largest| largest as usize + 1);
        if n_possible <= SMALL_TABLE + 16 * text.len() {
            self.number_by_table(text, n_possible);
        } else {
            self.number_by_sorting(text);
        }
    }

    /// Numbers small symbols with a table of all possible ones.
    fn number_by_table(&mut self, text: &[u32], n_possible: usize) {
        self.room.clear();
        self.room.resize(n_possible, 0);
        for &symbol in text {
            self.room[symbol as usize] += 1;
        }
        for (count, symbol) in self.room.iter_mut().zip(0..) {
            if *count > 0 {
                self.counts.push(*count as u32);
                *count = self.symbols.len() as u64;
                self.symbols.push(symbol);
            }
        }
        self.numbers.extend(text.iter().map(|&symbol| self.room[symbol as usize] as u32));
    }

    /// Numbers arbitrary symbols by sorting them together with their positions.
    fn number_by_sorting(&mut self, text: &[u32]) {
        self.room.clear();
        self.room.extend(text.iter().zip(0_u64..).map(|(&symbol, position)| u64::from(symbol) << 32 | position));
        self.room.sort_unstable();
        self.numbers.resize(text.len(), 0);
        for group in self.room.chunk_by(|a, b| a >> 32 == b >> 32) {
            for &entry in group {
                self.numbers[entry as u32 as usize] = self.symbols.len() as u32;
            }
            self.symbols.push((group[0] >> 32) as u32);
            self.counts.push(group.len() as u32);
        }
    }

    /// A total order of texts, by length, then by content, so that the kernel of two texts does not
    /// depend on the order of arguments. Texts that compare equal are equal.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let symbols = |text: &Self| (text.numbers.len(), text.symbols.len());
        symbols(self)
            .cmp(&symbols(other))
            .then_with(|| self.symbols.cmp(&other.symbols))
            .then_with(|| self.numbers.cmp(&other.numbers))
    }
}

/// A row that matches at least one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The position in the text.
    pub position: u32,
    /// The number of the shared symbol.
    pub symbol: u32,
}

/// What two texts share.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    /// Rows with a match, from first to last.
    pub rows: Vec<Row>,
    /// Positions of columns with a match, from first to last.
    pub columns: Vec<u32>,
    /// The number of the shared symbol of each column.
    pub symbols: Vec<u32>,
    /// `lists[starts[symbol]..starts[symbol + 1]]`: the columns of a shared symbol, as indices into
    /// `columns`, last first.
    pub starts: Vec<u32>,
    /// See `starts`.
    pub lists: Vec<u32>,
    /// The number of cells with equal symbols.
    pub n_matches: u64,
    /// The shared symbol of each symbol of the texts, or [`NONE`].
    row_symbols: Vec<u32>,
    column_symbols: Vec<u32>,
}

impl Shared {
    /// Finds what `rows` and `columns` share, in O(symbols of both).
    pub(super) fn fill(&mut self, rows: &PreparedSubsequences, columns: &PreparedSubsequences) {
        self.row_symbols.clear();
        self.row_symbols.resize(rows.symbols.len(), NONE);
        self.column_symbols.clear();
        self.column_symbols.resize(columns.symbols.len(), NONE);
        self.starts.clear();
        self.starts.push(0);
        self.n_matches = 0;
        let (mut i, mut j, mut n_listed) = (0, 0, 0);
        while i < rows.symbols.len() && j < columns.symbols.len() {
            let (a, b) = (rows.symbols[i], columns.symbols[j]);
            if a == b {
                let symbol = self.starts.len() as u32 - 1;
                self.row_symbols[i] = symbol;
                self.column_symbols[j] = symbol;
                n_listed += columns.counts[j];
                self.starts.push(n_listed);
                self.n_matches += u64::from(rows.counts[i]) * u64::from(columns.counts[j]);
            }
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        self.rows.clear();
        self.rows.extend(rows.numbers.iter().zip(0..).filter_map(|(&number, position)| {
            let symbol = self.row_symbols[number as usize];
            (symbol != NONE).then_some(Row { position, symbol })
        }));
        self.columns.clear();
        self.symbols.clear();
        self.lists.clear();
        self.lists.resize(n_listed as usize, 0);
        // Each list is filled from its end, with `starts` as cursors that begin one list further
        // right.
        for (&number, position) in columns.numbers.iter().zip(0..) {
            let symbol = self.column_symbols[number as usize];
            if symbol != NONE {
                let end = &mut self.starts[symbol as usize + 1];
                *end -= 1;
                self.lists[*end as usize] = self.columns.len() as u32;
                self.columns.push(position);
                self.symbols.push(symbol);
            }
        }
        // Every cursor has reached the start of its list. Shifted by one, they are the starts
        // again.
        self.starts.rotate_left(1);
        if let Some(last) = self.starts.last_mut() {
            *last = n_listed;
        }
    }

    /// Returns the number of shared symbols.
    pub(super) fn n_symbols(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the range of a row's columns in `lists`.
    #[inline]
    pub(super) fn matches(&self, row: Row) -> std::ops::Range<usize> {
        let symbol = row.symbol as usize;
        self.starts[symbol] as usize..self.starts[symbol + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_number_symbols_agree() {
        for text in [&[][..], &[0], &[5, 0, 5, 9, 9, 9, 1], &[4_000, 3, 4_000, 4_001]] {
            let (mut table, mut sorted) = (PreparedSubsequences::default(), PreparedSubsequences::default());
            table.number_by_table(text, 5_000);
            sorted.number_by_sorting(text);
            assert_eq!((&table.symbols, &table.counts), (&sorted.symbols, &sorted.counts));
            assert_eq!(table.numbers, sorted.numbers);
            let back: Vec<u32> = table.numbers.iter().map(|&number| table.symbols[number as usize]).collect();
            assert_eq!(back, text);
            assert_eq!(table.counts.iter().sum::<u32>() as usize, text.len());
        }
    }

    #[test]
    fn shared_rows_and_columns_are_those_that_match() {
        let check = |s: &[u32], t: &[u32]| {
            let mut shared = Shared::default();
            // Reuse the buffers.
            shared.fill(&PreparedSubsequences::new(&[1, 2, 3, 1]), &PreparedSubsequences::new(&[3, 3, 1]));
            shared.fill(&PreparedSubsequences::new(s), &PreparedSubsequences::new(t));
            let mut expected = Vec::new();
            for (i, a) in s.iter().enumerate() {
                expected.extend(t.iter().enumerate().rev().filter(|(_, b)| a == *b).map(|(j, _)| (i, j)));
            }
            let mut found = Vec::new();
            for &row in &shared.rows {
                let columns = shared.lists[shared.matches(row)].iter();
                found.extend(columns.map(|&j| (row.position as usize, shared.columns[j as usize] as usize)));
            }
            assert_eq!(found, expected, "{s:?} {t:?}");
            assert_eq!(shared.n_matches, expected.len() as u64);
            let has = |position: &u32| s.contains(&t[*position as usize]);
            assert!(shared.columns.iter().all(has));
        };
        check(&[], &[]);
        check(&[7], &[]);
        check(&[7], &[8]);
        check(&[7, 7, 9, u32::MAX], &[u32::MAX, 7, 5, 9, 7, 7]);
        check(&[1, 2, 3, 4, 5, 6], &[6, 5, 9, 4, 3, 2, 1, 0]);
    }
}
