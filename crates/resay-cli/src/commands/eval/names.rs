//! `resay eval` with a model of names: every name of a file of true pairs against the other targets
//! of its group.

use super::{options, print, versus};
use crate::args::{Common, EvalArgs};
use crate::output::Output;
use crate::render::figures::{show_differences, show_figures};
use crate::{input, models};
use resay::data::Names;
use resay::model::{NamesModel, PairModel};
use resay::train::names::rank_names;
use resay_learn::eval::ranking::{Ranked, RankingFigure};
use resay_view::{json, wording};

/// Candidates of a name: it and those that follow it in the file.
const N_CANDIDATES: usize = 300;

/// What is measured, and how it is called where every name has one right answer.
const FIGURES: [(RankingFigure, &str); 2] = [(RankingFigure::PrecisionAt1, "accuracy"), (RankingFigure::Mrr, "MRR")];

pub(super) fn run(common: &Common, args: &EvalArgs, model: &NamesModel, name: String) -> anyhow::Result<()> {
    args.input.columns.refuse_as("is for pairs, but names are read here, source and target")?;
    let versus = versus(common, args)?.map(|other| models::names_model(other, "--versus")).transpose()?;
    let names = Names::read(&input::find(common, &args.file))?;
    let options = options(common, args);
    let ranked = rank_names(model, &names, N_CANDIDATES)?;
    let measure = |(figure, name): (RankingFigure, &'static str)| -> anyhow::Result<json::MeasureInterval> {
        Ok(json::MeasureInterval::of(name, figure.interval(&ranked, &options)?))
    };
    let measures = FIGURES.into_iter().map(measure).collect::<anyhow::Result<_>>()?;
    let versus = match versus {
        Some(other) => {
            let others: Vec<Ranked> = rank_names(&other.model, &names, N_CANDIDATES)?;
            let compare = |(figure, name): (RankingFigure, &'static str)| -> anyhow::Result<json::MeasureDifference> {
                Ok(json::MeasureDifference::of(name, figure.compare(&ranked, &others, &options)?))
            };
            let measures = FIGURES.into_iter().map(compare).collect::<anyhow::Result<_>>()?;
            Some(json::NamesVersus { model: other.name, measures })
        }
        None => None,
    };
    let evaluation = json::NamesEvaluation {
        model: name,
        data: &names.name,
        n_pairs: names.len(),
        n_candidates: N_CANDIDATES.min(names.len()),
        measures,
        versus,
    };
    print(common, &evaluation, |out, found| show(out, model, found))
}

fn show(out: &mut Output, model: &NamesModel, found: &json::NamesEvaluation<'_>) -> anyhow::Result<()> {
    let (what, made_of) = wording::made_of(model);
    let pairs = format!("{} in {}, each among {} candidates at most", found.n_pairs, found.data, found.n_candidates);
    out.fields(&[("model", &found.model), ("task", &model.header().task), (what, &made_of), ("pairs", &pairs)])?;
    out.line("")?;
    show_figures(out, &found.measures)?;
    let Some(versus) = &found.versus else { return Ok(()) };
    out.line("")?;
    out.fields(&[("versus", &versus.model)])?;
    out.line("")?;
    show_differences(out, &versus.measures)?;
    out.line("")?;
    out.line("p: paired randomisation, either way.")
}
