//! Reads the pairs of Heilman and Smith (2010): entailment and paraphrase, with both sentences
//! annotated.
//!
//! Each line holds one pair in tab-separated cells. For each sentence: the number of words n; n
//! tokens; n parts of speech; n dependency labels; n heads; n entities; `true` or `false`, and
//! after `true` n more cells with the words of the other sentence that each word is aligned with;
//! in the paraphrase files a parse score. The label follows both sentences. Alignments and scores
//! are discarded.
//!
//! The files contain no ids, so the id is the row number. Pairs with the same first sentence form
//! one group.

use super::format::FormatRow;
use super::lines::{LineReader, shorten};
use super::reader::Rows;
use super::{Example, Label, annotated, rte};
use crate::Result;
use resay_text::Analysis;
use std::io::BufRead;

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    is_certain: looks_right,
    ..FormatRow::new("heilman-smith", "at least one pair", |name, input, _| {
        Ok(Box::new(HeilmanSmithReader::new(LineReader::new(name, input))))
    })
};

/// Streams the pairs of a file.
struct HeilmanSmithReader<R> {
    lines: LineReader<R>,
    n_rows: u64,
}

/// Returns whether a line is in this format: its first cell holds the number of words, and `true`
/// or `false` stands where that number implies.
fn looks_right(line: &[u8]) -> bool {
    let mut cells = line.split(|&byte| byte == b'\t');
    let n_words = cells.next().and_then(|cell| std::str::from_utf8(cell).ok()).and_then(count);
    n_words.is_some_and(|n_words| matches!(cells.nth(5 * n_words), Some(b"true" | b"false")))
}

/// Parses a number of words. No line is long enough for more than a million.
fn count(cell: &str) -> Option<usize> {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) { cell.parse().ok().filter(|&n| n <= 1 << 20) } else { None }
}

impl<R: BufRead> HeilmanSmithReader<R> {
    fn new(lines: LineReader<R>) -> Self {
        Self { lines, n_rows: 0 }
    }
}

impl<R: BufRead + Send> Rows<Example> for HeilmanSmithReader<R> {
    fn next_row(&mut self) -> Result<Option<(u64, Example)>> {
        if !self.lines.advance_to_text()? {
            return Ok(None);
        }
        self.n_rows += 1;
        let cells: Vec<&str> = self.lines.line().split('\t').collect();
        let (source, target, label) = pair(&cells).map_err(|message| self.lines.error(message))?;
        let example = Example {
            id: self.n_rows.to_string(),
            group: Some(rte::fingerprint(&source.text)),
            source: source.text.to_string(),
            target: target.text.to_string(),
            label: Label::new(label),
            analyses: Some(Box::new([source, target])),
        };
        Ok(Some((self.lines.number(), example)))
    }
}

/// Parses both sentences and the label.
fn pair<'a>(cells: &[&'a str]) -> Result<(Analysis, Analysis, &'a str), String> {
    let in_sentence = |which: &'static str| move |message: String| format!("{which} sentence: {message}");
    let (source, rest) = sentence(cells).map_err(in_sentence("first"))?;
    // The number of words consists of digits only, a score does not.
    let rest = match rest.split_first() {
        Some((cell, after)) if count(cell).is_none() && cell.parse::<f64>().is_ok() => after,
        _ => rest,
    };
    let (target, rest) = sentence(rest).map_err(in_sentence("second"))?;
    match rest {
        [label] => Ok((source, target, label)),
        [score, label] if score.parse::<f64>().is_ok() => Ok((source, target, label)),
        _ => Err(format!("{} cells after the second sentence, expected a label, or a score and a label", rest.len())),
    }
}

/// Parses a sentence. Returns it and the remaining cells.
fn sentence<'c, 'a>(cells: &'c [&'a str]) -> Result<(Analysis, &'c [&'a str]), String> {
    let Some((first, mut rest)) = cells.split_first() else {
        return Err("it is not there; expected its number of words".to_owned());
    };
    let Some(n_words) = count(first) else {
        return Err(format!("\"{}\" is no number of words", shorten(first)));
    };
    let mut columns: [&[&str]; 5] = [&[]; 5];
    for (column, name) in columns.iter_mut().zip(annotated::COLUMNS) {
        (*column, rest) = take(rest, n_words, name)?;
    }
    if columns[0].iter().any(|token| token.is_empty()) {
        return Err("an empty token; expected tokens with single tabs between them".to_owned());
    }
    let (is_aligned, rest) = match rest.split_first() {
        Some((&"true", rest)) => (true, rest),
        Some((&"false", rest)) => (false, rest),
        found => {
            let found = found.map_or("the end of the line", |(cell, _)| cell);
            return Err(format!("\"{}\" after {n_words} entities, expected true or false", shorten(found)));
        }
    };
    let (_, rest) = take(rest, if is_aligned { n_words } else { 0 }, "aligned words")?;
    Ok((annotated::analysis(columns)?, rest))
}

