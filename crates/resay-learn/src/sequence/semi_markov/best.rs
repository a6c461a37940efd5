//! The best segmentation (Viterbi): a forward pass of maxima, then backtracking.
//!
//! The forward pass stores values only. Backtracking recomputes the maxima along the best path with
//! the same additions in the same order, so it finds exactly the choices that were made.

use super::forward::{null_terms, phrases};
use super::jump::{larger, largest};
use super::{Lattice, Scores, Segment};

impl Lattice {
    /// Returns the highest score and its segmentation, from left to right. For an empty source
    /// these are 0 and no segments; if every segmentation is forbidden, the score is minus
    /// infinity.
    ///
    /// Ties are broken from the last segment to the first: NULL before a span, then the span that
    /// ends first, then the shorter segment, then the shorter span.
    pub fn best(&mut self, scores: Scores) -> (f64, Vec<Segment>) {
        let (n_source, n) = (scores.shape.n_source(), scores.shape.n_target());
        let transitions = scores.transitions;
        self.begin(scores, false);
        for boundary in 1..=n_source {
            self.best_of_cells(scores, boundary);
            if boundary < n_source {
                let (ends, null) = (&self.ends[boundary * n..][..n], self.null[boundary]);
                self.into_null[boundary] =
                    larger(null + transitions.null_null, largest(ends) + transitions.aligned_null);
                let into = &mut self.into[boundary * n..][..n];
                self.jumps.best(ends, null + transitions.null_aligned, into);
            }
        }
        if n_source == 0 {
            return (0.0, Vec::new());
        }
        let score = larger(self.null[n_source], largest(&self.ends[n_source * n..][..n]));
        (score, self.way_back(scores))
    }

    /// Returns the segments of the best path. O(Ls Lt + N) per segment.
    fn way_back(&self, scores: Scores) -> Vec<Segment> {
        let (shape, transitions) = (scores.shape, scores.transitions);
        let n = shape.n_target();
        let mut segments = Vec::new();
        let mut end = shape.n_source();
        // The following state: `None` at the end, else its first token, if it is a span.
        let mut after: Option<Option<usize>> = None;
        while end > 0 {
            let ends = &self.ends[end * n..][..n];
            let (to_null, step): (f64, &dyn Fn(usize) -> f64) = match after {
                None => (0.0, &|_| 0.0),
                Some(None) => (transitions.null_null, &|_| transitions.aligned_null),
                Some(Some(start)) => (transitions.null_aligned, &move |e| transitions.jumps[start + n - 1 - e]),
            };
            let aligned = ends.iter().enumerate().map(|(e, value)| value + step(e));
            let last = first_of_largest([self.null[end] + to_null].into_iter().chain(aligned));
            let (len, state) = if last == 0 {
                (1 + first_of_largest(null_terms(&self.into_null, scores, end)), 0)
            } else {
                self.phrase_before(scores, end, last - 1)
            };
            segments.push(Segment { end, len, state });
            end -= len;
            after = Some(shape.span(state).map(|(start, _)| start));
        }
        segments.reverse();
        segments
    }

    /// Returns length and state of the best segment that ends at a boundary and is aligned to a
    /// span ending with token e.
    fn phrase_before(&self, scores: Scores, boundary: usize, e: usize) -> (usize, usize) {
        let shape = scores.shape;
        let ways = || phrases(shape, boundary).filter(|(_, span)| *span <= e + 1);
        let values = ways().map(|(len, span)| {
            let start = e + 1 - span;
            let emission = scores.emissions[shape.row_at(boundary, len) + shape.first_state(span) + start];
            self.into[(boundary - len) * shape.n_target() + start] + emission
        });
        let (len, span) = ways().nth(first_of_largest(values)).unwrap_or((1, 1));
        (len, shape.first_state(span) + e + 1 - span)
    }
}

/// Index of the largest value, the first on ties; 0 if there are none.
fn first_of_largest(values: impl Iterator<Item = f64>) -> usize {
    let first = (0, f64::NEG_INFINITY);
    values.enumerate().fold(first, |best, (at, value)| if value > best.1 { (at, value) } else { best }).0
}
