//! `resay predict`: a row for every pair, in order, streaming. Pairs are read in blocks, scored in parallel and written,
//! so that a file of any length takes the memory of one block.

use crate::args::{Common, PredictArgs};
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render, wire};
use rayon::prelude::*;
use resay::data::{Example, PairReader, open};
use resay::explain::Explanation;
use resay::model::{Decision, Model};

/// A block ends after this many pairs or bytes of text, whichever comes first.
const BLOCK_PAIRS: usize = 4096;
const BLOCK_BYTES: usize = 8 << 20;

pub(crate) fn run(common: &Common, args: &PredictArgs) -> anyhow::Result<()> {
    let model = input::model(&args.model.model)?;
    let path = input::find(common, &args.file);
    let (name, file) = open(&path)?;
    let mut out = Output::stdout();
    let progress = if out.is_terminal() { Progress::hidden() } else { Progress::bytes(common) };
    progress.set("scoring", 0, input::file_size(&path));
    let mut pairs = PairReader::new(&name, progress.reader(file), args.input.format, &args.input.columns.columns())?;
    if !common.json {
        out.line(if args.explain.is_some() {
            "id\tscore\tprobability\tlabel\trules"
        } else {
            "id\tscore\tprobability\tlabel"
        })?;
    }
    let (mut fault, mut n_pairs) = (None, 0);
    while fault.is_none() {
        let block;
        (block, fault) = next_block(&mut pairs);
        if block.is_empty() {
            break;
        }
        n_pairs += block.len();
        for row in rows(&model, &block, args.explain.map(usize::from), common.json)? {
            out.line(&row)?;
        }
    }
    out.finish()?;
    if n_pairs == 0 && fault.is_none() {
        let message = format!("no rows: expected at least one pair in format {}, or another --format", pairs.format());
        fault = Some(resay::Error::file(&name, message));
    }
    fault.map_or(Ok(()), |fault| Err(fault.into()))
}

/// The next pairs, and what stopped the reading; none at the end.
fn next_block(pairs: &mut impl Iterator<Item = resay::Result<(u64, Example)>>) -> (Vec<Example>, Option<resay::Error>) {
    let (mut block, mut n_bytes) = (Vec::new(), 0);
    while block.len() < BLOCK_PAIRS && n_bytes < BLOCK_BYTES {
        match pairs.next() {
            None => break,
            Some(Err(fault)) => return (block, Some(fault)),
            Some(Ok((_, example))) => {
                n_bytes += example.source.len() + example.target.len();
                block.push(example);
            }
        }
    }
    (block, None)
}

fn rows(model: &Model, block: &[Example], explain: Option<usize>, json: bool) -> anyhow::Result<Vec<String>> {
    let decisions = model.score_all(block, |example| (&example.source, &example.target))?;
    block
        .par_iter()
        .zip(decisions)
        .map(|(example, decision)| {
            let explained = explain.map(|top| model.explain(&example.source, &example.target, top)).transpose()?;
            let strongest = explained.as_ref().zip(explain).map(|((_, tree), top)| render::strongest(tree, top));
            row(model, example, decision, strongest, json)
        })
        .collect()
}

fn row(
    model: &Model,
    example: &Example,
    decision: Decision,
    rules: Option<Vec<&Explanation>>,
    json: bool,
) -> anyhow::Result<String> {
    let Decision { score, probability, label } = decision;
    let label = &model.about().labels[usize::from(label)];
    if json {
        let rules = rules.map(|rules| rules.into_iter().map(wire::Contribution::of).collect());
        return Ok(serde_json::to_string(&wire::Prediction { id: &example.id, score, probability, label, rules })?);
    }
    let mut row = format!("{}\t{score}\t{probability}\t{}", render::clean(&example.id), render::clean(label));
    if let Some(rules) = rules {
        let shown = |rule: &Explanation| format!("{} {}", render::signed(rule.value), render::what(&rule.what));
        row.push('\t');
        row.push_str(&rules.into_iter().map(shown).collect::<Vec<_>>().join(" | "));
    }
    Ok(row)
}
