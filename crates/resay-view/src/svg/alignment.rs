//! A drawing of the alignment of two sentences: words as boxes, links as ribbons between them, and
//! a label on each difference.
//!
//! Every kind of box has its own border or fill and is named in the legend, so that it can be
//! recognised without colour. Texts are fitted to the widths that the layout assigns, so that no
//! font can break it. The style has no variables, because the software for papers and slides does
//! not support them.

use super::layout::{Band, FONT, Kind, Layout, Piece, differing, layout, text_width};
use crate::groups::{LinkGroup, is_quiet, phrase};
use crate::markup::escape;
use crate::reasons::DifferingWords;
use resay::model::AlignedText;
use std::fmt::Write as _;

const STYLE: &str = include_str!("picture.css");
const MARGIN: f64 = 18.0;
/// Height of a box.
const BOX: f64 = 32.0;
/// Gap between the two rows of a band; larger if there are labels in between.
const GAP: f64 = 92.0;
/// The gap if there are more than `MANY` bands.
const LOW_GAP: f64 = 58.0;
const MANY: usize = 3;
const LANE: f64 = 28.0;
const MOST_LANES: usize = 8;
/// Gap between bands.
const BETWEEN: f64 = 34.0;
/// Height of the line above the first row, and below the last one.
const CAPTION: f64 = 22.0;
const SMALL: f64 = 13.0;
const NARROWEST: f64 = 420.0;
/// Maximum scale at which a page shows a small drawing.
const LARGEST: f64 = 1.3;

/// Where a drawing is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// In a page, which has its own background.
    Page,
    /// In a file of its own, with a background.
    Alone,
}

impl Kind {
    /// The CSS classes.
    fn class(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Reworded => "reworded",
            Self::Moved => "moved",
            Self::RewordedMoved => "reworded moved",
            Self::Only => "only",
            Self::Differs => "differs",
            Self::Plain => "plain",
        }
    }

    /// The name in the legend.
    fn name(self) -> &'static str {
        match self {
            Self::Same | Self::Plain => "the same",
            Self::Reworded => "reworded",
            Self::Moved => "moved",
            Self::RewordedMoved => "reworded and moved",
            Self::Only => "said in one only",
            Self::Differs => "differs",
        }
    }
}

/// A label between two rows.
struct Pill {
    text: String,
    /// Its centre, and its preferred height: 0 at the first row, 1 at the second.
    x: f64,
    best: f64,
    /// The box that it is attached to if no ribbon leads to it: its centre and row.
    hangs_on: Option<(f64, usize)>,
}

/// A band with the contents between its rows.
struct Drawn<'a> {
    band: &'a Band,
    pills: Vec<Pill>,
    gap: f64,
    top: f64,
}

/// Draws the alignment of two sentences as an SVG, with differences marked and labelled.
pub fn drawing(aligned: &AlignedText, differences: &[DifferingWords], frame: Frame) -> String {
    let layout = layout(aligned, differences);
    let mut top = MARGIN + CAPTION;
    let mut bands: Vec<Drawn<'_>> = Vec::with_capacity(layout.bands.len());
    for band in &layout.bands {
        let pills = pills(aligned, differences, band);
        let n_lanes = pills.len().min(MOST_LANES);
        let gap = match band.rows.iter().any(Vec::is_empty) {
            // There is no ribbon to draw.
            true => 14.0 + LANE * n_lanes as f64,
            false if layout.bands.len() > MANY => LOW_GAP + LANE * n_lanes.saturating_sub(1) as f64,
            false => GAP + LANE * n_lanes.saturating_sub(1) as f64,
        };
        bands.push(Drawn { band, pills, gap, top });
        top += 2.0 * BOX + gap + BETWEEN;
    }
    let bottom = if bands.is_empty() { top + BOX } else { top - BETWEEN };
    let legend_at = bottom + CAPTION + 16.0;
    let kinds = legend_kinds(&layout);
    let (legend, legend_height) = legend(&kinds, legend_at, layout.width.max(NARROWEST));
    let width = layout.width.max(NARROWEST) + 2.0 * MARGIN;
    let height = legend_at + legend_height + MARGIN - 6.0;

    // A page has its own margins.
    let cut = if frame == Frame::Page { MARGIN - 2.0 } else { 0.0 };
    let shown = width - 2.0 * cut;
    let largest = match frame {
        Frame::Page => format!(" style=\"max-width: {:.0}px\"", LARGEST * shown),
        Frame::Alone => String::new(),
    };
    let mut out = format!(
        "<svg class=\"resay-picture\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{cut:.0} 0 {shown:.0} {height:.0}\" \
         width=\"{shown:.0}\" height=\"{height:.0}\"{largest} role=\"img\" aria-labelledby=\"resay-title resay-desc\">\n\
         <title id=\"resay-title\">Which words of two sentences correspond</title>\n\
         <desc id=\"resay-desc\">{}</desc>\n<style>\n{STYLE}</style>\n\
         <defs><pattern id=\"resay-hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect class=\"hatch\" width=\"8\" height=\"8\"/><line class=\"hatch-line\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"8\"/>\
         </pattern></defs>\n",
        escape(&described(aligned, &layout, differences)),
    );
    if frame == Frame::Alone {
        let _ = writeln!(out, "<rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"10\"/>");
    }
    caption(&mut out, MARGIN + 10.0, "first", aligned.source.text.trim().is_empty());
    caption(&mut out, bottom + 17.0, "second", aligned.target.text.trim().is_empty());
    let torn = torn(aligned, &layout);
    for (number, drawn) in bands.iter().enumerate() {
        if number > 0 {
            let (y, end) = (drawn.top - BETWEEN / 2.0, width - MARGIN);
            let _ = writeln!(out, "<line class=\"rule\" x1=\"{MARGIN}\" y1=\"{y:.1}\" x2=\"{end:.1}\" y2=\"{y:.1}\"/>");
        }
        ribbons(&mut out, aligned, &layout, differences, drawn);
        for (side, row) in drawn.band.rows.iter().enumerate() {
            let y = drawn.row(side);
            row.iter().for_each(|piece| boxed(&mut out, piece, y));
        }
        badges(&mut out, drawn, &torn);
        labels(&mut out, drawn, width);
    }
    out.push_str(&legend);
    out.push_str("</svg>\n");
    out
}

