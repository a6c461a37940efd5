//! Trains an [`Ensemble`] on labelled pairs.
//!
//! The base models are trained by cross-fitting: for each fold, they are trained on the other folds
//! and score the held-out one. The scorer on top thus learns how far to trust the base models from
//! scores of pairs they were not trained on. Afterwards both are trained on all data. The costs of
//! the base models are fixed; the scorer's cost is chosen on the same folds.
//!
//! Two kinds of rows are used to train the scorer only, and never to evaluate it. Contrast training
//! pairs differ in one respect each; the rule models would memorise such short texts. Unrelated
//! pairs combine the source of one pair with the target of another from the same fold. Corpora
//! contain only pairs that somebody found similar, so the scorer needs these to learn how to score
//! texts that have nothing in common.

mod machine;

use self::machine::{Examples, Machine};
use super::Task;
use super::annotate::{AnnotationSource, symbols_of};
use super::answers::{AnswerOptions, Answers};
use super::kernel::{CostChoice, TrainOptions, TrainedOn, assemble, calibrated, fit_all, header_of, why_all};
use super::latent::{self, LatentOptions, Learning, Staging, annotate_pairs};
use super::learner::{KernelLearner, Prepared, Recipe};
use super::measure::Measure;
use super::splits::Splits;
use super::sure::thresholds;
use crate::data::Dataset;
use crate::features::{self, Wanted};
use crate::id::{BaseModel, EnsembleInput};
use crate::kernel::Expression;
use crate::latent::sentences::{AlignmentConstraints, Setup};
use crate::model::{
    About, BaseAbout, Ensemble, EnsembleDetails, EnsembleTrained, Header, KernelModel, ModelKind, Pruning, Response,
    ensemble_inputs,
};
use crate::pair::{Annotated, PairView};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::latent::LatentParams;
use resay_learn::progress::{Progress, Stage};
use resay_learn::rng::SplitMix;
use resay_learn::svm::search::HeadsHeldOut;
use resay_text::{Interner, Layers};

/// Rules whose words match their synonyms, and whose variables match related words. Synonyms are
/// those of the most frequent sense: in all senses, unrelated rules match.
const TYPED: &str = "tesrk(k=1..3,pattern=stem:synonym1,variable=stem:synonym1:hypernym:hyponym,psd=classes)+pr";

/// The same for questions and candidates. Here words inside named entities of the same type match,
/// too.
const TYPED_ANSWERS: &str = "tesrk(k=1..3,pattern=stem,variable=stem:synonym:hypernym:hyponym:ne,psd=classes)+idf";

/// How exactly latent alignments are learned whose score is one input of many. On 15,000 mixed pairs
/// a tenth of the usual exactness saved a third of the time and moved held-out accuracy from 0.8969
/// to 0.8963, a ninth of its spread over folds.
const AS_INPUT: LatentParams = LatentParams { tolerance: 1e-2, improvement: 1e-3, ..LatentParams::PAPER };

/// Training options.
#[derive(Clone, Debug)]
pub struct CombinedOptions {
    /// The task: paraphrase, entailment, answers, or similarity and pair, which are treated like
    /// paraphrase.
    pub task: Task,
    /// How to read the labels.
    pub answers: AnswerOptions,
    /// Costs to choose from, ascending. A single cost is used as it is.
    pub costs: Vec<f64>,
    /// Number of cross-validation folds.
    pub folds: usize,
    /// The measure to maximise.
    pub measure: Measure,
    /// The kernel of the rewriting rules, and the cost of its machine.
    pub rules: (String, f64),
    /// The kernel of the typed rules, and the cost of its machine.
    pub typed: (String, f64),
    /// The share of right answers from which on the model is sure of a label.
    pub precision: Option<f64>,
    /// Number of unrelated pairs, as a fraction of all pairs.
    pub strangers: f64,
    /// Maximum number of rules to keep.
    pub max_rules: usize,
    /// Seed for folds and visiting order.
    pub seed: u64,
}

