//! Cuts raw text into pieces: words, numbers, signs and stops, in one pass from left to right.
//!
//! Every piece knows its place in the text, its folded form (lower case, plain letters and digits),
//! how it was capitalised, and whether a blank or a hyphen stands before it.

use super::fold::{Folded, compose, fold};
use crate::Span;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// Letters, perhaps with apostrophes inside.
    Word,
    /// Digits with the signs inside a number.
    Number,
    /// A sign that means something.
    Sign,
    /// Punctuation that will be dropped.
    Stop,
}

/// How a word is capitalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// No capital, or no letters.
    Lower,
    /// One capital, in front of small letters.
    Capital,
    /// Capitals alone.
    Upper,
    /// Anything else.
    Mixed,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    /// Where the folded form lies in [`Scanned::folded`].
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) sort: Sort,
    pub(super) case: Case,
    /// Whether a blank stands before it.
    pub(super) is_spaced: bool,
    /// Whether a hyphen joins it to the piece before.
    pub(super) is_joined: bool,
    /// Whether points between its letters were dropped.
    pub(super) is_dotted: bool,
}

/// A scanned text.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) folded: String,
    pub(super) pieces: Vec<Piece>,
    /// Whether there are two or more words and no small letter.
    pub(super) is_all_capitals: bool,
}

/// Cuts `text` into pieces. Only what a `u32` can address is read.
pub(super) fn scan(text: &str) -> Scanned {
    let mut len = text.len().min(u32::MAX as usize);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    let text = text.get(..len).unwrap_or_default();
    let mut scanner = Scanner {
        text,
        at: 0,
        out: Scanned::default(),
        is_spaced: false,
        is_joined: false,
        is_quoted: false,
        has_small: false,
        n_capital_words: 0,
    };
    scanner.out.folded.reserve(len + 8);
    scanner.out.pieces.reserve(len / 5 + 4);
    scanner.run();
    scanner.out.is_all_capitals = !scanner.has_small && scanner.n_capital_words >= 2;
    scanner.out
}

/// Words that begin with an apostrophe, without it.
const ELIDED: &[&str] = &["bout", "cause", "cuz", "em", "n", "round", "til", "till", "tis", "twas", "twill"];

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    out: Scanned,
    is_spaced: bool,
    is_joined: bool,
    /// Whether a single quote is open.
    is_quoted: bool,
    has_small: bool,
    n_capital_words: usize,
}

