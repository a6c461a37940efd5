//! Choosing the cost by held-out folds.
//!
//! Given: a fold number for every row (made elsewhere, so that rows of one group share a fold), labels, rising costs,
//! and something that fits. For every fold a machine is trained on the other folds at every cost, each starting from
//! the one before it, and scores the fold's rows. Comes back: the measure by cost and fold, the chosen cost, and the
//! scores that every row got at the chosen cost from a machine that had not seen it, which calibration needs.
//!
//! Features or Gram are shared by all folds and costs. Folds run in parallel, each by itself from start to end and
//! gathered in their order, so the number of threads changes no bit of the result.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::{dual, linear};
use crate::eval::metrics::Confusion;
use crate::{Error, Result};

/// A learner that can be trained on some rows and score others, at several costs.
pub trait Fit: Sync {
    /// Scores of the `held_out` rows (inner vectors, in their order) by machines trained on the `train` rows, one a
    /// cost (outer vector). Costs rise.
    fn scores(&self, train: &[usize], held_out: &[usize], costs: &[f64]) -> Result<Vec<Vec<f64>>>;
}

/// The linear machine over sparse rows.
#[derive(Clone, Debug)]
pub struct LinearFit<'a> {
    /// The rows and labels.
    pub problem: linear::Problem<'a>,
    /// All but the cost.
    pub params: linear::Params,
}

impl Fit for LinearFit<'_> {
    fn scores(&self, train: &[usize], held_out: &[usize], costs: &[f64]) -> Result<Vec<Vec<f64>>> {
        let mut start: Option<Vec<f64>> = None;
        let mut all = Vec::with_capacity(costs.len());
        for &cost in costs {
            let params = linear::Params { cost, ..self.params }.check()?;
            let machine = linear::fit(&self.problem, train, &params, start.as_deref())?;
            let score = |&row: &usize| {
                let (columns, values) = self.problem.rows().row(row);
                machine.score(columns, values)
            };
            all.push(held_out.iter().map(score).collect());
            start = Some(machine.alphas);
        }
        Ok(all)
    }
}

/// The kernel machine over a Gram.
#[derive(Clone, Debug)]
pub struct DualFit<'a> {
    /// The Gram and labels.
    pub problem: dual::Problem<'a>,
    /// All but the cost.
    pub params: dual::Params,
}

impl Fit for DualFit<'_> {
    fn scores(&self, train: &[usize], held_out: &[usize], costs: &[f64]) -> Result<Vec<Vec<f64>>> {
        let mut start: Option<Vec<f64>> = None;
        let mut all = Vec::with_capacity(costs.len());
        for &cost in costs {
            let params = dual::Params { cost, ..self.params }.check()?;
            let machine = dual::fit(&self.problem, train, &params, start.as_deref())?;
            all.push(held_out.iter().map(|&row| machine.score(self.problem.gram().row(row))).collect());
            start = Some(machine.coefficients);
        }
        Ok(all)
    }
}

/// One fold's held-out rows with their scores and labels, side by side.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut<'a> {
    /// Which rows, rising.
    pub rows: &'a [usize],
    /// The score of each.
    pub scores: &'a [f64],
    /// The label of each.
    pub labels: &'a [bool],
}

/// How good a fold's scores are, higher is better. A measure by group finds the group of a row by `rows`.
pub type Measure<'a> = &'a (dyn Fn(&HeldOut<'_>) -> f64 + Sync);

/// Share of rows on the right side of 0.
pub fn accuracy(held_out: &HeldOut<'_>) -> f64 {
    Confusion::at(held_out.scores, held_out.labels, 0.0).accuracy()
}

/// F1 of the rows with a score above 0.
pub fn f1(held_out: &HeldOut<'_>) -> f64 {
    Confusion::at(held_out.scores, held_out.labels, 0.0).f1()
}

/// Which cost to take from the means over folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// The smallest cost whose mean is within 1e-12 of the best: of equals, the simplest machine.
    #[default]
    Best,
    /// The smallest cost whose mean is within one standard error (of the best cost's folds) of the best.
    OneStandardError,
}

/// What to search.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The label of each row.
    pub labels: &'a [bool],
    /// The fold of each row, 0-based; every number up to the largest must occur.
    pub folds: &'a [usize],
    /// Rising costs.
    pub costs: &'a [f64],
    /// What to maximise.
    pub measure: Measure<'a>,
    /// How to choose.
    pub rule: Rule,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The costs tried, rising.
    pub costs: Vec<f64>,
    /// The measure, by cost and then fold.
    pub fold_scores: Vec<Vec<f64>>,
    /// Mean over folds, by cost.
    pub mean: Vec<f64>,
    /// Place of the chosen cost in `costs`.
    pub chosen: usize,
    /// The score of every row at the chosen cost by the machine that had not seen it.
    pub held_out_scores: Vec<f64>,
}

