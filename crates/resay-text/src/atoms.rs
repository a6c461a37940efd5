//! Word atoms, from which all annotators build their features: form, affixes, shape, and the word's
//! entry in the table of words. Computed once per sentence and shared by tagger, chunker, entity
//! recogniser and parser.

use super::learn::hash;
use super::words::{WordInfo, Words};

/// Affixes and shape are taken from the first 64 bytes of a word.
const MAX_LOOK: usize = 64;

/// Contains a digit.
pub const DIGIT: u32 = 1;
/// Contains neither letters nor digits.
pub const MARKS: u32 = 2;
/// Contains a hyphen.
pub const HYPHEN: u32 = 4;
/// Starts with a capital.
pub const CAPITAL: u32 = 8;
/// All letters are capitals, and there are at least two.
pub const UPPER: u32 = 16;
/// Is the first word of its sentence, not counting quotes and other marks.
pub const FIRST: u32 = 32;
/// Most words of the sentence are in capitals.
pub const SHOUTED: u32 = 64;
/// Contains a capital after the first character, and a lower-case letter.
pub const MIXED: u32 = 128;
/// Contains a non-ASCII character.
pub const FOREIGN: u32 = 256;

/// The atoms of one word. All hashes have 32 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Atom {
    /// The form as written.
    pub form: u32,
    /// The form in lower case, digits replaced by 0.
    pub lower: u32,
    /// Prefixes of `lower` of one to four characters; the whole word if it is shorter.
    pub prefix: [u32; 4],
    /// Suffixes of `lower` of one to five characters; the whole word if it is shorter.
    pub suffix: [u32; 5],
    /// The classes of the characters, with runs of one class collapsed: `Xx`, `d.d`.
    pub shape: u32,
    /// Bit set of [`DIGIT`] and the other flags.
    pub flags: u32,
    /// The table entry of the form as written. Its cluster falls back to that of the lower-case
    /// form.
    pub info: WordInfo,
    /// The table entry of the lower-case form.
    pub lower_info: WordInfo,
    /// The key of the lower-case form, digits kept.
    pub lower_key: u32,
}

impl Atom {
    /// Returns the first `bits` steps of the Brown cluster path, tagged with `bits`; 0 if there is
    /// no cluster.
    #[inline]
    pub fn brown(&self, bits: u32) -> u32 {
        let path = self.info.brown;
        if path == 0 { 0 } else { (path & ((1 << bits) - 1)) | bits << 24 }
    }

    /// Whether a flag is set.
    #[inline]
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// Computes the atoms of a sentence's words.
pub fn atoms<'a>(forms: impl Iterator<Item = &'a str>, words: &Words, out: &mut Vec<Atom>) {
    out.clear();
    let mut lower = String::new();
    let (mut n_upper, mut n_words) = (0, 0);
    let mut is_first = true;
    for form in forms {
        let mut atom = atom(form, words, &mut lower);
        if !atom.is(MARKS) {
            if is_first {
                atom.flags |= FIRST;
                is_first = false;
            }
            n_words += 1;
            n_upper += usize::from(atom.is(UPPER));
        }
        out.push(atom);
    }
    if n_words > 2 && n_upper * 2 > n_words {
        for atom in out {
            atom.flags |= SHOUTED;
            if atom.lower_info.brown != 0 {
                atom.info.brown = atom.lower_info.brown;
            }
        }
    }
}

/// Returns the class of a character, for shapes.
fn kind(character: char) -> u8 {
    match character {
        'a'..='z' => b'x',
        'A'..='Z' => b'X',
        '0'..='9' => b'd',
        _ if character.is_ascii() => character as u8,
        _ if character.is_uppercase() => b'X',
        _ if character.is_alphabetic() => b'x',
        _ if character.is_numeric() => b'd',
        _ => b'?',
    }
}

