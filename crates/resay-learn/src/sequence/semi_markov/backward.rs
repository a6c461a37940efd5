//! The backward pass, and with it the expectations: the gradient of the log-sum.
//!
//! Each cell needs one exponential, relative to the largest cell that starts at the same boundary
//! with the same target token. It serves the sum over these cells and, times their joint
//! expectation, gives the cell's own expectation.

use super::exp::exp;
use super::forward::phrases;
use super::jump::{Jumps, larger, log_add, log_total, scale};
use super::{Lattice, Scores, Transitions};

/// If the scale factor exceeds this, the products are computed from logarithms instead.
const HUGE: f64 = 1e200;

/// Log-sums over what follows a boundary: rows of N values, one row per boundary.
#[derive(Clone, Debug, Default)]
pub(super) struct Back {
    /// `after[boundary][e]`: over segmentations of the rest, including the transition from a span
    /// that ends with token e.
    after: Vec<f64>,
    /// `after_null[boundary]`: the same, with the transition from NULL.
    after_null: Vec<f64>,
    /// `onward[j]`: over segmentations of the rest whose first span starts with token j.
    onward: Vec<f64>,
    /// Exponentials of `onward`.
    masses: Vec<f64>,
    tops: Vec<f64>,
    sums: Vec<f64>,
    /// Expected jumps where scaled products would overflow.
    rest: Vec<f64>,
    /// Jumps in reverse, from the later token to the earlier.
    jumps: Jumps,
}

impl Lattice {
    /// Computes the probability of every segment (`cells`, laid out like emissions) and the
    /// expected count of every transition (`expected`) if a segmentation is drawn with probability
    /// exp(score) / sum. Returns ln of the sum. Overwrites `cells` and `expected`; both are all 0
    /// if every segmentation is forbidden.
    pub fn expectations(&mut self, scores: Scores, cells: &mut Vec<f64>, expected: &mut Transitions) -> f64 {
        let shape = scores.shape;
        let (n_source, n) = (shape.n_source(), shape.n_target());
        let log_sum = self.log_sum(scores);
        cells.clear();
        cells.resize(shape.n_cells(), 0.0);
        let mut jumps = std::mem::take(&mut expected.jumps);
        jumps.clear();
        jumps.resize(shape.n_jumps(), 0.0);
        *expected = Transitions { jumps, ..Transitions::default() };
        if n_source == 0 || log_sum == f64::NEG_INFINITY {
            return log_sum;
        }
        self.back.begin(scores);
        for boundary in (0..n_source).rev() {
            let into = &self.into[boundary * n..][..n];
            let to_aligned = self.back.aligned_cells(scores, boundary, into, log_sum, cells);
            let to_null = self.back.null_cells(scores, boundary, self.into_null[boundary], log_sum, cells);
            if boundary == 0 {
                expected.start_null = (self.into_null[0] + to_null - log_sum).exp();
                expected.start_aligned = (scores.transitions.start_aligned + to_aligned.1 - log_sum).exp();
            } else {
                self.transitions(scores, boundary, to_null, to_aligned, log_sum, expected);
                self.back.step(scores, boundary, to_null, to_aligned);
            }
        }
        // So far, jumps were counted as if all had the best score.
        expected.jumps.iter_mut().zip(self.jumps.ways()).for_each(|(jump, way)| *jump *= way);
        expected.jumps.iter_mut().zip(&self.back.rest).for_each(|(jump, rest)| *jump += rest);
        log_sum
    }

    /// Adds the expected transitions at a boundary between two segments. O(N^2).
    fn transitions(
        &mut self,
        scores: Scores,
        boundary: usize,
        to_null: f64,
        (top, to_aligned): (f64, f64),
        log_sum: f64,
        expected: &mut Transitions,
    ) {
        let n = scores.shape.n_target();
        let (null, aligned) = (self.null[boundary], self.aligned[boundary]);
        let scored = scores.transitions;
        expected.null_null += (null + scored.null_null + to_null - log_sum).exp();
        expected.null_aligned += (null + scored.null_aligned + to_aligned - log_sum).exp();
        expected.aligned_null += (aligned + scored.aligned_null + to_null - log_sum).exp();
        let ends = &self.ends[boundary * n..][..n];
        let before = scale(ends, &mut self.masses);
        let factor = (before + self.jumps.most() + top - log_sum).exp();
        if factor <= HUGE {
            // counts[j - e] += exp(ends[e] + onward[j] + best jump - log_sum)
            for (e, mass) in self.masses.iter().map(|mass| mass * factor).enumerate().filter(|(_, mass)| *mass > 0.0) {
                let counts = expected.jumps[n - 1 - e..].iter_mut().zip(&self.back.masses);
                counts.for_each(|(count, onward)| *count += mass * onward);
            }
        } else {
            for (e, end) in ends.iter().enumerate() {
                let jumps = scored.jumps[n - 1 - e..].iter().zip(&self.back.onward);
                for (rest, (jump, onward)) in self.back.rest[n - 1 - e..].iter_mut().zip(jumps) {
                    *rest += (end + jump + onward - log_sum).exp();
                }
            }
        }
    }
}

