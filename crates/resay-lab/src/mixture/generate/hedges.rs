//! Hedges: a plain statement says more than a hedged one; hedges that say the same, and words that
//! only stress, do not matter.

use super::Variants;
use super::lists::{self, has};
use super::sentence::{Sentence, render};
use super::verbs::verb_place;
use resay_learn::rng::SplitMix;

const WEAKENING: [&str; 8] = [
    "probably",
    "perhaps",
    "maybe",
    "possibly",
    "it is possible that",
    "it's likely that",
    "there is a chance that",
    "presumably",
];
const STRESSING: [&str; 6] = [
    "in fact,",
    "it is a fact that",
    "it is certain that",
    "there is no doubt that",
    "indeed,",
    "as a matter of fact,",
];
const DENYING: [&str; 4] =
    ["it is impossible that", "it is not true that", "it is out of the question that", "it's simply false that"];
/// Hedges that say the same.
const SAME: [[&str; 2]; 4] = [
    ["perhaps", "maybe"],
    ["it seems that", "it appears that"],
    ["it's likely that", "probably"],
    ["it is possible that", "possibly"],
];

pub(super) fn generate(sentence: &Sentence, random: &mut SplitMix, variants: &mut Variants) {
    let is_other = sentence.has_any(&["really", "just", "certainly", "definitely", "sure", "but", "please", "always"]);
    if !sentence.is_assertion() || !sentence.is_simple() || is_other || sentence.word(0).contains('\'') {
        return;
    }
    let Some(at) = verb_place(sentence) else { return };
    if has(&["I", "you"], sentence.word(0)) && has(&["am", "know", "feel", "love", "like", "hate"], sentence.word(1)) {
        return;
    }
    let text = sentence.text();
    let framed = |frame: &str| render(&[&[frame.to_owned()], sentence.words.as_slice()].concat(), '.');
    variants.forward(&text, framed(WEAKENING[random.below(8)]));
    variants.equivalent(&text, framed(STRESSING[random.below(6)]));
    variants.contradiction(&text, framed(DENYING[random.below(4)]));
    let [one, other] = SAME[random.below(4)];
    variants.equivalent(framed(one), framed(other));
    variants.contradiction(framed(STRESSING[random.below(6)]), framed(DENYING[random.below(4)]));
    // After the verb `to be`, before another.
    let verb = sentence.word(at);
    let place = if super::verbs::is_auxiliary(verb) && !has(&["had", "has", "have"], verb) { at + 1 } else { at };
    if place > 0 && !has(&lists::UNREAL, verb) {
        variants.forward(&text, sentence.replaced(place..place, &["probably"]));
        variants.equivalent(framed("it is probable that"), sentence.replaced(place..place, &["probably"]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn hedges_weaken() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check(
            "The shop was closed.",
            &[
                "> Perhaps the shop was closed.",
                "> The shop was probably closed.",
                "= In fact, the shop was closed.",
                "x It is impossible that the shop was closed.",
                "= Perhaps the shop was closed. | Maybe the shop was closed.",
            ],
        );
        check("Anna sold the piano.", &["> Anna probably sold the piano."]);
        testing::refuses(generate, &["Anna may be ill.", "Is Anna ill?", "I think that she left.", "She never came."]);
    }
}
