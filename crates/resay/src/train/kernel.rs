//! Trains a kernel model on labelled pairs: annotates texts and computes features once, chooses the
//! cost on held-out folds (or on a development file), trains on all data, and calibrates on scores
//! of machines that were not trained on the scored row.

use super::Task;
use super::annotate::{AnnotationSource, annotate, symbols_of};
use super::learner::{KernelLearner, Prepared, Problem, Recipe, Spectrum};
use super::splits::Splits;
use crate::data::{Dataset, folds};
use crate::kernel::Expression;
use crate::model::{
    About, Header, KernelDetails, KernelModel, KernelTrained, ModelKind, Pruning, Response, Tried, Versions,
};
use crate::pair::Annotated;
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::calibrate::Platt;
use resay_learn::eval::ranking::{Ranked, RankingFigure, Which, rank};
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::search::{self, HeldOut, Plan};
use resay_learn::svm::{ClassWeights, linear};
use resay_text::lexicon::OwnRelations;
use resay_text::{Interner, Units};

/// The measure maximised when choosing the cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Fraction of correct decisions.
    Accuracy,
    /// Harmonic mean of precision and recall of the positive class.
    F1,
    /// Mean reciprocal rank over groups with both right and wrong candidates. All rankings of any
    /// other group are equally good.
    Mrr,
    /// Mean average precision over the same groups.
    Map,
}

impl Measure {
    /// Returns the measure's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::F1 => "F1",
            Self::Mrr => RankingFigure::Mrr.name(),
            Self::Map => RankingFigure::Map.name(),
        }
    }

    /// Returns whether the measure ranks within groups.
    pub fn ranks(self) -> bool {
        matches!(self, Self::Mrr | Self::Map)
    }

    /// Evaluates held-out rows. If the measure ranks, `groups` holds the group number of every row.
    pub(super) fn of(self, held_out: &HeldOut<'_>, groups: &[usize]) -> f64 {
        let ranked = |figure: RankingFigure| figure.mean(&ranked(held_out, groups)).unwrap_or(0.0);
        match self {
            Self::Accuracy => search::accuracy(held_out),
            Self::F1 => search::f1(held_out),
            Self::Mrr => ranked(RankingFigure::Mrr),
            Self::Map => ranked(RankingFigure::Map),
        }
    }
}

fn ranked(held_out: &HeldOut<'_>, groups: &[usize]) -> Vec<Ranked> {
    let groups: Vec<usize> = held_out.rows.iter().map(|&row| groups[row]).collect();
    rank(held_out.scores, held_out.labels, &groups, Which::Mixed)
}

/// The data on which to choose the cost and calibrate probabilities.
#[derive(Clone, Copy, Debug)]
pub enum CostChoice<'a> {
    /// This many held-out folds, which keep groups whole.
    Folds(usize),
    /// A development file.
    Dev(&'a Dataset),
}

/// Training options.
#[derive(Clone, Debug)]
pub struct TrainOptions<'a> {
    /// The task.
    pub task: Task,
    /// The kernel expression.
    pub kernel: String,
    /// The units of a sequence: what counts as a symbol.
    pub units: Units,
    /// The learner.
    pub learner: KernelLearner,
    /// How to treat negative eigenvalues of the kernel matrix.
    pub spectrum: Spectrum,
    /// Costs to choose from. A single cost is used as it is.
    pub costs: Vec<f64>,
    /// The data on which to choose the cost.
    pub choice: CostChoice<'a>,
    /// The measure to maximise.
    pub measure: Measure,
    /// The loss of the linear learner.
    pub loss: linear::Loss,
    /// Weight the classes so that both count the same.
    pub balanced: bool,
    /// Which rules to keep.
    pub pruning: Pruning,
    /// Seed for folds and visiting order.
    pub seed: u64,
    /// The user's own word relations, for kernels that use them.
    pub relations: OwnRelations,
    /// The source of annotation, for files that contain some.
    pub annotation: AnnotationSource,
}

impl TrainOptions<'_> {
    /// Returns the defaults of a task.
    pub fn new(task: Task) -> Self {
        Self {
            task,
            kernel: task.default_kernel().to_owned(),
            units: Units::default(),
            learner: KernelLearner::default(),
            spectrum: Spectrum::default(),
            costs: vec![0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
            choice: CostChoice::Folds(10),
            measure: task.default_measure(),
            loss: linear::Loss::default(),
            balanced: task.is_balanced(),
            pruning: Pruning { min_support: 2, max_rules: 100_000, examples: true },
            seed: 1,
            relations: OwnRelations::new(),
            annotation: AnnotationSource::Text,
        }
    }
}

