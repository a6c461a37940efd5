//! `resay predict` with a model of topics: a row for every document, in order, streaming. A folder is its files, one after
//! another.

use super::blocks::{Faults, Row, stream};
use super::predict::parts;
use super::topics::Sorted;
use crate::args::{Common, PredictArgs};
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use rayon::prelude::*;
use resay::data::{Document, DocumentFormat, DocumentReader, Documents, open};
use resay::model::{TopicDecision, TopicModel};
use resay_view::{json, reasons, text};

pub(super) fn run(common: &Common, args: &PredictArgs, model: &TopicModel) -> anyhow::Result<()> {
    let path = input::find(common, &args.file);
    let format = args.input.of_documents()?;
    if format.is_none() {
        input::refuse_pairs(&path, "the model sorts documents: give some, or say --format lines")?;
    }
    let split = args.split.split.and_then(|choice| choice.split());
    let files = Documents::files_of(&path, format)?;
    let format = if path.is_dir() { Some(DocumentFormat::Reuters) } else { format };
    let mut out = Output::stdout();
    let progress = if out.is_terminal() { Progress::hidden() } else { Progress::bytes(common) };
    progress.set("sorting", 0, files.iter().map(|file| input::file_size(file)).sum());
    if !common.json {
        out.line(if args.explain.is_some() {
            "id\tscore\tprobability\tlabel\tstrings"
        } else {
            "id\tscore\tprobability\tlabel"
        })?;
    }
    let n_bytes = |document: &Document| document.text.len();
    let explain = args.explain.map(usize::from);
    let mut n_documents = 0;
    for file in files {
        let (name, content) = open(&file)?;
        let mut reader = DocumentReader::new(&name, progress.reader(content), format)?;
        let is_wanted = |document: &Document| split.is_none_or(|split| document.split.is_none_or(|own| own == split));
        let mut documents =
            reader.by_ref().filter(|next| next.as_ref().map_or(true, |(_, document)| is_wanted(document)));
        let faults = Faults { name: &name, is_strict: args.strict };
        let rows = |block: &[(u64, Document)]| rows(model, block, explain, common.json);
        n_documents += stream(&mut documents, n_bytes, &mut out, faults, rows)?.n_items;
    }
    out.finish()?;
    if n_documents == 0 {
        let message = "no documents: expected at least one, perhaps in another --format or of another --split";
        return Err(resay::Error::file(&path.display().to_string(), message).into());
    }
    Ok(())
}

fn rows(model: &TopicModel, block: &[(u64, Document)], explain: Option<usize>, json: bool) -> anyhow::Result<Vec<Row>> {
    let decisions = model.decide_all(block, |(_, document)| &document.text, resay_learn::progress::Progress::none())?;
    let of_document = |((_, document), decisions): (&(u64, Document), Vec<TopicDecision>)| {
        Ok(Row::good(row(&Sorted::new(model, decisions), document, explain, json)?))
    };
    block.par_iter().zip(decisions).map(of_document).collect()
}

fn row(sorted: &Sorted<'_>, document: &Document, explain: Option<usize>, json: bool) -> anyhow::Result<String> {
    let explained = match (explain, sorted.best()) {
        (Some(top), Some(best)) => Some(sorted.model.explain(&document.text, best, top)?.1),
        _ => None,
    };
    let strings = explain.map(|top| explained.as_ref().map_or_else(Vec::new, |tree| reasons::strongest(tree, top)));
    if json {
        let strings = strings.map(|strings| strings.into_iter().map(json::Contribution::of).collect());
        let (labels, topics) = (sorted.labels(), sorted.scores());
        return Ok(serde_json::to_string(&json::SortedDocument { id: &document.id, labels, topics, strings })?);
    }
    let (score, probability) = match sorted.best_decision() {
        Some(decision) => (decision.score.to_string(), decision.probability.to_string()),
        None => (String::new(), String::new()),
    };
    let labels = text::clean(&sorted.labels().join(","));
    let mut row = format!("{}\t{score}\t{probability}\t{labels}", text::clean(&document.id));
    if let Some(strings) = strings {
        row.push('\t');
        row.push_str(&parts(&strings));
    }
    Ok(row)
}
