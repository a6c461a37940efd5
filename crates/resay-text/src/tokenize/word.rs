//! Words and numbers: from a letter or digit to the end of the token. A single pass to the right;
//! at every character that is neither letter nor digit, a rule decides whether it joins its two
//! sides or ends the word.

use super::lists::Keep;
use super::{Cut, Source, address, class, lists, number};

/// A word scanned up to `at`.
struct Word<'s, 'a> {
    source: &'s Source<'a>,
    start: usize,
    at: usize,
    /// Start of the part after the last inner full stop; `start` if there is none.
    part: usize,
    /// Whether there is no letter so far.
    is_number: bool,
}

/// The decision of a rule about the character at `at`.
enum Verdict {
    /// It joins: continue after this many bytes.
    Join(usize),
    /// The word ends after this many more bytes.
    End(usize),
    /// The word ends at this cut; the rules for endings do not apply.
    Final(Cut),
}

use Verdict::{End, Final, Join};

/// Returns where the word that starts at `start` ends.
pub(super) fn scan(source: &Source, start: usize) -> Cut {
    let mut at = start;
    while source.byte(at).is_ascii_alphabetic() {
        at += 1;
    }
    let mut word = Word { source, start, at, part: start, is_number: at == start };
    loop {
        match word.verdict() {
            Join(len) => word.at += len,
            End(len) => {
                word.at += len;
                break;
            }
            Final(cut) => return cut,
        }
    }
    match lists::joined(source.slice(start, word.at), source.web) {
        Some(len) => Cut { end: start + len, next_end: word.at },
        None => Cut::at(word.at),
    }
}

impl Word<'_, '_> {
    #[inline]
    fn verdict(&mut self) -> Verdict {
        let byte = self.source.byte(self.at);
        match byte {
            b'0'..=b'9' => Join(1),
            b'a'..=b'z' | b'A'..=b'Z' => self.letter(),
            b' ' => End(0),
            b'.' => self.point(),
            b'\'' | b'`' => self.apostrophe(1),
            b'-' => self.hyphen(1),
            b',' => self.between_digits(),
            b':' => self.colon(),
            b'/' => self.slash(),
            b'&' if self.joins(1) => Join(1),
            b'_' => self.run_inside(b'_'),
            b'*' if !self.is_number => self.run_inside(b'*'),
            b'$' => self.dollar(),
            b'+' | b'#' => self.letter_and_signs(byte),
            0x80.. => self.beyond_ascii(),
            _ => End(0),
        }
    }

    /// Whether a word character follows after `len` bytes.
    fn joins(&self, len: usize) -> bool {
        self.source.word_len(self.at + len) > 0
    }

    fn has_digit_before(&self) -> bool {
        self.at > self.start && self.source.byte(self.at - 1).is_ascii_digit()
    }

    /// "5pm" is two tokens in web style, "5th" is one.
    fn letter(&mut self) -> Verdict {
        if self.is_number && self.source.web && self.has_digit_before() {
            // No unit has more than eight letters.
            let len = (0..9).take_while(|offset| self.source.byte(self.at + offset).is_ascii_alphabetic()).count();
            if !self.joins(len) && lists::unit(self.source.slice(self.at, self.at + len)) {
                return End(0);
            }
        }
        self.is_number = false;
        Join(1)
    }

    fn beyond_ascii(&mut self) -> Verdict {
        let Some(character) = self.source.char(self.at) else { return End(0) };
        let len = character.len_utf8();
        match character {
            _ if class::is_apostrophe(character) => self.apostrophe(len),
            '\u{2010}' | '\u{2011}' => self.hyphen(len),
            '·' if self.joins(len) => Join(len),
            _ if class::is_extend(character) => Join(len),
            _ if class::is_word(character) => {
                self.is_number &= character.is_numeric();
                Join(len)
            }
            _ => End(0),
        }
    }

