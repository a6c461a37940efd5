//! Words as they are compared: contractions written out, abbreviations and spellings made one,
//! hyphens resolved, and capitals kept where they matter.

use super::contraction;
use super::scan::{Case, Piece, Scanned, Sort};
use super::{spelling, words};
use crate::Span;
use std::borrow::Cow;

/// A word, number, sign or stop.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub(super) text: Cow<'a, str>,
    /// The user's own letters.
    pub(super) raw: &'a str,
    pub(super) span: Span,
    pub(super) sort: Sort,
    pub(super) case: Case,
    pub(super) is_spaced: bool,
    pub(super) is_joined: bool,
    /// Whether a sentence begins here.
    pub(super) is_first: bool,
    /// Whether letters with points between them were joined.
    pub(super) is_dotted: bool,
}

impl Item<'_> {
    /// Whether it is glued to what stands before it.
    pub(super) fn is_glued(&self) -> bool {
        !self.is_spaced && !self.is_joined
    }

    /// Whether it begins with a capital letter.
    pub(super) fn is_capital(&self) -> bool {
        self.case == Case::Capital || self.case == Case::Upper
    }
}

/// Turns the pieces of `text` into items.
pub(super) fn items<'a>(text: &'a str, scanned: &'a Scanned) -> Vec<Item<'a>> {
    let mut out = Vec::with_capacity(scanned.pieces.len() + scanned.pieces.len() / 8 + 4);
    let mut maker = Maker { text, scanned, at: 0, is_first: true };
    while maker.at < scanned.pieces.len() {
        maker.next(&mut out);
    }
    out
}

struct Maker<'a> {
    text: &'a str,
    scanned: &'a Scanned,
    at: usize,
    is_first: bool,
}

