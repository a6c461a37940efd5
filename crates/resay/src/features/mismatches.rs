//! Differences that change the meaning although nearly all words are the same: numbers, names,
//! negation, antonyms, quantities.

use super::quantity::{Quantity, quantity};
use super::unaligned::Unaligned;
use super::{Correspondence, FeatureExtractor};
use crate::align::{Class, Level};
use crate::id::Feature;
use crate::latent::sentences::Shape;
use resay_text::lexicon::Relation;

/// Extracts all mismatches. Returns the words of each sentence that they concern.
pub(super) fn extract(out: &mut FeatureExtractor<'_>, unaligned: &Unaligned) -> [Vec<usize>; 2] {
    let mut told = [Vec::new(), Vec::new()];
    let mut tell = |words: &[Vec<usize>; 2]| (0..2).for_each(|side: usize| told[side].extend(&words[side]));
    let numbers = [0, 1].map(|side| numbers(out.pair, side));
    let only = [0, 1].map(|side: usize| unmatched(&numbers[side], &numbers[1 - side]));
    tell(&only);
    differing(out, [Feature::OtherNumber, Feature::NumberInOne], only);
    let names = [0, 1].map(|side| names_alone(out.pair, side));
    tell(&names);
    differing(out, [Feature::OtherName, Feature::NameInOne], names);
    let negations = [0, 1].map(|side| negations(out.pair, side));
    let odd = usize::from(negations[0].len() % 2 != negations[1].len() % 2);
    let feature = out.put(Feature::NegationInOne, odd as f64);
    if odd == 1 {
        out.point(feature, &negations[0], &negations[1]);
    }
    let tables = [
        ([Feature::OtherQuantity, Feature::QuantityInOne], &QUANTITIES[..]),
        ([Feature::OtherTime, Feature::TimeInOne], &TIMES),
        ([Feature::OtherUnit, Feature::UnitInOne], &UNITS),
    ];
    for (features, table) in tables {
        let found = [0, 1].map(|side| rows(out.pair, side, table));
        let only = [0, 1].map(|side: usize| unmatched(&found[side], &found[1 - side]));
        tell(&only);
        differing(out, features, only);
    }
    tell(&siblings(out));
    tell(&opposites(out, unaligned));
    told
}

/// Pairs off words that only one sentence has with words that only the other has, and counts the
/// rest as missing.
fn differing(out: &mut FeatureExtractor<'_>, [other, in_one]: [Feature; 2], [source, target]: [Vec<usize>; 2]) {
    let (n_source, n_target) = (source.len(), target.len());
    let n_against = n_source.min(n_target);
    let feature = out.put(other, n_against as f64);
    for at in 0..n_against {
        out.point(feature, &source[at..=at], &target[at..=at]);
    }
    let places = out.both(in_one, (n_source - n_against) as f64, (n_target - n_against) as f64);
    // Only one list can have words left. If neither sentence comes first, the second feature counts
    // them.
    let is_target = out.shape == Shape::Target;
    for &word in &source[n_against..] {
        out.point(places[1], &[word], &[]);
    }
    for &word in &target[n_against..] {
        out.point(places[usize::from(!is_target)], &[], &[word]);
    }
}

/// Returns the words of one list whose values the other lacks, each as often as it occurs more
/// often.
fn unmatched<T: PartialEq>(own: &[(usize, T)], others: &[(usize, T)]) -> Vec<usize> {
    let mut left: Vec<&T> = others.iter().map(|(_, value)| value).collect();
    let mut alone = Vec::new();
    for (word, value) in own {
        match left.iter().position(|other| *other == value) {
            Some(at) => _ = left.swap_remove(at),
            None => alone.push(*word),
        }
    }
    alone
}

/// Returns the numbers of a sentence with their values. `one` is mostly not a number.
fn numbers(pair: &Correspondence<'_>, side: usize) -> Vec<(usize, Quantity)> {
    let words = 0..pair.n_words(side);
    let is_number = |word: usize, lower: &str| lower != "one" && (lower != "second" || pair.tag(side, word) == "JJ");
    let found = words.filter_map(|word| {
        let lower = pair.lower(side, word);
        Some((word, quantity(lower).filter(|_| is_number(word, lower))?))
    });
    found.collect()
}

