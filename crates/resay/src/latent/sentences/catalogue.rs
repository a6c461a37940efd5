//! Features of hidden alignments by number. A feature is a template with up to two small arguments; its number is the order
//! in which features were met while learning, and what was not met then has none.

use crate::Result;
use crate::align::Level;
use crate::pack::{Reader, put, put_str};
use crate::text::{Intern, Interner, Upos};
use rustc_hash::FxHashMap;

/// What an argument of a template stands for.
#[derive(Clone, Copy, Debug)]
enum Argument {
    /// Nothing: it is 0.
    None,
    /// How alike two words are.
    Level,
    /// A class of words.
    Class,
    /// A universal tag.
    Tag,
    /// A string of the catalogue's own table: a kind of entity, a relation.
    Label,
    /// One of these.
    One(&'static [&'static str]),
    /// A stretch of a measure: so many to a unit, counted from this value.
    Bin(f32, f32),
}

use Argument::{Bin, Class, Label, Level as Likeness, None as Nothing, One, Tag};

/// Classes of words that deletions and maps are learned apart for.
pub(super) const CLASSES: [&str; 8] =
    ["words of two classes", "function word", "mark", "number", "name", "verb", "modifier", "noun"];

const SIDES: Argument = One(&["source", "target", "either side"]);

macro_rules! templates {
    ($($name:ident $text:literal $first:expr, $second:expr;)*) => {
        /// The kinds of features.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub(super) enum Template { $($name,)* }

        impl Template {
            const ALL: &[Self] = &[$(Self::$name,)*];
        }

        /// Name and arguments of each, in order.
        const TEMPLATES: &[(&str, [Argument; 2])] = &[$(($text, [$first, $second]),)*];
    };
}

templates! {
    Map "map" Likeness, Nothing;
    MapOfClass "map" Likeness, Class;
    TagsAgree "tags" One(&["differ", "agree"]), Nothing;
    Tags "tags" Tag, Tag;
    Cosine "cosine of vectors" Nothing, Nothing;
    CosineBin "cosine of vectors" Bin(-1.0, 5.0), Nothing;
    NoVector "no vector" Nothing, Nothing;
    WordNet "WordNet similarity" Nothing, Nothing;
    WordNetBin "WordNet similarity" Bin(0.0, 5.0), Nothing;
    Spelling "edit similarity" Nothing, Nothing;
    SpellingBin "edit similarity" Bin(0.0, 4.0), Nothing;
    Entities "entities" One(&["one only", "of two kinds", "of one kind"]), Nothing;
    Entity "entity" Label, One(&["other word", "same word"]);
    Numbers "numbers" One(&["differ", "agree"]), Nothing;
    Negation "negation" One(&["of one word", "of both"]), Nothing;
    Distance "places apart" Nothing, Nothing;
    DistanceBin "places apart" Bin(0.0, 5.0), One(&["other word", "same word"]);
    Alone "left alone" Class, SIDES;
    AloneTag "left alone" Tag, SIDES;
    AloneEntity "left alone, entity" Label, SIDES;
    AloneNumber "left alone, number" Nothing, SIDES;
    AloneNegation "left alone, negation" Nothing, SIDES;
    Edge "edge" One(&["of two relations", "of one relation"]), Nothing;
    EdgeRelations "edge" Label, Label;
    EdgeNodes "edge, head" Likeness, Nothing;
    EdgeDependent "edge, dependent" Likeness, Class;
    EdgeAlone "edge left alone" Label, SIDES;
    Bias "always" Nothing, Nothing;
    Covered "content words covered" One(&["by the same word", "by a word alike", "in one sentence", "within 30 words"]), Nothing;
    NamesCovered "names and numbers covered" One(&["share", "not all", "all"]), Nothing;
    Negated "negation" One(&["nowhere", "in the target only", "in the source only", "in both"]), Nothing;
    Length "difference of lengths" Nothing, Nothing;
    LengthBin "difference of lengths" Bin(0.0, 10.0), Nothing;
}

/// A feature: a template and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) Template, pub(super) u16, pub(super) u16);

/// Features by number.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    keys: Vec<Key>,
    numbers: FxHashMap<Key, u32>,
    labels: Interner,
}

/// Different labels at most: more is no tag set.
const MAX_LABELS: usize = 10_000;

