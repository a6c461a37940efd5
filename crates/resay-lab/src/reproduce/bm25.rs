//! Okapi BM25 (Robertson et al. 1994): an untrained search-engine baseline for questions and their
//! candidates, which a model has to beat.
//!
//! Given pairs (source = query, target = document), where the documents are the N distinct targets
//! with mean length `mean`, the score of a pair is
//!
//!   sum over words w of the query of idf(w) f (k1 + 1) / (f + k1 (1 - b + b |d| / mean)),
//!   idf(w) = ln(1 + (N - n + 0.5) / (n + 0.5)),
//!
//! with f the frequency of w in the document d, and n the number of documents that contain w. A
//! word that occurs twice in the query counts twice. The 1 in the logarithm keeps the weight of
//! frequent words above 0.

use resay_text::{Pair, Symbol};
use std::collections::BTreeMap;

/// Saturation of term frequency.
const K1: f64 = 1.2;
/// Strength of length normalisation.
const B: f64 = 0.75;

/// Returns the score of each pair; higher is better. The documents are the targets of these pairs.
pub(crate) fn bm25(pairs: &[Pair]) -> Vec<f64> {
    let mut documents: Vec<&[Symbol]> = pairs.iter().map(|pair| &pair.target.units[..]).collect();
    documents.sort_unstable();
    documents.dedup();
    let mut n_holding: BTreeMap<Symbol, usize> = BTreeMap::new();
    for document in &documents {
        let mut words = document.to_vec();
        words.sort_unstable();
        words.dedup();
        words.into_iter().for_each(|word| *n_holding.entry(word).or_default() += 1);
    }
    let n = documents.len() as f64;
    let mean = documents.iter().map(|document| document.len()).sum::<usize>() as f64 / n;
    let score = |pair: &Pair| {
        let document = &pair.target.units;
        let dampening = K1 * (1.0 - B + B * document.len() as f64 / mean);
        let of_word = |word: &Symbol| {
            let f = document.iter().filter(|other| *other == word).count() as f64;
            if f == 0.0 {
                // Also keeps the quotient away from empty documents.
                return 0.0;
            }
            let n_holding = n_holding.get(word).copied().unwrap_or(0) as f64;
            let idf = (1.0 + (n - n_holding + 0.5) / (n_holding + 0.5)).ln();
            idf * f * (K1 + 1.0) / (f + dampening)
        };
        pair.source.units.iter().map(of_word).fold(0.0, |sum, part| sum + part)
    };
    pairs.iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_text::Sentence;

    fn check(pairs: &[(&[u32], &[u32])], expected: &[f64]) {
        let sentence = |units: &[u32]| Sentence::of_units(units.to_vec());
        let made: Vec<Pair> =
            pairs.iter().map(|(source, target)| Pair { source: sentence(source), target: sentence(target) }).collect();
        let found = bm25(&made);
        assert_eq!(found.len(), expected.len());
        let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(is_close, "{pairs:?}: {found:?}, not {expected:?}");
    }

    #[test]
    fn by_hand() {
        // Three documents of 2, 4 and 3 words, the second standing twice; mean 3. Word 1 is in two
        // of them: idf = ln(1 + 1.5 / 2.5) = ln 1.6; word 2 in one: ln(1 + 2.5 / 1.5) = ln(8 / 3).
        // |d| = 2: dampening 1.2 (0.25 + 0.5) = 0.9;  f = 1: 2.2 / 1.9.
        // |d| = 4: dampening 1.2 (0.25 + 1.0) = 1.5;  f = 2: 4.4 / 3.5, f = 1: 2.2 / 2.5.
        let query: &[u32] = &[1, 2];
        let long: &[u32] = &[1, 2, 1, 9];
        let (one, two) = (0.470_003_629, 0.980_829_253);
        check(
            &[(query, &[1, 5]), (query, long), (query, &[6, 7, 8]), (&[1], long)],
            &[one * 2.2 / 1.9, one * 4.4 / 3.5 + two * 2.2 / 2.5, 0.0, one * 4.4 / 3.5],
        );
        // A word twice in the query counts twice; one document alone: idf = ln(1 + 0.5 / 1.5) =
        // ln(4 / 3).
        check(&[(&[3, 3, 4], &[3])], &[2.0 * 0.287_682_072]);
    }

    #[test]
    fn nothing_is_0_and_never_a_non_number() {
        check(&[], &[]);
        check(&[(&[], &[]), (&[1], &[])], &[0.0, 0.0]);
        check(&[(&[1], &[2]), (&[], &[2])], &[0.0, 0.0]);
    }
}
