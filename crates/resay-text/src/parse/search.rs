//! Beam search over the states after 1, 2, ... actions.
//!
//! After each action the beam keeps the best `width` states, and of those only the ones within a
//! margin of the best: most words leave little doubt, and there the beam is narrow. Ties are broken
//! by the order in which states were found, so the result is deterministic.
//!
//! Scores of words, of pairs of words and of the tops of states are cached. The cache of a sentence
//! has a fixed size, and evicted scores are recomputed. Caching changes no score.

use super::super::learn::hash;
use super::features::Line;
use super::state::{Action, Node, Stacks, State, View};
use super::weights::{Scores, Weights};

/// Cache sizes in slots. Powers of two.
const PAIRS: usize = 1 << 11;
const NODES: usize = 1 << 9;
const STATES: usize = 1 << 9;

/// The maximum number of states, and how far below the best they may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beam {
    pub(super) width: usize,
    pub(super) margin: i32,
}

impl Beam {
    /// Keeps this many states, whatever their scores.
    pub(super) fn full(width: usize) -> Self {
        Self { width, margin: i32::MAX }
    }
}

/// A state in the beam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) score: i32,
    pub(super) state: State,
    /// Its position in the history.
    pub(super) last: u32,
}

/// A step of the history: the previous step, and the action.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: u32,
    action: Action,
}

/// The step before the first.
pub(super) const START: u32 = u32::MAX;

/// A cache of scores. A new score replaces the old one in the same slot.
#[derive(Clone, Debug, Default)]
struct Kept<K> {
    slots: Vec<(K, Scores)>,
}

impl<K: Copy + PartialEq> Kept<K> {
    /// Clears the cache. `none` is a key that is never looked up.
    fn start(&mut self, len: usize, none: K) {
        self.slots.clear();
        self.slots.resize(len, (none, Scores::default()));
    }

    /// Returns the score of a key; computes it if it is not cached.
    #[inline]
    fn get(&mut self, key: K, hash: u64, compute: impl FnOnce() -> Scores) -> Scores {
        let at = (hash >> 32) as usize & (self.slots.len() - 1);
        let slot = &mut self.slots[at];
        if slot.0 != key {
            *slot = (key, compute());
        }
        slot.1
    }
}

/// The caches of a sentence.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// S0, S1 and N0 alone, by word.
    words: Vec<[Scores; 3]>,
    /// By kind of pair and its words.
    pairs: Kept<u64>,
    /// By position of the node, and the node.
    nodes: Kept<(u32, Node)>,
    states: Kept<View>,
    features: Vec<u32>,
}

/// Buffers for a search, reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) line: Line,
    pub(super) stacks: Stacks,
    memory: Memory,
    pub(super) beam: Vec<Entry>,
    candidates: Vec<(i32, u32, Action)>,
    next: Vec<Entry>,
    history: Vec<Step>,
}

impl Memory {
    fn start<W: Weights>(&mut self, line: &Line, weights: &W) {
        let features = &mut self.features;
        self.words.clear();
        for word in 0..line.len() as u16 + 2 {
            self.words.push([
                sum(weights, features, |out| line.of_s0(word, out)),
                sum(weights, features, |out| line.of_s1(word, out)),
                sum(weights, features, |out| line.of_n0(word, out)),
            ]);
        }
        self.pairs.start(PAIRS, u64::MAX);
        self.nodes.start(NODES, (u32::MAX, Node::default()));
        self.states.start(STATES, View::default());
    }

    /// Returns the scores of Left and Right in a state.
    fn scores<W: Weights>(&mut self, line: &Line, weights: &W, view: &View) -> Scores {
        let Self { words, pairs, nodes, states, features } = self;
        states.get(*view, view.hash(), || {
            let (s0, s1, n0) = (view.s0.word, view.s1.word, view.n0.word);
            let mut total = sum(weights, features, |out| line.of_state(view, out));
            let mut add = |part: Scores| (0..2).for_each(|side| total[side] += part[side]);
            add(words[s0 as usize][0]);
            add(words[s1 as usize][1]);
            add(words[n0 as usize][2]);
            for (kind, left, right) in [(0, s0, n0), (1, s1, s0), (2, s1, n0)] {
                let key = kind << 32 | u64::from(left) << 16 | u64::from(right);
                add(pairs.get(key, hash::mix(1, key), || {
                    sum(weights, features, |out| line.of_pair(kind, left, right, out))
                }));
            }
            for (place, node) in [view.s0, view.n0].into_iter().enumerate() {
                let place = place as u32;
                let hash = node.hash().wrapping_add(u64::from(place) << 32);
                add(nodes.get((place, node), hash, || sum(weights, features, |out| line.of_node(place, node, out))));
            }
            total
        })
    }
}

/// Returns the sum of the weights of features. `room` is a buffer for the features.
#[inline]
fn sum<W: Weights>(weights: &W, room: &mut Vec<u32>, list: impl FnOnce(&mut Vec<u32>)) -> Scores {
    room.clear();
    list(room);
    let mut scores = Scores::default();
    weights.sum(room, &mut scores);
    scores
}

impl Search {
    /// Starts a search for the sentence in `line`.
    pub(super) fn start<W: Weights>(&mut self, weights: &W) {
        self.memory.start(&self.line, weights);
        let state = self.stacks.start();
        self.history.clear();
        self.beam.clear();
        self.beam.push(Entry { score: 0, state, last: START });
    }

