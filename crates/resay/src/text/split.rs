//! Where sentences end, by rules, for any text whatever.
//!
//! Given are a text and the spans of its tokens in web style; what comes back are ranges of tokens, one a sentence, that
//! follow each other and leave none out. One walk from left to right: the last tokens are summed up as one of a few
//! endings (a point, a question mark, an ellipsis, an abbreviation ...), and at each boundary that ending and the token
//! behind the boundary decide. Each token is looked at a bounded number of times, nothing is allocated but the result, and
//! nothing calls itself, so the time is linear in any text.
//!
//! The rules were chosen on the training part of the English Web Treebank, whose writers often begin sentences in lower
//! case: after a point, a question mark or an exclamation mark a blank is enough. What the tokeniser leaves with its point
//! ("Mr.", "U.S.") is an abbreviation, and ends a sentence only before a word that begins sentences ("The", "He"), a
//! title never. A blank line always ends a sentence. That text has no single line breaks, so what they mean could not be
//! measured: one ends a sentence if a list item follows, or if its line is short and the next begins with a capital.

use super::Span;
use std::ops::Range;

/// Cuts a text into sentences: ranges of `tokens`, which are the spans that [`super::tokenize_as`] gives for
/// [`super::Style::Web`].
pub fn split(text: &str, tokens: &[Span]) -> Vec<Range<usize>> {
    let scan = Scan { text, tokens };
    let mut sentences = Vec::new();
    let (mut start, mut line_start, mut ending) = (0, 0, Ending::None);
    for idx in 0..tokens.len() {
        ending = scan.ending(ending, start, idx);
        let gap = scan.gap(idx);
        let breaks = gap.bytes().filter(|&byte| byte == b'\n').take(2).count();
        let is_end = match breaks {
            _ if idx + 1 == tokens.len() => true,
            0 => scan.ends(ending, start, idx, gap.is_empty()),
            1 => scan.ends(ending, start, idx, false) || scan.ends_with_line(line_start, idx),
            _ => true,
        };
        if is_end {
            sentences.push(start..idx + 1);
            start = idx + 1;
            ending = Ending::None;
        }
        if breaks > 0 {
            line_start = idx + 1;
        }
    }
    sentences
}

/// What the tokens so far would be as the end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Nothing that ends one.
    None,
    /// A full stop.
    Point,
    /// A run with a question mark or an exclamation mark.
    Mark,
    /// Several points.
    Ellipsis,
    /// A full stop of a script without capitals; nothing but it ends a sentence there.
    Foreign,
    /// Any of them, and brackets or quotes closed behind it.
    Closed,
    /// A face, with or without a mark before it.
    Face,
    /// A word that keeps its point.
    Abbreviation,
    /// A title, which has a name behind it.
    Title,
    /// An address, which people put on a line of its own.
    Address,
}

/// What the token behind a boundary is, as the beginning of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A capital, or a letter of a script without them.
    Capital,
    Lower,
    Digit,
    /// An opening bracket or quote.
    Opening,
    /// Something that belongs to what is before it.
    Closing,
    /// Any other sign.
    Sign,
}

struct Scan<'a> {
    text: &'a str,
    tokens: &'a [Span],
}

