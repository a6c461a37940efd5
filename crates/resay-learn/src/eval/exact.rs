//! Exact intervals of shares of counts (Clopper and Pearson 1934).
//!
//! The lower bound is the probability of success at which at least as many successes as observed
//! have a chance of half of what the level leaves; the upper bound likewise for at most as many.
//! The interval covers the truth at least as often as its level says, whatever the truth is. Unlike
//! a bootstrap interval it is not empty at 0 and at 1.

use super::significance::{self, Interval, ResampleOptions, Sample, Units, check};
use crate::Result;

/// Returns the share `part / whole` with its exact interval; without trials 0, from 0 to 1.
/// `part` is at most `whole`, and `level` is between 0 and 1.
pub fn clopper_pearson(part: usize, whole: usize, level: f64) -> Interval {
    let part = part.min(whole);
    let (k, n, tail) = (part as f64, whole as f64, 0.5 * (1.0 - level));
    // At least k of n: I_p(k, n − k + 1), increasing in p. At most k: 1 − I_p(k + 1, n − k).
    let low = if part == 0 { 0.0 } else { solve(|p| incomplete_beta(k, n - k + 1.0, p) >= tail) };
    let high = if part == whole { 1.0 } else { solve(|p| incomplete_beta(k + 1.0, n - k, p) >= 1.0 - tail) };
    Interval { value: if whole == 0 { 0.0 } else { k / n }, low, high }
}

/// Returns the share of outcomes that are `true` with its interval. `None` are examples that do not
/// count (for precision, those predicted negative).
///
/// Single examples have the exact interval. Groups have the bootstrap interval over groups; where
/// it is empty at 0 or at 1, the exact one, with as many trials as groups that count.
pub fn share(outcomes: &[Option<bool>], groups: Option<&[usize]>, options: &ResampleOptions) -> Result<Interval> {
    check(options)?;
    let counted = |outcomes: &[Option<bool>]| {
        let part = outcomes.iter().filter(|outcome| **outcome == Some(true)).count();
        (part, outcomes.iter().flatten().count())
    };
    let (part, whole) = counted(outcomes);
    let Some(groups) = groups.filter(|_| whole > 0) else {
        return Ok(clopper_pearson(part, whole, options.level));
    };
    let figure = |_: &Sample<'_>, drawn: &[Option<bool>]| {
        let (part, whole) = counted(drawn);
        if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
    };
    let found = significance::bootstrap(outcomes, Some(groups), options, &figure)?;
    if found.low < found.high || (found.value > 0.0 && found.value < 1.0) {
        return Ok(found);
    }
    let rows = |outcome: &Option<bool>| outcome.is_some();
    let n_groups = Units::new(outcomes.len(), Some(groups))?.n_with(|row| outcomes.get(row).is_some_and(rows));
    Ok(clopper_pearson(if part == 0 { 0 } else { n_groups }, n_groups, options.level))
}

/// Returns bounds of F1 from intervals of precision and recall. F1 increases with both, so that it
/// is within the bounds whenever both are within theirs; the bounds are conservative.
pub fn f1_bounds(precision: &Interval, recall: &Interval) -> (f64, f64) {
    let f1 = |precision: f64, recall: f64| {
        let sum = precision + recall;
        if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
    };
    (f1(precision.low, recall.low), f1(precision.high, recall.high))
}

