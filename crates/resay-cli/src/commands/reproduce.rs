//! `resay reproduce`: the papers' tables, measured, the paper's figure beside ours, and kept as CSV.

use crate::args::{Common, ReproduceArgs};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::{render, wire};
use resay::data::write_whole;
use resay::task::reproduce::{Measured, Row, Scored, TABLES};
use std::path::Path;

pub(crate) fn run(common: &Common, args: &ReproduceArgs) -> anyhow::Result<()> {
    let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = args.tables.iter().find(|table| !names.contains(&table.as_str())) {
        let message = format!("unknown table '{unknown}', expected one of: {}", names.join(", "));
        return Err(Usage(message).into());
    }
    let Some(data) = &common.data else {
        let message = "where are the corpora? Name their folder with --data DIR or the variable RESAY_DATA";
        return Err(Usage(message.to_owned()).into());
    };
    let mut out = Output::stdout();
    for (name, measure) in TABLES {
        if !args.tables.is_empty() && !args.tables.iter().any(|table| table == name) {
            continue;
        }
        let progress = Progress::new(common);
        let measured = measure(data, common.seed, &|what, done, total| progress.show(what, done, total))?;
        drop(progress);
        std::fs::create_dir_all(&args.results).map_err(|error| resay::Error::write(&args.results, error))?;
        let heads = ["dataset", "system", "protocol", "cost", "metric", "value", "paper", "held_out", "note"];
        save(&args.results.join(format!("{name}.csv")), &table(heads, &measured.rows, 4))?;
        save(&args.results.join(format!("{name}-scores.csv")), &scores(&measured.scores))?;
        print(common, &measured, &mut out)?;
    }
    out.finish()
}

fn print(common: &Common, measured: &Measured, out: &mut Output) -> anyhow::Result<()> {
    if common.json {
        for row in &measured.rows {
            out.json(&wire::Reproduced::from(row))?;
        }
        return Ok(());
    }
    let heads = ["set", "system", "chosen by", "cost", "metric", "ours", "paper", "held out", "note"];
    for line in render::table("<<<><>>><", &table(heads, &measured.rows, 2)) {
        out.line(&line)?;
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
fn save(path: &Path, lines: &[Vec<String>]) -> resay::Result<()> {
    let cell = |cell: &String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
    };
    write_whole(path, |out| {
        for line in lines {
            writeln!(out, "{}", line.iter().map(cell).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    })
}
