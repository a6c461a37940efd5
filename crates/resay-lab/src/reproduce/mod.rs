//! Reproduction of the tables of papers. A table reads its corpora from a folder, uses only what is
//! available to users, and returns rows with the paper's figure beside ours, and the score of every
//! test example, so that two versions can be compared.

mod ablation;
mod adapt;
mod align;
mod answers;
mod bm25;
mod combined;
mod command;
mod contrast;
mod effort;
mod fisher;
mod lclr;
mod plot;
mod results;
mod srk;
mod tesrk;
mod zero_shot;

pub(crate) use command::{ReproduceArgs, run};

use resay::data::{Columns, Dataset};
use resay::resources::Resources;
use resay::{Error, Result};
use resay_learn::progress::Progress;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// One system under one metric. JSON has the fields in this order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row {
    /// The test set.
    pub(crate) dataset: &'static str,
    /// The kernel expression.
    pub(crate) system: String,
    /// How its settings were chosen.
    pub(crate) protocol: &'static str,
    /// The cost it was trained with.
    pub(crate) cost: f64,
    /// The metric: accuracy and F1 in percent, MAP, MRR.
    pub(crate) metric: &'static str,
    /// The value on the test set.
    pub(crate) value: f64,
    /// The mean over cross-validation folds of the tuning metric, if there was any tuning.
    pub(crate) held_out: Option<f64>,
    /// The paper's figure.
    pub(crate) paper: Option<f64>,
    /// Any further remarks.
    pub(crate) note: String,
}

/// One test example scored by one system.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scored {
    /// The test set.
    pub(crate) dataset: &'static str,
    /// The kernel expression and the cost.
    pub(crate) system: String,
    /// The example.
    pub(crate) id: String,
    /// Its label.
    pub(crate) label: bool,
    /// Its score.
    pub(crate) score: f64,
}

/// The measurements of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    /// One per system and metric.
    pub(crate) rows: Vec<Row>,
    /// One per example, for systems tuned on training folds only.
    pub(crate) scores: Vec<Scored>,
}

/// A function that measures a table, given the folder of corpora and the seed of the folds. It
/// reports every system by name.
pub(crate) type Measure = fn(&Path, u64, &Resources, Progress<'_>) -> Result<Measured>;

/// The protocol of tuning rows, measured on held-out parts of training sets.
pub(crate) const TRIED: &str = "tried";

/// All tables by name.
pub(crate) const TABLES: [(&str, Measure); 14] = [
    ("srk", srk::measure),
    ("tesrk", tesrk::measure),
    ("fisher", fisher::measure),
    ("align", align::measure),
    ("lclr", lclr::measure),
    ("combined", combined::measure),
    ("contrast", contrast::measure),
    ("nli", answers::nli),
    ("sick", answers::sick),
    ("sts", answers::sts),
    ("paws", answers::paws),
    ("adapt", adapt::measure),
    ("ablation", ablation::measure),
    ("zero-shot", zero_shot::measure),
];

/// The path of a file in the data folder; the error says how to name the folder.
fn there(folder: &Path, file: &str) -> Result<PathBuf> {
    let path = folder.join(file);
    if !path.exists() {
        return Err(Error::file(&path.display().to_string(), "not there, expected in the folder of the corpora"));
    }
    Ok(path)
}

/// A corpus of the data folder; several files are concatenated.
fn corpus(folder: &Path, files: &[&str]) -> Result<Dataset> {
    let mut all: Option<Dataset> = None;
    for file in files {
        let next = Dataset::read(&there(folder, file)?, None, &Columns::default())?;
        match &mut all {
            Some(all) => all.append(next),
            None => all = Some(next),
        }
    }
    all.ok_or_else(|| Error::data("no files to read"))
}
