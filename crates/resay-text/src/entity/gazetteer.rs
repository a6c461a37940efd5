//! Name lists (gazetteers): given names, surnames, and full names of places, organisations and
//! people, of one or more words.
//!
//! A name is stored as a 32-bit hash of its words in lower case; spellings are not kept. At every
//! word the longest listed name is searched for. Further words are read only if some listed name
//! starts with this one, so the time is linear in the number of words.

use super::super::atoms::Atom;
use super::super::learn::hash;
use crate::Result;
use crate::container::{SectionReader, put};

/// A given name.
pub const GIVEN: u8 = 1;
/// A surname.
pub const SURNAME: u8 = 2;
/// A place.
pub const PLACE: u8 = 4;
/// An organisation.
pub const ORGANISATION: u8 = 8;
/// A person.
pub const PERSON: u8 = 16;
/// An adjective or inhabitant of a place.
pub const OF_PLACE: u8 = 32;
/// The first word of a listed name of several words.
pub const STARTS: u8 = 64;

/// Maximum number of words of a name.
pub const MAX_WORDS: usize = 5;

/// Returns the key of a name: the word's own key for one word, the hash of all keys for several.
pub fn key(words: &[u32]) -> u32 {
    match words {
        [word] => *word,
        _ => hash::feature(words.len() as u32, words),
    }
}

/// What the lists know about a word in its context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Kinds of the word by itself.
    pub word: u8,
    /// Kinds of the longest listed multiword name that contains it.
    pub name: u8,
    /// The position in that name: 1 for the first word, 2 for a later one, 3 for the last; 0 for
    /// none.
    pub place: u8,
}

impl Mark {
    /// Packs everything into one number.
    pub fn value(self) -> u32 {
        u32::from(self.word & !STARTS) | u32::from(self.name) << 8 | u32::from(self.place) << 16
    }
}

/// A hash table of listed names.
#[derive(Clone, Debug)]
pub struct Gazetteer {
    shift: u32,
    n_names: usize,
    /// Key and kinds, with kinds 0 in an empty slot. Open addressing; the top bits give the home
    /// slot; slots are filled in key order.
    slots: Vec<(u32, u8)>,
}

impl Gazetteer {
    /// Creates the lists from unique keys in ascending order, with their kinds (not 0).
    pub fn new(names: &[(u32, u8)]) -> Self {
        debug_assert!(names.is_sorted_by(|a, b| a.0 < b.0), "names come once each, by rising key");
        let bits = (names.len() * 2).next_power_of_two().trailing_zeros().max(4);
        let shift = 32 - bits.min(31);
        // The last slot stays empty, so that a search never wraps around.
        let mut slots = vec![(0, 0); (1 << (32 - shift)) + 1];
        let mut free = 0;
        for &name in names {
            let place = free.max((name.0 >> shift) as usize);
            if place + 1 >= slots.len() {
                slots.push((0, 0));
            }
            slots[place] = name;
            free = place + 1;
        }
        Self { shift, n_names: names.len(), slots }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.n_names
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.n_names == 0
    }

    /// Returns the kinds of a name by its key; 0 if it is not listed.
    #[inline]
    pub fn kinds(&self, key: u32) -> u8 {
        let mut place = (key >> self.shift) as usize;
        loop {
            match self.slots[place] {
                (_, 0) => return 0,
                (found, kinds) if found == key => return kinds,
                _ => place += 1,
            }
        }
    }

    /// Marks the words of a sentence. Multiword names are matched from left to right and do not
    /// overlap.
    pub fn mark(&self, atoms: &[Atom], out: &mut Vec<Mark>) {
        out.clear();
        out.extend(atoms.iter().map(|atom| Mark { word: self.kinds(atom.lower_key), ..Mark::default() }));
        let mut at = 0;
        while at < atoms.len() {
            let Some((end, kinds)) = self.longest(atoms, out[at].word, at) else {
                at += 1;
                continue;
            };
            for (word, mark) in out[at..end].iter_mut().enumerate() {
                mark.name = kinds;
                mark.place = if word == 0 { 1 } else { 2 + u8::from(at + word + 1 == end) };
            }
            at = end;
        }
    }

