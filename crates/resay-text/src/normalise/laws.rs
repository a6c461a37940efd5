//! Laws for every text: spans ascend and lie in the text, sameness is an equivalence as far as it
//! can be checked, blanks and capitals of plain words change nothing, and the time is linear.

use super::{Form, compare, edit_distance_one, normalise};
use proptest::prelude::*;
use std::time::Instant;

fn check(text: &str) {
    let normal = normalise(text);
    let mut done = (0, 0);
    for token in normal.tokens() {
        let (start, end) = (token.span.start, token.span.end);
        assert!(start >= done.0 && end >= done.1 && start < end, "{text:?}: {start}..{end} after {done:?}");
        assert!(text.get(token.span.range()).is_some(), "{text:?}: {start}..{end} is no piece");
        if let Form::Word(word) = token.form {
            assert!(!word.is_empty() && !word.contains(char::is_whitespace), "{text:?}: {word:?}");
        }
        done = (start, end);
    }
    let n_shown = normal.tokens().filter(|token| matches!(token.form, Form::Quantity(_))).count();
    assert_eq!(n_shown, normal.quantities().len());
    assert!(normal.is_same(&normal), "{text:?} is not itself");
    for a in normal.quantities() {
        assert!(a.value.is_finite(), "{text:?}: {a:?}");
        for b in normal.quantities() {
            let mirrored = match compare(b, a) {
                super::QuantityRelation::FirstImplies => super::QuantityRelation::SecondImplies,
                super::QuantityRelation::SecondImplies => super::QuantityRelation::FirstImplies,
                other => other,
            };
            assert_eq!(compare(a, b), mirrored, "{a:?} {b:?}");
        }
        assert_eq!(compare(a, a), super::QuantityRelation::Equal, "{a:?}");
    }
}

/// Pieces that the readers look for, to be put together at random.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "an", "the", "half", "and", "of", "one", "two", "twenty", "hundred", "thousand", "million", "dozen", "couple",
    "third", "quarter", "second", "5", "10", "1999", "2024", "4th", "1,000", "000", "3.5", "07", "½", "1/2", "-", "–",
    "%", "per", "cent", "$", "€", "USD", "US", "dollars", "euros", "pounds", "p", "k", "m", "bn", "km", "feet", "inches",
    "in", "hours", "minutes", "day", "year", "July", "May", "march", "Mon.", "Friday", ",", ".", ":", "?", "!", "(",
    ")", "pm", "a.m.", "o'clock", "past", "to", "noon", "at", "least", "most", "more", "than", "or", "less", "so",
    "about", "over", "between", "from", "minus", "point", "oh", "out", "Chapter", "IV", "I", "'s", "can't", "'", "’",
    "\"", "United", "States", "e.g.", "No.", "St.", "Dr.", "°", "C", "degrees", "square", "cubic", "/", "+", "#", "v2",
    "night", "morning", "not", "no", "\u{301}", "\u{200b}", "é", "漢", "😀", "~", "<", "=", "up", "some", "dr",
];

fn words() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES);
    prop::collection::vec((piece, prop::sample::select(vec!["", " ", " ", " ", "-", "\u{a0}"])), 0..14)
        .prop_map(|all| all.into_iter().map(|(piece, gap)| format!("{piece}{gap}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn signs_and_letters(text in "[aInst'’` .,:;/@#$%&*()_+=<>!?0-9½–€°-]{0,40}") {
        check(&text);
    }

    #[test]
    fn pieces(text in words()) {
        check(&text);
    }

    #[test]
    fn sameness_is_symmetric(a in words(), b in words()) {
        let (first, second) = (normalise(&a), normalise(&b));
        prop_assert_eq!(first.is_same(&second), second.is_same(&first));
    }

    #[test]
    fn more_blanks_change_nothing(text in words()) {
        let wider = format!("  {} ", text.replace(' ', " \u{2003} "));
        prop_assert!(normalise(&text).is_same(&normalise(&wider)), "{:?}", text);
    }

    #[test]
    fn capitals_of_plain_words_change_nothing(
        words in prop::collection::vec((prop::sample::select(vec![
            "table", "green", "walked", "can't", "colour", "twelve", "seventy-one", "kilometres", "percent", "never",
            "e-mail", "yesterday", "and", "the", "of", "dollars", "organised", "friday", "noon",
        ]), any::<bool>()), 1..10),
    ) {
        let plain = words.iter().map(|(word, _)| (*word).to_owned()).collect::<Vec<_>>().join(" ");
        let shouted = words
            .iter()
            .map(|(word, is_loud)| if *is_loud { word.to_uppercase() } else { (*word).to_owned() })
            .collect::<Vec<_>>()
            .join(" ");
        prop_assert!(normalise(&plain).is_same(&normalise(&shouted)), "{:?} {:?}", plain, shouted);
    }

    #[test]
    fn typing_errors_are_symmetric(a in any::<String>(), b in any::<String>()) {
        prop_assert_eq!(edit_distance_one(&a, &b), edit_distance_one(&b, &a));
    }
}

/// Every character there is, beside letters, digits and blanks.
#[test]
fn every_character_everywhere() {
    for character in '\0'..=char::MAX {
        let text = format!("{character}a{character}1{character} {character}{character}I{character}s 5{character}m");
        check(&text);
    }
}

/// A reader that goes back over what it has read would need minutes for one of these.
#[test]
fn hostile_texts_take_linear_time() {
    #[rustfmt::skip]
    let patterns = [
        "'", "a'", "s' ", ".", "a.", "A.", "1", "1,", "1.", "1,000", "1 ", "000 ", "1-", "1/", "1:", "a-", "a1", "one ",
        "one hundred ", "two and ", "a hundred and ", "half ", "half a ", "point ", "one point ", "twenty ", "the ",
        "July ", "4 July ", "May ", "2024-", "3 pm ", "at ", "past ", "one in ", "one out of ", "$", "$1", "US$",
        "5 to ", "5-", "between 5 and ", "2 hours ", "and a half ", "United ", "as soon ", "?", "-", "- ", "\u{301}",
        "é\u{301}", "😀", "°", "per ", "square ", "1/2 ", "½", "~", "v2.", "x's ", "'em ", "e.g. ", "( ", "a\u{ad}",
    ];
    let start = Instant::now();
    for head in ["", "one ", "1"] {
        for pattern in patterns {
            let text = head.repeat(1 << 14) + &pattern.repeat((1 << 17) / pattern.len());
            let normal = normalise(&text);
            assert!(normal.tokens().len() <= 2 * text.len());
            assert!(start.elapsed().as_secs() < 120, "{head:?} {pattern:?} takes too long");
        }
    }
}
