//! Trains a kernel model on labelled pairs: annotates texts and computes features once, chooses the
//! cost on held-out folds (or on a development file), trains on all data, and calibrates on scores
//! of machines that were not trained on the scored row.

use super::Task;
use super::annotate::{AnnotationSource, annotate};
use super::answers::{AnswerOptions, Answers, Given, HeadTarget};
use super::learner::{Exactness, Fitted, HowToFit, KernelLearner, MAX_ALL_RULES, Prepared, Problem, Recipe, Spectrum};
use super::measure::{Measure, ranked};
use super::splits::{HeadsMeasure, Splits};
use super::sure::thresholds;
use crate::data::Dataset;
use crate::kernel::{Expression, RuleAnswers, RuleMatrix};
use crate::model::{
    About, AnswerCalibration, Header, KernelDetails, KernelModel, KernelTrained, ModelKind, Pruning, Response, Tried,
    Versions,
};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::calibrate::{Ordinal, Platt, PredictionInterval, Softmax};
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::linear;
use resay_learn::svm::search::{self, Fit, HeadPlan, HeadsHeldOut, HeldOut};
use resay_text::lexicon::OwnRelations;
use resay_text::{Interner, Pair, Units};

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
    /// How to read the labels.
    pub answers: AnswerOptions,
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
    /// The share of right answers from which on the model is sure of a label; none to be always
    /// sure.
    pub precision: Option<f64>,
    /// Which rules to keep.
    pub pruning: Pruning,
    /// The linear learner lists all rules of up to this many pairs. Of more pairs it lists those that
    /// follow the answers best, and holds out one fold only.
    pub max_listed: usize,
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
        let mut costs = vec![0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
        // Numbers take ever more passes at large costs: on SICK 93 at cost 3 and 298 at 10, for a
        // Pearson of 0.714 and 0.716.
        if task == Task::Similarity {
            costs.retain(|cost| *cost <= 10.0);
        }
        Self {
            task,
            answers: AnswerOptions::default(),
            kernel: task.default_kernel().to_owned(),
            units: Units::default(),
            learner: KernelLearner::default(),
            spectrum: Spectrum::default(),
            costs,
            choice: CostChoice::Folds(10),
            measure: task.default_measure(),
            loss: linear::Loss::default(),
            balanced: task.is_balanced(),
            precision: None,
            pruning: Pruning { min_support: 2, max_rules: 100_000, examples: true },
            max_listed: MAX_ALL_RULES,
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
    resources.threads().run(|| train_from(dataset, options, resources, progress))?
}

fn train_from(
    dataset: &Dataset,
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
    let mut answers = Answers::of(dataset, options.task, &options.answers)?;
    let measure = options.measure.for_answers(&answers.response)?;
    let n_train = dataset.len();
    let dev = if let CostChoice::Dev(dev) = options.choice { Some(dev) } else { None };
    if let Some(dev) = dev {
        answers.extend(dev)?;
    }
    let groups = groups(dataset, dev, options)?;
    let mut symbols = Interner::new();
    let annotator = resources.annotator_for(options.units, expression.needs())?;
    let sets: Vec<&Dataset> = std::iter::once(dataset).chain(dev).collect();
    let pairs = annotate(&sets, &annotator, options.annotation, &mut symbols, progress)?;

    progress.report(Stage::Features, 0, 1)?;
    let expression = expression.learn(&pairs[..n_train], progress)?;
    let are_numbers = matches!(answers.given, Given::Numbers(_));
    let is_linear = options.learner.is_linear(&expression, pairs.len(), are_numbers);
    let mut splits = Splits::of(dataset, &answers, options.choice, options.seed)?;
    let targets = answers.heads(n_train);
    let is_large = is_linear && n_train > options.max_listed;
    if is_large {
        // One fold of so many pairs is enough to measure on. More would need rules of their own.
        splits = splits.first_only();
    }
    let chosen_by = is_large.then(|| ChosenBy::new(&targets, &splits));
    let recipe = Recipe {
        expression: &expression,
        is_linear,
        spectrum: options.spectrum,
        n_train,
        choose: chosen_by.as_ref().map(ChosenBy::answers),
    };
    let prepared = Prepared::new(&recipe, &pairs, progress)?;
    let problems = options.problems(&prepared, &targets, n_train, progress)?;

    progress.report(Stage::Search, 0, 1)?;
    if measure.ranks() {
        check_folds(&splits, &answers, &groups)?;
    }
    let by = |held_out: &HeadsHeldOut<'_>| measure.of_heads(held_out, &answers, &groups);
    let choice = choose(&problems, answers.len(), &splits, &by, options, progress)?;
    progress.report(Stage::Train, 0, 1)?;
    // Calibrate and report the machine as it will be saved, after pruning.
    let scores = match &prepared.listing {
        Some(listing) if !options.pruning.keeps_all() => {
            splits.pruned_scores(&problems, listing, choice.cost, options.pruning, progress)?
        }
        _ => choice.scores,
    };
    let as_saved = splits.mean(&scores, &by);
    let calibration = calibrated(&answers, &scores, &splits.held_out())?;
    let sure = thresholds(&answers, &scores, &splits.held_out(), &calibration, options.precision)?;
    let machines = fit_all(&prepared, &problems, n_train, choice.cost, progress)?;
    let header = Header {
        sure,
        kind: ModelKind::Kernel,
        learner: if is_linear { "linear" } else { "dual" }.to_owned(),
        cost: Some(choice.cost),
        search: choice.tried,
        measure: measure.name().to_owned(),
        held_out: Some(as_saved),
        folds: splits.about(),
        stop: why_all(&machines),
        ..header_of(dataset, options.task, &answers.first(n_train))
    };
    let data = TrainedOn { dataset, pairs: &pairs[..n_train], symbols: &symbols, listing: prepared.listing.as_ref() };
    let model = assemble(header, expression, &data, machines, calibration, options, resources, progress)?;
    progress.report(Stage::Train, 1, 1)?;
    Ok(model)
}

/// The answers that rules are chosen by, of the pairs that the first fold does not hold out.
struct ChosenBy {
    heads: Vec<Vec<f64>>,
    members: Vec<usize>,
}

impl ChosenBy {
    fn new(targets: &[HeadTarget], splits: &Splits) -> Self {
        let members = splits.split(0).0;
        Self { heads: targets.iter().map(|target| target.centred(&members)).collect(), members }
    }

    fn answers(&self) -> RuleAnswers<'_> {
        RuleAnswers { heads: &self.heads, members: &self.members }
    }
}

