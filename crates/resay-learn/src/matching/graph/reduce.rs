//! Removes maps that no optimal solution needs, before any bound is computed.
//!
//! Taking a part P out of a solution loses the gains of its maps, of the edges within P, and of the
//! edges between P and the rest. If that loss is at most 0 for some P that contains (i, j),
//! whatever else the solution contains, there is an optimal solution without (i, j): the smallest
//! one. P grows from (i, j): a neighbour (the map of a dependent to a dependent, or of the head to
//! the head) either stays, and the edge to it is lost, or is removed as well, if its worth is
//! negative.
//! ```text
//! below[i][j]   = gain(i, j) + sum over dependents c of i of most[c][j]
//! most[c][l]    = max of 0 and, over dependents k of l, edge gain(c, k) + min(0, below[c][k])
//! worth[i][j]   = below[i][j] + max of 0 and edge gain(i, j) + min(0, worth[h][l] - most[i][l]),
//!                 h and l the heads of i and j
//! ```
//! A map whose worth is at most 0 is removed, together with what its edges were worth to others. So
//! this is repeated, from alternating sides, until nothing changes. O(words x labels) per round.

use super::NONE;
use super::budget::{Budget, REDUCE};
use super::problem::{Forest, Problem};

const FORBIDDEN: f64 = f64::NEG_INFINITY;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    worth: Vec<f64>,
    most: Vec<f64>,
}

impl Reducer {
    /// Sets the gains of unneeded maps to minus infinity.
    pub(super) fn reduce(&mut self, problem: &mut Problem, budget: &mut Budget) {
        let Problem { rows, columns, gains, edge_gains, .. } = problem;
        let (m, n) = (rows.n_words(), columns.n_words());
        let mut n_idle = 0;
        let mut is_by_rows = true;
        while n_idle < 2 && budget.take(m * n, REDUCE) {
            let is_less = if is_by_rows {
                self.strike(rows, (n, 1), gains, edge_gains)
            } else {
                self.strike(columns, (1, n), gains, edge_gains)
            };
            n_idle = if is_less { 0 } else { n_idle + 1 };
            is_by_rows = !is_by_rows;
        }
        debug_assert_eq!(gains.len(), m * n);
    }

    /// Removes maps by the sums over one forest; `step` holds the strides from word to word and
    /// from label to label. Returns whether anything was removed.
    fn strike(&mut self, forest: &Forest, step: (usize, usize), gains: &mut [f64], edge_gains: &[f64]) -> bool {
        let n = forest.n_labels();
        let at = |word: usize, label: usize| word * step.0 + label * step.1;
        self.worth.clear();
        self.worth.extend_from_slice(gains);
        self.most.clear();
        self.most.resize(gains.len(), 0.0);
        let (worth, most) = (&mut self.worth, &mut self.most);
        for &c in &forest.order {
            let (c, head) = (c as usize, forest.heads[c as usize]);
            if head == NONE {
                continue;
            }
            for k in 0..n {
                let (here, l) = (at(c, k), forest.label_heads[k]);
                if l != NONE && gains[here] > FORBIDDEN {
                    let value = edge_gains[here] + worth[here].min(0.0);
                    let most = &mut most[at(c, l as usize)];
                    *most = most.max(value);
                }
            }
            (0..n).for_each(|l| worth[at(head as usize, l)] += most[at(c, l)]);
        }
        let mut is_less = false;
        for &c in forest.order.iter().rev() {
            let (c, head) = (c as usize, forest.heads[c as usize]);
            for k in 0..n {
                let (here, l) = (at(c, k), forest.label_heads[k]);
                if gains[here] == FORBIDDEN {
                    continue;
                }
                if head != NONE && l != NONE {
                    let above = at(head as usize, l as usize);
                    let value = edge_gains[here] + (worth[above] - most[at(c, l as usize)]).min(0.0);
                    if gains[above] > FORBIDDEN && value > 0.0 {
                        worth[here] += value;
                    }
                }
                if worth[here] <= 0.0 {
                    gains[here] = FORBIDDEN;
                    is_less = true;
                }
            }
        }
        is_less
    }
}
