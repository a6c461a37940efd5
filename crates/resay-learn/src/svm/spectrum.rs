//! Clips the negative part of the spectrum of a kernel matrix.
//!
//! A kernel that compares words by relations other than equivalence relations need not be positive
//! semi-definite; the SVM problem is then not convex. Clipping removes the negative part. For the
//! eigenpairs K v = λ v,
//!
//!   K+ = K − Σ over λ < 0 of λ v vᵀ = K P,  P = I − Σ over λ < 0 of v vᵀ.
//!
//! Coefficients a trained on K+ can score with K alone: row(x) P a = row(x) · (P a). So a model
//! trained with clipping is like any other model, except that it is dense: almost no entry of P a
//! is 0.
//!
//! Input: a symmetric Gram matrix. Output: eigenpairs with λ < 0. Algorithm: Lanczos with full
//! reorthogonalisation (twice; Golub and Van Loan, chapter 10) from a fixed start. Up to
//! `MAX_STEPS` rows, it makes all steps and finds all eigenpairs. Beyond that, it finds the outer
//! eigenvalues first: it stops when no relevant one is left unconverged, and keeps converged ones
//! only. If the steps exhaust an invariant subspace, it restarts outside of it. So it also finds
//! repeated eigenvalues if it makes all steps; otherwise it may miss some.

use super::smo::dot;
use super::tridiagonal::{Eigen, Tridiagonal};
use super::{SolverStop, check_finite};
use crate::matrix::Gram;
use crate::progress::Progress;
use crate::rng::SplitMix;
use crate::{Error, Result};
use rayon::prelude::*;

/// Maximum number of Lanczos steps.
const MAX_STEPS: usize = 400;
/// Number of steps between two convergence checks.
const STEPS_BETWEEN: usize = 20;
/// Negative eigenvalues are relevant above this share of the mean eigenvalue, which is the mean of
/// the diagonal. The largest eigenvalue would be a bad reference: it reflects what all pairs have
/// in common, grows with their number and would hide eigenvalues that ruin a model.
const MATTERS: f64 = 1e-3;
/// An eigenpair has converged if |K v − λ v| is at most this share of the largest eigenvalue.
const SETTLED: f64 = 1e-7;
/// Eigenvalues up to this share of the largest count as 0: the Gram matrix is rounded to `f32`.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;
/// The subspace is invariant if the next step leaves it by less than this share of the largest
/// eigenvalue.
const NOWHERE: f64 = 1e-11;
/// Seed of the starting vector.
const SEED: u64 = 1;

/// A negative eigenvalue and its eigenvector, of length 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Negative {
    /// λ.
    pub value: f64,
    /// v.
    pub vector: Vec<f64>,
}

/// A Gram matrix without the negative part of its spectrum.
#[derive(Clone, Debug)]
pub struct Clipped {
    /// K+ in the leading block, and row P in the rows below it.
    pub gram: Gram,
    /// The removed eigenpairs, lowest first.
    pub vectors: Vec<Negative>,
    /// Whether all relevant eigenpairs were found.
    pub stop: SolverStop,
}

impl Clipped {
    /// Returns P a: turns coefficients trained on K+ into coefficients for plain kernel rows. P is
    /// symmetric, so this also turns a plain row into a row that matches K+.
    pub fn project(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut projected = coefficients.to_vec();
        for Negative { vector, .. } in &self.vectors {
            let share: f64 = vector.iter().zip(coefficients).map(|(v, a)| v * a).sum();
            projected.iter_mut().zip(vector).for_each(|(a, v)| *a -= share * v);
        }
        projected
    }
}

