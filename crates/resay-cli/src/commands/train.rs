//! `resay train`: labelled pairs to a model's file, and a summary of how it went.

use crate::args::{Common, OutputFile, TrainArgs};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render};
use resay::data::Dataset;
use resay::model::{Header, KernelAbout, Pruning, Tried};
use resay::task::{self, CostChoice, Options, Task};
use resay_learn::progress::{self, Stage, Step};
use resay_learn::svm::search::cost_grid;
use resay_text::Units;
use resay_view::{json, text};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many held-out folds unless something else is asked for.
const FOLDS: usize = 10;

pub(crate) fn run(common: &Common, args: &TrainArgs) -> anyhow::Result<()> {
    args.check_options()?;
    if args.output.is_stdout() {
        return Err(Usage("-o -: a model is written to a file, give its name".to_owned()).into());
    }
    if args.task == Task::Topics {
        return super::train_topics::run(common, args);
    }
    if args.task == Task::Align {
        return super::train_align::run(common, args);
    }
    if args.task == Task::Names {
        return super::train_names::run(common, args);
    }
    let mut clock = Clock::start();
    let dataset = input::joined_pairs(common, &args.files, &args.input)?;
    let (format, columns) = (args.input.of_pairs()?, args.input.columns.columns());
    let dev = args.dev.as_deref().map(|dev| input::pairs(common, dev, format, &columns)).transpose()?;
    if let Some(dev) = &dev {
        check_same_labels(args, &dataset, dev)?;
    }
    clock.read();
    if args.is_combined() {
        return super::train_combined::run(common, args, &dataset, clock);
    }
    if let Some(staging) = args.staging() {
        return super::train_latent::run(common, args, staging, &dataset, dev.as_ref(), clock);
    }
    let options = options(common, args, dev.as_ref())?;
    let n_folds = if dev.is_some() { 1 } else { args.folds.unwrap_or(FOLDS) };
    let (mut model, clock) =
        watched(common, clock, n_folds, |progress| task::train(&dataset, &options, &common.resources, progress))?;
    args.complete(model.header_mut());
    let (size, seconds) = saved(clock, &args.output, |path| model.save(path))?;

    let about = model.about();
    let trained = json::Training::of(args.output.path().display().to_string(), size, about, seconds);
    Output::stdout().result(common.json, &trained, || summary(args, about, size, seconds))
}

/// Learns with a bar that shows how far it is, and keeps the time of its stages. The search first reports when a fold is
/// done, but starts where the features end; it has so many folds.
pub(super) fn watched<M>(
    common: &Common,
    clock: Clock,
    n_folds: usize,
    learn: impl FnOnce(progress::Progress<'_>) -> resay::Result<M>,
) -> resay::Result<(M, Clock)> {
    let (bar, clock) = (Progress::new(common), Mutex::new(clock));
    let report = |step: Step<'_>| {
        let is_ready = step.stage == Stage::Features && step.done == step.total;
        let step = if is_ready { Step { stage: Stage::Search, done: 0, total: n_folds, ..step } } else { step };
        bar.report(step);
        if let Ok(mut clock) = clock.lock() {
            clock.enter(step.stage);
        }
    };
    let model = learn(progress::Progress::new(&report))?;
    Ok((model, clock.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// Writes a model's file; its size, and the time of every stage.
pub(super) fn saved(
    clock: Clock,
    output: &OutputFile,
    save: impl FnOnce(&Path) -> resay::Result<()>,
) -> resay::Result<(u64, json::Seconds)> {
    let mut seconds = clock.finish();
    let before_write = Instant::now();
    save(output.path())?;
    seconds.write = before_write.elapsed().as_secs_f64();
    Ok((output.path().metadata().map_or(0, |file| file.len()), seconds))
}

fn options<'a>(common: &Common, args: &TrainArgs, dev: Option<&'a Dataset>) -> anyhow::Result<Options<'a>> {
    let defaults = Options::new(args.task);
    let costs = match (args.cost, &args.costs) {
        (Some(cost), _) => vec![cost],
        (None, Some(costs)) => costs.0.clone(),
        (None, None) => cost_grid(0.01, 100.0)?,
    };
    Ok(Options {
        task: args.task,
        kernel: args.kernel.clone().unwrap_or(defaults.kernel),
        units: args.units.unwrap_or(Units::Stems),
        learner: args.kernel_learner(),
        spectrum: args.spectrum.unwrap_or_default(),
        costs,
        choice: dev.map_or(CostChoice::Folds(args.folds.unwrap_or(FOLDS)), CostChoice::Dev),
        measure: args.measure.unwrap_or(defaults.measure),
        loss: args.loss.unwrap_or(defaults.loss),
        balanced: args.balanced.unwrap_or(defaults.balanced),
        pruning: Pruning {
            min_support: args.min_support.unwrap_or(2),
            max_rules: args.most_rules(),
            examples: !args.no_examples,
        },
        seed: common.seed,
        relations: input::relations(common, &args.relations)?,
        annotation: defaults.annotation,
    })
}

/// Yes must mean yes in both files.
fn check_same_labels(args: &TrainArgs, dataset: &Dataset, dev: &Dataset) -> anyhow::Result<()> {
    let (ours, theirs) = (args.task.labels(dataset)?.1, args.task.labels(dev)?.1);
    if ours == theirs {
        return Ok(());
    }
    let message = format!(
        "labels {} and {}, but {} has {} and {}: expected the same two",
        theirs[0], theirs[1], dataset.name, ours[0], ours[1]
    );
    Err(resay::Error::file(&dev.name, message).into())
}

/// Adds up the time of each stage: from a call that names it to the next call.
pub(super) struct Clock {
    last: Instant,
    stage: Stage,
    seconds: json::Seconds,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { last: Instant::now(), stage: Stage::Annotate, seconds: json::Seconds::default() }
    }

    /// All files are read.
    pub(super) fn read(&mut self) {
        self.seconds.read = self.lap();
    }

    /// Seconds since the last call.
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        seconds
    }

    pub(super) fn enter(&mut self, stage: Stage) {
        let since = self.lap();
        match self.stage {
            Stage::Annotate => self.seconds.annotate += since,
            Stage::Features => self.seconds.features += since,
            Stage::Search => self.seconds.search += since,
            // Training has no other stages.
            _ => self.seconds.train += since,
        }
        self.stage = stage;
    }

    pub(super) fn finish(mut self) -> json::Seconds {
        self.enter(Stage::Train);
        self.seconds
    }
}

