//! Trains a [`LatentModel`] on labelled pairs: decisions over latent alignments.
//!
//! The cost is chosen and the probabilities are calibrated on held-out rows before the final
//! training begins. The model can thus be saved after every iteration, and interrupted training
//! leaves the last good model.

use super::Task;
use super::annotate::AnnotationSource;
use super::answers::{AnswerOptions, Answers, Given};
use super::kernel::{CostChoice, calibrated, header_of};
use super::measure::Measure;
use super::splits::{HeadsMeasure, Splits};
use super::sure::thresholds;
use crate::data::Dataset;
use crate::latent::sentences::{AlignmentConstraints, OwnParts, SentencePairs, SentenceScratch, Setup, Shape};
use crate::latent::{self, LatentMachine, LatentParams};
use crate::model::{
    About, AnswerCalibration, Header, LATENT_LAYERS, LatentDetails, LatentModel, LatentTrained, ModelKind, Response,
    Tried, pair_context,
};
use crate::pair::{Annotated, PairContext, PairView, check_size};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::search::{HeadsHeldOut, HeldOut};
use resay_text::{EnglishScratch, Layers};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How alignment and decision are trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Staging {
    /// Alignment and decision jointly.
    #[default]
    Joint,
    /// The decision only, over fixed alignments based on word similarity.
    TwoStage,
}

impl Staging {
    /// Returns the name used on the command line and in models.
    pub fn name(self) -> &'static str {
        match self {
            Self::Joint => "latent",
            Self::TwoStage => "two-stage",
        }
    }
}

/// Training options.
#[derive(Clone, Debug)]
pub struct LatentOptions<'a> {
    /// The task: paraphrase, entailment, or pair, which is treated like paraphrase.
    pub task: Task,
    /// How to read the labels.
    pub answers: AnswerOptions,
    /// How alignment and decision are trained.
    pub staging: Staging,
    /// Costs (1 / lambda) to choose from, ascending. A single cost is used as it is.
    pub costs: Vec<f64>,
    /// The data on which to choose the cost and calibrate.
    pub choice: CostChoice<'a>,
    /// The measure to maximise.
    pub measure: Measure,
    /// The share of right answers from which on the model is sure of a label.
    pub precision: Option<f64>,
    /// The source of annotation, for files that contain some.
    pub annotation: AnnotationSource,
    /// What the user says about links, in training and in use.
    pub constraints: AlignmentConstraints,
    /// Solver parameters; lambda and seed are ignored.
    pub params: LatentParams,
    /// Seed for folds and visiting order.
    pub seed: u64,
}

impl LatentOptions<'_> {
    /// Returns the defaults of a task.
    pub fn new(task: Task) -> Self {
        Self {
            task,
            answers: AnswerOptions::default(),
            staging: Staging::default(),
            costs: vec![if shape(task) == Shape::Both { 1.0 / 2000.0 } else { 1.0 / 300.0 }],
            choice: CostChoice::Folds(3),
            measure: Measure::Accuracy,
            precision: None,
            annotation: AnnotationSource::Text,
            constraints: AlignmentConstraints::default(),
            params: LatentParams { tolerance: 1e-3, improvement: 1e-4, ..LatentParams::default() },
            seed: 1,
        }
    }
}

impl LatentOptions<'_> {
    /// Returns the solver parameters for a cost.
    pub fn at(&self, cost: f64) -> LatentParams {
        LatentParams { lambda: 1.0 / cost, seed: self.seed, ..self.params }
    }
}

/// Returns how the pairs of a task are aligned.
pub(super) fn shape(task: Task) -> Shape {
    if task == Task::Entailment { Shape::Target } else { Shape::Both }
}