/// Clips the spectrum of the leading `n` × `n` block, which is symmetric. The rows below it belong
/// to pairs that are only scored: they become row P, as if plain rows were scored with P a.
pub fn clip(gram: Gram, n: usize, progress: Progress<'_>) -> Result<Clipped> {
    let lanczos = Lanczos::new(&gram, n, progress)?;
    let vectors = lanczos.negative(progress)?;
    let mut clipped = Clipped { gram, vectors, stop: lanczos.stop };
    if clipped.vectors.is_empty() {
        return Ok(clipped);
    }
    // sqrt(−λ) v: a product of two of its entries makes K+ symmetric to the last bit.
    let scaled = |Negative { value, vector }: &Negative| -> Vec<f64> {
        vector.iter().map(|entry| (-value).sqrt() * entry).collect()
    };
    let scaled: Vec<Vec<f64>> = clipped.vectors.iter().map(scaled).collect();
    let n_columns = clipped.gram.n_columns();
    let mut values = std::mem::take(&mut clipped.gram).into_values();
    values.par_chunks_mut(n_columns).enumerate().try_for_each(|(i, row)| {
        progress.check()?;
        let mut exact: Vec<f64> = row[..n].iter().map(|&value| f64::from(value)).collect();
        if i < n {
            for u in &scaled {
                exact.iter_mut().zip(u).for_each(|(value, entry)| *value += u[i] * entry);
            }
        } else {
            exact = clipped.project(&exact);
        }
        row.iter_mut().zip(exact).for_each(|(value, exact)| *value = exact as f32);
        Ok(())
    })?;
    clipped.gram = Gram::new(n_columns, values);
    Ok(clipped)
}

/// Returns the least eigenvalue found: exact up to `MAX_STEPS` rows, an upper bound beyond. 0 if
/// there are no rows.
pub fn least(gram: &Gram, progress: Progress<'_>) -> Result<f64> {
    let eigen = Lanczos::new(gram, gram.n_rows(), progress)?.matrix.last_entries(progress)?;
    Ok(eigen.values.into_iter().min_by(f64::total_cmp).unwrap_or(0.0))
}

/// K Q = Q T + beta q eᵀ after some steps: Q is orthonormal, T tridiagonal, q the direction of the
/// next step.
struct Lanczos {
    /// The columns of Q.
    basis: Vec<Vec<f64>>,
    /// T.
    matrix: Tridiagonal,
    beta: f64,
    stop: SolverStop,
}

impl Lanczos {
    /// Runs Lanczos on the leading `n` rows and columns.
    fn new(gram: &Gram, n: usize, progress: Progress<'_>) -> Result<Self> {
        if n > gram.n_rows() || n > gram.n_columns() {
            return Err(Error::data(format!(
                "a Gram of {} x {}, expected at least {n} rows and columns to find eigenvalues of",
                gram.n_rows(),
                gram.n_columns()
            )));
        }
        check_finite(gram, progress)?;
        let mean = (0..n).map(|i| f64::from(gram.row(i)[i]).abs()).sum::<f64>() / n.max(1) as f64;
        let mut random = SplitMix::new(SEED);
        let mut lanczos =
            Self { basis: Vec::new(), matrix: Tridiagonal::default(), beta: 0.0, stop: SolverStop::Converged };
        let (mut next, mut size, mut before) = (lanczos.start(n, &mut random), 0.0_f64, None);
        while let Some(direction) = next.take() {
            // w = K q − (its projection onto Q).
            let entry = |i: usize| progress.check().map(|()| dot(&direction, &gram.row(i)[..n]));
            let mut w: Vec<f64> = (0..n).into_par_iter().map(entry).collect::<Result<_>>()?;
            let alpha = product(&w, &direction);
            lanczos.basis.push(direction);
            lanczos.leave(&mut w);
            lanczos.beta = length(&w);
            lanczos.matrix.diagonal.push(alpha);
            size = size.max(alpha.abs() + lanczos.beta);
            let n_steps = lanczos.basis.len();
            if n_steps == n {
                lanczos.beta = 0.0;
                break;
            }
            if n > MAX_STEPS && n_steps.is_multiple_of(STEPS_BETWEEN) {
                // Eigenvalues still missing show as changes of the lower end of the spectrum in
                // later steps.
                let now = Outlook::new(&lanczos.matrix.last_entries(progress)?, lanczos.beta, MATTERS * mean);
                if now.n_unsettled == 0 && before.as_ref().is_some_and(|before| now.is_as(before)) {
                    break;
                }
                if n_steps >= MAX_STEPS {
                    lanczos.stop = SolverStop::Limit;
                    break;
                }
                before = Some(now);
            }
            next = if lanczos.beta > NOWHERE * size {
                w.iter_mut().for_each(|entry| *entry /= lanczos.beta);
                Some(w)
            } else {
                lanczos.beta = 0.0;
                lanczos.start(n, &mut random)
            };
            if next.is_some() {
                lanczos.matrix.off.push(lanczos.beta);
            }
        }
        Ok(lanczos)
    }

