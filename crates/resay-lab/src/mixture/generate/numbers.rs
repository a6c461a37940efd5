//! Numbers: another number contradicts, the same number in words or digits does not matter.

use super::lists::has;
use super::sentence::Sentence;
use super::{Variants, is_plural};
use resay_learn::rng::SplitMix;

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Words before a number that leave room for others.
const VAGUE: [&str; 26] = [
    "than",
    "least",
    "most",
    "over",
    "under",
    "about",
    "around",
    "nearly",
    "almost",
    "within",
    "up",
    "roughly",
    "any",
    "every",
    "some",
    "to",
    "at",
    "between",
    "approximately",
    "only",
    "just",
    "another",
    "page",
    "room",
    "number",
    "chapter",
];

/// Words after a number that make something else of it.
const OTHER_UNITS: [&str; 12] =
    ["of", "o'clock", "percent", "or", "to", "hundred", "thousand", "million", "billion", "dozen", "p", "a"];

/// Nouns that are not counted by the dozen.
const NO_DOZENS: [&str; 16] = [
    "years",
    "hours",
    "minutes",
    "seconds",
    "degrees",
    "feet",
    "dollars",
    "inches",
    "meters",
    "miles",
    "pounds",
    "kilometers",
    "months",
    "yen",
    "kilograms",
    "cents",
];

/// A number from 2 to 100 that a word stands for.
fn value(word: &str) -> Option<usize> {
    let digits = word.parse().ok().filter(|_| !word.starts_with('0') && !word.starts_with('+'));
    let spelt = || (2..100).find(|&number| spelling(number) == word);
    digits.or_else(spelt).filter(|number| (2..=100).contains(number))
}

/// A number below 100 in words; 100 is `a hundred`.
pub(super) fn spelling(number: usize) -> String {
    match (number / 10, number % 10) {
        (10, 0) => "a hundred".to_owned(),
        (0 | 1, _) => SMALL[number % 20].to_owned(),
        (tens, 0) => TENS[tens % 10].to_owned(),
        (tens, unit) => format!("{}-{}", TENS[tens % 10], SMALL[unit]),
    }
}

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    for at in 0..sentence.len() {
        let Some(number) = value(sentence.word(at)) else { continue };
        let (before, after) = (sentence.before(at), sentence.word(at + 1));
        let is_other = after.parse::<usize>().is_ok() || before.parse::<usize>().is_ok() || has(&OTHER_UNITS, after);
        // `the fourth of July, 20`, `Henry 8`: only what is counted.
        if is_other || !is_counted(sentence, at) || before == "or" || before.ends_with('m') && before.len() == 2 {
            continue;
        }
        let text = sentence.text();
        let is_digits = sentence.word(at).starts_with(|letter: char| letter.is_ascii_digit());
        let forms = |number: usize| [number.to_string(), spelling(number)];
        let has_article = has(&["the", "those", "these", "my", "his", "her", "our", "their", "your"], before);
        // No sentence begins with digits.
        let written = |number: usize, in_digits: bool| {
            let [digits, words] = forms(number);
            let is_hundred = number == 100 && has_article;
            let is_apt = !is_hundred && (at > 0 || !in_digits);
            is_apt.then_some(if in_digits { digits } else { words })
        };
        let Some(same) = written(number, !is_digits) else { continue };
        let rewritten = sentence.replaced(at..at + 1, &[&same]);
        variants.equivalent(&text, &rewritten);
        let is_dozen = number == 12 && is_plural(after) && !has(&NO_DOZENS, after) && !has_article && at > 0;
        if is_dozen {
            variants.equivalent(&text, sentence.replaced(at..at + 1, &["a", "dozen"]));
        }
        if sentence.is_assertion() && !has(&VAGUE, before) && before != "number" {
            let other = another(number, random);
            if let Some(other) = written(other, if random.below(2) == 0 { is_digits } else { !is_digits }) {
                let source = if random.below(2) == 0 { &text } else { &rewritten };
                variants.contradiction(source, sentence.replaced(at..at + 1, &[&other]));
            }
        }
    }
}

/// Whether something is counted: a plural follows, or an adjective and a plural.
fn is_counted(sentence: &Sentence, at: usize) -> bool {
    let [first, second] = [1, 2].map(|offset| sentence.word(at + offset));
    let is_adjective = has(&["more", "big", "small", "new", "old", "young", "good", "other", "different"], first);
    is_plural(first) || has(&["yen", "glasses"], first) || is_adjective && is_plural(second)
}

/// Another number of about the same size, never 1.
fn another(number: usize, random: &mut SplitMix) -> usize {
    let step = if number >= 20 && number.is_multiple_of(10) { 10 } else { 1 };
    let change = step * (1 + random.below(3));
    if (random.below(2) == 0 || number + change > 99) && number >= change + 2 {
        number - change
    } else {
        (number + change).min(99)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn numbers_change_or_are_rewritten() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "Anna baked 12 cakes.",
            &[
                "= Anna baked twelve cakes.",
                "= Anna baked a dozen cakes.",
                "x Anna baked 13 cakes.",
                "x Anna baked eleven cakes.",
            ],
        );
        check(
            "We stayed twenty days.",
            &["= We stayed 20 days.", "x We stayed thirty days.", "x We stayed 20 days. | We stayed 10 days."],
        );
        check("Do you have two sons?", &["= Do you have 2 sons?"]);
        check("It took at least three hours.", &["= It took at least 3 hours."]);
        testing::refuses(
            generate,
            &["He came at 7 o'clock.", "One day it rained.", "I need two or three days.", "She was born in 1987."],
        );
    }

    #[test]
    fn spellings_are_read_back() {
        assert!((2..100).all(|number| value(&spelling(number)) == Some(number)));
        assert_eq!(
            (spelling(21).as_str(), value("100"), value("1"), value("007")),
            ("twenty-one", Some(100), None, None)
        );
        let mut random = SplitMix::new(1);
        assert!((2..=100).all(|number| (0..20).all(|_| {
            let other = another(number, &mut random);
            other != number && (2..=99).contains(&other)
        })));
    }
}
