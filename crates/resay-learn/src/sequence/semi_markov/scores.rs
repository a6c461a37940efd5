//! The scores of a lattice, validated once, so that no later function can fail.

use super::{LatticeShape, Segment};
use crate::{Error, Result};

/// Scores of transitions, or their expected counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transitions {
    /// The first segment is NULL.
    pub start_null: f64,
    /// The first segment is aligned to a span.
    pub start_aligned: f64,
    /// NULL after NULL.
    pub null_null: f64,
    /// A span after NULL.
    pub null_aligned: f64,
    /// NULL after a span.
    pub aligned_null: f64,
    /// A span after a span, indexed by [`LatticeShape::jump`].
    pub jumps: Vec<f64>,
}

/// A shape with its scores. Scores are finite, or minus infinity where forbidden; with any other
/// value (infinity, NaN) the results are meaningless.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a> {
    pub(super) shape: LatticeShape,
    pub(super) emissions: &'a [f64],
    pub(super) transitions: &'a Transitions,
}

impl<'a> Scores<'a> {
    /// Checks that there is one emission per cell and one score per jump.
    pub fn new(shape: LatticeShape, emissions: &'a [f64], transitions: &'a Transitions) -> Result<Self> {
        let lengths = [
            ("emissions", emissions.len(), shape.n_cells(), "cells"),
            ("scores of jumps", transitions.jumps.len(), shape.n_jumps(), "jumps"),
        ];
        for (what, found, expected, of) in lengths {
            if found != expected {
                let message = format!("{found} {what}, expected {expected}, as many as the lattice has {of}");
                return Err(Error::parameter(message));
            }
        }
        Ok(Self { shape, emissions, transitions })
    }

    /// The shape.
    pub fn shape(&self) -> LatticeShape {
        self.shape
    }

    /// Returns the score of one segmentation, given from left to right. Fails if the segments do
    /// not cover the source contiguously or do not fit the shape.
    pub fn score_of(&self, segments: &[Segment]) -> Result<f64> {
        let mut covered = 0;
        let mut before = None;
        let mut score = 0.0;
        for segment in segments {
            let cell = self.shape.cell(segment.end, segment.len, segment.state);
            let cell = cell.filter(|_| segment.end - segment.len == covered).ok_or_else(|| {
                Error::parameter(format!(
                    "no segment of {} tokens in state {} ends at {}, expected one that begins at {covered}",
                    segment.len, segment.state, segment.end
                ))
            })?;
            score += self.transition(before, segment.state);
            score += self.emissions[cell];
            covered = segment.end;
            before = Some(segment.state);
        }
        if covered != self.shape.n_source() {
            let n_source = self.shape.n_source();
            return Err(Error::parameter(format!("the segments end at {covered}, expected {n_source}")));
        }
        Ok(score)
    }

    /// The score of a transition between two states of the shape, or of the start (`before` is
    /// `None`).
    fn transition(&self, before: Option<usize>, state: usize) -> f64 {
        let to = self.shape.span(state);
        match (before, to) {
            (None, None) => self.transitions.start_null,
            (None, Some(_)) => self.transitions.start_aligned,
            (Some(before), to) => match (self.shape.span(before), to) {
                (None, None) => self.transitions.null_null,
                (None, Some(_)) => self.transitions.null_aligned,
                (Some(_), None) => self.transitions.aligned_null,
                (Some((from, len)), Some((start, _))) => {
                    self.transitions.jumps[start + self.shape.n_target() - (from + len)]
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three source and two target tokens, phrases of up to two; every score is a different power
    /// of two.
    #[test]
    fn a_score_is_the_sum_of_its_parts() {
        let shape = LatticeShape::new(3, 2, 2, 2).unwrap();
        let transitions = Transitions {
            start_null: 1.0,
            start_aligned: 2.0,
            null_null: 4.0,
            null_aligned: 8.0,
            aligned_null: 16.0,
            jumps: vec![32.0, 64.0, 128.0],
        };
        let emissions: Vec<f64> = (0..shape.n_cells()).map(|cell| 256.0 * (cell + 1) as f64).collect();
        let scores = Scores::new(shape, &emissions, &transitions).unwrap();
        let check = |segments: &[(usize, usize, usize)], expected: Option<f64>| {
            let segments: Vec<Segment> =
                segments.iter().map(|&(end, len, state)| Segment { end, len, state }).collect();
            let sum: f64 =
                segments.iter().filter_map(|s| shape.cell(s.end, s.len, s.state)).map(|c| emissions[c]).sum();
            assert_eq!(scores.score_of(&segments).ok(), expected.map(|expected| expected + sum), "{segments:?}");
        };
        // States: 0 is NULL, 1 and 2 one token, 3 both.
        check(&[(1, 1, 0), (2, 1, 0), (3, 1, 1)], Some(1.0 + 4.0 + 8.0));
        check(&[(1, 1, 1), (2, 1, 2), (3, 1, 1)], Some(2.0 + 128.0 + 32.0));
        check(&[(2, 2, 3), (3, 1, 2)], Some(2.0 + 64.0));
        check(&[(1, 1, 3), (3, 2, 0)], Some(2.0 + 16.0));
        check(&[(1, 1, 3), (3, 2, 3)], Some(2.0 + 32.0));
        check(&[(1, 1, 0)], None);
        check(&[(2, 1, 0), (3, 1, 0)], None);
        check(&[(1, 1, 0), (3, 1, 0)], None);
        check(&[(3, 3, 0)], None);
        check(&[(1, 1, 4), (3, 2, 0)], None);
        check(&[], None);
    }

    #[test]
    fn lengths_are_checked() {
        let shape = LatticeShape::new(2, 2, 1, 1).unwrap();
        let transitions = Transitions { jumps: vec![0.0; 3], ..Transitions::default() };
        assert!(Scores::new(shape, &[0.0; 6], &transitions).is_ok());
        let error = Scores::new(shape, &[0.0; 5], &transitions).unwrap_err().to_string();
        assert_eq!(error, "5 emissions, expected 6, as many as the lattice has cells");
        assert!(Scores::new(shape, &[0.0; 6], &Transitions::default()).is_err());
    }
}
