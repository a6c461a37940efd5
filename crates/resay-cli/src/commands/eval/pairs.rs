//! `resay eval` with a model that decides about pairs: its decisions against their labels.

use super::decisions::{Labelled, evaluate, print};
use super::versus;
use crate::args::{Common, EvalArgs};
use crate::failure::Usage;
use crate::input;
use crate::models::{self, Named};
use resay::data::Dataset;
use resay::model::PairModel;
use resay::train::Task;
use resay_view::wording;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &dyn PairModel, name: String) -> anyhow::Result<()> {
    let versus = versus(common, args)?.map(|other| models::pair_model(other, "--versus")).transpose()?;
    if let Some(Named { model: versus, .. }) = &versus {
        check_comparable(model, &**versus)?;
    }
    let dataset = input::pairs(common, &args.file, args.input.of_pairs()?, &args.input.columns.columns())?;
    let labels = labels(model, &dataset)?;
    let ranks = model.header().task == Task::Answers.name();
    let groups = if ranks { Some(dataset.ranking_groups()?) } else { groups(&dataset) };
    let classes = model.header().binary_labels();
    let labelled = Labelled { name: &dataset.name, classes, labels, groups, ranks };
    let versus = versus.as_ref().map(|versus| Named { model: &*versus.model, name: versus.name.clone() });
    let decide = |model| input::decisions(model, &dataset);
    let evaluation = evaluate(common, args, &labelled, (Named { model, name }, versus), decide)?;
    print(common, model.header(), wording::made_of(model), "pairs", &evaluation)
}

fn check_comparable(model: &dyn PairModel, versus: &dyn PairModel) -> anyhow::Result<()> {
    let (ours, theirs) = (model.header().binary_labels(), versus.header().binary_labels());
    if ours == theirs {
        return Ok(());
    }
    Err(Usage(format!(
        "--versus: its labels are {} and {}, the model's {} and {}: expected models of the same labels",
        theirs[0], theirs[1], ours[0], ours[1]
    ))
    .into())
}

/// The truth as the model's yes or no.
fn labels(model: &dyn PairModel, dataset: &Dataset) -> anyhow::Result<Vec<bool>> {
    let [no, yes] = model.header().binary_labels();
    if [no, yes] == ["0", "1"] {
        return Ok(dataset.labels_binary()?);
    }
    let labels = dataset.labels()?.into_iter().enumerate();
    let label = |(at, label): (usize, &resay::data::Label)| match label.as_str() {
        label if label == yes => Ok(true),
        label if label == no => Ok(false),
        _ => Err(dataset.error(at, format!("a label that the model does not know; it knows {no} and {yes}")).into()),
    };
    labels.map(label).collect()
}

/// A number for every pair's group; none if no pair is in a group. A pair without one is a group of
/// its own.
fn groups(dataset: &Dataset) -> Option<Vec<usize>> {
    dataset.groups().iter().any(Option::is_some).then(|| dataset.group_numbers())
}