impl Drawn<'_> {
    /// The upper edge of a row.
    fn row(&self, side: usize) -> f64 {
        if side == 0 { self.top } else { self.top + BOX + self.gap }
    }
}

fn middle(piece: &Piece) -> f64 {
    MARGIN + piece.x + piece.width / 2.0
}

/// The pieces of a row that contain one of the words.
fn with<'a>(row: &'a [Piece], words: &[usize]) -> Vec<&'a Piece> {
    row.iter().filter(|piece| words.iter().any(|word| piece.words.contains(word))).collect()
}

/// The labels of the differences in a band.
fn pills(aligned: &AlignedText, differences: &[DifferingWords], band: &Band) -> Vec<Pill> {
    let mut pills = Vec::new();
    for difference in differences {
        let words = differing(aligned, difference);
        let pieces = [with(&band.rows[0], &words[0]), with(&band.rows[1], &words[1])];
        let all: Vec<&&Piece> = pieces.iter().flatten().collect();
        if all.is_empty() {
            continue;
        }
        let x = all.iter().map(|piece| middle(piece)).sum::<f64>() / all.len() as f64;
        let on = |side: usize| pieces[side].first().map(|piece| (middle(piece), side));
        let (best, hangs_on) = match (pieces[0].is_empty(), pieces[1].is_empty()) {
            (false, false) => (0.5, None),
            (_, true) => (0.26, on(0)),
            _ => (0.74, on(1)),
        };
        pills.push(Pill { text: difference.label.clone(), x, best, hangs_on });
    }
    pills
}

/// Draws the labels without overlaps.
fn labels(out: &mut String, drawn: &Drawn<'_>, width: f64) {
    const HEIGHT: f64 = 22.0;
    let mut placed: Vec<(f64, f64, f64)> = Vec::new();
    for pill in &drawn.pills {
        let pill_width = 1.06 * text_width(&pill.text, SMALL) + 20.0;
        let x =
            pill.x.clamp(MARGIN + pill_width / 2.0, (width - MARGIN - pill_width / 2.0).max(MARGIN + pill_width / 2.0));
        let lanes = ((drawn.gap - 16.0) / LANE) as usize;
        let best = drawn.row(0) + BOX + pill.best * drawn.gap;
        let mut candidates: Vec<f64> = (0..lanes.max(1))
            .map(|lane| drawn.row(0) + BOX + drawn.gap / 2.0 + LANE * (lane as f64 - (lanes.max(1) - 1) as f64 / 2.0))
            .chain([best])
            .collect();
        candidates.sort_by(|a, b| (a - best).abs().total_cmp(&(b - best).abs()));
        let is_free = |y: &f64| {
            placed.iter().all(|other| {
                (other.1 - y).abs() >= HEIGHT + 3.0 || (other.0 - x).abs() >= (other.2 + pill_width) / 2.0 + 6.0
            })
        };
        let y = candidates.iter().copied().find(is_free).unwrap_or(best);
        placed.push((x, y, pill_width));
        if let Some((on, side)) = pill.hangs_on {
            let edge = drawn.row(side) + if side == 0 { BOX } else { 0.0 };
            let _ = writeln!(out, "<line class=\"stem\" x1=\"{on:.1}\" y1=\"{edge:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>");
        }
        let (left, upper) = (x - pill_width / 2.0, y - HEIGHT / 2.0);
        let _ = writeln!(
            out,
            "<rect class=\"pill\" x=\"{left:.1}\" y=\"{upper:.1}\" width=\"{pill_width:.1}\" height=\"{HEIGHT}\" rx=\"11\"/>"
        );
        text(out, "pill-text", &pill.text, [x, y + 4.5], SMALL, Some(pill_width - 20.0));
    }
}

