//! Renders the explanation of a decision: a text with marks below the words that matter, and the
//! tree of parts that add up to the score.

use crate::output::Output;
use anstyle::AnsiColor;
use resay::explain::Explanation;
use resay_view::{text, wording};
use std::ops::Range;

/// Prints the text beside its name, wrapped, with marks below.
pub(crate) fn show_text(
    out: &mut Output,
    name: &str,
    shown: &str,
    marks: &[(Range<usize>, char)],
) -> anyhow::Result<()> {
    for (at, (line, below)) in text::wrap(shown, text::WIDTH - 10, marks).into_iter().enumerate() {
        out.line(format!("{:10}{line}", if at == 0 { name } else { "" }).trim_end())?;
        if !below.is_empty() {
            let below = out.styled(AnsiColor::Cyan.on_default(), &below);
            out.line(&format!("{:10}{below}", ""))?;
        }
    }
    Ok(())
}

/// Prints the parts of the score.
pub(crate) fn show_tree(out: &mut Output, explanation: &Explanation) -> anyhow::Result<()> {
    out.line("")?;
    for (text, value) in tree(explanation) {
        let colour = if value < 0.0 { AnsiColor::Red } else { AnsiColor::Green };
        let value = out.styled(colour.on_default(), &format!("{:>9}", text::signed(value)));
        out.line(&format!("{value}  {text}"))?;
    }
    out.line("")
}

/// Returns the lines of the tree, each with its value.
fn tree(explanation: &Explanation) -> Vec<(String, f64)> {
    fn below(part: &Explanation, indent: &str, lines: &mut Vec<(String, f64)>) {
        for (at, child) in part.parts.iter().enumerate() {
            let is_last = at + 1 == part.parts.len();
            let branch = if is_last { "└ " } else { "├ " };
            lines.push((format!("{indent}{branch}{}", wording::what(&child.what)), child.value));
            below(child, &format!("{indent}{}", if is_last { "  " } else { "│ " }), lines);
        }
    }
    let mut lines = vec![(wording::what(&explanation.what), explanation.value)];
    below(explanation, "", &mut lines);
    lines
}

/// Formats parts of a decision for one column.
pub(crate) fn parts(parts: &[&Explanation]) -> String {
    let shown = |part: &&Explanation| format!("{} {}", text::signed(part.value), wording::what(&part.what));
    parts.iter().map(shown).collect::<Vec<_>>().join(" | ")
}
