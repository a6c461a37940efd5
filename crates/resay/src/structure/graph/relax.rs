//! The best map in which a column may be used more than once, at a price: an upper bound on every proper map, and for
//! every single map (i, j) an upper bound on all solutions that contain it.
//!
//! With prices `mu >= 0`, a row i labelled j (a column, or deleted) and its head labelled l, going up from dependents to
//! heads over the forest of rows:
//! ```text
//! below[i][j]   = gain(i, j) - mu[j] + sum over dependents c of i of message[c][j]
//! message[c][l] = max over labels k != l of below[c][k] + [l is the head of k] edge gain(c, k)
//! bound         = sum of mu + sum over roots of max over j of below[root][j]
//! ```
//! A row and its head never share a column, which costs nothing to demand here. Going down,
//! ```text
//! rest[l]       = below[h][l] + above[h][l] - message[c][l]        for the head h of c
//! above[c][k]   = max over labels l != k of rest[l] + [l is the head of k] edge gain(c, k)
//! ```
//! and `sum of mu + below[i][j] + above[i][j]` (roots: plus what the other trees give) is the best of all that label i by
//! j. O(rows x columns) each.

use super::NONE;
use super::problem::Problem;

const FORBIDDEN: f64 = f64::NEG_INFINITY;

/// Which labels a row may still have; a part of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// Columns of all rows, and where those of each row begin and end.
    columns: Vec<u32>,
    starts: Vec<u32>,
    /// Whether a row may be deleted.
    pub(super) can_delete: Vec<bool>,
}

impl Labels {
    /// Everything that is not forbidden.
    pub(super) fn all(problem: &Problem) -> Self {
        let mut labels = Self { can_delete: vec![true; problem.rows], ..Self::default() };
        labels.starts.push(0);
        for row in problem.gains.chunks_exact(problem.columns.max(1)).take(problem.rows) {
            let allowed = (0..problem.columns).filter(|&j| row[j] > FORBIDDEN).map(|j| j as u32);
            labels.columns.extend(allowed);
            labels.starts.push(labels.columns.len() as u32);
        }
        labels.starts.resize(problem.rows + 1, labels.columns.len() as u32);
        labels
    }

    pub(super) fn of(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Keeps columns for which the function says so; returns whether any went.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize, u32) -> bool) -> bool {
        let (before, mut kept) = (self.columns.len(), 0);
        for row in 0..self.can_delete.len() {
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            self.starts[row] = kept as u32;
            for at in range {
                let column = self.columns[at];
                if keep(row, column) {
                    self.columns[kept] = column;
                    kept += 1;
                }
            }
        }
        if let Some(last) = self.starts.last_mut() {
            *last = kept as u32;
        }
        self.columns.truncate(kept);
        kept < before
    }
}

/// Values of the two walks; labels are columns, and `columns` for "deleted".
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxation {
    below: Vec<f64>,
    messages: Vec<f64>,
    above: Vec<f64>,
    rest: Vec<f64>,
    /// The label of each row in the best labelling.
    pub(super) map: Vec<u32>,
    /// How many rows have each column there.
    pub(super) n_users: Vec<u32>,
}

impl Relaxation {
    /// The upper bound, with the labelling that has it in `map`. Minus infinity if a row has no label left.
    pub(super) fn bound(&mut self, problem: &Problem, labels: &Labels, prices: &[f64]) -> f64 {
        let (n, width) = (problem.columns, problem.columns + 1);
        self.below.clear();
        self.below.resize(problem.rows * width, FORBIDDEN);
        self.messages.resize(problem.rows * width, 0.0);
        for i in 0..problem.rows {
            let below = &mut self.below[i * width..][..width];
            let gains = &problem.gains[i * n..][..n];
            for &j in labels.of(i) {
                below[j as usize] = gains[j as usize] - prices[j as usize];
            }
            below[n] = if labels.can_delete[i] { 0.0 } else { FORBIDDEN };
        }
        let mut bound: f64 = prices.iter().sum();
        for &c in &problem.order {
            let c = c as usize;
            let (best, best_value) = best_label(labels.of(c), &self.below[c * width..][..width], |_| true);
            let head = problem.row_heads[c];
            if head == NONE {
                bound += best_value;
                continue;
            }
            self.message(problem, labels, c, best, best_value);
            let message = &self.messages[c * width..][..width];
            let below = &mut self.below[head as usize * width..][..width];
            for &l in labels.of(head as usize) {
                below[l as usize] += message[l as usize];
            }
            below[n] += message[n];
        }
        if bound > FORBIDDEN {
            self.trace(problem, labels);
        }
        bound
    }

