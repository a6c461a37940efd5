//! Learning decisions over hidden alignments: from labelled pairs to a [`LatentModel`].
//!
//! The cost is chosen and the probabilities are calibrated on held-out rows before the last training begins, so that the
//! model can be saved after every iteration of it: training that is interrupted leaves the last good model.

use super::Task;
use super::annotate::Whose;
use super::splits::Splits;
use super::train::{CostChoice, Measure, Progress, Stage, splits};
use crate::data::Dataset;
use crate::latent::sentences::{SentencePairs, SentenceScratch, Shape};
use crate::latent::{self, Machine, Params, Problem, Stop};
use crate::lexicon::Lexicon;
use crate::model::{LATENT_LAYERS, LatentAbout, LatentModel, LatentTrained, Tried};
use crate::svm::calibrate::Platt;
use crate::svm::search::HeldOut;
use crate::text::{Analysis, English, EnglishScratch};
use crate::{Error, Result, bundled};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Staging {
    /// Alignment and decision together.
    #[default]
    Joint,
    /// The decision alone, over alignments by how alike words are.
    TwoStage,
}

impl Staging {
    /// Its name on the command line and in models.
    pub fn name(self) -> &'static str {
        match self {
            Self::Joint => "latent",
            Self::TwoStage => "two-stage",
        }
    }
}

/// How to learn.
#[derive(Clone, Debug)]
pub struct LatentOptions<'a> {
    /// What is decided: paraphrase, entailment, or pair, which is taken as paraphrase is.
    pub task: Task,
    /// What is learned.
    pub staging: Staging,
    /// Costs (1 / lambda) to choose from, rising; one is taken as it is.
    pub costs: Vec<f64>,
    /// What to choose and calibrate on.
    pub choice: CostChoice<'a>,
    /// What to maximise.
    pub measure: Measure,
    /// Whose annotation is learned from, where a file comes with some.
    pub whose: Whose,
    /// How to solve; lambda and seed are not looked at.
    pub params: Params,
    /// Decides folds and visiting order.
    pub seed: u64,
}

impl LatentOptions<'_> {
    /// The defaults of a task.
    pub fn new(task: Task) -> Self {
        Self {
            task,
            staging: Staging::default(),
            costs: vec![if shape(task) == Shape::Both { 1.0 / 2000.0 } else { 1.0 / 1000.0 }],
            choice: CostChoice::Folds(3),
            measure: Measure::Accuracy,
            whose: Whose::Ours,
            params: Params { tolerance: 1e-3, improvement: 1e-4, ..Params::default() },
            seed: 1,
        }
    }
}

impl LatentOptions<'_> {
    /// How to solve at a cost.
    pub(super) fn at(&self, cost: f64) -> Params {
        Params { lambda: 1.0 / cost, seed: self.seed, ..self.params }
    }
}

/// Which way pairs of a task are laid side by side.
fn shape(task: Task) -> Shape {
    if task == Task::Entailment { Shape::Target } else { Shape::Both }
}

/// Words beyond which a pair is not aligned: time and memory grow with the product of both sides.
const MAX_CELLS: usize = 1_000_000;

/// Pairs of sentences with their layers, in order; a text of several sentences is taken as one.
pub fn annotate_pairs(dataset: &Dataset, english: &English, whose: Whose) -> Result<Vec<[Analysis; 2]>> {
    let annotate = |scratch: &mut EnglishScratch, idx: usize| {
        let example = &dataset.examples[idx];
        let given = dataset.analyses.get(idx).and_then(|analyses| analyses.as_deref());
        let pair = match given {
            Some(given) if whose == Whose::Theirs => {
                let mut both = given.clone();
                english.fill_all(&mut both, scratch);
                both
            }
            _ => [&example.source, &example.target].map(|text| english.text(text, scratch)),
        };
        let [m, n] = [pair[0].words.len(), pair[1].words.len()];
        if m * n > MAX_CELLS {
            let message =
                format!("{m} and {n} words are too many to align: expected sentences or short texts, cut them up");
            return Err(dataset.error(idx, message));
        }
        Ok(pair)
    };
    (0..dataset.len()).into_par_iter().map_init(EnglishScratch::default, annotate).collect()
}

