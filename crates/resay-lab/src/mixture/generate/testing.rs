//! Runs a generator on one sentence in tests.

use super::{BACKWARD, CONTRADICTION, EQUIVALENT, FORWARD, Generator, NEUTRAL, Sentence, Variants};
use resay_learn::rng::SplitMix;
use std::collections::BTreeSet;

/// Whatever a generator makes of a sentence with any of many seeds: a sign for the relation (`=`,
/// `>`, `<`, `x`, `#`), then the target; a source that is not the sentence itself stands before
/// ` | `.
fn made(generator: Generator, text: &str) -> BTreeSet<String> {
    let sentence = Sentence::parse(text).unwrap_or_else(|| panic!("no sentence: {text}"));
    let mut made = BTreeSet::new();
    for seed in 0..300 {
        let mut variants = Variants::default();
        generator(&sentence, &mut SplitMix::new(seed), &mut variants);
        for variant in variants.0 {
            let sign = match variant.relation {
                EQUIVALENT => '=',
                FORWARD => '>',
                BACKWARD => '<',
                CONTRADICTION => 'x',
                NEUTRAL => '#',
                other => panic!("several relations: {other}"),
            };
            let source = if variant.source == text { String::new() } else { format!("{} | ", variant.source) };
            made.insert(format!("{sign} {source}{}", variant.target));
        }
    }
    made
}

/// Checks that all these are among what is made.
pub(super) fn check(generator: Generator, text: &str, expected: &[&str]) {
    let made = made(generator, text);
    for line in expected {
        assert!(made.contains(*line), "{text}: no '{line}' in {made:#?}");
    }
    assert!(!expected.is_empty() || made.is_empty(), "{text}: {made:#?}");
}

/// Checks that nothing is made of the sentences.
pub(super) fn refuses(generator: Generator, texts: &[&str]) {
    texts.iter().for_each(|text| check(generator, text, &[]));
}
