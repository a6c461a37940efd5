//! Details: without an adjective or a place less is said; with another adjective, something else.

use super::lists::{self, BEINGS, has};
use super::sentence::Sentence;
use super::verbs::{by_past, is_be};
use super::{Variants, is_plain, is_plural};
use resay_learn::rng::SplitMix;

/// Adjectives that hold apart from the noun, with one that excludes them and one that says the same.
const ADJECTIVES: [[&str; 3]; 30] = [
    ["red", "blue", ""],
    ["blue", "green", ""],
    ["green", "yellow", ""],
    ["yellow", "red", ""],
    ["black", "white", ""],
    ["white", "black", ""],
    ["brown", "gray", ""],
    ["gray", "brown", "grey"],
    ["big", "small", "large"],
    ["large", "small", "big"],
    ["small", "big", "little"],
    ["tiny", "huge", ""],
    ["huge", "tiny", "enormous"],
    ["new", "old", ""],
    ["young", "elderly", "youthful"],
    ["wooden", "plastic", ""],
    ["expensive", "cheap", "costly"],
    ["cheap", "expensive", "inexpensive"],
    ["beautiful", "ugly", "gorgeous"],
    ["ugly", "beautiful", ""],
    ["rich", "poor", "wealthy"],
    ["poor", "", ""],
    ["empty", "full", ""],
    ["broken", "", ""],
    ["dirty", "clean", "filthy"],
    ["heavy", "light", ""],
    ["famous", "unknown", "well-known"],
    ["strange", "ordinary", "odd"],
    ["difficult", "easy", "hard"],
    ["interesting", "boring", ""],
];

/// Adjectives of people and animals.
const OF_BEINGS: [&str; 9] = ["young", "rich", "poor", "famous", "big", "small", "large", "black", "white"];

/// Nouns that with such an adjective are something else.
const FIXED: [&str; 50] = [
    "moon",
    "herring",
    "voice",
    "teaser",
    "extent",
    "salary",
    "income",
    "degree",
    "heart",
    "thrill",
    "fan",
    "mistake",
    "difference",
    "scale",
    "leaf",
    "life",
    "day",
    "time",
    "deal",
    "year",
    "years",
    "house",
    "board",
    "light",
    "lights",
    "man",
    "one",
    "ones",
    "tape",
    "hair",
    "brother",
    "sister",
    "eyes",
    "number",
    "amount",
    "card",
    "cards",
    "thumb",
    "hand",
    "pepper",
    "talk",
    "box",
    "part",
    "problem",
    "tea",
    "wine",
    "market",
    "belt",
    "people",
    "order",
];

/// Where something is.
const PLACES: [&str; 22] = [
    "in the park",
    "in the garden",
    "in the kitchen",
    "at the station",
    "in the library",
    "at school",
    "at home",
    "in Boston",
    "at the airport",
    "in the street",
    "on the street",
    "on the train",
    "at work",
    "in the cafeteria",
    "at the supermarket",
    "in the bathroom",
    "on the bus",
    "in Australia",
    "at the party",
    "in the mirror",
    "in front of the station",
    "at the restaurant",
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let has_scope = sentence.has_any(&["every", "all", "most", "any", "only", "few", "as", "than", "like", "such"]);
    if sentence.is_assertion() && !has_scope {
        adjectives(sentence, variants);
        places(sentence, random, variants);
    }
}

fn adjectives(sentence: &Sentence, variants: &mut Variants) {
    let text = sentence.text();
    for at in 1..sentence.len() {
        let (before, noun, after) = (sentence.before(at), sentence.word(at + 1), sentence.word(at + 2));
        let Some([adjective, other, same]) = ADJECTIVES.iter().find(|[word, ..]| *word == sentence.word(at)) else {
            continue;
        };
        let is_phrase = has(&["a", "an", "the", "my", "his", "her", "our", "their", "two", "three", "some"], before);
        // The noun must end here: a preposition, a verb or the end follows.
        let ends =
            has(&["", ",", "in", "on", "at", "for", "from", "with", "to", "near", "yesterday", "today", "by"], after)
                || is_be(after)
                || by_past(after).is_some();
        let is_noun = is_plain(noun)
            && noun.len() > 2
            && !has(&FIXED, noun)
            && !ADJECTIVES.iter().any(|[word, ..]| *word == noun);
        if !is_phrase || !ends || !is_noun || noun.ends_with("ly") {
            continue;
        }
        let range = at..at + 1;
        let is_definite = has(&lists::DEFINITE, before) && at == 1;
        let is_apt = has(&OF_BEINGS, adjective) || !has(&BEINGS, noun);
        // Of a thing already known, the adjective tells which one; without it the same is said of it.
        if !is_definite || is_plural(noun) {
            variants.forward(&text, sentence.replaced(range.clone(), &[]));
        }
        if !other.is_empty() && is_apt {
            variants.contradiction(&text, sentence.replaced(range.clone(), &[other]));
        }
        if !same.is_empty() && is_apt {
            variants.equivalent(&text, sentence.replaced(range, &[same]));
        }
    }
}

/// `Anna met him in the park`: the place can be dropped after an object.
fn places(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    if !sentence.is_simple() || !sentence.is_movable {
        return;
    }
    for place in PLACES {
        let words: Vec<&str> = place.split(' ').collect();
        let Some(start) = sentence.len().checked_sub(words.len()).filter(|&start| start >= 3) else { continue };
        let is_ending = sentence.words[start..].iter().eq(&words);
        if !is_ending || !has_object(sentence, start) {
            continue;
        }
        let text = sentence.text();
        variants.forward(&text, sentence.replaced(start..sentence.len(), &[]));
        let mut fronted = words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        fronted.push(",".to_owned());
        fronted.extend_from_slice(&sentence.words[..start]);
        variants.equivalent(&text, super::sentence::render(&fronted, '.'));
        let other = PLACES[random.below(14)];
        if other != place && !place.contains("mirror") {
            variants.contradiction(&text, sentence.replaced(start..sentence.len(), &[other]));
        }
    }
}

/// Whether a listed verb and its object stand before a place.
fn has_object(sentence: &Sentence, end: usize) -> bool {
    let verbs = [
        "met", "saw", "bought", "found", "lost", "ate", "read", "played", "heard", "broke", "sold", "cooked", "drank",
        "taught", "caught", "killed", "stole", "washed", "watched", "studied", "wrote", "forgot", "hurt", "kissed",
        "picked",
    ];
    let Some(at) = (1..end).find(|&at| has(&verbs, sentence.word(at))) else { return false };
    let object = &sentence.words[at + 1..end];
    let is_short =
        (1..=3).contains(&object.len()) && !object.iter().any(|word| has(&["to", "of", "and", "up", "with"], word));
    is_short && at <= 3
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn details_are_dropped_or_changed() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna bought an expensive car.",
            &["> Anna bought a car.", "x Anna bought a cheap car.", "= Anna bought a costly car."],
        );
        check(
            "She lives with a small dog.",
            &["> She lives with a dog.", "x She lives with a big dog.", "= She lives with a little dog."],
        );
        check(
            "We met Peter in the park.",
            &["> We met Peter.", "= In the park, we met Peter.", "x We met Peter at the airport."],
        );
        testing::refuses(
            generate,
            &["She didn't buy a red hat.", "He lives in the White House.", "They put it in the kitchen."],
        );
    }
}
