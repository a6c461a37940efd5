//! Mines near misses from plain sentences: pairs that look alike and do not mean the same.
//!
//! Two kinds: sentences that differ in one word ("mined-word"), and sentences that share most of
//! their words ("mined-near"). A pair is refused if it may be a paraphrase after all: if links of
//! any corpus lead from one sentence to the other, if only words differ that linked sentences
//! exchange, or if only words differ that carry little meaning.

use super::groups::Groups;
use super::wording::words;
use super::{EQUIVALENT, MixturePair, NOT_EQUIVALENT};
use resay_learn::rng::SplitMix;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many words a sentence has.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=16;
/// How many sentences are compared after leaving out one word each.
const N_MASKED: usize = 110_000;
const N_WORD_PAIRS: usize = 8_000;
/// How many sentences are looked up by their rarer words.
const N_INDEXED: usize = 60_000;
const N_NEAR_PAIRS: usize = 7_000;
/// In how many sentences a rarer word occurs at most.
const MAX_FREQUENCY: usize = 300;
/// How many of the sentences that share most words are looked at.
const N_CANDIDATES: usize = 30;
/// The share of common words.
const OVERLAP: std::ops::Range<f64> = 0.4..0.85;
/// The number of pairs that a sentence may be in.
const MAX_USES: u8 = 2;
const WEIGHT: f32 = 0.7;

/// Words that two paraphrases often differ in.
const LIGHT: [&str; 33] = [
    "a", "an", "the", "that", "which", "who", "this", "these", "those", "of", "to", "for", "in", "on", "at", "by",
    "do", "does", "did", "is", "am", "are", "be", "have", "has", "had", "got", "so", "very", "really", "just", "then",
    "please",
];

/// A sentence as numbers of words.
struct Sentence<'a> {
    text: &'a str,
    words: Vec<u32>,
}

/// What decides whether two sentences make a pair.
struct Mine<'a> {
    sentences: Vec<Sentence<'a>>,
    groups: &'a mut Groups,
    /// Pairs of words, the smaller number first, that linked sentences exchange.
    exchanged: FxHashSet<[u32; 2]>,
    light: FxHashSet<u32>,
    n_uses: Vec<u8>,
    seen: FxHashSet<[usize; 2]>,
}

pub(super) fn mine(
    sentences: &[String],
    linked: &[MixturePair],
    groups: &mut Groups,
    random: &mut SplitMix,
) -> Vec<MixturePair> {
    let mut numbers = FxHashMap::default();
    let mut kept: Vec<Sentence<'_>> = Vec::new();
    for text in sentences.iter().filter(|text| LENGTHS.contains(&text.split_whitespace().count())) {
        kept.push(Sentence { text, words: numbered(text, &mut numbers) });
    }
    random.shuffle(&mut kept);
    let light = LIGHT.iter().filter_map(|word| numbers.get(*word).copied()).collect();
    let exchanged = exchanged(linked, &mut numbers);
    let n_uses = vec![0; kept.len()];
    let mut mine = Mine { sentences: kept, groups, exchanged, light, n_uses, seen: FxHashSet::default() };
    let mut pairs = mine.differing_in_a_word(random);
    pairs.extend(mine.sharing_words());
    pairs
}

/// The words of a text by number; a new word gets the next one.
fn numbered(text: &str, numbers: &mut FxHashMap<String, u32>) -> Vec<u32> {
    let number = |word| {
        let next = numbers.len() as u32;
        *numbers.entry(word).or_insert(next)
    };
    words(text).into_iter().map(number).collect()
}

