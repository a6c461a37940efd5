//! Text for people: numbers, sizes, quoted strings, and wrapped lines with marks below them.
//! Colours are left to the front ends.

use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Default line width.
pub const WIDTH: usize = 80;

/// Makes text from a file or a model safe to show on one line and in one column: control characters
/// become spaces.
pub fn clean(text: &str) -> String {
    text.chars().map(clean_char).collect()
}

fn clean_char(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// Formats a contribution to a score, always with its sign. An empty sum is -0, which is shown as
/// 0.
pub fn signed(value: f64) -> String {
    format!("{:+.4}", value + 0.0)
}

/// Formats a size in bytes.
pub fn size(n_bytes: usize) -> String {
    match n_bytes {
        0..1_000 => format!("{n_bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", n_bytes as f64 / 1e3),
        _ => format!("{:.1} MB", n_bytes as f64 / 1e6),
    }
}

/// Quotes a string, so that spaces at its ends are visible. Unprintable characters are escaped, as
/// in `\\u{a0}`.
pub fn quoted(string: &str) -> String {
    format!("{string:?}")
}

/// Wraps a text into lines of at most `width` columns, each with a line of marks to show below it
/// (empty if there are none). A mark is a byte range and the character to draw under it; later
/// marks win.
pub fn wrap(text: &str, width: usize, marks: &[(Range<usize>, char)]) -> Vec<(String, String)> {
    let mut mark_of = vec![' '; text.len()];
    for (range, mark) in marks {
        if let Some(places) = mark_of.get_mut(range.clone()) {
            places.fill(*mark);
        }
    }
    let cells: Vec<(char, usize, char)> = text
        .char_indices()
        .map(|(at, character)| {
            let shown = clean_char(character);
            (shown, shown.width().unwrap_or(0), mark_of[at])
        })
        .collect();
    let mut lines = Vec::new();
    let mut rest = &cells[..];
    while !rest.is_empty() {
        let mut used = 0;
        let fits = rest.iter().take_while(|cell| {
            used += cell.1;
            used <= width
        });
        let n_fit = fits.count().max(1);
        let end = if n_fit == rest.len() {
            n_fit
        } else {
            // The space that ends a line may be just past the width.
            let last_blank = rest[..=n_fit].iter().rposition(|cell| cell.0 == ' ');
            last_blank.filter(|at| *at > 0).unwrap_or(n_fit)
        };
        let (line, behind) = rest.split_at(end);
        let shown: String = line.iter().map(|cell| cell.0).collect();
        let below: String = line.iter().flat_map(|cell| std::iter::repeat_n(cell.2, cell.1)).collect();
        lines.push((shown.trim_end().to_owned(), below.trim_end().to_owned()));
        rest = &behind[behind.iter().take_while(|cell| cell.0 == ' ').count()..];
    }
    if lines.is_empty() {
        lines.push((String::new(), String::new()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_blanks_with_its_marks() {
        let check = |text: &str, width: usize, marks: &[(Range<usize>, char)], expected: &[(&str, &str)]| {
            let found = wrap(text, width, marks);
            let found: Vec<(&str, &str)> = found.iter().map(|(line, below)| (line.as_str(), below.as_str())).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", 5, &[], &[("", "")]);
        check("one two", 7, &[], &[("one two", "")]);
        check("one two", 6, &[(4..7, '+')], &[("one", ""), ("two", "+++")]);
        check("one  two", 3, &[(0..3, '-')], &[("one", "---"), ("two", "")]);
        check("abcdefg", 3, &[(2..4, '+')], &[("abc", "  +"), ("def", "+"), ("g", "")]);
        check("ab\x1bcd", 9, &[], &[("ab cd", "")]);
        check("né är", 9, &[(4..7, '+')], &[("né är", "   ++")]);
        check("日本 x", 9, &[(0..3, '+'), (7..8, '-')], &[("日本 x", "++   -")]);
        check("short", 9, &[(3..99, '+')], &[("short", "")]);
        check("日本", 1, &[], &[("日", ""), ("本", "")]);
    }

    #[test]
    fn blanks_and_what_cannot_be_printed_are_seen() {
        assert_eq!(quoted(" oil"), "\" oil\"");
        assert_eq!(quoted("a\u{a0}\"\n"), "\"a\\u{a0}\\\"\\n\"");
        assert_eq!(quoted("né 日"), "\"né 日\"");
    }

    #[test]
    fn numbers() {
        assert_eq!([signed(-0.0), signed(0.25), signed(-1.0)], ["+0.0000", "+0.2500", "-1.0000"]);
        assert_eq!([size(5), size(1_234), size(12_345_678)], ["5 bytes", "1.2 kB", "12.3 MB"]);
    }
}
