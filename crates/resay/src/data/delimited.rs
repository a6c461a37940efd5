//! Tables with a header row, whatever their delimiter. This module maps columns to fields and
//! checks that every row has as many cells as the header. `tsv.rs` and `csv.rs` split lines into
//! cells.

use super::columns::{Columns, Field, Recognised, listed};
use super::lines::{LineReader, shorten};
use super::reader::Rows;
use super::{Example, Label};
use crate::{Error, Result};
use std::io::BufRead;

/// What an empty file is missing, for messages.
pub(super) const EXPECTED: &str = "a header and at least one pair";

/// The cells of one row, stored in one buffer.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The line on which the row starts.
    pub(super) line: u64,
    /// The text of all cells.
    text: String,
    /// `ends[idx]` is where cell `idx` ends in `text`.
    ends: Vec<usize>,
}

impl Cells {
    /// Clears the cells for a row that starts on `line`.
    pub(super) fn start(&mut self, line: u64) {
        self.line = line;
        self.text.clear();
        self.ends.clear();
    }

    /// Appends to the current cell.
    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Ends the current cell.
    pub(super) fn end_cell(&mut self) {
        self.ends.push(self.text.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, idx: usize) -> Option<&str> {
        let start = if idx == 0 { 0 } else { *self.ends.get(idx - 1)? };
        self.text.get(start..*self.ends.get(idx)?)
    }

    /// Returns the cells as column names, without surrounding blanks.
    pub(super) fn names(&self) -> Vec<&str> {
        (0..self.len()).filter_map(|idx| self.get(idx)).map(str::trim).collect()
    }
}

/// Reads the next non-blank row. Returns false at the end.
pub(super) type NextRow<I> = fn(&mut LineReader<I>, &mut Cells) -> Result<bool>;

/// Streams the rows of a table.
pub(super) struct TableReader<I> {
    lines: LineReader<I>,
    next_row: NextRow<I>,
    cells: Cells,
    header: Vec<String>,
    /// `wanted[field]` is the column that holds the field.
    wanted: [Option<usize>; Field::ALL.len()],
    recognised: Recognised,
    n_rows: u64,
}

impl<I: BufRead> TableReader<I> {
    /// Reads the header.
    pub(super) fn new(mut lines: LineReader<I>, next_row: NextRow<I>, columns: &Columns) -> Result<Self> {
        let mut cells = Cells::default();
        if !next_row(&mut lines, &mut cells)? {
            return Err(Error::file(lines.name(), format!("no rows: expected {EXPECTED}")));
        }
        let names = cells.names();
        let (wanted, recognised) =
            find_columns(&names, columns).map_err(|message| Error::line(lines.name(), cells.line, message))?;
        let header = names.into_iter().map(str::to_owned).collect();
        Ok(Self { lines, next_row, cells, header, wanted, recognised, n_rows: 0 })
    }
}

impl<I: BufRead + Send> Rows<Example> for TableReader<I> {
    fn next_row(&mut self) -> Result<Option<(u64, Example)>> {
        if !(self.next_row)(&mut self.lines, &mut self.cells)? {
            return Ok(None);
        }
        self.n_rows += 1;
        let (n_cells, n_columns) = (self.cells.len(), self.header.len());
        if n_cells != n_columns {
            let plural = if n_cells == 1 { "" } else { "s" };
            let columns = listed(self.header.iter().map(String::as_str));
            let message = format!("{n_cells} column{plural}, expected {n_columns} ({columns})");
            return Err(Error::line(self.lines.name(), self.cells.line, message));
        }
        let [source, target, label, id, group] = self.wanted.map(|place| place.and_then(|idx| self.cells.get(idx)));
        let given = |cell: Option<&str>| cell.filter(|text| !text.is_empty()).map(str::to_owned);
        let example = Example {
            id: given(id).unwrap_or_else(|| self.n_rows.to_string()),
            group: given(group),
            source: source.unwrap_or_default().to_owned(),
            target: target.unwrap_or_default().to_owned(),
            label: label.and_then(Label::new),
            analyses: None,
        };
        Ok(Some((self.cells.line, example)))
    }

    fn recognised(&self) -> &[(String, &'static str)] {
        &self.recognised
    }
}

/// Finds the column of each field by the names in the header. Returns the columns and the
/// recognised names, or what is wrong with the header.
fn find_columns(header: &[&str], columns: &Columns) -> Result<([Option<usize>; Field::ALL.len()], Recognised), String> {
    let (named, recognised) = columns.recognise(header, "column")?;
    let mut wanted = [None; Field::ALL.len()];
    for (place, field) in wanted.iter_mut().zip(Field::ALL) {
        let name = named.of(field);
        let mut found = header.iter().enumerate().filter(|(_, cell)| **cell == name).map(|(idx, _)| idx);
        *place = found.next();
        if let (Some(first), Some(second)) = (*place, found.next()) {
            return Err(format!(
                "column \"{}\" stands twice in the header (columns {} and {}); rename one, or say which column holds the {}",
                shorten(name),
                first + 1,
                second + 1,
                field.name()
            ));
        }
    }
    let is_missing = |&(field, place): &(Field, Option<usize>)| place.is_none() && columns.required(field);
    let missing: Vec<Field> = Field::ALL.into_iter().zip(wanted).filter(is_missing).map(|(field, _)| field).collect();
    if missing.is_empty() { Ok((wanted, recognised)) } else { Err(missing_columns(&missing, columns, header)) }
}

fn missing_columns(missing: &[Field], columns: &Columns, header: &[&str]) -> String {
    let quoted: Vec<String> = missing.iter().map(|&field| format!("\"{}\"", shorten(columns.of(field)))).collect();
    let fields: Vec<String> = missing.iter().map(|field| format!("the {}", field.name())).collect();
    let plural = if missing.len() == 1 { "" } else { "s" };
    format!(
        "no column{plural} {} in the first row, found: {}; expected a header row, or to be told which column holds {}",
        quoted.join(" and "),
        listed(header.iter().copied()),
        fields.join(" and ")
    )
}
