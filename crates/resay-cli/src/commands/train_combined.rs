//! `resay train --learner combined`: labelled pairs to a model that joins every system.

use super::train::{Clock, costs, saved, stages, watched};
use crate::args::{Common, TrainArgs};
use crate::output::Output;
use crate::{input, render};
use resay::data::Dataset;
use resay::model::{BaseAbout, EnsembleAbout};
use resay::task::combined::{CombinedOptions, train_combined};
use resay_view::{json, text, wording};

/// Options and output were checked, files are read.
pub(super) fn run(common: &Common, args: &TrainArgs, dataset: &Dataset, clock: Clock) -> anyhow::Result<()> {
    let defaults = CombinedOptions::new(args.task);
    let options = CombinedOptions {
        costs: match (args.cost, &args.costs) {
            (Some(cost), _) => vec![cost],
            (None, Some(costs)) => costs.0.clone(),
            (None, None) => defaults.costs.clone(),
        },
        folds: args.folds.unwrap_or(defaults.folds),
        measure: args.measure.unwrap_or(defaults.measure),
        rules: (args.kernel.clone().unwrap_or_else(|| defaults.rules.0.clone()), defaults.rules.1),
        max_rules: args.max_rules.map_or(defaults.max_rules, |_| args.most_rules()),
        seed: common.seed,
        ..defaults
    };
    let practice =
        if args.practice.is_empty() { None } else { Some(input::joined_pairs(common, &args.practice, &args.input)?) };
    let (mut model, clock) = watched(common, clock, options.folds, |progress| {
        train_combined(dataset, practice.as_ref(), &options, &common.resources, progress)
    })?;
    args.complete(model.header_mut());
    let (size, seconds) = saved(clock, &args.output, |path| model.save(path))?;
    let about = model.about();
    let trained = json::Training::of(args.output.path().display().to_string(), size, about, seconds);
    let trained = json::EnsembleTraining::of(trained);
    Output::stdout().result(common.json, &trained, || summary(args, about, &options, size, seconds))
}

fn summary(
    args: &TrainArgs,
    about: &EnsembleAbout,
    options: &CombinedOptions,
    size: u64,
    seconds: json::Seconds,
) -> Vec<String> {
    let on = format!("{} held-out folds", options.folds);
    let cost = match args.cost {
        Some(cost) => format!("{cost}, as asked for"),
        None => format!("{}, the best {} on {on}", about.header.cost.unwrap_or_default(), about.header.measure),
    };
    let fields = [
        ("task", about.header.task.clone()),
        ("pairs", super::train::count_of_labels(&about.header)),
        ("data", about.header.data.clone()),
        ("learner", format!("{}, {} features", about.header.learner, about.details.n_features)),
        ("cost", cost),
    ];
    let mut lines: Vec<String> = fields.iter().flat_map(|(name, text)| render::field(name, text)).collect();
    lines.push(String::new());
    lines.extend(costs(&about.header.search, about.header.cost.unwrap_or_default(), &about.header.measure));
    lines.push(String::new());
    let base =
        |base: &BaseAbout| Some(format!("{} {:.4}", wording::features::base_model(base.model()?), base.held_out));
    let bases: Vec<String> = about.details.base_models.iter().filter_map(base).collect();
    let held_out = format!(
        "{} {:.4} on {on}; by themselves: {}",
        about.header.measure,
        about.header.held_out.unwrap_or_default(),
        bases.join(", ")
    );
    let fields = [
        ("held out", held_out),
        ("model", format!("{}, {}", args.output.path().display(), text::size(size as usize))),
        ("seconds", stages(seconds)),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    lines
}
