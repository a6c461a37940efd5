//! From labelled pairs to a model: annotate once, make features once, choose the cost on held-out folds (or on a file of
//! its own), train on everything, calibrate on scores of machines that had not seen their row.

use super::Task;
use crate::data::{Dataset, folds};
use crate::kernel::{Bound, Expression, Gram, Listing};
use crate::model::{About, Model, Pruning, Trained, Tried};
use crate::svm::calibrate::Platt;
use crate::svm::search::{self, DualFit, Fit, HeldOut, LinearFit, Plan};
use crate::svm::{ClassWeights, Stop, dual, linear};
use crate::text::{Annotator, Interner, Pair, Units};
use crate::{Error, Result};

/// Which machine learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Learner {
    /// Linear where the kernel's rules can be listed, dual otherwise.
    #[default]
    Auto,
    /// Over listed rules; time grows with the number of pairs.
    Linear,
    /// Over the Gram matrix; time and memory grow with its square.
    Dual,
}

/// What the search for a cost maximises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Share of right decisions.
    #[default]
    Accuracy,
    /// Harmonic mean of precision and recall of yes.
    F1,
}

impl Measure {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::F1 => "F1",
        }
    }

    fn function(self) -> fn(&HeldOut<'_>) -> f64 {
        match self {
            Self::Accuracy => search::accuracy,
            Self::F1 => search::f1,
        }
    }
}

/// On what the cost is chosen, and the probabilities are calibrated.
#[derive(Clone, Copy, Debug)]
pub enum CostChoice<'a> {
    /// On this many held-out folds that keep groups whole.
    Folds(usize),
    /// On a file of its own.
    Dev(&'a Dataset),
}

/// How to train.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// What is decided.
    pub task: Task,
    /// The kernel expression.
    pub kernel: String,
    /// What a symbol is.
    pub units: Units,
    /// Which machine.
    pub learner: Learner,
    /// Costs to choose from; one is taken as it is.
    pub costs: Vec<f64>,
    /// What to choose on.
    pub choice: CostChoice<'a>,
    /// What to maximise.
    pub measure: Measure,
    /// The linear machine's loss.
    pub loss: linear::Loss,
    /// Weigh the classes so that both count the same.
    pub balanced: bool,
    /// What to keep of the rules.
    pub pruning: Pruning,
    /// Decides folds and visiting order.
    pub seed: u64,
}

impl Options<'_> {
    /// The defaults of a task.
    pub fn new(task: Task) -> Self {
        Self {
            task,
            kernel: task.default_kernel().to_owned(),
            units: Units::default(),
            learner: Learner::default(),
            costs: vec![0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
            choice: CostChoice::Folds(10),
            measure: Measure::default(),
            loss: linear::Loss::default(),
            balanced: false,
            pruning: Pruning { min_support: 2, max_rules: usize::MAX },
            seed: 1,
        }
    }
}

/// What is being done, for progress bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Text to symbols.
    Annotate,
    /// Rules listed or the Gram matrix filled.
    Features,
    /// Costs and folds.
    Search,
    /// The final machine.
    Train,
}

/// How training went.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The description that the model carries.
    pub about: About,
    /// Listed rules that at least two pairs share, or 0.
    pub n_columns: usize,
}

/// A callback for progress: stage, done, total.
pub type Progress<'a> = &'a (dyn Fn(Stage, usize, usize) + Sync);

/// The features of all pairs, under whichever learner.
enum Features {
    Listed(Box<Listing>),
    Compared(Gram),
}

