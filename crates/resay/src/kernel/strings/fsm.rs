//! `fsm`: the transitions of the automaton over frequent strings, as Fisher features (Saunders et
//! al. 2002, Sections 3 and 4).
//!
//! The automaton of `automaton.rs` reads the texts. With f(u, x) the number of times that the
//! corpus leaves state u by symbol x, the model has p(x | u) = (f(u, x) + c) / (|A| c + sum over x'
//! of f(u, x')). The feature (u, x) of a text is the number of times that it takes this transition,
//! times the weight of p (`weight.rs`). So a feature is the string ux, where u is as long as the
//! corpus allows.
//!
//! At the start of a text the state is the whole text so far. Such a state is short because the
//! text has just begun, not because longer ones are rare. Transitions from there are neither
//! counted nor features, unless `prefixes=keep` is given. Without them no state is left t |A| times
//! or more (Proposition 3), and no probability is c / (|A| (c + t)) or less (Corollary 4).
//!
//! A new text can take transitions that the corpus never took. A model has no weight for them, but
//! they are features all the same and lengthen the vector of the text: p is c / (|A| c + sum) from
//! a state that the corpus left, and 1 / |A| from a string at which it never stopped. A symbol that
//! does not occur in the corpus is part of no string: it leads to the empty string and is not a
//! feature.

use super::alphabet::Alphabet;
use super::automaton::{Automaton, Place};
use super::weight::Weight;
use super::{MOST_SHOWN, StringFeatures, StringKernel, check_at, tally};
use crate::Result;
use crate::kernel::{Item, Learned};
use rayon::prelude::*;
use resay_learn::progress::{Progress, sort};
use resay_text::Symbol;
use std::ops::Range;
use std::sync::Arc;

/// The parameters of the kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fsm {
    /// Strings that occur at least this often are states; 2 or more.
    pub(super) min: usize,
    /// Added to every count; above 0.
    pub(super) smoothing: f64,
    /// The weight of a transition.
    pub(super) weight: Weight,
    /// Whether to count transitions from states that are the whole text so far.
    pub(super) keeps_prefixes: bool,
}

/// The transitions that a corpus takes.
#[derive(Debug)]
struct Transitions {
    recipe: Fsm,
    automaton: Automaton,
    /// The transitions from state `u` are `symbols[starts[u]..starts[u + 1]]`, ascending; `counts`
    /// holds their frequencies. A feature is an index into these lists.
    starts: Vec<u32>,
    symbols: Vec<u32>,
    counts: Vec<u32>,
    /// One per feature.
    weights: Vec<f64>,
}

/// The transition of a text at one of its symbols.
enum Step {
    /// A transition that occurs in the corpus, as a feature.
    Known(u32),
    /// A transition that does not occur in the corpus.
    New(Place, u32),
}

impl StringKernel for Fsm {
    fn describe(&self) -> String {
        let Self { min, smoothing, weight, keeps_prefixes } = self;
        let prefixes = if *keeps_prefixes { "keep" } else { "drop" };
        format!("fsm(min={min},smoothing={smoothing},weight={},prefixes={prefixes})", weight.name())
    }

    fn learns(&self) -> bool {
        true
    }

