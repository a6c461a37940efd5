//! One cost for several machines.
//!
//! Problem: a task with several machines (heads), such as one per class, needs one cost that suits
//! all of them together. Input: one learner per head over the same rows, a fold number per row,
//! increasing costs, and a metric of the scores of all heads. For every fold and head, one model
//! per cost is trained on the other folds. Output: the metric per cost and fold, the chosen cost,
//! and the cross-fitted scores of every head at the chosen cost.
//!
//! Every fold of every head is a piece of parallel work of its own. The pieces share nothing and
//! are collected in order, so the number of threads does not change a bit of the result.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::fit::Fit;
use crate::progress::{Progress, Stage};
use crate::{Error, Result};

/// The held-out rows of one fold with the scores of every head.
#[derive(Clone, Copy, Debug)]
pub struct HeadsHeldOut<'a> {
    /// Row numbers, increasing.
    pub rows: &'a [usize],
    /// One slice per head, each with one score per row.
    pub scores: &'a [&'a [f64]],
}

/// How to choose the cost from the means over folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostRule {
    /// The smallest cost whose mean is within 1e-12 of the best: on ties, the simplest model.
    #[default]
    Best,
    /// The smallest cost whose mean is within one standard error of the best (estimated from the
    /// folds of the best cost).
    OneStandardError,
}

/// The specification of a cost search over several heads.
#[derive(Clone, Copy)]
pub struct HeadPlan<'a> {
    /// One fold per row, 0-based; every number up to the largest must occur.
    pub folds: &'a [usize],
    /// Increasing costs.
    pub costs: &'a [f64],
    /// The metric to maximise. It looks up the labels of a row by its number.
    pub measure: &'a (dyn Fn(&HeadsHeldOut<'_>) -> f64 + Sync),
    /// How to choose the cost.
    pub rule: CostRule,
}

/// The result of a cost search over several heads.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadSearch {
    /// The costs tried, increasing.
    pub costs: Vec<f64>,
    /// The metric by cost, then by fold.
    pub fold_scores: Vec<Vec<f64>>,
    /// Mean over folds, by cost.
    pub mean: Vec<f64>,
    /// Index of the chosen cost in `costs`.
    pub chosen: usize,
    /// Cross-fitted scores at the chosen cost, by head, then by row.
    pub held_out_scores: Vec<Vec<f64>>,
}

impl HeadSearch {
    /// The chosen cost.
    pub fn cost(&self) -> f64 {
        self.costs[self.chosen]
    }
}

/// Runs the search over several heads. Reports the number of finished folds of all heads, from any
/// thread.
pub fn search_heads(fits: &[&dyn Fit], plan: &HeadPlan<'_>, progress: Progress<'_>) -> Result<HeadSearch> {
    let n_folds = check(plan)?;
    let n_heads = fits.len();
    if n_heads == 0 {
        return Err(Error::data("no machines to search a cost for, expected at least one"));
    }
    let splits: Vec<(Vec<usize>, Vec<usize>)> =
        (0..n_folds).map(|fold| (0..plan.folds.len()).partition(|&row| plan.folds[row] == fold)).collect();
    let n_pieces = n_folds * n_heads;
    let done = AtomicUsize::new(0);
    // Scores of a piece: by cost, then by held-out row. Piece = fold · n_heads + head.
    let pieces: Vec<Vec<Vec<f64>>> = (0..n_pieces)
        .into_par_iter()
        .map(|piece| {
            let (fold, head) = (piece / n_heads, piece % n_heads);
            let (held_out, train) = &splits[fold];
            let scores = fits[head].scores(train, held_out, plan.costs, progress.quiet());
            let scores = scores.map_err(|error| in_fold(fold, head, n_heads, error))?;
            check_scores(&scores, plan.costs.len(), held_out.len())?;
            progress.report(Stage::Search, done.fetch_add(1, Ordering::Relaxed) + 1, n_pieces)?;
            Ok(scores)
        })
        .collect::<Vec<Result<_>>>()
        .into_iter()
        .collect::<Result<_>>()?;

    let mut fold_scores = vec![Vec::with_capacity(n_folds); plan.costs.len()];
    for ((rows, _), heads) in splits.iter().zip(pieces.chunks_exact(n_heads)) {
        for (cost_idx, of_cost) in fold_scores.iter_mut().enumerate() {
            let scores: Vec<&[f64]> = heads.iter().map(|by_cost| by_cost[cost_idx].as_slice()).collect();
            of_cost.push((plan.measure)(&HeadsHeldOut { rows, scores: &scores }));
        }
    }
    let mean: Vec<f64> = fold_scores.iter().map(|scores| scores.iter().sum::<f64>() / n_folds as f64).collect();
    let chosen = choose(&mean, &fold_scores, plan.rule)?;
    let mut held_out_scores = vec![vec![0.0; plan.folds.len()]; n_heads];
    for ((rows, _), heads) in splits.iter().zip(pieces.chunks_exact(n_heads)) {
        for (by_row, by_cost) in held_out_scores.iter_mut().zip(heads) {
            for (&row, &score) in rows.iter().zip(&by_cost[chosen]) {
                by_row[row] = score;
            }
        }
    }
    Ok(HeadSearch { costs: plan.costs.to_vec(), fold_scores, mean, chosen, held_out_scores })
}

