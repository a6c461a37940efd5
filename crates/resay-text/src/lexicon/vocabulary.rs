//! A sorted vocabulary; a word's number is its rank. In a file, words are front-coded: each is
//! stored as the length of the prefix it shares with its predecessor, and the rest. In memory all
//! words are back to back in one string, so that a word is found by binary search and returned
//! without a copy, and opening a hundred thousand words takes two allocations.

use crate::container::{SectionReader, put};
use crate::{Error, Result};

/// The longest shared prefix; its length fits a byte.
const MAX_SHARED: usize = 255;
/// The longest unpacked text, in bytes, so that a small file cannot unpack to a huge one.
const MAX_TEXT: usize = 1 << 26;

/// Sorted words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    text: String,
    /// Where each word ends. It starts where its predecessor ends.
    ends: Vec<u32>,
}

impl Vocabulary {
    /// Creates a vocabulary from words in any order, possibly repeated.
    pub(super) fn new(words: &mut Vec<&str>) -> Result<Self> {
        words.sort_unstable();
        words.dedup();
        let text: String = words.concat();
        if text.len() > MAX_TEXT {
            return Err(Error::data(format!("words of {} bytes together, at most {MAX_TEXT} can be kept", text.len())));
        }
        let mut end = 0;
        let ends = words.iter().map(|word| {
            end += word.len() as u32;
            end
        });
        Ok(Self { ends: ends.collect(), text })
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the word with this number; empty if there is none.
    pub(super) fn word(&self, number: u32) -> &str {
        let idx = number as usize;
        let start = if idx == 0 { 0 } else { self.ends.get(idx - 1).map_or(self.text.len(), |&end| end as usize) };
        let end = self.ends.get(idx).map_or(self.text.len(), |&end| end as usize);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the number of a word.
    pub(super) fn find(&self, word: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Writes the section: the number of words, the lengths of shared prefixes, the lengths of the
    /// rests, the rests.
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut section = Vec::new();
        put(&mut section, self.len() as u64);
        let (mut added_lens, mut added) = (Vec::new(), Vec::<u8>::new());
        let mut before: &[u8] = &[];
        for number in 0..self.len() as u32 {
            let word = self.word(number).as_bytes();
            let shared = before.iter().zip(word).take(MAX_SHARED).take_while(|(a, b)| a == b).count();
            section.push(shared as u8);
            put(&mut added_lens, (word.len() - shared) as u64);
            added.extend(&word[shared..]);
            before = word;
        }
        section.extend(added_lens);
        section.extend(added);
        section
    }

    /// Reads the section.
    pub(super) fn unpack(mut reader: SectionReader<'_>) -> Result<Self> {
        let n_words = reader.count(2)?;
        let shared = reader.bytes(n_words)?;
        let mut added_lens = Vec::with_capacity(n_words);
        for _ in 0..n_words {
            added_lens.push(reader.below(MAX_TEXT, "a word of length")? as usize);
        }
        let mut text: Vec<u8> = Vec::with_capacity(8 * n_words);
        let mut ends = Vec::with_capacity(n_words);
        let mut before = 0..0;
        for (&shared, added_len) in shared.iter().zip(added_lens) {
            let shared = usize::from(shared);
            if shared > before.len() {
                return reader.fail("a word shares more than there is");
            }
            let start = text.len();
            if start + shared + added_len > MAX_TEXT {
                return reader.fail(format_args!("words of more than {MAX_TEXT} bytes"));
            }
            text.extend_from_within(before.start..before.start + shared);
            text.extend(reader.bytes(added_len)?);
            if !ends.is_empty() && text[before.clone()] >= text[start..] {
                return reader.fail("words are not in alphabetical order");
            }
            ends.push(text.len() as u32);
            before = start..text.len();
        }
        reader.end()?;
        let Ok(text) = String::from_utf8(text) else { return reader.fail("a word is not UTF-8") };
        if ends.iter().any(|&end| !text.is_char_boundary(end as usize)) {
            return reader.fail("a word is not UTF-8");
        }
        Ok(Self { text, ends })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn open(section: &[u8]) -> Result<Vocabulary> {
        Vocabulary::unpack(SectionReader::new("r.resay", "words", section))
    }

    proptest! {
        #[test]
        fn words_are_found_and_come_back(words in prop::collection::vec("[a-cé\u{10000}]{0,5}|.{0,3}", 0..60), other in ".{0,4}") {
            let set: BTreeSet<&str> = words.iter().map(String::as_str).collect();
            let vocabulary = Vocabulary::new(&mut words.iter().map(String::as_str).collect()).unwrap();
            prop_assert_eq!(vocabulary.len(), set.len());
            for (number, word) in set.iter().enumerate() {
                prop_assert_eq!(vocabulary.word(number as u32), *word);
                prop_assert_eq!(vocabulary.find(word), Some(number as u32));
            }
            prop_assert_eq!(vocabulary.find(&other).is_some(), set.contains(other.as_str()));
            prop_assert_eq!(open(&vocabulary.pack()).unwrap(), vocabulary);
        }

        #[test]
        fn any_bytes_are_opened_or_refused(mut section in prop::collection::vec(any::<u8>(), 0..30), n_words in 0..6_u8) {
            if let Some(first) = section.first_mut() {
                *first = n_words;
            }
            if let Ok(vocabulary) = open(&section) {
                let words: Vec<&str> = (0..vocabulary.len() as u32).map(|number| vocabulary.word(number)).collect();
                prop_assert!(words.is_sorted_by(|a, b| a < b));
            }
        }
    }

    #[test]
    fn long_beginnings_are_shared_as_far_as_a_byte_goes() {
        let words = [300, 301, 400].map(|n| "x".repeat(n));
        let vocabulary = Vocabulary::new(&mut words.iter().map(String::as_str).collect()).unwrap();
        assert_eq!(open(&vocabulary.pack()).unwrap(), vocabulary);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |section: &[u8], expected: &str| {
            let error = open(section).unwrap_err().to_string();
            assert_eq!(error, format!("r.resay: section 'words': {expected}: the model is damaged"));
        };
        check(&[2, 0, 0, 1, 1, b'b', b'a'], "words are not in alphabetical order");
        check(&[2, 0, 0, 1, 1, b'b', b'b'], "words are not in alphabetical order");
        check(&[2, 0, 2, 1, 1, b'b', b'a'], "a word shares more than there is");
        check(&[2, 0, 0, 1, 2, b'a', 0xc3, 0xa9, b'x'], "1 bytes too many");
        check(&[2, 0, 0, 1, 1, 0xc3, 0xc4], "a word is not UTF-8");
        check(&[2, 0, 0, 1, 2, b'a', b'b'], "it ends too early");
        check(&[3, 0, 0, 1], "a list of 3 entries in 3 bytes");
    }
}