    fn list(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Arc<dyn StringFeatures>> {
        let automaton = Automaton::new(corpus, self.min, progress)?;
        // State and symbol of every transition, packed into one number.
        let mut taken: Vec<u64> = Vec::with_capacity(corpus.iter().map(|text| text.len()).sum());
        let of_text = |text: &&[Symbol]| {
            progress.check()?;
            let mut taken = Vec::with_capacity(text.len());
            self.walk(&automaton, text, |_, place, number| {
                taken.push(u64::from(place.state) << 32 | u64::from(number));
            });
            Ok(taken)
        };
        // In chunks, so that the transitions are not in memory twice.
        for piece in corpus.chunks(1024) {
            let found = piece.par_iter().map(of_text).collect::<Result<Vec<Vec<u64>>>>()?;
            found.iter().for_each(|found| taken.extend(found));
        }
        sort(&mut taken, Ord::cmp, progress)?;
        let mut starts = vec![0; automaton.n_states() + 1];
        let (mut symbols, mut counts) = (Vec::new(), Vec::new());
        for run in taken.chunk_by(|a, b| a == b) {
            check_at(symbols.len(), progress)?;
            symbols.push(run[0] as u32);
            counts.push(run.len() as u32);
            starts[(run[0] >> 32) as usize + 1] = symbols.len() as u32;
        }
        fill_gaps(&mut starts);
        Ok(Arc::new(Transitions::new(*self, automaton, starts, symbols, counts)))
    }

    fn restore(&self, learned: &Learned) -> Option<Arc<dyn StringFeatures>> {
        let mut numbers = learned.numbers.iter().copied();
        let automaton = Automaton::read(Alphabet::new(learned.symbols.clone())?, &mut numbers)?;
        let mut starts = vec![0];
        let (mut symbols, mut counts) = (Vec::new(), Vec::new());
        for _ in 0..automaton.n_states() {
            let first = symbols.len();
            for _ in 0..numbers.next()? {
                symbols.push(numbers.next()?);
                counts.push(numbers.next()?);
            }
            let own = &symbols[first..];
            let is_sound = own.windows(2).all(|two| two[0] < two[1])
                && own.last().is_none_or(|&most| (most as usize) < learned.symbols.len())
                && counts[first..].iter().all(|count| *count > 0);
            if !is_sound {
                return None;
            }
            starts.push(symbols.len() as u32);
        }
        let made = || Arc::new(Transitions::new(*self, automaton, starts, symbols, counts)) as Arc<dyn StringFeatures>;
        numbers.next().is_none().then(made)
    }
}

impl Fsm {
    /// Visits each counted transition of a text: position of the symbol, place before it, symbol
    /// number.
    fn walk(self, automaton: &Automaton, text: &[Symbol], mut visit: impl FnMut(usize, Place, u32)) {
        let mut place = Place::START;
        for (at, &symbol) in text.iter().enumerate() {
            let Some(number) = automaton.alphabet().number(symbol) else {
                place = Place::START;
                continue;
            };
            if self.keeps_prefixes || place.len as usize != at {
                visit(at, place, number);
            }
            place = automaton.step(place, number);
        }
    }
}

/// Replaces ends that were never written by the end before them.
fn fill_gaps(ends: &mut [u32]) {
    let mut most = 0;
    for end in ends {
        most = most.max(*end);
        *end = most;
    }
}

impl Transitions {
    fn new(recipe: Fsm, automaton: Automaton, starts: Vec<u32>, symbols: Vec<u32>, counts: Vec<u32>) -> Self {
        let mut transitions = Self { recipe, automaton, starts, symbols, counts, weights: Vec::new() };
        let mut weights = Vec::with_capacity(transitions.symbols.len());
        for state in 0..transitions.automaton.n_states() as u32 {
            let total = transitions.total(state);
            let weight = |count: &u32| recipe.weight.of(transitions.chance(f64::from(*count), total));
            weights.extend(transitions.counts[transitions.own(state)].iter().map(weight));
        }
        transitions.weights = weights;
        transitions
    }

    /// Returns the features of a state.
    fn own(&self, state: u32) -> Range<usize> {
        self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize
    }

    /// Returns how often the corpus leaves a state.
    fn total(&self, state: u32) -> f64 {
        self.counts[self.own(state)].iter().map(|count| f64::from(*count)).sum()
    }

    /// (f + c) / (|A| c + sum of f)
    fn chance(&self, count: f64, total: f64) -> f64 {
        let c = self.recipe.smoothing;
        (count + c) / (self.automaton.alphabet().len() as f64 * c + total)
    }

    /// Returns the weight of a transition that does not occur in the corpus.
    fn new_weight(&self, place: Place) -> f64 {
        let total = if self.automaton.is_longest(place) { self.total(place.state) } else { 0.0 };
        self.recipe.weight.of(self.chance(0.0, total))
    }

    fn each_step(&self, recipe: Fsm, text: &[Symbol], mut visit: impl FnMut(usize, Place, Step)) {
        recipe.walk(&self.automaton, text, |at, place, number| {
            let own = self.own(place.state);
            let step = match self.symbols[own.clone()].binary_search(&number) {
                Ok(idx) if self.automaton.is_longest(place) => Step::Known((own.start + idx) as u32),
                _ => Step::New(place, number),
            };
            visit(at, place, step);
        });
    }
}

impl StringFeatures for Transitions {
    fn n_features(&self) -> usize {
        self.symbols.len()
    }

    fn extract(&self, text: &[Symbol], out: &mut Vec<(u32, f64)>) -> f64 {
        out.clear();
        let (mut known, mut new) = (Vec::with_capacity(text.len()), Vec::new());
        self.each_step(self.recipe, text, |_, _, step| match step {
            Step::Known(feature) => known.push(feature),
            Step::New(place, number) => new.push((place, number)),
        });
        tally(&mut known, |feature, n| out.push((feature, n * self.weights[feature as usize])));
        let mut unlisted = 0.0;
        tally(&mut new, |(place, _), n| unlisted += (n * self.new_weight(place)).powi(2));
        unlisted
    }

