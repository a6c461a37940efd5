//! Contrast pairs made by rule from plain sentences.
//!
//! Each generator knows one phenomenon and makes pairs that harm the meaning and pairs that do not,
//! in the same ways of writing, so that nothing but the meaning gives the relation away. There is no
//! parser: only words, closed lists and patterns that are safe. Where a generator is not sure, it
//! makes nothing.

mod antonyms;
mod comparatives;
mod coordination;
mod dates;
mod details;
mod fillers;
mod hedges;
mod lists;
mod modals;
mod names;
mod negation;
mod numbers;
mod order;
mod quantifiers;
mod questions;
mod roles;
mod sentence;
#[cfg(test)]
mod testing;
mod times;
mod verbs;

use super::{BACKWARD, CONTRADICTION, EQUIVALENT, FORWARD, MixturePair, NEUTRAL};
use lists::{MEN, WOMEN, has, is_person};
use resay_learn::rng::SplitMix;
use rustc_hash::FxHashSet;
use sentence::Sentence;

/// How many pairs each generator makes at most.
pub(super) const CAP: usize = 500;
const WEIGHT: f32 = 1.0;
/// How many pairs of one relation a generator takes from one sentence.
const PER_SENTENCE: usize = 1;

/// A generator stops after so many sentences, or twice as many and so on, if it has enough.
const STRIDE: usize = 20_000;

/// A pair that a generator made.
#[derive(Clone, Debug, PartialEq)]
struct Variant {
    source: String,
    target: String,
    relation: u8,
}

/// What a generator makes of a sentence.
#[derive(Default)]
struct Variants(Vec<Variant>);

impl Variants {
    fn add(&mut self, relation: u8, source: impl Into<String>, target: impl Into<String>) {
        let (source, target) = (source.into(), target.into());
        if source != target {
            self.0.push(Variant { source, target, relation });
        }
    }

    fn equivalent(&mut self, source: impl Into<String>, target: impl Into<String>) {
        self.add(EQUIVALENT, source, target);
    }

    fn forward(&mut self, source: impl Into<String>, target: impl Into<String>) {
        self.add(FORWARD, source, target);
    }

    fn contradiction(&mut self, source: impl Into<String>, target: impl Into<String>) {
        self.add(CONTRADICTION, source, target);
    }

    fn neutral(&mut self, source: impl Into<String>, target: impl Into<String>) {
        self.add(NEUTRAL, source, target);
    }
}

type Generator = fn(&Sentence, &mut SplitMix, &mut Variants);

/// The generators by the name of their phenomenon.
const GENERATORS: [(&str, Generator); 16] = [
    ("number", numbers::generate),
    ("date", dates::generate),
    ("negation", negation::generate),
    ("antonym", antonyms::generate),
    ("name", names::generate),
    ("role", roles::generate),
    ("quantifier", quantifiers::generate),
    ("modality", modals::generate),
    ("time-order", order::generate),
    ("time", times::generate),
    ("coordination", coordination::generate),
    ("question", questions::generate),
    ("hedge", hedges::generate),
    ("comparison", comparatives::generate),
    ("filler", fillers::generate),
    ("detail", details::generate),
];

/// The pairs of all generators, at most `cap` each.
pub(super) fn generated(sentences: &[String], cap: usize, random: &mut SplitMix) -> Vec<MixturePair> {
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    random.shuffle(&mut order);
    let parse = |index: usize| {
        let mut parsed = Sentence::parse(&sentences[index])?;
        rename(&mut parsed, &mut SplitMix::stream(super::SEED, index as u64));
        Some((parsed, sentences[index].as_str()))
    };
    let mut parsed: Vec<(Sentence, &str)> = order.into_iter().filter_map(parse).collect();
    let n_between = parsed.len() / GENERATORS.len();
    let mut pairs = Vec::new();
    for (stream, (name, generator)) in (1000..).zip(GENERATORS) {
        let random = &mut SplitMix::stream(super::SEED, stream);
        // Each generator starts at another place: there is enough for all.
        parsed.rotate_left(n_between);
        pairs.extend(balanced(name, collected(&parsed, generator, cap, random), cap));
    }
    pairs
}

/// Gives the two people whom most sentences are about one of many names.
fn rename(sentence: &mut Sentence, random: &mut SplitMix) {
    for (known, names) in [("Tom", MEN), ("Mary", WOMEN)] {
        let new = names[random.below(names.len())];
        if new != known && sentence.has_any(&[new]) {
            continue;
        }
        for word in &mut sentence.words {
            if let Some(rest) = word.strip_prefix(known).filter(|rest| rest.is_empty() || rest.starts_with('\'')) {
                *word = format!("{new}{rest}");
            }
        }
    }
}

/// The relations, each with what was made for it.
type Collected = [(u8, Vec<MixturePair>); 5];

