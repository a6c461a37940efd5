//! A sorted list of spellings in one string. In the file words are front-coded: each is the length
//! of the prefix it shares with its predecessor, and the rest. This takes a third of the bytes, and
//! unpacking bytes dominates the cost of opening.

use crate::Result;
use crate::container::{SectionReader, put};

#[derive(Debug)]
pub(super) struct Words {
    letters: String,
    starts: Vec<u32>,
}

/// Maximum number of unpacked letters, because a small file can request very many. WordNet has 1.7
/// million.
const MAX_LETTERS: usize = 1 << 26;

/// Letters are copied in blocks of this size; the next copy overwrites the excess. A copy of the
/// exact length for each few letters would take a fifth of the time of opening.
const PIECE: usize = 16;

fn copy(piece: [u8; PIECE], letters: &mut [u8], place: usize) {
    if let Some(target) = letters.get_mut(place..place + PIECE) {
        target.copy_from_slice(&piece);
    }
}

/// Lower-cases a letter, and turns a space into `_`.
fn folded(byte: u8) -> u8 {
    if byte == b' ' { b'_' } else { byte.to_ascii_lowercase() }
}

impl Words {
    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns a word; empty if it does not exist.
    pub(super) fn get(&self, word: u32) -> &str {
        match self.starts.get(word as usize..).and_then(|starts| starts.first_chunk()) {
            Some(&[start, end]) => &self.letters[start as usize..end as usize],
            None => "",
        }
    }

    /// Returns the number of a word, after folding.
    pub(super) fn find(&self, word: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).bytes().cmp(word.bytes().map(folded)) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Writes the number of words, the lengths of shared prefixes, the lengths of the rests, and
    /// the rests.
    pub(super) fn put<'a>(out: &mut Vec<u8>, words: impl ExactSizeIterator<Item = &'a str> + Clone) {
        put(out, words.len() as u64);
        let (mut lengths, mut rests, mut last) = (Vec::new(), Vec::<u8>::new(), "");
        for word in words {
            let shared = word.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count().min(255);
            out.push(shared as u8);
            lengths.push((word.len() - shared) as u8);
            rests.extend(&word.as_bytes()[shared..]);
            last = word;
        }
        out.extend(lengths);
        out.extend(rests);
    }

    pub(super) fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let n_words = reader.count(2)?;
        let shared = reader.bytes(n_words)?;
        let lengths = reader.bytes(n_words)?;
        let mut rests = reader.bytes(lengths.iter().map(|&length| usize::from(length)).sum())?;
        // Every byte offset in ASCII is a character boundary.
        if !rests.is_ascii() {
            return reader.fail("a word is not ASCII");
        }
        let size = shared.iter().chain(lengths).map(|&length| usize::from(length)).sum();
        if size > MAX_LETTERS {
            return reader.fail(format_args!("words of {size} letters"));
        }
        let mut letters = vec![0; size + PIECE];
        let mut starts = Vec::with_capacity(n_words + 1);
        let (mut last, mut start) = (0, 0);
        for (&shared, &length) in shared.iter().zip(lengths) {
            let (shared, length) = (usize::from(shared), usize::from(length));
            if last + shared > start {
                return reader.fail("a word shares more than there is with the word before it");
            }
            for offset in (0..shared).step_by(PIECE) {
                let piece: Option<&[u8; PIECE]> = letters[last + offset..].first_chunk();
                copy(piece.copied().unwrap_or_default(), &mut letters, start + offset);
            }
            let (rest, others) = rests.split_at(length);
            match rests.first_chunk() {
                Some(&piece) if length <= PIECE => copy(piece, &mut letters, start + shared),
                _ => letters[start + shared..start + shared + length].copy_from_slice(rest),
            }
            rests = others;
            starts.push(start as u32);
            last = start;
            start += shared + length;
        }
        starts.push(start as u32);
        letters.truncate(size);
        match String::from_utf8(letters) {
            Ok(letters) => Ok(Self { letters, starts }),
            Err(_) => reader.fail("a word is not ASCII"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(list: &[&str]) -> Words {
        let mut bytes = Vec::new();
        Words::put(&mut bytes, list.iter().copied());
        let mut reader = SectionReader::new("w.resay", "words", &bytes);
        let words = Words::read(&mut reader).unwrap();
        reader.end().unwrap();
        words
    }

    #[test]
    fn words_come_back_and_are_found() {
        let list = ["'s_gravenhage", "a", "a_posteriori", "ab", "abbey", "abbot", "zoo"];
        let table = words(&list);
        assert_eq!(table.len(), list.len());
        for (number, word) in list.iter().enumerate() {
            assert_eq!(table.get(number as u32), *word);
            assert_eq!(table.find(word), Some(number as u32));
        }
        let check = |word: &str, expected: Option<u32>| assert_eq!(table.find(word), expected, "{word}");
        check("A Posteriori", Some(2));
        check("ABBEY", Some(4));
        check("abb", None);
        check("", None);
        check("zoo ", None);
        check("ÀB", None);
        assert_eq!(table.get(99), "");
        assert_eq!(words(&[]).find("a"), None);
    }

    proptest! {
        #[test]
        fn any_sorted_words_come_back(list in prop::collection::btree_set("[ab_]{0,40}", 0..30)) {
            let list: Vec<&str> = list.iter().map(String::as_str).collect();
            let table = words(&list);
            prop_assert!((0..list.len() as u32).map(|number| table.get(number)).eq(list.iter().copied()));
            prop_assert!((0..).zip(&list).all(|(number, word)| table.find(word) == Some(number)));
        }
    }

    #[test]
    fn a_wrong_share_is_refused() {
        let error = Words::read(&mut SectionReader::new("w.resay", "words", &[1, 3, 1, b'a'])).unwrap_err();
        let expected = "w.resay: section 'words': a word shares more than there is with the word before it: the model is \
            damaged";
        assert_eq!(error.to_string(), expected);
        assert!(Words::read(&mut SectionReader::new("w.resay", "words", &[1, 0, 1, 0xe9])).is_err());
    }
}
