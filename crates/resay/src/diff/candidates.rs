//! Candidate pairs of sentences for the judge. Judging all n x m pairs would take hours for two
//! books. Instead, a sentence has a few candidates: those that share its rarest words, found
//! through an inverted index, and those at the same position, between the same unchanged sentences.
//!
//! The overlap of two sentences is the Dice coefficient over lemmas, each weighted by its rarity,
//! ln(1 + N / n) for a lemma in n of N sentences, function words by a fraction of it:
//!
//! ```text
//! overlap(a, b) = 2 * sum over shared lemmas of weight / (sum of a's weights + sum of b's weights)
//! ```

use crate::Result;
use resay_learn::progress::Progress;
use resay_text::{Analysis, Upos};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The weight of a function word relative to a content word.
const FUNCTION: f64 = 0.25;
/// Lemmas in more sentences than this are not used to find candidates.
const MAX_POSTINGS: usize = 200;
/// The maximum number of candidates by shared words per sentence.
const MAX_SHARED: usize = 4;
/// The minimum overlap; less is chance.
const MIN_SHARED: f64 = 0.15;
/// Between the same neighbours, all pairs are candidates up to this number.
const MAX_BETWEEN: usize = 25;
/// In longer gaps, only sentences within this distance of the same relative position.
const NEAR: usize = 1;

/// The lemmas of a sentence, sorted, with repetitions.
pub(super) type Bag = Vec<u32>;

/// Numbered lemmas and their weights.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    numbers: FxHashMap<String, u32>,
    is_content: Vec<bool>,
    weights: Vec<f64>,
}

impl Vocabulary {
    /// The bag of an annotated sentence.
    pub(super) fn bag(&mut self, analysis: &Analysis) -> Bag {
        let mut bag = Bag::new();
        for (at, word) in analysis.words.iter().enumerate() {
            let is_content = match word.upos {
                Some(Upos::Punct | Upos::Sym) => continue,
                Some(Upos::Noun | Upos::Propn | Upos::Verb | Upos::Adj | Upos::Adv | Upos::Num | Upos::X) | None => {
                    true
                }
                _ => false,
            };
            let lemma = word.lemma.as_deref().unwrap_or_else(|| analysis.form(at));
            bag.push(self.number(lemma.to_lowercase(), is_content));
        }
        bag.sort_unstable();
        bag
    }

    /// The bag of a sentence that is too long to annotate.
    pub(super) fn bag_of_words(&mut self, text: &str) -> Bag {
        let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut bag: Bag = words.map(|word| self.number(word.to_lowercase(), true)).collect();
        bag.sort_unstable();
        bag
    }

    fn number(&mut self, lemma: String, is_content: bool) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(lemma).or_insert(next);
        if number == next {
            self.is_content.push(false);
        }
        // A lemma that is a content word anywhere is one everywhere.
        self.is_content[number as usize] |= is_content;
        number
    }

    /// Weights lemmas by their rarity among all these sentences.
    pub(super) fn weigh<'a>(&mut self, bags: impl Iterator<Item = &'a Bag>) {
        let mut n_with = vec![0_usize; self.is_content.len()];
        let mut n_all = 0;
        for bag in bags {
            n_all += 1;
            distinct(bag).for_each(|lemma| n_with[lemma as usize] += 1);
        }
        let weight = |(lemma, &n): (usize, &usize)| {
            let rarity = (1.0 + n_all as f64 / n.max(1) as f64).ln();
            if self.is_content[lemma] { rarity } else { FUNCTION * rarity }
        };
        self.weights = n_with.iter().enumerate().map(weight).collect();
    }

    /// The total weight of a bag.
    pub(super) fn mass(&self, bag: &[u32]) -> f64 {
        bag.iter().map(|&lemma| self.weights[lemma as usize]).sum()
    }

    /// The total weight of the lemmas that two bags share.
    pub(super) fn shared(&self, a: &[u32], b: &[u32]) -> f64 {
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            if x == y {
                sum += self.weights[*x as usize];
            }
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        sum
    }

    /// The Dice coefficient, from 0 to 1.
    pub(super) fn overlap(&self, a: &[u32], b: &[u32]) -> f64 {
        let mass = self.mass(a) + self.mass(b);
        if mass > 0.0 { 2.0 * self.shared(a, b) / mass } else { 0.0 }
    }

    /// Candidates by rare words: for every source the targets with the highest overlap, as indices
    /// into the two lists.
    pub(super) fn by_words(&self, sources: &[Bag], targets: &[Bag], progress: Progress<'_>) -> Result<Vec<[usize; 2]>> {
        let mut postings: Vec<Vec<u32>> = vec![Vec::new(); self.is_content.len()];
        for (at, bag) in targets.iter().enumerate() {
            distinct(bag).for_each(|lemma| postings[lemma as usize].push(at as u32));
        }
        let masses: Vec<f64> = targets.iter().map(|bag| self.mass(bag)).collect();
        let mut shared = vec![0.0; targets.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut candidates = Vec::new();
        for (at, bag) in sources.iter().enumerate() {
            progress.check()?;
            for lemma in distinct(bag) {
                let found = &postings[lemma as usize];
                if found.len() > MAX_POSTINGS {
                    continue;
                }
                for &target in found {
                    if shared[target as usize] == 0.0 {
                        touched.push(target);
                    }
                    shared[target as usize] += self.weights[lemma as usize];
                }
            }
            let mass = self.mass(bag);
            let mut ranked: Vec<(f64, u32)> = Vec::new();
            for target in touched.drain(..) {
                let sum = std::mem::take(&mut shared[target as usize]);
                let overlap = 2.0 * sum / (mass + masses[target as usize]);
                if overlap >= MIN_SHARED {
                    ranked.push((overlap, target));
                }
            }
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            candidates.extend(ranked.iter().take(MAX_SHARED).map(|(_, target)| [at, *target as usize]));
        }
        Ok(candidates)
    }
}

