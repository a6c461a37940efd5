//! `resay eval` with a model of topics: every topic by itself, all in a few figures, how far to trust these, and whether
//! another model is better.

use super::eval::{show_differences, show_figures, show_table};
use crate::args::{Common, EvalArgs, SplitChoice};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render};
use resay::data::Documents;
use resay::model::{AnyModel, TopicModel};
use resay_learn::eval::significance::ResampleOptions;
use resay_learn::eval::topics::{topic_comparisons, topic_figures, topic_intervals};
use resay_view::{json, text};
use std::path::Path;

/// Above this score a document is of a topic.
const THRESHOLD: f64 = 0.0;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &TopicModel) -> anyhow::Result<()> {
    args.of_align.refuse()?;
    let versus = args.versus.as_deref().map(|path| versus(common, path, model)).transpose()?;
    let choice = args.split.split.unwrap_or(SplitChoice::Test);
    let documents = input::documents(common, &args.file, args.input.of_documents()?, choice)?;
    check_labelled(&documents)?;
    let truth: Vec<Vec<bool>> = model.topics().map(|topic| documents.members(topic)).collect();
    let options = ResampleOptions { n_resamples: args.resamples, seed: common.seed, ..ResampleOptions::default() };
    let progress = Progress::new(common);
    progress.set("measuring", 0, 2 + 2 * usize::from(versus.is_some()));

    let scores = scores(model, &documents)?;
    progress.add(1);
    let figures = topic_figures(&scores, &truth, THRESHOLD)?;
    let rows = model.topics().zip(&figures.labels).map(|(topic, figures)| json::TopicRow::of(topic, figures));
    let intervals = topic_intervals(&scores, &truth, THRESHOLD, &options)?;
    let intervals = intervals.into_iter().map(|(figure, interval)| json::MeasureInterval::of(figure.name(), interval));
    progress.add(1);
    let versus = match (&versus, &args.versus) {
        (Some(versus), Some(path)) => {
            let others = self::scores(&versus.model, &documents)?;
            progress.add(1);
            let pick = |all: &[Vec<f64>], side: fn(&(usize, usize)) -> usize| -> Vec<Vec<f64>> {
                versus.common.iter().map(|both| all[side(both)].clone()).collect()
            };
            let truth: Vec<Vec<bool>> = versus.common.iter().map(|both| truth[both.0].clone()).collect();
            let (ours, theirs) = (pick(&scores, |both| both.0), pick(&others, |both| both.1));
            let found = topic_comparisons(&ours, &theirs, &truth, THRESHOLD, &options)?;
            let measures = found.into_iter().map(|(figure, found)| json::MeasureDifference::of(figure.name(), found));
            let model = path.display().to_string();
            Some(json::TopicVersus { model, n_topics: versus.common.len(), measures: measures.collect() })
        }
        _ => None,
    };
    drop(progress);
    let is_known = |label: &String| model.topics().any(|topic| topic == label);
    let unknown = documents.rows.iter().filter(|document| !document.labels.iter().all(is_known));
    let evaluation = json::TopicEvaluation {
        model: args.model.model.display().to_string(),
        data: &documents.name,
        n_documents: documents.len(),
        n_unknown: unknown.count(),
        topics: rows.collect(),
        measures: intervals.collect(),
        versus,
    };
    let mut out = Output::stdout();
    if common.json {
        out.json(&evaluation)?;
    } else {
        show(&mut out, model, &evaluation)?;
    }
    out.finish()
}

/// A second model, and the topics that both know, as numbers in the first and in the second.
struct Other {
    model: Box<TopicModel>,
    common: Vec<(usize, usize)>,
}

fn versus(common: &Common, path: &Path, first: &TopicModel) -> anyhow::Result<Other> {
    let other = match input::any_model(common, path)? {
        AnyModel::Topics(model) => Ok(model),
        AnyModel::Align(_) => Err("is a model that aligns"),
        AnyModel::Names(_) => Err("is a model of names"),
        _ => Err("is a model of pairs"),
    };
    let model = other.map_err(|what| {
        let shown = path.display();
        Usage(format!("--versus: {shown} {what}, expected one of task topics as the first is"))
    })?;
    let theirs: Vec<&str> = model.topics().collect();
    let both = |(number, topic): (usize, &str)| Some((number, theirs.iter().position(|other| *other == topic)?));
    let common: Vec<(usize, usize)> = first.topics().enumerate().filter_map(both).collect();
    if common.is_empty() {
        let message = "--versus: the two models have no topic in common, expected at least one";
        return Err(Usage(message.to_owned()).into());
    }
    Ok(Other { model, common })
}

/// Every document must say which topics it is of.
fn check_labelled(documents: &Documents) -> anyhow::Result<()> {
    let Some(first) = documents.first_unlabelled() else { return Ok(()) };
    let message = "nothing is said about labels, expected a list \"labels\"; a document of no topic has an empty one";
    Err(documents.error(first, message).into())
}

/// `scores[topic][document]`.
fn scores(model: &TopicModel, documents: &Documents) -> resay::Result<Vec<Vec<f64>>> {
    let decisions =
        model.decide_all(&documents.rows, |document| &document.text, resay_learn::progress::Progress::none())?;
    let n_topics = model.topics().len();
    Ok((0..n_topics).map(|topic| decisions.iter().map(|decisions| decisions[topic].score).collect()).collect())
}

fn show(out: &mut Output, model: &TopicModel, found: &json::TopicEvaluation<'_>) -> anyhow::Result<()> {
    let about = model.about();
    let documents = format!("{} in {}", found.n_documents, found.data);
    let mut fields = vec![
        ("model", found.model.clone()),
        ("task", about.header.task.clone()),
        ("kernel", about.details.kernel.clone()),
        ("documents", documents),
    ];
    if found.n_unknown > 0 {
        fields.push(("ignored", format!("labels that the model does not know, in {} documents", found.n_unknown)));
    }
    for line in fields.iter().flat_map(|(name, text)| render::field(name, text)) {
        out.line(&line)?;
    }
    out.line("")?;
    let heads = ["topic", "documents", "AP", "AP of acc.", "break-even", "precision", "recall", "F1"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    rows.extend(found.topics.iter().map(|row| {
        let figures = [row.average_precision, row.accepted_average_precision, row.break_even];
        let counted = [row.precision, row.recall, row.f1];
        let mut cells = vec![text::clean(row.topic), row.documents.to_string()];
        cells.extend(figures.into_iter().chain(counted).map(number));
        cells
    }));
    show_table(out, "<>>>>>>>", &rows)?;
    let empty: Vec<&str> = found.topics.iter().filter(|row| row.documents == 0).map(|row| row.topic).collect();
    if rows.iter().flatten().any(|cell| cell == "-") {
        out.line("- is undefined: no document has the topic, or none was given it.")?;
    }
    if !empty.is_empty() {
        let text = format!("No document here has {}: left out of the means of AP and break-even.", empty.join(", "));
        for (line, _) in text::wrap(&text, text::WIDTH, &[]) {
            out.line(&line)?;
        }
    }
    out.line("")?;
    show_figures(out, &found.measures)?;
    let Some(versus) = &found.versus else { return Ok(()) };
    out.line("")?;
    for line in render::field("versus", &versus.model) {
        out.line(&line)?;
    }
    if versus.n_topics < found.topics.len() {
        let text = format!("on {} of {} topics, those that both models know", versus.n_topics, found.topics.len());
        for line in render::field("", &text) {
            out.line(&line)?;
        }
    }
    out.line("")?;
    show_differences(out, &versus.measures)?;
    out.line("")?;
    out.line("p: paired randomisation over documents, either way.")
}
