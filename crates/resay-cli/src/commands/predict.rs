//! `resay predict`: one row per pair, document or programme, in order, streaming. A folder of
//! documents is its files, one after another.

use crate::args::{Common, PredictArgs};
use crate::classified::Classified;
use crate::input;
use crate::models::{self, Named};
use crate::output::Output;
use crate::progress::Progress as Bar;
use crate::render::tree::parts;
use crate::stream::{Faults, Row, stream};
use crate::unfit::UnfitTexts;
use rayon::prelude::*;
use resay::data::{Document, DocumentFormat, DocumentReader, Documents, Example, ProgramExample, ProgramReader, open};
use resay::explain::Explanation;
use resay::model::{
    AnyModel, Explained, Header, PairModel, Prediction, ProgramModel, Response, TopicDecision, TopicModel,
};
use resay::resources::Resources;
use resay_learn::progress::Progress;
use resay_view::{json, reasons, text};
use std::path::Path;

pub(crate) fn run(common: &Common, args: &PredictArgs) -> anyhow::Result<()> {
    let model = models::open(common, args.model.as_deref(), "judge")?;
    models::check_phrases(&model, &args.own)?;
    match models::asking(model, args.question)? {
        Named { model: AnyModel::Topics(model), .. } => documents(common, args, &model),
        Named { model: AnyModel::Program(model), .. } => programs(common, args, &model),
        other => pairs(common, args, &*models::pair_model(other, "predict")?.model),
    }
}

/// The columns between the id of a row and what explains it.
fn columns(response: &Response) -> Vec<String> {
    let strings = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match response {
        Response::Categories { labels } | Response::Ordinal { levels: labels } => {
            labels.iter().map(|label| text::clean(label)).chain(["label".to_owned()]).collect()
        }
        Response::Real { .. } => strings(&["value", "low", "high"]),
        _ => strings(&["score", "probability", "label"]),
    }
}

/// The head of the table; the last column has what explains a row.
fn show_head(
    out: &mut Output,
    common: &Common,
    args: &PredictArgs,
    response: &Response,
    explained_by: &str,
) -> anyhow::Result<()> {
    if common.json {
        return Ok(());
    }
    let mut head = vec!["id".to_owned()];
    head.extend(columns(response));
    head.extend(args.explain.map(|_| explained_by.to_owned()));
    out.line(&head.join("\t"))
}

/// A bar for the bytes of a file; a terminal that shows rows as they come needs none.
fn bar(common: &Common, out: &Output, path: &Path) -> Bar {
    let bar = if out.is_terminal() { Bar::hidden() } else { Bar::bytes(common) };
    bar.set("scoring", 0, input::file_size(path));
    bar
}

fn pairs(common: &Common, args: &PredictArgs, model: &dyn PairModel) -> anyhow::Result<()> {
    args.split.refuse()?;
    let format = args.input.of_pairs()?;
    let path = input::find(common, &args.file);
    let (name, file) = open(&path)?;
    let mut out = Output::stdout();
    let bar = bar(common, &out, &path);
    let mut pairs = input::pair_reader(common, &name, bar.reader(file), format, &args.input.columns.columns())?;
    show_head(&mut out, common, args, &model.header().response, "rules")?;
    let n_bytes = |example: &Example| example.source.len() + example.target.len();
    let explain = args.explain.map(usize::from);
    let faults = Faults { name: &name, is_strict: args.strict };
    let unfit = UnfitTexts::new(common, model)?;
    let rows = |block: &[(u64, Example)]| {
        block.iter().for_each(|(_, pair)| unfit.count(&pair.source, &pair.target));
        pair_rows(model, block, explain, common.json)
    };
    let streamed = stream(&mut pairs, n_bytes, &mut out, faults, rows)?;
    out.finish()?;
    if streamed.n_items == 0 {
        let message = format!("no rows: expected at least one pair in format {}, or another --format", pairs.format());
        return Err(resay::Error::file(&name, message).into());
    }
    unfit.tell();
    streamed.check("scored")
}

