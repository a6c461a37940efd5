//! `resay-lab reproduce`: measures the tables of papers, compares them with the published figures,
//! and writes them as CSV.

use super::align::ablate;
use super::effort::{EffortAt, typed_effort};
use super::plot::Plot;
use super::results::{Results, csv, table};
use super::{Measured, Row, TABLES, TRIED};
use anyhow::{Result, ensure};
use clap::Args;
use resay::resources::Resources;
use resay_learn::progress::{Progress, Step};
use resay_learn::threads::Threads;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Examples:
  resay-lab reproduce srk --data corpora
  resay-lab reproduce tesrk --plots --data corpora
  resay-lab reproduce align --ablate --data corpora
  RESAY_DATA=corpora resay-lab reproduce --json")]
pub(crate) struct ReproduceArgs {
    /// Which tables: srk, tesrk, fisher, align, lclr, combined, contrast, nli, sick, sts, paws,
    /// adapt, ablation, zero-shot [default: all]
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// The folder whose CSV files are written anew
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Leave every piece of the aligner's features out in turn instead of measuring tables, on
    /// held-out folds of training sets: align-ablation.csv
    #[arg(long, conflicts_with = "plots")]
    ablate: bool,
    /// Draw the figures of the paper on typed kernels instead of measuring tables: SVG files beside
    /// the CSV files
    #[arg(long)]
    plots: bool,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// How many threads work [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Decides folds, visiting order and resamples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn run(data: &Path, args: &ReproduceArgs) -> Result<()> {
    let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    for table in &args.tables {
        let known = names.join(", ");
        ensure!(names.contains(&table.as_str()), "unknown table '{table}', expected one of: {known}");
    }
    let is_only = |name: &str| args.tables.iter().all(|table| table == name);
    ensure!(!args.plots || is_only("tesrk"), "--plots draws the figures of 'tesrk' only: leave the other tables out");
    ensure!(!args.ablate || is_only("align"), "--ablate is about 'align' only: leave the other tables out");
    let resources = Resources::bundled().with_threads(Threads::new(args.threads));
    let results = Results::new(&args.results, data)?;
    resources.threads().run(|| measure(data, args, &results, &resources))?
}

fn measure(data: &Path, args: &ReproduceArgs, results: &Results<'_>, resources: &Resources) -> Result<()> {
    let is_shown = !args.quiet && io::stderr().is_terminal();
    let report = |step: Step<'_>| show(step);
    let progress = if is_shown { Progress::new(&report) } else { Progress::none() };
    // Output starts on a new line.
    let clear = || if is_shown { write!(io::stderr(), "\r\x1b[K") } else { Ok(()) };
    if args.plots {
        let efforts = typed_effort(data, args.seed, resources, progress).map_err(missing)?;
        clear()?;
        return plots(args, results, &efforts);
    }
    if args.ablate {
        let rows = ablate(data, resources, progress).map_err(missing)?;
        clear()?;
        return ablation(args, results, &rows);
    }
    for (name, measure) in TABLES {
        if args.tables.is_empty() || args.tables.iter().any(|table| table == name) {
            let measured = measure(data, args.seed, resources, progress).map_err(missing)?;
            clear()?;
            results.write_rows(&format!("{name}.csv"), &measured.rows)?;
            results.write_scores(&format!("{name}-scores.csv"), &measured.scores)?;
            print(args, &measured)?;
        }
    }
    Ok(())
}

/// A progress line on a terminal, overwritten by the next.
fn show(step: Step<'_>) {
    let Step { stage, detail, done, total } = step;
    let what = if detail.is_empty() { format!("{stage:?}") } else { detail.to_owned() };
    // If standard error is closed, there is nobody to inform.
    let _ = write!(io::stderr(), "\r\x1b[K{what}: {done} of {total}");
}

/// Tells the user how to name the folder of corpora if a file of it is missing.
fn missing(error: resay::Error) -> anyhow::Error {
    match &error {
        resay::Error::File { file, .. } if !Path::new(file).exists() => {
            anyhow::anyhow!("{error}: name it with --data DIR or the variable RESAY_DATA")
        }
        _ => error.into(),
    }
}

/// Writes the ablation of the aligner's features.
fn ablation(args: &ReproduceArgs, results: &Results<'_>, rows: &[Row]) -> Result<()> {
    results.write_rows("align-ablation.csv", rows)?;
    if args.json {
        return print_json(rows);
    }
    let mut lines = vec![["set", "features", "F1", ""].map(str::to_owned).to_vec()];
    for row in rows.iter().filter(|row| row.metric == "F1") {
        lines.push(vec![row.dataset.to_owned(), row.system.clone(), format!("{:.2}", row.value), row.note.clone()]);
    }
    print_lines(&columns("<<><", &lines))
}