    fn occurrences(&self, text: &[Symbol], found: &mut dyn FnMut(u32, Range<usize>)) {
        self.each_step(self.recipe, text, |at, place, step| {
            if let Step::Known(feature) = step {
                found(feature, at - place.len as usize..at + 1);
            }
        });
    }

    fn string(&self, feature: u32) -> Vec<Item> {
        let state = self.starts.partition_point(|start| *start <= feature) - 1;
        let last = self.automaton.alphabet().symbols()[self.symbols[feature as usize] as usize];
        let before = self.automaton.string(state as u32, MOST_SHOWN - 1);
        before.into_iter().chain([last]).map(Item::symbol).collect()
    }

    fn learned(&self) -> Learned {
        let mut numbers = Vec::new();
        self.automaton.write(&mut numbers);
        for state in 0..self.automaton.n_states() as u32 {
            let own = self.own(state);
            numbers.push(own.len() as u32);
            own.for_each(|feature| numbers.extend([self.symbols[feature], self.counts[feature]]));
        }
        Learned { symbols: self.automaton.alphabet().symbols().to_vec(), numbers }
    }

    /// Covers all transitions, including those at the start: P(d) is the product of all of them.
    fn log_probability(&self, text: &[Symbol]) -> Option<f64> {
        let mut sum = 0.0;
        let every = Fsm { keeps_prefixes: true, ..self.recipe };
        self.each_step(every, text, |_, place, step| {
            let total = if self.automaton.is_longest(place) { self.total(place.state) } else { 0.0 };
            let count = if let Step::Known(feature) = step { f64::from(self.counts[feature as usize]) } else { 0.0 };
            sum += self.chance(count, total).ln();
        });
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Texts = Vec<Vec<Symbol>>;

    fn borrowed(texts: &Texts) -> Vec<&[Symbol]> {
        texts.iter().map(Vec::as_slice).collect()
    }

    fn n_occurrences(texts: &Texts, string: &[Symbol]) -> usize {
        texts.iter().flat_map(|text| text.windows(string.len())).filter(|window| *window == string).count()
    }

    /// Counts the transitions of a text by the definition: state as a string, symbol, frequency.
    fn slow_counts(recipe: Fsm, corpus: &Texts, text: &[Symbol]) -> BTreeMap<(Vec<Symbol>, Symbol), f64> {
        let is_known = |symbol: &Symbol| corpus.iter().flatten().any(|known| known == symbol);
        let mut counts = BTreeMap::new();
        for (at, x) in text.iter().enumerate().filter(|(_, x)| is_known(x)) {
            let is_state = |start: &usize| *start == at || n_occurrences(corpus, &text[*start..at]) >= recipe.min;
            let start = (0..=at).find(is_state).unwrap();
            if start > 0 || recipe.keeps_prefixes {
                *counts.entry((text[start..at].to_vec(), *x)).or_default() += 1.0;
            }
        }
        counts
    }

    struct Slow {
        corpus: BTreeMap<(Vec<Symbol>, Symbol), f64>,
        n_symbols: f64,
        recipe: Fsm,
    }

    impl Slow {
        fn new(recipe: Fsm, corpus: &Texts) -> Self {
            let mut all = BTreeMap::new();
            for (key, n) in corpus.iter().flat_map(|text| slow_counts(recipe, corpus, text)) {
                *all.entry(key).or_default() += n;
            }
            let symbols: std::collections::BTreeSet<_> = corpus.iter().flatten().collect();
            Self { corpus: all, n_symbols: symbols.len() as f64, recipe }
        }

        fn total(&self, state: &[Symbol]) -> f64 {
            self.corpus.iter().filter(|((u, _), _)| u == state).map(|(_, n)| n).sum()
        }

        fn chance(&self, state: &[Symbol], x: Symbol) -> f64 {
            let f = self.corpus.get(&(state.to_vec(), x)).copied().unwrap_or(0.0);
            (f + self.recipe.smoothing) / (self.n_symbols * self.recipe.smoothing + self.total(state))
        }

        fn vector(&self, corpus: &Texts, text: &[Symbol]) -> BTreeMap<Vec<Symbol>, f64> {
            // State and symbol identify a feature, and each such pair has one string.
            let counts = slow_counts(self.recipe, corpus, text);
            let value = |((u, x), n): ((Vec<Symbol>, Symbol), f64)| {
                let p = self.chance(&u, x);
                let weight = match self.recipe.weight {
                    Weight::Uniform => 1.0,
                    Weight::Inverse => 1.0 / p,
                    Weight::Log => -p.ln(),
                };
                ([u, vec![x]].concat(), n * weight)
            };
            counts.into_iter().map(value).collect()
        }
    }

    fn check(recipe: Fsm, corpus: &Texts, others: &Texts) {
        let features = recipe.list(&borrowed(corpus), Progress::none()).unwrap();
        let slow = Slow::new(recipe, corpus);
        let string = |feature: u32| -> Vec<Symbol> {
            features.string(feature).into_iter().filter_map(Item::as_symbol).collect()
        };
        // The features are the transitions that the corpus takes.
        let expected: Vec<Vec<Symbol>> = slow.corpus.keys().map(|(u, x)| [u.clone(), vec![*x]].concat()).collect();
        let mut found: Vec<Vec<Symbol>> = (0..features.n_features() as u32).map(string).collect();
        found.sort();
        let mut sorted = expected.clone();
        sorted.sort();
        assert_eq!(found, sorted);
        let again = recipe.restore(&features.learned()).unwrap();
        for text in corpus.iter().chain(others) {
            let mut vector = Vec::new();
            let unlisted = features.extract(text, &mut vector);
            let mut expected = slow.vector(corpus, text);
            for (feature, value) in &vector {
                let expected = expected.remove(&string(*feature)).unwrap_or_default();
                assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{text:?}: {value} {expected}");
            }
            // What remains are transitions that do not occur in the corpus.
            let left: f64 = expected.values().map(|value| value * value).sum();
            assert!((unlisted - left).abs() <= 1e-9 * (1.0 + left), "{corpus:?} {text:?}: {unlisted} {left}");
            assert!(vector.len() <= text.len());
            let mut same = Vec::new();
            assert_eq!(again.extract(text, &mut same), unlisted);
            assert_eq!(same, vector);
            features.occurrences(text, &mut |feature, range| assert_eq!(string(feature), text[range]));
            let all = slow_counts(Fsm { keeps_prefixes: true, ..recipe }, corpus, text);
            let expected: f64 = all.iter().map(|((u, x), n)| n * slow.chance(u, *x).ln()).sum();
            let found = features.log_probability(text).unwrap();
            assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{found} {expected}");
        }
        if !recipe.keeps_prefixes && slow.n_symbols > 0.0 {
            let (t, a, c) = (recipe.min as f64, slow.n_symbols, recipe.smoothing);
            for (u, x) in slow.corpus.keys() {
                assert!(slow.total(u) < t * a, "Proposition 3");
                assert!(slow.chance(u, *x) > c / (a * (c + t)), "Corollary 4");
            }
        }
    }

    fn recipes() -> impl Strategy<Value = Fsm> {
        let weights = prop::sample::select(vec![Weight::Uniform, Weight::Inverse, Weight::Log]);
        let smoothing = prop::sample::select(vec![1.0, 0.1, 3.0]);
        (2_usize..5, smoothing, weights, any::<bool>()).prop_map(|(min, smoothing, weight, keeps_prefixes)| Fsm {
            min,
            smoothing,
            weight,
            keeps_prefixes,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn features_are_the_definition(
            recipe in recipes(),
            corpus in (1_u32..4).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..n, 0..14), 0..6)),
            others in prop::collection::vec(prop::collection::vec(0_u32..5, 0..14), 0..3),
        ) {
            check(recipe, &corpus, &others);
        }
    }

    #[test]
    fn symbols_may_be_renumbered() {
        let recipe = Fsm { min: 2, smoothing: 1.0, weight: Weight::Log, keeps_prefixes: false };
        let corpus = vec![vec![0, 1, 2, 0, 1, 2, 0], vec![2, 1, 0, 1, 2, 2]];
        let features = recipe.list(&borrowed(&corpus), Progress::none()).unwrap();
        let mut learned = features.learned();
        learned.symbols.iter_mut().for_each(|symbol| *symbol = 9 - *symbol);
        let turned = recipe.restore(&learned).unwrap();
        for text in &corpus {
            let other: Vec<Symbol> = text.iter().map(|symbol| 9 - symbol).collect();
            let (mut a, mut b) = (Vec::new(), Vec::new());
            assert_eq!(features.extract(text, &mut a), turned.extract(&other, &mut b));
            assert_eq!(a, b);
        }
        learned.numbers.push(1);
        assert!(recipe.restore(&learned).is_none());
        learned.symbols[0] = learned.symbols[1];
        assert!(recipe.restore(&learned).is_none());
    }
}
