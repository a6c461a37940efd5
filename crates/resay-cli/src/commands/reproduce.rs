//! `resay reproduce`: the papers' tables, measured, the paper's figure beside ours, and kept as CSV.

use crate::args::{Common, OutputFolder, ReproduceArgs};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::render;
use resay::task::reproduce::{EffortAt, Measured, Row, Scored, TABLES, TRIED, ablate, typed_effort};
use resay_learn::progress::Step;
use resay_view::{json, svg::Plot};
use std::path::Path;

/// The table whose pairs are in the program.
const WITHOUT_CORPORA: &str = "contrast";

pub(crate) fn run(common: &Common, args: &ReproduceArgs) -> anyhow::Result<()> {
    let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = args.tables.iter().find(|table| !names.contains(&table.as_str())) {
        let message = format!("unknown table '{unknown}', expected one of: {}", names.join(", "));
        return Err(Usage(message).into());
    }
    let is_without_corpora = !args.tables.is_empty() && args.tables.iter().all(|table| table == WITHOUT_CORPORA);
    let data = match &common.data {
        Some(data) => data,
        None if is_without_corpora => Path::new("."),
        None => {
            let message = "where are the corpora? Name their folder with --data DIR or the variable RESAY_DATA";
            return Err(Usage(message.to_owned()).into());
        }
    };
    let mut out = Output::stdout();
    if args.plots {
        if args.tables.iter().any(|table| table != "tesrk") {
            let message = "--plots draws the figures of 'tesrk' only: leave the other tables out";
            return Err(Usage(message.to_owned()).into());
        }
        plots(common, data, &args.results, &mut out)?;
        return out.finish();
    }
    if args.ablate {
        if args.tables.iter().any(|table| table != "align") {
            let message = "--ablate is about 'align' only: leave the other tables out";
            return Err(Usage(message.to_owned()).into());
        }
        ablation(common, data, &args.results, &mut out)?;
        return out.finish();
    }
    for (name, measure) in TABLES {
        if !args.tables.is_empty() && !args.tables.iter().any(|table| table == name) {
            continue;
        }
        let progress = Progress::new(common);
        let report = |step: Step<'_>| progress.report(step);
        let reports = resay_learn::progress::Progress::new(&report);
        let measured = measure(data, common.seed, &common.resources, reports).map_err(missing)?;
        drop(progress);
        save(&args.results, &format!("{name}.csv"), &table(HEADS, &measured.rows, 4))?;
        save(&args.results, &format!("{name}-scores.csv"), &scores(&measured.scores))?;
        print(common, &measured, &mut out)?;
    }
    out.finish()
}

/// The heads of a CSV file.
const HEADS: [&str; 9] = ["dataset", "system", "protocol", "cost", "metric", "value", "paper", "held_out", "note"];

/// Says how the folder of the corpora is named, where a file of it is not there.
fn missing(error: resay::Error) -> anyhow::Error {
    match &error {
        resay::Error::File { file, .. } if !Path::new(file).exists() => {
            Usage(format!("{error}: name it with --data DIR or the variable RESAY_DATA")).into()
        }
        _ => error.into(),
    }
}

/// What every piece of the aligner's features is worth.
fn ablation(common: &Common, data: &Path, results: &OutputFolder, out: &mut Output) -> anyhow::Result<()> {
    let progress = Progress::new(common);
    let report = |step: Step<'_>| progress.report(step);
    let rows = ablate(data, &common.resources, resay_learn::progress::Progress::new(&report)).map_err(missing)?;
    drop(progress);
    save(results, "align-ablation.csv", &table(HEADS, &rows, 4))?;
    if common.json {
        for row in &rows {
            out.json(&json::Reproduced::from(row))?;
        }
        return Ok(());
    }
    let mut lines = vec![["set", "features", "F1", ""].map(str::to_owned).to_vec()];
    for row in rows.iter().filter(|row| row.metric == "F1") {
        lines.push(vec![row.dataset.to_owned(), row.system.clone(), format!("{:.2}", row.value), row.note.clone()]);
    }
    for line in render::table("<<><", &lines) {
        out.line(&line)?;
    }
    Ok(())
}

