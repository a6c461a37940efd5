//! First names, and texts in which every first name stands for any other.
//!
//! Which name a person has says nothing about what a text says of them, but taggers, parsers and word
//! vectors do not know that. [`FirstNames::mask`] writes a text with canonical names: the first
//! woman of the text is always called the same, whatever her name is. What is found in the masked
//! text holds of the original: [`Masked::restore`] puts the words back in their places.
//!
//! Masking is careful. A name that is also a word ("Will", "May") is left alone where its position
//! does not tell which it is.

mod canonical;
mod scan;

pub use canonical::{CanonicalNames, NameForm};

use crate::{Analysis, Span, Word};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The bundled list.
const LIST: &str = include_str!("names.txt");

/// Who bears a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gender {
    /// Women.
    Female,
    /// Men.
    Male,
    /// Women and men.
    Both,
}

/// What is known of a first name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstName {
    /// Who bears it.
    pub gender: Gender,
    /// Whether it is also a word, a place or a title.
    pub is_word: bool,
}

/// A list of first names.
#[derive(Clone, Debug, Default)]
pub struct FirstNames {
    /// By the name in lower case.
    known: FxHashMap<Box<str>, FirstName>,
}

/// A name that a text masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedName {
    /// The name in lower case.
    pub lower: Box<str>,
    /// Who bears it.
    pub gender: Gender,
    /// What stands for it.
    pub form: NameForm,
}

/// A place where a masked name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// An index into [`Masked::names`].
    pub name: usize,
    /// Its place in the original text.
    pub original: Span,
    /// Its place in the masked text.
    pub masked: Span,
    /// Whether it is in capitals only.
    pub is_shouted: bool,
}

/// A text with canonical names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masked {
    /// The masked text.
    pub text: String,
    /// The names, by order of first appearance.
    pub names: Vec<MaskedName>,
    /// Where they stand, in text order.
    pub uses: Vec<NameUse>,
    /// Names on the list that stand in the text as they are, in lower case.
    pub kept: Vec<Box<str>>,
}

impl FirstNames {
    /// The bundled list.
    pub fn bundled() -> Self {
        Self::read(LIST)
    }

    /// Reads a list: names under headings such as `[female]` and `[male word]`.
    fn read(list: &str) -> Self {
        let mut known = FxHashMap::default();
        let mut kind = FirstName { gender: Gender::Both, is_word: false };
        for line in list.lines().filter(|line| !line.starts_with('#')) {
            if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                let gender = match heading.split(' ').next() {
                    Some("female") => Gender::Female,
                    Some("male") => Gender::Male,
                    _ => Gender::Both,
                };
                kind = FirstName { gender, is_word: heading.ends_with(" word") };
            } else {
                known.extend(line.split_whitespace().map(|name| (name.to_lowercase().into(), kind)));
            }
        }
        Self { known }
    }

    /// What is known of a name in lower case.
    pub fn get(&self, lower: &str) -> Option<FirstName> {
        self.known.get(lower).copied()
    }

    /// Masks the first names of a text. Returns `None` if none of the list stands in it.
    pub fn mask(&self, text: &str) -> Option<Masked> {
        let found = scan::scan(self, text);
        if found.names.is_empty() && found.kept.is_empty() {
            return None;
        }
        let mut forms = CanonicalNames::without(&found.kept);
        let form = |(lower, gender): (Box<str>, Gender)| MaskedName { form: forms.next(gender, &lower), gender, lower };
        let names: Vec<MaskedName> = found.names.into_iter().map(form).collect();
        let originals = found.uses.iter().map(|one| (one.name, one.span, one.is_shouted));
        let mut masked = String::with_capacity(text.len() + 8);
        let mut uses = Vec::with_capacity(found.uses.len());
        let mut done = 0;
        for (name, original, is_shouted) in originals {
            masked.push_str(&text[done..original.start as usize]);
            let start = masked.len() as u32;
            names[name].form.write(is_shouted, &text[original.range()], &mut masked);
            uses.push(NameUse { name, original, masked: Span { start, end: masked.len() as u32 }, is_shouted });
            done = original.end as usize;
        }
        masked.push_str(&text[done..]);
        Some(Masked { text: masked, names, uses, kept: found.kept })
    }
}