/// A centred text, fitted to a width if one is given.
fn text(out: &mut String, class: &str, content: &str, [x, y]: [f64; 2], size: f64, fitted: Option<f64>) {
    let fitted =
        fitted.map_or(String::new(), |width| format!(" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\""));
    let content = escape(content);
    let _ = writeln!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"middle\"{fitted}>{content}</text>"
    );
}

fn boxed(out: &mut String, piece: &Piece, y: f64) {
    let class = piece.kind.class();
    let x = MARGIN + piece.x;
    if piece.kind != Kind::Plain {
        let _ = writeln!(
            out,
            "<rect class=\"{class} box\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BOX}\" rx=\"6\"/>",
            piece.width
        );
    }
    let direction = if piece.is_rtl { " rtl-word" } else { "" };
    let width = (piece.width - 2.0 * super::layout::PAD).max(1.0);
    text(out, &format!("{class} word{direction}"), &piece.text, [middle(piece), y + 21.5], FONT, Some(width));
}

/// The smooth ribbon from a box of the first row to a box of the second.
fn ribbon(out: &mut String, class: &str, [from, to]: [&Piece; 2], drawn: &Drawn<'_>, title: &str) {
    const INSET: f64 = 3.0;
    let (y, end) = (drawn.row(0) + BOX, drawn.row(1));
    let bend = (y + end) / 2.0;
    let edges = |piece: &Piece| (MARGIN + piece.x + INSET, MARGIN + piece.x + piece.width - INSET);
    let ((a, b), (c, d)) = (edges(from), edges(to));
    let _ = writeln!(
        out,
        "<path class=\"{class} link\" d=\"M{a:.1} {y:.1}C{a:.1} {bend:.1} {c:.1} {bend:.1} {c:.1} {end:.1}L{d:.1} {end:.1}\
         C{d:.1} {bend:.1} {b:.1} {bend:.1} {b:.1} {y:.1}Z\"><title>{}</title></path>",
        escape(title)
    );
}

/// The links within a band: quiet groups first, differences last, on top of all others.
fn ribbons(
    out: &mut String,
    aligned: &AlignedText,
    layout: &Layout,
    differences: &[DifferingWords],
    drawn: &Drawn<'_>,
) {
    let [source, target] = &drawn.band.rows;
    let links = &aligned.alignment.links;
    let is_linked = |from: &Piece, to: &Piece| {
        links
            .iter()
            .any(|link| from.words.contains(&(link.source as usize)) && to.words.contains(&(link.target as usize)))
    };
    let mut found: Vec<(Kind, [&Piece; 2], String)> = Vec::new();
    for from in source {
        for to in target.iter().filter(|to| is_linked(from, to)) {
            let group = layout.groups.iter().find(|group| group.source.contains(&from.words.start));
            let Some(group) = group else { continue };
            let kind = match (from.kind, to.kind) {
                (Kind::Differs, Kind::Differs) => Kind::Differs,
                _ if group.is_same && !group.is_moved => Kind::Same,
                _ if group.is_same => Kind::Moved,
                _ if group.is_moved => Kind::RewordedMoved,
                _ => Kind::Reworded,
            };
            let title = format!("{} ~ {}: {}, confidence {:.2}", from.text, to.text, kind.name(), group.confidence);
            found.push((kind, [from, to], title));
        }
    }
    for difference in differences {
        let words = differing(aligned, difference);
        let [from, to] = [with(source, &words[0]), with(target, &words[1])];
        // Linked words already have a ribbon.
        if from.iter().any(|from| to.iter().any(|to| is_linked(from, to))) {
            continue;
        }
        for at in 0..from.len().max(to.len()).min(from.len() * to.len()) {
            let pair = [from[at.min(from.len() - 1)], to[at.min(to.len() - 1)]];
            found.push((Kind::Differs, pair, format!("{}: {}", difference.words, difference.label)));
        }
    }
    let rank = |kind: Kind| match kind {
        Kind::Same | Kind::Only | Kind::Plain => 0,
        Kind::Moved | Kind::RewordedMoved => 1,
        Kind::Reworded => 2,
        Kind::Differs => 3,
    };
    found.sort_by_key(|(kind, _, _)| rank(*kind));
    for (kind, pieces, title) in found {
        ribbon(out, kind.class(), pieces, drawn, &title);
    }
}

