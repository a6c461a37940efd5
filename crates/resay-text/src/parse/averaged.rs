//! Averaged perceptrons: weights during training, whose result is the mean over all steps.
//!
//! The mean is maintained lazily: a weight's sum over time is updated only when the weight changes,
//! and at the end.

use super::state::Action;
use super::weights::{Scores, Weights};
use rustc_hash::FxHashMap;

/// A weight, and its sum over all steps before `since`.
#[derive(Clone, Copy, Debug, Default)]
struct Averaged {
    weight: i32,
    since: u32,
    sum: i64,
}

impl Averaged {
    fn add(&mut self, by: i32, now: u32) {
        self.sum += i64::from(self.weight) * i64::from(now - self.since);
        self.weight += by;
        self.since = now;
    }

    fn mean(&self, now: u32) -> f32 {
        let sum = self.sum + i64::from(self.weight) * i64::from(now - self.since);
        (sum as f64 / f64::from(now.max(1))) as f32
    }
}

/// Weights of features for Left and Right, in an open-addressing hash table by the top bits of the
/// hash. Doubles when half full.
#[derive(Debug)]
pub(super) struct ActionLearner {
    shift: u32,
    /// The hash, and the row number plus one.
    slots: Vec<(u32, u32)>,
    rows: Vec<[Averaged; 2]>,
    now: u32,
}

impl ActionLearner {
    pub(super) fn new() -> Self {
        Self { shift: 12, slots: vec![(0, 0); 1 << 20], rows: Vec::new(), now: 0 }
    }

    /// Advances time by one step.
    pub(super) fn tick(&mut self) {
        self.now += 1;
    }

    /// Returns the row of a feature, or the slot where it would be inserted.
    #[inline]
    fn find(&self, feature: u32) -> Result<usize, usize> {
        let mut place = (feature >> self.shift) as usize;
        loop {
            let (hash, row) = self.slots[place];
            if row == 0 {
                return Err(place);
            }
            if hash == feature {
                return Ok(row as usize - 1);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds `by` to the weights of features for an action. Shift has no weights: its score is
    /// always 0.
    pub(super) fn update(&mut self, features: &[u32], action: Action, by: i32) {
        let side = match action {
            Action::Shift => return,
            Action::Left => 0,
            Action::Right => 1,
        };
        for &feature in features {
            let row = self.find(feature).unwrap_or_else(|place| {
                self.rows.push(Default::default());
                self.slots[place] = (feature, self.rows.len() as u32);
                if self.rows.len() * 2 > self.slots.len() && self.shift > 2 {
                    self.grow();
                }
                self.rows.len() - 1
            });
            self.rows[row][side].add(by, self.now);
        }
    }

    fn grow(&mut self) {
        let mut old = std::mem::take(&mut self.slots);
        old.retain(|slot| slot.1 != 0);
        self.shift -= 1;
        self.slots = vec![(0, 0); 1 << (32 - self.shift)];
        for slot in old {
            if let Err(place) = self.find(slot.0) {
                self.slots[place] = slot;
            }
        }
    }

    /// Returns the means of the `most` features with the largest ones, in ascending order of hash.
    pub(super) fn means(&self, most: usize) -> Vec<(u32, [f32; 2])> {
        let taken = self.slots.iter().filter(|slot| slot.1 != 0);
        let mean = |row: u32| self.rows[row as usize - 1].map(|weight| weight.mean(self.now));
        let all = taken.map(|&(hash, row)| (hash, mean(row))).collect();
        largest(all, most, |weights| weights[0].abs().max(weights[1].abs()))
    }
}

impl Weights for ActionLearner {
    fn sum(&self, features: &[u32], scores: &mut Scores) {
        for &feature in features {
            if let Ok(row) = self.find(feature) {
                scores.iter_mut().zip(&self.rows[row]).for_each(|(score, weight)| *score += weight.weight);
            }
        }
    }
}

/// Weights of features for relations. Rows are short lists.
#[derive(Debug, Default)]
pub(super) struct LabelLearner {
    numbers: FxHashMap<u32, u32>,
    rows: Vec<(u32, Vec<(u8, Averaged)>)>,
    now: u32,
}

impl LabelLearner {
    /// Advances time by one step.
    pub(super) fn tick(&mut self) {
        self.now += 1;
    }

    /// Computes the score of every relation.
    pub(super) fn sum(&self, features: &[u32], scores: &mut [i32]) {
        scores.fill(0);
        for feature in features {
            if let Some(&row) = self.numbers.get(feature) {
                for (label, weight) in &self.rows[row as usize].1 {
                    scores[*label as usize] += weight.weight;
                }
            }
        }
    }

    /// Adds `by` to the weights of features for a relation.
    pub(super) fn update(&mut self, features: &[u32], label: u8, by: i32) {
        for &feature in features {
            let row = *self.numbers.entry(feature).or_insert(self.rows.len() as u32) as usize;
            if row == self.rows.len() {
                self.rows.push((feature, Vec::new()));
            }
            let row = &mut self.rows[row].1;
            let at = row.iter().position(|entry| entry.0 == label).unwrap_or_else(|| {
                row.push((label, Averaged::default()));
                row.len() - 1
            });
            row[at].1.add(by, self.now);
        }
    }

    /// Returns the means of the `most` features with the largest ones, in ascending order of hash
    /// and label.
    pub(super) fn means(&self, most: usize) -> Vec<(u32, Vec<(u8, f32)>)> {
        let mean = |row: &[(u8, Averaged)]| {
            let mut means: Vec<(u8, f32)> = row.iter().map(|(label, weight)| (*label, weight.mean(self.now))).collect();
            means.sort_unstable_by_key(|entry| entry.0);
            means
        };
        let all = self.rows.iter().map(|(hash, row)| (*hash, mean(row))).collect();
        largest(all, most, |row| row.iter().fold(0.0, |most, entry| most.max(entry.1.abs())))
    }
}

/// Returns the `most` features of the largest size, in ascending order of hash.
fn largest<T>(mut all: Vec<(u32, T)>, most: usize, size: impl Fn(&T) -> f32) -> Vec<(u32, T)> {
    if all.len() > most {
        all.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)).then(a.0.cmp(&b.0)));
        all.truncate(most);
    }
    all.sort_unstable_by_key(|feature| feature.0);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_all_times() {
        let mut learner = ActionLearner::new();
        let mut labels = LabelLearner::default();
        // Weights of feature 7 for Left at steps 1, 2, 3: 2, 2, -1; their mean is 1.
        for by in [2, 0, -3] {
            learner.update(&[7], Action::Left, by);
            labels.update(&[7], 4, by);
            learner.tick();
            labels.tick();
        }
        learner.update(&[9], Action::Right, 5);
        assert_eq!(learner.means(10), [(7, [1.0, 0.0]), (9, [0.0, 0.0])]);
        assert_eq!(labels.means(10), [(7, vec![(4, 1.0)])]);
        assert_eq!(learner.means(1), [(7, [1.0, 0.0])]);
        let mut scores = [10, 10];
        learner.sum(&[7, 8, 9], &mut scores);
        assert_eq!(scores, [9, 15]);
    }

    #[test]
    fn many_features_are_found_again() {
        let mut learner = ActionLearner::new();
        let feature = |n: u32| n.wrapping_mul(0x9e37_79b9);
        (0..700_000).for_each(|n| learner.update(&[feature(n)], Action::Left, n as i32));
        for n in (0..700_000).step_by(997) {
            let mut scores = [0; 2];
            learner.sum(&[feature(n)], &mut scores);
            assert_eq!(scores, [n as i32, 0]);
        }
    }
}
