//! One step over jumps: from N values by last token to N values by first token, or back.
//!
//! Sums use scaled exponentials, computed once per lattice for jumps and once per step for values,
//! so that the N x N loop only multiplies and adds. A sum that is too small to be trusted, because
//! its terms may have underflowed, is recomputed from logarithms. With scores of ordinary size this
//! never happens; with others the result is just as exact.

use super::exp::exp;

/// Exponentials below 1e-307 are lost, at most N of them per sum: negligible in a sum of at least
/// this.
const TRUSTED: f64 = 1e-280;

/// The scores of jumps in one direction, and their exponentials.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    /// `logs[n - 1 - from + to]`.
    logs: Vec<f64>,
    /// exp of `logs`, scaled so that the largest is 1; all 0 if every jump is forbidden.
    ways: Vec<f64>,
    /// The largest of `logs`.
    most: f64,
}

impl Jumps {
    /// Sets the scores of jumps. `ways` is only computed if sums will be needed.
    pub(super) fn set(&mut self, logs: impl Iterator<Item = f64>, with_ways: bool) {
        self.logs.clear();
        self.logs.extend(logs);
        self.most = largest(&self.logs);
        self.ways.clear();
        if with_ways {
            self.ways.extend(self.logs.iter().map(|&log| exp(log - self.most)));
        }
    }

    /// The largest score of a jump; minus infinity if there are none.
    pub(super) fn most(&self) -> f64 {
        self.most
    }

    /// The scaled exponentials.
    pub(super) fn ways(&self) -> &[f64] {
        &self.ways
    }

    /// `out[to] = max(other, max over from of values[from] + jump)`: N^2 additions.
    pub(super) fn best(&self, values: &[f64], other: f64, out: &mut [f64]) {
        out.fill(other);
        for (from, &value) in values.iter().enumerate() {
            if value > f64::NEG_INFINITY {
                for (out, log) in out.iter_mut().zip(&self.logs[values.len() - 1 - from..]) {
                    *out = larger(*out, value + log);
                }
            }
        }
    }

    /// `out[to] = ln(exp(other) + sum over from of exp(values[from] + jump))`: N^2 multiplications,
    /// N logarithms. `masses` are the exponentials of the values, scaled by [`scale`], which
    /// returned `top`.
    pub(super) fn sum(&self, values: &[f64], masses: &[f64], top: f64, other: f64, out: &mut [f64]) {
        let reference = larger(top + self.most, other);
        if reference == f64::NEG_INFINITY {
            return out.fill(f64::NEG_INFINITY);
        }
        let (share, other_share) = ((top + self.most - reference).exp(), (other - reference).exp());
        out.fill(0.0);
        for (from, &mass) in masses.iter().enumerate() {
            if mass > 0.0 {
                let ways = &self.ways[masses.len() - 1 - from..];
                out.iter_mut().zip(ways).for_each(|(out, way)| *out += mass * way);
            }
        }
        for (to, out) in out.iter_mut().enumerate() {
            let sum = *out * share + other_share;
            *out = if sum >= TRUSTED { reference + sum.ln() } else { self.sum_of_logs(values, other, to) };
        }
    }

    /// One sum, computed from logarithms.
    fn sum_of_logs(&self, values: &[f64], other: f64, to: usize) -> f64 {
        let terms = || {
            let jumps = self.logs[to..to + values.len()].iter().rev();
            values.iter().zip(jumps).map(|(value, log)| value + log).chain([other])
        };
        let top = terms().fold(f64::NEG_INFINITY, larger);
        if top == f64::NEG_INFINITY { top } else { top + terms().map(|term| (term - top).exp()).sum::<f64>().ln() }
    }
}

/// The larger of two numbers, in one instruction: without special treatment of NaN.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The largest value; minus infinity if there are none.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, larger)
}

/// Writes the exponentials of `values`, scaled so that the largest is 1, to `masses` and returns
/// the largest value. All are 0 if every value is forbidden: the difference is then NaN.
pub(super) fn scale(values: &[f64], masses: &mut [f64]) -> f64 {
    let top = largest(values);
    masses.iter_mut().zip(values).for_each(|(mass, &value)| *mass = exp(value - top));
    top
}

/// ln of the unscaled sum of scaled exponentials.
pub(super) fn log_total(masses: &[f64], top: f64) -> f64 {
    if top == f64::NEG_INFINITY { top } else { top + masses.iter().sum::<f64>().ln() }
}

/// ln(exp a + exp b).
pub(super) fn log_add(a: f64, b: f64) -> f64 {
    let (most, least) = if a > b { (a, b) } else { (b, a) };
    if least == f64::NEG_INFINITY { most } else { most + (least - most).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Scores of any magnitude, some of them forbidden.
    fn any_score() -> impl Strategy<Value = f64> {
        prop_oneof![3 => -3.0..3.0, 2 => -1e4..1e4, 1 => Just(f64::NEG_INFINITY)]
    }

    fn is_close(found: f64, expected: f64) -> bool {
        found == expected || (found - expected).abs() <= 1e-12 * (1.0 + expected.abs())
    }

    proptest! {
        #[test]
        fn sums_of_exponentials_are_sums_of_logarithms(
            values in prop::collection::vec(any_score(), 1..7),
            jumps in prop::collection::vec(any_score(), 13),
            other in any_score(),
        ) {
            let n = values.len();
            let mut step = Jumps::default();
            step.set(jumps[..2 * n - 1].iter().copied(), true);
            let mut masses = vec![0.0; n];
            let top = scale(&values, &mut masses);
            let (mut sums, mut best) = (vec![0.0; n], vec![0.0; n]);
            step.sum(&values, &masses, top, other, &mut sums);
            step.best(&values, other, &mut best);
            for to in 0..n {
                let terms: Vec<f64> =
                    (0..n).map(|from| values[from] + jumps[n - 1 + to - from]).chain([other]).collect();
                prop_assert_eq!(best[to], largest(&terms));
                let expected = terms.iter().fold(f64::NEG_INFINITY, |sum, &term| log_add(sum, term));
                prop_assert!(is_close(sums[to], expected), "{} {}", sums[to], expected);
            }
            let expected = values.iter().fold(f64::NEG_INFINITY, |sum, &value| log_add(sum, value));
            prop_assert!(is_close(log_total(&masses, top), expected));
        }
    }

    #[test]
    fn a_sum_that_underflows_is_made_again() {
        // The only value that may jump to the first token is far below the other.
        let mut step = Jumps::default();
        step.set([f64::NEG_INFINITY, 0.5, 0.25].into_iter(), true);
        let values = [-5000.0, 3000.0];
        let mut masses = [0.0; 2];
        let top = scale(&values, &mut masses);
        let mut sums = [0.0; 2];
        step.sum(&values, &masses, top, f64::NEG_INFINITY, &mut sums);
        assert_eq!((masses, sums), ([0.0, 1.0], [-4999.5, 3000.5]));
    }
}
