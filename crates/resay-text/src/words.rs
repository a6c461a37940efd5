//! What is known of a word before its sentence is looked at: Brown cluster, clusters of its vector, which parts of speech
//! WordNet has it in, whether it is mostly written with a capital, whether names are made of it.
//!
//! A word is known by a 32-bit hash only: no word list is kept. One unknown word in ten thousand is taken for another.

use super::learn::hash;
use crate::Result;
use crate::container::{Container, Origin, SectionReader, put};

/// What is known of a word as it is written (cased) or in lower case; zeros where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordInfo {
    /// Brown cluster: the path from the root, first step in the lowest bit; 0 for none.
    pub brown: u32,
    /// One of some thousand clusters of word vectors, from 1; 0 for none.
    pub fine: u16,
    /// One of some hundred clusters of word vectors, from 1; 0 for none.
    pub coarse: u8,
    /// Parts of speech in WordNet: [`NOUN`] and the like.
    pub pos: u8,
    /// Kinds of names that it is part of: [`GIVEN_NAME`] and the like.
    pub names: u8,
    /// How frequent it is, in steps of a factor of four, from 1 (rarest); 0 for unknown.
    pub frequency: u8,
    /// How often it is written with a capital, of a word in lower case: 1 (never) to 4 (always); 0 for unknown.
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

/// The table of words.
#[derive(Clone, Debug)]
pub struct Words {
    shift: u32,
    n_words: usize,
    /// Open addressing, home slot by the top bits, filled in the order of hashes.
    slots: Vec<Slot>,
}

impl Default for Words {
    /// No word is known.
    fn default() -> Self {
        Self::new(&[])
    }
}

impl Words {
    /// A table of words by rising hash (see [`Words::key`]).
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

    /// The key of a word.
    pub fn key(word: &str) -> u32 {
        hash::word(word)
    }

    /// How many words are known.
    pub fn len(&self) -> usize {
        self.n_words
    }

    /// Whether no word is known.
    pub fn is_empty(&self) -> bool {
        self.n_words == 0
    }

    /// What is known of the word with this key.
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

    /// The table as a file.
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

    /// Opens a table; `name` is for messages.
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