    /// Draws a new direction orthogonal to Q; `None` if Q spans everything.
    fn start(&self, n: usize, random: &mut SplitMix) -> Option<Vec<f64>> {
        if self.basis.len() >= n {
            return None;
        }
        // One draw in thousands lies within Q up to rounding.
        (0..100).find_map(|_| {
            let mut w: Vec<f64> = (0..n).map(|_| random.unit() * 2.0 - 1.0).collect();
            let before = length(&w);
            self.leave(&mut w);
            let after = length(&w);
            w.iter_mut().for_each(|entry| *entry /= after);
            (after > 1e-8 * before).then_some(w)
        })
    }

    /// w <- w − Q Qᵀ w, twice: the second pass removes the rounding error of the first.
    fn leave(&self, w: &mut [f64]) {
        const PIECE: usize = 512;
        for _ in 0..2 {
            let shares: Vec<f64> = self.basis.par_iter().map(|q| product(q, w)).collect();
            w.par_chunks_mut(PIECE).enumerate().for_each(|(number, piece)| {
                for (q, share) in self.basis.iter().zip(&shares) {
                    piece.iter_mut().zip(&q[number * PIECE..]).for_each(|(entry, q)| *entry -= share * q);
                }
            });
        }
    }

    /// Returns the converged eigenpairs below 0, lowest first.
    fn negative(&self, progress: Progress<'_>) -> Result<Vec<Negative>> {
        let eigen = self.matrix.eigen(progress)?;
        let m = eigen.values.len();
        let largest = largest(&eigen);
        let is_taken = |&i: &usize| {
            let residual = eigen.vector(i).last().map_or(0.0, |last| (self.beta * last).abs());
            eigen.values[i] < -ROUNDING * largest && residual <= SETTLED * largest
        };
        let mut taken: Vec<usize> = (0..m).filter(is_taken).collect();
        taken.sort_by(|a, b| eigen.values[*a].total_cmp(&eigen.values[*b]));
        let vector = |&i: &usize| {
            progress.check()?;
            let mut vector = vec![0.0; self.basis.first().map_or(0, Vec::len)];
            for (q, share) in self.basis.iter().zip(eigen.vector(i)) {
                vector.iter_mut().zip(q).for_each(|(entry, q)| *entry += share * q);
            }
            Ok(Negative { value: eigen.values[i], vector })
        };
        taken.par_iter().map(vector).collect()
    }
}

/// The lower end of the spectrum after some steps.
struct Outlook {
    least: f64,
    /// Eigenvalues below −limit are relevant.
    limit: f64,
    /// Number of relevant eigenvalues, and how many of them have not converged.
    n_negative: usize,
    n_unsettled: usize,
}

impl Outlook {
    /// From eigenvalues and the last entries of their eigenvectors.
    fn new(eigen: &Eigen, beta: f64, limit: f64) -> Self {
        let largest = largest(eigen);
        let matters = || (0..eigen.values.len()).filter(|&i| eigen.values[i] < -limit);
        let is_unsettled = |i: &usize| eigen.vector(*i).iter().any(|last| (beta * last).abs() > SETTLED * largest);
        Self {
            least: eigen.values.iter().copied().fold(f64::INFINITY, f64::min),
            limit,
            n_negative: matters().count(),
            n_unsettled: matters().filter(is_unsettled).count(),
        }
    }

