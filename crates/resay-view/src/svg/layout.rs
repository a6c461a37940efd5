//! The layout of the drawing of an alignment.
//!
//! Adjacent words of the same kind share a box. If both sentences fit, they form two rows, one
//! above the other. Longer ones are cut into bands of two rows each, where the cuts break the
//! fewest links, as a musical score is cut into systems: linked words stay close together. No font
//! metrics are available: widths are estimated, and the drawing fits its text to them.

use crate::groups::{LinkGroup, groups, is_quiet, owners, side};
use crate::markup::visible;
use crate::reasons::DifferingWords;
use resay::model::AlignedText;
use resay_text::{Analysis, Span};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Font size.
pub(super) const FONT: f64 = 17.0;
/// Horizontal padding of a box.
pub(super) const PAD: f64 = 7.0;
/// Gap between boxes, with and without a space in the text.
const APART: f64 = 7.0;
const TOGETHER: f64 = 2.0;
/// Maximum width of a row.
pub(super) const WIDEST: f64 = 884.0;

/// How a word relates to the other sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The same words, in the same order.
    Same,
    /// Reworded.
    Reworded,
    /// The same words in another position.
    Moved,
    /// Reworded and in another position.
    RewordedMoved,
    /// In this sentence only.
    Only,
    /// Evidence against a paraphrase.
    Differs,
    /// Unaligned punctuation, which needs no attention.
    Plain,
}

/// Words of one row that are drawn as one box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) words: Range<usize>,
    pub(super) kind: Kind,
    /// The displayed text, not yet escaped.
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) width: f64,
    pub(super) is_rtl: bool,
}

/// A row of the first sentence and the row of the second below it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Band {
    pub(super) rows: [Vec<Piece>; 2],
}

/// The contents of the drawing.
pub(super) struct Layout {
    pub(super) groups: Vec<LinkGroup>,
    /// The kind of every word of either sentence.
    pub(super) kinds: [Vec<Kind>; 2],
    pub(super) bands: Vec<Band>,
    /// Width of the widest row.
    pub(super) width: f64,
}

/// Estimates the width of a text in a typical sans-serif font.
pub(super) fn text_width(text: &str, font: f64) -> f64 {
    let em = |character: char| match character {
        'i' | 'j' | 'l' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' => 0.29,
        ' ' => 0.32,
        'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '-' | '"' | '/' => 0.39,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.9,
        'A'..='Z' => 0.69,
        ' '..='~' => 0.585,
        _ => 0.6 * character.width().unwrap_or(0) as f64,
    };
    font * text.chars().map(em).sum::<f64>()
}

/// Words whose spans lie within one of the given spans.
fn words_at<'a>(analysis: &'a Analysis, spans: &'a [Span]) -> impl Iterator<Item = usize> + 'a {
    let is_at = |at: usize| {
        let word = analysis.words[at].span;
        spans.iter().any(|span| span.start <= word.start && word.end <= span.end)
    };
    (0..analysis.words.len()).filter(move |at| is_at(*at))
}

/// The words of either sentence that a difference refers to.
pub(super) fn differing(aligned: &AlignedText, difference: &DifferingWords) -> [Vec<usize>; 2] {
    [words_at(&aligned.source, &difference.source).collect(), words_at(&aligned.target, &difference.target).collect()]
}

/// Whether a text is written from right to left, by its first letter, as in browsers.
fn is_rtl(text: &str) -> bool {
    let first = text.chars().find(|character| character.is_alphabetic());
    first.is_some_and(
        |letter| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'),
    )
}

/// The properties of one sentence that do not depend on the cuts.
struct Side<'a> {
    analysis: &'a Analysis,
    kinds: Vec<Kind>,
    owners: Vec<Option<usize>>,
    /// Maximum width that each word takes in a row.
    costs: Vec<f64>,
    is_rtl: bool,
}

