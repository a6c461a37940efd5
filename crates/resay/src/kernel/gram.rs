//! A matrix of kernel values.

/// Kernel values of `n_rows` items against `n_columns` items, row after row. `f32` as in LIBSVM's cache: half the
/// memory traffic of the solver, and seven digits are more than the labels deserve.
#[derive(Clone, Debug, PartialEq)]
pub struct Gram {
    n_columns: usize,
    values: Vec<f32>,
}

impl Gram {
    /// From values row after row; `values.len()` must be a multiple of `n_columns`.
    pub fn new(n_columns: usize, values: Vec<f32>) -> Self {
        debug_assert!(values.len().is_multiple_of(n_columns.max(1)));
        Self { n_columns, values }
    }

    /// How many rows.
    pub fn n_rows(&self) -> usize {
        self.values.len().checked_div(self.n_columns).unwrap_or(0)
    }

    /// How many columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f32] {
        &self.values[i * self.n_columns..(i + 1) * self.n_columns]
    }
}
