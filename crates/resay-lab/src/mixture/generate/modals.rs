//! Modal verbs: what must be done may be done, and `have to` is `must`.

use super::Variants;
use super::lists::{self, has};
use super::sentence::Sentence;
use super::verbs::{by_base, by_past, is_auxiliary};
use super::{is_person, is_plain};
use resay_learn::rng::SplitMix;

/// Verbs after which a modal verb may be a conclusion or a manner of speaking.
const STATES: [&str; 15] = [
    "have",
    "admit",
    "say",
    "blame",
    "let",
    "mean",
    "love",
    "know",
    "like",
    "feel",
    "understand",
    "believe",
    "want",
    "think",
    "hate",
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    if sentence.mark != '.'
        || !sentence.is_statement()
        || sentence.has_any(&["if", "or", "ever", "whether", "unless", "all", "only", "any", "but"])
    {
        return;
    }
    let Some(at) = place(sentence) else { return };
    let [word, next, after] = [0, 1, 2].map(|offset| sentence.word(at + offset));
    let subject = sentence.before(at);
    let is_single = has(&["he", "she", "it"], subject)
        || is_person(subject)
        || is_plain(subject) && !has(&lists::SUBJECTS, subject);
    let have = if is_single { "has" } else { "have" };
    let be = match subject {
        "I" => "am",
        _ if is_single => "is",
        _ => "are",
    };
    let text = sentence.text();
    let new = |n: usize, words: &[&str]| sentence.replaced(at..at + n, words);
    let is_action = |word: &str| by_base(word).is_some() && !has(&STATES, word);
    let choice = random.below(2);
    match (word, next) {
        // An obligation to do something, and no conclusion: `must be`, `must have`.
        ("must", verb) if is_action(verb) => {
            variants.equivalent(&text, new(1, &[have, "to"]));
            variants.equivalent(&text, new(1, &[be, "required", "to"]));
            variants.forward(&text, new(1, &[be, ["allowed to", "permitted to"][choice]]));
            variants.forward(&text, new(1, &["should"]));
            variants.contradiction(&text, new(1, &[["must not", "may not"][choice]]));
            let support = if is_single { "doesn't" } else { "don't" };
            variants.contradiction(&text, new(1, &[support, "have", "to"]));
        }
        ("has" | "have", "to") if is_action(after) => {
            variants.equivalent(&text, new(2, &["must"]));
            variants.forward(&text, new(2, &["should"]));
            variants.forward(&text, new(2, &[be, ["allowed to", "permitted to"][choice]]));
            let support = if is_single { "doesn't" } else { "don't" };
            variants.contradiction(&text, new(2, &[support, "have", "to"]));
            variants.contradiction(&text, new(2, &["must", "not"]));
        }
        ("mustn't", verb) if is_action(verb) => {
            variants.equivalent(&text, new(1, &[be, "not", "allowed", "to"]));
            variants.forward(&text, new(1, &[if is_single { "doesn't" } else { "don't" }, "have", "to"]));
            variants.contradiction(&text, new(1, &["may"]));
        }
        ("should", verb) if is_action(verb) || verb == "be" => {
            variants.equivalent(&text, new(1, &["ought", "to"]));
            variants.contradiction(&text, new(1, &[["should not", "shouldn't"][choice]]));
            if verb != "be" {
                variants.add(super::BACKWARD, &text, new(1, &[["must", "has to"][usize::from(is_single) * choice]]));
            }
        }
        ("can", verb) if is_action(verb) && !has(&["see", "hear", "wait"], verb) => {
            // What you can do may be what you are allowed to do.
            if subject != "you" {
                variants.equivalent(&text, new(1, &[be, "able", "to"]));
                variants.contradiction(&text, new(1, &[be, "unable", "to"]));
            }
            variants.contradiction(&text, new(1, &[["can't", "cannot"][choice]]));
        }
        ("can't" | "cannot", verb) if is_action(verb) && !has(&["help", "wait", "see", "stand"], verb) => {
            if subject != "you" {
                variants.equivalent(&text, new(1, &[be, ["unable to", "not able to"][choice]]));
                variants.contradiction(&text, new(1, &[be, "able", "to"]));
            }
            variants.contradiction(&text, new(1, &["can"]));
        }
        ("will", verb) if is_action(verb) || verb == "be" => {
            variants.forward(&text, new(1, &[["might", "may"][choice]]));
            variants.contradiction(&text, new(1, &[["won't", "will not"][choice]]));
            variants.equivalent(&text, new(1, &[be, "going", "to"]));
        }
        ("might", verb) if is_action(verb) || verb == "be" => {
            variants.equivalent(&text, new(1, &["may"]));
            variants.add(super::BACKWARD, &text, new(1, &["will"]));
        }
        _ => (),
    }
}

/// Where the first verb of the sentence is, if it is a modal verb of a plain subject.
fn place(sentence: &Sentence) -> Option<usize> {
    let first = sentence.word(0);
    if has(&lists::SUBJECTS, first) || is_person(first) {
        return Some(1);
    }
    let noun = sentence.word(1);
    let is_noun = is_plain(noun) && !noun.ends_with('s') && !is_auxiliary(noun) && by_past(noun).is_none();
    let is_one = has(&["the", "my", "your", "his", "her", "our", "their", "this", "a"], first);
    let is_many = has(&["people", "children", "men", "women", "police", "other", "first", "last", "two"], noun);
    (is_one && is_noun && !is_many && !has(&lists::UNREAL, noun)).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn modal_verbs_follow_their_strength() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "She must leave now.",
            &[
                "= She has to leave now.",
                "> She is allowed to leave now.",
                "> She should leave now.",
                "x She must not leave now.",
                "x She doesn't have to leave now.",
            ],
        );
        check(
            "We have to go home.",
            &["= We must go home.", "> We are permitted to go home.", "x We don't have to go home."],
        );
        check(
            "The driver should wait outside.",
            &["= The driver ought to wait outside.", "< The driver must wait outside."],
        );
        check("I can swim well.", &["= I am able to swim well.", "x I cannot swim well."]);
        check(
            "Anna will call you.",
            &["> Anna might call you.", "x Anna won't call you.", "= Anna is going to call you."],
        );
        check("It might be late.", &["= It may be late.", "< It will be late."]);
        testing::refuses(
            generate,
            &["He must be tired.", "Must you go now?", "You must have seen it.", "I will if you will."],
        );
    }
}
