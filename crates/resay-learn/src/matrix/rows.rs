//! Sparse feature vectors, one per example, in compressed sparse rows: the input of the linear SVM.
//!
//! A column that occurs in one row only has no dot product with any other row: its only effect on
//! training is to lengthen that row. Such columns need not be stored; their squared length is kept
//! as the row's `private` mass. With rewrite rules as features, that is nine columns in ten.

/// Compressed sparse rows: row `i` holds `columns[offsets[i]..offsets[i + 1]]` and the same range
/// of `values`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    n_columns: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    private: Vec<f64>,
}

impl Rows {
    /// Returns an empty matrix with `n_columns` columns.
    pub fn new(n_columns: usize) -> Self {
        Self { n_columns, offsets: vec![0], columns: Vec::new(), values: Vec::new(), private: Vec::new() }
    }

    /// Returns an empty matrix with room for rows and entries, which saves memory: growing needs
    /// room for both the old list and the new one.
    pub fn with_room(n_columns: usize, n_rows: usize, n_entries: usize) -> Self {
        let mut rows = Self::new(n_columns);
        rows.offsets.reserve(n_rows);
        rows.private.reserve(n_rows);
        rows.columns.reserve(n_entries);
        rows.values.reserve(n_entries);
        rows
    }

    /// Appends a row. `entries` have distinct columns below `n_columns`; `private` is the squared
    /// length of the columns that occur in this row only.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u32, f64)>, private: f64) {
        for (column, value) in entries {
            debug_assert!((column as usize) < self.n_columns);
            self.columns.push(column);
            self.values.push(value);
        }
        self.offsets.push(self.columns.len());
        self.private.push(private);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.private.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.private.is_empty()
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Number of stored entries over all rows.
    pub fn n_entries(&self) -> usize {
        self.columns.len()
    }

    /// Returns columns and values of row `i`.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Returns the squared length of the columns that occur in row `i` only.
    pub fn private(&self, i: usize) -> f64 {
        self.private[i]
    }

    /// Returns the squared length of row `i`, including its private mass.
    pub fn squared_length(&self, i: usize) -> f64 {
        self.row(i).1.iter().map(|value| value * value).sum::<f64>() + self.private[i]
    }
}
