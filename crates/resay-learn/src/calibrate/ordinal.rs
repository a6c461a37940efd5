//! The probability of each of several ordered levels, from one score.
//!
//! Problem: find a slope a ≥ 0 and increasing cuts c₀ < c₁ < ... such that P(level > j) = σ(a ·
//! score − cⱼ), with σ(z) = 1 / (1 + exp(−z)), has the least log loss −Σᵢ Σₖ tᵢₖ ln pᵢₖ (the
//! proportional odds model, McCullagh 1980), with the smoothed targets t of [`super`].
//!
//! With z = a · score, the probability of level k is
//! σ(z − cₖ₋₁) − σ(z − cₖ) = σ(z − cₖ₋₁) σ(cₖ − z) (1 − exp(−(cₖ − cₖ₋₁))).
//! Its logarithm is a sum of three concave functions, so the loss is convex, and nothing cancels.
//! Every level has a positive target, also one without examples, so the last factor keeps the cuts
//! apart. Algorithm: projected Newton steps (`newton.rs`).
//!
//! With two levels, this is Platt's calibration.

use super::newton::{Convex, minimise};
use super::{Targets, UnitScores, check_values, sigmoid, softplus};
use crate::{Error, Result};

/// A fitted calibration. A higher score never makes a lower level more probable.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordinal {
    /// Change of the log-odds per unit of score, at least 0.
    pub slope: f64,
    /// One cut between every two neighbouring levels, strictly increasing.
    pub cuts: Vec<f64>,
}

impl Ordinal {
    /// Fits to cross-fitted scores, with one level below `n_levels` per score. If the scores carry
    /// no information (one level only, equal scores, higher scores for lower levels), every score
    /// gets the smoothed base rates.
    pub fn fit(scores: &[f64], levels: &[usize], n_levels: usize) -> Result<Self> {
        if n_levels < 2 {
            return Err(Error::data(format!("calibration over {n_levels} levels, expected at least 2")));
        }
        check_values("score", scores, levels.len())?;
        let targets = Targets::new(levels, n_levels)?;
        let base_rates = Self::base_rates(&targets);
        let Some(unit) = UnitScores::new(scores).filter(|_| targets.are_mixed()) else { return Ok(base_rates) };
        let problem = Problem { scores: &unit.values, levels, targets: &targets, sums: sums(&targets) };
        let mut point = vec![0.0];
        point.extend(&base_rates.cuts);
        let mut bounded = vec![false; n_levels];
        bounded[0] = true;
        minimise(&problem, &mut point, &bounded);
        let shift = point[0] * unit.lowest / unit.spread;
        let fitted = Self { slope: point[0] / unit.spread, cuts: point[1..].iter().map(|cut| cut + shift).collect() };
        Ok(if fitted.slope > 0.0 && fitted.is_valid() { fitted } else { base_rates })
    }

    /// Slope 0, with the mean targets as probabilities.
    fn base_rates(targets: &Targets) -> Self {
        let sums = sums(targets);
        // The log-odds of being above a cut, from the sums on either side.
        let cut = |j: usize| sums[..=j].iter().sum::<f64>().ln() - sums[j + 1..].iter().sum::<f64>().ln();
        Self { slope: 0.0, cuts: (0..sums.len() - 1).map(cut).collect() }
    }

    /// Whether the slope is finite and not negative, and the cuts are finite and strictly
    /// increasing.
    pub fn is_valid(&self) -> bool {
        let is_rising = self.cuts.windows(2).all(|pair| pair[0] < pair[1]);
        self.slope.is_finite() && self.slope >= 0.0 && is_rising && self.cuts.iter().all(|cut| cut.is_finite())
    }

    /// Number of levels.
    pub fn n_levels(&self) -> usize {
        self.cuts.len() + 1
    }

    /// Returns the probability of each level, lowest first. They add up to 1. A score that is NaN
    /// counts as 0.
    pub fn probabilities(&self, score: f64) -> Vec<f64> {
        let z = self.slope * score;
        let z = if z.is_nan() { 0.0 } else { z };
        let probability = |level: usize| {
            let (below, above) = (level.checked_sub(1).map(|j| self.cuts[j]), self.cuts.get(level).copied());
            let gap = below.zip(above).map_or(1.0, |(below, above)| -(below - above).exp_m1());
            below.map_or(1.0, |cut| sigmoid(z - cut)) * above.map_or(1.0, |cut| sigmoid(cut - z)) * gap
        };
        (0..self.n_levels()).map(probability).collect()
    }
}

/// The sum of the targets of each level.
fn sums(targets: &Targets) -> Vec<f64> {
    (0..targets.counts.len()).map(|level| targets.sum(level)).collect()
}

/// The loss over x = (slope, cuts) of unit scores, with z = slope · score:
/// Σᵢ Σⱼ (tᵢ,ⱼ₊₁ ln(1 + exp(cⱼ − zᵢ)) + tᵢ,ⱼ ln(1 + exp(zᵢ − cⱼ)))
/// − Σₖ (Σᵢ tᵢₖ) ln(1 − exp(−gapₖ)),
/// where level k lies between the cuts k − 1 and k, which are gapₖ apart.
struct Problem<'a> {
    scores: &'a [f64],
    levels: &'a [usize],
    targets: &'a Targets,
    /// Σᵢ tᵢₖ of each level.
    sums: Vec<f64>,
}

