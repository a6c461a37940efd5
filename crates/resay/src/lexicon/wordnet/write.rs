//! From plain lists to the table's file. The layout of the sections is told in `read.rs`.

use super::words::Words;
use super::{PointerKind, Pos};
use crate::pack::{Container, Origin, put};
use crate::{Error, Result};
use std::collections::BTreeSet;

/// A word in a synset, by the numbers of both: lemma, synset.
pub type WordPlace = (u32, u32);

/// What a table is made from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The lemmas: ASCII, lower case, `_` between words, sorted by bytes, each once.
    pub lemmas: Vec<String>,
    /// Synsets by part of speech; in each the inner ones first.
    pub synsets: [Vec<SourceSynset>; 4],
    /// Pointers between synsets, numbered through all parts of speech: kind, source, target. Mirrored ones are listed too.
    pub pointers: BTreeSet<(PointerKind, u32, u32)>,
    /// Pointers between words: kind, source, target.
    pub word_pointers: BTreeSet<(PointerKind, WordPlace, WordPlace)>,
    /// Mass of the roots above all nouns and above all verbs.
    pub total_masses: [f64; 2],
    /// Irregular forms by part of speech, sorted, with the lemmas of each.
    pub exceptions: [Vec<(String, Vec<u32>)>; 4],
}

/// One synset.
#[derive(Clone, Debug, Default)]
pub struct SourceSynset {
    /// Its words in order.
    pub words: Vec<SourceWord>,
    /// For inner synsets: length of the shortest and of the longest way to a root. `None` for leaves.
    pub depths: Option<(u8, u8)>,
    /// For nouns and verbs: how often the synset and all below it were met, smoothed, so more than zero.
    pub mass: f32,
}

/// One word of a synset.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceWord {
    /// Its number among the lemmas.
    pub lemma: u32,
    /// Which of the lemma's senses in this part of speech it is, from 0.
    pub sense: u8,
    /// How often it was met in tagged texts.
    pub count: u32,
}

/// Signed to unsigned, small to small.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// Lists by kind. A pointer whose mirror is there is listed once, in the first of the kind's two lists.
fn put_pointers(out: &mut Vec<u8>, pointers: &BTreeSet<(PointerKind, u32, u32)>, is_relative: bool) {
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
            let mut last = 0;
            for (source, target) in list {
                put(out, u64::from(source - last));
                let distance = i64::from(target) - i64::from(source);
                put(out, if is_relative { zigzag(distance) } else { u64::from(target) });
                last = source;
            }
        }
    }
}

impl Source {
    /// The whole file. What cannot be written as it stands is refused.
    pub fn pack(&self, origin: Origin) -> Result<Vec<u8>> {
        self.check()?;
        let mut container = Container::new(origin);
        let mut words = Vec::new();
        Words::put(&mut words, self.lemmas.iter().map(String::as_str));
        container.push("words", words);
        container.push("synsets", self.synset_section());
        container.push("senses", self.sense_section());
        let mut pointers = Vec::new();
        put_pointers(&mut pointers, &self.pointers, false);
        container.push("pointers", pointers);
        let mut pointers = Vec::new();
        put_pointers(&mut pointers, &self.numbered_word_pointers()?, true);
        container.push("word pointers", pointers);
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

    /// What the layout takes for granted and the reader would not notice; all else it refuses itself.
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
        for synset in self.synsets.iter().flatten() {
            if !(1..=255).contains(&synset.words.len()) {
                return fail(format!("a synset of {} words", synset.words.len()));
            }
        }
        for synsets in &self.synsets {
            if !synsets.is_sorted_by_key(|synset| synset.depths.is_none()) {
                return fail("a leaf among the inner synsets".to_owned());
            }
        }
        if let Some((form, lemmas)) = self.exceptions.iter().flatten().find(|(_, lemmas)| lemmas.len() > 255) {
            return fail(format!("'{form}' has {} base forms", lemmas.len()));
        }
        Ok(())
    }

    fn synset_section(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for synsets in &self.synsets {
            put(&mut out, synsets.len() as u64);
            put(&mut out, synsets.iter().filter(|synset| synset.depths.is_some()).count() as u64);
        }
        let all = || self.synsets.iter().flatten();
        out.extend(all().map(|synset| synset.words.len() as u8));
        out.extend(all().filter_map(|synset| synset.depths).map(|depths| depths.0));
        out.extend(all().filter_map(|synset| synset.depths).map(|depths| depths.1));
        out
    }

    fn sense_section(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut last = 0;
        for synset in self.synsets.iter().flatten() {
            for (place, word) in synset.words.iter().enumerate() {
                if place == 0 {
                    put(&mut out, zigzag(i64::from(word.lemma) - i64::from(last)));
                    last = word.lemma;
                } else {
                    put(&mut out, u64::from(word.lemma));
                }
            }
        }
        let all = || self.synsets.iter().flatten().flat_map(|synset| &synset.words);
        out.extend(all().map(|word| word.sense));
        all().for_each(|word| put(&mut out, u64::from(word.count)));
        out
    }

    /// Pointers between words with senses by their numbers: lemma by lemma, part of speech by part of speech.
    fn numbered_word_pointers(&self) -> Result<BTreeSet<(PointerKind, u32, u32)>> {
        let mut senses = Vec::new();
        let mut synset_number = 0;
        for (pos, synsets) in Pos::ALL.into_iter().zip(&self.synsets) {
            for synset in synsets {
                senses.extend(synset.words.iter().map(|word| (word.lemma, pos, word.sense, synset_number)));
                synset_number += 1;
            }
        }
        senses.sort_unstable();
        let mut numbers: Vec<(WordPlace, u32)> =
            (0..).zip(&senses).map(|(number, &(lemma, _, _, synset))| ((lemma, synset), number)).collect();
        numbers.sort_unstable();
        let number = |(lemma, synset): WordPlace| -> Result<u32> {
            match numbers.binary_search_by_key(&(lemma, synset), |&(key, _)| key) {
                Ok(place) => Ok(numbers[place].1),
                Err(_) => Err(Error::data(format!("a pointer at lemma {lemma}, which is not in synset {synset}"))),
            }
        };
        self.word_pointers.iter().map(|&(kind, source, target)| Ok((kind, number(source)?, number(target)?))).collect()
    }

    fn mass_section(&self) -> Vec<u8> {
        let mut out: Vec<u8> = self.total_masses.iter().flat_map(|mass| mass.to_le_bytes()).collect();
        let masses: Vec<[u8; 4]> = self.synsets[..2].iter().flatten().map(|synset| synset.mass.to_le_bytes()).collect();
        // Bytes of equal weight side by side pack better.
        for place in 0..4 {
            out.extend(masses.iter().map(|bytes| bytes[place]));
        }
        out
    }
}
