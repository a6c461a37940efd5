//! One form for texts that say the same: canonical tokens, and the quantities among them.
//!
//! [`normalise`] reads raw text and folds what carries no meaning: capitals, blanks, quotes, dashes,
//! punctuation, contractions, British spelling, hyphens, abbreviations, and the many ways to write
//! numbers, money, dates, times and measures. Where a form has two readings, it stays as it is: if
//! [`Normal::is_same`] holds, both texts say the same.
//!
//! The steps: `fold` says what a character is, `scan` cuts the text into pieces, `items`
//! writes words out, and `parse` reads quantities and writes the tokens. Each takes one pass, so
//! the time is linear.

#[cfg(test)]
mod amounts;
mod bound;
mod calendar;
mod clock;
mod compare;
mod contraction;
mod fold;
mod items;
#[cfg(test)]
mod laws;
mod number;
#[cfg(test)]
mod pairs;
mod parse;
mod quantity;
mod read;
mod scan;
mod spelling;
mod table;
mod typo;
mod unit;
mod words;

pub use compare::{QuantityRelation, compare};
pub use quantity::{Bound, Currency, Date, Dimension, Kind, Quantity};
pub use typo::edit_distance_one;

use crate::Span;

/// A canonical token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalToken<'a> {
    /// Its place in the original text. The words of one contraction may share a place.
    pub span: Span,
    /// What it says.
    pub form: Form<'a>,
}

/// What a canonical token says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form<'a> {
    /// A word or sign. Capitals are kept where they matter: "US" is not "us".
    Word(&'a str),
    /// A quantity, whatever words it was written in.
    Quantity(&'a Quantity),
}

/// A text in canonical form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Normal {
    words: String,
    places: Vec<Place>,
    quantities: Vec<Quantity>,
}

/// A token: a word ends in `Normal::words` at `end`, a quantity has a number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    span: Span,
    start: u32,
    end: u32,
    is_quantity: bool,
}

/// Returns the canonical form of a text. Of a text longer than `u32::MAX` bytes, only the part below
/// that limit is read.
pub fn normalise(text: &str) -> Normal {
    let scanned = scan::scan(text);
    let items = items::items(text, &scanned);
    parse::parse(&items, text.len())
}

impl Normal {
    /// Returns the tokens in text order.
    pub fn tokens(&self) -> impl ExactSizeIterator<Item = NormalToken<'_>> {
        self.places.iter().map(|place| NormalToken { span: place.span, form: self.form(*place) })
    }

    fn form(&self, place: Place) -> Form<'_> {
        let quantity = if place.is_quantity { self.quantities.get(place.start as usize) } else { None };
        match quantity {
            Some(quantity) => Form::Quantity(quantity),
            None => Form::Word(self.words.get(place.start as usize..place.end as usize).unwrap_or_default()),
        }
    }

    /// Returns all number-like expressions in text order.
    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
    }

    /// Whether both texts say the same with certainty: their tokens are equal, one by one.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_one = |(a, b): (&Place, &Place)| match (self.form(*a), other.form(*b)) {
            (Form::Word(a), Form::Word(b)) => a == b,
            (Form::Quantity(a), Form::Quantity(b)) => a.is_same(b),
            _ => false,
        };
        self.places.len() == other.places.len() && self.places.iter().zip(&other.places).all(is_one)
    }

    /// Adds a word.
    fn push_word(&mut self, word: &str, span: Span) {
        let start = self.words.len() as u32;
        self.words.push_str(word);
        self.places.push(Place { span, start, end: self.words.len() as u32, is_quantity: false });
    }

    /// Adds a quantity at its place.
    fn push_quantity(&mut self, quantity: Quantity) {
        let start = self.quantities.len() as u32;
        self.places.push(Place { span: quantity.span, start, end: start, is_quantity: true });
        self.quantities.push(quantity);
    }

    /// Returns the n-th last token if it is a word; else an empty string.
    fn last_word(&self, back: usize) -> &str {
        let place = self.places.len().checked_sub(back + 1).and_then(|at| self.places.get(at));
        match place.map(|place| self.form(*place)) {
            Some(Form::Word(word)) => word,
            _ => "",
        }
    }

    /// Removes the last `n` tokens, which are words, and returns where the first of them began.
    fn pop_words(&mut self, n: usize) -> Option<u32> {
        let first = *self.places.get(self.places.len().checked_sub(n)?)?;
        self.words.truncate(first.start as usize);
        self.places.truncate(self.places.len() - n);
        Some(first.span.start)
    }
}
