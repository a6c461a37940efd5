//! The tense and mood of aligned verbs.

use super::{Correspondence, FeatureExtractor};
use crate::align::Level;
use crate::id::Feature;

/// The tense or mood of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    Past,
    Perfect,
    Present,
    Future,
    Maybe,
    Habit,
    /// After "to", or under an aspectual verb: meant, tried, begun, stopped.
    Aim,
    /// An infinitive or participle without a tense of its own.
    Open,
}

/// Returns the tense of a verb by its form and its auxiliaries.
fn time(pair: &Correspondence<'_>, side: usize, verb: usize) -> Time {
    let mut helpers: Vec<usize> = pair.dependents(side, verb).to_vec();
    helpers.retain(|&word| pair.relation(side, word).starts_with("aux") || pair.relation(side, word) == "cop");
    let lemma = |word: usize| pair.lemma(side, word);
    let lower = |word: usize| pair.lower(side, word);
    if helpers.iter().any(|&word| matches!(lower(word), "will" | "'ll" | "’ll" | "wo" | "shall")) {
        return Time::Future;
    }
    if helpers.iter().any(|&word| pair.tag(side, word) == "MD") {
        return Time::Maybe;
    }
    // "is going to leave", "used to work", "plans to sell", "stopped rising".
    let before = |back: usize| verb.checked_sub(back).map_or("", |word| pair.lower(side, word));
    if before(1) == "to" || (before(2) == "to" && matches!(before(1), "be" | "have")) {
        let back = if before(1) == "to" { 2 } else { 3 };
        return match before(back) {
            "going" => Time::Future,
            "used" => Time::Habit,
            _ => Time::Aim,
        };
    }
    let is_aspect = |word: &str| {
        ["stop", "stopped", "start", "started", "finish", "finished", "begin", "began", "begun", "keep"].contains(&word)
    };
    if pair.tag(side, verb) == "VBG" && is_aspect(before(1)) {
        return Time::Aim;
    }
    let first = helpers.first().copied().unwrap_or(verb);
    match pair.tag(side, first) {
        "VBD" if lemma(first) == "have" && first != verb => Time::Perfect,
        "VBZ" | "VBP" if lemma(first) == "have" && first != verb => Time::Perfect,
        "VBD" => Time::Past,
        "VBZ" | "VBP" => Time::Present,
        _ => Time::Open,
    }
}

/// Returns whether the verb is progressive: "is building".
fn goes_on(pair: &Correspondence<'_>, side: usize, verb: usize) -> bool {
    let has_be = pair
        .dependents(side, verb)
        .iter()
        .any(|&word| pair.lemma(side, word) == "be" && pair.relation(side, word) == "aux");
    pair.tag(side, verb) == "VBG" && has_be
}

pub(super) fn extract(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let mut pairs = Vec::new();
    let is_verb = |side: usize, word: usize| pair.tag(side, word).starts_with("VB");
    for i in (0..pair.n_words(0)).filter(|&i| is_verb(0, i) && !pair.relation(0, i).starts_with("aux")) {
        let linked = pair.partners(0, i).iter().copied().find(|&j| is_verb(1, j));
        let same = (0..pair.n_words(1)).find(|&j| is_verb(1, j) && pair.compared.level(i, j) >= Level::Lemma);
        if let Some(j) = linked.or(same).filter(|&j| !pair.relation(1, j).starts_with("aux")) {
            pairs.push((i, j));
        }
    }
    let mut found: [Vec<(usize, usize)>; 4] = Default::default();
    for (i, j) in pairs {
        use Time::{Aim, Future, Habit, Maybe, Open, Past, Perfect, Present};
        let (one, other) = (time(pair, 0, i), time(pair, 1, j));
        let kind = match (one, other) {
            _ if one == other => (goes_on(pair, 0, i) != goes_on(pair, 1, j)).then_some(3),
            (Open, _) | (_, Open) => None,
            (Maybe | Aim, _) | (_, Maybe | Aim) => Some(0),
            (Future, _) | (_, Future) => Some(1),
            (Habit, _) | (_, Habit) => Some(1),
            (Past, Present) | (Present, Past) => Some(2),
            (Past, Perfect) | (Perfect, Past) => None,
            (Present, Perfect) | (Perfect, Present) => Some(3),
            _ => None,
        };
        if let Some(kind) = kind {
            found[kind].push((i, j));
        }
    }
    let features =
        [Feature::FactAndPossibility, Feature::PastAndFuture, Feature::PastAndPresent, Feature::DoneAndOngoing];
    for (feature, pairs) in features.into_iter().zip(found) {
        let feature = out.put(feature, pairs.len() as f64);
        for (i, j) in pairs {
            out.point(feature, &[i], &[j]);
        }
    }
}
