//! A score as a waterfall chart: the starting point, the reasons for and against, and the total.
//!
//! Printed figures are integers in thousandths, and the remainder is computed from the printed
//! score, so that the printed figures add up to it to the last digit.

use crate::markup::escape;
use crate::reasons::{Answer, sum_up};
use crate::text::signed;
use crate::wording;
use resay::explain::{Explanation, What};
use std::fmt::Write as _;

/// A step of the waterfall, in thousandths.
struct Step {
    name: String,
    value: i64,
    class: &'static str,
}

fn thousandths(value: f64) -> i64 {
    (value * 1000.0).round() as i64
}

/// Formats thousandths with a sign.
fn figure(value: i64) -> String {
    let sign = if value < 0 { '\u{2212}' } else { '+' };
    format!("{sign}{}.{:03}", value.abs() / 1000, value.abs() % 1000)
}

/// Formats a reason for a page.
pub(super) fn said(text: &str) -> String {
    escape(text).replace(" -&gt; ", " \u{2192} ")
}

/// The steps to a score: the bias, at most `top` reasons for and as many against, and the sum of
/// the others.
fn steps(answer: &Answer, top: usize) -> Vec<Step> {
    let biases = answer.explanation.parts.iter().filter(|part| part.what == What::Bias);
    let bias: f64 = biases.map(|part| part.value).sum();
    let mut steps = Vec::new();
    if bias != 0.0 {
        steps.push(Step { name: "where every pair starts".to_owned(), value: thousandths(bias), class: "start" });
    }
    // A bar that is too small to see counts among the others.
    const LEAST: f64 = 0.02;
    let greatest = answer.reasons.first().map_or(0.0, |reason| reason.value.abs());
    let mut n_shown = 0;
    for (speaks_for, class) in [(true, "for"), (false, "against")] {
        let strongest = answer.strongest(speaks_for, top).into_iter();
        for reason in strongest.filter(|reason| reason.value.abs() >= LEAST * greatest) {
            n_shown += 1;
            steps.push(Step { name: said(&reason.text), value: thousandths(reason.value), class });
        }
    }
    let left = thousandths(answer.decision.score) - steps.iter().map(|step| step.value).sum::<i64>();
    let name = match answer.reasons.len().saturating_sub(n_shown) {
        0 => "rounding".to_owned(),
        1 => "one weaker reason".to_owned(),
        n => format!("{n} weaker reasons together"),
    };
    if left != 0 {
        steps.push(Step { name, value: left, class: "rest" });
    }
    steps
}

/// The chart, as a table with one bar per row.
pub(super) fn waterfall(answer: &Answer, top: usize) -> String {
    let steps = steps(answer, top);
    let total = thousandths(answer.decision.score);
    let mut ends = vec![0, total];
    let mut at = 0;
    for step in &steps {
        at += step.value;
        ends.push(at);
    }
    let (low, high) = (ends.iter().copied().min().unwrap_or(0), ends.iter().copied().max().unwrap_or(0));
    let place = |value: i64| 100.0 * (value - low) as f64 / (high - low).max(1) as f64;
    let zero = place(0);
    let bar = |from: i64, to: i64, class: &str, goes_on: bool| {
        let (left, right) = (place(from.min(to)), place(from.max(to)));
        let (width, at) = ((right - left).max(0.4), place(to));
        let way = if goes_on {
            format!("<line class=\"way\" x1=\"{at:.2}\" y1=\"16\" x2=\"{at:.2}\" y2=\"24\"/>")
        } else {
            String::new()
        };
        format!(
            "<svg class=\"bar\" viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <line class=\"zero\" x1=\"{zero:.2}\" y1=\"-4\" x2=\"{zero:.2}\" y2=\"24\"/>\
             <rect class=\"{class}\" x=\"{left:.2}\" y=\"4\" width=\"{width:.2}\" height=\"12\"/>{way}</svg>"
        )
    };
    let mut out = format!(
        "<table class=\"waterfall\">\n<caption>From 0 to the score, reason by reason</caption>\n<tbody>\n\
         <tr><th></th><td class=\"axis\"><span style=\"left: {zero:.2}%\">0</span></td><td></td></tr>\n"
    );
    let mut at = 0;
    for Step { name, value, class } in &steps {
        let drawn = bar(at, at + value, class, true);
        at += value;
        let _ = writeln!(
            out,
            "<tr class=\"{class}\"><th scope=\"row\">{name}</th><td class=\"drawn\">{drawn}</td><td class=\"value\">{}</td></tr>",
            figure(*value)
        );
    }
    let _ = writeln!(
        out,
        "<tr class=\"total\"><th scope=\"row\">score</th><td class=\"drawn\">{}</td><td class=\"value\">{}</td></tr>",
        bar(0, total, "total", false),
        figure(total)
    );
    out.push_str("</tbody>\n</table>\n");
    out
}

