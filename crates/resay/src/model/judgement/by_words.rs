//! The answer for texts that no model of English can judge: another language, code, names, symbols.
//!
//! Only the words that both texts have count, and no relation is more probable than 0.6. Exchanging
//! the texts exchanges forward and backward, and changes nothing else.

use super::N_RELATIONS;
use crate::explain::{Explanation, What};

/// The probabilities of texts that share no word: in the order of the relations.
const NOTHING_SHARED: [f64; N_RELATIONS] = [0.15, 0.1, 0.1, 0.1, 0.55];

/// What moves from neutral to equivalent where all words are shared.
const ALL_SHARED: f64 = 0.45;

/// The most that moves from neutral to forward or backward where one text has all words of the other.
const CONTAINED: f64 = 0.2;

/// How two texts are related by the words that they share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ByWords {
    /// The logarithm of the probability of each relation.
    pub(super) heads: [f64; N_RELATIONS],
    /// The share of words in common, from 0 to 1.
    pub(super) similarity: f64,
}

impl ByWords {
    pub(super) fn of(texts: [&str; 2]) -> Self {
        let [source, target] = units(texts);
        let n_shared = shared(&source, &target) as f64;
        let share = |n: usize| if n == 0 { 0.0 } else { n_shared / n as f64 };
        let of_both = share(source.len() + target.len()) * 2.0;
        let alike = (2.0 * of_both - 1.0).max(0.0).powi(4);
        // The target follows if the source has all of its words.
        let [forward, backward] = [target.len(), source.len()].map(|n| CONTAINED * (share(n) - of_both).max(0.0));
        let mut probabilities = NOTHING_SHARED;
        probabilities[0] += ALL_SHARED * alike;
        probabilities[1] += forward;
        probabilities[2] += backward;
        probabilities[4] -= ALL_SHARED * alike + (forward + backward);
        Self { heads: probabilities.map(f64::ln), similarity: of_both }
    }

    /// What a score with these factors of the heads is made of.
    pub(super) fn explain(value: f64, factors: [f64; N_RELATIONS]) -> Vec<Explanation> {
        let bias = factors.iter().zip(NOTHING_SHARED).map(|(factor, share)| factor * share.ln()).sum();
        vec![Explanation::leaf(What::WordsAlone, value - bias), Explanation::leaf(What::Bias, bias)]
    }
}

/// The words of both texts and the signs of code, sorted; characters where a script puts no spaces, or
/// where there are hardly any words.
fn units(texts: [&str; 2]) -> [Vec<String>; 2] {
    let is_unspaced =
        |char: char| matches!(char, '\u{e00}'..='\u{eff}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7af}');
    let is_by_characters = texts.iter().any(|text| text.chars().any(is_unspaced) || words(text).is_empty());
    texts.map(|text| {
        let mut units = if is_by_characters { characters(text) } else { words(text) };
        units.sort_unstable();
        units
    })
}

fn words(text: &str) -> Vec<String> {
    // "a + b" and "a - b" differ in one unit of three.
    let is_sign = |char: &char| "+-*/=<>&|^%~".contains(*char);
    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).chain(text.chars().filter(is_sign).map(String::from)).collect()
}

/// Letters and digits; all characters if there are none.
fn characters(text: &str) -> Vec<String> {
    let all = || text.chars().filter(|char| !char.is_whitespace()).flat_map(char::to_lowercase);
    let letters: Vec<String> = all().filter(|char| char.is_alphanumeric()).map(String::from).collect();
    if letters.is_empty() { all().map(String::from).collect() } else { letters }
}

/// The number of units that two sorted lists share.
fn shared(source: &[String], target: &[String]) -> usize {
    let (mut at, mut n) = (0, 0);
    for unit in source {
        while target.get(at).is_some_and(|other| other < unit) {
            at += 1;
        }
        if target.get(at) == Some(unit) {
            (at, n) = (at + 1, n + 1);
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probabilities(source: &str, target: &str) -> [f64; N_RELATIONS] {
        ByWords::of([source, target]).heads.map(f64::exp)
    }

    #[test]
    fn no_relation_is_sure_and_swapping_mirrors() {
        let texts = [
            "Ich habe keine Zeit.",
            "keine Zeit",
            "Zeit habe ich keine!",
            "我没有时间。",
            "!!!",
            "?",
            "a b c d e f g a",
            "",
        ];
        for source in texts {
            for target in texts {
                let (found, mirror) = (probabilities(source, target), probabilities(target, source));
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{source} | {target}: {found:?}");
                assert!(found.iter().all(|share| *share > 0.0 && *share < 0.6 + 1e-9), "{found:?}");
                let [e, f, b, c, n] = found;
                assert_eq!([e, b, f, c, n].map(f64::to_bits), mirror.map(f64::to_bits));
            }
        }
    }

    #[test]
    fn shared_words_speak_for_the_same() {
        let [same, ..] = probabilities("Ich habe keine Zeit.", "Zeit habe ich keine!");
        let [other, .., neutral] = probabilities("Ich habe keine Zeit.", "Der Zug kommt um acht.");
        assert!(same > 0.59 && other < 0.16 && neutral > 0.5);
        let [_, forward, backward, ..] = probabilities("Ich habe heute keine Zeit.", "keine Zeit");
        assert!(forward > backward);
        assert!(ByWords::of(["今天天气很好。", "今天天气不好。"]).similarity > 0.5);
        // The order of characters is not looked at, nor are marks.
        let [same, ..] = probabilities("我今天很忙。", "今天我很忙");
        let [other, ..] = probabilities("return a + b;", "return a - b;");
        assert!(same > 0.59 && other < 0.4, "{same} {other}");
    }
}
