//! Algorithms 1 and 2 of the paper.
//!
//! Problem (Eq. 3): given examples with labels y = ±1 and their latent structures, minimise over u
//!
//! ```text
//! lambda/2 |u|² + Σ_i weight_i loss(1 − y_i max over h of u·Φ(x_i, h))
//! ```
//!
//! The positives make this problem non-convex. Algorithm 1 fixes the best structure of each
//! positive under u, solves the remaining convex problem, and repeats; the objective decreases in
//! every iteration (Theorem 1). Algorithm 2 solves the convex problem by cutting planes. Each
//! negative has a cache of the structures that were once its best; caches persist over all
//! iterations. Each round solves the problem over the caches ([`super::inner`]) and adds the best
//! structures under the new weights, until the true objective is within the tolerance of the lower
//! bound that the caches give.
//!
//! Two-stage learning is the same with the structures of all examples fixed: those with the highest
//! score under given weights.

use super::inner::{Inner, MAX_PASSES, dot};
use super::{LatentProblem, Sparse};
use crate::matching::Choice;
use crate::progress::{self, Progress};
use crate::rng::SplitMix;
use crate::svm::linear::Loss;
use crate::{Error, Result};
use rayon::prelude::*;

/// Training parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatentParams {
    /// Regularisation strength: the factor of half the squared weights.
    pub lambda: f64,
    /// The loss function.
    pub loss: Loss,
    /// A convex problem counts as solved when its duality gap is at most this share of the
    /// objective.
    pub tolerance: f64,
    /// Training stops after an iteration that lowers the objective by less than this share.
    pub improvement: f64,
    /// Maximum number of iterations of Algorithm 1.
    pub max_iterations: usize,
    /// Maximum number of rounds of Algorithm 2 per iteration.
    pub max_rounds: usize,
    /// Seed of the order in which examples are visited.
    pub seed: u64,
}

impl Default for LatentParams {
    fn default() -> Self {
        Self::PAPER
    }
}

impl LatentParams {
    /// The paper's values, where it gives them.
    pub const PAPER: Self = Self {
        lambda: 1.0,
        loss: Loss::SquaredHinge,
        tolerance: 1e-4,
        improvement: 1e-5,
        max_iterations: 50,
        max_rounds: 200,
        seed: 0,
    };

    fn check(&self) -> Result<()> {
        let positive =
            [("lambda", self.lambda), ("tolerance", self.tolerance), ("the least improvement", self.improvement)];
        for (name, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::parameter(format!("{name} is {value}, expected a finite number above 0")));
            }
        }
        Ok(())
    }
}

/// Why training stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatentStop {
    /// The objective has stopped decreasing.
    Converged,
    /// The maximum number of iterations was reached.
    Limit,
}

/// One iteration of Algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatentStep {
    /// The objective (Eq. 3) after the iteration.
    pub objective: f64,
    /// The duality gap of the convex problem, in units of the objective.
    pub gap: f64,
    /// Number of rounds of Algorithm 2.
    pub n_rounds: usize,
    /// Number of representations in all caches.
    pub n_cached: usize,
}

/// A trained model.
#[derive(Clone, Debug, PartialEq)]
pub struct LatentMachine {
    /// u.
    pub weights: Vec<f64>,
    /// One entry before the first iteration, and one after each.
    pub steps: Vec<LatentStep>,
    /// Why training stopped.
    pub stop: LatentStop,
}

impl LatentMachine {
    /// Returns the objective before the first iteration and after each.
    pub fn objectives(&self) -> Vec<f64> {
        self.steps.iter().map(|step| step.objective).collect()
    }

    /// Returns the final duality gap, as a share of the objective.
    pub fn gap(&self) -> f64 {
        self.steps.last().map_or(0.0, |step| step.gap / step.objective.max(f64::MIN_POSITIVE))
    }

    /// Describes why training stopped.
    pub fn ended(&self) -> String {
        match self.stop {
            LatentStop::Converged => "converged".to_owned(),
            LatentStop::Limit if self.steps.len() < 2 => "not solved to the end".to_owned(),
            LatentStop::Limit => format!("{} iterations, the most that were allowed", self.steps.len() - 1),
        }
    }
}

/// An event of training, passed to the observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LatentStage<'a> {
    /// A round of Algorithm 2: the iteration, the round, and the gap as a share of the objective.
    Round(usize, usize, f64),
    /// The end of an iteration, or with number 0 the start of training. The weights are the best so
    /// far.
    Step(usize, LatentStep, &'a [f64]),
}

