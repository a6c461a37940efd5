//! Overlap measures of two sentences, by counting, as in the evaluation of translation and the
//! detection of plagiarism.

use super::FeatureExtractor;
use crate::align::{Class, Level};
use crate::id::Feature;

/// The longest n-grams counted.
const LONGEST: usize = 4;

/// N-grams of words, then of stems, by length.
const RUNS: [[Feature; LONGEST]; 2] = [
    [Feature::WordsShared, Feature::WordPairsShared, Feature::WordTriplesShared, Feature::WordQuadruplesShared],
    [Feature::StemsShared, Feature::StemPairsShared, Feature::StemTriplesShared, Feature::StemQuadruplesShared],
];

/// Extracts all measures.
pub(super) fn extract(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let plain = |symbol: fn(&crate::align::AlignWord) -> u32| {
        [0, 1].map(|side| {
            let words = pair.side(side).iter().filter(|word| word.class() != Class::Mark);
            words.map(symbol).collect::<Vec<u32>>()
        })
    };
    let (words, stems) = (plain(|word| word.lower), plain(|word| word.stem));
    let mut precisions = [0.0; LONGEST];
    for (at, [source, target]) in [&words, &stems].into_iter().enumerate() {
        for (length, &feature) in (1..=LONGEST).zip(&RUNS[at]) {
            let n_shared = shared(source, target, length) as f64;
            let of = |sequence: &[u32]| (sequence.len() + 1).saturating_sub(length);
            let parts = [part(n_shared, of(source)), part(n_shared, of(target))];
            out.both(feature, parts[0], parts[1]);
            if at == 0 {
                let n_short = of(source).min(of(target)) as f64;
                precisions[length - 1] = (n_shared + 0.5) / (n_short + 0.5);
            }
        }
    }
    // As in BLEU, relative to the shorter sentence, and smoothed.
    let bleu = precisions.iter().map(|precision| precision.ln()).sum::<f64>() / LONGEST as f64;
    out.put(Feature::RunsGeometricMean, bleu.exp().min(1.0));
    let content = [0, 1].map(|side| {
        let words: Vec<usize> = pair.content(side).collect();
        let n_shared = words.iter().filter(|&&word| pair.is_shared(side, word)).count();
        part(n_shared as f64, words.len())
    });
    out.both(Feature::ContentShared, content[0], content[1]);
    let common = longest_common(out) as f64;
    out.both(Feature::WordsInOrder, part(common, pair.n_words(0)), part(common, pair.n_words(1)));
    let run = longest_run(&words[0], &words[1]) as f64;
    out.both(Feature::LongestRun, part(run, words[0].len()), part(run, words[1].len()));
    letters(out);
    rarity(out);
    vectors(out);
    let longer = pair.n_words(0).max(pair.n_words(1));
    out.put(Feature::WordEdits, part(edits(&words[0], &words[1]) as f64, longer));
    lengths(out);
}

/// Shared character n-grams within words: other forms of a word, other spellings of a name.
fn letters(out: &mut FeatureExtractor<'_>) {
    const RUN: usize = 4;
    let pair = out.pair;
    let runs = [0, 1].map(|side: usize| {
        let mut runs: Vec<[char; RUN]> = Vec::new();
        let mut padded: Vec<char> = Vec::new();
        for word in (0..pair.n_words(side)).filter(|&word| pair.side(side)[word].class() != Class::Mark) {
            padded.clear();
            padded.push(' ');
            padded.extend(pair.lower(side, word).chars());
            padded.extend([' '; RUN - 2]);
            runs.extend(padded.windows(RUN).filter_map(|run| <[char; RUN]>::try_from(run).ok()));
        }
        runs.sort_unstable();
        runs
    });
    let n_shared = common(&runs[0], &runs[1]) as f64;
    out.both(Feature::LettersShared, part(n_shared, runs[0].len()), part(n_shared, runs[1].len()));
}

/// Shared words weighted by rarity: a rare word says more about the topic of a sentence.
fn rarity(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let shared = [0, 1].map(|side: usize| {
        let words = (0..pair.n_words(side)).filter(|&word| pair.side(side)[word].class() != Class::Mark);
        let (mut of_shared, mut of_all) = (0.0, 0.0);
        for word in words {
            let weight = pair.rarity(side, word).powi(2);
            of_all += weight;
            of_shared += if pair.is_shared(side, word) { weight } else { 0.0 };
        }
        if of_all > 0.0 { of_shared / of_all } else { 1.0 }
    });
    out.both(Feature::RareShared, shared[0], shared[1]);
    let rarest = [0, 1].map(|side: usize| {
        let alone = pair.content(side).filter(|&word| !pair.is_shared(side, word));
        alone.map(|word| pair.rarity(side, word)).fold(0.0, f64::max)
    });
    out.both(Feature::RarestUnshared, rarest[0], rarest[1]);
}

/// Vector similarity: the cosine of each content word with the nearest one of the other sentence.
fn vectors(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let nearest = |side: usize| {
        let others: Vec<usize> = pair.content(1 - side).collect();
        let of = |word: usize| {
            let cosines = others.iter().map(|&other| {
                let (i, j) = if side == 0 { (word, other) } else { (other, word) };
                let cell = pair.compared.cell(i, j);
                if cell.level >= Level::Lemma { 1.0 } else { f64::from(cell.cosine.unwrap_or(0.0)) }
            });
            cosines.fold(0.0, f64::max)
        };
        let words: Vec<usize> = pair.content(side).collect();
        part(words.iter().map(|&word| of(word)).sum(), words.len())
    };
    out.both(Feature::NearestContent, nearest(0), nearest(1));
}