impl<'a> Maker<'a> {
    fn piece(&self, at: usize) -> Option<&'a Piece> {
        self.scanned.pieces.get(at)
    }

    /// Returns the folded form of a piece; empty behind the end.
    fn form(&self, at: usize) -> &'a str {
        let range = self.piece(at).map(|piece| piece.from as usize..piece.to as usize);
        range.and_then(|range| self.scanned.folded.get(range)).unwrap_or_default()
    }

    fn is_stop(&self, at: usize, stop: &str) -> bool {
        self.piece(at).is_some_and(|piece| piece.sort == Sort::Stop && !piece.is_spaced) && self.form(at) == stop
    }

    fn item(&self, piece: &Piece, form: Cow<'a, str>) -> Item<'a> {
        Item {
            text: form,
            raw: self.text.get(piece.span.range()).unwrap_or_default(),
            span: piece.span,
            sort: piece.sort,
            case: piece.case,
            is_spaced: piece.is_spaced,
            is_joined: piece.is_joined,
            is_first: self.is_first,
            is_dotted: piece.is_dotted,
        }
    }

    fn next(&mut self, out: &mut Vec<Item<'a>>) {
        let Some(piece) = self.piece(self.at) else { return };
        let form = self.form(self.at);
        match piece.sort {
            Sort::Word => self.word(piece, form, out),
            Sort::Stop => self.stop(piece, form, out),
            Sort::Number | Sort::Sign => {
                out.push(self.item(piece, Cow::Borrowed(form)));
                self.is_first = form == "?";
                self.at += 1;
            }
        }
    }

    /// A stop is kept as a sign where dropping it could change the meaning: brackets beside an
    /// operator, a point between letters ("example.com").
    fn stop(&mut self, piece: &Piece, form: &'a str, out: &mut Vec<Item<'a>>) {
        let before = out.last();
        let after = self.piece(self.at + 1);
        let is_operator = |sort: Sort, form: &str| sort == Sort::Sign && matches!(form, "*" | "/" | "+" | "^" | "=");
        let is_sign = match form {
            "(" | ")" => {
                before.is_some_and(|item| is_operator(item.sort, &item.text))
                    || after.is_some_and(|next| is_operator(next.sort, self.form(self.at + 1)))
            }
            "." => {
                let is_word = |sort: Sort| matches!(sort, Sort::Word | Sort::Number);
                !piece.is_spaced
                    && before.is_some_and(|item| is_word(item.sort))
                    && after.is_some_and(|next| is_word(next.sort) && !next.is_spaced && !next.is_joined)
            }
            _ => false,
        };
        let sort = if is_sign { Sort::Sign } else { Sort::Stop };
        let item = Item { sort, ..self.item(piece, Cow::Borrowed(form)) };
        // Quotes and brackets leave the sentence as it is.
        if matches!(form, "." | "!" | ";" | ":") {
            self.is_first = true;
        }
        out.push(item);
        self.at += 1;
    }

    fn word(&mut self, piece: &Piece, form: &'a str, out: &mut Vec<Item<'a>>) {
        let next = self.at + 1;
        if form.contains('\'') {
            self.at = next;
            let whole = self.item(piece, Cow::Borrowed(form));
            contraction::expand(whole, &self.following(), out);
            self.is_first = false;
            return;
        }
        // A word cut by a hyphen that is also written as one.
        if let Some(second) = self.piece(next).filter(|second| second.is_joined && second.sort == Sort::Word)
            && let Some(both) = words::without_hyphen(form, self.form(next))
        {
            let span = Span { start: piece.span.start, end: second.span.end };
            let both = Cow::Owned(spelling::american(&both).into_owned());
            let raw = self.text.get(span.range()).unwrap_or_default();
            out.push(Item { span, raw, case: Case::Lower, ..self.item(piece, both) });
            self.at += 2;
            self.is_first = false;
            return;
        }
        if self.is_stop(next, ".")
            && let Some(long) = self.abbreviation(piece, form, out.last())
        {
            self.split(piece, long, out);
            self.at += 2;
            self.is_first = false;
            return;
        }
        self.at = next;
        match self.plain(piece, form, out.last()) {
            Cow::Borrowed(word) if word.contains(' ') => self.split(piece, word, out),
            word => out.push(self.item(piece, word)),
        }
        self.is_first = false;
    }

    /// Returns the next words, to tell what a contraction stands for.
    fn following(&self) -> [&'a str; 2] {
        let word = |at: usize| {
            let is_word = self.piece(at).is_some_and(|piece| piece.sort == Sort::Word);
            if is_word { self.form(at) } else { "" }
        };
        [word(self.at), word(self.at + 1)]
    }

    /// Adds each word of a long form, all at the place of the short one.
    fn split(&self, piece: &Piece, long: &'a str, out: &mut Vec<Item<'a>>) {
        for (at, word) in long.split(' ').enumerate() {
            let item = self.item(piece, Cow::Borrowed(word));
            let is_spaced = item.is_spaced || at > 0;
            out.push(Item { is_spaced, is_joined: item.is_joined && at == 0, case: Case::Lower, ..item });
        }
    }

    /// Returns what an abbreviation stands for whose point follows.
    fn abbreviation(&self, piece: &Piece, form: &str, before: Option<&Item>) -> Option<&'static str> {
        let long = words::before_point(form)?;
        let behind = self.piece(self.at + 2);
        let is_number = behind.is_some_and(|next| next.sort == Sort::Number);
        let is_name = behind.is_some_and(|next| next.sort == Sort::Word && next.case != Case::Lower);
        let is_glued = before.is_some_and(|item| item.sort == Sort::Number);
        let after_name = before.is_some_and(|item| item.sort == Sort::Word && item.is_capital() && !item.is_first);
        let is_capital = piece.case != Case::Lower;
        match form {
            "no" | "nos" | "fig" | "figs" | "ch" | "pg" | "pp" | "vol" | "vols" | "ext" | "ca" | "sec" => {
                is_number.then_some(long)
            }
            "dr" | "st" => {
                if !is_capital {
                    None
                } else if after_name {
                    Some(if form == "dr" { "drive" } else { "street" })
                } else {
                    is_name.then_some(long)
                }
            }
            "min" | "max" if is_glued => None,
            "al" | "est" | "rep" | "rev" | "hon" | "pres" | "gov" | "sen" | "maj" | "col" | "adm" | "mt" | "lt" => {
                (is_capital && is_name).then_some(long)
            }
            "co" | "ed" => is_capital.then_some(long),
            _ => Some(long),
        }
    }

    /// Returns the canonical form of a word without apostrophe, hyphen or point.
    fn plain(&self, piece: &Piece, form: &'a str, before: Option<&Item>) -> Cow<'a, str> {
        let is_certain = !self.scanned.is_all_capitals;
        if piece.case == Case::Upper && is_certain && words::is_other_in_capitals(form) {
            return Cow::Owned(form.to_ascii_uppercase());
        }
        if piece.is_dotted {
            return Cow::Borrowed(match form {
                "eg" => "for example",
                "ie" => "that is",
                "usa" => "US",
                "us" if piece.case == Case::Upper => "US",
                "ok" => "ok",
                _ => form,
            });
        }
        if let Some(long) = words::long_form(form) {
            return Cow::Borrowed(long);
        }
        if piece.case == Case::Capital {
            let is_name = self.piece(self.at).is_some_and(|next| next.sort == Sort::Word && next.case != Case::Lower);
            match form {
                "dr" if is_name => return Cow::Borrowed("doctor"),
                "st" if is_name && !before.is_some_and(|item| item.is_capital() && !item.is_first) => {
                    return Cow::Borrowed("saint");
                }
                "doctor" | "saint" => return Cow::Borrowed(form),
                "march" | "may" => {
                    // "May I" asks. Other capitals may be the month.
                    let next = self.form(self.at);
                    let is_verb = matches!(next, "i" | "we" | "he" | "she" | "they" | "you" | "it" | "the" | "not");
                    if !(is_verb && form == "may" && self.is_first) {
                        return Cow::Borrowed(if form == "may" { "May" } else { "March" });
                    }
                }
                _ if !self.is_first && words::is_name_if_capital(form) => {
                    let mut name = form.to_owned();
                    if let Some(first) = name.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                    return Cow::Owned(name);
                }
                _ => {}
            }
        }
        spelling::american(form)
    }
}
