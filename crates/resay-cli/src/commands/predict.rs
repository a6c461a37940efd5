//! `resay predict`: a row for every pair, in order, streaming; documents go to `predict_topics.rs`.

use super::blocks::{Faults, Row, stream};
use crate::args::{Common, PredictArgs};
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use rayon::prelude::*;
use resay::data::{Example, open};
use resay::explain::Explanation;
use resay::model::{AnyModel, Decision, PairModel, Prediction};
use resay_view::{json, reasons, text, wording};

pub(crate) fn run(common: &Common, args: &PredictArgs) -> anyhow::Result<()> {
    let model = match input::any_model(common, &args.model.model)?.into_pair_model() {
        Ok(model) => model,
        Err(AnyModel::Topics(model)) => return super::predict_topics::run(common, args, &model),
        Err(_) => return Err(input::no_aligner("predict")),
    };
    args.split.refuse()?;
    let format = args.input.of_pairs()?;
    let path = input::find(common, &args.file);
    let (name, file) = open(&path)?;
    let mut out = Output::stdout();
    let progress = if out.is_terminal() { Progress::hidden() } else { Progress::bytes(common) };
    progress.set("scoring", 0, input::file_size(&path));
    let columns = args.input.columns.columns();
    let mut pairs = input::pair_reader(common, &name, progress.reader(file), format, &columns)?;
    if !common.json {
        out.line(if args.explain.is_some() {
            "id\tscore\tprobability\tlabel\trules"
        } else {
            "id\tscore\tprobability\tlabel"
        })?;
    }
    let n_bytes = |example: &Example| example.source.len() + example.target.len();
    let explain = args.explain.map(usize::from);
    let faults = Faults { name: &name, is_strict: args.strict };
    let rows = |block: &[(u64, Example)]| rows(&*model, block, explain, common.json);
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

fn rows(
    model: &dyn PairModel,
    block: &[(u64, Example)],
    explain: Option<usize>,
    json: bool,
) -> anyhow::Result<Vec<Row>> {
    let found: Vec<Found> = match explain {
        None => {
            let found = model.predict(
                block,
                |(_, pair)| (&pair.source, &pair.target),
                resay_learn::progress::Progress::none(),
            )?;
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
                Row::good(row(model, example, prediction.decision()?, strongest, json)?)
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

fn row(
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
        return Ok(serde_json::to_string(&json::Prediction { id: &example.id, score, probability, label, rules })?);
    }
    let mut row = format!("{}\t{score}\t{probability}\t{}", text::clean(&example.id), text::clean(label));
    if let Some(rules) = rules {
        row.push('\t');
        row.push_str(&parts(&rules));
    }
    Ok(row)
}

/// Parts of a decision in one column.
pub(super) fn parts(parts: &[&Explanation]) -> String {
    let shown = |part: &&Explanation| format!("{} {}", text::signed(part.value), wording::what(&part.what));
    parts.iter().map(shown).collect::<Vec<_>>().join(" | ")
}
