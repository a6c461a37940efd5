//! Every measure by its textbook definition, tested on words of every kind in both directions.

use super::*;
use crate::id::{Argument, StringMeasure};
use proptest::prelude::*;
use resay_learn::rng::SplitMix;
use std::collections::BTreeSet;

/// The characters that count.
fn letters(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).take(MAX_CHARS).collect()
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
        }
    }
    table[a.len()][b.len()]
}

fn jaro(a: &[char], b: &[char]) -> f64 {
    let reach = (a.len().max(b.len()) / 2).saturating_sub(1);
    let (mut in_a, mut in_b) = (vec![false; a.len()], vec![false; b.len()]);
    for i in 0..a.len() {
        if let Some(j) = (0..b.len()).find(|&j| !in_b[j] && a[i] == b[j] && i.abs_diff(j) <= reach) {
            (in_a[i], in_b[j]) = (true, true);
        }
    }
    let matched = |word: &[char], is_in: &[bool]| -> Vec<char> {
        word.iter().zip(is_in).filter(|(_, is_in)| **is_in).map(|(&letter, _)| letter).collect()
    };
    let (from_a, from_b) = (matched(a, &in_a), matched(b, &in_b));
    let m = from_a.len() as f64;
    let t = from_a.iter().zip(&from_b).filter(|(a, b)| a != b).count() as f64 / 2.0;
    if m == 0.0 { 0.0 } else { (m / a.len() as f64 + m / b.len() as f64 + (m - t) / m) / 3.0 }
}

fn grams(word: &[char], n: usize) -> Vec<&[char]> {
    if word.len() < n { vec![word] } else { word.windows(n).collect() }
}

fn dice(a: &[char], b: &[char], n: usize) -> f64 {
    let (of_a, mut of_b) = (grams(a, n), grams(b, n));
    let n_grams = of_a.len() + of_b.len();
    let mut n_common = 0;
    for gram in of_a {
        if let Some(place) = of_b.iter().position(|other| *other == gram) {
            of_b.swap_remove(place);
            n_common += 1;
        }
    }
    2.0 * n_common as f64 / n_grams as f64
}

fn truth(a: &str, b: &str) -> [f64; 9] {
    let (a, b) = (&letters(a)[..], &letters(b)[..]);
    if a.is_empty() || b.is_empty() {
        return [0.0; 9];
    }
    let longer = a.len().max(b.len()) as f64;
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (set_a, set_b): (BTreeSet<_>, BTreeSet<_>) = (a.iter().collect(), b.iter().collect());
    let jaro = jaro(a, b);
    [
        jaro + prefix.min(4) as f64 * 0.1 * (1.0 - jaro),
        dice(a, b, 2),
        a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / longer,
        set_a.intersection(&set_b).count() as f64 / set_a.union(&set_b).count() as f64,
        1.0 - distance(a, b) as f64 / longer,
        dice(a, b, 3),
        dice(a, b, 4),
        prefix as f64 / longer,
        suffix as f64 / longer,
    ]
}

/// Compares in both directions with the definition, and checks what holds for all words.
fn check(a: &str, b: &str) {
    let (first, second) = (Spelling::new(a), Spelling::new(b));
    let found = first.compare(&second);
    assert_eq!(found, second.compare(&first), "{a:?} and {b:?}, both ways");
    for ((measure, value), expected) in StringMeasure::ALL.iter().zip(found.values()).zip(truth(a, b)) {
        assert!(
            (f64::from(value) - expected).abs() < 1e-6,
            "{measure:?} of {a:?} and {b:?}: {value}, expected {expected}"
        );
        assert!((0.0..=1.0).contains(&value), "{measure:?} of {a:?} and {b:?}: {value}");
    }
    let is_same = letters(a) == letters(b) && !a.is_empty();
    assert_eq!(found == Similarities::EQUAL, is_same, "{a:?} and {b:?}: {found:?}");
    // The early exit for words without common characters agrees with the full computation.
    let (long, short) = if first.n_chars >= second.n_chars { (&first, &second) } else { (&second, &first) };
    if short.n_chars > 0 && !is_same {
        assert_eq!(long.compare_shorter(short), found, "{a:?} and {b:?}, without exits");
    }
}

