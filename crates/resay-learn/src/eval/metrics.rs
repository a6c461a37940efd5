//! Metrics of scores against labels.
//!
//! Every metric takes parallel slices; if their lengths differ, it uses the common prefix.
//! Undefined values (such as a ranking of one class only) are `None`, except for precision, recall
//! and F1, which are 0 by convention if nothing was found. Ties never help: the order of the input
//! cannot change a value.

/// A confusion matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Positive, predicted positive.
    pub true_positive: usize,
    /// Negative, predicted positive.
    pub false_positive: usize,
    /// Positive, predicted negative.
    pub false_negative: usize,
    /// Negative, predicted negative.
    pub true_negative: usize,
}

impl Confusion {
    /// Counts decisions against labels.
    pub fn of(decisions: &[bool], labels: &[bool]) -> Self {
        Self::count(decisions.iter().copied().zip(labels.iter().copied()))
    }

    /// Counts the decisions `score > threshold`.
    pub fn at(scores: &[f64], labels: &[bool], threshold: f64) -> Self {
        Self::count(scores.iter().map(|score| *score > threshold).zip(labels.iter().copied()))
    }

    fn count(decisions: impl Iterator<Item = (bool, bool)>) -> Self {
        let mut counts = Self::default();
        for (decision, label) in decisions {
            match (decision, label) {
                (true, true) => counts.true_positive += 1,
                (true, false) => counts.false_positive += 1,
                (false, true) => counts.false_negative += 1,
                (false, false) => counts.true_negative += 1,
            }
        }
        counts
    }

    /// Number of decisions.
    pub fn total(&self) -> usize {
        self.true_positive + self.false_positive + self.false_negative + self.true_negative
    }

    /// Share of correct decisions.
    pub fn accuracy(&self) -> f64 {
        ratio(self.true_positive + self.true_negative, self.total())
    }

    /// Share of predicted positives that are positive.
    pub fn precision(&self) -> f64 {
        ratio(self.true_positive, self.true_positive + self.false_positive)
    }

    /// Share of positives that were predicted positive.
    pub fn recall(&self) -> f64 {
        ratio(self.true_positive, self.true_positive + self.false_negative)
    }

    /// Harmonic mean of precision and recall, 2tp / (2tp + fp + fn).
    pub fn f1(&self) -> f64 {
        ratio(2 * self.true_positive, 2 * self.true_positive + self.false_positive + self.false_negative)
    }

    /// Returns the counts with the negative class taken as the positive one.
    pub fn of_negative(&self) -> Self {
        Self {
            true_positive: self.true_negative,
            false_positive: self.false_negative,
            false_negative: self.false_positive,
            true_negative: self.true_positive,
        }
    }