    /// Returns the end and the kinds of the longest listed multiword name from `at`.
    fn longest(&self, atoms: &[Atom], first: u8, at: usize) -> Option<(usize, u8)> {
        if first & STARTS == 0 {
            return None;
        }
        let mut words = [0; MAX_WORDS];
        let mut n = 0;
        let mut found = None;
        for atom in atoms[at..].iter().take(MAX_WORDS) {
            words[n] = atom.lower_key;
            n += 1;
            if n > 1 {
                let kinds = self.kinds(key(&words[..n])) & !STARTS;
                if kinds != 0 {
                    found = Some((at + n, kinds));
                }
            }
        }
        found
    }

    /// Writes the lists as a section.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.n_names as u64);
        let kept = || self.slots.iter().filter(|(_, kinds)| *kinds != 0);
        let mut last = 0;
        for (key, _) in kept() {
            put(out, u64::from(key - last));
            last = *key;
        }
        out.extend(kept().map(|(_, kinds)| kinds));
    }

    /// Reads what `write` has written.
    pub fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let n = reader.count(2)?;
        let mut names = Vec::with_capacity(n);
        let mut last = 0_u64;
        for at in 0..n {
            let step = reader.number()?;
            last = last.saturating_add(step);
            if last > u64::from(u32::MAX) || (at > 0 && step == 0) {
                return reader.fail("names are not in the order of their keys");
            }
            names.push((last as u32, 0));
        }
        for ((_, to), &kinds) in names.iter_mut().zip(reader.bytes(n)?) {
            *to = kinds;
        }
        if names.iter().any(|(_, kinds)| *kinds == 0) {
            return reader.fail("a listed name of no kind");
        }
        Ok(Self::new(&names))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::atoms::atoms;
    use super::super::super::words::Words;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn listed(names: &[(&str, u8)]) -> Gazetteer {
        let mut keys: BTreeMap<u32, u8> = BTreeMap::new();
        for (name, kinds) in names {
            let words: Vec<u32> = name.split(' ').map(Words::key).collect();
            *keys.entry(key(&words)).or_default() |= kinds;
            if words.len() > 1 {
                *keys.entry(words[0]).or_default() |= STARTS;
            }
        }
        Gazetteer::new(&keys.into_iter().collect::<Vec<_>>())
    }

    #[test]
    fn the_longest_name_is_marked() {
        let lists = listed(&[("new york", PLACE), ("new york times", ORGANISATION), ("york", PLACE | SURNAME)]);
        let mut bytes = Vec::new();
        lists.write(&mut bytes);
        let mut reader = SectionReader::new("entities.resay", "names", &bytes);
        let back = Gazetteer::read(&mut reader).unwrap();
        reader.end().unwrap();
        assert_eq!(back.len(), 4);
        let check = |sentence: &str, expected: &[(u8, u8)]| {
            let mut words = Vec::new();
            atoms(sentence.split(' '), &Words::new(&[]), &mut words);
            let mut marks = Vec::new();
            back.mark(&words, &mut marks);
            let found: Vec<(u8, u8)> = marks.iter().map(|mark| (mark.name, mark.place)).collect();
            assert_eq!(found, expected, "{sentence}");
        };
        check("In New York", &[(0, 0), (PLACE, 1), (PLACE, 3)]);
        check("new york times", &[(ORGANISATION, 1), (ORGANISATION, 2), (ORGANISATION, 3)]);
        check("A New car in York", &[(0, 0); 5]);
        check("New New York", &[(0, 0), (PLACE, 1), (PLACE, 3)]);
        check("", &[(0, 0)]);
    }

    proptest! {
        #[test]
        fn listed_names_are_found_again(
            names in prop::collection::btree_map(prop_oneof![any::<u32>(), 0_u32..50, (u32::MAX - 50)..=u32::MAX], 1_u8..64, 0..60),
            absent in any::<u32>(),
        ) {
            let lists = Gazetteer::new(&names.iter().map(|(key, kinds)| (*key, *kinds)).collect::<Vec<_>>());
            for (key, kinds) in &names {
                prop_assert_eq!(lists.kinds(*key), *kinds);
            }
            prop_assert_eq!(lists.kinds(absent), names.get(&absent).copied().unwrap_or(0));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(lists) = Gazetteer::read(&mut SectionReader::new("entities.resay", "names", &bytes)) {
                lists.kinds(7);
            }
        }
    }
}
