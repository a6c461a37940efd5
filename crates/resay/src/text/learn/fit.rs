//! Learns a [`Chain`] from labelled sequences.
//!
//! Given sequences x of feature lists with labels y, two ways to learn weights w of score(y) = sum over words of the
//! weights of (feature, label) and (label before, label):
//! - `Method::Crf`: minimise the sum of -ln p(y | x) + l2/2 |w|^2, p proportional to exp score, by stochastic gradient
//!   steps with a rate for every weight of its own (AdaGrad); expectations by the forward-backward recursions.
//! - `Method::Perceptron`: Collins 2002: the best sequence under w loses, the right one wins.
//!
//! Both give back the average of w over all steps, which is steadier than the last.
//! Weights are dense (features x labels) while learning; what is near nothing is left out of the table.

use super::{Chain, Table};
use rustc_hash::FxHashMap;

/// A labelled sequence: `features[offsets[word]..offsets[word + 1]]` are a word's features.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    /// Hashes of all words' features, one word after another.
    pub features: Vec<u32>,
    /// Where each word's features start; one more than words.
    pub offsets: Vec<u32>,
    /// The right labels.
    pub labels: Vec<u8>,
}

impl Labelled {
    /// A sequence whose words' features are given by `features(word, out)`.
    pub fn new(labels: Vec<u8>, mut features: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let mut all = Vec::new();
        let mut offsets = vec![0];
        for word in 0..labels.len() {
            features(word, &mut all);
            offsets.push(all.len() as u32);
        }
        Self { features: all, offsets, labels }
    }
}

/// How weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A conditional random field.
    Crf,
    /// An averaged perceptron.
    Perceptron,
}

/// Settings of learning.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// How weights are learned.
    pub method: Method,
    /// How often all sequences are gone through.
    pub epochs: usize,
    /// The size of a first step.
    pub rate: f32,
    /// The weight of |w|^2 (CRF only).
    pub l2: f32,
    /// Features seen less often are left out.
    pub min_count: u32,
    /// Weights of at most this size are left out of the table.
    pub prune: f32,
    /// Whether one label may follow another: `allowed[before * n + label]`, the beginning as the last row; empty for all.
    pub allowed: Vec<bool>,
}

/// Learns a chain. `order(epoch, sequences)` puts the numbers of the sequences into the epoch's order.
pub fn fit(
    n_labels: usize,
    data: &[Labelled],
    options: &FitOptions,
    mut order: impl FnMut(usize, &mut [usize]),
    mut progress: impl FnMut(usize, f64),
) -> Chain {
    let (hashes, data) = intern(data, options.min_count);
    let mut learner = Learner::new(n_labels, hashes.len(), options);
    let mut numbers: Vec<usize> = (0..data.len()).collect();
    for epoch in 0..options.epochs {
        order(epoch, &mut numbers);
        let mut loss = 0.0;
        for &number in &numbers {
            loss += match options.method {
                Method::Crf => learner.crf_step(&data[number]),
                Method::Perceptron => learner.perceptron_step(&data[number]),
            };
        }
        progress(epoch, loss);
    }
    learner.chain(&hashes)
}

/// Features by dense numbers in the order of their hashes; rare ones left out.
fn intern(data: &[Labelled], min_count: u32) -> (Vec<u32>, Vec<Labelled>) {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    for &feature in data.iter().flat_map(|sequence| &sequence.features) {
        *counts.entry(feature).or_default() += 1;
    }
    let mut all: Vec<u32> = data.iter().flat_map(|sequence| &sequence.features).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|feature| counts[feature] >= min_count);
    let numbers: FxHashMap<u32, u32> = all.iter().enumerate().map(|(at, &hash)| (hash, at as u32)).collect();
    let dense = |sequence: &Labelled| {
        let word = |at: usize| &sequence.features[sequence.offsets[at] as usize..sequence.offsets[at + 1] as usize];
        Labelled::new(sequence.labels.clone(), |at, out| {
            out.extend(word(at).iter().filter_map(|hash| numbers.get(hash)).copied());
        })
    };
    let data = data.iter().map(dense).collect();
    (all, data)
}

/// One block of weights with what averaging and AdaGrad need.
struct Weights {
    now: Vec<f32>,
    /// Sum over changes of change x number of the step, from which the average is made.
    lag: Vec<f32>,
    squares: Vec<f32>,
}

impl Weights {
    fn new(n: usize, start: f32) -> Self {
        Self { now: vec![0.0; n], lag: vec![0.0; n], squares: vec![start; n] }
    }
}

struct Learner<'a> {
    n: usize,
    options: &'a FitOptions,
    features: Weights,
    steps: Weights,
    step: f32,
    /// `emissions[word * n + label]`: scores of a word's own features, then their exponentials.
    emissions: Vec<f32>,
    /// `forward[word * n + label]`: scaled sums over all ways to a label.
    forward: Vec<f32>,
    backward: Vec<f32>,
    /// `exp(steps)`; 0 where not allowed.
    ways: Vec<f32>,
    expected_steps: Vec<f32>,
    gradient: Vec<f32>,
}

