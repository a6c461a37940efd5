//! Who does what to whom: exchanged roles contradict, the passive of the same roles does not matter.

use super::Variants;
use super::lists::{self, BEINGS, DETERMINERS, OBJECTS, SUBJECTS, has, is_person};
use super::sentence::{Sentence, render};
use super::verbs::by_past;
use super::{is_plain, is_plural};
use resay_learn::rng::SplitMix;

/// Verbs whose object may be the subject of a passive with `by`.
const TRANSITIVE: [&str; 75] = [
    "kiss",
    "kill",
    "help",
    "hit",
    "hurt",
    "call",
    "invite",
    "arrest",
    "attack",
    "bite",
    "kick",
    "push",
    "punch",
    "criticize",
    "interrupt",
    "praise",
    "scold",
    "blame",
    "insult",
    "surprise",
    "rescue",
    "chase",
    "interview",
    "murder",
    "defeat",
    "betray",
    "fire",
    "hire",
    "follow",
    "warn",
    "save",
    "shoot",
    "beat",
    "hug",
    "thank",
    "teach",
    "forgive",
    "admire",
    "notice",
    "recognize",
    "catch",
    "find",
    "bother",
    "see",
    "stop",
    "write",
    "open",
    "close",
    "break",
    "build",
    "paint",
    "repair",
    "fix",
    "steal",
    "sell",
    "cancel",
    "cook",
    "bake",
    "sign",
    "deliver",
    "wash",
    "clean",
    "solve",
    "lock",
    "carry",
    "throw",
    "send",
    "buy",
    "choose",
    "finish",
    "receive",
    "draw",
    "raise",
    "hide",
    "tear",
];

/// Verbs whose subject and object do the same.
const MUTUAL: [&str; 2] = ["marry", "meet"];

/// Words that may end the sentence after the object.
const TAILS: [&str; 5] = ["yesterday", "today", "again", "here", "there"];

/// One of the two who take part.
#[derive(Clone, Debug)]
struct Role {
    words: Vec<String>,
    is_being: bool,
    is_plural: bool,
}

impl Role {
    fn subject(&self) -> String {
        let found = OBJECTS.iter().position(|object| self.words == [*object]);
        found.map_or_else(|| self.words.join(" "), |at| SUBJECTS[at].to_owned())
    }

    fn object(&self) -> String {
        let found = SUBJECTS.iter().position(|subject| self.words == [*subject]);
        found.map_or_else(|| self.words.join(" "), |at| OBJECTS[at].to_owned())
    }

    fn was(&self) -> &'static str {
        if self.is_plural { "were" } else { "was" }
    }
}

