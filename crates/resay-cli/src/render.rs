//! How things look as text: tables, numbers, rules, sentences with marks. Nothing here writes; everything returns
//! strings that read the same without colour and fit 80 columns where their content can be wrapped.

use resay::explain::{Explanation, What};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width that text is wrapped to.
pub(crate) const WIDTH: usize = 80;

/// Text from a file or a model, safe to show in one line and one column: control characters become blanks.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(clean_char).collect()
}

fn clean_char(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// A part of a score: always with its sign. Nothing at all adds up to -0, which is shown as 0.
pub(crate) fn signed(value: f64) -> String {
    format!("{:+.4}", value + 0.0)
}

/// A size for people.
pub(crate) fn size(n_bytes: usize) -> String {
    match n_bytes {
        0..1_000 => format!("{n_bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", n_bytes as f64 / 1e3),
        _ => format!("{:.1} MB", n_bytes as f64 / 1e6),
    }
}

/// A string of a text in quotes, so that blanks at its ends are seen; what cannot be printed is written as `\\u{a0}`.
pub(crate) fn quoted(string: &str) -> String {
    format!("{string:?}")
}

/// A figure of a table; one that is not defined is undefined.
pub(crate) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "undefined".to_owned(), |value| format!("{value:.4}"))
}

/// The ends of an interval.
pub(crate) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low:.4} .. {high:.4}"),
        _ => String::new(),
    }
}

/// What a part of a decision is.
pub(crate) fn what(what: &What) -> String {
    clean(&match what {
        What::Score => "score".to_owned(),
        What::Bias => "bias".to_owned(),
        What::Kernel(kernel) => kernel.clone(),
        What::Rule(rule) => rule.to_string(),
        What::Measure(name) => name.clone(),
        What::String(string) => quoted(string),
        What::Phrase { source, target } => {
            let [source, target] = [source, target].map(|side| side.as_deref().unwrap_or("(nothing)"));
            format!("{source} -> {target}")
        }
        What::Pair(id) => format!("like pair {id}"),
        What::Rest(n) => format!("{n} weaker"),
    })
}

/// Keeps the strongest parts, which come first, and adds up the rest.
pub(crate) fn sum_up(part: &mut Explanation, top: usize) {
    if part.parts.len() <= top {
        return;
    }
    let weaker = part.parts.split_off(top);
    let sum = weaker.iter().map(|part| part.value).sum();
    part.parts.push(Explanation::leaf(What::Rest(weaker.len()), sum));
}

/// The leaves that are rules, measures, strings or pairs, strongest first, at most `n`.
pub(crate) fn strongest(explanation: &Explanation, n: usize) -> Vec<&Explanation> {
    let mut leaves = explanation.leaves();
    let is_one = |what: &What| matches!(what, What::Rule(_) | What::Measure(_) | What::String(_) | What::Pair(_));
    leaves.retain(|leaf| is_one(&leaf.what) && leaf.value != 0.0);
    leaves.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs())); // Stable: of equals, the order of the kernels.
    leaves.truncate(n);
    leaves
}

/// Sample standard deviation; 0 of fewer than two values.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// A bar for each value, from the least to the greatest.
pub(crate) fn bars(values: &[f64]) -> Vec<String> {
    const BAR: f64 = 30.0;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = |value: f64| if greatest > least { (value - least) / (greatest - least) } else { 1.0 };
    values.iter().map(|value| "#".repeat((share(*value) * BAR).round() as usize)).collect()
}

/// Lines of a table: columns two blanks apart, those marked `>` in `align` to the right, the others to the left.
pub(crate) fn table(align: &str, rows: &[Vec<String>]) -> Vec<String> {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[at] - cell.width());
            line.push_str(if at == 0 { "" } else { "  " });
            match align.as_bytes().get(at) {
                Some(b'>') => line.extend([blanks.as_str(), cell]),
                _ => line.extend([cell.as_str(), &blanks]),
            }
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// `name  text`, the text wrapped beside the name.
pub(crate) fn field(name: &str, text: &str) -> Vec<String> {
    const NAME: usize = 10;
    let lines = wrap(&clean(text), WIDTH - NAME, &[]);
    let numbered = lines.into_iter().enumerate();
    numbered.map(|(at, (line, _))| format!("{:NAME$}{line}", if at == 0 { name } else { "" })).collect()
}

/// A text in lines of at most `width` columns, each with a line of marks to be shown below it (empty if there are
/// none). A mark is a range of bytes and the character to draw under it; later marks win.
pub(crate) fn wrap(text: &str, width: usize, marks: &[(Range<usize>, char)]) -> Vec<(String, String)> {
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
            // The blank that a line ends with may stand just behind what fits.
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
    fn columns_are_aligned() {
        let rows = [["a", "10", "x"], ["日本", "5", ""]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table("<>", &rows), ["a     10  x", "日本   5"]);
        assert_eq!(table("", &[]), Vec::<String>::new());
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
        assert!((spread(&[1.0, 2.0, 3.0]) - 1.0).abs() < 1e-12);
        assert_eq!(spread(&[1.0]), 0.0);
    }

    #[test]
    fn the_strongest_leaves_are_rules_not_sums() {
        let leaf = |what, value| Explanation::leaf(what, value);
        let parts = vec![
            leaf(What::Bias, 9.0),
            leaf(What::Measure("a".into()), 1.0),
            leaf(What::Measure("b".into()), -2.0),
            leaf(What::Rest(4), 5.0),
            leaf(What::Measure("c".into()), 0.0),
        ];
        let root = Explanation { parts, ..leaf(What::Score, 13.0) };
        assert_eq!(strongest(&root, 9).iter().map(|leaf| leaf.value).collect::<Vec<_>>(), [-2.0, 1.0]);
        assert_eq!(strongest(&root, 1).len(), 1);
    }

    #[test]
    fn weaker_features_are_summed_up() {
        let check = |top: usize, expected: &[f64]| {
            let leaf = |value| Explanation::leaf(What::Measure(String::new()), value);
            let parts = vec![leaf(4.0), leaf(-2.0), leaf(1.0)];
            let mut part = Explanation { parts, ..Explanation::leaf(What::Score, 3.0) };
            sum_up(&mut part, top);
            assert_eq!(part.parts.iter().map(|part| part.value).collect::<Vec<_>>(), expected);
        };
        check(9, &[4.0, -2.0, 1.0]);
        check(3, &[4.0, -2.0, 1.0]);
        check(1, &[4.0, -1.0]);
        check(0, &[3.0]);
    }
}