impl<'a> Learner<'a> {
    fn new(n: usize, n_features: usize, options: &'a FitOptions) -> Self {
        Self {
            n,
            options,
            features: Weights::new(n_features * n, 0.0),
            steps: Weights::new((n + 1) * n, 0.0),
            step: 0.0,
            emissions: Vec::new(),
            forward: Vec::new(),
            backward: Vec::new(),
            ways: vec![0.0; (n + 1) * n],
            expected_steps: vec![0.0; (n + 1) * n],
            gradient: vec![0.0; n],
        }
    }

    fn is_allowed(&self, at: usize) -> bool {
        self.options.allowed.get(at).copied().unwrap_or(true)
    }

    fn emissions(&mut self, sequence: &Labelled) {
        let n = self.n;
        let n_words = sequence.labels.len();
        self.emissions.clear();
        self.emissions.resize(n_words * n, 0.0);
        for (word, scores) in self.emissions.chunks_exact_mut(n).enumerate() {
            for &feature in &sequence.features[sequence.offsets[word] as usize..sequence.offsets[word + 1] as usize] {
                let row = &self.features.now[feature as usize * n..][..n];
                scores.iter_mut().zip(row).for_each(|(score, weight)| *score += weight);
            }
        }
    }

    /// One gradient step; gives back -ln p(y | x).
    fn crf_step(&mut self, sequence: &Labelled) -> f64 {
        let n = self.n;
        let n_words = sequence.labels.len();
        if n_words == 0 {
            return 0.0;
        }
        self.step += 1.0;
        self.emissions(sequence);
        let mut right = 0.0;
        let mut before = n;
        for (word, &label) in sequence.labels.iter().enumerate() {
            let label = label as usize;
            right += f64::from(self.emissions[word * n + label]) + f64::from(self.steps.now[before * n + label]);
            before = label;
        }
        for at in 0..(n + 1) * n {
            self.ways[at] = if self.is_allowed(at) { self.steps.now[at].exp() } else { 0.0 };
        }
        let mut log_norm = 0.0;
        for scores in self.emissions.chunks_exact_mut(n) {
            let most = scores.iter().fold(f32::MIN, |most, &score| most.max(score));
            log_norm += f64::from(most);
            scores.iter_mut().for_each(|score| *score = (*score - most).exp());
        }
        // forward[word][label] = emission x sum over before of forward[word - 1][before] x way, scaled to sum 1.
        self.forward.clear();
        self.forward.resize(n_words * n, 0.0);
        for word in 0..n_words {
            let (done, rest) = self.forward.split_at_mut(word * n);
            let row = &mut rest[..n];
            if word == 0 {
                row.copy_from_slice(&self.ways[n * n..]);
            } else {
                for (before, &mass) in done[(word - 1) * n..].iter().enumerate() {
                    if mass > 1e-12 {
                        let ways = &self.ways[before * n..][..n];
                        row.iter_mut().zip(ways).for_each(|(sum, way)| *sum += mass * way);
                    }
                }
            }
            row.iter_mut().zip(&self.emissions[word * n..]).for_each(|(sum, emission)| *sum *= emission);
            let total: f32 = row.iter().sum();
            log_norm += f64::from(total.max(f32::MIN_POSITIVE)).ln();
            let scale = 1.0 / total.max(f32::MIN_POSITIVE);
            row.iter_mut().for_each(|sum| *sum *= scale);
        }
        // backward[word][label] = sum over after of way x emission[after] x backward[word + 1][after], scaled.
        self.backward.clear();
        self.backward.resize(n_words * n, 1.0);
        self.expected_steps.fill(0.0);
        let mut onward = vec![0.0_f32; n];
        for word in (0..n_words - 1).rev() {
            for (label, sum) in onward.iter_mut().enumerate() {
                *sum = self.emissions[(word + 1) * n + label] * self.backward[(word + 1) * n + label];
            }
            let mut total = 0.0;
            for before in 0..n {
                let mass = self.forward[word * n + before];
                let ways = &self.ways[before * n..][..n];
                // A label that no way leads to has no share in any expectation.
                if mass <= 1e-12 {
                    self.backward[word * n + before] = 0.0;
                    continue;
                }
                let sum: f32 = ways.iter().zip(&onward).map(|(way, onward)| way * onward).sum();
                self.backward[word * n + before] = sum;
                total += mass * sum;
            }
            let scale = 1.0 / total.max(f32::MIN_POSITIVE);
            for before in 0..n {
                let mass = self.forward[word * n + before];
                if mass <= 1e-12 {
                    continue;
                }
                let mass = mass * scale;
                let expected = &mut self.expected_steps[before * n..][..n];
                for ((sum, way), onward) in expected.iter_mut().zip(&self.ways[before * n..]).zip(&onward) {
                    *sum += mass * way * onward;
                }
                self.backward[word * n + before] *= scale;
            }
        }
        for word in 0..n_words {
            for label in 0..n {
                self.gradient[label] = self.forward[word * n + label] * self.backward[word * n + label];
            }
            if word == 0 {
                self.expected_steps[n * n..].copy_from_slice(&self.gradient);
            }
            self.gradient[sequence.labels[word] as usize] -= 1.0;
            let range = sequence.offsets[word] as usize..sequence.offsets[word + 1] as usize;
            for &feature in &sequence.features[range] {
                self.descend(feature as usize);
            }
        }
        let mut before = n;
        for &label in &sequence.labels {
            self.expected_steps[before * n + label as usize] -= 1.0;
            before = label as usize;
        }
        let (rate, step) = (self.options.rate, self.step);
        let Weights { now, lag, squares } = &mut self.steps;
        for (((gradient, now), lag), squares) in self.expected_steps.iter().zip(now).zip(lag).zip(squares) {
            if *gradient != 0.0 {
                *squares += gradient * gradient;
                let change = -rate * gradient / (squares.sqrt() + 1e-6);
                *now += change;
                *lag += change * step;
            }
        }
        log_norm - right
    }