/// Trains a model.
pub fn train(dataset: &Dataset, options: &Options<'_>, progress: Progress<'_>) -> Result<(Model, Summary)> {
    let expression: Expression = options.kernel.parse()?;
    let (mut labels, label_names) = options.task.labels(dataset)?;
    let annotator = Annotator::new(options.units);
    let mut symbols = Interner::new();
    let mut pairs = Vec::with_capacity(dataset.len());
    let n_train = dataset.len();
    let dev = if let CostChoice::Dev(dev) = options.choice { Some(dev) } else { None };
    let examples = dataset.examples.iter().chain(dev.iter().flat_map(|dev| &dev.examples));
    for (done, example) in examples.enumerate() {
        pairs.push(Pair {
            source: annotator.sentence(&example.source, &mut symbols),
            target: annotator.sentence(&example.target, &mut symbols),
        });
        progress(Stage::Annotate, done + 1, n_train);
    }
    if let Some(dev) = dev {
        labels.extend(options.task.labels(dev)?.0);
    }
    let is_linear = match options.learner {
        Learner::Auto => expression.is_listable(),
        Learner::Linear => true,
        Learner::Dual => false,
    };
    progress(Stage::Features, 0, 1);
    let features = if is_linear {
        Features::Listed(Box::new(Listing::new(&expression, &pairs)?))
    } else {
        Features::Compared(gram(&expression, &pairs, progress)?)
    };
    progress(Stage::Features, 1, 1);
    let members: Vec<usize> = (0..n_train).collect();
    let class_weights =
        if options.balanced { ClassWeights::balanced(&labels, &members) } else { ClassWeights::default() };
    let linear_params =
        linear::Params { loss: options.loss, class_weights, seed: options.seed, ..linear::Params::default() };
    let dual_params = dual::Params { class_weights, ..dual::Params::default() };
    let choice = match &features {
        Features::Listed(listing) => {
            let fit = LinearFit { problem: linear::Problem::new(&listing.rows, &labels)?, params: linear_params };
            choose(&fit, dataset, &labels, options, progress)?
        }
        Features::Compared(gram) => {
            let fit = DualFit { problem: dual::Problem::new(gram, &labels)?, params: dual_params };
            choose(&fit, dataset, &labels, options, progress)?
        }
    };
    let platt = Platt::fit(&choice.scores, &choice.labels)?;
    progress(Stage::Train, 0, 1);
    let (coefficients, bias, stop) = match &features {
        Features::Listed(listing) => {
            let params = linear::Params { cost: choice.cost, ..linear_params }.check()?;
            let machine = linear::fit(&linear::Problem::new(&listing.rows, &labels)?, &members, &params, None)?;
            let sign = |label: &bool| if *label { 1.0 } else { -1.0 };
            let coefficients = machine.alphas.iter().zip(&labels).map(|(alpha, label)| alpha * sign(label)).collect();
            let relative = machine.gap / machine.objective.abs().max(f64::MIN_POSITIVE);
            (
                coefficients,
                machine.bias,
                format!("{}, relative gap {relative:.1e}", why(machine.stop, machine.passes, "passes")),
            )
        }
        Features::Compared(gram) => {
            let params = dual::Params { cost: choice.cost, ..dual_params }.check()?;
            let machine = dual::fit(&dual::Problem::new(gram, &labels)?, &members, &params, None)?;
            let stop =
                format!("{}, {} support pairs", why(machine.stop, machine.iterations, "steps"), machine.n_support);
            (machine.coefficients, machine.bias, stop)
        }
    };
    let file_name = std::path::Path::new(&dataset.name).file_name();
    let about = About {
        task: options.task.name().to_owned(),
        kernel: expression.to_string(),
        units: options.units,
        learner: if is_linear { "linear" } else { "dual" }.to_owned(),
        labels: label_names,
        data: file_name.map_or_else(|| dataset.name.clone(), |name| name.to_string_lossy().into_owned()),
        n_pairs: n_train,
        n_positive: labels[..n_train].iter().filter(|label| **label).count(),
        cost: choice.cost,
        search: choice.tried,
        measure: options.measure.name().to_owned(),
        stop,
        n_rules: [0, 0],
        version: env!("CARGO_PKG_VERSION").to_owned(),
        note: String::new(),
    };
    let ids: Vec<String> = dataset.examples.iter().map(|example| example.id.clone()).collect();
    let coefficients: &Vec<f64> = &coefficients;
    let listable = expression.is_listable();
    let trained = Trained {
        about,
        expression: options.kernel.parse()?,
        pairs: &pairs[..n_train],
        ids: &ids,
        symbols: &symbols,
        coefficients: &coefficients[..n_train],
        bias,
        platt,
    };
    let (model, n_columns) = match features {
        Features::Listed(listing) => {
            let n_columns = listing.rows.n_columns();
            (Model::from_rules(trained, &listing, options.pruning), n_columns)
        }
        // A kernel machine over a kernel with listed rules is a machine over those rules.
        Features::Compared(gram) if listable => {
            drop(gram);
            let listing = Listing::new(&expression, &pairs[..n_train])?;
            let n_columns = listing.rows.n_columns();
            (Model::from_rules(trained, &listing, options.pruning), n_columns)
        }
        Features::Compared(_) => (Model::from_support(trained)?, 0),
    };
    progress(Stage::Train, 1, 1);
    let summary = Summary { about: model.about().clone(), n_columns };
    Ok((model, summary))
}