impl Scanner<'_> {
    fn char_at(&self, at: usize) -> Option<char> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte < 0x80 { Some(char::from(byte)) } else { self.text.get(at..)?.chars().next() }
    }

    /// Returns what stands at `at`; a blank behind the end.
    fn folded_at(&self, at: usize) -> Folded {
        self.char_at(at).map_or(Folded::Space, fold)
    }

    fn is_letter_at(&self, at: usize) -> bool {
        matches!(self.folded_at(at), Folded::Letter(_) | Folded::Letters(_))
    }

    fn is_digit_at(&self, at: usize) -> bool {
        matches!(self.folded_at(at), Folded::Digit(_))
    }

    fn run(&mut self) {
        while let Some(character) = self.char_at(self.at) {
            let next = self.at + character.len_utf8();
            match fold(character) {
                Folded::Space => {
                    self.is_spaced = true;
                    self.at = next;
                }
                Folded::Nothing => self.at = next,
                Folded::Letter(_) | Folded::Letters(_) | Folded::Mark(_) => self.word(self.at),
                Folded::Digit(_) => self.number(),
                Folded::Fraction(fraction) => self.put(self.at, next, Sort::Number, fraction),
                Folded::Apostrophe => self.apostrophe(next),
                Folded::Hyphen => self.hyphen(next, true),
                Folded::Dash(dash) => self.hyphen(next, dash == '\u{2013}'),
                Folded::Stop(stop) => self.stop(stop, next),
                Folded::Sign(sign) => {
                    let mut bytes = [0; 4];
                    self.put(self.at, next, Sort::Sign, sign.encode_utf8(&mut bytes));
                }
            }
        }
    }

    /// Adds a piece of the given form.
    fn put(&mut self, start: usize, end: usize, sort: Sort, form: &str) {
        let from = self.out.folded.len();
        self.out.folded.push_str(form);
        self.finish(start, end, sort, from, Case::Lower, false);
    }

    /// Adds a piece whose form has been written from `from` on.
    fn finish(&mut self, start: usize, end: usize, sort: Sort, from: usize, case: Case, is_dotted: bool) {
        let span = Span { start: start as u32, end: end as u32 };
        let (from, to) = (from as u32, self.out.folded.len() as u32);
        let (is_spaced, is_joined) = (self.is_spaced, self.is_joined);
        self.out.pieces.push(Piece { span, from, to, sort, case, is_spaced, is_joined, is_dotted });
        self.is_spaced = false;
        self.is_joined = false;
        self.at = end;
    }

    /// Reads a word. The span starts at `start`, the letters at `self.at`.
    fn word(&mut self, start: usize) {
        let from = self.out.folded.len();
        let (mut n_letters, mut n_capitals, mut is_first_capital) = (0_usize, 0_usize, false);
        let mut at = self.at;
        while let Some(character) = self.char_at(at) {
            let next = at + character.len_utf8();
            match fold(character) {
                Folded::Letter(letter) => {
                    if letter.is_uppercase() {
                        n_capitals += 1;
                        is_first_capital |= n_letters == 0;
                    }
                    n_letters += 1;
                    if letter.is_ascii() {
                        self.out.folded.push(letter.to_ascii_lowercase());
                    } else {
                        self.out.folded.extend(letter.to_lowercase());
                    }
                }
                Folded::Letters(letters) => {
                    n_letters += letters.len();
                    self.out.folded.push_str(letters);
                }
                Folded::Mark(mark) => {
                    let last = self.out.folded.get(from..).and_then(|word| word.chars().next_back());
                    match last.and_then(|last| compose(last, mark)) {
                        Some(composed) => {
                            self.out.folded.pop();
                            self.out.folded.push(composed);
                        }
                        None => self.out.folded.push(mark),
                    }
                }
                Folded::Apostrophe if n_letters > 0 && self.is_letter_at(next) => self.out.folded.push('\''),
                Folded::Nothing => {}
                _ => break,
            }
            at = next;
        }
        let end = self.initials(from, at);
        let is_dotted = end > at;
        if is_dotted {
            n_capitals = self.text.get(start..end).map_or(0, |raw| raw.chars().filter(|c| c.is_uppercase()).count());
            n_letters = self.out.folded.len() - from;
        }
        let case = match (n_capitals, n_letters) {
            (0, _) => Case::Lower,
            (capitals, letters) if capitals >= letters => Case::Upper,
            (1, _) if is_first_capital => Case::Capital,
            _ => Case::Mixed,
        };
        self.has_small |= n_capitals < n_letters;
        self.n_capital_words += usize::from(case == Case::Upper);
        self.finish(start, end, Sort::Word, from, case, is_dotted);
    }

    /// Reads on after a single letter (or "Ph") at points between single letters, as in "U.S.A.",
    /// and returns the end.
    fn initials(&mut self, from: usize, at: usize) -> usize {
        let mut end = at;
        let first = self.out.folded.get(from..).unwrap_or_default();
        if first != "ph" && (first.len() != 1 || !first.is_ascii()) {
            return at;
        }
        while let (Some('.'), Some(letter)) = (self.char_at(end), self.char_at(end + 1)) {
            let is_single = !self.is_letter_at(end + 2) && !self.is_digit_at(end + 2);
            if !letter.is_ascii_alphabetic() || !is_single {
                break;
            }
            self.out.folded.push(letter.to_ascii_lowercase());
            end += 2;
        }
        if end > at && self.char_at(end) == Some('.') { end + 1 } else { end }
    }

    /// Reads digits, with a comma before each group of three and with points inside.
    fn number(&mut self) {
        let from = self.out.folded.len();
        let start = self.at;
        let mut at = start;
        let (mut in_group, mut has_comma, mut has_point) = (0_usize, false, false);
        while let Some(character) = self.char_at(at) {
            match fold(character) {
                Folded::Digit(digit) => {
                    self.out.folded.push(digit);
                    in_group += 1;
                }
                Folded::Stop('.') if character == '.' && self.is_digit_at(at + 1) => {
                    self.out.folded.push('.');
                    has_point = true;
                }
                Folded::Stop(',') if !has_point && self.is_group_at(at + character.len_utf8()) => {
                    if in_group > 3 || (has_comma && in_group != 3) {
                        break;
                    }
                    self.out.folded.push(',');
                    (in_group, has_comma) = (0, true);
                }
                _ => break,
            }
            at += character.len_utf8();
        }
        self.finish(start, at, Sort::Number, from, Case::Lower, false);
    }

    /// Whether exactly three digits stand at `at`.
    fn is_group_at(&self, mut at: usize) -> bool {
        for _ in 0..3 {
            match self.char_at(at) {
                Some(character) if matches!(fold(character), Folded::Digit(_)) => at += character.len_utf8(),
                _ => return false,
            }
        }
        !self.is_digit_at(at)
    }

    /// Whether a word or number ends where the scanner stands.
    fn follows(&self, sort: Sort) -> bool {
        !self.is_spaced
            && self.out.pieces.last().is_some_and(|last| last.sort == sort && last.span.end as usize == self.at)
    }

    fn last_form(&self) -> &str {
        let last = self.out.pieces.last();
        last.and_then(|last| self.out.folded.get(last.from as usize..last.to as usize)).unwrap_or_default()
    }

    fn apostrophe(&mut self, next: usize) {
        let start = self.at;
        let is_behind = self.follows(Sort::Word);
        if self.follows(Sort::Number) && self.is_s_at(next) {
            // "the 1990's" is "the 1990s".
            self.put(start, next + 1, Sort::Word, "s");
        } else if is_behind && !self.is_quoted && self.last_form().ends_with('s') {
            self.put(start, next, Sort::Word, "'s");
        } else if !is_behind && !self.follows(Sort::Number) && self.is_elided_at(next) {
            self.out.folded.push('\'');
            let from = self.out.folded.len() - 1;
            self.at = next;
            self.word(start);
            if let Some(last) = self.out.pieces.last_mut() {
                last.from = from as u32;
            }
        } else {
            self.is_quoted = !is_behind && self.is_letter_at(next);
            self.put(start, next, Sort::Stop, "\"");
        }
    }

    fn is_s_at(&self, at: usize) -> bool {
        matches!(self.char_at(at), Some('s' | 'S')) && !self.is_letter_at(at + 1)
    }

    fn is_elided_at(&self, at: usize) -> bool {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let len = rest.iter().take(7).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = rest.get(..len).unwrap_or_default();
        ELIDED.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(word))
    }

    /// Reads a hyphen, or a dash that may join.
    fn hyphen(&mut self, next: usize, may_join: bool) {
        let start = self.at;
        let is_digit = self.is_digit_at(next);
        let is_behind_number = self.follows(Sort::Number);
        let is_behind = is_behind_number || self.follows(Sort::Word);
        let is_between = self.is_spaced && self.out.pieces.last().is_some_and(|last| last.sort == Sort::Number);
        let is_minus = is_digit && !is_behind && (self.is_spaced || self.is_open());
        if may_join && is_behind && (is_digit || self.is_letter_at(next)) {
            self.is_joined = true;
            self.at = next;
        } else if may_join && (is_minus || is_between && self.is_digit_behind(next)) {
            self.put(start, next, Sort::Sign, "-");
        } else {
            self.put(start, next, Sort::Stop, "-");
        }
    }

    /// Whether blanks and then a digit stand at `at`.
    fn is_digit_behind(&self, mut at: usize) -> bool {
        if self.folded_at(at) != Folded::Space {
            return false;
        }
        while let Some(character) = self.char_at(at).filter(|character| fold(*character) == Folded::Space) {
            at += character.len_utf8();
        }
        self.is_digit_at(at)
    }

    /// Whether nothing, a sign or a stop stands before the scanner.
    fn is_open(&self) -> bool {
        self.out.pieces.last().is_none_or(|last| matches!(last.sort, Sort::Sign | Sort::Stop))
    }

    fn stop(&mut self, stop: char, next: usize) {
        let start = self.at;
        match stop {
            '?' => self.put(start, next, Sort::Sign, "?"),
            '!' if self.char_at(next) == Some('=') => self.put(start, next, Sort::Sign, "!"),
            ':' if self.follows(Sort::Number) && self.is_digit_at(next) => self.put(start, next, Sort::Sign, ":"),
            '.' if !self.follows(Sort::Word) && !self.follows(Sort::Number) && self.is_digit_at(next) => {
                // ".5" is "0.5".
                let from = self.out.folded.len();
                self.out.folded.push_str("0.");
                self.at = next;
                self.number();
                if let Some(last) = self.out.pieces.last_mut() {
                    last.from = from as u32;
                    last.span.start = start as u32;
                }
            }
            _ => {
                let mut bytes = [0; 4];
                self.put(start, next, Sort::Stop, stop.encode_utf8(&mut bytes));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let scanned = scan(text);
        let mut found = Vec::new();
        for piece in &scanned.pieces {
            let form = &scanned.folded[piece.from as usize..piece.to as usize];
            let before = if piece.is_joined { "-" } else { "" };
            match piece.sort {
                Sort::Word | Sort::Number => found.push(format!("{before}{form}")),
                Sort::Sign => found.push(format!("<{form}>")),
                Sort::Stop => found.push(format!("({form})")),
            }
        }
        assert_eq!(found.join(" "), expected, "{text:?}");
    }

    #[test]
    fn pieces() {
        check("", "");
        check(" Don’t\u{a0}GO! ", "don't go (!)");
        check("well-known e\u{2011}mail", "well -known e -mail");
        check("1,500,000 or 1,50 or 2.5", "1,500,000 or 1 (,) 50 or 2.5");
        check("U.S.A. and e.g. this", "usa and eg this");
        check("The end.Next", "the end (.) next");
        check("3km at 15:00", "3 km at 15 <:> 00");
        check("the dogs' bowl, 'the dogs' said", "the dogs 's bowl (,) (\") the dogs (\") said");
        check("5\u{2013}10, -3, 5 - 3", "5 -10 (,) <-> 3 (,) 5 <-> 3");
        check("Really?!?", "really <?> (!) <?>");
        check("ﬁne １２", "fine 12");
        check("'tis the 1990's", "'tis the 1990 s");
        check("cafe\u{301} .5", "café 0.5");
        check("1½", "1 1/2");
    }

    #[test]
    fn capitals() {
        let case = |text: &str| scan(text).pieces.first().expect("a piece").case;
        assert_eq!(case("us"), Case::Lower);
        assert_eq!(case("US"), Case::Upper);
        assert_eq!(case("U.S."), Case::Upper);
        assert_eq!(case("March"), Case::Capital);
        assert_eq!(case("eBay"), Case::Mixed);
        assert!(scan("TELL US").is_all_capitals);
        assert!(!scan("US").is_all_capitals);
        assert!(!scan("tell US").is_all_capitals);
    }
}
