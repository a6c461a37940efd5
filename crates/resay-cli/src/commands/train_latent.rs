//! `resay train --learner latent`: labelled pairs to a model that decides over a latent alignment. The model's file is
//! written after every iteration, so training that is interrupted leaves the last good one.

use super::train::{Clock, costs, saved, stages, watched};
use crate::args::{Common, TrainArgs};
use crate::output::Output;
use crate::render;
use resay::data::Dataset;
use resay::latent::LatentParams;
use resay::model::LatentAbout;
use resay::task::CostChoice;
use resay::task::latent::{LatentOptions, Staging, train_latent};
use resay_view::{json, text};

/// How many held-out folds unless something else is asked for: every one is a whole training.
const FOLDS: usize = 3;

/// Options and output were checked, files are read.
pub(super) fn run(
    common: &Common,
    args: &TrainArgs,
    staging: Staging,
    dataset: &Dataset,
    dev: Option<&Dataset>,
    clock: Clock,
) -> anyhow::Result<()> {
    let defaults = LatentOptions::new(args.task);
    let options = LatentOptions {
        staging,
        costs: match (args.cost, &args.costs) {
            (Some(cost), _) => vec![cost],
            (None, Some(costs)) => costs.0.clone(),
            (None, None) => defaults.costs.clone(),
        },
        choice: dev.map_or(CostChoice::Folds(args.folds.unwrap_or(FOLDS)), CostChoice::Dev),
        measure: args.measure.unwrap_or(defaults.measure),
        params: LatentParams { loss: args.loss.unwrap_or(defaults.params.loss), ..defaults.params },
        seed: common.seed,
        ..defaults
    };
    let (mut model, clock) = watched(common, clock, FOLDS, |progress| {
        train_latent(dataset, &options, &common.resources, progress, &mut |trained| {
            let mut trained = trained.clone();
            args.complete(&mut trained.about.header);
            trained.save(args.output.path())
        })
    })?;
    args.complete(model.header_mut());
    let (size, seconds) = saved(clock, &args.output, |path| model.save(path))?;
    let about = model.about();
    let trained = json::Training::of(args.output.path().display().to_string(), size, about, seconds);
    Output::stdout().result(common.json, &trained, || summary(args, about, size, seconds))
}

fn summary(args: &TrainArgs, about: &LatentAbout, size: u64, seconds: json::Seconds) -> Vec<String> {
    let on = match &args.dev {
        Some(dev) => format!("{}", dev.display()),
        None => format!("{} held-out folds", args.folds.unwrap_or(FOLDS)),
    };
    let cost = match (args.cost, about.header.search.len()) {
        (Some(cost), _) => format!("{cost}, as asked for"),
        (None, 1) => format!("{}, the task's", about.header.cost.unwrap_or_default()),
        (None, _) => format!("{}, the best {} on {on}", about.header.cost.unwrap_or_default(), about.header.measure),
    };
    let fields = [
        ("task", about.header.task.clone()),
        ("pairs", super::train::count_of_labels(&about.header)),
        ("data", about.header.data.clone()),
        ("learner", format!("{}, {} features of latent alignments", about.header.learner, about.details.n_features)),
        ("cost", cost),
    ];
    let mut lines: Vec<String> = fields.iter().flat_map(|(name, text)| render::field(name, text)).collect();
    lines.push(String::new());
    lines.extend(costs(&about.header.search, about.header.cost.unwrap_or_default(), &about.header.measure));
    lines.push(String::new());
    lines.extend(objectives(&about.details.objectives));
    lines.push(String::new());
    let fields = [
        (
            "stopped",
            format!(
                "{}; the last convex problem is within {:.1e} of its optimum",
                about.header.stop, about.details.gap
            ),
        ),
        ("held out", format!("{} {:.4} on {on}", about.header.measure, about.header.held_out.unwrap_or_default())),
        ("model", format!("{}, {}", args.output.path().display(), text::size(size as usize))),
        ("seconds", stages(seconds)),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    lines
}

/// The objective at the start and after every iteration.
pub(super) fn objectives(objectives: &[f64]) -> Vec<String> {
    let mut rows = vec![["iteration", "objective", ""].map(str::to_owned).to_vec()];
    for ((iteration, objective), bar) in objectives.iter().enumerate().zip(render::bars(objectives)) {
        let name = if iteration == 0 { "start".to_owned() } else { iteration.to_string() };
        rows.push(vec![name, format!("{objective:.3}"), bar]);
    }
    render::table(">><", &rows)
}
