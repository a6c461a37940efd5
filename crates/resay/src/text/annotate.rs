//! From a string to a [`Sentence`]: the one place where it is decided what a symbol is.

use super::{English, EnglishScratch, Intern, Sentence, Span, StemMemo, Stemmer, StemmerKind, tokenize};
use std::str::FromStr;
use std::sync::Arc;

/// What the kernels compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Stems of lower-cased tokens.
    #[default]
    Stems,
    /// Lower-cased tokens.
    Words,
    /// Lower-cased dictionary forms, which depend on a word's tag in its sentence.
    Lemmas,
    /// The text split on blanks and taken as it is.
    Tokens,
    /// Every character but blanks at the ends; runs of blanks count as one.
    Chars,
}

impl Units {
    /// Every kind, by its name on the command line.
    pub const NAMES: [(&'static str, Units); 5] = [
        ("stems", Units::Stems),
        ("words", Units::Words),
        ("lemmas", Units::Lemmas),
        ("tokens", Units::Tokens),
        ("chars", Units::Chars),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, units)| *units == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for Units {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, units)| *units).ok_or_else(|| {
            crate::Error::parameter(format!(
                "unknown units '{name}', expected one of: stems, words, lemmas, tokens, chars"
            ))
        })
    }
}

/// Turns strings into sentences.
#[derive(Clone, Debug)]
pub struct Annotator {
    units: Units,
    stemmer: Stemmer,
    english: Option<Arc<English>>,
}

impl Annotator {
    /// An annotator for these units (stems are Snowball English). Lemmas need [`Annotator::lemmas`]: without its tables
    /// they are the lower-cased tokens.
    pub fn new(units: Units) -> Self {
        Self { units, stemmer: Stemmer::new(StemmerKind::English), english: None }
    }

    /// An annotator for lemmas.
    pub fn lemmas(english: Arc<English>) -> Self {
        Self { english: Some(english), ..Self::new(Units::Lemmas) }
    }

    /// What a symbol is.
    pub fn units(&self) -> Units {
        self.units
    }

    /// Tokenises and interns. Never fails: any string is a sentence, an empty one has no tokens.
    pub fn sentence(&self, text: &str, symbols: &mut impl Intern) -> Sentence {
        self.sentence_with(text, symbols, &mut StemMemo::default())
    }

    /// The same for one sentence after another: `memo` spares the stemming of words seen before.
    pub fn sentence_with(&self, text: &str, symbols: &mut impl Intern, memo: &mut StemMemo) -> Sentence {
        let mut sentence = Sentence { text: text.into(), spans: Vec::new(), units: Vec::new() };
        let mut lower = String::new();
        let mut push = |span: Span, form: &str| {
            sentence.spans.push(span);
            sentence.units.push(match self.units {
                Units::Tokens | Units::Chars => symbols.symbol(form),
                Units::Stems | Units::Words | Units::Lemmas => {
                    lower.clear();
                    if form.is_ascii() {
                        lower.push_str(form);
                        lower.make_ascii_lowercase();
                    } else {
                        lower.extend(form.chars().flat_map(char::to_lowercase));
                    }
                    if self.units == Units::Stems {
                        symbols.symbol(memo.stem(&self.stemmer, &lower))
                    } else {
                        symbols.symbol(&lower)
                    }
                }
            });
        };
        let span = |start: usize, end: usize| Span { start: start as u32, end: end as u32 };
        match (self.units, &self.english) {
            (Units::Lemmas, Some(english)) => {
                let analysis = english.sentence(text, &mut EnglishScratch::default());
                for (idx, word) in analysis.words.iter().enumerate() {
                    push(word.span, word.lemma.as_deref().unwrap_or_else(|| analysis.form(idx)));
                }
            }
            (Units::Stems | Units::Words | Units::Lemmas, _) => {
                for piece in tokenize(text) {
                    push(piece.span, piece.form());
                }
            }
            (Units::Tokens, _) => {
                for token in text.split_whitespace() {
                    let start = token.as_ptr() as usize - text.as_ptr() as usize;
                    push(span(start, start + token.len()), token);
                }
            }
            (Units::Chars, _) => {
                let trimmed = text.trim();
                let offset = trimmed.as_ptr() as usize - text.as_ptr() as usize;
                let mut after_blank = false;
                for (start, character) in trimmed.char_indices() {
                    let blank = character.is_whitespace();
                    if blank && after_blank {
                        continue;
                    }
                    after_blank = blank;
                    let end = start + character.len_utf8();
                    let form = if blank { " " } else { &trimmed[start..end] };
                    push(span(offset + start, offset + end), form);
                }
            }
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Interner;

    /// Forms by span, joined by a bar.
    fn check(units: Units, text: &str, expected: &str) {
        let mut symbols = Interner::new();
        let sentence = Annotator::new(units).sentence(text, &mut symbols);
        let found: Vec<&str> = sentence.spans.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found.join("|"), expected, "{text:?} as {units:?}");
        assert_eq!(sentence.units.len(), sentence.spans.len());
    }

    #[test]
    fn spans_point_into_the_text() {
        check(Units::Tokens, "  Don't  stop. ", "Don't|stop.");
        check(Units::Tokens, "", "");
        check(Units::Chars, " a  bé ", "a| |b|é");
        check(Units::Words, "Hello world", "Hello|world");
    }

    #[test]
    fn runs_of_blanks_are_one_symbol() {
        let mut symbols = Interner::new();
        let annotator = Annotator::new(Units::Chars);
        let one = annotator.sentence("a b", &mut symbols);
        let many = annotator.sentence("a \t b", &mut symbols);
        assert_eq!(one.units, many.units);
    }
}
