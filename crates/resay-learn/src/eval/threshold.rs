//! The threshold that reaches a wished precision.
//!
//! Given: calibrated probabilities and labels of held-out examples, and a precision. Returned: the
//! lowest probability such that, of the examples at or above it, at least the wished share is
//! positive. The lowest one has the highest recall. Higher thresholds may have a lower precision:
//! precision does not always rise with the threshold.
//!
//! The intervals take the threshold as given. It was chosen among many on the same examples, so
//! that new examples will on average have a somewhat lower precision.

use super::exact::clopper_pearson;
use super::significance::Interval;

/// A threshold, and what it does to the examples it was chosen on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionThreshold {
    /// Examples at or above it are called positive. It is the probability of one of them.
    pub threshold: f64,
    /// Number of examples at or above it.
    pub n_above: usize,
    /// Share of these that are positive, with its exact interval.
    pub precision: Interval,
    /// Share of all positives that are at or above it, with its exact interval.
    pub recall: Interval,
}

impl PrecisionThreshold {
    /// Finds the lowest threshold of at least this precision; `None` where there is none, and where
    /// the wished precision is not above 0 and at most 1. Intervals have this level.
    ///
    /// The slices are parallel; if their lengths differ, the common prefix is used. Examples of
    /// equal probability are above a threshold together or not at all. An example whose probability
    /// is not a number is above none.
    pub fn of(probabilities: &[f64], labels: &[bool], wished: f64, level: f64) -> Option<Self> {
        if !(wished > 0.0 && wished <= 1.0) {
            return None;
        }
        let rows = || probabilities.iter().copied().zip(labels.iter().copied());
        let mut sorted: Vec<(f64, bool)> = rows().filter(|(probability, _)| !probability.is_nan()).collect();
        sorted.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
        let n_positive = rows().filter(|(_, label)| *label).count();
        let (mut n_above, mut n_right, mut found) = (0, 0, None);
        // From the highest on; the last block that is precise enough ends at the lowest threshold.
        for block in sorted.chunk_by(|left, right| left.0 == right.0) {
            n_above += block.len();
            n_right += block.iter().filter(|(_, label)| *label).count();
            if n_right as f64 / n_above as f64 >= wished {
                found = Some((block[0].0, n_above, n_right));
            }
        }
        found.map(|(threshold, n_above, n_right)| Self {
            threshold,
            n_above,
            precision: clopper_pearson(n_right, n_above, level),
            recall: clopper_pearson(n_right, n_positive, level),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// Few distinct probabilities (many ties), higher for positives.
    fn random_case(seed: u64) -> (Vec<f64>, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let n = 1 + random.below(40);
        let row = |_| {
            let probability = random.below(9) as f64 / 8.0;
            (probability, random.unit() < probability)
        };
        (0..n).map(row).unzip()
    }

    /// Tries every probability as the threshold.
    fn plain(probabilities: &[f64], labels: &[bool], wished: f64) -> Option<(f64, usize, usize)> {
        let mut lowest: Option<(f64, usize, usize)> = None;
        for &threshold in probabilities {
            let above: Vec<usize> = (0..labels.len()).filter(|&row| probabilities[row] >= threshold).collect();
            let n_right = above.iter().filter(|&&row| labels[row]).count();
            let is_reached = n_right as f64 / above.len() as f64 >= wished;
            if is_reached && lowest.is_none_or(|lowest| threshold < lowest.0) {
                lowest = Some((threshold, above.len(), n_right));
            }
        }
        lowest
    }

    #[test]
    fn it_is_the_lowest_of_all_that_reach_the_precision() {
        let (mut n_found, mut n_none) = (0, 0);
        for seed in 0..300 {
            let (probabilities, labels) = random_case(seed);
            let n_positive = labels.iter().filter(|label| **label).count();
            for wished in [0.01, 0.5, 0.75, 0.8, 0.9, 1.0] {
                let expected = plain(&probabilities, &labels, wished);
                let found = PrecisionThreshold::of(&probabilities, &labels, wished, 0.95);
                let Some((threshold, n_above, n_right)) = expected else {
                    assert_eq!(found, None, "seed {seed}");
                    n_none += 1;
                    continue;
                };
                n_found += 1;
                let found = found.unwrap();
                assert_eq!((found.threshold, found.n_above), (threshold, n_above), "seed {seed}, {wished}");
                assert_eq!(found.precision, clopper_pearson(n_right, n_above, 0.95));
                assert_eq!(found.recall, clopper_pearson(n_right, n_positive, 0.95));
                let mut order: Vec<usize> = (0..labels.len()).collect();
                SplitMix::new(seed).shuffle(&mut order);
                let (p, l): (Vec<f64>, Vec<bool>) = order.iter().map(|&row| (probabilities[row], labels[row])).unzip();
                assert_eq!(PrecisionThreshold::of(&p, &l, wished, 0.95), Some(found));
            }
        }
        assert!(n_found > 1_000 && n_none > 50, "{n_found} {n_none}");
    }

    #[test]
    fn ends_and_numbers_that_are_none() {
        let of = |probabilities: &[f64], labels: &[bool], wished: f64| {
            PrecisionThreshold::of(probabilities, labels, wished, 0.95).map(|found| (found.threshold, found.n_above))
        };
        // The precision falls below the wish and recovers: the lower threshold has the recall.
        let dip = ([0.9, 0.8, 0.7, 0.6], [true, false, true, true]);
        assert_eq!(of(&dip.0, &dip.1, 0.7), Some((0.6, 4)));
        assert_eq!(of(&dip.0, &dip.1, 0.75), Some((0.6, 4)));
        assert_eq!(of(&dip.0, &dip.1, 0.76), Some((0.9, 1)));
        // Equal ones count together, 0 and −0 too.
        assert_eq!(of(&[0.9, 0.9], &[true, false], 1.0), None);
        assert_eq!(of(&[0.0, -0.0], &[true, false], 0.6), None);
        assert_eq!(of(&[0.2, 0.1], &[false, false], 0.1), None);
        assert_eq!(of(&[], &[], 0.5), None);
        for wished in [0.0, -1.0, 1.01, f64::NAN] {
            assert_eq!(of(&[0.9], &[true], wished), None);
        }
        // What is not a number is never above, but can be missed.
        let found = PrecisionThreshold::of(&[f64::NAN, 0.9, -f64::NAN], &[true, true, false], 0.9, 0.95).unwrap();
        assert_eq!((found.threshold, found.n_above, found.recall), (0.9, 1, clopper_pearson(1, 2, 0.95)));
    }
}
