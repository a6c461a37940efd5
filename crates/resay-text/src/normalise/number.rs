//! Numbers in digits and in words.

use super::items::Item;
use super::scan::Sort;

/// A number and where it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    /// The item behind it.
    pub(super) end: usize,
    pub(super) form: Form,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// In digits, with nothing behind them.
    Digits,
    /// With words, or with a multiplier.
    Words,
    /// As two pairs: "nineteen ninety-nine".
    Year,
}

/// Returns the value of a number word up to ninety.
#[rustfmt::skip]
pub(super) fn small(word: &str) -> Option<u32> {
    Some(match word {
        "zero" => 0, "one" => 1, "two" => 2, "three" => 3, "four" => 4, "five" => 5, "six" => 6, "seven" => 7,
        "eight" => 8, "nine" => 9, "ten" => 10, "eleven" => 11, "twelve" => 12, "thirteen" => 13, "fourteen" => 14,
        "fifteen" => 15, "sixteen" => 16, "seventeen" => 17, "eighteen" => 18, "nineteen" => 19, "twenty" => 20,
        "thirty" => 30, "forty" | "fourty" => 40, "fifty" => 50, "sixty" => 60, "seventy" => 70, "eighty" => 80,
        "ninety" => 90,
        _ => return None,
    })
}

/// Returns the value of an ordinal word up to "ninetieth".
#[rustfmt::skip]
fn small_ordinal(word: &str) -> Option<u32> {
    Some(match word {
        "first" => 1, "second" => 2, "third" => 3, "fourth" => 4, "fifth" => 5, "sixth" => 6, "seventh" => 7,
        "eighth" => 8, "ninth" => 9, "tenth" => 10, "eleventh" => 11, "twelfth" => 12, "thirteenth" => 13,
        "fourteenth" => 14, "fifteenth" => 15, "sixteenth" => 16, "seventeenth" => 17, "eighteenth" => 18,
        "nineteenth" => 19, "twentieth" => 20, "thirtieth" => 30, "fortieth" => 40, "fiftieth" => 50,
        "sixtieth" => 60, "seventieth" => 70, "eightieth" => 80, "ninetieth" => 90,
        _ => return None,
    })
}

fn scale(word: &str) -> Option<f64> {
    Some(match word {
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    })
}

/// Returns the word at `at`; empty for anything else.
pub(super) fn word<'a>(items: &'a [Item], at: usize) -> &'a str {
    items.get(at).filter(|item| item.sort == Sort::Word).map_or("", |item| &item.text)
}

/// Returns the sign at `at`; empty for anything else.
pub(super) fn sign<'a>(items: &'a [Item], at: usize) -> &'a str {
    items.get(at).filter(|item| item.sort == Sort::Sign).map_or("", |item| &item.text)
}

/// Whether the item at `at` is glued to the one before.
pub(super) fn is_glued(items: &[Item], at: usize) -> bool {
    items.get(at).is_some_and(Item::is_glued)
}

/// Returns the digits at `at`.
pub(super) fn digits<'a>(items: &'a [Item], at: usize) -> Option<&'a str> {
    items.get(at).filter(|item| item.sort == Sort::Number).map(|item| &*item.text)
}

/// Returns the digits at `at` as a whole number below 10,000.
pub(super) fn whole(items: &[Item], at: usize) -> Option<u16> {
    let digits = digits(items, at)?;
    if digits.len() > 4 || digits.bytes().any(|byte| !byte.is_ascii_digit()) { None } else { digits.parse().ok() }
}

/// Returns the value of digits with commas and one point. Codes have none: "007", "1.2.3", or more
/// digits than a value keeps.
pub(super) fn value_of(digits: &str) -> Option<f64> {
    if let Some((part, of)) = digits.split_once('/') {
        return Some(part.parse::<f64>().ok()? / of.parse::<f64>().ok()?);
    }
    let n_points = digits.bytes().filter(|byte| *byte == b'.').count();
    let n_digits = digits.bytes().filter(u8::is_ascii_digit).count();
    let bytes = digits.as_bytes();
    let is_padded = bytes.len() > 1 && bytes.first() == Some(&b'0') && bytes.get(1) != Some(&b'.');
    if n_points > 1 || n_digits > 15 || is_padded {
        return None;
    }
    if digits.contains(',') { digits.replace(',', "").parse().ok() } else { digits.parse().ok() }
}

