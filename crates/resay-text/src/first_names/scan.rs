//! Finds the first names of a text, and says of each whether its position makes it a name.

use super::{FirstNames, Gender};
use crate::Span;

/// What stands before places that are called after people ("San Diego", "the Anna").
const NOT_BEFORE: [&str; 19] = [
    "a", "an", "the", "San", "Santa", "Santo", "Saint", "St", "St.", "Mount", "Mt", "Mt.", "Lake", "Port", "Cape",
    "New", "Fort", "El", "La",
];

/// What does not stand before a name that is also a word: "my Will", "this Mark".
const NOT_BEFORE_WORDS: [&str; 17] = [
    "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those", "no", "every", "each", "any",
    "some", "another",
];

/// Capitalised words that stand before a name that is also a word.
const GREETINGS: [&str; 8] = ["Dear", "Hi", "Hello", "Hey", "Mr", "Mr.", "Mrs", "Mrs."];

/// What follows a subject and begins no order: "Mark has left", and not "Mark the date".
const AUXILIARIES: [&str; 17] = [
    "is", "was", "has", "had", "does", "did", "can", "could", "would", "should", "must", "might", "isn't", "wasn't",
    "hasn't", "didn't", "doesn't",
];

/// A name at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// An index into [`Scan::names`].
    pub(super) name: usize,
    pub(super) span: Span,
    pub(super) is_shouted: bool,
}

/// The first names of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    /// The names to mask, in lower case, by order of first appearance.
    pub(super) names: Vec<(Box<str>, Gender)>,
    /// Where they stand.
    pub(super) uses: Vec<Found>,
    /// Names that stay as they are, in lower case.
    pub(super) kept: Vec<Box<str>>,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Lower,
    Capitalised,
    Shouted,
    Mixed,
}

/// A word, or a part of one between hyphens.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    form: &'a str,
    start: usize,
    case: Case,
}

impl Part<'_> {
    fn end(&self) -> usize {
        self.start + self.form.len()
    }
}

/// Text as it is read.
struct Reader<'a> {
    names: &'a FirstNames,
    text: &'a str,
    /// Whether there is any letter in lower case.
    has_lower: bool,
    /// A word in lower case.
    lower: String,
    out: Scan,
}

/// Finds the first names of a text.
pub(super) fn scan(names: &FirstNames, text: &str) -> Scan {
    let has_lower = text.chars().any(char::is_lowercase);
    let mut reader = Reader { names, text, has_lower, lower: String::new(), out: Scan::default() };
    // Offsets are 32 bits wide.
    if text.len() <= u32::MAX as usize / 2 {
        reader.read();
    }
    reader.out
}

/// Letters and what belongs to them; "é" may be two characters.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || ('\u{300}'..'\u{370}').contains(&c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

