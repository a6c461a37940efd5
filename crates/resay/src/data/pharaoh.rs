//! Alignments as one line of links a pair, `0-0 1-2`, as the Pharaoh decoder read them and aligners write them. The words
//! are in another file or nowhere; an empty line is a pair without links, so that rows stay beside each other.

use super::alignment::{AlignedPair, parse_links};
use super::lines::LineReader;
use crate::Result;
use std::io::BufRead;

/// The next pair and its line; its words are not known.
pub(super) fn next_pair<R: BufRead>(lines: &mut LineReader<R>) -> Result<Option<(u64, AlignedPair)>> {
    if !lines.advance()? {
        return Ok(None);
    }
    let number = lines.number();
    match parse_links(lines.line()) {
        Ok(sure) => Ok(Some((number, AlignedPair::links_only(number.to_string(), sure, Vec::new())))),
        Err(message) => Err(lines.error(message)),
    }
}

#[cfg(test)]
mod tests {
    use crate::data::AlignmentFormat;
    use crate::data::alignment_reader::testing;

    #[test]
    fn lines() {
        let check = |input: &str, expected: &[&str]| testing::check(AlignmentFormat::Pharaoh, input, expected);
        check("", &[]);
        check("1-2 0-0 1-2\n\n \r\n7-0", &["1|1|||0-0 1-2|", "2|2||||", "3|3||||", "4|4|||7-0|"]);
        check("\u{feff}0-0\n", &["1|1|||0-0|"]);
    }

    #[test]
    fn faults() {
        let check_error = |input: &str, expected: &str| {
            testing::check_error(AlignmentFormat::Pharaoh, input.as_bytes(), expected);
        };
        let hint = "is no link; expected two numbers, source-target, counted from 0: 0-0 1-2";
        check_error("0-0\n0-0 1", &format!("pairs:2: \"1\" {hint}"));
        check_error("It rains .", &format!("pairs:1: \"It\" {hint}"));
    }
}
