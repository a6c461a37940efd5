//! How well a word table knows words that mean the same: development figures by which its settings
//! are chosen. No figure is taken from a test set.
//!
//! All figures leave out pairs of words with the same stem, which say more about spelling than about
//! meaning, and words that the table lacks.

use anyhow::{Context, Result};
use resay_learn::eval::metrics::roc_auc;
use resay_learn::rng::SplitMix;
use resay_text::container::Quality;
use resay_text::lexicon::Lexicon;
use resay_text::{Stemmer, StemmerKind};
use rustc_hash::FxHashSet;

/// At most so many pairs of a list are used, at random.
const MOST_PAIRS: usize = 10_000;
/// A word must be nearer than so many random ones.
const N_OTHERS: usize = 99;

/// The similarity of two words.
type Cosine<'a> = &'a dyn Fn(&str, &str) -> f64;

/// Lists of word pairs.
pub(crate) struct WordPairs {
    synonyms: Vec<(String, String)>,
    ppdb: Vec<(String, String)>,
    antonyms: Vec<(String, String)>,
    /// Pairs of any similarity in WordNet, with that similarity.
    graded: Vec<(String, String, f64)>,
}

impl WordPairs {
    /// Selects pairs of these words from three texts with one pair per line, words separated by
    /// white space. WordNet grades the pairs of PPDB, and as many random ones.
    pub(crate) fn new(words: &[&str], synonyms: &str, ppdb: &str, antonyms: &str, wordnet: &Lexicon) -> Result<Self> {
        let known: FxHashSet<&str> = words.iter().copied().collect();
        let list = |text: &str, seed: u64| -> Result<Vec<(String, String)>> {
            let stemmer = Stemmer::new(StemmerKind::English);
            let mut pairs = Vec::new();
            for (number, line) in text.lines().enumerate() {
                let (a, b) = line.split_once(char::is_whitespace).with_context(|| format!("line {}", number + 1))?;
                let (a, b) = (a.to_lowercase(), b.trim().to_lowercase());
                if [&a, &b].iter().all(|word| known.contains(word.as_str())) && stemmer.stem(&a) != stemmer.stem(&b) {
                    pairs.push((a, b));
                }
            }
            SplitMix::new(seed).shuffle(&mut pairs);
            pairs.truncate(MOST_PAIRS);
            Ok(pairs)
        };
        let (synonyms, ppdb) = (list(synonyms, 1).context("synonyms")?, list(ppdb, 2).context("PPDB")?);
        let antonyms = list(antonyms, 3).context("antonyms")?;
        let mut random = SplitMix::new(4);
        let mut graded = Vec::new();
        for (a, b) in &ppdb {
            let stranger = &ppdb[random.below(ppdb.len())].1;
            for other in [b, stranger] {
                let [one, two] = [a, other].map(|word| wordnet.word(word, None, None));
                if let Some(similarity) = wordnet.lin_similarity(&one, &two) {
                    graded.push((a.clone(), other.clone(), similarity));
                }
            }
        }
        Ok(Self { synonyms, ppdb, antonyms, graded })
    }

    /// Measures a similarity of words.
    pub(crate) fn measure(&self, similarity: &dyn Fn(&str, &str) -> Option<f32>) -> Vec<Quality> {
        let cosine = &|a: &str, b: &str| similarity(a, b).map_or(0.0, f64::from);
        let figures = [
            ("synonyms against random words, area under the curve", area(cosine, &self.synonyms)),
            ("synonyms nearer than 99 random words", nearest(cosine, &self.synonyms)),
            ("PPDB pairs against random words, area under the curve", area(cosine, &self.ppdb)),
            ("PPDB pairs nearer than 99 random words", nearest(cosine, &self.ppdb)),
            ("synonyms against antonyms, area under the curve", self.opposites(cosine)),
            ("rank correlation with Lin similarity in WordNet", self.graded(cosine)),
        ];
        let quality = |(measure, value): (&str, f64)| Quality { measure: measure.to_owned(), value: percent(value) };
        figures.map(quality).to_vec()
    }

