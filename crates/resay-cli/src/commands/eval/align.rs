//! `resay eval` with an aligner: its links against those of a file, of all words and of parts of
//! them, how far to trust the figures, and whether another model or another system is better.

use super::{options, print};
use crate::args::{Common, EvalArgs};
use crate::output::Output;
use crate::progress::Progress;
use crate::render::figures::{show_differences, show_figures};
use crate::{input, models, render};
use resay::align::Decode;
use resay::data::AlignedPairs;
use resay::model::AlignModel;
use resay::train::align::{align_counts, align_pairs, gold};
use resay_learn::eval::alignment::{AlignmentFigure, Counts, LinkSubset};
use resay_learn::eval::blocks::WordLink;
use resay_view::json;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &AlignModel, name: String) -> anyhow::Result<()> {
    args.input.columns.refuse_as("is for pairs, but aligned pairs are read here")?;
    let (decode, possible) = (args.of_align.decode.choice()?, args.of_align.possible);
    let format = args.input.of_alignments()?;
    if format.is_none() {
        input::refuse_pairs(&input::find(common, &args.file), "the model aligns: give aligned pairs (json or msr06)")?;
    }
    let pairs = input::aligned_pairs(common, &args.file, format)?;
    if pairs.first_without_words().is_some() {
        let message = "links without sentences, expected aligned pairs with their words (json or msr06)";
        return Err(resay::Error::file(&pairs.name, message).into());
    }
    let progress = Progress::new(common);
    let n_parts = LinkSubset::ALL.len();
    progress.set("measuring", 0, 1 + n_parts);
    let found = links(model, &pairs, decode)?;
    progress.add(1);
    let versus = versus(common, args, &pairs, decode)?;
    let options = options(common, args);
    let mut parts = Vec::with_capacity(n_parts);
    let mut differences = Vec::new();
    for part in LinkSubset::ALL {
        let counts = align_counts(&pairs, &found, part, possible);
        let sum = |value: fn(&Counts) -> usize| counts.iter().map(value).sum();
        let measure = |figure: AlignmentFigure| -> anyhow::Result<json::MeasureInterval> {
            Ok(json::MeasureInterval::of(figure.name(), Some(figure.interval(&counts, &options)?)))
        };
        parts.push(json::AlignPart {
            part: part.name(),
            n_gold: sum(|counts| counts.n_gold),
            n_found: sum(|counts| counts.n_predicted),
            n_right: sum(|counts| counts.n_right),
            measures: AlignmentFigure::ALL.into_iter().map(measure).collect::<anyhow::Result<_>>()?,
        });
        if let Some((_, others)) = &versus {
            let others = align_counts(&pairs, others, part, possible);
            let compare = |figure: AlignmentFigure| -> anyhow::Result<json::MeasureDifference> {
                Ok(json::MeasureDifference::of(figure.name(), Some(figure.compare(&counts, &others, &options)?)))
            };
            let measures = AlignmentFigure::ALL.into_iter().map(compare).collect::<anyhow::Result<_>>()?;
            differences.push(json::AlignDifference { part: part.name(), measures });
        }
        progress.add(1);
    }
    drop(progress);
    let evaluation = json::AlignEvaluation {
        model: name,
        data: &pairs.name,
        n_pairs: pairs.len(),
        parts,
        versus: versus.map(|(name, _)| json::AlignVersus { versus: name, parts: differences }),
    };
    print(common, &evaluation, |out, found| show(out, model, found))
}

fn links(model: &AlignModel, pairs: &AlignedPairs, decode: Decode) -> anyhow::Result<Vec<Vec<WordLink>>> {
    Ok(align_pairs(model, pairs, decode, resay_learn::progress::Progress::none())?
        .iter()
        .map(|aligned| aligned.alignment.pairs())
        .collect())
}

/// The name and the links of what is compared with.
fn versus(
    common: &Common,
    args: &EvalArgs,
    pairs: &AlignedPairs,
    decode: Decode,
) -> anyhow::Result<Option<(String, Vec<Vec<WordLink>>)>> {
    if let Some(other) = super::versus(common, args)? {
        let other = models::aligner(other, "--versus")?;
        return Ok(Some((other.name, links(&other.model, pairs, decode)?)));
    }
    let Some(path) = &args.of_align.versus_links else { return Ok(None) };
    let others = input::aligned_pairs(common, path, None)?;
    // What has words of its own must have the same ones.
    let differs = |(ours, theirs): (&resay::data::AlignedPair, &resay::data::AlignedPair)| {
        theirs.has_words() && (&theirs.source, &theirs.target) != (&ours.source, &ours.target)
    };
    if let Some(idx) = pairs.rows.iter().zip(&others.rows).position(differs) {
        let message = format!("other words than pair {} of {} has, expected the same pairs", idx + 1, pairs.name);
        return Err(others.error(idx, message).into());
    }
    let others = others.with_words_of(pairs)?;
    Ok(Some((path.display().to_string(), others.rows.iter().map(|pair| gold(pair, false)).collect())))
}

fn show(out: &mut Output, model: &AlignModel, found: &json::AlignEvaluation<'_>) -> anyhow::Result<()> {
    let pairs = format!("{} in {}", found.n_pairs, found.data);
    out.fields(&[("model", &found.model), ("task", &model.about().header.task), ("pairs", &pairs)])?;
    out.line("")?;
    let heads = ["", "gold", "found", "precision", "recall", "F1", "95 % interval", "exact"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for part in &found.parts {
        let measure = |figure: AlignmentFigure| part.measures.iter().find(|measure| measure.measure == figure.name());
        let value = |figure| render::figure(measure(figure).and_then(|measure| measure.value));
        let interval = measure(AlignmentFigure::F1).map(|f1| render::interval(f1.low, f1.high)).unwrap_or_default();
        rows.push(vec![
            shown(part.part).to_owned(),
            part.n_gold.to_string(),
            part.n_found.to_string(),
            value(AlignmentFigure::Precision),
            value(AlignmentFigure::Recall),
            value(AlignmentFigure::F1),
            interval,
            value(AlignmentFigure::Exact),
        ]);
    }
    out.table("<>>>>>>>", &rows)?;
    out.line("")?;
    for line in [
        "Precision and recall are means over pairs, F1 is the harmonic mean of the two.",
        "Blocks are right only as a whole; a pair without any counts as 0.",
    ] {
        out.line(line)?;
    }
    if let Some(all) = found.parts.first() {
        out.line("")?;
        out.line("All links:")?;
        show_figures(out, &all.measures)?;
    }
    let Some(versus) = &found.versus else { return Ok(()) };
    out.line("")?;
    out.fields(&[("versus", &versus.versus)])?;
    for part in &versus.parts {
        out.line("")?;
        out.line(&format!("{}:", shown(part.part)))?;
        let main =
            [AlignmentFigure::Precision, AlignmentFigure::Recall, AlignmentFigure::F1].map(AlignmentFigure::name);
        let is_shown =
            |found: &&json::MeasureDifference| part.part == LinkSubset::All.name() || main.contains(&found.measure);
        show_differences(out, part.measures.iter().filter(is_shown))?;
    }
    out.line("")?;
    out.line("p: paired randomisation over pairs, either way.")
}

/// A part's name in a table.
fn shown(part: &'static str) -> &'static str {
    match part {
        "all" => "all links",
        "identical" => "same word",
        "different" => "other word",
        "tokens" => "blocks 1-1",
        "phrases" => "larger blocks",
        other => other,
    }
}