impl TrainOptions<'_> {
    /// One problem per head.
    pub(super) fn problems<'a>(
        &self,
        prepared: &'a Prepared,
        targets: &'a [HeadTarget],
        n_train: usize,
        progress: Progress<'_>,
    ) -> Result<Vec<Problem<'a>>> {
        let how = HowToFit { loss: self.loss, balanced: self.balanced, seed: self.seed };
        let members: Vec<usize> = (0..n_train).collect();
        targets.iter().map(|target| Problem::new(prepared, target, how, &members, progress)).collect()
    }
}

/// Fits every head on all training rows.
pub(super) fn fit_all(
    prepared: &Prepared,
    problems: &[Problem<'_>],
    n_train: usize,
    cost: f64,
    progress: Progress<'_>,
) -> Result<Vec<Fitted>> {
    let members: Vec<usize> = (0..n_train).collect();
    let fit = |problem: &Problem<'_>| {
        Ok(prepared.for_plain_rows(problem.fit(&members, cost, Exactness::KEPT, progress)?, n_train))
    };
    problems.par_iter().map(fit).collect::<Vec<Result<_>>>().into_iter().collect()
}

/// Why training stopped, for each head.
pub(super) fn why_all(machines: &[Fitted]) -> String {
    machines.iter().map(|machine| machine.stop.as_str()).collect::<Vec<_>>().join("; ")
}

