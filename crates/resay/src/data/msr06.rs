//! Reads word alignments of the RTE-2 entailment pairs by three annotators (Brockett 2007), three
//! lines per pair:
//!
//! ```text
//! # sentence pair 1
//! It rained all day .
//! NULL ({ / / }) Rain ({ 2 p1 / / }) fell ({ p2 / / }) . ({ 5 / / })
//! ```
//!
//! Each target word is followed by the 1-based positions of the source words it is linked to; `p`
//! marks a link that is only possible. The word NULL takes source words without a counterpart: it
//! is checked and dropped. In the corpus nothing ever follows the slashes, so anything there is
//! rejected. The original files have byte order marks before lines and words, and one line lacks
//! its last bracket. Both are tolerated.

use super::alignment::{AlignedPair, Link, parse_number, split_words};
use super::format::FormatRow;
use super::lines::{LineReader, shorten};
use super::reader::Rows;
use crate::Result;
use std::io::BufRead;

const HEADING: &str = "# sentence pair ";
const NULL: &str = "NULL";

pub(super) const FORMAT: FormatRow<AlignedPair> = FormatRow {
    endings: &[".align.txt"],
    is_certain: |start| start.starts_with(b"#"),
    ..FormatRow::new("msr06", "at least one \"# sentence pair\"", |name, input, ()| {
        Ok(Box::new(Msr06Reader { lines: LineReader::new(name, input) }))
    })
};

/// Streams the pairs of a file.
struct Msr06Reader<R> {
    lines: LineReader<R>,
}

impl<R: BufRead + Send> Rows<AlignedPair> for Msr06Reader<R> {
    fn next_row(&mut self) -> Result<Option<(u64, AlignedPair)>> {
        if !self.lines.advance_to_visible()? {
            return Ok(None);
        }
        let number = self.lines.number();
        let Some(id) = without_marks(self.lines.line()).strip_prefix(HEADING) else {
            let found = shorten(self.lines.line());
            return Err(self.lines.error(format!("found \"{found}\", expected \"{HEADING}NUMBER\"")));
        };
        let id = id.trim().to_owned();
        self.advance_within(&id, "the source, its words with blanks between them")?;
        let source = split_words(without_marks(self.lines.line()));
        self.advance_within(&id, "the target, every word with its links: NULL ({ / / }) word ({ 1 p2 / / })")?;
        let pair = parse_target(self.lines.line(), source.len())
            .and_then(|(target, [sure, possible])| AlignedPair::new(id, source, target, sure, possible));
        match pair {
            Ok(pair) => Ok(Some((number, pair))),
            Err(message) => Err(self.lines.error(message)),
        }
    }
}

impl<R: BufRead> Msr06Reader<R> {
    fn advance_within(&mut self, id: &str, expected: &str) -> Result<()> {
        if self.lines.advance()? {
            return Ok(());
        }
        Err(self.lines.error(format!("the file ends inside pair {}; expected {expected}", shorten(id))))
    }
}

