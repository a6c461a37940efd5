//! A linear chain model: one label per word, scored by the word's features and the previous label.
//! Viterbi's algorithm finds the best sequence.
//!
//! With many labels, only the [`MAX_CANDIDATES`] with the highest emission scores are followed at
//! each word. With few labels that is all of them, and the best sequence is exact.

use super::WeightTable;
use crate::Result;
use crate::container::{SectionReader, put};

/// Maximum number of candidate labels per word.
pub const MAX_CANDIDATES: usize = 24;
/// Candidates below the best by more than this, in training units, are pruned.
const MARGIN: f32 = 8.0;
/// The score of a forbidden transition: so low that any other path is better.
const NEVER: i32 = -1_000_000;

/// The weights of a chain.
#[derive(Clone, Debug)]
pub struct Chain {
    table: WeightTable,
    /// Transition scores `steps[before * n + label]`, in quantisation units of the table; `before`
    /// = n is the start of the sequence. `NEVER` if forbidden.
    steps: Vec<i32>,
    margin: i32,
}

/// Buffers for decoding, reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct ChainScratch {
    /// Per-word values precomputed for feature extraction. Decoding does not read them.
    pub(crate) clues: Vec<[u32; 2]>,
    features: Vec<u32>,
    emissions: Vec<i32>,
    /// Candidates of all words: label, best score of a path to it, index of the preceding
    /// candidate.
    candidates: Vec<(u8, i32, u32)>,
    /// `starts[word]..starts[word + 1]` are the candidates of a word.
    starts: Vec<u32>,
}

impl Chain {
    /// Creates a chain from a table and transition weights: `(n + 1) * n` values, minus infinity
    /// for forbidden transitions.
    pub fn new(table: WeightTable, steps: &[f32]) -> Self {
        let scale = table.scale();
        let quantised = |weight: f32| if weight.is_finite() { (weight / scale).round() as i32 } else { NEVER };
        let steps = steps.iter().map(|&weight| quantised(weight)).collect();
        Self { margin: (MARGIN / scale) as i32, table, steps }
    }

    /// Returns the weight table.
    pub fn table(&self) -> &WeightTable {
        &self.table
    }

    /// Computes the best labels of `n_words` words. `features(word, out)` lists the features of a
    /// word.
    pub fn decode(
        &self,
        n_words: usize,
        mut features: impl FnMut(usize, &mut Vec<u32>),
        scratch: &mut ChainScratch,
        out: &mut Vec<u8>,
    ) {
        let n = self.table.n_labels();
        out.clear();
        scratch.candidates.clear();
        scratch.starts.clear();
        scratch.starts.push(0);
        if n == 0 {
            return;
        }
        scratch.emissions.resize(n, 0);
        for word in 0..n_words {
            scratch.features.clear();
            features(word, &mut scratch.features);
            scratch.emissions.fill(0);
            self.table.add_all(&scratch.features, &mut scratch.emissions);
            self.extend(scratch);
        }
        // Backtracks from the best last candidate to the first.
        let range = |word: usize| scratch.starts[word] as usize..scratch.starts[word + 1] as usize;
        let Some(last) = n_words.checked_sub(1) else { return };
        let mut best = range(last).max_by_key(|&at| (scratch.candidates[at].1, std::cmp::Reverse(at))).unwrap_or(0);
        out.resize(n_words, 0);
        for word in (0..n_words).rev() {
            let (label, _, before) = scratch.candidates[best];
            out[word] = label;
            best = before as usize;
        }
    }

    /// Appends the candidates of the next word, whose emission scores are known.
    fn extend(&self, scratch: &mut ChainScratch) {
        let n = self.table.n_labels();
        let floor = scratch.emissions.iter().fold(i32::MIN, |best, &score| best.max(score)).saturating_sub(self.margin);
        let n_likely = scratch.emissions.iter().filter(|&&score| score >= floor).count();
        let floor = if n_likely > MAX_CANDIDATES { nth_best(&scratch.emissions, floor) } else { floor };
        let before = match scratch.starts[..] {
            [.., start, end] => start as usize..end as usize,
            _ => 0..0,
        };
        for label in 0..n {
            let emission = scratch.emissions[label];
            if emission < floor {
                continue;
            }
            let (mut best, mut from) = (i32::MIN, 0);
            if before.is_empty() {
                best = self.steps[n * n + label];
            }
            for at in before.clone() {
                let (last, score, _) = scratch.candidates[at];
                let score = score.saturating_add(self.steps[last as usize * n + label]);
                if score > best {
                    (best, from) = (score, at);
                }
            }
            scratch.candidates.push((label as u8, best.saturating_add(emission), from as u32));
        }
        scratch.starts.push(scratch.candidates.len() as u32);
    }

