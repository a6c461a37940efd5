//! `idf`: the idf-weighted share of the source's words that the target contains; one plain number.
//!
//! In a corpus of N documents of which n(w) contain the word w, idf(w) = ln(N / max(n(w), 1)). The
//! feature of a pair is
//!
//!   sum of idf(w) over the words of both sides / sum of idf(w) over the words of the source,
//!
//! with each word counted once. It lies between 0 and 1, and is 0 for a source whose words occur in
//! every document. An unseen word weighs as much as a word seen once, so words seen once need not
//! be stored, which halves the table.
//!
//! The documents are the distinct sentences of both sides: a question with forty candidates counts
//! once. They come from the pairs that the kernel is bound to; labels are not used. Like `pr`, the
//! kernel is linear and not normalised, since the cosine of one positive number is always 1.

use super::features::{FeatureMap, Features, Rule};
use super::index::{ExplicitIndex, Index};
use super::{Item, Kernel, Learned, PatternIds, Scaling};
use crate::Result;
use crate::id::OverlapMeasure;
use resay_learn::progress::{Progress, sort};
use resay_text::{Pair, Sentence, Symbol};

/// The kernel, before or after fitting.
#[derive(Clone, Debug, Default)]
pub(super) struct Idf(Option<Rarity>);

/// Document frequencies of words.
#[derive(Clone, Debug, PartialEq)]
struct Rarity {
    n_documents: u32,
    /// Words of at least two documents, by ascending symbol: document frequency and idf.
    known: Vec<(Symbol, u32, f64)>,
}

fn distinct(sentence: &Sentence) -> Vec<Symbol> {
    let mut words = sentence.units.clone();
    words.sort_unstable();
    words.dedup();
    words
}

impl Rarity {
    fn new(n_documents: u32, counts: impl Iterator<Item = (Symbol, u32)>) -> Self {
        let idf = |count: u32| (f64::from(n_documents) / f64::from(count)).ln();
        Self { n_documents, known: counts.map(|(word, count)| (word, count, idf(count))).collect() }
    }

    fn of(corpus: &[Pair], progress: Progress<'_>) -> Result<Self> {
        let mut documents: Vec<&Sentence> = corpus.iter().flat_map(|pair| [&pair.source, &pair.target]).collect();
        sort(&mut documents, |a, b| a.units.cmp(&b.units), progress)?;
        documents.dedup_by(|a, b| a.units == b.units);
        let mut words: Vec<Symbol> = Vec::new();
        for document in &documents {
            progress.check()?;
            words.extend(distinct(document));
        }
        sort(&mut words, Ord::cmp, progress)?;
        let counts = words.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
        Ok(Self::new(documents.len().max(1) as u32, counts.filter(|(_, count)| *count > 1)))
    }

    fn idf(&self, word: Symbol) -> f64 {
        match self.known.binary_search_by_key(&word, |known| known.0) {
            Ok(at) => self.known[at].2,
            Err(_) => f64::from(self.n_documents).ln(),
        }
    }

    fn value(&self, pair: &Pair) -> f64 {
        let (source, target) = (distinct(&pair.source), distinct(&pair.target));
        let (mut common, mut all) = (0.0, 0.0);
        for word in source {
            let idf = self.idf(word);
            all += idf;
            if target.binary_search(&word).is_ok() {
                common += idf;
            }
        }
        if all > 0.0 { common / all } else { 0.0 }
    }
}

impl FeatureMap for Rarity {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        let value = self.value(pair);
        if value > 0.0 {
            // A "rule" of one wildcard with an empty target, so that every feature is a pair of
            // patterns.
            let (measure, nothing) = (patterns.id(&[Item::ANY]), patterns.id(&[]));
            features.extra.push((measure, nothing, value));
        }
        Ok(())
    }

    fn is_listable(&self) -> bool {
        true
    }

    fn rule(&self, _: &[Item], _: &[Item]) -> Rule {
        Rule::Overlap(OverlapMeasure::RareWords)
    }
}

impl Kernel for Idf {
    fn describe(&self) -> String {
        "idf".to_owned()
    }

    fn scaling(&self) -> Scaling {
        Scaling::Plain
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        let rarity = self.0.clone().map_or_else(|| Rarity::of(columns, progress), Ok)?;
        Ok(Box::new(ExplicitIndex::new(rarity, columns, progress)?))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        self.0.as_ref().map(|rarity| rarity as &dyn FeatureMap)
    }

    fn learn(&self, corpus: &[Pair], progress: Progress<'_>) -> Result<Option<Box<dyn Kernel>>> {
        if self.0.is_some() {
            return Ok(None);
        }
        Ok(Some(Box::new(Self(Some(Rarity::of(corpus, progress)?)))))
    }

    /// The words as symbols; the number of documents, then the document frequency of each word.
    fn learned(&self) -> Option<Learned> {
        self.0.as_ref().map(|Rarity { n_documents, known }| Learned {
            symbols: known.iter().map(|known| known.0).collect(),
            numbers: std::iter::once(*n_documents).chain(known.iter().map(|known| known.1)).collect(),
        })
    }

