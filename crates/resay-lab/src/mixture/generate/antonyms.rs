//! Opposites: an antonym contradicts, and "not" before it says the same only where there is nothing
//! between the two.

use super::lists::{self, has};
use super::sentence::Sentence;
use super::verbs::{expanded, is_be};
use super::{Variants, is_person};
use resay_learn::rng::SplitMix;

/// Of these one or the other holds.
const COMPLEMENTARY: [[&str; 2]; 12] = [
    ["alive", "dead"],
    ["open", "closed"],
    ["present", "absent"],
    ["true", "false"],
    ["possible", "impossible"],
    ["legal", "illegal"],
    ["married", "unmarried"],
    ["awake", "asleep"],
    ["correct", "incorrect"],
    ["valid", "invalid"],
    ["visible", "invisible"],
    ["complete", "incomplete"],
];

/// Of these at most one holds.
const GRADED: [[&str; 2]; 138] = [
    ["happy", "unhappy"],
    ["happy", "sad"],
    ["tall", "short"],
    ["big", "small"],
    ["large", "small"],
    ["huge", "tiny"],
    ["rich", "poor"],
    ["wealthy", "poor"],
    ["strong", "weak"],
    ["fast", "slow"],
    ["quick", "slow"],
    ["hot", "cold"],
    ["warm", "cool"],
    ["wet", "dry"],
    ["clean", "dirty"],
    ["full", "empty"],
    ["heavy", "light"],
    ["hard", "easy"],
    ["difficult", "easy"],
    ["safe", "dangerous"],
    ["cheap", "expensive"],
    ["beautiful", "ugly"],
    ["pretty", "ugly"],
    ["smart", "stupid"],
    ["clever", "stupid"],
    ["intelligent", "stupid"],
    ["brave", "cowardly"],
    ["kind", "cruel"],
    ["kind", "unkind"],
    ["polite", "rude"],
    ["polite", "impolite"],
    ["honest", "dishonest"],
    ["patient", "impatient"],
    ["lucky", "unlucky"],
    ["healthy", "sick"],
    ["healthy", "ill"],
    ["guilty", "innocent"],
    ["early", "late"],
    ["noisy", "quiet"],
    ["loud", "quiet"],
    ["busy", "free"],
    ["famous", "unknown"],
    ["popular", "unpopular"],
    ["important", "unimportant"],
    ["interesting", "boring"],
    ["exciting", "dull"],
    ["useful", "useless"],
    ["careful", "careless"],
    ["friendly", "unfriendly"],
    ["friendly", "hostile"],
    ["wide", "narrow"],
    ["thick", "thin"],
    ["deep", "shallow"],
    ["long", "short"],
    ["high", "low"],
    ["bright", "dark"],
    ["near", "far"],
    ["right", "wrong"],
    ["right", "mistaken"],
    ["sharp", "blunt"],
    ["smooth", "rough"],
    ["soft", "hard"],
    ["sweet", "bitter"],
    ["tight", "loose"],
    ["simple", "complicated"],
    ["clear", "unclear"],
    ["certain", "uncertain"],
    ["comfortable", "uncomfortable"],
    ["common", "rare"],
    ["usual", "unusual"],
    ["modern", "old-fashioned"],
    ["fresh", "stale"],
    ["fresh", "rotten"],
    ["generous", "stingy"],
    ["lazy", "hardworking"],
    ["lazy", "diligent"],
    ["modest", "arrogant"],
    ["shy", "outgoing"],
    ["nervous", "calm"],
    ["angry", "calm"],
    ["tired", "rested"],
    ["hungry", "full"],
    ["drunk", "sober"],
    ["fat", "thin"],
    ["fat", "slim"],
    ["blind", "sighted"],
    ["male", "female"],
    ["normal", "abnormal"],
    ["natural", "artificial"],
    ["public", "private"],
    ["perfect", "imperfect"],
    ["fair", "unfair"],
    ["reliable", "unreliable"],
    ["responsible", "irresponsible"],
    ["successful", "unsuccessful"],
    ["satisfied", "dissatisfied"],
    ["pleased", "displeased"],
    ["optimistic", "pessimistic"],
    ["talkative", "taciturn"],
    ["tidy", "untidy"],
    ["neat", "messy"],
    ["delicious", "disgusting"],
    ["pleasant", "unpleasant"],
    ["wonderful", "terrible"],
    ["great", "terrible"],
    ["excellent", "awful"],
    ["good", "bad"],
    ["nice", "nasty"],
    ["reasonable", "unreasonable"],
    ["accurate", "inaccurate"],
    ["logical", "illogical"],
    ["realistic", "unrealistic"],
    ["sane", "insane"],
    ["mature", "immature"],
    ["convenient", "inconvenient"],
    ["crowded", "deserted"],
    ["experienced", "inexperienced"],
    ["confident", "insecure"],
    ["cheerful", "gloomy"],
    ["lively", "lifeless"],
    ["relaxed", "tense"],
    ["flexible", "rigid"],
    ["harmless", "harmful"],
    ["guilty", "blameless"],
    ["permanent", "temporary"],
    ["sunny", "cloudy"],
    ["foggy", "clear"],
    ["tiring", "refreshing"],
    ["sensible", "foolish"],
    ["wise", "foolish"],
    ["loyal", "disloyal"],
    ["grateful", "ungrateful"],
    ["obedient", "disobedient"],
    ["quickly", "slowly"],
    ["loudly", "quietly"],
    ["carefully", "carelessly"],
    ["politely", "rudely"],
    ["happily", "sadly"],
];