impl<'a> Scan<'a> {
    fn form(&self, idx: usize) -> &'a str {
        self.tokens.get(idx).and_then(|span| self.text.get(span.range())).unwrap_or("")
    }

    /// The blanks behind a token.
    fn gap(&self, idx: usize) -> &'a str {
        let end = self.tokens.get(idx).map_or(0, |span| span.end as usize);
        let next = self.tokens.get(idx + 1).map_or(self.text.len(), |span| span.start as usize);
        self.text.get(end..next).unwrap_or("")
    }

    fn is_glued(&self, idx: usize) -> bool {
        idx > 0 && self.gap(idx - 1).is_empty()
    }

    /// The ending after token `idx` of the sentence that begins with token `start`, given the ending before it.
    fn ending(&self, before: Ending, start: usize, idx: usize) -> Ending {
        let form = self.form(idx);
        let (first, last) = (form.chars().next(), form.chars().next_back());
        let (Some(first), Some(last)) = (first, last) else { return Ending::None };
        if is_terminator(first) && !form.chars().any(char::is_alphanumeric) {
            if matches!(first, '。' | '！' | '？' | '।' | '॥' | '۔' | '؟') {
                return Ending::Foreign;
            }
            if form.contains(['!', '?', '‽']) {
                return Ending::Mark;
            }
            let is_one = form.strip_prefix('.').is_some_and(|rest| !rest.contains('.'));
            return match before {
                // Points with blanks between them.
                Ending::Point | Ending::Ellipsis if is_one => Ending::Ellipsis,
                Ending::Abbreviation if is_one => Ending::Point,
                _ if is_one && self.is_item(start, idx) => Ending::None,
                _ if is_one => Ending::Point,
                _ => Ending::Ellipsis,
            };
        }
        if is_face(form) {
            return Ending::Face;
        }
        if is_closing(first) && self.is_glued(idx) {
            return match before {
                Ending::None | Ending::Abbreviation | Ending::Title | Ending::Address => Ending::None,
                _ => Ending::Closed,
            };
        }
        if last == '.' {
            return if is_listed(TITLES, form.trim_end_matches('.')) { Ending::Title } else { Ending::Abbreviation };
        }
        if is_address(form) { Ending::Address } else { Ending::None }
    }

    /// Whether the point `idx` belongs to the number or letter of a list item that begins the sentence: "2. Stir".
    fn is_item(&self, start: usize, idx: usize) -> bool {
        let Some(number) = idx.checked_sub(1).filter(|&number| number >= start) else { return false };
        let form = self.form(number);
        let is_number = form.len() <= 3 && form.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = form.len() == 1 && form.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_first = number == start
            || (number == start + 1 && self.form(start).chars().all(|sign| is_bullet(sign) || is_opening(sign)));
        (is_number || is_letter) && is_first && self.is_glued(idx)
    }

    fn next(&self, idx: usize) -> Next {
        let form = self.form(idx + 1);
        let Some(first) = form.chars().next() else { return Next::Sign };
        if is_face(form) {
            return Next::Closing;
        }
        if first.is_lowercase() {
            return Next::Lower;
        }
        if first.is_alphabetic() {
            return Next::Capital;
        }
        if first.is_numeric() {
            return Next::Digit;
        }
        // A straight quote opens if a blank is before it and none behind it.
        let opens =
            is_opening(first) && (!is_closing(first) || (!self.gap(idx).is_empty() && !self.is_spaced(idx + 1)));
        if opens {
            return Next::Opening;
        }
        let closes = is_closing(first) || is_terminator(first) || matches!(first, ',' | ';' | ':');
        if closes { Next::Closing } else { Next::Sign }
    }

    fn is_spaced(&self, idx: usize) -> bool {
        idx + 1 >= self.tokens.len() || !self.gap(idx).is_empty()
    }

    /// Whether a sentence ends after token `idx`, where no line ends.
    fn ends(&self, ending: Ending, start: usize, idx: usize, is_glued: bool) -> bool {
        let next = self.next(idx);
        match ending {
            Ending::None => self.is_farewell(start, idx) && next == Next::Capital,
            Ending::Point | Ending::Mark => match next {
                Next::Capital | Next::Opening => true,
                Next::Lower | Next::Digit | Next::Sign => !is_glued,
                Next::Closing => false,
            },
            Ending::Closed => matches!(next, Next::Capital | Next::Opening | Next::Digit) && !is_glued,
            Ending::Ellipsis | Ending::Face => matches!(next, Next::Capital | Next::Opening) && !is_glued,
            Ending::Foreign => next != Next::Closing,
            Ending::Abbreviation => {
                next == Next::Capital
                    && (is_listed(STARTERS, self.form(idx + 1)) || is_listed(LAST_WORDS, self.form(idx)))
            }
            Ending::Title => false,
            Ending::Address => next == Next::Capital || is_address(self.form(idx + 1)),
        }
    }

    /// Whether a letter's last words end here: "Thanks, Ann".
    fn is_farewell(&self, start: usize, idx: usize) -> bool {
        idx > start && idx <= start + 2 && self.form(idx) == "," && is_listed(FAREWELLS, self.form(idx - 1))
    }

    /// Whether a single line break behind token `idx`, whose line begins with token `line_start`, ends a sentence.
    fn ends_with_line(&self, line_start: usize, idx: usize) -> bool {
        /// Text is wrapped at 60 characters or more, so a shorter line was ended on purpose.
        const SHORT: u32 = 50;
        let form = self.form(idx + 1);
        if form.chars().all(is_bullet) && self.is_spaced(idx + 1) {
            return true;
        }
        if self.form(idx + 2) == "." && form.len() <= 3 && form.bytes().all(|byte| byte.is_ascii_digit()) {
            return true;
        }
        let line_start = self.tokens.get(line_start).map_or(0, |span| span.start);
        let line_end = self.tokens.get(idx).map_or(0, |span| span.end);
        let goes_on = self.form(idx).ends_with([',', ';', '-', '–', '—', '(', '&', '/']);
        line_end.saturating_sub(line_start) <= SHORT && !goes_on && self.next(idx) == Next::Capital
    }
}