/// The distinct lemmas of a bag.
fn distinct(bag: &[u32]) -> impl Iterator<Item = u32> {
    bag.chunk_by(|a, b| a == b).filter_map(|chunk| chunk.first().copied())
}

/// Candidates by position: pairs of sentences in corresponding gaps, given as indices into the two
/// lists of unmatched sentences.
pub(super) fn by_place(between: &[[Range<usize>; 2]]) -> Vec<[usize; 2]> {
    let mut candidates = Vec::new();
    for [sources, targets] in between {
        let is_small = sources.len() * targets.len() <= MAX_BETWEEN;
        for (number, source) in sources.clone().enumerate() {
            // As far into the gap of the target as the source is into its own.
            let middle = number * targets.len() / sources.len().max(1);
            let near = targets.start + middle.saturating_sub(NEAR)..targets.end.min(targets.start + middle + NEAR + 1);
            let all = if is_small { targets.clone() } else { near };
            candidates.extend(all.map(|target| [source, target]));
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bags(vocabulary: &mut Vocabulary, texts: &[&str]) -> Vec<Bag> {
        texts.iter().map(|text| vocabulary.bag(&Analysis::from_forms(text.split(' ')))).collect()
    }

    #[test]
    fn overlap_is_by_its_definition() {
        let mut vocabulary = Vocabulary::default();
        let bags = bags(&mut vocabulary, &["a b c", "A b d", "e f", "b b"]);
        vocabulary.weigh(bags.iter());
        let weight = |n: f64| (1.0 + 4.0 / n).ln();
        let expected = 2.0 * (weight(2.0) + weight(3.0)) / (2.0 * (weight(2.0) + weight(3.0) + weight(1.0)));
        assert!((vocabulary.overlap(&bags[0], &bags[1]) - expected).abs() < 1e-12);
        assert!((vocabulary.overlap(&bags[3], &bags[3]) - 1.0).abs() < 1e-12);
        assert_eq!(vocabulary.overlap(&bags[0], &bags[2]), 0.0);
        assert_eq!(vocabulary.overlap(&[], &[]), 0.0);
    }

    #[test]
    fn words_find_their_sentences() {
        let mut vocabulary = Vocabulary::default();
        let sources = bags(&mut vocabulary, &["the red boat sank", "the mayor sang", "nothing here"]);
        let targets = bags(&mut vocabulary, &["a mayor sang well", "a boat sank", "other words only"]);
        vocabulary.weigh(sources.iter().chain(&targets));
        assert_eq!(vocabulary.by_words(&sources, &targets, Progress::none()).unwrap(), [[0, 1], [1, 0]]);
    }

    #[test]
    fn places_find_their_sentences() {
        assert_eq!(by_place(&[[0..2, 0..1], [2..3, 1..3], [3..3, 3..9]]), [[0, 0], [1, 0], [2, 1], [2, 2]]);
        // Long gaps: about the same relative position, never outside.
        let found = by_place(&[[0..10, 0..20]]);
        assert!(found.len() <= 30 && found.contains(&[0, 0]) && found.contains(&[5, 10]), "{found:?}");
        assert!(found.iter().all(|pair| pair[0] < 10 && pair[1] < 20));
    }
}
