//! The size and memory layout of a lattice. States are numbered without gaps, by length and then by
//! start, so that all spans of one length are adjacent and loops over starts access memory
//! sequentially.

use crate::{Error, Result};
use std::ops::Range;

/// Lattices with more cells (2 GB of emissions) are rejected.
const MAX_CELLS: usize = 1 << 28;

/// One segment of a segmentation: source tokens `end - len..end` in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// One past the last source token.
    pub end: usize,
    /// Number of source tokens.
    pub len: usize,
    /// 0 is NULL; [`LatticeShape::span`] maps the others to spans.
    pub state: usize,
}

/// The size of a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatticeShape {
    n_source: usize,
    n_target: usize,
    max_source: usize,
    max_target: usize,
    max_null: usize,
    n_states: usize,
    n_cells: usize,
}

impl LatticeShape {
    /// Takes sentences of `n_source` and `n_target` tokens, segments of at most `max_source` and
    /// spans of at most `max_target` tokens. NULL segments may be as long as others. Either
    /// sentence may be empty.
    pub fn new(n_source: usize, n_target: usize, max_source: usize, max_target: usize) -> Result<Self> {
        for (name, value) in [("max_source", max_source), ("max_target", max_target)] {
            if value == 0 {
                return Err(Error::parameter(format!(
                    "{name} is 0, expected the longest phrase in tokens, at least 1"
                )));
            }
        }
        // Segments longer than the sentence never occur.
        let (max_source, max_target) = (max_source.min(n_source), max_target.min(n_target));
        let count = || {
            // Number of spans: N of one token, N - 1 of two, ...
            let n_spans = max_target.checked_mul(n_target)? - max_target * max_target.saturating_sub(1) / 2;
            let n_states = n_spans.checked_add(1)?;
            let n_cells = n_source.checked_mul(max_source)?.checked_mul(n_states)?;
            let n_rows = n_source.checked_add(1)?.checked_mul(n_target)?;
            (n_cells.max(n_rows) <= MAX_CELLS).then_some((n_states, n_cells))
        };
        let (n_states, n_cells) = count().ok_or_else(|| {
            Error::parameter(format!(
                "a lattice of {n_source} x {n_target} tokens with phrases of {max_source} x {max_target} has more than \
                {MAX_CELLS} cells; cut the texts into sentences, or take shorter phrases"
            ))
        })?;
        Ok(Self { n_source, n_target, max_source, max_target, max_null: max_source, n_states, n_cells })
    }

    /// Limits NULL segments to `max_null` tokens, capped at `max_source`.
    pub fn with_max_null(self, max_null: usize) -> Result<Self> {
        if max_null == 0 {
            return Err(Error::parameter("max_null is 0, expected the longest segment of NULL in tokens, at least 1"));
        }
        Ok(Self { max_null: max_null.min(self.max_source), ..self })
    }

    /// Number of source tokens.
    pub fn n_source(&self) -> usize {
        self.n_source
    }

    /// Number of target tokens.
    pub fn n_target(&self) -> usize {
        self.n_target
    }

    /// Maximum length of a segment; at most the length of the source.
    pub fn max_source(&self) -> usize {
        self.max_source
    }

    /// Maximum length of a span; at most the length of the target.
    pub fn max_target(&self) -> usize {
        self.max_target
    }

    /// Maximum length of a NULL segment; at most `max_source`.
    pub fn max_null(&self) -> usize {
        self.max_null
    }

    /// Number of states: NULL and all spans.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The first state whose span has `len >= 1` tokens; the span that starts at `j` is `j` states
    /// later.
    pub(super) fn first_state(&self, len: usize) -> usize {
        // 1 + N + (N - 1) + ... for all shorter spans.
        1 + (len - 1) * self.n_target - (len - 1) * len.saturating_sub(2) / 2
    }

    /// Returns the state of the target tokens `start..start + len`, if there is one.
    pub fn state(&self, start: usize, len: usize) -> Option<usize> {
        let is_span = len >= 1 && len <= self.max_target && start <= self.n_target - len;
        is_span.then(|| self.first_state(len) + start)
    }

    /// Returns start and length of a state's span; `None` for NULL and invalid states.
    pub fn span(&self, state: usize) -> Option<(usize, usize)> {
        if state == 0 || state >= self.n_states {
            return None;
        }
        let mut start = state - 1;
        let mut len = 1;
        while start > self.n_target - len {
            start -= self.n_target - len + 1;
            len += 1;
        }
        Some((start, len))
    }

    /// Number of emissions: source tokens x lengths x states. A few belong to no valid segment
    /// (longer than the prefix, or NULL longer than `max_null`); they are never read, and their
    /// expectation is 0.
    pub fn n_cells(&self) -> usize {
        self.n_cells
    }