    /// Moves a feature's weights against the gradient of a word.
    fn descend(&mut self, feature: usize) {
        let n = self.n;
        let (rate, l2, step) = (self.options.rate, self.options.l2, self.step);
        let range = feature * n..(feature + 1) * n;
        let now = &mut self.features.now[range.clone()];
        let lag = &mut self.features.lag[range.clone()];
        let squares = &mut self.features.squares[range];
        for (((&gradient, now), lag), squares) in self.gradient.iter().zip(now).zip(lag).zip(squares) {
            let gradient = gradient + l2 * *now;
            *squares += gradient * gradient;
            let change = -rate * gradient / (squares.sqrt() + 1e-4);
            *now += change;
            *lag += change * step;
        }
    }

    /// One step of the perceptron; gives back the number of wrong words.
    fn perceptron_step(&mut self, sequence: &Labelled) -> f64 {
        let n = self.n;
        let n_words = sequence.labels.len();
        if n_words == 0 {
            return 0.0;
        }
        self.step += 1.0;
        self.emissions(sequence);
        // forward[word][label]: the best score of a way to it; backward: where it came from.
        self.forward.clear();
        self.forward.resize(n_words * n, f32::NEG_INFINITY);
        let mut from = vec![0_u8; n_words * n];
        for word in 0..n_words {
            for label in 0..n {
                let (mut best, mut best_from) = (f32::NEG_INFINITY, 0);
                if word == 0 {
                    best = if self.is_allowed(n * n + label) { self.steps.now[n * n + label] } else { best };
                } else {
                    for before in 0..n {
                        let at = before * n + label;
                        let score = self.forward[(word - 1) * n + before] + self.steps.now[at];
                        if score > best && self.is_allowed(at) {
                            (best, best_from) = (score, before as u8);
                        }
                    }
                }
                self.forward[word * n + label] = best + self.emissions[word * n + label];
                from[word * n + label] = best_from;
            }
        }
        let mut found = vec![0_u8; n_words];
        let last = &self.forward[(n_words - 1) * n..];
        let mut label = (0..n).fold(0, |best, label| if last[label] > last[best] { label } else { best });
        for word in (0..n_words).rev() {
            found[word] = label as u8;
            label = from[word * n + label] as usize;
        }
        let mut wrong = 0.0;
        let (mut right_before, mut found_before) = (n, n);
        for word in 0..n_words {
            let (right, guess) = (sequence.labels[word] as usize, found[word] as usize);
            if right != guess {
                wrong += 1.0;
                let range = sequence.offsets[word] as usize..sequence.offsets[word + 1] as usize;
                for &feature in &sequence.features[range] {
                    for (label, change) in [(right, 1.0), (guess, -1.0)] {
                        let at = feature as usize * n + label;
                        self.features.now[at] += change;
                        self.features.lag[at] += change * self.step;
                    }
                }
            }
            for (at, change) in [(right_before * n + right, 1.0), (found_before * n + guess, -1.0)] {
                self.steps.now[at] += change;
                self.steps.lag[at] += change * self.step;
            }
            (right_before, found_before) = (right, guess);
        }
        wrong
    }

    /// The average over all steps: w_T - (1/T) sum of change x (number of its step - 1).
    fn averaged(&self, weights: &Weights, at: usize) -> f32 {
        weights.now[at] - (weights.lag[at] - weights.now[at]) / self.step.max(1.0)
    }

    fn chain(&self, hashes: &[u32]) -> Chain {
        let n = self.n;
        let mut rows = Vec::new();
        for (feature, &hash) in hashes.iter().enumerate() {
            let mut row = Vec::new();
            for label in 0..n {
                let weight = self.averaged(&self.features, feature * n + label);
                if weight.abs() > self.options.prune {
                    row.push((label as u8, weight));
                }
            }
            if !row.is_empty() {
                rows.push((hash, row));
            }
        }
        let steps: Vec<f32> = (0..(n + 1) * n)
            .map(|at| if self.is_allowed(at) { self.averaged(&self.steps, at) } else { f32::NEG_INFINITY })
            .collect();
        Chain::new(Table::new(n, &rows), &steps)
    }
}
