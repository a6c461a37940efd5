//! `resay eval` with a model over declared programmes: its decisions against their labels.

use super::decisions::{Labelled, evaluate, print};
use super::versus;
use crate::args::{Common, EvalArgs};
use crate::input;
use crate::models::{self, Named};
use resay::data::Programs;
use resay::model::{Decision, ProgramModel};
use resay_learn::progress::Progress;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &ProgramModel, name: String) -> anyhow::Result<()> {
    args.input.refuse_for_programs()?;
    let versus = versus(common, args)?.map(|other| models::program_model(other, "--versus")).transpose()?;
    let programs = input::programs(common, &args.file)?;
    let classes = model.header().binary_labels();
    let labelled = Labelled { name: &programs.name, classes, labels: programs.labels()?, groups: None, ranks: false };
    let versus = versus.as_ref().map(|versus| Named { model: &versus.model, name: versus.name.clone() });
    let decide = |model: &ProgramModel| decisions(model, &programs);
    let evaluation = evaluate(common, args, &labelled, (Named { model, name }, versus), decide)?;
    let (header, [_, n_features]) = (model.header(), model.about().details.n_features);
    let learner = format!("{}, {n_features} features", header.learner);
    print(common, header, ("learner", learner), "examples", &evaluation)
}

/// An error with its line for a programme that cannot be solved.
fn decisions(model: &ProgramModel, programs: &Programs) -> anyhow::Result<Vec<Decision>> {
    let found = model.predict(&programs.examples, |example| example, Progress::none())?;
    let placed = programs.examples.iter().zip(found);
    placed.map(|(example, found)| found.map_err(|error| example.error(error.to_string()).into())).collect()
}
