//! The page of two sentences: their alignment, the decisions about them, and the reasons.

use super::chart::{said, waterfall, whole};
use super::page;
use crate::groups::{groups, only, phrase, runs, side};
use crate::json::Warning;
use crate::markup::escape;
use crate::reasons::{Answer, DifferingWords};
use crate::svg::{Frame, drawing};
use crate::wording::headline;
use crate::wording::sentences::{decider, sentence_pair};
use resay::model::{AlignedText, Judged};
use resay_text::Analysis;
use std::fmt::Write as _;

/// The content of a comparison page. The headline shows the first answer.
#[derive(Clone, Copy, Debug)]
pub struct ComparePage<'a> {
    /// The sentences and their alignment.
    pub aligned: &'a AlignedText,
    /// How they are related.
    pub judged: &'a Judged,
    /// The questions and their decisions.
    pub answers: &'a [Answer],
    /// The differences, strongest first.
    pub differences: &'a [DifferingWords],
    /// Maximum number of reasons for, and of reasons against.
    pub top: usize,
    /// The creator of the page, for its footer: a command, or the name of a program.
    pub made_by: &'a str,
}

/// Renders the page of two sentences.
pub fn compare(compared: &ComparePage<'_>) -> String {
    let ComparePage { aligned, judged, answers, differences, top, made_by } = *compared;
    let title = format!("{} / {}", aligned.source.text, aligned.target.text);
    let mut body = String::new();
    let texts = [&*aligned.source.text, &*aligned.target.text];
    header(&mut body, judged, texts, differences);
    let _ = writeln!(body, "<figure class=\"picture\">\n{}</figure>", drawing(aligned, differences, Frame::Page));
    body.push_str("<section aria-label=\"Verdicts\">\n<ul class=\"verdicts\">\n");
    answers.iter().for_each(|answer| verdict(&mut body, answer));
    body.push_str("</ul>\n</section>\n");
    for (number, answer) in answers.iter().enumerate() {
        let chart = waterfall(answer, top);
        let question = escape(answer.question);
        if number == 0 {
            let _ = writeln!(body, "<section>\n<h2>Why: {question}?</h2>\n{chart}</section>");
        } else {
            let _ = writeln!(
                body,
                "<details class=\"why\">\n<summary><h2>Why: {question}?</h2>{}</summary>\n{chart}</details>",
                in_short(answer)
            );
        }
    }
    said_once(&mut body, aligned);
    for answer in answers {
        let (question, table) = (escape(answer.question), whole(&answer.explanation));
        let _ = writeln!(body, "<details>\n<summary>All that was weighed: {question}</summary>\n{table}</details>");
    }
    let _ = writeln!(
        body,
        "<footer>Made by <code>{}</code>, version {}. A score above or below 0 speaks for or against; its \
         probability was learned from labelled pairs.</footer>",
        escape(made_by),
        env!("CARGO_PKG_VERSION")
    );
    page(&format!("Resay: {}", shortened(&title)), &body)
}

