//! Principal components: the directions of largest variance, in decreasing order.
//!
//! Finds the eigenvectors of a symmetric n×n matrix by Jacobi's method: it rotates two axes at a
//! time so that the entry between them becomes 0, and sweeps over all pairs of axes until the
//! matrix is diagonal (Golub and Van Loan, section 8.5). For a hundred dimensions this takes a
//! fraction of a second. It uses only the four basic operations and square roots, so the same
//! matrix gives the same bits everywhere.

/// Enough sweeps for any matrix of reasonable size; convergence is quadratic at the end.
const MAX_SWEEPS: usize = 60;

/// Σ x xᵀ over all vectors x, `values[vector * dimensions + dimension]`, in row-major order.
pub(crate) fn products(values: &[f64], dimensions: usize) -> Vec<f64> {
    let mut matrix = vec![0.0; dimensions * dimensions];
    for vector in values.chunks_exact(dimensions) {
        for (row, &a) in matrix.chunks_exact_mut(dimensions).zip(vector) {
            for (entry, &b) in row.iter_mut().zip(vector) {
                *entry += a * b;
            }
        }
    }
    matrix
}

/// Returns the eigenvalues, largest first, each with its eigenvector of length 1.
pub(crate) fn eigenvectors(matrix: &[f64], n: usize) -> Vec<(f64, Vec<f64>)> {
    let mut a = matrix.to_vec();
    // vectors[k * n..][..n] becomes the k-th eigenvector.
    let mut vectors: Vec<f64> = (0..n * n).map(|at| f64::from(u8::from(at / n == at % n))).collect();
    for _ in 0..MAX_SWEEPS {
        let size = |is_counted: &dyn Fn(usize) -> bool| {
            (0..n * n).filter(|&at| is_counted(at)).fold(0.0, |sum, at| sum + a[at] * a[at])
        };
        if size(&|at| at / n != at % n) <= 1e-26 * size(&|_| true) {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, n, p, q);
            }
        }
    }
    let mut found: Vec<(f64, Vec<f64>)> =
        (0..n).map(|k| (a[k * n + k], vectors[k * n..(k + 1) * n].to_vec())).collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found
}

/// Rotates axes p and q so that `a[p][q]` becomes 0: t² + 2θt - 1 = 0 with
/// `θ = (a[q][q] - a[p][p]) / 2a[p][q]`, the smaller root.
fn rotate(a: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) {
    let between = a[p * n + q];
    if between == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * between);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |list: &mut [f64], x: usize, y: usize| {
        let (old_x, old_y) = (list[x], list[y]);
        list[x] = cosine * old_x - sine * old_y;
        list[y] = sine * old_x + cosine * old_y;
    };
    for k in 0..n {
        turn(a, k * n + p, k * n + q);
    }
    for k in 0..n {
        turn(a, p * n + k, q * n + k);
        turn(vectors, p * n + k, q * n + k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_matrices() {
        let check = |matrix: &[f64], n: usize, expected: &[f64]| {
            let found: Vec<f64> = eigenvectors(matrix, n).into_iter().map(|(value, _)| value).collect();
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        };
        check(&[2.0], 1, &[2.0]);
        check(&[2.0, 1.0, 1.0, 2.0], 2, &[3.0, 1.0]);
        check(&[0.0, 0.0, 0.0, 5.0], 2, &[5.0, 0.0]);
        check(&[2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0], 3, &[2.0 + 2f64.sqrt(), 2.0, 2.0 - 2f64.sqrt()]);
    }

    #[test]
    fn every_vector_is_stretched_by_its_value_and_square_to_the_others() {
        let n = 12;
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let values: Vec<f64> = (0..40 * n).map(|_| next()).collect();
        let matrix = products(&values, n);
        let found = eigenvectors(&matrix, n);
        assert!(found.is_sorted_by(|a, b| a.0 >= b.0) && found.len() == n);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        for (k, (value, vector)) in found.iter().enumerate() {
            for (row, entry) in matrix.chunks_exact(n).zip(vector) {
                assert!((dot(row, vector) - value * entry).abs() < 1e-9);
            }
            for (other, (_, square)) in found.iter().enumerate() {
                assert!((dot(vector, square) - f64::from(u8::from(k == other))).abs() < 1e-9);
            }
        }
    }
}