    /// Writes the chain as a section.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.table.write(out);
        for &step in &self.steps {
            // Zigzag, so that small numbers of either sign are short.
            put(out, ((step << 1) ^ (step >> 31)) as u32 as u64);
        }
    }

    /// Reads what `write` has written.
    pub fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let table = WeightTable::read(reader)?;
        let n = table.n_labels();
        let mut steps = Vec::with_capacity((n + 1) * n);
        for _ in 0..(n + 1) * n {
            let value = reader.below(1 << 24, "weight of a step")?;
            steps.push((value >> 1) as i32 ^ -((value & 1) as i32));
        }
        if table.scale() <= 0.0 {
            return reader.fail("the scale of weights is not positive");
        }
        Ok(Self { margin: (MARGIN / table.scale()) as i32, table, steps })
    }
}

/// Returns the lowest of the [`MAX_CANDIDATES`] best scores of at least `floor`; `i32::MIN` if
/// there are fewer.
fn nth_best(scores: &[i32], floor: i32) -> i32 {
    let mut best = [i32::MIN; MAX_CANDIDATES];
    let mut n = 0;
    for &score in scores {
        if score < floor || (n == MAX_CANDIDATES && score <= best[n - 1]) {
            continue;
        }
        let mut at = if n < MAX_CANDIDATES { n } else { n - 1 };
        while at > 0 && best[at - 1] < score {
            best[at] = best[at - 1];
            at -= 1;
        }
        best[at] = score;
        n = (n + 1).min(MAX_CANDIDATES);
    }
    if n == MAX_CANDIDATES { best[n - 1] } else { i32::MIN }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reference implementation: scores every sequence.
    fn best_score(emissions: &[Vec<i32>], steps: &[i32], n: usize) -> i32 {
        fn go(emissions: &[Vec<i32>], steps: &[i32], n: usize, before: usize) -> i32 {
            let Some((first, rest)) = emissions.split_first() else { return 0 };
            (0..n).map(|label| first[label] + steps[before * n + label] + go(rest, steps, n, label)).max().unwrap_or(0)
        }
        go(emissions, steps, n, n)
    }

    proptest! {
        #[test]
        fn the_best_sequence_is_found(
            n in 1_usize..4,
            seed in prop::collection::vec(-9_i32..10, 64),
            n_words in 0_usize..6,
        ) {
            // One feature per word and label, with integral weights: the largest is 127, so that a
            // unit is 1.
            let mut rows: Vec<(u32, Vec<(u8, f32)>)> = (0..n_words)
                .map(|word| (word as u32, (0..n).map(|label| (label as u8, seed[word * 4 + label] as f32)).collect()))
                .collect();
            rows.push((1000, vec![(0, 127.0)]));
            let steps: Vec<f32> = (0..(n + 1) * n).map(|at| seed[30 + at] as f32).collect();
            let chain = Chain { margin: 1000, ..Chain::new(WeightTable::new(n, &rows), &steps) };
            let mut bytes = Vec::new();
            chain.write(&mut bytes);
            let back = Chain { margin: 1000, ..Chain::read(&mut SectionReader::new("m", "chain", &bytes)).unwrap() };
            let mut out = Vec::new();
            back.decode(n_words, |word, features| features.push(word as u32), &mut ChainScratch::default(), &mut out);
            let emissions: Vec<Vec<i32>> =
                (0..n_words).map(|word| (0..n).map(|label| seed[word * 4 + label]).collect()).collect();
            let mut score = 0;
            let mut before = n;
            for (word, &label) in out.iter().enumerate() {
                score += emissions[word][label as usize] + chain.steps[before * n + label as usize];
                before = label as usize;
            }
            prop_assert_eq!(out.len(), n_words);
            prop_assert_eq!(score, best_score(&emissions, &chain.steps, n));
        }

        #[test]
        fn the_nth_best_is_that_of_sorting(scores in prop::collection::vec(-50_i32..50, 0..80), floor in -60_i32..20) {
            let mut kept: Vec<i32> = scores.iter().copied().filter(|&score| score >= floor).collect();
            kept.sort_unstable_by(|a, b| b.cmp(a));
            let expected = kept.get(MAX_CANDIDATES - 1).copied().unwrap_or(i32::MIN);
            prop_assert_eq!(nth_best(&scores, floor), expected);
        }
    }
}