/// Reads a number at `at`, with its multiplier: "1.5 million", "two hundred and five", "a dozen",
/// "half a million", "a couple of".
pub(super) fn cardinal(items: &[Item], at: usize) -> Option<Number> {
    let first = items.get(at)?;
    match first.sort {
        Sort::Number => in_digits(items, at),
        Sort::Word => {
            let found = in_words(items, at)?;
            Some(with_multiplier(items, with_fraction(items, found)))
        }
        _ => None,
    }
}

fn in_digits(items: &[Item], at: usize) -> Option<Number> {
    let first = digits(items, at)?;
    let mut value = value_of(first)?;
    let mut end = at + 1;
    let is_short = first.len() <= 3 && !first.contains('.') && !first.starts_with('0');
    if is_short {
        // "1 500 000", but not "in 12 345 cases": groups that end in zeros, or with a fixed blank.
        let mut groups = 0.0;
        let (mut last, mut scale) = (end, 1.0);
        while let Some(group) = digits(items, last).filter(|group| group.len() == 3 && !group.contains('.')) {
            let Some(item) = items.get(last) else { break };
            if !item.is_spaced || item.is_joined || scale > 1e9 {
                break;
            }
            groups = groups * 1e3 + value_of_group(group);
            scale *= 1e3;
            last += 1;
        }
        if last > end && digits(items, last - 1) == Some("000") {
            value = value * scale + groups;
            end = last;
        }
    }
    // "1½" and "1 1/2".
    if value.fract() == 0.0 {
        if let Some(part) = digits(items, end).filter(|part| part.contains('/')).and_then(value_of) {
            value += part;
            end += 1;
        } else if let Some((part, behind)) = slashed(items, end).filter(|_| !is_glued(items, end)) {
            value += part;
            end = behind;
        }
    }
    let found = Number { value, end, form: Form::Digits };
    Some(with_multiplier(items, with_fraction(items, found)))
}

fn value_of_group(group: &str) -> f64 {
    group.parse().unwrap_or(0.0)
}

/// Reads a common fraction below one in digits: "1/2", "3/4".
pub(super) fn slashed(items: &[Item], at: usize) -> Option<(f64, usize)> {
    let (part, of) = (whole(items, at)?, whole(items, at + 2)?);
    let is_glued = is_glued(items, at + 1) && is_glued(items, at + 2) && !is_glued(items, at + 3);
    let is_fraction = part > 0 && part < of && matches!(of, 2..=6 | 8 | 10 | 16);
    (is_glued && is_fraction && sign(items, at + 1) == "/").then(|| (f64::from(part) / f64::from(of), at + 3))
}

/// Adds "and a half" and the like.
fn with_fraction(items: &[Item], number: Number) -> Number {
    if word(items, number.end) != "and" || number.form == Form::Year {
        return number;
    }
    let (one, name) = (word(items, number.end + 1), word(items, number.end + 2));
    let part = match (one, name) {
        ("a" | "one", "half") => 0.5,
        ("a" | "one", "quarter") => 0.25,
        ("three", "quarters") => 0.75,
        _ => return number,
    };
    // "a million and a half" is one and a half million.
    let scale = scale(word(items, number.end - 1)).unwrap_or(1.0);
    Number { value: number.value + part * scale, end: number.end + 3, form: Form::Words }
}

/// Multiplies by "million", "k", "dozen" and the like.
fn with_multiplier(items: &[Item], number: Number) -> Number {
    if number.form == Form::Year {
        return number;
    }
    let next = word(items, number.end);
    let is_glued = is_glued(items, number.end);
    let by = match next {
        "hundred" if number.form == Form::Digits || number.value.fract() != 0.0 => 1e2,
        "dozen" => 12.0,
        "k" if is_glued => 1e3,
        "mn" | "mln" | "mio" => 1e6,
        "bn" | "bln" => 1e9,
        "tn" | "trn" => 1e12,
        _ => match scale(next) {
            Some(by) => by,
            None => return number,
        },
    };
    // A multiplier is the last word of what it is glued to: "3km" is none.
    if self::is_glued(items, number.end + 1) && items.get(number.end + 1).is_some_and(|item| item.sort == Sort::Number)
    {
        return number;
    }
    Number { value: exact_product(number.value, by), end: number.end + 1, form: Form::Words }
}

