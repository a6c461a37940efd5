//! A machine over dense rows whose features are the inputs and all products of two inputs.
//!
//! Problem: minimise ½|w|² + Σ lossᵢ over w, where the score of a row x is w·φ(x), and φ(x) holds
//! the inputs, `product` times every product of two inputs, and a constant. With labels, the loss
//! is costᵢ max(0, 1 − yᵢ scoreᵢ), yᵢ = ±1; with numbers, cost max(0, |yᵢ − scoreᵢ| − ε)². Input:
//! rows, labels or numbers, members. Output: bias, linear weights and a symmetric matrix P with
//! score(x) = bias + linear·x + xᵀPx.
//!
//! The kernel is K(x, y) = x·y + (product · x·y)² + `bias_scale`². A row with d inputs has
//! d (d + 1) / 2 products. They are never written out, and there is no Gram matrix: w is kept as
//! the linear weights, P = Σ bᵢ product² xᵢxᵢᵀ and the weight of the constant. Algorithm: dual
//! coordinate descent (`coordinates.rs`). A visit reads P once, and writes it once if the
//! coefficient moves; time grows with the number of rows times d², memory with d². The number of
//! passes grows with the cost.
//!
//! The bias is regularised, but hardly: the weight of a constant feature of value 10 needs to be a
//! tenth of the bias only. The larger the constant, the more passes.

mod triangle;

use super::coordinates::{Descent, Example, Limits, RowLoss, Scores};
use super::regression::check_epsilon;
use super::search::{Fit, lift};
use super::{
    ClassWeights, SolverStop, check_common, check_members, check_numbered_members, check_positive, check_start,
    check_targets,
};
use crate::progress::Progress;
use crate::{Error, Result};
use triangle::{Triangle, dot};

/// Dense rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuadraticRows {
    /// Number of inputs per row, at least 1.
    pub n_inputs: usize,
    /// All rows, one after the other: `n_inputs` values each.
    pub values: Vec<f64>,
}

impl QuadraticRows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.n_inputs).unwrap_or(0)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n_inputs..(i + 1) * self.n_inputs]
    }
}