impl Back {
    /// Allocates space and initialises the last boundary, after which nothing follows.
    fn begin(&mut self, scores: Scores) {
        let (n_source, n) = (scores.shape.n_source(), scores.shape.n_target());
        self.after.resize((n_source + 1) * n, 0.0);
        self.after_null.resize(n_source + 1, 0.0);
        self.after[n_source * n..][..n].fill(0.0);
        self.after_null[n_source] = 0.0;
        for row in [&mut self.onward, &mut self.masses, &mut self.tops, &mut self.sums] {
            row.resize(n, 0.0);
        }
        self.rest.clear();
        self.rest.resize(scores.shape.n_jumps(), 0.0);
        self.jumps.set(scores.transitions.jumps.iter().rev().copied(), true);
    }

    /// Computes the expectations of all cells aligned to spans that start at a boundary, given
    /// `into`, the sums over what precedes it. Fills `onward` and its exponentials, where
    /// ```text
    /// onward[j] = ln of the sum over len and spans j..=e of
    ///             exp(emission + after[boundary + len][e])
    /// ```
    /// Returns the largest of these values and ln of their sum. O(Ls S).
    fn aligned_cells(
        &mut self,
        scores: Scores,
        boundary: usize,
        into: &[f64],
        log_sum: f64,
        cells: &mut [f64],
    ) -> (f64, f64) {
        let shape = scores.shape;
        let n = shape.n_target();
        let room = shape.n_source() - boundary;
        let first_cell = |len, span| shape.row_at(boundary + len, len) + shape.first_state(span);
        self.tops.fill(f64::NEG_INFINITY);
        for (len, span) in phrases(shape, room) {
            let emissions = &scores.emissions[first_cell(len, span)..];
            let after = &self.after[(boundary + len) * n..][span - 1..n];
            for ((top, after), emission) in self.tops.iter_mut().zip(after).zip(emissions) {
                *top = larger(*top, emission + after);
            }
        }
        // A maximum of 0 makes the exponentials of forbidden cells, and their sum, 0.
        self.tops.iter_mut().filter(|top| **top == f64::NEG_INFINITY).for_each(|top| *top = 0.0);
        self.sums.fill(0.0);
        for (len, span) in phrases(shape, room) {
            let first = first_cell(len, span);
            let after = &self.after[(boundary + len) * n..][span - 1..n];
            let rows = self.sums.iter_mut().zip(&self.tops).zip(after);
            for (((sum, top), after), (cell, emission)) in
                rows.zip(cells[first..].iter_mut().zip(&scores.emissions[first..]))
            {
                *cell = exp(emission + after - top);
                *sum += *cell;
            }
        }
        for (((onward, sum), top), into) in self.onward.iter_mut().zip(&mut self.sums).zip(&self.tops).zip(into) {
            *onward = top + sum.ln();
            // From here on, `sum` holds the factor of these cells: at most 1, since it is a
            // probability.
            *sum = if *sum > 0.0 { (into + top - log_sum).exp() } else { 0.0 };
        }
        for (len, span) in phrases(shape, room) {
            let factors = &self.sums[..n + 1 - span];
            cells[first_cell(len, span)..].iter_mut().zip(factors).for_each(|(cell, factor)| *cell *= factor);
        }
        let top = scale(&self.onward, &mut self.masses);
        (top, log_total(&self.masses, top))
    }

    /// The same for NULL segments. Returns ln of their sum.
    fn null_cells(&mut self, scores: Scores, boundary: usize, into_null: f64, log_sum: f64, cells: &mut [f64]) -> f64 {
        let shape = scores.shape;
        let mut sum = f64::NEG_INFINITY;
        for len in 1..=shape.max_null().min(shape.n_source() - boundary) {
            let cell = shape.row_at(boundary + len, len);
            let term = scores.emissions[cell] + self.after_null[boundary + len];
            cells[cell] = (into_null + term - log_sum).exp();
            sum = log_add(sum, term);
        }
        sum
    }

    /// Steps from the state of the next segment to that of the previous one: `after` and
    /// `after_null` of a boundary. O(N^2).
    fn step(&mut self, scores: Scores, boundary: usize, to_null: f64, (top, to_aligned): (f64, f64)) {
        let n = scores.shape.n_target();
        let transitions = scores.transitions;
        self.after_null[boundary] = log_add(to_null + transitions.null_null, to_aligned + transitions.null_aligned);
        let after = &mut self.after[boundary * n..][..n];
        self.jumps.sum(&self.onward, &self.masses, top, to_null + transitions.aligned_null, after);
    }
}