/// Multiplies, so that "1.1 million" is a whole number.
fn exact_product(value: f64, by: f64) -> f64 {
    let product = value * by;
    let whole = product.round();
    if (product - whole).abs() <= 1e-9 * product.abs() { whole } else { product }
}

/// Whether the item at `at` may continue a number word.
fn is_open(items: &[Item], at: usize) -> bool {
    items.get(at).is_some_and(|item| item.sort == Sort::Word)
}

/// Reads a number in words.
fn in_words(items: &[Item], at: usize) -> Option<Number> {
    let first = word(items, at);
    let found = |value, end| Some(Number { value, end, form: Form::Words });
    match first {
        "a" | "an" => match word(items, at + 1) {
            "dozen" => return found(12.0, at + 2),
            "couple" if word(items, at + 2) == "of" => return found(2.0, at + 3),
            "hundred" | "thousand" | "million" | "billion" | "trillion" => {
                let (value, end) = sum(items, at + 1, true)?;
                return found(value, end);
            }
            _ => return None,
        },
        "couple" if word(items, at + 1) == "of" => return found(2.0, at + 2),
        "half" => {
            let is_article = word(items, at + 1) == "a";
            let next = word(items, at + 1 + usize::from(is_article));
            let by = if next == "dozen" { 12.0 } else { scale(next).filter(|_| is_article)? };
            return found(by / 2.0, at + 2 + usize::from(is_article));
        }
        _ => {}
    }
    small(first)?;
    if let Some(year) = pairs(items, at) {
        return Some(year);
    }
    let (mut value, mut end) = sum(items, at, false)?;
    if word(items, end) == "point" && small(word(items, end + 1)).is_some_and(|digit| digit < 10) {
        let mut step = 0.1;
        let mut decimals = 0.0;
        end += 1;
        let start = end;
        while let Some(digit) = small(word(items, end)).filter(|digit| *digit < 10 && end < start + 12) {
            decimals = decimals * 10.0 + f64::from(digit);
            step /= 10.0;
            end += 1;
        }
        value += (decimals * step * 1e13).round() / 1e12;
    }
    found(value, end)
}

/// Reads a year as two pairs: "nineteen ninety-nine", "twenty twenty", "nineteen oh five".
fn pairs(items: &[Item], at: usize) -> Option<Number> {
    let (century, middle) = below_hundred(items, at)?;
    if !(11..=20).contains(&century) || items.get(middle)?.is_joined {
        return None;
    }
    let (rest, end) = match word(items, middle) {
        "oh" => (small(word(items, middle + 1)).filter(|digit| (1..10).contains(digit))?, middle + 2),
        _ => below_hundred(items, middle).filter(|(rest, _)| *rest >= 10)?,
    };
    // "nineteen twenty-dollar notes", "twelve ten-year-olds".
    let is_joined = items.get(end).is_some_and(|item| item.is_joined);
    let is_more = matches!(word(items, end), "hundred" | "thousand" | "million" | "billion");
    (!is_joined && !is_more).then(|| Number { value: f64::from(century * 100 + rest), end, form: Form::Year })
}

fn below_hundred(items: &[Item], at: usize) -> Option<(u32, usize)> {
    let tens = small(word(items, at))?;
    if tens >= 20
        && let Some(unit) = small(word(items, at + 1)).filter(|unit| (1..10).contains(unit))
    {
        return Some((tens + unit, at + 2));
    }
    Some((tens, at + 1))
}

/// Reads a number below a thousand, or "nineteen hundred". `has_one` is whether "a" stood before
/// "hundred".
fn below_thousand(items: &[Item], at: usize, has_one: bool) -> Option<(u32, usize)> {
    let (mut value, mut end) = if has_one { (1, at) } else { below_hundred(items, at)? };
    if word(items, end) != "hundred" || value == 0 || value > 99 {
        return Some((value, end)).filter(|_| !has_one);
    }
    value *= 100;
    end += 1;
    let rest = end + usize::from(word(items, end) == "and");
    if let Some((more, behind)) = below_hundred(items, rest).filter(|(more, _)| *more > 0) {
        return Some((value + more, behind));
    }
    Some((value, end))
}

