//! The lattice of a linear chain: all label sequences of one sentence at once.
//!
//! Input: the score of every label at every word, and of every transition. Two computations:
//! - [`Lattice::sum`]: ln of the sum over all sequences of exp score, and the marginal
//!   probabilities of labels and transitions (forward-backward, Rabiner 1989 with scaling at every
//!   word).
//! - [`Lattice::best`]: the sequence with the highest score (Viterbi).
//!
//! Buffers are reused from sentence to sentence. Labels whose forward probability is below [`TINY`]
//! are pruned: with a hundred labels, that is all but a few of them once something has been
//! learned.

/// Smaller probabilities count as 0.
const TINY: f32 = 1e-6;
/// Scores this far below the best of their word have an exponential of 0.
const FAR: f32 = 16.0;
/// Number of parallel sums, so that the compiler can use vector registers. It fixes the order of
/// additions.
const LANES: usize = 16;

/// Scores in, probabilities out. Arrays have the shape of their index, with `n` labels.
#[derive(Clone, Debug, Default)]
pub(super) struct Lattice {
    /// `scores[word * n + label]`, filled by the caller. `sum` replaces them by their exponentials.
    pub(super) scores: Vec<f32>,
    /// `chances[word * n + label]`: the marginal probability of a label at a word.
    pub(super) chances: Vec<f32>,
    /// Transitions with nonzero probability and their expected counts. A transition may occur
    /// several times.
    pub(super) steps: Vec<(u32, f32)>,
    /// The best label of every word.
    pub(super) best: Vec<u8>,
    forward: Vec<f32>,
    backward: Vec<f32>,
    onward: Vec<f32>,
    from: Vec<u8>,
}

impl Lattice {
    /// Sums over all sequences and returns ln of the sum. `ways[before * n + label]` is exp of a
    /// transition's score, 0 if forbidden; the start of the sequence is the last row.
    pub(super) fn sum(&mut self, n: usize, ways: &[f32]) -> f64 {
        let n_words = self.scores.len() / n.max(1);
        self.steps.clear();
        self.chances.clear();
        if n_words == 0 {
            return 0.0;
        }
        let mut log_sum = 0.0;
        for scores in self.scores.chunks_exact_mut(n) {
            let best = largest(scores);
            log_sum += f64::from(best);
            for score in scores {
                *score = if *score < best - FAR { 0.0 } else { (*score - best).exp() };
            }
        }
        // forward[word][label] = score x sum over before of forward[word - 1][before] x way, scaled
        // to sum 1.
        self.forward.clear();
        self.forward.resize(n_words * n, 0.0);
        for word in 0..n_words {
            let (done, rest) = self.forward.split_at_mut(word * n);
            let row = &mut rest[..n];
            if word == 0 {
                row.copy_from_slice(&ways[n * n..]);
            } else {
                for (before, &mass) in done[(word - 1) * n..].iter().enumerate() {
                    if mass > TINY {
                        row.iter_mut().zip(&ways[before * n..][..n]).for_each(|(sum, way)| *sum += mass * way);
                    }
                }
            }
            row.iter_mut().zip(&self.scores[word * n..]).for_each(|(sum, score)| *sum *= score);
            let total = total(row).max(f32::MIN_POSITIVE);
            log_sum += f64::from(total).ln();
            row.iter_mut().for_each(|sum| *sum /= total);
        }
        // backward[word][label] = sum over after of way x score[after] x backward[word + 1][after],
        // scaled so that forward x backward sums to 1 at every word.
        self.backward.clear();
        self.backward.resize(n_words * n, 1.0);
        self.onward.resize(n, 0.0);
        for word in (0..n_words - 1).rev() {
            let (done, after) = self.backward.split_at_mut((word + 1) * n);
            let backward = &mut done[word * n..];
            let scores = self.scores[(word + 1) * n..].iter().zip(&after[..n]);
            self.onward.iter_mut().zip(scores).for_each(|(onward, (score, back))| *onward = score * back);
            let forward = &self.forward[word * n..][..n];
            let mut total = 0.0;
            for before in 0..n {
                backward[before] = 0.0;
                if forward[before] > TINY {
                    backward[before] = dot(&ways[before * n..][..n], &self.onward);
                    total += forward[before] * backward[before];
                }
            }
            let scale = 1.0 / total.max(f32::MIN_POSITIVE);
            for before in 0..n {
                backward[before] *= scale;
                if forward[before] * backward[before] <= TINY {
                    continue;
                }
                let mass = forward[before] * scale;
                for (label, (way, onward)) in ways[before * n..][..n].iter().zip(&self.onward).enumerate() {
                    let chance = mass * way * onward;
                    if chance > TINY {
                        self.steps.push(((before * n + label) as u32, chance));
                    }
                }
            }
        }
        self.chances.extend(self.forward.iter().zip(&self.backward).map(|(forward, backward)| forward * backward));
        let first = self.chances[..n].iter().enumerate().filter(|(_, chance)| **chance > TINY);
        self.steps.extend(first.map(|(label, &chance)| ((n * n + label) as u32, chance)));
        log_sum
    }

