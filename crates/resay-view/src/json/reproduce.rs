//! Figures of the papers, measured again.

use resay::task::reproduce::Row;
use serde::Serialize;

/// A point of the figures of `reproduce`: how much work the kernel of typed rules is.
#[derive(Debug, Serialize)]
pub struct EffortPoint {
    /// The length of k-grams.
    pub k: usize,
    /// Calls per quadruple that was asked about.
    pub calls: f64,
    /// Quadruples per word of the four sentences.
    pub quadruples: f64,
}

/// A row of `reproduce`.
#[derive(Debug, Serialize)]
pub struct Reproduced<'a> {
    dataset: &'a str,
    system: &'a str,
    protocol: &'a str,
    cost: f64,
    metric: &'a str,
    value: f64,
    held_out: Option<f64>,
    paper: Option<f64>,
    note: &'a str,
}

impl<'a> From<&'a Row> for Reproduced<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            dataset: row.dataset,
            system: &row.system,
            protocol: row.protocol,
            cost: row.cost,
            metric: row.metric,
            value: row.value,
            held_out: row.held_out,
            paper: row.paper,
            note: &row.note,
        }
    }
}