impl Convex for Problem<'_> {
    fn value(&self, x: &[f64]) -> f64 {
        let (slope, cuts) = (x[0], &x[1..]);
        if cuts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return f64::INFINITY;
        }
        let mut sum = 0.0;
        for (score, &level) in self.scores.iter().zip(self.levels) {
            for (j, cut) in cuts.iter().enumerate() {
                let above = slope * score - cut;
                sum += self.targets.of(level, j + 1) * softplus(-above) + self.targets.of(level, j) * softplus(above);
            }
        }
        for (level, pair) in cuts.windows(2).enumerate() {
            sum -= self.sums[level + 1] * (-(pair[0] - pair[1]).exp_m1()).ln();
        }
        sum
    }

    fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]) {
        let (n, slope, cuts) = (x.len(), x[0], &x[1..]);
        for (score, &level) in self.scores.iter().zip(self.levels) {
            for (j, cut) in cuts.iter().enumerate() {
                let share = sigmoid(slope * score - cut);
                let (over, under) = (self.targets.of(level, j + 1), self.targets.of(level, j));
                let error = (over + under) * share - over;
                let curvature = (over + under) * share * (1.0 - share);
                let place = j + 1;
                gradient[0] += error * score;
                gradient[place] -= error;
                hessian[0] += curvature * score * score;
                hessian[place * n] -= curvature * score;
                hessian[place * n + place] += curvature;
            }
        }
        for (level, pair) in cuts.windows(2).enumerate() {
            // −ln(1 − exp(−gap)) has the derivatives −1 / (exp(gap) − 1) and
            // 1 / ((exp(gap) − 1) (1 − exp(−gap))).
            let gap = pair[1] - pair[0];
            let first = -self.sums[level + 1] / gap.exp_m1();
            let second = first / (-gap).exp_m1();
            let (below, above) = (level + 1, level + 2);
            gradient[below] -= first;
            gradient[above] += first;
            hessian[below * n + below] += second;
            hessian[above * n + above] += second;
            hessian[above * n + below] -= second;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Platt;
    use super::super::newton::check_derivatives;
    use super::*;
    use crate::rng::SplitMix;

    fn random_case(seed: u64, n: usize, n_levels: usize, gap: f64) -> (Vec<f64>, Vec<usize>) {
        let mut random = SplitMix::new(seed);
        let levels: Vec<usize> = (0..n).map(|row| if row < n_levels { row } else { random.below(n_levels) }).collect();
        let scores = levels.iter().map(|level| random.unit() * 3.0 + gap * *level as f64 - 1.0).collect();
        (scores, levels)
    }

    /// The log loss by its definition.
    fn plain_loss(slope: f64, cuts: &[f64], scores: &[f64], levels: &[usize]) -> f64 {
        let n_levels = cuts.len() + 1;
        let count = |level: usize| levels.iter().filter(|other| **other == level).count() as f64;
        let row_loss = |(score, level): (&f64, &usize)| {
            let mut above: Vec<f64> = vec![1.0];
            above.extend(cuts.iter().map(|cut| 1.0 / (1.0 + (cut - slope * score).exp())));
            above.push(0.0);
            let total = count(*level) + n_levels as f64;
            let target = |k: usize| if *level == k { (count(k) + 1.0) / total } else { 1.0 / total };
            (0..n_levels).map(|k| -target(k) * (above[k] - above[k + 1]).ln()).sum::<f64>()
        };
        scores.iter().zip(levels).map(row_loss).sum()
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        for (seed, n_levels) in [(1, 2), (2, 3), (3, 6)] {
            let (scores, levels) = random_case(seed, 40, n_levels, 1.0);
            let targets = Targets::new(&levels, n_levels).unwrap();
            let problem = Problem { scores: &scores, levels: &levels, targets: &targets, sums: sums(&targets) };
            let mut x = vec![0.7];
            x.extend((1..n_levels).map(|cut| 0.8 * cut as f64 + 0.1 * (cut * cut) as f64 - 1.0));
            check_derivatives(&problem, &x);
            let plain = plain_loss(x[0], &x[1..], &scores, &levels);
            assert!((problem.value(&x) - plain).abs() < 1e-9 * plain, "{} {plain}", problem.value(&x));
        }
    }

    #[test]
    fn no_neighbour_has_less_loss() {
        for (seed, n, n_levels, gap) in [(1, 40, 3, 1.0), (2, 300, 6, 0.4), (3, 60, 4, 8.0), (4, 80, 2, 1.0)] {
            let (scores, levels) = random_case(seed, n, n_levels, gap);
            let fitted = Ordinal::fit(&scores, &levels, n_levels).unwrap();
            assert!(fitted.slope > 0.0 && fitted.is_valid(), "{fitted:?}");
            let least = plain_loss(fitted.slope, &fitted.cuts, &scores, &levels);
            let mut random = SplitMix::new(seed);
            for step in [1e-2, 0.2] {
                for _ in 0..50 {
                    let slope = fitted.slope + step * (random.unit() - 0.5);
                    let cuts: Vec<f64> = fitted.cuts.iter().map(|cut| cut + step * (random.unit() - 0.5)).collect();
                    if cuts.windows(2).all(|pair| pair[0] < pair[1]) {
                        assert!(plain_loss(slope, &cuts, &scores, &levels) > least, "seed {seed}");
                    }
                }
            }
        }
    }

    #[test]
    fn two_levels_are_those_of_platt() {
        let (scores, levels) = random_case(5, 120, 2, 1.0);
        let labels: Vec<bool> = levels.iter().map(|level| *level == 1).collect();
        let (fitted, platt) = (Ordinal::fit(&scores, &levels, 2).unwrap(), Platt::fit(&scores, &labels).unwrap());
        assert!((fitted.slope - platt.slope).abs() < 1e-6 && (fitted.cuts[0] + platt.intercept).abs() < 1e-6);
        for &score in &scores {
            assert!((fitted.probabilities(score)[1] - platt.probability(score)).abs() < 1e-6);
        }
    }

    #[test]
    fn probabilities_add_up_and_higher_scores_mean_higher_levels() {
        let (scores, levels) = random_case(6, 200, 5, 1.0);
        let fitted = Ordinal::fit(&scores, &levels, 5).unwrap();
        let steep = Ordinal { slope: 1e9, cuts: vec![-1.0, -1.0 + 1e-12, 5.0] };
        for ordinal in [fitted, steep, Ordinal { slope: 0.0, cuts: vec![0.5] }] {
            let mut before = vec![f64::INFINITY; ordinal.n_levels()];
            for score in [f64::NEG_INFINITY, -1e308, -40.0, -1.0, -1e-9, 0.0, 0.3, 1.0, 7.0, 1e308, f64::INFINITY] {
                let found = ordinal.probabilities(score);
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{score}: {found:?}");
                // P(level <= k) never increases.
                let cumulated: Vec<f64> = (0..found.len()).map(|k| found[..=k].iter().sum()).collect();
                assert!(
                    cumulated.iter().zip(&before).all(|(now, before)| *now <= before + 1e-12),
                    "{score}: {found:?}"
                );
                before = cumulated;
            }
            assert_eq!(ordinal.probabilities(f64::NAN), ordinal.probabilities(0.0));
        }
    }

    #[test]
    fn cuts_increase_whatever_the_data() {
        let (scores, levels) = random_case(7, 60, 3, 3.0);
        // Levels 0, 2, 3 and 6 of seven are empty, or all levels but one.
        for (levels, n_levels) in [
            (levels.iter().map(|level| [1, 4, 5][*level]).collect::<Vec<_>>(), 7),
            (levels.iter().map(|level| 2 - level).collect(), 3),
            (vec![2; 60], 4),
            (levels.clone(), 30),
        ] {
            let fitted = Ordinal::fit(&scores, &levels, n_levels).unwrap();
            assert!(fitted.is_valid() && fitted.n_levels() == n_levels, "{fitted:?}");
            let found = fitted.probabilities(1.0);
            assert!(found.iter().all(|value| *value > 0.0), "{found:?}");
        }
        let far: Vec<f64> = scores.iter().map(|score| 1e18 + 1e3 * score).collect();
        assert!(Ordinal::fit(&far, &levels, 3).unwrap().is_valid());
    }

    #[test]
    fn scores_that_say_nothing_give_the_base_rates() {
        let check = |scores: &[f64], levels: &[usize], expected: &[f64]| {
            let fitted = Ordinal::fit(scores, levels, expected.len()).unwrap();
            assert_eq!(fitted.slope, 0.0);
            for score in [-1e300, 0.0, 5.0] {
                let found = fitted.probabilities(score);
                assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
            }
        };
        check(&[1.0, 2.0, 3.0], &[1, 1, 1], &[1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0]);
        check(&[0.5; 4], &[0, 1, 0, 1], &[0.5, 0.5]);
        check(&[3.0, 2.0, 1.0], &[0, 1, 2], &[1.0 / 3.0; 3]);
        check(&[f64::MAX, f64::MIN], &[1, 0], &[0.5, 0.5]);
    }

    #[test]
    fn wrong_input_is_refused() {
        let check = |scores: &[f64], levels: &[usize], n_levels: usize, expected: &str| {
            let message = Ordinal::fit(scores, levels, n_levels).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(&[1.0], &[0], 1, "over 1 levels");
        check(&[], &[], 3, "at least one");
        check(&[1.0], &[0, 1], 3, "got 1 scores and 2 labels");
        check(&[1.0, f64::NAN], &[0, 1], 3, "score 1 is NaN");
        check(&[1.0, 2.0], &[0, 3], 3, "label 1 is 3");
    }
}
