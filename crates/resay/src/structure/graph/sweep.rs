//! The best proper map among few: words one after the other, heads before their dependents, and all partial maps at once.
//!
//! Partial maps with the same future are one state, the best of them (dynamic programming): those that have used the same
//! of the columns that later words could take, and have given the same columns to heads whose dependents are to come, as
//! far as an edge could follow. So words that stand twice do not multiply. A state whose bound is no better than the best
//! solution known is dropped (Marsten and Morin 1978). With the shares and messages of `relax.rs`,
//! ```text
//! bound = rows' shares of gains so far
//!       + sum over words to come whose head is done of message[word][label of the head]
//!       + sum over roots to come of their best
//!       + bound of columns - sum over columns that are decided of what that costs them at least
//! ```
//! where a column is decided when it is used, or when no word to come can use it.

use super::NONE;
use super::choices::Choices;
use super::problem::{Forest, Problem};
use super::relax::Relaxation;
use rustc_hash::FxHashMap;

/// What a slot holds for a head that no edge can come from; others hold the place of the map in the head's list, plus 1.
const IDLE: u128 = 0;
/// Bits of a slot, and how many fit.
const SLOT_BITS: u32 = 8;
const N_SLOTS: usize = 16;

/// Columns used, and what heads have been given.
type Key = (u128, u128);

/// Partial maps with the same future, the best of them.
#[derive(Clone, Copy, Debug)]
struct State {
    key: Key,
    bound: f64,
    gain: f64,
    /// Its number among all states, in the order in which they were made.
    number: u32,
}

/// The order of words and what it takes to tell futures apart, and space for states.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    dependents: Vec<Vec<u32>>,
    sizes: Vec<u32>,
    order: Vec<u32>,
    slots: Vec<u32>,
    /// The bit of each column that two words could take, or [`NONE`]; and the word that is the last to be able to.
    bits: Vec<u32>,
    last: Vec<u32>,
    counts: Vec<u32>,
    /// Whether an edge can come from a map.
    is_parent: Vec<bool>,
    states: Vec<State>,
    next: Vec<State>,
    places: FxHashMap<Key, u32>,
    /// For every state ever made: the one before it, and the map of the word that made it.
    history: Vec<(u32, u32)>,
    /// The answer: the map of each word by its place, or [`NONE`].
    pub(super) chosen: Vec<u32>,
}

/// What is known about columns: their bound, and what it costs them at least to be used by a row (by the maps of rows), or
/// to be deleted.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    pub(super) bound: f64,
    pub(super) used: Vec<f64>,
    pub(super) deleted: Vec<f64>,
}

/// How a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swept {
    /// Nothing is better than the floor.
    Nothing,
    /// The best there is, above the floor, is in `chosen`.
    Best,
    /// There are too many states.
    TooMany,
}

impl Sweep {
    /// After a relaxation was solved with the shares of rows in `choices`: the best proper map above `floor`, making no
    /// more than `max_states`.
    pub(super) fn run(
        &mut self,
        problem: &Problem,
        choices: &Choices,
        relaxation: &Relaxation,
        costs: &mut Costs,
        floor: f64,
        max_states: usize,
    ) -> Swept {
        let forest = &problem.rows;
        self.plan(forest);
        if !self.number_columns(choices, costs.deleted.len()) {
            return Swept::TooMany;
        }
        self.is_parent.clear();
        self.is_parent.resize(choices.labels.len(), false);
        choices
            .parents
            .iter()
            .filter(|parent| **parent != NONE)
            .for_each(|&parent| self.is_parent[parent as usize] = true);
        // What costs more than the gap is out of the question, and need not be infinite, which could not be taken back.
        let most = 4.0 * (relaxation.bound + costs.bound - floor);
        costs.deleted.iter_mut().for_each(|cost| *cost = cost.min(most));
        // Columns that no word can take are decided.
        let idle: f64 = (0..costs.deleted.len()).filter(|&j| self.counts[j] == 0).map(|j| costs.deleted[j]).sum();
        let bound = relaxation.bound + costs.bound - idle;
        self.history.clear();
        self.history.push((NONE, NONE));
        self.states.clear();
        self.states.push(State { key: (0, 0), bound, gain: 0.0, number: 0 });
        for at in 0..self.order.len() {
            let word = self.order[at] as usize;
            self.extend(problem, choices, relaxation, costs, floor, word);
            if self.history.len() > max_states {
                return Swept::TooMany;
            }
            std::mem::swap(&mut self.states, &mut self.next);
        }
        let best = self.states.iter().fold(None, |best: Option<&State>, state| match best {
            Some(best) if best.gain >= state.gain => Some(best),
            _ => Some(state),
        });
        let best = best.filter(|best| best.gain > floor);
        let Some(mut number) = best.map(|best| best.number) else { return Swept::Nothing };
        self.chosen.clear();
        self.chosen.resize(forest.n_words(), NONE);
        for &word in self.order.iter().rev() {
            let (before, map) = self.history[number as usize];
            self.chosen[word as usize] = map;
            number = before;
        }
        Swept::Best
    }

