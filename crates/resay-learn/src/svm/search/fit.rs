//! Learners that a cost search can train on some rows and apply to others.

use crate::Result;
use crate::progress::Progress;
use crate::svm::{ClassWeights, dual, linear};

/// A learner that can be trained on some rows and score others, at several costs.
pub trait Fit: Sync {
    /// Trains one model per cost on the `train` rows and scores the `held_out` rows. Returns one
    /// vector per cost, each in the order of `held_out`. Costs increase.
    fn scores(
        &self,
        train: &[usize],
        held_out: &[usize],
        costs: &[f64],
        progress: Progress<'_>,
    ) -> Result<Vec<Vec<f64>>>;
}

/// The linear SVM over sparse rows.
#[derive(Clone, Debug)]
pub struct LinearFit<'a> {
    /// Rows and labels.
    pub problem: linear::LinearProblem<'a>,
    /// All parameters but the cost.
    pub params: linear::LinearParams,
}

impl Fit for LinearFit<'_> {
    fn scores(
        &self,
        train: &[usize],
        held_out: &[usize],
        costs: &[f64],
        progress: Progress<'_>,
    ) -> Result<Vec<Vec<f64>>> {
        let mut start: Option<(f64, Vec<f64>)> = None;
        let mut all = Vec::with_capacity(costs.len());
        for &cost in costs {
            let params = linear::LinearParams { cost, ..self.params }.check()?;
            let weights = &self.params.class_weights;
            let start_values = match self.params.loss {
                linear::Loss::Hinge => {
                    start.map(|(before, alphas)| lift(alphas, self.problem.labels(), weights, before, cost))
                }
                linear::Loss::SquaredHinge => start.map(|(_, alphas)| alphas),
            };
            let machine = linear::fit(&self.problem, train, &params, start_values.as_deref(), progress)?;
            let score = |&row: &usize| {
                progress.check()?;
                let (columns, values) = self.problem.rows().row(row);
                Ok(machine.score(columns, values))
            };
            all.push(held_out.iter().map(score).collect::<Result<_>>()?);
            start = Some((cost, machine.alphas));
        }
        Ok(all)
    }
}

/// The kernel SVM over a Gram matrix.
#[derive(Clone, Debug)]
pub struct DualFit<'a> {
    /// Gram matrix and labels.
    pub problem: dual::DualProblem<'a>,
    /// All parameters but the cost.
    pub params: dual::DualParams,
}

impl Fit for DualFit<'_> {
    fn scores(
        &self,
        train: &[usize],
        held_out: &[usize],
        costs: &[f64],
        progress: Progress<'_>,
    ) -> Result<Vec<Vec<f64>>> {
        let mut start: Option<(f64, Vec<f64>)> = None;
        let mut all = Vec::with_capacity(costs.len());
        for &cost in costs {
            let params = dual::DualParams { cost, ..self.params }.check()?;
            let weights = &self.params.class_weights;
            let start_values =
                start.map(|(before, coefficients)| lift(coefficients, self.problem.labels(), weights, before, cost));
            let machine = dual::fit(&self.problem, train, &params, start_values.as_deref(), progress)?;
            let score = |&row: &usize| {
                progress.check()?;
                Ok(machine.score(self.problem.gram().row(row)))
            };
            all.push(held_out.iter().map(score).collect::<Result<_>>()?);
            start = Some((cost, machine.coefficients));
        }
        Ok(all)
    }
}

/// Turns the dual variables of the previous cost into a warm start for the next. Variables at their
/// bound move to the new bound, where most of them end; the others stay (a quarter fewer passes
/// than if all stayed).
pub(in crate::svm) fn lift(
    mut values: Vec<f64>,
    labels: &[bool],
    weights: &ClassWeights,
    before: f64,
    cost: f64,
) -> Vec<f64> {
    for (value, &label) in values.iter_mut().zip(labels) {
        if value.abs() >= before * weights.of(label) {
            *value *= cost / before;
        }
    }
    values
}
