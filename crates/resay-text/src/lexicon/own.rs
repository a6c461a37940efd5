//! A user's own word relations, from files of lines `type<TAB>word<TAB>word`.
//!
//! They are taken literally: directed, from the first word to the second; not closed under
//! anything; a word is related to itself only if a line says so. A type named in a file holds for
//! the pairs in the files and no others, even if it has the name of a built-in type: a user's
//! `synonym` replaces WordNet's. A user who wants both gives the new type a name of its own and
//! requests the two.

use super::lines::{for_each_line, shorten};
use super::relation::{MAX_OWN, Relation, Relations};
use crate::{Error, Result};
use crate::{Intern, Interner};
use std::io::BufRead;

/// Characters with a meaning in kernel expressions, which contain type names.
const RESERVED: &str = ":+,()=";

/// Relations from any number of files.
#[derive(Clone, Debug, Default)]
pub struct OwnRelations {
    words: Interner,
    /// Names of the types that are not built in; the position is the number in `Relation::Own`.
    names: Vec<Box<str>>,
    /// The types named in some line.
    named: Relations,
    forward: Edges,
    backward: Edges,
}

/// `to[starts[a]..starts[a + 1]]` holds the words to which `a` is related, in ascending order, with
/// their relations.
#[derive(Clone, Debug, Default)]
struct Edges {
    starts: Vec<u32>,
    to: Vec<(u32, Relations)>,
}

impl Edges {
    /// Builds the adjacency lists from triples in any order.
    fn new(n_words: usize, mut triples: Vec<(u32, u32, Relations)>) -> Self {
        triples.sort_unstable_by_key(|&(from, to, _)| (from, to));
        triples.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 |= next.2;
            }
            is_same
        });
        let starts = (0..=n_words as u32).map(|word| triples.partition_point(|triple| triple.0 < word) as u32);
        Self { starts: starts.collect(), to: triples.into_iter().map(|(_, to, how)| (to, how)).collect() }
    }

    fn of(&self, word: u32) -> &[(u32, Relations)] {
        let range = self.starts.get(word as usize..).and_then(|starts| Some(*starts.first()?..*starts.get(1)?));
        range.and_then(|range| self.to.get(range.start as usize..range.end as usize)).unwrap_or_default()
    }

    fn triples(&self) -> Vec<(u32, u32, Relations)> {
        let words = 0..self.starts.len().saturating_sub(1) as u32;
        words.flat_map(|from| self.of(from).iter().map(move |&(to, how)| (from, to, how))).collect()
    }
}

impl OwnRelations {
    /// Creates an empty set of relations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the lines of a file. `name` is used in error messages. After an error the relations are
    /// unchanged.
    pub fn read(&mut self, name: &str, input: impl BufRead) -> Result<()> {
        let mut grown = Self { forward: Edges::default(), backward: Edges::default(), ..self.clone() };
        let mut triples = self.forward.triples();
        for_each_line(name, input, |number, line| {
            let triple = grown.triple(line).map_err(|message| Error::line(name, number, message))?;
            triples.push(triple);
            Ok(())
        })?;
        let n_words = grown.words.len();
        grown.backward = Edges::new(n_words, triples.iter().map(|&(from, to, how)| (to, from, how)).collect());
        grown.forward = Edges::new(n_words, triples);
        *self = grown;
        Ok(())
    }