impl CombinedOptions {
    /// Returns the defaults of a task. The costs of the rule models were the best on folds of the
    /// corpora.
    pub fn new(task: Task) -> Self {
        let (rules, typed, cost) = match task {
            Task::Answers => (task.default_kernel(), TYPED_ANSWERS, 1.0),
            Task::Entailment => (task.default_kernel(), TYPED, 1.0),
            _ => (task.default_kernel(), TYPED, 3.0),
        };
        Self {
            task,
            answers: AnswerOptions::default(),
            costs: vec![0.001, 0.002, 0.005, 0.01, 0.02, 0.05],
            folds: 5,
            measure: task.default_measure(),
            rules: (rules.to_owned(), cost),
            typed: (typed.to_owned(), cost),
            precision: None,
            // A question's candidates already include unrelated texts.
            strangers: if task == Task::Answers { 0.0 } else { 0.1 },
            max_rules: 50_000,
            seed: 1,
        }
    }

    fn of_rules(&self, (kernel, cost): &(String, f64)) -> TrainOptions<'_> {
        TrainOptions {
            kernel: kernel.clone(),
            learner: KernelLearner::Auto,
            costs: vec![*cost],
            choice: CostChoice::Folds(2),
            pruning: Pruning { min_support: 2, max_rules: self.max_rules, examples: false },
            seed: self.seed,
            ..TrainOptions::new(self.task)
        }
    }
}

