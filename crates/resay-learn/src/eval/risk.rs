//! The risk-coverage curve: the error rate among the decisions that a model is surest of.

/// A point of the curve: a model that answers only if it is at least so confident.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiskPoint {
    /// The least confidence of an answer.
    pub confidence: f64,
    /// Share of examples that are answered.
    pub coverage: f64,
    /// Share of answers that are wrong.
    pub risk: f64,
}

/// The risk-coverage curve.
#[derive(Clone, Debug, PartialEq)]
pub struct RiskCurve {
    /// One point per distinct confidence, from the surest; the last covers everything.
    pub points: Vec<RiskPoint>,
    /// Area under the curve: the mean risk over the coverages 1/n, 2/n, ..., 1.
    pub area: f64,
}

/// Returns the curve of decisions by decreasing confidence; `None` without examples. The slices
/// are parallel; if their lengths differ, the common prefix is used.
///
/// Examples of equal confidence are only answered together. Between such points, the area is the
/// mean over all orders of the equal ones, so that the order of the input does not matter.
pub fn risk_curve(confidences: &[f64], is_right: &[bool]) -> Option<RiskCurve> {
    let mut sorted: Vec<(f64, bool)> = confidences.iter().copied().zip(is_right.iter().copied()).collect();
    if sorted.is_empty() {
        return None;
    }
    sorted.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let (mut points, mut n_answered, mut n_wrong, mut sum) = (Vec::new(), 0usize, 0usize, 0.0);
    for run in sorted.chunk_by(|left, right| left.0 == right.0 || left.0.total_cmp(&right.0).is_eq()) {
        let wrong = run.iter().filter(|(_, right)| !*right).count();
        let rate = wrong as f64 / run.len() as f64;
        for step in 1..=run.len() {
            sum += (n_wrong as f64 + rate * step as f64) / (n_answered + step) as f64;
        }
        n_answered += run.len();
        n_wrong += wrong;
        points.push(RiskPoint {
            confidence: run[0].0,
            coverage: n_answered as f64 / sorted.len() as f64,
            risk: n_wrong as f64 / n_answered as f64,
        });
    }
    Some(RiskCurve { points, area: sum / sorted.len() as f64 })
}

impl RiskCurve {
    /// Returns at most `n` of the points (at least the last one): of those in each of `n` equal
    /// parts of the coverage, the last.
    pub fn thinned(&self, n: usize) -> Vec<RiskPoint> {
        let part = |point: &RiskPoint| (point.coverage * n as f64).ceil() as usize;
        let parts = self.points.chunk_by(|left, right| n == 0 || part(left) == part(right));
        parts.filter_map(|points| points.last().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    /// Few distinct confidences (many ties).
    fn random_case(seed: u64, most: usize) -> (Vec<f64>, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let n = 1 + random.below(most);
        (0..n).map(|_| (0.5 + random.below(4) as f64 / 8.0, random.below(3) > 0)).unzip()
    }

    /// All orders of some numbers.
    fn orders(of: &[usize]) -> Vec<Vec<usize>> {
        if of.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for (at, first) in of.iter().enumerate() {
            let rest = [&of[..at], &of[at + 1..]].concat();
            all.extend(orders(&rest).into_iter().map(|rest| [&[*first][..], &rest].concat()));
        }
        all
    }

    #[test]
    fn the_area_is_the_mean_over_all_orders_of_equal_rows() {
        for seed in 0..60 {
            let (confidences, is_right) = random_case(seed, 6);
            let rows: Vec<usize> = (0..confidences.len()).collect();
            let sorted = |order: &Vec<usize>| order.windows(2).all(|two| confidences[two[0]] >= confidences[two[1]]);
            let areas: Vec<f64> = orders(&rows)
                .iter()
                .filter(|order| sorted(order))
                .map(|order| {
                    let risk = |n: usize| order[..n].iter().filter(|&&row| !is_right[row]).count() as f64 / n as f64;
                    (1..=order.len()).map(risk).sum::<f64>() / order.len() as f64
                })
                .collect();
            let expected = areas.iter().sum::<f64>() / areas.len() as f64;
            let found = risk_curve(&confidences, &is_right).unwrap();
            assert!((found.area - expected).abs() < 1e-12, "seed {seed}: {} {expected}", found.area);
        }
    }

    #[test]
    fn every_point_counts_the_rows_that_are_as_sure() {
        for seed in 0..60 {
            let (confidences, is_right) = random_case(seed, 50);
            let found = risk_curve(&confidences, &is_right).unwrap();
            for point in &found.points {
                let answered: Vec<usize> =
                    (0..is_right.len()).filter(|&row| confidences[row] >= point.confidence).collect();
                let n_wrong = answered.iter().filter(|&&row| !is_right[row]).count();
                assert!((point.coverage - answered.len() as f64 / is_right.len() as f64).abs() < 1e-12);
                assert!((point.risk - n_wrong as f64 / answered.len() as f64).abs() < 1e-12, "seed {seed}");
            }
            assert_eq!(found.points.last().unwrap().coverage, 1.0);
            let mut order: Vec<usize> = (0..is_right.len()).collect();
            SplitMix::new(seed).shuffle(&mut order);
            let (c, r): (Vec<f64>, Vec<bool>) = order.iter().map(|&row| (confidences[row], is_right[row])).unzip();
            assert_eq!(risk_curve(&c, &r), Some(found), "seed {seed}");
        }
        assert_eq!(risk_curve(&[], &[]), None);
        assert!(risk_curve(&[f64::NAN, 0.5, f64::NAN], &[true, false, true]).unwrap().area.is_finite());
    }

    #[test]
    fn thinned_points_are_few_and_end_at_full_coverage() {
        let confidences: Vec<f64> = (0..1_234).map(|row| 1.0 - f64::from(row) / 2_500.0).collect();
        let is_right: Vec<bool> = (0..1_234).map(|row| row % 7 != 0).collect();
        let curve = risk_curve(&confidences, &is_right).unwrap();
        for n in [1, 2, 100, 5_000] {
            let few = curve.thinned(n);
            assert_eq!(few.len(), n.min(1_234));
            assert_eq!(few.last(), curve.points.last());
            assert!(few.iter().all(|point| curve.points.contains(point)));
        }
    }
}
