//! Words of one forest choose labels among the words of another, each for itself but for edges: an upper bound on every
//! proper map, and for every single map an upper bound on all solutions that contain it.
//!
//! Without "no label twice", the best labelling is a matter of one walk. With a word c labelled k and its head labelled l,
//! going up from dependents to heads:
//! ```text
//! below[i][j]   = gain(i, j) + sum over dependents c of i of message[c][j]
//! message[c][l] = max over labels k != l of below[c][k] + [l is the head of k] edge gain(c, k)
//! bound         = sum over roots of max over j of below[root][j]
//! ```
//! A word and its head never share a label, which costs nothing to demand here. Going down,
//! ```text
//! rest[l]       = below[h][l] + above[h][l] - message[c][l]        for the head h of c
//! above[c][k]   = max over labels l != k of rest[l] + [l is the head of k] edge gain(c, k)
//! ```
//! where `above` of a root is what the other trees give, and `below[i][j] + above[i][j]` is the best of all labellings that
//! label i by j. O(words x labels) each.

use super::NONE;
use super::problem::Forest;

const FORBIDDEN: f64 = f64::NEG_INFINITY;

/// Which labels each word may still have.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// Labels of all words, and where those of each word begin and end.
    labels: Vec<u32>,
    starts: Vec<u32>,
    /// Whether a word may be deleted.
    pub(super) can_delete: Vec<bool>,
}

impl Labels {
    /// Everything that is not forbidden: `gains[word * labels + label]` is above minus infinity.
    pub(super) fn all(forest: &Forest, gains: &[f64]) -> Self {
        let mut labels = Self { can_delete: vec![true; forest.n_words()], starts: vec![0], ..Self::default() };
        for word in 0..forest.n_words() {
            let row = &gains[word * forest.n_labels()..][..forest.n_labels()];
            labels.labels.extend((0..forest.n_labels()).filter(|&j| row[j] > FORBIDDEN).map(|j| j as u32));
            labels.starts.push(labels.labels.len() as u32);
        }
        labels
    }

    pub(super) fn of(&self, row: usize) -> &[u32] {
        &self.labels[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Keeps labels for which the function says so; returns whether any went.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize, u32) -> bool) -> bool {
        let (before, mut kept) = (self.labels.len(), 0);
        for row in 0..self.can_delete.len() {
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            self.starts[row] = kept as u32;
            for at in range {
                let column = self.labels[at];
                if keep(row, column) {
                    self.labels[kept] = column;
                    kept += 1;
                }
            }
        }
        if let Some(last) = self.starts.last_mut() {
            *last = kept as u32;
        }
        self.labels.truncate(kept);
        kept < before
    }
}

/// One side's shares of the gains: `words[word * labels + label]`, and the same for edges by their dependents.
#[derive(Clone, Debug, Default)]
pub(super) struct Gains {
    pub(super) words: Vec<f64>,
    pub(super) edges: Vec<f64>,
}

/// Values of the two walks; labels are numbers, and the number after the last for "deleted".
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxation {
    below: Vec<f64>,
    messages: Vec<f64>,
    above: Vec<f64>,
    rest: Vec<f64>,
    /// The label of each word in the best labelling, or [`NONE`].
    pub(super) map: Vec<u32>,
    /// The bound.
    pub(super) bound: f64,
}

impl Relaxation {
    /// The upper bound, with the labelling that has it in `map`. Minus infinity if a word has no label left.
    pub(super) fn solve(&mut self, forest: &Forest, labels: &Labels, gains: &Gains) -> f64 {
        let (all_gains, all_edge_gains) = (&gains.words, &gains.edges);
        let (n, width) = (forest.n_labels(), forest.n_labels() + 1);
        self.below.clear();
        self.below.resize(forest.n_words() * width, FORBIDDEN);
        self.messages.resize(forest.n_words() * width, 0.0);
        for i in 0..forest.n_words() {
            let below = &mut self.below[i * width..][..width];
            let gains = &all_gains[i * n..][..n];
            for &j in labels.of(i) {
                below[j as usize] = gains[j as usize];
            }
            below[n] = if labels.can_delete[i] { 0.0 } else { FORBIDDEN };
        }
        let mut bound = 0.0;
        for &c in &forest.order {
            let c = c as usize;
            let (best, best_value) = best_label(labels.of(c), &self.below[c * width..][..width], |_| true);
            let head = forest.heads[c];
            if head == NONE {
                bound += best_value;
                continue;
            }
            self.message(forest, labels, &all_edge_gains[c * n..][..n], c, best, best_value);
            let message = &self.messages[c * width..][..width];
            let below = &mut self.below[head as usize * width..][..width];
            for &l in labels.of(head as usize) {
                below[l as usize] += message[l as usize];
            }
            below[n] += message[n];
        }
        self.bound = bound;
        if bound > FORBIDDEN {
            self.trace(forest, labels, all_edge_gains);
        }
        bound
    }

