//! The work limit of a search.
//!
//! Repetitive text has so many maps of equal score that proving one of them optimal can take for
//! ever. So every loop of the solver requests its work in advance. Once a request is refused, all
//! later ones are, and the best map found so far is the answer. Work is counted, never timed: a
//! search stops at the same point on any machine.
//!
//! The unit is one access to a number in a simple loop. Other work counts as the number of accesses
//! that take about as long. Work that is done once and in proportion to the input (listing maps,
//! greedy choices) is not counted.

/// Work per map of a bound over rows, including what follows from it.
pub(super) const BOUND_OF_ROWS: usize = 8;
/// Work per map of a bound over both sides, including the step that follows from it.
pub(super) const BOUND_OF_BOTH: usize = 16;
/// Work per map of pruning labels by the bounds of one side.
pub(super) const STRIKE: usize = 8;
/// Work per map of constraint propagation after pruning, and of copying lists for a case.
pub(super) const FOLLOW: usize = 2;
pub(super) const COPY: usize = 4;
/// Work per map of the search for maps that no optimal solution needs.
pub(super) const REDUCE: usize = 4;
/// Work per transition from a state of a sweep.
pub(super) const MOVE: usize = 8;
/// Accesses per unit of the limit: what a bound over both sides takes per map, and as much again
/// for everything else.
const LOOKS: u64 = 2 * BOUND_OF_BOTH as u64;

/// The default work limit. Sentences usually take a hundredth of it, two texts of 240 words about
/// half; all of it takes less than a second.
pub const WORK: u64 = 16_000_000;

/// The work done so far, and its limit.
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
    /// Takes a limit in units, each the cost of a bound for one map.
    pub(super) fn new(limit: u64) -> Self {
        Self { used: 0, limit: limit.saturating_mul(LOOKS), is_spent: false }
    }

    /// Sets the work done to 0.
    pub(super) fn reset(&mut self) {
        (self.used, self.is_spent) = (0, false);
    }

    /// Requests `each` units of work for each of `n` items. Once a request is refused, all later
    /// ones are.
    pub(super) fn take(&mut self, n: usize, each: usize) -> bool {
        let used = self.used.saturating_add(n as u64 * each as u64);
        self.is_spent |= used > self.limit;
        if !self.is_spent {
            self.used = used;
        }
        !self.is_spent
    }

    /// Whether a request has been refused.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// The work done, in units of the limit.
    pub(super) fn used(&self) -> u64 {
        self.used.div_ceil(LOOKS)
    }
}
