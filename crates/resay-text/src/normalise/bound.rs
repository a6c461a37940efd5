//! Bounds: "at least 5", "5 or more", "over 5", "about 5".

use super::Normal;
use super::items::Item;
use super::number::{sign, word};
use super::quantity::Bound;

/// A bound from the words before a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Before {
    pub(super) bound: Bound,
    /// How many words say so and nothing else: they become part of the quantity.
    pub(super) n_words: usize,
}

const fn certain(bound: Bound, n_words: usize) -> Option<Before> {
    Some(Before { bound, n_words })
}

/// Words that may also mean something else stay tokens: one can walk over five bridges.
const fn likely(bound: Bound) -> Option<Before> {
    Some(Before { bound, n_words: 0 })
}

/// Reads the bound at the end of the tokens so far. `has_stop` is whether a stop lies between.
pub(super) fn before(out: &Normal) -> Option<Before> {
    let last = |back: usize| out.last_word(back);
    let is_no = |back: usize| matches!(last(back), "no" | "not");
    match last(0) {
        "least" if last(1) == "at" => certain(Bound::AtLeast, 2),
        "most" if last(1) == "at" => certain(Bound::AtMost, 2),
        "than" => match last(1) {
            "fewer" | "less" if is_no(2) => certain(Bound::AtLeast, 3),
            "more" | "greater" if is_no(2) => certain(Bound::AtMost, 3),
            "more" => certain(Bound::MoreThan, 2),
            "fewer" | "less" => certain(Bound::LessThan, 2),
            "greater" | "larger" | "higher" => likely(Bound::MoreThan),
            "lower" | "smaller" => likely(Bound::LessThan),
            _ => None,
        },
        "of" => match (last(1), last(2)) {
            ("minimum", _) => likely(Bound::AtLeast),
            ("maximum", _) => likely(Bound::AtMost),
            ("excess", "in") => likely(Bound::MoreThan),
            ("upward" | "upwards", _) => likely(Bound::MoreThan),
            _ => None,
        },
        "over" | "above" | "exceeding" | "exceeds" | "exceed" if is_no(1) => likely(Bound::AtMost),
        "over" | "above" | "exceeding" | "exceeds" | "exceeded" | ">" => likely(Bound::MoreThan),
        "under" | "below" | "<" => likely(Bound::LessThan),
        "minimum" => likely(Bound::AtLeast),
        "maximum" => likely(Bound::AtMost),
        "≥" => certain(Bound::AtLeast, 1),
        "≤" => certain(Bound::AtMost, 1),
        "to" if last(1) == "up" => likely(Bound::AtMost),
        "to" if last(1) == "close" => likely(Bound::About),
        "approximately" | "roughly" | "~" | "≈" => certain(Bound::About, 1),
        "about" | "around" if out.places.len() == 1 => certain(Bound::About, 1),
        "about" | "around" | "some" | "nearly" | "almost" | "circa" => likely(Bound::About),
        _ => None,
    }
}

/// Reads a bound behind a quantity; returns it with the item behind it.
pub(super) fn after(items: &[Item], at: usize) -> Option<(Bound, usize)> {
    if sign(items, at) == "+" && items.get(at).is_some_and(Item::is_glued) {
        // "5+3" adds.
        let is_end = items.get(at + 1).is_none_or(|next| next.is_spaced || next.sort == super::scan::Sort::Stop);
        return is_end.then_some((Bound::AtLeast, at + 1));
    }
    let second = word(items, at + 1);
    // What follows must not be compared: "5 or more likely 6".
    let is_free = |at: usize| !matches!(word(items, at), "likely" | "than" | "importantly" | "precisely" | "so");
    match (word(items, at), second) {
        ("or", "more") if is_free(at + 2) => Some((Bound::AtLeast, at + 2)),
        ("or", "less" | "fewer") if is_free(at + 2) && word(items, at.wrapping_sub(1)) != "more" => {
            Some((Bound::AtMost, at + 2))
        }
        ("or", "so") if is_free(at + 2) => Some((Bound::About, at + 2)),
        _ => None,
    }
}