/// Trains a model. `contrast` holds contrast training pairs, which only the scorer is trained on.
pub fn train_combined(
    dataset: &Dataset,
    contrast: Option<&Dataset>,
    options: &CombinedOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<Ensemble> {
    resources.threads().run(|| learn_combined(dataset, contrast, options, resources, progress))?
}

fn learn_combined(
    dataset: &Dataset,
    contrast: Option<&Dataset>,
    options: &CombinedOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<Ensemble> {
    let tasks = [Task::Paraphrase, Task::Entailment, Task::Similarity, Task::Pair, Task::Answers];
    if !tasks.contains(&options.task) {
        let (name, tasks) = (options.task.name(), tasks.map(Task::name).join(", "));
        let message = format!("task {name} has no combined judge, expected one of: {tasks}");
        return Err(Error::parameter(message));
    }
    latent::check_costs(&options.costs)?;
    let known = dataset.len();
    let mut answers = Answers::of(dataset, options.task, &options.answers)?;
    let measure = options.measure.for_answers(&answers.response)?;
    let groups = if measure.ranks() { dataset.ranking_groups()? } else { Vec::new() };
    let splits = Splits::of(dataset, &answers, CostChoice::Folds(options.folds), options.seed)?;
    let n_folds = splits.n_folds();
    let mut splits = splits;
    if let Some(contrast) = contrast {
        answers.extend(contrast)?;
        splits = splits.with_others((0..contrast.len()).map(|row| row % n_folds));
    }
    let strangers = match answers.of_strangers() {
        Some(stranger) => {
            let strangers = strangers(&splits.folds()[..known], options);
            splits = splits.with_others(strangers.iter().map(|stranger| stranger.fold));
            answers.repeat(&stranger, strangers.len());
            strangers
        }
        None => Vec::new(),
    };

    progress.report(Stage::Annotate, 0, answers.len())?;
    let annotate =
        |dataset: &Dataset| annotate_pairs(dataset, Layers::ALL, AnnotationSource::Text, resources, progress);
    let mut pairs = annotate(dataset)?;
    if let Some(contrast) = contrast {
        pairs.extend(annotate(contrast)?);
    }
    for stranger in &strangers {
        pairs.push([pairs[stranger.source][0].clone(), pairs[stranger.target][1].clone()]);
    }
    progress.report(Stage::Features, 0, 1)?;
    let shape = latent::shape(options.task);
    let english = resources.english(Layers::ALL)?;
    // Process every pair once: its words are compared and aligned once for both the features and
    // the latent alignment.
    let ask = |view: &PairView<'_>| Ok(features::extract(view, &english, shape, Wanted::Values)?.values);
    let setup = Setup { shape, constraints: &AlignmentConstraints::default() };
    let (learning, mut rows) = Learning::beside(setup, &pairs, vec![false; pairs.len()], resources, progress, ask)?;

    // Held-out scores of the base models.
    let by = |held_out: &HeadsHeldOut<'_>| {
        let n = held_out.rows.iter().take_while(|&&row| row < known).count();
        let scores: Vec<&[f64]> = held_out.scores.iter().map(|head| &head[..n]).collect();
        measure.of_heads(&HeadsHeldOut { rows: &held_out.rows[..n], scores: &scores }, &answers, &groups)
    };
    let latent_options = LatentOptions {
        choice: CostChoice::Folds(options.folds),
        seed: options.seed,
        params: AS_INPUT,
        ..LatentOptions::new(options.task)
    };
    let data = RulesData { dataset, pairs: &pairs, answers: &answers, splits: &splits };
    let of_rules = [&options.rules, &options.typed].map(|rules| options.of_rules(rules));
    let [rules, typed] = of_rules.each_ref().map(|rules| RulesBase::train(&data, rules, resources, progress.quiet()));
    let (rules, typed) = (rules?, typed?);
    let of_latent = latent::base_answers(&answers);
    let steps = latent::steps(&of_latent);
    let by_latent = |held_out: &HeadsHeldOut<'_>| {
        if of_latent.response == answers.response {
            by(held_out)
        } else {
            Measure::Accuracy.of_heads(held_out, &of_latent, &[])
        }
    };
    let found = latent::search_heads(&learning, &steps, &splits, &by_latent, &latent_options, progress)?;
    let scores = [&rules.scores, &typed.scores, &found.scores];
    for (at, row) in rows.iter_mut().enumerate() {
        row.extend(scores.iter().flat_map(|heads| heads.iter().map(|scores| scores[at])));
    }
    let by_itself = [splits.mean(&rules.scores, &by), splits.mean(&typed.scores, &by), found.held_out];
    let base_models =
        BaseModel::ALL.into_iter().zip(by_itself).map(|(base, held_out)| BaseAbout { code: base.code(), held_out });

    let inputs = ensemble_inputs(shape);
    // Zero is the neutral value of a count and of a base model's score. A measured feature is
    // always informative, and so is a base model's estimate of a number.
    let is_number = matches!(answers.response, Response::Real { .. } | Response::Ordinal { .. });
    let mut silent: Vec<Option<f64>> = inputs
        .iter()
        .filter_map(|input| match input {
            EnsembleInput::Feature(feature) => Some((!feature.group().is_measured()).then_some(0.0)),
            EnsembleInput::Base(_) => None,
        })
        .collect();
    for heads in &scores[..2] {
        silent.extend(heads.iter().map(|_| (!is_number).then_some(0.0)));
    }
    silent.extend(found.scores.iter().map(|_| Some(0.0)));
    let folds = splits.folds();
    let examples = Examples { rows: &rows, silent: &silent, answers: &answers, n_known: known, folds: &folds };
    let Machine { scorers: machines, calibration, cost, tried, held_out, scores: by_machine } =
        Machine::learn(&examples, options, &by, progress.quiet())?;
    let known_answers = answers.first(known);
    let known_rows: Vec<usize> = (0..known).collect();
    let sure = thresholds(&answers, &by_machine, &known_rows, &calibration, options.precision)?;
    let header = Header {
        sure,
        kind: ModelKind::Ensemble,
        learner: "combined".to_owned(),
        cost: Some(cost),
        search: tried,
        measure: measure.name().to_owned(),
        held_out: Some(held_out),
        folds: splits.about(),
        ..header_of(dataset, options.task, &known_answers)
    };
    let details = EnsembleDetails { shape, base_models: base_models.collect(), n_features: silent.len() };
    let about = About { header, details };

    progress.report(Stage::Train, 0, 1)?;
    let calibration_of_latent = calibrated(&of_latent, &found.scores, &known_rows)?;
    let params = latent_options.at(found.cost);
    let begun = found.begin(&learning, dataset, &of_latent.first(known), &latent_options, calibration_of_latent);
    let fit = |labels: &Vec<bool>| {
        learning.fit_labels(labels, &known_rows, Staging::Joint, &params, progress.quiet(), &mut |_| Ok(()))
    };
    let fitted = steps.par_iter().map(fit).collect::<Result<Vec<_>>>()?;
    let latent = latent::ended(begun, fitted);
    progress.report(Stage::Train, 1, 1)?;
    let (rules, typed) = (rules.model, typed.model);
    Ensemble::new(EnsembleTrained { about, inputs, machines, calibration, rules, typed, latent }, resources)
}