/// What to learn: one answer per row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QuadraticAnswers<'a> {
    /// Two classes, by the hinge loss.
    Labels(&'a [bool]),
    /// Real numbers, by the squared epsilon-insensitive loss.
    Numbers(&'a [f64]),
}

impl QuadraticAnswers<'_> {
    /// Number of answers.
    pub fn len(&self) -> usize {
        match self {
            Self::Labels(labels) => labels.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Training parameters as given by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadraticParams {
    /// Cost of errors relative to the squared length of the weights.
    pub cost: f64,
    /// Factor of the products relative to the inputs; 0 for a linear machine.
    pub product: f64,
    /// Value of the constant feature whose weight is the bias.
    pub bias_scale: f64,
    /// Factors of the cost per class; numbers have none.
    pub class_weights: ClassWeights,
    /// Training stops when no row violates the optimality conditions by more than this, in units of
    /// the score. Scores are then about as accurate; 0.01 takes half the time of 0.001.
    pub tolerance: f64,
    /// Maximum number of passes over the active rows.
    pub max_passes: usize,
    /// Seed of the order in which rows are visited.
    pub seed: u64,
    /// Errors of numbers up to this cost nothing; at least 0.
    pub epsilon: f64,
}

impl Default for QuadraticParams {
    fn default() -> Self {
        Self {
            cost: 0.01,
            product: 0.05,
            bias_scale: 10.0,
            class_weights: ClassWeights::default(),
            tolerance: 1e-3,
            max_passes: 10_000,
            seed: 1,
            epsilon: 0.1,
        }
    }
}

impl QuadraticParams {
    /// Validates every parameter.
    pub fn check(&self) -> Result<CheckedQuadraticParams> {
        check_common(self.cost, &self.class_weights, self.tolerance)?;
        check_positive("bias_scale", self.bias_scale)?;
        check_positive("square of bias_scale", self.bias_scale * self.bias_scale)?;
        if !(self.product.is_finite() && self.product >= 0.0) {
            let message = format!("product is {}, expected a finite number of at least 0", self.product);
            return Err(Error::parameter(message));
        }
        check_epsilon(self.epsilon)?;
        if self.max_passes == 0 {
            return Err(Error::parameter("max_passes is 0, expected at least 1"));
        }
        Ok(CheckedQuadraticParams(*self))
    }
}

/// Validated parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedQuadraticParams(QuadraticParams);

impl CheckedQuadraticParams {
    /// The parameters.
    pub fn params(&self) -> &QuadraticParams {
        &self.0
    }

    /// Returns the same parameters with another cost.
    pub fn with_cost(&self, cost: f64) -> Result<Self> {
        QuadraticParams { cost, ..self.0 }.check()
    }
}

/// A trained machine: score(x) = bias + linear·x + xᵀPx.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadraticMachine {
    /// One weight per input.
    pub linear: Vec<f64>,
    /// P, one row per input: symmetric to the last bit.
    pub products: Vec<f64>,
    /// Added to every score.
    pub bias: f64,
    /// One signed dual variable per row of the problem, 0 for rows that are not members.
    pub coefficients: Vec<f64>,
    /// Number of passes over the active rows.
    pub passes: usize,
    /// Why training stopped.
    pub stop: SolverStop,
    /// The primal objective ½|w|² + Σ lossᵢ.
    pub objective: f64,
    /// Primal minus dual objective: the optimum is at least `objective − gap`.
    pub gap: f64,
}

impl QuadraticMachine {
    /// Returns the score of a row with one value per weight.
    pub fn score(&self, inputs: &[f64]) -> f64 {
        debug_assert_eq!(inputs.len(), self.linear.len());
        // xᵀ(linear + Px)
        let rows = self.products.chunks_exact(self.linear.len().max(1));
        let weighted = inputs.iter().zip(&self.linear).zip(rows);
        self.bias + weighted.map(|((input, linear), row)| input * (linear + dot(row, inputs))).sum::<f64>()
    }
}

/// The weights that belong to the coefficients.
struct Weights<'a> {
    rows: &'a QuadraticRows,
    linear: Vec<f64>,
    /// P.
    products: Triangle,
    bias: f64,
    /// The square of the factor of the products.
    product_squared: f64,
    /// The square of the constant feature.
    constant_squared: f64,
}

impl Scores for Weights<'_> {
    fn score(&self, row: usize) -> f64 {
        let x = self.rows.row(row);
        self.bias + dot(&self.linear, x) + self.products.form(x)
    }

    fn add(&mut self, row: usize, change: f64) {
        let x = self.rows.row(row);
        self.linear.iter_mut().zip(x).for_each(|(weight, value)| *weight += change * value);
        self.products.add_square(x, change * self.product_squared);
        self.bias += change * self.constant_squared;
    }
}