impl Masked {
    /// Puts the annotation of the masked text on the original one. Names have the lemmas that they
    /// have in the original text; all else is as it is.
    pub fn restore(&self, text: &str, masked: &Analysis) -> Analysis {
        let places: Vec<Place> = self.uses.iter().map(|one| Place { from: one.masked, to: one.original }).collect();
        let new = |at: usize| text[self.uses[at].original.range()].to_owned();
        Analysis { text: text.into(), words: renamed(&masked.words, &masked.text, &places, new) }
    }

    /// The masked text and its annotation with other forms, one per name.
    pub fn rename(&self, text: &str, masked: &Analysis, forms: &[NameForm]) -> Analysis {
        let mut renamed_text = String::with_capacity(masked.text.len() + 8);
        let mut places = Vec::with_capacity(self.uses.len());
        let mut done = 0;
        for one in &self.uses {
            renamed_text.push_str(&masked.text[done..one.masked.start as usize]);
            let start = renamed_text.len() as u32;
            let form = forms.get(one.name).copied().unwrap_or(NameForm::AsWritten);
            form.write(one.is_shouted, &text[one.original.range()], &mut renamed_text);
            places.push(Place { from: one.masked, to: Span { start, end: renamed_text.len() as u32 } });
            done = one.masked.end as usize;
        }
        renamed_text.push_str(&masked.text[done..]);
        let words = renamed(&masked.words, &masked.text, &places, |at| renamed_text[places[at].to.range()].to_owned());
        Analysis { text: renamed_text.into(), words }
    }
}

/// A name in one text and in the other.
#[derive(Clone, Copy)]
struct Place {
    from: Span,
    to: Span,
}

/// Words with their places in another text, and with the lemmas of its names.
fn renamed(words: &[Word], text: &str, places: &[Place], new: impl Fn(usize) -> String) -> Vec<Word> {
    let mut next = 0;
    let mut shift = 0_i64;
    let moved = |at: u32, shift: i64| (i64::from(at) + shift) as u32;
    let mut out = Vec::with_capacity(words.len());
    for word in words {
        let mut word = word.clone();
        while let Some(place) = places.get(next).filter(|place| place.from.end <= word.span.start) {
            shift = i64::from(place.to.end) - i64::from(place.from.end);
            next += 1;
        }
        let start = match places.get(next) {
            // Part of a name: all of it.
            Some(place) if place.from.start < word.span.start => place.to.start,
            _ => moved(word.span.start, shift),
        };
        let inside = names_in(word.span, places, next);
        for at in inside.clone() {
            let old = &text[places[at].from.range()];
            word.lemma = word.lemma.map(|lemma| replaced(&lemma, old, &new(at)));
        }
        let end = match inside.last().map(|at| places[at]) {
            Some(last) if word.span.end < last.from.end => last.to.end,
            Some(last) => moved(word.span.end, i64::from(last.to.end) - i64::from(last.from.end)),
            None => moved(word.span.end, shift),
        };
        word.span = Span { start, end };
        out.push(word);
    }
    out
}

/// The names that overlap a span, by index.
fn names_in(span: Span, places: &[Place], from: usize) -> Range<usize> {
    let n = places[from..].iter().take_while(|place| place.from.start < span.end).count();
    from..from + n
}

/// A lemma with another name in it, in the case that it has.
fn replaced(lemma: &str, old: &str, new: &str) -> Box<str> {
    if lemma.contains(old) {
        return lemma.replacen(old, new, 1).into();
    }
    let lower = old.to_lowercase();
    if lemma.contains(&lower) {
        return lemma.replacen(&lower, &new.to_lowercase(), 1).into();
    }
    lemma.replacen(&capitalised(old), &capitalised(new), 1).into()
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars.flat_map(char::to_lowercase)).collect()
}

#[cfg(test)]
mod tests;