/// The source of one pair with the target of another pair of the same fold.
struct Stranger {
    source: usize,
    target: usize,
    fold: usize,
}

/// Draws unrelated pairs at random; fewer if folds are small.
fn strangers(folds: &[usize], options: &CombinedOptions) -> Vec<Stranger> {
    let mut random = SplitMix::stream(options.seed, 1);
    let n_folds = folds.iter().max().map_or(0, |last| last + 1);
    let mut found = Vec::new();
    for fold in 0..n_folds {
        let mut sources: Vec<usize> = (0..folds.len()).filter(|&row| folds[row] == fold).collect();
        let mut targets = sources.clone();
        random.shuffle(&mut sources);
        random.shuffle(&mut targets);
        let n = (options.strangers * sources.len() as f64).round() as usize;
        // Neighbours in a file may be about the same topic.
        let pairs = sources.into_iter().zip(targets).filter(|(source, target)| source.abs_diff(*target) > 1);
        found.extend(pairs.take(n).map(|(source, target)| Stranger { source, target, fold }));
    }
    found
}

/// What rule models are trained on and score: rows for the scorer only come last.
struct RulesData<'a> {
    dataset: &'a Dataset,
    pairs: &'a [[Annotated; 2]],
    answers: &'a Answers,
    splits: &'a Splits,
}

/// A rule model, and the scores of every row by models that were not trained on its fold.
struct RulesBase {
    model: KernelModel,
    /// One vector per head.
    scores: Vec<Vec<f64>>,
}

impl RulesBase {
    /// Lists the rules of all rows once; all folds and the model itself are fitted on this list.
    fn train(
        data: &RulesData<'_>,
        options: &TrainOptions<'_>,
        resources: &Resources,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let known = data.dataset.len();
        let expression = Expression::parse(&options.kernel, &|| resources.lexicon_with(&options.relations))?;
        let annotator = resources.annotator_for(options.units, expression.needs())?;
        let mut symbols = Interner::new();
        let pairs = symbols_of(data.pairs, &annotator, &mut symbols, progress)?;
        let expression = expression.learn(&pairs[..known], progress)?;
        let spectrum = options.spectrum;
        let recipe = Recipe { expression: &expression, is_linear: true, spectrum, n_train: known, choose: None };
        let prepared = Prepared::new(&recipe, &pairs, progress)?;
        let targets = data.answers.heads(known);
        let problems = options.problems(&prepared, &targets, known, progress)?;
        let Some(listing) = &prepared.listing else {
            return Err(Error::parameter(format!("the rules of {expression} cannot be listed: use another kernel")));
        };
        let cost = options.costs.first().copied().unwrap_or(1.0);
        let scores = data.splits.pruned_scores(&problems, listing, cost, options.pruning, progress)?;
        let rows: Vec<usize> = (0..known).collect();
        let calibration = calibrated(data.answers, &scores, &rows)?;
        let machines = fit_all(&prepared, &problems, known, cost, progress)?;
        let header = Header {
            kind: ModelKind::Kernel,
            learner: "linear".to_owned(),
            cost: Some(cost),
            folds: data.splits.about(),
            stop: why_all(&machines),
            ..header_of(data.dataset, options.task, &data.answers.first(known))
        };
        let on = TrainedOn { dataset: data.dataset, pairs: &pairs[..known], symbols: &symbols, listing: Some(listing) };
        let model = assemble(header, expression, &on, machines, calibration, options, resources, progress)?;
        Ok(Self { model, scores })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AnyModel, Decision, Explained, PairModel, Prediction};
    use crate::train::latent::tests::pairs;

    fn options(task: Task) -> CombinedOptions {
        CombinedOptions { folds: 2, costs: vec![0.01, 0.1], ..CombinedOptions::new(task) }
    }

    fn learn(task: Task) -> Ensemble {
        train_combined(&pairs(32, 0), None, &options(task), &Resources::bundled(), Progress::none()).unwrap()
    }

    fn score(model: &dyn PairModel, source: &str, target: &str) -> Decision {
        model.predict_one(source, target).unwrap().decision().unwrap()
    }