/// Trains on the rows in `members`. `start` is an optional warm start (one coefficient per row, as
/// in [`QuadraticMachine::coefficients`]), ideally from a slightly smaller cost. It affects the
/// running time, not the optimum.
pub fn fit(
    rows: &QuadraticRows,
    answers: QuadraticAnswers<'_>,
    members: &[usize],
    params: &CheckedQuadraticParams,
    start: Option<&[f64]>,
    progress: Progress<'_>,
) -> Result<QuadraticMachine> {
    check_input(rows, answers, members)?;
    check_start(start, rows.len())?;
    let params = params.params();
    let (product_squared, constant_squared) = (params.product * params.product, params.bias_scale * params.bias_scale);
    let mut examples = Vec::with_capacity(members.len());
    for &row in members {
        progress.check()?;
        let x = rows.row(row);
        let square = dot(x, x);
        let squared_length = square + product_squared * square * square + constant_squared;
        // A finite sum of squares also means that every single value is finite.
        if !squared_length.is_finite() {
            return Err(Error::data(format!(
                "row {row}: squared length {squared_length}, expected finite values: look for an input that overflows"
            )));
        }
        let start = start.map_or(0.0, |start| start[row]);
        let target = target(answers, row);
        let cost = cost(params, answers, row);
        examples.push(Example { row, target, cost, squared_length, private: 0.0, start });
    }
    let loss = match answers {
        QuadraticAnswers::Labels(_) => RowLoss::Hinge,
        QuadraticAnswers::Numbers(_) => RowLoss::SquaredTube { epsilon: params.epsilon },
    };
    let weights = Weights {
        rows,
        linear: vec![0.0; rows.n_inputs],
        products: Triangle::new(rows.n_inputs),
        bias: 0.0,
        product_squared,
        constant_squared,
    };
    let mut descent = Descent::new(weights, examples.into_iter(), loss, progress)?;
    let limits = Limits { tolerance: params.tolerance, max_passes: params.max_passes, seed: params.seed };
    let (stop, passes) = descent.descend(limits, progress)?;
    let ending = descent.finish(rows.len(), members, |row| (cost(params, answers, row), 0.0), progress)?;
    if !(ending.objective.is_finite() && ending.gap.is_finite()) {
        return Err(Error::data(format!(
            "the machine's numbers overflow at cost {}: lower the cost or scale the inputs",
            params.cost
        )));
    }
    Ok(QuadraticMachine {
        linear: descent.scores.linear,
        products: descent.scores.products.to_full(),
        bias: descent.scores.bias,
        coefficients: ending.coefficients,
        passes,
        stop,
        objective: ending.objective,
        gap: ending.gap,
    })
}

fn target(answers: QuadraticAnswers<'_>, row: usize) -> f64 {
    match answers {
        QuadraticAnswers::Labels(labels) if labels[row] => 1.0,
        QuadraticAnswers::Labels(_) => -1.0,
        QuadraticAnswers::Numbers(numbers) => numbers[row],
    }
}

fn cost(params: &QuadraticParams, answers: QuadraticAnswers<'_>, row: usize) -> f64 {
    match answers {
        QuadraticAnswers::Labels(labels) => params.cost * params.class_weights.of(labels[row]),
        QuadraticAnswers::Numbers(_) => params.cost,
    }
}

fn check_input(rows: &QuadraticRows, answers: QuadraticAnswers<'_>, members: &[usize]) -> Result<()> {
    if rows.n_inputs == 0 || !rows.values.len().is_multiple_of(rows.n_inputs) {
        return Err(Error::data(format!(
            "{} values in rows of {} inputs, expected at least one input and whole rows",
            rows.values.len(),
            rows.n_inputs
        )));
    }
    if rows.len() != answers.len() {
        return Err(Error::data(format!(
            "{} rows but {} answers, expected one answer per row",
            rows.len(),
            answers.len()
        )));
    }
    match answers {
        QuadraticAnswers::Labels(labels) => check_members(labels, members),
        QuadraticAnswers::Numbers(numbers) => {
            check_targets(numbers, rows.len())?;
            check_numbered_members(rows.len(), members)
        }
    }
}

/// The machine as a learner of a cost search.
#[derive(Clone, Copy, Debug)]
pub struct QuadraticFit<'a> {
    /// The rows.
    pub rows: &'a QuadraticRows,
    /// One answer per row.
    pub answers: QuadraticAnswers<'a>,
    /// All parameters but the cost.
    pub params: QuadraticParams,
}

impl Fit for QuadraticFit<'_> {
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
            let params = QuadraticParams { cost, ..self.params }.check()?;
            let start_values = start.map(|(before, coefficients)| match self.answers {
                QuadraticAnswers::Labels(labels) => {
                    lift(coefficients, labels, &self.params.class_weights, before, cost)
                }
                QuadraticAnswers::Numbers(_) => coefficients,
            });
            let machine = fit(self.rows, self.answers, train, &params, start_values.as_deref(), progress)?;
            let score = |&row: &usize| {
                progress.check()?;
                Ok(machine.score(self.rows.row(row)))
            };
            all.push(held_out.iter().map(score).collect::<Result<_>>()?);
            start = Some((cost, machine.coefficients));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests;