/// Groups with a link between different bands; they get numbers instead of ribbons.
fn torn(aligned: &AlignedText, layout: &Layout) -> Vec<[Vec<usize>; 2]> {
    let band_of = |side: usize, word: usize| {
        layout.bands.iter().position(|band| band.rows[side].iter().any(|piece| piece.words.contains(&word)))
    };
    let is_torn = |group: &&LinkGroup| {
        let links = aligned.alignment.links.iter().filter(|link| group.source.contains(&(link.source as usize)));
        links.into_iter().any(|link| band_of(0, link.source as usize) != band_of(1, link.target as usize))
    };
    layout.groups.iter().filter(is_torn).map(|group| [group.source.clone(), group.target.clone()]).collect()
}

fn badges(out: &mut String, drawn: &Drawn<'_>, torn: &[[Vec<usize>; 2]]) {
    const RADIUS: f64 = 8.0;
    for (number, group) in torn.iter().enumerate() {
        for (side, row) in drawn.band.rows.iter().enumerate() {
            for piece in with(row, &group[side]) {
                let x = MARGIN + piece.x + piece.width - 2.0;
                let y = drawn.row(side) + if side == 0 { BOX } else { 0.0 };
                let _ = writeln!(out, "<circle class=\"badge\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>");
                text(out, "badge-text", &(number + 1).to_string(), [x, y + 3.5], 10.0, None);
            }
        }
    }
}

fn caption(out: &mut String, y: f64, name: &str, is_empty: bool) {
    let what = if is_empty { " sentence (empty)" } else { " sentence" };
    let _ =
        writeln!(out, "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"{SMALL}\">{name}{what}</text>");
}

/// The kinds that occur in the drawing, for the legend.
fn legend_kinds(layout: &Layout) -> Vec<Kind> {
    let all = [Kind::Same, Kind::Reworded, Kind::Moved, Kind::RewordedMoved, Kind::Only, Kind::Differs];
    all.into_iter().filter(|kind| layout.kinds.iter().flatten().any(|other| other == kind)).collect()
}

/// The legend and its height.
fn legend(kinds: &[Kind], top: f64, width: f64) -> (String, f64) {
    const LINE: f64 = 24.0;
    let mut out = String::new();
    let (mut x, mut y) = (MARGIN, top + 8.0);
    for kind in kinds {
        let needed = 28.0 + text_width(kind.name(), SMALL) + 20.0;
        if x > MARGIN && x + needed - 20.0 > MARGIN + width {
            (x, y) = (MARGIN, y + LINE);
        }
        let class = kind.class();
        let _ = writeln!(
            out,
            "<rect class=\"{class} box\" x=\"{x:.1}\" y=\"{:.1}\" width=\"20\" height=\"14\" rx=\"4\"/>\
             <text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{SMALL}\">{}</text>",
            y - 11.0,
            x + 28.0,
            y,
            kind.name()
        );
        x += needed;
    }
    (out, if kinds.is_empty() { 0.0 } else { y - top + 6.0 })
}

/// A description of the drawing in words, for screen readers.
fn described(aligned: &AlignedText, layout: &Layout, differences: &[DifferingWords]) -> String {
    let AlignedText { source, target, .. } = aligned;
    let mut said = vec![format!("First: {}", source.text), format!("Second: {}", target.text)];
    for group in layout.groups.iter().filter(|group| !is_quiet(group)) {
        let (from, to) = (phrase(source, &group.source), phrase(target, &group.target));
        let moved = if group.is_moved { ", moved" } else { "" };
        said.push(if group.is_same { format!("{from}{moved}") } else { format!("{from} reworded as {to}{moved}") });
    }
    for (name, analysis, kinds) in [("first", source, &layout.kinds[0]), ("second", target, &layout.kinds[1])] {
        let only: Vec<usize> = (0..kinds.len()).filter(|word| kinds[*word] == Kind::Only).collect();
        if !only.is_empty() {
            said.push(format!("Only in the {name}: {}", phrase(analysis, &only)));
        }
    }
    said.extend(differences.iter().map(|one| format!("{}: {}", one.words, one.label)));
    said.join(". ")
}

