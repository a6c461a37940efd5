//! Reads a user's file of relations line by line, in bounded memory, with errors that name the
//! line.

use crate::{Error, Result};
use std::io::{BufRead, Read};
use std::path::Path;

/// The longest accepted line, in bytes. Three words are shorter.
pub(super) const MAX_LINE: usize = 1 << 16;

/// Calls `each` with the number (from 1) and text of every line that holds more than spaces,
/// without its line ending and byte order mark. Stops at the first error.
pub(super) fn for_each_line(
    name: &str,
    mut input: impl BufRead,
    mut each: impl FnMut(u64, &str) -> Result<()>,
) -> Result<()> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        // Two bytes more than the longest line, for its CRLF.
        let read = input.by_ref().take(MAX_LINE as u64 + 2).read_until(b'\n', &mut bytes);
        if read.map_err(|source| Error::read(Path::new(name), source))? == 0 {
            break;
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE {
            let message =
                format!("the line is longer than {MAX_LINE} bytes, expected a type and two words: break it up");
            return Err(Error::line(name, number, message));
        }
        let line = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let line = std::str::from_utf8(line).map_err(|error| not_utf8(name, number, line, error))?;
        if line.bytes().any(|byte| byte != b' ') {
            each(number, line)?;
        }
    }
    Ok(())
}

fn not_utf8(name: &str, number: u64, line: &[u8], error: std::str::Utf8Error) -> Error {
    if line.starts_with(&[0xff, 0xfe]) || line.starts_with(&[0xfe, 0xff]) {
        let message = "the file is UTF-16, expected UTF-8; convert to UTF-8 (for example iconv -f utf-16 -t utf-8)";
        return Error::line(name, number, message);
    }
    let at = error.valid_up_to();
    let found = line.get(at).copied().unwrap_or_default();
    let hint = "is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)";
    Error::line(name, number, format!("byte {} (0x{found:02x}) {hint}", at + 1))
}

/// Shortens user text for an error message: at most 40 characters, with control characters made
/// visible.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text
        .chars()
        .take(MOST)
        .flat_map(|character| {
            let escaped = character.is_control().then(|| character.escape_debug());
            let plain = escaped.is_none().then_some(character);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, BufReader};

    fn lines(input: &[u8]) -> Result<Vec<(u64, String)>> {
        let mut lines = Vec::new();
        for_each_line("f", input, |number, line| {
            lines.push((number, line.to_owned()));
            Ok(())
        })?;
        Ok(lines)
    }

    #[test]
    fn endings_and_marks_are_taken_off_and_blank_lines_counted() {
        let check = |input: &[u8], expected: &[(u64, &str)]| {
            let expected: Vec<(u64, String)> =
                expected.iter().map(|(number, line)| (*number, (*line).into())).collect();
            assert_eq!(lines(input).unwrap(), expected);
        };
        check(b"", &[]);
        check(b"a\nb", &[(1, "a"), (2, "b")]);
        check(b"\xef\xbb\xbfa\r\n\n  \r\n\tb\r\n", &[(1, "a"), (4, "\tb")]);
        check(b"a\n\xef\xbb\xbfb\n", &[(1, "a"), (2, "\u{feff}b")]);
        let longest = "x".repeat(MAX_LINE);
        check(format!("{longest}\r\n").as_bytes(), &[(1, &longest)]);
    }

    #[test]
    fn faults_say_where() {
        let check = |input: &[u8], expected: &str| assert_eq!(lines(input).unwrap_err().to_string(), expected);
        let hint = "is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)";
        check(b"ok\ncaf\xe9\n", &format!("f:2: byte 4 (0xe9) {hint}"));
        check(
            b"\xff\xfea\0\n\0",
            "f:1: the file is UTF-16, expected UTF-8; convert to UTF-8 (for example iconv -f utf-16 -t utf-8)",
        );
        let longer = "x".repeat(MAX_LINE + 1);
        let message = "f:1: the line is longer than 65536 bytes, expected a type and two words: break it up";
        for ending in ["", "\n", "\r\n"] {
            check(format!("{longer}{ending}").as_bytes(), message);
        }
    }

    #[test]
    fn a_failing_disk_is_no_end_of_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let input = BufReader::new((&b"a\nb"[..]).chain(Broken));
        let error = for_each_line("f", input, |_, _| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "cannot read f: the disk is gone");
    }

    #[test]
    fn messages_stay_short_and_visible() {
        assert_eq!(shorten("a\0\x1b[31m"), "a\\0\\u{1b}[31m");
        assert_eq!(shorten(&"é".repeat(41)), format!("{}...", "é".repeat(40)));
    }
}