/// Returns the names that the other sentence has in no form: neither the word, nor a similar one,
/// nor words with these initials.
fn names_alone(pair: &Correspondence<'_>, side: usize) -> Vec<usize> {
    let words = pair.side(side);
    let other = 1 - side;
    let is_name = |word: usize| words[word].class() == Class::Name && pair.lower(side, word).chars().count() > 1;
    let is_known = |word: usize| {
        (0..pair.n_words(other)).any(|there| {
            pair.level(side, word, there) >= Level::Synonym
                || pair.lower(other, there).starts_with(pair.lower(side, word))
        }) || is_initials(pair, side, word)
    };
    (0..words.len()).filter(|&word| is_name(word) && !is_known(word)).collect()
}

/// Returns whether a word consists of the initials of consecutive words on the other side.
fn is_initials(pair: &Correspondence<'_>, side: usize, word: usize) -> bool {
    let letters: Vec<char> = pair.lower(side, word).chars().filter(|letter| letter.is_alphanumeric()).collect();
    let firsts: Vec<char> =
        (0..pair.n_words(1 - side)).filter_map(|there| pair.lower(1 - side, there).chars().next()).collect();
    letters.len() > 1 && firsts.windows(letters.len()).any(|window| window == letters)
}

const NEGATIONS: [&str; 17] = [
    "not", "n't", "n’t", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot",
    "hardly", "barely", "scarcely", "unable",
];
/// Verbs that negate their complement.
const DENYING: [&str; 8] = ["fail", "refuse", "deny", "lack", "decline", "avoid", "prevent", "forget"];

/// Returns the words that negate the sentence.
fn negations(pair: &Correspondence<'_>, side: usize) -> Vec<usize> {
    let is_negation = |word: usize| {
        let lower = pair.lower(side, word);
        let denies = DENYING.contains(&pair.lemma(side, word)) && !pair.is_shared(side, word);
        NEGATIONS.contains(&lower) || denies
    };
    (0..pair.n_words(side)).filter(|&word| is_negation(word)).collect()
}

/// Quantity words by meaning; words in one row are equivalent.
const QUANTITIES: [&[&str]; 10] = [
    &["all", "every", "each", "everyone", "everybody", "everything", "always", "entire", "whole", "both"],
    &["some", "several", "sometimes", "someone", "somebody", "something", "certain", "partly"],
    &["most", "majority", "mostly", "usually"],
    &["many", "much", "often", "numerous"],
    &["few", "little", "rarely", "seldom", "minority"],
    &["only", "just", "solely", "exclusively"],
    &["least", "minimum"],
    &["more", "over", "exceeding"],
    &["fewer", "less", "under"],
    &["none", "no", "nobody", "neither", "never", "nothing"],
];

/// Words that place something in time, relative to now or to something else.
const TIMES: [&[&str]; 8] = [
    &["still"],
    &["already"],
    &["yet"],
    &["ago", "last", "formerly", "previously", "yesterday", "once"],
    &["next", "tomorrow", "soon", "about", "due", "likely", "upcoming"],
    &["until", "till"],
    &["longer", "anymore"],
    &["now", "currently", "today"],
];

/// Units of measurement.
const UNITS: [&[&str]; 18] = [
    &["second", "seconds"],
    &["minute", "minutes"],
    &["hour", "hours"],
    &["day", "days"],
    &["week", "weeks"],
    &["month", "months"],
    &["year", "years"],
    &["decade", "decades"],
    &["century", "centuries"],
    &["metre", "metres", "meter", "meters"],
    &["kilometre", "kilometres", "kilometer", "kilometers", "km"],
    &["mile", "miles"],
    &["gram", "grams"],
    &["kilo", "kilos", "kilogram", "kilograms", "kg"],
    &["euro", "euros", "€"],
    &["dollar", "dollars", "$"],
    &["pound", "pounds", "£"],
    &["percent", "%"],
];

/// Returns the words that are in a table, with their rows.
fn rows(pair: &Correspondence<'_>, side: usize, table: &[&[&str]]) -> Vec<(usize, usize)> {
    let row = |word: usize| table.iter().position(|row| row.contains(&pair.lower(side, word)));
    (0..pair.n_words(side)).filter_map(|word| Some((word, row(word)?))).collect()
}

