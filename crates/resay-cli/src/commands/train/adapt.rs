//! `resay train TASK --from MODEL`: a model and a few labelled pairs to a model that is adapted to
//! them.

use super::pairs::warn_if_implausible;
use super::{Clock, Saved, Summary, print, saved, watched};
use crate::args::{Common, PairTraining};
use crate::failure::Usage;
use crate::{models, render};
use resay::data::Dataset;
use resay::model::{AdaptedFrom, AnyModel, Header, TriedStrength};
use resay::train::Task;
use resay::train::adapt::{AdaptOptions, adapt};
use resay_view::{json, wording};
use std::path::Path;

pub(super) fn run(
    common: &Common,
    task: Task,
    args: &PairTraining,
    from: &Path,
    dataset: &Dataset,
    clock: Clock,
) -> anyhow::Result<()> {
    let models::Named { model: origin, name } = models::open(common, Some(from), "judge")?;
    let defaults = AdaptOptions::new(task);
    let options = AdaptOptions {
        answers: args.answers.options(),
        precision: args.answers.precision,
        folds: args.held_out.folds.unwrap_or(defaults.folds),
        measure: args.measure.unwrap_or(defaults.measure),
        seed: common.seed,
        ..defaults
    };
    let (adapted, clock) = watched(common, clock, options.folds, |progress| {
        adapt(dataset, origin, &name, &options, &common.resources, progress)
    })?;
    match adapted {
        AnyModel::Kernel(mut model) => {
            args.model.complete(model.header_mut());
            let saved = saved(clock, &args.model, |path| model.save(path))?;
            warn_if_implausible(&*model, dataset)?;
            let about = model.about();
            let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
            print(common, &trained, || summary(&about.header, &saved))
        }
        AnyModel::Ensemble(mut model) => {
            args.model.complete(model.header_mut());
            let saved = saved(clock, &args.model, |path| model.save(path))?;
            warn_if_implausible(&*model, dataset)?;
            let about = model.about();
            let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
            print(common, &json::EnsembleTraining::of(trained), || summary(&about.header, &saved))
        }
        AnyModel::AdaptedJudgement(mut model) => {
            args.model.complete(model.header_mut());
            let saved = saved(clock, &args.model, |path| model.save(path))?;
            warn_if_implausible(&*model, dataset)?;
            let about = model.about();
            let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
            print(common, &trained, || summary(&about.header, &saved))
        }
        _ => Err(Usage(format!("--from: {name} cannot be adapted")).into()),
    }
}

fn summary(header: &Header, saved: &Saved) -> Summary {
    let mut fields = vec![
        ("task", header.task.clone()),
        ("pairs", format!("{}: {}", header.n_examples, wording::counts(header))),
        ("data", header.data.clone()),
    ];
    if let Some(from) = &header.from {
        fields.push(("from", wording::adapted_from(from)));
        fields.push(("strength", strength(from, header)));
    }
    if let Some(folds) = &header.folds {
        fields.push(("folds", wording::folds(folds)));
    }
    if !header.merged.is_empty() {
        fields.push(("merged", format!("{} count as no", header.merged.join(", "))));
    }
    if let Some(sure) = &header.sure {
        fields.push(("sure", wording::sure(sure, header.response.labels())));
    }
    let mut summary = Summary::new();
    summary.fields(&fields);
    if let Some(from) = header.from.as_ref().filter(|from| !from.tried.is_empty()) {
        summary.table(strengths(from, &header.measure));
    }
    let held_out = match (header.held_out, &header.folds) {
        (Some(figure), Some(folds)) => format!("{} {figure:.4} on {} held-out folds", header.measure, folds.n_folds),
        _ => "too few pairs to hold any out".to_owned(),
    };
    summary.end(&[("held out", held_out)], saved)
}

/// How far the weights may move, and why.
fn strength(from: &AdaptedFrom, header: &Header) -> String {
    let on = header.folds.as_ref().map_or(0, |folds| folds.n_folds);
    match (from.strength, from.tried.len()) {
        (_, 0) => "0, calibration only: too few pairs to hold any out".to_owned(),
        (_, 1) if from.strength == 0.0 => "0, calibration only: support pairs keep their weights".to_owned(),
        (0.0, _) => format!("0, calibration only: no other had clearly less loss on {on} held-out folds"),
        (strength, _) => format!("{strength}, the smallest of about the least loss on {on} held-out folds"),
    }
}

/// The strengths that were tried, with a bar that is longer the smaller the loss.
fn strengths(from: &AdaptedFrom, measure: &str) -> Vec<String> {
    let gains: Vec<f64> = from.tried.iter().map(|tried| -tried.loss).collect();
    let mut rows = vec![["", "strength", "loss", measure, ""].map(str::to_owned).to_vec()];
    for (TriedStrength { strength, loss, mean }, bar) in from.tried.iter().zip(render::bars(&gains)) {
        let mark = if *strength == from.strength { "*" } else { "" };
        rows.push(vec![mark.to_owned(), strength.to_string(), format!("{loss:.4}"), format!("{mean:.4}"), bar]);
    }
    render::table("<>>><", &rows)
}
