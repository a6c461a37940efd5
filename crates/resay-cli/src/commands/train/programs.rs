//! `resay train program`: declared 0/1 linear programmes with labels to a model that decides by
//! their best structures.

use super::{Clock, Saved, Summary, chosen_cost, print, saved, watched};
use crate::args::{Common, ProgramTraining};
use crate::input;
use resay::model::ProgramAbout;
use resay::train::program::{ProgramChoice, ProgramOptions, train_programs};
use resay_view::json;

/// How many held-out folds unless something else is asked for.
const FOLDS: usize = 5;

/// The output was checked.
pub(super) fn run(common: &Common, args: &ProgramTraining) -> anyhow::Result<()> {
    let mut clock = Clock::start();
    let programs = input::joined_programs(common, &args.files)?;
    let dev = args.learning.held_out.dev.as_deref().map(|path| input::programs(common, path)).transpose()?;
    clock.read();
    let defaults = ProgramOptions::default();
    let n_folds = args.learning.held_out.folds.unwrap_or(FOLDS);
    let options = ProgramOptions {
        staging: args.learning.learner.into(),
        costs: args.learning.cost.grid(&defaults.costs),
        choice: dev.as_ref().map_or(ProgramChoice::Folds(n_folds), ProgramChoice::Dev),
        measure: args.measure.unwrap_or(defaults.measure),
        params: args.learning.params(defaults.params),
        seed: common.seed,
        ..defaults
    };
    let (mut model, clock) =
        watched(common, clock, 1, |progress| train_programs(&programs, &options, &common.resources, progress))?;
    args.model.complete(model.header_mut());
    let saved = saved(clock, &args.model, |path| model.save(path))?;
    let about = model.about();
    let trained = json::TrainingJson::of(saved.model.clone(), saved.size, about, saved.seconds);
    print(common, &trained, || summary(args, about, &saved))
}

fn summary(args: &ProgramTraining, about: &ProgramAbout, saved: &Saved) -> Summary {
    let (header, details) = (&about.header, &about.details);
    let on = args.learning.held_out.chosen_on(header, FOLDS);
    let [n_features, n_kept] = details.n_features;
    let made_of =
        [("learner", header.learner.clone()), ("features", format!("{n_kept} of {n_features} have a weight"))];
    let cost = chosen_cost(&args.learning.cost, header, &format!("{} on {on}", header.measure), "");
    let summary = Summary::of_labelled(header, "examples", &made_of, cost);
    summary.end_of_latent(header, &details.objectives, details.gap, &on, saved)
}