/// The pairs of words in which equivalent sentences of the corpora differ, all else being equal.
fn exchanged(linked: &[MixturePair], numbers: &mut FxHashMap<String, u32>) -> FxHashSet<[u32; 2]> {
    let mut exchanged = FxHashSet::default();
    for pair in linked.iter().filter(|pair| pair.allowed == EQUIVALENT) {
        let [a, b] = pair.texts().map(|text| numbered(text, numbers));
        let mut differing = a.iter().zip(&b).filter(|(a, b)| a != b);
        if let (true, Some((&a, &b)), None) = (a.len() == b.len(), differing.next(), differing.next()) {
            exchanged.insert([a.min(b), a.max(b)]);
        }
    }
    exchanged
}

impl Mine<'_> {
    /// Pairs of sentences that are equal without one word of each at the same place.
    fn differing_in_a_word(&mut self, random: &mut SplitMix) -> Vec<MixturePair> {
        let mut masked: Vec<(u64, u32)> = Vec::new();
        for (index, sentence) in self.sentences.iter().enumerate().take(N_MASKED) {
            if sentence.words.len() >= 4 {
                masked.extend((0..sentence.words.len()).map(|hole| (hash(&sentence.words, hole), index as u32)));
            }
        }
        masked.sort_unstable();
        let mut alike: Vec<&[(u64, u32)]> = masked.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1).collect();
        random.shuffle(&mut alike);
        let mut pairs = Vec::new();
        for run in alike {
            if pairs.len() == N_WORD_PAIRS {
                break;
            }
            let first = random.below(run.len());
            let second = (first + 1 + random.below(run.len() - 1)) % run.len();
            let [a, b] = [first, second].map(|at| run[at].1 as usize);
            let (left, right) = (&self.sentences[a].words, &self.sentences[b].words);
            let n_differing = left.iter().zip(right).filter(|(a, b)| a != b).count();
            if left.len() == right.len() && n_differing == 1 {
                pairs.extend(self.pair("mined-word", a, b));
            }
        }
        pairs
    }

    /// For each sentence, the one that shares the largest part of its words.
    fn sharing_words(&mut self) -> Vec<MixturePair> {
        let n_indexed = N_INDEXED.min(self.sentences.len());
        let sets: Vec<Vec<u32>> = self.sentences[..n_indexed].iter().map(|sentence| set(&sentence.words)).collect();
        let mut postings: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (index, set) in sets.iter().enumerate() {
            set.iter().for_each(|word| postings.entry(*word).or_default().push(index as u32));
        }
        let mut pairs = Vec::new();
        let mut n_shared = vec![0u32; n_indexed];
        for (a, set) in sets.iter().enumerate() {
            if pairs.len() == N_NEAR_PAIRS {
                break;
            }
            let mut candidates: Vec<usize> = Vec::new();
            let lists = set.iter().filter_map(|word| postings.get(word)).filter(|list| list.len() < MAX_FREQUENCY);
            for &b in lists.flatten() {
                let b = b as usize;
                if n_shared[b] == 0 && b != a {
                    candidates.push(b);
                }
                n_shared[b] += 1;
            }
            candidates.sort_unstable_by_key(|&b| (std::cmp::Reverse(n_shared[b]), b));
            let touched = set.iter().filter_map(|word| postings.get(word)).filter(|list| list.len() < MAX_FREQUENCY);
            touched.flatten().for_each(|&b| n_shared[b as usize] = 0);
            candidates.truncate(N_CANDIDATES);
            let mut ranked: Vec<(f64, usize)> = candidates.into_iter().map(|b| (overlap(set, &sets[b]), b)).collect();
            ranked.retain(|(overlap, _)| OVERLAP.contains(overlap));
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            pairs.extend(ranked.into_iter().find_map(|(_, b)| self.pair("mined-near", a, b)));
        }
        pairs
    }

    /// The pair of two sentences, unless they were used or may mean the same.
    fn pair(&mut self, corpus: &'static str, a: usize, b: usize) -> Option<MixturePair> {
        let is_used = self.n_uses[a] >= MAX_USES || self.n_uses[b] >= MAX_USES;
        if is_used || self.seen.contains(&[a.min(b), a.max(b)]) || self.may_be_equivalent(a, b) {
            return None;
        }
        self.n_uses[a] += 1;
        self.n_uses[b] += 1;
        self.seen.insert([a.min(b), a.max(b)]);
        let texts = [a, b].map(|index| self.sentences[index].text);
        Some(MixturePair::new(corpus, texts, NOT_EQUIVALENT, WEIGHT))
    }

    fn may_be_equivalent(&mut self, a: usize, b: usize) -> bool {
        let [left, right] = [a, b].map(|index| &self.sentences[index]);
        if self.groups.are_joined(left.text, right.text) {
            return true;
        }
        let without = |words: &[u32], others: &[u32]| -> Vec<u32> {
            words.iter().filter(|word| !others.contains(word) && !self.light.contains(word)).copied().collect()
        };
        let (only_left, only_right) = (without(&left.words, &right.words), without(&right.words, &left.words));
        // Whether each word of one side has a word of the other side to stand for it.
        let covers = |words: &[u32], others: &[u32]| {
            words.iter().all(|&a| others.iter().any(|&b| self.exchanged.contains(&[a.min(b), a.max(b)])))
        };
        covers(&only_left, &only_right) && covers(&only_right, &only_left)
    }
}

