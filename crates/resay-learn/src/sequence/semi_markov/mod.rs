//! The lattice of a phrase aligner: all ways to cut one sentence into segments and to lay each segment on a span of
//! another sentence, or on nothing (Yao, Van Durme, Callison-Burch, Clark 2013, section 3.2).
//!
//! Given: M source tokens, N target tokens, segments of at most Ls tokens (of nothing, `max_null`), spans of at most Lt.
//! The score of a segmentation is
//! ```text
//! sum over segments of emission(end, length, state) + transition(state before, state)
//! ```
//! where a state is NULL or a span, several segments may lie on the same or overlapping spans, and a transition is one of
//! five numbers (from the start or from NULL to NULL or aligned, from aligned to NULL), or, between two spans, depends on
//! the jump from the last token of the one before to the first of the next. NULL forgets where the last span was: the
//! chain is of first order, as in the paper.
//!
//! What comes back: [`Lattice::best`], the segmentation with the highest score; [`Lattice::log_sum`], ln of the sum over
//! all of exp score; [`Lattice::expectations`], how probable each segment is and how often each transition is expected,
//! which is the gradient of the log-sum.
//!
//! The paper's recursion asks, for every end, length and state, all states before: O(M Ls S^2) with S about Lt N. Here all
//! spans with the same last token are joined first, one step of N x N over jumps then serves every start, length and end,
//! and a segment adds its emission: O(M (Ls S + N^2)), which is the size of the input and a little. Nothing is pruned.
//! Only where scores lie hundreds apart does a step of a sum take N^2 exponentials (see `jump.rs`): slower, and as exact.
//!
//! Space besides the caller's emissions: two rows of N numbers a source token for `best` and `log_sum`, four for
//! `expectations`; at 800 x 800 tokens 10 and 20 MB (emissions of 3 x 3 phrases are 46 MB there). There are no back
//! pointers: the way back asks again, for the segments of one path only.

mod backward;
mod best;
mod exp;
mod forward;
mod jump;
mod scores;
mod shape;
#[cfg(test)]
mod truth;

pub use forward::Lattice;
pub use scores::{Scores, Transitions};
pub use shape::{LatticeShape, Segment};
