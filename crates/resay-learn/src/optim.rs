//! Minimises a smooth function of many variables.
//!
//! Problem: given f, its gradient and a starting point, find a point with a small gradient.
//!
//! Algorithm: limited-memory BFGS (Nocedal 1980; Liu and Nocedal 1989). The search direction is the
//! negative gradient multiplied by an inverse Hessian approximated from the last seven steps
//! (two-loop recursion). The line search doubles and halves the step until it satisfies the Armijo
//! condition (sufficient decrease) and the weak Wolfe condition (the slope has flattened). Such a
//! step always exists for a smooth function that is bounded below (Lewis and Overton 2013). It
//! makes the curvature along the step positive, so the next direction is a descent direction.
//!
//! One call returns value and gradient, because both come from one pass over the data; this call
//! dominates the cost of a step. A trial point whose value or gradient is not finite counts as too
//! far. All memory is allocated before the first step.

use crate::Result;
use std::fmt;

/// Stopping criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LbfgsLimits {
    /// Maximum number of steps.
    pub max_steps: usize,
    /// Converged when |gradient| <= tolerance * max(1, |x|).
    pub tolerance: f64,
}

/// Why the search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LbfgsStop {
    /// The gradient is small enough.
    Converged,
    /// The maximum number of steps was reached.
    Limit,
    /// No step lowers the function any further, or its value at the starting point is not finite.
    Stuck,
}

impl fmt::Display for LbfgsStop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Converged => "converged",
            Self::Limit => "as many steps as held-back pairs asked for",
            Self::Stuck => "no step lowers the loss",
        })
    }
}

/// Number of steps kept for the inverse Hessian.
const MEMORY: usize = 7;
/// Maximum number of trial points per line search.
const MAX_TRIALS: usize = 40;
/// Armijo: minimum decrease, as a share of the decrease predicted by the slope.
const FALL: f64 = 1e-4;
/// Wolfe: maximum share of the slope that may remain.
const SLOPE_LEFT: f64 = 0.9;
/// Values with a smaller relative difference are equal up to rounding.
const ROUNDING: f64 = 1e-14;

/// Minimises `function(x, gradient) -> value`, starting from `x`. Leaves the final point in `x` and
/// returns its value. `function` receives a zeroed gradient. `each(step, x, value)` is called after
/// every step, counted from 1. An error of either ends the search.
pub fn minimise(
    x: &mut [f64],
    limits: LbfgsLimits,
    mut function: impl FnMut(&[f64], &mut [f64]) -> Result<f64>,
    mut each: impl FnMut(usize, &[f64], f64) -> Result<()>,
) -> Result<(f64, LbfgsStop)> {
    let mut search = Search::new(x, &mut function)?;
    let mut n_steps = 0;
    let stop = loop {
        if !search.here.value.is_finite() {
            break LbfgsStop::Stuck;
        }
        if search.here.is_flat(limits.tolerance) {
            break LbfgsStop::Converged;
        }
        if n_steps == limits.max_steps {
            break LbfgsStop::Limit;
        }
        if !search.step(&mut function)? {
            break LbfgsStop::Stuck;
        }
        n_steps += 1;
        each(n_steps, &search.here.x, search.here.value)?;
    };
    x.copy_from_slice(&search.here.x);
    Ok((search.here.value, stop))
}

/// A point with the value and gradient of the function there.
#[derive(Clone)]
struct Point {
    x: Vec<f64>,
    gradient: Vec<f64>,
    value: f64,
}

impl Point {
    fn is_flat(&self, tolerance: f64) -> bool {
        let (slope, length) = (norm(&self.gradient), norm(&self.x).max(1.0));
        // If |x| overflows, the search has diverged and every slope would count as small.
        length.is_finite() && slope <= tolerance * length
    }

    /// Evaluates the function at `x`.
    fn ask(&mut self, function: &mut impl FnMut(&[f64], &mut [f64]) -> Result<f64>) -> Result<()> {
        self.gradient.fill(0.0);
        self.value = function(&self.x, &mut self.gradient)?;
        Ok(())
    }
}

