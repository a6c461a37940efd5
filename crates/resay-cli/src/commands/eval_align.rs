//! `resay eval` with a model that aligns: its links against those of a file, of all words and of parts of them, how far to
//! trust the figures, and whether another model or another system is better.

use super::eval::{show_differences, show_figures, show_table};
use crate::args::{Common, EvalArgs};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render};
use resay::align::Decode;
use resay::data::AlignedPairs;
use resay::model::{AlignModel, AnyModel};
use resay::task::align::{align_counts, align_pairs, gold};
use resay_learn::eval::alignment::{AlignmentFigure, Counts, LinkSubset};
use resay_learn::eval::blocks::WordLink;
use resay_learn::eval::significance::ResampleOptions;
use resay_view::json;

pub(super) fn run(common: &Common, args: &EvalArgs, model: &AlignModel) -> anyhow::Result<()> {
    args.split.refuse()?;
    args.input.columns.refuse_as("is for pairs, but aligned pairs are read here")?;
    let (decode, possible) = (args.of_align.decode.choice()?, args.of_align.possible);
    let pairs = input::aligned_pairs(common, &args.file, args.input.of_alignments()?)?;
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
    let options = ResampleOptions { n_resamples: args.resamples, seed: common.seed, ..ResampleOptions::default() };
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
        model: args.model.model.display().to_string(),
        data: &pairs.name,
        n_pairs: pairs.len(),
        parts,
        versus: versus.map(|(name, _)| json::AlignVersus { versus: name, parts: differences }),
    };
    let mut out = Output::stdout();
    if common.json {
        out.json(&evaluation)?;
    } else {
        show(&mut out, model, &evaluation)?;
    }
    out.finish()
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
    if let Some(path) = &args.versus {
        let AnyModel::Align(model) = input::any_model(common, path)? else {
            let shown = path.display();
            let message =
                "does not align, expected a model of task align as the first is; for links, see --versus-links";
            return Err(Usage(format!("--versus: {shown} {message}")).into());
        };
        return Ok(Some((path.display().to_string(), links(&model, pairs, decode)?)));
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
    let about = model.about();
    let pairs = format!("{} in {}", found.n_pairs, found.data);
    for (name, text) in [("model", &found.model), ("task", &about.header.task), ("pairs", &pairs)] {
        for line in render::field(name, text) {
            out.line(&line)?;
        }
    }
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
    show_table(out, "<>>>>>>>", &rows)?;
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
    for line in render::field("versus", &versus.versus) {
        out.line(&line)?;
    }
    for part in &versus.parts {
        out.line("")?;
        out.line(&format!("{}:", shown(part.part)))?;
        if part.part == LinkSubset::All.name() {
            show_differences(out, &part.measures)?;
        } else {
            let main =
                [AlignmentFigure::Precision, AlignmentFigure::Recall, AlignmentFigure::F1].map(AlignmentFigure::name);
            let kept = part.measures.iter().filter(|measure| main.contains(&measure.measure)).cloned();
            show_differences(out, &kept.collect::<Vec<_>>())?;
        }
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