/// Trains with the structures of all examples fixed at the best under `inference`.
pub fn two_stage<P: LatentProblem>(
    problem: &P,
    members: &[usize],
    inference: &[f64],
    params: &LatentParams,
    progress: Progress<'_>,
) -> Result<LatentMachine> {
    params.check()?;
    check_weights(problem, inference)?;
    let held = best_of_all(problem, members, inference, None, progress)?;
    let mut inner = Inner::new(problem.n_features(), params.loss);
    for (member, vector) in members.iter().zip(features_of_all(problem, members, &held, progress)?) {
        let group = inner.group(problem.is_positive(*member), problem.weight(*member) / params.lambda);
        inner.add(group, &vector);
    }
    let solved = inner.solve(params.tolerance, &mut SplitMix::new(params.seed), progress)?;
    let step = LatentStep {
        objective: params.lambda * solved.primal,
        gap: params.lambda * solved.gap(),
        n_rounds: 1,
        n_cached: inner.n_members(),
    };
    let stop = if solved.n_passes < MAX_PASSES { LatentStop::Converged } else { LatentStop::Limit };
    Ok(LatentMachine { weights: inner.weights().to_vec(), steps: vec![step], stop })
}

/// Trains structure and decision jointly, starting from `start` (for example the weights of
/// [`two_stage`]). Reports iterations to `progress`. `watch` receives the current state; an error
/// from it ends the training.
pub fn learn<P: LatentProblem>(
    problem: &P,
    members: &[usize],
    start: &[f64],
    params: &LatentParams,
    progress: Progress<'_>,
    watch: &mut dyn FnMut(LatentStage<'_>) -> Result<()>,
) -> Result<LatentMachine> {
    params.check()?;
    check_weights(problem, start)?;
    let mut learner = Learner::new(problem, members, params);
    let mut weights = start.to_vec();
    learner.infer(true, &weights, progress)?;
    learner.infer(false, &weights, progress)?;
    let objective = learner.objective(&weights);
    let mut steps = vec![LatentStep { objective, gap: 0.0, n_rounds: 0, n_cached: 0 }];
    progress.report(progress::Stage::Train, 0, params.max_iterations)?;
    watch(LatentStage::Step(0, steps[0], &weights))?;
    for iteration in 1..=params.max_iterations {
        let before = steps.last().map_or(f64::INFINITY, |step| step.objective);
        let (gap, n_rounds) = learner.convex(iteration, progress, watch)?;
        let after = learner.inner.weights().to_vec();
        learner.infer(true, &after, progress)?;
        let step =
            LatentStep { objective: learner.objective(&after), gap, n_rounds, n_cached: learner.inner.n_members() };
        // The convex problem is solved up to its gap only: an apparent increase means convergence.
        if step.objective >= before {
            return Ok(LatentMachine { weights, steps, stop: LatentStop::Converged });
        }
        weights = after;
        steps.push(step);
        progress.report(progress::Stage::Train, iteration, params.max_iterations)?;
        watch(LatentStage::Step(iteration, step, &weights))?;
        if before - step.objective < params.improvement * before {
            return Ok(LatentMachine { weights, steps, stop: LatentStop::Converged });
        }
    }
    Ok(LatentMachine { weights, steps, stop: LatentStop::Limit })
}

/// The state of Algorithm 1.
struct Learner<'a, P> {
    problem: &'a P,
    params: &'a LatentParams,
    /// Example indices per class.
    positives: Vec<usize>,
    negatives: Vec<usize>,
    /// The best structure of each under the last weights used for inference.
    best_positive: Vec<Choice>,
    best_negative: Vec<Choice>,
    /// Φ of these structures.
    positive_features: Vec<Sparse>,
    negative_features: Vec<Sparse>,
    /// Positives have groups 0.., followed by the negatives.
    inner: Inner,
    random: SplitMix,
}

impl<'a, P: LatentProblem> Learner<'a, P> {
    fn new(problem: &'a P, members: &[usize], params: &'a LatentParams) -> Self {
        let (positives, negatives): (Vec<usize>, Vec<usize>) =
            members.iter().partition(|member| problem.is_positive(**member));
        let mut inner = Inner::new(problem.n_features(), params.loss);
        for member in positives.iter().chain(&negatives) {
            inner.group(problem.is_positive(*member), problem.weight(*member) / params.lambda);
        }
        Self {
            problem,
            params,
            positives,
            negatives,
            best_positive: Vec::new(),
            best_negative: Vec::new(),
            positive_features: Vec::new(),
            negative_features: Vec::new(),
            inner,
            random: SplitMix::new(params.seed),
        }
    }

