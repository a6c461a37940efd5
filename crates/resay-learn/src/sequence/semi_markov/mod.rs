//! The lattice of a phrase aligner: all segmentations of one sentence in which each segment is
//! aligned to a span of another sentence, or to NULL (Yao, Van Durme, Callison-Burch, Clark 2013,
//! section 3.2).
//!
//! Input: M source tokens, N target tokens, segments of at most Ls tokens (for NULL, `max_null`),
//! spans of at most Lt tokens. The score of a segmentation is
//! ```text
//! sum over segments of emission(end, length, state) + transition(state before, state)
//! ```
//! where a state is NULL or a span. Several segments may be aligned to the same or to overlapping
//! spans. A transition is one of five numbers (from the start or from NULL to NULL or aligned, from
//! aligned to NULL). Between two spans it depends on the jump from the last token of the first to
//! the first token of the second. NULL forgets the position of the last span: the chain is of first
//! order, as in the paper.
//!
//! Output: [`Lattice::best`], the segmentation with the highest score; [`Lattice::log_sum`], ln of
//! the sum of exp(score) over all segmentations; [`Lattice::expectations`], the probability of each
//! segment and the expected count of each transition, which are the gradient of the log-sum.
//!
//! The paper's recursion runs over all previous states for every end, length and state: O(M Ls S^2)
//! with S about Lt N. Here, spans with the same last token are merged first. One N x N step over
//! jumps then serves every start, length and end, and each segment adds its emission: O(M (Ls S +
//! N^2)), hardly more than the size of the input. Nothing is pruned. A step of a sum takes N^2
//! exponentials only where scores differ by hundreds (see `jump.rs`); this is slower but just as
//! exact.
//!
//! Memory besides the caller's emissions: two rows of N numbers per source token for `best` and
//! `log_sum`, four for `expectations`. At 800 x 800 tokens this is 10 and 20 MB (emissions of 3 x 3
//! phrases take 46 MB there). There are no back pointers: backtracking recomputes the maxima along
//! one path.

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
