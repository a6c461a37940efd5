//! The linear machine over sparse rows.
//!
//! Problem: minimise ½|w|² + Σ costᵢ ξ(1 − yᵢ w·xᵢ) over w, where ξ(z) = max(0, z) (hinge) or max(0, z)² (squared
//! hinge), yᵢ = ±1 and costᵢ is the cost times the weight of the class of `i`. Its dual, which is what is solved:
//! minimise ½ aᵀ(Q + D)a − Σ aᵢ with 0 ≤ aᵢ ≤ upperᵢ, Qᵢⱼ = yᵢyⱼ xᵢ·xⱼ; hinge: upperᵢ = costᵢ, D = 0; squared hinge:
//! upperᵢ = ∞, Dᵢᵢ = 1 / (2 costᵢ). Given: rows, labels, members. Comes back: w = Σ aᵢyᵢxᵢ and a.
//! Algorithm: dual coordinate descent with shrinking, Hsieh et al. 2008, Alg. 3, as in LIBLINEAR.
//!
//! The bias is the weight of a constant feature, and so is regularised. A row's private mass (what no other row has)
//! meets only that row itself: Qᵢᵢ gains `private`ᵢ and nothing else changes, which is the shape D has already. So
//! the solver adds it to D, and a machine with private mass costs no more than one without.

use super::{ClassWeights, Stop, check_common, check_members, check_positive};
use crate::eval::random::SplitMix;
use crate::kernel::Rows;
use crate::{Error, Result};

/// What a margin below 1 costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// max(0, 1 − margin).
    #[default]
    Hinge,
    /// max(0, 1 − margin)².
    SquaredHinge,
}

/// What to learn with, as given by a user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// The price of errors against the length of the weights.
    pub cost: f64,
    /// The loss.
    pub loss: Loss,
    /// The value of the constant feature whose weight is the bias; none means no bias.
    pub bias: Option<f64>,
    /// Factors of the cost by class.
    pub class_weights: ClassWeights,
    /// Stop when the projected gradients of one pass lie within an interval of this length.
    pub tolerance: f64,
    /// Stop after this many passes over the active rows in any case.
    pub max_passes: usize,
    /// Decides the order in which rows are visited.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            cost: 1.0,
            loss: Loss::Hinge,
            bias: Some(1.0),
            class_weights: ClassWeights::default(),
            tolerance: 1e-3,
            max_passes: 10_000,
            seed: 1,
        }
    }
}

impl Params {
    /// Checks every parameter.
    pub fn check(&self) -> Result<Checked> {
        check_common(self.cost, &self.class_weights, self.tolerance)?;
        if let Some(bias) = self.bias {
            check_positive("bias feature", bias)?;
            check_positive("square of the bias feature", bias * bias)?;
        }
        if self.max_passes == 0 {
            return Err(Error::parameter("max_passes is 0, expected at least 1"));
        }
        Ok(Checked(*self))
    }
}

/// Parameters that were checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked(Params);

impl Checked {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.0
    }

    /// The same with another cost.
    pub fn with_cost(&self, cost: f64) -> Result<Self> {
        Params { cost, ..self.0 }.check()
    }
}

/// Rows and labels, checked and measured once for all folds and costs.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    rows: &'a Rows,
    labels: &'a [bool],
    /// |xᵢ|² of row `i`, private mass included, constant feature not.
    squared_lengths: Vec<f64>,
}

impl<'a> Problem<'a> {
    /// Checks that there is a label a row, that columns exist and that every value is finite.
    pub fn new(rows: &'a Rows, labels: &'a [bool]) -> Result<Self> {
        if rows.len() != labels.len() {
            return Err(Error::data(format!(
                "{} rows but {} labels, expected one label a row",
                rows.len(),
                labels.len()
            )));
        }
        let mut squared_lengths = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            let (columns, _) = rows.row(row);
            if let Some(column) = columns.iter().find(|&&column| column as usize >= rows.n_columns()) {
                return Err(Error::data(format!("row {row}: column {column}, expected below {}", rows.n_columns())));
            }
            let squared_length = rows.squared_length(row);
            let private = rows.private(row);
            // A finite sum of squares also means that no single value is infinite or not a number.
            if !squared_length.is_finite() || !private.is_finite() || private < 0.0 {
                return Err(Error::data(format!(
                    "row {row}: squared length {squared_length}, private part {private}; expected finite values and a \
                     private part of at least 0: look for a kernel that overflows"
                )));
            }
            squared_lengths.push(squared_length);
        }
        Ok(Self { rows, labels, squared_lengths })
    }

    /// The rows.
    pub fn rows(&self) -> &'a Rows {
        self.rows
    }

    /// The labels.
    pub fn labels(&self) -> &'a [bool] {
        self.labels
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Weight of each column.
    pub weights: Vec<f64>,
    /// Added to every score: the constant feature times its weight.
    pub bias: f64,
    /// The dual variable of each row, 0 for rows that are not members.
    pub alphas: Vec<f64>,
    /// Why training stopped.
    pub stop: Stop,
    /// How many passes over the active rows were made.
    pub passes: usize,
    /// The primal objective ½|w|² + Σ costᵢ ξ.
    pub objective: f64,
    /// Primal minus dual objective: no machine has a lower objective than `objective − gap`.
    pub gap: f64,
}

