//! An alignment as people look at it.
//!
//! The picture has both sentences with marks below their words, and a list of what was re-said. What is the same on both
//! sides in the same order needs no attention: `=`. What was re-said, or stands elsewhere, has a letter, the same on both
//! sides and in the list. What has no mark has nothing to correspond to. The marks say all; colour only helps the eye.
//!
//! The matrix has a row for every source word and a column for every target word, shaded by confidence.

use crate::render::{self, WIDTH, clean};
use anstyle::{AnsiColor, Color, Style};
use resay::align::SureLink;
use resay::model::AlignedText;
use resay::text::Analysis;
use std::collections::BTreeSet;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Names before sentences and lists take so many columns.
const INDENT: usize = 10;
/// A phrase of the list takes so many columns at most; longer ones take more lines.
const PHRASE: usize = 26;
/// The columns of a full bar.
const BAR: usize = 10;
const SAME: char = '=';
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

    /// A line of marks, each in its colour.
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
        None => Style::new(),
    }
}

/// Words that hang together by links.
#[derive(Debug, Default, PartialEq)]
struct Group {
    source: Vec<usize>,
    target: Vec<usize>,
    /// The mean confidence of its links.
    confidence: f64,
    is_same: bool,
    is_moved: bool,
}

/// Both sentences with marks, and the list.
pub(crate) fn picture(aligned: &AlignedText, paint: Paint) -> Vec<String> {
    let AlignedText { source, target, alignment } = aligned;
    let groups = groups(source, target, &alignment.links);
    let mut next = (0..).map(|number| char::from(LETTERS[number % LETTERS.len()]));
    let mark = |group: &Group| if is_quiet(group) { Some(SAME) } else { next.next() };
    let marks: Vec<char> = groups.iter().map(mark).map(|mark| mark.unwrap_or(SAME)).collect();

    let mut lines = Vec::new();
    for (name, analysis, words) in
        [("source", source, side(&groups, |group| &group.source)), ("target", target, side(&groups, |group| &group.target))]
    {
        let ranges = mark_ranges(analysis, &words, &marks);
        for (at, (line, below)) in render::wrap(&analysis.text, WIDTH - INDENT, &ranges).into_iter().enumerate() {
            lines.push(format!("{:INDENT$}{line}", if at == 0 { name } else { "" }).trim_end().to_owned());
            if !below.is_empty() {
                lines.push(format!("{:INDENT$}{}", "", paint.marks(&below)));
            }
        }
    }
    lines.push(String::new());
    for (group, mark) in groups.iter().zip(&marks).filter(|(group, _)| !is_quiet(group)) {
        lines.extend(listed(source, target, group, *mark, paint));
    }
    let same = runs(source, &groups);
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
        for (at, (line, _)) in render::wrap(&text, WIDTH - NAME, &[]).into_iter().enumerate() {
            lines.push(format!("{:NAME$}{line}", if at == 0 { name } else { "" }));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// What needs no attention.
fn is_quiet(group: &Group) -> bool {
    group.is_same && !group.is_moved
}

/// The words of every group on one side.
fn side(groups: &[Group], words: fn(&Group) -> &Vec<usize>) -> Vec<Vec<usize>> {
    groups.iter().map(|group| words(group).clone()).collect()
}

/// The group of every word.
fn owners(analysis: &Analysis, words: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut owners = vec![None; analysis.words.len()];
    for (group, words) in words.iter().enumerate() {
        words.iter().for_each(|word| owners[*word] = Some(group));
    }
    owners
}

/// What is drawn below a sentence. Blanks between two words of one group with a letter are drawn over.
fn mark_ranges(analysis: &Analysis, words: &[Vec<usize>], marks: &[char]) -> Vec<(Range<usize>, char)> {
    let owners = owners(analysis, words);
    let span = |word: usize| analysis.words[word].span.range();
    let mut ranges: Vec<(Range<usize>, char)> = Vec::new();
    for (word, owner) in owners.iter().enumerate() {
        let Some(group) = *owner else { continue };
        let is_joined = word > 0 && owners[word - 1] == Some(group);
        let start = if is_joined { span(word - 1).end } else { span(word).start };
        ranges.push((start..span(word).end, marks[group]));
    }
    ranges
}

/// The lines of one group in the list.
fn listed(source: &Analysis, target: &Analysis, group: &Group, mark: char, paint: Paint) -> Vec<String> {
    let wrapped = |analysis, words: &[usize]| render::wrap(&phrase(analysis, words), PHRASE, &[]);
    let (left, right) = (wrapped(source, &group.source), wrapped(target, &group.target));
    let n_full = ((group.confidence * BAR as f64).round() as usize).min(BAR);
    let bar = format!("{}{}", "#".repeat(n_full), "-".repeat(BAR - n_full));
    let moved = if group.is_moved { "  moved" } else { "" };
    let cell = |lines: &[(String, String)], at: usize| {
        let text = lines.get(at).map_or("", |line| line.0.as_str()).to_owned();
        let blanks = " ".repeat(PHRASE.saturating_sub(text.width()));
        text + &blanks
    };
    let n_lines = left.len().max(right.len());
    let line = |at: usize| {
        let (left, right) = (cell(&left, at), cell(&right, at));
        if at > 0 {
            return format!("   {left}   {right}").trim_end().to_owned();
        }
        let mark = paint.styled(style(mark), &mark.to_string());
        format!("{mark}  {left} ~ {right} {:.2} {}{moved}", group.confidence, paint.styled(Style::new().dimmed(), &bar))
    };
    (0..n_lines).map(line).collect()
}

/// Words as they stand in the text; `...` where some are left out between.
fn phrase(analysis: &Analysis, words: &[usize]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while let Some(&first) = words.get(at) {
        let n = words[at..].iter().zip(first..).take_while(|(word, expected)| **word == *expected).count();
        let last = words[at + n - 1];
        if at > 0 {
            text.push_str(" ... ");
        }
        let range = analysis.words[first].span.start as usize..analysis.words[last].span.end as usize;
        text.push_str(analysis.text.get(range).unwrap_or(""));
        at += n;
    }
    clean(&text)
}

/// What is the same in the same order, in runs that stand together in the source.
fn runs(source: &Analysis, groups: &[Group]) -> String {
    let words: Vec<usize> = groups.iter().filter(|group| is_quiet(group)).flat_map(|group| group.source.clone()).collect();
    phrase(source, &words)
}

/// Links as groups, in the order of the source.
fn groups(source: &Analysis, target: &Analysis, links: &[SureLink]) -> Vec<Group> {
    let mut groups: Vec<(Group, Vec<f64>)> = Vec::new();
    for link in links {
        let (from, to) = (link.source as usize, link.target as usize);
        let touches = |group: &Group| group.source.contains(&from) || group.target.contains(&to);
        let mut joined = (Group { source: vec![from], target: vec![to], ..Group::default() }, vec![link.confidence]);
        let mut kept = Vec::with_capacity(groups.len() + 1);
        for (group, confidences) in groups {
            if touches(&group) {
                joined.0.source.extend(group.source);
                joined.0.target.extend(group.target);
                joined.1.extend(confidences);
            } else {
                kept.push((group, confidences));
            }
        }
        kept.push(joined);
        groups = kept;
    }
    let finish = |(mut group, confidences): (Group, Vec<f64>)| {
        for words in [&mut group.source, &mut group.target] {
            words.sort_unstable();
            words.dedup();
        }
        group.confidence = confidences.iter().sum::<f64>() / confidences.len().max(1) as f64;
        group.is_same = match (&group.source[..], &group.target[..]) {
            ([from], [to]) => source.form(*from).to_lowercase() == target.form(*to).to_lowercase(),
            _ => false,
        };
        group
    };
    let mut groups: Vec<Group> = groups.into_iter().map(finish).collect();
    groups.sort_by(|a, b| a.source.cmp(&b.source));
    let in_order = in_order(&groups);
    for (number, group) in groups.iter_mut().enumerate() {
        group.is_moved = !in_order.contains(&number);
    }
    groups
}

/// The groups of most words that stand in the same order on both sides; groups come in the order of the source.
fn in_order(groups: &[Group]) -> BTreeSet<usize> {
    let start = |group: &Group| group.target.first().copied().unwrap_or(0);
    let weight = |group: &Group| group.source.len() + group.target.len();
    // best[g]: the most words of a chain that ends with g, and what comes before g in it.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(groups.len());
    for (number, group) in groups.iter().enumerate() {
        let before = (0..number).rev().filter(|&before| start(&groups[before]) < start(group));
        let before = before.max_by_key(|&before| best[before].0);
        best.push((weight(group) + before.map_or(0, |before| best[before].0), before));
    }
    let mut chain = BTreeSet::new();
    let mut at = (0..groups.len()).rev().max_by_key(|&number| best[number].0);
    while let Some(number) = at {
        chain.insert(number);
        at = best[number].1;
    }
    chain
}

/// A grid; `faint` has the links that came near as well.
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
            format!("(a matrix of {n_target} target words takes {needed} columns, there are {WIDTH}: the picture instead)"),
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
    // The words of the target stand upright and end at the same height.
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