/// A number for the words without the one at the hole, and for its place.
fn hash(words: &[u32], hole: usize) -> u64 {
    let mut state = SplitMix::stream(words.len() as u64, hole as u64).next_u64();
    for (at, &word) in words.iter().enumerate() {
        let word = if at == hole { u64::from(u32::MAX) + 1 } else { u64::from(word) };
        state = SplitMix::new(state ^ word).next_u64();
    }
    state
}

/// Sorted words without repetition.
fn set(words: &[u32]) -> Vec<u32> {
    let mut set = words.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

/// The share of the words of two sets that both have.
fn overlap(a: &[u32], b: &[u32]) -> f64 {
    let n_common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    n_common as f64 / (a.len() + b.len() - n_common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_not_paraphrases() {
        let same = |texts| MixturePair::new("tatoeba", texts, EQUIVALENT, 1.0);
        let linked = [
            same(["We bought a sofa.", "We bought a couch."]),
            same(["Our garden is small.", "We have a small garden."]),
            same(["We have a small garden.", "Our garden is tiny."]),
        ];
        let mut groups = Groups::default();
        linked.iter().for_each(|pair| groups.join(pair.texts()));
        let check = |a: &str, b: &str, expected: &[&str]| {
            let sentences = [a.to_owned(), b.to_owned()];
            let mut groups = Groups::default();
            linked.iter().for_each(|pair| groups.join(pair.texts()));
            let pairs = mine(&sentences, &linked, &mut groups, &mut SplitMix::new(1));
            let found: Vec<&str> = pairs.iter().map(|pair| pair.corpus).collect();
            assert_eq!(found, expected, "{a} / {b}");
        };
        check("The train left the station.", "The bus left the station.", &["mined-word"]);
        check("The old train left the station.", "The train left the old city.", &["mined-near"]);
        check("She sat on the sofa.", "She sat on the couch.", &[]);
        check("On the sofa she sat down again.", "She sat on the couch again, down.", &[]);
        check("It's cold in here.", "IT IS cold, in here!", &[]);
        check("I know that he left.", "I know he left.", &[]);
        check("Our garden is small.", "Our garden is tiny.", &[]);
        check("He saw a ship there.", "She rang the bell twice.", &[]);
    }

    #[test]
    fn a_hole_has_a_place() {
        assert_eq!(hash(&[1, 2, 3], 1), hash(&[1, 9, 3], 1));
        assert_ne!(hash(&[1, 2, 3], 1), hash(&[1, 2, 3], 2));
        assert_ne!(hash(&[1, 2, 3], 1), hash(&[1, 2, 4], 1));
        assert!((overlap(&[1, 2, 3], &[2, 3, 4]) - 0.5).abs() < 1e-9);
    }
}