/// Described pairs, and what is learned from some of them.
pub(super) struct Learning {
    pub(super) problem: SentencePairs,
    heuristic: Vec<f64>,
}

impl Learning {
    pub(super) fn new(pairs: &[[Analysis; 2]], labels: Vec<bool>, lexicon: &Lexicon, task: Task) -> Result<Self> {
        let problem = SentencePairs::new(pairs, labels, lexicon, shape(task))?;
        let heuristic = SentencePairs::heuristic(problem.catalogue());
        Ok(Self { problem, heuristic })
    }

    /// Learns from these rows.
    pub(super) fn fit(
        &self,
        rows: &[usize],
        staging: Staging,
        params: &Params,
        watch: &mut dyn FnMut(latent::Stage<'_>) -> Result<()>,
    ) -> Result<Machine> {
        let first = latent::two_stage(&self.problem, rows, &self.heuristic, params)?;
        match staging {
            Staging::TwoStage => Ok(first),
            Staging::Joint => latent::learn(&self.problem, rows, &first.weights, params, watch),
        }
    }

    /// The weights that alignments are found by, where they are not those of the decision.
    fn inference(&self, staging: Staging) -> Option<&[f64]> {
        (staging == Staging::TwoStage).then_some(&self.heuristic[..])
    }

    /// Scores of these rows.
    pub(super) fn scores(&self, rows: &[usize], staging: Staging, weights: &[f64]) -> Result<Vec<f64>> {
        let inference = self.inference(staging).unwrap_or(weights);
        let score = |scratch: &mut SentenceScratch, row: &usize| {
            let choice = self.problem.best(*row, inference, None, scratch)?;
            Ok(self.problem.pairs()[*row].score(&choice.active, weights))
        };
        rows.par_iter().map_init(SentenceScratch::default, score).collect()
    }
}

/// Learns a model. After every iteration of the last training, `checkpoint` is given what was learned so far.
pub fn train_latent(
    dataset: &Dataset,
    options: &LatentOptions<'_>,
    progress: Progress<'_>,
    checkpoint: &mut dyn FnMut(&LatentTrained) -> Result<()>,
) -> Result<LatentModel> {
    if !matches!(options.task, Task::Paraphrase | Task::Entailment | Task::Pair) {
        let message =
            format!("task {} has no hidden alignment, expected paraphrase, entailment or pair", options.task.name());
        return Err(Error::parameter(message));
    }
    let (mut labels, label_names) = options.task.labels(dataset)?;
    let n_train = dataset.len();
    let dev = if let CostChoice::Dev(dev) = options.choice { Some(dev) } else { None };
    if let Some(dev) = dev {
        labels.extend(options.task.labels(dev)?.0);
    }
    let splits = splits(dataset, &labels, options.choice, options.seed)?;
    progress(Stage::Annotate, 0, labels.len());
    let (english, lexicon) = rayon::join(|| bundled::english(LATENT_LAYERS), bundled::lexicon_with_vectors);
    let (english, lexicon) = (english?, lexicon?);
    let mut pairs = annotate_pairs(dataset, &english, options.whose)?;
    if let Some(dev) = dev {
        pairs.extend(annotate_pairs(dev, &english, options.whose)?);
    }
    progress(Stage::Features, 0, 1);
    let learning = Learning::new(&pairs, labels.clone(), &lexicon, options.task)?;
    drop(pairs);
    let found = search(&learning, &labels, &splits, options, progress)?;
    let (scores, scored_labels) = splits.held_out_only(&found.scores, &labels);
    let platt = Platt::fit(&scores, &scored_labels)?;

    let file_name = std::path::Path::new(&dataset.name).file_name();
    let about = LatentAbout {
        task: options.task.name().to_owned(),
        learner: options.staging.name().to_owned(),
        shape: shape(options.task),
        labels: label_names,
        data: file_name.map_or_else(|| dataset.name.clone(), |name| name.to_string_lossy().into_owned()),
        n_pairs: n_train,
        n_positive: labels[..n_train].iter().filter(|label| **label).count(),
        cost: found.cost,
        search: found.tried,
        measure: options.measure.name().to_owned(),
        held_out: found.held_out,
        n_features: learning.problem.n_features(),
        objectives: Vec::new(),
        gap: 0.0,
        stop: "interrupted".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        note: String::new(),
    };
    let mut trained = LatentTrained {
        about,
        catalogue: learning.problem.catalogue().clone(),
        weights: Vec::new(),
        inference: learning.inference(options.staging).map(<[f64]>::to_vec),
        platt,
    };
    let params = options.at(found.cost);
    let rows: Vec<usize> = (0..n_train).collect();
    progress(Stage::Train, 0, params.max_iterations);
    let machine = learning.fit(&rows, options.staging, &params, &mut |stage| {
        if let latent::Stage::Step(iteration, step, weights) = stage {
            progress(Stage::Train, iteration, params.max_iterations);
            trained.about.objectives.push(step.objective);
            trained.weights = weights.to_vec();
            checkpoint(&trained)?;
        }
        Ok(())
    })?;
    trained.about.objectives = machine.steps.iter().map(|step| step.objective).collect();
    trained.about.gap = machine.steps.last().map_or(0.0, |step| step.gap / step.objective.max(f64::MIN_POSITIVE));
    trained.about.stop = match machine.stop {
        Stop::Converged => "converged",
        Stop::Limit => "limit of iterations reached",
    }
    .to_owned();
    trained.weights = machine.weights;
    progress(Stage::Train, params.max_iterations, params.max_iterations);
    LatentModel::new(trained)
}

/// The cost by held-out folds of the first rows, which are those of a data set.
pub(super) fn choose(
    learning: &Learning,
    dataset: &Dataset,
    labels: &[bool],
    options: &LatentOptions<'_>,
    progress: Progress<'_>,
) -> Result<Found> {
    search(learning, labels, &splits(dataset, labels, options.choice, options.seed)?, options, progress)
}

/// What the search came to.
pub(super) struct Found {
    pub(super) cost: f64,
    tried: Vec<Tried>,
    pub(super) held_out: f64,
    /// Of every held-out row, at the cost that was chosen.
    scores: Vec<f64>,
}

fn search(
    learning: &Learning,
    labels: &[bool],
    splits: &Splits,
    options: &LatentOptions<'_>,
    progress: Progress<'_>,
) -> Result<Found> {
    let n_folds = splits.n_folds();
    let total = n_folds * options.costs.len();
    let measure = |held_out: &HeldOut<'_>| options.measure.of(held_out, &[]);
    let mut best: Option<Found> = None;
    let mut tried: Vec<Tried> = Vec::new();
    let done = AtomicUsize::new(0);
    progress(Stage::Search, 0, total);
    for &cost in &options.costs {
        let params = options.at(cost);
        let mut scores = vec![0.0; labels.len()];
        let of_fold = |fold: usize| {
            let (train, rows) = splits.split(fold);
            let machine = learning.fit(&train, options.staging, &params, &mut |_| Ok(()))?;
            let held_out = learning.scores(&rows, options.staging, &machine.weights)?;
            let own: Vec<bool> = rows.iter().map(|&row| labels[row]).collect();
            let value = measure(&HeldOut { rows: &rows, scores: &held_out, labels: &own });
            progress(Stage::Search, 1 + done.fetch_add(1, Ordering::Relaxed), total);
            Ok((value, rows, held_out))
        };
        // Folds side by side: what is slow in one of them, the convex problem, runs on one thread.
        let found = (0..n_folds).into_par_iter().map(of_fold).collect::<Result<Vec<_>>>()?;
        let folds: Vec<f64> = found.iter().map(|(value, ..)| *value).collect();
        for (_, rows, held_out) in found {
            rows.iter().zip(held_out).for_each(|(&row, score)| scores[row] = score);
        }
        let mean = folds.iter().sum::<f64>() / n_folds.max(1) as f64;
        tried.push(Tried { cost, mean, folds });
        // Of equals the smallest cost: the simplest machine.
        if best.as_ref().is_none_or(|best| mean > best.held_out + 1e-12) {
            best = Some(Found { cost, tried: Vec::new(), held_out: mean, scores });
        }
    }
    let found = best.ok_or_else(|| Error::parameter("no costs to choose from, expected at least one"))?;
    Ok(Found { tried, ..found })
}
