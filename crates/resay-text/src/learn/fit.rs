//! Trains a [`Chain`] on labelled sequences.
//!
//! Input: sequences x of feature lists with labels y. The weights w define score(y) = sum over
//! words of the weights of (feature, label) and (previous label, label). There are two methods:
//! - [`Method::Crf`] minimises the sum of -ln p(y | x) + l1 |w| + l2/2 |w|^2, with p proportional
//!   to exp score, by stochastic gradient descent with one learning rate per weight: FTRL-Proximal
//!   (McMahan et al. 2013, Algorithm 1), whose l1 keeps a weight at exactly 0 until it has enough
//!   gradient. Returns the last weights.
//! - [`Method::Perceptron`] (Collins 2002) moves w from the best sequence under w towards the gold
//!   one. Returns the average of w over all steps.
//!
//! A feature has weights for the labels it was seen with. A frequent one
//! ([`FitOptions::all_labels_from`]) has weights for all labels, because there the absence of a
//! label is informative too. During training each feature of a word is dropped with probability
//! [`FitOptions::dropout`], so that the model does not rely on any single one.

use super::lattice::Lattice;
use super::{Chain, WeightTable, hash};
use rustc_hash::FxHashMap;

/// Smaller gradients are ignored.
const TINY: f32 = 1e-4;

/// A labelled sequence: `features[offsets[word]..offsets[word + 1]]` are the features of a word.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    /// Feature hashes of all words, concatenated.
    pub features: Vec<u32>,
    /// Where each word's features start; one more entry than words.
    pub offsets: Vec<u32>,
    /// The gold labels.
    pub labels: Vec<u8>,
}

impl Labelled {
    /// Creates a sequence. `features(word, out)` lists the features of a word.
    pub fn new(labels: Vec<u8>, mut features: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let mut all = Vec::new();
        let mut offsets = vec![0];
        for word in 0..labels.len() {
            features(word, &mut all);
            offsets.push(all.len() as u32);
        }
        Self { features: all, offsets, labels }
    }

    fn word(&self, word: usize) -> &[u32] {
        &self.features[self.offsets[word] as usize..self.offsets[word + 1] as usize]
    }
}

/// The training method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A conditional random field.
    Crf,
    /// An averaged perceptron.
    Perceptron,
}

/// Training parameters.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// The training method.
    pub method: Method,
    /// Number of passes over the data.
    pub epochs: usize,
    /// Learning rate (CRF only).
    pub rate: f32,
    /// Weight of |w|, not applied to transitions (CRF only).
    pub l1: f32,
    /// Weight of |w|^2 / 2 (CRF only).
    pub l2: f32,
    /// Probability of dropping a feature of a word.
    pub dropout: f32,
    /// Rarer features are ignored.
    pub min_count: u32,
    /// Features with at least this count have weights for all labels, others for the labels they
    /// were seen with.
    pub all_labels_from: u32,
    /// Weights of at most this share of the largest are left out of the table.
    pub prune: f32,
    /// Allowed transitions: `allowed[before * n + label]`, with the start of the sequence as the
    /// last row. Empty means all.
    pub allowed: Vec<bool>,
}

impl Default for FitOptions {
    /// The best settings for tagging.
    fn default() -> Self {
        Self {
            method: Method::Crf,
            epochs: 6,
            rate: 0.15,
            l1: 0.5,
            l2: 0.2,
            dropout: 0.2,
            min_count: 2,
            all_labels_from: u32::MAX,
            prune: 0.035,
            allowed: Vec::new(),
        }
    }
}

/// Trains a chain. `order(epoch, sequences)` permutes the sequence indices for an epoch.
/// `progress(epoch, loss)` receives the loss of every epoch: -ln p of the gold labels, or the
/// number of wrong ones.
pub fn fit(
    n_labels: usize,
    data: &[Labelled],
    options: &FitOptions,
    mut order: impl FnMut(usize, &mut [usize]),
    mut progress: impl FnMut(usize, f64),
) -> Chain {
    let (rows, data) = intern(n_labels, data, options);
    let mut learner = Learner::new(n_labels, rows, options);
    let mut numbers: Vec<usize> = (0..data.len()).collect();
    for epoch in 0..options.epochs {
        order(epoch, &mut numbers);
        let mut loss = 0.0;
        for &number in &numbers {
            let chance = hash::mix(hash::mix(1, epoch as u64), number as u64);
            learner.keep(&data[number], chance);
            loss += learner.gradient();
            learner.descend();
        }
        progress(epoch, loss);
    }
    learner.chain()
}

