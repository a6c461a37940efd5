//! Finds the best proper map among few by dynamic programming: words one after the other, heads
//! before their dependents, all partial maps in parallel.
//!
//! Partial maps with the same future form one state, represented by the best of them: those that
//! use the same columns among those that later words could take, and assign the same columns to
//! heads with dependents still to come, as far as an edge could follow. So repeated words do not
//! multiply states. A state whose bound does not exceed the best known solution is dropped (Marsten
//! and Morin 1978). With the shares and messages of `relax.rs`,
//! ```text
//! bound = rows' shares of gains so far
//!       + sum over words to come whose head is done of message[word][label of the head]
//!       + sum over roots to come of their best
//!       + bound of columns - sum over columns that are decided of what that costs them at least
//! ```
//! where a column is decided when it is used, or when no later word can use it.

use super::NONE;
use super::budget::{Budget, MOVE};
use super::choices::Choices;
use super::problem::{Forest, Problem};
use super::relax::Relaxation;
use rustc_hash::FxHashMap;

/// The slot value of a head from which no edge can come. Others hold the index of the map in the
/// head's list, plus 1.
const IDLE: u128 = 0;
/// Bits per slot, and number of slots.
const SLOT_BITS: u32 = 8;
const N_SLOTS: usize = 16;

/// Used columns, and the labels of heads.
type Key = (u128, u128);

/// The best of all partial maps with the same future.
#[derive(Clone, Copy, Debug)]
struct State {
    key: Key,
    bound: f64,
    gain: f64,
    /// Its number among all states, in order of creation.
    number: u32,
}

/// One option for a word.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The map, or [`NONE`] for deletion; and the map of the head that an edge comes from.
    map: u32,
    parent: u32,
    /// The bit of its column, and the new value of the word's slot.
    bit: u128,
    held: u128,
    /// Contribution to bound and gain, without and from the edge.
    bound: f64,
    edge_bound: f64,
    gain: f64,
    edge_gain: f64,
}

/// The order of words, the encoding of futures, and working memory for states.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    dependents: Vec<Vec<u32>>,
    sizes: Vec<u32>,
    order: Vec<u32>,
    slots: Vec<u32>,
    /// The bit of each column that several words could take, or [`NONE`]; and the last word that
    /// could take it.
    bits: Vec<u32>,
    last: Vec<u32>,
    counts: Vec<u32>,
    /// Whether an edge can come from a map.
    is_parent: Vec<bool>,
    moves: Vec<Move>,
    /// The bits of columns that are decided when a word is done, and the cost of not having used
    /// them.
    closing: Vec<(u128, f64)>,
    states: Vec<State>,
    next: Vec<State>,
    places: FxHashMap<Key, u32>,
    /// For every state ever created: its predecessor, and the map of the word that led to it.
    history: Vec<(u32, u32)>,
    /// The answer: the map of each word by index, or [`NONE`].
    pub(super) chosen: Vec<u32>,
}

/// Information about columns: their bound, and the least cost of being used by a row (by maps of
/// rows) or of being deleted.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    pub(super) bound: f64,
    pub(super) used: Vec<f64>,
    pub(super) deleted: Vec<f64>,
}

/// The input of a sweep: a relaxation solved with the rows' shares in `choices`, and information
/// about columns.
#[derive(Debug)]
pub(super) struct Given<'a> {
    pub(super) problem: &'a Problem,
    pub(super) choices: &'a Choices,
    pub(super) relaxation: &'a Relaxation,
    pub(super) costs: &'a mut Costs,
    /// The value that a solution must exceed to matter.
    pub(super) floor: f64,
}

/// The outcome of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swept {
    /// No solution exceeds the floor.
    Nothing,
    /// The best solution exceeds the floor and is in `chosen`.
    Best,
    /// There were too many states, or work was refused.
    TooMany,
}

