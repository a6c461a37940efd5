//! `resay eval` with a model that decides about pairs: its decisions against their labels.

use super::decisions::{Labelled, evaluate, print};
use super::{categories, numbers, versus};
use crate::args::{Common, EvalArgs};
use crate::failure::Usage;
use crate::input;
use crate::models::{self, Named};
use crate::unfit::UnfitTexts;
use resay::data::Dataset;
use resay::model::{PairModel, Response};
use resay::train::{Answers, Given, Task};
use resay_view::wording;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &dyn PairModel, name: String) -> anyhow::Result<()> {
    let versus = versus(common, args)?.map(|other| models::pair_model(other, "--versus")).transpose()?;
    if let Some(Named { model: versus, .. }) = &versus {
        check_comparable(model, &**versus)?;
    }
    let dataset = input::pairs(common, &args.file, args.input.of_pairs()?, &args.input.columns.columns())?;
    let unfit = UnfitTexts::new(common, model)?;
    dataset.rows.iter().for_each(|row| unfit.count(&row.source, &row.target));
    unfit.tell();
    let ranks = model.header().task == Task::Answers.name();
    let groups = if ranks { Some(dataset.ranking_groups()?) } else { groups(&dataset) };
    let answers = Answers::like(&dataset, &model.header().response)?;
    let versus = versus.as_ref().map(|versus| Named { model: &*versus.model, name: versus.name.clone() });
    let models = (Named { model, name }, versus);
    let labels = match answers.given {
        Given::Labels(labels) => labels,
        Given::Classes(gold) => {
            args.plots.refuse()?;
            return categories::run(common, args, models, &dataset, (&gold, groups.as_deref()));
        }
        Given::Numbers(gold) => {
            args.plots.refuse()?;
            return numbers::run(common, args, models, &dataset, (&gold, groups.as_deref()));
        }
    };
    let classes = model.header().binary_labels();
    let labelled = Labelled { name: &dataset.name, classes, labels, groups, ranks };
    let decide = |model| input::decisions(model, &dataset);
    let evaluation = evaluate(common, args, &labelled, models, decide)?;
    print(common, model.header(), wording::made_of(model), "pairs", &evaluation)
}

/// Both models must give the same kind of answer, with the same labels.
fn check_comparable(model: &dyn PairModel, versus: &dyn PairModel) -> anyhow::Result<()> {
    let (ours, theirs) = (&model.header().response, &versus.header().response);
    let is_number = |response: &Response| matches!(response, Response::Real { .. });
    if is_number(ours) && is_number(theirs)
        || !is_number(ours) && !is_number(theirs) && ours.labels() == theirs.labels()
    {
        return Ok(());
    }
    let shown = |response: &Response| match response.labels() {
        [] => "numbers".to_owned(),
        labels => labels.join(", "),
    };
    let (ours, theirs) = (shown(ours), shown(theirs));
    Err(Usage(format!("--versus: its answers are {theirs}, the model's {ours}: expected models of the same answers"))
        .into())
}

/// A number for every pair's group; none if no pair is in a group. A pair without one is a group of
/// its own.
fn groups(dataset: &Dataset) -> Option<Vec<usize>> {
    dataset.groups().iter().any(Option::is_some).then(|| dataset.group_numbers())
}