/// The verdict in a sentence, and the strongest differences.
fn header(body: &mut String, judged: &Judged, texts: [&str; 2], differences: &[DifferingWords]) {
    const MOST: usize = 4;
    let _ = writeln!(body, "<header>\n<h1>{}</h1>", escape(&headline(judged)));
    if let Some(decider) = decider(judged, texts) {
        let _ = writeln!(body, "<p>{}</p>\n<ul class=\"sentences\">", escape(&decider));
        for pair in &judged.sentences {
            let said = escape(&sentence_pair(pair, texts));
            let _ = writeln!(body, "<li><b>{}</b> {said}</li>", pair.relation.name());
        }
        body.push_str("</ul>\n");
    }
    for warning in Warning::of(judged) {
        let _ = writeln!(body, "<p class=\"warning\">Warning: {}</p>", escape(&warning.message));
    }
    if !differences.is_empty() {
        body.push_str("<ul class=\"differences\">\n");
        for one in differences.iter().take(MOST) {
            let words = escape(&one.words).replace(" -&gt; ", " \u{2192} ");
            let _ = writeln!(body, "<li><b>{words}</b> {}</li>", escape(&one.label));
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</header>\n");
}

/// A probability as a bar, with a mark at the decision threshold.
fn verdict(body: &mut String, answer: &Answer) {
    let probability = answer.decision.probability;
    let (class, said) = if answer.is_yes() { ("yes", "yes") } else { ("no", "no") };
    let width = (100.0 * probability).clamp(0.5, 100.0);
    let _ = writeln!(
        body,
        "<li class=\"{class}\"><p class=\"question\">{}?</p><p class=\"said\"><b>{said}</b> \
         <span class=\"probability\">{probability:.3}</span></p>\
         <svg class=\"share\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"ground\" width=\"100\" height=\"10\"/><rect class=\"{class}\" width=\"{width:.1}\" height=\"10\"/>\
         <line class=\"half\" x1=\"50\" y1=\"0\" x2=\"50\" y2=\"10\"/></svg></li>",
        escape(answer.question)
    );
}

/// The strongest reason either way, for a collapsed section.
fn in_short(answer: &Answer) -> String {
    let one = |speaks_for: bool, name: &str| {
        let reason = answer.strongest(speaks_for, 1).first().map_or("nothing".to_owned(), |reason| said(&reason.text));
        format!(" <span class=\"short\"><b>{name}</b> {reason}</span>")
    };
    one(true, "for") + &one(false, "against")
}

/// What only one of the sentences says, side by side.
fn said_once(body: &mut String, aligned: &AlignedText) {
    let AlignedText { source, target, alignment } = aligned;
    let groups = groups(source, target, &alignment.links);
    let list = |analysis: &Analysis, words: Vec<Vec<usize>>| {
        let runs = runs(&only(analysis, &words)).into_iter();
        let items: Vec<String> =
            runs.map(|run| format!("<li>{}</li>", escape(&phrase(analysis, &run.collect::<Vec<_>>())))).collect();
        if items.is_empty() { "<p>nothing</p>".to_owned() } else { format!("<ul>{}</ul>", items.join("")) }
    };
    let first = list(source, side(&groups, |group| &group.source));
    let second = list(target, side(&groups, |group| &group.target));
    let _ = writeln!(
        body,
        "<section>\n<h2>Said in only one of them</h2>\n<div class=\"once\">\n<div><h3>the first</h3>{first}</div>\n\
         <div><h3>the second</h3>{second}</div>\n</div>\n</section>"
    );
}

/// Shortens a title to fit a window.
fn shortened(text: &str) -> String {
    const MOST: usize = 90;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::aligned;
    use resay::explain::{Explanation, What};
    use resay::id::TextRelation;
    use resay::model::Decision;
    use resay_text::TextKind;

    fn answer(question: &'static str, value: f64, probability: f64) -> Answer {
        let part = Explanation::leaf(What::Kernel("length".into()), value);
        let explanation = Explanation { parts: vec![part], ..Explanation::leaf(What::Score, value) };
        Answer::new(question, Decision { score: value, probability, label: value > 0.0 }, explanation)
    }

    #[test]
    fn a_page_says_verdicts_reasons_and_what_is_said_once() {
        let pair = aligned("Anna quit the old <job>", "Anna left her work", "0-0 1-1 4-3");
        let answers = [answer("say the same", -0.25, 0.44), answer("one follows", 1.5, 0.9)];
        let judged = Judged {
            relation: TextRelation::Contradiction,
            probabilities: [0.2, 0.05, 0.05, 0.6, 0.1],
            similarity: 2.0,
            is_equal: false,
            kinds: [TextKind::English; 2],
            sentences: Vec::new(),
        };
        let page = compare(&ComparePage {
            aligned: &pair,
            judged: &judged,
            answers: &answers,
            differences: &[],
            top: 3,
            made_by: "a <test>",
        });
        for expected in [
            "<title>Resay: Anna quit the old &lt;job&gt; / Anna left her work</title>",
            "<h1>Contradiction: they cannot both be true (probably)</h1>",
            "<b>no</b> <span class=\"probability\">0.440</span>",
            "<b>yes</b> <span class=\"probability\">0.900</span>",
            "<h2>Why: say the same?</h2>",
            "<b>against</b> nothing",
            "<h3>the first</h3><ul><li>the old</li></ul>",
            "<h3>the second</h3><ul><li>her</li></ul>",
            "Made by <code>a &lt;test&gt;</code>",
        ] {
            assert!(page.contains(expected), "{expected}\nin\n{page}");
        }
        assert!(!page.contains("<job>"));
    }
}
