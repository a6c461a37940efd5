//! Tables of word pairs that were counted or learned elsewhere: paraphrases, similar words,
//! nicknames. They share one file and one vocabulary, because most of their words are the same. All
//! words are lower-cased, and every pair is symmetric.
//!
//! Sections: `words` (see `vocabulary.rs`), then `ppdb`, `similar` with one byte per pair for the
//! cosine, and `nicknames` (see `graph.rs`).

use super::Relation;
use super::graph::{self, Graph};
use super::vocabulary::Vocabulary;
use crate::container::{Container, Origin, SectionReader};
use crate::{Error, Result};

/// The resource name in the file header.
const RESOURCE: &str = "relations";
/// The byte that encodes cosine 1.
const ONE: f32 = 255.0;

/// The pairs from which a file of tables is built, in any order. Duplicates and inverted pairs are
/// merged, pairs of equal words are dropped, and the largest of several cosines is kept.
#[derive(Clone, Debug, Default)]
pub struct TablePairs {
    /// Paraphrases.
    pub ppdb: Vec<(String, String)>,
    /// Distributionally similar words, with the cosine of their vectors.
    pub similar: Vec<(String, String, f32)>,
    /// Names and their short forms.
    pub nicknames: Vec<(String, String)>,
}

impl TablePairs {
    /// Builds the file.
    pub fn pack(&self, origin: Origin) -> Result<Vec<u8>> {
        let plain = self.ppdb.iter().chain(&self.nicknames).flat_map(|(a, b)| [a.as_str(), b.as_str()]);
        let mut words: Vec<&str> =
            plain.chain(self.similar.iter().flat_map(|(a, b, _)| [a.as_str(), b.as_str()])).collect();
        let vocabulary = Vocabulary::new(&mut words)?;
        let number = |word: &str| vocabulary.find(word).unwrap_or_default();
        let section = |mut pairs: Vec<(u32, u32, u8)>, is_weighted| {
            for pair in &mut pairs {
                *pair = (pair.0.min(pair.1), pair.0.max(pair.1), pair.2);
            }
            pairs.retain(|pair| pair.0 != pair.1);
            // Sorts the largest weight of each pair first: `dedup` keeps the first.
            pairs.sort_unstable_by_key(|&(a, b, weight)| (a, b, u8::MAX - weight));
            pairs.dedup_by_key(|pair| (pair.0, pair.1));
            graph::pack(vocabulary.len(), &pairs, is_weighted)
        };
        let numbers = |pairs: &[(String, String)]| pairs.iter().map(|(a, b)| (number(a), number(b), 0)).collect();
        let similar = self.similar.iter().map(|(a, b, cosine)| (number(a), number(b), to_byte(*cosine))).collect();
        let mut container = Container::new(Origin { resource: RESOURCE.to_owned(), ..origin });
        container.push("words", vocabulary.pack());
        container.push("ppdb", section(numbers(&self.ppdb), false)?);
        container.push("similar", section(similar, true)?);
        container.push("nicknames", section(numbers(&self.nicknames), false)?);
        container.pack()
    }
}

/// Rounds to the nearest byte. Negative cosines become 0.
fn to_byte(cosine: f32) -> u8 {
    (cosine * ONE).round() as u8
}

/// The tables of a file.
#[derive(Clone, Debug)]
pub struct Tables {
    origin: Origin,
    pub(super) words: Vocabulary,
    pub(super) ppdb: Graph,
    pub(super) similar: Graph,
    pub(super) nicknames: Graph,
}