/// Runs a generator over the sentences until each relation has as many pairs as are ever taken.
fn collected(sentences: &[(Sentence, &str)], generator: Generator, cap: usize, random: &mut SplitMix) -> Collected {
    let mut collected = [EQUIVALENT, FORWARD, BACKWARD, CONTRADICTION, NEUTRAL].map(|relation| (relation, Vec::new()));
    let mut seen = FxHashSet::default();
    for (at, (sentence, origin)) in sentences.iter().enumerate() {
        let is_full = |(_, pairs): &(u8, Vec<MixturePair>)| pairs.is_empty() || pairs.len() == cap;
        if at % STRIDE == 0 && at > 0 && collected.iter().all(is_full) {
            break;
        }
        let mut variants = Variants::default();
        generator(sentence, random, &mut variants);
        random.shuffle(&mut variants.0);
        let mut n_taken = [0; 5];
        for variant in variants.0 {
            let pair = turned(variant, origin, random);
            let Some(at) = collected.iter().position(|(relation, _)| *relation == pair.allowed) else { continue };
            let texts = pair.texts().map(str::to_owned);
            if n_taken[at] < PER_SENTENCE && collected[at].1.len() < cap && seen.insert(texts) {
                n_taken[at] += 1;
                collected[at].1.push(pair);
            }
        }
    }
    collected
}

/// The pair of a variant of a sentence, in whose group it belongs, every other time in the other direction.
fn turned(variant: Variant, origin: &str, random: &mut SplitMix) -> MixturePair {
    let Variant { source, target, relation } = variant;
    let pair = if random.below(2) == 0 {
        MixturePair::new("generated", [&source, &target], relation, WEIGHT)
    } else {
        let relation = match relation {
            FORWARD => BACKWARD,
            BACKWARD => FORWARD,
            other => other,
        };
        MixturePair::new("generated", [&target, &source], relation, WEIGHT)
    };
    MixturePair { group: origin.to_owned(), ..pair }
}

/// At most `cap` pairs, as many of one relation as of another where there are enough.
fn balanced(name: &str, collected: Collected, cap: usize) -> Vec<MixturePair> {
    let mut collected: Vec<Vec<MixturePair>> = collected.into_iter().map(|(_, pairs)| pairs).collect();
    collected.retain(|pairs| !pairs.is_empty());
    // The rarest relation first: what it lacks falls to the others, up to twice an equal share.
    collected.sort_by_key(Vec::len);
    let (n_relations, mut n_left) = (collected.len(), cap);
    let mut pairs = Vec::new();
    for (at, mut kept) in collected.into_iter().enumerate() {
        kept.truncate((n_left / (n_relations - at)).min(2 * cap / n_relations));
        n_left -= kept.len();
        pairs.extend(kept);
    }
    for pair in &mut pairs {
        name.clone_into(&mut pair.phenomenon);
    }
    pairs
}

/// Whether a word is a lower-case word of letters, and so no name, number or comma.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase())
}

/// Whether a word looks like the plural of a noun.
fn is_plural(word: &str) -> bool {
    let is_regular = is_plain(word) && word.len() > 3 && word.ends_with('s');
    let is_singular = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    let is_other =
        has(&["always", "sometimes", "perhaps", "besides", "does", "this", "news", "clothes", "glasses"], word);
    is_regular && !is_singular && !is_other
        || has(&["children", "people", "men", "women", "mice", "teeth", "feet"], word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_balanced_and_turned() {
        let sentences: Vec<String> =
            (0..40).map(|n| format!("Tom bought {} apples and {} pears in shop {n}.", n + 2, n + 3)).collect();
        let make = || generated(&sentences, 10, &mut SplitMix::new(3));
        let pairs = make();
        assert_eq!(pairs, make());
        let numbers: Vec<_> = pairs.iter().filter(|pair| pair.phenomenon == "number").collect();
        let n_same = numbers.iter().filter(|pair| pair.allowed == EQUIVALENT).count();
        assert_eq!((numbers.len(), n_same), (10, 5));
        assert!(numbers.iter().all(|pair| pair.corpus == "generated" && !pair.group.is_empty()));
    }

    #[test]
    fn directions_are_turned_with_their_relation() {
        let variant = Variant { source: "It rained hard.".into(), target: "It rained.".into(), relation: FORWARD };
        let turned: Vec<_> = (0..20).map(|seed| turned(variant.clone(), "g", &mut SplitMix::new(seed))).collect();
        assert!(turned.iter().all(|pair| (pair.allowed == FORWARD) == (pair.source == variant.source)));
        assert!(turned.iter().any(|pair| pair.allowed == BACKWARD));
    }

    #[test]
    fn plurals_are_recognised() {
        assert!(["dogs", "children", "boxes"].iter().all(|word| is_plural(word)));
        assert!(["bus", "this", "glass", "Paris", "dog", "gas"].iter().all(|word| !is_plural(word)));
    }
}