/// A whole explanation as a table, group by group. Very long lists show the strongest parts and the
/// sum of the rest.
pub(super) fn whole(explanation: &Explanation) -> String {
    let mut out = String::from(
        "<table class=\"whole\">\n<thead><tr><th scope=\"col\">part</th><th scope=\"col\">adds</th></tr></thead>\n<tbody>\n",
    );
    for part in &explanation.parts {
        row(&mut out, part, 0);
    }
    let _ = writeln!(
        out,
        "<tr class=\"total\"><th scope=\"row\">score</th><td class=\"value\">{}</td></tr>\n</tbody>\n</table>",
        signed(explanation.value)
    );
    out
}

fn row(out: &mut String, part: &Explanation, depth: usize) {
    const MOST: usize = 25;
    const DEEPEST: usize = 3;
    let mut part = part.clone();
    sum_up(&mut part, MOST);
    let class = depth.min(DEEPEST);
    let _ = writeln!(
        out,
        "<tr class=\"depth-{class}\"><th scope=\"row\">{}</th><td class=\"value\">{}</td></tr>",
        said(&wording::what(&part.what)),
        signed(part.value)
    );
    part.parts.iter().for_each(|inner| row(out, inner, depth + 1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay::model::Decision;

    fn answer(values: &[f64], bias: f64) -> Answer {
        let leaf = |value: &f64| Explanation::leaf(What::Kernel(format!("<{value}>")), *value);
        let mut parts: Vec<Explanation> = values.iter().map(leaf).collect();
        parts.push(Explanation::leaf(What::Bias, bias));
        let score = bias + values.iter().sum::<f64>();
        let explanation = Explanation { parts, ..Explanation::leaf(What::Score, score) };
        Answer::new("say the same", Decision { score, probability: 0.4, label: false }, explanation)
    }

    #[test]
    fn printed_figures_add_up_to_the_printed_score() {
        for (values, bias, top) in [
            (&[0.3333, 0.3333, 0.3333, -1.00049, 0.0004][..], 0.25, 9),
            (&[0.3333, 0.3333, 0.3333, -1.00049, 0.0004], -0.25, 1),
            (&[0.5], 0.0, 0),
            (&[], 0.0, 3),
        ] {
            let answer = answer(values, bias);
            let sum: i64 = steps(&answer, top).iter().map(|step| step.value).sum();
            assert_eq!(sum, thousandths(answer.decision.score), "{values:?}");
            assert!(waterfall(&answer, top).contains(&figure(sum)));
        }
    }

    #[test]
    fn names_are_escaped_and_rests_are_named() {
        let answer = answer(&[1.0, 0.5, 0.25, -2.0], 0.0);
        let names: Vec<String> = steps(&answer, 1).into_iter().map(|step| step.name).collect();
        assert_eq!(names, ["&lt;1&gt;", "&lt;-2&gt;", "2 weaker reasons together"]);
        assert_eq!([figure(-45), figure(1200), figure(0)], ["\u{2212}0.045", "+1.200", "+0.000"]);
        assert!(whole(&answer.explanation).contains("<th scope=\"row\">score</th><td class=\"value\">-0.2500</td>"));
    }
}
