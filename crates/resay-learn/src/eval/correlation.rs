//! Correlations of two columns of numbers.
//!
//! Pearson's is Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²). Spearman's is Pearson's of the ranks,
//! where equal values share the mean of their ranks.
//!
//! Both take parallel slices of numbers; if the lengths differ, they use the common prefix. They
//! are `None` for fewer than three rows (any two points are on a line), for a constant column, and
//! where a value is not finite.

/// Pearson's correlation.
pub fn pearson(left: &[f64], right: &[f64]) -> Option<f64> {
    let n = left.len().min(right.len());
    if n < 3 {
        return None;
    }
    let (left, right) = (directions(&left[..n])?, directions(&right[..n])?);
    let cosine: f64 = left.iter().zip(&right).map(|(left, right)| left * right).sum();
    // Rounding may lead just outside.
    Some(cosine.clamp(-1.0, 1.0))
}

/// Spearman's correlation, with mean ranks for ties.
pub fn spearman(left: &[f64], right: &[f64]) -> Option<f64> {
    let n = left.len().min(right.len());
    let (left, right) = (Places::of(&left[..n])?, Places::of(&right[..n])?);
    let rows: Vec<usize> = (0..n).collect();
    pearson(&left.ranks(&rows), &right.ranks(&rows))
}

/// The deviations from the mean, as a vector of length 1; `None` for a constant.
fn directions(values: &[f64]) -> Option<Vec<f64>> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mut deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let largest = deviations.iter().fold(0.0, |largest: f64, deviation| largest.max(deviation.abs()));
    // Values that differ by rounding only are constant: the mean of equal numbers is not always
    // exactly the number.
    if !mean.is_finite() || !largest.is_finite() || largest <= 1e-14 * mean.abs() {
        return None;
    }
    // Scaled before they are squared, so that nothing overflows or vanishes.
    deviations.iter_mut().for_each(|deviation| *deviation /= largest);
    let length = deviations.iter().map(|deviation| deviation * deviation).sum::<f64>().sqrt();
    deviations.iter_mut().for_each(|deviation| *deviation /= length);
    Some(deviations)
}

/// A column sorted once, so that the ranks within any sample of its rows need no sorting.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// For each row, the place of its value among the distinct values.
    of_row: Vec<usize>,
    n_distinct: usize,
}