impl<'a> Side<'a> {
    fn new(analysis: &'a Analysis, words: &[Vec<usize>], groups: &[LinkGroup], differing: &[usize]) -> Self {
        let owners = owners(analysis, words);
        let kind = |word: usize| {
            let is_mark = !analysis.form(word).chars().any(char::is_alphanumeric);
            match owners[word].map(|group| &groups[group]) {
                _ if differing.contains(&word) => Kind::Differs,
                None if is_mark => Kind::Plain,
                None => Kind::Only,
                Some(group) if is_quiet(group) => Kind::Same,
                Some(LinkGroup { is_same: true, .. }) => Kind::Moved,
                Some(LinkGroup { is_moved: true, .. }) => Kind::RewordedMoved,
                Some(_) => Kind::Reworded,
            }
        };
        let kinds: Vec<Kind> = (0..analysis.words.len()).map(kind).collect();
        let cost = |word: usize| {
            let is_joined = word > 0 && owners[word - 1] == owners[word] && kinds[word - 1] == kinds[word];
            let around = if is_joined { text_width(" ", FONT) } else { 2.0 * PAD + APART };
            (text_width(&visible(analysis.form(word)), FONT) + around).min(WIDEST)
        };
        let costs = (0..analysis.words.len()).map(cost).collect();
        Self { analysis, kinds, owners, costs, is_rtl: is_rtl(&analysis.text) }
    }

    /// Number of words from `start` on that fit into a row: at least one, if there is one.
    fn fitting(&self, start: usize) -> usize {
        // The first word of a row always starts a box.
        let mut used = 2.0 * PAD;
        let fits = self.costs[start..].iter().take_while(|cost| {
            used += *cost;
            used <= WIDEST + APART
        });
        let n_left = self.costs.len() - start;
        fits.count().max(1).min(n_left)
    }

    fn text(&self, words: &Range<usize>) -> &str {
        let spans = &self.analysis.words;
        let range = spans[words.start].span.start as usize..spans[words.end - 1].span.end as usize;
        self.analysis.text.get(range).unwrap_or("")
    }

    /// Whether a word directly follows the previous one, without a space.
    fn is_tight(&self, word: usize) -> bool {
        word > 0 && self.analysis.words[word - 1].span.end == self.analysis.words[word].span.start
    }

    /// The boxes of a row.
    fn row(&self, words: Range<usize>) -> Vec<Piece> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for word in words {
            let is_one = |before: usize| {
                self.owners[before] == self.owners[word]
                    && self.kinds[before] == self.kinds[word]
                    && (self.kinds[word] != Kind::Differs || self.is_tight(word))
            };
            match pieces.last_mut() {
                Some(piece) if is_one(word - 1) => piece.end = word + 1,
                _ => pieces.push(word..word + 1),
            }
        }
        let mut x = 0.0;
        let mut row = Vec::with_capacity(pieces.len());
        for words in pieces {
            if !row.is_empty() {
                x += if self.is_tight(words.start) { TOGETHER } else { APART };
            }
            let text = shortened(&visible(self.text(&words)).split_whitespace().collect::<Vec<_>>().join(" "));
            let width = text_width(&text, FONT).max(4.0) + 2.0 * PAD;
            row.push(Piece { kind: self.kinds[words.start], is_rtl: is_rtl(&text), words, text, x, width });
            x += width;
        }
        if self.is_rtl {
            row.iter_mut().for_each(|piece| piece.x = x - piece.x - piece.width);
        }
        row
    }
}

/// Shortens a text to fit into a row, keeping its beginning and its end.
fn shortened(text: &str) -> String {
    const ROOM: f64 = WIDEST - 2.0 * PAD;
    if text_width(text, FONT) <= ROOM {
        return text.to_owned();
    }
    let part = |characters: &mut dyn Iterator<Item = char>| {
        let mut width = 0.0;
        let fits = characters.take_while(|character| {
            width += text_width(character.encode_utf8(&mut [0; 4]), FONT);
            width < ROOM / 2.0 - FONT
        });
        fits.collect::<Vec<char>>()
    };
    let (start, mut end) = (part(&mut text.chars()), part(&mut text.chars().rev()));
    end.reverse();
    start.into_iter().chain(['…']).chain(end).collect()
}

