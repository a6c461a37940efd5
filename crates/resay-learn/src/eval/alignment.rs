//! Alignment quality: predicted links against gold links, pair by pair.
//!
//! Every pair is first reduced to counts, from which everything else is computed: means over pairs,
//! pooled figures, their bootstrap intervals (resampling pairs) and paired tests. Yao et al. (2013)
//! average precision and recall over pairs and take the harmonic mean of the averages:
//! [`AlignmentFigure::F1`]. A pair without predicted links has precision 0 and one without gold
//! links recall 0, even if it has neither.
//!
//! The same figures exist for subsets of the links: links between identical and between different
//! words, single-word blocks and larger ones ([`LinkSubset`]). Many pairs have no link of a subset,
//! which counts as 0 in a mean over pairs, so prefer the pooled figures for subsets. The paper's
//! own figures for subsets come from counts that were never reset between pairs; [`running`]
//! computes those as well, for comparison only.

use super::blocks::{Block, WordLink, blocks};
use super::significance::{self, Comparison, Interval, ResampleOptions, Sample};
use crate::Result;

/// Counts of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Correct predictions.
    pub n_right: usize,
    /// Predictions.
    pub n_predicted: usize,
    /// Items of the gold standard.
    pub n_gold: usize,
}

impl Counts {
    /// Compares two sets. Order and duplicates do not matter.
    pub fn of<T: Ord + Copy>(predicted: &[T], gold: &[T]) -> Self {
        let (predicted, gold) = (sorted(predicted), sorted(gold));
        let n_right = predicted.iter().filter(|item| gold.binary_search(item).is_ok()).count();
        Self { n_right, n_predicted: predicted.len(), n_gold: gold.len() }
    }

    /// Share of predictions that are correct; 0 if there are none.
    pub fn precision(&self) -> f64 {
        ratio(self.n_right, self.n_predicted)
    }

    /// Share of the gold standard that was predicted; 0 if it is empty.
    pub fn recall(&self) -> f64 {
        ratio(self.n_right, self.n_gold)
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        ratio(2 * self.n_right, self.n_predicted + self.n_gold)
    }

    /// Whether the prediction equals the gold standard, even if both are empty.
    pub fn is_exact(&self) -> bool {
        self.n_right == self.n_predicted && self.n_right == self.n_gold
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            n_right: self.n_right + other.n_right,
            n_predicted: self.n_predicted + other.n_predicted,
            n_gold: self.n_gold + other.n_gold,
        }
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn harmonic(left: f64, right: f64) -> f64 {
    if left + right > 0.0 { 2.0 * left * right / (left + right) } else { 0.0 }
}

fn sorted<T: Ord + Copy>(items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    items.sort_unstable();
    items.dedup();
    items
}

/// A subset of links or blocks to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSubset {
    /// All links.
    All,
    /// Links between identical words.
    Identical,
    /// Links between words that differ.
    Different,
    /// Blocks of one word on either side.
    Tokens,
    /// Larger blocks: correct only as a whole.
    Phrases,
}

impl LinkSubset {
    /// All subsets, in display order.
    pub const ALL: [Self; 5] = [Self::All, Self::Identical, Self::Different, Self::Tokens, Self::Phrases];

    /// The name of the subset.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Identical => "identical",
            Self::Different => "different",
            Self::Tokens => "tokens",
            Self::Phrases => "phrases",
        }
    }

    /// Counts the predictions of this subset in one pair; `is_identical` says whether the words of
    /// a link are identical.
    pub fn count(self, predicted: &[WordLink], gold: &[WordLink], is_identical: impl Fn(WordLink) -> bool) -> Counts {
        let links = |kept: bool| {
            let keep = |links: &[WordLink]| {
                links.iter().copied().filter(|link| is_identical(*link) == kept).collect::<Vec<_>>()
            };
            Counts::of(&keep(predicted), &keep(gold))
        };
        let sizes = |is_token: bool| {
            let keep = |links: &[WordLink]| {
                blocks(links).into_iter().filter(|b| b.is_token() == is_token).collect::<Vec<Block>>()
            };
            Counts::of(&keep(predicted), &keep(gold))
        };
        match self {
            Self::All => Counts::of(predicted, gold),
            Self::Identical => links(true),
            Self::Different => links(false),
            Self::Tokens => sizes(true),
            Self::Phrases => sizes(false),
        }
    }
}