    /// Heads before their dependents, large trees last, so that few heads wait for dependents; a slot for each head that
    /// does, which is free again when the last of them has come.
    fn plan(&mut self, forest: &Forest) {
        let n = forest.n_words();
        self.dependents.resize(n.max(self.dependents.len()), Vec::new());
        self.dependents.iter_mut().for_each(Vec::clear);
        self.sizes.clear();
        self.sizes.resize(n, 1);
        let mut roots = Vec::new();
        for &word in &forest.order {
            let head = forest.heads[word as usize];
            if head == NONE {
                roots.push(word);
            } else {
                self.sizes[head as usize] += self.sizes[word as usize];
                self.dependents[head as usize].push(word);
            }
        }
        self.order.clear();
        self.slots.clear();
        self.slots.resize(n, 0);
        // The top of the stack comes next: it is filled with large trees first.
        let mut stack = roots;
        let mut free: Vec<u32> = (0..n as u32).rev().collect();
        let mut n_waiting = vec![0_u32; n];
        while let Some(word) = stack.pop() {
            self.order.push(word);
            let head = forest.heads[word as usize];
            if head != NONE {
                n_waiting[head as usize] -= 1;
                if n_waiting[head as usize] == 0 {
                    free.push(self.slots[head as usize]);
                }
            }
            let sizes = &self.sizes;
            let dependents = &mut self.dependents[word as usize];
            dependents.sort_by_key(|&dependent| std::cmp::Reverse(sizes[dependent as usize]));
            if !dependents.is_empty() {
                n_waiting[word as usize] = dependents.len() as u32;
                self.slots[word as usize] = free.pop().unwrap_or(NONE);
                stack.extend_from_slice(dependents);
            }
        }
    }

    /// Columns by bits. Returns whether everything fits.
    fn number_columns(&mut self, choices: &Choices, n_columns: usize) -> bool {
        self.counts.clear();
        self.counts.resize(n_columns, 0);
        self.last.clear();
        self.last.resize(n_columns, NONE);
        for &word in &self.order {
            for at in choices.of(word as usize) {
                self.counts[choices.labels[at] as usize] += 1;
                self.last[choices.labels[at] as usize] = word;
            }
        }
        let mut n_bits = 0;
        self.bits.clear();
        for &count in &self.counts {
            self.bits.push(if count > 1 { n_bits } else { NONE });
            n_bits += u32::from(count > 1);
        }
        let most = (0..choices.n_words()).map(|word| choices.of(word).len()).max().unwrap_or(0);
        n_bits <= u128::BITS && most < (1 << SLOT_BITS) - 1 && {
            let is_head = |word: usize| !self.dependents[word].is_empty();
            (0..choices.n_words()).all(|word| !is_head(word) || (self.slots[word] as usize) < N_SLOTS)
        }
    }

