//! Dual coordinate descent over signed coefficients, the solver of [`super::regression`] and
//! [`super::quadratic`].
//!
//! Problem: minimise ½ bᵀ(Q + D)b − Σ yᵢbᵢ + ε Σ |bᵢ| subject to lowᵢ ≤ bᵢ ≤ highᵢ, where Q is the
//! kernel of the rows and D is diagonal. Input: the bounds, yᵢ, Dᵢᵢ and Qᵢᵢ of each member, and a
//! [`Scores`] that holds Σⱼ bⱼ K(i, j) in some form. Output: b, and the gap between the primal
//! the dual objective. The losses differ in these numbers only, with costᵢ as the cost of row i:
//!
//! | loss | yᵢ | lowᵢ, highᵢ | ε | Dᵢᵢ |
//! |---|---|---|---|---|
//! | costᵢ max(0, 1 − yᵢ scoreᵢ) | ±1 | 0, costᵢ or −costᵢ, 0 | 0 | 0 |
//! | costᵢ max(0, abs(yᵢ − scoreᵢ) − ε)² | real | −∞, ∞ | ε | 1 / (2 costᵢ) |
//!
//! Algorithm: each visit moves one coefficient to its optimum with the others fixed (Hsieh et al.
//! 2008; Ho and Lin 2012, Alg. 4). With the gradient g = scoreᵢ + Dᵢᵢbᵢ − yᵢ and the curvature h =
//! Qᵢᵢ + Dᵢᵢ, the optimum is soft(h bᵢ − g, ε) / h, clamped to the bounds, where soft moves a
//! number towards 0 by ε. Every pass visits the rows in a new random order. Rows that stay at a
//! bound, or at 0 within the tube of width ε, are skipped until the others have converged; then all
//! rows are visited again.

use super::SolverStop;
use crate::Result;
use crate::progress::Progress;
use crate::rng::SplitMix;

/// Number of row visits between two checks for cancellation.
const VISITS_BETWEEN: usize = 16;

/// Σⱼ bⱼ K(i, j) in some form that is kept up to date.
pub(super) trait Scores {
    /// Returns Σⱼ bⱼ K(row, j), without the private mass of the row.
    fn score(&self, row: usize) -> f64;

    /// Adds `change` to the coefficient of `row`.
    fn add(&mut self, row: usize, change: f64);
}

/// The loss of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RowLoss {
    /// cost · max(0, 1 − y score), with y = ±1.
    Hinge,
    /// cost · max(0, |y − score| − ε)².
    SquaredTube {
        /// ε.
        epsilon: f64,
    },
}

/// The solver's state of one member. Everything a visit needs besides the row itself fits in one
/// cache line.
#[derive(Clone, Copy, Debug)]
struct Member {
    row: usize,
    target: f64,
    coefficient: f64,
    low: f64,
    high: f64,
    /// Dᵢᵢ: the term of the loss plus the private mass.
    own: f64,
    /// Qᵢᵢ + Dᵢᵢ, above 0.
    curvature: f64,
}

/// What the solver must know of one training row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    pub(super) row: usize,
    /// yᵢ.
    pub(super) target: f64,
    pub(super) cost: f64,
    /// K(i, i), including the private mass and the constant feature.
    pub(super) squared_length: f64,
    /// Squared length of the columns that occur in this row only.
    pub(super) private: f64,
    /// First value of the coefficient; clamped to the bounds, and 0 if not finite.
    pub(super) start: f64,
}

/// When to stop, and the order of visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) tolerance: f64,
    pub(super) max_passes: usize,
    pub(super) seed: u64,
}

/// The state of a descent.
pub(super) struct Descent<S> {
    pub(super) scores: S,
    /// In visiting order: the first ones are active.
    members: Vec<Member>,
    loss: RowLoss,
    epsilon: f64,
}

/// Coefficients and objectives at the end of a descent.
pub(super) struct Ending {
    /// One per row of the problem.
    pub(super) coefficients: Vec<f64>,
    /// The primal objective ½|w|² + Σ loss.
    pub(super) objective: f64,
    /// Primal minus dual objective.
    pub(super) gap: f64,
}

