//! Context-free knowledge about words: Brown cluster, clusters of word vectors, parts of speech in
//! WordNet, how often the word is capitalised, and the kinds of names it is part of.
//!
//! Words are stored as 32-bit hashes only; there is no word list. One unknown word in ten thousand
//! collides with a known one.

use super::learn::hash;
use crate::Result;
use crate::container::{Container, Origin, SectionReader, put};

/// The entry of a word, as written (cased) or in lower case; zeros if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordInfo {
    /// Brown cluster: the path from the root, with the first step in the lowest bit; 0 for none.
    pub brown: u32,
    /// One of some thousand clusters of word vectors, from 1; 0 for none.
    pub fine: u16,
    /// One of some hundred clusters of word vectors, from 1; 0 for none.
    pub coarse: u8,
    /// Parts of speech in WordNet: bit set of [`NOUN`] and the other flags.
    pub pos: u8,
    /// Kinds of names that contain the word: bit set of [`GIVEN_NAME`] and the other flags.
    pub names: u8,
    /// Frequency class, in steps of a factor of four, from 1 (rarest); 0 for unknown.
    pub frequency: u8,
    /// For a lower-case word, how often it is capitalised: 1 (never) to 4 (always); 0 for unknown.
    pub capital: u8,
}

/// The base form of a noun.
pub const NOUN: u8 = 1;
/// An inflected form of a noun.
pub const NOUN_FORM: u8 = 2;
/// The base form of a verb.
pub const VERB: u8 = 4;
/// An inflected form of a verb.
pub const VERB_FORM: u8 = 8;
/// The base form of an adjective.
pub const ADJECTIVE: u8 = 16;
/// A comparative or superlative of an adjective.
pub const ADJECTIVE_FORM: u8 = 32;
/// The base form of an adverb.
pub const ADVERB: u8 = 64;
/// A comparative or superlative of an adverb.
pub const ADVERB_FORM: u8 = 128;

/// A given name or nickname.
pub const GIVEN_NAME: u8 = 1;
/// Part of a person's name.
pub const PERSON: u8 = 2;
/// Part of a place's name.
pub const PLACE: u8 = 4;
/// Part of an organisation's name.
pub const ORGANISATION: u8 = 8;

/// Part of a name in a list of names.
pub const LISTED_NAME: u8 = 16;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    is_taken: bool,
    info: WordInfo,
}

/// A hash table from words to their entries.
#[derive(Clone, Debug)]
pub struct Words {
    shift: u32,
    n_words: usize,
    /// Open addressing. The top bits of the hash give the home slot; slots are filled in hash
    /// order.
    slots: Vec<Slot>,
}

impl Default for Words {
    /// Creates an empty table.
    fn default() -> Self {
        Self::new(&[])
    }
}

impl Words {
    /// Creates a table from entries in ascending order of hash (see [`Words::key`]).
    pub fn new(words: &[(u32, WordInfo)]) -> Self {
        debug_assert!(words.is_sorted_by(|a, b| a.0 < b.0), "words come once each, by rising hash");
        let bits = (words.len() * 3 / 2).next_power_of_two().trailing_zeros().max(4);
        let shift = 32 - bits.min(31);
        let mut slots = vec![Slot::default(); (1 << (32 - shift)) + 1];
        let mut free = 0;
        for &(hash, info) in words {
            let place = free.max((hash >> shift) as usize);
            if place + 1 >= slots.len() {
                slots.push(Slot::default());
            }
            slots[place] = Slot { hash, is_taken: true, info };
            free = place + 1;
        }
        Self { shift, n_words: words.len(), slots }
    }

    /// Returns the key of a word.
    pub fn key(word: &str) -> u32 {
        hash::word(word)
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.n_words
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.n_words == 0
    }

    /// Returns the entry of the word with this key.
    #[inline]
    pub fn get(&self, key: u32) -> Option<WordInfo> {
        let mut place = (key >> self.shift) as usize;
        loop {
            let slot = &self.slots[place];
            if !slot.is_taken {
                return None;
            }
            if slot.hash == key {
                return Some(slot.info);
            }
            place += 1;
        }
    }

