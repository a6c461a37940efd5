//! Renders an alignment for people.
//!
//! The picture shows both sentences with marks below their words, and a list of rephrased passages.
//! Identical words in the same order need no attention and are marked `=`. A passage that was
//! rephrased or moved has a letter, which is the same on both sides and in the list. Words without
//! a mark are unaligned. The marks carry all information; colour is only an aid.
//!
//! The matrix has one row per source word and one column per target word, shaded by confidence.

use anstyle::{AnsiColor, Color, Style};
use resay::model::AlignedText;
use resay_text::{Analysis, Span};
use resay_view::groups::{LinkGroup, groups, is_quiet, owners, phrase, side};
use resay_view::text::{WIDTH, clean, wrap};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Number of columns for the names before sentences and lists.
const INDENT: usize = 10;
/// Maximum number of columns for a phrase in the list; longer ones take more lines.
const PHRASE: usize = 24;
/// Number of columns of a full bar.
const BAR: usize = 10;
const SAME: char = '=';
const DIFFERS: char = '!';
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const COLOURS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Green,
    AnsiColor::BrightBlue,
    AnsiColor::BrightRed,
];

/// Whether styles may be used.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) is_coloured: bool,
}

impl Paint {
    fn styled(self, style: Style, text: &str) -> String {
        if self.is_coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    pub(crate) fn head(self, text: &str) -> String {
        self.styled(Style::new().bold(), &clean(text))
    }

    /// Colours a line of marks.
    fn marks(self, line: &str) -> String {
        let mut painted = String::new();
        let mut rest = line;
        while let Some(mark) = rest.chars().next() {
            let end = rest.find(|other| other != mark).unwrap_or(rest.len());
            painted.push_str(&self.styled(style(mark), &rest[..end]));
            rest = &rest[end..];
        }
        painted
    }
}

fn style(mark: char) -> Style {
    match LETTERS.iter().position(|letter| char::from(*letter) == mark) {
        Some(number) => Style::new().fg_color(Some(Color::Ansi(COLOURS[number % COLOURS.len()]))),
        None if mark == SAME => Style::new().dimmed(),
        None if mark == DIFFERS => AnsiColor::Red.on_default().bold(),
        None => Style::new(),
    }
}

/// Renders both sentences with marks, the list, and the unaligned words.
pub(crate) fn picture(aligned: &AlignedText, paint: Paint) -> Vec<String> {
    let AlignedText { source, target, alignment } = aligned;
    let mut lines = marked(aligned, ["source", "target"], &Default::default(), paint);
    let groups = groups(source, target, &alignment.links);
    let same = unmoved(source, &groups);
    let alone = |analysis: &Analysis, words: &[Option<usize>]| {
        let alone: Vec<usize> = (0..words.len()).filter(|word| words[*word].is_none()).collect();
        phrase(analysis, &alone)
    };
    let of_source = alone(source, &owners(source, &side(&groups, |group| &group.source)));
    let of_target = alone(target, &owners(target, &side(&groups, |group| &group.target)));
    for (name, text) in [("= the same", same), ("  source only", of_source), ("  target only", of_target)] {
        const NAME: usize = 15;
        if text.is_empty() {
            continue;
        }
        for (at, (line, _)) in wrap(&text, WIDTH - NAME, &[]).into_iter().enumerate() {
            lines.push(format!("{:NAME$}{line}", if at == 0 { name } else { "" }));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Renders both sentences with marks, and the list of rephrased or moved passages. Marks for
/// `differing` spans (of source and target) take precedence over all others.
pub(crate) fn marked(aligned: &AlignedText, names: [&str; 2], differing: &[Vec<Span>; 2], paint: Paint) -> Vec<String> {
    let AlignedText { source, target, alignment } = aligned;
    let groups = groups(source, target, &alignment.links);
    let differs = |analysis: &Analysis, words: &[usize], spans: &[Span]| {
        words.iter().all(|word| spans.contains(&analysis.words[*word].span))
    };
    // Differing passages are reported as reasons, not as rephrased.
    let is_told = |group: &LinkGroup| {
        is_quiet(group)
            || (differs(source, &group.source, &differing[0]) && differs(target, &group.target, &differing[1]))
    };
    let mut next = (0..).map(|number| char::from(LETTERS[number % LETTERS.len()]));
    let mark = |group: &LinkGroup| if is_told(group) { Some(SAME) } else { next.next() };
    let marks: Vec<char> = groups.iter().map(mark).map(|mark| mark.unwrap_or(SAME)).collect();

    let mut lines = Vec::new();
    for (name, analysis, words, differing) in [
        (names[0], source, side(&groups, |group| &group.source), &differing[0]),
        (names[1], target, side(&groups, |group| &group.target), &differing[1]),
    ] {
        let mut ranges = mark_ranges(analysis, &words, &marks);
        ranges.extend(differing.iter().map(|span| (span.range(), DIFFERS)));
        for (at, (line, below)) in wrap(&analysis.text, WIDTH - INDENT, &ranges).into_iter().enumerate() {
            lines.push(format!("{:INDENT$}{line}", if at == 0 { name } else { "" }).trim_end().to_owned());
            if !below.is_empty() {
                lines.push(format!("{:INDENT$}{}", "", paint.marks(&below)));
            }
        }
    }
    lines.push(String::new());
    let of_interest: Vec<(&LinkGroup, char)> =
        groups.iter().zip(marks.iter().copied()).filter(|(group, _)| !is_told(group)).collect();
    lines.extend(list(source, target, &of_interest, paint));
    lines
}

/// Returns the marks below a sentence. Blanks between two words of a group with a letter are
/// marked, too.
fn mark_ranges(analysis: &Analysis, words: &[Vec<usize>], marks: &[char]) -> Vec<(Range<usize>, char)> {
    let owners = owners(analysis, words);
    let span = |word: usize| analysis.words[word].span.range();
    let mut ranges: Vec<(Range<usize>, char)> = Vec::new();
    for (word, owner) in owners.iter().enumerate() {
        let Some(group) = *owner else { continue };
        let is_joined = marks[group] != SAME && word > 0 && owners[word - 1] == Some(group);
        let start = if is_joined { span(word - 1).end } else { span(word).start };
        ranges.push((start..span(word).end, marks[group]));
    }
    ranges
}

/// Returns the identical passages in the same order, in runs that are contiguous in the source.
fn unmoved(source: &Analysis, groups: &[LinkGroup]) -> String {
    let words: Vec<usize> =
        groups.iter().filter(|group| is_quiet(group)).flat_map(|group| group.source.clone()).collect();
    phrase(source, &words)
}

/// Renders the list of rephrased or moved passages: phrases side by side, with `=` between
/// identical ones.
fn list(source: &Analysis, target: &Analysis, groups: &[(&LinkGroup, char)], paint: Paint) -> Vec<String> {
    let wrapped = |analysis: &Analysis, words: &[usize]| -> Vec<String> {
        wrap(&phrase(analysis, words), PHRASE, &[]).into_iter().map(|(line, _)| line).collect()
    };
    let sides: Vec<[Vec<String>; 2]> =
        groups.iter().map(|(group, _)| [wrapped(source, &group.source), wrapped(target, &group.target)]).collect();
    let widest = |side: usize| sides.iter().flat_map(|both| &both[side]).map(|line| line.width()).max().unwrap_or(0);
    let widths = [widest(0), widest(1)];
    let mut lines = Vec::new();
    for ((group, mark), both) in groups.iter().zip(&sides) {
        let n_full = ((group.confidence * BAR as f64).round() as usize).min(BAR);
        let bar = format!("{}{}", "#".repeat(n_full), "-".repeat(BAR - n_full));
        let cell = |side: usize, at: usize| {
            let text = both[side].get(at).map_or("", String::as_str);
            format!("{text}{}", " ".repeat(widths[side].saturating_sub(text.width())))
        };
        for at in 0..both[0].len().max(both[1].len()) {
            let (left, right) = (cell(0, at), cell(1, at));
            if at > 0 {
                lines.push(format!("   {left}     {right}").trim_end().to_owned());
                continue;
            }
            let between = if group.is_same { '=' } else { '~' };
            let moved = if group.is_moved { "  moved" } else { "" };
            let mark = paint.styled(style(*mark), &mark.to_string());
            let bar = paint.styled(Style::new().dimmed(), &bar);
            lines.push(format!("{mark}  {left}  {between}  {right}  {:.2} {bar}{moved}", group.confidence));
        }
    }
    lines
}

/// Renders the grid. `faint` also contains links below the threshold.
pub(crate) fn matrix(aligned: &AlignedText, faint: &AlignedText, paint: Paint) -> Vec<String> {
    let AlignedText { source, target, alignment } = aligned;
    let (n_source, n_target) = (source.words.len(), target.words.len());
    if n_source == 0 || n_target == 0 {
        return picture(aligned, paint);
    }
    let form = |analysis: &Analysis, word: usize| clean(analysis.form(word));
    let names: Vec<String> = (0..n_source).map(|word| form(source, word)).collect();
    let name_width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let needed = name_width + 1 + 2 * n_target;
    if needed > WIDTH {
        let mut lines = vec![
            format!("({n_target} target words take {needed} columns of {WIDTH}: the picture, not the matrix)"),
            String::new(),
        ];
        lines.extend(picture(aligned, paint));
        return lines;
    }
    let mut cells = vec![(0.0_f64, false); n_source * n_target];
    for (links, is_linked) in [(&faint.alignment.links, false), (&alignment.links, true)] {
        for link in links {
            cells[link.source as usize * n_target + link.target as usize] = (link.confidence, is_linked);
        }
    }
    // Target words are written vertically and end on the same line.
    let heads: Vec<Vec<char>> = (0..n_target).map(|word| form(target, word).chars().collect()).collect();
    let height = heads.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines: Vec<String> = (0..height)
        .map(|row| {
            let mut line = " ".repeat(name_width + 1);
            for head in &heads {
                let at = (row + head.len()).checked_sub(height);
                let shown = at.and_then(|at| head.get(at)).map_or_else(|| " ".to_owned(), char::to_string);
                line.push_str(&shown);
                line.push_str(&" ".repeat(2_usize.saturating_sub(shown.width())));
            }
            line.trim_end().to_owned()
        })
        .collect();
    for (word, name) in names.iter().enumerate() {
        let mut line = format!("{}{name} ", " ".repeat(name_width - name.width()));
        for &(confidence, is_linked) in &cells[word * n_target..(word + 1) * n_target] {
            let (shade, style) = shade(confidence, is_linked);
            line.push_str(&paint.styled(style, &shade.to_string()));
            line.push(' ');
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.push(String::new());
    lines.push("# linked, 0.70 or surer   + linked   : not linked, 0.20 or surer   . 0.05".to_owned());
    lines
}

fn shade(confidence: f64, is_linked: bool) -> (char, Style) {
    let colour = |colour: AnsiColor| colour.on_default();
    match (is_linked, confidence) {
        (true, 0.7..) => ('#', colour(AnsiColor::Green)),
        (true, _) => ('+', colour(AnsiColor::Yellow)),
        (false, 0.2..) => (':', Style::new().dimmed()),
        (false, 0.05..) => ('.', Style::new().dimmed()),
        (false, _) => (' ', Style::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay::align::{Alignment, SureLink};

    const PLAIN: Paint = Paint { is_coloured: false };

    /// Builds an alignment: words are split at blanks, links are written `0-1`, and all have
    /// confidence 0.8.
    fn aligned(source: &str, target: &str, links: &str) -> AlignedText {
        let words = |text: &str| Analysis::from_forms(text.split_whitespace());
        let link = |link: &str| {
            let (source, target) = link.split_once('-').unwrap();
            SureLink { source: source.parse().unwrap(), target: target.parse().unwrap(), confidence: 0.8 }
        };
        let links = links.split_whitespace().map(link).collect();
        let alignment = Alignment { links, ..Alignment::default() };
        AlignedText { source: words(source), target: words(target), alignment }
    }

    #[test]
    fn pictures() {
        let check = |source: &str, target: &str, links: &str, expected: &[&str]| {
            assert_eq!(picture(&aligned(source, target, links), PLAIN), expected, "{source} / {target}");
        };
        check(
            "Anna gave up the job .",
            "Anna quit the work .",
            "0-0 1-1 2-1 3-2 4-3 5-4",
            &[
                "source    Anna gave up the job .",
                "          ==== aaaaaaa === bbb =",
                "target    Anna quit the work .",
                "          ==== aaaa === bbbb =",
                "",
                "a  gave up  ~  quit  0.80 ########--",
                "b  job      ~  work  0.80 ########--",
                "= the same     Anna ... the ... .",
            ],
        );
        // The lighter part counts as moved; adjacent words that move together stay together.
        check(
            "in the old town he sings",
            "he sings loudly in the old town",
            "0-3 1-4 2-5 3-6 4-0 5-1",
            &[
                "source    in the old town he sings",
                "          == === === ==== aaaaaaaa",
                "target    he sings loudly in the old town",
                "          aaaaaaaa        == === === ====",
                "",
                "a  he sings  =  he sings  0.80 ########--  moved",
                "= the same     in the old town",
                "  target only  loudly",
            ],
        );
        // One source word is linked to two target words that are not adjacent.
        check(
            "he rejected it",
            "he turned it down",
            "0-0 1-1 1-3 2-2",
            &[
                "source    he rejected it",
                "          == aaaaaaaa ==",
                "target    he turned it down",
                "          == aaaaaa == aaaa",
                "",
                "a  rejected  ~  turned ... down  0.80 ########--",
                "= the same     he ... it",
            ],
        );
        check("a", "b", "", &["source    a", "target    b", "", "  source only  a", "  target only  b"]);
        check("", "", "", &["source", "target"]);
    }

    #[test]
    fn what_differs_has_a_mark_of_its_own() {
        let pair = aligned("it cost two euros here", "it cost three dollars here", "0-0 1-1 2-2 3-3 4-4");
        let span = |start, end| vec![Span { start, end }];
        let found = marked(&pair, ["first", "second"], &[span(8, 11), span(8, 13)], PLAIN);
        let expected = [
            "first     it cost two euros here",
            "          == ==== !!! aaaaa ====",
            "second    it cost three dollars here",
            "          == ==== !!!!! aaaaaaa ====",
            "",
            "a  euros  ~  dollars  0.80 ########--",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn pictures_fit_and_say_the_same_with_colour() {
        let words: Vec<String> = (0..60).map(|number| format!("word{number}")).collect();
        let others: Vec<String> = (0..60).map(|number| format!("other\u{1b}thing{number}")).collect();
        let links: Vec<String> = (0..60).map(|number| format!("{number}-{}", (number * 7) % 60)).collect();
        let pair = aligned(&words.join(" "), &others.join(" "), &links.join(" "));
        let plain = picture(&pair, PLAIN);
        assert!(plain.iter().all(|line| line.width() <= WIDTH && !line.contains('\u{1b}')), "{plain:#?}");
        let coloured = picture(&pair, Paint { is_coloured: true });
        let strip = |line: &String| {
            let mut pieces = line.split('\u{1b}');
            let first = pieces.next().unwrap_or("").to_owned();
            pieces.fold(first, |line, piece| line + piece.split_once('m').map_or("", |(_, rest)| rest))
        };
        assert_eq!(coloured.iter().map(strip).collect::<Vec<_>>(), plain);
        assert!(coloured != plain);
    }

    #[test]
    fn matrices() {
        let check = |linked: &str, faint: f64, expected: &[&str]| {
            let mut all = aligned("we like tea", "tea I", "0-1 2-0");
            all.alignment.links[0].confidence = faint;
            let found = matrix(&aligned("we like tea", "tea I", linked), &all, PLAIN);
            assert_eq!(found[..found.len() - 2], *expected);
        };
        let head = ["     t", "     e", "     a I"];
        check("2-0", 0.3, &[&head[..], &["  we   :", "like", " tea #"]].concat());
        check("2-0", 0.1, &[&head[..], &["  we   .", "like", " tea #"]].concat());
        check("", 0.1, &[&head[..], &["  we   .", "like", " tea :"]].concat());
        let wide = aligned("a", &"b ".repeat(40), "0-0");
        let lines = matrix(&wide, &wide, PLAIN);
        assert!(lines[0].contains("take 82 columns of 80") && lines[2] == "source    a", "{lines:#?}");
        let empty = aligned("", "b", "");
        assert_eq!(matrix(&empty, &empty, PLAIN), picture(&empty, PLAIN));
    }
}
