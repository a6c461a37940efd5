//! A pair of sentences with links between their words, independent of file format.
//!
//! Every reader builds its pairs with [`AlignedPair::new`], which rejects links outside the
//! sentences. Links can therefore be used to index words without a check. Links are sorted and
//! unique. A sure link is never listed as possible too: corpora that list a link twice mean nothing
//! more by it.

use super::lines::shorten;
use std::fmt;

/// A link between a source word and a target word, both 0-based.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// Index of the source word.
    pub source: u32,
    /// Index of the target word.
    pub target: u32,
}

impl From<(u32, u32)> for Link {
    fn from((source, target): (u32, u32)) -> Self {
        Self { source, target }
    }
}

/// The evaluation measures work on plain numbers.
impl From<Link> for (u32, u32) {
    fn from(link: Link) -> Self {
        (link.source, link.target)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.source, self.target)
    }
}

/// Two tokenised sentences and the links between their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlignedPair {
    /// The pair's id in the file, or its 1-based row number.
    pub id: String,
    /// The source words; empty if the file holds links only.
    pub source: Vec<String>,
    /// The target words; empty if the file holds links only.
    pub target: Vec<String>,
    /// Sure links, sorted and unique.
    pub sure: Vec<Link>,
    /// Links that are possible but not sure, sorted and unique.
    pub possible: Vec<Link>,
}

impl AlignedPair {
    /// Sorts the links and checks that both ends of each one point at a word. The error names the
    /// first link that does not.
    pub fn new(
        id: String,
        source: Vec<String>,
        target: Vec<String>,
        sure: Vec<Link>,
        possible: Vec<Link>,
    ) -> Result<Self, String> {
        let (n_source, n_target) = (source.len(), target.len());
        let is_outside = |link: &&Link| link.source as usize >= n_source || link.target as usize >= n_target;
        if let Some(link) = sure.iter().chain(&possible).find(is_outside) {
            return Err(format!(
                "link {link} points at no word: the source has {n_source} words and the target {n_target}; expected \
                 source-target, counted from 0"
            ));
        }
        Ok(Self { source, target, ..Self::links_only(id, sure, possible) })
    }

    /// A pair with links but no words. The links are sorted; their range cannot be checked.
    pub(super) fn links_only(id: String, mut sure: Vec<Link>, mut possible: Vec<Link>) -> Self {
        sure.sort_unstable();
        sure.dedup();
        possible.sort_unstable();
        possible.dedup();
        possible.retain(|link| sure.binary_search(link).is_err());
        Self { id, source: Vec::new(), target: Vec::new(), sure, possible }
    }

    /// Returns whether the words are known.
    pub fn has_words(&self) -> bool {
        !self.source.is_empty() || !self.target.is_empty()
    }

    /// Returns whether the two words of a link have exactly the same spelling, including case. Only
    /// this definition reproduces the shares of identical links that Yao et al. (2013) report for
    /// MSR06 and Edinburgh++. Returns false where the words are not known.
    pub fn is_identical(&self, link: Link) -> bool {
        self.words(link).is_some_and(|(source, target)| source == target)
    }

    /// Like [`AlignedPair::is_identical`], but ignores case.
    pub fn is_identical_ignoring_case(&self, link: Link) -> bool {
        self.words(link)
            .is_some_and(|(source, target)| source == target || source.to_lowercase() == target.to_lowercase())
    }

    fn words(&self, link: Link) -> Option<(&str, &str)> {
        Some((self.source.get(link.source as usize)?, self.target.get(link.target as usize)?))
    }

    /// Formats the sure links as a line in the Pharaoh format, without line break: `0-0 1-2`.
    pub fn to_pharaoh(&self) -> String {
        join_links(&self.sure)
    }

    /// Formats the pair as a JSON object on one line, without line break. Words are joined by
    /// blanks. A pair read from such an object round-trips unchanged.
    pub fn to_json(&self) -> String {
        let quoted = |text: String| serde_json::Value::from(text).to_string();
        format!(
            "{{\"id\":{},\"source\":{},\"target\":{},\"sureAlign\":{},\"possibleAlign\":{}}}",
            quoted(self.id.clone()),
            quoted(self.source.join(" ")),
            quoted(self.target.join(" ")),
            quoted(join_links(&self.sure)),
            quoted(join_links(&self.possible)),
        )
    }
}