struct Search {
    here: Point,
    /// The current trial point of the line search.
    trial: Point,
    /// The latest trial that decreased enough but is still too steep.
    kept: Point,
    direction: Vec<f64>,
    past: Past,
}

impl Search {
    fn new(x: &[f64], function: &mut impl FnMut(&[f64], &mut [f64]) -> Result<f64>) -> Result<Self> {
        let mut here = Point { x: x.to_vec(), gradient: vec![0.0; x.len()], value: 0.0 };
        here.ask(function)?;
        let (trial, kept) = (here.clone(), here.clone());
        Ok(Self { here, trial, kept, direction: vec![0.0; x.len()], past: Past::new(x.len()) })
    }

    /// Takes one step. Returns false if no step lowers the function.
    fn step(&mut self, function: &mut impl FnMut(&[f64], &mut [f64]) -> Result<f64>) -> Result<bool> {
        self.past.direction(&self.here.gradient, &mut self.direction);
        if self.slope() >= 0.0 {
            // Rounding has made this an ascent direction: drop the history.
            self.past.n_kept = 0;
            self.past.direction(&self.here.gradient, &mut self.direction);
        }
        if !self.find_length(function)? {
            return Ok(false);
        }
        self.past.remember(&self.here, &self.trial);
        std::mem::swap(&mut self.here, &mut self.trial);
        Ok(true)
    }

    fn slope(&self) -> f64 {
        dot(&self.here.gradient, &self.direction)
    }

    /// Line search: leaves the point it finds in `trial`. Returns false if no point is low enough.
    fn find_length(&mut self, function: &mut impl FnMut(&[f64], &mut [f64]) -> Result<f64>) -> Result<bool> {
        let (value, slope) = (self.here.value, self.slope());
        // A quasi-Newton direction has a natural length. The plain gradient has none, so its first
        // trial has length 1.
        let mut rate = if self.past.n_kept == 0 { 1.0 / norm(&self.direction) } else { 1.0 };
        let (mut low, mut high) = (0.0, f64::INFINITY);
        for _ in 0..MAX_TRIALS {
            // trial = here + rate * direction
            let steps = self.here.x.iter().zip(&self.direction);
            self.trial.x.iter_mut().zip(steps).for_each(|(trial, (here, direction))| *trial = here + rate * direction);
            self.trial.ask(function)?;
            let new_slope = dot(&self.trial.gradient, &self.direction);
            let is_number = self.trial.value.is_finite() && new_slope.is_finite();
            let has_fallen = self.trial.value <= value + FALL * rate * slope
                // Near the minimum, values are equal up to rounding and the slope is more reliable:
                // it may change sign if it has become flatter (Hager and Zhang 2005, "approximate
                // Wolfe").
                || (self.trial.value <= value + ROUNDING * value.abs() && new_slope <= (2.0 * FALL - 1.0) * slope);
            if !is_number || !has_fallen {
                high = rate;
            } else if new_slope < SLOPE_LEFT * slope {
                low = rate;
                std::mem::swap(&mut self.trial, &mut self.kept);
            } else {
                return Ok(true);
            }
            rate = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * rate };
        }
        // A point that is lower but still steep is better than none.
        std::mem::swap(&mut self.trial, &mut self.kept);
        Ok(low > 0.0)
    }
}

/// A past step s and the change y of the gradient over it.
#[derive(Clone)]
struct Step {
    step: Vec<f64>,
    change: Vec<f64>,
    /// 1 / (s . y)
    inverse: f64,
    /// `a` of the two-loop recursion.
    factor: f64,
}

/// The last steps, which approximate the curvature.
struct Past {
    /// Oldest first. `n_kept` of `MEMORY + 1` are in use; the next step is written to the one after
    /// them.
    steps: Vec<Step>,
    n_kept: usize,
}