impl Catalogue {
    /// How many features there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn keys(&self) -> &[Key] {
        &self.keys
    }

    pub(super) fn number(&self, key: Key) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    /// The number of a feature, a new one if it was never met.
    pub(super) fn add(&mut self, key: Key) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.keys.len() as u32 - 1
        })
    }

    /// The number of a label from 1 on; 0 is a label that was never met.
    pub(super) fn label(&self, label: &str) -> u16 {
        self.labels.get(label).map_or(0, |number| number as u16 + 1)
    }

    /// Numbers a label, if it is new and there is room.
    pub(super) fn add_label(&mut self, label: &str) {
        if self.labels.len() < MAX_LABELS {
            self.labels.symbol(label);
        }
    }

    /// The features of another catalogue with the same labels, numbered here.
    pub(super) fn join(&mut self, other: &Self) -> Vec<u32> {
        other.keys.iter().map(|key| self.add(*key)).collect()
    }

    /// A catalogue with the labels of this one and no features.
    pub(super) fn labels_only(&self) -> Self {
        Self { labels: self.labels.clone(), ..Self::default() }
    }

    /// A feature as people read it.
    pub fn name(&self, feature: u32) -> String {
        let Some(Key(template, first, second)) = self.keys.get(feature as usize) else { return String::new() };
        let (name, arguments) = TEMPLATES[*template as usize];
        let mut out = name.to_owned();
        for (argument, value) in arguments.into_iter().zip([*first, *second]) {
            let value = value as usize;
            let shown = match argument {
                Nothing => continue,
                Likeness => Level::NAMES.get(value).map_or("?", |name| name).to_owned(),
                Class => CLASSES.get(value).map_or("?", |name| name).to_owned(),
                Tag => Upos::ALL.get(value).map_or("no tag", |tag| tag.name()).to_owned(),
                Label => value
                    .checked_sub(1)
                    .and_then(|label| self.labels.string(label as u32))
                    .unwrap_or("other")
                    .to_owned(),
                One(names) => names.get(value).map_or("?", |name| name).to_owned(),
                Bin(first, to_a_unit) => format!("from {:.1}", first + value as f32 / to_a_unit),
            };
            out.push_str(", ");
            out.push_str(&shown);
        }
        out
    }

    /// Labels, then features.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.labels.len() as u64);
        self.labels.strings().for_each(|label| put_str(out, label));
        put(out, self.keys.len() as u64);
        for Key(template, first, second) in &self.keys {
            [*template as u64, u64::from(*first), u64::from(*second)].into_iter().for_each(|number| put(out, number));
        }
    }

    /// What [`Self::write`] wrote; every number is checked.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mut catalogue = Self::default();
        for number in 0..reader.count(1)? {
            let label = reader.string()?;
            if number >= MAX_LABELS || catalogue.labels.symbol(label) as usize != number {
                return reader.fail("a label occurs twice, or there are too many");
            }
        }
        let n_labels = catalogue.labels.len();
        for number in 0..reader.count(3)? {
            let template = reader.below(TEMPLATES.len(), "a kind of feature")? as usize;
            let mut argument = |argument: Argument| {
                let limit = match argument {
                    Nothing => 1,
                    Likeness => Level::NAMES.len(),
                    Class => CLASSES.len(),
                    Tag => Upos::ALL.len() + 1,
                    Label => n_labels + 1,
                    One(names) => names.len(),
                    Bin(..) => 64,
                };
                reader.below(limit, "an argument of a feature").map(|value| value as u16)
            };
            let [first, second] = TEMPLATES[template].1;
            let (first, second) = (argument(first)?, argument(second)?);
            if catalogue.add(Key(Template::ALL[template], first, second)) as usize != number {
                return reader.fail("a feature occurs twice");
            }
        }
        Ok(catalogue)
    }
}

/// What numbers features while they are met, or only looks them up.
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

    /// Every template, with the lowest and the highest of its arguments.
    fn full() -> Catalogue {
        let mut catalogue = Catalogue::default();
        ["nsubj", "obj", "PER"].into_iter().for_each(|label| catalogue.add_label(label));
        for (template, (_, arguments)) in Template::ALL.iter().zip(TEMPLATES) {
            let highest = arguments.map(|argument| match argument {
                Nothing => 0,
                Likeness => Level::NAMES.len() - 1,
                Class => CLASSES.len() - 1,
                Tag => Upos::ALL.len(),
                Label => 3,
                One(names) => names.len() - 1,
                Bin(..) => 63,
            });
            catalogue.add(Key(*template, 0, 0));
            catalogue.add(Key(*template, highest[0] as u16, highest[1] as u16));
        }
        catalogue
    }

    fn read(bytes: &[u8]) -> Result<Catalogue> {
        let mut reader = Reader::new("m.resay", "features", bytes);
        let catalogue = Catalogue::read(&mut reader)?;
        reader.end()?;
        Ok(catalogue)
    }

    #[test]
    fn what_is_written_is_read_and_every_name_can_be_read() {
        let catalogue = full();
        let mut bytes = Vec::new();
        catalogue.write(&mut bytes);
        let again = read(&bytes).unwrap();
        assert_eq!(again.keys, catalogue.keys);
        let mut names: Vec<String> = (0..again.len() as u32).map(|feature| again.name(feature)).collect();
        for (feature, name) in names.iter().enumerate() {
            assert_eq!(name, &catalogue.name(feature as u32));
            assert!(!name.is_empty() && !name.contains('?'), "{name}");
            assert_eq!(again.number(again.keys[feature]), Some(feature as u32));
        }
        names.sort();
        let n_names = names.len();
        names.dedup();
        assert_eq!(names.len(), n_names, "two features with one name");
        assert_eq!((again.name(again.len() as u32), again.label("obj"), again.label("iobj")), (String::new(), 2, 0));
        let mut bytes_again = Vec::new();
        again.write(&mut bytes_again);
        assert_eq!(bytes_again, bytes);
    }

    #[test]
    fn features_as_people_read_them() {
        let mut catalogue = full();
        let mut check = |key: Key, expected: &str| {
            let number = catalogue.add(key);
            assert_eq!(catalogue.name(number), expected);
        };
        check(Key(Template::Map, 5, 0), "map, same");
        check(Key(Template::MapOfClass, 3, 5), "map, synonym, verb");
        check(Key(Template::EdgeRelations, 1, 0), "edge, nsubj, other");
        check(Key(Template::CosineBin, 7, 0), "cosine of vectors, from 0.4");
        check(Key(Template::Alone, 3, 1), "left alone, number, target");
        check(Key(Template::Bias, 0, 0), "always");
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
        check(&[0, 1, TEMPLATES.len() as u8, 0, 0], "a kind of feature");
        check(&[0, 1, Template::Map as u8, 6, 0], "an argument of a feature");
        check(&[0, 1, Template::Map as u8, 0, 1], "an argument of a feature");
        check(&[0, 1, Template::Entity as u8, 1, 0], "an argument of a feature");
        check(&[0, 1, Template::CosineBin as u8, 64, 0], "an argument of a feature");
        check(&[0, 255, 255, 255, 255, 15, 0, 0, 0], "features");
    }
}