impl Tables {
    /// Opens a file from its bytes. `name` is used in error messages.
    pub fn open(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, RESOURCE)?;
        let reader = |section| Ok::<_, Error>(SectionReader::new(name, section, container.section(name, section)?));
        let words = Vocabulary::unpack(reader("words")?)?;
        Ok(Self {
            ppdb: Graph::unpack(reader("ppdb")?, words.len(), false)?,
            similar: Graph::unpack(reader("similar")?, words.len(), true)?,
            nicknames: Graph::unpack(reader("nicknames")?, words.len(), false)?,
            words,
            origin: container.about.clone(),
        })
    }

    /// Returns the origin of the pairs.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns each graph with its relation.
    pub(super) fn graphs(&self) -> [(&Graph, Relation); 3] {
        [(&self.ppdb, Relation::Ppdb), (&self.similar, Relation::Similar), (&self.nicknames, Relation::Nickname)]
    }

    /// Returns the number of words, and the number of pairs of each kind: paraphrases, similar
    /// words, nicknames.
    pub fn sizes(&self) -> (usize, [usize; 3]) {
        (self.words.len(), [&self.ppdb, &self.similar, &self.nicknames].map(Graph::n_pairs))
    }

    /// Returns the cosine of two words, to about 0.002. `None` if neither is among the other's
    /// nearest neighbours.
    pub(super) fn cosine(&self, a: u32, b: u32) -> Option<f32> {
        self.similar.weight(a, b).map(|byte| f32::from(byte) / ONE)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    pub(in super::super) fn origin() -> Origin {
        let [resource, data, licence, made] = ["", "made up", "none", "by a test"].map(str::to_owned);
        Origin { resource, data, licence, made, quality: Vec::new() }
    }

    pub(in super::super) fn strings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    fn check(pairs: &TablePairs) {
        let tables = Tables::open("r.resay", &pairs.pack(origin()).unwrap()).unwrap();
        let mut cosines: BTreeMap<(&str, &str), f32> = BTreeMap::new();
        for (a, b, cosine) in &pairs.similar {
            for key in [(a.as_str(), b.as_str()), (b.as_str(), a.as_str())] {
                let known = cosines.entry(key).or_insert(*cosine);
                *known = known.max(*cosine);
            }
        }
        let holds = |list: &[(String, String)], a: &str, b: &str| {
            a != b && list.iter().any(|(x, y)| (x == a && y == b) || (x == b && y == a))
        };
        for a in 0..tables.words.len() as u32 {
            for b in 0..tables.words.len() as u32 {
                let (word_a, word_b) = (tables.words.word(a), tables.words.word(b));
                assert_eq!(tables.ppdb.contains(a, b), holds(&pairs.ppdb, word_a, word_b));
                assert_eq!(tables.nicknames.contains(a, b), holds(&pairs.nicknames, word_a, word_b));
                let expected = cosines.get(&(word_a, word_b)).filter(|_| a != b);
                assert_eq!(tables.cosine(a, b).is_some(), expected.is_some());
                if let (Some(found), Some(expected)) = (tables.cosine(a, b), expected) {
                    assert!((found - expected).abs() <= 0.002, "{found} {expected}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn tables_against_plain_lists(
            ppdb in prop::collection::vec(("[ab]{1,2}", "[ab]{1,2}"), 0..12),
            similar in prop::collection::vec(("[ab]{1,3}", "[ab]{1,3}", 0.0_f32..1.0), 0..12),
            nicknames in prop::collection::vec(("[ac]{1,2}", "[ac]{1,2}"), 0..6),
        ) {
            check(&TablePairs { ppdb, similar, nicknames });
        }

        #[test]
        fn a_changed_byte_is_met(at in any::<prop::sample::Index>(), to in any::<u8>()) {
            let pairs = TablePairs { ppdb: strings(&[("buy", "purchase"), ("big", "large")]), ..TablePairs::default() };
            let mut bytes = pairs.pack(origin()).unwrap();
            let at = at.index(bytes.len());
            let is_changed = std::mem::replace(&mut bytes[at], to) != to;
            prop_assert_eq!(Tables::open("r.resay", &bytes).is_err(), is_changed);
        }

        #[test]
        fn any_section_is_opened_or_refused(
            which in 0..4_usize,
            change in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            keep in any::<prop::sample::Index>(),
        ) {
            // With valid checksums, so that the sections' own checks are reached.
            let pairs = TablePairs {
                ppdb: strings(&[("buy", "purchase"), ("big", "large"), ("big", "great")]),
                similar: vec![("big".into(), "small".into(), 0.9)],
                nicknames: strings(&[("kate", "catherine")]),
            };
            let whole: Container<Origin> = Container::unpack("r", &pairs.pack(origin()).unwrap()).unwrap();
            let mut damaged = Container::new(whole.about.clone());
            for (number, name) in ["words", "ppdb", "similar", "nicknames"].into_iter().enumerate() {
                let mut section = whole.section("r", name).unwrap().to_vec();
                if number == which {
                    for (at, to) in &change {
                        let at = at.index(section.len());
                        section[at] = *to;
                    }
                    section.truncate(keep.index(2 * section.len()) + 1);
                }
                damaged.push(name, section);
            }
            if let Ok(tables) = Tables::open("r", &damaged.pack().unwrap()) {
                for word in 0..tables.words.len() as u32 {
                    let known = |other: u32| (other as usize) < tables.words.len();
                    prop_assert!(tables.ppdb.partners(word).all(known) && tables.similar.partners(word).all(known));
                }
            }
        }
    }

    #[test]
    fn another_file_is_refused() {
        let container = Container::new(Origin { resource: "tagger".to_owned(), ..origin() });
        let error = Tables::open("t.resay", &container.pack().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "t.resay: this is 'tagger', expected 'relations': give the right file");
    }
}
