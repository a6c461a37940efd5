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
                    "column \"{}\" stands twice in the header (columns {} and {}); rename one, or say which column holds the {}",
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
    let options: Vec<String> = missing.iter().map(|field| format!("the {}", field.name())).collect();
    let plural = if missing.len() == 1 { "" } else { "s" };
    format!(
        "no column{plural} {} in the first row, found: {}; expected a header row, or to be told which column holds {}",
        quoted.join(" and "),
        listed(header.split('\t').map(str::trim)),
        options.join(" and ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::data::Format;

    fn check(input: &str, expected: &[&str]) {
        testing::check(Format::Tsv, input, expected);
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(Format::Tsv, input.as_bytes(), expected);
    }

    #[test]
    fn rows() {
        check("source\ttarget\na b\tc\n", &["2|1|~|a b|c|~"]);
        check("target\tsource\na\tb", &["2|1|~|b|a|~"]);
        check("\u{feff}label\tid\tsource\ttarget\tgroup\r\n1\tx\ta\tb\tq\r\n", &["2|x|q|a|b|1"]);
        check("source\ttarget\tlabel\n\"a\t'b\"\t yes \n", &["2|1|~|\"a|'b\"|yes"]);
        check("\nsource\ttarget\n\n   \na\tb\n\nc\td\n", &["5|1|~|a|b|~", "7|2|~|c|d|~"]);
        check("source\ttarget\tid\tgroup\tlabel\n\t\t\t\t\n", &["2|1|~|||~"]);
        check(" source \ttarget\tnote\n a \tb\tx\n", &["2|1|~| a |b|~"]);
        check("source\ttarget\n\0\t\u{1f600}\n", &["2|1|~|\0|\u{1f600}|~"]);
        check("source\ttarget\n", &[]);
        check("source\ttarget\tscore\tscore\na\tb\t1\t2\n", &["2|1|~|a|b|~"]);
    }

    #[test]
    fn faults() {
        check_error("", "pairs: no rows: expected a header and at least one pair");
        check_error("\n \n", "pairs: no rows: expected a header and at least one pair");
        check_error(
            "label\tid\tsource\ttarget\tgroup\n1\ta\tb\tc\td\n1\ta\tb\tc\n",
            "pairs:3: 4 columns, expected 5 (label, id, source, target, group)",
        );
        check_error("source\ttarget\na\tb\tc\n", "pairs:2: 3 columns, expected 2 (source, target)");
        check_error("source\ttarget\na b\n", "pairs:2: 1 column, expected 2 (source, target)");
        check_error(
            "source\ttext\na\tb\n",
            "pairs:1: no column \"target\" in the first row, found: source, text; \
             expected a header row, or to be told which column holds the target",
        );
        check_error(
            "1\tThe cat sat.\tA cat sat.\n",
            "pairs:1: no columns \"source\" and \"target\" in the first row, found: 1, The cat sat., A cat sat.; \
             expected a header row, or to be told which column holds the source and the target",
        );
        check_error(
            "source\ttarget\tsource\na\tb\tc\n",
            "pairs:1: column \"source\" stands twice in the header (columns 1 and 3); \
             rename one, or say which column holds the source",
        );
        check_error(
            &"x\t".repeat(20),
            "pairs:1: no columns \"source\" and \"target\" in the first row, found: x, x, x, x, x, x, x, x, x, x, x, x, ...; \
             expected a header row, or to be told which column holds the source and the target",
        );
    }

    #[test]
    fn other_column_names() {
        let columns = Columns { source: "q".into(), target: "a".into(), label: "gold".into(), ..Columns::default() };
        let read = |input: &str| testing::read("pairs", Format::Tsv, input.as_bytes(), &columns);
        assert_eq!(testing::show(&read("gold\tq\ta\tlabel\n1\tx\ty\t0\n").expect("read")), ["2|1|~|x|y|1"]);
        // A column that was asked for by name must be there.
        assert_eq!(
            read("q\ta\tlabel\nx\ty\t0\n").expect_err("no gold").to_string(),
            "pairs:1: no column \"gold\" in the first row, found: q, a, label; \
             expected a header row, or to be told which column holds the label"
        );
    }
}
