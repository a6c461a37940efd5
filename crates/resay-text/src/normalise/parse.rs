//! Writes the tokens: quantities where one begins, and words for the rest.

use super::bound;
use super::items::Item;
use super::number::{sign, word};
use super::quantity::{Bound, Kind, Quantity};
use super::read::{Found, Reader};
use super::scan::Sort;
use super::{Normal, words};
use crate::Span;

/// Turns items into tokens. `len` is the length of the text.
pub(super) fn parse(items: &[Item], len: usize) -> Normal {
    let mut out = Normal::default();
    out.words.reserve(len + 8);
    out.places.reserve(items.len());
    let reader = Reader { items };
    let mut at = 0;
    let mut has_stop = false;
    while let Some(item) = items.get(at) {
        if item.sort == Sort::Stop {
            has_stop = true;
            at += 1;
            continue;
        }
        if reader.may_begin(at)
            && let Some(found) = reader.quantity(at).filter(|found| found.end > at)
        {
            at = put(items, at, found, has_stop, &mut out);
            has_stop = false;
            continue;
        }
        at = put_word(items, at, &mut out);
        has_stop = false;
    }
    out
}

/// Returns the span of the items from `start` to `end`.
fn span(items: &[Item], start: usize, end: usize) -> Span {
    let first = items.get(start).map_or(0, |item| item.span.start);
    let last = items.get(end.saturating_sub(1)).map_or(first, |item| item.span.end);
    Span { start: first, end: last.max(first) }
}

/// Writes a quantity with its bound; returns the item behind it.
fn put(items: &[Item], at: usize, found: Found, has_stop: bool, out: &mut Normal) -> usize {
    let Found { kind, value, mut end, has_of, range } = found;
    let mut quantity = Quantity { span: span(items, at, end), kind, value, bound: Bound::Exact };
    let is_numeric = !matches!(quantity.kind, Kind::Code(_) | Kind::Ordinal | Kind::Date(_));
    if let Some(upper) = range {
        quantity.bound = Bound::Between(upper);
    } else if is_numeric {
        let before = if has_stop { None } else { bound::before(out) };
        if let Some(before) = before {
            quantity.bound = before.bound;
            if before.n_words > 0
                && let Some(start) = out.pop_words(before.n_words)
            {
                quantity.span.start = start;
            }
        } else if let Some((bound, behind)) = bound::after(items, end) {
            quantity.bound = bound;
            quantity.span.end = span(items, at, behind).end;
            end = behind;
        }
    }
    let place = quantity.span;
    out.push_quantity(quantity);
    if has_of {
        out.push_word("of", place);
    }
    end
}

/// Writes the word or sign at `at`, or the acronym for the phrase there; returns the item behind it.
fn put_word(items: &[Item], at: usize, out: &mut Normal) -> usize {
    let Some(item) = items.get(at) else { return at + 1 };
    if item.sort == Sort::Word {
        let next = |n: usize| Some(word(items, at + 1 + n)).filter(|word| !word.is_empty());
        if let Some((short, n_words)) = words::acronym(&item.text, next) {
            return put_acronym(items, at, short, at + 1 + n_words, out);
        }
        if matches!(&*item.text, "US" | "uk" | "eu" | "un" | "uae") {
            return put_acronym(items, at, &item.text, at + 1, out);
        }
    }
    if sign(items, at) == "?" && out.last_word(0) == "?" {
        return at + 1;
    }
    out.push_word(&item.text, item.span);
    at + 1
}

/// Writes an acronym. Where it stands for a country or union alone, its article goes: "in the US".
fn put_acronym(items: &[Item], at: usize, short: &str, end: usize, out: &mut Normal) -> usize {
    let place = span(items, at, end);
    let next = word(items, end);
    let is_alone = next.is_empty() || words::is_function(next) || next == "'s";
    let has_article = matches!(short, "US" | "uk" | "eu" | "un" | "uae") && out.last_word(0) == "the";
    if has_article && is_alone {
        out.pop_words(1);
    }
    out.push_word(short, place);
    end
}
