//! `resay train --task names`: true pairs of names to a model that knows one name in two scripts. The model's file is
//! written after every iteration, so training that is interrupted leaves the last good one.

use super::train::{Clock, costs, saved, watched};
use super::train_latent::objectives;
use crate::args::{Common, TrainArgs};
use crate::output::Output;
use crate::{input, render};
use resay::data::Names;
use resay::latent::LatentParams;
use resay::model::NamesAbout;
use resay::task::latent::Staging;
use resay::task::names::{NamesChoice, NamesOptions, train_names};
use resay_view::{json, text};

/// How many held-out folds unless something else is asked for.
const FOLDS: usize = 5;

/// Options and output were checked.
pub(super) fn run(common: &Common, args: &TrainArgs) -> anyhow::Result<()> {
    let mut clock = Clock::start();
    let names = input::joined_names(common, &args.files)?;
    let dev = args.dev.as_deref().map(|path| Names::read(&input::find(common, path))).transpose()?;
    clock.read();
    let defaults = NamesOptions::default();
    let options = NamesOptions {
        staging: args.staging().unwrap_or(Staging::Joint),
        costs: match (args.cost, &args.costs) {
            (Some(cost), _) => vec![cost],
            (None, Some(costs)) => costs.0.clone(),
            (None, None) => defaults.costs.clone(),
        },
        choice: dev.as_ref().map_or(NamesChoice::Folds(args.folds.unwrap_or(FOLDS)), NamesChoice::Dev),
        params: LatentParams { loss: args.loss.unwrap_or(defaults.params.loss), ..defaults.params },
        seed: common.seed,
        ..defaults
    };
    let (mut model, clock) = watched(common, clock, 1, |progress| {
        train_names(&names, &options, &common.resources, progress, &mut |model| {
            let mut model = model.clone();
            args.complete(model.header_mut());
            model.save(args.output.path())
        })
    })?;
    args.complete(model.header_mut());
    let (size, seconds) = saved(clock, &args.output, |path| model.save(path))?;
    let about = model.about();
    let trained = json::Training::of(args.output.path().display().to_string(), size, about, seconds);
    let trained = json::NamesTraining::of(trained);
    Output::stdout().result(common.json, &trained, || summary(args, about, size, seconds))
}

fn summary(args: &TrainArgs, about: &NamesAbout, size: u64, seconds: json::Seconds) -> Vec<String> {
    let cost = match args.cost {
        Some(cost) => format!("{cost}, as asked for"),
        None => format!("{}, the best MRR on held-out pairs", about.header.cost.unwrap_or_default()),
    };
    let [n_features, n_kept] = about.details.n_features;
    let fields = [
        ("task", about.header.task.clone()),
        (
            "pairs",
            format!(
                "{} true, {} wrong ones drawn",
                about.header.n_examples,
                about.header.counts.first().copied().unwrap_or_default()
            ),
        ),
        ("data", about.header.data.clone()),
        ("learner", format!("{}, first maps by {}", about.header.learner, about.details.begin)),
        ("features", format!("{n_kept} of {n_features} have a weight")),
        ("cost", cost),
    ];
    let mut lines: Vec<String> = fields.iter().flat_map(|(name, text)| render::field(name, text)).collect();
    lines.push(String::new());
    lines.extend(costs(&about.header.search, about.header.cost.unwrap_or_default(), "MRR"));
    lines.push(String::new());
    lines.extend(objectives(&about.details.objectives));
    lines.push(String::new());
    let (mrr, accuracy) = (about.header.held_out.unwrap_or_default(), about.details.held_out_accuracy);
    let json::Seconds { read, search, train, write, .. } = seconds;
    let fields = [
        (
            "stopped",
            format!(
                "{}; the last convex problem is within {:.1e} of its optimum",
                about.header.stop, about.details.gap
            ),
        ),
        (
            "held out",
            format!(
                "MRR {mrr:.4}, best candidate right {accuracy:.4}, among {} candidates at most",
                about.details.n_candidates
            ),
        ),
        ("model", format!("{}, {}", args.output.path().display(), text::size(size as usize))),
        ("seconds", format!("read {read:.1}, search {search:.1}, train {train:.1}, write {write:.1}")),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    lines
}
