//! How much work a search may do, and how much it has done.
//!
//! Text that repeats itself has so many maps of the same worth that to prove one of them the best can take for ever.
//! So every loop of the solver asks for its work before it does it. Once one request is refused, all are, and the best
//! map found by then is the answer. Work is counted, never timed: a search stops at the same place on any machine.
//!
//! The unit is one look at a number in a simple loop. Other work counts as many looks as take about as long. What is
//! done once and in proportion to the input (listing maps, taking words in turn) is not counted.

/// One map in a bound by rows, with what follows from it.
pub(super) const BOUND_OF_ROWS: usize = 8;
/// One map in a bound of both sides, with the step that follows from it.
pub(super) const BOUND_OF_BOTH: usize = 16;
/// One map when labels are struck out by the bounds of one side.
pub(super) const STRIKE: usize = 8;
/// One map whenever conclusions are drawn from what was struck out, and when lists are copied for a case.
pub(super) const FOLLOW: usize = 2;
pub(super) const COPY: usize = 4;
/// One map when maps that no best solution needs are looked for.
pub(super) const REDUCE: usize = 4;
/// One way on from a state of a sweep.
pub(super) const MOVE: usize = 8;
/// Looks a unit of the limit: what a bound of both sides takes for a map, and as much again for all else.
const LOOKS: u64 = 2 * BOUND_OF_BOTH as u64;

/// How much work a search may do by default. Sentences take a hundredth of it as a rule, two texts of 240 words about
/// half; all of it takes less than a second.
pub const WORK: u64 = 16_000_000;

/// Work done, and how much there may be.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    used: u64,
    limit: u64,
    is_spent: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(WORK)
    }
}

impl Budget {
    /// So many units, each of which is what it takes to compute a bound for one map.
    pub(super) fn new(limit: u64) -> Self {
        Self { used: 0, limit: limit.saturating_mul(LOOKS), is_spent: false }
    }

    /// Nothing is done yet.
    pub(super) fn reset(&mut self) {
        (self.used, self.is_spent) = (0, false);
    }

    /// Asks for work, `each` for every one of `n`. Once this is refused, everything is.
    pub(super) fn take(&mut self, n: usize, each: usize) -> bool {
        let used = self.used.saturating_add(n as u64 * each as u64);
        self.is_spent |= used > self.limit;
        if !self.is_spent {
            self.used = used;
        }
        !self.is_spent
    }

    /// Whether work was refused.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// What was done, in units of the limit.
    pub(super) fn used(&self) -> u64 {
        self.used.div_ceil(LOOKS)
    }
}