/// Adjectives that say the same of what they are said of here.
const SYNONYMS: [[&str; 2]; 24] = [
    ["big", "large"],
    ["huge", "enormous"],
    ["tiny", "minuscule"],
    ["rich", "wealthy"],
    ["quick", "fast"],
    ["sick", "ill"],
    ["difficult", "hard"],
    ["expensive", "costly"],
    ["correct", "right"],
    ["wrong", "incorrect"],
    ["wrong", "mistaken"],
    ["clever", "smart"],
    ["intelligent", "smart"],
    ["boring", "dull"],
    ["famous", "well-known"],
    ["quiet", "silent"],
    ["nasty", "unpleasant"],
    ["stupid", "dumb"],
    ["angry", "mad"],
    ["terrible", "awful"],
    ["great", "wonderful"],
    ["delicious", "tasty"],
    ["polite", "courteous"],
    ["quickly", "rapidly"],
];

/// Adjectives that mean something else, or need something else, of persons or of things.
const OF_PERSONS: [&str; 6] = ["healthy", "hungry", "clever", "angry", "tired", "sick"];
const OF_THINGS: [&str; 18] = [
    "long",
    "light",
    "hard",
    "deep",
    "high",
    "heavy",
    "clear",
    "great",
    "fair",
    "free",
    "large",
    "free",
    "dull",
    "soft",
    "difficult",
    "easy",
    "expensive",
    "cheap",
];

/// What may stand between the verb and the adjective.
const DEGREES: [&str; 4] = ["very", "really", "extremely", "quite"];

/// What may follow the adjective.
const FOLLOWERS: [&str; 10] =
    ["", "today", "yesterday", "now", "here", "again", "there", "tonight", "anymore", "recently"];

pub(super) fn generate(sentence: &Sentence, _: &mut SplitMix, variants: &mut Variants) {
    let long = expanded(sentence);
    let sentence = long.as_ref().unwrap_or(sentence);
    if !sentence.is_simple() || sentence.has_any(&lists::UNREAL) || !sentence.is_statement() {
        return;
    }
    let is_manner = |word: &str| word.ends_with("ly") && word != "early" && word != "ugly";
    let last = sentence.len() - 1;
    for at in 2..=last {
        let word = sentence.word(at);
        let mut verb = at - 1;
        if has(&DEGREES, sentence.word(verb)) {
            verb -= 1;
        }
        let is_graded = verb + 1 < at;
        if !has(&FOLLOWERS, sentence.word(at + 1)) {
            continue;
        }
        if is_manner(word) && at == last && !sentence.is_negative() {
            opposites(sentence, at, false, variants);
        } else if is_be(sentence.word(verb)) && fits(sentence, word) {
            if sentence.has_any(&lists::NEGATIONS) || sentence.is_negative() {
                continue;
            }
            opposites(sentence, at, true, variants);
            let is_quantified =
                sentence.has_any(&["everyone", "everybody", "all", "everything", "most", "some", "many"]);
            if !is_graded && !is_quantified {
                negations(sentence, at, variants);
            }
        }
    }
}

