//! Answers among several classes, or levels of a scale, against the truth.

use super::options;
use crate::args::{Common, EvalArgs};
use crate::input;
use crate::models::Named;
use crate::output::Output;
use crate::render::figures::show_figures;
use crate::render::{figure, interval};
use resay::data::Dataset;
use resay::model::{Header, PairModel, Prediction, Response};
use resay_learn::eval::categories::{CategoryComparison, CategoryFigures};
use resay_learn::eval::category_losses::{CategoryLosses, LossComparison};
use resay_learn::eval::regression::{RegressionComparison, RegressionFigures};
use resay_view::{json, text, wording};

/// What a model said about every pair.
struct Said {
    classes: Vec<usize>,
    probabilities: Vec<Vec<f64>>,
}

impl Said {
    fn new(model: &dyn PairModel, dataset: &Dataset) -> anyhow::Result<Self> {
        let mut said = Self { classes: Vec::new(), probabilities: Vec::new() };
        for prediction in input::predictions(model, dataset)? {
            if let Prediction::Category { probabilities, label, .. } = prediction {
                said.classes.push(label);
                said.probabilities.push(probabilities);
            }
        }
        Ok(said)
    }

    /// The level to be expected, for each pair.
    fn expected(&self) -> Vec<f64> {
        let level = |shares: &Vec<f64>| shares.iter().enumerate().map(|(level, share)| level as f64 * share).sum();
        self.probabilities.iter().map(level).collect()
    }
}

/// Measures a model on labelled pairs, and how it differs from another.
pub(super) fn run(
    common: &Common,
    args: &EvalArgs,
    (model, versus): (Named<&dyn PairModel>, Option<Named<&dyn PairModel>>),
    dataset: &Dataset,
    (gold, groups): (&[usize], Option<&[usize]>),
) -> anyhow::Result<()> {
    let (options, header) = (options(common, args), model.model.header());
    let labels = header.response.labels();
    let said = Said::new(model.model, dataset)?;
    let figures = CategoryFigures::of(gold, &said.classes, labels.len(), groups, &options)?;
    let losses = CategoryLosses::of(gold, &said.probabilities, groups, &options)?;
    let mut measures = vec![
        json::MeasureInterval::of("accuracy", Some(figures.accuracy)),
        json::MeasureInterval::of("macro F1", Some(figures.macro_f1)),
        json::MeasureInterval::of("log loss", Some(losses.log_loss)),
        json::MeasureInterval::of("Brier", Some(losses.brier)),
    ];
    let levels: Option<Vec<f64>> =
        matches!(header.response, Response::Ordinal { .. }).then(|| gold.iter().map(|level| *level as f64).collect());
    if let Some(levels) = &levels {
        let numbers = RegressionFigures::of(levels, &said.expected(), groups, &options)?;
        measures.push(json::MeasureInterval::of("Pearson", numbers.pearson));
        measures.push(json::MeasureInterval::of("Spearman", numbers.spearman));
        measures.push(json::MeasureInterval::of("mean absolute error in levels", Some(numbers.mae)));
    }
    let versus = match versus {
        Some(Named { model: versus, name }) => {
            let others = Said::new(versus, dataset)?;
            let found = CategoryComparison::of(gold, &said.classes, &others.classes, labels.len(), groups, &options)?;
            let losses = LossComparison::of(gold, &said.probabilities, &others.probabilities, groups, &options)?;
            let mut measures = vec![
                json::MeasureDifference::of("accuracy", Some(found.accuracy)),
                json::MeasureDifference::of("macro F1", Some(found.macro_f1)),
                json::MeasureDifference::of("log loss", Some(losses.log_loss)),
                json::MeasureDifference::of("Brier", Some(losses.brier)),
            ];
            if let Some(levels) = &levels {
                let numbers = RegressionComparison::of(levels, &said.expected(), &others.expected(), groups, &options)?;
                measures.push(json::MeasureDifference::of("Pearson", numbers.pearson));
                measures.push(json::MeasureDifference::of("Spearman", numbers.spearman));
            }
            Some(json::AnswersVersus { model: name, mcnemar_p: Some(found.mcnemar_p), measures })
        }
        None => None,
    };
    let found = json::CategoryEvaluation {
        model: model.name,
        data: &dataset.name,
        n_pairs: dataset.len(),
        labels,
        confusion: figures.confusion,
        classes: labels
            .iter()
            .zip(&figures.classes)
            .map(|(label, class)| json::CategoryClassJson::of(label, class))
            .collect(),
        measures,
        versus,
    };
    super::print(common, &found, |out, found| show(out, header, wording::made_of(model.model), found))
}

fn show(
    out: &mut Output,
    header: &Header,
    (part, made_of): (&str, String),
    found: &json::CategoryEvaluation<'_>,
) -> anyhow::Result<()> {
    let pairs = format!("{} in {}", found.n_pairs, found.data);
    out.fields(&[("model", &found.model), ("task", &header.task), (part, &made_of), ("pairs", &pairs)])?;
    out.line("")?;
    show_figures(out, &found.measures)?;
    out.line("")?;
    let mut rows = vec![["class", "pairs", "said", "precision", "recall", "F1"].map(str::to_owned).to_vec()];
    for class in &found.classes {
        let shown = |measure: &json::MeasureInterval| {
            format!("{} {}", figure(measure.value), interval(measure.low, measure.high))
        };
        let [precision, recall, f1] = [&class.precision, &class.recall, &class.f1].map(shown);
        let (n, said) = (class.n_gold.to_string(), class.n_predicted.to_string());
        rows.push(vec![text::clean(class.class), n, said, precision, recall, f1]);
    }
    out.table("<>>>>>", &rows)?;
    out.line("")?;
    let labels: Vec<String> = found.labels.iter().map(|label| text::clean(label)).collect();
    let mut rows =
        vec![std::iter::once(String::new()).chain(labels.iter().map(|said| format!("said {said}"))).collect()];
    for (label, counts) in labels.iter().zip(&found.confusion) {
        let counts = counts.iter().map(usize::to_string);
        rows.push(std::iter::once(format!("is {label}")).chain(counts).collect::<Vec<_>>());
    }
    out.table(&format!("<{}", ">".repeat(labels.len())), &rows)?;
    let Some(versus) = &found.versus else { return Ok(()) };
    super::numbers::show_versus(out, versus)
}
