//! Eigenvalues and eigenvectors of a symmetric tridiagonal matrix.
//!
//! Problem: T = U diag(θ) Uᵀ. Input: the diagonal and the off-diagonal of T. Output: θ, and the
//! requested rows of U. Algorithm: QR steps with Wilkinson's shift, chasing the bulge by rotations
//! (Golub and Van Loan, 8.3.3). Without U this takes m² operations; each row of U costs extra.
//! Error bounds need its last row only.

use crate::progress::Progress;
use crate::{Error, Result};

/// A symmetric tridiagonal matrix; `off[i]` is the entry at (i, i + 1) and (i + 1, i).
#[derive(Clone, Debug, Default)]
pub(super) struct Tridiagonal {
    pub(super) diagonal: Vec<f64>,
    pub(super) off: Vec<f64>,
}

/// θ, unsorted, and the requested rows of U.
#[derive(Debug)]
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    width: usize,
    /// `columns[i * width..(i + 1) * width]`: the requested entries of eigenvector i.
    columns: Vec<f64>,
}

impl Eigen {
    /// Returns the requested entries of eigenvector `i`.
    pub(super) fn vector(&self, i: usize) -> &[f64] {
        &self.columns[i * self.width..][..self.width]
    }

    /// Applies the rotation G to eigenvectors `i` and `i + 1`, as in T <- GᵀTG.
    fn rotate(&mut self, i: usize, cosine: f64, sine: f64) {
        let (head, tail) = self.columns.split_at_mut((i + 1) * self.width);
        for (a, b) in head[i * self.width..].iter_mut().zip(&mut tail[..self.width]) {
            (*a, *b) = (cosine * *a + sine * *b, cosine * *b - sine * *a);
        }
    }
}

/// Maximum number of QR steps per eigenvalue; two or three are typical.
const MAX_STEPS: usize = 100;

impl Tridiagonal {
    /// Computes full eigenvectors.
    pub(super) fn eigen(&self, progress: Progress<'_>) -> Result<Eigen> {
        let m = self.diagonal.len();
        let identity = (0..m * m).map(|at| if at / m == at % m { 1.0 } else { 0.0 }).collect();
        self.solve(m, identity, progress)
    }

    /// Computes the last entry of every eigenvector.
    pub(super) fn last_entries(&self, progress: Progress<'_>) -> Result<Eigen> {
        let m = self.diagonal.len();
        self.solve(1, (0..m).map(|at| if at + 1 == m { 1.0 } else { 0.0 }).collect(), progress)
    }

    fn solve(&self, width: usize, columns: Vec<f64>, progress: Progress<'_>) -> Result<Eigen> {
        let mut off = self.off.clone();
        let mut eigen = Eigen { values: self.diagonal.clone(), width, columns };
        let Some(mut last) = self.diagonal.len().checked_sub(1) else { return Ok(eigen) };
        let mut n_steps = 0;
        // Beyond `last`, T is already diagonal.
        while last > 0 {
            progress.check()?;
            let is_zero =
                |i: &usize, values: &[f64]| off[*i].abs() <= f64::EPSILON * (values[*i].abs() + values[*i + 1].abs());
            // The unreduced block (no zero off the diagonal) that ends at `last` starts at `first`.
            let first = (0..last).rev().find(|i| is_zero(i, &eigen.values)).map_or(0, |zero| zero + 1);
            if first == last {
                (last, n_steps) = (last - 1, 0);
                continue;
            }
            n_steps += 1;
            if n_steps > MAX_STEPS {
                return Err(Error::data(format!(
                    "no eigenvalue of the kernel matrix was found in {MAX_STEPS} steps: its values are too large, or of \
                     too different sizes; leave its spectrum as it is (plain)"
                )));
            }
            step(&mut eigen, &mut off, first, last);
        }
        Ok(eigen)
    }
}