fn join_links(links: &[Link]) -> String {
    links.iter().map(Link::to_string).collect::<Vec<_>>().join(" ")
}

/// Splits a tokenised sentence into words.
pub(super) fn split_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Parses links such as `0-0 1-2`. The error says what is wrong.
pub(super) fn parse_links(text: &str) -> Result<Vec<Link>, String> {
    text.split_whitespace().map(parse_link).collect()
}

fn parse_link(text: &str) -> Result<Link, String> {
    let ends = text.split_once('-').and_then(|(source, target)| Some((parse_number(source)?, parse_number(target)?)));
    ends.map(Link::from).ok_or_else(|| {
        format!("\"{}\" is no link; expected two numbers, source-target, counted from 0: 0-0 1-2", shorten(text))
    })
}

/// Parses a number that consists of digits only.
pub(super) fn parse_number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(source: &str, target: &str, sure: &str, possible: &str) -> Result<AlignedPair, String> {
        AlignedPair::new(
            "x".to_owned(),
            split_words(source),
            split_words(target),
            parse_links(sure)?,
            parse_links(possible)?,
        )
    }

    #[test]
    fn links_are_sorted_and_stand_once() {
        let check = |sure: &str, possible: &str, expected: (&str, &str)| {
            let pair = pair("a b c", "A b", sure, possible).expect(sure);
            assert_eq!((join_links(&pair.sure).as_str(), join_links(&pair.possible).as_str()), expected);
        };
        check("", "", ("", ""));
        check("2-0 0-1 0-0 2-0", "", ("0-0 0-1 2-0", ""));
        check("1-1", "2-1 1-1 0-0 2-1", ("1-1", "0-0 2-1"));
    }

    #[test]
    fn links_without_words_are_refused() {
        let check = |sure: &str, possible: &str, expected: &str| {
            assert_eq!(pair("a b c", "A b", sure, possible).expect_err(expected), expected);
        };
        let hint = "points at no word: the source has 3 words and the target 2; expected source-target, counted from 0";
        check("0-0 3-1", "", &format!("link 3-1 {hint}"));
        check("0-2", "", &format!("link 0-2 {hint}"));
        check("0-0", "4294967295-0", &format!("link 4294967295-0 {hint}"));
        let is_no_link = |text: &str| {
            check(
                text,
                "",
                &format!("\"{text}\" is no link; expected two numbers, source-target, counted from 0: 0-0 1-2"),
            );
        };
        for text in ["0", "-", "0-", "-1", "0-1-2", "+0-1", "0--1", "0-4294967296", "a-b", "0:1", "٣-0"] {
            is_no_link(text);
        }
    }

    #[test]
    fn identical_words() {
        let check = |link: (u32, u32), expected: (bool, bool)| {
            let pair = pair("Straße ÉTÉ b", "straße été b", "", "").expect("a pair");
            let link = Link::from(link);
            assert_eq!((pair.is_identical(link), pair.is_identical_ignoring_case(link)), expected, "{link}");
        };
        check((0, 0), (false, true));
        check((1, 1), (false, true));
        check((2, 2), (true, true));
        check((0, 1), (false, false));
        check((3, 3), (false, false));
    }

    #[test]
    fn lines_that_are_written() {
        let pair = pair("Il \"pleut\" .", "it\\rains .", "2-1 0-0", "1-0").expect("a pair");
        assert_eq!(pair.to_pharaoh(), "0-0 2-1");
        assert_eq!(
            pair.to_json(),
            r#"{"id":"x","source":"Il \"pleut\" .","target":"it\\rains .","sureAlign":"0-0 2-1","possibleAlign":"1-0"}"#
        );
        let empty = AlignedPair::default();
        assert_eq!(empty.to_pharaoh(), "");
        assert_eq!(empty.to_json(), r#"{"id":"","source":"","target":"","sureAlign":"","possibleAlign":""}"#);
        assert!(!empty.has_words() && pair.has_words());
    }
}
