//! `resay predict`: one row per pair or document, in order, streaming. A folder of documents is its
//! files, one after another.

use crate::args::{Common, PredictArgs};
use crate::classified::Classified;
use crate::input;
use crate::models::{self, Named};
use crate::output::Output;
use crate::progress::Progress as Bar;
use crate::render::tree::parts;
use crate::stream::{Faults, Row, stream};
use rayon::prelude::*;
use resay::data::{Document, DocumentFormat, DocumentReader, Documents, Example, open};
use resay::explain::Explanation;
use resay::model::{AnyModel, Decision, PairModel, Prediction, TopicDecision, TopicModel};
use resay_learn::progress::Progress;
use resay_view::{json, reasons, text};

pub(crate) fn run(common: &Common, args: &PredictArgs) -> anyhow::Result<()> {
    match models::open(common, args.model.as_deref(), "judge")? {
        Named { model: AnyModel::Topics(model), .. } => documents(common, args, &model),
        other => pairs(common, args, &*models::pair_model(other, "predict")?.model),
    }
}

/// The head of the table; the last column has what explains a row.
fn show_head(out: &mut Output, common: &Common, args: &PredictArgs, explained_by: &str) -> anyhow::Result<()> {
    match (common.json, args.explain) {
        (true, _) => Ok(()),
        (false, None) => out.line("id\tscore\tprobability\tlabel"),
        (false, Some(_)) => out.line(&format!("id\tscore\tprobability\tlabel\t{explained_by}")),
    }
}

fn pairs(common: &Common, args: &PredictArgs, model: &dyn PairModel) -> anyhow::Result<()> {
    args.split.refuse()?;
    let format = args.input.of_pairs()?;
    let path = input::find(common, &args.file);
    let (name, file) = open(&path)?;
    let mut out = Output::stdout();
    let bar = if out.is_terminal() { Bar::hidden() } else { Bar::bytes(common) };
    bar.set("scoring", 0, input::file_size(&path));
    let mut pairs = input::pair_reader(common, &name, bar.reader(file), format, &args.input.columns.columns())?;
    show_head(&mut out, common, args, "rules")?;
    let n_bytes = |example: &Example| example.source.len() + example.target.len();
    let explain = args.explain.map(usize::from);
    let faults = Faults { name: &name, is_strict: args.strict };
    let rows = |block: &[(u64, Example)]| pair_rows(model, block, explain, common.json);
    let streamed = stream(&mut pairs, n_bytes, &mut out, faults, rows)?;
    out.finish()?;
    if streamed.n_items == 0 {
        let message = format!("no rows: expected at least one pair in format {}, or another --format", pairs.format());
        return Err(resay::Error::file(&name, message).into());
    }
    streamed.check("scored")
}

/// What was predicted for a pair, with its explanation where that was asked for.
type Found = resay::Result<(Prediction, Option<Explanation>)>;

fn pair_rows(
    model: &dyn PairModel,
    block: &[(u64, Example)],
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<Vec<Row>> {
    let found: Vec<Found> = match explain {
        None => {
            let found = model.predict(block, |(_, pair)| (&pair.source, &pair.target), Progress::none())?;
            found.into_iter().map(|result| result.map(|prediction| (prediction, None))).collect()
        }
        // What explains a pair scores it.
        Some(top) => model.resources().threads().run(|| {
            let explained = |(_, pair): &(u64, Example)| {
                let explained = model.explain_one(&pair.source, &pair.target, top)?;
                Ok((explained.prediction, Some(explained.explanation)))
            };
            block.par_iter().map(explained).collect()
        })?,
    };
    let mut rows = Vec::with_capacity(block.len());
    for ((_, example), found) in block.iter().zip(found) {
        rows.push(match found {
            Ok((prediction, explanation)) => {
                let strongest = explanation.as_ref().zip(explain).map(|(tree, top)| reasons::strongest(tree, top));
                Row::good(pair_row(model, example, prediction.decision()?, strongest, json)?)
            }
            Err(fault) => {
                let text = failed(example, explain.is_some(), json, &fault)?;
                Row { text, fault: Some(fault.to_string()) }
            }
        });
    }
    Ok(rows)
}

/// The row of a pair that could not be scored: empty numbers, and the label `error`.
fn failed(example: &Example, is_explained: bool, json: bool, fault: &resay::Error) -> anyhow::Result<String> {
    if json {
        return Ok(serde_json::to_string(&json::Failed::of(&example.id, &fault.to_string()))?);
    }
    let rules = if is_explained { "\t" } else { "" };
    Ok(format!("{}\t\t\terror{rules}", text::clean(&example.id)))
}

fn pair_row(
    model: &dyn PairModel,
    example: &Example,
    decision: Decision,
    rules: Option<Vec<&Explanation>>,
    json: bool,
) -> anyhow::Result<String> {
    let Decision { score, probability, label } = decision;
    let label = model.header().binary_labels()[usize::from(label)];
    if json {
        let rules = rules.map(|rules| rules.into_iter().map(json::Contribution::of).collect());
        return Ok(serde_json::to_string(&json::PredictionJson { id: &example.id, score, probability, label, rules })?);
    }
    let numbers = [score.to_string(), probability.to_string()];
    Ok(row(&example.id, numbers, label, rules))
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
    show_head(&mut out, common, args, "strings")?;
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
    Ok(row(&document.id, numbers, &found.labels().join(","), strings))
}

/// A row of the table.
fn row(id: &str, [score, probability]: [String; 2], label: &str, explained: Option<Vec<&Explanation>>) -> String {
    let (id, label) = (text::clean(id), text::clean(label));
    let explained = explained.map_or_else(String::new, |explained| format!("\t{}", parts(&explained)));
    format!("{id}\t{score}\t{probability}\t{label}{explained}")
}
