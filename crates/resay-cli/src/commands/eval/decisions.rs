//! Decisions of yes or no against the truth: what `resay eval` measures of any model that decides,
//! be it about pairs or over programmes.

use super::options;
use crate::args::{Common, EvalArgs};
use crate::models::Named;
use crate::output::Output;
use crate::progress::Progress;
use crate::render::figures::{show_differences, show_figures};
use resay::model::{Decision, Header};
use resay_learn::eval::metrics::{self, Confusion};
use resay_learn::eval::ranking::{self, Ranked, RankingFigure, Which};
use resay_learn::eval::significance::{self, Comparison, Interval, ResampleOptions, Sample};
use resay_view::{json, text};
use std::collections::BTreeSet;

/// A measure of decisions against labels, side by side; none where it is undefined.
type Measure = fn(&[Decision], &[bool]) -> Option<f64>;

/// Every measure, by name. A new one is a row here.
const MEASURES: [(&str, Measure); 8] = [
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

fn confusion(decisions: &[Decision], labels: &[bool]) -> Confusion {
    Confusion::of(&decisions.iter().map(|decision| decision.label).collect::<Vec<_>>(), labels)
}

fn scores(decisions: &[Decision]) -> Vec<f64> {
    decisions.iter().map(|decision| decision.score).collect()
}

fn probabilities(decisions: &[Decision]) -> Vec<f64> {
    decisions.iter().map(|decision| decision.probability).collect()
}

/// Measures a model on labelled data, and how it differs from another.
pub(super) fn evaluate<'a, M>(
    common: &Common,
    args: &EvalArgs,
    data: &Labelled<'a>,
    (model, versus): (Named<M>, Option<Named<M>>),
    decide: impl Fn(M) -> anyhow::Result<Vec<Decision>>,
) -> anyhow::Result<json::Evaluation<'a>> {
    let options = options(common, args);
    let n_steps = 1 + MEASURES.len() * (1 + usize::from(versus.is_some()));
    let progress = Progress::new(common);
    progress.set("measuring", 0, n_steps);

    let decisions = decide(model.model)?;
    progress.add(1);
    let mut figures = data.ranking_figures(&decisions, &options)?;
    for (name, measure) in MEASURES {
        figures.push(json::MeasureInterval::of(name, data.bootstrap(&decisions, measure, &options)?));
        progress.add(1);
    }
    let versus = match versus {
        Some(Named { model: versus, name }) => {
            let others = decide(versus)?;
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
    Ok(json::Evaluation {
        model: model.name,
        data: data.name,
        n_pairs: data.labels.len(),
        n_positive: data.labels.iter().filter(|label| **label).count(),
        groups: data.counted_groups(),
        counts: confusion(&decisions, &data.labels).into(),
        measures: figures,
        versus,
    })
}

/// The truth about a file.
pub(super) struct Labelled<'a> {
    /// The file.
    pub(super) name: &'a str,
    /// Yes or no, one per example.
    pub(super) labels: Vec<bool>,
    /// What each example belongs with, by number: resamples keep groups together.
    pub(super) groups: Option<Vec<usize>>,
    /// Whether the model ranks within the groups.
    pub(super) ranks: bool,
}

impl Labelled<'_> {
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

    /// The measure with its interval; none where it is undefined on the examples.
    fn bootstrap(
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

/// What was found of a model of this header, made of this, on examples that are called `what`.
pub(super) fn show(
    out: &mut Output,
    header: &Header,
    (part, made_of): (&str, String),
    what: &str,
    found: &json::Evaluation<'_>,
) -> anyhow::Result<()> {
    let [no, yes] = header.binary_labels();
    let examples = format!("{} in {}, {} of label {yes}", found.n_pairs, found.data, found.n_positive);
    out.fields(&[("model", &found.model), ("task", &header.task), (part, &made_of), (what, &examples)])?;
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
