//! Tab-separated tables. Quotes are literal: a tab cannot be quoted, and sentences are full of
//! quotes. A cell can therefore hold anything but tabs and newlines.

use super::Example;
use super::delimited::{Cells, EXPECTED, TableReader};
use super::format::FormatRow;
use super::lines::LineReader;
use crate::Result;
use std::io::BufRead;

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    endings: &[".tsv"],
    ..FormatRow::new("tsv", EXPECTED, |name, input, columns| {
        Ok(Box::new(TableReader::new(LineReader::new(name, input), next_row, columns)?))
    })
};

fn next_row<I: BufRead>(lines: &mut LineReader<I>, cells: &mut Cells) -> Result<bool> {
    if !lines.advance_to_text()? {
        return Ok(false);
    }
    cells.start(lines.number());
    for cell in lines.line().split('\t') {
        cells.push_str(cell);
        cells.end_cell();
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::data::{Columns, Format, PairReader};

    fn check(input: &str, expected: &[&str]) {
        testing::check(Format::Tsv, input, expected);
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(Format::Tsv, input, expected);
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
        check("Sentence1\tSentence2\tscore\n\"a\tb,c\t1\n", &["2|1|~|\"a|b,c|1"]);
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
            "question1\tquestion2\tquestion1\na\tb\tc\n",
            "pairs:1: column \"question1\" stands twice in the header (columns 1 and 3); \
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
        let read = |input: &str| -> Result<Vec<_>> {
            PairReader::new("pairs", input.to_owned().as_bytes(), Some(Format::Tsv), &columns)?.collect()
        };
        let rows = read("gold\tq\ta\tlabel\n1\tx\ty\t0\n").expect("read");
        assert_eq!(testing::show_all(&rows), ["2|1|~|x|y|1"]);
        // A column that the user named must exist.
        assert_eq!(
            read("q\ta\tlabel\nx\ty\t0\n").expect_err("no gold").to_string(),
            "pairs:1: no column \"gold\" in the first row, found: q, a, label; \
             expected a header row, or to be told which column holds the label"
        );
    }
}