/// What a kernel model was trained on.
pub(super) struct TrainedOn<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) pairs: &'a [Pair],
    pub(super) symbols: &'a Interner,
    pub(super) listing: Option<&'a RuleMatrix>,
}

/// Makes a model of fitted machines. A kernel machine whose rules can be listed is a linear machine
/// over those rules.
#[expect(clippy::too_many_arguments, reason = "everything that a model is made of")]
pub(super) fn assemble(
    header: Header,
    expression: Expression,
    data: &TrainedOn<'_>,
    machines: Vec<Fitted>,
    calibration: AnswerCalibration,
    options: &TrainOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<KernelModel> {
    let details = KernelDetails { kernel: options.kernel.trim().to_owned(), units: options.units, n_rules: [0, 0] };
    let ids: Vec<String> = data.dataset.rows.iter().map(|example| example.id.clone()).collect();
    let (coefficients, biases): (Vec<Vec<f64>>, Vec<f64>) =
        machines.into_iter().map(|machine| (machine.coefficients, machine.bias)).unzip();
    let trained = KernelTrained {
        about: About { header, details },
        expression,
        pairs: data.pairs,
        ids: &ids,
        symbols: data.symbols,
        coefficients: &coefficients,
        biases,
        calibration,
        relations: options.relations.clone(),
        resources,
    };
    match data.listing {
        Some(listing) => KernelModel::from_rules(trained, listing, options.pruning, progress),
        None => KernelModel::from_support(trained, progress),
    }
}

/// Calibrates answers on the head scores of these rows, each scored by machines that were not
/// trained on it.
pub(super) fn calibrated(answers: &Answers, scores: &[Vec<f64>], rows: &[usize]) -> Result<AnswerCalibration> {
    let scores: Vec<Vec<f64>> = scores.iter().map(|head| rows.iter().map(|&row| head[row]).collect()).collect();
    let sums = || -> Vec<f64> { (0..rows.len()).map(|at| scores.iter().map(|head| head[at]).sum()).collect() };
    match (&answers.given, &answers.response) {
        (Given::Labels(labels), _) => {
            let labels: Vec<bool> = rows.iter().map(|&row| labels[row]).collect();
            Ok(AnswerCalibration::Binary(Platt::fit(&scores[0], &labels)?))
        }
        (Given::Classes(classes), response) => {
            let classes: Vec<usize> = rows.iter().map(|&row| classes[row]).collect();
            match response {
                Response::Ordinal { levels } => {
                    Ok(AnswerCalibration::Ordinal(Ordinal::fit(&sums(), &classes, levels.len())?))
                }
                _ => Ok(AnswerCalibration::Categories(Softmax::fit(&scores, &classes)?)),
            }
        }
        (Given::Numbers(numbers), Response::Real { low, high }) => {
            let gold: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
            let values: Vec<f64> = sums().into_iter().map(|value| value.clamp(*low, *high)).collect();
            Ok(AnswerCalibration::Real {
                interval: PredictionInterval::fit(&values, &gold, COVERAGE)?,
                range: [*low, *high],
            })
        }
        (Given::Numbers(_), _) => Err(Error::machine("numbers for answers of another kind")),
    }
}

/// The share of held-out numbers that lie within the interval around a prediction.
const COVERAGE: f64 = 0.9;

/// Builds the header of a pair model from its data. Kind, learner and figures remain to be filled
/// in.
pub(super) fn header_of(dataset: &Dataset, task: Task, answers: &Answers) -> Header {
    Header {
        kind: ModelKind::Kernel,
        task: task.name().to_owned(),
        response: answers.response.clone(),
        learner: String::new(),
        data: dataset.file_name(),
        n_examples: answers.len(),
        counts: answers.counts(),
        cost: None,
        search: Vec::new(),
        measure: String::new(),
        held_out: None,
        folds: None,
        merged: answers.merged.clone(),
        sure: None,
        from: None,
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
fn check_folds(splits: &Splits, answers: &Answers, groups: &[usize]) -> Result<()> {
    let labels = answers.labels().unwrap_or_default();
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

/// The chosen cost and, at this cost, the scores of every head for every held-out row.
struct Choice {
    cost: f64,
    tried: Vec<Tried>,
    scores: Vec<Vec<f64>>,
}

fn choose(
    problems: &[Problem<'_>],
    n_rows: usize,
    splits: &Splits,
    measure: HeadsMeasure<'_>,
    options: &TrainOptions<'_>,
    progress: Progress<'_>,
) -> Result<Choice> {
    let costs = &options.costs;
    let fits: Vec<&dyn Fit> = problems.iter().map(Problem::as_fit).collect();
    if splits.is_whole() {
        let folds = splits.folds();
        let plan = HeadPlan { folds: &folds, costs, measure, rule: search::CostRule::default() };
        let found = search::search_heads(&fits, &plan, progress)?;
        let cost = found.cost();
        let tried = found.costs.iter().zip(&found.mean).zip(&found.fold_scores);
        let tried = tried.map(|((&cost, &mean), folds)| Tried { cost, mean, folds: folds.clone() }).collect();
        let scores = problems.iter().zip(found.held_out_scores);
        let scores = scores.map(|(problem, head)| head.iter().map(|score| score + problem.offset()).collect());
        return Ok(Choice { cost, tried, scores: scores.collect() });
    }
    let (train, rows) = splits.split(0);
    let mut tried = Vec::with_capacity(costs.len());
    let mut best: Option<(f64, f64, Vec<Vec<f64>>)> = None;
    let by_head = fits.iter().map(|fit| fit.scores(&train, &rows, costs, progress)).collect::<Result<Vec<_>>>()?;
    for (at, &cost) in costs.iter().enumerate() {
        let mut scores = vec![vec![0.0; n_rows]; fits.len()];
        for (head, problem) in problems.iter().enumerate() {
            let held_out = rows.iter().zip(&by_head[head][at]);
            held_out.for_each(|(&row, score)| scores[head][row] = score + problem.offset());
        }
        let mean = splits.mean(&scores, measure);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Columns;
    use resay_learn::rng::SplitMix;

    /// Pairs that say the same if no word was exchanged for "not".
    fn pairs(n: usize) -> Dataset {
        let mut random = SplitMix::new(7);
        let mut lines = "source\ttarget\tlabel\n".to_owned();
        for _ in 0..n {
            let words: Vec<String> = (0..6).map(|_| format!("w{}", random.below(40))).collect();
            let (mut other, label) = (words.clone(), random.below(2) == 0);
            other[random.below(6)] = if label { "too".to_owned() } else { "not".to_owned() };
            lines += &format!("{}\t{}\t{}\n", words.join(" "), other.join(" "), u8::from(label));
        }
        Dataset::from_reader("pairs.tsv", lines.as_bytes(), None, &Columns::default()).unwrap()
    }

    #[test]
    fn chosen_rules_are_as_good_as_all_where_few_decide() {
        let (dataset, resources) = (pairs(400), Resources::bundled());
        let trained = |max_listed: usize| {
            let options = TrainOptions {
                learner: KernelLearner::Linear,
                kernel: "kb(k=1..2)+pr+only(k=1)".to_owned(),
                max_listed,
                ..TrainOptions::new(Task::Paraphrase)
            };
            train(&dataset, &options, &resources, Progress::none()).unwrap()
        };
        let (all, chosen) = (trained(400), trained(399));
        let about = |model: &KernelModel| model.about().header.folds.clone().unwrap();
        assert_eq!((about(&all).n_used, about(&chosen).n_used), (None, Some(1)));
        for model in [&all, &chosen] {
            let held_out = model.about().header.held_out.unwrap();
            assert!(held_out > 0.95, "{held_out}");
        }
    }
}