    /// Makes every state's next ones, with one more word.
    fn extend(
        &mut self,
        problem: &Problem,
        choices: &Choices,
        relaxation: &Relaxation,
        costs: &Costs,
        floor: f64,
        word: usize,
    ) {
        let (forest, n) = (&problem.rows, problem.n_columns());
        let head = forest.heads[word];
        let own = choices.of(word);
        // What is decided about columns when this word is done.
        let mut closing: Vec<(u128, f64)> = Vec::new();
        let mut closed = 0_u128;
        for at in own.clone() {
            let j = choices.labels[at] as usize;
            if self.bits[j] != NONE && self.last[j] == word as u32 {
                closing.push((1 << self.bits[j], costs.deleted[j]));
                closed |= 1 << self.bits[j];
            }
        }
        let lone: f64 = own
            .clone()
            .map(|at| choices.labels[at] as usize)
            .filter(|&j| self.bits[j] == NONE)
            .map(|j| costs.deleted[j])
            .sum();
        let is_waiting = !self.dependents[word].is_empty();
        let pending_idle = relaxation.sent_to_deleted(&self.dependents[word], choices, word);
        let head_slot = if head == NONE { 0 } else { self.slots[head as usize] * SLOT_BITS };
        // The stack gives the dependents of a head from the back: the first in the list comes last.
        let frees_head = head != NONE && self.dependents[head as usize].first() == Some(&(word as u32));
        let slot_mask = |slot: u32| ((1_u128 << SLOT_BITS) - 1) << slot;
        self.next.clear();
        self.places.clear();
        for at in 0..self.states.len() {
            let state = self.states[at];
            let (used, heads) = state.key;
            let of_head = (heads >> head_slot) & ((1 << SLOT_BITS) - 1);
            let (head_map, expected) = if head == NONE {
                (NONE, relaxation.best_of(choices, word))
            } else if of_head == IDLE {
                (NONE, relaxation.message(choices, word, head as usize, NONE))
            } else {
                let map = choices.of(head as usize).start as u32 + of_head as u32 - 1;
                (map, relaxation.message(choices, word, head as usize, map))
            };
            let base = state.bound - expected - lone;
            let heads = if frees_head { heads & !slot_mask(head_slot) } else { heads };
            let deletion = choices.can_delete[word].then_some(NONE);
            for map in own.clone().map(|at| at as u32).chain(deletion) {
                let (mut bound, mut gain, mut used, mut heads) = (base, state.gain, used, heads);
                let mut given = IDLE;
                if map == NONE {
                    bound += pending_idle;
                } else {
                    let place = map as usize;
                    let j = choices.labels[place] as usize;
                    bound -= costs.used[place];
                    gain += problem.gains[word * n + j];
                    if self.bits[j] == NONE {
                        bound += costs.deleted[j];
                    } else {
                        if used >> self.bits[j] & 1 == 1 {
                            continue;
                        }
                        used |= 1 << self.bits[j];
                    }
                    if head_map != NONE && choices.parents[place] == head_map {
                        bound += choices.edges[place];
                        gain += problem.edge_gains[word * n + j];
                    }
                    if self.is_parent[place] {
                        given = (place - own.start) as u128 + 1;
                        bound += relaxation.below(place);
                    } else {
                        bound += choices.gains[place] + pending_idle;
                    }
                }
                for &(bit, cost) in &closing {
                    if used & bit == 0 {
                        bound -= cost;
                    }
                }
                if bound.is_nan() || bound <= floor {
                    continue;
                }
                used &= !closed;
                if is_waiting {
                    heads |= given << (self.slots[word] * SLOT_BITS);
                }
                let key = (used, heads);
                let place = *self.places.entry(key).or_insert(self.next.len() as u32) as usize;
                if place == self.next.len() {
                    self.next.push(State { key, bound, gain, number: self.history.len() as u32 });
                    self.history.push((state.number, map));
                } else if gain > self.next[place].gain {
                    (self.next[place].bound, self.next[place].gain) = (bound, gain);
                    self.history[self.next[place].number as usize] = (state.number, map);
                }
            }
        }
    }
}