fn in_fold(fold: usize, head: usize, n_heads: usize, error: Error) -> Error {
    match error {
        Error::Data(message) if n_heads == 1 => Error::Data(format!("while fold {fold} was held out: {message}")),
        Error::Data(message) => {
            Error::Data(format!("while fold {fold} was held out, machine {head} of {n_heads}: {message}"))
        }
        other => other,
    }
}

fn check_scores(scores: &[Vec<f64>], n_costs: usize, n_rows: usize) -> Result<()> {
    if scores.len() == n_costs && scores.iter().all(|scores| scores.len() == n_rows) {
        return Ok(());
    }
    Err(Error::data(format!(
        "a learner returned {} lists of scores, expected one per cost ({n_costs}), each with {n_rows} scores",
        scores.len()
    )))
}

fn check(plan: &HeadPlan<'_>) -> Result<usize> {
    let Some(last) = plan.folds.iter().max() else {
        return Err(Error::data("no rows to search over"));
    };
    if *last >= plan.folds.len() {
        return Err(Error::data(format!("fold number {last} with {} rows: some folds are empty", plan.folds.len())));
    }
    let mut counts = vec![0usize; last + 1];
    for &fold in plan.folds {
        counts[fold] += 1;
    }
    if let Some(empty) = counts.iter().position(|count| *count == 0) {
        return Err(Error::data(format!("fold {empty} of {} has no rows: ask for fewer folds", counts.len())));
    }
    if counts.len() < 2 {
        return Err(Error::data("one fold only, expected at least 2: ask for more folds or give more groups"));
    }
    if plan.costs.is_empty() {
        return Err(Error::parameter("no costs to search over, expected at least one"));
    }
    if let Some(pair) = plan.costs.windows(2).find(|pair| pair[0] >= pair[1] || pair.iter().any(|cost| cost.is_nan())) {
        return Err(Error::parameter(format!("cost {} comes before {}, expected rising costs", pair[0], pair[1])));
    }
    Ok(counts.len())
}