impl Sweep {
    /// Finds the best proper map above the floor, creating at most `max_states` states.
    pub(super) fn run(&mut self, given: &mut Given<'_>, max_states: usize, budget: &mut Budget) -> Swept {
        if !budget.take(given.choices.labels.len(), MOVE) {
            return Swept::TooMany;
        }
        let forest = &given.problem.rows;
        self.plan(forest);
        if !self.number_columns(given.choices, given.costs.deleted.len()) {
            return Swept::TooMany;
        }
        self.is_parent.clear();
        self.is_parent.resize(given.choices.labels.len(), false);
        let parents = given.choices.parents.iter().filter(|parent| **parent != NONE);
        parents.for_each(|&parent| self.is_parent[parent as usize] = true);
        // Anything that costs more than the gap is excluded. Costs must stay finite, so that they
        // can be subtracted again.
        let most = 4.0 * (given.relaxation.bound + given.costs.bound - given.floor);
        given.costs.deleted.iter_mut().for_each(|cost| *cost = cost.min(most));
        // Columns that no word can take are decided.
        let idle: f64 =
            given.costs.deleted.iter().zip(&self.counts).filter(|(_, n)| **n == 0).map(|(cost, _)| cost).sum();
        let bound = given.relaxation.bound + given.costs.bound - idle;
        self.history.clear();
        self.history.push((NONE, NONE));
        self.states.clear();
        self.states.push(State { key: (0, 0), bound, gain: 0.0, number: 0 });
        for at in 0..self.order.len() {
            if !self.extend(given, self.order[at] as usize, max_states, budget) {
                return Swept::TooMany;
            }
            std::mem::swap(&mut self.states, &mut self.next);
        }
        let best = self.states.iter().fold(None, |best: Option<&State>, state| match best {
            Some(best) if best.gain >= state.gain => Some(best),
            _ => Some(state),
        });
        let best = best.filter(|best| best.gain > given.floor);
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

    /// Plans the order of words: heads before their dependents, large subtrees last, so that few
    /// heads wait for dependents. Each waiting head has a slot, which is freed with its last
    /// dependent.
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
        // The stack is filled with large subtrees first, so that small ones are popped first.
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

    /// Assigns bits to columns. Returns whether everything fits.
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

    /// Extends every state by one word. Returns false if there are too many states.
    fn extend(&mut self, given: &Given<'_>, word: usize, max_states: usize, budget: &mut Budget) -> bool {
        let Given { problem, choices, relaxation, floor, .. } = *given;
        let head = problem.rows.heads[word];
        let lone = self.list_moves(given, word);
        let closed = self.closing.iter().fold(0, |bits, closing| bits | closing.0);
        let slot = if head == NONE { 0 } else { self.slots[head as usize] * SLOT_BITS };
        let slot_mask = (1_u128 << SLOT_BITS) - 1;
        // Dependents of a head are taken from the back of their list; the slot is freed with the
        // last of them.
        let frees_slot = head != NONE && self.dependents[head as usize].first() == Some(&(word as u32));
        let root = if head == NONE { relaxation.best_of(choices, word) } else { 0.0 };
        if !budget.take(self.states.len() * (self.moves.len() + self.closing.len()), MOVE) {
            return false;
        }
        self.next.clear();
        self.places.clear();
        for state in &self.states {
            let (used, mut heads) = state.key;
            let (head_map, expected) = if head == NONE {
                (NONE, root)
            } else {
                let of_head = (heads >> slot) & slot_mask;
                let first = choices.of(head as usize).start as u32;
                let map = if of_head == IDLE { NONE } else { first + of_head as u32 - 1 };
                (map, relaxation.message(choices, word, head as usize, map))
            };
            if frees_slot {
                heads &= !(slot_mask << slot);
            }
            let unused: f64 = self.closing.iter().filter(|(bit, _)| used & bit == 0).map(|(_, cost)| cost).sum();
            let base = state.bound - expected - lone - unused;
            for step in self.moves.iter().filter(|step| used & step.bit == 0) {
                let has_edge = head_map != NONE && step.parent == head_map;
                let bound = base + step.bound + if has_edge { step.edge_bound } else { 0.0 };
                // NaN comes from forbidden choices.
                if bound.is_nan() || bound <= floor {
                    continue;
                }
                let gain = state.gain + step.gain + if has_edge { step.edge_gain } else { 0.0 };
                let key = ((used | step.bit) & !closed, heads | step.held);
                let place = *self.places.entry(key).or_insert(self.next.len() as u32) as usize;
                if place == self.next.len() {
                    if self.history.len() >= max_states {
                        return false;
                    }
                    self.next.push(State { key, bound, gain, number: self.history.len() as u32 });
                    self.history.push((state.number, step.map));
                } else if gain > self.next[place].gain {
                    (self.next[place].bound, self.next[place].gain) = (bound, gain);
                    self.history[self.next[place].number as usize] = (state.number, step.map);
                }
            }
        }
        true
    }

    /// Lists the options for a word, and the columns that are decided when it is done. Returns the
    /// cost of using none of the columns that only this word could take.
    fn list_moves(&mut self, given: &Given<'_>, word: usize) -> f64 {
        let Given { problem, choices, relaxation, .. } = *given;
        let costs = &given.costs;
        let dependents = &self.dependents[word];
        let pending = dependents.iter().map(|&c| relaxation.message(choices, c as usize, word, NONE)).sum::<f64>();
        let mut lone = 0.0;
        self.moves.clear();
        self.closing.clear();
        for (place, map) in choices.of(word).enumerate() {
            let j = choices.labels[map] as usize;
            let here = word * problem.n_columns() + j;
            let bit = if self.bits[j] == NONE { 0 } else { 1_u128 << self.bits[j] };
            let is_closing = self.last[j] == word as u32;
            if bit == 0 {
                lone += costs.deleted[j];
            } else if is_closing {
                self.closing.push((bit, costs.deleted[j]));
            }
            let (own, held) = if self.is_parent[map] {
                (relaxation.below(map), (place as u128 + 1) << (self.slots[word] * SLOT_BITS))
            } else {
                (choices.gains[map] + pending, IDLE)
            };
            self.moves.push(Move {
                map: map as u32,
                parent: choices.parents[map],
                bit,
                held,
                bound: own - costs.used[map] + if is_closing { costs.deleted[j] } else { 0.0 },
                edge_bound: choices.edges[map],
                gain: problem.gains[here],
                edge_gain: problem.edge_gains[here],
            });
        }
        if choices.can_delete[word] {
            self.moves.push(Move {
                map: NONE,
                parent: NONE,
                bit: 0,
                held: IDLE,
                bound: pending,
                edge_bound: 0.0,
                gain: 0.0,
                edge_gain: 0.0,
            });
        }
        lone
    }
}