impl<S: Scores> Descent<S> {
    /// Takes over the starting values. `scores` belongs to coefficients that are all 0.
    pub(super) fn new(
        mut scores: S,
        examples: impl Iterator<Item = Example>,
        loss: RowLoss,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let mut members = Vec::new();
        for example in examples {
            let (low, high, slack) = match loss {
                RowLoss::Hinge if example.target > 0.0 => (0.0, example.cost, 0.0),
                RowLoss::Hinge => (-example.cost, 0.0, 0.0),
                RowLoss::SquaredTube { .. } => (f64::NEG_INFINITY, f64::INFINITY, 0.5 / example.cost),
            };
            let start = if example.start.is_finite() { example.start } else { 0.0 };
            let member = Member {
                row: example.row,
                target: example.target,
                coefficient: start.clamp(low, high),
                low,
                high,
                own: slack + example.private,
                curvature: slack + example.squared_length,
            };
            debug_assert!(member.curvature > 0.0);
            if member.coefficient != 0.0 {
                progress.check()?;
                scores.add(member.row, member.coefficient);
            }
            members.push(member);
        }
        let epsilon = match loss {
            RowLoss::Hinge => 0.0,
            RowLoss::SquaredTube { epsilon } => epsilon,
        };
        Ok(Self { scores, members, loss, epsilon })
    }

    /// Runs passes until no row violates the optimality conditions by more than the tolerance.
    pub(super) fn descend(&mut self, limits: Limits, progress: Progress<'_>) -> Result<(SolverStop, usize)> {
        let mut random = SplitMix::new(limits.seed);
        let mut n_visits = 0_usize;
        let mut n_active = self.members.len();
        // The largest violation of the previous pass. A row that is held where it is by more than
        // this is skipped until the others have converged.
        let mut largest_before = f64::INFINITY;
        for pass in 1..=limits.max_passes {
            random.shuffle(&mut self.members[..n_active]);
            let mut largest = 0.0_f64;
            let mut position = 0;
            while position < n_active {
                if n_visits.is_multiple_of(VISITS_BETWEEN) {
                    progress.check()?;
                }
                n_visits += 1;
                let member = self.members[position];
                let gradient = self.scores.score(member.row) + member.own * member.coefficient - member.target;
                let (up, down) = self.slopes(&member, gradient);
                if up > largest_before && down > largest_before {
                    n_active -= 1;
                    self.members.swap(position, n_active);
                    continue;
                }
                let violation = (-up).max(-down).max(0.0);
                largest = largest.max(violation);
                if violation > 1e-12 {
                    let coefficient = self.optimum(&member, gradient);
                    self.members[position].coefficient = coefficient;
                    self.scores.add(member.row, coefficient - member.coefficient);
                }
                position += 1;
            }
            if largest <= limits.tolerance {
                if n_active == self.members.len() {
                    return Ok((SolverStop::Converged, pass));
                }
                n_active = self.members.len();
                largest_before = f64::INFINITY;
            } else {
                largest_before = largest;
            }
        }
        Ok((SolverStop::Limit, limits.max_passes))
    }

    /// How fast the dual objective rises when the coefficient moves up, and when it moves down;
    /// infinite where a bound forbids the move. At the optimum, neither is negative.
    fn slopes(&self, member: &Member, gradient: f64) -> (f64, f64) {
        let (value, epsilon) = (member.coefficient, self.epsilon);
        let up = gradient + if value >= 0.0 { epsilon } else { -epsilon };
        let down = -gradient + if value <= 0.0 { epsilon } else { -epsilon };
        (if value >= member.high { f64::INFINITY } else { up }, if value <= member.low { f64::INFINITY } else { down })
    }

    /// The best coefficient with the others fixed.
    fn optimum(&self, member: &Member, gradient: f64) -> f64 {
        let pull = member.curvature * member.coefficient - gradient;
        let soft = (pull.abs() - self.epsilon).max(0.0).copysign(pull);
        (soft / member.curvature).clamp(member.low, member.high)
    }

    /// Computes both objectives, summing over the members in the given order, so that the result
    /// does not depend on the last shuffle. `example` returns a row's cost and private mass.
    pub(super) fn finish(
        &self,
        n_rows: usize,
        order: &[usize],
        example: impl Fn(usize) -> (f64, f64),
        progress: Progress<'_>,
    ) -> Result<Ending> {
        let mut place = vec![0; n_rows];
        for (position, member) in self.members.iter().enumerate() {
            place[member.row] = position;
        }
        let mut coefficients = vec![0.0; n_rows];
        let (mut half_length, mut errors, mut dual) = (0.0, 0.0, 0.0);
        for &row in order {
            progress.check()?;
            let member = &self.members[place[row]];
            let (cost, private) = example(row);
            let value = member.coefficient;
            let score = self.scores.score(row) + private * value;
            half_length += 0.5 * value * score;
            dual += value * member.target - self.epsilon * value.abs();
            match self.loss {
                RowLoss::Hinge => errors += cost * (1.0 - member.target * score).max(0.0),
                RowLoss::SquaredTube { epsilon } => {
                    let outside = ((member.target - score).abs() - epsilon).max(0.0);
                    errors += cost * outside * outside;
                    dual -= 0.25 / cost * value * value;
                }
            }
            coefficients[row] = value;
        }
        let objective = half_length + errors;
        Ok(Ending { coefficients, objective, gap: objective - (dual - half_length) })
    }
}
