//! Renders output for the terminal: tables, fields and bars here; alignments, differences,
//! explanations and measures in submodules. Everything is complete without colour, and fits 80
//! columns where it can be wrapped.

pub(crate) mod diff;
pub(crate) mod figures;
pub(crate) mod picture;
pub(crate) mod tree;

use resay_view::text::{WIDTH, clean, wrap};
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Formats a table figure, or "undefined".
pub(crate) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "undefined".to_owned(), |value| format!("{value:.4}"))
}

/// Formats the ends of an interval.
pub(crate) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low:.4} .. {high:.4}"),
        _ => String::new(),
    }
}

/// Returns the sample standard deviation, or 0 for fewer than two values.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Returns a bar for each value, scaled from the minimum to the maximum.
pub(crate) fn bars(values: &[f64]) -> Vec<String> {
    const BAR: f64 = 30.0;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = |value: f64| if greatest > least { (value - least) / (greatest - least) } else { 1.0 };
    values.iter().map(|value| "#".repeat((share(*value) * BAR).round() as usize)).collect()
}

/// Formats a table. Columns are two blanks apart; those marked `>` in `align` are right-aligned,
/// the others left-aligned.
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

/// Cuts a line that is too long for 80 columns.
pub(crate) fn cut(line: &str) -> Cow<'_, str> {
    if line.width() <= WIDTH {
        return Cow::Borrowed(line);
    }
    let mut kept = String::new();
    for c in line.chars() {
        if kept.width() + c.width().unwrap_or(0) > WIDTH - 3 {
            break;
        }
        kept.push(c);
    }
    Cow::Owned(kept.trim_end().to_owned() + "...")
}

/// Formats `name  text`, with the text wrapped beside the name.
pub(crate) fn field(name: &str, text: &str) -> Vec<String> {
    const NAME: usize = 10;
    let lines = wrap(&clean(text), WIDTH - NAME, &[]);
    let numbered = lines.into_iter().enumerate();
    numbered.map(|(at, (line, _))| format!("{:NAME$}{line}", if at == 0 { name } else { "" })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "10", "x"], ["日本", "5", ""]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table("<>", &rows), ["a     10  x", "日本   5"]);
        assert_eq!(table("", &[]), Vec::<String>::new());
    }

    #[test]
    fn long_lines_are_cut_by_their_width() {
        let wide = "日本".repeat(40);
        assert_eq!(cut("short"), "short");
        assert_eq!(cut(&wide).width(), 79);
        assert!(cut(&wide).ends_with("本..."));
    }

    #[test]
    fn spreads() {
        assert!((spread(&[1.0, 2.0, 3.0]) - 1.0).abs() < 1e-12);
        assert_eq!(spread(&[1.0]), 0.0);
    }
}
