//! `resay eval` with a model of names: every name of a file of true pairs against the other targets of its group.

use super::eval::{show_differences, show_figures};
use crate::args::{Common, EvalArgs};
use crate::output::Output;
use crate::{input, render};
use resay::data::Names;
use resay::model::{NamesModel, PairModel};
use resay::task::names::rank_names;
use resay_learn::eval::ranking::{Ranked, RankingFigure};
use resay_learn::eval::significance::ResampleOptions;
use resay_view::{json, wording};

/// Candidates of a name: it and those that follow it in the file.
const N_CANDIDATES: usize = 300;

/// What is measured, and how it is called where every name has one right answer.
const FIGURES: [(RankingFigure, &str); 2] = [(RankingFigure::PrecisionAt1, "accuracy"), (RankingFigure::Mrr, "MRR")];

pub(super) fn run(common: &Common, args: &EvalArgs, model: &NamesModel) -> anyhow::Result<()> {
    args.split.refuse()?;
    args.of_align.refuse()?;
    args.input.columns.refuse_as("is for pairs, but names are read here, source and target")?;
    let versus = args.versus.as_deref().map(|path| input::names_model(common, path, "--versus")).transpose()?;
    let names = Names::read(&input::find(common, &args.file))?;
    let options = ResampleOptions { n_resamples: args.resamples, seed: common.seed, ..ResampleOptions::default() };
    let ranked = rank_names(model, &names, N_CANDIDATES)?;
    let measure = |(figure, name): (RankingFigure, &'static str)| -> anyhow::Result<json::MeasureInterval> {
        Ok(json::MeasureInterval::of(name, figure.interval(&ranked, &options)?))
    };
    let measures = FIGURES.into_iter().map(measure).collect::<anyhow::Result<_>>()?;
    let versus = match (&versus, &args.versus) {
        (Some(other), Some(path)) => {
            let others: Vec<Ranked> = rank_names(other, &names, N_CANDIDATES)?;
            let compare = |(figure, name): (RankingFigure, &'static str)| -> anyhow::Result<json::MeasureDifference> {
                Ok(json::MeasureDifference::of(name, figure.compare(&ranked, &others, &options)?))
            };
            let measures = FIGURES.into_iter().map(compare).collect::<anyhow::Result<_>>()?;
            Some(json::NamesVersus { model: path.display().to_string(), measures })
        }
        _ => None,
    };
    let evaluation = json::NamesEvaluation {
        model: args.model.model.display().to_string(),
        data: &names.name,
        n_pairs: names.len(),
        n_candidates: N_CANDIDATES.min(names.len()),
        measures,
        versus,
    };
    let mut out = Output::stdout();
    if common.json {
        out.json(&evaluation)?;
        return out.finish();
    }
    let (what, made_of) = wording::made_of(model);
    let pairs = format!(
        "{} in {}, each among {} candidates at most",
        evaluation.n_pairs, evaluation.data, evaluation.n_candidates
    );
    for (name, text) in
        [("model", &*evaluation.model), ("task", &model.header().task), (what, &made_of), ("pairs", &pairs)]
    {
        for line in render::field(name, text) {
            out.line(&line)?;
        }
    }
    out.line("")?;
    show_figures(&mut out, &evaluation.measures)?;
    if let Some(versus) = &evaluation.versus {
        out.line("")?;
        for line in render::field("versus", &versus.model) {
            out.line(&line)?;
        }
        out.line("")?;
        show_differences(&mut out, &versus.measures)?;
        out.line("")?;
        out.line("p: paired randomisation, either way.")?;
    }
    out.finish()
}
