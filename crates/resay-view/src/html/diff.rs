//! Two texts side by side as a page: matching sentences in one row, phrases marked by their kind of
//! difference, and the reasons below sentences that changed in meaning. Every kind has its own
//! underline besides its colour, so that the page can be read in black and white.

use super::page;
use crate::diff::{DiffView, SAME, headline, place, unjudged};
use crate::markup::escape;
use crate::text::clean;
use resay::diff::{Difference, DifferenceKind, Passage, PhraseKind};
use resay_text::Span;
use std::fmt::Write as _;

/// Renders the page of two texts that are equal byte for byte, with the names given by the user.
pub fn same_files(names: [&str; 2]) -> String {
    let body = format!("<main class=\"d\">\n{}<p class=\"d-none\">{SAME}</p>\n</main>\n", head(names));
    page(&title(names), &format!("<style>\n{STYLE}</style>\n{body}"))
}

/// Renders the page of two texts and their differences.
pub fn diff(shown: &DiffView<'_>) -> String {
    let mut body = format!("<style>\n{STYLE}</style>\n<main class=\"d\">\n{}", head(shown.names));
    match shown.nothing() {
        Some(nothing) => body.push_str(&format!("<p class=\"d-none\">{nothing}</p>\n")),
        None => body.push_str(&summary(shown)),
    }
    body.push_str(&format!(
        "<div class=\"d-names\"><div>{}</div><div>{}</div></div>\n",
        escape(shown.names[0]),
        escape(shown.names[1])
    ));
    let is_same = |difference: &Difference| difference.kind == DifferenceKind::Same;
    for stretch in shown.differences.chunk_by(|a, b| is_same(a) && is_same(b)) {
        match stretch {
            [first, ..] if is_same(first) => same_sentences(shown, stretch, &mut body),
            _ => stretch.iter().for_each(|difference| row(shown, difference, &mut body)),
        }
    }
    body.push_str("</main>\n");
    page(&title(shown.names), &body)
}

fn title(names: [&str; 2]) -> String {
    format!("{} \u{2192} {}", names[0], names[1])
}

fn head([first, second]: [&str; 2]) -> String {
    let names = [first, second].map(escape);
    format!("<h1><span>{}</span> <i>\u{2192}</i> <span>{}</span></h1>\n", names[0], names[1])
}

/// The counts of every kind, and the legend of the marks.
fn summary(shown: &DiffView<'_>) -> String {
    let mut html = "<ul class=\"d-counts\">\n".to_owned();
    for kind in DifferenceKind::ALL {
        let (n, name) = (shown.count(kind), kind.name());
        let none = if n == 0 { " d-zero" } else { "" };
        let _ = writeln!(html, "<li class=\"d-{name}{none}\"><b>{n}</b> {name}</li>");
    }
    html.push_str("</ul>\n<p class=\"d-legend\">Phrases: ");
    let kinds = PhraseKind::ALL.into_iter().filter(|kind| *kind != PhraseKind::Kept);
    let names: Vec<String> = kinds.map(|kind| format!("<span class=\"p-{0}\">{0}</span>", kind.name())).collect();
    html.push_str(&names.join(" "));
    html.push_str("</p>\n");
    html
}

/// Unchanged sentences: a few are shown as context; longer stretches are collapsed.
fn same_sentences(shown: &DiffView<'_>, stretch: &[Difference], html: &mut String) {
    const FEW: usize = 3;
    let joined = |side: usize| {
        let passage = |difference: &Difference| {
            let passage = if side == 0 { &difference.source } else { &difference.target };
            passage.as_ref().map(|passage| text(shown.documents[side].slice(passage.span)))
        };
        stretch.iter().filter_map(passage).collect::<Vec<String>>().join(" ")
    };
    if stretch.len() <= FEW {
        let _ = writeln!(html, "<div class=\"d-sides d-quiet\">\n<p>{}</p>\n<p>{}</p>\n</div>", joined(0), joined(1));
        return;
    }
    let n = stretch.len();
    let _ = writeln!(html, "<details class=\"d-fold\"><summary>{n} sentences the same</summary>");
    let _ = writeln!(html, "<p>{}</p></details>", joined(1));
}

fn row(shown: &DiffView<'_>, difference: &Difference, html: &mut String) {
    let name = difference.kind.name();
    let _ = writeln!(html, "<section class=\"d-row d-{name}\">");
    let judged = match difference.probability {
        Some(probability) => format!(
            "<span class=\"d-bar\"><i style=\"width:{0:.0}%\"></i></span> <small>same meaning {0:.0} %</small>",
            100.0 * probability
        ),
        None => unjudged(difference.kind).map_or_else(String::new, |why| format!("<small>{why}</small>")),
    };
    let place = place(difference).replace("->", "\u{2192}");
    let _ = writeln!(html, "<h2><b>{}</b> <small>{place}</small> {judged}</h2>", headline(difference));
    html.push_str("<div class=\"d-sides\">\n");
    for (side, passage) in [&difference.source, &difference.target].into_iter().enumerate() {
        match passage {
            Some(passage) => {
                let _ = writeln!(html, "<p>{}</p>", marked(shown, difference, side, passage));
            }
            None => html.push_str("<p class=\"d-empty\"></p>\n"),
        }
    }
    html.push_str("</div>\n");
    let reasons = shown.reasons(difference);
    if !reasons.is_empty() {
        html.push_str("<ul class=\"d-why\">\n");
        for reason in reasons {
            let reason = escape(&reason.text).replace(" -&gt; ", " \u{2192} ");
            let _ = writeln!(html, "<li>{reason}</li>");
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</section>\n");
}

/// The text of a passage with its phrases marked.
fn marked(shown: &DiffView<'_>, difference: &Difference, side: usize, passage: &Passage) -> String {
    let document = shown.documents[side];
    let mut marks: Vec<(Span, PhraseKind)> = Vec::new();
    for phrase in difference.phrases.iter().filter(|phrase| phrase.kind != PhraseKind::Kept) {
        let spans = if side == 0 { &phrase.source } else { &phrase.target };
        marks.extend(spans.iter().map(|span| (*span, phrase.kind)));
    }
    marks.sort_by_key(|(span, _)| span.start);
    let mut html = String::new();
    let mut at = passage.span.start;
    for (span, kind) in marks {
        html.push_str(&text(document.slice(Span { start: at, end: span.start.max(at) })));
        let _ = write!(html, "<span class=\"p-{0}\" title=\"{0}\">{1}</span>", kind.name(), text(document.slice(span)));
        at = span.end.max(at);
    }
    html.push_str(&text(document.slice(Span { start: at, end: passage.span.end })));
    html
}

/// Text of a file, with line breaks as spaces.
fn text(text: &str) -> String {
    escape(&clean(text))
}

const STYLE: &str = include_str!("diff.css");
