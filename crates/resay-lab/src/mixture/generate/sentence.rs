//! A plain sentence as words: what the generators look at and change.

use super::lists::{self, has};

/// One sentence without quotation, colon, semicolon or abbreviation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sentence {
    /// The words and commas. The first word is in lower case if it would be so inside a sentence.
    pub(super) words: Vec<String>,
    /// The mark at the end: `.`, `?` or `!`.
    pub(super) mark: char,
    /// Whether the case of the first word is known, so that something may be put before it.
    pub(super) is_movable: bool,
}

/// How many words and commas a sentence has.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=15;

impl Sentence {
    /// Reads a sentence; `None` if it is of another kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.replace('\u{2019}', "'");
        let mark = text.chars().next_back().filter(|mark| ".?!".contains(*mark))?;
        let mut words = Vec::new();
        for token in text[..text.len() - 1].split(' ') {
            let word = token.strip_suffix(',').unwrap_or(token);
            if !is_word(word) {
                return None;
            }
            words.push(word.to_owned());
            if word.len() < token.len() {
                words.push(",".to_owned());
            }
        }
        if !LENGTHS.contains(&words.len()) || words.last().is_some_and(|word| word == ",") {
            return None;
        }
        let first = words.first_mut()?;
        let lower = first.to_lowercase();
        let head = lower.split('\'').next().unwrap_or_default();
        let stays = head == "i" || first.starts_with(|letter: char| letter.is_ascii_digit()) || lists::is_name(first);
        let is_movable = stays || lists::starts_sentences(head);
        if is_movable && !stays {
            *first = lower;
        }
        Some(Self { words, mark, is_movable })
    }

    /// The sentence as text.
    pub(super) fn text(&self) -> String {
        render(&self.words, self.mark)
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// The word before a place; nothing before the first.
    pub(super) fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The sentence with other words in a range of places, which may be empty. An article before
    /// them is adapted.
    pub(super) fn replaced(&self, range: std::ops::Range<usize>, new: &[&str]) -> String {
        render(&self.words_replaced(range, new), self.mark)
    }

    pub(super) fn words_replaced(&self, range: std::ops::Range<usize>, new: &[&str]) -> Vec<String> {
        let mut words = self.words.clone();
        let start = range.start;
        words.splice(range, new.iter().map(|word| (*word).to_owned()));
        if let Some(before) = start.checked_sub(1)
            && let ("a" | "an", Some(next)) = (words[before].as_str(), words.get(start))
        {
            words[before] = article(next).to_owned();
        }
        words
    }

    /// Whether one of the words is in a list.
    pub(super) fn has_any(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| has(list, word))
    }

    /// The number of words in a list.
    pub(super) fn count(&self, list: &[&str]) -> usize {
        self.words.iter().filter(|word| has(list, word)).count()
    }

    /// Whether something in it is negated.
    pub(super) fn is_negative(&self) -> bool {
        self.has_any(&lists::NEGATIONS) || self.words.iter().any(|word| word.ends_with("n't"))
    }

    /// Whether it states something that can be true or false, and what starts it is known.
    pub(super) fn is_statement(&self) -> bool {
        let first = self.word(0);
        let head = first.split('\'').next().unwrap_or_default();
        self.mark == '.' && (lists::is_name(first) || lists::starts_statements(head))
    }

    /// Whether it states something plainly: not negated, not possible or wished only, no condition.
    pub(super) fn is_assertion(&self) -> bool {
        self.is_statement() && !self.is_negative() && !self.has_any(&lists::UNREAL)
    }

    /// Whether it has a single clause as far as one can see.
    pub(super) fn is_simple(&self) -> bool {
        !self.has_any(&lists::SUBORDINATORS) && !self.words.iter().any(|word| word == ",")
    }
}

/// Letters, with apostrophes and hyphens inside; digits; a clock time.
fn is_word(word: &str) -> bool {
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || "'-:".contains(letter);
    let is_clock = word.contains(':') && word.chars().all(|letter| letter.is_ascii_digit() || letter == ':');
    !word.is_empty()
        && word.chars().all(is_inside)
        && word.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && (!word.contains(':') || is_clock)
}

/// Words as a sentence.
pub(super) fn render<T: AsRef<str>>(words: &[T], mark: char) -> String {
    let mut text = String::new();
    for word in words.iter().map(AsRef::as_ref).filter(|word| !word.is_empty()) {
        if !text.is_empty() && word != "," {
            text.push(' ');
        }
        text.push_str(word);
    }
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text.push(mark);
    text
}

/// The indefinite article before a word.
pub(super) fn article(next: &str) -> &'static str {
    let next = next.to_lowercase();
    let starts = |parts: &[&str]| parts.iter().any(|part| next.starts_with(part));
    let sounds_so = starts(&["a", "e", "i", "o", "u", "hour", "honest", "heir", "8", "11", "18"]);
    let is_exception = starts(&["unio", "uniq", "unit", "univ", "unif", "use", "usu", "eu", "one", "once"]);
    if sounds_so && !is_exception { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_read_and_written() {
        for text in
            ["The old man, tired, went home.", "I'm late!", "Is Anna there?", "We left at 2:30.", "Zebras run fast."]
        {
            let read = Sentence::parse(text);
            if text == "I'm late!" {
                assert!(read.is_none(), "too short");
                continue;
            }
            assert_eq!(read.unwrap().text(), text);
        }
        for text in
            ["\"Yes,\" he said.", "He left; she stayed.", "Mr. Lee is late.", "No mark at all", "See https://a.b now."]
        {
            assert!(Sentence::parse(text).is_none(), "{text}");
        }
        let sentence = Sentence::parse("She bought an old car.").unwrap();
        assert_eq!(sentence.replaced(3..4, &["new"]), "She bought a new car.");
        assert_eq!(sentence.replaced(3..4, &[]), "She bought a car.");
        assert!(sentence.is_movable && sentence.is_assertion());
        assert!(!Sentence::parse("Zebras run fast.").unwrap().is_movable);
    }

    #[test]
    fn articles_follow_the_sound() {
        let check = |word: &str, expected: &str| assert_eq!(article(word), expected, "{word}");
        ["apple", "hour", "8", "unusual"].iter().for_each(|word| check(word, "an"));
        ["useful", "university", "pear", "European", "one"].iter().for_each(|word| check(word, "a"));
        check("uninteresting", "an");
    }
}
