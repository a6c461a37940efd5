//! `resay train paraphrase`, `entailment`, `similarity`, `pair` and `answers`: labelled pairs to a kernel
//! machine, to a decision over a latent alignment, or to an ensemble. A latent model's file is
//! written after every iteration, so training that is interrupted leaves the last good one.

use super::{Clock, Saved, Summary, chosen_cost, print, saved, watched};
use crate::args::{Common, PairLearner, PairTraining, kernel_learner, most_rules};
use crate::input;
use resay::data::Dataset;
use resay::latent::LatentParams;
use resay::model::{BaseAbout, EnsembleAbout, Header, KernelAbout, LatentAbout, PairModel, Pruning};
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::latent::{LatentOptions, Staging, train_latent};
use resay::train::{self, CostChoice, Implausible, Task, TrainOptions, implausible};
use resay_text::Units;
use resay_view::{json, wording};
use std::io::Write;

/// How many held-out folds unless something else is asked for; of a latent alignment every one is a
/// whole training.
const FOLDS: usize = 10;
const LATENT_FOLDS: usize = 3;

/// What is learned, from what, and from when on.
struct Job<'a> {
    common: &'a Common,
    task: Task,
    args: &'a PairTraining,
    dataset: Dataset,
    dev: Option<Dataset>,
    clock: Clock,
}

/// The output was checked.
pub(super) fn run(common: &Common, task: Task, args: &PairTraining) -> anyhow::Result<()> {
    args.check(task)?;
    let mut clock = Clock::start();
    let dataset = input::joined_pairs(common, &args.files, &args.input)?;
    let (format, columns) = (args.input.of_pairs()?, args.input.columns.columns());
    let dev = args.held_out.dev.as_deref().map(|dev| input::pairs(common, dev, format, &columns)).transpose()?;
    clock.read();
    if let Some(from) = &args.from {
        return super::adapt::run(common, task, args, from, &dataset, clock);
    }
    let job = Job { common, task, args, dataset, dev, clock };
    match args.learner() {
        PairLearner::Auto | PairLearner::Linear | PairLearner::Dual => job.kernel(),
        PairLearner::Latent => job.latent(Staging::Joint),
        PairLearner::TwoStage => job.latent(Staging::TwoStage),
        PairLearner::Combined => job.combined(),
    }
}

impl Job<'_> {
    fn kernel(self) -> anyhow::Result<()> {
        let Self { common, task, args, dataset, dev, clock } = self;
        let defaults = TrainOptions::new(task);
        let n_folds = args.held_out.folds.unwrap_or(FOLDS);
        let options = TrainOptions {
            task,
            answers: args.answers.options(),
            precision: args.answers.precision,
            kernel: args.kernel.kernel.clone().unwrap_or(defaults.kernel),
            units: args.kernel.units.unwrap_or(Units::Stems),
            learner: kernel_learner(args.learner()),
            spectrum: args.kernel.spectrum.unwrap_or_default(),
            costs: args.cost.grid(&TrainOptions::new(task).costs),
            choice: dev.as_ref().map_or(CostChoice::Folds(n_folds), CostChoice::Dev),
            measure: args.measure.unwrap_or(defaults.measure),
            loss: args.loss.unwrap_or(defaults.loss),
            balanced: args.balanced.unwrap_or(defaults.balanced),
            pruning: Pruning {
                min_support: args.kernel.min_support.unwrap_or(2),
                max_rules: most_rules(args.kernel.max_rules),
                examples: !args.kernel.no_examples,
            },
            max_listed: defaults.max_listed,
            seed: common.seed,
            relations: input::relations(common, &args.kernel.relations)?,
            annotation: defaults.annotation,
        };
        let n_rounds = if dev.is_some() { 1 } else { n_folds };
        let (mut model, clock) =
            watched(common, clock, n_rounds, |progress| train::train(&dataset, &options, &common.resources, progress))?;
        args.model.complete(model.header_mut());
        let saved = saved(clock, &args.model, |path| model.save(path))?;
        warn_if_implausible(&model, &dataset)?;
        let about = model.about();
        let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
        print(common, &trained, || of_kernel(args, about, &saved))
    }

    fn latent(self, staging: Staging) -> anyhow::Result<()> {
        let Self { common, task, args, dataset, dev, clock } = self;
        let defaults = LatentOptions::new(task);
        let n_folds = args.held_out.folds.unwrap_or(LATENT_FOLDS);
        let options = LatentOptions {
            answers: args.answers.options(),
            precision: args.answers.precision,
            staging,
            costs: args.cost.grid(&defaults.costs),
            choice: dev.as_ref().map_or(CostChoice::Folds(n_folds), CostChoice::Dev),
            measure: args.measure.unwrap_or(defaults.measure),
            constraints: input::constraints(common, args.constraints.as_deref())?,
            params: LatentParams { loss: args.loss.unwrap_or(defaults.params.loss), ..defaults.params },
            seed: common.seed,
            ..defaults
        };
        let (mut model, clock) = watched(common, clock, LATENT_FOLDS, |progress| {
            train_latent(&dataset, &options, &common.resources, progress, &mut |trained| {
                let mut trained = trained.clone();
                args.model.complete(&mut trained.about.header);
                trained.save(args.model.output.path())
            })
        })?;
        args.model.complete(model.header_mut());
        let saved = saved(clock, &args.model, |path| model.save(path))?;
        warn_if_implausible(&model, &dataset)?;
        let about = model.about();
        let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
        print(common, &trained, || of_latent(args, about, &saved))
    }

    fn combined(self) -> anyhow::Result<()> {
        let Self { common, task, args, dataset, clock, .. } = self;
        let defaults = CombinedOptions::new(task);
        let options = CombinedOptions {
            answers: args.answers.options(),
            precision: args.answers.precision,
            costs: args.cost.grid(&defaults.costs),
            folds: args.held_out.folds.unwrap_or(defaults.folds),
            measure: args.measure.unwrap_or(defaults.measure),
            rules: (args.kernel.kernel.clone().unwrap_or_else(|| defaults.rules.0.clone()), defaults.rules.1),
            max_rules: args.kernel.max_rules.map_or(defaults.max_rules, |typed| most_rules(Some(typed))),
            seed: common.seed,
            ..defaults
        };
        let contrast = match &args.contrast[..] {
            [] => None,
            files => Some(input::joined_pairs(common, files, &args.input)?),
        };
        let (mut model, clock) = watched(common, clock, options.folds, |progress| {
            train_combined(&dataset, contrast.as_ref(), &options, &common.resources, progress)
        })?;
        args.model.complete(model.header_mut());
        let saved = saved(clock, &args.model, |path| model.save(path))?;
        warn_if_implausible(&model, &dataset)?;
        let about = model.about();
        let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
        let trained = json::EnsembleTraining::of(trained);
        print(common, &trained, || of_ensemble(args, about, options.folds, &saved))
    }
}

