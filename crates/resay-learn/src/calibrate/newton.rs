//! Newton's method for a few variables, some of which must not be negative.
//!
//! Problem: minimise a smooth convex function f(x), where xᵢ ≥ 0 for some i. Input: value, gradient
//! and Hessian of f, and a starting point. Output: the minimum. Algorithm: projected Newton
//! (Bertsekas 1982). Variables at 0 whose gradient pushes them below 0 stay there; the others take
//! a Newton step, which is shortened until f decreases enough and projected to xᵢ ≥ 0.
//!
//! f may be infinite outside its domain: such points count as too far.

/// A convex function with two derivatives.
pub(super) trait Convex {
    /// The value, or infinity outside the domain.
    fn value(&self, x: &[f64]) -> f64;

    /// Adds the derivatives to a zeroed gradient and to the lower triangle of a zeroed Hessian, in
    /// row-major order.
    fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]);
}

/// Maximum number of Newton steps. They converge quadratically; a dozen suffice.
const MAX_STEPS: usize = 200;
/// Converged when no component of the projected gradient is larger.
const FLAT: f64 = 1e-10;
/// Minimum decrease, as a share of what the gradient predicts.
const FALL: f64 = 1e-4;

/// Minimises from `x`, and leaves the minimum there. `bounded[i]` says whether xᵢ ≥ 0.
pub(super) fn minimise(function: &impl Convex, x: &mut [f64], bounded: &[bool]) {
    let n = x.len();
    let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
    let mut value = function.value(x);
    for _ in 0..MAX_STEPS {
        gradient.fill(0.0);
        hessian.fill(0.0);
        function.derivatives(x, &mut gradient, &mut hessian);
        let is_held = |i: usize| bounded[i] && x[i] <= 0.0 && gradient[i] >= 0.0;
        let free: Vec<usize> = (0..n).filter(|&i| !is_held(i)).collect();
        if free.iter().all(|&i| gradient[i].abs() <= FLAT) {
            return;
        }
        let Some(direction) = newton_direction(&free, &gradient, &hessian, n) else { return };
        let Some((point, lower)) = shorten(function, x, value, &free, &direction, &gradient, bounded) else { return };
        let has_moved = point.iter().zip(x.iter()).any(|(new, old)| new != old);
        x.copy_from_slice(&point);
        value = lower;
        if !has_moved {
            return;
        }
    }
}

/// Halves the step until the function decreases enough. Near the minimum, values are equal up to
/// rounding: a whole step that changes the value by no more than that is taken.
fn shorten(
    function: &impl Convex,
    x: &[f64],
    value: f64,
    free: &[usize],
    direction: &[f64],
    gradient: &[f64],
    bounded: &[bool],
) -> Option<(Vec<f64>, f64)> {
    let mut length = 1.0;
    while length > 1e-12 {
        let mut point = x.to_vec();
        let mut predicted = 0.0;
        for (&i, step) in free.iter().zip(direction) {
            let moved = x[i] + length * step;
            point[i] = if bounded[i] { moved.max(0.0) } else { moved };
            predicted += gradient[i] * (point[i] - x[i]);
        }
        let new_value = function.value(&point);
        let is_flat = length == 1.0 && (new_value - value).abs() <= 4.0 * f64::EPSILON * value.abs();
        if new_value <= value + FALL * predicted.min(0.0) || is_flat {
            return Some((point, new_value));
        }
        length *= 0.5;
    }
    None
}

/// Solves H d = −g for the free variables. Where rounding has made H singular, a growing multiple
/// of the identity is added.
fn newton_direction(free: &[usize], gradient: &[f64], hessian: &[f64], n: usize) -> Option<Vec<f64>> {
    let size = free.len();
    let entry = |i: usize, j: usize| hessian[free[i.max(j)] * n + free[i.min(j)]];
    let largest = (0..size).map(|i| entry(i, i)).fold(0.0, f64::max);
    let mut ridge = 1e-15 * largest.max(f64::MIN_POSITIVE);
    for _ in 0..20 {
        let mut lower = vec![0.0; size * size];
        if factorise(&mut lower, size, |i, j| entry(i, j) + if i == j { ridge } else { 0.0 }) {
            let mut direction: Vec<f64> = free.iter().map(|&i| -gradient[i]).collect();
            solve(&lower, &mut direction);
            return direction.iter().all(|step| step.is_finite()).then_some(direction);
        }
        ridge *= 10.0;
    }
    None
}

/// Cholesky: fills the lower triangle L with L Lᵀ = A. Returns false if A is not positive definite.
fn factorise(lower: &mut [f64], n: usize, entry: impl Fn(usize, usize) -> f64) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let (row_i, row_j) = (&lower[i * n..i * n + j], &lower[j * n..j * n + j]);
            let rest = entry(i, j) - row_i.iter().zip(row_j).map(|(left, right)| left * right).sum::<f64>();
            if i == j {
                // Also false for NaN.
                if !(rest > 0.0 && rest.is_finite()) {
                    return false;
                }
                lower[i * n + i] = rest.sqrt();
            } else {
                lower[i * n + j] = rest / lower[j * n + j];
            }
        }
    }
    true
}

