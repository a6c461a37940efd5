//! Predicted numbers against the truth.

use super::options;
use crate::args::{Common, EvalArgs};
use crate::input;
use crate::models::Named;
use crate::output::Output;
use crate::render::figures::{show_differences, show_figures};
use resay::data::Dataset;
use resay::model::{Header, PairModel, Prediction};
use resay_learn::eval::regression::{IntervalCoverage, RegressionComparison, RegressionFigures};
use resay_view::{json, wording};

/// For every pair the number and where it lies with the stated probability.
struct Numbers {
    values: Vec<f64>,
    intervals: Vec<(f64, f64)>,
}

fn predicted(model: &dyn PairModel, dataset: &Dataset) -> anyhow::Result<Numbers> {
    let predictions = input::predictions(model, dataset)?.into_iter();
    let numbers = predictions.filter_map(|prediction| match prediction {
        Prediction::Real { value, interval: [low, high] } => Some((value, (low, high))),
        _ => None,
    });
    let (values, intervals) = numbers.unzip();
    Ok(Numbers { values, intervals })
}

/// Measures a model on labelled pairs, and how it differs from another.
pub(super) fn run(
    common: &Common,
    args: &EvalArgs,
    (model, versus): (Named<&dyn PairModel>, Option<Named<&dyn PairModel>>),
    dataset: &Dataset,
    (gold, groups): (&[f64], Option<&[usize]>),
) -> anyhow::Result<()> {
    let (options, header) = (options(common, args), model.model.header());
    let Numbers { values, intervals } = predicted(model.model, dataset)?;
    let figures = RegressionFigures::of(gold, &values, groups, &options)?;
    let coverage = IntervalCoverage::of(gold, &intervals, groups, &options)?;
    let measures = vec![
        json::MeasureInterval::of("Pearson", figures.pearson),
        json::MeasureInterval::of("Spearman", figures.spearman),
        json::MeasureInterval::of("RMSE", Some(figures.rmse)),
        json::MeasureInterval::of("mean absolute error", Some(figures.mae)),
        json::MeasureInterval::of("within the interval", Some(coverage.share)),
    ];
    let versus = match versus {
        Some(Named { model: versus, name }) => {
            let others = predicted(versus, dataset)?;
            let found = RegressionComparison::of(gold, &values, &others.values, groups, &options)?;
            let measures = vec![
                json::MeasureDifference::of("Pearson", found.pearson),
                json::MeasureDifference::of("Spearman", found.spearman),
                json::MeasureDifference::of("RMSE", Some(found.rmse)),
                json::MeasureDifference::of("mean absolute error", Some(found.mae)),
            ];
            Some(json::AnswersVersus { model: name, mcnemar_p: None, measures })
        }
        None => None,
    };
    let found = json::NumberEvaluation {
        model: model.name,
        data: &dataset.name,
        n_pairs: dataset.len(),
        mean_interval_width: coverage.mean_width,
        measures,
        versus,
    };
    super::print(common, &found, |out, found| show(out, header, wording::made_of(model.model), found))
}

fn show(
    out: &mut Output,
    header: &Header,
    (part, made_of): (&str, String),
    found: &json::NumberEvaluation<'_>,
) -> anyhow::Result<()> {
    let pairs = format!("{} in {}", found.n_pairs, found.data);
    out.fields(&[("model", &found.model), ("task", &header.task), (part, &made_of), ("pairs", &pairs)])?;
    out.line("")?;
    show_figures(out, &found.measures)?;
    if let Some(width) = found.mean_interval_width {
        out.line("")?;
        out.line(&format!("The intervals are {width:.3} wide on average; nine in ten should hold the truth."))?;
    }
    let Some(versus) = &found.versus else { return Ok(()) };
    show_versus(out, versus)
}

/// How two models differ.
pub(super) fn show_versus(out: &mut Output, versus: &json::AnswersVersus) -> anyhow::Result<()> {
    out.line("")?;
    out.fields(&[("versus", &versus.model)])?;
    out.line("")?;
    show_differences(out, &versus.measures)?;
    out.line("")?;
    match versus.mcnemar_p {
        Some(p) => {
            out.line("p: paired randomisation, either way; of correlations the paired bootstrap.")?;
            out.line(&format!("Exact McNemar test on accuracy: p = {p:.4}."))
        }
        None => out.line("p: paired bootstrap, either way."),
    }
}
