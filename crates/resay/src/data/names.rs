//! Reads names in two scripts: files of name pairs, `source<TAB>target` per line, and lists of
//! names, one per line.
//!
//! A file contains true pairs only. A first line `source<TAB>target` is a header. Columns after the
//! second are ignored. Some lists separate all characters of a name by blanks (`n a m e`); these
//! blanks are removed.

use super::lines::{LineReader, shorten};
use super::reader::open;
use super::table::Table;
use crate::{Error, Result};
use std::io::BufRead;
use std::path::Path;

/// Maximum number of characters in a name. The time to compare two names grows with the product of
/// their lengths.
pub const MAX_NAME: usize = 500;

/// True pairs of source and target in file order, from one or more files.
pub type Names = Table<(String, String)>;

impl Names {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path) -> Result<Self> {
        let (name, input) = open(path)?;
        Self::from_reader(&name, input)
    }

    /// Reads all of `input`. `name` is used in messages.
    pub fn from_reader(name: &str, input: impl BufRead) -> Result<Self> {
        let mut lines = LineReader::new(name, input);
        let mut names = Self::new(name);
        let mut is_first = true;
        while lines.advance_to_text()? {
            let mut columns = lines.line().split('\t').map(str::trim);
            let (Some(source), Some(target)) = (columns.next(), columns.next()) else {
                let found = shorten(lines.line());
                return Err(lines.error(format!("1 column ('{found}'), expected 2 with a tab between: source, target")));
            };
            let is_header = source.eq_ignore_ascii_case("source") && target.eq_ignore_ascii_case("target");
            if !(is_first && is_header) {
                let pair = (one(&lines, source)?, one(&lines, target)?);
                names.push(lines.number(), pair);
            }
            is_first = false;
        }
        names.check_not_empty("no pairs: expected lines of two names with a tab between")?;
        Ok(names)
    }
}

/// Reads a file of names, one per line; `-` is standard input. Blank lines are skipped.
pub fn read_names(path: &Path) -> Result<Vec<String>> {
    let (name, input) = open(path)?;
    names_from_reader(&name, input)
}

/// Reads names from all of `input`. `name` is used in messages.
pub fn names_from_reader(name: &str, input: impl BufRead) -> Result<Vec<String>> {
    let mut lines = LineReader::new(name, input);
    let mut names = Vec::new();
    while lines.advance_to_text()? {
        if lines.line().trim().contains('\t') {
            return Err(lines.error("a tab in the line, expected one name a line"));
        }
        names.push(one(&lines, lines.line())?);
    }
    if names.is_empty() {
        return Err(Error::file(name, "no names: expected one name a line"));
    }
    Ok(names)
}

/// Cleans up and checks one name. The error says what is wrong.
fn one<R: BufRead>(lines: &LineReader<R>, text: &str) -> Result<String> {
    let name = joined(text.trim());
    if name.is_empty() {
        return Err(lines.error("an empty name, expected at least one character"));
    }
    let n_characters = name.chars().count();
    if n_characters > MAX_NAME {
        return Err(lines.error(format!("a name of {n_characters} characters, expected at most {MAX_NAME}")));
    }
    Ok(name)
}

/// Removes the blanks if they separate all characters.
fn joined(text: &str) -> String {
    let stands_alone = |word: &str| word.chars().nth(1).is_none();
    if text.split(' ').nth(1).is_some() && text.split(' ').all(stands_alone) {
        return text.replace(' ', "");
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &[(&str, &str)]) {
        let names = Names::from_reader("names.tsv", input.as_bytes()).unwrap();
        let pairs: Vec<(&str, &str)> = names.rows.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(pairs, expected, "{input:?}");
    }

    #[test]
    fn pairs_of_names() {
        check("dana\tדנה\n", &[("dana", "דנה")]);
        check(
            "\u{feff}Source\tTARGET\tcount\r\n\r\n dana \t ד נ ה \t12\r\nomer\tעומר",
            &[("dana", "דנה"), ("omer", "עומר")],
        );
        check("dana\tדנה\nsource\ttarget\n", &[("dana", "דנה"), ("source", "target")]);
        // A blank between words is kept.
        check("van der Berg\tון דר ברג\n", &[("van der Berg", "ון דר ברג")]);
        check("a\tא\n", &[("a", "א")]);
    }

    #[test]
    fn faults_say_where_they_are() {
        let check = |input: &str, expected: &str| {
            assert_eq!(Names::from_reader("n", input.as_bytes()).unwrap_err().to_string(), expected);
        };
        check("a\tb\n\nlonely\n", "n:3: 1 column ('lonely'), expected 2 with a tab between: source, target");
        check("a\tb\na\t \n", "n:2: an empty name, expected at least one character");
        check("source\ttarget\n", "n: no pairs: expected lines of two names with a tab between");
        check(&format!("a\t{}\n", "x".repeat(501)), "n:1: a name of 501 characters, expected at most 500");
        let names = Names::from_reader("n", "\na\tb\n\nc\td\n".as_bytes()).unwrap();
        assert_eq!(names.subset(&[1, 7]).rows, [("c".to_owned(), "d".to_owned())]);
    }

    #[test]
    fn lists_of_names() {
        let read = |input: &str| names_from_reader("l", input.as_bytes());
        assert_eq!(read("\u{feff}dana\r\n\nע ו מ ר\n").unwrap(), ["dana", "עומר"]);
        assert_eq!(read("a\nb\tc\n").unwrap_err().to_string(), "l:2: a tab in the line, expected one name a line");
        assert_eq!(read(" \n").unwrap_err().to_string(), "l: no names: expected one name a line");
    }
}
