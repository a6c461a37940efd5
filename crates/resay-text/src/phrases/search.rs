//! Finds phrases in a text: every occurrence, at every word.

use super::Phrases;

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Part {
    Word(Box<str>),
    /// `one's`: my, your, Anna's.
    Possessive,
    /// `oneself`.
    Reflexive,
    /// `...`: one to [`WIDEST`] words.
    Gap,
}

/// The most words in a gap.
const WIDEST: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) parts: Box<[Part]>,
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub struct PhraseWord<'a> {
    /// In lower case.
    pub lower: &'a str,
    /// The dictionary form in lower case.
    pub lemma: &'a str,
}

/// A phrase found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhraseMatch {
    /// The number of the phrase.
    pub phrase: u32,
    /// The words that it consists of, ascending; not those of a gap.
    pub words: Vec<u32>,
}

fn is_article(word: PhraseWord<'_>) -> bool {
    matches!(word.lower, "a" | "an" | "the")
}

fn is_possessive(word: PhraseWord<'_>) -> bool {
    matches!(word.lower, "my" | "your" | "his" | "her" | "its" | "our" | "their" | "one's" | "'s" | "’s" | "'" | "’")
}

fn is_reflexive(word: PhraseWord<'_>) -> bool {
    matches!(
        word.lower,
        "myself"
            | "yourself"
            | "himself"
            | "herself"
            | "itself"
            | "ourselves"
            | "yourselves"
            | "themselves"
            | "oneself"
    )
}

fn is_break(word: PhraseWord<'_>) -> bool {
    matches!(word.lower, "." | "!" | "?" | ";" | ":")
}

impl Phrases {
    /// Finds all phrases in a text, by first word; of those at one word, longer ones first.
    pub fn find(&self, words: &[PhraseWord<'_>]) -> Vec<PhraseMatch> {
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let keys = [word.lemma, word.lower];
            for (nth, key) in keys.iter().enumerate() {
                if nth == 1 && word.lower == word.lemma {
                    continue;
                }
                for &phrase in self.starts.get(*key).map_or(&[][..], |starts| starts) {
                    let mut taken = vec![at as u32];
                    let parts = &self.phrases[phrase as usize].parts;
                    if self.continues(&parts[1..], words, at + 1, &mut taken) {
                        found.push(PhraseMatch { phrase, words: taken });
                    }
                }
            }
        }
        found
    }

    /// Whether the parts match from here on; collects their words.
    fn continues(&self, parts: &[Part], words: &[PhraseWord<'_>], at: usize, taken: &mut Vec<u32>) -> bool {
        let Some((part, rest)) = parts.split_first() else { return true };
        let mark = taken.len();
        match part {
            Part::Gap => {
                for width in 1..=WIDEST {
                    if words.get(at + width - 1).is_none_or(|word| is_break(*word)) {
                        return false;
                    }
                    if self.continues(rest, words, at + width, taken) {
                        return true;
                    }
                    taken.truncate(mark);
                }
                false
            }
            // "my", or "the firm 's": up to three words before the sign.
            Part::Possessive => {
                for width in 1..=3 {
                    let Some(&word) = words.get(at + width - 1) else { return false };
                    if is_possessive(word) {
                        return self.continues(rest, words, at + width, taken);
                    }
                }
                false
            }
            Part::Word(_) | Part::Reflexive => {
                let Some(&word) = words.get(at) else { return false };
                let fits = match part {
                    Part::Word(wanted) => **wanted == *word.lemma || **wanted == *word.lower,
                    _ => is_reflexive(word),
                };
                if fits {
                    taken.push(at as u32);
                    return self.continues(rest, words, at + 1, taken);
                }
                is_article(word) && at > 0 && self.continues(parts, words, at + 1, taken)
            }
        }
    }
}