impl Past {
    fn new(n: usize) -> Self {
        let empty = Step { step: vec![0.0; n], change: vec![0.0; n], inverse: 0.0, factor: 0.0 };
        Self { steps: vec![empty; MEMORY + 1], n_kept: 0 }
    }

    /// Writes -H g, where H is the approximate inverse Hessian (Nocedal 1980, two-loop recursion):
    /// ```text
    /// d = -g
    /// newest to oldest:  a = (s . d) / (s . y),  d = d - a y
    /// d = d (s . y) / (y . y), of the newest
    /// oldest to newest:  b = (y . d) / (s . y),  d = d + (a - b) s
    /// ```
    fn direction(&mut self, gradient: &[f64], direction: &mut [f64]) {
        direction.iter_mut().zip(gradient).for_each(|(direction, gradient)| *direction = -gradient);
        let kept = &mut self.steps[..self.n_kept];
        for past in kept.iter_mut().rev() {
            past.factor = past.inverse * dot(&past.step, direction);
            add(direction, -past.factor, &past.change);
        }
        if let Some(newest) = kept.last() {
            let scale = 1.0 / (newest.inverse * dot(&newest.change, &newest.change));
            direction.iter_mut().for_each(|direction| *direction *= scale);
        }
        for past in kept.iter() {
            let back = past.inverse * dot(&past.change, direction);
            add(direction, past.factor - back, &past.step);
        }
    }

    /// Stores the step between two points and drops the oldest if there are too many. Skips a step
    /// along which the curvature is not positive.
    fn remember(&mut self, from: &Point, to: &Point) {
        let next = &mut self.steps[self.n_kept];
        subtract(&mut next.step, &to.x, &from.x);
        subtract(&mut next.change, &to.gradient, &from.gradient);
        let curvature = dot(&next.step, &next.change);
        if curvature > f64::EPSILON * norm(&next.step) * norm(&next.change) {
            next.inverse = 1.0 / curvature;
            self.n_kept += 1;
        }
        if self.n_kept > MEMORY {
            self.steps.rotate_left(1);
            self.n_kept = MEMORY;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `to = to + factor * what`
fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += factor * what);
}

/// `out = a - b`
fn subtract(out: &mut [f64], a: &[f64], b: &[f64]) {
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (a, b))| *out = a - b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::rng::SplitMix;

    const EXACT: LbfgsLimits = LbfgsLimits { max_steps: 1000, tolerance: 1e-9 };

    /// Minimises without cancellation. Returns the final point, its value, the reason to stop and
    /// the number of steps.
    fn run(
        start: &[f64],
        limits: LbfgsLimits,
        mut function: impl FnMut(&[f64], &mut [f64]) -> f64,
    ) -> (Vec<f64>, f64, LbfgsStop, usize) {
        let (mut x, mut n_steps, mut last) = (start.to_vec(), 0, None);
        let function = |x: &[f64], gradient: &mut [f64]| Ok(function(x, gradient));
        let each = |step: usize, x: &[f64], value: f64| {
            n_steps += 1;
            assert_eq!(step, n_steps);
            last = Some((x.to_vec(), value));
            Ok(())
        };
        let (value, stop) = minimise(&mut x, limits, function, each).unwrap();
        if let Some(last) = last {
            assert_eq!(last, (x.clone(), value), "what the caller was told of last is what comes back");
        }
        (x, value, stop, n_steps)
    }

    fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> f64 {
        let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
        gradient[0] += -2.0 * a - 400.0 * x[0] * b;
        gradient[1] += 200.0 * b;
        a * a + 100.0 * b * b
    }