/// Features with dense numbers in hash order, and the labels that each has weights for.
struct Rows {
    hashes: Vec<u32>,
    /// `labels[starts[feature]..starts[feature + 1]]` are the labels of a feature. A position in
    /// `labels` is the index of a weight.
    starts: Vec<u32>,
    labels: Vec<u8>,
}

/// Builds the rows, and replaces hashes in the data by dense numbers.
fn intern(n_labels: usize, data: &[Labelled], options: &FitOptions) -> (Rows, Vec<Labelled>) {
    // The count of each feature, and the labels it was seen with, one bit each.
    let mut counts: FxHashMap<u32, (u32, [u64; 4])> = FxHashMap::default();
    for sequence in data {
        for (word, &label) in sequence.labels.iter().enumerate() {
            for &feature in sequence.word(word) {
                let (count, seen) = counts.entry(feature).or_default();
                *count += 1;
                seen[label as usize / 64] |= 1 << (label % 64);
            }
        }
    }
    let mut all: Vec<(u32, u32, [u64; 4])> = counts
        .into_iter()
        .filter(|(_, (count, _))| *count >= options.min_count)
        .map(|(feature, (count, seen))| (feature, count, seen))
        .collect();
    all.sort_unstable_by_key(|(feature, ..)| *feature);
    let mut rows = Rows { hashes: Vec::new(), starts: vec![0], labels: Vec::new() };
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    for (feature, count, seen) in all {
        numbers.insert(feature, rows.hashes.len() as u32);
        rows.hashes.push(feature);
        let has = |label: &u8| count >= options.all_labels_from || seen[*label as usize / 64] >> (label % 64) & 1 == 1;
        rows.labels.extend((0..n_labels).map(|label| label as u8).filter(has));
        rows.starts.push(rows.labels.len() as u32);
    }
    let dense = |sequence: &Labelled| {
        Labelled::new(sequence.labels.clone(), |at, out| {
            out.extend(sequence.word(at).iter().filter_map(|hash| numbers.get(hash)).copied());
        })
    };
    let data = data.iter().map(dense).collect();
    (rows, data)
}

/// Weights with the state of their optimiser.
struct Weights {
    now: Vec<f32>,
    /// CRF: FTRL's z and the sum of squared gradients. Perceptron: the sum over updates of update ×
    /// step number.
    memory: Vec<[f32; 2]>,
}

impl Weights {
    fn new(n: usize) -> Self {
        Self { now: vec![0.0; n], memory: vec![[0.0; 2]; n] }
    }

    /// One step of FTRL-Proximal against the gradient, with beta = 1: z += g - (sqrt(s + g^2) -
    /// sqrt s) / rate x w; w = -(z - sign(z) l1) / ((1 + sqrt s) / rate + l2), 0 if |z| <= l1.
    #[inline]
    fn ftrl(&mut self, at: usize, gradient: f32, rate: f32, l1: f32, l2: f32) {
        let [z, squares] = &mut self.memory[at];
        let before = squares.sqrt();
        *squares += gradient * gradient;
        let after = squares.sqrt();
        *z += gradient - (after - before) / rate * self.now[at];
        let excess = z.abs() - l1;
        self.now[at] = if excess <= 0.0 { 0.0 } else { -excess.copysign(*z) / ((1.0 + after) / rate + l2) };
    }

    /// One step of the perceptron.
    #[inline]
    fn plain(&mut self, at: usize, gradient: f32, step: f32) {
        self.now[at] -= gradient;
        self.memory[at][0] -= gradient * step;
    }
}

