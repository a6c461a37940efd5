//! Fillers and politeness: added or dropped, they do not matter; the negation beside them does.

use super::Variants;
use super::lists::{self, has};
use super::sentence::{Sentence, render};
use super::verbs::{by_base, negated, verb_place};
use resay_learn::rng::SplitMix;

const OPENINGS: [&str; 10] = [
    "well,",
    "you know,",
    "actually,",
    "look,",
    "honestly,",
    "I mean,",
    "basically,",
    "so,",
    "by the way,",
    "to be honest,",
];
const CLOSINGS: [&str; 4] = [", you know", ", actually", ", you see", ", to be honest"];
const REQUESTS: [&str; 5] = ["could you", "can you", "would you", "would you please", "could you please"];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    if sentence.words.iter().any(|word| word == ",") && sentence.words.last().is_none_or(|word| word != "please") {
        return;
    }
    request(sentence, random, variants);
    // Requests are rarer, and should not be lost among statements.
    if random.below(8) == 0 {
        statement(sentence, random, variants);
    }
}

/// `Open the door`, `Please open the door`, `Could you open the door?`
fn request(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let mut words = sentence.words.as_slice();
    let is_first = words.first().is_some_and(|word| word == "please");
    if is_first {
        words = &words[1..];
    } else if let [rest @ .., comma, please] = words
        && comma == ","
        && please == "please"
    {
        words = rest;
    }
    let is_polite = words.len() < sentence.len();
    let Some(verb) = words.first() else { return };
    let is_request = has(&lists::IMPERATIVES, verb) && by_base(verb).is_some() || is_polite && by_base(verb).is_some();
    let has_person =
        words.iter().any(|word| has(&["you", "yourself", "your", "and", "or", "if", "but", "let", "not"], word));
    let is_other = has(&["look", "help", "try", "leave", "stop", "tell", "come", "go"], verb) && words.len() < 3;
    if !sentence.is_movable || sentence.mark == '?' || !is_request || has_person || is_other || words.len() < 2 {
        return;
    }
    let plain = render(words, '.');
    let please = "please".to_owned();
    let polite = match random.below(3) {
        0 => render(&[std::slice::from_ref(&please), words].concat(), '.'),
        1 => render(&[words, &[",".to_owned(), please.clone()]].concat(), '.'),
        _ => render(&[&[REQUESTS[random.below(5)].to_owned()], words].concat(), '?'),
    };
    let negative = |start: &str| render(&[&[start.to_owned()], words].concat(), '.');
    variants.equivalent(&plain, &polite);
    variants.equivalent(negative("don't"), negative(["please don't", "do not", "please do not"][random.below(3)]));
    variants.contradiction(&polite, negative(["don't", "please don't"][random.below(2)]));
    variants.contradiction(plain, negative(["don't", "please don't"][random.below(2)]));
}

fn statement(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let is_other =
        sentence.has_any(&["actually", "know", "well", "please", "so", "but", "really"]) || sentence.len() > 10;
    if !sentence.is_statement() || is_other || verb_place(sentence).is_none() && !sentence.word(0).contains('\'') {
        return;
    }
    let stuffed = |words: &[String], random: &mut SplitMix| {
        if random.below(3) > 0 {
            return render(&[&[OPENINGS[random.below(10)].to_owned()], words].concat(), '.');
        }
        render(words, '.').trim_end_matches('.').to_owned() + CLOSINGS[random.below(4)] + "."
    };
    let text = sentence.text();
    variants.equivalent(&text, stuffed(&sentence.words, random));
    if let Some(words) = negated(sentence, random) {
        variants.contradiction(&text, stuffed(&words, random));
        variants.contradiction(stuffed(&sentence.words, random), render(&words, '.'));
        variants.equivalent(stuffed(&words, random), render(&words, '.'));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn fillers_do_not_matter() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Close the window.",
            &[
                "= Please close the window.",
                "= Close the window, please.",
                "= Could you close the window?",
                "= Don't close the window. | Please don't close the window.",
                "x Please don't close the window.",
            ],
        );
        check(
            "Write it down, please.",
            &["= Write it down. | Write it down, please.", "x Write it down. | Don't write it down."],
        );
        // Statements are left out most of the time.
        testing::check(
            statement,
            "She is at home.",
            &[
                "= Well, she is at home.",
                "= She is at home, you know.",
                "x Honestly, she isn't at home.",
                "= Well, she isn't at home. | She isn't at home.",
            ],
        );
        testing::refuses(generate, &["Go and help him.", "Is she at home?", "If you go, I go."]);
    }
}