/// Aligned words of one kind (two rooms, two nations) that do not mean the same.
fn siblings(out: &mut FeatureExtractor<'_>) -> [Vec<usize>; 2] {
    let pair = out.pair;
    let mut found: [Vec<usize>; 2] = Default::default();
    for i in pair.content(0).filter(|&i| !pair.is_shared(0, i)) {
        let is_sibling = |j: usize| {
            let cell = pair.compared.cell(i, j);
            let is_other = cell.level < Level::Synonym && !pair.is_shared(1, j);
            let one_class = pair.side(0)[i].class() == pair.side(1)[j].class();
            is_other && one_class && pair.side(0)[i].class() != Class::Verb && cell.strings.levenshtein < 0.8
        };
        if let Some(&j) = pair.partners(0, i).iter().find(|&&j| is_sibling(j)) {
            found[0].push(i);
            found[1].push(j);
        }
    }
    let feature = out.put(Feature::SiblingsExchanged, found[0].len() as f64);
    for (&i, &j) in found[0].iter().zip(&found[1]) {
        out.point(feature, &[i], &[j]);
    }
    found
}

/// Antonyms that WordNet does not list, or not for these parts of speech.
const OPPOSITES: [(&str, &str); 30] = [
    ("before", "after"),
    ("above", "below"),
    ("inside", "outside"),
    ("with", "without"),
    ("up", "down"),
    ("over", "under"),
    ("more", "less"),
    ("more", "fewer"),
    ("into", "out"),
    ("on", "off"),
    ("win", "lose"),
    ("rise", "fall"),
    ("increase", "decrease"),
    ("increase", "fall"),
    ("rise", "drop"),
    ("gain", "lose"),
    ("buy", "sell"),
    ("accept", "reject"),
    ("approve", "reject"),
    ("arrive", "depart"),
    ("arrive", "leave"),
    ("enter", "leave"),
    ("push", "pull"),
    ("begin", "end"),
    ("start", "finish"),
    ("start", "stop"),
    ("praise", "criticise"),
    ("support", "oppose"),
    ("early", "late"),
    ("upstairs", "downstairs"),
];

/// Words of one sentence only that have an antonym in the other sentence only.
fn opposites(out: &mut FeatureExtractor<'_>, unaligned: &Unaligned) -> [Vec<usize>; 2] {
    let pair = out.pair;
    let only = [0, 1].map(|side| {
        let words = 0..pair.n_words(side);
        words.filter(|&word| !pair.is_shared(side, word)).collect::<Vec<usize>>()
    });
    let is_listed = |i: usize, j: usize| {
        let (a, b) = (pair.lemma(0, i), pair.lemma(1, j));
        OPPOSITES.iter().any(|&(one, other)| (one == a && other == b) || (one == b && other == a))
    };
    let is_prefixed = |i: usize, j: usize| {
        let (a, b) = (pair.lemma(0, i), pair.lemma(1, j));
        let denies = |a: &str, b: &str| {
            ["un", "in", "im", "dis", "ir", "il", "non", "non-"].iter().any(|start| a.strip_prefix(start) == Some(b))
        };
        b.len().min(a.len()) > 3 && (denies(a, b) || denies(b, a))
    };
    let mut found = Vec::new();
    for &i in &only[0] {
        let is_opposite = |j: usize| {
            pair.compared.cell(i, j).relations.contains(Relation::Antonym) || is_listed(i, j) || is_prefixed(i, j)
        };
        if let Some(&j) = only[1].iter().find(|&&j| is_opposite(j)) {
            found.push((i, j));
        }
    }
    let feature = out.put(Feature::Opposites, found.len() as f64);
    for &(i, j) in &found {
        out.point(feature, &[i], &[j]);
    }
    // Content words exchanged for unrelated words of the same class, which changes what is said.
    let mut n_exchanged = 0;
    let class = |side: usize, word: usize| pair.side(side)[word].class();
    let mut left = unaligned.words[1].clone();
    for &i in &unaligned.words[0] {
        if let Some(at) =
            left.iter().position(|&j| class(1, j) == class(0, i) && pair.relation(1, j) == pair.relation(0, i))
        {
            left.swap_remove(at);
            n_exchanged += 1;
        }
    }
    out.put(Feature::UnrelatedExchanged, f64::from(n_exchanged));
    found.into_iter().fold([Vec::new(), Vec::new()], |[mut source, mut target], (i, j)| {
        source.push(i);
        target.push(j);
        [source, target]
    })
}