/// Returns the least probability that `is_reached` holds of, by bisection.
fn solve(is_reached: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // More halvings than a number has bits do not change it.
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if is_reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// The regularised incomplete beta function I_x(a, b), for positive a and b.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    // The continued fraction converges fast below the mean; above it, by symmetry.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const LEAST: f64 = 1e-300;
    let away = |value: f64| if value.abs() < LEAST { LEAST } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    // It takes about the square root of the larger of a and b.
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            factor = c * d;
            fraction *= factor;
        }
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The logarithm of the gamma function, for positive arguments (Lanczos, g = 7).
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let series: f64 = TERMS.iter().zip(1u8..).map(|(term, number)| term / (x + f64::from(number))).sum();
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + (0.999_999_999_999_809_9 + series).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance of at least `k` successes of `n`, term by term.
    fn at_least(k: usize, n: usize, p: f64) -> f64 {
        let choose = |i: usize| (0..i).map(|j| (n - j) as f64 / (j + 1) as f64).product::<f64>();
        (k..=n).map(|i| choose(i) * p.powi(i as i32) * (1.0 - p).powi((n - i) as i32)).sum()
    }

    #[test]
    fn the_bounds_leave_half_of_the_rest_in_each_tail() {
        for level in [0.5, 0.95, 0.99] {
            let tail = 0.5 * (1.0 - level);
            for n in [1, 2, 3, 7, 20, 60] {
                for k in 0..=n {
                    let found = clopper_pearson(k, n, level);
                    assert_eq!(found.value, k as f64 / n as f64);
                    assert!(found.low <= found.value && found.value <= found.high, "{k} of {n}: {found:?}");
                    let above = at_least(k, n, found.low);
                    assert!(if k == 0 { found.low == 0.0 } else { (above - tail).abs() < 1e-9 }, "{k} of {n}: {above}");
                    let below = 1.0 - at_least(k + 1, n, found.high);
                    assert!(
                        if k == n { found.high == 1.0 } else { (below - tail).abs() < 1e-9 },
                        "{k} of {n}: {below}"
                    );
                }
            }
        }
    }

    #[test]
    fn intervals_at_the_ends_have_a_closed_form() {
        for n in [1usize, 5, 40, 1_000, 100_000] {
            let expected = 0.025f64.powf(1.0 / n as f64);
            assert!((clopper_pearson(n, n, 0.95).low - expected).abs() < 1e-9, "{n}");
            assert!((clopper_pearson(0, n, 0.95).high - (1.0 - expected)).abs() < 1e-9, "{n}");
        }
        assert_eq!(clopper_pearson(0, 0, 0.95), Interval { value: 0.0, low: 0.0, high: 1.0 });
        // With many trials it is near the normal one.
        let many = clopper_pearson(300_000, 1_000_000, 0.95);
        let half = 1.959_964 * (0.21f64 / 1e6).sqrt();
        assert!((many.low - (0.3 - half)).abs() < 2e-6 && (many.high - (0.3 + half)).abs() < 2e-6, "{many:?}");
    }

    #[test]
    fn the_truth_is_covered_as_often_as_the_level_says() {
        let n = 25;
        for hundredth in 1..100 {
            let p = f64::from(hundredth) / 100.0;
            let covers = |k: &usize| {
                let found = clopper_pearson(*k, n, 0.95);
                found.low <= p && p <= found.high
            };
            let chance: f64 = (0..=n)
                .filter(covers)
                .map(|k| at_least(k, n, p) - if k == n { 0.0 } else { at_least(k + 1, n, p) })
                .sum();
            assert!(chance >= 0.95 - 1e-9, "{p}: {chance}");
        }
    }

    #[test]
    fn shares_of_groups() {
        let options = ResampleOptions::default();
        let exact = |part, whole| clopper_pearson(part, whole, options.level);
        let mixed: Vec<Option<bool>> = (0..40).map(|row| (row % 5 != 0).then_some(row % 3 == 0)).collect();
        let n_hits = mixed.iter().filter(|outcome| **outcome == Some(true)).count();
        assert_eq!(share(&mixed, None, &options).unwrap(), exact(n_hits, 32));
        // Twenty groups of two: the bootstrap.
        let groups: Vec<usize> = (0..40).map(|row| row / 2).collect();
        let found = share(&mixed, Some(&groups), &options).unwrap();
        assert!(found.low < found.value && found.value < found.high && found != exact(n_hits, 32), "{found:?}");
        // All right or all wrong: twenty trials, or those of them that count.
        for (outcome, part) in [(true, 1), (false, 0)] {
            assert_eq!(share(&[Some(outcome); 40], Some(&groups), &options).unwrap(), exact(part * 20, 20));
            let some: Vec<Option<bool>> = (0..40).map(|row| (row >= 30).then_some(outcome)).collect();
            let found = share(&some, Some(&groups), &options).unwrap();
            assert!(found.low < found.high, "{found:?}");
        }
        let never = share(&[None; 40], Some(&groups), &options).unwrap();
        assert_eq!((never.value, never.low, never.high), (0.0, 0.0, 1.0));
    }

    #[test]
    fn f1_is_bounded_by_the_ends() {
        let (sure, unsure) = (clopper_pearson(20, 20, 0.95), clopper_pearson(0, 0, 0.95));
        let (low, high) = f1_bounds(&sure, &sure);
        assert!((low - sure.low).abs() < 1e-12 && high == 1.0);
        assert_eq!(f1_bounds(&unsure, &unsure), (0.0, 1.0));
    }
}
