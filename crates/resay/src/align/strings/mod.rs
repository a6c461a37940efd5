//! Spelling similarity of two words, by nine measures at once.
//!
//! The aligner compares every word of a sentence with every word of another. So the work per word
//! is done once, in [`Spelling::new`], and [`Spelling::compare`] walks once over the shorter word,
//! without allocating.
//!
//! All measures come from one question: where in the longer word does this character of the shorter
//! one occur? The answer is a `u64` with one bit per position, looked up in a table of the longer
//! word. Levenshtein distance follows by Myers' bit vectors (1999, in the form of Hyyrö 2003), Jaro
//! matches by masking a window, and n-grams as in the Shift-And search (Baeza-Yates and Gonnet
//! 1992): `abc` ends where `ab` ends, shifted by one, and `c` occurs.
//!
//! A position is a bit, so only the first [`MAX_CHARS`] characters of a word count, after
//! lower-casing. No measure sees the rest: longer words with that prefix in common are equal. Words
//! of that length are addresses and the like, and comparing two words takes bounded time whatever
//! the text.

#[cfg(test)]
mod truth;

/// The number of characters of a word that count, after lower-casing: one bit each.
pub const MAX_CHARS: usize = 64;

/// Characters with a class of their own: `a` to `z` and `0` to `9`. All others share the classes
/// above.
const N_OWN_CLASSES: u32 = 36;

/// Returns the class of a character, below 64. Neighbours in Unicode, such as letters of one
/// script, fall into different classes.
fn class(character: char) -> u32 {
    match character {
        'a'..='z' => u32::from(character) - u32::from('a'),
        '0'..='9' => u32::from(character) - u32::from('0') + 26,
        _ => N_OWN_CLASSES + u32::from(character) % (64 - N_OWN_CLASSES),
    }
}

/// A word prepared for comparison. Its characters are lower-cased one by one, so a final sigma
/// stays as it is.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// One bit per class that occurs.
    classes: u64,
    n_chars: u32,
    n_distinct: u32,
    /// `class << 24 | character`, so that the class need not be computed again; zero after the
    /// last.
    characters: [u32; MAX_CHARS],
    /// `positions[class]`: one bit per position with a character of that class.
    positions: [u64; 64],
}

/// The similarities of two words, each from 0 (nothing in common) to 1; all 1 if the words are
/// equal, all 0 if either is empty.
///
/// An n-gram is n consecutive characters; the only n-gram of a shorter word is the word itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Similarities {
    /// Jaro similarity, plus a tenth of its distance to 1 for each of up to four equal first
    /// characters (Winkler 1990), however low it was. Half transpositions count as halves.
    pub jaro_winkler: f32,
    /// Dice coefficient of the bigrams; a bigram that occurs twice counts twice, as in all n-grams
    /// below.
    pub dice: f32,
    /// Positions with the same character, as a share of the longer word.
    pub hamming: f32,
    /// Characters that occur in both, as a share of those that occur in either.
    pub jaccard: f32,
    /// 1 - edits / length of the longer word; an edit inserts, deletes or replaces one character.
    pub levenshtein: f32,
    /// Dice coefficient of the 3-grams.
    pub trigrams: f32,
    /// Dice coefficient of the 4-grams.
    pub fourgrams: f32,
    /// Length of the common prefix, as a share of the longer word.
    pub prefix: f32,
    /// Length of the common suffix, as a share of the longer word.
    pub suffix: f32,
}

impl Similarities {
    /// The similarities of words without a common character.
    pub const NONE: Self = Self::all(0.0);
    /// The similarities of equal words.
    pub const EQUAL: Self = Self::all(1.0);

    const fn all(value: f32) -> Self {
        Self {
            jaro_winkler: value,
            dice: value,
            hamming: value,
            jaccard: value,
            levenshtein: value,
            trigrams: value,
            fourgrams: value,
            prefix: value,
            suffix: value,
        }
    }

    /// Returns all measures, in the order of [`crate::id::StringMeasure`].
    pub fn values(&self) -> [f32; 9] {
        [
            self.jaro_winkler,
            self.dice,
            self.hamming,
            self.jaccard,
            self.levenshtein,
            self.trigrams,
            self.fourgrams,
            self.prefix,
            self.suffix,
        ]
    }
}

/// Returns the lowest set bit.
fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

