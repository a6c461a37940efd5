//! Tables: tab-separated columns under a header row. Quotes are literal, since a tab cannot be quoted into a cell and
//! sentences are full of quotes; a cell can therefore hold anything but tabs and newlines.

use super::columns::{Columns, Field, listed};
use super::lines::{LineReader, shorten};
use super::{Example, Label};
use crate::{Error, Result};
use std::io::BufRead;

/// Streams the rows of a table.
#[derive(Debug)]
pub(super) struct TsvReader<R> {
    lines: LineReader<R>,
    /// The header's cells as they stand, tab-separated, for messages.
    header: String,
    n_columns: usize,
    /// `wanted[field]`: the column that holds the field.
    wanted: [Option<usize>; Field::ALL.len()],
    n_rows: u64,
}

impl<R: BufRead> TsvReader<R> {
    /// Reads the header.
    pub(super) fn new(mut lines: LineReader<R>, columns: &Columns) -> Result<Self> {
        if !lines.advance_to_text()? {
            return Err(Error::file(lines.name(), "no rows: expected a header and at least one pair"));
        }
        let header = lines.line().to_owned();
        let mut wanted = [None; Field::ALL.len()];
        for (place, field) in wanted.iter_mut().zip(Field::ALL) {
            let name = columns.of(field);
            let mut found = header.split('\t').enumerate().filter(|(_, cell)| cell.trim() == name).map(|(idx, _)| idx);
            *place = found.next();
            if let (Some(first), Some(second)) = (*place, found.next()) {
                return Err(lines.error(format!(
                    "column \"{}\" stands twice in the header (columns {} and {}); rename one, or name another with --{}-column NAME",
                    shorten(name),
                    first + 1,
                    second + 1,
                    field.name()
                )));
            }
        }
        let missing: Vec<Field> = Field::ALL
            .into_iter()
            .zip(wanted)
            .filter(|&(field, place)| place.is_none() && columns.required(field))
            .map(|(field, _)| field)
            .collect();
        if !missing.is_empty() {
            return Err(lines.error(missing_columns(&missing, columns, &header)));
        }
        let n_columns = header.split('\t').count();
        Ok(Self { lines, header, n_columns, wanted, n_rows: 0 })
    }

    /// The next row and its line.
    pub(super) fn next_example(&mut self) -> Result<Option<(u64, Example)>> {
        if !self.lines.advance_to_text()? {
            return Ok(None);
        }
        self.n_rows += 1;
        let mut cells = [None; Field::ALL.len()];
        let mut n_cells = 0;
        for (idx, cell) in self.lines.line().split('\t').enumerate() {
            n_cells = idx + 1;
            for (slot, place) in cells.iter_mut().zip(self.wanted) {
                if place == Some(idx) {
                    *slot = Some(cell);
                }
            }
        }
        if n_cells != self.n_columns {
            let plural = if n_cells == 1 { "" } else { "s" };
            return Err(self.lines.error(format!(
                "{n_cells} column{plural}, expected {} ({})",
                self.n_columns,
                listed(self.header.split('\t').map(str::trim))
            )));
        }
        let [source, target, label, id, group] = cells;
        let given = |cell: Option<&str>| cell.filter(|text| !text.is_empty()).map(str::to_owned);
        let example = Example {
            id: given(id).unwrap_or_else(|| self.n_rows.to_string()),
            group: given(group),
            source: source.unwrap_or_default().to_owned(),
            target: target.unwrap_or_default().to_owned(),
            label: label.and_then(Label::new),
        };
        Ok(Some((self.lines.number(), example)))
    }
}

fn missing_columns(missing: &[Field], columns: &Columns, header: &str) -> String {
    let quoted: Vec<String> = missing.iter().map(|&field| format!("\"{}\"", shorten(columns.of(field)))).collect();
    let options: Vec<String> = missing.iter().map(|field| format!("--{}-column NAME", field.name())).collect();
    let plural = if missing.len() == 1 { "" } else { "s" };
    format!(
        "no column{plural} {} in the first row, found: {}; expected a header row, or other names by {}",
        quoted.join(" and "),
        listed(header.split('\t').map(str::trim)),
        options.join(" and ")
    )
}
