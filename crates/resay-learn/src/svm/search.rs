//! Choosing the cost by cross-validation.
//!
//! Input: a fold number per row (assigned by the caller, so that rows of one group share a fold),
//! labels, increasing costs and a learner. For every fold, one model per cost is trained on the
//! other folds, each warm-started from the previous one, and scores the rows of the fold. Output:
//! the metric per cost and fold, the chosen cost, and cross-fitted scores at the chosen cost: each
//! row is scored by a model that was not trained on it, as calibration requires.
//!
//! All folds and costs share the features or the Gram matrix. [`search_heads`] does the same for
//! several machines that share folds and cost, such as one per class; [`search`] is the case of one
//! machine with labels.

mod fit;
mod heads;

pub(super) use fit::lift;
pub use fit::{DualFit, Fit, LinearFit};
pub use heads::{CostRule, HeadPlan, HeadSearch, HeadsHeldOut, search_heads};

use crate::eval::metrics::Confusion;
use crate::progress::Progress;
use crate::{Error, Result};

/// The held-out rows of one fold with their scores and labels, as parallel slices.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut<'a> {
    /// Row numbers, increasing.
    pub rows: &'a [usize],
    /// One score per row.
    pub scores: &'a [f64],
    /// One label per row.
    pub labels: &'a [bool],
}

/// A metric of a fold's scores; higher is better. A metric over groups looks up the group of a row
/// by `rows`.
pub type HeldOutMeasure<'a> = &'a (dyn Fn(&HeldOut<'_>) -> f64 + Sync);

/// Share of rows on the correct side of 0.
pub fn accuracy(held_out: &HeldOut<'_>) -> f64 {
    Confusion::at(held_out.scores, held_out.labels, 0.0).accuracy()
}

/// F1, with rows that score above 0 as predicted positives.
pub fn f1(held_out: &HeldOut<'_>) -> f64 {
    Confusion::at(held_out.scores, held_out.labels, 0.0).f1()
}

/// The specification of a cost search.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// One label per row.
    pub labels: &'a [bool],
    /// One fold per row, 0-based; every number up to the largest must occur.
    pub folds: &'a [usize],
    /// Increasing costs.
    pub costs: &'a [f64],
    /// The metric to maximise.
    pub measure: HeldOutMeasure<'a>,
    /// How to choose the cost.
    pub rule: CostRule,
}

/// The result of a cost search.
#[derive(Clone, Debug, PartialEq)]
pub struct CostSearch {
    /// The costs tried, increasing.
    pub costs: Vec<f64>,
    /// The metric by cost, then by fold.
    pub fold_scores: Vec<Vec<f64>>,
    /// Mean over folds, by cost.
    pub mean: Vec<f64>,
    /// Index of the chosen cost in `costs`.
    pub chosen: usize,
    /// Cross-fitted score of every row at the chosen cost.
    pub held_out_scores: Vec<f64>,
}

impl CostSearch {
    /// The chosen cost.
    pub fn cost(&self) -> f64 {
        self.costs[self.chosen]
    }
}

/// Runs the search. Reports the number of finished folds, from any thread.
pub fn search(fit: &dyn Fit, plan: &Plan<'_>, progress: Progress<'_>) -> Result<CostSearch> {
    if plan.labels.len() != plan.folds.len() {
        return Err(Error::data(format!("{} labels but {} fold numbers", plan.labels.len(), plan.folds.len())));
    }
    let measure = |held_out: &HeadsHeldOut<'_>| {
        let labels: Vec<bool> = held_out.rows.iter().map(|&row| plan.labels[row]).collect();
        (plan.measure)(&HeldOut { rows: held_out.rows, scores: held_out.scores[0], labels: &labels })
    };
    let plan = HeadPlan { folds: plan.folds, costs: plan.costs, measure: &measure, rule: plan.rule };
    let found = search_heads(&[fit], &plan, progress)?;
    let held_out_scores = found.held_out_scores.into_iter().flatten().collect();
    Ok(CostSearch {
        costs: found.costs,
        fold_scores: found.fold_scores,
        mean: found.mean,
        chosen: found.chosen,
        held_out_scores,
    })
}