#[cfg(test)]
mod tests {
    use super::super::layout::tests::{aligned, other_number};
    use super::*;
    use resay_text::Span;

    fn difference(label: &str, source: &[[u32; 2]], target: &[[u32; 2]]) -> DifferingWords {
        let spans = |spans: &[[u32; 2]]| spans.iter().map(|[start, end]| Span { start: *start, end: *end }).collect();
        let (source, target) = (spans(source), spans(target));
        DifferingWords { words: "x".into(), feature: other_number(), label: label.into(), value: -1.0, source, target }
    }

    fn count(drawing: &str, what: &str) -> usize {
        drawing.matches(what).count()
    }

    #[test]
    fn every_kind_is_drawn_and_named() {
        let pair = aligned(
            "On Monday Anna gave up her job .",
            "Anna quit her old job on Monday .",
            "0-5 1-6 2-0 3-1 4-1 5-2 6-4 7-7",
        );
        let drawn = drawing(&pair, &[], Frame::Page);
        for (class, n) in [("same link", 4), ("moved link", 1), ("reworded link", 1), ("differs link", 0)] {
            assert_eq!(count(&drawn, &format!("class=\"{class}\"")), n, "{class}");
        }
        for name in ["the same", "reworded", "moved", "said in one only"] {
            assert!(drawn.contains(&format!(">{name}</text>")), "{name}");
        }
        assert!(!drawn.contains(">differs</text>") && !drawn.contains("class=\"paper\""));
        assert!(
            drawn.contains("On Monday, moved. gave up reworded as quit. Only in the second: old</desc>"),
            "{drawn}"
        );
        assert!(drawing(&pair, &[], Frame::Alone).contains("class=\"paper\""));
    }

    #[test]
    fn what_differs_is_linked_and_labelled_once() {
        // Not linked by the aligner: an extra ribbon.
        let pair = aligned("it costs 60 euros", "it costs 80 euros", "0-0 1-1 3-3");
        let drawn = drawing(&pair, &[difference("different number", &[[9, 11]], &[[9, 11]])], Frame::Page);
        assert_eq!(
            (count(&drawn, "differs link"), count(&drawn, "differs box"), count(&drawn, "class=\"pill\"")),
            (1, 3, 1)
        );
        assert!(drawn.contains(">different number</text>"));
        // Linked: the existing ribbons.
        let pair = aligned("Ann saw Bo", "Bo saw Ann", "0-2 1-1 2-0");
        let swap = difference("swapped", &[[0, 3], [8, 10]], &[[0, 2], [7, 10]]);
        let drawn = drawing(&pair, &[swap], Frame::Page);
        assert_eq!((count(&drawn, "differs link"), count(&drawn, "class=\"pill\"")), (2, 1));
        // In one sentence only: a label attached to its word.
        let pair = aligned("it is open", "it is not open", "0-0 1-1 2-3");
        let drawn = drawing(&pair, &[difference("negation in one only", &[], &[[6, 9]])], Frame::Page);
        assert_eq!((count(&drawn, "differs link"), count(&drawn, "class=\"stem\"")), (0, 1));
    }

    #[test]
    fn links_between_bands_have_numbers() {
        let words: Vec<String> = (0..40).map(|number| format!("longerword{number}")).collect();
        let moved: Vec<String> = words[1..].iter().chain(&words[..1]).cloned().collect();
        let links: Vec<String> = (0..40).map(|number| format!("{number}-{}", (number + 39) % 40)).collect();
        let drawn = drawing(&aligned(&words.join(" "), &moved.join(" "), &links.join(" ")), &[], Frame::Page);
        assert!(count(&drawn, "class=\"badge\"") >= 2, "{drawn}");
    }

    #[test]
    fn what_a_sentence_says_is_no_markup() {
        let drawn = drawing(&aligned("</svg><script>x", "\u{1b}[31m & \"", "0-0"), &[], Frame::Alone);
        assert!(!drawn.contains("<script") && count(&drawn, "</svg>") == 1 && !drawn.contains('\u{1b}'));
        for empty in
            [drawing(&aligned("", "", ""), &[], Frame::Page), drawing(&aligned("", "a b", ""), &[], Frame::Page)]
        {
            assert!(empty.contains("first sentence (empty)") && !empty.contains("NaN") && !empty.contains("inf"));
        }
    }
}
