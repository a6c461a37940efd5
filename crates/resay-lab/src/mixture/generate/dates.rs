//! Weekdays, months and clock times: exchanged, or written otherwise.

use super::Variants;
use super::lists::has;
use super::numbers::spelling;
use super::sentence::Sentence;
use resay_learn::rng::SplitMix;

pub(super) const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let n_dates = sentence.count(&DAYS) + sentence.count(&MONTHS);
    for at in 0..sentence.len() {
        weekday(sentence, at, random, variants);
        clock(sentence, at, random, variants);
        if n_dates == 1 {
            exchanged(
                sentence,
                at,
                &DAYS,
                &["on", "is", "was", "this", "last", "next", "until", "since"],
                random,
                variants,
            );
            exchanged(sentence, at, &MONTHS, &["in", "last", "next", "of", "since", "until"], random, variants);
            day_of_month(sentence, at, random, variants);
        }
    }
}

/// Whether only one time can be meant: a plain statement about something that happens once.
fn is_definite(sentence: &Sentence) -> bool {
    sentence.is_assertion() && !sentence.has_any(&["every", "each", "always", "usually", "often", "sometimes", "comes"])
}

/// A name in a list, after certain words, becomes another of the list.
fn exchanged(
    sentence: &Sentence,
    at: usize,
    list: &[&str],
    after: &[&str],
    random: &mut SplitMix,
    variants: &mut Variants,
) {
    let Some(place) = list.iter().position(|name| *name == sentence.word(at)) else { return };
    if is_definite(sentence) && has(after, sentence.before(at)) {
        let other = list[(place + 1 + random.below(list.len() - 1)) % list.len()];
        variants.contradiction(sentence.text(), sentence.replaced(at..at + 1, &[other]));
    }
}

/// `every Monday` is `on Mondays`; the other days are not.
fn weekday(sentence: &Sentence, at: usize, random: &mut SplitMix, variants: &mut Variants) {
    let (before, word, text) = (sentence.before(at), sentence.word(at), sentence.text());
    let is_last = at + 1 == sentence.len() || sentence.word(at + 1) == ",";
    let Some(place) = DAYS.iter().position(|day| *day == word.strip_suffix('s').unwrap_or(word)) else { return };
    if !is_last || at == 0 {
        return;
    }
    let day = DAYS[place];
    let days = format!("{day}s");
    let range = at - 1..at + 1;
    let forms = [["on", &days], ["every", day], ["each", day]];
    let is_habit = forms.contains(&[before, word]);
    if is_habit {
        let new = forms[random.below(3)];
        variants.equivalent(&text, sentence.replaced(range.clone(), &new));
    }
    if is_habit && sentence.is_assertion() {
        let other = DAYS[(place + 1 + random.below(6)) % 7];
        variants.neutral(text, sentence.replaced(range, &["every", other]));
    }
}

/// `October 20th` is `the 20th of October`.
fn day_of_month(sentence: &Sentence, at: usize, random: &mut SplitMix, variants: &mut Variants) {
    let Some(place) = MONTHS.iter().position(|month| *month == sentence.word(at)) else { return };
    let next = sentence.word(at + 1);
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| next.strip_suffix(ending)).unwrap_or(next);
    let Some(day) = digits.parse::<usize>().ok().filter(|day| (1..=28).contains(day)) else { return };
    if !has(&["on", "is", "was"], sentence.before(at)) {
        return;
    }
    let (month, text, range) = (MONTHS[place], sentence.text(), at..at + 2);
    let forms = |day: usize, month: &str| {
        let [st, short] = [format!("{day}{}", ordinal(day)), day.to_string()];
        [
            format!("{month} {st}"),
            format!("{month} {short}"),
            format!("the {st} of {month}"),
            format!("{short} {month}"),
        ]
    };
    variants.equivalent(&text, sentence.replaced(range.clone(), &[&forms(day, month)[random.below(4)]]));
    if is_definite(sentence) {
        let other = 1 + (day + random.below(26)) % 28;
        variants.contradiction(&text, sentence.replaced(range.clone(), &[&forms(other, month)[random.below(4)]]));
        let other = MONTHS[(place + 1 + random.below(11)) % 12];
        variants.contradiction(&text, sentence.replaced(range, &[&forms(day, other)[random.below(4)]]));
    }
}

