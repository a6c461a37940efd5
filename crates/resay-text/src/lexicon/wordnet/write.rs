//! Writes the table's file from plain lists. `read.rs` documents the layout of the sections.

use super::words::Words;
use super::{LAST_UP, PointerKind, Pos};
use crate::container::{Container, Origin, put};
use crate::{Error, Result};
use std::collections::BTreeSet;

/// A word in a synset, by number: lemma, synset.
pub type WordPlace = (u32, u32);

/// The data from which a table is built.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The lemmas: unique, ASCII, lower case, `_` between words, sorted by bytes.
    pub lemmas: Vec<String>,
    /// Synsets: the inner ones first, nouns, verbs, adjectives, adverbs, then the leaves likewise.
    pub synsets: Vec<SourceSynset>,
    /// Pointers between synsets: kind, source, target. Mirror pointers are included.
    pub pointers: BTreeSet<(PointerKind, u32, u32)>,
    /// Pointers between words: kind, source, target.
    pub word_pointers: BTreeSet<(PointerKind, WordPlace, WordPlace)>,
    /// Mass of the roots above all nouns and above all verbs.
    pub total_masses: [f64; 2],
    /// Irregular forms by part of speech, sorted, with the lemmas of each.
    pub exceptions: [Vec<(String, Vec<u32>)>; 4],
}

/// One synset.
#[derive(Clone, Debug)]
pub struct SourceSynset {
    /// Its part of speech.
    pub pos: Pos,
    /// Its words in order.
    pub words: Vec<SourceWord>,
    /// For inner synsets: length of the shortest and of the longest path to a root. `None` for
    /// leaves.
    pub depths: Option<(u8, u8)>,
    /// For nouns and verbs: the number of occurrences of the synset and all synsets below it,
    /// smoothed, so positive.
    pub mass: f32,
}

/// One word of a synset.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceWord {
    /// The number of the lemma.
    pub lemma: u32,
    /// The lemma's sense number in this part of speech, from 0.
    pub sense: u8,
    /// Number of occurrences in tagged texts.
    pub count: u16,
}

/// Writes numbers of three bytes: the lowest bytes of all, then the middle ones, then the highest.
/// Bytes of equal significance compress well side by side, and are read without a branch per byte.
fn put_planes(out: &mut Vec<u8>, numbers: &[u32]) {
    for place in 0..3 {
        out.extend(numbers.iter().map(|number| number.to_le_bytes()[place]));
    }
}

/// Writes the lists by kind. A pointer whose mirror exists is written once, in the first of the
/// kind's two lists.
fn put_pointers(out: &mut Vec<u8>, pointers: &BTreeSet<(PointerKind, u32, u32)>) {
    for kind in PointerKind::ALL {
        let (mut mirrored, mut single) = (Vec::new(), Vec::new());
        for &(_, source, target) in pointers.range((kind, 0, 0)..=(kind, u32::MAX, u32::MAX)) {
            match kind.mirror() {
                Some(mirror) if source != target && pointers.contains(&(mirror, target, source)) => {
                    if (kind, source) < (mirror, target) {
                        mirrored.push((source, target));
                    }
                }
                _ => single.push((source, target)),
            }
        }
        for list in [mirrored, single] {
            put(out, list.len() as u64);
            put_ascending(out, list.iter().map(|&(source, _)| source));
            put_planes(out, &list.iter().map(|&(_, target)| target).collect::<Vec<u32>>());
        }
    }
}

/// Writes non-decreasing numbers as differences.
fn put_ascending(out: &mut Vec<u8>, numbers: impl Iterator<Item = u32>) {
    let mut last = 0;
    put_planes(out, &numbers.map(|number| number - std::mem::replace(&mut last, number)).collect::<Vec<u32>>());
}

impl SourceSynset {
    /// Returns the class: inner nouns, verbs, adjectives, adverbs, then the leaves likewise.
    fn class(&self) -> usize {
        self.pos as usize + if self.depths.is_some() { 0 } else { 4 }
    }
}