    /// f(x) = (x - m) A (x - m) / 2 with A = B B' + 0.1 I: the minimum is m for every A.
    #[test]
    fn convex_quadratics_end_at_their_solution() {
        for seed in 0..60 {
            let mut random = SplitMix::new(seed);
            let n = 1 + random.below(20);
            let mut draw = |count: usize| (0..count).map(|_| 4.0 * random.unit() - 2.0).collect::<Vec<f64>>();
            let (root, solution, start) = (draw(n * n), draw(n), draw(n));
            let entry = |i: usize, j: usize| {
                dot(&root[i * n..(i + 1) * n], &root[j * n..(j + 1) * n]) + if i == j { 0.1 } else { 0.0 }
            };
            let (found, value, stop, _) = run(&start, EXACT, |x, gradient| {
                let away: Vec<f64> = x.iter().zip(&solution).map(|(x, m)| x - m).collect();
                for (i, slot) in gradient.iter_mut().enumerate() {
                    *slot += (0..n).map(|j| entry(i, j) * away[j]).sum::<f64>();
                }
                0.5 * dot(&away, gradient)
            });
            assert_eq!(stop, LbfgsStop::Converged, "seed {seed}");
            assert!(value.abs() < 1e-12, "seed {seed}: {value}");
            let error = found.iter().zip(&solution).map(|(x, m)| (x - m).abs()).fold(0.0, f64::max);
            assert!(error < 1e-6, "seed {seed}: {error}");
        }
    }

    #[test]
    fn the_valley_of_rosenbrock_is_walked_to_its_end() {
        for start in [[-1.2, 1.0], [3.0, -4.0], [0.0, 0.0]] {
            let mut n_calls = 0;
            let (found, value, stop, n_steps) = run(&start, EXACT, |x, gradient| {
                n_calls += 1;
                rosenbrock(x, gradient)
            });
            assert_eq!(stop, LbfgsStop::Converged);
            assert!((found[0] - 1.0).abs() < 1e-7 && (found[1] - 1.0).abs() < 1e-7 && value < 1e-14, "{found:?}");
            // The valley is curved: gradient descent takes thousands of steps.
            assert!(n_steps < 100 && n_calls < 200, "{n_steps} steps, {n_calls} calls");
        }
    }

