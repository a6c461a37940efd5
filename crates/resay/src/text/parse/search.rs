//! The best way through a sentence: a beam over the states after 1, 2, ... actions.
//!
//! Given the weights, the beam keeps the best `width` states after each action. Equal scores go by the order in which
//! they were found, so the result depends on nothing else.
//!
//! Scores of words and pairs of words, and of what states look like near the top, are remembered; a sentence's
//! memory has a fixed size, and what it has lost is computed again. Remembering changes no score.

use super::features::Line;
use super::state::{Action, Stacks, State, View};
use super::weights::{Scores, Weights};

/// Slots of the memories, by a hash of what is asked for. Powers of two.
const PAIRS: usize = 1 << 11;
const STATES: usize = 1 << 9;

/// A state in the beam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) score: i32,
    pub(super) state: State,
    /// Its place in the history.
    pub(super) last: u32,
}

/// A step on the way to a state: the step before, and the action.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: u32,
    action: Action,
}

/// The step before the first.
pub(super) const START: u32 = u32::MAX;

/// Scores that were asked for before in this sentence.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// S0, S1 and N0 alone, by word.
    words: Vec<[Scores; 3]>,
    /// The kind of pair and its words, and their score.
    pairs: Vec<(u64, Scores)>,
    states: Vec<(View, Scores)>,
    features: Vec<u32>,
}

/// Room for a search, kept from sentence to sentence.
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
        self.words.clear();
        for word in 0..line.len() as u16 + 2 {
            let mut scores = [Scores::default(); 3];
            for (kind, scores) in scores.iter_mut().enumerate() {
                self.features.clear();
                match kind {
                    0 => line.of_s0(word, &mut self.features),
                    1 => line.of_s1(word, &mut self.features),
                    _ => line.of_n0(word, &mut self.features),
                }
                weights.sum(&self.features, scores);
            }
            self.words.push(scores);
        }
        self.pairs.clear();
        self.pairs.resize(PAIRS, (u64::MAX, [0; 2]));
        self.states.clear();
        self.states.resize(STATES, (View::default(), [0; 2]));
    }

    #[inline]
    fn pair<W: Weights>(&mut self, line: &Line, weights: &W, kind: u64, left: u16, right: u16) -> Scores {
        let key = kind << 32 | u64::from(left) << 16 | u64::from(right);
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % PAIRS;
        if self.pairs[slot].0 != key {
            self.features.clear();
            match kind {
                0 => line.of_s0_n0(left, right, &mut self.features),
                1 => line.of_s1_s0(left, right, &mut self.features),
                _ => line.of_s1_n0(left, right, &mut self.features),
            }
            let mut scores = [0; 2];
            weights.sum(&self.features, &mut scores);
            self.pairs[slot] = (key, scores);
        }
        self.pairs[slot].1
    }

    /// The scores of Left and Right in a state.
    fn scores<W: Weights>(&mut self, line: &Line, weights: &W, view: &View) -> Scores {
        let slot = view.hash() as usize % STATES;
        if self.states[slot].0 == *view {
            return self.states[slot].1;
        }
        let (s0, s1, n0) = (view.s0.word, view.s1.word, view.n0.word);
        self.features.clear();
        line.of_state(view, &mut self.features);
        let mut scores = [0; 2];
        weights.sum(&self.features, &mut scores);
        let parts = [
            self.words[s0 as usize][0],
            self.words[s1 as usize][1],
            self.words[n0 as usize][2],
            self.pair(line, weights, 0, s0, n0),
            self.pair(line, weights, 1, s1, s0),
            self.pair(line, weights, 2, s1, n0),
        ];
        for part in parts {
            scores[0] += part[0];
            scores[1] += part[1];
        }
        self.states[slot] = (*view, scores);
        scores
    }
}

impl Search {
    /// Begins with the sentence in `line`.
    pub(super) fn start<W: Weights>(&mut self, weights: &W) {
        self.memory.start(&self.line, weights);
        let state = self.stacks.start();
        self.history.clear();
        self.beam.clear();
        self.beam.push(Entry { score: 0, state, last: START });
    }

    /// The score of an action in a state.
    pub(super) fn score<W: Weights>(&mut self, weights: &W, state: State, action: Action) -> i32 {
        let view = self.stacks.view(state);
        let [left, right] = self.memory.scores(&self.line, weights, &view);
        match action {
            Action::Shift => 0,
            Action::Left => left,
            Action::Right => right,
        }
    }

    /// One action further, in all states of the beam.
    pub(super) fn step<W: Weights>(&mut self, weights: &W, width: usize) {
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
        self.next.clear();
        for &(score, at, action) in &self.candidates {
            let entry = self.beam[at as usize];
            self.history.push(Step { before: entry.last, action });
            let last = (self.history.len() - 1) as u32;
            self.next.push(Entry { score, state: self.stacks.after(entry.state, action), last });
        }
        std::mem::swap(&mut self.beam, &mut self.next);
    }

    /// The actions on the way to a place in the history, the last one first.
    pub(super) fn way(&self, mut last: u32) -> impl Iterator<Item = Action> + '_ {
        std::iter::from_fn(move || {
            let step = self.history.get(last as usize)?;
            last = step.before;
            Some(step.action)
        })
    }
}