/// Trains a model.
pub fn train(
    dataset: &Dataset,
    options: &TrainOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<KernelModel> {
    resources.threads().run(|| train_from(dataset, None, options, resources, progress))?
}

/// Trains a model on texts that are already annotated, one pair per example of the data set.
pub(super) fn train_annotated(
    dataset: &Dataset,
    texts: &[[Annotated; 2]],
    options: &TrainOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<KernelModel> {
    train_from(dataset, Some(texts), options, resources, progress)
}

fn train_from(
    dataset: &Dataset,
    texts: Option<&[[Annotated; 2]]>,
    options: &TrainOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<KernelModel> {
    if options.task == Task::Topics {
        let message = "task topics learns from documents, not from pairs, expected one of the other tasks";
        return Err(Error::parameter(message));
    }
    if options.task == Task::Align {
        let message = "task align learns from aligned pairs, not from labelled ones, expected one of the other tasks";
        return Err(Error::parameter(message));
    }
    if options.task == Task::Names {
        let message =
            "task names learns from true pairs of names, not from labelled ones, expected one of the other tasks";
        return Err(Error::parameter(message));
    }
    if options.task == Task::Program {
        let message = "task program learns from declared programmes, not from pairs, expected one of the other tasks";
        return Err(Error::parameter(message));
    }
    let expression = Expression::parse(&options.kernel, &|| resources.lexicon_with(&options.relations))?;
    progress.check()?;
    let (mut labels, label_names) = options.task.labels(dataset)?;
    let n_train = dataset.len();
    let dev = if let CostChoice::Dev(dev) = options.choice { Some(dev) } else { None };
    if let Some(dev) = dev {
        labels.extend(options.task.labels(dev)?.0);
    }
    let groups = groups(dataset, dev, options)?;
    let mut symbols = Interner::new();
    let annotator = resources.annotator(options.units, expression.layers())?.with_classes(expression.classes());
    let pairs = match texts {
        Some(texts) => symbols_of(texts, &annotator, &mut symbols, progress)?,
        None => {
            let sets: Vec<&Dataset> = std::iter::once(dataset).chain(dev).collect();
            annotate(&sets, &annotator, options.annotation, &mut symbols, progress)?
        }
    };

    progress.report(Stage::Features, 0, 1)?;
    let expression = expression.learn(&pairs[..n_train], progress)?;
    let is_linear = options.learner.is_linear(&expression, pairs.len());
    let recipe = Recipe { expression: &expression, is_linear, spectrum: options.spectrum, n_train };
    let prepared = Prepared::new(&recipe, &pairs, progress)?;
    let members: Vec<usize> = (0..n_train).collect();
    let weights = if options.balanced { ClassWeights::balanced(&labels, &members) } else { ClassWeights::default() };
    let problem = Problem::new(&prepared, &labels, options.loss, weights, options.seed, progress)?;

    progress.report(Stage::Search, 0, 1)?;
    let splits = splits(dataset, &labels, options.choice, options.seed)?;
    if options.measure.ranks() {
        check_folds(&splits, &labels, &groups)?;
    }
    let measure = |held_out: &HeldOut<'_>| options.measure.of(held_out, &groups);
    let choice = choose(&problem, &labels, &splits, &measure, options, progress)?;
    progress.report(Stage::Train, 0, 1)?;
    // Calibrate and report the machine as it will be saved, after pruning.
    let scores = match &prepared.listing {
        Some(listing) if !options.pruning.keeps_all() => {
            splits.pruned_scores(&problem, listing, choice.cost, options.pruning, progress)?
        }
        _ => choice.scores,
    };
    let as_saved = splits.mean(&scores, &labels, &measure);
    let (scores, scored_labels) = splits.held_out_only(&scores, &labels);
    let platt = Platt::fit(&scores, &scored_labels)?;
    let fitted = prepared.for_plain_rows(problem.fit(&members, choice.cost, progress)?, n_train);
    let header = Header {
        kind: ModelKind::Kernel,
        learner: if is_linear { "linear" } else { "dual" }.to_owned(),
        cost: Some(choice.cost),
        search: choice.tried,
        measure: options.measure.name().to_owned(),
        held_out: Some(as_saved),
        stop: fitted.stop,
        ..header_of(dataset, options.task, &labels[..n_train], label_names)
    };
    let details = KernelDetails { kernel: options.kernel.trim().to_owned(), units: options.units, n_rules: [0, 0] };
    let about = About { header, details };
    let ids: Vec<String> = dataset.rows.iter().map(|example| example.id.clone()).collect();
    let trained = KernelTrained {
        about,
        expression,
        pairs: &pairs[..n_train],
        ids: &ids,
        symbols: &symbols,
        coefficients: &fitted.coefficients,
        bias: fitted.bias,
        platt,
        relations: options.relations.clone(),
        resources,
    };
    // A kernel machine whose rules can be listed is a linear machine over those rules.
    let model = match &prepared.listing {
        Some(listing) => KernelModel::from_rules(trained, listing, options.pruning, progress)?,
        None => KernelModel::from_support(trained, progress)?,
    };
    progress.report(Stage::Train, 1, 1)?;
    Ok(model)
}

/// Builds the header of a binary model from its data. Kind, learner and figures remain to be filled
/// in.
pub(super) fn header_of(dataset: &Dataset, task: Task, labels: &[bool], names: [String; 2]) -> Header {
    let n_positive = labels.iter().filter(|label| **label).count();
    Header {
        kind: ModelKind::Kernel,
        task: task.name().to_owned(),
        response: Response::Binary { labels: names },
        learner: String::new(),
        data: dataset.file_name(),
        n_examples: labels.len(),
        counts: vec![labels.len() - n_positive, n_positive],
        cost: None,
        search: Vec::new(),
        measure: String::new(),
        held_out: None,
        stop: String::new(),
        versions: Versions::default(),
        licence: String::new(),
        note: String::new(),
    }
}

/// Returns the group number of every row, with the rows of the development file last; empty if
/// nothing is ranked.
fn groups(dataset: &Dataset, dev: Option<&Dataset>, options: &TrainOptions<'_>) -> Result<Vec<usize>> {
    if options.task != Task::Answers && !options.measure.ranks() {
        return Ok(Vec::new());
    }
    let mut groups = dataset.ranking_groups()?;
    if let Some(dev) = dev {
        groups.extend(dev.ranking_groups()?.into_iter().map(|group| dataset.len() + group));
    }
    Ok(groups)
}

/// Rejects folds on which a ranking measure would be undefined.
fn check_folds(splits: &Splits, labels: &[bool], groups: &[usize]) -> Result<()> {
    let n_folds = splits.n_folds();
    for fold in 0..n_folds {
        let rows = splits.split(fold).1;
        let held_out: Vec<bool> = rows.iter().map(|&row| labels[row]).collect();
        if ranked(&HeldOut { rows: &rows, scores: &vec![0.0; rows.len()], labels: &held_out }, groups).is_empty() {
            let fold = fold + 1;
            return Err(Error::data(format!(
                "part {fold} of {n_folds} to choose the cost on has no group with right and wrong candidates: give \
                 more groups, ask for fewer folds, or choose by accuracy"
            )));
        }
    }
    Ok(())
}

/// Returns the fold of every row. With a development file, its rows are the only fold that is held
/// out.
pub(super) fn splits(dataset: &Dataset, labels: &[bool], choice: CostChoice<'_>, seed: u64) -> Result<Splits> {
    match choice {
        CostChoice::Folds(n_folds) => {
            let folds = folds(&dataset.groups(), labels, n_folds, seed)?;
            Ok(Splits::new(folds.into_iter().map(Some).collect()))
        }
        CostChoice::Dev(_) => {
            Ok(Splits::new((0..labels.len()).map(|row| (row >= dataset.len()).then_some(0)).collect()))
        }
    }
}

/// The chosen cost and, at this cost, the score of every held-out row.
struct Choice {
    cost: f64,
    tried: Vec<Tried>,
    scores: Vec<f64>,
}

fn choose(
    problem: &Problem<'_>,
    labels: &[bool],
    splits: &Splits,
    measure: search::HeldOutMeasure<'_>,
    options: &TrainOptions<'_>,
    progress: Progress<'_>,
) -> Result<Choice> {
    let costs = &options.costs;
    if let CostChoice::Folds(_) = options.choice {
        let folds = splits.folds();
        let plan = Plan { labels, folds: &folds, costs, measure, rule: search::CostRule::default() };
        let found = search::search(problem.as_fit(), &plan, progress)?;
        let tried = found.costs.iter().zip(&found.mean).zip(&found.fold_scores);
        let tried = tried.map(|((&cost, &mean), folds)| Tried { cost, mean, folds: folds.clone() }).collect();
        return Ok(Choice { cost: found.cost(), tried, scores: found.held_out_scores });
    }
    let (train, rows) = splits.split(0);
    let mut tried = Vec::with_capacity(costs.len());
    let mut best: Option<(f64, f64, Vec<f64>)> = None;
    let by_cost = problem.as_fit().scores(&train, &rows, costs, progress)?;
    for (&cost, held_out) in costs.iter().zip(by_cost) {
        let mut scores = vec![0.0; labels.len()];
        rows.iter().zip(held_out).for_each(|(&row, score)| scores[row] = score);
        let mean = splits.mean(&scores, labels, measure);
        tried.push(Tried { cost, mean, folds: vec![mean] });
        if best.as_ref().is_none_or(|(best, ..)| mean > best + 1e-12) {
            best = Some((mean, cost, scores));
        }
    }
    let Some((_, cost, scores)) = best else {
        return Err(Error::parameter("no costs to choose from, expected at least one"));
    };
    Ok(Choice { cost, tried, scores })
}