fn why(stop: Stop, count: usize, unit: &str) -> String {
    match stop {
        Stop::Converged => format!("converged after {count} {unit}"),
        Stop::Limit => format!("stopped at the limit of {count} {unit}"),
    }
}

fn gram(expression: &Expression, pairs: &[Pair], progress: Progress<'_>) -> Result<Gram> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let bound = Bound::new(expression, pairs)?;
    Ok(bound.square(&|rows| {
        let done = done.fetch_add(rows, std::sync::atomic::Ordering::Relaxed) + rows;
        progress(Stage::Features, done, pairs.len());
    }))
}

/// The chosen cost, and scores with labels for calibration.
struct Choice {
    cost: f64,
    tried: Vec<Tried>,
    scores: Vec<f64>,
    labels: Vec<bool>,
}

fn choose(
    fit: &dyn Fit,
    dataset: &Dataset,
    labels: &[bool],
    options: &Options<'_>,
    progress: Progress<'_>,
) -> Result<Choice> {
    let n_train = dataset.len();
    let measure = options.measure.function();
    let costs = &options.costs;
    match options.choice {
        CostChoice::Folds(n_folds) => {
            let folds = folds(&dataset.groups(), labels, n_folds, options.seed)?;
            let plan = Plan { labels, folds: &folds, costs, measure: &measure, rule: search::Rule::default() };
            let found = search::search(fit, &plan, &|done, total| progress(Stage::Search, done, total))?;
            let tried = found.costs.iter().zip(&found.mean).zip(&found.fold_scores);
            let tried = tried.map(|((&cost, &mean), folds)| Tried { cost, mean, folds: folds.clone() }).collect();
            Ok(Choice { cost: found.cost(), tried, scores: found.held_out_scores, labels: labels.to_vec() })
        }
        CostChoice::Dev(_) => {
            let (train, rows): (Vec<usize>, Vec<usize>) = (0..labels.len()).partition(|&row| row < n_train);
            let dev_labels = &labels[n_train..];
            let mut all = fit.scores(&train, &rows, costs)?;
            let measures: Vec<f64> =
                all.iter().map(|scores| measure(&HeldOut { rows: &rows, scores, labels: dev_labels })).collect();
            let best = measures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let Some(chosen) = measures.iter().position(|measure| *measure >= best - 1e-12) else {
                return Err(Error::parameter("no costs to choose from, expected at least one"));
            };
            let tried = costs.iter().zip(&measures);
            let tried = tried.map(|(&cost, &mean)| Tried { cost, mean, folds: vec![mean] }).collect();
            Ok(Choice { cost: costs[chosen], tried, scores: all.swap_remove(chosen), labels: dev_labels.to_vec() })
        }
    }
}
