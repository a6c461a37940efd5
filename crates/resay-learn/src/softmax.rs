//! Multinomial logistic regression over rows of binary columns, for labels that may leave several
//! classes open.
//!
//! Given: for every row the columns that are set, and [`PartialLabels`]: the classes that the row
//! may belong to, its weight, and offsets. Minimised over the weights W, one per column and class:
//!
//! ```text
//! Σ_rows −weight · ln Σ_{k allowed} p_k + ridge/2 · |W|²    p = softmax(begin + offsets + Σ_{c set} W_c)
//! ```
//!
//! By L-BFGS ([`crate::optim`]), from zero. With one class allowed per row the problem is convex. The
//! gradient is summed column by column, each by one thread in the order of rows, so results do not
//! depend on the number of threads.

use crate::boost::PartialLabels;
use crate::optim::{LbfgsLimits, minimise};
use crate::progress::Progress;
use crate::{Error, Result};
use rayon::prelude::*;

/// Rows of binary columns: the columns that are set, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryRows {
    /// Where each row begins in `columns`, and where the last one ends.
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Default for BinaryRows {
    fn default() -> Self {
        Self { starts: vec![0], columns: Vec::new() }
    }
}

impl BinaryRows {
    /// Appends a row.
    pub fn push(&mut self, columns: impl IntoIterator<Item = u32>) {
        self.columns.extend(columns);
        self.starts.push(self.columns.len());
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns that are set in a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// For each column, the rows in which it is set.
    fn transposed(&self, n_columns: usize) -> Self {
        let mut starts = vec![0; n_columns + 1];
        self.columns.iter().for_each(|column| starts[*column as usize + 1] += 1);
        for column in 0..n_columns {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; self.columns.len()];
        for row in 0..self.len() {
            for &column in self.row(row) {
                rows[next[column as usize]] = row as u32;
                next[column as usize] += 1;
            }
        }
        Self { starts, columns: rows }
    }
}

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftmaxParams {
    /// Keeps weights small: each counts as if so many rows said that it is zero.
    pub ridge: f64,
    /// The most steps of the search.
    pub max_steps: usize,
}

/// Fits the weights: `begin.len()` per column, column after column.
pub fn fit_softmax(
    rows: &BinaryRows,
    n_columns: usize,
    labels: &PartialLabels<'_>,
    begin: &[f64],
    params: SoftmaxParams,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let n_heads = begin.len();
    if labels.allowed.len() != rows.len() || labels.weights.len() != rows.len() || labels.offset_of.len() != rows.len()
    {
        return Err(Error::parameter(format!("{} rows, but not as many labels", rows.len())));
    }
    if let Some(column) = rows.columns.iter().find(|column| **column as usize >= n_columns) {
        return Err(Error::parameter(format!("column {column} of {n_columns}")));
    }
    if params.ridge.is_nan() || params.ridge <= 0.0 {
        return Err(Error::parameter("the ridge must be above 0"));
    }
    let columns = rows.transposed(n_columns);
    let mut slopes = vec![0.0; rows.len() * n_heads];
    let mut losses = vec![0.0; rows.len()];
    let loss = |weights: &[f64], gradient: &mut [f64]| {
        progress.check()?;
        let of_row = |(row, (slopes, loss)): (usize, (&mut [f64], &mut f64))| {
            let mut scores = begin.to_vec();
            for &column in rows.row(row) {
                let at = column as usize * n_heads;
                scores.iter_mut().zip(&weights[at..at + n_heads]).for_each(|(score, weight)| *score += weight);
            }
            *loss = labels.loss(row, &scores, |head, slope, _| slopes[head] = slope);
        };
        slopes.par_chunks_mut(n_heads).zip(losses.par_iter_mut()).enumerate().for_each(of_row);
        let of_column = |(column, gradient): (usize, &mut [f64])| {
            let own = &weights[column * n_heads..(column + 1) * n_heads];
            gradient.iter_mut().zip(own).for_each(|(slope, weight)| *slope = params.ridge * weight);
            for &row in columns.row(column) {
                let at = row as usize * n_heads;
                gradient.iter_mut().zip(&slopes[at..at + n_heads]).for_each(|(sum, slope)| *sum += slope);
            }
        };
        gradient.par_chunks_mut(n_heads).enumerate().for_each(of_column);
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        Ok(losses.iter().sum::<f64>() + 0.5 * params.ridge * squares)
    };
    let mut weights = vec![0.0; n_columns * n_heads];
    let limits = LbfgsLimits { max_steps: params.max_steps, tolerance: 1e-4 };
    minimise(&mut weights, limits, loss, |_, _, _| progress.check())?;
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels<'a>(allowed: &'a [u32], weights: &'a [f32], offset_of: &'a [usize]) -> PartialLabels<'a> {
        PartialLabels { allowed, weights, offset_of, offsets: &[] }
    }

    #[test]
    fn the_solution_of_a_single_column_is_known() {
        // Without a column the classes are as frequent as `begin` says; with it, a row of class 0
        // stands against one of class 1: the slope of the loss is zero where p − share = −ridge · w.
        let mut rows = BinaryRows::default();
        (0..8).for_each(|_| rows.push([0]));
        let allowed = [1, 1, 1, 1, 1, 1, 2, 2];
        let offsets = [vec![0.0; 2]];
        let labels = PartialLabels { offsets: &offsets, ..labels(&allowed, &[1.0; 8], &[0; 8]) };
        let params = SoftmaxParams { ridge: 0.5, max_steps: 200 };
        let weights = fit_softmax(&rows, 1, &labels, &[0.0; 2], params, Progress::none()).unwrap();
        let p = 1.0 / (1.0 + (weights[1] - weights[0]).exp());
        assert!((8.0 * p - 6.0 + 0.5 * weights[0]).abs() < 1e-3, "{weights:?}");
        assert!((weights[0] + weights[1]).abs() < 1e-6);
    }

    #[test]
    fn rows_with_several_open_classes_learn_from_the_others() {
        // Column 0 goes with class 0 and column 1 with class 1; rows of columns 0 and 2 leave 0 and 2
        // open.
        let mut rows = BinaryRows::default();
        let mut allowed = Vec::new();
        for (columns, bits) in [(vec![0], 1), (vec![1], 2), (vec![0, 2], 5), (vec![2], 4)] {
            for _ in 0..10 {
                rows.push(columns.clone());
                allowed.push(bits);
            }
        }
        let offsets = [vec![0.0; 3]];
        let labels = PartialLabels { offsets: &offsets, ..labels(&allowed, &[1.0; 40], &[0; 40]) };
        let params = SoftmaxParams { ridge: 0.1, max_steps: 100 };
        let weights = fit_softmax(&rows, 3, &labels, &[0.0; 3], params, Progress::none()).unwrap();
        let best = |columns: &[usize]| {
            let score = |head: usize| columns.iter().map(|column| weights[3 * column + head]).sum::<f64>();
            (0..3).max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap()
        };
        assert_eq!([best(&[0]), best(&[1]), best(&[2])], [0, 1, 2]);
        assert_ne!(best(&[0, 2]), 1);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        let mut rows = BinaryRows::default();
        rows.push([3]);
        let fit = |n_columns: usize, allowed: &[u32], ridge: f64| {
            let labels = labels(allowed, &[1.0], &[0]);
            let params = SoftmaxParams { ridge, max_steps: 5 };
            fit_softmax(&rows, n_columns, &labels, &[0.0; 2], params, Progress::none()).unwrap_err().to_string()
        };
        assert!(fit(4, &[], 1.0).contains("not as many labels"));
        assert!(fit(2, &[1], 1.0).contains("column 3 of 2"));
        assert!(fit(4, &[1], 0.0).contains("ridge"));
    }
}