struct Learner<'a> {
    n: usize,
    options: &'a FitOptions,
    rows: Rows,
    features: Weights,
    /// Transition weights, `(n + 1) * n`, with the start as the last row; minus infinity if
    /// forbidden.
    steps: Weights,
    /// `exp(steps)`.
    ways: Vec<f32>,
    /// Number of sequences processed.
    step: f32,
    /// The current sequence without its dropped features.
    kept: Labelled,
    lattice: Lattice,
    /// `word_gradient[word * n + label]`: the gradient of -ln p (or of the perceptron's loss) with
    /// respect to the label's score.
    word_gradient: Vec<f32>,
    /// The gradient with respect to the transition scores; `touched` lists those that may be
    /// nonzero.
    step_gradient: Vec<f32>,
    touched: Vec<u32>,
}

impl<'a> Learner<'a> {
    fn new(n: usize, rows: Rows, options: &'a FitOptions) -> Self {
        let mut steps = Weights::new((n + 1) * n);
        for (step, &is_allowed) in steps.now.iter_mut().zip(&options.allowed) {
            *step = if is_allowed { 0.0 } else { f32::NEG_INFINITY };
        }
        Self {
            n,
            options,
            features: Weights::new(rows.labels.len()),
            rows,
            ways: steps.now.iter().map(|step| step.exp()).collect(),
            steps,
            step: 0.0,
            kept: Labelled::default(),
            lattice: Lattice::default(),
            word_gradient: Vec::new(),
            step_gradient: vec![0.0; (n + 1) * n],
            touched: Vec::new(),
        }
    }