fn take<'c, 'a>(cells: &'c [&'a str], n: usize, name: &str) -> Result<(&'c [&'a str], &'c [&'a str]), String> {
    cells.split_at_checked(n).ok_or_else(|| format!("the line ends within its {name}, expected {n} of them"))
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, Dataset, Format, annotated, testing};
    use super::*;

    const ANN: &str = "2 Ann left NNP VBD SUB ROOT 2 0 PERSON-B O";
    const SHE: &str = "3 She left . PRP VBD . SUB ROOT P 2 0 2 O O O";

    fn row(cells: &str) -> String {
        format!("{}\r\n", cells.replace(' ', "\t"))
    }

    #[test]
    fn rows() {
        let plain = row(&format!("{ANN} false {SHE} false 1"));
        let aligned = plain.replace("false\t1", "true\t{  1 / /  }\t{  p2 / /  }\t{   / /  }\t0");
        let scored = row(&format!("{ANN} false -31.5 {SHE} false -2E1 1"));
        let input = [plain, aligned, scored].concat();
        let group = rte::fingerprint("Ann left");
        let pair = format!("{group}|Ann left|She left .");
        let expected = [format!("1|1|{pair}|1"), format!("2|2|{pair}|0"), format!("3|3|{pair}|1")];
        testing::check(Format::HeilmanSmith, &input, &expected.each_ref().map(String::as_str));
        let data =
            Dataset::from_reader("f", input.as_bytes(), None, &Columns::default()).expect("the format is guessed");
        for example in &data.rows {
            let [source, target] = example.analyses.as_deref().expect("analyses");
            assert_eq!(annotated::tests::show(source), "Ann/NNP/SUB/2/B-PERSON left/VBD/ROOT/0/O");
            assert_eq!(annotated::tests::show(target), "She/PRP/SUB/2/O left/VBD/ROOT/0/O ././P/2/O");
        }
    }

    #[test]
    fn faults() {
        let check = |cells: &str, expected: &str| {
            testing::check_error(Format::HeilmanSmith, row(cells).as_bytes(), &format!("pairs:1: {expected}"));
        };
        check("x", "first sentence: \"x\" is no number of words");
        check("9999999999999999999", "first sentence: \"9999999999999999999\" is no number of words");
        check("2 Ann", "first sentence: the line ends within its tokens, expected 2 of them");
        check("2 Ann left NNP VBD S", "first sentence: the line ends within its dependency labels, expected 2 of them");
        check(ANN, "first sentence: \"the end of the line\" after 2 entities, expected true or false");
        check(&format!("{ANN} maybe"), "first sentence: \"maybe\" after 2 entities, expected true or false");
        check(&format!("{ANN} false"), "second sentence: it is not there; expected its number of words");
        check(
            &format!("{ANN} false {SHE} true x"),
            "second sentence: the line ends within its aligned words, expected 3 of them",
        );
        let behind = "cells after the second sentence, expected a label, or a score and a label";
        check(&format!("{ANN} false {SHE} false"), &format!("0 {behind}"));
        check(&format!("{ANN} false {SHE} false x 1"), &format!("2 {behind}"));
        check("1 a X R 7 O", "first sentence: \"the end of the line\" after 1 entities, expected true or false");
        check(
            "1 a X R 7 O false",
            "first sentence: head \"7\" is not there: expected 0 or the number of one of 1 words",
        );
    }

    #[test]
    fn what_is_taken_for_one() {
        let check = |line: &str, expected: bool| assert_eq!(looks_right(line.as_bytes()), expected, "{line:?}");
        check("1\ta\tX\tR\t0\tO\tfalse\t1", true);
        check("1\ta\tX\tR\t0\tO\t1", false);
        check("1\tThe cat sat.\tA cat sat.", false);
        check("0\ttrue", true);
        check("false", false);
        check("", false);
    }

    /// Counts obtained without this reader: pairs, and pairs with label 1.
    const CORPUS: [(&str, usize, usize); 6] = [
        ("entailment/trainData.dat", 2967, 1480),
        ("entailment/devData.dat", 800, 415),
        ("entailment/testData.dat", 800, 410),
        ("paraphrase/par_train.dat", 3001, 2026),
        ("paraphrase/par_dev.dat", 1075, 727),
        ("paraphrase/par_test.dat", 1725, 1147),
    ];

    #[test]
    fn the_corpus_has_its_counts() {
        let path = resay_testing::corpus("counts of Heilman and Smith's files", "heilman_smith2010.tar.gz");
        let Some(path) = path else { return };
        let archive = std::fs::read(path).expect("the archive");
        let files = crate::data::tar_gz("heilman_smith2010.tar.gz", &archive).unwrap();
        for (name, n_pairs, n_right) in CORPUS {
            let (_, file) = files.iter().find(|(path, _)| path.ends_with(name)).expect(name);
            let data = Dataset::from_reader(name, &file[..], None, &Columns::default()).expect(name);
            let labels = data.labels_binary().expect(name);
            assert_eq!((data.len(), labels.iter().filter(|&&label| label).count()), (n_pairs, n_right), "{name}");
            for example in &data.rows {
                let [source, target] = example.analyses.as_deref().expect("analyses");
                assert_eq!((&*source.text, &*target.text), (&*example.source, &*example.target));
                assert!(!source.words.is_empty() && !target.words.is_empty(), "{name}: {}", example.id);
            }
        }
    }
}
