//! What comes before what: the clauses around `before` and `after`, exchanged with the conjunction
//! or without it.

use super::lists::{self, has};
use super::sentence::{Sentence, render};
use super::verbs::{by_past, by_third_person, is_auxiliary, verb_place};
use super::{Variants, is_person, is_plain};
use resay_learn::rng::SplitMix;

/// Words before the conjunction that belong to it, or make something else of it.
const BOUND: [&str; 25] = [
    "till",
    "until",
    "from",
    "long",
    "soon",
    "shortly",
    "right",
    "just",
    "immediately",
    "day",
    "days",
    "week",
    "year",
    "years",
    "hours",
    "minutes",
    "night",
    "ever",
    "not",
    "only",
    "even",
    "never",
    "hour",
    "look",
    "take",
];

/// Words with which an order of time may not be one of facts.
const UNSURE: [&str; 25] = [
    "knew", "already", "even", "habit", "took", "if", "that", "until", "because", "or", "when", "who", "chance",
    "time", "could", "wanted", "told", "asked", "promised", "decided", "tried", "hoped", "used", "need", "kept",
];

/// Nouns that are times.
const TIMES: [&str; 16] = [
    "breakfast",
    "lunch",
    "dinner",
    "supper",
    "school",
    "work",
    "class",
    "midnight",
    "noon",
    "sunrise",
    "sunset",
    "dawn",
    "Christmas",
    "bedtime",
    "sundown",
    "practice",
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let places: Vec<usize> = (0..sentence.len()).filter(|&at| has(&["before", "after"], sentence.word(at))).collect();
    let [at] = places[..] else { return };
    if sentence.mark != '.' || sentence.is_negative() || sentence.has_any(&UNSURE) {
        return;
    }
    let (before, after) = match at {
        0 => {
            let Some(comma) = sentence.words.iter().position(|word| word == ",") else { return };
            (&sentence.words[comma + 1..], &sentence.words[1..comma])
        }
        _ => (&sentence.words[..at], &sentence.words[at + 1..]),
    };
    if at > 0 && has(&BOUND, sentence.before(at)) || [before, after].concat().iter().any(|word| word == ",") {
        return;
    }
    let (Some(main), Some(other)) = (clause(before), clause_or_time(after)) else { return };
    let conjunction = sentence.word(at);
    let turned = if conjunction == "before" { "after" } else { "before" };
    let text = sentence.text();
    let late = |main: &[String], conjunction: &str, other: &[String]| {
        render(&[main, &[conjunction.to_owned()], other].concat(), '.')
    };
    let early = |main: &[String], conjunction: &str, other: &[String]| {
        render(&[&[conjunction.to_owned()], other, &[",".to_owned()], main].concat(), '.')
    };
    let draw = |conjunction: &str, main: &[String], other: &[String], random: &mut SplitMix| {
        if random.below(2) == 0 { late(main, conjunction, other) } else { early(main, conjunction, other) }
    };
    variants
        .equivalent(&text, if at == 0 { late(&main, conjunction, after) } else { early(&main, conjunction, after) });
    variants.contradiction(&text, draw(turned, &main, after, random));
    if let Some(other) = other {
        let (first, second) = resolved(&main, &other);
        variants.equivalent(&text, draw(turned, &second, &first, random));
        variants.contradiction(&text, draw(conjunction, &second, &first, random));
    }
}

/// A clause in the past, or in a present of `he` and `she`.
fn clause(words: &[String]) -> Option<Vec<String>> {
    let sentence = Sentence { words: words.to_vec(), mark: '.', is_movable: true };
    if words.len() < 2 || !sentence.is_statement() || sentence.has_any(&["and", "but", "as", "want", "said", "told"]) {
        return None;
    }
    let verb = sentence.word(verb_place(&sentence)?);
    let is_fact = by_past(verb).is_some() || by_third_person(verb).is_some() || has(&["was", "were"], verb);
    // `before I did`
    let is_cut = sentence.words.last().is_some_and(|last| is_auxiliary(last) || has(&["did", "does"], last));
    (is_fact && !is_cut).then(|| words.to_vec())
}

/// What follows the conjunction: a clause (returned), or a time, or an action without subject.
fn clause_or_time(words: &[String]) -> Option<Option<Vec<String>>> {
    if let Some(clause) = clause(words) {
        return Some(Some(clause));
    }
    let first = words.first()?;
    let is_action = first.ends_with("ing") && is_plain(first) && first != "during";
    let is_time = words.len() == 1 && has(&TIMES, first);
    (is_time || is_action && words.len() > 1).then_some(None)
}

/// The two clauses for the exchanged order: a name stands in the clause that now comes first.
fn resolved(main: &[String], other: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut main, mut other) = (main.to_vec(), other.to_vec());
    let is_pronoun = |word: &str| has(&["he", "she"], word);
    if is_person(&main[0]) && is_pronoun(&other[0]) && fits(&main[0], &other[0]) {
        std::mem::swap(&mut main[0], &mut other[0]);
    }
    (main, other)
}

fn fits(name: &str, pronoun: &str) -> bool {
    has(&lists::MEN, name) == (pronoun == "he")
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn clauses_are_exchanged() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna locked the door before she left the house.",
            &[
                "= Before she left the house, Anna locked the door.",
                "= Anna left the house after she locked the door.",
                "x Anna left the house before she locked the door.",
                "x Anna locked the door after she left the house.",
            ],
        );
        check(
            "After we ate, the sun went down.",
            &["= The sun went down after we ate.", "x Before we ate, the sun went down."],
        );
        check("He drank tea after lunch.", &["= After lunch, he drank tea.", "x He drank tea before lunch."]);
        check(
            "I read a letter before going out.",
            &["= Before going out, I read a letter.", "x I read a letter after going out."],
        );
        testing::refuses(
            generate,
            &["We left long before they came.", "Come in before it rains.", "Look after the children."],
        );
    }
}