/// One QR step on the block `first..=last`.
fn step(eigen: &mut Eigen, off: &mut [f64], first: usize, last: usize) {
    let (above, corner, beside) = (eigen.values[last - 1], eigen.values[last], off[last - 1]);
    let half = (above - corner) / 2.0;
    // The eigenvalue of the trailing 2 x 2 block that is closer to its corner.
    let shift = corner - beside * (beside / (half + half.hypot(beside).copysign(half)));
    let (mut x, mut bulge) = (eigen.values[first] - shift, off[first]);
    for k in first..last {
        let length = x.hypot(bulge);
        let (cosine, sine) = if length > 0.0 { (x / length, bulge / length) } else { (1.0, 0.0) };
        if k > first {
            off[k - 1] = length;
        }
        let (a, b, c) = (eigen.values[k], off[k], eigen.values[k + 1]);
        let (square, mixed, rest) = (cosine * cosine, cosine * sine, sine * sine);
        eigen.values[k] = square * a + 2.0 * mixed * b + rest * c;
        eigen.values[k + 1] = rest * a - 2.0 * mixed * b + square * c;
        off[k] = mixed * (c - a) + (square - rest) * b;
        if k + 1 < last {
            (x, bulge) = (off[k], sine * off[k + 1]);
            off[k + 1] *= cosine;
        }
        eigen.rotate(k, cosine, sine);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// Checks that T u = θ u, that U is orthonormal and that `last_entries` agrees with `eigen`.
    fn check(diagonal: &[f64], off: &[f64]) -> Vec<f64> {
        let matrix = Tridiagonal { diagonal: diagonal.to_vec(), off: off.to_vec() };
        let (eigen, last) = (matrix.eigen(Progress::none()).unwrap(), matrix.last_entries(Progress::none()).unwrap());
        let m = diagonal.len();
        let size = diagonal.iter().chain(off).fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
        for i in 0..m {
            let u = eigen.vector(i);
            for row in 0..m {
                let below = if row > 0 { off[row - 1] * u[row - 1] } else { 0.0 };
                let above = if row + 1 < m { off[row] * u[row + 1] } else { 0.0 };
                let residual = below + diagonal[row] * u[row] + above - eigen.values[i] * u[row];
                assert!(residual.abs() < 1e-13 * m as f64 * size, "{residual:e}");
            }
            for j in 0..m {
                let product: f64 = u.iter().zip(eigen.vector(j)).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(i == j)).abs() < 1e-13 * m as f64);
            }
            assert_eq!(last.values[i], eigen.values[i]);
            assert_eq!(last.vector(i), &u[m - 1..]);
        }
        let mut values = eigen.values;
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    #[test]
    fn eigenvalues_of_known_matrices() {
        assert_eq!(check(&[], &[]), [0.0; 0]);
        assert_eq!(check(&[-3.0], &[]), [-3.0]);
        assert_eq!(check(&[2.0, 2.0, -1.0], &[0.0, 0.0]), [-1.0, 2.0, 2.0]);
        check(&[0.0; 4], &[0.0; 3]);
        // 2 cos(i pi / (m + 1)).
        let m = 50;
        let found = check(&vec![0.0; m], &vec![1.0; m - 1]);
        for (i, value) in found.iter().enumerate() {
            let expected = -2.0 * ((i + 1) as f64 * std::f64::consts::PI / (m + 1) as f64).cos();
            assert!((value - expected).abs() < 1e-13, "{value} instead of {expected}");
        }
    }

    #[test]
    fn random_matrices_of_all_sizes() {
        let mut random = SplitMix::new(1);
        for m in 1..40 {
            for scale in [1.0, 1e-150, 1e150] {
                let mut draw = |n: usize| (0..n).map(|_| scale * (random.unit() * 2.0 - 1.0)).collect::<Vec<f64>>();
                check(&draw(m), &draw(m - 1));
            }
            // Magnitudes from 1 down to 1e-20.
            let graded = |i: usize| 10_f64.powf(-20.0 * i as f64 / m as f64);
            let off: Vec<f64> = (1..m).map(graded).collect();
            check(&(0..m).map(graded).collect::<Vec<f64>>(), &off);
            check(&(0..m).rev().map(graded).collect::<Vec<f64>>(), &off);
        }
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        let matrix = Tridiagonal { diagonal: vec![1.0, f64::NAN, 1.0], off: vec![1.0, 1.0] };
        let error = matrix.eigen(Progress::none()).unwrap_err().to_string();
        assert!(error.contains("as it is (plain)"), "{error}");
    }
}