    fn is_as(&self, before: &Self) -> bool {
        self.n_negative == before.n_negative && (self.least - before.least).abs() <= self.limit / 10.0
    }
}

/// The largest absolute eigenvalue.
fn largest(eigen: &Eigen) -> f64 {
    eigen.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Dot product. Eight partial sums keep the additions independent.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum()
}

fn length(w: &[f64]) -> f64 {
    product(w, w).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::testing::stops;

    fn clip(gram: Gram, n: usize) -> Result<Clipped> {
        super::clip(gram, n, Progress::none())
    }

    fn least(gram: &Gram) -> Result<f64> {
        super::least(gram, Progress::none())
    }

    fn gram(n: usize, value: impl Fn(usize, usize) -> f64) -> Gram {
        let value = |at: usize| value((at / n).max(at % n), (at / n).min(at % n)) as f32;
        Gram::new(n, (0..n * n).map(value).collect())
    }

    /// A random symmetric matrix with values in [-1, 1).
    fn random(n: usize, seed: u64) -> Gram {
        let mut random = SplitMix::new(seed);
        let values: Vec<f64> = (0..n * n).map(|_| random.unit() * 2.0 - 1.0).collect();
        gram(n, |i, j| values[i * n + j])
    }

    /// X Xᵀ with X of n x rank.
    fn semi_definite(n: usize, rank: usize, seed: u64) -> Gram {
        let mut random = SplitMix::new(seed);
        let x: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| random.unit() * 2.0 - 1.0).collect()).collect();
        gram(n, |i, j| product(&x[i], &x[j]))
    }

    /// H diag(values) H with the reflection H = I - 2 w wT: a dense matrix with a known spectrum.
    fn of_spectrum(values: &[f64], seed: u64) -> Gram {
        let (n, mut random) = (values.len(), SplitMix::new(seed));
        let mut w: Vec<f64> = (0..n).map(|_| random.unit() * 2.0 - 1.0).collect();
        let norm = length(&w);
        w.iter_mut().for_each(|entry| *entry /= norm);
        let inner: f64 = w.iter().zip(values).map(|(w, value)| w * w * value).sum();
        let diagonal = |i: usize, j: usize| if i == j { values[i] } else { 0.0 };
        gram(n, |i, j| diagonal(i, j) + w[i] * w[j] * (4.0 * inner - 2.0 * (values[i] + values[j])))
    }

    /// All eigenvalues by Jacobi rotations, increasing: slow but reliable.
    fn by_jacobi(gram: &Gram) -> Vec<f64> {
        let n = gram.n_rows();
        let mut a: Vec<Vec<f64>> =
            (0..n).map(|i| gram.row(i).iter().map(|&value| f64::from(value)).collect()).collect();
        for _ in 0..60 {
            for p in 0..n {
                for q in p + 1..n {
                    if a[p][q] == 0.0 {
                        continue;
                    }
                    let (sine, cosine) = ((2.0 * a[p][q]).atan2(a[q][q] - a[p][p]) / 2.0).sin_cos();
                    for row in &mut a {
                        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                    }
                    let (head, tail) = a.split_at_mut(q);
                    for (above, below) in head[p].iter_mut().zip(&mut tail[0]) {
                        (*above, *below) = (cosine * *above - sine * *below, sine * *above + cosine * *below);
                    }
                }
            }
        }
        let off = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j].abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "Jacobi left {off:e}");
        let mut values: Vec<f64> = (0..n).map(|i| a[i][i]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Checks that K v = λ v and that the v are orthonormal.
    fn check_pairs(gram: &Gram, pairs: &[Negative], tolerance: f64) {
        for (number, Negative { value, vector }) in pairs.iter().enumerate() {
            for (i, entry) in vector.iter().enumerate() {
                let residual = dot(vector, gram.row(i)) - value * entry;
                assert!(residual.abs() < tolerance, "eigenvalue {value}: {residual:e}");
            }
            for (other, pair) in pairs.iter().enumerate() {
                assert!((product(vector, &pair.vector) - f64::from(number == other)).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn small_matrices_have_jacobi_s_eigenvalues_and_lose_the_negative_ones() {
        let relatives = |n: usize| gram(n, move |i, j| f64::from(i - j < 2 && i / 3 == j / 3));
        // Three words, the middle one related to both others, once and many times: 1 - sqrt(2) is a
        // repeated eigenvalue.
        let mut all = vec![relatives(3), relatives(30), gram(5, |_, _| 0.0), gram(4, |i, j| -f64::from(i == j))];
        all.push(gram(7, |_, _| -1.0));
        for seed in 0..6 {
            all.extend([1, 2, 3, 9, 25, 40].map(|n| random(n, seed)));
            all.extend([1, 6, 40].map(|n| semi_definite(n, 4, seed)));
        }
        for (number, gram) in all.into_iter().enumerate() {
            let (n, values) = (gram.n_rows(), by_jacobi(&gram));
            assert!((least(&gram).unwrap() - values[0]).abs() < 1e-10, "matrix {number}");
            let clipped = clip(gram.clone(), n).unwrap();
            assert_eq!(clipped.stop, SolverStop::Converged);
            check_pairs(&gram, &clipped.vectors, 1e-10);
            let expected: Vec<f64> = values.into_iter().filter(|value| *value < -1e-6).collect();
            assert_eq!(clipped.vectors.iter().filter(|pair| pair.value < -1e-6).count(), expected.len(), "{number}");
            for (pair, value) in clipped.vectors.iter().zip(&expected) {
                assert!((pair.value - value).abs() < 1e-10, "{} instead of {value}", pair.value);
            }
            assert!(by_jacobi(&clipped.gram)[0] >= -1e-6, "matrix {number}");
            assert!((0..n).all(|i| (0..i).all(|j| clipped.gram.row(i)[j] == clipped.gram.row(j)[i])));
        }
    }

    #[test]
    fn the_three_related_words() {
        let gram = Gram::new(3, vec![1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        let clipped = clip(gram, 3).unwrap();
        assert_eq!(clipped.vectors.len(), 1);
        assert!((clipped.vectors[0].value - (1.0 - 2.0_f64.sqrt())).abs() < 1e-12);
        // v = (1, -sqrt(2), 1) / 2, so K+ = K + (sqrt(2) - 1) v vT.
        let corner = 1.0 + (2.0_f64.sqrt() - 1.0) / 4.0;
        assert!((f64::from(clipped.gram.row(0)[0]) - corner).abs() < 1e-7);
    }

    #[test]
    fn a_semi_definite_matrix_stays_as_it_is() {
        for (n, rank) in [(1, 1), (10, 10), (40, 5), (40, 40), (450, 30)] {
            let before = semi_definite(n, rank, 3);
            let after = clip(before.clone(), n).unwrap();
            for i in 0..n {
                for (a, b) in before.row(i).iter().zip(after.gram.row(i)) {
                    assert!((a - b).abs() <= 1e-6, "{n} x {n} of rank {rank}: {a} became {b}");
                }
            }
            assert_eq!(after.stop, SolverStop::Converged);
        }
    }

    #[test]
    fn projected_coefficients_score_plain_rows_as_others_score_clipped_ones() {
        for seed in 0..5 {
            // Twelve training rows and eight rows that are only scored.
            let (plain, mut random) = (random(20, seed), SplitMix::new(seed + 100));
            let clipped = clip(plain.clone(), 12).unwrap();
            assert!(!clipped.vectors.is_empty());
            let coefficients: Vec<f64> = (0..12).map(|_| random.unit() * 2.0 - 1.0).collect();
            let projected = clipped.project(&coefficients);
            for row in 0..20 {
                let expected = dot(&coefficients, &clipped.gram.row(row)[..12]);
                let found = dot(&projected, &plain.row(row)[..12]);
                assert!((found - expected).abs() < 1e-5, "row {row}: {found} instead of {expected}");
                assert_eq!(clipped.gram.row(row)[12..], plain.row(row)[12..]);
            }
            // P P = P.
            let again = clipped.project(&projected);
            assert!(again.iter().zip(&projected).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn of_a_large_matrix_the_ends_are_found_in_fewer_steps() {
        // Most of the spectrum lies between 0.1 and 1.1. The ends stand out, by far less than the
        // largest eigenvalue.
        let n = 700;
        let mut values: Vec<f64> = (0..n).map(|i| 0.1 + i as f64 / n as f64).collect();
        (values[5], values[70], values[300], values[301], values[699]) = (90.0, -0.7, -0.1, -0.02, 1.5);
        let gram = of_spectrum(&values, 8);
        let lanczos = Lanczos::new(&gram, n, Progress::none()).unwrap();
        assert!(lanczos.stop == SolverStop::Converged && lanczos.basis.len() < 300, "{} steps", lanczos.basis.len());
        let clipped = clip(gram.clone(), n).unwrap();
        check_pairs(&gram, &clipped.vectors, SETTLED * 91.0);
        for (pair, expected) in clipped.vectors.iter().zip([-0.7, -0.1, -0.02]) {
            assert!((pair.value - expected).abs() < 1e-5, "{} instead of {expected}", pair.value);
        }
        assert_eq!(clipped.vectors.len(), 3);
        assert!((least(&gram).unwrap() + 0.7).abs() < 1e-5);
        assert!(least(&clipped.gram).unwrap() > -1e-5);
    }

    #[test]
    fn where_steps_run_out_only_what_is_sure_is_taken() {
        // A spectrum without isolated ends: 2 cos(x). No eigenvalue converges in 400 of 1200 steps.
        let n = 1200;
        let values: Vec<f64> = (0..n).map(|i| 2.0 * (i as f64 / n as f64 * std::f64::consts::PI).cos()).collect();
        let gram = of_spectrum(&values, 9);
        let clipped = clip(gram.clone(), n).unwrap();
        assert_eq!(clipped.stop, SolverStop::Limit);
        check_pairs(&gram, &clipped.vectors, SETTLED * 2.1);
        assert!(least(&gram).unwrap() < -1.9);
    }

    #[test]
    fn threads_change_no_bit() {
        let gram = random(90, 4);
        let on = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| clip(gram.clone(), 90).unwrap())
        };
        let (one, four) = (on(1), on(4));
        assert_eq!((&one.gram, &one.vectors), (&four.gram, &four.vectors));
    }

    #[test]
    fn wrong_input_is_refused_and_no_input_is_fine() {
        let check = |gram: Gram, n: usize, expected: &str| {
            let found =
                clip(gram, n).map_or_else(|error| error.to_string(), |clipped| clipped.gram.n_rows().to_string());
            assert!(found.contains(expected), "{found}");
        };
        check(Gram::default(), 0, "0");
        check(random(3, 1), 0, "3");
        check(random(3, 1), 4, "3 x 3, expected at least 4");
        check(Gram::new(2, vec![1.0, 2.0]), 2, "1 x 2, expected at least 2");
        check(Gram::new(1, vec![f32::NAN]), 1, "expected a finite number");
        check(Gram::new(2, vec![0.0, f32::MAX, f32::MAX, 0.0]), 2, "2");
        assert_eq!(least(&Gram::default()).unwrap(), 0.0);
    }

    #[test]
    fn clipping_can_be_stopped() {
        let values: Vec<f64> = (0..1200).map(|i| 2.0 * (i as f64 / 1200.0 * std::f64::consts::PI).cos()).collect();
        let gram = of_spectrum(&values, 10);
        stops(|progress| super::clip(gram.clone(), 1200, progress));
        stops(|progress| super::least(&gram, progress));
    }
}