fn case_of(form: &str) -> Case {
    let mut chars = form.chars();
    let is_capital = chars.next().is_some_and(char::is_uppercase);
    let (mut n_lower, mut n_upper, mut n_other) = (0, 0, 0);
    for c in chars {
        match c {
            c if c.is_lowercase() => n_lower += 1,
            c if c.is_uppercase() => n_upper += 1,
            _ => n_other += 1,
        }
    }
    match (is_capital, n_lower, n_upper, n_other) {
        (false, _, 0, 0) => Case::Lower,
        (true, 1.., 0, 0) => Case::Capitalised,
        (true, 0, 1.., 0) => Case::Shouted,
        _ => Case::Mixed,
    }
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let text = self.text;
        let mut at = 0;
        let mut parts: Vec<Part<'a>> = Vec::new();
        while let Some(start) = text[at..].find(is_of_word).map(|offset| at + offset) {
            // A word with its hyphens: "Anna-Maria".
            parts.clear();
            let mut from = start;
            loop {
                let len = text[from..].find(|c| !is_of_word(c)).unwrap_or(text.len() - from);
                let form = &text[from..from + len];
                parts.push(Part { form, start: from, case: case_of(form) });
                at = from + len;
                let rest = text[at..].strip_prefix('-');
                match rest.and_then(|rest| rest.chars().next()) {
                    Some(next) if is_of_word(next) => from = at + 1,
                    _ => break,
                }
            }
            self.word(&parts);
        }
    }

    /// What the list says of a part.
    fn known(&mut self, part: Part<'_>) -> Option<super::FirstName> {
        // The shortest names have two letters.
        if part.form.len() < 2 || part.form.len() > 40 {
            return None;
        }
        self.lower.clear();
        if part.form.is_ascii() {
            self.lower.push_str(part.form);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.push_str(&part.form.to_lowercase());
        }
        self.names.get(&self.lower)
    }

    fn word(&mut self, parts: &[Part<'a>]) {
        let Some(&first) = parts.first() else { return };
        if let [part] = parts {
            let Some(known) = self.known(first) else { return };
            let is_name = match part.case {
                Case::Capitalised => self.stands_alone(first, first) && self.is_name(first, known.is_word),
                Case::Shouted => !self.has_lower && !known.is_word && self.stands_alone(first, first),
                Case::Lower | Case::Mixed => false,
            };
            match (is_name, part.case) {
                (true, _) => self.put(first, first, known.gender),
                // "rose" is no name that was left alone.
                (false, Case::Lower | Case::Shouted) if known.is_word => {}
                (false, _) => self.keep(),
            }
            return;
        }
        // All parts are names: they are one name. Only the first one is: "Anna-like".
        let known: Vec<Option<super::FirstName>> = parts.iter().map(|part| self.known(*part)).collect();
        let last = parts[parts.len() - 1];
        let is_free = self.stands_alone(first, last);
        let capitalised = |part: &Part<'_>| part.case == Case::Capitalised;
        let genders: Vec<super::FirstName> = known.iter().flatten().copied().collect();
        if is_free
            && genders.len() == parts.len()
            && parts.iter().all(capitalised)
            && genders.iter().any(|known| !known.is_word)
        {
            let gender = genders[0].gender;
            let is_one = genders.iter().all(|known| known.gender == gender);
            self.put(first, last, if is_one { gender } else { Gender::Both });
        } else if let (Some(Some(own)), true) = (known.first(), is_free)
            && !own.is_word
            && capitalised(&first)
            && parts[1..].iter().all(|part| part.case == Case::Lower)
            && self.is_name(first, false)
        {
            self.put(first, first, own.gender);
        } else {
            for part in parts.iter().filter(|part| part.case != Case::Lower) {
                if self.known(*part).is_some() {
                    self.keep();
                }
            }
        }
    }

    /// Whether nothing is attached to these parts that makes them something else: "@anna", "O'Neil",
    /// "anna.com", "Don't".
    fn stands_alone(&self, first: Part<'_>, last: Part<'_>) -> bool {
        let before = self.text[..first.start].chars().next_back();
        let mut behind = self.text[last.end()..].chars();
        let (next, second) = (behind.next(), behind.next());
        let is_free_before = match before {
            // "Anna/Tom", and no path.
            Some('/') => self.out.uses.last().is_some_and(|last| last.span.end as usize + 1 == first.start),
            Some('@' | '#' | '_' | '\\' | '.' | '&' | '-' | '$' | '+') => false,
            // A quotation mark, if nothing stands before it.
            Some(c) if is_apostrophe(c) => {
                let rest = self.text[..first.start].trim_end_matches(is_apostrophe);
                !rest.chars().next_back().is_some_and(is_of_word)
            }
            _ => true,
        };
        let is_free_behind = match next {
            Some('@' | '_' | '\\' | '&' | '-' | '+' | '$') => false,
            Some('.' | ':') => !second.is_some_and(|c| is_of_word(c) || c == '/'),
            Some('/') => second.is_some_and(char::is_uppercase),
            Some(c) if is_apostrophe(c) => !matches!(second, Some('t' | 'T')),
            _ => true,
        };
        is_free_before && is_free_behind
    }

    /// Whether a capitalised word is a name by what stands around it.
    fn is_name(&self, part: Part<'_>, is_word: bool) -> bool {
        let before = &self.text[..part.start];
        let gap = before.len() - before.trim_end().len();
        let previous = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
        if gap > 0 && (NOT_BEFORE.contains(&previous) || matches!(previous, "A" | "An" | "The")) {
            return false;
        }
        if !is_word {
            return true;
        }
        let bare = previous.trim_start_matches(|c: char| !c.is_alphanumeric());
        let ends_sentence = bare.is_empty() || bare.ends_with(['.', '!', '?', ':', ';', '"', '”', '…']);
        let is_mid = gap > 0 && !ends_sentence;
        if GREETINGS.contains(&bare) || is_mid && GREETINGS.contains(&bare.trim_end_matches(',')) {
            return true;
        }
        if is_mid {
            let word = bare.trim_end_matches(',');
            let is_lower = word.chars().all(char::is_lowercase);
            // "Anna, Will and Tom".
            let listed = before.trim_end().trim_end_matches(',').len();
            let is_listed = self.out.uses.last().is_some_and(|last| last.span.end as usize == listed);
            return (is_lower && !NOT_BEFORE_WORDS.contains(&word)) || is_listed;
        }
        let behind = &self.text[part.end()..];
        let next = behind.trim_start().split(char::is_whitespace).next().unwrap_or_default();
        let is_followed = behind.starts_with(char::is_whitespace) && AUXILIARIES.contains(&next);
        is_followed || ["'s ", "’s "].iter().any(|possessive| behind.starts_with(possessive))
    }

    /// Adds a name, from its first part to its last.
    fn put(&mut self, first: Part<'_>, last: Part<'_>, gender: Gender) {
        let lower: Box<str> = self.text[first.start..last.end()].to_lowercase().into();
        let known = self.out.names.iter().position(|(name, _)| *name == lower);
        let name = known.unwrap_or(self.out.names.len());
        if known.is_none() {
            self.out.names.push((lower, gender));
        }
        let span = Span { start: first.start as u32, end: last.end() as u32 };
        self.out.uses.push(Found { name, span, is_shouted: first.case == Case::Shouted });
    }

    /// Remembers the name that was looked up last: it stays as it is.
    fn keep(&mut self) {
        if !self.out.kept.iter().any(|kept| **kept == *self.lower) {
            self.out.kept.push(self.lower.as_str().into());
        }
    }
}