fn is_terminator(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…' | '‽' | '。' | '！' | '？' | '।' | '॥' | '۔' | '؟')
}

fn is_closing(character: char) -> bool {
    matches!(character, ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '»' | '›' | '」' | '』' | '）' | '】' | '》')
}

fn is_opening(character: char) -> bool {
    matches!(
        character,
        '(' | '['
            | '{'
            | '"'
            | '\''
            | '`'
            | '“'
            | '‘'
            | '«'
            | '‹'
            | '„'
            | '「'
            | '『'
            | '（'
            | '【'
            | '《'
            | '¿'
            | '¡'
    )
}

fn is_bullet(character: char) -> bool {
    matches!(character, '*' | '-' | '•' | '·' | '–' | '—' | '▪' | '●' | '◦' | '‣' | '+' | '>')
}

/// Whether a token is a face such as ":)" or "^_^".
fn is_face(form: &str) -> bool {
    let mut characters = form.chars();
    let (Some(first), Some(second)) = (characters.next(), characters.next()) else { return false };
    form.len() <= 6
        && matches!(first, ':' | ';' | '=' | '^' | '<')
        && second != first
        && !matches!(second, '.' | ',' | '<' | '>' | '=')
}

fn is_address(form: &str) -> bool {
    form.len() > 8 && (form.contains("://") || form.starts_with("www."))
}

/// Titles, without their point: a name follows, however it looks.
const TITLES: &[&str] = &[
    "adm", "capt", "cmdr", "col", "dr", "gen", "gov", "hon", "lt", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms",
    "msgr", "pres", "prof", "rep", "reps", "rev", "sen", "sens", "sgt", "supt", "vs",
];

/// Words that stand at the beginning of a sentence more often than inside a name.
#[rustfmt::skip]
const STARTERS: &[&str] = &[
    "a", "after", "all", "also", "an", "and", "are", "as", "at", "because", "before", "both", "but", "by", "can", "did", "do",
    "does", "each", "even", "every", "for", "from", "he", "her", "here", "his", "how", "however", "i", "if", "in", "is", "it",
    "its", "just", "let", "many", "most", "my", "no", "not", "now", "on", "once", "one", "or", "our", "please", "she", "since",
    "so", "some", "thanks", "that", "the", "their", "then", "there", "these", "they", "this", "those", "to", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "why", "with", "yes", "yet", "you", "your",
];

/// Abbreviations that end what they stand in, before any capital.
const LAST_WORDS: &[&str] = &["etc."];

/// Last words of letters, before a comma and a name.
const FAREWELLS: &[&str] = &[
    "best",
    "cheers",
    "cordially",
    "love",
    "regards",
    "rgds",
    "sincerely",
    "thanks",
    "thanx",
    "thx",
    "tks",
    "you",
    "yours",
];

/// Whether a sorted list has a word, whatever its case.
fn is_listed(list: &[&str], word: &str) -> bool {
    let lower = |known: &str| {
        let word = word.bytes().map(|byte| byte.to_ascii_lowercase());
        known.bytes().cmp(word)
    };
    list.binary_search_by(|known| lower(known)).is_ok()
}
