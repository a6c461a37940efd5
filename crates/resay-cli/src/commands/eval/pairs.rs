//! `resay eval` with a model that decides: its decisions against the labels of pairs.

use super::{options, print, versus};
use crate::args::{Common, EvalArgs};
use crate::failure::Usage;
use crate::input;
use crate::models::{self, Named};
use crate::output::Output;
use crate::progress::Progress;
use crate::render::figures::{show_differences, show_figures};
use resay::data::Dataset;
use resay::model::{Decision, PairModel};
use resay::train::Task;
use resay_learn::eval::metrics::{self, Confusion};
use resay_learn::eval::ranking::{self, Ranked, RankingFigure, Which};
use resay_learn::eval::significance::{self, Comparison, Interval, ResampleOptions, Sample};
use resay_view::{json, text, wording};
use std::collections::BTreeSet;

/// A measure of decisions against labels, side by side; none where it is undefined.
pub(super) type Measure = fn(&[Decision], &[bool]) -> Option<f64>;

/// Every measure, by name. A new one is a row here.
pub(super) const MEASURES: [(&str, Measure); 8] = [
    ("accuracy", |decisions, labels| Some(confusion(decisions, labels).accuracy())),
    ("precision", |decisions, labels| Some(confusion(decisions, labels).precision())),
    ("recall", |decisions, labels| Some(confusion(decisions, labels).recall())),
    ("F1", |decisions, labels| Some(confusion(decisions, labels).f1())),
    ("AUC", |decisions, labels| metrics::roc_auc(&scores(decisions), labels)),
    ("average precision", |decisions, labels| metrics::average_precision(&scores(decisions), labels)),
    ("log loss", |decisions, labels| metrics::log_loss(&probabilities(decisions), labels)),
    ("Brier", |decisions, labels| metrics::brier(&probabilities(decisions), labels)),
];

/// Which groups a model that ranks is measured on, and what the figures are then called.
const RANKINGS: [(Which, [&str; RankingFigure::ALL.len()]); 2] =
    [(Which::AnyRight, ["MAP", "MRR", "P@1"]), (Which::Mixed, ["MAP, mixed", "MRR, mixed", "P@1, mixed"])];

pub(super) fn confusion(decisions: &[Decision], labels: &[bool]) -> Confusion {
    Confusion::of(&decisions.iter().map(|decision| decision.label).collect::<Vec<_>>(), labels)
}

fn scores(decisions: &[Decision]) -> Vec<f64> {
    decisions.iter().map(|decision| decision.score).collect()
}

fn probabilities(decisions: &[Decision]) -> Vec<f64> {
    decisions.iter().map(|decision| decision.probability).collect()
}