fn ordinal(day: usize) -> &'static str {
    match (day / 10, day % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

/// The ways to write a time; minutes are 0, 15, 30 or 45.
fn clock_forms(hour: usize, minutes: usize) -> Vec<String> {
    let next = hour % 12 + 1;
    let [spelt, after] = [hour, next].map(spelling);
    match minutes {
        0 => vec![format!("{hour}:00"), format!("{hour} o'clock"), format!("{spelt} o'clock")],
        15 => vec![format!("{hour}:15"), format!("a quarter past {spelt}"), format!("{spelt} fifteen")],
        30 => vec![format!("{hour}:30"), format!("half past {spelt}"), format!("{spelt} thirty")],
        45 => vec![format!("{hour}:45"), format!("a quarter to {after}"), format!("{spelt} forty-five")],
        _ => vec![format!("{hour}:{minutes:02}")],
    }
}

/// The time that starts at a place, and the number of its words.
fn clock_at(sentence: &Sentence, at: usize) -> Option<(usize, usize, usize)> {
    let word = sentence.word(at);
    let hour = |word: &str| (1..13).find(|&hour| hour.to_string() == word || spelling(hour) == word);
    if let Some((hours, minutes)) = word.split_once(':') {
        return Some((hour(hours)?, minutes.parse().ok()?, 1));
    }
    if sentence.word(at + 1) == "o'clock" {
        return Some((hour(word)?, 0, 2));
    }
    (word == "half" && sentence.word(at + 1) == "past").then(|| Some((hour(sentence.word(at + 2))?, 30, 3)))?
}

fn clock(sentence: &Sentence, at: usize, random: &mut SplitMix, variants: &mut Variants) {
    let (before, text) = (sentence.before(at), sentence.text());
    for [word, same, other] in [["noon", "midday", "midnight"], ["midday", "noon", "midnight"]] {
        if sentence.word(at) == word && has(&["at", "by", "before", "until"], before) {
            variants.equivalent(&text, sentence.replaced(at..at + 1, &[same]));
            if is_definite(sentence) {
                variants.contradiction(&text, sentence.replaced(at..at + 1, &[other]));
            }
        }
    }
    let Some((hour, minutes, n_words)) = clock_at(sentence, at) else { return };
    let after = sentence.word(at + n_words);
    if after == "sharp" || before == "to" || before == "past" || minutes > 59 || has(&["a", "the"], before) {
        return;
    }
    let range = at..at + n_words;
    let draw = |forms: Vec<String>, random: &mut SplitMix| {
        let mut forms = forms;
        // After `p` and `a`, and before `train` and others, only digits will do.
        if !(after.is_empty() || has(&[",", "in", "on", "yesterday", "every", "this", "tomorrow"], after)) || at == 0 {
            forms.retain(|form| form.contains(':'));
        }
        let index = random.below(forms.len());
        forms.get(index).cloned()
    };
    if let Some(same) = draw(clock_forms(hour, minutes), random) {
        variants.equivalent(&text, sentence.replaced(range.clone(), &[&same]));
    }
    if is_definite(sentence) && !has(&["about", "around", "before", "after", "by", "almost", "nearly", "past"], before)
    {
        let other = 1 + (hour + random.below(11)) % 12;
        if let Some(other) = draw(clock_forms(other, minutes), random) {
            variants.contradiction(&text, sentence.replaced(range, &[&other]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn dates_are_exchanged_or_rewritten() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check("We met on Friday.", &["x We met on Monday.", "x We met on Sunday."]);
        check("They play chess every Friday.", &["= They play chess on Fridays.", "= They play chess each Friday."]);
        check("She moved here in June.", &["x She moved here in March."]);
        check(
            "The shop opened on June 3rd.",
            &[
                "= The shop opened on the 3rd of June.",
                "= The shop opened on June 3.",
                "x The shop opened on the 3rd of May.",
            ],
        );
        check(
            "The train left at 4:30.",
            &["= The train left at half past four.", "x The train left at 5:30.", "x The train left at half past six."],
        );
        check("I woke up at seven o'clock.", &["= I woke up at 7:00.", "x I woke up at 8 o'clock."]);
        check("They arrived at noon.", &["= They arrived at midday.", "x They arrived at midnight."]);
        testing::refuses(
            generate,
            &["You may go home now.", "He didn't come on Monday.", "Monday comes after Sunday."],
        );
    }

    #[test]
    fn forms_of_a_time() {
        assert_eq!(clock_forms(12, 45), ["12:45", "a quarter to one", "twelve forty-five"]);
        assert_eq!(clock_forms(3, 7), ["3:07"]);
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 22].map(ordinal),
            ["st", "nd", "rd", "th", "th", "th", "th", "st", "nd"]
        );
    }
}