fn programs(common: &Common, args: &PredictArgs, model: &ProgramModel) -> anyhow::Result<()> {
    args.split.refuse()?;
    args.input.refuse_for_programs()?;
    let path = input::find(common, &args.file);
    let (name, file) = open(&path)?;
    let mut out = Output::stdout();
    let bar = bar(common, &out, &path);
    let mut programs = ProgramReader::new(&name, bar.reader(file)).map(|next| next.map(|next| (next.line, next)));
    show_head(&mut out, common, args, &model.header().response, "rules")?;
    let n_bytes = |example: &ProgramExample| {
        let n_features = example.of_variables.iter().map(Vec::len).sum::<usize>() + example.shared.len();
        64 * (1 + n_features + example.program.n_variables() + example.program.n_constraints())
    };
    let explain = args.explain.map(usize::from);
    let faults = Faults { name: &name, is_strict: args.strict };
    let rows = |block: &[(u64, ProgramExample)]| program_rows(model, block, explain, common.json);
    let streamed = stream(&mut programs, n_bytes, &mut out, faults, rows)?;
    out.finish()?;
    if streamed.n_items == 0 {
        return Err(resay::Error::file(&name, "no programmes: expected at least one JSON object per line").into());
    }
    streamed.check("scored")
}

/// What was said, with its explanation where that was asked for.
type Found = resay::Result<(Prediction, Option<Explanation>)>;

