//! Contractions, written out where only one reading is possible. Where two are, the ending stays a
//! token of its own ("'d", "'s"), so that no meaning is chosen.

use super::items::Item;
use super::scan::Case;
use super::{spelling, words};
use crate::Span;
use std::borrow::Cow;

/// Verbs without an ending that often follow "would", and no participles.
#[rustfmt::skip]
const BASE: &[&str] = &[
    "agree", "ask", "be", "bring", "buy", "call", "do", "eat", "enjoy", "expect", "feel", "find", "get", "give", "go",
    "happily", "hate", "have", "help", "know", "leave", "like", "live", "look", "love", "make", "need", "pay",
    "prefer", "rather", "say", "see", "speak", "stay", "suggest", "take", "talk", "tell", "think", "travel", "try",
    "use", "visit", "wait", "walk", "want", "watch", "wish", "work", "write",
];

/// Participles that are no base forms: what follows "had".
#[rustfmt::skip]
const PARTICIPLES: &[&str] = &[
    "asked", "been", "begun", "better", "broken", "brought", "called", "chosen", "decided", "done", "drunk", "eaten",
    "fallen", "finished", "forgotten", "given", "gone", "grown", "had", "heard", "known", "left", "lived", "lost", "met",
    "never", "planned", "promised", "seen", "spoken", "started", "stolen", "stopped", "taken", "thought", "told", "tried",
    "walked", "wanted", "worked", "written",
];

/// Adverbs between a contraction and its verb.
const ADVERBS: &[&str] =
    &["also", "already", "always", "certainly", "definitely", "just", "not", "often", "really", "still"];

/// Adds the words of a word with an apostrophe. `following` are the next two words, or empty.
pub(super) fn expand<'a>(whole: Item<'a>, following: &[&'a str; 2], out: &mut Vec<Item<'a>>) {
    let form: &'a str = match whole.text {
        Cow::Borrowed(form) => form,
        Cow::Owned(_) => return out.push(whole),
    };
    let verb = if ADVERBS.contains(&following[0]) { following[1] } else { following[0] };
    if form == "'s" {
        return out.push(whole);
    }
    if form == "let's" {
        return put(&whole, ["let", "us"], out);
    }
    if let Some(long) = words::long_form(form) {
        for word in long.split(' ') {
            out.push(part(&whole, whole.span, Cow::Borrowed(word)));
        }
        return;
    }
    if let Some(stem) = form.strip_suffix("'ve") {
        if let Some(stem) = stem.strip_suffix("'d") {
            put(&whole, [stem, "would"], out);
            return out.push(part(&whole, whole.span, Cow::Borrowed("have")));
        }
        if let Some(stem) = negated(stem) {
            put(&whole, [stem, "not"], out);
            return out.push(part(&whole, whole.span, Cow::Borrowed("have")));
        }
        return put(&whole, [stem, "have"], out);
    }
    if let Some(stem) = negated(form) {
        return put(&whole, [stem, "not"], out);
    }
    let Some((stem, ending)) = form.rsplit_once('\'') else { return out.push(whole) };
    match ending {
        "m" if stem == "i" => put(&whole, [stem, "am"], out),
        "re" => put(&whole, [stem, "are"], out),
        "ll" => put(&whole, [stem, "will"], out),
        "d" => {
            let is_first = BASE.contains(&verb);
            let is_had = PARTICIPLES.contains(&verb);
            put(
                &whole,
                [
                    stem,
                    if is_first {
                        "would"
                    } else if is_had {
                        "had"
                    } else {
                        "'d"
                    },
                ],
                out,
            );
        }
        "s" => put(&whole, [stem, s_of(stem, verb)], out),
        _ => out.push(Item { text: Cow::Borrowed(form), ..whole }),
    }
}