/// Replaces b by the solution of L Lᵀ x = b.
fn solve(lower: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let known: f64 = (0..i).map(|j| lower[i * n + j] * b[j]).sum();
        b[i] = (b[i] - known) / lower[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| lower[j * n + i] * b[j]).sum();
        b[i] = (b[i] - known) / lower[i * n + i];
    }
}

/// Test helper: compares gradient and Hessian with differences of the value and the gradient.
#[cfg(test)]
pub(super) fn check_derivatives(function: &impl Convex, x: &[f64]) {
    let n = x.len();
    let derivatives = |x: &[f64]| {
        let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
        function.derivatives(x, &mut gradient, &mut hessian);
        (gradient, hessian)
    };
    let (gradient, hessian) = derivatives(x);
    let scale = 1.0 + gradient.iter().chain(&hessian).fold(0.0f64, |largest, value| largest.max(value.abs()));
    let step = 1e-5;
    for i in 0..n {
        let moved = |by: f64| {
            let mut moved = x.to_vec();
            moved[i] += by;
            moved
        };
        let slope = (function.value(&moved(step)) - function.value(&moved(-step))) / (2.0 * step);
        assert!((slope - gradient[i]).abs() < 1e-6 * scale, "gradient {i}: {} differs from {slope}", gradient[i]);
        let (above, below) = (derivatives(&moved(step)).0, derivatives(&moved(-step)).0);
        for j in i..n {
            let (found, slope) = (hessian[j * n + i], (above[j] - below[j]) / (2.0 * step));
            assert!((slope - found).abs() < 1e-6 * scale, "Hessian {j}, {i}: {found} differs from {slope}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// ½ xᵀAx − b·x.
    struct Quadratic {
        matrix: Vec<f64>,
        linear: Vec<f64>,
    }

    impl Convex for Quadratic {
        fn value(&self, x: &[f64]) -> f64 {
            let n = x.len();
            let product = |i: usize| (0..n).map(|j| self.matrix[i * n + j] * x[j]).sum::<f64>();
            (0..n).map(|i| x[i] * (0.5 * product(i) - self.linear[i])).sum()
        }

        fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]) {
            let n = x.len();
            for (i, slot) in gradient.iter_mut().enumerate() {
                *slot += (0..n).map(|j| self.matrix[i * n + j] * x[j]).sum::<f64>() - self.linear[i];
            }
            hessian.iter_mut().zip(&self.matrix).for_each(|(slot, value)| *slot += value);
        }
    }

    #[test]
    fn ends_where_the_optimality_conditions_hold() {
        for seed in 0..200 {
            let mut random = SplitMix::new(seed);
            let n = 1 + random.below(7);
            let root: Vec<f64> = (0..n * n).map(|_| random.unit() * 2.0 - 1.0).collect();
            let dot = |i: usize, j: usize| (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum::<f64>();
            let matrix = (0..n * n).map(|at| dot(at / n, at % n) + if at / n == at % n { 0.05 } else { 0.0 }).collect();
            let function = Quadratic { matrix, linear: (0..n).map(|_| random.unit() * 4.0 - 2.0).collect() };
            let bounded: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
            let mut x: Vec<f64> = (0..n).map(|_| random.unit()).collect();
            check_derivatives(&function, &x);
            minimise(&function, &mut x, &bounded);
            let mut gradient = vec![0.0; n];
            function.derivatives(&x, &mut gradient, &mut vec![0.0; n * n]);
            for i in 0..n {
                let is_optimal = if bounded[i] && x[i] == 0.0 { gradient[i] > -1e-8 } else { gradient[i].abs() < 1e-8 };
                assert!(is_optimal && !(bounded[i] && x[i] < 0.0), "seed {seed}: x {x:?}, gradient {gradient:?}");
            }
        }
    }

    /// f(x) = x − ln x is infinite below 0.
    #[test]
    fn the_end_of_the_domain_counts_as_too_far() {
        struct Log;
        impl Convex for Log {
            fn value(&self, x: &[f64]) -> f64 {
                if x[0] > 0.0 { x[0] - x[0].ln() } else { f64::INFINITY }
            }
            fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]) {
                gradient[0] += 1.0 - 1.0 / x[0];
                hessian[0] += 1.0 / (x[0] * x[0]);
            }
        }
        for start in [1e-6, 0.5, 1.0, 1.9, 2.5, 100.0] {
            let mut x = [start];
            minimise(&Log, &mut x, &[false]);
            assert!((x[0] - 1.0).abs() < 1e-9, "{x:?} from {start}");
        }
    }
}