fn without_marks(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Parses the target words with their sure and possible links.
fn parse_target(line: &str, n_source: usize) -> Result<(Vec<String>, [Vec<Link>; 2]), String> {
    let mut pieces = line.split_whitespace();
    let mut target: Vec<String> = Vec::new();
    let mut links = [Vec::new(), Vec::new()];
    let mut is_null = true;
    while let Some(word) = pieces.next() {
        let word = without_marks(word);
        let shown = || shorten(word);
        if is_null && word != NULL {
            return Err(format!(
                "the first word is \"{}\", expected {NULL} with its links: {NULL} ({{ / / }})",
                shown()
            ));
        }
        let expect = |found: Option<&str>, expected: &str| match found {
            Some(found) if found == expected => Ok(()),
            Some(found) => Err(format!("\"{}\" behind word \"{}\", expected {expected}", shorten(found), shown())),
            None => Err(format!("the line ends behind word \"{}\", expected {expected}", shown())),
        };
        expect(pieces.next(), "({")?;
        loop {
            let piece = match pieces.next() {
                Some("/") => break,
                Some(piece) => piece,
                None => return Err(format!("the links of word \"{}\" do not end, expected / / }})", shown())),
            };
            let (digits, is_possible) = piece.strip_prefix('p').map_or((piece, false), |digits| (digits, true));
            let place = parse_number(digits).ok_or_else(|| {
                format!(
                    "\"{}\" in the links of word \"{}\", expected a number, or p and a number",
                    shorten(piece),
                    shown()
                )
            })?;
            if place == 0 || place as usize > n_source {
                return Err(format!(
                    "word \"{}\" is linked to source word {place}, but the source has {n_source} words, counted from 1",
                    shown()
                ));
            }
            if !is_null {
                // The conversion cannot fail: a line holds far fewer than `u32::MAX` words.
                let link = Link { source: place - 1, target: u32::try_from(target.len()).unwrap_or(u32::MAX) };
                links[usize::from(is_possible)].push(link);
            }
        }
        expect(pieces.next(), "/")?;
        match pieces.next() {
            Some("}") if pieces.clone().next().is_none() => {}
            found => expect(found, "})")?,
        }
        if !is_null {
            target.push(word.to_owned());
        }
        is_null = false;
    }
    if is_null {
        return Err(format!("an empty line, expected the target: {NULL} ({{ / / }}) word ({{ 1 p2 / / }})"));
    }
    Ok((target, links))
}

#[cfg(test)]
mod tests {
    use crate::data::AlignmentFormat;
    use crate::data::testing;

    #[test]
    fn three_lines_are_a_pair() {
        let check = |input: &str, expected: &[&str]| testing::check(AlignmentFormat::Msr06, input, expected);
        check("", &[]);
        check(
            "# sentence pair 1\nIt rained all day .\nNULL ({ / / }) Rain ({ 2 p1 / / }) fell ({ p2 / / }) . ({ 5 / / }) \n\n\
             # sentence pair 7\nNo .\nNULL ({ 1 p2 / / }) ({ ({ p2 2 1 2 / / })",
            &["1|1|It rained all day .|Rain fell .|1-0 4-2|0-0 1-1", "5|7|No .|({|0-0 1-0|"],
        );
        check(
            "\u{feff}\u{feff}# sentence pair 1\r\n\u{feff}a b\r\nNULL ({ / / }) \u{feff}a ({ 1 / / }) c ({ / / }\r\n",
            &["1|1|a b|a c|0-0|"],
        );
        check("# sentence pair 1\n\nNULL ({ / / })", &["1|1||||"]);
    }

    #[test]
    fn faults() {
        let check_error = |target: &str, expected: &str| {
            let input = format!("# sentence pair 1\na b\n{target}\n");
            testing::check_error(AlignmentFormat::Msr06, input.as_bytes(), &format!("pairs:3: {expected}"));
        };
        check_error("", "an empty line, expected the target: NULL ({ / / }) word ({ 1 p2 / / })");
        check_error("a ({ 1 / / })", "the first word is \"a\", expected NULL with its links: NULL ({ / / })");
        check_error(
            "NULL ({ / / }) a ({ 3 / / })",
            "word \"a\" is linked to source word 3, but the source has 2 words, counted from 1",
        );
        check_error(
            "NULL ({ p0 / / })",
            "word \"NULL\" is linked to source word 0, but the source has 2 words, counted from 1",
        );
        check_error("NULL ({ / / }) a b", "\"b\" behind word \"a\", expected ({");
        check_error("NULL ({ / / }) a", "the line ends behind word \"a\", expected ({");
        check_error("NULL ({ / / }) a ({ 1", "the links of word \"a\" do not end, expected / / })");
        check_error("NULL ({ / / }) a ({ 1 / 2 / })", "\"2\" behind word \"a\", expected /");
        check_error("NULL ({ / / }) a ({ 1 / / } b ({ / / })", "\"}\" behind word \"a\", expected })");
        check_error(
            "NULL ({ / / }) a ({ x / / })",
            "\"x\" in the links of word \"a\", expected a number, or p and a number",
        );
        check_error(
            "NULL ({ / / }) a ({ pp1 / / })",
            "\"pp1\" in the links of word \"a\", expected a number, or p and a number",
        );
        let check_whole = |input: &str, expected: &str| {
            testing::check_error(AlignmentFormat::Msr06, input.as_bytes(), expected);
        };
        check_whole("\n0-0 1-1\n", "pairs:2: found \"0-0 1-1\", expected \"# sentence pair NUMBER\"");
        check_whole(
            "# sentence pair 4\n",
            "pairs:1: the file ends inside pair 4; expected the source, its words with blanks between them",
        );
        check_whole(
            "# sentence pair 4\na",
            "pairs:2: the file ends inside pair 4; expected the target, every word with its links: NULL ({ / / }) word ({ 1 p2 / / })",
        );
    }
}
