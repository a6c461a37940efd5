//! Negation: inserted, it contradicts; contracted, written out or doubled, it does not matter.

use super::lists::has;
use super::sentence::{Sentence, render};
use super::verbs::{AUXILIARIES, is_be, negated, shortened};
use super::{Variants, is_plain, lists};
use resay_learn::rng::SplitMix;

/// Adjectives of which either the one or the other holds, with their negation.
pub(super) const COMPLEMENTS: [[&str; 2]; 18] = [
    ["possible", "impossible"],
    ["legal", "illegal"],
    ["true", "untrue"],
    ["complete", "incomplete"],
    ["correct", "incorrect"],
    ["valid", "invalid"],
    ["visible", "invisible"],
    ["necessary", "unnecessary"],
    ["known", "unknown"],
    ["aware", "unaware"],
    ["married", "unmarried"],
    ["finished", "unfinished"],
    ["locked", "unlocked"],
    ["available", "unavailable"],
    ["acceptable", "unacceptable"],
    ["able", "unable"],
    ["armed", "unarmed"],
    ["conscious", "unconscious"],
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let text = sentence.text();
    if let Some(words) = negated(sentence, random) {
        framed(sentence, &words, random, variants);
        variants.contradiction(&text, render(&words, sentence.mark));
    }
    contractions(sentence, &text, variants);
    doubled(sentence, &text, variants);
}

/// `It is not true that ...` before the sentence and before its negation.
fn framed(sentence: &Sentence, negated: &[String], random: &mut SplitMix, variants: &mut Variants) {
    let is_false = ["It is not true that", "It isn't true that", "It's false that", "It is not the case that"];
    let is_true = ["It is true that", "It's a fact that"];
    let framed = |frame: &str, words: &[String]| render(&[&[frame.to_owned()], words].concat(), '.');
    let (frame, text, negative) = (is_false[random.below(4)], sentence.text(), render(negated, '.'));
    variants.equivalent(framed(frame, &sentence.words), &negative);
    variants.contradiction(framed(frame, &sentence.words), &text);
    variants.equivalent(framed(is_true[random.below(2)], &sentence.words), &text);
    variants.equivalent(framed(frame, negated), text);
    variants.contradiction(framed(frame, negated), negative);
}

/// `isn't` is `is not`, `I'm` is `I am`.
fn contractions(sentence: &Sentence, text: &str, variants: &mut Variants) {
    let is_question = sentence.mark == '?';
    for at in 0..sentence.len() {
        let [word, next, after] = [0, 1, 2].map(|offset| sentence.word(at + offset));
        let before = sentence.before(at);
        // In a question the subject stands between: `Don't you` is `Do you not`.
        let is_inverted = is_question && (at == 0 || !has(&lists::SUBJECTS, before));
        let short = AUXILIARIES.iter().find(|[_, short]| *short == word).map(|[long, _]| [*long, "not"]);
        let support =
            ["do", "does", "did"].into_iter().find(|long| word == format!("{long}n't")).map(|long| [long, "not"]);
        if let Some(long) = short.or(support).filter(|_| !is_inverted && !has(&["", ","], next)) {
            let long: &[&str] = if long[0] == "can" { &["cannot"] } else { &long };
            variants.equivalent(text, sentence.replaced(at..at + 1, long));
        }
        let is_whole = !has(&["", ",", "only", "that", "a"], after) && at > 0 && !is_question;
        if let Some(short) = shortened(word).filter(|_| next == "not" && is_whole) {
            variants.equivalent(text, sentence.replaced(at..at + 2, &[short]));
        }
        // `he is not` is `he's not`; at the end it is not contracted.
        if at == 1 && !is_question && has(&lists::SUBJECTS, before) && !has(&["", ",", "to", "had"], next) {
            let ending = match (before, word) {
                ("I", "am") => "'m",
                ("he" | "she" | "it", "is") => "'s",
                ("you" | "we" | "they", "are") => "'re",
                (_, "will") if before != "it" => "'ll",
                _ => continue,
            };
            variants.equivalent(text, sentence.replaced(0..2, &[&format!("{before}{ending}")]));
        }
        if let Some((head, ending)) = word.split_once('\'').filter(|_| at == 0 && !is_question && !next.is_empty()) {
            let long = match (head, ending) {
                ("I", "m") => "am",
                ("you" | "we" | "they", "re") => "are",
                (_, "ll") => "will",
                ("I" | "you" | "we" | "they", "ve") => "have",
                _ => continue,
            };
            variants.equivalent(text, sentence.replaced(0..1, &[head, long]));
        }
    }
}

/// `is possible` is `is not impossible`, and contradicts both `is impossible` and `is not possible`.
fn doubled(sentence: &Sentence, text: &str, variants: &mut Variants) {
    if !sentence.is_assertion() || !sentence.is_simple() || sentence.has_any(&["very", "so", "too", "always", "all"]) {
        return;
    }
    for at in 1..sentence.len() {
        let (verb, word, next) = (sentence.before(at), sentence.word(at), sentence.word(at + 1));
        let is_attribute = is_plain(next) && !has(&["to", "in", "at", "on", "now", "today", "of", "for", "here"], next);
        if !is_be(verb) || is_attribute {
            continue;
        }
        for [first, second] in COMPLEMENTS.iter().flat_map(|&[plain, negative]| [[plain, negative], [negative, plain]])
        {
            if word == first {
                let range = at..at + 1;
                variants.equivalent(text, sentence.replaced(range.clone(), &["not", second]));
                variants.contradiction(text, sentence.replaced(range.clone(), &["not", first]));
                variants.contradiction(
                    sentence.replaced(range.clone(), &["not", first]),
                    sentence.replaced(range, &["not", second]),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn negation_is_inserted_contracted_and_doubled() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "The old bridge is open.",
            &[
                "x The old bridge is not open.",
                "x The old bridge isn't open.",
                "= It is not true that the old bridge is open. | The old bridge isn't open.",
                "= It isn't true that the old bridge is not open. | The old bridge is open.",
            ],
        );
        check(
            "Anna bought a hat.",
            &["x Anna didn't buy a hat.", "= It is true that Anna bought a hat. | Anna bought a hat."],
        );
        check("We don't like rain.", &["= We do not like rain."]);
        check("She is not at home.", &["= She isn't at home.", "= She's not at home."]);
        check("I'm not very tired.", &["= I am not very tired."]);
        check("The answer is correct.", &["= The answer is not incorrect.", "x The answer is not correct."]);
        testing::refuses(generate, &["Don't you like it?", "Every child was there.", "Is he not coming?"]);
    }
}
