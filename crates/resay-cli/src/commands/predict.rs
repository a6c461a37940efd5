//! `resay predict`: a row for every pair, in order, streaming; documents go to `predict_topics.rs`.

use super::blocks::stream;
use crate::args::{Common, PredictArgs};
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render, wire};
use rayon::prelude::*;
use resay::data::{Example, PairReader, open};
use resay::explain::Explanation;
use resay::model::{AnyModel, Decision, Judge};

pub(crate) fn run(common: &Common, args: &PredictArgs) -> anyhow::Result<()> {
    let model = match input::any_model(&args.model.model)?.judge() {
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
    let mut pairs = PairReader::new(&name, progress.reader(file), format, &args.input.columns.columns())?;
    if !common.json {
        out.line(if args.explain.is_some() {
            "id\tscore\tprobability\tlabel\trules"
        } else {
            "id\tscore\tprobability\tlabel"
        })?;
    }
    let mut examples = pairs.by_ref().map(|next| next.map(|(_, example)| example));
    let n_bytes = |example: &Example| example.source.len() + example.target.len();
    let explain = args.explain.map(usize::from);
    let n_pairs = stream(&mut examples, n_bytes, &mut out, |block| rows(&*model, block, explain, common.json))?;
    out.finish()?;
    if n_pairs == 0 {
        let message = format!("no rows: expected at least one pair in format {}, or another --format", pairs.format());
        return Err(resay::Error::file(&name, message).into());
    }
    Ok(())
}

fn rows(model: &dyn Judge, block: &[Example], explain: Option<usize>, json: bool) -> anyhow::Result<Vec<String>> {
    let pairs: Vec<(&str, &str)> = block.iter().map(|example| (&*example.source, &*example.target)).collect();
    let decisions = model.decide_all(&pairs)?;
    block
        .par_iter()
        .zip(decisions)
        .map(|(example, decision)| {
            let explained = explain.map(|top| model.reasons(&example.source, &example.target, top)).transpose()?;
            let strongest = explained.as_ref().zip(explain).map(|(tree, top)| render::strongest(tree, top));
            row(model, example, decision, strongest, json)
        })
        .collect()
}

fn row(
    model: &dyn Judge,
    example: &Example,
    decision: Decision,
    rules: Option<Vec<&Explanation>>,
    json: bool,
) -> anyhow::Result<String> {
    let Decision { score, probability, label } = decision;
    let label = model.labels()[usize::from(label)];
    if json {
        let rules = rules.map(|rules| rules.into_iter().map(wire::Contribution::of).collect());
        return Ok(serde_json::to_string(&wire::Prediction { id: &example.id, score, probability, label, rules })?);
    }
    let mut row = format!("{}\t{score}\t{probability}\t{}", render::clean(&example.id), render::clean(label));
    if let Some(rules) = rules {
        row.push('\t');
        row.push_str(&parts(&rules));
    }
    Ok(row)
}

/// Parts of a decision in one column.
pub(super) fn parts(parts: &[&Explanation]) -> String {
    let shown = |part: &&Explanation| format!("{} {}", render::signed(part.value), render::what(&part.what));
    parts.iter().map(shown).collect::<Vec<_>>().join(" | ")
}