    fn opposites(&self, cosine: Cosine<'_>) -> f64 {
        let all = self.synonyms.iter().map(|pair| (pair, true)).chain(self.antonyms.iter().map(|pair| (pair, false)));
        let (scores, labels): (Vec<f64>, Vec<bool>) =
            all.map(|((a, b), is_synonym)| (cosine(a, b), is_synonym)).unzip();
        roc_auc(&scores, &labels).unwrap_or(0.0)
    }

    fn graded(&self, cosine: Cosine<'_>) -> f64 {
        let cosines: Vec<f64> = self.graded.iter().map(|(a, b, _)| cosine(a, b)).collect();
        let graded: Vec<f64> = self.graded.iter().map(|(_, _, similarity)| *similarity).collect();
        rank_correlation(&cosines, &graded)
    }
}

/// In percent, to two places.
fn percent(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

/// How often a pair is more similar than the same first word with the second word of another pair.
fn area(cosine: Cosine<'_>, pairs: &[(String, String)]) -> f64 {
    let mut random = SplitMix::new(5);
    let (mut scores, mut labels) = (Vec::new(), Vec::new());
    for (at, (a, b)) in pairs.iter().enumerate() {
        let other = &pairs[(at + 1 + random.below(pairs.len().max(2) - 1)) % pairs.len()].1;
        scores.extend([cosine(a, b), cosine(a, other)]);
        labels.extend([true, false]);
    }
    roc_auc(&scores, &labels).unwrap_or(0.0)
}

/// How often the second word is nearer to the first than the second words of many other pairs.
fn nearest(cosine: Cosine<'_>, pairs: &[(String, String)]) -> f64 {
    let mut random = SplitMix::new(6);
    let is_nearest = |(a, b): &&(String, String)| {
        let least = cosine(a, b);
        let others: Vec<usize> = (0..N_OTHERS).map(|_| random.below(pairs.len())).collect();
        others.into_iter().all(|other| pairs[other].1 == *b || cosine(a, &pairs[other].1) < least)
    };
    pairs.iter().filter(is_nearest).count() as f64 / pairs.len().max(1) as f64
}

/// Spearman's rank correlation; equal values share the mean of their ranks.
fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let [a, b] = [a, b].map(ranks);
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).fold(0.0, |sum, (x, y)| sum + (x - mean) * (y - mean));
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = start as f64 + (group.len() as f64 - 1.0) / 2.0;
        group.iter().for_each(|&at| ranks[at] = rank);
        start += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shared_by_equal_values() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
        let check = |a: &[f64], b: &[f64], expected: f64| {
            assert!((rank_correlation(a, b) - expected).abs() < 1e-12, "{a:?} {b:?}");
        };
        check(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0], 1.0);
        check(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0], -1.0);
        check(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0], 0.6);
    }

    #[test]
    fn a_table_that_knows_synonyms_is_told_from_one_that_does_not() {
        let words = ["ship", "boat", "ships", "hot", "warm", "cold"];
        let pairs = |text: &str| text.replace(' ', "\n").replace('-', "\t");
        let synonyms = pairs("ship-boat hot-warm ship-ships ship-vessel");
        let lists = WordPairs::new(&words, &synonyms, &synonyms, &pairs("hot-cold"), &Lexicon::new()).unwrap();
        assert_eq!((lists.synonyms.len(), lists.antonyms.len(), lists.graded.len()), (2, 1, 0));
        let knows = |a: &str, b: &str| f64::from([("ship", "boat"), ("hot", "warm")].contains(&(a, b)));
        let guesses = |a: &str, b: &str| 1.0 - knows(a, b);
        assert_eq!((nearest(&knows, &lists.synonyms), nearest(&guesses, &lists.synonyms)), (1.0, 0.0));
        assert_eq!((area(&knows, &lists.synonyms), lists.opposites(&knows)), (1.0, 1.0));
        assert_eq!(lists.opposites(&guesses), 0.0);
    }
}
