//! A matrix of kernel values.

use crate::Result;
use crate::progress::Progress;

/// Kernel values of `n_rows` items against `n_columns` items, row after row. `f32` as in LIBSVM's cache: half the
/// memory traffic of the solver, and seven digits are more than the labels deserve.
#[derive(Clone, Debug, Default, PartialEq)]
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

    /// The values, row after row.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// With (K + Kᵀ) / 2 in the leading block of `n` rows and columns; everything else as it is. A kernel of words that
    /// are related one way only is the same from both sides after this, and machines may learn from it.
    pub fn symmetric_part(mut self, n: usize, progress: Progress<'_>) -> Result<Self> {
        for i in 0..n.min(self.n_rows()).min(self.n_columns) {
            progress.check()?;
            for j in 0..i {
                let (below, above) = (i * self.n_columns + j, j * self.n_columns + i);
                // A half first: two large values must not become infinite.
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
