//! `resay eval` with a model of topics: every topic by itself, all in a few figures, how far to
//! trust these, and whether another model is better.

use super::{options, print};
use crate::args::{Common, EvalArgs, SplitChoice};
use crate::failure::Usage;
use crate::input;
use crate::models::{self, Named};
use crate::output::Output;
use crate::progress::Progress;
use crate::render::figures::{show_differences, show_figures};
use resay::data::Documents;
use resay::model::TopicModel;
use resay_learn::eval::topics::{topic_comparisons, topic_figures, topic_intervals};
use resay_view::{json, text};

/// Above this score a document is of a topic.
const THRESHOLD: f64 = 0.0;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &TopicModel, name: String) -> anyhow::Result<()> {
    let versus = versus(common, args, model)?;
    let choice = args.split.split.unwrap_or(SplitChoice::Test);
    let documents = input::documents(common, &args.file, args.input.of_documents()?, choice)?;
    check_labelled(&documents)?;
    let truth: Vec<Vec<bool>> = model.topics().map(|topic| documents.members(topic)).collect();
    let options = options(common, args);
    let progress = Progress::new(common);
    progress.set("measuring", 0, 2 + 2 * usize::from(versus.is_some()));

    let scores = scores(model, &documents)?;
    progress.add(1);
    let figures = topic_figures(&scores, &truth, THRESHOLD)?;
    let rows = model.topics().zip(&figures.labels).map(|(topic, figures)| json::TopicRow::of(topic, figures));
    let intervals = topic_intervals(&scores, &truth, THRESHOLD, &options)?;
    let intervals = intervals.into_iter().map(|(figure, interval)| json::MeasureInterval::of(figure.name(), interval));
    progress.add(1);
    let versus = match versus {
        Some(versus) => {
            let others = self::scores(&versus.other.model, &documents)?;
            progress.add(1);
            let pick = |all: &[Vec<f64>], side: fn(&(usize, usize)) -> usize| -> Vec<Vec<f64>> {
                versus.common.iter().map(|both| all[side(both)].clone()).collect()
            };
            let truth: Vec<Vec<bool>> = versus.common.iter().map(|both| truth[both.0].clone()).collect();
            let (ours, theirs) = (pick(&scores, |both| both.0), pick(&others, |both| both.1));
            let found = topic_comparisons(&ours, &theirs, &truth, THRESHOLD, &options)?;
            let measures = found.into_iter().map(|(figure, found)| json::MeasureDifference::of(figure.name(), found));
            let model = versus.other.name;
            Some(json::TopicVersus { model, n_topics: versus.common.len(), measures: measures.collect() })
        }
        None => None,
    };
    drop(progress);
    let is_known = |label: &String| model.topics().any(|topic| topic == label);
    let unknown = documents.rows.iter().filter(|document| !document.labels.iter().all(is_known));
    let evaluation = json::TopicEvaluation {
        model: name,
        data: &documents.name,
        n_documents: documents.len(),
        n_unknown: unknown.count(),
        topics: rows.collect(),
        measures: intervals.collect(),
        versus,
    };
    print(common, &evaluation, |out, found| show(out, model, found))
}

/// A second model, and the topics that both know, as numbers in the first and in the second.
struct Other {
    other: Named<TopicModel>,
    common: Vec<(usize, usize)>,
}

fn versus(common: &Common, args: &EvalArgs, first: &TopicModel) -> anyhow::Result<Option<Other>> {
    let Some(other) = super::versus(common, args)? else { return Ok(None) };
    let other = models::topic_model(other, "--versus")?;
    let theirs: Vec<&str> = other.model.topics().collect();
    let both = |(number, topic): (usize, &str)| Some((number, theirs.iter().position(|other| *other == topic)?));
    let common: Vec<(usize, usize)> = first.topics().enumerate().filter_map(both).collect();
    if common.is_empty() {
        let message = "--versus: the two models have no topic in common, expected at least one";
        return Err(Usage(message.to_owned()).into());
    }
    Ok(Some(Other { other, common }))
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
    let (task, kernel) = (&about.header.task, &about.details.kernel);
    out.fields(&[("model", &found.model), ("task", task), ("kernel", kernel), ("documents", &documents)])?;
    if found.n_unknown > 0 {
        let ignored = format!("labels that the model does not know, in {} documents", found.n_unknown);
        out.fields(&[("ignored", &ignored)])?;
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
    out.table("<>>>>>>>", &rows)?;
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
    out.fields(&[("versus", &versus.model)])?;
    if versus.n_topics < found.topics.len() {
        let text = format!("on {} of {} topics, those that both models know", versus.n_topics, found.topics.len());
        out.fields(&[("", &text)])?;
    }
    out.line("")?;
    show_differences(out, &versus.measures)?;
    out.line("")?;
    out.line("p: paired randomisation over documents, either way.")
}