impl Machine {
    /// w·x + bias. Columns the machine does not know add nothing.
    pub fn score(&self, columns: &[u32], values: &[f64]) -> f64 {
        let known =
            columns.iter().zip(values).filter_map(|(&column, value)| Some(self.weights.get(column as usize)? * value));
        known.sum::<f64>() + self.bias
    }
}

/// Learns from the rows in `members`; `start` gives dual variables to start from (one a row of the problem, as in
/// [`Machine::alphas`]), best those of a somewhat smaller cost. The start changes the time taken, not the optimum.
pub fn fit(problem: &Problem<'_>, members: &[usize], params: &Checked, start: Option<&[f64]>) -> Result<Machine> {
    check_members(problem.labels, members)?;
    if let Some(start) = start.filter(|start| start.len() != problem.labels.len()) {
        let message = format!("{} starting values for {} rows, expected one a row", start.len(), problem.labels.len());
        return Err(Error::data(message));
    }
    let mut solver = Solver::new(problem, members, params.params(), start);
    let (stop, passes) = solver.descend(params.params());
    let machine = solver.finish(members, stop, passes);
    if machine.objective.is_finite() && machine.gap.is_finite() {
        return Ok(machine);
    }
    Err(Error::data(format!(
        "the machine's numbers overflow at cost {}: lower the cost or normalise rows",
        params.0.cost
    )))
}

/// One member as the solver sees it: all that a visit needs beside the row itself lies in one cache line.
#[derive(Clone, Copy, Debug)]
struct Member {
    row: usize,
    /// yᵢ = ±1.
    sign: f64,
    alpha: f64,
    upper: f64,
    /// Dᵢᵢ: of the loss, plus private mass.
    own: f64,
    /// Qᵢᵢ + Dᵢᵢ.
    diagonal: f64,
    cost: f64,
}

struct Solver<'a> {
    rows: &'a Rows,
    /// In the order of visits: the first `n_active` are active.
    members: Vec<Member>,
    /// w over columns.
    weights: Vec<f64>,
    /// Value of the constant feature, 0 for none.
    constant: f64,
    /// Weight of the constant feature.
    constant_weight: f64,
    loss: Loss,
}

impl<'a> Solver<'a> {
    fn new(problem: &Problem<'a>, members: &[usize], params: &Params, start: Option<&[f64]>) -> Self {
        let constant = params.bias.unwrap_or(0.0);
        let member = |&row: &usize| {
            let label = problem.labels[row];
            let cost = params.cost * params.class_weights.of(label);
            let (upper, slack) = match params.loss {
                Loss::Hinge => (cost, 0.0),
                Loss::SquaredHinge => (f64::INFINITY, 0.5 / cost),
            };
            let first = start.map_or(0.0, |start| start[row]);
            let alpha = if first.is_finite() { first.clamp(0.0, upper) } else { 0.0 };
            let own = slack + problem.rows.private(row);
            let diagonal = slack + problem.squared_lengths[row] + constant * constant;
            Member { row, sign: if label { 1.0 } else { -1.0 }, alpha, upper, own, diagonal, cost }
        };
        let members: Vec<Member> = members.iter().map(member).collect();
        let mut weights = vec![0.0; problem.rows.n_columns()];
        let mut constant_weight = 0.0;
        for member in members.iter().filter(|member| member.alpha > 0.0) {
            let (columns, values) = problem.rows.row(member.row);
            add_scaled(&mut weights, columns, values, member.sign * member.alpha);
            constant_weight += member.sign * member.alpha * constant;
        }
        Self { rows: problem.rows, members, weights, constant, constant_weight, loss: params.loss }
    }