fn word(random: &mut SplitMix, alphabet: &[char], max_chars: usize) -> String {
    (0..random.below(max_chars + 1)).map(|_| alphabet[random.below(alphabet.len())]).collect()
}

/// Returns the word with some letters replaced, inserted or deleted.
fn edited(random: &mut SplitMix, word: &str, alphabet: &[char]) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    for _ in 0..random.below(4) {
        let (place, letter) = (random.below(letters.len() + 1), alphabet[random.below(alphabet.len())]);
        match random.below(3) {
            0 => letters.insert(place, letter),
            1 if place < letters.len() => letters[place] = letter,
            _ if place < letters.len() => _ = letters.remove(place),
            _ => letters.push(letter),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn all_short_words_of_two_letters() {
    let mut words = vec![String::new()];
    for place in 0..63 {
        let word = words[place / 2].clone() + ["a", "b"][place % 2];
        words.push(word);
    }
    words.iter().for_each(|a| words.iter().for_each(|b| check(a, b)));
}

#[test]
fn random_words_of_many_alphabets() {
    // The fourth: letters of other scripts, some of one class (`é` and `ą`), one that becomes two
    // in lower case (`İ`).
    let alphabets = ["ab", "abcDE", "abcdefghijklmnopqrstuvwxyz0123456789-'", "éąŅ漢字かбгΣσς😀İaz", "éąŅ"];
    for (number, alphabet) in (0..).zip(alphabets) {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let mut random = SplitMix::stream(5, number);
        for round in 0..3_000 {
            let max_chars = [3, 8, 14, 90][round % 4];
            let a = word(&mut random, &alphabet, max_chars);
            let b = if round % 3 == 0 {
                edited(&mut random, &a, &alphabet)
            } else {
                word(&mut random, &alphabet, max_chars)
            };
            check(&a, &b);
        }
    }
}

#[test]
fn the_exits_are_taken_and_right() {
    let (mut n_apart, mut n_alike_in_class) = (0, 0);
    let alphabet: Vec<char> = ('a'..='z').chain('à'..='ÿ').chain('а'..='я').collect();
    let mut random = SplitMix::new(9);
    for _ in 0..5_000 {
        let (a, b) = (word(&mut random, &alphabet, 6), word(&mut random, &alphabet, 6));
        check(&a, &b);
        let has_common = letters(&a).iter().any(|letter| letters(&b).contains(letter));
        let may_have_common = Spelling::new(&a).classes & Spelling::new(&b).classes != 0;
        assert!(may_have_common || !has_common, "{a:?} and {b:?}");
        n_apart += usize::from(!may_have_common);
        n_alike_in_class += usize::from(may_have_common && !has_common);
    }
    assert!(n_apart > 1_000 && n_alike_in_class > 100, "{n_apart} apart, {n_alike_in_class} only alike in class");
}

#[test]
fn what_follows_the_last_character_that_counts_is_not_seen() {
    for n in [MAX_CHARS - 1, MAX_CHARS, MAX_CHARS + 1, 5_000] {
        let long = "abcdefgé".repeat(n / 8 + 1).chars().take(n).collect::<String>();
        for other in ["", "a", "é", "gfedcba", &long, &format!("{long}x"), &format!("x{long}"), &long.to_uppercase()] {
            check(&long, other);
            check(&long.chars().rev().collect::<String>(), other);
        }
    }
    // All characters in one class (28 apart), so that every position is examined.
    let one_class: String = (0..MAX_CHARS as u32 * 2).filter_map(|n| char::from_u32(0x4E00 + 28 * n)).collect();
    check(&one_class, &one_class.chars().rev().collect::<String>());
    check(&one_class, &one_class.chars().skip(10).collect::<String>());
}

proptest! {
    #[test]
    fn any_text_is_a_word(a in ".{0,12}", b in ".{0,12}") {
        check(&a, &b);
    }
}
