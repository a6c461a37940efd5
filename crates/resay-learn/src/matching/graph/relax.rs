//! The relaxed problem: words of one forest choose labels among the words of another, independently
//! except for edges. Gives an upper bound on every proper map and, for every single map, an upper
//! bound on all solutions that contain it.
//!
//! Without the constraint "no label twice", max-product message passing over the forest finds the
//! best labelling. With a word c labelled k and its head labelled l, upwards from dependents to
//! heads:
//! ```text
//! below[i][j]   = gain(i, j) + sum over dependents c of i of message[c][j]
//! message[c][l] = max over labels k != l of below[c][k] + [l is the head of k] edge gain(c, k)
//! bound         = sum over roots of max over j of below[root][j]
//! ```
//! A word and its head never share a label, a constraint that costs nothing here. Downwards,
//! ```text
//! rest[l]       = below[h][l] + above[h][l] - message[c][l]        for the head h of c
//! above[c][k]   = max over labels l != k of rest[l] + [l is the head of k] edge gain(c, k)
//! ```
//! where `above` of a root is the best of the other trees, and `below[i][j] + above[i][j]` is the
//! best of all labellings that label i with j. The time is proportional to the number of remaining
//! maps.

use super::NONE;
use super::choices::Choices;
use super::problem::Forest;

const FORBIDDEN: f64 = f64::NEG_INFINITY;

/// Values of both passes: by map, in the order of the lists, and by word for "deleted".
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxation {
    below: Vec<f64>,
    below_deleted: Vec<f64>,
    /// For each word with a head, one message per map of the head and one for its deletion; and the
    /// start of each word's messages.
    messages: Vec<f64>,
    starts: Vec<u32>,
    above: Vec<f64>,
    above_deleted: Vec<f64>,
    rest: Vec<f64>,
    /// The map of each word in the best labelling, by index, or [`NONE`].
    pub(super) chosen: Vec<u32>,
    /// The bound.
    pub(super) bound: f64,
}

impl Relaxation {
    /// Computes the upper bound, and leaves the labelling that attains it in `chosen`. Minus
    /// infinity if a word has no label left.
    pub(super) fn solve(&mut self, forest: &Forest, choices: &Choices) -> f64 {
        self.below.clear();
        self.below.extend_from_slice(&choices.gains);
        self.below_deleted.clear();
        self.below_deleted.extend(choices.can_delete.iter().map(|&can| if can { 0.0 } else { FORBIDDEN }));
        self.messages.clear();
        self.starts.resize(forest.n_words(), 0);
        let mut bound = 0.0;
        for &c in &forest.order {
            let (c, head) = (c as usize, forest.heads[c as usize]);
            let (mut best, mut best_value) = (NONE, self.below_deleted[c]);
            let own = choices.of(c);
            for (at, &value) in own.clone().zip(&self.below[own]) {
                if value > best_value {
                    (best, best_value) = (at as u32, value);
                }
            }
            if head == NONE {
                bound += best_value;
            } else {
                self.send(choices, c, head as usize, best, best_value);
            }
        }
        self.bound = bound;
        if bound > FORBIDDEN {
            self.trace(forest, choices);
        }
        bound
    }

    /// Computes `message[c]` for every map of the head and adds it to the head's values.
    fn send(&mut self, choices: &Choices, c: usize, head: usize, best: u32, best_value: f64) {
        let (own, of_head) = (choices.of(c), choices.of(head));
        let start = self.messages.len();
        self.starts[c] = start as u32;
        self.messages.resize(start + of_head.len() + 1, best_value);
        let messages = &mut self.messages[start..];
        let first = of_head.start;
        let (parents, rivals) = (&choices.parents[own.clone()], &choices.rivals[own.clone()]);
        let below = &self.below[own.clone()];
        let edges = &choices.edges[own.clone()];
        if best != NONE {
            // The best label is unavailable to a head that has it itself, and gains an edge if the
            // head has its head.
            for l in [choices.rivals[best as usize], choices.parents[best as usize]].into_iter().filter(|&l| l != NONE)
            {
                let mut value = self.below_deleted[c];
                for ((&below, &rival), &parent) in below.iter().zip(rivals).zip(parents) {
                    if below > value && rival != l && parent != l {
                        value = below;
                    }
                }
                messages[l as usize - first] = value;
            }
        }
        for ((&below, &edge), &parent) in below.iter().zip(edges).zip(parents) {
            if parent != NONE {
                let message = &mut messages[parent as usize - first];
                if below + edge > *message {
                    *message = below + edge;
                }
            }
        }
        for (below, message) in self.below[of_head].iter_mut().zip(&*messages) {
            *below += message;
        }
        self.below_deleted[head] += messages[messages.len() - 1];
    }

    /// Backtracks from the roots down to find the maps that attain the maxima.
    fn trace(&mut self, forest: &Forest, choices: &Choices) {
        self.chosen.clear();
        self.chosen.resize(forest.n_words(), NONE);
        for &c in forest.order.iter().rev() {
            let (c, head) = (c as usize, forest.heads[c as usize]);
            let l = if head == NONE { NONE } else { self.chosen[head as usize] };
            let (mut best, mut best_value) = (NONE, self.below_deleted[c]);
            for at in choices.of(c) {
                let mut value = self.below[at];
                if l != NONE {
                    if choices.rivals[at] == l {
                        continue;
                    }
                    if choices.parents[at] == l {
                        value += choices.edges[at];
                    }
                }
                if value > best_value {
                    (best, best_value) = (at as u32, value);
                }
            }
            self.chosen[c] = best;
        }
    }