    /// Passes until the projected gradients of all members lie within the tolerance.
    fn descend(&mut self, params: &Params) -> (Stop, usize) {
        let mut random = SplitMix::new(params.seed);
        let mut n_active = self.members.len();
        // The largest and smallest projected gradient of the pass before: rows at a bound that are pressed against
        // it by more than these are left out until the rest has converged.
        let (mut highest_before, mut lowest_before) = (f64::INFINITY, f64::NEG_INFINITY);
        for pass in 1..=params.max_passes {
            random.shuffle(&mut self.members[..n_active]);
            let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut position = 0;
            while position < n_active {
                let member = self.members[position];
                let (columns, values) = self.rows.row(member.row);
                // gradient = yᵢ w·xᵢ − 1 + Dᵢᵢ aᵢ
                let score = dot(&self.weights, columns, values) + self.constant_weight * self.constant;
                let gradient = member.sign * score - 1.0 + member.own * member.alpha;
                let projected = if member.alpha <= 0.0 {
                    if gradient > highest_before {
                        n_active -= 1;
                        self.members.swap(position, n_active);
                        continue;
                    }
                    gradient.min(0.0)
                } else if member.alpha >= member.upper {
                    if gradient < lowest_before {
                        n_active -= 1;
                        self.members.swap(position, n_active);
                        continue;
                    }
                    gradient.max(0.0)
                } else {
                    gradient
                };
                highest = highest.max(projected);
                lowest = lowest.min(projected);
                if projected.abs() > 1e-12 {
                    // A row of nothing but zeros without bias has diagonal 0: its best alpha is the upper bound.
                    let step = if member.diagonal > 0.0 { gradient / member.diagonal } else { f64::NEG_INFINITY };
                    let alpha = (member.alpha - step).clamp(0.0, member.upper);
                    let change = (alpha - member.alpha) * member.sign;
                    self.members[position].alpha = alpha;
                    add_scaled(&mut self.weights, columns, values, change);
                    self.constant_weight += change * self.constant;
                }
                position += 1;
            }
            if highest - lowest <= params.tolerance {
                if n_active == self.members.len() {
                    return (Stop::Converged, pass);
                }
                n_active = self.members.len();
                (highest_before, lowest_before) = (f64::INFINITY, f64::NEG_INFINITY);
            } else {
                highest_before = if highest > 0.0 { highest } else { f64::INFINITY };
                lowest_before = if lowest < 0.0 { lowest } else { f64::NEG_INFINITY };
            }
        }
        (Stop::Limit, params.max_passes)
    }

    /// Measures both objectives over the members in the order given, so that sums do not depend on the last shuffle.
    fn finish(self, order: &[usize], stop: Stop, passes: usize) -> Machine {
        let mut place = vec![0; self.rows.len()];
        for (position, member) in self.members.iter().enumerate() {
            place[member.row] = position;
        }
        let mut alphas = vec![0.0; self.rows.len()];
        // ½|w|² and ½ aᵀ(Q + D)a share the lengths of w: listed columns, constant feature, private columns.
        let mut half_length = 0.5 * self.weights.iter().map(|weight| weight * weight).sum::<f64>();
        half_length += 0.5 * self.constant_weight * self.constant_weight;
        let (mut errors, mut slack, mut sum) = (0.0, 0.0, 0.0);
        for &row in order {
            let member = &self.members[place[row]];
            let (columns, values) = self.rows.row(row);
            let private = self.rows.private(row);
            let score = dot(&self.weights, columns, values) + self.constant_weight * self.constant;
            let short = (1.0 - member.sign * score - private * member.alpha).max(0.0);
            errors += match self.loss {
                Loss::Hinge => member.cost * short,
                Loss::SquaredHinge => member.cost * short * short,
            };
            half_length += 0.5 * private * member.alpha * member.alpha;
            if self.loss == Loss::SquaredHinge {
                slack += 0.25 / member.cost * member.alpha * member.alpha;
            }
            sum += member.alpha;
            alphas[row] = member.alpha;
        }
        let objective = half_length + errors;
        let dual = sum - half_length - slack;
        let bias = self.constant_weight * self.constant;
        Machine { weights: self.weights, bias, alphas, stop, passes, objective, gap: objective - dual }
    }
}

/// w·x over the listed columns, in four sums so that additions need not wait for each other.
fn dot(weights: &[f64], columns: &[u32], values: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let mut column_blocks = columns.chunks_exact(4);
    let mut value_blocks = values.chunks_exact(4);
    for (columns, values) in column_blocks.by_ref().zip(value_blocks.by_ref()) {
        for lane in 0..4 {
            sums[lane] += weights[columns[lane] as usize] * values[lane];
        }
    }
    let rest: f64 = column_blocks
        .remainder()
        .iter()
        .zip(value_blocks.remainder())
        .map(|(&column, value)| weights[column as usize] * value)
        .sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// w += scale x over the listed columns.
fn add_scaled(weights: &mut [f64], columns: &[u32], values: &[f64], scale: f64) {
    for (&column, value) in columns.iter().zip(values) {
        weights[column as usize] += scale * value;
    }
}