impl Search {
    /// The chosen cost.
    pub fn cost(&self) -> f64 {
        self.costs[self.chosen]
    }
}

/// Searches; `progress` is told how many folds of how many are done, from whichever thread did one.
pub fn search(fit: &dyn Fit, plan: &Plan<'_>, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Search> {
    let n_folds = check(plan)?;
    let done = AtomicUsize::new(0);
    let by_fold: Vec<(Vec<usize>, Vec<Vec<f64>>)> = (0..n_folds)
        .into_par_iter()
        .map(|fold| {
            let (held_out, train): (Vec<usize>, Vec<usize>) =
                (0..plan.folds.len()).partition(|&row| plan.folds[row] == fold);
            let scores = fit.scores(&train, &held_out, plan.costs).map_err(|error| in_fold(fold, error))?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, n_folds);
            Ok((held_out, scores))
        })
        .collect::<Vec<Result<_>>>()
        .into_iter()
        .collect::<Result<_>>()?;

    let mut fold_scores = vec![Vec::with_capacity(n_folds); plan.costs.len()];
    for (rows, scores) in &by_fold {
        let labels: Vec<bool> = rows.iter().map(|&row| plan.labels[row]).collect();
        for (cost_idx, scores) in scores.iter().enumerate() {
            fold_scores[cost_idx].push((plan.measure)(&HeldOut { rows, scores, labels: &labels }));
        }
    }
    let mean: Vec<f64> = fold_scores.iter().map(|scores| scores.iter().sum::<f64>() / n_folds as f64).collect();
    let chosen = choose(&mean, &fold_scores, plan.rule)?;
    let mut held_out_scores = vec![0.0; plan.folds.len()];
    for (rows, scores) in &by_fold {
        for (&row, &score) in rows.iter().zip(&scores[chosen]) {
            held_out_scores[row] = score;
        }
    }
    Ok(Search { costs: plan.costs.to_vec(), fold_scores, mean, chosen, held_out_scores })
}

/// Costs in steps of 1 and 3 from `low` to `high`: 0.01, 0.03, 0.1 ... 30, 100 for 0.01 and 100. `low` must be 1 or 3
/// times a power of ten.
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
    // Steps are read as decimal text, since 3e-2 is not 3 * 10f64.powi(-2) to the last bit.
    let steps = (-12..=12).flat_map(|power| [(1, power), (3, power)]);
    let values: Vec<f64> = steps.filter_map(|(digit, power)| format!("{digit}e{power}").parse().ok()).collect();
    let place = |wanted: f64| values.iter().position(|value| (value - wanted).abs() <= 1e-9 * wanted);
    match (place(low), place(high)) {
        (Some(first), Some(last)) => Ok(values[first..=last].to_vec()),
        (None, _) => refuse("the lower cost is not a step of the grid"),
        (_, None) => refuse("the upper cost is not a step of the grid"),
    }
}

fn in_fold(fold: usize, error: Error) -> Error {
    match error {
        Error::Data(message) => Error::Data(format!("while fold {fold} was held out: {message}")),
        other => other,
    }
}

fn check(plan: &Plan<'_>) -> Result<usize> {
    if plan.labels.len() != plan.folds.len() {
        return Err(Error::data(format!("{} labels but {} fold numbers", plan.labels.len(), plan.folds.len())));
    }
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

fn choose(mean: &[f64], fold_scores: &[Vec<f64>], rule: Rule) -> Result<usize> {
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
        Rule::Best => best_idx,
        Rule::OneStandardError => {
            let scores = &fold_scores[best_idx];
            let n = scores.len() as f64;
            let variance =
                scores.iter().map(|score| (score - mean[best_idx]).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
            first_above(best - (variance / n).sqrt() - 1e-12)
        }
    })
}
