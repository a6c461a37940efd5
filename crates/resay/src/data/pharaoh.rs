//! Reads alignments in the format of the Pharaoh decoder, which word aligners write: one line of
//! links per pair, `0-0 1-2`. The words are in another file, if anywhere. An empty line is a pair
//! without links, which keeps rows parallel to that file.

use super::alignment::{AlignedPair, parse_links};
use super::format::FormatRow;
use super::lines::LineReader;

pub(super) const FORMAT: FormatRow<AlignedPair> = FormatRow {
    is_certain: is_links,
    ..FormatRow::new("pharaoh", "at least one line of links: 0-0 1-2", |name, input, ()| {
        let mut lines = LineReader::new(name, input);
        Ok(Box::new(move || {
            if !lines.advance()? {
                return Ok(None);
            }
            let number = lines.number();
            match parse_links(lines.line()) {
                Ok(sure) => Ok(Some((number, AlignedPair::links_only(number.to_string(), sure, Vec::new())))),
                Err(message) => Err(lines.error(message)),
            }
        }))
    })
};

fn is_links(line: &[u8]) -> bool {
    !line.is_empty() && std::str::from_utf8(line).is_ok_and(|line| parse_links(line).is_ok())
}

#[cfg(test)]
mod tests {
    use crate::data::AlignmentFormat;
    use crate::data::testing;

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
            testing::check_error(AlignmentFormat::Pharaoh, input, expected);
        };
        let hint = "is no link; expected two numbers, source-target, counted from 0: 0-0 1-2";
        check_error("0-0\n0-0 1", &format!("pairs:2: \"1\" {hint}"));
        check_error("It rains .", &format!("pairs:1: \"It\" {hint}"));
    }
}