/// A figure over pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignmentFigure {
    /// Mean precision over pairs.
    Precision,
    /// Mean recall over pairs.
    Recall,
    /// Harmonic mean of the two means: the figure that papers on monolingual alignment report.
    F1,
    /// Mean F1 over pairs.
    MeanF1,
    /// Share of pairs with a perfect alignment.
    Exact,
    /// Precision pooled over all pairs.
    MicroPrecision,
    /// Recall pooled over all pairs.
    MicroRecall,
    /// F1 pooled over all pairs.
    MicroF1,
}

impl AlignmentFigure {
    /// All figures, in display order.
    pub const ALL: [Self; 8] = [
        Self::Precision,
        Self::Recall,
        Self::F1,
        Self::MeanF1,
        Self::Exact,
        Self::MicroPrecision,
        Self::MicroRecall,
        Self::MicroF1,
    ];

    /// The name of the figure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "F1",
            Self::MeanF1 => "mean F1",
            Self::Exact => "exact",
            Self::MicroPrecision => "micro precision",
            Self::MicroRecall => "micro recall",
            Self::MicroF1 => "micro F1",
        }
    }

    /// Computes the figure from one entry per pair; 0 without pairs.
    pub fn of(self, pairs: &[Counts]) -> f64 {
        let mean = |value: fn(&Counts) -> f64| {
            if pairs.is_empty() { 0.0 } else { pairs.iter().map(value).sum::<f64>() / pairs.len() as f64 }
        };
        let pooled = || pairs.iter().fold(Counts::default(), Counts::plus);
        match self {
            Self::Precision => mean(Counts::precision),
            Self::Recall => mean(Counts::recall),
            Self::F1 => harmonic(mean(Counts::precision), mean(Counts::recall)),
            Self::MeanF1 => mean(Counts::f1),
            Self::Exact => mean(|counts| f64::from(u8::from(counts.is_exact()))),
            Self::MicroPrecision => pooled().precision(),
            Self::MicroRecall => pooled().recall(),
            Self::MicroF1 => pooled().f1(),
        }
    }

    /// Computes the figure with its bootstrap interval, resampling pairs.
    pub fn interval(self, pairs: &[Counts], options: &ResampleOptions) -> Result<Interval> {
        significance::bootstrap(pairs, None, options, &|_: &Sample<'_>, pairs: &[Counts]| self.of(pairs))
    }

    /// Compares two systems on the same pairs: both figures, the interval of the difference, and
    /// approximate randomisation over pairs.
    pub fn compare(self, first: &[Counts], second: &[Counts], options: &ResampleOptions) -> Result<Comparison> {
        significance::compare(first, second, None, options, &|_: &Sample<'_>, pairs: &[Counts]| self.of(pairs))
    }
}

/// Precision, recall and F1 of a subset as computed by Yao et al. (2013): counts accumulate from
/// pair to pair, the precision and recall so far are averaged over pairs, and F1 is the harmonic
/// mean of the averages. The figures depend on the order of the pairs and serve for comparison with
/// the paper only.
pub fn running(pairs: &[Counts]) -> [f64; 3] {
    let (mut so_far, mut precision, mut recall) = (Counts::default(), 0.0, 0.0);
    for counts in pairs {
        so_far = so_far.plus(counts);
        precision += so_far.precision();
        recall += so_far.recall();
    }
    let n = pairs.len().max(1) as f64;
    [precision / n, recall / n, harmonic(precision / n, recall / n)]
}

#[cfg(test)]
mod tests {
    use super::super::blocks::testing::picture;
    use super::*;
    use crate::rng::SplitMix;

    fn counts(n_right: usize, n_predicted: usize, n_gold: usize) -> Counts {
        Counts { n_right, n_predicted, n_gold }
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-12
    }

    #[test]
    fn parts_of_a_pair() {
        // Words on the diagonal are identical.
        let check = |predicted: &[&str], gold: &[&str], expected: [(usize, usize, usize); 5]| {
            let found = LinkSubset::ALL.map(|part| {
                let counts = part.count(&picture(predicted), &picture(gold), |(source, target)| source == target);
                (counts.n_right, counts.n_predicted, counts.n_gold)
            });
            assert_eq!(found, expected, "{predicted:?} {gold:?}");
        };
        check(&[], &[], [(0, 0, 0); 5]);
        check(&["x..", ".x."], &["x..", ".x.", "..x"], [(2, 2, 3), (2, 2, 3), (0, 0, 0), (2, 2, 3), (0, 0, 0)]);
        check(&["x.", ".x"], &["xx", "xx"], [(2, 2, 4), (2, 2, 2), (0, 0, 2), (0, 2, 0), (0, 0, 1)]);
        check(&["xx.", "xx.", "..x"], &["xx.", "xx.", ".x."], [(4, 5, 5), (2, 3, 2), (2, 2, 3), (0, 1, 1), (1, 1, 1)]);
        check(&["xx.", "...", "x.."], &["xx.", "...", "..x"], [(2, 3, 3), (1, 1, 2), (1, 2, 1), (0, 1, 1), (1, 1, 1)]);
        let twice = [(1, 1), (0, 0), (1, 1)];
        assert_eq!(LinkSubset::All.count(&twice, &[(0, 0)], |_| true), counts(1, 2, 1));
    }

    #[test]
    fn figures_by_hand() {
        let check = |pairs: &[(usize, usize, usize)], expected: [f64; 8]| {
            let pairs: Vec<Counts> =
                pairs.iter().map(|&(right, predicted, gold)| counts(right, predicted, gold)).collect();
            for (figure, expected) in AlignmentFigure::ALL.into_iter().zip(expected) {
                let found = figure.of(&pairs);
                assert!(close(found, expected), "{}: {found} {expected}", figure.name());
            }
        };
        check(&[], [0.0; 8]);
        check(&[(2, 2, 2)], [1.0; 8]);
        // Nothing predicted and nothing in the gold standard: 0, but exact.
        check(&[(0, 0, 0)], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        check(&[(0, 3, 2)], [0.0; 8]);
        // P = (1 + 1/4) / 2, R = (1/2 + 1) / 2; F1 of these, mean of 2/3 and 2/5; pooled 2 of 5 and
        // 2 of 3.
        let (precision, recall) = (0.625, 0.75);
        check(
            &[(1, 1, 2), (1, 4, 1)],
            [
                precision,
                recall,
                2.0 * precision * recall / (precision + recall),
                (2.0 / 3.0 + 0.4) / 2.0,
                0.0,
                0.4,
                2.0 / 3.0,
                0.5,
            ],
        );
    }

    #[test]
    fn running_counts_by_hand() {
        let check = |pairs: &[Counts], precision: f64, recall: f64| {
            let [p, r, f1] = running(pairs);
            assert!(close(p, precision) && close(r, recall) && close(f1, harmonic(precision, recall)), "{p} {r} {f1}");
        };
        check(&[], 0.0, 0.0);
        check(&[counts(1, 2, 4)], 0.5, 0.25);
        // After the second pair: 3 of 3 + 2 predicted, 3 of 4 + 2 gold; the third has nothing and
        // repeats them.
        check(&[counts(1, 2, 4), counts(2, 3, 2), counts(0, 0, 0)], (0.5 + 0.6 + 0.6) / 3.0, (0.25 + 0.5 + 0.5) / 3.0);
        // Another order gives other figures.
        assert!(running(&[counts(2, 3, 2), counts(1, 2, 4)])[0] > running(&[counts(1, 2, 4), counts(2, 3, 2)])[0]);
    }

    /// Links of each pair in a small square, twice as likely where the other set has them.
    fn random_pairs(seed: u64) -> Vec<(Vec<WordLink>, Vec<WordLink>)> {
        let mut random = SplitMix::new(seed);
        let mut pair = || {
            let (mut predicted, mut gold) = (Vec::new(), Vec::new());
            for cell in 0..16 {
                let is_gold = random.below(3) == 0;
                if is_gold {
                    gold.push((cell / 4, cell % 4));
                }
                if random.below(3) < 1 + usize::from(is_gold) {
                    predicted.push((cell / 4, cell % 4));
                }
            }
            (predicted, gold)
        };
        (0..12).map(|_| pair()).collect()
    }

    #[test]
    fn counts_against_cells() {
        for seed in 0..100 {
            for (predicted, gold) in random_pairs(seed) {
                let is_identical = |(source, target): WordLink| (source + target) % 3 == 0;
                let brute = |keep: &dyn Fn(WordLink) -> bool| {
                    let cells = || {
                        (0..4).flat_map(|source| (0..4).map(move |target| (source, target))).filter(|link| keep(*link))
                    };
                    let count = |of: &dyn Fn(&WordLink) -> bool| cells().filter(|link| of(link)).count();
                    counts(
                        count(&|link| predicted.contains(link) && gold.contains(link)),
                        count(&|link| predicted.contains(link)),
                        count(&|link| gold.contains(link)),
                    )
                };
                let found = |part: LinkSubset| part.count(&predicted, &gold, is_identical);
                assert_eq!(found(LinkSubset::All), brute(&|_| true));
                assert_eq!(found(LinkSubset::Identical), brute(&is_identical));
                assert_eq!(found(LinkSubset::Different), brute(&|link| !is_identical(link)));
                // Single-word blocks: a token block is a link that is in no larger block.
                let in_phrases =
                    |links: &[WordLink]| blocks(links).iter().filter(|b| !b.is_token()).flat_map(Block::links).count();
                let tokens = found(LinkSubset::Tokens);
                assert_eq!(tokens.n_gold, gold.len() - in_phrases(&gold));
                assert_eq!(tokens.n_predicted, predicted.len() - in_phrases(&predicted));
                let phrases = found(LinkSubset::Phrases);
                assert_eq!(tokens.n_gold + phrases.n_gold, blocks(&gold).len());
                assert!(tokens.n_right + phrases.n_right <= tokens.n_gold + phrases.n_gold);
                let is_same = |part: LinkSubset| found(part).is_exact();
                assert_eq!(is_same(LinkSubset::All), is_same(LinkSubset::Tokens) && is_same(LinkSubset::Phrases));
            }
        }
    }

    #[test]
    fn intervals_and_paired_tests_draw_pairs() {
        let count = |seed: u64| {
            let pairs = (0..8).flat_map(|more| random_pairs(seed + 100 * more));
            pairs.map(|(predicted, gold)| LinkSubset::All.count(&predicted, &gold, |_| true)).collect::<Vec<_>>()
        };
        let pairs = count(1);
        let options = ResampleOptions { n_resamples: 500, ..ResampleOptions::default() };
        for figure in AlignmentFigure::ALL {
            let found = figure.interval(&pairs, &options).unwrap();
            assert_eq!(found.value, figure.of(&pairs));
            assert!(found.low <= found.value && found.value <= found.high, "{found:?}");
            assert!(
                figure == AlignmentFigure::Exact || (found.low < found.high && found.high - found.low < 0.2),
                "{found:?}"
            );
        }
        let perfect: Vec<Counts> = pairs.iter().map(|pair| counts(pair.n_gold, pair.n_gold, pair.n_gold)).collect();
        let better = AlignmentFigure::F1.compare(&perfect, &pairs, &options).unwrap();
        assert!(better.p_value < 0.01 && better.difference.low > 0.0, "{better:?}");
        assert_eq!(AlignmentFigure::F1.compare(&pairs, &pairs, &options).unwrap().p_value, 1.0);
        assert!(AlignmentFigure::F1.interval(&[], &options).is_err());
        assert!(AlignmentFigure::F1.compare(&pairs[1..], &pairs, &options).is_err());
    }
}