    /// `message[c]` for every label of the head.
    fn message(&mut self, problem: &Problem, labels: &Labels, c: usize, best: u32, best_value: f64) {
        let (n, width) = (problem.columns, problem.columns + 1);
        let head = problem.row_heads[c] as usize;
        let below = &self.below[c * width..][..width];
        let message = &mut self.messages[c * width..][..width];
        let edge_gains = &problem.edge_gains[c * n..][..n];
        for &l in labels.of(head) {
            message[l as usize] = best_value;
        }
        message[n] = best_value;
        if (best as usize) < n {
            // The best label is none for a head that has it itself, and comes with an edge for a head that has its head.
            let heads = &problem.column_heads;
            for l in [best, heads[best as usize]].into_iter().filter(|&l| l != NONE) {
                message[l as usize] = best_label(labels.of(c), below, |k| k != l && heads[k as usize] != l).1;
            }
        }
        for &k in labels.of(c) {
            let l = problem.column_heads[k as usize];
            if l != NONE {
                let value = below[k as usize] + edge_gains[k as usize];
                if value > message[l as usize] {
                    message[l as usize] = value;
                }
            }
        }
    }

    /// From the roots down: the label that each maximum was taken at.
    fn trace(&mut self, problem: &Problem, labels: &Labels) {
        let (n, width) = (problem.columns, problem.columns + 1);
        self.map.clear();
        self.map.resize(problem.rows, NONE);
        self.n_users.clear();
        self.n_users.resize(n, 0);
        for &c in problem.order.iter().rev() {
            let c = c as usize;
            let below = &self.below[c * width..][..width];
            let edge_gains = &problem.edge_gains[c * n..][..n];
            let head = problem.row_heads[c];
            let l = if head == NONE { NONE } else { self.map[head as usize] };
            let (mut best, mut best_value) = (NONE, below[n]);
            for &k in labels.of(c) {
                let mut value = below[k as usize];
                if l != NONE {
                    if k == l {
                        continue;
                    }
                    if problem.column_heads[k as usize] == l {
                        value += edge_gains[k as usize];
                    }
                }
                if value > best_value {
                    (best, best_value) = (k, value);
                }
            }
            self.map[c] = best;
            if best != NONE {
                self.n_users[best as usize] += 1;
            }
        }
    }

    /// After [`Self::bound`]: strikes out every label that no solution above `floor` can have. Returns whether any went.
    pub(super) fn strike(&mut self, problem: &Problem, labels: &mut Labels, bound: f64, floor: f64) -> bool {
        let (n, width) = (problem.columns, problem.columns + 1);
        self.above.clear();
        self.above.resize(problem.rows * width, FORBIDDEN);
        for &c in problem.order.iter().rev() {
            let c = c as usize;
            let head = problem.row_heads[c];
            let below = &self.below[c * width..][..width];
            if head == NONE {
                // All else is as in the best labelling.
                let others = bound - best_label(labels.of(c), below, |_| true).1;
                labels.of(c).iter().for_each(|&k| self.above[c * width + k as usize] = others);
                self.above[c * width + n] = others;
                continue;
            }
            let head = head as usize;
            self.rest.clear();
            self.rest.resize(width, FORBIDDEN);
            let message = &self.messages[c * width..][..width];
            let (head_below, head_above) = (&self.below[head * width..][..width], &self.above[head * width..][..width]);
            // The three best labels of the head: at most two are out of the question for any label of c.
            let mut top = [(NONE, FORBIDDEN); 3];
            let own = [n as u32];
            for &l in labels.of(head).iter().chain(&own) {
                let at = l as usize;
                let mut rest = head_below[at] + head_above[at] - message[at];
                if rest.is_nan() {
                    // The head cannot have this label whatever else happens.
                    rest = FORBIDDEN;
                }
                self.rest[at] = rest;
                if rest > top[2].1 {
                    top[2] = (l, rest);
                    if rest > top[1].1 {
                        top.swap(1, 2);
                    }
                    if top[1].1 > top[0].1 {
                        top.swap(0, 1);
                    }
                }
            }
            let above = &mut self.above[c * width..][..width];
            for &k in labels.of(c) {
                let l = problem.column_heads[k as usize];
                let without = top.iter().find(|(label, _)| *label != k && *label != l).map_or(FORBIDDEN, |top| top.1);
                let with = if l == NONE {
                    FORBIDDEN
                } else {
                    self.rest[l as usize] + problem.edge_gains[c * n + k as usize]
                };
                above[k as usize] = if with > without { with } else { without };
            }
            above[n] = top[0].1;
        }
        let mut is_less = false;
        for i in 0..problem.rows {
            if labels.can_delete[i] && self.below[i * width + n] + self.above[i * width + n] <= floor {
                labels.can_delete[i] = false;
                is_less = true;
            }
        }
        let (below, above) = (&self.below, &self.above);
        labels.retain(|i, j| below[i * width + j as usize] + above[i * width + j as usize] > floor) || is_less
    }
}

/// The best of a row's labels among those columns that the function lets pass, and "deleted" (as the width of the table).
fn best_label(columns: &[u32], below: &[f64], mut is_allowed: impl FnMut(u32) -> bool) -> (u32, f64) {
    let n = below.len() - 1;
    let mut best = (n as u32, below[n]);
    for &k in columns {
        if below[k as usize] > best.1 && is_allowed(k) {
            best = (k, below[k as usize]);
        }
    }
    best
}