/// Annotates pairs of texts with these layers, in parallel; results are in order. A text of several
/// sentences is treated as one.
pub fn annotate_pairs(
    dataset: &Dataset,
    layers: Layers,
    annotation: AnnotationSource,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<Vec<[Annotated; 2]>> {
    let english = resources.english(layers)?;
    let annotate = |scratch: &mut EnglishScratch, idx: usize| {
        progress.check()?;
        let example = &dataset.rows[idx];
        let given = example.analyses.as_deref();
        let pair = match given {
            Some(given) if annotation == AnnotationSource::File => {
                let mut both = given.clone();
                english.fill_all(&mut both, scratch);
                both
            }
            _ => [&example.source, &example.target].map(|text| english.text(text, scratch)),
        };
        check_size([&pair[0], &pair[1]]).map_err(|message| dataset.error(idx, message))?;
        Ok(pair.map(Annotated::given))
    };
    let run = || (0..dataset.len()).into_par_iter().map_init(EnglishScratch::default, annotate).collect();
    resources.threads().run(run)?
}

/// The features of all pairs, for training on any subset of them.
#[derive(Debug)]
pub struct Learning {
    pub(super) problem: SentencePairs,
    heuristic: Vec<f64>,
}

impl Learning {
    /// Extracts the features of all pairs in one pass.
    pub fn new(
        pairs: &[[Annotated; 2]],
        labels: Vec<bool>,
        task: Task,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Self> {
        Self::under(&AlignmentConstraints::default(), pairs, labels, task, resources, progress)
    }

    /// Like [`Learning::new`], with alignments under constraints.
    pub fn under(
        constraints: &AlignmentConstraints,
        pairs: &[[Annotated; 2]],
        labels: Vec<bool>,
        task: Task,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let setup = Setup { shape: shape(task), constraints };
        Ok(Self::beside(setup, pairs, labels, resources, progress, |_| Ok(()))?.0)
    }

    /// Like [`Learning::new`], and also evaluates `ask` on every pair in the same pass.
    pub(super) fn beside<R: Send>(
        setup: Setup<'_>,
        pairs: &[[Annotated; 2]],
        labels: Vec<bool>,
        resources: &Resources,
        progress: Progress<'_>,
        ask: impl Fn(&PairView<'_>) -> Result<R> + Sync,
    ) -> Result<(Self, Vec<R>)> {
        let known = SentencePairs::labels_of(pairs.iter().flatten().map(|text| &**text.analysis()));
        let look = |context: &mut PairContext, pair: &[Annotated; 2]| -> Result<(OwnParts, R)> {
            progress.check()?;
            let view = PairView::new(context, &pair[0], &pair[1]);
            let own = OwnParts::new(view.analyses(), view.words()?, view.lexicon()?, setup, &known)?;
            Ok((own, ask(&view)?))
        };
        let begin = || pair_context(resources);
        let looked = pairs.par_iter().map_init(begin, look).collect::<Result<Vec<_>>>()?;
        let (own, answers): (Vec<OwnParts>, Vec<R>) = looked.into_iter().unzip();
        let problem = SentencePairs::join(known, own, labels, setup.shape, progress)?;
        let heuristic = SentencePairs::heuristic(problem.catalogue());
        Ok((Self { problem, heuristic }, answers))
    }

    /// Trains on these rows.
    pub fn fit(
        &self,
        rows: &[usize],
        staging: Staging,
        params: &LatentParams,
        progress: Progress<'_>,
        watch: &mut dyn FnMut(latent::LatentStage<'_>) -> Result<()>,
    ) -> Result<LatentMachine> {
        self.fit_labels(self.problem.labels(), rows, staging, params, progress, watch)
    }

    /// Trains on these rows with other labels than those of the pairs: those of one head.
    pub(super) fn fit_labels(
        &self,
        labels: &[bool],
        rows: &[usize],
        staging: Staging,
        params: &LatentParams,
        progress: Progress<'_>,
        watch: &mut dyn FnMut(latent::LatentStage<'_>) -> Result<()>,
    ) -> Result<LatentMachine> {
        let problem = self.problem.labelled(labels);
        let first = latent::two_stage(&problem, rows, &self.heuristic, params, progress)?;
        match staging {
            Staging::TwoStage => Ok(first),
            Staging::Joint => latent::learn(&problem, rows, &first.weights, params, progress, watch),
        }
    }

    /// Returns the weights used to infer alignments, if they differ from those of the decision.
    fn inference(&self, staging: Staging) -> Option<&[f64]> {
        (staging == Staging::TwoStage).then_some(&self.heuristic[..])
    }

    /// Scores these rows.
    pub fn scores(
        &self,
        rows: &[usize],
        staging: Staging,
        weights: &[f64],
        progress: Progress<'_>,
    ) -> Result<Vec<f64>> {
        let inference = self.inference(staging).unwrap_or(weights);
        let score = |scratch: &mut SentenceScratch, row: &usize| {
            progress.check()?;
            let choice = self.problem.best(*row, inference, scratch)?;
            Ok(self.problem.pairs()[*row].score(&choice.active, weights))
        };
        rows.par_iter().map_init(SentenceScratch::default, score).collect()
    }
}

/// Rejects costs that are not finite and positive.
pub(super) fn check_costs(costs: &[f64]) -> Result<()> {
    let is_good = |cost: &f64| cost.is_finite() && *cost > 0.0;
    match costs.iter().find(|cost| !is_good(cost)) {
        Some(cost) => Err(Error::parameter(format!("a cost of {cost}, expected a finite number above 0"))),
        None if costs.is_empty() => Err(Error::parameter("no costs to choose from, expected at least one")),
        None => Ok(()),
    }
}

/// Trains a model. During the final training, `checkpoint` receives the current model after every
/// iteration.
pub fn train_latent(
    dataset: &Dataset,
    options: &LatentOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
    checkpoint: &mut (dyn FnMut(&LatentTrained) -> Result<()> + Send),
) -> Result<LatentModel> {
    resources.threads().run(|| learn_latent(dataset, options, resources, progress, checkpoint))?
}

fn learn_latent(
    dataset: &Dataset,
    options: &LatentOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
    checkpoint: &mut dyn FnMut(&LatentTrained) -> Result<()>,
) -> Result<LatentModel> {
    if !matches!(options.task, Task::Paraphrase | Task::Entailment | Task::Similarity | Task::Pair) {
        let message =
            format!("task {} has no latent alignment, expected paraphrase, entailment or pair", options.task.name());
        return Err(Error::parameter(message));
    }
    check_costs(&options.costs)?;
    let mut answers = Answers::of(dataset, options.task, &options.answers)?;
    if matches!(answers.response, Response::Real { .. }) {
        return Err(Error::parameter(
            "a latent alignment is the one that speaks most for yes, so it can decide about labels and levels but not \
             predict numbers: use another learner, or cut the numbers into levels",
        ));
    }
    let measure = options.measure.for_answers(&answers.response)?;
    let n_train = dataset.len();
    let dev = if let CostChoice::Dev(dev) = options.choice { Some(dev) } else { None };
    if let Some(dev) = dev {
        answers.extend(dev)?;
    }
    let splits = Splits::of(dataset, &answers, options.choice, options.seed)?;
    progress.report(Stage::Annotate, 0, answers.len())?;
    let mut pairs = annotate_pairs(dataset, LATENT_LAYERS, options.annotation, resources, progress)?;
    if let Some(dev) = dev {
        pairs.extend(annotate_pairs(dev, LATENT_LAYERS, options.annotation, resources, progress)?);
    }
    progress.report(Stage::Features, 0, 1)?;
    let heads = steps(&answers);
    let labels = vec![false; pairs.len()];
    let learning = Learning::under(&options.constraints, &pairs, labels, options.task, resources, progress)?;
    drop(pairs);
    let by = |held_out: &HeadsHeldOut<'_>| measure.of_heads(held_out, &answers, &[]);
    let found = search_heads(&learning, &heads, &splits, &by, options, progress)?;
    let calibration = calibrated(&answers, &found.scores, &splits.held_out())?;

    let sure = thresholds(&answers, &found.scores, &splits.held_out(), &calibration, options.precision)?;
    let params = options.at(found.cost);
    let mut trained = found.begin(&learning, dataset, &answers.first(n_train), options, calibration);
    trained.about.header.measure = measure.name().to_owned();
    trained.about.header.folds = splits.about();
    trained.about.header.sure = sure;
    let rows: Vec<usize> = (0..n_train).collect();
    progress.report(Stage::Train, 0, params.max_iterations)?;
    trained.weights = vec![vec![0.0; learning.problem.n_features()]; heads.len()];
    let mut machines = Vec::with_capacity(heads.len());
    for (head, labels) in heads.iter().enumerate() {
        machines.push(learning.fit_labels(labels, &rows, options.staging, &params, progress, &mut |stage| {
            if let latent::LatentStage::Step(_, step, weights) = stage {
                trained.about.details.objectives.push(step.objective);
                trained.weights[head] = weights.to_vec();
                // A model with a head that was not trained yet decides nothing.
                if head + 1 == heads.len() {
                    checkpoint(&trained)?;
                }
            }
            Ok(())
        })?);
    }
    progress.report(Stage::Train, params.max_iterations, params.max_iterations)?;
    Ok(LatentModel::new(ended(trained, machines), resources))
}

/// What the latent model of an ensemble answers: the same, but whether a number is high or low.
pub(super) fn base_answers(answers: &Answers) -> Answers {
    if !matches!(answers.response, Response::Real { .. }) {
        return answers.clone();
    }
    let given = Given::Labels(steps(answers).concat());
    let response = Response::Binary { labels: ["low".to_owned(), "high".to_owned()] };
    Answers { response, given, merged: Vec::new() }
}

/// What each head of a latent model learns: yes or no, one class against the others, or whether a
/// level is reached. Numbers are cut in half.
pub(super) fn steps(answers: &Answers) -> Vec<Vec<bool>> {
    match (&answers.given, &answers.response) {
        (Given::Labels(labels), _) => vec![labels.clone()],
        (Given::Classes(levels), Response::Ordinal { levels: names }) => {
            (1..names.len()).map(|step| levels.iter().map(|&level| level >= step).collect()).collect()
        }
        (Given::Classes(classes), response) => {
            (0..response.labels().len()).map(|class| classes.iter().map(|&other| other == class).collect()).collect()
        }
        (Given::Numbers(numbers), _) => {
            let mut sorted = numbers.clone();
            sorted.sort_by(f64::total_cmp);
            let median = sorted[sorted.len() / 2];
            vec![numbers.iter().map(|number| *number >= median).collect()]
        }
    }
}

/// Completes a model with the results of training. The objectives are those of all heads, one after
/// the other.
pub(super) fn ended(mut trained: LatentTrained, machines: Vec<LatentMachine>) -> LatentTrained {
    trained.about.details.objectives = machines.iter().flat_map(LatentMachine::objectives).collect();
    trained.about.details.gap = machines.iter().map(LatentMachine::gap).fold(0.0, f64::max);
    trained.about.header.stop = machines.iter().map(LatentMachine::ended).collect::<Vec<_>>().join("; ");
    trained.weights = machines.into_iter().map(|machine| machine.weights).collect();
    trained
}

/// Chooses the cost on held-out folds of the first rows, which are those of the data set.
pub fn choose(
    learning: &Learning,
    dataset: &Dataset,
    labels: &[bool],
    options: &LatentOptions<'_>,
    progress: Progress<'_>,
) -> Result<LatentSearch> {
    let response = Response::Binary { labels: ["0".to_owned(), "1".to_owned()] };
    let answers = Answers { response, given: Given::Labels(labels[..dataset.len()].to_vec()), merged: Vec::new() };
    let splits = Splits::of(dataset, &answers, options.choice, options.seed)?;
    let by = |held_out: &HeadsHeldOut<'_>| options.measure.of_heads(held_out, &answers, &[]);
    search_heads(learning, &[labels.to_vec()], &splits, &by, options, progress)
}

/// The result of the search for a cost.
#[derive(Debug)]
pub struct LatentSearch {
    /// The chosen cost.
    pub cost: f64,
    pub(super) tried: Vec<Tried>,
    /// The mean of the measure over held-out folds at the chosen cost.
    pub held_out: f64,
    /// The scores of every head for every held-out row at the chosen cost.
    pub(super) scores: Vec<Vec<f64>>,
}

impl LatentSearch {
    /// Builds a model that is complete except for the results of the training to come.
    pub(super) fn begin(
        self,
        learning: &Learning,
        dataset: &Dataset,
        answers: &Answers,
        options: &LatentOptions<'_>,
        calibration: AnswerCalibration,
    ) -> LatentTrained {
        let header = Header {
            kind: ModelKind::Latent,
            learner: options.staging.name().to_owned(),
            cost: Some(self.cost),
            search: self.tried,
            measure: options.measure.name().to_owned(),
            held_out: Some(self.held_out),
            stop: "interrupted".to_owned(),
            ..header_of(dataset, options.task, answers)
        };
        let details = LatentDetails {
            shape: shape(options.task),
            n_features: learning.problem.n_features(),
            objectives: Vec::new(),
            gap: 0.0,
            constraints: options.constraints.clone(),
        };
        let about = About { header, details };
        LatentTrained {
            about,
            catalogue: learning.problem.catalogue().clone(),
            weights: Vec::new(),
            inference: learning.inference(options.staging).map(<[f64]>::to_vec),
            calibration,
        }
    }
}

/// Finds the best cost of all heads on held-out rows.
pub(super) fn search_heads(
    learning: &Learning,
    heads: &[Vec<bool>],
    splits: &Splits,
    measure: HeadsMeasure<'_>,
    options: &LatentOptions<'_>,
    progress: Progress<'_>,
) -> Result<LatentSearch> {
    search_head_costs(&options.costs, heads.len(), measure, splits, progress, |cost, head, train, rows| {
        let (staging, params) = (options.staging, options.at(cost));
        let machine = learning.fit_labels(&heads[head], train, staging, &params, progress.quiet(), &mut |_| Ok(()))?;
        learning.scores(rows, staging, &machine.weights, progress)
    })
}

/// Finds the best cost of one machine of yes or no. `held_out(cost, train, rows)` trains at a cost
/// on `train` and scores `rows`.
pub(super) fn search_costs(
    costs: &[f64],
    measure: Measure,
    labels: &[bool],
    splits: &Splits,
    progress: Progress<'_>,
    held_out: impl Fn(f64, &[usize], &[usize]) -> Result<Vec<f64>> + Sync,
) -> Result<LatentSearch> {
    let by = |found: &HeadsHeldOut<'_>| {
        let labels: Vec<bool> = found.rows.iter().map(|&row| labels[row]).collect();
        measure.of(&HeldOut { rows: found.rows, scores: found.scores[0], labels: &labels }, &[])
    };
    search_head_costs(costs, 1, &by, splits, progress, |cost, _, train, rows| held_out(cost, train, rows))
}

/// Finds the best cost on held-out rows. `held_out(cost, head, train, rows)` trains a head at a
/// cost on `train` and scores `rows`.
fn search_head_costs(
    costs: &[f64],
    n_heads: usize,
    measure: HeadsMeasure<'_>,
    splits: &Splits,
    progress: Progress<'_>,
    held_out: impl Fn(f64, usize, &[usize], &[usize]) -> Result<Vec<f64>> + Sync,
) -> Result<LatentSearch> {
    let n_folds = splits.n_folds();
    let total = n_folds * n_heads * costs.len();
    let mut best: Option<LatentSearch> = None;
    let mut tried: Vec<Tried> = Vec::new();
    let done = AtomicUsize::new(0);
    progress.report(Stage::Search, 0, total)?;
    for &cost in costs {
        let of_fold = |(fold, head): (usize, usize)| {
            let (train, rows) = splits.split(fold);
            let scores = held_out(cost, head, &train, &rows)?;
            progress.report(Stage::Search, 1 + done.fetch_add(1, Ordering::Relaxed), total)?;
            Ok(scores)
        };
        // Folds and heads run in parallel: their slowest part, the convex problem, is
        // single-threaded.
        let jobs: Vec<(usize, usize)> =
            (0..n_folds).flat_map(|fold| (0..n_heads).map(move |head| (fold, head))).collect();
        let found = jobs.into_par_iter().map(of_fold).collect::<Result<Vec<_>>>()?;
        let mut scores = vec![vec![0.0; splits.len()]; n_heads];
        let mut folds = Vec::with_capacity(n_folds);
        for (fold, of_heads) in found.chunks(n_heads.max(1)).enumerate() {
            for (row, at) in splits.split(fold).1.into_iter().zip(0..) {
                let at: usize = at;
                scores.iter_mut().zip(of_heads).for_each(|(head, found)| head[row] = found[at]);
            }
            // Rows that are not evaluated come last.
            let measured = splits.measured(fold);
            let of_heads: Vec<&[f64]> = of_heads.iter().map(|found| &found[..measured.len()]).collect();
            folds.push(measure(&HeadsHeldOut { rows: &measured, scores: &of_heads }));
        }
        let mean = folds.iter().sum::<f64>() / n_folds.max(1) as f64;
        tried.push(Tried { cost, mean, folds });
        // On ties, prefer the smallest cost, which gives the simplest machine.
        if best.as_ref().is_none_or(|best| mean > best.held_out + 1e-12) {
            best = Some(LatentSearch { cost, tried: Vec::new(), held_out: mean, scores });
        }
    }
    let found = best.ok_or_else(|| Error::parameter("no costs to choose from, expected at least one"))?;
    Ok(LatentSearch { tried, ..found })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::Columns;
    use crate::model::{AnyModel, Decision, LatentAbout, PairModel};
    use resay_learn::progress::Step;
    use std::sync::Mutex;

    const WHO: [&str; 4] = ["Anna", "the baker", "Omar", "my brother"];
    const DID: [[&str; 2]; 3] = [["bought", "purchased"], ["mended", "repaired"], ["began", "started"]];
    const WHAT: [&str; 4] = ["boat", "piano", "gate", "radio"];

    /// Every other pair is a paraphrase; the rest change the agent or negate the sentence.
    pub(in crate::train) fn pairs(n: usize, first: usize) -> Dataset {
        let mut table = "source\ttarget\tlabel\n".to_owned();
        for row in first..first + n {
            let (who, [did, other], what) = (WHO[row % 4], DID[(row / 2) % 3], WHAT[(row / 3) % 4]);
            let target = match row % 4 {
                0 | 2 => format!("{who} {other} the {what}."),
                1 => format!("{} {other} the {what}.", WHO[(row + 1) % 4]),
                _ => format!("{who} never {other} the {what}."),
            };
            table.push_str(&format!("{who} {did} the {what}.\t{target}\t{}\n", (row + 1) % 2));
        }
        Dataset::from_reader("folder/pairs.tsv", table.as_bytes(), None, &Columns::default()).unwrap()
    }

    fn options(task: Task, staging: Staging) -> LatentOptions<'static> {
        LatentOptions { staging, costs: vec![0.01, 0.1], choice: CostChoice::Folds(2), ..LatentOptions::new(task) }
    }

    fn train(options: &LatentOptions<'_>) -> LatentModel {
        train_latent(&pairs(24, 0), options, &Resources::bundled(), Progress::none(), &mut |_| Ok(())).unwrap()
    }

    fn decisions(model: &dyn PairModel, dataset: &Dataset) -> Vec<Decision> {
        let predictions = model.predict(&dataset.rows, |pair| (&pair.source, &pair.target), Progress::none()).unwrap();
        predictions.into_iter().map(|prediction| prediction.unwrap().decision().unwrap()).collect()
    }

    fn n_right(model: &LatentModel, dataset: &Dataset) -> usize {
        let labels = dataset.labels_binary().unwrap();
        decisions(model, dataset).iter().zip(labels).filter(|(decision, label)| decision.label == *label).count()
    }

    #[test]
    fn a_model_is_learned_and_saved_after_every_iteration() {
        let seen = Mutex::new(Vec::new());
        let mut checkpoints = Vec::new();
        let options = options(Task::Paraphrase, Staging::Joint);
        let report = |step: Step<'_>| seen.lock().unwrap().push((step.stage, step.done, step.total));
        let (resources, progress) = (Resources::bundled(), Progress::new(&report));
        let model = train_latent(&pairs(24, 0), &options, &resources, progress, &mut |trained| {
            checkpoints.push(trained.clone());
            Ok(())
        })
        .unwrap();
        let seen = seen.into_inner().unwrap();
        assert!(seen.contains(&(Stage::Search, 4, 4)) && seen.contains(&(Stage::Annotate, 0, 24)), "{seen:?}");
        let LatentAbout { header, details } = model.about();
        assert_eq!((header.n_examples, &header.counts[..], &header.data[..]), (24, &[12, 12][..], "pairs.tsv"));
        assert_eq!((header.kind, header.n_positive()), (ModelKind::Latent, 12));
        assert_eq!((header.search.len(), header.search[0].folds.len(), &header.stop[..]), (2, 2, "converged"));
        assert!(details.objectives.len() >= 2, "{details:?}");
        assert!(details.objectives.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{details:?}");
        assert!(details.gap <= options.params.tolerance, "{details:?}");
        // The last checkpoint equals the model, except for how training stopped.
        let last = checkpoints.last().unwrap();
        let LatentAbout { header: last_header, details: last_details } = &last.about;
        assert_eq!((&last_header.stop[..], &last_details.objectives), ("interrupted", &details.objectives));
        let last = LatentModel::new(last.clone(), &resources);
        let test = pairs(16, 100);
        assert_eq!(n_right(&last, &test), n_right(&model, &test));
        assert!(n_right(&model, &pairs(24, 0)) >= 22 && n_right(&model, &test) >= 12, "{}", n_right(&model, &test));
        assert_eq!(train(&options).to_bytes().unwrap(), model.to_bytes().unwrap(), "the same data and options");
    }

    #[test]
    fn an_interrupted_training_leaves_the_last_model() {
        let path = std::env::temp_dir().join(format!("resay-latent-{}.resay", std::process::id()));
        let mut n_saved = 0;
        let options = LatentOptions { costs: vec![0.1], ..options(Task::Paraphrase, Staging::Joint) };
        let resources = Resources::bundled();
        let result = train_latent(&pairs(24, 0), &options, &resources, Progress::none(), &mut |trained| {
            if n_saved == 1 {
                return Err(Error::data("interrupted"));
            }
            n_saved += 1;
            trained.save(&path)
        });
        let error = result.map(|_| ()).unwrap_err().to_string();
        let opened = AnyModel::open(&path, &resources);
        std::fs::remove_file(&path).unwrap();
        assert!(error.contains("interrupted") && n_saved == 1, "{error}");
        let Ok(AnyModel::Latent(model)) = opened else { panic!("no model over latent alignments") };
        let LatentAbout { header, details } = model.about();
        assert_eq!((&header.stop[..], details.objectives.len()), ("interrupted", 1));
        let model: &dyn PairModel = &*model;
        let prediction = model.predict_one("Anna bought the boat.", "Anna purchased the boat.").unwrap();
        assert!(prediction.decision().unwrap().score.is_finite());
    }

    #[test]
    fn two_stages_keep_what_alignments_are_found_by() {
        let model = train(&options(Task::Entailment, Staging::TwoStage));
        let LatentAbout { header, details } = model.about();
        assert_eq!((&header.learner[..], details.shape), ("two-stage", Shape::Target));
        let again = LatentModel::from_bytes("m.resay", &model.to_bytes().unwrap(), &Resources::bundled()).unwrap();
        let test = pairs(8, 200);
        assert_eq!(decisions(&again, &test), decisions(&model, &test));
    }

    #[test]
    fn pairs_of_their_own_choose_the_cost() {
        let dev = pairs(8, 50);
        let options = LatentOptions { choice: CostChoice::Dev(&dev), ..options(Task::Pair, Staging::Joint) };
        let model = train(&options);
        let LatentAbout { header, details } = model.about();
        assert_eq!(header.search.iter().map(|tried| tried.folds.len()).collect::<Vec<_>>(), [1, 1]);
        assert_eq!((header.n_examples, details.shape), (24, Shape::Both));
    }

    #[test]
    fn what_cannot_be_learned_is_refused() {
        let check = |dataset: &Dataset, options: &LatentOptions<'_>, expected: &str| {
            let result = train_latent(dataset, options, &Resources::bundled(), Progress::none(), &mut |_| Ok(()));
            let error = result.map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let good = options(Task::Paraphrase, Staging::Joint);
        for task in [Task::Answers, Task::Topics, Task::Names, Task::Align] {
            check(&pairs(8, 0), &LatentOptions { task, ..good.clone() }, "has no latent alignment");
        }
        check(&pairs(8, 0), &LatentOptions { costs: vec![], ..good.clone() }, "no costs");
        check(&pairs(8, 0), &LatentOptions { costs: vec![-1.0], ..good.clone() }, "a cost of -1");
        check(&pairs(8, 0), &LatentOptions { choice: CostChoice::Folds(1), ..good.clone() }, "folds");
        let mut long = pairs(8, 0);
        [long.rows[2].source, long.rows[2].target] = ["word ".repeat(1001), "word ".repeat(1000)];
        check(&long, &good, "folder/pairs.tsv:4: 1001 and 1000 words are too many to align");
    }
}