    /// Inner full stops join ("U.S", "3.5", "file.txt") unless a space was forgotten after a
    /// sentence ("end.Next"). A final full stop belongs to abbreviations.
    fn point(&mut self) -> Verdict {
        if self.joins(1) {
            let before = self.source.slice(self.part, self.at);
            if self.part == self.start
                && before.eq_ignore_ascii_case(b"www")
                && let Some(end) = address::url_end(self.source, self.at + 1)
            {
                return Final(Cut::at(end));
            }
            if self.is_forgotten_blank(before) {
                return End(0);
            }
            self.part = self.at + 1;
            return Join(1);
        }
        if !self.keeps_point() {
            return End(0);
        }
        // "U.S.-led" continues after the full stop.
        if !self.source.web && self.source.byte(self.at + 1) == b'-' && self.joins(2) { Join(2) } else { End(1) }
    }

    /// "end.Next": a lower-case letter or digit before, a capitalised word after, and no
    /// abbreviation.
    fn is_forgotten_blank(&self, before: &[u8]) -> bool {
        let (first, second) = (self.source.byte(self.at + 1), self.source.byte(self.at + 2));
        self.part == self.start
            && before.len() > 1
            && before.last().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && first.is_ascii_uppercase()
            && second.is_ascii_lowercase()
            && lists::abbreviation(before).is_none()
            && !matches!(self.source.slice(self.at + 1, self.at + 4), b"Com" | b"Net" | b"Org")
    }

    /// Whether the full stop at `at`, which no word character follows, belongs to the word.
    fn keeps_point(&self) -> bool {
        let word = self.source.slice(self.start, self.at);
        let behind = self.source.after_blanks(self.at + 1);
        let next = behind.and_then(|at| self.source.char(at));
        // The Web Treebank gives the last full stop to the sentence, whatever precedes it.
        if self.source.web && next.is_none() {
            return false;
        }
        let dots_follow = self.source.byte(self.at + 1) == b'.';
        if self.part > self.start {
            return is_acronym(word) && !(dots_follow && self.source.byte(self.at + 2) == b'.');
        }
        if dots_follow {
            return false;
        }
        let is_capital = word.first().is_some_and(u8::is_ascii_uppercase);
        // A single capital is an initial rather than "p." for "page".
        if let Some(keep) = lists::abbreviation(word).filter(|_| word.len() > 1 || !is_capital) {
            return match keep {
                Keep::Always => true,
                Keep::Capital => is_capital,
                Keep::Inside => is_capital && next.is_some(),
                Keep::Number => next.is_some_and(char::is_numeric),
            };
        }
        // A single initial, if a name or another initial follows: "J. Smith", "Smith, J., and".
        let Some(initial) = self.source.char(self.start) else { return false };
        if initial.len_utf8() != word.len() || !initial.is_uppercase() {
            return false;
        }
        let (Some(behind), Some(next)) = (behind, next) else { return false };
        let another = next.is_uppercase() && self.source.byte(behind + next.len_utf8()) == b'.';
        // "I" is mainly a word, and an initial only among initials.
        another || (initial != 'I' && (next.is_uppercase() || behind == self.at + 1 && next == ','))
    }

    /// n't and the clitics start a token; other apostrophes between letters join ("O'Neill").
    fn apostrophe(&mut self, len: usize) -> Verdict {
        let behind = self.at + len;
        let n_before = self.at > self.start && self.source.byte(self.at - 1) | 0x20 == b'n';
        if n_before && self.source.byte(behind) | 0x20 == b't' && self.source.word_len(behind + 1) == 0 {
            let cut = self.at - 1;
            return if cut == self.start { End(len + 1) } else { Final(Cut { end: cut, next_end: behind + 1 }) };
        }
        let is_accent = matches!(self.source.char(self.at), Some('`' | '´'));
        if is_accent || self.has_digit_before() || !self.joins(len) || self.source.clitic_end(behind).is_some() {
            return End(0);
        }
        Join(len)
    }

    fn hyphen(&mut self, len: usize) -> Verdict {
        if !self.joins(len) {
            // "pre- and post-war": the first hyphen stands for a missing word.
            let rest = self.source.slice(self.at + len, self.at + len + 4);
            let hangs = !self.is_number && (rest == b" and" || rest.starts_with(b" or ") || rest.starts_with(b" to "));
            return if hangs && !self.source.web { End(len) } else { End(0) };
        }
        if !self.source.web {
            return Join(len);
        }
        let joins = if self.is_number && self.source.byte(self.at + len).is_ascii_digit() {
            number::is_telephone_number(self.source, self.start, self.at, len)
        } else {
            lists::prefix(self.source.slice(self.start, self.at))
        };
        if joins { Join(len) } else { End(0) }
    }