    /// Returns the score of an action in a state.
    pub(super) fn score<W: Weights>(&mut self, weights: &W, state: State, action: Action) -> i32 {
        let view = self.stacks.view(state);
        let [left, right] = self.memory.scores(&self.line, weights, &view);
        match action {
            Action::Shift => 0,
            Action::Left => left,
            Action::Right => right,
        }
    }

    /// Advances all states of the beam by one action.
    pub(super) fn step<W: Weights>(&mut self, weights: &W, Beam { width, margin }: Beam) {
        let n_words = self.line.len();
        self.candidates.clear();
        let mut least = i32::MIN;
        for (at, entry) in self.beam.iter().enumerate() {
            let view = self.stacks.view(entry.state);
            let [left, right] = self.memory.scores(&self.line, weights, &view);
            for (action, score) in [(Action::Shift, 0), (Action::Left, left), (Action::Right, right)] {
                let score = entry.score.saturating_add(score);
                if (self.candidates.len() < width || score > least) && view.allows(action, n_words) {
                    let place = self.candidates.partition_point(|candidate| candidate.0 >= score);
                    self.candidates.truncate(width - 1);
                    self.candidates.insert(place, (score, at as u32, action));
                    least = self.candidates[self.candidates.len() - 1].0;
                }
            }
        }
        let floor = self.candidates.first().map_or(0, |best| best.0.saturating_sub(margin));
        self.next.clear();
        for &(score, at, action) in self.candidates.iter().take_while(|candidate| candidate.0 >= floor) {
            let entry = self.beam[at as usize];
            self.history.push(Step { before: entry.last, action });
            let last = (self.history.len() - 1) as u32;
            self.next.push(Entry { score, state: self.stacks.after(entry.state, action), last });
        }
        std::mem::swap(&mut self.beam, &mut self.next);
    }

    /// Returns the actions that lead to a step of the history, last one first.
    pub(super) fn way(&self, mut last: u32) -> impl Iterator<Item = Action> + '_ {
        std::iter::from_fn(move || {
            let step = self.history.get(last as usize)?;
            last = step.before;
            Some(step.action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::TagPair;
    use super::super::tests::{sentence, words_of};
    use super::*;
    use proptest::prelude::*;

    /// Untrained weights: a few bits of the hash.
    struct Noise;

    impl Weights for Noise {
        fn sum(&self, features: &[u32], scores: &mut Scores) {
            for &feature in features {
                scores[0] += (feature >> 3 & 15) as i32 - 7;
                scores[1] += (feature >> 9 & 15) as i32 - 7;
            }
        }
    }

    fn searching(text: &str) -> Search {
        let mut search = Search::default();
        let (atoms, tags): (Vec<_>, Vec<TagPair>) = sentence(text);
        search.line.set(&atoms, &tags);
        search.start(&Noise);
        search
    }

    /// Returns the score of an action, from all features at once.
    fn direct(search: &Search, state: State, action: Action) -> i32 {
        let mut features = Vec::new();
        search.line.all(&search.stacks.view(state), &mut features);
        let mut scores = [0; 2];
        Noise.sum(&features, &mut scores);
        [0, scores[0], scores[1]][action as usize]
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_would_be_computed(n_words in 1_usize..60, turns in prop::collection::vec(any::<u8>(), 120)) {
            let mut search = searching(&words_of(n_words));
            // Two walks through the same sentence, so that the second hits the caches of the first.
            for skip in 0..2 {
                let mut state = search.stacks.start();
                for turn in turns.iter().cycle().skip(skip).take(2 * n_words) {
                    let view = search.stacks.view(state);
                    for action in Action::ALL {
                        let expected = direct(&search, state, action);
                        prop_assert_eq!(search.score(&Noise, state, action), expected);
                    }
                    let allowed: Vec<Action> = Action::ALL.into_iter().filter(|&a| view.allows(a, n_words)).collect();
                    state = search.stacks.after(state, allowed[*turn as usize % allowed.len()]);
                }
            }
        }
    }

    /// Returns the best score over all paths from a state to the end.
    fn best_of_all(search: &mut Search, state: State, n_words: usize) -> i32 {
        let view = search.stacks.view(state);
        let allowed = Action::ALL.into_iter().filter(|&action| view.allows(action, n_words));
        let ways: Vec<i32> = allowed
            .map(|action| {
                let score = direct(search, state, action);
                let after = search.stacks.after(state, action);
                score + best_of_all(search, after, n_words)
            })
            .collect();
        ways.into_iter().max().unwrap_or(0)
    }

    #[test]
    fn a_beam_without_bounds_finds_the_best_of_all_ways() {
        for n_words in 1..=5 {
            let mut search = searching(&words_of(n_words));
            let state = search.beam[0].state;
            let expected = best_of_all(&mut search, state, n_words);
            search.start(&Noise);
            (0..2 * n_words).for_each(|_| search.step(&Noise, Beam::full(10_000)));
            assert_eq!(search.beam[0].score, expected, "{n_words} words");
            assert_eq!(search.way(search.beam[0].last).count(), 2 * n_words);
            // A narrow beam finds a path whose actions add up to its score.
            search.start(&Noise);
            (0..2 * n_words).for_each(|_| search.step(&Noise, Beam::full(2)));
            let mut way: Vec<Action> = search.way(search.beam[0].last).collect();
            way.reverse();
            let found = search.beam[0].score;
            let mut state = search.stacks.start();
            let mut score = 0;
            for action in way {
                score += direct(&search, state, action);
                state = search.stacks.after(state, action);
            }
            assert_eq!(found, score);
            assert!(found <= expected);
        }
    }
}
