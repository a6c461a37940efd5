//! [`Training`]: labelled pairs in, a [`Judge`] out.

use crate::data::Dataset;
use crate::judge::Judge;
use crate::resources::Resources;
use crate::train::combined::{CombinedOptions, train_combined};
use crate::train::latent::{LatentOptions, Staging, train_latent};
use crate::train::{CostChoice, KernelLearner, Task, TrainOptions, train};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use std::str::FromStr;

/// What learns from labelled pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Learner {
    /// A support vector machine over a kernel, by whichever solver is faster for so many pairs.
    #[default]
    Auto,
    /// The same, over listed rules.
    Linear,
    /// The same, over the kernel matrix.
    Dual,
    /// A latent alignment and the decision over it, learned together.
    Latent,
    /// The decision over alignments that are fixed beforehand.
    TwoStage,
    /// Rules, a latent alignment and features of the pair, weighed together. The most accurate, and the slowest to train.
    Ensemble,
}

impl Learner {
    /// Every learner by its name.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("auto", Self::Auto),
        ("linear", Self::Linear),
        ("dual", Self::Dual),
        ("latent", Self::Latent),
        ("two-stage", Self::TwoStage),
        ("combined", Self::Ensemble),
    ];
}

impl FromStr for Learner {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, learner)| *learner).ok_or_else(|| {
            let known = Self::NAMES.map(|(known, _)| known).join(", ");
            Error::parameter(format!("unknown learner '{name}', expected one of: {known}"))
        })
    }
}

/// How to learn from labelled pairs. What is not set is the task's own choice.
///
/// ```
/// use resay::prelude::*;
///
/// let rows = "source\ttarget\tlabel\n\
///     the cat sat\tthe cat was sitting\t1\n\
///     a dog ran\tthe dog was running\t1\n\
///     the cat sat\tit rained in June\t0\n\
///     a dog ran\tprices fell again\t0\n";
/// let pairs = Dataset::from_reader("pairs.tsv", rows.as_bytes(), None, &Columns::default())?;
/// let mine = Training::new(Task::Paraphrase).folds(2).costs([1.0]).fit(&pairs, &Resources::bundled())?;
/// assert!(mine.decide("the cow slept", "the cow was sleeping")?.label);
/// # Ok::<(), resay::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Training {
    task: Task,
    learner: Learner,
    kernel: Option<String>,
    costs: Option<Vec<f64>>,
    folds: Option<usize>,
    seed: u64,
}

impl Training {
    /// The defaults of a task.
    pub fn new(task: Task) -> Self {
        Self { task, learner: Learner::default(), kernel: None, costs: None, folds: None, seed: 1 }
    }

    /// What learns.
    #[must_use]
    pub fn learner(mut self, learner: Learner) -> Self {
        self.learner = learner;
        self
    }

    /// The kernel, such as `kb(k=1..4)+pr`; for learners over a kernel only.
    #[must_use]
    pub fn kernel(mut self, expression: impl Into<String>) -> Self {
        self.kernel = Some(expression.into());
        self
    }

    /// The costs of an error to choose from, rising; one alone is taken as it is.
    #[must_use]
    pub fn costs(mut self, costs: impl Into<Vec<f64>>) -> Self {
        self.costs = Some(costs.into());
        self
    }

    /// On how many held-out folds the cost is chosen and probabilities are calibrated.
    #[must_use]
    pub fn folds(mut self, folds: usize) -> Self {
        self.folds = Some(folds);
        self
    }

    /// Decides folds and visiting order.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Trains on labelled pairs.
    pub fn fit(&self, pairs: &Dataset, resources: &Resources) -> Result<Judge> {
        self.fit_with(pairs, resources, Progress::none())
    }

    /// The same, with reports on the way and a way to stop.
    pub fn fit_with(&self, pairs: &Dataset, resources: &Resources, progress: Progress<'_>) -> Result<Judge> {
        match self.learner {
            Learner::Auto => self.fit_kernel(KernelLearner::Auto, pairs, resources, progress),
            Learner::Linear => self.fit_kernel(KernelLearner::Linear, pairs, resources, progress),
            Learner::Dual => self.fit_kernel(KernelLearner::Dual, pairs, resources, progress),
            Learner::Latent => self.fit_latent(Staging::Joint, pairs, resources, progress),
            Learner::TwoStage => self.fit_latent(Staging::TwoStage, pairs, resources, progress),
            Learner::Ensemble => self.fit_ensemble(pairs, resources, progress),
        }
    }

    fn fit_kernel(
        &self,
        learner: KernelLearner,
        pairs: &Dataset,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Judge> {
        let mut options = TrainOptions { learner, seed: self.seed, ..TrainOptions::new(self.task) };
        set(&mut options.kernel, &self.kernel);
        set(&mut options.costs, &self.costs);
        set(&mut options.choice, &self.folds.map(CostChoice::Folds));
        train(pairs, &options, resources, progress).map(Judge::new)
    }

    fn fit_latent(
        &self,
        staging: Staging,
        pairs: &Dataset,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Judge> {
        self.refuse_kernel()?;
        let mut options = LatentOptions { staging, seed: self.seed, ..LatentOptions::new(self.task) };
        set(&mut options.costs, &self.costs);
        set(&mut options.choice, &self.folds.map(CostChoice::Folds));
        train_latent(pairs, &options, resources, progress, &mut |_| Ok(())).map(Judge::new)
    }

    fn fit_ensemble(&self, pairs: &Dataset, resources: &Resources, progress: Progress<'_>) -> Result<Judge> {
        self.refuse_kernel()?;
        let mut options = CombinedOptions { seed: self.seed, ..CombinedOptions::new(self.task) };
        set(&mut options.costs, &self.costs);
        set(&mut options.folds, &self.folds);
        train_combined(pairs, None, &options, resources, progress).map(Judge::new)
    }

    fn refuse_kernel(&self) -> Result<()> {
        match &self.kernel {
            Some(kernel) => Err(Error::parameter(format!(
                "kernel '{kernel}' with a learner that has none: leave the kernel out, or take auto, linear or dual"
            ))),
            None => Ok(()),
        }
    }
}

/// Sets what was given.
fn set<T: Clone>(option: &mut T, given: &Option<T>) {
    if let Some(given) = given {
        option.clone_from(given);
    }
}