impl Places {
    /// `None` where a value is not a number.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        if values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let mut distinct = values.to_vec();
        distinct.sort_unstable_by(f64::total_cmp);
        // 0 and −0 are one value.
        distinct.dedup_by(|left, right| left == right);
        let place = |value: &f64| distinct.partition_point(|other| other < value);
        Some(Self { of_row: values.iter().map(place).collect(), n_distinct: distinct.len() })
    }

    /// Ranks of the rows of a sample, from 1; equal values share the mean of their ranks.
    pub(super) fn ranks(&self, rows: &[usize]) -> Vec<f64> {
        let mut counts = vec![0usize; self.n_distinct];
        rows.iter().for_each(|&row| counts[self.of_row[row]] += 1);
        let mut n_below = 0;
        let rank = |count: usize| {
            let rank = n_below as f64 + 0.5 * (count + 1) as f64;
            n_below += count;
            rank
        };
        let rank_of: Vec<f64> = counts.into_iter().map(rank).collect();
        rows.iter().map(|&row| rank_of[self.of_row[row]]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// Two columns of few distinct values (many ties).
    fn random_case(seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut random = SplitMix::new(seed);
        let n = 3 + random.below(20);
        (0..n).map(|_| (random.below(5) as f64 - 1.5, random.below(7) as f64 * 0.3)).unzip()
    }

    fn close(found: Option<f64>, expected: Option<f64>) -> bool {
        match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
            (found, expected) => found == expected,
        }
    }

    /// Covariance over spread, from the differences of all pairs of rows: the means cancel out.
    fn plain_pearson(left: &[f64], right: &[f64]) -> Option<f64> {
        let (mut both, mut of_left, mut of_right) = (0.0, 0.0, 0.0);
        for i in 0..left.len() {
            for j in 0..left.len() {
                let (x, y) = (left[i] - left[j], right[i] - right[j]);
                both += x * y;
                of_left += x * x;
                of_right += y * y;
            }
        }
        (of_left > 0.0 && of_right > 0.0).then(|| both / (of_left * of_right).sqrt())
    }

    /// One more than the number of smaller values, plus half of the other equal ones.
    fn plain_ranks(values: &[f64]) -> Vec<f64> {
        let count = |holds: &dyn Fn(&f64) -> bool| values.iter().filter(|value| holds(value)).count() as f64;
        let rank = |value: &f64| 1.0 + count(&|other| other < value) + 0.5 * (count(&|other| other == value) - 1.0);
        values.iter().map(rank).collect()
    }

    #[test]
    fn correlations_are_those_of_all_pairs_of_rows() {
        let mut n_defined = 0;
        for seed in 0..300 {
            let (left, right) = random_case(seed);
            let expected = plain_pearson(&left, &right);
            n_defined += usize::from(expected.is_some());
            assert!(close(pearson(&left, &right), expected), "seed {seed}");
            let expected = plain_pearson(&plain_ranks(&left), &plain_ranks(&right));
            assert!(close(spearman(&left, &right), expected), "seed {seed}");
        }
        assert!(n_defined > 250);
    }

    #[test]
    fn ranks_within_a_sample_are_those_of_its_values() {
        for seed in 0..100 {
            let (values, _) = random_case(seed);
            let mut random = SplitMix::new(seed);
            let rows: Vec<usize> = (0..values.len() + 3).map(|_| random.below(values.len())).collect();
            let drawn: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
            assert_eq!(Places::of(&values).unwrap().ranks(&rows), plain_ranks(&drawn), "seed {seed}");
        }
        assert_eq!(Places::of(&[0.0, -0.0, 1.0]).unwrap().ranks(&[0, 1, 2]), [1.5, 1.5, 3.0]);
    }

    #[test]
    fn scale_and_order_do_not_matter() {
        for seed in 0..50 {
            let (left, right) = random_case(seed);
            let scaled: Vec<f64> = left.iter().map(|value| 3.0 - 7.0 * value).collect();
            assert!(close(pearson(&scaled, &right), pearson(&left, &right).map(|value| -value)));
            let cubed: Vec<f64> = left.iter().map(|value| value.powi(3)).collect();
            assert!(close(spearman(&cubed, &right), spearman(&left, &right)));
            let mut order: Vec<usize> = (0..left.len()).collect();
            SplitMix::new(seed).shuffle(&mut order);
            let (x, y): (Vec<f64>, Vec<f64>) = order.iter().map(|&row| (left[row], right[row])).unzip();
            assert!(close(pearson(&x, &y), pearson(&left, &right)));
            assert!(close(spearman(&x, &y), spearman(&left, &right)));
        }
        let line = [1.0, 2.0, 4.0, 5.0];
        for factor in [1e-200, 1e200, 1e-320] {
            let tiny_or_huge = line.map(|value| value * factor);
            let found = pearson(&line, &tiny_or_huge).unwrap();
            assert!((found - 1.0).abs() < 1e-3 && found <= 1.0, "{factor}: {found}");
        }
    }

    #[test]
    fn what_is_undefined_is_none() {
        let line = [1.0, 2.0, 3.0];
        for other in [
            &[][..],
            &[1.0],
            &[1.0, 2.0],
            &[4.0; 3],
            &[0.1, 0.1, 0.1],
            &[0.0, -0.0, 0.0],
            &[1.0, f64::NAN, 2.0],
            &[f64::NAN; 3],
        ] {
            for (left, right) in [(&line[..], other), (other, &line[..])] {
                assert_eq!((pearson(left, right), spearman(left, right)), (None, None), "{other:?}");
            }
        }
        // Infinite values have a rank, but no distance.
        let endless = [1.0, 5.0, f64::INFINITY];
        assert!(pearson(&line, &endless).is_none() && close(spearman(&line, &endless), Some(1.0)));
        // A constant whose mean is not exactly its value.
        let nearly = [0.1; 7].map(|value: f64| value + 0.2);
        assert_eq!(pearson(&nearly, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), None);
    }
}