    /// Loads a sequence, dropping features at random as drawn from `chance`.
    fn keep(&mut self, sequence: &Labelled, chance: u64) {
        let Labelled { features, offsets, labels } = &mut self.kept;
        labels.clear();
        labels.extend(&sequence.labels);
        features.clear();
        offsets.clear();
        offsets.push(0);
        let limit = (self.options.dropout * 65536.0) as u64;
        for word in 0..sequence.labels.len() {
            // Four draws of 16 bits from each hash.
            for (at, four) in sequence.word(word).chunks(4).enumerate() {
                let draws = hash::mix(chance, (word << 16 | at) as u64);
                let is_kept = |at: usize| draws >> (16 * at) & 0xffff >= limit;
                features.extend(four.iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, feature)| feature));
            }
            offsets.push(features.len() as u32);
        }
    }

    /// Returns the value of a kept feature, which preserves the expected sum under dropout.
    fn value(&self) -> f32 {
        1.0 / (1.0 - self.options.dropout)
    }

    /// Writes the scores of all labels at all words to the lattice.
    fn score(&mut self) {
        let (n, value) = (self.n, self.value());
        let scores = &mut self.lattice.scores;
        scores.clear();
        scores.resize(self.kept.labels.len() * n, 0.0);
        for (word, scores) in scores.chunks_exact_mut(n.max(1)).enumerate() {
            for &feature in self.kept.word(word) {
                let range =
                    self.rows.starts[feature as usize] as usize..self.rows.starts[feature as usize + 1] as usize;
                for (&label, weight) in self.rows.labels[range.clone()].iter().zip(&self.features.now[range]) {
                    scores[label as usize] += weight;
                }
            }
            scores.iter_mut().for_each(|score| *score *= value);
        }
    }

    /// Returns the loss of the current sequence, and writes its gradient to `word_gradient` and
    /// `step_gradient`.
    fn gradient(&mut self) -> f64 {
        let n = self.n;
        self.score();
        self.word_gradient.clear();
        let mut loss = match self.options.method {
            Method::Crf => {
                let right = self.right_score();
                let log_sum = self.lattice.sum(n, &self.ways);
                self.word_gradient.extend(&self.lattice.chances);
                for &(at, chance) in &self.lattice.steps {
                    self.step_gradient[at as usize] += chance;
                    self.touched.push(at);
                }
                log_sum - right
            }
            Method::Perceptron => {
                self.lattice.best(n, &self.steps.now);
                self.word_gradient.resize(self.kept.labels.len() * n, 0.0);
                let mut before = n;
                for (word, &label) in self.lattice.best.iter().enumerate() {
                    self.word_gradient[word * n + label as usize] = 1.0;
                    self.step_gradient[before * n + label as usize] += 1.0;
                    self.touched.push((before * n + label as usize) as u32);
                    before = label as usize;
                }
                0.0
            }
        };
        let mut before = n;
        for (word, &label) in self.kept.labels.iter().enumerate() {
            let label = label as usize;
            self.word_gradient[word * n + label] -= 1.0;
            if self.options.method == Method::Perceptron && self.word_gradient[word * n + label] != 0.0 {
                loss += 1.0;
            }
            self.step_gradient[before * n + label] -= 1.0;
            self.touched.push((before * n + label) as u32);
            before = label;
        }
        loss
    }

    fn right_score(&self) -> f64 {
        let mut before = self.n;
        let mut sum = 0.0;
        for (word, &label) in self.kept.labels.iter().enumerate() {
            let label = label as usize;
            sum += f64::from(self.lattice.scores[word * self.n + label]);
            sum += f64::from(self.steps.now[before * self.n + label]);
            before = label;
        }
        sum
    }

    /// Moves the weights against the gradient of the current sequence.
    fn descend(&mut self) {
        let FitOptions { method, rate, l1, l2, .. } = *self.options;
        let (n, value) = (self.n, self.value());
        self.step += 1.0;
        for word in 0..self.kept.labels.len() {
            let gradient = &mut self.word_gradient[word * n..][..n];
            let mut is_flat = true;
            for gradient in gradient.iter_mut() {
                *gradient = if gradient.abs() < TINY { 0.0 } else { *gradient * value };
                is_flat &= *gradient == 0.0;
            }
            if is_flat {
                continue;
            }
            for &feature in self.kept.word(word) {
                let range =
                    self.rows.starts[feature as usize] as usize..self.rows.starts[feature as usize + 1] as usize;
                for at in range {
                    let gradient = gradient[self.rows.labels[at] as usize];
                    if gradient != 0.0 {
                        match method {
                            Method::Crf => self.features.ftrl(at, gradient, rate, l1, l2),
                            Method::Perceptron => self.features.plain(at, gradient, self.step),
                        }
                    }
                }
            }
        }
        for at in self.touched.drain(..) {
            let at = at as usize;
            let gradient = std::mem::take(&mut self.step_gradient[at]);
            // Forbidden transitions stay forbidden, even if they occur in the data.
            if gradient.abs() < TINY || !self.steps.now[at].is_finite() {
                continue;
            }
            match method {
                Method::Crf => {
                    self.steps.ftrl(at, gradient, rate, 0.0, l2);
                    self.ways[at] = self.steps.now[at].exp();
                }
                Method::Perceptron => self.steps.plain(at, gradient, self.step),
            }
        }
    }

    /// Returns the final value of a weight. The average of n steps is w - (1/n) sum of update x
    /// (its step number - 1).
    fn last(&self, weights: &Weights, at: usize) -> f32 {
        let now = weights.now[at];
        match self.options.method {
            Method::Crf => now,
            Method::Perceptron => now - (weights.memory[at][0] - now) / self.step.max(1.0),
        }
    }

    fn chain(&self) -> Chain {
        let weights = (0..self.features.now.len()).map(|at| self.last(&self.features, at).abs());
        let least = weights.fold(0.0, f32::max) * self.options.prune;
        let mut rows = Vec::new();
        for (feature, &hash) in self.rows.hashes.iter().enumerate() {
            let range = self.rows.starts[feature] as usize..self.rows.starts[feature + 1] as usize;
            let row: Vec<(u8, f32)> = range
                .map(|at| (self.rows.labels[at], self.last(&self.features, at)))
                .filter(|(_, weight)| weight.abs() > least)
                .collect();
            if !row.is_empty() {
                rows.push((hash, row));
            }
        }
        let steps: Vec<f32> = (0..self.steps.now.len()).map(|at| self.last(&self.steps, at)).collect();
        Chain::new(WeightTable::new(self.n, &rows), &steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::ChainScratch;
    use proptest::prelude::*;

    fn options(method: Method) -> FitOptions {
        FitOptions {
            method,
            dropout: 0.0,
            min_count: 1,
            all_labels_from: 0,
            l1: 0.0,
            l2: 0.0,
            prune: 0.0,
            ..FitOptions::default()
        }
    }

    /// Creates a sequence of words with the given features and labels.
    fn sequence(words: &[(&[u32], u8)]) -> Labelled {
        Labelled::new(words.iter().map(|word| word.1).collect(), |word, out| out.extend(words[word].0))
    }

    /// Selects one of a learner's lists of weights.
    type OneOf = for<'a, 'b> fn(&'a mut Learner<'b>) -> &'a mut Vec<f32>;

    /// Computes -ln p of the gold sequence by the definition, enumerating all label sequences.
    fn slow_loss(n: usize, learner: &Learner<'_>, data: &Labelled) -> f64 {
        let score = |labels: &[u8]| {
            let mut before = n;
            let mut sum = 0.0;
            for (word, &label) in labels.iter().enumerate() {
                for &feature in data.word(word) {
                    let start = learner.rows.starts[feature as usize] as usize;
                    sum += f64::from(learner.features.now[start + label as usize]);
                }
                sum += f64::from(learner.steps.now[before * n + label as usize]);
                before = label as usize;
            }
            sum
        };
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..data.labels.len() {
            all = all.iter().flat_map(|head| (0..n as u8).map(|label| [&head[..], &[label]].concat())).collect();
        }
        all.iter().map(|labels| score(labels).exp()).sum::<f64>().ln() - score(&data.labels)
    }

    proptest! {
        /// Compares the loss with its definition, and the gradient with finite differences.
        #[test]
        fn the_gradient_is_that_of_the_loss(
            n in 2_usize..4,
            words in prop::collection::vec((prop::collection::vec(0_u32..4, 0..4), 0_u8..2), 1..5),
            weights in prop::collection::vec(-1.0_f32..1.0, 32),
        ) {
            let data = Labelled::new(words.iter().map(|word| word.1).collect(), |word, out| out.extend(&words[word].0));
            let options = options(Method::Crf);
            let (rows, data) = intern(n, &[data], &options);
            let data = &data[0];
            let mut learner = Learner::new(n, rows, &options);
            learner.features.now.iter_mut().zip(&weights).for_each(|(weight, value)| *weight = *value);
            learner.steps.now.iter_mut().zip(weights.iter().rev()).for_each(|(weight, value)| *weight = *value);
            learner.ways = learner.steps.now.iter().map(|step| step.exp()).collect();
            learner.keep(data, 0);
            let loss = learner.gradient();
            prop_assert!((loss - slow_loss(n, &learner, data)).abs() < 1e-3);
            let found = (learner.word_gradient.clone(), learner.step_gradient.clone());
            let difference = |learner: &mut Learner<'_>, weight: OneOf, at: usize| {
                let mut loss_at = |change: f32| {
                    weight(learner)[at] += change;
                    slow_loss(n, learner, data)
                };
                let (up, down) = (loss_at(0.01), loss_at(-0.02));
                loss_at(0.01);
                (up - down) / 0.02
            };
            for at in 0..learner.features.now.len() {
                let (feature, label) = ((at / n) as u32, at % n);
                let times = |word: usize| data.word(word).iter().filter(|&&known| known == feature).count() as f32;
                let found: f32 = (0..data.labels.len()).map(|word| times(word) * found.0[word * n + label]).sum();
                let expected = difference(&mut learner, |learner| &mut learner.features.now, at);
                prop_assert!((f64::from(found) - expected).abs() < 5e-3, "weight {at}: {found} {expected}");
            }
            for at in 0..learner.steps.now.len() {
                let expected = difference(&mut learner, |learner| &mut learner.steps.now, at);
                prop_assert!((f64::from(found.1[at]) - expected).abs() < 5e-3, "step {at}: {} {expected}", found.1[at]);
            }
        }
    }

    /// Sentences over four words: "a" is 0 before "x" and 1 before "y"; "x" is 1, "y" is 0; "z" is
    /// 1 right after a 1, else 0. Features of the word, features of its neighbour and transitions
    /// are all needed.
    fn toy() -> Vec<Labelled> {
        let patterns: [&[(&[u32], u8)]; 6] = [
            &[(&[1, 20], 0), (&[2], 1)],
            &[(&[1, 30], 1), (&[3], 0)],
            &[(&[2], 1), (&[4], 1), (&[3], 0), (&[4], 0)],
            &[(&[3], 0), (&[4], 0), (&[1, 20], 0), (&[2], 1)],
            &[(&[4], 0), (&[2], 1), (&[4], 1)],
            &[],
        ];
        patterns.iter().map(|words| sequence(words)).collect()
    }

    fn bytes(chain: &Chain) -> Vec<u8> {
        let mut out = Vec::new();
        chain.write(&mut out);
        out
    }

    #[test]
    fn both_methods_learn_a_toy_by_heart_and_the_same_twice() {
        for method in [Method::Crf, Method::Perceptron] {
            let options = FitOptions { epochs: 40, rate: 0.5, ..options(method) };
            let mut losses = Vec::new();
            let chain = fit(2, &toy(), &options, |_, _| {}, |_, loss| losses.push(loss));
            let mut out = Vec::new();
            for sequence in toy() {
                let features = |word: usize, out: &mut Vec<u32>| out.extend(sequence.word(word));
                chain.decode(sequence.labels.len(), features, &mut ChainScratch::default(), &mut out);
                assert_eq!(out, sequence.labels, "{method:?}");
            }
            assert!(losses[39] < losses[0] / 4.0, "{method:?}: {losses:?}");
            let again = fit(2, &toy(), &options, |_, _| {}, |_, _| {});
            assert_eq!(bytes(&chain), bytes(&again));
        }
    }

    #[test]
    fn dropout_passes_over_its_share_and_differs_by_chance() {
        let many = Labelled::new(vec![0; 50], |word, out| out.extend((0..40).map(|at| (word * 40 + at) as u32)));
        let options = FitOptions { dropout: 0.25, ..options(Method::Crf) };
        let (rows, data) = intern(1, &[many], &options);
        let mut learner = Learner::new(1, rows, &options);
        let mut kept = |chance| {
            learner.keep(&data[0], chance);
            learner.kept.features.clone()
        };
        let (first, second) = (kept(1), kept(2));
        assert_eq!(first, kept(1));
        assert_ne!(first, second);
        assert!((1400..1600).contains(&first.len()), "{} of 2000 kept, expected about 1500", first.len());
    }

    #[test]
    fn a_strong_l1_leaves_nothing_and_rare_features_have_no_row() {
        let check = |options: FitOptions, expected: usize| {
            let chain = fit(2, &toy(), &options, |_, _| {}, |_, _| {});
            assert_eq!(chain.table().n_features(), expected);
        };
        check(options(Method::Crf), 6);
        check(FitOptions { min_count: 3, ..options(Method::Crf) }, 4);
        check(FitOptions { l1: 1e6, ..options(Method::Crf) }, 0);
        check(FitOptions { prune: 1.0, ..options(Method::Crf) }, 0);
    }

    #[test]
    fn steps_that_may_not_be_are_never_taken() {
        // 0 may not follow 0, although it does in the data.
        let data = vec![sequence(&[(&[1], 0), (&[1], 0), (&[1], 0)])];
        for method in [Method::Crf, Method::Perceptron] {
            let options = FitOptions { allowed: vec![false, true, true, true, true, true], ..options(method) };
            let chain = fit(2, &data, &options, |_, _| {}, |_, _| {});
            let mut out = Vec::new();
            chain.decode(3, |_, out| out.push(1), &mut ChainScratch::default(), &mut out);
            assert!(!out.windows(2).any(|pair| pair == [0, 0]), "{method:?}: {out:?}");
        }
    }
}
