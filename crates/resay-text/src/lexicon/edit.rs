//! Tests whether two words have edit distance one, without a distance table.
//!
//! One edit affects one position. After the longest common prefix, a single letter is inserted,
//! deleted or replaced, and the rest must be equal. Comparing bytes suffices in UTF-8, as long as
//! the letter at that position is taken as a whole.

/// Minimum length in characters; shorter words are alike by chance. The paper says "edit distance
/// 1" and nothing about lengths. In the training parts of two hand-aligned corpora (Edinburgh++ and
/// MSR06), 5 % of such pairs are aligned if the shorter word has three letters, 19 % if four, 40 %
/// if five, 66 % if more.
pub(super) const SHORTEST: usize = 4;

/// A summary of a word's spelling that rules out most pairs without comparing letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling {
    /// Number of characters; 0 if the word is too short or has a digit, because another digit is
    /// another number (6 of 311 such pairs are aligned in the same corpora).
    n_chars: u32,
    /// One bit per character that occurs, by its code modulo 64. One edit changes at most two bits.
    letters: u64,
}

impl Spelling {
    /// Summarises a lower-cased word.
    pub(super) fn new(word: &str) -> Self {
        let n_chars = word.chars().count();
        let is_compared = n_chars >= SHORTEST && !word.chars().any(char::is_numeric);
        let letters = word.chars().fold(0, |letters, character| letters | 1 << (u32::from(character) % 64));
        Self { n_chars: if is_compared { u32::try_from(n_chars).unwrap_or(0) } else { 0 }, letters }
    }

    /// Whether the two words could be one edit apart.
    pub(super) fn may_be_one_apart(self, other: Self) -> bool {
        let differing = self.letters ^ other.letters;
        let without_one = differing & differing.wrapping_sub(1);
        let without_two = without_one & without_one.wrapping_sub(1);
        self.n_chars != 0 && other.n_chars != 0 && self.n_chars.abs_diff(other.n_chars) <= 1 && without_two == 0
    }
}

/// Whether exactly one edit turns `a` into `b`. False if they are equal.
pub(super) fn is_one_apart(a: &str, b: &str) -> bool {
    let mut common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    if common == a.len() && common == b.len() {
        return false;
    }
    // Different characters may share their first bytes: go back to the last common boundary.
    while !(a.is_char_boundary(common) && b.is_char_boundary(common)) {
        common -= 1;
    }
    let (a, b) = (&a[common..], &b[common..]);
    let after_first = |text: &str| text.chars().next().map_or(0, char::len_utf8);
    let (a_after, b_after) = (&a[after_first(a)..], &b[after_first(b)..]);
    let is_replaced = !a.is_empty() && !b.is_empty() && a_after == b_after;
    is_replaced || (!a.is_empty() && a_after == b) || (!b.is_empty() && a == b_after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The table of Wagner and Fischer. `row[j]` is the distance from the characters of `a` so far
    /// to the first j of `b`.
    fn distance(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, a) in a.chars().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for j in 1..=b.len() {
                let replaced = diagonal + usize::from(a != b[j - 1]);
                diagonal = row[j];
                row[j] = replaced.min(row[j] + 1).min(row[j - 1] + 1);
            }
        }
        row[b.len()]
    }

    fn check(a: &str, b: &str) {
        let expected = distance(a, b) == 1;
        assert_eq!(is_one_apart(a, b), expected, "{a:?} {b:?}");
        let (spelling_a, spelling_b) = (Spelling::new(a), Spelling::new(b));
        if expected && spelling_a.n_chars != 0 && spelling_b.n_chars != 0 {
            assert!(spelling_a.may_be_one_apart(spelling_b), "{a:?} {b:?} were sorted out");
        }
    }

    #[test]
    fn one_edit_at_every_place() {
        for [a, b] in [
            ["", ""],
            ["", "a"],
            ["a", "b"],
            ["a", "ab"],
            ["ba", "a"],
            ["ab", "ba"],
            ["aab", "ab"],
            ["labour", "labor"],
            ["colour", "color"],
            ["centre", "center"],
            ["café", "cafe"],
            ["café", "cafè"],
            ["naïve", "naive"],
            ["שלום", "שלומ"],
            ["ы", "ь"],
            ["aé", "aêé"],
            ["éa", "a"],
            ["a\u{10000}", "a\u{10001}"],
            ["aaaa", "aaa"],
            ["house", "mouse"],
            ["house", "houses"],
            ["house", "hose"],
            ["house", "horses"],
        ] {
            check(a, b);
            check(b, a);
        }
    }

    #[test]
    fn short_words_and_numbers_are_not_compared() {
        let check = |a: &str, b: &str, expected: bool| {
            assert_eq!(Spelling::new(a).may_be_one_apart(Spelling::new(b)), expected, "{a} {b}");
        };
        check("cat", "cats", false);
        check("cats", "cat", false);
        check("cart", "carts", true);
        check("1998", "1999", false);
        check("née", "nées", false);
        check("cart", "carrot", false);
        check("table", "horse", false);
    }

    proptest! {
        #[test]
        fn as_the_table_says(a in "[abé\u{3b1}\u{3b2}]{0,7}", b in "[abé\u{3b1}\u{3b2}]{0,7}") {
            check(&a, &b);
        }

        #[test]
        fn as_the_table_says_after_an_edit(word in "\\PC{4,9}", at in 0..9_usize, letter in any::<char>(), kind in 0..3) {
            let mut letters: Vec<char> = word.chars().collect();
            let at = at % letters.len();
            match kind {
                0 => letters[at] = letter,
                1 => letters.insert(at, letter),
                _ => drop(letters.remove(at)),
            }
            check(&word, &letters.into_iter().collect::<String>());
        }
    }
}