    const TEXTS: [(&str, &str); 5] = [
        ("Anna bought the boat.", "The boat was purchased by Anna."),
        ("Anna bought 12 boats.", "Anna never bought 13 boats."),
        ("", "Anna left."),
        ("", ""),
        ("Prices rose. Omar left.", "Prices fell; Omar stayed."),
    ];

    #[test]
    fn a_judge_is_learned_and_its_reasons_add_up() {
        for task in [Task::Paraphrase, Task::Entailment] {
            let model = learn(task);
            let about = model.about();
            let Header { n_examples, counts, search, .. } = &about.header;
            assert_eq!((*n_examples, &counts[..], search.len()), (32, &[16, 16][..], 2));
            let bases: Vec<_> = about.details.base_models.iter().map(|base| base.model().unwrap()).collect();
            assert_eq!(bases, BaseModel::ALL);
            let model: &dyn PairModel = &model;
            for (source, target) in TEXTS {
                let decision = score(model, source, target);
                let Explained { prediction, explanation, .. } = model.explain_one(source, target, 10).unwrap();
                let sum: f64 = explanation.leaves().iter().map(|leaf| leaf.value).sum();
                let close = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs().max(1.0);
                assert!(close(sum, decision.score) && close(explanation.value, decision.score), "{source} / {target}");
                assert_eq!(prediction, decision.into());
                for place in explanation.leaves().iter().flat_map(|leaf| &leaf.places) {
                    assert!(place.source.iter().all(|span| source.get(span.range()).is_some()), "{place:?}");
                    assert!(place.target.iter().all(|span| target.get(span.range()).is_some()), "{place:?}");
                }
            }
            let all = |found: Vec<Result<Prediction>>| -> Vec<Decision> {
                found.into_iter().map(|prediction| prediction.unwrap().decision().unwrap()).collect()
            };
            let decided = all(model.predict(&TEXTS, |pair| *pair, Progress::none()).unwrap());
            let one_by_one: Vec<_> = TEXTS.iter().map(|(a, b)| score(model, a, b)).collect();
            assert_eq!(decided, one_by_one, "one by one and all at once");
            let texts: Vec<&str> = TEXTS.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let places: Vec<[usize; 2]> = (0..TEXTS.len()).map(|at| [2 * at, 2 * at + 1]).collect();
            let annotated = model.annotate(&texts, Progress::none()).unwrap();
            let read = all(model.predict_annotated(&annotated, &places, Progress::none()).unwrap());
            assert_eq!(read, decided, "annotated beforehand");
        }
    }

    #[test]
    fn what_was_saved_is_opened_and_decides_the_same() {
        let model = learn(Task::Paraphrase);
        let bytes = model.to_bytes().unwrap();
        assert_eq!(learn(Task::Paraphrase).to_bytes().unwrap(), bytes, "the same data and options");
        let path = std::env::temp_dir().join(format!("resay-combined-{}.resay", std::process::id()));
        model.save(&path).unwrap();
        let resources = Resources::bundled();
        let opened = AnyModel::open(&path, &resources);
        std::fs::remove_file(&path).unwrap();
        let Ok(AnyModel::Ensemble(opened)) = opened else { panic!("no ensemble") };
        assert_eq!(opened.to_bytes().unwrap(), bytes);
        for (source, target) in TEXTS {
            assert_eq!(score(&*opened, source, target), score(&model, source, target));
        }
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(Ensemble::from_bytes("cut.resay", &bytes[..cut], &resources).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn what_cannot_be_learned_is_refused() {
        let check = |dataset: &Dataset, options: &CombinedOptions, expected: &str| {
            let trained = train_combined(dataset, None, options, &Resources::bundled(), Progress::none());
            let error = trained.map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let good = options(Task::Paraphrase);
        check(&pairs(8, 0), &options(Task::Topics), "has no combined judge");
        check(&pairs(8, 0), &CombinedOptions { costs: vec![], ..good.clone() }, "no costs");
        check(&pairs(8, 0), &CombinedOptions { folds: 1, ..good.clone() }, "folds");
        let mut long = pairs(8, 0);
        [long.rows[2].source, long.rows[2].target] = ["word ".repeat(1001), "word ".repeat(1000)];
        check(&long, &good, "folder/pairs.tsv:4: 1001 and 1000 words are too many to align");
    }
}