    fn triple(&mut self, line: &str) -> Result<(u32, u32, Relations), String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, from, to] = columns[..] else {
            let n_columns = columns.len();
            let hint = if n_columns == 1 { "; columns are separated by tabs" } else { "" };
            return Err(format!("{n_columns} columns, expected 3 (type, word, word){hint}"));
        };
        for (what, text) in [("type", kind), ("first word", from), ("second word", to)] {
            if text.is_empty() {
                return Err(format!("the {what} is empty, expected a type and two words"));
            }
            if text.contains(char::is_whitespace) {
                let text = shorten(text);
                return Err(format!("the {what} '{text}' has a blank in it; relations are between single words"));
            }
        }
        let relation = self.kind(kind)?;
        self.named.insert(relation);
        Ok((self.words.symbol(from), self.words.symbol(to), Relations::of(relation)))
    }

    /// Whether there are no relations.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Writes all relations as lines. [`OwnRelations::read`] restores the same relations from them.
    pub fn to_lines(&self) -> String {
        let mut lines = String::new();
        for (from, to, how) in self.forward.triples() {
            let words = self.words.string(from).zip(self.words.string(to));
            for (kind, (from, to)) in how.iter().filter_map(|kind| self.name(kind).zip(words)) {
                lines.extend([kind, "\t", from, "\t", to, "\n"]);
            }
        }
        lines
    }

    /// Returns the type with this name; creates one if it is new.
    fn kind(&mut self, name: &str) -> Result<Relation, String> {
        if let Some(known) = self.relation(name) {
            return Ok(known);
        }
        if let Some(found) = name.chars().find(|&character| RESERVED.contains(character)) {
            let name = shorten(name);
            return Err(format!("the type '{name}' has a '{found}' in it, which kernel expressions could not name"));
        }
        if self.names.len() == MAX_OWN {
            let name = shorten(name);
            return Err(format!("'{name}' is one type too many, at most {MAX_OWN} can be added: join some"));
        }
        self.names.push(name.into());
        Ok(Relation::Own(self.names.len() as u8 - 1))
    }

    /// Returns the type with this name: built in, or named in a file.
    pub fn relation(&self, name: &str) -> Option<Relation> {
        let own = || self.names.iter().position(|known| **known == *name);
        Relation::named(name).or_else(|| Some(Relation::Own(own()? as u8)))
    }

    /// Returns the name of a type.
    pub fn name(&self, relation: Relation) -> Option<&str> {
        match relation {
            Relation::Own(number) => self.names.get(usize::from(number)).map(|name| &**name),
            ours => ours.name(),
        }
    }

    /// Returns the types named in the files.
    pub fn named(&self) -> Relations {
        self.named
    }

    /// Returns the number of the first of these spellings that occurs in a file.
    pub(super) fn find<'a>(&self, spellings: impl IntoIterator<Item = &'a str>) -> Option<u32> {
        spellings.into_iter().find_map(|spelling| self.words.get(spelling))
    }

    /// Returns the relations from `from` to `to`.
    pub(super) fn between(&self, from: u32, to: u32) -> Relations {
        let edges = self.forward.of(from);
        edges.binary_search_by_key(&to, |edge| edge.0).map_or(Relations::NONE, |idx| edges[idx].1)
    }

    /// Returns the numbers of the words to which a word is related.
    pub(super) fn partners(&self, word: u32) -> impl Iterator<Item = u32> + '_ {
        self.forward.of(word).iter().map(|&(other, _)| other)
    }

    /// Returns the words to which `word` is related, with their relations; with `is_backward`, the
    /// words that are related to it.
    pub(super) fn related(&self, word: u32, is_backward: bool) -> impl Iterator<Item = (&str, Relations)> {
        let edges = if is_backward { &self.backward } else { &self.forward };
        edges.of(word).iter().filter_map(|&(other, how)| Some((self.words.string(other)?, how)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(files: &[&str]) -> Result<OwnRelations> {
        let mut own = OwnRelations::new();
        for (number, file) in files.iter().enumerate() {
            own.read(&format!("{number}.tsv"), file.as_bytes())?;
        }
        Ok(own)
    }

    fn between(own: &OwnRelations, from: &str, to: &str) -> Vec<String> {
        let holds = match (own.find([from]), own.find([to])) {
            (Some(from), Some(to)) => own.between(from, to),
            _ => Relations::NONE,
        };
        holds.iter().map(|relation| own.name(relation).unwrap().to_owned()).collect()
    }

    #[test]
    fn lines_are_taken_as_written() {
        let own = read(&["drug\taspirin\tasa\nsynonym\tcar\tauto\n", "drug\tasa\tasa\ndose\taspirin\tasa\n"]).unwrap();
        let check = |from: &str, to: &str, expected: &[&str]| assert_eq!(between(&own, from, to), expected);
        check("aspirin", "asa", &["drug", "dose"]);
        check("asa", "aspirin", &[]);
        check("asa", "asa", &["drug"]);
        check("aspirin", "aspirin", &[]);
        check("car", "auto", &["synonym"]);
        check("Car", "auto", &[]);
        assert_eq!(own.named().to_string(), "synonym:own0:own1");
        assert_eq!(own.relation("dose"), Some(Relation::Own(1)));
        assert_eq!(own.relation("stem"), Some(Relation::Stem));
        assert_eq!(own.relation("doses"), None);
    }

    #[test]
    fn faults_say_where_and_what() {
        let check = |file: &str, expected: &str| assert_eq!(read(&[file]).unwrap_err().to_string(), expected);
        check("a\tb\tc\nx y z\n", "0.tsv:2: 1 columns, expected 3 (type, word, word); columns are separated by tabs");
        check("a\tb\tc\td\n", "0.tsv:1: 4 columns, expected 3 (type, word, word)");
        check("\n\na\t\tc\n", "0.tsv:3: the first word is empty, expected a type and two words");
        check("a\tb\t\n", "0.tsv:1: the second word is empty, expected a type and two words");
        check("\tb\tc\n", "0.tsv:1: the type is empty, expected a type and two words");
        check(
            "city\tNYC\tNew York\n",
            "0.tsv:1: the second word 'New York' has a blank in it; relations are between single words",
        );
        check("a:b\tx\ty\n", "0.tsv:1: the type 'a:b' has a ':' in it, which kernel expressions could not name");
        let many: String = (0..=MAX_OWN).map(|number| format!("t{number}\ta\tb\n")).collect();
        check(&many, "0.tsv:41: 't40' is one type too many, at most 40 can be added: join some");
    }

    #[test]
    fn after_a_fault_all_is_as_before() {
        let mut own = read(&["t\ta\tb\n"]).unwrap();
        assert!(own.read("f", &b"u\tb\tc\nv\n"[..]).is_err());
        assert_eq!((own.named(), own.words.len(), own.names.len()), (Relations::of(Relation::Own(0)), 2, 1));
        assert_eq!(between(&own, "a", "b"), ["t"]);
    }

    proptest! {
        #[test]
        fn any_file_against_its_lines(
            files in prop::collection::vec(prop::collection::vec(("[rst]", "[a-dé]", "[a-dé]"), 0..15), 1..4)
        ) {
            let texts: Vec<String> = files
                .iter()
                .map(|lines| lines.iter().map(|(kind, from, to)| format!("{kind}\t{from}\t{to}\r\n")).collect())
                .collect();
            let own = read(&texts.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
            let words = ["a", "b", "c", "d", "é"];
            for from in words {
                for to in words {
                    let says = |kind: &str| files.iter().flatten().any(|line| (&*line.0, &*line.1, &*line.2) == (kind, from, to));
                    let mut found = between(&own, from, to);
                    found.sort();
                    let expected: Vec<&str> = ["r", "s", "t"].into_iter().filter(|kind| says(kind)).collect();
                    prop_assert_eq!(&found, &expected);
                    for (word, other, is_backward) in [(from, to, false), (to, from, true)] {
                        let listed = own.find([word]).into_iter().flat_map(|word| own.related(word, is_backward));
                        let how: Vec<Relations> = listed.filter(|entry| entry.0 == other).map(|entry| entry.1).collect();
                        prop_assert_eq!(how.iter().map(|how| how.len()).sum::<usize>(), found.len());
                    }
                }
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "[a-c\t\n]{0,60}") {
            let _ = OwnRelations::new().read("f", &bytes[..]);
            let _ = OwnRelations::new().read("f", text.as_bytes());
        }
    }
}
