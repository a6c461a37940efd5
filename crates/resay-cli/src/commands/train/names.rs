//! `resay train names`: true pairs of names to a model that knows one name in two scripts. The
//! model's file is written after every iteration, so training that is interrupted leaves the last
//! good one.

use super::{Clock, Saved, Summary, chosen_cost, print, saved, stopped, watched};
use crate::args::{Common, NamesTraining};
use crate::input;
use resay::data::Names;
use resay::model::NamesAbout;
use resay::train::names::{NamesChoice, NamesOptions, train_names};
use resay_view::json;

/// How many held-out folds unless something else is asked for.
const FOLDS: usize = 5;

/// The output was checked.
pub(super) fn run(common: &Common, args: &NamesTraining) -> anyhow::Result<()> {
    let mut clock = Clock::start();
    let names = input::joined_names(common, &args.files)?;
    let dev = args.learning.held_out.dev.as_deref().map(|path| Names::read(&input::find(common, path))).transpose()?;
    clock.read();
    let defaults = NamesOptions::default();
    let n_folds = args.learning.held_out.folds.unwrap_or(FOLDS);
    let options = NamesOptions {
        staging: args.learning.learner.into(),
        costs: args.learning.cost.grid(&defaults.costs),
        choice: dev.as_ref().map_or(NamesChoice::Folds(n_folds), NamesChoice::Dev),
        params: args.learning.params(defaults.params),
        seed: common.seed,
        ..defaults
    };
    let (mut model, clock) = watched(common, clock, 1, |progress| {
        train_names(&names, &options, &common.resources, progress, &mut |model| {
            let mut model = model.clone();
            args.model.complete(model.header_mut());
            model.save(args.model.output.path())
        })
    })?;
    args.model.complete(model.header_mut());
    let saved = saved(clock, &args.model, |path| model.save(path))?;
    let about = model.about();
    let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
    print(common, &json::NamesTraining::of(trained), || summary(args, about, &saved))
}

fn summary(args: &NamesTraining, about: &NamesAbout, saved: &Saved) -> Summary {
    let header = &about.header;
    let n_wrong = header.counts.first().copied().unwrap_or_default();
    let [n_features, n_kept] = about.details.n_features;
    let mut summary = Summary::new();
    summary.fields(&[
        ("task", header.task.clone()),
        ("pairs", format!("{} true, {n_wrong} wrong ones drawn", header.n_examples)),
        ("data", header.data.clone()),
        ("learner", format!("{}, first maps by {}", header.learner, about.details.begin)),
        ("features", format!("{n_kept} of {n_features} have a weight")),
        ("cost", chosen_cost(&args.learning.cost, header, "MRR on held-out pairs", "")),
    ]);
    summary.costs(header, "MRR");
    summary.objectives(&about.details.objectives);
    let (mrr, accuracy) = (header.held_out.unwrap_or_default(), about.details.held_out_accuracy);
    let n_candidates = about.details.n_candidates;
    let held_out = format!("MRR {mrr:.4}, best candidate right {accuracy:.4}, among {n_candidates} candidates at most");
    summary.end(&[("stopped", stopped(header, about.details.gap)), ("held out", held_out)], saved)
}