/// Returns what "n't" was added to.
fn negated(form: &str) -> Option<&str> {
    let stem = form.strip_suffix("n't")?;
    Some(match stem {
        "ca" => "can",
        "wo" => "will",
        "sha" => "shall",
        "ai" => return None,
        _ => stem,
    })
}

/// Returns what "'s" stands for: possessives and what may be "is" or "has" stay.
fn s_of(stem: &str, verb: &str) -> &'static str {
    let is_pronoun = matches!(
        stem,
        "it" | "he" | "she" | "that" | "what" | "who" | "there" | "here" | "where" | "how" | "when" | "why" | "this"
    );
    if !is_pronoun {
        return "'s";
    }
    match verb {
        "been" | "got" | "had" => "has",
        "tired" | "interested" | "excited" | "scared" | "worried" | "supposed" | "red" => "is",
        "gone" | "done" | "begun" | "become" | "come" | "broken" | "taken" | "given" | "made" | "left" | "lost"
        | "sold" | "built" | "bought" | "caught" | "cut" | "fallen" | "found" | "grown" | "heard" | "held" | "hit"
        | "kept" | "known" | "led" | "met" | "paid" | "put" | "read" | "run" | "said" | "seen" | "sent" | "set"
        | "shown" | "shut" | "spent" | "stolen" | "taught" | "thought" | "told" | "won" | "worn" | "written"
        | "spoken" | "chosen" | "forgotten" | "hidden" | "driven" | "drawn" | "eaten" | "beaten" | "brought"
        | "stuck" | "born" | "thrown" | "never" | "not" | "also" | "already" | "just" | "always" | "sung" | "rung"
        | "sunk" | "swum" | "hung" | "felt" | "slept" | "dealt" | "meant" | "stood" | "split" | "spread" | "cost"
        | "let" | "lit" | "quit" | "burst" => "'s",
        _ if verb.ends_with("ed") => "'s",
        _ => "is",
    }
}

/// Adds a stem and what its ending stands for, each at its own place.
fn put<'a>(whole: &Item<'a>, [stem, ending]: [&'a str; 2], out: &mut Vec<Item<'a>>) {
    // The apostrophe (or the "n" of "n't") lies where the raw letters say so.
    let len = whole.raw.char_indices().rev().find(|(_, c)| !c.is_alphanumeric()).map_or(0, |(at, _)| at);
    let before = whole.raw.get(..len).unwrap_or_default();
    let is_not = ending == "not" && before.chars().count() > 1;
    let len = if is_not { before.char_indices().next_back().map_or(len, |(at, _)| at) } else { len };
    let cut = whole.span.start + len as u32;
    let is_cut = cut > whole.span.start && cut < whole.span.end;
    let (first, second) = if is_cut {
        (Span { end: cut, ..whole.span }, Span { start: cut, ..whole.span })
    } else {
        (whole.span, whole.span)
    };
    let stem = match words::long_form(stem) {
        // "US's" is of the country, "IT'S" is not.
        _ if words::is_other_in_capitals(stem) && is_capital_stem(whole.raw) => Cow::Owned(stem.to_ascii_uppercase()),
        Some(long) if !long.contains(' ') => Cow::Borrowed(long),
        _ => spelling::american(stem),
    };
    if !stem.is_empty() {
        out.push(part(whole, first, stem));
    }
    out.push(Item {
        is_spaced: false,
        is_joined: false,
        is_first: false,
        ..part(whole, second, Cow::Borrowed(ending))
    });
}

/// Whether the letters before the ending are capitals and the ending is small.
fn is_capital_stem(raw: &str) -> bool {
    let n_capitals = raw.bytes().take_while(u8::is_ascii_uppercase).count();
    n_capitals >= 2 && raw.ends_with('s') && n_capitals + 2 >= raw.chars().count()
}

fn part<'a>(whole: &Item<'a>, span: Span, text: Cow<'a, str>) -> Item<'a> {
    Item { span, text, case: Case::Lower, ..whole.clone() }
}
