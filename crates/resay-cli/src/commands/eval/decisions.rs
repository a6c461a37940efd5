//! Decisions of yes or no against the truth: what `resay eval` measures of any model that decides,
//! be it about pairs or over programmes.

use super::{options, plots};
use crate::args::{Common, EvalArgs};
use crate::models::Named;
use crate::output::Output;
use crate::progress::Progress;
use crate::render::figure;
use crate::render::figures::{show_differences, show_figures};
use resay::model::{Decision, Header};
use resay_learn::eval::calibration::calibration;
use resay_learn::eval::exact;
use resay_learn::eval::metrics::{self, Confusion};
use resay_learn::eval::ranking::{self, Ranked, RankingFigure, Which};
use resay_learn::eval::risk::risk_curve;
use resay_learn::eval::significance::{self, Comparison, Interval, ResampleOptions, Sample};
use resay_view::{json, text};
use std::collections::BTreeSet;

/// A measure of decisions against labels, side by side; none where it is undefined.
type Measure = fn(&[Decision], &[bool]) -> Option<f64>;

/// What a decision and a label count as in a share: right, wrong, or nothing.
type Outcome = fn(bool, bool) -> Option<bool>;

const PRECISION: Outcome = |decision, label| decision.then_some(label);
const RECALL: Outcome = |decision, label| label.then_some(decision);

/// Number of bins of equal width that calibration is measured in.
const N_BINS: usize = 10;
/// Number of points of the risk-coverage curve in JSON.
const MOST_POINTS: usize = 100;

/// How the interval of a measure is found.
#[derive(Clone, Copy)]
enum Method {
    /// By the bootstrap.
    Resampled,
    /// Exactly; by the bootstrap where there are groups.
    Share(Outcome),
    /// By the bootstrap, which is empty at 0 and at 1; there from precision and recall.
    F1,
    /// The same, of the classes that occur.
    MacroF1,
}

