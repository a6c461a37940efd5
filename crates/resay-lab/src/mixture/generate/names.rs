//! Who it is about: another person contradicts, the same pronoun in a contraction does not matter.

use super::Variants;
use super::lists::{MEN, WOMEN, has, is_person};
use super::sentence::Sentence;
use super::verbs::by_past;
use resay_learn::rng::SplitMix;

/// Words that fit only one sex.
const GENDERED: [&str; 48] = [
    "father",
    "mother",
    "man",
    "woman",
    "men",
    "women",
    "boy",
    "girl",
    "boys",
    "girls",
    "brother",
    "sister",
    "son",
    "daughter",
    "husband",
    "wife",
    "king",
    "queen",
    "uncle",
    "aunt",
    "grandfather",
    "grandmother",
    "boyfriend",
    "girlfriend",
    "gentleman",
    "lady",
    "pregnant",
    "beard",
    "dad",
    "mom",
    "prince",
    "princess",
    "sir",
    "nephew",
    "niece",
    "widow",
    "actress",
    "waitress",
    "guy",
    "himself",
    "herself",
    "handsome",
    "his",
    "her",
    "him",
    "hers",
    "bachelor",
    "policeman",
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    pronouns(sentence, variants);
    people(sentence, random, variants);
}

/// `he` and `she`, `they` and `he`.
fn pronouns(sentence: &Sentence, variants: &mut Variants) {
    let (first, text) = (sentence.word(0), sentence.text());
    let (head, rest) = first.split_once('\'').unwrap_or((first, ""));
    let is_plain = sentence.mark == '.' && !sentence.words.iter().any(|word| is_person(word));
    if !is_plain || sentence.has_any(&GENDERED) || sentence.count(&["he", "she", "they", "them", "their"]) > 1 {
        return;
    }
    let other = match head {
        "he" => "she",
        "she" => "he",
        "they" if by_past(sentence.word(1)).is_some_and(|verb| verb.base != verb.past) => "he",
        _ => return,
    };
    let new = if rest.is_empty() { other.to_owned() } else { format!("{other}'{rest}") };
    if (head == "they" && !rest.is_empty()) || sentence.has_any(&["each", "together", "themselves", "married", "met"]) {
        return;
    }
    variants.contradiction(&text, sentence.replaced(0..1, &[&new]));
    // The same person, contracted or not, is harmless.
    if sentence.word(1) == "is" && !has(&["", ","], sentence.word(2)) && rest.is_empty() {
        variants.equivalent(&text, sentence.replaced(0..2, &[&format!("{head}'s")]));
        variants.contradiction(&text, sentence.replaced(0..2, &[&format!("{other}'s")]));
    }
    if rest == "ll" {
        variants.equivalent(&text, sentence.replaced(0..1, &[head, "will"]));
        variants.contradiction(&text, sentence.replaced(0..1, &[other, "will"]));
    }
}

/// One name becomes another; in a frame that names the person twice it stays the same.
fn people(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let places: Vec<usize> = (0..sentence.len()).filter(|&at| is_person(sentence.word(at))).collect();
    let [at] = places[..] else { return };
    let is_apart = |at: usize| !has(&["and", "or", ",", "than"], sentence.word(at));
    if !sentence.is_assertion() || (at > 0 && !is_apart(at - 1)) || !is_apart(at + 1) {
        return;
    }
    let (name, text) = (sentence.word(at), sentence.text());
    let list = if has(&MEN, name) { MEN } else { WOMEN };
    let other = list[random.below(list.len())];
    if other == name {
        return;
    }
    variants.contradiction(&text, sentence.replaced(at..at + 1, &[other]));
    // `It was Anna who came` is `Anna came`.
    let verb = by_past(sentence.word(1)).is_some();
    if at == 0 && verb && sentence.is_simple() {
        for (who, is_same) in [(name, true), (other, false)] {
            let cleft = sentence.replaced(0..1, &["it", "was", who, "who"]);
            let relation = if is_same { super::EQUIVALENT } else { super::CONTRADICTION };
            variants.add(relation, &text, cleft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn people_are_exchanged() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "He is asleep upstairs.",
            &["x She is asleep upstairs.", "= He's asleep upstairs.", "x She's asleep upstairs."],
        );
        check("They sold the farm.", &["x He sold the farm."]);
        check(
            "Anna lost the key.",
            &["x Emma lost the key.", "= It was Anna who lost the key.", "x It was Olga who lost the key."],
        );
        check("I met Peter yesterday.", &["x I met Omar yesterday."]);
        testing::refuses(
            generate,
            &["She is my mother.", "Peter and Anna left.", "Is he asleep?", "If Anna comes we leave."],
        );
    }
}
