//! Comparisons: turned with the opposite word they do not change, exchanged or with the opposite
//! word alone they contradict.

use super::Variants;
use super::lists::{self, OBJECTS, SUBJECTS, has, is_person};
use super::sentence::{Sentence, render};
use super::verbs::is_be;
use super::{is_plain, is_plural};
use resay_learn::rng::SplitMix;

/// Opposite comparatives, with the plain adjective of each.
const OPPOSITES: [[&str; 4]; 14] = [
    ["taller", "shorter", "tall", "short"],
    ["older", "younger", "old", "young"],
    ["bigger", "smaller", "big", "small"],
    ["larger", "smaller", "large", "small"],
    ["heavier", "lighter", "heavy", "light"],
    ["faster", "slower", "fast", "slow"],
    ["longer", "shorter", "long", "short"],
    ["richer", "poorer", "rich", "poor"],
    ["stronger", "weaker", "strong", "weak"],
    ["higher", "lower", "high", "low"],
    ["cheaper", "more expensive", "cheap", "expensive"],
    ["hotter", "colder", "hot", "cold"],
    ["better", "worse", "good", "bad"],
    ["harder", "easier", "hard", "easy"],
];

/// What is compared.
struct Term {
    words: Vec<String>,
    /// Number and person, as the form of `to be`.
    be: &'static str,
}

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let Some(than) = sentence.words.iter().position(|word| word == "than") else { return };
    let is_other = sentence.has_any(&["if", "that", "no", "not", "never", "or", "far"]) || sentence.is_negative();
    if sentence.mark != '.' || is_other || !sentence.is_movable {
        return;
    }
    let Some(verb) = (1..than).find(|&at| is_be(sentence.word(at))) else { return };
    let (Some(first), Some(second)) = (term(&sentence.words[..verb]), term(ending(&sentence.words[than + 1..]))) else {
        return;
    };
    // `much taller`, `three years older`, `more beautiful`.
    let degree = &sentence.words[verb + 1..than];
    let is_past = has(&["was", "were"], sentence.word(verb));
    let text = sentence.text();
    let compare = |a: &Term, degree: &[String], b: &Term, random: &mut SplitMix| {
        let be = if is_past { past(a.be) } else { a.be };
        let full = SUBJECTS.iter().any(|subject| b.words == [*subject]) && random.below(2) == 0;
        let end = match (full, is_past) {
            (false, _) => object(&b.words),
            (true, false) => format!("{} {}", b.words.join(" "), b.be),
            (true, true) => format!("{} {}", b.words.join(" "), past(b.be)),
        };
        render(&[a.words.as_slice(), &[be.to_owned()], degree, &["than".to_owned(), end]].concat(), '.')
    };
    let Some(last) = degree.last() else { return };
    let is_moderate = degree.len() == 1 || has(&["much", "even", "slightly", "a", "little", "bit", "lot"], &degree[0]);
    if !is_moderate && !degree[0].chars().all(|letter| letter.is_ascii_digit()) && degree[0] != "more" {
        return;
    }
    let is_animate = is_person(&first.words[0]) || has(&["I", "he", "she", "you", "we", "they"], &first.words[0]);
    for [one, other, plain, opposite] in OPPOSITES.iter().flat_map(|&[a, b, c, d]| [[a, b, c, d], [b, a, d, c]]) {
        let is_it = one == last && !(degree.len() > 1 && has(&["better", "worse"], one));
        // `shorter` is the opposite of `longer` for things.
        let is_apt = match (one, other) {
            ("shorter", "taller") => is_animate,
            ("shorter", "longer") => !is_animate,
            ("older", "younger") => is_animate || first.words.iter().any(|word| has(&lists::BEINGS, word)),
            ("smaller", "larger") => !is_animate,
            ("smaller", "bigger") => is_animate,
            _ => true,
        };
        if !is_it || !is_apt {
            continue;
        }
        if degree.len() > 1 && degree[0] != "even" && degree[0] != "slightly" {
            variants.forward(&text, compare(&first, &degree[degree.len() - 1..], &second, random));
        }
        let turned = [&degree[..degree.len() - 1], &[other.to_owned()]].concat();
        variants.equivalent(&text, compare(&second, &turned, &first, random));
        variants.contradiction(&text, compare(&first, &turned, &second, random));
        variants.contradiction(&text, compare(&second, degree, &first, random));
        if degree.len() == 1 && !is_past {
            let equal = |a: &Term, adjective: &str, b: &Term| {
                let parts = [a.be, "not as", adjective, "as"].map(str::to_owned);
                render(&[a.words.as_slice(), &parts, &[object(&b.words)]].concat(), '.')
            };
            variants.equivalent(&text, equal(&second, plain, &first));
            variants.contradiction(&text, equal(&first, plain, &second));
            variants.contradiction(compare(&first, &turned, &second, random), equal(&second, opposite, &first));
        }
    }
    if degree.len() == 2 && degree[0] == "more" {
        let less = ["less".to_owned(), last.clone()];
        variants.equivalent(&text, compare(&second, &less, &first, random));
        variants.contradiction(&text, compare(&first, &less, &second, random));
        variants.contradiction(&text, compare(&second, degree, &first, random));
    }
}

