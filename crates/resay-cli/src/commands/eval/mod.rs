//! `resay eval`: how good a model is on labelled data, how far to trust that, and whether another
//! is better. Each kind of model has its own data and measures, and a file beside.

mod align;
mod categories;
mod decisions;
mod names;
mod numbers;
mod pairs;
mod plots;
mod programs;
mod topics;

use crate::args::{Common, EvalArgs};
use crate::models::{self, Named};
use crate::output::Output;
use resay::model::AnyModel;
use resay_learn::eval::significance::ResampleOptions;
use serde::Serialize;

pub(crate) fn run(common: &Common, args: &EvalArgs) -> anyhow::Result<()> {
    let model = models::open(common, args.model.as_deref(), "judge")?;
    models::check_phrases(&model, &args.own)?;
    let Named { model, name } = models::asking(model, args.question)?;
    if !matches!(model, AnyModel::Align(_)) {
        args.of_align.refuse()?;
    }
    if !matches!(model, AnyModel::Topics(_)) {
        args.split.refuse()?;
    }
    if matches!(model, AnyModel::Topics(_) | AnyModel::Align(_) | AnyModel::Names(_)) {
        args.plots.refuse()?;
    }
    plots::check_printed(common, &args.plots)?;
    match model {
        AnyModel::Topics(model) => topics::run(common, args, &model, name),
        AnyModel::Align(model) => align::run(common, args, &model, name),
        AnyModel::Names(model) => names::run(common, args, &model, name),
        AnyModel::Program(model) => programs::run(common, args, &model, name),
        model => {
            let Named { model, name } = models::pair_model(Named { model, name }, "eval")?;
            pairs::run(common, args, &*model, name)
        }
    }
}

/// How often resamples are drawn, and from which seed.
fn options(common: &Common, args: &EvalArgs) -> ResampleOptions {
    ResampleOptions { n_resamples: args.resamples, seed: common.seed, ..ResampleOptions::default() }
}

/// The second model, if one was asked for.
fn versus(common: &Common, args: &EvalArgs) -> anyhow::Result<Option<Named<AnyModel>>> {
    args.versus.as_deref().map(|path| models::open(common, Some(path), "")).transpose()
}

/// Prints what was found, as JSON or for people.
fn print<T: Serialize>(
    common: &Common,
    found: &T,
    show: impl FnOnce(&mut Output, &T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    if common.json {
        out.json(found)?;
    } else {
        show(&mut out, found)?;
    }
    out.finish()
}