/// Every measure, by name. A new one is a row here.
const MEASURES: [(&str, Measure, Method); 9] = [
    (
        "accuracy",
        |decisions, labels| Some(confusion(decisions, labels).accuracy()),
        Method::Share(|decision, label| Some(decision == label)),
    ),
    ("precision", |decisions, labels| Some(confusion(decisions, labels).precision()), Method::Share(PRECISION)),
    ("recall", |decisions, labels| Some(confusion(decisions, labels).recall()), Method::Share(RECALL)),
    ("F1", |decisions, labels| Some(confusion(decisions, labels).f1()), Method::F1),
    ("macro F1", |decisions, labels| Some(confusion(decisions, labels).macro_f1()), Method::MacroF1),
    ("AUC", |decisions, labels| metrics::roc_auc(&scores(decisions), labels), Method::Resampled),
    (
        "average precision",
        |decisions, labels| metrics::average_precision(&scores(decisions), labels),
        Method::Resampled,
    ),
    ("log loss", |decisions, labels| metrics::log_loss(&probabilities(decisions), labels), Method::Resampled),
    ("Brier", |decisions, labels| metrics::brier(&probabilities(decisions), labels), Method::Resampled),
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
) -> anyhow::Result<Evaluated<'a>> {
    let options = options(common, args);
    let n_steps = 1 + MEASURES.len() * (1 + usize::from(versus.is_some()));
    let progress = Progress::new(common);
    progress.set("measuring", 0, n_steps);

    let decisions = decide(model.model)?;
    progress.add(1);
    let mut figures = data.ranking_figures(&decisions, &options)?;
    for (name, measure, method) in MEASURES {
        figures.push(json::MeasureInterval::of(name, data.interval(&decisions, measure, method, &options)?));
        progress.add(1);
    }
    let versus = match versus {
        Some(Named { model: versus, name }) => {
            let others = decide(versus)?;
            let mut differences = data.ranking_differences(&decisions, &others, &options)?;
            for (name, measure, _) in MEASURES {
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
    let calibration = calibration(&probabilities(&decisions), &data.labels, N_BINS, options.level);
    let confidences: Vec<f64> = probabilities(&decisions).iter().map(|p| p.max(1.0 - p)).collect();
    let risk = risk_curve(&confidences, &data.right(&decisions));
    let about = format!("{} on {}", model.name, data.name);
    let plot = plots::write(&args.plots, &about, calibration.as_ref(), risk.as_ref())?;
    let counts = confusion(&decisions, &data.labels);
    let [no, yes] = data.classes;
    let found = json::Evaluation {
        model: model.name,
        data: data.name,
        n_pairs: data.labels.len(),
        n_positive: data.labels.iter().filter(|label| **label).count(),
        groups: data.counted_groups(),
        counts: counts.into(),
        classes: [json::ClassFigures::of(yes, counts), json::ClassFigures::of(no, counts.of_negative())],
        measures: figures,
        calibration: calibration.as_ref().map(json::Reliability::of),
        risk_coverage: risk.as_ref().map(|risk| json::RiskCoverage::of(risk, MOST_POINTS)),
        versus,
    };
    Ok(Evaluated { found, plot })
}

/// What was found of a model.
pub(super) struct Evaluated<'a> {
    found: json::Evaluation<'a>,
    /// A plot to print instead.
    plot: Option<String>,
}

/// The truth about a file.
pub(super) struct Labelled<'a> {
    /// The file.
    pub(super) name: &'a str,
    /// What the model calls no and yes.
    pub(super) classes: [&'a str; 2],
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

    /// The measure with the interval that suits it; none where it is undefined on the examples.
    fn interval(
        &self,
        decisions: &[Decision],
        measure: Measure,
        method: Method,
        options: &ResampleOptions,
    ) -> anyhow::Result<Option<Interval>> {
        if let Method::Share(outcome) = method {
            return Ok(Some(self.share(decisions, true, outcome, options)?));
        }
        let found = self.bootstrap(decisions, measure, options)?;
        let occurs =
            |class: &bool| self.labels.contains(class) || decisions.iter().any(|decision| decision.label == *class);
        let classes: Vec<bool> = match method {
            Method::F1 => vec![true],
            Method::MacroF1 => [true, false].into_iter().filter(occurs).collect(),
            Method::Resampled | Method::Share(_) => return Ok(found),
        };
        let Some(found) = found.filter(|found| found.value == 0.0 || found.value == 1.0) else { return Ok(found) };
        let (mut low, mut high) = (0.0, 0.0);
        for &class in &classes {
            let precision = self.share(decisions, class, PRECISION, options)?;
            let bounds = exact::f1_bounds(&precision, &self.share(decisions, class, RECALL, options)?);
            low += bounds.0 / classes.len() as f64;
            high += bounds.1 / classes.len() as f64;
        }
        Ok(Some(Interval { low, high, ..found }))
    }

    /// A share of decisions, with yes or no taken as the positive class.
    fn share(
        &self,
        decisions: &[Decision],
        positive: bool,
        outcome: Outcome,
        options: &ResampleOptions,
    ) -> anyhow::Result<Interval> {
        let pairs = decisions.iter().zip(&self.labels);
        let outcomes: Vec<Option<bool>> =
            pairs.map(|(decision, label)| outcome(decision.label == positive, *label == positive)).collect();
        Ok(exact::share(&outcomes, self.groups.as_deref(), options)?)
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

/// Prints what was found, as JSON, for people, or as the plot that was asked for.
pub(super) fn print(
    common: &Common,
    header: &Header,
    made_of: (&str, String),
    what: &str,
    evaluated: &Evaluated<'_>,
) -> anyhow::Result<()> {
    let Some(plot) = &evaluated.plot else {
        return super::print(common, &evaluated.found, |out, found| show(out, header, made_of, what, found));
    };
    let mut out = Output::stdout();
    out.write_str(plot)?;
    out.finish()
}

/// What was found of a model of this header, made of this, on examples that are called `what`.
fn show(
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
    out.line("")?;
    out.table("<>>>>", &classes(&found.classes, what))?;
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

fn classes(classes: &[json::ClassFigures<'_>], what: &str) -> Vec<Vec<String>> {
    let mut rows = vec![["label", what, "precision", "recall", "F1"].map(str::to_owned).to_vec()];
    rows.extend(classes.iter().map(|class| {
        let [precision, recall, f1] = [class.precision, class.recall, class.f1].map(|value| figure(Some(value)));
        vec![text::clean(class.label), class.n.to_string(), precision, recall, f1]
    }));
    rows
}

fn counts(counts: &json::ConfusionCounts, no: &str, yes: &str) -> Vec<Vec<String>> {
    let (no, yes) = (text::clean(no), text::clean(yes));
    vec![
        vec![String::new(), format!("said {yes}"), format!("said {no}")],
        vec![format!("is {yes}"), counts.true_positive.to_string(), counts.false_negative.to_string()],
        vec![format!("is {no}"), counts.false_positive.to_string(), counts.true_negative.to_string()],
    ]
}