/// Reads groups with falling multipliers.
fn sum(items: &[Item], at: usize, has_one: bool) -> Option<(f64, usize)> {
    let (mut total, mut end) = (0.0, at);
    let mut limit = f64::INFINITY;
    let mut is_first = true;
    loop {
        let is_one = is_first && has_one;
        let has_and = !is_first && word(items, end) == "and";
        let start = end + usize::from(has_and);
        if !is_open(items, start) {
            break;
        }
        let group = if is_one && word(items, start) != "hundred" {
            Some((1, start))
        } else if has_and {
            below_hundred(items, start).filter(|(_, behind)| word(items, *behind) != "hundred")
        } else {
            below_thousand(items, start, is_one)
        };
        let Some((value, behind)) = group.filter(|(value, _)| is_first || *value > 0) else { break };
        match scale(word(items, behind)).filter(|_| value > 0) {
            // "two thousand million" is none of ours, nor is "one million and two thousand".
            Some(by) if by < limit && !has_and => {
                total += f64::from(value) * by;
                (limit, end) = (by, behind + 1);
            }
            None if f64::from(value) < limit => return Some((total + f64::from(value), behind)),
            _ => break,
        }
        is_first = false;
    }
    (end > at).then_some((total, end))
}

/// Reads an ordinal: "4th", "fourth", "twenty-first", "two hundred and fifth".
pub(super) fn ordinal(items: &[Item], at: usize) -> Option<(f64, usize)> {
    if let Some(digits) = digits(items, at) {
        let value = value_of(digits).filter(|value| value.fract() == 0.0)?;
        let last = digits.as_bytes();
        let is_teen = last.len() > 1 && last.get(last.len() - 2) == Some(&b'1');
        let ending = match last.last() {
            Some(b'1') if !is_teen => "st",
            Some(b'2') if !is_teen => "nd",
            Some(b'3') if !is_teen => "rd",
            _ => "th",
        };
        let is_raw = items.get(at + 1).is_some_and(|item| item.raw.eq_ignore_ascii_case(ending));
        return (is_glued(items, at + 1) && is_raw).then_some((value, at + 2));
    }
    if let Some(value) = small_ordinal(word(items, at)) {
        return Some((f64::from(value), at + 1));
    }
    let first = word(items, at);
    if first == "hundredth" {
        return Some((100.0, at + 1));
    }
    small(first).or(matches!(first, "a").then_some(1))?;
    let (value, end) = if first == "a" { sum(items, at + 1, true)? } else { sum(items, at, false)? };
    let has_and = word(items, end) == "and";
    let place = end + usize::from(has_and);
    if let Some(more) = small_ordinal(word(items, place)) {
        let is_tens = value % 100.0 >= 20.0 && value % 10.0 == 0.0 && more < 10 && !has_and;
        // "twenty second" is a length of time more often than a place.
        let is_joined = items.get(place).is_some_and(|item| item.is_joined);
        let is_tens = is_tens && (more != 2 || is_joined);
        let is_hundreds = value >= 100.0 && value % 100.0 == 0.0 && (more != 2 || has_and || is_joined);
        return (is_tens || is_hundreds).then(|| (value + f64::from(more), place + 1));
    }
    let by = match word(items, end) {
        "hundredth" => 1e2,
        "thousandth" => 1e3,
        "millionth" => 1e6,
        _ => return None,
    };
    Some((value * by, end + 1))
}

/// Returns the value of a Roman numeral in small letters, in its usual form, up to 399.
pub(super) fn roman(word: &str) -> Option<u32> {
    if word.len() > 11 {
        return None;
    }
    let mut rest = word;
    let mut value = 0;
    for (form, worth, most) in [
        ("c", 100, 3),
        ("xc", 90, 1),
        ("l", 50, 1),
        ("xl", 40, 1),
        ("x", 10, 3),
        ("ix", 9, 1),
        ("v", 5, 1),
        ("iv", 4, 1),
        ("i", 1, 3),
    ] {
        for _ in 0..most {
            if let Some(behind) = rest.strip_prefix(form) {
                value += worth;
                rest = behind;
            }
        }
    }
    (rest.is_empty() && value > 0 && in_roman(value) == word).then_some(value)
}

