//! Comma-separated tables as in RFC 4180: a quoted cell may contain commas, line breaks and doubled
//! quotes. A quote inside an unquoted cell is literal.
//!
//! Line breaks inside quotes are kept as they are. Messages name the line on which a row starts.

use super::Example;
use super::columns::are_of_pairs;
use super::delimited::{Cells, EXPECTED, TableReader};
use super::format::FormatRow;
use super::lines::{LineReader, MAX_LINE, shorten};
use crate::{Error, Result};
use std::io::BufRead;

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    endings: &[".csv"],
    is_likely: is_header,
    ..FormatRow::new("csv", EXPECTED, |name, input, columns| {
        Ok(Box::new(TableReader::new(LineReader::new(name, input), next_row, columns)?))
    })
};

/// Returns whether a line is a comma-separated header with columns of pairs.
fn is_header(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut cells = Cells::default();
    !line.contains('\t') && matches!(take_line(line, false, &mut cells), Ok(false)) && are_of_pairs(&cells.names())
}

fn next_row<I: BufRead>(lines: &mut LineReader<I>, cells: &mut Cells) -> Result<bool> {
    if !lines.advance_to_text()? {
        return Ok(false);
    }
    cells.start(lines.number());
    let fault = |lines: &LineReader<I>, line: u64, message: String| Error::line(lines.name(), line, message);
    let (mut n_bytes, mut is_quoted) = (0, false);
    loop {
        n_bytes += lines.with_ending().len();
        is_quoted = take_line(lines.line(), is_quoted, cells).map_err(|message| fault(lines, cells.line, message))?;
        if !is_quoted {
            return Ok(true);
        }
        cells.push_str(&lines.with_ending()[lines.line().len()..]);
        let opened = cells.len() + 1;
        if n_bytes > MAX_LINE {
            let message = format!(
                "the row that starts here is longer than {MAX_LINE} bytes, the most that is read; \
                 is the quote that opens column {opened} ever closed?"
            );
            return Err(fault(lines, cells.line, message));
        }
        if !lines.advance()? {
            let message =
                format!("the file ends inside the quotes of column {opened}; expected a quote that closes it");
            return Err(fault(lines, cells.line, message));
        }
    }
}

/// Splits a line into cells. The line starts inside quotes if `is_quoted`. Returns whether it ends
/// inside quotes.
fn take_line(mut rest: &str, mut is_quoted: bool, cells: &mut Cells) -> Result<bool, String> {
    loop {
        if !is_quoted {
            let Some(quoted) = rest.strip_prefix('"') else {
                let (cell, after) = rest.split_once(',').map_or((rest, None), |(cell, after)| (cell, Some(after)));
                cells.push_str(cell);
                cells.end_cell();
                let Some(after) = after else { return Ok(false) };
                rest = after;
                continue;
            };
            rest = quoted;
            is_quoted = true;
        }
        let Some((text, after)) = rest.split_once('"') else {
            cells.push_str(rest);
            return Ok(true);
        };
        cells.push_str(text);
        if let Some(after) = after.strip_prefix('"') {
            cells.push_str("\"");
            rest = after;
            continue;
        }
        cells.end_cell();
        is_quoted = false;
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None if after.is_empty() => return Ok(false),
            None => {
                let (found, column) = (shorten(after), cells.len());
                return Err(format!(
                    "\"{found}\" behind the quote that closes column {column}; expected a comma, or quotes inside a cell \
                     doubled (\"\")"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::data::Format;

    fn check(input: &str, expected: &[&str]) {
        testing::check(Format::Csv, input, expected);
    }

    fn check_error(input: impl AsRef<[u8]>, expected: &str) {
        testing::check_error(Format::Csv, input, expected);
    }

    #[test]
    fn rows() {
        check("source,target\na b,c\n", &["2|1|~|a b|c|~"]);
        check("\u{feff}label,id,source,target,group\r\n1,x,a,b,q\r\n", &["2|x|q|a|b|1"]);
        check("\"target\",\" source \"\n\"a\",b", &["2|1|~|b|a|~"]);
        check("source,target\n\"a, b\",\"she said \"\"no\"\"\"\n", &["2|1|~|a, b|she said \"no\"|~"]);
        check("source,target\n\"\",\"\"\"\"\n", &["2|1|~||\"|~"]);
        check("source,target,label\na,,\n,b,0\n", &["2|1|~|a||~", "3|2|~||b|0"]);
        check("source,target\n5\" wide,a \"b\" c\n", &["2|1|~|5\" wide|a \"b\" c|~"]);
        check("source,target\na\tb, c \n", &["2|1|~|a\tb| c |~"]);
        check("\n\nsource,target\n\n  \na,b\n\nc,d", &["6|1|~|a|b|~", "8|2|~|c|d|~"]);
        check("source,target\n", &[]);
    }

    #[test]
    fn line_breaks_in_quotes_belong_to_the_cell() {
        check("source,target\n\"a\n\nb\",\"\r\nc\"\r\nd,e\n", &["2|1|~|a\n\nb|\r\nc|~", "6|2|~|d|e|~"]);
        check("source,\"target\",\"a\nnote\"\n\"\n \n\",b,c\n", &["3|1|~|\n \n|b|~"]);
    }

    #[test]
    fn faults() {
        check_error("", "pairs: no rows: expected a header and at least one pair");
        check_error("source,target\n\"a\nb\"\n", "pairs:2: 1 column, expected 2 (source, target)");
        check_error("source,target\na,b,c\n", "pairs:2: 3 columns, expected 2 (source, target)");
        check_error(
            "a,b\n",
            "pairs:1: no columns \"source\" and \"target\" in the first row, found: a, b; \
             expected a header row, or to be told which column holds the source and the target",
        );
        check_error(
            "source,target\na,b\n\"c\nd\"e,f\n",
            "pairs:3: \"e,f\" behind the quote that closes column 1; \
             expected a comma, or quotes inside a cell doubled (\"\")",
        );
        check_error(
            "source,target\na,b\nc,\"d\ne,f\n",
            "pairs:3: the file ends inside the quotes of column 2; expected a quote that closes it",
        );
        check_error(
            b"source,target\n\"a\n\xff\",b\n",
            "pairs:3: byte 1 (0xff) is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
        );
        check_error(
            "premise,hypothesis,sentence1,sentence2\n",
            "pairs:1: columns \"sentence1\" and \"sentence2\", but also \"premise\" and \"hypothesis\"; \
             say which columns hold the source and the target",
        );
    }

    #[test]
    fn a_quote_that_is_never_closed_does_not_fill_the_memory() {
        let mut input = "source,target\na,b\n\"".to_owned();
        input.push_str(&"x\n".repeat(MAX_LINE));
        check_error(
            &input,
            "pairs:3: the row that starts here is longer than 1048576 bytes, the most that is read; \
             is the quote that opens column 1 ever closed?",
        );
    }

    #[test]
    fn other_names_are_recognised() {
        let input = "id,question1,question2,is_duplicate\n7,a,b,1\n";
        check(input, &["2|7|~|a|b|1"]);
        let pairs = crate::data::PairReader::new("f", input.as_bytes(), None, &Default::default()).expect("a header");
        let expected = [("question1", "source"), ("question2", "target"), ("is_duplicate", "label")];
        assert_eq!(pairs.recognised(), expected.map(|(name, field)| (name.to_owned(), field)));
    }
}
