//! The papers' tables, measured. A table reads its corpora from a folder, uses nothing that a user could not, and gives
//! back rows: the paper's figure beside ours, and the score of every test example so that two versions can be compared.

mod align;
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
    /// What was measured: accuracy and F1 in percent, MAP, MRR.
    pub(crate) metric: &'static str,
    /// The figure on the test set.
    pub(crate) value: f64,
    /// The mean over held-out folds of the training set of what the cost was chosen by, where it was.
    pub(crate) held_out: Option<f64>,
    /// The paper's figure.
    pub(crate) paper: Option<f64>,
    /// What else is to be said.
    pub(crate) note: String,
}

/// One test example under one system.
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

/// What a table measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    /// One per system and metric.
    pub(crate) rows: Vec<Row>,
    /// One per example, for the systems whose every choice was made on training folds.
    pub(crate) scores: Vec<Scored>,
}

/// What measures a table: the folder of the corpora, the seed of the folds, where every system is reported by its name.
pub(crate) type Measure = fn(&Path, u64, &Resources, Progress<'_>) -> Result<Measured>;

/// The protocol of rows that were measured to choose by, on held-back parts of training sets.
pub(crate) const TRIED: &str = "tried";

/// Every table by its name.
pub(crate) const TABLES: [(&str, Measure); 7] = [
    ("srk", srk::measure),
    ("tesrk", tesrk::measure),
    ("fisher", fisher::measure),
    ("align", align::measure),
    ("lclr", lclr::measure),
    ("combined", combined::measure),
    ("contrast", contrast::measure),
];

/// A file of the data folder; an error says how to name the folder.
fn there(folder: &Path, file: &str) -> Result<PathBuf> {
    let path = folder.join(file);
    if !path.exists() {
        return Err(Error::file(&path.display().to_string(), "not there, expected in the folder of the corpora"));
    }
    Ok(path)
}

/// A corpus of the data folder, several files as one.
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