    /// Serialises the table.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let kept: Vec<&Slot> = self.slots.iter().filter(|slot| slot.is_taken).collect();
        let mut hashes = Vec::new();
        put(&mut hashes, kept.len() as u64);
        let mut last = 0;
        for slot in &kept {
            put(&mut hashes, u64::from(slot.hash - last));
            last = slot.hash;
        }
        let mut container = Container::new(origin);
        container.push("hashes", hashes);
        let column = |value: fn(&WordInfo) -> u64| {
            let mut bytes = Vec::new();
            kept.iter().for_each(|slot| put(&mut bytes, value(&slot.info)));
            bytes
        };
        container.push("brown", column(|info| u64::from(info.brown)));
        container.push("fine", column(|info| u64::from(info.fine)));
        let bytes = |value: fn(&WordInfo) -> u8| kept.iter().map(|slot| value(&slot.info)).collect::<Vec<u8>>();
        container.push("coarse", bytes(|info| info.coarse));
        container.push("pos", bytes(|info| info.pos));
        container.push("names", bytes(|info| info.names));
        container.push("frequency", bytes(|info| info.frequency << 4 | info.capital));
        container.pack()
    }

    /// Reads a table. `name` is used in error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "words")?;
        let mut hashes = SectionReader::new(name, "hashes", container.section(name, "hashes")?);
        let n_words = hashes.count(1)?;
        let mut brown = SectionReader::new(name, "brown", container.section(name, "brown")?);
        let mut fine = SectionReader::new(name, "fine", container.section(name, "fine")?);
        let column = |section: &'static str| -> Result<&[u8]> {
            let bytes = container.section(name, section)?;
            if bytes.len() != n_words {
                let reader = SectionReader::new(name, section, bytes);
                return reader.fail(format_args!("{} entries, expected {n_words}", bytes.len()));
            }
            Ok(bytes)
        };
        let (coarse, pos, names, frequency) =
            (column("coarse")?, column("pos")?, column("names")?, column("frequency")?);
        let mut words = Vec::with_capacity(n_words);
        let mut last = 0_u64;
        for at in 0..n_words {
            let step = hashes.number()?;
            last = last.saturating_add(step);
            if last > u64::from(u32::MAX) || (at > 0 && step == 0) {
                return hashes.fail("words are not in the order of their hashes");
            }
            let info = WordInfo {
                brown: brown.below(1 << 31, "cluster")?,
                fine: fine.below(1 << 16, "cluster")? as u16,
                coarse: coarse[at],
                pos: pos[at],
                names: names[at],
                frequency: frequency[at] >> 4,
                capital: frequency[at] & 15,
            };
            words.push((last as u32, info));
        }
        hashes.end()?;
        brown.end()?;
        fine.end()?;
        Ok(Self::new(&words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_from_a_file() {
        let mut words: Vec<(u32, WordInfo)> = (1..500_u32)
            .map(|n| {
                let info = WordInfo { brown: n * 37, fine: n as u16, coarse: n as u8, pos: 3, ..WordInfo::default() };
                (Words::key(&format!("word{n}")), WordInfo { frequency: 9, capital: 2, names: 1, ..info })
            })
            .collect();
        words.sort_unstable_by_key(|(hash, _)| *hash);
        let origin = Origin {
            resource: "words".to_owned(),
            data: String::new(),
            licence: String::new(),
            made: String::new(),
            quality: Vec::new(),
        };
        let file = Words::new(&words).to_bytes(origin).unwrap();
        let table = Words::from_bytes("words.resay", &file).unwrap();
        assert_eq!(table.len(), words.len());
        for (hash, info) in words {
            assert_eq!(table.get(hash), Some(info));
        }
        assert_eq!(table.get(Words::key("absent")), None);
        assert!(Words::from_bytes("words.resay", &file[..file.len() / 2]).is_err());
    }
}