fn pair_rows(
    model: &dyn PairModel,
    block: &[(u64, Example)],
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<Vec<Row>> {
    let found = match explain {
        None => {
            let found = model.predict(block, |(_, pair)| (&pair.source, &pair.target), Progress::none())?;
            found.into_iter().map(|result| Ok((result?, None))).collect()
        }
        Some(top) => explained(block, model.resources(), |pair| model.explain_one(&pair.source, &pair.target, top))?,
    };
    rows(model.header(), block.iter().map(|(_, pair)| &*pair.id).zip(found), explain, json)
}

fn program_rows(
    model: &ProgramModel,
    block: &[(u64, ProgramExample)],
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<Vec<Row>> {
    let found = match explain {
        None => {
            let found = model.predict(block, |(_, example)| example, Progress::none())?;
            found.into_iter().map(|result| Ok((result?.into(), None))).collect()
        }
        Some(_) => explained(block, model.resources(), |example| model.explain(example))?,
    };
    rows(model.header(), block.iter().map(|(_, example)| &*example.id).zip(found), explain, json)
}

/// Explains all of a block in parallel: what explains an example scores it.
fn explained<T: Sync>(
    block: &[(u64, T)],
    resources: &Resources,
    explain: impl Fn(&T) -> resay::Result<Explained> + Sync,
) -> resay::Result<Vec<Found>> {
    let found = |(_, item): &(u64, T)| {
        let explained = explain(item)?;
        Ok((explained.prediction, Some(explained.explanation)))
    };
    resources.threads().run(|| block.par_iter().map(found).collect())
}

/// The rows of examples, each with its id.
fn rows<'a>(
    header: &Header,
    found: impl Iterator<Item = (&'a str, Found)>,
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<Vec<Row>> {
    let row = |(id, found): (&str, Found)| {
        Ok(match found {
            Ok((prediction, explanation)) => {
                let strongest = explanation.as_ref().zip(explain).map(|(tree, top)| reasons::strongest(tree, top));
                Row::good(said(header, id, &prediction, strongest, json)?)
            }
            Err(fault) => {
                let text = failed(header, id, explain.is_some(), json, &fault)?;
                Row { text, fault: Some(fault.to_string()) }
            }
        })
    };
    found.map(row).collect()
}

/// The row of an example that could not be scored: empty cells, and `error` in the last column.
fn failed(header: &Header, id: &str, is_explained: bool, json: bool, fault: &resay::Error) -> anyhow::Result<String> {
    if json {
        return Ok(serde_json::to_string(&json::Failed::like(&header.response, id, &fault.to_string()))?);
    }
    let mut cells: Vec<String> = columns(&header.response).iter().map(|_| String::new()).collect();
    if let Some(last) = cells.last_mut() {
        *last = "error".to_owned();
    }
    Ok(row(id, cells, is_explained.then(Vec::new)))
}

fn said(
    header: &Header,
    id: &str,
    prediction: &Prediction,
    rules: Option<Vec<&Explanation>>,
    json: bool,
) -> anyhow::Result<String> {
    if json {
        let rules = rules.map(|rules| rules.into_iter().map(json::Contribution::of).collect());
        let answer = json::AnswerJson::of(header, prediction);
        return Ok(serde_json::to_string(&json::PredictionJson { id, answer, rules })?);
    }
    let label = || text::clean(json::said_label(header, prediction));
    let cells = match prediction {
        Prediction::Binary { score, probability, .. } => vec![score.to_string(), probability.to_string(), label()],
        Prediction::Category { probabilities, .. } => {
            probabilities.iter().map(f64::to_string).chain([label()]).collect()
        }
        Prediction::Real { value, interval: [low, high] } => {
            vec![value.to_string(), low.to_string(), high.to_string()]
        }
    };
    Ok(row(id, cells, rules))
}

fn documents(common: &Common, args: &PredictArgs, model: &TopicModel) -> anyhow::Result<()> {
    let path = input::find(common, &args.file);
    let format = args.input.of_documents()?;
    if format.is_none() {
        input::refuse_pairs(&path, "the model sorts documents: give some, or say --format lines")?;
    }
    let split = args.split.split.and_then(|choice| choice.split());
    let files = Documents::files_of(&path, format)?;
    let format = if path.is_dir() { Some(DocumentFormat::Reuters) } else { format };
    let mut out = Output::stdout();
    let bar = if out.is_terminal() { Bar::hidden() } else { Bar::bytes(common) };
    bar.set("sorting", 0, files.iter().map(|file| input::file_size(file)).sum());
    show_head(&mut out, common, args, &model.about().header.response, "strings")?;
    let n_bytes = |document: &Document| document.text.len();
    let explain = args.explain.map(usize::from);
    let mut n_documents = 0;
    for file in files {
        let (name, content) = open(&file)?;
        let mut reader = DocumentReader::new(&name, bar.reader(content), format)?;
        let is_wanted = |document: &Document| split.is_none_or(|split| document.split.is_none_or(|own| own == split));
        let mut documents =
            reader.by_ref().filter(|next| next.as_ref().map_or(true, |(_, document)| is_wanted(document)));
        let faults = Faults { name: &name, is_strict: args.strict };
        let rows = |block: &[(u64, Document)]| document_rows(model, block, explain, common.json);
        n_documents += stream(&mut documents, n_bytes, &mut out, faults, rows)?.n_items;
    }
    out.finish()?;
    if n_documents == 0 {
        let message = "no documents: expected at least one, perhaps in another --format or of another --split";
        return Err(resay::Error::file(&path.display().to_string(), message).into());
    }
    Ok(())
}

fn document_rows(
    model: &TopicModel,
    block: &[(u64, Document)],
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<Vec<Row>> {
    let decisions = model.decide_all(block, |(_, document)| &document.text, Progress::none())?;
    let of_document = |((_, document), decisions): (&(u64, Document), Vec<TopicDecision>)| {
        Ok(Row::good(document_row(&Classified::new(model, decisions), document, explain, json)?))
    };
    block.par_iter().zip(decisions).map(of_document).collect()
}

fn document_row(
    found: &Classified<'_>,
    document: &Document,
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<String> {
    let explained = match (explain, found.best()) {
        (Some(top), Some(best)) => Some(found.model.explain(&document.text, best, top)?.1),
        _ => None,
    };
    let strings = explain.map(|top| explained.as_ref().map_or_else(Vec::new, |tree| reasons::strongest(tree, top)));
    if json {
        let strings = strings.map(|strings| strings.into_iter().map(json::Contribution::of).collect());
        let (labels, topics) = (found.labels(), found.scores());
        return Ok(serde_json::to_string(&json::SortedDocument { id: &document.id, labels, topics, strings })?);
    }
    let best = found.best_decision();
    let numbers = [best.map(|best| best.score), best.map(|best| best.probability)];
    let numbers = numbers.map(|number| number.map_or_else(String::new, |number| number.to_string()));
    let cells = numbers.into_iter().chain([text::clean(&found.labels().join(","))]).collect();
    Ok(row(&document.id, cells, strings))
}

/// A row of the table.
fn row(id: &str, cells: Vec<String>, explained: Option<Vec<&Explanation>>) -> String {
    let explained = explained.map(|explained| parts(&explained));
    let cells = std::iter::once(text::clean(id)).chain(cells).chain(explained);
    cells.collect::<Vec<_>>().join("\t")
}