    /// Returns the range of emissions of the segment `end - len..end`, one per state; `None` if
    /// there is no such segment.
    pub fn row(&self, end: usize, len: usize) -> Option<Range<usize>> {
        let is_segment = len >= 1 && len <= self.max_source.min(end) && end <= self.n_source;
        is_segment.then(|| self.row_at(end, len)..self.row_at(end, len) + self.n_states)
    }

    /// The same without validation.
    pub(super) fn row_at(&self, end: usize, len: usize) -> usize {
        ((end - 1) * self.max_source + len - 1) * self.n_states
    }

    /// Returns the index of the emission of a segment in a state; `None` if there is no such
    /// segment.
    pub fn cell(&self, end: usize, len: usize, state: usize) -> Option<usize> {
        let longest = if state == 0 { self.max_null } else { self.max_source };
        let row = self.row(end, len).filter(|_| state < self.n_states && len <= longest)?;
        Some(row.start + state)
    }

    /// Number of jumps. A jump leads from the last token e of a span to the first token j of the
    /// next, both in `0..N`: from -(N - 1) to N - 1, where 1 is the right neighbour and 0 an
    /// overlap of one token. There are `2 N - 1`, or none without a target.
    pub fn n_jumps(&self) -> usize {
        (2 * self.n_target).saturating_sub(1)
    }

    /// Returns the index of the jump from token `last` to token `start`: `start - last + N - 1`;
    /// `None` for tokens out of range.
    pub fn jump(&self, last: usize, start: usize) -> Option<usize> {
        (last < self.n_target && start < self.n_target).then(|| start + self.n_target - 1 - last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_cells_are_numbered_without_gaps() {
        for (n_source, n_target) in [(0, 0), (0, 3), (3, 0), (1, 1), (4, 5), (2, 2), (5, 4)] {
            for (max_source, max_target) in [(1, 1), (3, 3), (2, 7), (9, 2)] {
                let shape = LatticeShape::new(n_source, n_target, max_source, max_target).unwrap();
                let mut spans = Vec::new();
                for len in 1..=max_target {
                    spans.extend((0..(n_target + 1).saturating_sub(len)).map(|start| (start, len)));
                }
                assert_eq!(shape.n_states(), spans.len() + 1);
                assert_eq!((shape.span(0), shape.span(spans.len() + 1)), (None, None));
                for (at, &(start, len)) in spans.iter().enumerate() {
                    assert_eq!(shape.span(at + 1), Some((start, len)));
                    assert_eq!(shape.state(start, len), Some(at + 1));
                }
                let mut cells = Vec::new();
                for end in 0..n_source + 2 {
                    for len in 0..max_source + 2 {
                        cells.extend((0..shape.n_states() + 1).filter_map(|state| shape.cell(end, len, state)));
                    }
                }
                assert!(cells.is_sorted_by(|a, b| a < b) && cells.iter().all(|&cell| cell < shape.n_cells()));
                let n_segments: usize = (1..=n_source).map(|end| end.min(max_source)).sum();
                assert_eq!(cells.len(), n_segments * shape.n_states());
            }
        }
    }

    #[test]
    fn what_is_not_there_has_no_number() {
        let shape = LatticeShape::new(4, 3, 3, 2).unwrap().with_max_null(2).unwrap();
        assert_eq!(
            (shape.state(0, 0), shape.state(0, 3), shape.state(2, 2), shape.state(9, 1)),
            (None, None, None, None)
        );
        assert_eq!(
            (shape.cell(0, 1, 0), shape.cell(2, 3, 1), shape.cell(4, 4, 1), shape.cell(5, 1, 1)),
            (None, None, None, None)
        );
        assert_eq!((shape.cell(3, 3, 0), shape.row(3, 3)), (None, Some(48..54)));
        assert_eq!(shape.cell(3, 3, 5), Some(53));
        assert_eq!(
            (shape.n_jumps(), shape.jump(2, 0), shape.jump(0, 2), shape.jump(3, 0)),
            (5, Some(0), Some(4), None)
        );
    }

    #[test]
    fn sizes_are_checked() {
        let check = |n_source, n_target, max_source, max_target, expected: &str| {
            let error = LatticeShape::new(n_source, n_target, max_source, max_target).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(3, 3, 0, 1, "max_source is 0");
        check(3, 3, 1, 0, "max_target is 0");
        check(100_000, 100_000, 3, 3, "cut the texts into sentences");
        check(usize::MAX, usize::MAX, usize::MAX, usize::MAX, "more than");
        check(1 << 33, 0, 1, 1, "more than");
        assert!(LatticeShape::new(1, 1, 1, 1).unwrap().with_max_null(0).is_err());
        assert!(LatticeShape::new(800, 800, 3, 3).is_ok());
    }
}