    /// Sum over examples of ln(1 + exp(-label w . x)) + |w|^2 / 2: no closed-form solution, but the
    /// gradient vanishes there.
    #[test]
    fn logistic_regression_ends_where_the_gradient_is_nothing() {
        let mut random = SplitMix::new(11);
        let (n_features, n_examples) = (30, 400);
        let examples: Vec<(Vec<f64>, f64)> = (0..n_examples)
            .map(|_| {
                let x: Vec<f64> = (0..n_features).map(|_| 10.0 * random.unit() - 5.0).collect();
                let label = if x[0] + x[1] + 3.0 * random.unit() > 1.0 { 1.0 } else { -1.0 };
                (x, label)
            })
            .collect();
        let function = |w: &[f64], gradient: &mut [f64]| {
            let mut value = 0.5 * dot(w, w);
            add(gradient, 1.0, w);
            for (x, label) in &examples {
                let margin = label * dot(w, x);
                value += if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin };
                add(gradient, -label / (1.0 + margin.exp()), x);
            }
            value
        };
        let (found, value, stop, _) = run(&vec![0.0; n_features], EXACT, function);
        assert_eq!(stop, LbfgsStop::Converged);
        let mut gradient = vec![0.0; n_features];
        assert_eq!(function(&found, &mut gradient), value);
        assert!(norm(&gradient) < 1e-7, "{}", norm(&gradient));
        // The function is convex: another starting point leads to the same minimum.
        let (again, ..) = run(&vec![1.0; n_features], EXACT, function);
        let error = found.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-7, "{error}");
    }

    #[test]
    fn no_step_leads_up() {
        let mut x = [-1.2, 1.0];
        let mut before = f64::INFINITY;
        let each = |_: usize, _: &[f64], value: f64| {
            assert!(value <= before * (1.0 + ROUNDING), "{value} after {before}");
            before = value;
            Ok(())
        };
        minimise(&mut x, EXACT, |x, gradient| Ok(rosenbrock(x, gradient)), each).unwrap();
    }

    #[test]
    fn errors_end_it_and_so_does_the_limit() {
        let asked = std::cell::Cell::new(0);
        let function = |x: &[f64], gradient: &mut [f64]| {
            asked.set(asked.get() + 1);
            if asked.get() == 5 { Err(Error::Cancelled) } else { Ok(rosenbrock(x, gradient)) }
        };
        assert!(matches!(minimise(&mut [-1.2, 1.0], EXACT, function, |_, _, _| Ok(())), Err(Error::Cancelled)));
        assert_eq!(asked.get(), 5, "it is not asked again");
        let (mut x, mut third) = ([-1.2, 1.0], (Vec::new(), 0.0));
        let each = |step: usize, x: &[f64], value: f64| {
            third = (x.to_vec(), value);
            if step == 3 { Err(Error::Cancelled) } else { Ok(()) }
        };
        let told = minimise(&mut x, EXACT, |x, gradient| Ok(rosenbrock(x, gradient)), each);
        assert!(matches!(told, Err(Error::Cancelled)));
        // The same three steps.
        let (limited, limited_value, stop, n_steps) =
            run(&[-1.2, 1.0], LbfgsLimits { max_steps: 3, ..EXACT }, rosenbrock);
        assert_eq!((limited, limited_value, stop, n_steps), (third.0, third.1, LbfgsStop::Limit, 3));
        let (found, value, stop, n_steps) = run(&[-1.2, 1.0], LbfgsLimits { max_steps: 0, ..EXACT }, rosenbrock);
        assert_eq!(
            (found, value, stop, n_steps),
            (vec![-1.2, 1.0], rosenbrock(&[-1.2, 1.0], &mut [0.0; 2]), LbfgsStop::Limit, 0)
        );
    }

    #[test]
    fn nothing_to_do() {
        assert_eq!(run(&[], EXACT, |_, _| 7.0), (vec![], 7.0, LbfgsStop::Converged, 0));
        assert_eq!(run(&[1.0, 1.0], EXACT, rosenbrock), (vec![1.0, 1.0], 0.0, LbfgsStop::Converged, 0));
    }

    /// f(x) = x - ln(x) / 10. Its minimum is at 0.1; it is undefined below 0, where the first trial
    /// lands.
    #[test]
    fn what_is_no_number_counts_as_too_far() {
        for outside in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (f64::NEG_INFINITY, 0.0), (0.0, f64::NAN)] {
            let mut n_outside = 0;
            let (found, _, stop, _) = run(&[0.9], EXACT, |x, gradient| {
                if x[0] <= 0.0 {
                    n_outside += 1;
                    gradient[0] = outside.1;
                    return outside.0;
                }
                gradient[0] = 1.0 - 0.1 / x[0];
                x[0] - 0.1 * x[0].ln()
            });
            assert_eq!(stop, LbfgsStop::Converged, "{outside:?}");
            assert!((found[0] - 0.1).abs() < 1e-7 && n_outside > 0, "{outside:?}: {found:?} {n_outside}");
        }
    }

    #[test]
    fn where_nothing_is_lower_it_is_stuck() {
        // Not finite at the starting point.
        assert_eq!(run(&[1.0], EXACT, |_, _| f64::INFINITY).2, LbfgsStop::Stuck);
        // A wrong gradient.
        let (found, value, stop, n_steps) = run(&[1.0], EXACT, |x, gradient| {
            gradient[0] = -1.0;
            x[0]
        });
        assert_eq!((found, value, stop, n_steps), (vec![1.0], 1.0, LbfgsStop::Stuck, 0));
        // A function that is unbounded below runs into the step limit.
        let (_, value, stop, _) = run(&[1.0], LbfgsLimits { tolerance: 0.0, ..EXACT }, |x, gradient| {
            gradient[0] = 1.0;
            x[0]
        });
        assert!(value < -1e12 && stop == LbfgsStop::Limit, "{value} {stop:?}");
    }
}