    /// Finds the best structures of one class under these weights.
    fn infer(&mut self, positive: bool, weights: &[f64], progress: Progress<'_>) -> Result<()> {
        let (members, best, features) = if positive {
            (&self.positives, &mut self.best_positive, &mut self.positive_features)
        } else {
            (&self.negatives, &mut self.best_negative, &mut self.negative_features)
        };
        let start = Some(&best[..]).filter(|best| !best.is_empty());
        *best = best_of_all(self.problem, members, weights, start, progress)?;
        *features = features_of_all(self.problem, members, best, progress)?;
        Ok(())
    }

    /// Returns Eq. 3 at these weights. Requires that the best structures of both classes have been
    /// inferred for them.
    fn objective(&self, weights: &[f64]) -> f64 {
        let loss = |member: usize, vector: &Sparse, sign: f64| {
            let violation = (1.0 - sign * dot(vector, weights)).max(0.0);
            let loss = if self.params.loss == Loss::Hinge { violation } else { violation * violation };
            self.problem.weight(member) * loss
        };
        let of = |members: &[usize], vectors: &[Sparse], sign: f64| -> f64 {
            members.iter().zip(vectors).map(|(member, vector)| loss(*member, vector, sign)).sum()
        };
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        0.5 * self.params.lambda * squares
            + of(&self.positives, &self.positive_features, 1.0)
            + of(&self.negatives, &self.negative_features, -1.0)
    }

    /// Algorithm 2: solves the convex problem with the current structures of the positives. Returns
    /// the gap in units of the objective, and the number of rounds.
    fn convex(
        &mut self,
        iteration: usize,
        progress: Progress<'_>,
        watch: &mut dyn FnMut(LatentStage<'_>) -> Result<()>,
    ) -> Result<(f64, usize)> {
        for (group, vector) in self.positive_features.iter().enumerate() {
            self.inner.replace(group, vector);
        }
        self.inner.refresh(progress)?;
        let lambda = self.params.lambda;
        let mut wanted: f64 = 0.1;
        let mut last = (f64::INFINITY, 0);
        for round in 1..=self.params.max_rounds {
            let first = self.positives.len();
            let mut n_new = 0;
            for (place, vector) in self.negative_features.iter().enumerate() {
                progress.check()?;
                n_new += usize::from(self.inner.add(first + place, vector));
            }
            let solved = self.inner.solve(wanted, &mut self.random, progress)?;
            let now = self.inner.weights().to_vec();
            self.infer(false, &now, progress)?;
            // The true objective of the convex problem, with fixed positives, against the bound
            // from the caches.
            let truth = self.objective(&now);
            let gap = (truth - lambda * solved.dual).max(0.0);
            let part = gap / truth.max(f64::MIN_POSITIVE);
            last = (gap, round);
            watch(LatentStage::Round(iteration, round, part))?;
            if part <= self.params.tolerance {
                break;
            }
            let settled = solved.gap() <= self.params.tolerance * solved.primal;
            if n_new == 0 && settled && round > 1 {
                break;
            }
            // Solving the problem over the caches much better than the caches approximate the true
            // one is no use.
            wanted = (0.1 * part).min(wanted).max(0.1 * self.params.tolerance);
        }
        Ok(last)
    }
}

/// Number of examples per parallel batch.
const BATCH: usize = 16;

fn best_of_all<P: LatentProblem>(
    problem: &P,
    members: &[usize],
    weights: &[f64],
    start: Option<&[Choice]>,
    progress: Progress<'_>,
) -> Result<Vec<Choice>> {
    let chunks: Vec<Vec<Choice>> = members
        .par_chunks(BATCH)
        .enumerate()
        .map_init(P::Scratch::default, |scratch, (chunk, members)| {
            let start = |place: usize| start.map(|start| &start[chunk * BATCH + place].active[..]);
            let best = |(place, member): (usize, &usize)| {
                progress.check()?;
                problem.best(*member, weights, start(place), scratch)
            };
            members.iter().enumerate().map(best).collect::<Result<Vec<Choice>>>()
        })
        .collect::<Result<_>>()?;
    Ok(chunks.into_iter().flatten().collect())
}

fn features_of_all<P: LatentProblem>(
    problem: &P,
    members: &[usize],
    best: &[Choice],
    progress: Progress<'_>,
) -> Result<Vec<Sparse>> {
    (0..members.len())
        .into_par_iter()
        .with_min_len(BATCH)
        .map(|place| progress.check().map(|()| problem.features(members[place], &best[place].active)))
        .collect()
}

fn check_weights<P: LatentProblem>(problem: &P, weights: &[f64]) -> Result<()> {
    if weights.len() == problem.n_features() && weights.iter().all(|weight| weight.is_finite()) {
        return Ok(());
    }
    Err(Error::parameter(format!(
        "{} weights to begin with, expected {} finite ones",
        weights.len(),
        problem.n_features()
    )))
}
