//! Sparse vectors, one an example, in compressed rows: what the linear machine learns from.
//!
//! A column that only one row has never meets another row: all it does to learning is to lengthen that row. So
//! such columns need not be listed; their squared length is kept as the row's `private` mass. On re-writing
//! rules that is nine columns in ten.

/// Compressed sparse rows: row `i` holds `columns[offsets[i]..offsets[i + 1]]` and the same range of `values`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    n_columns: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    private: Vec<f64>,
}

impl Rows {
    /// No rows yet, over this many columns.
    pub fn new(n_columns: usize) -> Self {
        Self { n_columns, offsets: vec![0], columns: Vec::new(), values: Vec::new(), private: Vec::new() }
    }

    /// Appends a row: entries with distinct columns below `n_columns`, and the squared length of what only this row has.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u32, f64)>, private: f64) {
        for (column, value) in entries {
            debug_assert!((column as usize) < self.n_columns);
            self.columns.push(column);
            self.values.push(value);
        }
        self.offsets.push(self.columns.len());
        self.private.push(private);
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.private.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.private.is_empty()
    }

    /// How many columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// How many entries are listed in all rows together.
    pub fn n_entries(&self) -> usize {
        self.columns.len()
    }

    /// Columns and values of row `i`.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The squared length of what only row `i` has.
    pub fn private(&self, i: usize) -> f64 {
        self.private[i]
    }

    /// The squared length of row `i`, its private part included.
    pub fn squared_length(&self, i: usize) -> f64 {
        self.row(i).1.iter().map(|value| value * value).sum::<f64>() + self.private[i]
    }
}