impl Source {
    /// Builds the whole file. Data that the format cannot represent are rejected.
    pub fn pack(&self, origin: Origin) -> Result<Vec<u8>> {
        self.check()?;
        let mut container = Container::new(origin);
        let mut words = Vec::new();
        Words::put(&mut words, self.lemmas.iter().map(String::as_str));
        container.push("words", words);
        container.push("synsets", self.synset_section());
        container.push("senses", self.sense_section()?);
        let mut pointers = Vec::new();
        put_pointers(&mut pointers, &self.pointers);
        container.push("pointers", pointers);
        container.push("word pointers", self.word_pointer_section()?);
        container.push("masses", self.mass_section());
        let mut exceptions = Vec::new();
        for forms in &self.exceptions {
            Words::put(&mut exceptions, forms.iter().map(|(form, _)| form.as_str()));
            exceptions.extend(forms.iter().map(|(_, lemmas)| lemmas.len() as u8));
            forms.iter().flat_map(|(_, lemmas)| lemmas).for_each(|&lemma| put(&mut exceptions, u64::from(lemma)));
        }
        container.push("exceptions", exceptions);
        container.pack()
    }

    /// Checks assumptions of the layout that the reader would not notice. It rejects all other
    /// errors itself.
    fn check(&self) -> Result<()> {
        let fail = |what: String| Err(Error::data(format!("{what}: the table cannot be written")));
        let mut lists: Vec<Vec<&String>> = vec![self.lemmas.iter().collect()];
        lists.extend(self.exceptions.iter().map(|forms| forms.iter().map(|(form, _)| form).collect()));
        for list in lists {
            if let Some(pair) = list.windows(2).find(|pair| pair[0] >= pair[1]) {
                return fail(format!("'{}' stands after '{}'", pair[1], pair[0]));
            }
            if let Some(word) = list.iter().find(|word| !word.is_ascii() || word.len() > 255) {
                return fail(format!("'{word}' is not ASCII or longer than 255 letters"));
            }
        }
        for synset in &self.synsets {
            if !(1..=255).contains(&synset.words.len()) {
                return fail(format!("a synset of {} words", synset.words.len()));
            }
        }
        if !self.synsets.is_sorted_by_key(SourceSynset::class) {
            return fail("the synsets are not in the order of their classes".to_owned());
        }
        if self.synsets.len() >= 1 << 21 || self.lemmas.len() >= 1 << 24 {
            return fail(format!("{} synsets and {} lemmas", self.synsets.len(), self.lemmas.len()));
        }
        for &(kind, source, target) in &self.pointers {
            match (self.synsets.get(source as usize), self.synsets.get(target as usize)) {
                // Queries restricted to a part of speech infer that of a pointer's source from its
                // target.
                (Some(from), Some(to)) if kind > LAST_UP || from.pos == to.pos => {}
                _ => {
                    return fail(format!(
                        "{kind:?} from synset {source} to {target}: not there or another part of speech"
                    ));
                }
            }
        }
        if let Some((form, lemmas)) = self.exceptions.iter().flatten().find(|(_, lemmas)| lemmas.len() > 255) {
            return fail(format!("'{form}' has {} base forms", lemmas.len()));
        }
        Ok(())
    }

    fn synset_section(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for class in 0..8 {
            put(&mut out, self.synsets.iter().filter(|synset| synset.class() == class).count() as u64);
        }
        out.extend(self.synsets.iter().map(|synset| synset.words.len() as u8));
        out.extend(self.synsets.iter().filter_map(|synset| synset.depths).map(|depths| depths.0));
        out.extend(self.synsets.iter().filter_map(|synset| synset.depths).map(|depths| depths.1));
        out
    }

    /// Returns every sense, by lemma and part of speech: lemma, part of speech, sense number,
    /// synset, position in it, count.
    fn senses(&self) -> Vec<(u32, Pos, u8, u32, u8, u16)> {
        let mut senses = Vec::new();
        for (number, synset) in (0..).zip(&self.synsets) {
            let words = (0..).zip(&synset.words);
            senses.extend(words.map(|(place, word)| (word.lemma, synset.pos, word.sense, number, place, word.count)));
        }
        senses.sort_unstable();
        senses
    }