/// The two figures, and the numbers in them.
fn plots(common: &Common, data: &Path, results: &OutputFolder, out: &mut Output) -> anyhow::Result<()> {
    let progress = Progress::new(common);
    let report = |step: Step<'_>| progress.report(step);
    let efforts = typed_effort(data, common.seed, &common.resources, resay_learn::progress::Progress::new(&report))
        .map_err(missing)?;
    drop(progress);
    let mut lines = vec![["k", "calls", "log_k_calls", "quadruples_by_words"].map(str::to_owned).to_vec()];
    let exponent = |effort: &EffortAt| effort.calls.ln() / (effort.k as f64).ln();
    for effort in &efforts {
        let log = if effort.k > 1 { format!("{:.4}", exponent(effort)) } else { String::new() };
        let cells = [effort.k.to_string(), format!("{:.4}", effort.calls), log, format!("{:.4}", effort.quadruples)];
        lines.push(cells.to_vec());
    }
    save(results, "tesrk-effort.csv", &lines)?;
    let calls: Vec<(f64, f64)> =
        efforts.iter().filter(|effort| effort.k > 1).map(|effort| (effort.k as f64, exponent(effort))).collect();
    let sizes: Vec<(f64, f64)> = efforts.iter().map(|effort| (effort.k as f64, effort.quadruples)).collect();
    let plots = [
        ("tesrk-calls.svg", Plot { title: "Recursive calls against k", x: "k", y: "log_k(calls)", points: &calls }),
        (
            "tesrk-size.svg",
            Plot { title: "Size of C against k", x: "k", y: "|C| / words of the four sentences", points: &sizes },
        ),
    ];
    for (name, plot) in plots {
        let path = results.write(name, |file| file.write_all(plot.svg().as_bytes()))?;
        if !common.json {
            out.line(&path.display().to_string())?;
        }
    }
    if common.json {
        for EffortAt { k, calls, quadruples } in efforts {
            out.json(&json::EffortPoint { k, calls, quadruples })?;
        }
        return Ok(());
    }
    for line in render::table(">>>>", &lines) {
        out.line(&line)?;
    }
    Ok(())
}

fn print(common: &Common, measured: &Measured, out: &mut Output) -> anyhow::Result<()> {
    if common.json {
        for row in &measured.rows {
            out.json(&json::Reproduced::from(row))?;
        }
        return Ok(());
    }
    // What was tried to choose by would bury the table; the CSV has it.
    let rows: Vec<Row> = measured.rows.iter().filter(|row| row.protocol != TRIED).cloned().collect();
    let n_tried = measured.rows.len() - rows.len();
    let heads = ["set", "system", "chosen by", "cost", "metric", "ours", "paper", "held out", "note"];
    for line in render::table("<<<><>>><", &table(heads, &rows, 2)) {
        out.line(&line)?;
    }
    if n_tried > 0 {
        out.line(&format!(
            "{n_tried} rows more, tried on held-back parts of training sets to choose by, are in the CSV."
        ))?;
    }
    Ok(())
}

/// A line of heads and a line a row, figures with so many decimals.
fn table(heads: [&str; 9], rows: &[Row], decimals: usize) -> Vec<Vec<String>> {
    // Percentages with the decimals asked for, shares (MAP, MRR) with two more.
    let figure =
        |value: f64| if value > 1.0 { format!("{value:.decimals$}") } else { format!("{value:.0$}", decimals + 2) };
    let mut lines = vec![heads.map(str::to_owned).to_vec()];
    for row in rows {
        lines.push(vec![
            row.dataset.to_owned(),
            row.system.clone(),
            row.protocol.to_owned(),
            if row.cost > 0.0 { row.cost.to_string() } else { String::new() },
            row.metric.to_owned(),
            figure(row.value),
            row.paper.map_or_else(String::new, |paper| paper.to_string()),
            row.held_out.map_or_else(String::new, figure),
            row.note.clone(),
        ]);
    }
    lines
}

fn scores(scores: &[Scored]) -> Vec<Vec<String>> {
    let mut lines = vec![["dataset", "system", "id", "label", "score"].map(str::to_owned).to_vec()];
    for row in scores {
        let label = if row.label { "1" } else { "0" };
        let cells = [row.dataset, &row.system, &row.id, label, &format!("{:.6}", row.score)];
        lines.push(cells.map(str::to_owned).to_vec());
    }
    lines
}

/// RFC 4180: quoted where a comma or a quote would be misread.
fn save(results: &OutputFolder, name: &str, lines: &[Vec<String>]) -> resay::Result<()> {
    let cell = |cell: &String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
    };
    results.write(name, |out| {
        for line in lines {
            writeln!(out, "{}", line.iter().map(cell).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    })?;
    Ok(())
}
