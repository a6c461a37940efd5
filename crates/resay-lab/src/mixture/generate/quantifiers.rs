//! Quantifiers: what holds of all holds of most and of some, and none excludes them all.

use super::lists::has;
use super::sentence::Sentence;
use super::verbs::{by_past, is_auxiliary};
use super::{Variants, is_plain, is_plural};
use resay_learn::rng::SplitMix;

/// Nouns after which `all the` is no quantity of things.
const NO_THINGS: [&str; 20] = [
    "time", "way", "day", "same", "more", "best", "night", "year", "while", "better", "rest", "other", "others",
    "news", "times", "world", "trouble", "details", "things", "years",
];

pub(super) fn generate(sentence: &Sentence, _: &mut SplitMix, variants: &mut Variants) {
    let is_plain_fact = sentence.is_statement()
        && sentence.mark == '.'
        && !sentence.is_negative()
        && !sentence.has_any(&["if", "whether", "unless", "or", "want", "wanted", "wish", "hope", "before", "after"]);
    pronouns(sentence, is_plain_fact, variants);
    subjects(sentence, is_plain_fact, variants);
    if is_plain_fact {
        parts(sentence, variants);
    }
}

/// `everyone`, `someone`, `nobody` as subjects.
fn pronouns(sentence: &Sentence, is_plain_fact: bool, variants: &mut Variants) {
    let (text, first, next) = (sentence.text(), sentence.word(0), sentence.word(1));
    let new = |word: &[&str]| sentence.replaced(0..1, word);
    let no: &[&str] = &["no", "one"];
    let groups: [[&[&str]; 3]; 3] = [
        [&["everyone"], &["someone"], no],
        [&["everybody"], &["somebody"], &["nobody"]],
        [&["everything"], &["something"], &["nothing"]],
    ];
    let is_verb = is_auxiliary(next) || by_past(next).is_some() || next.ends_with('s') && is_plain(next);
    if !is_verb
        || sentence.mark != '.'
        || sentence.has_any(&["but", "except", "else", "their", "they", "them", "each", "or"])
    {
        return;
    }
    let same = [["everyone", "everybody"], ["everybody", "everyone"], ["someone", "somebody"], ["somebody", "someone"]];
    if let Some([_, other]) = same.iter().find(|[word, _]| *word == first) {
        variants.equivalent(&text, new(&[other]));
    }
    if first == "nobody" {
        variants.equivalent(&text, new(no));
    }
    for [all, some, none] in groups {
        if first == all[0] && is_plain_fact {
            variants.forward(&text, new(some));
            variants.contradiction(&text, new(none));
            if next == "is" || next == "was" {
                variants.contradiction(&text, new(&["not", all[0]]));
            }
        } else if first == some[0] && is_plain_fact {
            variants.add(super::BACKWARD, &text, new(all));
            variants.contradiction(&text, new(none));
        } else if first == none[0] && first != "no" && sentence.count(&super::lists::NEGATIONS) == 1 {
            variants.contradiction(&text, new(some));
            variants.contradiction(&text, new(all));
        }
    }
}