impl Spelling {
    /// Prepares a word of any length and script.
    pub fn new(word: &str) -> Self {
        let mut spelling =
            Self { classes: 0, n_chars: 0, n_distinct: 0, characters: [0; MAX_CHARS], positions: [0; 64] };
        let lower = word.chars().flat_map(char::to_lowercase);
        for (position, (slot, character)) in spelling.characters.iter_mut().zip(lower).enumerate() {
            let class = class(character);
            *slot = class << 24 | u32::from(character);
            spelling.classes |= 1 << class;
            spelling.positions[class as usize] |= 1 << position;
            spelling.n_chars += 1;
        }
        let firsts = |&character: &u32| lowest(spelling.positions_of(character));
        spelling.n_distinct = spelling.characters().iter().map(firsts).fold(0, |all, first| all | first).count_ones();
        spelling
    }

    fn characters(&self) -> &[u32] {
        &self.characters[..self.n_chars as usize]
    }

    /// Returns one bit per position with this character.
    #[inline]
    fn positions_of(&self, character: u32) -> u64 {
        let class = character >> 24;
        let mut candidates = self.positions[(class & 63) as usize];
        if class < N_OWN_CLASSES {
            return candidates;
        }
        let mut positions = 0;
        while candidates != 0 {
            if self.characters[candidates.trailing_zeros() as usize % MAX_CHARS] == character {
                positions |= lowest(candidates);
            }
            candidates ^= lowest(candidates);
        }
        positions
    }

    /// Computes all nine measures; symmetric.
    pub fn compare(&self, other: &Self) -> Similarities {
        // Equal characters have equal classes, so this alone settles many pairs, and those with an
        // empty word.
        if self.classes & other.classes == 0 {
            return Similarities::NONE;
        }
        if self.classes == other.classes && self.characters() == other.characters() {
            return Similarities::EQUAL;
        }
        if self.n_chars >= other.n_chars { self.compare_shorter(other) } else { other.compare_shorter(self) }
    }

    /// Computes the measures for another word that is different and not longer; neither is empty.
    fn compare_shorter(&self, shorter: &Self) -> Similarities {
        let (n_long, n_short) = (self.n_chars, shorter.n_chars);
        // Myers: the bits of `more` and `less` say where the column of the table rises and falls by
        // one from row to row.
        let (mut more, mut less, mut distance) = (!0_u64, 0_u64, n_long);
        let last_row = 1_u64 << (n_long - 1);
        // Jaro: characters match within `reach` of each other; `window` has the bits within reach
        // of the current one.
        let reach = (n_long / 2).saturating_sub(1);
        let (mut window, mut matched_long, mut matched_short) = ((2_u64 << reach) - 1, 0_u64, 0_u64);
        // Where the n-grams that end with the current character end in the longer word, and the
        // ends already counted. Equal n-grams share their end positions and different ones never
        // do, so taking the lowest free position each time counts each n-gram as often as both
        // words have it.
        let (mut ones, mut twos, mut threes) = (0_u64, 0_u64, 0_u64);
        let (mut taken_twos, mut taken_threes, mut taken_fours) = (0_u64, 0_u64, 0_u64);
        // Hamming, common prefix and common suffix; distinct characters by their first position.
        let (mut same_from_start, mut same_from_end, mut common) = (0_u64, 0_u64, 0_u64);

        let mut here = 1_u64;
        for (position, &character) in (0_u32..).zip(shorter.characters()) {
            let places = self.positions_of(character);

            let vertical = places | less;
            let horizontal = ((places & more).wrapping_add(more) ^ more) | places;
            let (up, down) = (less | !(horizontal | more), more & horizontal);
            distance = distance + u32::from(up & last_row != 0) - u32::from(down & last_row != 0);
            let (up, down) = (up << 1 | 1, down << 1);
            (more, less) = (down | !(vertical | up), up & vertical);

            let partner = lowest(places & window & !matched_long);
            matched_long |= partner;
            matched_short |= u64::from(partner != 0) << position;
            window = window << 1 | u64::from(position < reach);

            let fours = threes << 1 & places;
            threes = twos << 1 & places;
            twos = ones << 1 & places;
            ones = places;
            taken_twos |= lowest(twos & !taken_twos);
            taken_threes |= lowest(threes & !taken_threes);
            taken_fours |= lowest(fours & !taken_fours);

            same_from_start |= places & here;
            same_from_end |= places & here << (n_long - n_short);
            common |= lowest(places);
            here <<= 1;
        }

        let of_longer = |count: u32| count as f32 / n_long as f32;
        // A word shorter than n shares its one n-gram only with equal words, which do not get here.
        let dice = |taken: u64, n: u32| {
            let n_grams = (n_long + n_short + 2).saturating_sub(2 * n).max(1);
            (2 * taken.count_ones()) as f32 / n_grams as f32
        };
        let prefix = same_from_start.trailing_ones();
        let n_common = common.count_ones();
        let jaro = self.jaro(shorter, matched_long, matched_short);
        Similarities {
            jaro_winkler: jaro + 0.1 * prefix.min(4) as f32 * (1.0 - jaro),
            dice: dice(taken_twos, 2),
            hamming: of_longer(same_from_start.count_ones()),
            jaccard: n_common as f32 / (self.n_distinct + shorter.n_distinct - n_common) as f32,
            levenshtein: of_longer(n_long - distance),
            trigrams: dice(taken_threes, 3),
            fourgrams: dice(taken_fours, 4),
            prefix: of_longer(prefix),
            suffix: of_longer((same_from_end << (64 - n_long)).leading_ones()),
        }
    }