    fn between_digits(&mut self) -> Verdict {
        let joins = self.has_digit_before() && self.source.byte(self.at + 1).is_ascii_digit();
        if joins { Join(1) } else { End(0) }
    }

    fn colon(&mut self) -> Verdict {
        if let Some(from) = address::after_scheme(self.source, self.start, self.at)
            && let Some(end) = address::url_end(self.source, from)
        {
            return Final(Cut::at(end));
        }
        self.between_digits()
    }

    fn slash(&mut self) -> Verdict {
        if self.part > self.start && address::is_host(self.source, self.part, self.at) {
            return Final(Cut::at(address::url_end(self.source, self.at).unwrap_or(self.at)));
        }
        if !self.joins(1) {
            return End(0);
        }
        let joins = !self.source.web
            || if self.is_number {
                number::is_date(self.source, self.start, self.at)
            } else {
                self.is_letters_and_slash()
            };
        if joins { Join(1) } else { End(0) }
    }

    /// "w/o", "w/out", "I/O": a single letter on both sides, or "w".
    fn is_letters_and_slash(&self) -> bool {
        let first = self.source.slice(self.start, self.at);
        let behind = self.source.byte(self.at + 1).is_ascii_alphabetic();
        behind && first.len() == 1 && (first.eq_ignore_ascii_case(b"w") || !self.joins(2))
    }

    /// "snake_case", "f**k": a run of this character joins if a word follows.
    fn run_inside(&mut self, sign: u8) -> Verdict {
        let run = self.source.bytes().iter().skip(self.at).take_while(|byte| **byte == sign).count();
        if self.joins(run) { Join(run) } else { End(0) }
    }

    /// "US$" and "C$" are currencies.
    fn dollar(&mut self) -> Verdict {
        let word = self.source.slice(self.start, self.at);
        let is_country = word.len() <= 3 && word.iter().all(u8::is_ascii_uppercase);
        if is_country && !self.source.byte(self.at + 1).is_ascii_alphabetic() { End(1) } else { End(0) }
    }

    /// "C++", "F#".
    fn letter_and_signs(&mut self, sign: u8) -> Verdict {
        let len = if sign == b'+' { 2 } else { 1 };
        let is_name = self.at - self.start == 1
            && self.source.byte(self.start).is_ascii_uppercase()
            && self.source.byte(self.at + len - 1) == sign
            && self.source.byte(self.at + len) != sign
            && !self.joins(len);
        End(if is_name { len } else { 0 })
    }
}

/// Whether a word is an acronym: parts of one or two letters between full stops, at least one of
/// them a single letter: "U.S", "a.m", "Ph.D".
fn is_acronym(word: &[u8]) -> bool {
    let mut has_single = false;
    word.len() < 24
        && word.split(|byte| *byte == b'.').all(|part| {
            has_single |= part.len() == 1;
            (1..=2).contains(&part.len()) && part.iter().all(u8::is_ascii_alphabetic)
        })
        && has_single
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_have_a_part_of_one_letter_and_none_of_three() {
        for word in ["U.S", "a.m", "Ph.D", "U.S.A", "M.Sc"] {
            assert!(is_acronym(word.as_bytes()), "{word}");
        }
        for word in ["end.of", "x.com", "3.5", "U..S", "notes.txt"] {
            assert!(!is_acronym(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn a_word_may_end_in_two_cuts() {
        let check = |text: &str, expected: (usize, usize)| {
            let cut = scan(&Source { text, web: false }, 0);
            assert_eq!((cut.end, cut.next_end), expected, "{text:?}");
        };
        check("isn't it", (2, 5));
        check("cannot", (3, 6));
        check("it's", (2, 0));
        check("plain word", (5, 0));
        check("rock'n'roll", (11, 0));
    }
}