/// `All dogs`, `Some of the dogs` as subjects.
fn subjects(sentence: &Sentence, is_plain_fact: bool, variants: &mut Variants) {
    let (text, first) = (sentence.text(), sentence.word(0));
    if !has(&["all", "some", "most", "many"], first) || !is_plain_fact {
        return;
    }
    // `all of the dogs`, `all the dogs`, `all dogs`
    let of = usize::from(sentence.word(1) == "of");
    let is_definite =
        has(&["the", "my", "our", "his", "her", "their", "these", "those", "your"], sentence.word(1 + of));
    let noun = 1 + of + usize::from(is_definite);
    let (word, verb) = (sentence.word(noun), sentence.word(noun + 1));
    let is_pronoun = of == 1 && !is_definite && has(&["us", "them", "you"], word);
    let agrees = has(&["are", "were", "have", "can", "will", "had"], verb) || by_past(verb).is_some();
    let is_noun = is_plural(word) && !has(&NO_THINGS, word);
    if !(is_pronoun || is_noun && (of == 1) <= is_definite) || !agrees {
        return;
    }
    let range = 0..1 + of;
    let is_partitive = is_definite || is_pronoun;
    let new = |quantifier: &str| {
        let of: &[&str] = if is_partitive { &[quantifier, "of"] } else { &[quantifier] };
        sentence.replaced(range.clone(), of)
    };
    let none = new(if is_partitive { "none" } else { "no" });
    let ranks = ["some", "many", "most", "all"];
    let Some(rank) = ranks.iter().position(|quantifier| *quantifier == first) else { return };
    for (other_rank, other) in ranks.iter().enumerate().filter(|(other, _)| *other != rank) {
        // Many are not most, and most may not be many.
        if [rank, other_rank] != [1, 2]
            && [rank, other_rank] != [2, 1]
            && [rank, other_rank] != [3, 1]
            && [rank, other_rank] != [1, 3]
        {
            variants.add(if rank > other_rank { super::FORWARD } else { super::BACKWARD }, &text, new(other));
        }
    }
    variants.contradiction(&text, none);
    match first {
        "all" => {
            variants.contradiction(
                &text,
                sentence.replaced(range.clone(), if of == 1 { &["not", "all", "of"] } else { &["not", "all"] }),
            );
            if is_definite {
                let other: &[&str] = if of == 1 { &["all"] } else { &["all", "of"] };
                variants.equivalent(&text, sentence.replaced(range, other));
            }
        }
        "some" if is_noun && !is_partitive => {
            let there = match verb {
                "are" => "there are",
                "were" => "there were",
                _ => return,
            };
            let mut words = sentence.words.clone();
            words.splice(0..noun + 2, [there, "some", word, "that", verb].map(str::to_owned));
            variants.equivalent(&text, super::sentence::render(&words, '.'));
        }
        _ => (),
    }
}

/// `all of the cakes` as an object.
fn parts(sentence: &Sentence, variants: &mut Variants) {
    let text = sentence.text();
    for at in 2..sentence.len() {
        let of = usize::from(sentence.word(at + 1) == "of");
        let determiner = sentence.word(at + 1 + of);
        let noun = sentence.word(at + 2 + of);
        let is_definite = has(&["the", "my", "our", "his", "her", "their", "these", "those", "your"], determiner);
        let is_pronoun = of == 1 && has(&["us", "them", "you"], determiner);
        let is_things = is_definite && is_plural(noun) && !has(&NO_THINGS, noun) || is_pronoun;
        let before = sentence.before(at);
        // `we all`, `after all`, `are all the same`.
        let is_apart =
            has(&["we", "they", "you", "after", "at", "of", "them", "us", "are", "were", "above", "it", "is"], before);
        if sentence.word(at) != "all" || !is_things || is_apart || sentence.count(&["all"]) > 1 {
            continue;
        }
        let new = |words: &[&str]| sentence.replaced(at..at + 1 + of, words);
        variants.forward(&text, new(&["some", "of"]));
        variants.forward(&text, new(&["most", "of"]));
        variants.contradiction(&text, new(&["none", "of"]));
        if is_definite {
            variants.equivalent(&text, new(if of == 1 { &["all"] } else { &["all", "of"] }));
            if determiner == "the" {
                let every = sentence.replaced(at..at + 2 + of, &["every", "single", "one", "of", "the"]);
                variants.equivalent(&text, every);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn quantifiers_follow_their_order() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Everyone was asleep.",
            &["= Everybody was asleep.", "> Someone was asleep.", "x No one was asleep.", "x Not everyone was asleep."],
        );
        check(
            "Somebody broke the lamp.",
            &["= Someone broke the lamp.", "< Everybody broke the lamp.", "x Nobody broke the lamp."],
        );
        check("Nobody came home.", &["= No one came home.", "x Somebody came home."]);
        check(
            "All of the rooms are cold.",
            &[
                "= All the rooms are cold.",
                "> Some of the rooms are cold.",
                "x None of the rooms are cold.",
                "x Not all of the rooms are cold.",
            ],
        );
        check(
            "Some birds are blue.",
            &[
                "< All birds are blue.",
                "< Most birds are blue.",
                "x No birds are blue.",
                "= There are some birds that are blue.",
            ],
        );
        check(
            "Anna ate all the cherries.",
            &[
                "= Anna ate all of the cherries.",
                "> Anna ate some of the cherries.",
                "x Anna ate none of the cherries.",
            ],
        );
        testing::refuses(
            generate,
            &["He works all the time.", "Not all cats are black.", "We all like cake.", "All I want is tea."],
        );
    }
}