fn choose(mean: &[f64], fold_scores: &[Vec<f64>], rule: CostRule) -> Result<usize> {
    if let Some(cost_idx) = mean.iter().position(|mean| !mean.is_finite()) {
        return Err(Error::data(format!(
            "the measure of cost number {cost_idx} is {}, expected a finite number",
            mean[cost_idx]
        )));
    }
    let best = mean.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first_above = |limit: f64| mean.iter().position(|mean| *mean >= limit).unwrap_or(0);
    let best_idx = first_above(best - 1e-12);
    Ok(match rule {
        CostRule::Best => best_idx,
        CostRule::OneStandardError => {
            let scores = &fold_scores[best_idx];
            let n = scores.len() as f64;
            let variance =
                scores.iter().map(|score| (score - mean[best_idx]).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
            first_above(best - (variance / n).sqrt() - 1e-12)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Rows;
    use crate::progress::Step;
    use crate::progress::testing::stops;
    use crate::rng::SplitMix;
    use crate::svm::linear::{LinearParams, LinearProblem};
    use crate::svm::search::LinearFit;

    const COSTS: [f64; 3] = [0.1, 1.0, 10.0];
    const N_CLASSES: usize = 3;

    /// Rows whose class is that of the largest of the first three values, with some noise.
    fn random_problem(seed: u64, n: usize) -> (Rows, Vec<usize>, Vec<usize>) {
        let mut random = SplitMix::new(seed);
        let mut rows = Rows::new(6);
        let mut classes = Vec::new();
        for _ in 0..n {
            let values: Vec<f64> = (0..6).map(|_| random.unit() - 0.5).collect();
            let noisy: Vec<f64> = values[..N_CLASSES].iter().map(|value| value + 0.2 * random.unit()).collect();
            let best = (1..N_CLASSES).fold(0, |best, class| if noisy[class] > noisy[best] { class } else { best });
            classes.push(best);
            rows.push((0u32..).zip(values), 0.0);
        }
        (rows, classes, (0..n).map(|_| random.below(4)).collect())
    }

    fn one_against_rest(classes: &[usize]) -> Vec<Vec<bool>> {
        (0..N_CLASSES).map(|class| classes.iter().map(|of_row| *of_row == class).collect()).collect()
    }

    fn fits<'a>(rows: &'a Rows, labels: &'a [Vec<bool>], params: LinearParams) -> Vec<LinearFit<'a>> {
        let fit = |labels: &'a Vec<bool>| LinearFit {
            problem: LinearProblem::new(rows, labels, Progress::none()).unwrap(),
            params,
        };
        labels.iter().map(fit).collect()
    }

    fn borrowed<'a>(fits: &'a [LinearFit<'_>]) -> Vec<&'a dyn Fit> {
        fits.iter().map(|fit| fit as &dyn Fit).collect()
    }

    /// The share of rows whose own class has the highest score.
    fn accuracy(classes: &[usize], held_out: &HeadsHeldOut<'_>) -> f64 {
        let right = |(place, row): (usize, &usize)| {
            let own = held_out.scores[classes[*row]][place];
            usize::from(held_out.scores.iter().all(|scores| scores[place] <= own))
        };
        held_out.rows.iter().enumerate().map(right).sum::<usize>() as f64 / held_out.rows.len() as f64
    }

    #[test]
    fn is_the_same_as_training_every_fold_of_every_head_by_hand() {
        let (rows, classes, folds) = random_problem(1, 90);
        let labels = one_against_rest(&classes);
        let fits = fits(&rows, &labels, LinearParams::default());
        let measure = |held_out: &HeadsHeldOut<'_>| accuracy(&classes, held_out);
        let plan = HeadPlan { folds: &folds, costs: &COSTS, measure: &measure, rule: CostRule::Best };
        let found = search_heads(&borrowed(&fits), &plan, Progress::none()).unwrap();
        let mut by_cost = vec![vec![vec![0.0; 90]; N_CLASSES]; COSTS.len()];
        for fold in 0..4 {
            let (held_out, train): (Vec<usize>, Vec<usize>) = (0..90).partition(|&row| folds[row] == fold);
            for (head, fit) in fits.iter().enumerate() {
                let scores = fit.scores(&train, &held_out, &COSTS, Progress::none()).unwrap();
                for (cost_idx, scores) in scores.iter().enumerate() {
                    held_out.iter().zip(scores).for_each(|(row, score)| by_cost[cost_idx][head][*row] = *score);
                }
            }
        }
        for (cost_idx, heads) in by_cost.iter().enumerate() {
            for fold in 0..4 {
                let held_out: Vec<usize> = (0..90).filter(|&row| folds[row] == fold).collect();
                let right = held_out.iter().filter(|&&row| (0..3).all(|c| heads[c][row] <= heads[classes[row]][row]));
                let expected = right.count() as f64 / held_out.len() as f64;
                assert_eq!(found.fold_scores[cost_idx][fold], expected);
            }
            assert_eq!(found.mean[cost_idx], found.fold_scores[cost_idx].iter().sum::<f64>() / 4.0);
        }
        assert_eq!(found.held_out_scores, by_cost[found.chosen]);
        assert_eq!(found.cost(), COSTS[found.chosen]);
        assert!(found.mean[found.chosen] > 0.7, "{:?}", found.mean);
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let (rows, classes, folds) = random_problem(2, 120);
        let labels = one_against_rest(&classes);
        let fits = fits(&rows, &labels, LinearParams::default());
        let measure = |held_out: &HeadsHeldOut<'_>| accuracy(&classes, held_out);
        let plan = HeadPlan { folds: &folds, costs: &COSTS, measure: &measure, rule: CostRule::Best };
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| search_heads(&borrowed(&fits), &plan, Progress::none()).unwrap())
        };
        let bits = |found: &HeadSearch| -> Vec<u64> {
            found.held_out_scores.iter().flatten().chain(&found.mean).map(|score| score.to_bits()).collect()
        };
        let one = with(1);
        for n_threads in [2, 3] {
            let more = with(n_threads);
            assert_eq!(one, more);
            assert_eq!(bits(&one), bits(&more));
        }
    }

    #[test]
    fn progress_counts_folds_and_heads_and_the_search_can_be_stopped() {
        let (rows, classes, folds) = random_problem(3, 300);
        let labels = one_against_rest(&classes);
        let measure = |held_out: &HeadsHeldOut<'_>| accuracy(&classes, held_out);
        let plan = HeadPlan { folds: &folds, costs: &COSTS, measure: &measure, rule: CostRule::Best };
        let sum = AtomicUsize::new(0);
        let report = |step: Step<'_>| {
            assert_eq!((step.stage, step.total), (Stage::Search, 12));
            sum.fetch_add(step.done, Ordering::Relaxed);
        };
        let quick = fits(&rows, &labels, LinearParams::default());
        search_heads(&borrowed(&quick), &plan, Progress::new(&report)).unwrap();
        assert_eq!(sum.load(Ordering::Relaxed), (1..=12).sum());
        let endless = LinearParams { tolerance: f64::MIN_POSITIVE, max_passes: usize::MAX, ..Default::default() };
        let slow = fits(&rows, &labels, endless);
        stops(|progress| search_heads(&borrowed(&slow), &plan, progress));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let (rows, classes, folds) = random_problem(4, 40);
        let labels = one_against_rest(&classes);
        let fits = fits(&rows, &labels, LinearParams::default());
        let measure = |_: &HeadsHeldOut<'_>| 0.5;
        let good = HeadPlan { folds: &folds, costs: &COSTS, measure: &measure, rule: CostRule::Best };
        let check = |fits: &[&dyn Fit], plan: HeadPlan<'_>, expected: &str| {
            let message = search_heads(fits, &plan, Progress::none()).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check(&[], good, "no machines");
        check(&borrowed(&fits), HeadPlan { folds: &[], ..good }, "no rows");
        check(&borrowed(&fits), HeadPlan { costs: &[], ..good }, "no costs");
        check(&borrowed(&fits), HeadPlan { measure: &|_| f64::NAN, ..good }, "the measure of cost number 0 is NaN");
        let by_class: Vec<usize> = classes.iter().map(|class| usize::from(*class == 1)).collect();
        check(&borrowed(&fits), HeadPlan { folds: &by_class, ..good }, "while fold 0 was held out, machine 0 of 3: ");
        struct Short;
        impl Fit for Short {
            fn scores(&self, _: &[usize], _: &[usize], _: &[f64], _: Progress<'_>) -> Result<Vec<Vec<f64>>> {
                Ok(vec![vec![0.0]; 3])
            }
        }
        check(&[&Short], good, "expected one per cost (3)");
    }

    #[test]
    fn of_equal_costs_the_smallest_is_chosen() {
        let check = |fold_scores: &[[f64; 2]], rule: CostRule, expected: usize| {
            let fold_scores: Vec<Vec<f64>> = fold_scores.iter().map(|scores| scores.to_vec()).collect();
            let mean: Vec<f64> = fold_scores.iter().map(|scores| scores.iter().sum::<f64>() / 2.0).collect();
            assert_eq!(choose(&mean, &fold_scores, rule).unwrap(), expected);
        };
        check(&[[0.5, 0.7], [0.7, 0.9], [0.9, 0.7], [0.6, 0.6]], CostRule::Best, 1);
        check(&[[0.8 - 1e-13, 0.8], [0.8, 0.8]], CostRule::Best, 0);
        check(&[[0.8 - 1e-11, 0.8], [0.8, 0.8]], CostRule::Best, 1);
        // The best mean is 0.8, with a standard error of 0.1.
        check(&[[0.6, 0.7], [0.7, 0.71], [0.7, 0.9]], CostRule::OneStandardError, 1);
        check(&[[0.6, 0.7], [0.7, 0.69], [0.7, 0.9]], CostRule::OneStandardError, 2);
        assert!(choose(&[f64::NAN], &[vec![f64::NAN]], CostRule::Best).is_err());
    }
}