    /// (m / long + m / short + (m - t) / m) / 3 for m matched characters, where t is half the
    /// number of those that differ when the matched characters of both words are read in order.
    fn jaro(&self, shorter: &Self, mut matched_long: u64, mut matched_short: u64) -> f32 {
        if matched_long == 0 {
            return 0.0;
        }
        let n_matched = matched_long.count_ones() as f32;
        let mut n_moved = 0_u32;
        while matched_long != 0 {
            let long = self.characters[matched_long.trailing_zeros() as usize % MAX_CHARS];
            let short = shorter.characters[matched_short.trailing_zeros() as usize % MAX_CHARS];
            n_moved += u32::from(long != short);
            matched_long ^= lowest(matched_long);
            matched_short ^= lowest(matched_short);
        }
        let shares = n_matched / self.n_chars as f32 + n_matched / shorter.n_chars as f32;
        (shares + (1.0 - 0.5 * n_moved as f32 / n_matched)) / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Argument;
    use crate::id::StringMeasure::{self, *};

    /// Checks one measure of two words.
    fn check(measure: StringMeasure, a: &str, b: &str, expected: f32) {
        let value = Spelling::new(a).compare(&Spelling::new(b)).values()[measure as usize];
        assert!((value - expected).abs() < 5e-5, "{measure:?} of {a:?} and {b:?}: {value}, expected {expected}");
    }

    #[test]
    fn published_values() {
        check(JaroWinkler, "martha", "marhta", 0.9611);
        check(JaroWinkler, "dixon", "dicksonx", 0.8133);
        check(JaroWinkler, "dwayne", "duane", 0.84);
        check(Levenshtein, "kitten", "sitting", 1.0 - 3.0 / 7.0);
        check(Levenshtein, "saturday", "sunday", 1.0 - 3.0 / 8.0);
        check(Dice, "night", "nacht", 0.25);
        check(Dice, "france", "french", 0.4);
        check(Hamming, "karolin", "kathrin", 4.0 / 7.0);
    }

    #[test]
    fn values_counted_by_hand() {
        // aa aa ab | aa ab bb: one aa, one ab.
        check(Dice, "aaab", "aabb", 4.0 / 6.0);
        // {a, b} | {a, b, c}, regardless of counts.
        check(Jaccard, "abab", "aabbc", 2.0 / 3.0);
        // run unn nne ner | run unn nni nin ing.
        check(Trigrams, "runner", "running", 4.0 / 9.0);
        // runn unne nner | runn unni nnin ning.
        check(Fourgrams, "runner", "running", 2.0 / 7.0);
        // Too short for a 4-gram: the word is its only one, which no other word shares.
        check(Fourgrams, "run", "runs", 0.0);
        check(Fourgrams, "run", "ran", 0.0);
        check(Prefix, "runner", "running", 4.0 / 7.0);
        check(Suffix, "singing", "ring", 3.0 / 7.0);
        check(Suffix, "ing", "singing", 3.0 / 7.0);
        // Three letters rotated are one and a half transpositions.
        check(JaroWinkler, "xabcyyyy", "zbcawwww", (3.0 / 8.0 + 3.0 / 8.0 + 0.5) / 3.0);
    }

    #[test]
    fn equal_words_are_equal_and_empty_ones_like_nothing() {
        for (a, b, expected) in
            [("I", "i", 1.0), ("École", "éCOLE", 1.0), ("", "", 0.0), ("", "a", 0.0), ("a", "", 0.0)]
        {
            StringMeasure::ALL.iter().for_each(|measure| check(*measure, a, b, expected));
        }
    }
}