/// The role at the start of some words, and how many words it has.
fn role(words: &[String]) -> Option<(Role, usize)> {
    let first = words.first()?.as_str();
    let make = |n: usize, is_being, is_plural| Some((Role { words: words[..n].to_vec(), is_being, is_plural }, n));
    if is_person(first) {
        return make(1, true, false);
    }
    if has(&SUBJECTS, first) || has(&OBJECTS, first) {
        // `her` and `you` need to be whole phrases, and it is not said what `it` is.
        let is_many = has(&["you", "we", "they", "us", "them"], first);
        let is_whole = first != "her" || words.get(1).is_none_or(|next| has(&TAILS, next));
        return if is_whole && first != "it" { make(1, true, is_many) } else { None };
    }
    let noun = words.get(1)?.as_str();
    let is_noun = is_plain(noun) && by_past(noun).is_none() && !noun.ends_with("ly") && !noun.ends_with("ing");
    let is_fixed = has(&["cold", "chance", "fire", "look", "idea", "job", "way", "time"], noun);
    let is_self = has(&["his", "her", "my", "their", "our", "your", "its"], first) && !has(&BEINGS, noun);
    if !has(&DETERMINERS, first) || !is_noun || is_self || is_fixed {
        return None;
    }
    make(2, has(&BEINGS, noun), is_plural(noun))
}

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    if sentence.mark != '.'
        || !sentence.is_movable
        || sentence.has_any(&lists::SUBORDINATORS) && !sentence.has_any(&["saw", "found"])
    {
        return;
    }
    let Some((first, n)) = role(&sentence.words) else { return };
    let Some(verb) = by_past(sentence.word(n)) else { return };
    let Some((second, m)) = role(&sentence.words[n + 1..]) else { return };
    let tail = &sentence.words[n + 1 + m..];
    let is_whole = tail.is_empty() || (tail.len() == 1 && has(&TAILS, &tail[0])) || is_place(tail);
    let is_reflexive = first.subject() == second.subject() || first.subject() == "it" || bound(&first, &second);
    if !is_whole || is_reflexive || has(&["I", "me"], &first.object()) && second.subject() == "I" {
        return;
    }
    let active = |agent: &Role, patient: &Role| {
        let pieces = [agent.subject(), verb.past.clone(), patient.object()];
        render(&[pieces.as_slice(), tail].concat(), '.')
    };
    let passive = |agent: &Role, patient: &Role| {
        let pieces = [patient.subject(), patient.was().into(), verb.participle.clone(), "by".into(), agent.object()];
        render(&[pieces.as_slice(), tail].concat(), '.')
    };
    let text = sentence.text();
    let are_beings = first.is_being && second.is_being;
    if has(&MUTUAL, verb.base) && are_beings {
        variants.equivalent(&text, active(&second, &first));
    }
    if !has(&TRANSITIVE, verb.base) {
        return;
    }
    variants.equivalent(&text, passive(&first, &second));
    if are_beings {
        variants.contradiction(&text, active(&second, &first));
        variants.contradiction(&text, passive(&second, &first));
        variants.contradiction(passive(&first, &second), passive(&second, &first));
        variants.equivalent(active(&second, &first), passive(&second, &first));
    } else if has(&["a", "an"], &second.words[0]) {
        // Two people may each have bought a car.
    } else if is_person(&sentence.words[0]) {
        let names = if has(&lists::MEN, &sentence.words[0]) { lists::WOMEN } else { lists::MEN };
        let other = Role { words: vec![names[random.below(names.len())].to_owned()], is_being: true, is_plural: false };
        variants.contradiction(&text, passive(&other, &second));
        variants.contradiction(passive(&first, &second), active(&other, &second));
    } else if let Some(at) = SUBJECTS.iter().position(|subject| first.words == [*subject]) {
        let other = SUBJECTS[if has(&["he", "she"], SUBJECTS[at]) { 5 - at } else { 3 - at / 4 }];
        let other = Role { words: vec![other.to_owned()], is_being: true, is_plural: false };
        variants.contradiction(&text, passive(&other, &second));
    }
}

/// Whether a possessive of one belongs to the other: `Tom hit his brother`.
fn bound(first: &Role, second: &Role) -> bool {
    let owner = second.words[0].as_str();
    let is_third = !has(&["I", "you", "we"], &first.words[0]);
    has(&["his", "her", "its", "their"], owner) && second.words.len() > 1 && is_third
        || has(&["my", "your", "our"], owner) && !is_third
        || has(&["his", "her", "its", "their"], first.words[0].as_str()) && first.words.len() > 1
}

/// `in the park`, `at school`.
fn is_place(tail: &[String]) -> bool {
    match tail {
        [preposition, place] => has(&["at", "in"], preposition) && has(&["school", "work", "town"], place),
        [preposition, article, place] => {
            has(&["in", "at"], preposition)
                && article == "the"
                && has(&["park", "street", "garden", "kitchen", "morning", "station", "office"], place)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn roles_are_exchanged_in_both_voices() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna hired Peter yesterday.",
            &[
                "= Peter was hired by Anna yesterday.",
                "x Peter hired Anna yesterday.",
                "x Anna was hired by Peter yesterday.",
                "x Peter was hired by Anna yesterday. | Anna was hired by Peter yesterday.",
            ],
        );
        check("I followed them.", &["= They were followed by me.", "x They followed me.", "x I was followed by them."]);
        check("The dog bit the teacher.", &["= The teacher was bitten by the dog.", "x The teacher bit the dog."]);
        check("Anna broke the windows.", &["= The windows were broken by Anna."]);
        check("She painted the door.", &["= The door was painted by her.", "x The door was painted by him."]);
        check("Peter married Anna.", &["= Anna married Peter."]);
        testing::refuses(
            generate,
            &["Peter hurt his dog.", "She hid her money.", "Anna saw the film and left.", "He likes her."],
        );
    }
}
