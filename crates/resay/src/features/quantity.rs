//! The values of numbers, however they are written.

use resay_text::cardinal;

const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
const OTHERS: [(&str, f64); 15] = [
    ("once", 1.0),
    ("doubled", 2.0),
    ("triple", 3.0),
    ("tripled", 3.0),
    ("trillion", 1e12),
    ("halved", 0.5),
    ("dozen", 12.0),
    ("hundred", 100.0),
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("twice", 2.0),
    ("half", 0.5),
    ("quarter", 0.25),
    ("double", 2.0),
];

/// The value of a number, however it is written. Words that start with a digit but are not numbers
/// stay as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Value(f64),
    Ordinal(usize),
    Written(String),
}

pub(super) fn quantity(word: &str) -> Option<Quantity> {
    let place = |list: &[&str], word: &str| list.iter().position(|known| *known == word);
    let plain = word.strip_suffix('s').filter(|_| word.len() > 4).unwrap_or(word);
    if let Some(value) = cardinal(word) {
        return Some(Quantity::Value(f64::from(value)));
    }
    if let Some((tens, ones)) = word.split_once('-')
        && let (Some(tens @ 20..), Some(ones @ 1..10)) = (cardinal(tens), cardinal(ones))
    {
        return Some(Quantity::Value(f64::from(tens + ones)));
    }
    if let Some(at) = place(&ORDINALS, word) {
        return Some(Quantity::Ordinal(at + 1));
    }
    if let Some((_, value)) = OTHERS.iter().find(|(known, _)| *known == plain) {
        return Some(Quantity::Value(*value));
    }
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let bare: String = word.chars().filter(|character| !matches!(character, ',' | '$' | '€' | '£' | '%')).collect();
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|end| bare.strip_suffix(end)?.parse().ok());
    Some(match (bare.parse::<f64>(), ordinal) {
        (Ok(value), _) => Quantity::Value(value),
        (_, Some(ordinal)) => Quantity::Ordinal(ordinal),
        _ => Quantity::Written(word.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::Quantity::{Ordinal, Value, Written};
    use super::*;

    #[test]
    fn one_number_written_in_many_ways() {
        let check = |word: &str, expected: Option<Quantity>| assert_eq!(quantity(word), expected, "{word}");
        for word in ["1000", "1,000", "$1,000", "1000.0", "thousand", "thousands"] {
            check(word, Some(Value(1000.0)));
        }
        check("twenty-one", Some(Value(21.0)));
        check("50%", Some(Value(50.0)));
        check("third", Some(Ordinal(3)));
        check("3rd", Some(Ordinal(3)));
        check("21st", Some(Ordinal(21)));
        check("10:30", Some(Written("10:30".to_owned())));
        check("F16", Some(Written("F16".to_owned())));
        for word in ["", "seventh-day", "boat", "two-faced"] {
            check(word, None);
        }
    }
}