/// Writes the two figures and their data.
fn plots(args: &ReproduceArgs, results: &Results<'_>, efforts: &[EffortAt]) -> Result<()> {
    let mut lines = vec![["k", "calls", "log_k_calls", "quadruples_by_words"].map(str::to_owned).to_vec()];
    let exponent = |effort: &EffortAt| effort.calls.ln() / (effort.k as f64).ln();
    for effort in efforts {
        let log = if effort.k > 1 { format!("{:.4}", exponent(effort)) } else { String::new() };
        let cells = [effort.k.to_string(), format!("{:.4}", effort.calls), log, format!("{:.4}", effort.quadruples)];
        lines.push(cells.to_vec());
    }
    results.write("tesrk-effort.csv", &csv(&lines))?;
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
    let mut shown = Vec::new();
    for (name, plot) in plots {
        shown.push(results.write(name, &plot.svg())?.display().to_string());
    }
    if args.json {
        return print_json(efforts);
    }
    shown.extend(columns(">>>>", &lines));
    print_lines(&shown)
}

fn print(args: &ReproduceArgs, measured: &Measured) -> Result<()> {
    if args.json {
        return print_json(&measured.rows);
    }
    // The rows of tuning would drown the table; the CSV has them.
    let rows: Vec<Row> = measured.rows.iter().filter(|row| row.protocol != TRIED).cloned().collect();
    let n_tried = measured.rows.len() - rows.len();
    let heads = ["set", "system", "chosen by", "cost", "metric", "ours", "paper", "held out", "note"];
    let mut lines = columns("<<<><>>><", &table(heads, &rows, 2));
    if n_tried > 0 {
        lines.push(format!(
            "{n_tried} rows more, tried on held-back parts of training sets to choose by, are in the CSV."
        ));
    }
    print_lines(&lines)
}

fn print_json(rows: &[impl Serialize]) -> Result<()> {
    let lines: serde_json::Result<Vec<String>> = rows.iter().map(serde_json::to_string).collect();
    print_lines(&lines?)
}

fn print_lines(lines: &[String]) -> Result<()> {
    let mut out = io::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(out.flush()?)
}

/// Formats the lines of a table: columns are separated by two spaces and aligned to the right if
/// marked `>` in `align`, else to the left.
fn columns(align: &str, rows: &[Vec<String>]) -> Vec<String> {
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let cell = |(at, cell): (usize, &String)| {
        let width = width(at).unwrap_or(0);
        if align.as_bytes().get(at) == Some(&b'>') { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
    };
    let line = |row: &Vec<String>| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        args: ReproduceArgs,
    }

    /// The error message if the corpora are missing.
    fn said(line: &[&str]) -> String {
        let typed = Typed::try_parse_from([&["reproduce"], line].concat());
        let run = |typed: Typed| run(Path::new("nowhere"), &typed.args);
        match typed.map(run) {
            Ok(Ok(())) => String::new(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn misuse_is_refused_before_any_work() {
        for (line, expected) in [
            (
                &["other"][..],
                "unknown table 'other', expected one of: srk, tesrk, fisher, align, lclr, combined, contrast",
            ),
            (&["--plots", "srk"], "--plots draws the figures of 'tesrk' only"),
            (&["--ablate", "tesrk"], "--ablate is about 'align' only"),
            (&["--ablate", "--plots"], "cannot be used with"),
            (&["--threads", "0"], "invalid value '0'"),
        ] {
            assert!(said(line).contains(expected), "{line:?}: {}", said(line));
        }
    }

    #[test]
    fn corpora_that_are_not_there_are_named() {
        for (line, file) in [
            (&["srk"][..], "msrp/msr_paraphrase_train.txt"),
            (&["tesrk", "--plots"], "msrp/msr_paraphrase_train.txt"),
            (&["align", "--ablate"], "msr06"),
            (&["fisher"], "reuters21578"),
        ] {
            let said = said(line);
            let start = format!("nowhere/{file}");
            assert!(said.starts_with(&start) && said.contains("name it with --data DIR"), "{line:?}: {said}");
        }
    }

    #[test]
    fn the_contrast_suite_needs_no_corpora() {
        let folder = std::env::temp_dir().join(format!("resay-lab-contrast-{}", std::process::id()));
        assert_eq!(said(&["contrast", "--quiet", "--results", &folder.display().to_string()]), "");
        for name in ["contrast.csv", "contrast-scores.csv"] {
            let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results").join(name);
            let measured = std::fs::read_to_string(folder.join(name)).expect("written");
            assert_eq!(measured, std::fs::read_to_string(kept).expect("kept"), "{name}");
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "10", "x"], ["bcd", "5", ""]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(columns("<>", &rows), ["a    10  x", "bcd   5"]);
        assert_eq!(columns("", &[]), Vec::<String>::new());
    }
}