    /// Mean of the F1 of both classes, or the F1 of the only class that occurs in labels and
    /// decisions.
    pub fn macro_f1(&self) -> f64 {
        let [positive, negative] = [self.f1(), self.of_negative().f1()];
        match self.total() {
            n if n == self.true_negative => negative,
            n if n == self.true_positive => positive,
            _ => 0.5 * (positive + negative),
        }
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Groups of equal scores, best first: the number of positives and negatives in each.
fn runs(scores: &[f64], labels: &[bool]) -> Vec<(usize, usize)> {
    let mut order: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    order.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    // `==` as well as the bits: 0 and −0 are one score.
    let same = |left: &(f64, bool), right: &(f64, bool)| left.0 == right.0 || left.0.total_cmp(&right.0).is_eq();
    let count = |run: &[(f64, bool)]| {
        let n_true = run.iter().filter(|(_, label)| *label).count();
        (n_true, run.len() - n_true)
    };
    order.chunk_by(same).map(count).collect()
}

/// Probability that a positive scores above a negative, ties counting half; `None` for a single
/// class.
pub fn roc_auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let (mut n_true_above, mut n_false, mut wins) = (0usize, 0usize, 0.0);
    for (run_true, run_false) in runs(scores, labels) {
        wins += run_false as f64 * (n_true_above as f64 + 0.5 * run_true as f64);
        n_true_above += run_true;
        n_false += run_false;
    }
    (n_true_above > 0 && n_false > 0).then(|| wins / (n_true_above as f64 * n_false as f64))
}

/// Σ (recallₙ − recallₙ₋₁) precisionₙ over the distinct thresholds, best first; `None` without
/// positives.
pub fn average_precision(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let (mut n_true, mut n_seen, mut sum) = (0usize, 0usize, 0.0);
    for (run_true, run_false) in runs(scores, labels) {
        n_true += run_true;
        n_seen += run_true + run_false;
        sum += run_true as f64 * ratio(n_true, n_seen);
    }
    (n_true > 0).then(|| sum / n_true as f64)
}

/// Mean of −ln p(label), with probabilities clipped 1e-15 away from 0 and 1; `None` without
/// examples.
pub fn log_loss(probabilities: &[f64], labels: &[bool]) -> Option<f64> {
    mean(probabilities.iter().zip(labels).map(|(probability, label)| {
        let of_truth = if *label { *probability } else { 1.0 - probability };
        -of_truth.clamp(1e-15, 1.0 - 1e-15).ln()
    }))
}

/// Mean squared difference of probability and label; `None` without examples.
pub fn brier(probabilities: &[f64], labels: &[bool]) -> Option<f64> {
    mean(
        probabilities
            .iter()
            .zip(labels)
            .map(|(probability, label)| (probability - f64::from(u8::from(*label))).powi(2)),
    )
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0usize, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// Labels and scores of few distinct values (many ties).
    fn random_case(seed: u64) -> (Vec<f64>, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let n = 1 + random.below(30);
        let scores = (0..n).map(|_| random.below(6) as f64 - 2.5).collect();
        let labels = (0..n).map(|_| random.below(3) == 0).collect();
        (scores, labels)
    }

    fn close(left: Option<f64>, right: Option<f64>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => (left - right).abs() < 1e-12,
            (None, None) => true,
            _ => false,
        }
    }