/// Cuts both sentences into bands: the words of either sentence in each band.
fn cuts(sides: &[Side<'_>; 2], links: &[[usize; 2]]) -> Vec<[Range<usize>; 2]> {
    /// An empty row is as bad as this many broken links.
    const EMPTY: f64 = 3.0;
    let mut at = [0, 0];
    let mut bands = Vec::new();
    let ends = [sides[0].costs.len(), sides[1].costs.len()];
    while at != ends {
        let most = [0, 1].map(|side| if at[side] < ends[side] { sides[side].fitting(at[side]) } else { 0 });
        let mut best = (f64::INFINITY, most);
        if [0, 1].iter().any(|&side| at[side] + most[side] < ends[side]) {
            let left: Vec<&[usize; 2]> = links.iter().filter(|link| link[0] >= at[0] && link[1] >= at[1]).collect();
            let waste = |n: usize, most: usize| if most == 0 { 0.0 } else { EMPTY * (1.0 - n as f64 / most as f64) };
            for n in (0..=most[0]).rev() {
                for m in (0..=most[1]).rev().filter(|m| n + m > 0) {
                    let is_torn = |link: &&&[usize; 2]| (link[0] < at[0] + n) != (link[1] < at[1] + m);
                    let torn = left.iter().filter(is_torn).count() as f64;
                    let cost = torn + waste(n, most[0]) + waste(m, most[1]);
                    if cost < best.0 {
                        best = (cost, [n, m]);
                    }
                }
            }
        }
        let next = [at[0] + best.1[0], at[1] + best.1[1]];
        bands.push([at[0]..next[0], at[1]..next[1]]);
        at = next;
    }
    bands
}

/// Computes the layout of two sentences.
pub(super) fn layout(aligned: &AlignedText, differences: &[DifferingWords]) -> Layout {
    let AlignedText { source, target, alignment } = aligned;
    let groups = groups(source, target, &alignment.links);
    let all: Vec<[Vec<usize>; 2]> = differences.iter().map(|difference| differing(aligned, difference)).collect();
    let of_side = |side: usize| all.iter().flat_map(|words| words[side].clone()).collect::<Vec<usize>>();
    let sides = [
        Side::new(source, &side(&groups, |group| &group.source), &groups, &of_side(0)),
        Side::new(target, &side(&groups, |group| &group.target), &groups, &of_side(1)),
    ];
    let links: Vec<[usize; 2]> =
        alignment.links.iter().map(|link| [link.source as usize, link.target as usize]).collect();
    let bands: Vec<Band> = cuts(&sides, &links)
        .into_iter()
        .map(|[from, to]| Band { rows: [sides[0].row(from), sides[1].row(to)] })
        .collect();
    let end = |piece: &Piece| piece.x + piece.width;
    let width = bands.iter().flat_map(|band| band.rows.iter().flatten()).map(end).fold(0.0, f64::max);
    let [one, other] = sides;
    Layout { groups, kinds: [one.kinds, other.kinds], bands, width }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use resay::align::{Alignment, SureLink};
    use resay::explain::What;
    use resay::id::{Feature, FeatureId, Part};

    /// A feature for tests in which it does not matter.
    pub(crate) fn other_number() -> What {
        What::Feature(FeatureId { feature: Feature::OtherNumber, part: Part::Whole })
    }

    /// Words are split at spaces; links are written as `0-1` and have confidence 0.8.
    pub(crate) fn aligned(source: &str, target: &str, links: &str) -> AlignedText {
        let words = |text: &str| Analysis::from_forms(text.split_whitespace());
        let link = |link: &str| {
            let (source, target) = link.split_once('-').unwrap();
            SureLink { source: source.parse().unwrap(), target: target.parse().unwrap(), confidence: 0.8 }
        };
        let links = links.split_whitespace().map(link).collect();
        AlignedText {
            source: words(source),
            target: words(target),
            alignment: Alignment { links, ..Alignment::default() },
        }
    }

    fn show(layout: &Layout) -> Vec<String> {
        let piece = |piece: &Piece| format!("{}/{:?}", piece.text, piece.kind);
        let row = |row: &Vec<Piece>| row.iter().map(piece).collect::<Vec<_>>().join(" ");
        layout.bands.iter().flat_map(|band| band.rows.iter().map(row)).collect()
    }

    #[test]
    fn words_that_look_alike_are_one_box() {
        let check = |source: &str, target: &str, links: &str, expected: &[&str]| {
            assert_eq!(show(&layout(&aligned(source, target, links), &[])), expected, "{source} / {target}");
        };
        check(
            "Anna gave up the old job .",
            "Anna quit the work .",
            "0-0 1-1 2-1 3-2 5-3 6-4",
            &[
                "Anna/Same gave up/Reworded the/Same old/Only job/Reworded ./Same",
                "Anna/Same quit/Reworded the/Same work/Reworded ./Same",
            ],
        );
        check(
            "in town he sings",
            "he sings in town ,",
            "0-2 1-3 2-0 3-1",
            &["in town/Same he sings/Moved", "he sings/Moved in town/Same ,/Plain"],
        );
        check("", "", "", &[]);
        check("a", "", "", &["a/Only", ""]);
    }

    #[test]
    fn what_differs_is_found_by_its_bytes() {
        let pair = aligned("it costs 60 euros", "it costs 80 euros", "0-0 1-1 3-3");
        let spans = vec![Span { start: 9, end: 11 }];
        let difference = DifferingWords {
            words: "60 -> 80".into(),
            feature: other_number(),
            label: "different number".into(),
            value: -1.0,
            source: spans.clone(),
            target: spans,
        };
        assert_eq!(differing(&pair, &difference), [vec![2], vec![2]]);
        let found = show(&layout(&pair, &[difference]));
        assert_eq!(found, ["it costs/Same 60/Differs euros/Same", "it costs/Same 80/Differs euros/Same"]);
    }

    #[test]
    fn boxes_do_not_overlap_and_rows_are_not_too_wide() {
        let words: Vec<String> = (0..400).map(|number| format!("word{}", number * 37 % 400)).collect();
        let links: Vec<String> = (0..400).map(|number| format!("{number}-{number}")).collect();
        let long = "x".repeat(3000);
        for (source, target, links) in [
            (words.join(" "), words.join(" "), links.join(" ")),
            (words.join(" "), "word1".to_owned(), "1-0".to_owned()),
            (long.clone(), format!("a {long}"), String::new()),
            ("שלום עולם טוב".to_owned(), "日本 語 x".to_owned(), "0-0".to_owned()),
        ] {
            let layout = layout(&aligned(&source, &target, &links), &[]);
            let mut seen = [0, 0];
            for row in layout.bands.iter().flat_map(|band| band.rows.iter().enumerate()) {
                let mut pieces: Vec<&Piece> = row.1.iter().collect();
                for piece in &pieces {
                    assert_eq!(piece.words.start, seen[row.0], "every word once, in order");
                    seen[row.0] = piece.words.end;
                }
                pieces.sort_by(|a, b| a.x.total_cmp(&b.x));
                assert!(pieces.windows(2).all(|two| two[0].x + two[0].width <= two[1].x));
                assert!(pieces.iter().all(|piece| piece.x >= 0.0 && piece.x + piece.width <= WIDEST + 1.0));
            }
            assert_eq!(seen, layout.kinds.each_ref().map(Vec::len));
        }
    }

    #[test]
    fn bands_are_cut_where_few_links_are_torn() {
        let words: Vec<String> = (0..60).map(|number| format!("longerword{number}")).collect();
        let links: Vec<String> = (0..60).map(|number| format!("{number}-{number}")).collect();
        let layout = layout(&aligned(&words.join(" "), &words.join(" "), &links.join(" ")), &[]);
        let ranges = |side: usize| -> Vec<Range<usize>> {
            layout.bands.iter().flat_map(|band| band.rows[side].iter().map(|piece| piece.words.clone())).collect()
        };
        assert!(layout.bands.len() > 3);
        assert_eq!(ranges(0), ranges(1));
    }
}