    fn with_learned(&self, learned: &Learned) -> Option<Box<dyn Kernel>> {
        let (&n_documents, counts) = learned.numbers.split_first()?;
        let mut counts: Vec<(Symbol, u32)> = learned.symbols.iter().copied().zip(counts.iter().copied()).collect();
        counts.sort_unstable();
        let is_sound = counts.len() == learned.symbols.len()
            && counts.len() + 1 == learned.numbers.len()
            && n_documents > 0
            && counts.iter().all(|(_, count)| (2..=n_documents).contains(count))
            && counts.windows(2).all(|two| two[0].0 != two[1].0);
        let kernel = || Box::new(Self(Some(Rarity::new(n_documents, counts.into_iter())))) as Box<dyn Kernel>;
        is_sound.then(kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use resay_text::Sentence;

    fn pair(source: &[u32], target: &[u32]) -> Pair {
        let sentence = |units: &[u32]| Sentence::of_units(units.to_vec());
        Pair { source: sentence(source), target: sentence(target) }
    }

    /// Computes the feature of a pair by its definition, counting documents one by one.
    fn slowly(corpus: &[(Vec<u32>, Vec<u32>)], source: &[u32], target: &[u32]) -> f64 {
        let mut documents: Vec<&Vec<u32>> = Vec::new();
        for document in corpus.iter().flat_map(|(source, target)| [source, target]) {
            if !documents.contains(&document) {
                documents.push(document);
            }
        }
        let idf = |word: u32| {
            let n_holding = documents.iter().filter(|document| document.contains(&word)).count();
            (documents.len().max(1) as f64 / n_holding.max(1) as f64).ln()
        };
        let sum = |is_counted: &dyn Fn(u32) -> bool| -> f64 {
            (0..9).filter(|word| source.contains(word) && is_counted(*word)).map(idf).sum()
        };
        let (common, all) = (sum(&|word| target.contains(&word)), sum(&|_| true));
        if all > 0.0 { common / all } else { 0.0 }
    }

    proptest! {
        #[test]
        fn the_feature_is_its_definition(
            corpus in prop::collection::vec((prop::collection::vec(0_u32..6, 0..5), prop::collection::vec(0_u32..6, 0..5)), 0..8),
            source in prop::collection::vec(0_u32..9, 0..6), target in prop::collection::vec(0_u32..9, 0..6),
        ) {
            let pairs: Vec<Pair> = corpus.iter().map(|(source, target)| pair(source, target)).collect();
            let found = Rarity::of(&pairs, Progress::none()).unwrap().value(&pair(&source, &target));
            prop_assert!((found - slowly(&corpus, &source, &target)).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&found));
        }
    }

    #[test]
    fn by_hand() {
        // Three documents: {0, 1}, {0, 2}, {0, 2, 3}. The first source occurs twice and counts
        // once.
        let corpus = [pair(&[0, 1], &[0, 2]), pair(&[0, 1], &[0, 2, 3])];
        let check = |source: &[u32], target: &[u32], expected: f64| {
            let found = Rarity::of(&corpus, Progress::none()).unwrap().value(&pair(source, target));
            assert!((found - expected).abs() < 1e-12, "{source:?} {target:?}: {found}, not {expected}");
        };
        let (rare, common) = (3_f64.ln(), 1.5_f64.ln());
        check(&[1, 2], &[2], common / (rare + common));
        check(&[1, 2], &[1, 1], rare / (rare + common));
        check(&[1, 2, 2], &[2, 2, 1], 1.0);
        // A word of every document weighs nothing; an unseen word weighs as much as a word seen
        // once.
        check(&[0], &[0], 0.0);
        check(&[8, 1], &[8], 0.5);
        check(&[], &[1], 0.0);
    }

    #[test]
    fn what_was_learned_can_be_taken_out_and_put_back() {
        let corpus = [pair(&[5, 1], &[5, 2]), pair(&[5, 1, 2], &[5, 2, 3])];
        let fresh = Idf::default();
        assert!(fresh.learned().is_none() && fresh.features().is_none());
        let learned = fresh.learn(&corpus, Progress::none()).unwrap().unwrap();
        assert!(learned.learn(&corpus, Progress::none()).unwrap().is_none());
        let state = learned.learned().unwrap();
        assert_eq!(state, Learned { symbols: vec![1, 2, 5], numbers: vec![4, 2, 3, 4] });
        // In another order, as another numbering of the symbols may produce.
        let turned = Learned { symbols: vec![5, 2, 1], numbers: vec![4, 4, 3, 2] };
        assert_eq!(fresh.with_learned(&turned).unwrap().learned().unwrap(), state);
        let check = |symbols: &[u32], numbers: &[u32]| {
            let learned = Learned { symbols: symbols.to_vec(), numbers: numbers.to_vec() };
            assert!(fresh.with_learned(&learned).is_none(), "{learned:?}");
        };
        check(&[], &[]);
        check(&[], &[0]);
        check(&[1], &[4]);
        check(&[1], &[4, 2, 2]);
        check(&[1], &[4, 1]);
        check(&[1], &[4, 5]);
        check(&[1, 1], &[4, 2, 2]);
    }
}
