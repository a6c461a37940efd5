//! Lists with `and` and `or`: their order does not matter, and who drops one member says less.

use super::lists::{self, has};
use super::sentence::Sentence;
use super::verbs::by_past;
use super::{Variants, is_person, is_plain, is_plural};
use resay_learn::rng::SplitMix;

/// Words that say that the members act together or are told apart.
const COLLECTIVE: [&str; 53] = [
    "equally",
    "their",
    "they",
    "them",
    "hands",
    "engaged",
    "dated",
    "dating",
    "broke",
    "split",
    "separated",
    "argued",
    "fought",
    "hugged",
    "kissed",
    "fell",
    "consists",
    "consist",
    "made",
    "ourselves",
    "themselves",
    "another",
    "together",
    "both",
    "each",
    "other",
    "same",
    "friends",
    "twins",
    "between",
    "married",
    "met",
    "brothers",
    "sisters",
    "cousins",
    "either",
    "neither",
    "alike",
    "different",
    "couple",
    "divorced",
    "agreed",
    "similar",
    "share",
    "shared",
    "respectively",
    "among",
    "related",
    "all",
    "enemies",
    "are",
    "were",
    "have",
];

/// Single nouns that are often listed.
const THINGS: [&str; 49] = [
    "bread",
    "butter",
    "milk",
    "coffee",
    "tea",
    "water",
    "meat",
    "fish",
    "rice",
    "cheese",
    "sugar",
    "salt",
    "beer",
    "wine",
    "fruit",
    "chicken",
    "beef",
    "pork",
    "soup",
    "food",
    "music",
    "art",
    "history",
    "math",
    "physics",
    "chemistry",
    "biology",
    "science",
    "football",
    "tennis",
    "baseball",
    "basketball",
    "golf",
    "swimming",
    "skiing",
    "reading",
    "singing",
    "dancing",
    "cooking",
    "red",
    "blue",
    "green",
    "yellow",
    "white",
    "black",
    "English",
    "French",
    "Japanese",
    "German",
];

pub(super) fn generate(sentence: &Sentence, _: &mut SplitMix, variants: &mut Variants) {
    let joins: Vec<usize> = (1..sentence.len()).filter(|&at| has(&["and", "or"], sentence.word(at))).collect();
    let [at] = joins[..] else { return };
    if sentence.has_any(&["between", "both", "either", "neither", "whether", "not", "more", "than"])
        || sentence.words.iter().any(|word| word == ",")
    {
        return;
    }
    let Some(n) = members(sentence, at) else { return };
    let (first, second) = (&sentence.words[at - n..at], &sentence.words[at + 1..at + 1 + n]);
    if first == second || second.iter().any(|word| word == "half") {
        return;
    }
    let (text, join) = (sentence.text(), sentence.word(at));
    let range = at - n..at + 1 + n;
    let listed = |parts: &[&[String]]| {
        let words = parts.concat();
        sentence.replaced(range.clone(), &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let and = [join.to_owned()];
    variants.equivalent(&text, listed(&[second, &and, first]));
    let is_sound = sentence.is_statement()
        && !sentence.is_negative()
        && !sentence.has_any(&["if", "all", "only", "think", "like"]);
    if !is_sound || sentence.has_any(&COLLECTIVE) || sentence.mark != '.' {
        return;
    }
    if join == "and" {
        variants.forward(&text, listed(&[first]));
        variants.forward(&text, listed(&[second]));
        variants.forward(&text, listed(&[first, &["or".to_owned()], second]));
        if at == 1 {
            // `Anna but not Peter left` is stilted.
            return;
        }
        variants.contradiction(&text, listed(&[first, &["but".to_owned(), "not".to_owned()], second]));
        variants.contradiction(
            listed(&[second, &and, first]),
            listed(&[second, &["but".to_owned(), "not".to_owned()], first]),
        );
    } else if !sentence.has_any(&lists::UNREAL[5..]) {
        variants.add(super::BACKWARD, &text, listed(&[first]));
        variants.add(super::BACKWARD, &text, listed(&[first, &["and".to_owned()], second]));
    }
}

/// The number of words of each member around a conjunction: one or, with a determiner, two.
fn members(sentence: &Sentence, at: usize) -> Option<usize> {
    let [first, second, next] = [at - 1, at + 1, at + 2].map(|at| sentence.word(at));
    let before = sentence.before(at - 1);
    // People as subjects of a verb that does not show their number, or after a preposition.
    if is_person(first) && is_person(second) {
        let is_subject = at == 1 && by_past(next).is_some();
        let is_object =
            has(&["with", "to", "for", "by", "about", "saw", "invited", "asked", "told", "helped", "called"], before)
                && has(&["", "yesterday", "today"], next);
        return (is_subject || is_object).then_some(1);
    }
    let ends = has(&["", "yesterday", "today", "for", "in", "at", "every", "on"], next);
    let is_start = by_past(before).is_some()
        || has(
            &[
                "likes", "eats", "sells", "buys", "plays", "teaches", "needs", "speaks", "some", "of", "about", "for",
                "with", "in",
            ],
            before,
        )
        || at == 3
            && has(
                &["eat", "drink", "sell", "need", "want", "speak", "study", "play", "have", "teach", "like", "love"],
                before,
            );
    let is_thing = |word: &str| has(&THINGS, word) || is_plural(word);
    if is_thing(first) && is_thing(second) && is_start && ends {
        return Some(1);
    }
    let is_noun = |word: &str| is_plain(word) && by_past(word).is_none();
    let [owner, other] = [at.checked_sub(2).map_or("", |at| sentence.word(at)), second];
    let is_phrase = has(&lists::DETERMINERS[..10], owner) && has(&lists::DETERMINERS[..10], other) && owner != "its";
    let start = at.checked_sub(3).map_or("", |at| sentence.word(at));
    let ends = has(&["", "yesterday", "today"], sentence.word(at + 3));
    let is_object = by_past(start).is_some() || has(&["with", "for", "about", "has", "of", "by", "without"], start);
    (is_phrase && ends && is_object && is_noun(first) && is_noun(next)).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn lists_are_reordered_and_shortened() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna bought apples and pears.",
            &[
                "= Anna bought pears and apples.",
                "> Anna bought apples.",
                "> Anna bought pears.",
                "> Anna bought apples or pears.",
                "x Anna bought apples but not pears.",
            ],
        );
        check(
            "Anna and Peter left early.",
            &["= Peter and Anna left early.", "> Anna left early.", "> Anna or Peter left early."],
        );
        check("He found a key and a coin.", &["= He found a coin and a key.", "> He found a coin."]);
        testing::refuses(
            generate,
            &["They came and went.", "It gets more and more cold.", "We sat and talked about it."],
        );
    }
}