    /// `message[c]` for every label of the head.
    fn message(&mut self, forest: &Forest, labels: &Labels, edge_gains: &[f64], c: usize, best: u32, best_value: f64) {
        let (n, width) = (forest.n_labels(), forest.n_labels() + 1);
        let head = forest.heads[c] as usize;
        let below = &self.below[c * width..][..width];
        let message = &mut self.messages[c * width..][..width];
        for &l in labels.of(head) {
            message[l as usize] = best_value;
        }
        message[n] = best_value;
        if (best as usize) < n {
            // The best label is none for a head that has it itself, and comes with an edge for a head that has its head.
            let heads = &forest.label_heads;
            for l in [best, heads[best as usize]].into_iter().filter(|&l| l != NONE) {
                message[l as usize] = best_label(labels.of(c), below, |k| k != l && heads[k as usize] != l).1;
            }
        }
        for &k in labels.of(c) {
            let l = forest.label_heads[k as usize];
            if l != NONE {
                let value = below[k as usize] + edge_gains[k as usize];
                if value > message[l as usize] {
                    message[l as usize] = value;
                }
            }
        }
    }

    /// From the roots down: the label that each maximum was taken at.
    fn trace(&mut self, forest: &Forest, labels: &Labels, all_edge_gains: &[f64]) {
        let (n, width) = (forest.n_labels(), forest.n_labels() + 1);
        self.map.clear();
        self.map.resize(forest.n_words(), NONE);
        for &c in forest.order.iter().rev() {
            let c = c as usize;
            let below = &self.below[c * width..][..width];
            let edge_gains = &all_edge_gains[c * n..][..n];
            let head = forest.heads[c];
            let l = if head == NONE { NONE } else { self.map[head as usize] };
            let (mut best, mut best_value) = (NONE, below[n]);
            for &k in labels.of(c) {
                let mut value = below[k as usize];
                if l != NONE {
                    if k == l {
                        continue;
                    }
                    if forest.label_heads[k as usize] == l {
                        value += edge_gains[k as usize];
                    }
                }
                if value > best_value {
                    (best, best_value) = (k, value);
                }
            }
            self.map[c] = best;
        }
    }

    /// After [`Self::solve`]: `below + above` of every label of every word, see [`Self::best_with`].
    pub(super) fn walk_down(&mut self, forest: &Forest, labels: &Labels, all_edge_gains: &[f64]) {
        let (n, width) = (forest.n_labels(), forest.n_labels() + 1);
        self.above.clear();
        self.above.resize(forest.n_words() * width, FORBIDDEN);
        for &c in forest.order.iter().rev() {
            let c = c as usize;
            if forest.heads[c] == NONE {
                self.above_root(labels, c, width);
            } else {
                self.above_word(forest, labels, &all_edge_gains[c * n..][..n], c);
            }
        }
    }

    /// `above` of a root: all other trees are as in the best labelling.
    fn above_root(&mut self, labels: &Labels, c: usize, width: usize) {
        let others = self.bound - best_label(labels.of(c), &self.below[c * width..][..width], |_| true).1;
        let above = &mut self.above[c * width..][..width];
        labels.of(c).iter().for_each(|&k| above[k as usize] = others);
        above[width - 1] = others;
    }

    /// `above` of a word that has a head, whose `above` is there.
    fn above_word(&mut self, forest: &Forest, labels: &Labels, edge_gains: &[f64], c: usize) {
        let (n, width) = (forest.n_labels(), forest.n_labels() + 1);
        let head = forest.heads[c] as usize;
        self.rest.clear();
        self.rest.resize(width, FORBIDDEN);
        let message = &self.messages[c * width..][..width];
        let (head_below, head_above) = (&self.below[head * width..][..width], &self.above[head * width..][..width]);
        // The three best labels of the head: at most two are out of the question for any label of c.
        let mut top = [(NONE, FORBIDDEN); 3];
        let deleted = [n as u32];
        for &l in labels.of(head).iter().chain(&deleted) {
            let at = l as usize;
            if message[at] == FORBIDDEN {
                // No label of c goes with it.
                continue;
            }
            let rest = head_below[at] + head_above[at] - message[at];
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
        above[n] = top[0].1;
        for &k in labels.of(c) {
            let l = forest.label_heads[k as usize];
            let without = top.iter().find(|(label, _)| *label != k && *label != l).map_or(FORBIDDEN, |top| top.1);
            let with = if l == NONE { FORBIDDEN } else { self.rest[l as usize] + edge_gains[k as usize] };
            above[k as usize] = if with > without { with } else { without };
        }
    }

    /// After [`Self::walk_down`]: the best of all labellings in which a word has a label (or is deleted, if that is the
    /// number after the last).
    pub(super) fn best_with(&self, word: usize, label: usize, width: usize) -> f64 {
        self.below[word * width + label] + self.above[word * width + label]
    }
}

/// The best of a word's labels among those that the function lets pass, and "deleted", which is always allowed here.
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
