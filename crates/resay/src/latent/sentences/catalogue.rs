//! The numbered features of latent alignments. A feature is a template with up to two small
//! arguments. Features are numbered in order of first occurrence in training; others have no
//! number.

use crate::Result;
use crate::id::{LatentFeature, LatentKind, LatentTemplate as Template};
use resay_text::container::{SectionReader, put, put_str};
use resay_text::{Intern, Interner};
use rustc_hash::FxHashMap;

/// A feature: a template and its argument numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) Template, pub(super) u16, pub(super) u16);

/// Numbered features.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    keys: Vec<Key>,
    numbers: FxHashMap<Key, u32>,
    labels: Interner,
}

/// The maximum number of labels; no tag set needs more.
const MAX_LABELS: usize = 10_000;

impl Catalogue {
    /// The number of features.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the catalogue is empty.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn keys(&self) -> &[Key] {
        &self.keys
    }

    pub(super) fn number(&self, key: Key) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    /// The number of a feature, which is added if it is new.
    pub(super) fn add(&mut self, key: Key) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.keys.len() as u32 - 1
        })
    }

    /// The number of a label, from 1; 0 for an unknown label.
    pub(super) fn label(&self, label: &str) -> u16 {
        self.labels.get(label).map_or(0, |number| number as u16 + 1)
    }

    /// Adds a label if it is new and there is room.
    pub(super) fn add_label(&mut self, label: &str) {
        if self.labels.len() < MAX_LABELS {
            self.labels.symbol(label);
        }
    }

    /// Adds the features of another catalogue with the same labels; returns their numbers here.
    pub(super) fn join(&mut self, other: &Self) -> Vec<u32> {
        other.keys.iter().map(|key| self.add(*key)).collect()
    }

    /// A catalogue with the same labels and no features.
    pub(super) fn labels_only(&self) -> Self {
        Self { labels: self.labels.clone(), ..Self::default() }
    }

    /// The feature with this number.
    pub fn feature(&self, number: u32) -> Option<LatentFeature> {
        let Key(template, first, second) = *self.keys.get(number as usize)?;
        LatentFeature::of_numbers(template, [first, second], |label| self.labels.string(label))
    }

    /// Writes the labels, then the features.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.labels.len() as u64);
        self.labels.strings().for_each(|label| put_str(out, label));
        put(out, self.keys.len() as u64);
        for Key(template, first, second) in &self.keys {
            [*template as u64, u64::from(*first), u64::from(*second)].into_iter().for_each(|number| put(out, number));
        }
    }

    /// Reads what [`Self::write`] wrote and checks every number.
    pub fn read(reader: &mut SectionReader<'_>) -> Result<Self> {
        let mut catalogue = Self::default();
        for number in 0..reader.count(1)? {
            let label = reader.string()?;
            if number >= MAX_LABELS || catalogue.labels.symbol(label) as usize != number {
                return reader.fail("a label occurs twice, or there are too many");
            }
        }
        let n_labels = catalogue.labels.len();
        for number in 0..reader.count(3)? {
            let code = reader.below(usize::from(u8::MAX) + 1, "a kind of feature")?;
            let template = match Template::from_code(code as u8) {
                Ok(template) => template,
                Err(unknown) => return reader.fail(unknown),
            };
            let mut argument = |kind: LatentKind| {
                reader.below(kind.n_values(n_labels), "an argument of a feature").map(|value| value as u16)
            };
            let [first, second] = template.kinds();
            let (first, second) = (argument(first)?, argument(second)?);
            if catalogue.add(Key(template, first, second)) as usize != number {
                return reader.fail("a feature occurs twice");
            }
        }
        Ok(catalogue)
    }
}

/// A numbering of features that either grows (training) or is fixed (prediction).
pub(super) trait Numbering {
    fn feature(&mut self, key: Key) -> Option<u32>;
    fn label_of(&self, label: &str) -> u16;
}

impl Numbering for &mut Catalogue {
    fn feature(&mut self, key: Key) -> Option<u32> {
        Some(self.add(key))
    }

    fn label_of(&self, label: &str) -> u16 {
        self.label(label)
    }
}

impl Numbering for &Catalogue {
    fn feature(&mut self, key: Key) -> Option<u32> {
        self.number(key)
    }

    fn label_of(&self, label: &str) -> u16 {
        self.label(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::LatentArgument;

    /// Every template, with its lowest and its highest arguments.
    fn full() -> Catalogue {
        let mut catalogue = Catalogue::default();
        ["nsubj", "obj", "PER"].into_iter().for_each(|label| catalogue.add_label(label));
        for template in Template::ALL {
            let [first, second] = template.kinds().map(|kind| kind.n_values(3) as u16 - 1);
            catalogue.add(Key(*template, 0, 0));
            catalogue.add(Key(*template, first, second));
        }
        catalogue
    }

    fn read(bytes: &[u8]) -> Result<Catalogue> {
        let mut reader = SectionReader::new("m.resay", "features", bytes);
        let catalogue = Catalogue::read(&mut reader)?;
        reader.end()?;
        Ok(catalogue)
    }

    #[test]
    fn what_is_written_is_read_and_every_feature_has_an_id() {
        let catalogue = full();
        let mut bytes = Vec::new();
        catalogue.write(&mut bytes);
        let again = read(&bytes).unwrap();
        assert_eq!(again.keys, catalogue.keys);
        let ids: Vec<LatentFeature> = (0..again.len() as u32).map(|number| again.feature(number).unwrap()).collect();
        for (number, id) in (0..).zip(&ids) {
            assert_eq!(Some(id), catalogue.feature(number).as_ref());
            assert_eq!(again.number(again.keys[number as usize]), Some(number));
            assert!(!ids[..number as usize].contains(id), "two features with one id: {id:?}");
        }
        assert_eq!((again.feature(again.len() as u32), again.label("obj"), again.label("iobj")), (None, 2, 0));
        let mut bytes_again = Vec::new();
        again.write(&mut bytes_again);
        assert_eq!(bytes_again, bytes);
    }

    #[test]
    fn labels_are_those_of_the_catalogue() {
        let mut catalogue = full();
        let number = catalogue.add(Key(Template::EdgeRelations, 1, 0));
        let label = |label: Option<&str>| LatentArgument::Label(label.map(str::to_owned));
        assert_eq!(catalogue.feature(number).unwrap().arguments, [label(Some("nsubj")), label(None)]);
    }

    #[test]
    fn what_a_stranger_wrote_is_checked() {
        let mut bytes = Vec::new();
        full().write(&mut bytes);
        for cut in 0..bytes.len() {
            assert!(read(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        let check = |bytes: &[u8], expected: &str| {
            let error = read(bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{bytes:?}: {error}, expected {expected}");
        };
        // Labels, then features: a template and two arguments each.
        check(&[2, 1, b'a', 1, b'a', 0], "a label occurs twice");
        check(&[0, 2, 0, 0, 0, 0, 0, 0], "a feature occurs twice");
        check(&[0, 1, Template::ALL.len() as u8, 0, 0], "no feature has the code 0x21");
        check(&[0, 1, 128, 2, 0, 0], "a kind of feature 256");
        check(&[0, 1, Template::Map as u8, 6, 0], "an argument of a feature");
        check(&[0, 1, Template::Map as u8, 0, 1], "an argument of a feature");
        check(&[0, 1, Template::Entity as u8, 1, 0], "an argument of a feature");
        check(&[0, 1, Template::CosineBin as u8, 64, 0], "an argument of a feature");
        check(&[0, 255, 255, 255, 255, 15, 0, 0, 0], "features");
    }
}