/// How many pairs there were, and how many of each label.
pub(super) fn count_of_labels(header: &Header) -> String {
    let [no, yes] = header.binary_labels();
    let (all, positive) = (header.n_examples, header.n_positive());
    format!("{all}: {positive} of label {yes}, {} of label {no}", all - positive)
}

fn summary(args: &TrainArgs, about: &KernelAbout, size: u64, seconds: json::Seconds) -> Vec<String> {
    let on = match &args.dev {
        Some(dev) => format!("{}", dev.display()),
        None => format!("{} held-out folds", args.folds.unwrap_or(FOLDS)),
    };
    let cost = match args.cost {
        Some(cost) => format!("{cost}, as asked for"),
        None => format!("{}, the best {} on {on}", about.header.cost.unwrap_or_default(), about.header.measure),
    };
    let fields = [
        ("task", about.header.task.clone()),
        ("pairs", count_of_labels(&about.header)),
        ("data", about.header.data.clone()),
        ("kernel", about.details.kernel.clone()),
        ("units", about.details.units.name().to_owned()),
        ("learner", about.header.learner.clone()),
        ("cost", cost),
    ];
    let mut lines: Vec<String> = fields.iter().flat_map(|(name, text)| render::field(name, text)).collect();
    lines.push(String::new());
    lines.extend(costs(&about.header.search, about.header.cost.unwrap_or_default(), &about.header.measure));
    lines.push(String::new());
    let [before, kept] = about.details.n_rules;
    let rules = if about.header.learner == "dual" && before == about.header.n_examples {
        ("pairs", format!("{kept} of {before} are leant on"))
    } else {
        (
            "rules",
            format!(
                "{kept} of {before} kept; {} on held-out rows as saved {:.4}",
                about.header.measure,
                about.header.held_out.unwrap_or_default()
            ),
        )
    };
    let fields = [
        ("stopped", about.header.stop.clone()),
        rules,
        ("model", format!("{}, {}", args.output.path().display(), text::size(size as usize))),
        ("seconds", stages(seconds)),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    lines
}

/// How long every stage took.
pub(super) fn stages(seconds: json::Seconds) -> String {
    let json::Seconds { read, annotate, features, search, train, write } = seconds;
    format!(
        "read {read:.1}, annotate {annotate:.1}, features {features:.1}, search {search:.1}, train {train:.1}, \
         write {write:.1}"
    )
}

/// The table of costs: mean and spread over folds, and a bar from the worst mean to the best.
pub(super) fn costs(tried: &[Tried], chosen: f64, measure: &str) -> Vec<String> {
    let means: Vec<f64> = tried.iter().map(|tried| tried.mean).collect();
    let mut rows = vec![["", "cost", measure, "spread", ""].map(str::to_owned).to_vec()];
    for (tried, bar) in tried.iter().zip(render::bars(&means)) {
        rows.push(vec![
            if tried.cost == chosen { "*" } else { "" }.to_owned(),
            tried.cost.to_string(),
            format!("{:.4}", tried.mean),
            if tried.folds.len() > 1 { format!("{:.4}", render::spread(&tried.folds)) } else { "-".to_owned() },
            bar,
        ]);
    }
    render::table("<>>><", &rows)
}
