//! Questions: against statements of the same words and against other questions; asked indirectly,
//! they do not change.

use super::Variants;
use super::is_person;
use super::lists::{self, has};
use super::sentence::{Sentence, render};
use super::verbs::{by_base, by_past, by_third_person, expanded, is_auxiliary, third_person, verb_place};
use resay_learn::rng::SplitMix;

/// What one asks for, with what else one may ask for in the same words.
const ASKED: [[&str; 2]; 6] =
    [["when", "where"], ["where", "when"], ["why", "how"], ["how", "why"], ["why", "when"], ["where", "why"]];

const FRAMES: [&str; 4] = ["can you tell me", "could you tell me", "do you know", "I'd like to know"];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    match sentence.mark {
        '.' => statement(sentence, random, variants),
        '?' => question(sentence, random, variants),
        _ => (),
    }
}

/// A statement, and the question whether it is so.
fn statement(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let long = expanded(sentence);
    let plain = long.as_ref().unwrap_or(sentence);
    if !plain.is_statement() || plain.is_negative() || !plain.is_simple() || plain.has_any(&lists::SCOPED[..24]) {
        return;
    }
    let Some(at) = verb_place(plain) else { return };
    let (subject, verb, rest) = (&plain.words[..at], plain.word(at), &plain.words[at + 1..]);
    if rest.is_empty() || has(&["used", "must", "may", "might", "let"], verb) || has(&["I", "we"], plain.word(0)) {
        return;
    }
    let is_main = has(&["has", "have", "had"], verb);
    let (support, main) = if is_auxiliary(verb) && !is_main {
        (verb, None)
    } else if is_main {
        return;
    } else if let Some(known) = by_past(verb).filter(|known| known.past != known.base) {
        ("did", Some(known.base))
    } else if let Some(known) = by_third_person(verb) {
        ("does", Some(known.base))
    } else {
        return;
    };
    let main: Vec<String> = main.into_iter().map(str::to_owned).collect();
    let asked = render(&[&[support.to_owned()], subject, &main, rest].concat(), '?');
    let text = sentence.text();
    variants.neutral(&text, &asked);
    let whether = ["whether", "if"][random.below(2)];
    let frame = FRAMES[random.below(3)];
    let indirect = render(&[&[frame.to_owned(), whether.to_owned()], plain.words.as_slice()].concat(), '?');
    variants.equivalent(&asked, &indirect);
    variants.neutral(&text, indirect);
    for word in ["where", "when", "why"] {
        let other = render(&[&[word.to_owned(), support.to_owned()], subject, &main, rest].concat(), '?');
        let is_answered = rest.len() < 2 && word != "why";
        let is_apt = word == "why" || support == "did" && !rest.iter().any(|rest| has(&TIMES_AND_PLACES, rest));
        if is_apt && !is_answered {
            variants.neutral(&asked, &other);
            if word == "why" {
                variants.neutral(&text, other);
            }
        }
    }
}

/// Words that answer when or where.
const TIMES_AND_PLACES: [&str; 20] = [
    "yesterday",
    "today",
    "in",
    "at",
    "on",
    "last",
    "ago",
    "every",
    "here",
    "there",
    "home",
    "to",
    "from",
    "tomorrow",
    "this",
    "near",
    "next",
    "into",
    "away",
    "out",
];

/// A question with a question word: asked indirectly, for something else, or negated.
fn question(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let (word, support) = (sentence.word(0), sentence.word(1));
    if !has(&["when", "where", "why", "how"], word) || !sentence.is_simple_after(1) || sentence.is_negative() {
        return;
    }
    let text = sentence.text();
    // `How many`, `How old` ask for something else than the manner, and ask it directly.
    let Some((subject, n)) = subject(sentence, 2) else { return };
    let rest = &sentence.words[2 + n..];
    let is_do = has(&["do", "does", "did"], support);
    let clause: Vec<String> = if is_do {
        let Some(known) = rest.first().and_then(|base| by_base(base)) else { return };
        let verb = match support {
            "did" => known.past.clone(),
            "does" => third_person(known.base),
            _ => known.base.to_owned(),
        };
        [subject, &[verb], &rest[1..]].concat()
    } else if is_auxiliary(support) {
        let is_verb_next = rest
            .first()
            .is_some_and(|next| next.ends_with("ing") || by_base(next).is_some() || has(&["so", "be"], next));
        if !rest.is_empty() && !is_verb_next && !has(&["is", "was", "are", "were"], support) {
            return;
        }
        [subject, &[support.to_owned()], rest].concat()
    } else {
        return;
    };
    let frame = FRAMES[random.below(4)];
    let mark = if frame.starts_with('I') { '.' } else { '?' };
    let indirect = |word: &str| render(&[&[frame.to_owned(), word.to_owned()], clause.as_slice()].concat(), mark);
    variants.equivalent(&text, indirect(word));
    let has_place = rest.iter().any(|rest| has(&TIMES_AND_PLACES, rest));
    let is_action = is_do && rest.len() > 1 && rest[0] != "like" && rest[0] != "get" && !has_place;
    for [_, other] in ASKED.iter().filter(|[asked, _]| *asked == word && is_action && support != "do") {
        variants.neutral(&text, sentence.replaced(0..1, &[other]));
        variants.neutral(&text, indirect(other));
    }
    if word == "why" && (is_do || has(&["is", "are", "was", "were", "can", "should"], support)) {
        let negative = format!("{}n't", if support == "can" { "ca" } else { support });
        variants.neutral(&text, sentence.replaced(1..2, &[&negative]));
    }
}

/// The subject that starts at a place, and the number of its words.
fn subject(sentence: &Sentence, at: usize) -> Option<(&[String], usize)> {
    let first = sentence.word(at);
    let n = if has(&lists::SUBJECTS, first) || is_person(first) {
        1
    } else if has(&lists::DETERMINERS, first) && super::is_plain(sentence.word(at + 1)) && at + 2 >= sentence.len() {
        2
    } else {
        return None;
    };
    Some((&sentence.words[at..at + n], n))
}

impl Sentence {
    /// Whether no other clause follows a place.
    fn is_simple_after(&self, at: usize) -> bool {
        !self.words[at..].iter().any(|word| has(&lists::SUBORDINATORS[..31], word) || word == ",")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn questions_are_no_statements() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna sold the piano.",
            &[
                "# Did Anna sell the piano?",
                "= Did Anna sell the piano? | Do you know whether Anna sold the piano?",
                "# Did Anna sell the piano? | When did Anna sell the piano?",
            ],
        );
        check("The shop is closed.", &["# Is the shop closed?", "# Can you tell me if the shop is closed?"]);
        check(
            "Why did Anna sell the piano?",
            &[
                "= Can you tell me why Anna sold the piano?",
                "= I'd like to know why Anna sold the piano.",
                "# How did Anna sell the piano?",
                "# Why didn't Anna sell the piano?",
            ],
        );
        check("Where is your brother?", &["= Do you know where your brother is?"]);
        testing::refuses(
            generate,
            &["How old is your dog?", "Why don't you sit down?", "I saw that he was ill.", "Sit down here!"],
        );
    }
}