pub(super) fn run(common: &Common, args: &EvalArgs, model: &dyn PairModel, name: String) -> anyhow::Result<()> {
    let versus = versus(common, args)?.map(|other| models::pair_model(other, "--versus")).transpose()?;
    if let Some(Named { model: versus, .. }) = &versus {
        check_comparable(model, &**versus)?;
    }
    let dataset = input::pairs(common, &args.file, args.input.of_pairs()?, &args.input.columns.columns())?;
    let labels = labels(model, &dataset)?;
    let ranks = model.header().task == Task::Answers.name();
    let groups = if ranks { Some(dataset.ranking_groups()?) } else { groups(&dataset) };
    let data = Data { labels, groups, ranks };
    let options = options(common, args);
    let n_steps = 1 + MEASURES.len() * (1 + usize::from(versus.is_some()));
    let progress = Progress::new(common);
    progress.set("measuring", 0, n_steps);

    let decisions = input::decisions(model, &dataset)?;
    progress.add(1);
    let mut figures = data.ranking_figures(&decisions, &options)?;
    for (name, measure) in MEASURES {
        figures.push(json::MeasureInterval::of(name, data.bootstrap(&decisions, measure, &options)?));
        progress.add(1);
    }
    let versus = match versus {
        Some(Named { model: versus, name }) => {
            let others = input::decisions(&*versus, &dataset)?;
            let mut differences = data.ranking_differences(&decisions, &others, &options)?;
            for (name, measure) in MEASURES {
                differences
                    .push(json::MeasureDifference::of(name, data.compare(&decisions, &others, measure, &options)?));
                progress.add(1);
            }
            Some(json::Versus {
                model: name,
                counts: confusion(&others, &data.labels).into(),
                mcnemar_p: significance::mcnemar(&data.right(&decisions), &data.right(&others)),
                measures: differences,
            })
        }
        None => None,
    };
    drop(progress);
    let evaluation = json::Evaluation {
        model: name,
        data: &dataset.name,
        n_pairs: dataset.len(),
        n_positive: data.labels.iter().filter(|label| **label).count(),
        groups: data.counted_groups(),
        counts: confusion(&decisions, &data.labels).into(),
        measures: figures,
        versus,
    };
    print(common, &evaluation, |out, found| show(out, model, found))
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

/// The truth about the pairs.
pub(super) struct Data {
    pub(super) labels: Vec<bool>,
    pub(super) groups: Option<Vec<usize>>,
    /// Whether the model ranks within the groups.
    pub(super) ranks: bool,
}

impl Data {
    /// The groups as a model's scores rank them; none if it does not rank.
    fn ranked(&self, decisions: &[Decision], which: Which) -> Option<Vec<Ranked>> {
        let groups = self.groups.as_deref().filter(|_| self.ranks)?;
        Some(ranking::rank(&scores(decisions), &self.labels, groups, which))
    }

    fn ranking_figures(
        &self,
        decisions: &[Decision],
        options: &ResampleOptions,
    ) -> anyhow::Result<Vec<json::MeasureInterval>> {
        let mut figures = Vec::new();
        for (which, names) in RANKINGS {
            let Some(ranked) = self.ranked(decisions, which) else { break };
            for (figure, name) in RankingFigure::ALL.into_iter().zip(names) {
                figures.push(json::MeasureInterval::of(name, figure.interval(&ranked, options)?));
            }
        }
        Ok(figures)
    }

    fn ranking_differences(
        &self,
        first: &[Decision],
        second: &[Decision],
        options: &ResampleOptions,
    ) -> anyhow::Result<Vec<json::MeasureDifference>> {
        let mut differences = Vec::new();
        for (which, names) in RANKINGS {
            let (Some(first), Some(second)) = (self.ranked(first, which), self.ranked(second, which)) else { break };
            for (figure, name) in RankingFigure::ALL.into_iter().zip(names) {
                differences.push(json::MeasureDifference::of(name, figure.compare(&first, &second, options)?));
            }
        }
        Ok(differences)
    }

    fn counted_groups(&self) -> Option<json::RankingGroups> {
        let groups = self.groups.as_deref().filter(|_| self.ranks)?;
        let of = |right: bool| -> BTreeSet<usize> {
            groups.iter().zip(&self.labels).filter(|(_, label)| **label == right).map(|(group, _)| *group).collect()
        };
        let (right, wrong) = (of(true), of(false));
        let (all, mixed) = (right.union(&wrong).count(), right.intersection(&wrong).count());
        Some(json::RankingGroups { all, any_right: right.len(), mixed })
    }

    fn at(&self, sample: &Sample<'_>) -> Vec<bool> {
        sample.rows.iter().map(|&row| self.labels[row]).collect()
    }

    fn right(&self, decisions: &[Decision]) -> Vec<bool> {
        decisions.iter().zip(&self.labels).map(|(decision, label)| decision.label == *label).collect()
    }

    /// The measure with its interval; none where it is undefined on the pairs.
    pub(super) fn bootstrap(
        &self,
        decisions: &[Decision],
        measure: Measure,
        options: &ResampleOptions,
    ) -> anyhow::Result<Option<Interval>> {
        if measure(decisions, &self.labels).is_none() {
            return Ok(None);
        }
        let figure = |sample: &Sample<'_>, drawn: &[Decision]| measure(drawn, &self.at(sample)).unwrap_or(f64::NAN);
        Ok(Some(significance::bootstrap(decisions, self.groups.as_deref(), options, &figure)?))
    }

    fn compare(
        &self,
        first: &[Decision],
        second: &[Decision],
        measure: Measure,
        options: &ResampleOptions,
    ) -> anyhow::Result<Option<Comparison>> {
        if measure(first, &self.labels).is_none() {
            return Ok(None);
        }
        let figure = |sample: &Sample<'_>, drawn: &[Decision]| measure(drawn, &self.at(sample)).unwrap_or(f64::NAN);
        Ok(Some(significance::compare(first, second, self.groups.as_deref(), options, &figure)?))
    }
}

fn show(out: &mut Output, model: &dyn PairModel, found: &json::Evaluation<'_>) -> anyhow::Result<()> {
    let [no, yes] = model.header().binary_labels();
    let (what, made_of) = wording::made_of(model);
    let pairs = format!("{} in {}, {} of label {yes}", found.n_pairs, found.data, found.n_positive);
    out.fields(&[("model", &found.model), ("task", &model.header().task), (what, &made_of), ("pairs", &pairs)])?;
    if let Some(json::RankingGroups { all, any_right, mixed }) = &found.groups {
        let text = format!("{all}: {any_right} with a right candidate, {mixed} with right and wrong ones (mixed)");
        out.fields(&[("groups", &text)])?;
    }
    out.line("")?;
    show_figures(out, &found.measures)?;
    out.line("")?;
    out.table("<>>", &counts(&found.counts, no, yes))?;
    let Some(versus) = &found.versus else { return Ok(()) };
    out.line("")?;
    out.fields(&[("versus", &versus.model)])?;
    out.line("")?;
    show_differences(out, &versus.measures)?;
    out.line("")?;
    out.table("<>>", &counts(&versus.counts, no, yes))?;
    out.line("")?;
    out.line("p: paired randomisation, either way.")?;
    out.line(&format!("Exact McNemar test on accuracy: p = {:.4}.", versus.mcnemar_p))
}

fn counts(counts: &json::ConfusionCounts, no: &str, yes: &str) -> Vec<Vec<String>> {
    let (no, yes) = (text::clean(no), text::clean(yes));
    vec![
        vec![String::new(), format!("said {yes}"), format!("said {no}")],
        vec![format!("is {yes}"), counts.true_positive.to_string(), counts.false_negative.to_string()],
        vec![format!("is {no}"), counts.false_positive.to_string(), counts.true_negative.to_string()],
    ]
}
