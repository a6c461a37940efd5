//! `resay train --learner combined`: labelled pairs to a model that joins every system.

use super::train::{Clock, costs, saved, stages, watch};
use crate::args::{Common, TrainArgs};
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render, wire};
use resay::data::Dataset;
use resay::model::CombinedAbout;
use resay::task::combined::{CombinedOptions, train_combined};
use std::sync::Mutex;

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
    let progress = Progress::new(common);
    let clock = Mutex::new(clock);
    let mut model = train_combined(dataset, practice.as_ref(), &options, &watch(&progress, &clock))?;
    drop(progress);
    model.set_note(args.note.as_str());
    let (size, seconds) = saved(clock, &args.output, |path| model.save(path))?;
    let about = model.about();
    let trained = wire::CombinedTraining { model: args.output.display().to_string(), size, about, seconds };
    Output::stdout().result(common.json, &trained, || summary(args, about, &options, size, seconds))
}

fn summary(
    args: &TrainArgs,
    about: &CombinedAbout,
    options: &CombinedOptions,
    size: u64,
    seconds: wire::Seconds,
) -> Vec<String> {
    let [no, yes] = &about.labels;
    let n_negative = about.n_pairs - about.n_positive;
    let on = format!("{} held-out folds", options.folds);
    let cost = match args.cost {
        Some(cost) => format!("{cost}, as asked for"),
        None => format!("{}, the best {} on {on}", about.cost, about.measure),
    };
    let fields = [
        ("task", about.task.clone()),
        ("pairs", format!("{}: {} of label {yes}, {n_negative} of label {no}", about.n_pairs, about.n_positive)),
        ("data", about.data.clone()),
        ("learner", format!("{}, {} signs", about.learner, about.n_signs)),
        ("cost", cost),
    ];
    let mut lines: Vec<String> = fields.iter().flat_map(|(name, text)| render::field(name, text)).collect();
    lines.push(String::new());
    lines.extend(costs(&about.search, about.cost, &about.measure));
    lines.push(String::new());
    let parts: Vec<String> = about.parts.iter().map(|part| format!("{} {:.4}", part.name, part.held_out)).collect();
    let held_out = format!("{} {:.4} on {on}; by themselves: {}", about.measure, about.held_out, parts.join(", "));
    let fields = [
        ("held out", held_out),
        ("model", format!("{}, {}", args.output.display(), render::size(size as usize))),
        ("seconds", stages(seconds)),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    lines
}
