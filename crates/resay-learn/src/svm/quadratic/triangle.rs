//! A symmetric matrix P with fast xᵀPx and fast P += f xxᵀ.
//!
//! Layout: columns come in blocks of [`LANES`]. For block B, the entries of the rows from the first
//! row of the block to the last row of the matrix follow each other, `LANES` per row:
//!
//! ```text
//!          block 0   block 1   block 2
//! rows  0  own
//! rows  8  rest      own
//! rows 16  rest      rest      own
//! ```
//!
//! The square blocks on the diagonal (own) are stored whole and count once, the others (rest) stand
//! for their mirror images as well and count twice. So both loops run over one contiguous slice, in
//! pieces of a fixed length, and vectorise. With 120 rows, 7680 numbers are stored, where the
//! triangle itself has 7260.

/// Number of columns per block.
const LANES: usize = 8;

/// A symmetric matrix.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    n: usize,
    values: Vec<f64>,
}

impl Triangle {
    /// Returns the matrix of zeros with `n` rows.
    pub(super) fn new(n: usize) -> Self {
        let length = (0..n).step_by(LANES).map(|first| LANES * (n - first)).sum();
        Self { n, values: vec![0.0; length] }
    }

    /// Returns xᵀPx.
    pub(super) fn form(&self, x: &[f64]) -> f64 {
        let mut sums = [0.0; LANES];
        let mut values = self.values.as_slice();
        for (block, columns) in x.chunks(LANES).enumerate() {
            let rows = &x[block * LANES..];
            let (entries, later) = values.split_at(rows.len() * LANES);
            values = later;
            let (own, rest) = entries.split_at(columns.len() * LANES);
            let (own_rows, rest_rows) = rows.split_at(columns.len());
            let (own, rest) = (weighted_rows(own, own_rows), weighted_rows(rest, rest_rows));
            let columns = padded(columns);
            for lane in 0..LANES {
                sums[lane] += columns[lane] * (own[lane] + 2.0 * rest[lane]);
            }
        }
        total(sums)
    }

    /// Adds f xxᵀ.
    pub(super) fn add_square(&mut self, x: &[f64], factor: f64) {
        let mut values = self.values.as_mut_slice();
        for (block, columns) in x.chunks(LANES).enumerate() {
            let rows = &x[block * LANES..];
            let (entries, later) = values.split_at_mut(rows.len() * LANES);
            values = later;
            let columns = padded(columns).map(|value| factor * value);
            for (entries, row) in entries.chunks_exact_mut(LANES).zip(rows) {
                for lane in 0..LANES {
                    entries[lane] += columns[lane] * row;
                }
            }
        }
    }

    /// Returns all entries of all rows.
    pub(super) fn to_full(&self) -> Vec<f64> {
        let n = self.n;
        let mut full = vec![0.0; n * n];
        let mut values = self.values.chunks_exact(LANES);
        for first in (0..n).step_by(LANES) {
            for row in first..n {
                // The entries above the diagonal of an own block equal their mirror images.
                let entries = values.next().unwrap_or(&[]);
                for (column, &value) in (first..=row).zip(entries) {
                    full[row * n + column] = value;
                    full[column * n + row] = value;
                }
            }
        }
        full
    }
}

/// Σ xᵢ rowᵢ, where each row has `LANES` entries. Two sets of partial sums keep the additions
/// independent.
fn weighted_rows(entries: &[f64], x: &[f64]) -> [f64; LANES] {
    let (mut even, mut odd) = ([0.0; LANES], [0.0; LANES]);
    let (pairs, x_pairs) = (entries.chunks_exact(2 * LANES), x.chunks_exact(2));
    let (last, last_x) = (pairs.remainder(), x_pairs.remainder());
    for (pair, x) in pairs.zip(x_pairs) {
        for lane in 0..LANES {
            even[lane] += pair[lane] * x[0];
            odd[lane] += pair[LANES + lane] * x[1];
        }
    }
    for (row, x) in last.chunks_exact(LANES).zip(last_x) {
        for lane in 0..LANES {
            even[lane] += row[lane] * x;
        }
    }
    for lane in 0..LANES {
        even[lane] += odd[lane];
    }
    even
}

/// The values, with zeros after them.
fn padded(values: &[f64]) -> [f64; LANES] {
    let mut padded = [0.0; LANES];
    padded.iter_mut().zip(values).for_each(|(slot, value)| *slot = *value);
    padded
}

/// x·y. Partial sums keep the additions independent.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (x_blocks, y_blocks) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let rest: f64 = x_blocks.remainder().iter().zip(y_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in x_blocks.zip(y_blocks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    total(sums) + rest
}

fn total(sums: [f64; LANES]) -> f64 {
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    #[test]
    fn equals_the_full_matrix_for_every_size() {
        let mut random = SplitMix::new(1);
        for n in (0..=34).chain([64, 119, 120]) {
            let mut triangle = Triangle::new(n);
            let mut full = vec![0.0; n * n];
            let mut draw = || (0..n).map(|_| random.unit() * 2.0 - 1.0).collect::<Vec<f64>>();
            for factor in [1.0, -0.3, 2.5] {
                let x = draw();
                triangle.add_square(&x, factor);
                (0..n * n).for_each(|place| full[place] += factor * x[place / n] * x[place % n]);
            }
            let found = triangle.to_full();
            assert!(found.iter().zip(&full).all(|(found, full)| (found - full).abs() < 1e-14), "{n}");
            assert!((0..n * n).all(|place| found[place] == found[place % n * n + place / n]), "symmetric: {n}");
            let (x, y) = (draw(), draw());
            let slow: f64 = (0..n * n).map(|place| x[place / n] * full[place] * x[place % n]).sum();
            assert!((triangle.form(&x) - slow).abs() < 1e-12 * (n as f64 + 1.0), "{n}: {} {slow}", triangle.form(&x));
            let slow: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            assert!((dot(&x, &y) - slow).abs() < 1e-13, "{n}");
        }
    }
}