    /// The downward pass. Requires [`Self::solve`]; [`Self::best_with`] and [`Self::best_without`]
    /// need it.
    pub(super) fn walk_down(&mut self, forest: &Forest, choices: &Choices) {
        self.above.resize(self.below.len(), 0.0);
        self.above_deleted.resize(forest.n_words(), 0.0);
        for &c in forest.order.iter().rev() {
            let (c, head) = (c as usize, forest.heads[c as usize]);
            if head == NONE {
                // All other trees are as in the best labelling.
                let below = &self.below[choices.of(c)];
                let others = self.bound - below.iter().fold(self.below_deleted[c], |most, value| most.max(*value));
                self.above[choices.of(c)].fill(others);
                self.above_deleted[c] = others;
            } else {
                self.receive(choices, c, head as usize);
            }
        }
    }

    /// Computes `above` of a word from that of its head.
    fn receive(&mut self, choices: &Choices, c: usize, head: usize) {
        let of_head = choices.of(head);
        let first = of_head.start;
        let messages = &self.messages[self.starts[c] as usize..][..of_head.len() + 1];
        self.rest.clear();
        // The three best maps of the head: at most two are excluded for any label of c.
        let mut top = [(NONE, FORBIDDEN); 3];
        let mut deleted = (NONE, FORBIDDEN);
        for (at, &message) in messages.iter().enumerate() {
            let is_map = at < of_head.len();
            let (below, above) = if is_map {
                (self.below[first + at], self.above[first + at])
            } else {
                (self.below_deleted[head], self.above_deleted[head])
            };
            // If no label of c is compatible with it, it is not compatible with c.
            let rest = if message == FORBIDDEN { FORBIDDEN } else { below + above - message };
            self.rest.push(rest);
            if !is_map {
                deleted.1 = rest;
            } else if rest > top[2].1 {
                top[2] = ((first + at) as u32, rest);
                if rest > top[1].1 {
                    top.swap(1, 2);
                }
                if top[1].1 > top[0].1 {
                    top.swap(0, 1);
                }
            }
        }
        self.above_deleted[c] = deleted.1.max(top[0].1);
        for at in choices.of(c) {
            let (parent, rival) = (choices.parents[at], choices.rivals[at]);
            let without = top.iter().find(|(map, _)| *map == NONE || (*map != parent && *map != rival));
            let without = without.map_or(FORBIDDEN, |top| top.1).max(deleted.1);
            let with = if parent == NONE { FORBIDDEN } else { self.rest[parent as usize - first] + choices.edges[at] };
            self.above[at] = if with > without { with } else { without };
        }
    }

    /// After [`Self::walk_down`]: the best of all labellings that contain a map, by index.
    pub(super) fn best_with(&self, map: usize) -> f64 {
        self.below[map] + self.above[map]
    }

    /// After [`Self::walk_down`]: the best of all labellings in which a word is deleted.
    pub(super) fn best_without(&self, word: usize) -> f64 {
        self.below_deleted[word] + self.above_deleted[word]
    }

    /// After [`Self::solve`]: the best value of a map with its subtree.
    pub(super) fn below(&self, map: usize) -> f64 {
        self.below[map]
    }

    /// After [`Self::solve`]: the best value of a word with its subtree, regardless of its head.
    pub(super) fn best_of(&self, choices: &Choices, word: usize) -> f64 {
        self.below[choices.of(word)].iter().fold(self.below_deleted[word], |most, value| most.max(*value))
    }

    /// After [`Self::solve`]: the message of a word to its head about a map of the head, or about
    /// its deletion ([`NONE`]).
    pub(super) fn message(&self, choices: &Choices, word: usize, head: usize, map: u32) -> f64 {
        let of_head = choices.of(head);
        let at = if map == NONE { of_head.len() } else { map as usize - of_head.start };
        self.messages[self.starts[word] as usize + at]
    }

    /// After [`Self::solve`]: the least cost of labelling a word with each of its maps, and of
    /// deleting it, minimised over all maps of its head. Summed over words, this is the least cost
    /// of a labelling relative to the bound.
    pub(super) fn costs(&self, forest: &Forest, choices: &Choices, by_maps: &mut [f64], deleted: &mut [f64]) {
        for (c, deleted) in deleted.iter_mut().enumerate() {
            let (own, head) = (choices.of(c), forest.heads[c]);
            if head == NONE {
                let best = self.best_of(choices, c);
                own.for_each(|at| by_maps[at] = best - self.below[at]);
                *deleted = best - self.below_deleted[c];
                continue;
            }
            let of_head = choices.of(head as usize);
            let messages = &self.messages[self.starts[c] as usize..][..of_head.len() + 1];
            // With an edge: one map of the head. Without: the others, except the one with the same
            // label.
            let mut low = [(NONE, f64::INFINITY); 3];
            for (at, &message) in messages.iter().enumerate() {
                if message < low[2].1 {
                    let map = if at < of_head.len() { (of_head.start + at) as u32 } else { NONE };
                    low[2] = (map, message);
                    if message < low[1].1 {
                        low.swap(1, 2);
                    }
                    if low[1].1 < low[0].1 {
                        low.swap(0, 1);
                    }
                }
            }
            *deleted = low[0].1 - self.below_deleted[c];
            for at in own {
                let (parent, rival) = (choices.parents[at], choices.rivals[at]);
                let without = low.iter().find(|(map, _)| *map == NONE || (*map != parent && *map != rival));
                let without = without.map_or(f64::INFINITY, |low| low.1) - self.below[at];
                let with = if parent == NONE {
                    f64::INFINITY
                } else {
                    messages[parent as usize - of_head.start] - self.below[at] - choices.edges[at]
                };
                by_maps[at] = if with < without { with } else { without };
            }
        }
    }
}