/// Returns the share `n / of`, or 1 if `of` is zero.
fn part(n: f64, of: usize) -> f64 {
    if of == 0 { 1.0 } else { n / of as f64 }
}

fn lengths(out: &mut FeatureExtractor<'_>) {
    let [source, target] = [0, 1].map(|side| out.pair.n_words(side) as f64);
    out.both(Feature::Words, source / 20.0, target / 20.0);
    out.put(Feature::RelativeLengthDifference, (source - target).abs() / source.max(target).max(1.0));
    out.put(Feature::LengthDifference, (source - target).abs() / 10.0);
}

/// Counts the n-grams of a length that both have, each as often as both have it.
fn shared(source: &[u32], target: &[u32], length: usize) -> usize {
    let runs = |sequence: &[u32]| {
        let mut runs: Vec<[u32; LONGEST]> = Vec::with_capacity(sequence.len());
        for run in sequence.windows(length) {
            let mut padded = [u32::MAX; LONGEST];
            padded[..length].copy_from_slice(run);
            runs.push(padded);
        }
        runs.sort_unstable();
        runs
    };
    common(&runs(source), &runs(target))
}

/// Counts the common items of two sorted lists, each as often as both have it.
fn common<T: Ord>(source: &[T], target: &[T]) -> usize {
    let (mut i, mut j, mut n_shared) = (0, 0, 0);
    while i < source.len() && j < target.len() {
        match source[i].cmp(&target[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, n_shared) = (i + 1, j + 1, n_shared + 1),
        }
    }
    n_shared
}

/// Returns the length of the longest common run of symbols.
fn longest_run(source: &[u32], target: &[u32]) -> usize {
    let (mut row, mut longest) = (vec![0; target.len() + 1], 0);
    for symbol in source {
        for (at, other) in target.iter().enumerate().rev() {
            row[at + 1] = if symbol == other { row[at] + 1 } else { 0 };
            longest = longest.max(row[at + 1]);
        }
    }
    longest
}

/// Returns the length of the longest common subsequence of words that are equal or share a lemma.
fn longest_common(out: &FeatureExtractor<'_>) -> usize {
    let pair = out.pair;
    let mut row = vec![0; pair.n_words(1) + 1];
    for i in 0..pair.n_words(0) {
        let mut diagonal = 0;
        for j in 0..pair.n_words(1) {
            let above = row[j + 1];
            let with = diagonal + usize::from(pair.compared.level(i, j) >= Level::Lemma);
            row[j + 1] = above.max(row[j]).max(with);
            diagonal = above;
        }
    }
    row[pair.n_words(1)]
}

/// Returns the edit distance in words: the fewest insertions, deletions and replacements.
fn edits(source: &[u32], target: &[u32]) -> usize {
    let mut row: Vec<usize> = (0..=target.len()).collect();
    for (i, word) in source.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in target.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (above + 1).min(row[j] + 1).min(diagonal + usize::from(word != other));
            diagonal = above;
        }
    }
    row[target.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::rng::SplitMix;
    use std::collections::BTreeMap;

    fn sequences() -> impl Iterator<Item = (Vec<u32>, Vec<u32>)> {
        let mut random = SplitMix::new(5);
        (0..200).map(move |case| {
            let mut sequence = |n: usize| (0..n).map(|_| random.below(3) as u32).collect::<Vec<u32>>();
            (sequence(case % 9), sequence(case % 7))
        })
    }

    #[test]
    fn shared_runs_against_counting() {
        for (source, target) in sequences() {
            for length in 1..=LONGEST {
                let count = |sequence: &[u32]| {
                    let mut counts: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
                    sequence.windows(length).for_each(|run| *counts.entry(run.to_vec()).or_default() += 1);
                    counts
                };
                let (a, b) = (count(&source), count(&target));
                let expected: usize = a.iter().map(|(run, n)| (*n).min(b.get(run).copied().unwrap_or(0))).sum();
                assert_eq!(shared(&source, &target, length), expected, "{source:?} {target:?} {length}");
            }
        }
    }

    #[test]
    fn the_longest_run_against_trying_all() {
        for (source, target) in sequences() {
            let is_shared = |length: usize| length == 0 || shared_slow(&source, &target, length);
            let expected = (0..=source.len()).rev().find(|&length| is_shared(length)).unwrap();
            assert_eq!(longest_run(&source, &target), expected, "{source:?} {target:?}");
        }
        fn shared_slow(source: &[u32], target: &[u32], length: usize) -> bool {
            source.windows(length).any(|run| target.windows(length).any(|other| run == other))
        }
    }

    #[test]
    fn edits_against_trying_all() {
        fn slow(source: &[u32], target: &[u32]) -> usize {
            match (source, target) {
                ([], rest) | (rest, []) => rest.len(),
                ([a, more @ ..], [b, others @ ..]) => {
                    let replace = slow(more, others) + usize::from(a != b);
                    replace.min(slow(more, target) + 1).min(slow(source, others) + 1)
                }
            }
        }
        for (source, target) in sequences() {
            assert_eq!(edits(&source, &target), slow(&source, &target), "{source:?} {target:?}");
        }
    }
}