    fn sense_section(&self) -> Result<Vec<u8>> {
        let senses = self.senses();
        let mut n_senses = vec![0_u8; self.lemmas.len()];
        let (mut classes, mut synsets, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let before = |class: usize| self.synsets.iter().filter(|synset| synset.class() < class).count() as u32;
        let mut next: [u32; 8] = std::array::from_fn(before);
        for &(lemma, _, _, synset, place, _) in &senses {
            match n_senses.get_mut(lemma as usize).map(|number| (number.checked_add(1), number)) {
                Some((Some(more), number)) => *number = more,
                _ => return Err(Error::data(format!("lemma {lemma} is not there or has too many senses"))),
            }
            let class = self.synsets[synset as usize].class();
            if place == 0 && next[class] == synset {
                classes.push(class as u8);
                next[class] += 1;
            } else {
                classes.push(8);
                synsets.push(synset);
                places.push(place);
            }
        }
        let mut out = n_senses;
        put(&mut out, synsets.len() as u64);
        out.extend(classes);
        put_planes(&mut out, &synsets);
        out.extend(places);
        for place in 0..2 {
            out.extend(senses.iter().map(|sense| sense.5.to_le_bytes()[place]));
        }
        Ok(out)
    }

    /// Writes pointers between words in both directions, with senses by number.
    fn word_pointer_section(&self) -> Result<Vec<u8>> {
        let mut numbers: Vec<(WordPlace, u32)> =
            (0..).zip(self.senses()).map(|(number, sense)| ((sense.0, sense.3), number)).collect();
        numbers.sort_unstable();
        let number = |(lemma, synset): WordPlace| -> Result<u32> {
            match numbers.binary_search_by_key(&(lemma, synset), |&(key, _)| key) {
                Ok(place) => Ok(numbers[place].1),
                Err(_) => Err(Error::data(format!("a pointer at lemma {lemma}, which is not in synset {synset}"))),
            }
        };
        let pointers = self.word_pointers.iter();
        let pointers = pointers.map(|&(kind, source, target)| Ok((number(source)?, kind, number(target)?)));
        let mut pointers = pointers.collect::<Result<Vec<_>>>()?;
        pointers.sort_unstable();
        let mut out = Vec::new();
        put(&mut out, pointers.len() as u64);
        put_ascending(&mut out, pointers.iter().map(|pointer| pointer.0));
        out.extend(pointers.iter().map(|pointer| pointer.1 as u8));
        put_planes(&mut out, &pointers.iter().map(|pointer| pointer.2).collect::<Vec<u32>>());
        Ok(out)
    }

    fn mass_section(&self) -> Vec<u8> {
        let mut out: Vec<u8> = self.total_masses.iter().flat_map(|mass| mass.to_le_bytes()).collect();
        let with_mass = self.synsets.iter().filter(|synset| synset.class() < 6);
        let masses: Vec<[u8; 4]> = with_mass.map(|synset| synset.mass.to_le_bytes()).collect();
        for place in 0..4 {
            out.extend(masses.iter().map(|bytes| bytes[place]));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy;
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused() {
        let check = |change: &dyn Fn(&mut Source), expected: &str| {
            let mut source = toy::source();
            change(&mut source);
            let error = source.pack(toy::origin()).unwrap_err().to_string();
            assert_eq!(error.trim_end_matches(": the table cannot be written"), expected);
        };
        check(&|source| source.lemmas.swap(0, 1), "'animal' stands after 'beast'");
        check(&|source| source.lemmas[16] = "zoé".to_owned(), "'zoé' is not ASCII or longer than 255 letters");
        check(&|source| source.synsets[0].words.clear(), "a synset of 0 words");
        check(&|source| source.synsets.swap(0, 15), "the synsets are not in the order of their classes");
        check(
            &|source| source.pointers.extend([(PointerKind::Hypernym, 3, 0)]),
            "Hypernym from synset 3 to 0: not there or another part of speech",
        );
        check(
            &|source| source.pointers.extend([(PointerKind::AlsoSee, 3, 16)]),
            "AlsoSee from synset 3 to 16: not there or another part of speech",
        );
        check(
            &|source| source.word_pointers.extend([(PointerKind::Antonym, (0, 0), (0, 1))]),
            "a pointer at lemma 0, which is not in synset 1",
        );
        check(&|source| source.synsets[0].words[0].lemma = 17, "lemma 17 is not there or has too many senses");
    }

    #[test]
    fn the_same_source_gives_the_same_bytes() {
        assert_eq!(toy::source().pack(toy::origin()).unwrap(), toy::source().pack(toy::origin()).unwrap());
    }
}