fn in_roman(mut value: u32) -> String {
    let mut out = String::new();
    for (form, worth) in
        [("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1)]
    {
        while value >= worth {
            out.push_str(form);
            value -= worth;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::items::items;
    use crate::normalise::scan::scan;

    /// Writes a number, with or without "and" and hyphens.
    fn spell(n: u64, and: &str, hyphen: &str) -> String {
        const UNITS: [&str; 20] = [
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
        match n {
            0..20 => UNITS[n as usize].to_owned(),
            20..100 if n.is_multiple_of(10) => TENS[n as usize / 10].to_owned(),
            20..100 => format!("{}{hyphen}{}", TENS[n as usize / 10], UNITS[n as usize % 10]),
            _ => {
                let (scale, name) = [
                    (1_000_000_000_000, "trillion"),
                    (1_000_000_000, "billion"),
                    (1_000_000, "million"),
                    (1000, "thousand"),
                    (100, "hundred"),
                ]
                .into_iter()
                .find(|(scale, _)| n >= *scale)
                .expect("a scale");
                let head = format!("{} {name}", spell(n / scale, and, hyphen));
                match n % scale {
                    0 => head,
                    rest if rest < 100 => format!("{head}{and}{}", spell(rest, and, hyphen)),
                    rest => format!("{head} {}", spell(rest, and, hyphen)),
                }
            }
        }
    }

    fn read(text: &str) -> Option<f64> {
        let scanned = scan(text);
        let items = items(text, &scanned);
        cardinal(&items, 0).filter(|number| number.end == items.len()).map(|number| number.value)
    }

    fn read_ordinal(text: &str) -> Option<f64> {
        let scanned = scan(text);
        let items = items(text, &scanned);
        ordinal(&items, 0).filter(|(_, end)| *end == items.len()).map(|(value, _)| value)
    }

    #[test]
    fn all_small_numbers_are_read_as_they_are_spelled() {
        for n in 0..100_000 {
            assert_eq!(read(&spell(n, " and ", "-")), Some(n as f64), "{n}");
            assert_eq!(read(&spell(n, " ", " ")), Some(n as f64), "{n}");
        }
        let mut n = 100_000_u64;
        while n < 900_000_000_000_000 {
            assert_eq!(read(&spell(n, " and ", "-")), Some(n as f64), "{n}");
            n = n * 1009 / 1000 + 7919;
        }
    }

    #[test]
    fn other_numbers() {
        for (text, expected) in [
            ("1,500,000", Some(1.5e6)),
            ("1 000", Some(1000.0)),
            ("1 500 000", Some(1.5e6)),
            ("12 345", None),
            ("1.5 million", Some(1.5e6)),
            ("3k", Some(3000.0)),
            ("a dozen", Some(12.0)),
            ("two dozen", Some(24.0)),
            ("half a dozen", Some(6.0)),
            ("half a million", Some(5e5)),
            ("a couple of", Some(2.0)),
            ("one and a half", Some(1.5)),
            ("two and a half million", Some(2.5e6)),
            ("a million and a half", Some(1.5e6)),
            ("nineteen ninety-nine", Some(1999.0)),
            ("twenty twenty-four", Some(2024.0)),
            ("nineteen oh five", Some(1905.0)),
            ("nineteen hundred", Some(1900.0)),
            ("a hundred and five", Some(105.0)),
            ("two thousand and five", Some(2005.0)),
            ("one point five million", Some(1.5e6)),
            ("three point one five", Some(3.15)),
            ("1½", Some(1.5)),
            ("1 1/2", Some(1.5)),
            ("½", Some(0.5)),
            ("007", None),
            ("1.2.3", None),
            ("one two", None),
            ("three hundred four hundred", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn ordinals() {
        for (text, expected) in [
            ("4th", Some(4.0)),
            ("11th", Some(11.0)),
            ("11st", None),
            ("21st", Some(21.0)),
            ("twenty-first", Some(21.0)),
            ("one hundred and fifth", Some(105.0)),
            ("one hundred and twenty-fifth", Some(125.0)),
            ("two hundredth", Some(200.0)),
            ("twenty-second", Some(22.0)),
            ("twenty second", None),
            ("two thirds", None),
        ] {
            assert_eq!(read_ordinal(text), expected, "{text}");
        }
    }

    #[test]
    fn roman_numerals() {
        for n in 1..400 {
            assert_eq!(roman(&in_roman(n)), Some(n));
        }
        for word in ["", "iiii", "vx", "ic", "mix", "civil", "iix", "xcl"] {
            assert_eq!(roman(word), None, "{word}");
        }
    }
}
