//! A matrix of kernel values.

use crate::Result;
use crate::progress::Progress;

/// Kernel values of `n_rows` items against `n_columns` items, in row-major order. `f32`, as in
/// LIBSVM's cache: this halves the solver's memory traffic, and seven digits are more than the
/// labels justify.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gram {
    n_columns: usize,
    values: Vec<f32>,
}

impl Gram {
    /// Wraps values in row-major order; `values.len()` must be a multiple of `n_columns`.
    pub fn new(n_columns: usize, values: Vec<f32>) -> Self {
        debug_assert!(values.len().is_multiple_of(n_columns.max(1)));
        Self { n_columns, values }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.values.len().checked_div(self.n_columns).unwrap_or(0)
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f32] {
        &self.values[i * self.n_columns..(i + 1) * self.n_columns]
    }

    /// Returns the values in row-major order.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// Replaces the leading `n` × `n` block by (K + Kᵀ) / 2 and leaves the rest unchanged. This
    /// makes a kernel over one-way word relations symmetric, as SVM training requires.
    pub fn symmetric_part(mut self, n: usize, progress: Progress<'_>) -> Result<Self> {
        for i in 0..n.min(self.n_rows()).min(self.n_columns) {
            progress.check()?;
            for j in 0..i {
                let (below, above) = (i * self.n_columns + j, j * self.n_columns + i);
                // Halve first: the sum of two large values could overflow.
                let mean = self.values[below] / 2.0 + self.values[above] / 2.0;
                (self.values[below], self.values[above]) = (mean, mean);
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symmetric_part_is_that_of_the_leading_block() {
        let check = |n: usize, values: [f32; 9], expected: [f32; 9]| {
            let found = Gram::new(3, values.to_vec()).symmetric_part(n, Progress::none()).unwrap();
            assert_eq!(found, Gram::new(3, expected.to_vec()), "{n}");
        };
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        check(0, values, values);
        check(1, values, values);
        check(2, values, [1.0, 3.0, 3.0, 3.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        check(3, values, [1.0, 3.0, 5.0, 3.0, 5.0, 7.0, 5.0, 7.0, 9.0]);
        check(9, values, [1.0, 3.0, 5.0, 3.0, 5.0, 7.0, 5.0, 7.0, 9.0]);
        let large = [f32::MAX; 9];
        check(3, large, large);
        assert_eq!(Gram::default().symmetric_part(2, Progress::none()).unwrap(), Gram::default());
    }
}