/// Says on standard error where a model makes no sense.
pub(super) fn warn_if_implausible(model: &dyn PairModel, dataset: &Dataset) -> anyhow::Result<()> {
    if let Some(Implausible { same, others }) = implausible(model, dataset)? {
        let message = format!(
            "warning: the model gives a text and itself {same:.2} on average, and unrelated texts {others:.2}: are the \
             labels the wrong way round? --positive says which one is yes"
        );
        // If standard error is closed, there is nobody to warn.
        let _ = writeln!(std::io::stderr(), "{message}");
    }
    Ok(())
}

/// What was learned from what: the start of every summary; `made_of` are fields of the learner, and
/// a cost that nothing was chosen by is the `only` one. Returns what costs were chosen on as well.
fn begin(
    args: &PairTraining,
    header: &Header,
    n_folds: usize,
    made_of: &[(&'static str, String)],
    only: &str,
) -> (Summary, String) {
    let on = args.held_out.chosen_on(header, n_folds);
    let cost = chosen_cost(&args.cost, header, &format!("{} on {on}", header.measure), only);
    (Summary::of_labelled(header, "pairs", made_of, cost), on)
}

fn of_kernel(args: &PairTraining, about: &KernelAbout, saved: &Saved) -> Summary {
    let (header, details) = (&about.header, &about.details);
    let made_of = [
        ("kernel", details.kernel.clone()),
        ("units", details.units.name().to_owned()),
        ("learner", header.learner.clone()),
    ];
    let (summary, _) = begin(args, header, FOLDS, &made_of, "");
    let [before, kept] = details.n_rules;
    let rules = if header.learner == "dual" && before == header.n_examples {
        ("pairs", format!("{kept} of {before} are support pairs"))
    } else {
        let held_out = header.held_out.unwrap_or_default();
        ("rules", format!("{kept} of {before} kept; {} on held-out rows as saved {held_out:.4}", header.measure))
    };
    summary.end(&[("stopped", header.stop.clone()), rules], saved)
}

fn of_latent(args: &PairTraining, about: &LatentAbout, saved: &Saved) -> Summary {
    let (header, details) = (&about.header, &about.details);
    let learner = format!("{}, {} features of latent alignments", header.learner, details.n_features);
    let mut made_of = vec![("learner", learner)];
    let constraints: Vec<&str> = details.constraints.lines().collect();
    if !constraints.is_empty() {
        made_of.push(("links", constraints.join("; ")));
    }
    let (summary, on) = begin(args, header, LATENT_FOLDS, &made_of, ", the task's");
    summary.end_of_latent(header, &details.objectives, details.gap, &on, saved)
}

fn of_ensemble(args: &PairTraining, about: &EnsembleAbout, n_folds: usize, saved: &Saved) -> Summary {
    let (header, details) = (&about.header, &about.details);
    let learner = format!("{}, {} features", header.learner, details.n_features);
    let (summary, on) = begin(args, header, n_folds, &[("learner", learner)], "");
    let base =
        |base: &BaseAbout| Some(format!("{} {:.4}", wording::features::base_model(base.model()?), base.held_out));
    let bases: Vec<String> = details.base_models.iter().filter_map(base).collect();
    let (held_out, bases) = (header.held_out.unwrap_or_default(), bases.join(", "));
    summary.end(&[("held out", format!("{} {held_out:.4} on {on}; by themselves: {bases}", header.measure))], saved)
}
