//! Renders the differences of two texts in 80 columns. Old and new sentences are printed below each
//! other, with marks below the words that differ. The marks carry all information; colour is only
//! an aid.

use anstyle::{AnsiColor, Style};
use resay::diff::{Difference, DifferenceKind, Passage, Phrase, PhraseKind};
use resay_text::Span;
use resay_view::diff::{DiffView, headline, place, unjudged};
use resay_view::text::{WIDTH, size, wrap};
use std::borrow::Cow;
use std::ops::Range;

/// Number of columns before a sentence.
const INDENT: usize = 4;

/// The differences, and how to render them.
pub(crate) struct Text<'a> {
    pub(crate) shown: &'a DiffView<'a>,
    pub(crate) is_coloured: bool,
}

/// Returns the mark for the words of a phrase; unchanged words have none.
fn mark(kind: PhraseKind) -> Option<char> {
    match kind {
        PhraseKind::Kept => None,
        PhraseKind::Reworded => Some('~'),
        PhraseKind::Moved => Some('>'),
        PhraseKind::Added => Some('+'),
        PhraseKind::Dropped => Some('-'),
        PhraseKind::Changed => Some('!'),
    }
}

fn style(mark: char) -> Style {
    match mark {
        '~' => AnsiColor::Cyan.on_default(),
        '>' => AnsiColor::Magenta.on_default(),
        '+' => AnsiColor::Green.on_default(),
        '-' => AnsiColor::Red.on_default(),
        '!' => AnsiColor::Yellow.on_default().bold(),
        _ => Style::new().dimmed(),
    }
}

fn kind_mark(kind: DifferenceKind) -> char {
    match kind {
        DifferenceKind::Same => '=',
        DifferenceKind::Reworded => '~',
        DifferenceKind::Moved => '>',
        DifferenceKind::Changed => '!',
        DifferenceKind::Added => '+',
        DifferenceKind::Dropped => '-',
    }
}

impl Text<'_> {
    fn styled(&self, style: Style, text: &str) -> String {
        if self.is_coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Renders everything except the counts. `all` shows unchanged sentences instead of folding
    /// them.
    pub(crate) fn lines(&self, all: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let is_folded = |difference: &Difference| difference.kind == DifferenceKind::Same && !all;
        for stretch in self.shown.differences.chunk_by(|a, b| is_folded(a) && is_folded(b)) {
            match stretch {
                [first, ..] if is_folded(first) => {
                    let plural = if stretch.len() == 1 { "" } else { "s" };
                    let folded = format!("... {} sentence{plural} the same", stretch.len());
                    lines.push(self.styled(Style::new().dimmed(), &folded));
                }
                _ => stretch.iter().for_each(|difference| self.difference(difference, &mut lines)),
            }
            lines.push(String::new());
        }
        let has_marks = self.shown.differences.iter().any(|difference| !difference.phrases.is_empty());
        if has_marks {
            let named = |kind: &PhraseKind| {
                mark(*kind).map(|mark| self.styled(style(mark), &format!("{mark} {}", kind.name())))
            };
            let marks: Vec<String> = PhraseKind::ALL.iter().filter_map(named).collect();
            lines.push(format!("words: {}", marks.join("  ")));
        }
        lines
    }

    /// Summarises the number of sentences of each kind.
    pub(crate) fn summary(&self) -> String {
        if let Some(nothing) = self.shown.nothing() {
            return nothing.to_owned();
        }
        let count = |kind: &DifferenceKind| {
            let (n, name) = (self.shown.count(*kind), kind.name());
            let text = format!("{n} {name}");
            if n == 0 { self.styled(Style::new().dimmed(), &text) } else { self.styled(style(kind_mark(*kind)), &text) }
        };
        DifferenceKind::ALL.iter().map(count).collect::<Vec<_>>().join(", ")
    }

    fn difference(&self, difference: &Difference, lines: &mut Vec<String>) {
        let kind = kind_mark(difference.kind);
        let head = self.styled(style(kind).bold(), &format!("{kind} {}", headline(difference)));
        let judged = match difference.probability {
            Some(probability) => format!(", same meaning {probability:.2}"),
            None => unjudged(difference.kind).map_or_else(String::new, |why| format!(", {why}")),
        };
        lines.push(format!("{head}, {}{judged}", place(difference)));
        let sides = [('-', &difference.source), ('+', &difference.target)];
        for (side, (sign, passage)) in sides.into_iter().enumerate() {
            let Some(passage) = passage else { continue };
            // Print identical text only once.
            let is_one = matches!(difference.kind, DifferenceKind::Same | DifferenceKind::Moved);
            if !(is_one && side == 0) {
                let sign = if is_one { '=' } else { sign };
                self.sentence(side, sign, passage, &difference.phrases, lines);
            }
        }
        for reason in self.shown.reasons(difference) {
            for (line, _) in wrap(&reason.text, WIDTH - INDENT, &[]) {
                lines.push(format!("{:INDENT$}{}", "", self.styled(style('!'), &line)));
            }
        }
    }

    fn sentence(&self, side: usize, sign: char, passage: &Passage, phrases: &[Phrase], lines: &mut Vec<String>) {
        let text = shortened(self.shown.documents[side].slice(passage.span));
        let marks = marks(passage.span, phrases, side);
        for (at, (line, below)) in wrap(&text, WIDTH - INDENT, &marks).into_iter().enumerate() {
            let sign = if at == 0 { sign } else { ' ' };
            lines.push(format!("  {} {line}", self.styled(style(sign), &sign.to_string())).trim_end().to_owned());
            if !below.is_empty() {
                lines.push(format!("{:INDENT$}{}", "", self.marked(&below)));
            }
        }
    }

    /// Colours a line of marks.
    fn marked(&self, line: &str) -> String {
        let mut painted = String::new();
        let mut rest = line;
        while let Some(mark) = rest.chars().next() {
            let end = rest.find(|other| other != mark).unwrap_or(rest.len());
            let (run, behind) = rest.split_at(end);
            painted.push_str(&if mark == ' ' { run.to_owned() } else { self.styled(style(mark), run) });
            rest = behind;
        }
        painted
    }
}

/// Shortens an overlong sentence: a text without a full stop may be a sentence of megabytes.
fn shortened(text: &str) -> Cow<'_, str> {
    const LONG: usize = 4000;
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{} ... ({} more)", &text[..end], size(text.len() - end)).into(),
        None => text.into(),
    }
}

/// Returns the marks of a passage, by byte ranges relative to its start.
fn marks(passage: Span, phrases: &[Phrase], side: usize) -> Vec<(Range<usize>, char)> {
    let mut marks = Vec::new();
    for phrase in phrases {
        let Some(mark) = mark(phrase.kind) else { continue };
        let spans = if side == 0 { &phrase.source } else { &phrase.target };
        for span in spans {
            let [start, end] = [span.start, span.end].map(|at| at.saturating_sub(passage.start) as usize);
            marks.push((start..end, mark));
        }
    }
    marks
}