/// Whether the subject and the adjective go together.
fn fits(sentence: &Sentence, word: &str) -> bool {
    let first = sentence.word(0);
    let is_being = is_person(first) || has(&["I", "you", "he", "she", "we", "they"], first) || {
        let noun = if has(&lists::DETERMINERS, first) { sentence.word(1) } else { "" };
        has(&lists::BEINGS, noun)
    };
    if is_being {
        !has(&OF_THINGS, word)
    } else {
        !has(&OF_PERSONS, word) && !sentence.has_any(&["people", "children"])
    }
}

/// Both orders of each pair of a list that has the word.
fn partners<'a>(list: &'a [[&'a str; 2]], word: &str) -> impl Iterator<Item = &'a str> {
    let both = list.iter().flat_map(|&[first, second]| [[first, second], [second, first]]);
    both.filter(move |[first, _]| *first == word).map(|[_, second]| second).collect::<Vec<_>>().into_iter()
}

fn opposites(sentence: &Sentence, at: usize, has_verb: bool, variants: &mut Variants) {
    let (text, word) = (sentence.text(), sentence.word(at));
    let is_whole = !has(&DEGREES, sentence.before(at));
    let complements = COMPLEMENTARY.iter().filter(|_| is_whole && has_verb);
    let complements: Vec<[&str; 2]> = complements.copied().collect();
    for other in partners(&GRADED, word).chain(partners(&complements, word)) {
        if !has_verb || fits(sentence, other) {
            variants.contradiction(&text, sentence.replaced(at..at + 1, &[other]));
        }
    }
    for other in partners(&SYNONYMS, word).filter(|other| !has_verb || fits(sentence, other)) {
        variants.equivalent(&text, sentence.replaced(at..at + 1, &[other]));
    }
}

fn negations(sentence: &Sentence, at: usize, variants: &mut Variants) {
    let (text, word) = (sentence.text(), sentence.word(at));
    for other in partners(&COMPLEMENTARY, word) {
        variants.equivalent(&text, sentence.replaced(at..at + 1, &["not", other]));
        variants.contradiction(&text, sentence.replaced(at..at + 1, &["not", word]));
    }
    for other in partners(&GRADED, word).filter(|other| fits(sentence, other)) {
        variants.forward(&text, sentence.replaced(at..at + 1, &["not", other]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn opposites_contradict() {
        let check = |text: &str, expected: &[&str]| testing::check(generate, text, expected);
        check("The soup is cold.", &["x The soup is hot.", "> The soup is not hot."]);
        check("The soup was very cold today.", &["x The soup was very hot today."]);
        check("The shop is open.", &["x The shop is closed.", "= The shop is not closed.", "x The shop is not open."]);
        check("Anna was sick.", &["= Anna was ill.", "x Anna was healthy."]);
        check("He spoke quietly.", &["x He spoke loudly."]);
        testing::refuses(
            generate,
            &["The soup isn't cold.", "It may be cold.", "He lives in a big house.", "Is it cold?"],
        );
    }

    #[test]
    fn no_pair_is_listed_twice() {
        let all: Vec<[&str; 2]> = COMPLEMENTARY.into_iter().chain(GRADED).collect();
        assert_eq!(all.len(), 150);
        for (at, [first, second]) in all.iter().enumerate() {
            assert!(first != second && !all[..at].contains(&[first, second]) && !all[..at].contains(&[second, first]));
        }
    }
}
