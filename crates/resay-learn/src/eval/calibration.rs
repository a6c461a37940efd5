//! Calibration: whether of the examples with probability p a share of p is positive.

use super::exact::clopper_pearson;
use super::significance::Interval;

/// The examples whose probability is in a range. All bins but the last exclude their upper end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// The lower end of the range.
    pub from: f64,
    /// The upper end of the range.
    pub to: f64,
    /// Number of examples.
    pub n: usize,
    /// Mean predicted probability; `None` without examples.
    pub mean_probability: Option<f64>,
    /// Share of positives with its exact interval; `None` without examples.
    pub share: Option<Interval>,
}

/// Predicted probabilities against observed shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Bins of equal width, from 0 to 1.
    pub bins: Vec<CalibrationBin>,
    /// Expected calibration error: the mean over examples of the difference between the mean
    /// probability and the observed share of their bin.
    pub error: f64,
}

/// Sorts examples by predicted probability into bins of equal width; `None` without bins or
/// examples. Examples whose probability is not a number are left out. Intervals have this level.
pub fn calibration(probabilities: &[f64], labels: &[bool], n_bins: usize, level: f64) -> Option<Calibration> {
    let pairs = probabilities.iter().copied().zip(labels.iter().copied());
    let mut sorted: Vec<(f64, bool)> = pairs.filter(|(probability, _)| !probability.is_nan()).collect();
    if sorted.is_empty() || n_bins == 0 {
        return None;
    }
    // Sums of numbers depend on their order, so that it must not be that of the input.
    sorted.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let edge = |bin: usize| bin as f64 / n_bins as f64;
    let mut rest = &sorted[..];
    let mut bins = Vec::with_capacity(n_bins);
    let mut error = 0.0;
    for bin in 0..n_bins {
        let (from, to) = (edge(bin), edge(bin + 1));
        let n = if bin + 1 == n_bins { rest.len() } else { rest.partition_point(|(probability, _)| *probability < to) };
        let (inside, after) = rest.split_at(n);
        rest = after;
        let n_positive = inside.iter().filter(|(_, label)| *label).count();
        let mean = inside.iter().map(|(probability, _)| probability).sum::<f64>() / n as f64;
        let (mean_probability, share) = match n {
            0 => (None, None),
            _ => (Some(mean), Some(clopper_pearson(n_positive, n, level))),
        };
        error += share.map_or(0.0, |share| n as f64 * (mean - share.value).abs());
        bins.push(CalibrationBin { from, to, n, mean_probability, share });
    }
    Some(Calibration { bins, error: error / sorted.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    fn random_case(seed: u64) -> (Vec<f64>, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let n = 1 + random.below(60);
        let probabilities: Vec<f64> =
            (0..n).map(|_| if random.below(2) == 0 { random.below(21) as f64 / 20.0 } else { random.unit() }).collect();
        let labels = probabilities.iter().map(|p| random.unit() < *p).collect();
        (probabilities, labels)
    }

    #[test]
    fn bins_are_those_of_a_plain_search() {
        for seed in 0..100 {
            let (probabilities, labels) = random_case(seed);
            let found = calibration(&probabilities, &labels, 10, 0.95).unwrap();
            let mut error = 0.0;
            for (number, bin) in found.bins.iter().enumerate() {
                let (from, to) = (number as f64 / 10.0, (number + 1) as f64 / 10.0);
                let is_inside = |p: f64| p >= from && (p < to || number == 9);
                let inside: Vec<usize> = (0..labels.len()).filter(|&row| is_inside(probabilities[row])).collect();
                assert_eq!((bin.from, bin.to, bin.n), (from, to, inside.len()), "seed {seed}");
                if inside.is_empty() {
                    assert_eq!((bin.mean_probability, bin.share), (None, None));
                    continue;
                }
                let n = inside.len() as f64;
                let mean = inside.iter().map(|&row| probabilities[row]).sum::<f64>() / n;
                let share = inside.iter().filter(|&&row| labels[row]).count() as f64 / n;
                assert!((bin.mean_probability.unwrap() - mean).abs() < 1e-12);
                assert!((bin.share.unwrap().value - share).abs() < 1e-12);
                error += n / labels.len() as f64 * (mean - share).abs();
            }
            assert!((found.error - error).abs() < 1e-12, "seed {seed}");
        }
    }

    #[test]
    fn the_order_of_the_input_changes_no_bit() {
        for seed in 0..50 {
            let (probabilities, labels) = random_case(seed);
            let mut order: Vec<usize> = (0..labels.len()).collect();
            SplitMix::new(seed).shuffle(&mut order);
            let (p, l): (Vec<f64>, Vec<bool>) = order.iter().map(|&row| (probabilities[row], labels[row])).unzip();
            assert_eq!(calibration(&probabilities, &labels, 10, 0.95), calibration(&p, &l, 10, 0.95));
        }
    }

    #[test]
    fn ends_and_numbers_that_are_none() {
        let found = calibration(&[0.0, 1.0, f64::NAN], &[false, true, true], 10, 0.95).unwrap();
        assert_eq!((found.bins[0].n, found.bins[9].n, found.error), (1, 1, 0.0));
        assert_eq!(calibration(&[0.0, 1.0], &[true, false], 10, 0.95).unwrap().error, 1.0);
        assert_eq!(calibration(&[], &[], 10, 0.95), None);
        assert_eq!(calibration(&[f64::NAN], &[true], 10, 0.95), None);
        assert_eq!(calibration(&[0.5], &[true], 0, 0.95), None);
    }
}