/// Computes the atoms of one word, except for flags that depend on the sentence. `lower` is scratch
/// space.
fn atom(form: &str, words: &Words, lower: &mut String) -> Atom {
    lower.clear();
    let mut end = form.len().min(MAX_LOOK);
    while !form.is_char_boundary(end) {
        end -= 1;
    }
    let mut flags = MARKS;
    let (mut n_upper, mut n_lower) = (0, 0);
    let mut shape = [0_u8; 16];
    let mut n_shape = 0;
    let mut is_past_first = false;
    for character in form[..end].chars() {
        let kind = kind(character);
        match kind {
            b'X' => {
                n_upper += 1;
                flags |= if is_past_first { MIXED } else { CAPITAL };
            }
            b'x' => n_lower += 1,
            b'd' => flags |= DIGIT,
            b'-' => flags |= HYPHEN,
            _ => {}
        }
        if matches!(kind, b'X' | b'x' | b'd') {
            flags &= !MARKS;
        }
        if !character.is_ascii() {
            flags |= FOREIGN;
            lower.extend(character.to_lowercase());
        } else {
            lower.push(character.to_ascii_lowercase());
        }
        if n_shape < shape.len() && (n_shape == 0 || shape[n_shape - 1] != kind) {
            shape[n_shape] = kind;
            n_shape += 1;
        }
        is_past_first = true;
    }
    if n_lower == 0 {
        flags &= !MIXED;
        if n_upper > 1 {
            flags |= UPPER;
        }
    }
    let form_key = Words::key(form);
    let has_upper = n_upper > 0;
    let lower_key = if !has_upper && end == form.len() {
        form_key
    } else if end == form.len() {
        Words::key(lower)
    } else {
        // Too long to be read in full: equal beginnings must not make two words equal.
        form_key
    };
    let lower_info = words.get(lower_key).unwrap_or_default();
    let mut info = if has_upper { words.get(form_key).unwrap_or_default() } else { lower_info };
    if info.brown == 0 {
        info.brown = lower_info.brown;
    }
    let mut atom = Atom { form: form_key, flags, info, lower_info, lower_key, lower: lower_key, ..Atom::default() };
    if flags & DIGIT != 0 {
        // In place, because this runs for every number of every text.
        let mut bytes = std::mem::take(lower).into_bytes();
        bytes.iter_mut().filter(|byte| byte.is_ascii_digit()).for_each(|byte| *byte = b'0');
        *lower = String::from_utf8(bytes).unwrap_or_default();
        atom.lower = Words::key(lower);
    }
    atom.shape = hash::word(std::str::from_utf8(&shape[..n_shape]).unwrap_or_default());
    let bytes = lower.as_bytes();
    let mut at = 0;
    for prefix in &mut atom.prefix {
        at += 1;
        while at < bytes.len() && !lower.is_char_boundary(at) {
            at += 1;
        }
        at = at.min(bytes.len());
        *prefix = hash::bytes(&bytes[..at]) as u32;
    }
    let mut at = bytes.len();
    for suffix in &mut atom.suffix {
        at = at.saturating_sub(1);
        while at > 0 && !lower.is_char_boundary(at) {
            at -= 1;
        }
        *suffix = hash::bytes(&bytes[at..]) as u32;
    }
    atom
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(sentence: &str) -> Vec<Atom> {
        let mut out = Vec::new();
        atoms(sentence.split(' '), &Words::new(&[]), &mut out);
        out
    }

    #[test]
    fn flags_say_what_a_word_looks_like() {
        let check =
            |sentence: &str, word: usize, expected: u32| assert_eq!(made(sentence)[word].flags, expected, "{sentence}");
        check("\" Hello", 0, MARKS);
        check("\" Hello", 1, CAPITAL | FIRST);
        check("a well-known one", 1, HYPHEN);
        check("an iPhone 5s", 1, MIXED);
        check("an iPhone 5s", 2, DIGIT);
        check("the NASA", 1, CAPITAL | UPPER);
        check("ALL OF IT", 1, CAPITAL | UPPER | SHOUTED);
        check("un café", 1, FOREIGN);
    }

    #[test]
    fn ends_and_case() {
        let atoms = made("Walking walking 1999 2024 éa x");
        assert_eq!(atoms[0].lower, atoms[1].lower);
        assert_ne!(atoms[0].form, atoms[1].form);
        assert_eq!(atoms[0].suffix, atoms[1].suffix);
        assert_eq!(atoms[2].lower, atoms[3].lower, "digits are one");
        assert_eq!(atoms[4].suffix[1], atoms[4].suffix[2], "a short word is its own end");
        assert_eq!(atoms[5].prefix[0], atoms[5].suffix[0]);
    }

    #[test]
    fn long_words_stay_apart() {
        let atoms = made(&format!("{0}a {0}b", "x".repeat(1000)));
        assert_ne!(atoms[0].lower, atoms[1].lower);
    }
}
