//! Adverbials of time: moved, they do not matter; replaced, they contradict; dropped, less is said.

use super::lists::{self, has};
use super::sentence::{Sentence, render};
use super::verbs::verb_place;
use super::{Variants, verbs};
use resay_learn::rng::SplitMix;

/// An adverbial, and from how many days to how many days away that is, as one speaks.
type Adverbial = (&'static str, u16, u16);

const PAST: [Adverbial; 14] = [
    ("yesterday", 1, 1),
    ("last night", 0, 1),
    ("last week", 3, 14),
    ("last month", 15, 62),
    ("last year", 100, 730),
    ("last summer", 63, 600),
    ("two days ago", 2, 2),
    ("three weeks ago", 19, 23),
    ("a few days ago", 2, 6),
    ("yesterday morning", 1, 1),
    ("yesterday afternoon", 1, 1),
    ("a month ago", 28, 32),
    ("an hour ago", 0, 0),
    ("last Friday", 2, 9),
];
const FUTURE: [Adverbial; 8] = [
    ("tomorrow", 1, 1),
    ("next week", 3, 14),
    ("next month", 15, 62),
    ("next year", 100, 730),
    ("tomorrow morning", 1, 1),
    ("tomorrow afternoon", 1, 1),
    ("next Monday", 2, 9),
    ("next summer", 63, 600),
];
const PRESENT: [Adverbial; 4] =
    [("every day", 0, 9), ("every morning", 2, 2), ("every evening", 3, 3), ("every week", 0, 9)];

/// Words that the adverbial may belong to instead.
const ATTRACTING: [&str; 33] = [
    "much", "pretty", "almost", "nearly", "just", "late", "early", "not", "to", "want", "wants", "wanted", "plan",
    "plans", "decided", "said", "met", "of", "from", "since", "until", "than", "by", "for", "about", "be", "and",
    "but", "as", "more", "only", "here", "there",
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    if sentence.mark != '.' || sentence.is_negative() {
        return;
    }
    for list in [&PAST[..], &FUTURE, &PRESENT] {
        for &(adverbial, from, to) in list {
            let words: Vec<&str> = adverbial.split(' ').collect();
            let Some((core, is_early)) = split(sentence, &words) else { continue };
            let clause = Sentence { words: core, mark: '.', is_movable: true };
            let is_other =
                clause.has_any(&lists::SUBORDINATORS[..22]) || clause.has_any(&ATTRACTING) || has_time(&clause);
            if !clause.is_statement() || is_other || !agrees(&clause, list) {
                continue;
            }
            let (text, other) = (sentence.text(), list[random.below(list.len())]);
            let (other, other_from, other_to) = other;
            let early = |adverbial: &str| {
                render(&[&[adverbial.to_owned(), ",".to_owned()], clause.words.as_slice()].concat(), '.')
            };
            let late = |adverbial: &str| render(&[clause.words.as_slice(), &[adverbial.to_owned()]].concat(), '.');
            variants.equivalent(&text, if is_early { late(adverbial) } else { early(adverbial) });
            variants.forward(&text, render(&clause.words, '.'));
            if other_from > to || other_to < from {
                let relation = if list[0].0 == "every day" { super::NEUTRAL } else { super::CONTRADICTION };
                variants.add(relation, &text, if random.below(2) == 0 { late(other) } else { early(other) });
            }
        }
    }
}

/// The sentence without the adverbial, and whether that stood at the start.
fn split(sentence: &Sentence, adverbial: &[&str]) -> Option<(Vec<String>, bool)> {
    let (words, n) = (&sentence.words, adverbial.len());
    if words.len() < n + 3 {
        return None;
    }
    let rest = words.len() - n;
    if words[rest..].iter().eq(adverbial) && words[rest - 1] != "," {
        return sentence.is_movable.then(|| (words[..rest].to_vec(), false));
    }
    let is_early = words[..n].iter().eq(adverbial) && words[n] == ",";
    is_early.then(|| (words[n + 1..].to_vec(), true))
}

/// Whether the clause names a time already.
fn has_time(clause: &Sentence) -> bool {
    let others = [
        "morning", "evening", "night", "o'clock", "day", "today", "ago", "last", "next", "every", "at", "on", "during",
        ",",
    ];
    clause.has_any(&others) || clause.words.iter().any(|word| word.contains(':'))
}

/// Whether its verb has the tense of the list.
fn agrees(clause: &Sentence, list: &[Adverbial]) -> bool {
    let Some(at) = verb_place(clause) else { return false };
    let verb = clause.word(at);
    match list[0].0 {
        "yesterday" => {
            verbs::by_past(verb).is_some_and(|known| known.past != known.base) || has(&["was", "were"], verb)
        }
        "tomorrow" => verb == "will" || has(&["is", "are", "am"], verb) && clause.word(at + 1).ends_with("ing"),
        _ => verbs::by_third_person(verb).is_some() || verbs::by_base(verb).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn adverbials_move_and_change() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna bought a bicycle yesterday.",
            &[
                "= Yesterday, Anna bought a bicycle.",
                "> Anna bought a bicycle.",
                "x Anna bought a bicycle last year.",
                "x Last month, Anna bought a bicycle.",
            ],
        );
        check(
            "Last week, we painted the fence.",
            &["= We painted the fence last week.", "x We painted the fence two days ago."],
        );
        check("They will sell the house next year.", &["= Next year, they will sell the house."]);
        check("He runs home every day.", &["= Every day, he runs home."]);
        testing::refuses(
            generate,
            &[
                "She said he left yesterday.",
                "He wanted to go last week.",
                "Call me tomorrow.",
                "Did it rain last night?",
            ],
        );
    }
}