/// Returns a grid of costs in steps of 1 and 3 from `low` to `high`: 0.01, 0.03, 0.1 ... 30, 100
/// for 0.01 and 100. `low` and `high` must be 1 or 3 times a power of ten.
pub fn cost_grid(low: f64, high: f64) -> Result<Vec<f64>> {
    let refuse = |problem: &str| {
        Err(Error::parameter(format!(
            "costs {low}..{high}: {problem}; expected LOW..HIGH with both 1 or 3 times a power of ten, from 1e-12 to 1e12, as in \
             0.01..100"
        )))
    };
    if !(low.is_finite() && high.is_finite() && low > 0.0) {
        return refuse("not finite numbers above 0");
    }
    if low > high {
        return refuse("the lower cost is above the upper");
    }
    // Parse the steps from decimal text, since 3e-2 is not 3 * 10f64.powi(-2) to the last bit.
    let steps = (-12..=12).flat_map(|power| [(1, power), (3, power)]);
    let values: Vec<f64> = steps.filter_map(|(digit, power)| format!("{digit}e{power}").parse().ok()).collect();
    let place = |wanted: f64| values.iter().position(|value| (value - wanted).abs() <= 1e-9 * wanted);
    match (place(low), place(high)) {
        (Some(first), Some(last)) => Ok(values[first..=last].to_vec()),
        (None, _) => refuse("the lower cost is not a step of the grid"),
        (_, None) => refuse("the upper cost is not a step of the grid"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::ranking::{RankingFigure, Which, rank};
    use crate::matrix::{Gram, Rows};
    use crate::progress::testing::stops;
    use crate::progress::{Stage, Step};
    use crate::rng::SplitMix;
    use crate::svm::{dual, linear};
    use std::sync::atomic::{AtomicUsize, Ordering};

    const COSTS: [f64; 3] = [0.1, 1.0, 10.0];

    fn random_problem(seed: u64, n: usize) -> (Rows, Gram, Vec<bool>, Vec<usize>) {
        let mut random = SplitMix::new(seed);
        let n_columns = 8;
        let mut rows = Rows::new(n_columns);
        let (mut dense, mut labels) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let values: Vec<f64> = (0..n_columns).map(|_| random.unit() - 0.5).collect();
            labels.push(values[0] + values[1] + 0.5 * (random.unit() - 0.5) > 0.0);
            rows.push((0u32..).zip(values.iter().copied()), 0.0);
            dense.push(values);
        }
        let dot = |i: usize, j: usize| dense[i].iter().zip(&dense[j]).map(|(left, right)| left * right).sum::<f64>();
        let gram = Gram::new(n, (0..n * n).map(|place| dot(place / n, place % n) as f32).collect());
        (rows, gram, labels, (0..n).map(|_| random.below(5)).collect())
    }

    fn plan<'a>(labels: &'a [bool], folds: &'a [usize]) -> Plan<'a> {
        Plan { labels, folds, costs: &COSTS, measure: &accuracy, rule: CostRule::Best }
    }

    #[test]
    fn is_the_same_as_training_every_fold_by_hand() {
        let (rows, gram, labels, folds) = random_problem(1, 80);
        let linear = LinearFit {
            problem: linear::LinearProblem::new(&rows, &labels, Progress::none()).unwrap(),
            params: linear::LinearParams { tolerance: 1e-9, ..linear::LinearParams::default() },
        };
        let dual = DualFit {
            problem: dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap(),
            params: dual::DualParams { tolerance: 1e-9, ..dual::DualParams::default() },
        };
        let cold = |fit: &dyn Fit, cost: f64| {
            let mut scores = vec![0.0; labels.len()];
            for fold in 0..5 {
                let (held_out, train): (Vec<usize>, Vec<usize>) =
                    (0..labels.len()).partition(|&row| folds[row] == fold);
                let found = fit.scores(&train, &held_out, &[cost], Progress::none()).unwrap().remove(0);
                held_out.iter().zip(found).for_each(|(row, score)| scores[*row] = score);
            }
            scores
        };
        for fit in [&linear as &dyn Fit, &dual] {
            let found = search(fit, &plan(&labels, &folds), Progress::none()).unwrap();
            for (cost_idx, cost) in COSTS.iter().enumerate() {
                let scores = cold(fit, *cost);
                for fold in 0..5 {
                    let rows: Vec<usize> = (0..labels.len()).filter(|&row| folds[row] == fold).collect();
                    let right = rows.iter().filter(|&&row| (scores[row] > 0.0) == labels[row]).count();
                    assert_eq!(found.fold_scores[cost_idx][fold], right as f64 / rows.len() as f64);
                }
                let mean = found.fold_scores[cost_idx].iter().sum::<f64>() / 5.0;
                assert!((found.mean[cost_idx] - mean).abs() < 1e-12);
            }
            let scores = cold(fit, found.cost());
            assert!(scores.iter().zip(&found.held_out_scores).all(|(cold, warm)| (cold - warm).abs() < 1e-5));
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let (rows, gram, labels, folds) = random_problem(2, 120);
        let linear = LinearFit {
            problem: linear::LinearProblem::new(&rows, &labels, Progress::none()).unwrap(),
            params: linear::LinearParams::default(),
        };
        let dual = DualFit {
            problem: dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap(),
            params: dual::DualParams::default(),
        };
        for fit in [&linear as &dyn Fit, &dual] {
            let with = |n_threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| search(fit, &plan(&labels, &folds), Progress::none()).unwrap())
            };
            let one = with(1);
            for n_threads in [2, 3] {
                let more = with(n_threads);
                assert_eq!(one, more);
                let bits = |search: &CostSearch| {
                    search.held_out_scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>()
                };
                assert_eq!(bits(&one), bits(&more));
            }
        }
    }

    #[test]
    fn progress_and_measures_by_group_are_given_what_they_need() {
        let (rows, _, labels, folds) = random_problem(3, 60);
        let fit = LinearFit {
            problem: linear::LinearProblem::new(&rows, &labels, Progress::none()).unwrap(),
            params: linear::LinearParams::default(),
        };
        let calls = AtomicUsize::new(0);
        let report = |step: Step<'_>| {
            assert!(step.stage == Stage::Search && (1..=5).contains(&step.done) && step.total == 5);
            calls.fetch_add(step.done, Ordering::Relaxed);
        };
        let groups: Vec<usize> = (0..60).map(|row| row / 3).collect();
        let mrr = |held_out: &HeldOut<'_>| {
            let groups: Vec<usize> = held_out.rows.iter().map(|&row| groups[row]).collect();
            assert!(held_out.rows.iter().zip(held_out.labels).all(|(row, label)| labels[*row] == *label));
            RankingFigure::Mrr.mean(&rank(held_out.scores, held_out.labels, &groups, Which::AnyRight)).unwrap_or(0.0)
        };
        let found = search(&fit, &Plan { measure: &mrr, ..plan(&labels, &folds) }, Progress::new(&report)).unwrap();
        assert_eq!(calls.load(Ordering::Relaxed), 1 + 2 + 3 + 4 + 5);
        assert!(found.mean.iter().all(|mean| *mean > 0.5));
    }

    #[test]
    fn the_grid_goes_in_steps_of_one_and_three() {
        let check = |low: f64, high: f64, expected: &[f64]| assert_eq!(cost_grid(low, high).unwrap(), expected);
        check(0.01, 100.0, &[0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]);
        check(3.0, 3.0, &[3.0]);
        check(0.3, 10.0, &[0.3, 1.0, 3.0, 10.0]);
        let refuse = |low: f64, high: f64, expected: &str| {
            let message = cost_grid(low, high).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        refuse(0.02, 1.0, "the lower cost is not a step");
        refuse(0.01, 5.0, "the upper cost is not a step");
        refuse(1.0, 0.1, "above the upper");
        refuse(0.0, 1.0, "not finite numbers above 0");
        refuse(0.1, f64::NAN, "not finite");
        refuse(1e-300, 1.0, "the lower cost is not a step");
    }

    #[test]
    fn wrong_plans_are_refused() {
        let (rows, _, labels, folds) = random_problem(4, 30);
        let fit = LinearFit {
            problem: linear::LinearProblem::new(&rows, &labels, Progress::none()).unwrap(),
            params: linear::LinearParams::default(),
        };
        let check = |plan: Plan<'_>, expected: &str| {
            let message = search(&fit, &plan, Progress::none()).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        let good = plan(&labels, &folds);
        check(Plan { costs: &[], ..good }, "no costs");
        check(Plan { costs: &[1.0, 1.0], ..good }, "rising costs");
        check(Plan { costs: &[-1.0], ..good }, "cost is -1");
        check(Plan { folds: &folds[..3], ..good }, "30 labels but 3 fold numbers");
        check(Plan { folds: &[0; 30], ..good }, "one fold only");
        check(Plan { folds: &[usize::MAX; 30], ..good }, "some folds are empty");
        let gap: Vec<usize> = (0..30).map(|row| row % 2 * 2).collect();
        check(Plan { folds: &gap, ..good }, "fold 1 of 3 has no rows");
        let by_label: Vec<usize> = labels.iter().map(|label| usize::from(*label)).collect();
        check(Plan { folds: &by_label, ..good }, "while fold 0 was held out: ");
        check(Plan { labels: &[], folds: &[], ..good }, "no rows");
    }

    #[test]
    fn a_search_can_be_stopped() {
        let (rows, gram, labels, folds) = random_problem(5, 400);
        let params =
            linear::LinearParams { tolerance: f64::MIN_POSITIVE, max_passes: usize::MAX, ..Default::default() };
        let linear =
            LinearFit { problem: linear::LinearProblem::new(&rows, &labels, Progress::none()).unwrap(), params };
        let params =
            dual::DualParams { tolerance: f64::MIN_POSITIVE, max_iterations: usize::MAX, ..Default::default() };
        let dual = DualFit { problem: dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap(), params };
        for fit in [&linear as &dyn Fit, &dual] {
            stops(|progress| search(fit, &plan(&labels, &folds), progress));
        }
    }
}