    #[test]
    fn confusion_counts_by_hand() {
        let check = |decisions: &[u8], labels: &[u8], counts: [usize; 4], figures: [f64; 4]| {
            let bools = |bits: &[u8]| bits.iter().map(|bit| *bit == 1).collect::<Vec<_>>();
            let found = Confusion::of(&bools(decisions), &bools(labels));
            let [true_positive, false_positive, false_negative, true_negative] = counts;
            assert_eq!(found, Confusion { true_positive, false_positive, false_negative, true_negative });
            for (found, expected) in
                [found.accuracy(), found.precision(), found.recall(), found.f1()].iter().zip(figures)
            {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        };
        check(&[1, 1, 1, 0, 0], &[1, 1, 0, 1, 0], [2, 1, 1, 1], [0.6, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
        check(&[1, 0, 0, 0], &[1, 1, 1, 1], [1, 0, 3, 0], [0.25, 1.0, 0.25, 0.4]);
        check(&[0, 0], &[0, 0], [0, 0, 0, 2], [1.0, 0.0, 0.0, 0.0]);
        check(&[], &[], [0, 0, 0, 0], [0.0, 0.0, 0.0, 0.0]);
        assert_eq!(Confusion::at(&[0.5, 0.4, 0.6], &[true, true, true], 0.5).true_positive, 1);
    }

    #[test]
    fn the_negative_class_is_counted_as_if_it_were_the_positive_one() {
        let mut random = SplitMix::new(1);
        for _ in 0..50 {
            let (decisions, labels): (Vec<bool>, Vec<bool>) =
                (0..12).map(|_| (random.below(2) == 0, random.below(3) == 0)).unzip();
            let not = |bits: &[bool]| bits.iter().map(|bit| !bit).collect::<Vec<_>>();
            let (found, other) = (Confusion::of(&decisions, &labels), Confusion::of(&not(&decisions), &not(&labels)));
            assert_eq!(found.of_negative(), other);
            assert!((found.macro_f1() - (found.f1() + other.f1()) / 2.0).abs() < 1e-12);
        }
        // A class that does not occur has no say.
        for (decisions, labels, expected) in
            [([true; 3], [true; 3], 1.0), ([false; 3], [false; 3], 1.0), ([true; 3], [false; 3], 0.0)]
        {
            assert_eq!(Confusion::of(&decisions, &labels).macro_f1(), expected);
        }
        assert_eq!(Confusion::default().macro_f1(), 0.0);
    }

    #[test]
    fn roc_auc_is_the_share_of_ordered_pairs() {
        let mut n_defined = 0;
        for seed in 0..200 {
            let (scores, labels) = random_case(seed);
            let (mut wins, mut n_pairs) = (0.0, 0);
            for i in 0..scores.len() {
                for j in 0..scores.len() {
                    if labels[i] && !labels[j] {
                        n_pairs += 1;
                        wins += if scores[i] > scores[j] {
                            1.0
                        } else if scores[i] == scores[j] {
                            0.5
                        } else {
                            0.0
                        };
                    }
                }
            }
            n_defined += usize::from(n_pairs > 0);
            assert!(close(roc_auc(&scores, &labels), (n_pairs > 0).then(|| wins / f64::from(n_pairs))), "seed {seed}");
        }
        assert!(n_defined > 150);
        assert_eq!(roc_auc(&[0.0, -0.0], &[true, false]), Some(0.5));
    }

    #[test]
    fn average_precision_is_the_mean_precision_at_the_thresholds_of_the_true() {
        for seed in 0..200 {
            let (scores, labels) = random_case(seed);
            let at = |threshold: f64| {
                let taken: Vec<bool> = scores
                    .iter()
                    .zip(&labels)
                    .filter(|(score, _)| **score >= threshold)
                    .map(|(_, label)| *label)
                    .collect();
                taken.iter().filter(|label| **label).count() as f64 / taken.len() as f64
            };
            let precisions: Vec<f64> =
                scores.iter().zip(&labels).filter(|(_, label)| **label).map(|(score, _)| at(*score)).collect();
            let expected = (!precisions.is_empty()).then(|| precisions.iter().sum::<f64>() / precisions.len() as f64);
            assert!(close(average_precision(&scores, &labels), expected), "seed {seed}");
        }
    }

    #[test]
    fn losses_by_hand() {
        assert!(close(log_loss(&[0.8, 0.1], &[true, false]), Some(-(0.8f64.ln() + 0.9f64.ln()) / 2.0)));
        assert!(close(brier(&[0.8, 0.1], &[true, false]), Some((0.04 + 0.01) / 2.0)));
        assert!(log_loss(&[0.0, 1.0], &[true, false]).is_some_and(|loss| loss > 30.0 && loss.is_finite()));
        assert_eq!(log_loss(&[], &[]), None);
        assert_eq!(brier(&[], &[]), None);
    }

    #[test]
    fn the_order_of_the_input_changes_nothing() {
        for seed in 0..50 {
            let (scores, labels) = random_case(seed);
            let mut order: Vec<usize> = (0..scores.len()).collect();
            SplitMix::new(seed).shuffle(&mut order);
            let (s, l): (Vec<f64>, Vec<bool>) = order.iter().map(|&i| (scores[i], labels[i])).unzip();
            assert_eq!(roc_auc(&scores, &labels), roc_auc(&s, &l));
            assert_eq!(average_precision(&scores, &labels), average_precision(&s, &l));
        }
    }

    #[test]
    fn nothing_panics_on_numbers_that_are_none() {
        let scores = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let labels = [true, false, true, false];
        assert!(roc_auc(&scores, &labels).is_some_and(f64::is_finite));
        assert!(average_precision(&scores, &labels).is_some_and(f64::is_finite));
    }
}