/// The words after `than` without the verb: `I am` is `I`.
fn ending(words: &[String]) -> &[String] {
    match words.split_last() {
        Some((last, rest)) if is_be(last) && !rest.is_empty() => rest,
        _ => words,
    }
}

fn past(be: &str) -> &'static str {
    if be == "are" { "were" } else { "was" }
}

fn object(words: &[String]) -> String {
    let found = SUBJECTS.iter().position(|subject| words == [*subject]);
    found.map_or_else(|| words.join(" "), |at| OBJECTS[at].to_owned())
}

/// A pronoun, a person, or a determiner with one or two words.
fn term(words: &[String]) -> Option<Term> {
    let first = words.first()?.as_str();
    let make = |words: Vec<String>, be| Some(Term { words, be });
    if words.len() == 1 {
        if let Some(at) = (0..SUBJECTS.len()).find(|&at| first == SUBJECTS[at] || first == OBJECTS[at]) {
            let be = if at == 0 { "am" } else { ["is", "are"][usize::from(has(&["you", "we", "they"], SUBJECTS[at]))] };
            return if first == "it" { None } else { make(vec![SUBJECTS[at].to_owned()], be) };
        }
        let is_place = lists::is_name(first) && !first.ends_with("ese") && !first.ends_with("ish");
        return is_place.then(|| Term { words: words.to_vec(), be: "is" });
    }
    let last = words.last()?.as_str();
    let is_owner = words.len() == 2 && first.ends_with("'s") && is_person(&first[..first.len() - 2]);
    let is_phrase = has(&["the", "my", "your", "his", "her", "our", "their", "this", "that"], first) || is_owner;
    let are_plain = words[1..]
        .iter()
        .all(|word| is_plain(word) && !has(&["of", "in", "usual", "other", "ever", "before", "and"], word));
    if !is_phrase || !are_plain || words.len() > 3 {
        return None;
    }
    make(words.to_vec(), if is_plural(last) { "are" } else { "is" })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn comparisons_are_turned() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna is taller than Peter.",
            &[
                "= Peter is shorter than Anna.",
                "x Anna is shorter than Peter.",
                "x Peter is taller than Anna.",
                "= Peter is not as tall as Anna.",
                "x Anna is not as tall as Peter.",
            ],
        );
        check("My room is larger than yours truly.", &[]);
        check(
            "He was much older than I was.",
            &[
                "= I was much younger than he was.",
                "> He was older than me.",
                "= I was much younger than him.",
                "x I was much older than him.",
            ],
        );
        check("The river is longer than the road.", &["= The road is shorter than the river."]);
        check("Chess is more fun than golf.", &[]);
        check(
            "Peter is more patient than me.",
            &["= I am less patient than Peter.", "x I am more patient than Peter."],
        );
        testing::refuses(
            generate,
            &["It is later than usual.", "She is not taller than Peter.", "He has more than ten cars."],
        );
    }
}
