//! From the first token to the last: sums over all segmentations of what lies before a boundary.
//!
//! Values stay logarithms from boundary to boundary, so that no score is too large or too small; inside a step,
//! exponentials are taken relative to the largest of what is added. One exponential a cell is the main cost.

use super::exp::exp;
use super::jump::{Jumps, larger, log_add, log_total, scale};
use super::{LatticeShape, Scores};

/// The space that the lattices of many pairs use, one after the other. Rows are of N values, one row a boundary between
/// source tokens, `0..=M`.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    /// `ends[boundary][e]`: over segmentations of what is before whose last segment lies on a span that ends with token e.
    pub(super) ends: Vec<f64>,
    /// `null[boundary]`: the same with NULL last.
    pub(super) null: Vec<f64>,
    /// `into[boundary][j]`: over all, with the transition to a span that starts with token j.
    pub(super) into: Vec<f64>,
    /// `into_null[boundary]`: the same with the transition to NULL.
    pub(super) into_null: Vec<f64>,
    /// `aligned[boundary]`: over all tokens, the sum of `ends`.
    pub(super) aligned: Vec<f64>,
    pub(super) jumps: Jumps,
    /// Exponentials of one row.
    pub(super) masses: Vec<f64>,
    pub(super) sums: Vec<f64>,
    pub(super) back: super::backward::Back,
}

impl Lattice {
    /// An empty lattice; it grows to the largest pair it meets.
    pub fn new() -> Self {
        Self::default()
    }

    /// ln of the sum over all segmentations of exp score: 0 for an empty source, minus infinity if all are forbidden.
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

    /// Makes room, and fills what lies before the first token.
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
    /// `ends[boundary][e] = max over len and spans j..=e of into[boundary - len][j] + emission`. O(Ls S).
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

    /// The same with log-sums for maxima, by way of the maxima.
    fn sum_of_cells(&mut self, scores: Scores, boundary: usize) {
        let shape = scores.shape;
        let n = shape.n_target();
        self.best_of_cells(scores, boundary);
        // Where every sum has one term, the maximum is the sum.
        if shape.max_source().min(boundary) == 1 && shape.max_target() <= 1 {
            return;
        }
        let top = self.null[boundary];
        if top > f64::NEG_INFINITY {
            let sum: f64 = null_terms(&self.into_null, scores, boundary).map(|term| (term - top).exp()).sum();
            self.null[boundary] = top + sum.ln();
        }
        let ends = &mut self.ends[boundary * n..][..n];
        // With 0 for it, the exponentials of what is forbidden are 0, and so is their sum.
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

    /// From the last segment's state to the next one's: `into` and `into_null` of a boundary. O(N^2).
    fn step(&mut self, scores: Scores, boundary: usize) {
        let n = scores.shape.n_target();
        let ends = &self.ends[boundary * n..][..n];
        let top = scale(ends, &mut self.masses);
        self.aligned[boundary] = log_total(&self.masses, top);
        // Nothing comes after the last token.
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

/// Lengths of segments for which there is room, each with every length of spans.
pub(super) fn phrases(shape: LatticeShape, room: usize) -> impl Iterator<Item = (usize, usize)> {
    let lens = 1..=shape.max_source().min(room);
    lens.flat_map(move |len| (1..=shape.max_target()).map(move |span| (len, span)))
}

/// What the segments of NULL that end at a boundary give, the shortest first.
pub(super) fn null_terms<'a>(
    into_null: &'a [f64],
    scores: Scores<'a>,
    boundary: usize,
) -> impl Iterator<Item = f64> + 'a {
    let lens = 1..=scores.shape.max_null().min(boundary);
    lens.map(move |len| into_null[boundary - len] + scores.emissions[scores.shape.row_at(boundary, len)])
}
