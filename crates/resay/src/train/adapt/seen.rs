//! The features that occur in the data, on a common scale.
//!
//! Features of a block are divided by the spread of the block over the pairs at hand, so that every
//! block has the same mean squared length. In an even block every column has the same share of it,
//! and is centred on its mean. Features outside blocks are taken as they are.

use crate::model::{AdaptBlock, AdaptRow};
use resay_learn::matrix::Rows;

/// The columns that occur in the data, renumbered.
pub(super) struct Seen {
    columns: Vec<SeenColumn>,
    n_weights: usize,
    is_scaled: bool,
}

/// A column of the model, and how its values are scaled.
struct SeenColumn {
    column: u32,
    mean: f64,
    /// What values are multiplied by.
    factor: f64,
}

impl Seen {
    pub(super) fn new(rows: &[AdaptRow], n_weights: usize, blocks: &[AdaptBlock]) -> Self {
        let mut known: Vec<u32> =
            rows.iter().flat_map(|row| &row.features).flatten().map(|(column, _)| *column).collect();
        known.sort_unstable();
        known.dedup();
        let mut columns: Vec<SeenColumn> =
            known.iter().map(|&column| SeenColumn { column, mean: 0.0, factor: 1.0 }).collect();
        let n = rows.iter().filter(|row| !row.is_fixed).count().max(1) as f64;
        let (mut sums, mut squares) = (vec![0.0; columns.len()], vec![0.0; columns.len()]);
        if !blocks.is_empty() {
            for (column, value) in rows.iter().flat_map(|row| &row.features).flatten() {
                if let Ok(at) = known.binary_search(column) {
                    sums[at] += value / n;
                    squares[at] += value * value / n;
                }
            }
        }
        for block in blocks {
            let range = |at: usize| known.partition_point(|column| (*column as usize) < at);
            let within = range(block.columns.start)..range(block.columns.end);
            let total: f64 = squares[within.clone()].iter().sum();
            for at in within {
                let variance = squares[at] - sums[at] * sums[at];
                let column = &mut columns[at];
                (column.mean, column.factor) = match block.is_even {
                    true if variance > 1e-9 * squares[at] => {
                        (sums[at], 1.0 / (variance * block.columns.len() as f64).sqrt())
                    }
                    // A constant says nothing that the intercept does not.
                    true => (sums[at], 0.0),
                    false => (0.0, 1.0 / total.max(1e-12).sqrt()),
                };
            }
        }
        Self { columns, n_weights, is_scaled: !blocks.is_empty() }
    }

    /// The features of a head; none of rows with a fixed answer.
    pub(super) fn rows(&self, rows: &[AdaptRow], head: usize) -> Rows {
        let mut found = Rows::new(self.columns.len());
        for row in rows {
            let features = row.features.get(head).or(row.features.first()).map_or(&[][..], Vec::as_slice);
            let place = |column: u32| self.columns.binary_search_by_key(&column, |known| known.column).ok();
            if row.is_fixed {
                found.push([], 0.0);
            } else if self.is_scaled {
                let mut dense = vec![0.0; self.columns.len()];
                features
                    .iter()
                    .filter_map(|&(column, value)| Some((place(column)?, value)))
                    .for_each(|(at, value)| dense[at] = value);
                let scaled = dense.iter().zip(&self.columns);
                let scaled = scaled.map(|(value, column)| (value - column.mean) * column.factor);
                found.push((0..).zip(scaled).filter(|(_, value)| *value != 0.0), 0.0);
            } else {
                let number = |&(column, value): &(u32, f64)| Some((place(column)? as u32, value));
                found.push(features.iter().filter_map(number), 0.0);
            }
        }
        found
    }

    /// One weight per column of the model, and what the means take away.
    pub(super) fn spread(&self, weights: &[f64], by: f64) -> (Vec<f64>, f64) {
        let mut all = vec![0.0; self.n_weights];
        let mut shift = 0.0;
        for (column, weight) in self.columns.iter().zip(weights) {
            let weight = weight * column.factor / by;
            all[column.column as usize] = weight;
            shift += weight * column.mean;
        }
        (all, shift)
    }
}
