//! Laws for every text: tokens ascend, do not overlap, cover all non-whitespace, keep marks with
//! their base, and take linear time.

use super::{Style, class, tokenize_as};
use proptest::prelude::*;
use std::time::Instant;

const STYLES: [Style; 2] = [Style::Penn, Style::Web];

/// Checks the spans of `text` in both styles against the text itself.
fn check(text: &str) {
    for style in STYLES {
        let mut done = 0;
        for piece in tokenize_as(text, style) {
            let range = piece.span.range();
            assert!(range.start >= done && range.end > range.start, "{text:?}: {range:?} after {done}");
            assert!(text[done..range.start].chars().all(char::is_whitespace), "{text:?}: gap before {range:?}");
            assert_eq!(&text[range.clone()], piece.form());
            assert!(!piece.form().chars().any(char::is_whitespace), "{text:?}: blank in {range:?}");
            let first = piece.form().chars().next().expect("a token has a character");
            let stands_alone = text[..range.start].chars().next_back().is_none_or(char::is_whitespace);
            assert!(stands_alone || !class::is_extend(first), "{text:?}: {range:?} begins with a mark");
            done = range.end;
        }
        assert!(text[done..].chars().all(char::is_whitespace), "{text:?}: nothing from {done}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn signs_and_letters(text in r#"[aInst'’` .,:;/@#$%&*()_+=<>!?0-9-]{0,40}"#) {
        check(&text);
    }

    #[test]
    fn marks_and_joiners(text in "[a1.'n’t漢か😀👍🇫🇷❤…—–\u{200D}\u{FE0F}\u{1F3FD}\u{301}\u{20E3}\u{AD}\u{200B} -]{0,30}") {
        check(&text);
    }

    #[test]
    fn whole_words(words in prop::collection::vec(prop::sample::select(vec![
        "http://", "www.", "mailto:", "a@b.c", "@", "U.S.", "Mr.", "can't", "cannot", "n't", "'s", "'tis", "’", "--",
        "...", "(", ")", " ", "1/2", "10:30", "555-", "5pm", ":-)", "I.", "J.", "x", "é", "\u{301}", "\u{A0}", "\0",
    ]), 0..12)) {
        check(&words.concat());
    }
}

/// Every character there is: alone, doubled, at both ends of a word and within one, beside spaces,
/// digits and apostrophes. A scanner that does not advance at one of them would return empty tokens
/// for ever; the first of them fails here.
#[test]
fn every_character_everywhere() {
    const PLACES: [(&str, usize, &str); 9] = [
        ("", 1, ""),
        ("", 2, ""),
        ("a", 1, "b"),
        ("a", 1, ""),
        ("", 1, "a"),
        ("1", 1, "2"),
        ("a ", 1, " b"),
        ("n", 1, "t"),
        ("s", 2, "s "),
    ];
    let mut text = String::new();
    for character in '\0'..=char::MAX {
        for (before, n, behind) in PLACES {
            text.clear();
            text.push_str(before);
            text.extend(std::iter::repeat_n(character, n));
            text.push_str(behind);
            check(&text);
        }
    }
}

/// Tokenises half a megabyte or more of each hostile pattern. A quadratic scanner would need
/// minutes for one of them, so the generous limit detects it on any machine.
#[test]
fn hostile_texts_take_linear_time() {
    #[rustfmt::skip]
    let patterns = [
        "'", "’", "`", ".", "!", "-", "_", "*", ":", "/", "@", "#", "#1", "(", ")", "a", "1", "é", "漢",
        "\u{301}", "😀", "\u{200D}", "😀\u{200D}", "🇫", "a'", "a's", "n't", "a-", "1-", "1/", "1,", "1:", "a.",
        "A.", "a_", "a*", "a@", "@a", "a@b", "a@a.", "http://", "http://(", "http://)", "www.", "a.bc/",
        "mailto:", "J. ", "J.\t\t\t\t\t", "…", "—", "' ", "=-", "<", "<-", ":)", ":))", "$", "US$", "\0",
        "\u{200B}", "cannot", "'tis", "-1", "+1", ".1", "…-a1.b", "-1-1234", "/1", "/1/1", ".a", "'a", "&a",
        "*a", "a/", "a.b",
    ];
    // A long prefix, which exposes scanners that look back to the start of the token.
    let heads = ["", "1", "a"];
    let start = Instant::now();
    for (head, pattern) in heads.iter().flat_map(|head| patterns.iter().map(move |pattern| (head, pattern))) {
        let text = head.repeat(1 << 18) + &pattern.repeat((1 << 19) / pattern.len());
        for style in STYLES {
            let mut n_bytes = 0;
            for piece in tokenize_as(&text, style) {
                n_bytes += piece.form().len();
            }
            let n_blank: usize = text.chars().filter(|c| c.is_whitespace()).map(char::len_utf8).sum();
            assert_eq!(n_bytes, text.len() - n_blank, "{head:?} {pattern:?}");
            assert!(start.elapsed().as_secs() < 120, "{head:?} {pattern:?} as {style:?} takes too long");
        }
    }
}
