//! The forward pass: log-sums over all segmentations of what precedes a boundary.
//!
//! Values stay logarithms from boundary to boundary, so no score is too large or too small. Within
//! a step, exponentials are taken relative to the largest summand. One exponential per cell is the
//! main cost.

use super::exp::exp;
use super::jump::{Jumps, larger, log_add, log_total, scale};
use super::{LatticeShape, Scores};

/// Working memory, reused over the lattices of many pairs. Rows have N values, one row per boundary
/// between source tokens, `0..=M`.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    /// `ends[boundary][e]`: over segmentations of the prefix whose last segment is aligned to a
    /// span that ends with token e.
    pub(super) ends: Vec<f64>,
    /// `null[boundary]`: the same, with NULL as the last segment.
    pub(super) null: Vec<f64>,
    /// `into[boundary][j]`: over all segmentations of the prefix, including the transition to a
    /// span that starts with token j.
    pub(super) into: Vec<f64>,
    /// `into_null[boundary]`: the same, with the transition to NULL.
    pub(super) into_null: Vec<f64>,
    /// `aligned[boundary]`: the sum of `ends` over all tokens.
    pub(super) aligned: Vec<f64>,
    pub(super) jumps: Jumps,
    /// Exponentials of one row.
    pub(super) masses: Vec<f64>,
    pub(super) sums: Vec<f64>,
    pub(super) back: super::backward::Back,
}

impl Lattice {
    /// Returns an empty lattice; it grows to the largest pair it meets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns ln of the sum of exp(score) over all segmentations: 0 for an empty source, minus
    /// infinity if all are forbidden.
    pub fn log_sum(&mut self, scores: Scores) -> f64 {
        let shape = scores.shape;
        self.begin(scores, true);
        self.sums.resize(shape.n_target(), 0.0);
        self.masses.resize(shape.n_target(), 0.0);
        for boundary in 1..=shape.n_source() {
            self.sum_of_cells(scores, boundary);
            self.step(scores, boundary);
        }
        match shape.n_source() {
            0 => 0.0,
            last => log_add(self.null[last], self.aligned[last]),
        }
    }

    /// Allocates space and initialises the boundary before the first token.
    pub(super) fn begin(&mut self, scores: Scores, with_sums: bool) {
        let (n_rows, n) = (scores.shape.n_source() + 1, scores.shape.n_target());
        for rows in [&mut self.ends, &mut self.into] {
            rows.resize(n_rows * n, f64::NEG_INFINITY);
        }
        for column in [&mut self.null, &mut self.into_null, &mut self.aligned] {
            column.resize(n_rows, f64::NEG_INFINITY);
        }
        self.jumps.set(scores.transitions.jumps.iter().copied(), with_sums);
        self.into_null[0] = scores.transitions.start_null;
        self.into[..n].fill(scores.transitions.start_aligned);
    }

    /// `null[boundary] = max over len of into_null[boundary - len] + emission`, and likewise
    /// `ends[boundary][e] = max over len and spans j..=e of into[boundary - len][j] + emission`.
    /// O(Ls S).
    pub(super) fn best_of_cells(&mut self, scores: Scores, boundary: usize) {
        let shape = scores.shape;
        let n = shape.n_target();
        self.null[boundary] = null_terms(&self.into_null, scores, boundary).fold(f64::NEG_INFINITY, larger);
        let ends = &mut self.ends[boundary * n..][..n];
        ends.fill(f64::NEG_INFINITY);
        for (len, span) in phrases(shape, boundary) {
            let emissions = &scores.emissions[shape.row_at(boundary, len) + shape.first_state(span)..];
            let into = &self.into[(boundary - len) * n..];
            for ((end, into), emission) in ends[span - 1..].iter_mut().zip(into).zip(emissions) {
                *end = larger(*end, into + emission);
            }
        }
    }

    /// The same with log-sums instead of maxima, computed relative to the maxima.
    fn sum_of_cells(&mut self, scores: Scores, boundary: usize) {
        let shape = scores.shape;
        let n = shape.n_target();
        self.best_of_cells(scores, boundary);
        // If every sum has one term, the maximum is the sum.
        if shape.max_source().min(boundary) == 1 && shape.max_target() <= 1 {
            return;
        }
        let top = self.null[boundary];
        if top > f64::NEG_INFINITY {
            let sum: f64 = null_terms(&self.into_null, scores, boundary).map(|term| (term - top).exp()).sum();
            self.null[boundary] = top + sum.ln();
        }
        let ends = &mut self.ends[boundary * n..][..n];
        // A maximum of 0 makes the exponentials of forbidden cells, and their sum, 0.
        ends.iter_mut().filter(|end| **end == f64::NEG_INFINITY).for_each(|end| *end = 0.0);
        self.sums.fill(0.0);
        for (len, span) in phrases(shape, boundary) {
            let emissions = &scores.emissions[shape.row_at(boundary, len) + shape.first_state(span)..];
            let into = &self.into[(boundary - len) * n..];
            let rows = self.sums[span - 1..].iter_mut().zip(&ends[span - 1..]);
            for (((sum, top), into), emission) in rows.zip(into).zip(emissions) {
                *sum += exp(into + emission - top);
            }
        }
        ends.iter_mut().zip(&self.sums).for_each(|(end, sum)| *end += sum.ln());
    }

    /// Steps from the state of the last segment to that of the next: `into` and `into_null` of a
    /// boundary. O(N^2).
    fn step(&mut self, scores: Scores, boundary: usize) {
        let n = scores.shape.n_target();
        let ends = &self.ends[boundary * n..][..n];
        let top = scale(ends, &mut self.masses);
        self.aligned[boundary] = log_total(&self.masses, top);
        // Nothing follows the last token.
        if boundary == scores.shape.n_source() {
            return;
        }
        let transitions = scores.transitions;
        let null = self.null[boundary];
        self.into_null[boundary] =
            log_add(null + transitions.null_null, self.aligned[boundary] + transitions.aligned_null);
        let into = &mut self.into[boundary * n..][..n];
        self.jumps.sum(ends, &self.masses, top, null + transitions.null_aligned, into);
    }
}

/// All segment lengths that fit into `room`, each with every span length.
pub(super) fn phrases(shape: LatticeShape, room: usize) -> impl Iterator<Item = (usize, usize)> {
    let lens = 1..=shape.max_source().min(room);
    lens.flat_map(move |len| (1..=shape.max_target()).map(move |span| (len, span)))
}

/// The values of the NULL segments that end at a boundary, shortest first.
pub(super) fn null_terms<'a>(
    into_null: &'a [f64],
    scores: Scores<'a>,
    boundary: usize,
) -> impl Iterator<Item = f64> + 'a {
    let lens = 1..=scores.shape.max_null().min(boundary);
    lens.map(move |len| into_null[boundary - len] + scores.emissions[scores.shape.row_at(boundary, len)])
}
