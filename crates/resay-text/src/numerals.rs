//! Number words.

/// The words for 0 to 20.
const SMALL: [&str; 21] = [
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
    "twenty",
];
/// The other tens; one of them is often misspelled.
const TENS: [(&str, u32); 8] = [
    ("thirty", 30),
    ("forty", 40),
    ("fourty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

/// Returns the value of a number word up to ninety. Compounds such as "twenty-one" are not parsed.
pub fn cardinal(word: &str) -> Option<u32> {
    let small = SMALL.iter().position(|known| *known == word).map(|value| value as u32);
    small.or_else(|| TENS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_they_are_worth() {
        let cases =
            [("zero", Some(0)), ("twelve", Some(12)), ("twenty", Some(20)), ("ninety", Some(90)), ("fourty", Some(40))];
        for (word, value) in cases.into_iter().chain([("hundred", None), ("twenty-one", None), ("", None)]) {
            assert_eq!(cardinal(word), value, "{word}");
        }
    }
}
