//! Which lengths of phrases are allowed where. An aligner leaves most phrases out, and then most rows of cells of one
//! length forbid all that they hold: they add nothing to any sum, so they are not visited.

use super::{Scores, Shape};

/// For each boundary, length of the source's phrase before it and length of the span: whether anything is allowed.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    rows: Vec<bool>,
}

impl Open {
    /// Looks at all cells of a pair.
    pub(super) fn set(&mut self, scores: Scores) {
        let shape = scores.shape;
        self.rows.clear();
        self.rows.resize((shape.n_source() + 1) * shape.max_source() * shape.max_target(), false);
        for boundary in 1..=shape.n_source() {
            for (len, span) in phrases(shape, boundary) {
                let first = shape.row_at(boundary, len) + shape.first_state(span);
                let emissions = scores.emissions[first..].iter().take((shape.n_target() + 1).saturating_sub(span));
                // Without a branch, so that several are looked at together.
                let is_open = emissions.fold(false, |is_open, emission| is_open | (*emission > f64::NEG_INFINITY));
                self.rows[place(shape, boundary, len, span)] = is_open;
            }
        }
    }

    /// Lengths of phrases that end at a boundary, and of their spans.
    pub(super) fn before(&self, shape: Shape, boundary: usize) -> impl Iterator<Item = (usize, usize)> {
        phrases(shape, boundary).filter(move |&(len, span)| self.rows[place(shape, boundary, len, span)])
    }

    /// Lengths of phrases that begin at a boundary, and of their spans.
    pub(super) fn after(&self, shape: Shape, boundary: usize) -> impl Iterator<Item = (usize, usize)> {
        let all = phrases(shape, shape.n_source() - boundary);
        all.filter(move |&(len, span)| self.rows[place(shape, boundary + len, len, span)])
    }
}

fn place(shape: Shape, boundary: usize, len: usize, span: usize) -> usize {
    (boundary * shape.max_source() + len - 1) * shape.max_target() + span - 1
}

/// Lengths of phrases of the source that fit so many tokens, each with all lengths of spans.
pub(super) fn phrases(shape: Shape, room: usize) -> impl Iterator<Item = (usize, usize)> {
    let lens = 1..=shape.max_source().min(room);
    lens.flat_map(move |len| (1..=shape.max_target()).map(move |span| (len, span)))
}