    /// Finds the best sequence. Ties go to the lower label. `steps` is like `ways` above, but with
    /// scores: minus infinity for forbidden transitions.
    pub(super) fn best(&mut self, n: usize, steps: &[f32]) {
        let n_words = self.scores.len() / n.max(1);
        self.best.clear();
        self.best.resize(n_words, 0);
        self.forward.clear();
        self.forward.resize(n_words * n, f32::NEG_INFINITY);
        self.from.clear();
        self.from.resize(n_words * n, 0);
        for word in 0..n_words {
            let (done, rest) = self.forward.split_at_mut(word * n);
            let (row, from) = (&mut rest[..n], &mut self.from[word * n..][..n]);
            if word == 0 {
                row.copy_from_slice(&steps[n * n..]);
            } else {
                for (before, score) in done[(word - 1) * n..].iter().enumerate() {
                    let ways = row.iter_mut().zip(from.iter_mut()).zip(&steps[before * n..][..n]);
                    for ((best, from), step) in ways {
                        if score + step > *best {
                            (*best, *from) = (score + step, before as u8);
                        }
                    }
                }
            }
            row.iter_mut().zip(&self.scores[word * n..]).for_each(|(best, score)| *best += score);
        }
        let Some(last) = n_words.checked_sub(1) else { return };
        let ends = &self.forward[last * n..];
        let mut label = (0..n).fold(0, |best, label| if ends[label] > ends[best] { label } else { best });
        for word in (0..n_words).rev() {
            self.best[word] = label as u8;
            label = self.from[word * n + label] as usize;
        }
    }
}

fn largest(values: &[f32]) -> f32 {
    let mut lanes = [f32::MIN; LANES];
    for chunk in values.chunks(LANES) {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = if value > *lane { value } else { *lane };
        }
    }
    lanes.into_iter().fold(f32::MIN, f32::max)
}

fn total(values: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for chunk in values.chunks(LANES) {
        lanes.iter_mut().zip(chunk).for_each(|(lane, value)| *lane += value);
    }
    lanes.iter().sum()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks(LANES).zip(b.chunks(LANES)) {
        lanes.iter_mut().zip(a.iter().zip(b)).for_each(|(lane, (a, b))| *lane += a * b);
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Enumerates all label sequences.
    fn sequences(n: usize, n_words: usize) -> Vec<Vec<usize>> {
        (0..n_words).fold(vec![Vec::new()], |all, _| {
            all.iter().flat_map(|head| (0..n).map(|label| [&head[..], &[label]].concat())).collect()
        })
    }

    fn score(n: usize, scores: &[f32], steps: &[f32], labels: &[usize]) -> f64 {
        let mut before = n;
        let mut sum = 0.0;
        for (word, &label) in labels.iter().enumerate() {
            sum += f64::from(scores[word * n + label]) + f64::from(steps[before * n + label]);
            before = label;
        }
        sum
    }

    proptest! {
        /// Compares sums, marginals, expected transitions and the best sequence with enumeration.
        #[test]
        fn all_sequences_at_once(
            n in 1_usize..4,
            n_words in 1_usize..6,
            values in prop::collection::vec(-2.0_f32..2.0, 40),
            forbidden in prop::collection::vec(prop::bool::weighted(0.2), 9),
        ) {
            let scores = &values[..n_words * n];
            let mut steps = values[20..20 + (n + 1) * n].to_vec();
            for at in 0..n * n {
                // A label may always follow itself, so that at least one sequence is allowed.
                if forbidden[at] && at / n != at % n {
                    steps[at] = f32::NEG_INFINITY;
                }
            }
            let ways: Vec<f32> = steps.iter().map(|step| step.exp()).collect();
            let all = sequences(n, n_words);
            let each: Vec<f64> = all.iter().map(|labels| score(n, scores, &steps, labels).exp()).collect();
            let sum: f64 = each.iter().sum();
            let mut lattice = Lattice { scores: scores.to_vec(), ..Lattice::default() };
            let log_sum = lattice.sum(n, &ways);
            prop_assert!((log_sum - sum.ln()).abs() < 1e-3, "{log_sum} {}", sum.ln());
            let share = |is_in: &dyn Fn(&[usize]) -> f64| -> f64 {
                all.iter().zip(&each).map(|(labels, each)| is_in(labels) * each / sum).sum()
            };
            for word in 0..n_words {
                for label in 0..n {
                    let expected = share(&|labels| f64::from(u8::from(labels[word] == label)));
                    prop_assert!((f64::from(lattice.chances[word * n + label]) - expected).abs() < 1e-3);
                }
            }
            for step in 0..(n + 1) * n {
                let (before, label) = (step / n, step % n);
                let expected = share(&|labels| {
                    let starts = usize::from(before == n && labels[0] == label);
                    let inside = labels.windows(2).filter(|pair| **pair == [before, label]).count();
                    (starts + inside) as f64
                });
                let found: f32 = lattice.steps.iter().filter(|(at, _)| *at as usize == step).map(|(_, x)| x).sum();
                prop_assert!((f64::from(found) - expected).abs() < 1e-3, "step {step}: {found} {expected}");
            }
            let mut lattice = Lattice { scores: scores.to_vec(), ..Lattice::default() };
            lattice.best(n, &steps);
            let found: Vec<usize> = lattice.best.iter().map(|&label| label as usize).collect();
            let most = all.iter().map(|labels| score(n, scores, &steps, labels)).fold(f64::MIN, f64::max);
            prop_assert!((score(n, scores, &steps, &found) - most).abs() < 1e-4);
        }

        #[test]
        fn lanes_change_nothing_but_the_order(values in prop::collection::vec(-3.0_f32..3.0, 1..70)) {
            prop_assert_eq!(largest(&values), values.iter().copied().fold(f32::MIN, f32::max));
            prop_assert!((total(&values) - values.iter().sum::<f32>()).abs() < 1e-3);
            prop_assert!((dot(&values, &values) - values.iter().map(|x| x * x).sum::<f32>()).abs() < 1e-3);
        }
    }
}
