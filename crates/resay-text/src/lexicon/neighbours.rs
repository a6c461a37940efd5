//! An index of words that finds all related words of a corpus without querying every pair.
//!
//! Related words share a key: the same stem, a pair in a table, a pointer in WordNet, a line of a
//! user's file. Words are indexed by these keys, so that a few lookups find all candidates. Each
//! candidate is then verified, so the result is exactly that of [`Lexicon::relations_among`].

use super::{Lexicon, Relations, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Words, numbered from 0 in insertion order, indexed by their keys.
#[derive(Debug)]
pub struct Neighbours {
    lexicon: Arc<Lexicon>,
    wanted: Relations,
    terms: Vec<Term>,
    by_key: FxHashMap<u64, Vec<u32>>,
}

impl Neighbours {
    /// Creates an empty index that finds only these relations.
    pub fn new(lexicon: Arc<Lexicon>, wanted: Relations) -> Self {
        Self { lexicon, wanted, terms: Vec::new(), by_key: FxHashMap::default() }
    }

    /// Adds a word and returns its number.
    pub fn push(&mut self, term: Term) -> u32 {
        let number = self.terms.len() as u32;
        for key in self.lexicon.handles(&term, self.wanted) {
            self.by_key.entry(key).or_default().push(number);
        }
        self.terms.push(term);
        number
    }

    /// Returns the words so far, by number.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Returns the numbers of all words to which `term` is related, in ascending order.
    pub fn related(&self, term: &Term) -> Vec<u32> {
        let keys = self.lexicon.asks(term, self.wanted);
        let mut found: Vec<u32> = keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        let is_related = |other: &Term| !self.lexicon.relations_among(term, other, self.wanted).is_empty();
        found.retain(|&number| is_related(&self.terms[number as usize]));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Upos;
    use crate::lexicon::{OwnRelations, wordnet::toy};
    use proptest::prelude::*;

    const FORMS: [&str; 14] = [
        "bird", "birds", "Bird", "raven", "ravens", "animal", "fly", "flies", "flapping", "beast", "beats", "travel",
        "gravel", "black",
    ];

    proptest! {
        /// Any words and any set of relations: the index finds what querying every word finds.
        #[test]
        fn all_related_words_are_found(
            words in prop::collection::vec((0..FORMS.len(), prop::option::of(0_usize..17), 0..4_usize), 1..30),
            lines in prop::collection::vec((0..4_usize, 0..FORMS.len(), 0..FORMS.len()), 0..12),
            wanted in prop::collection::vec(0_usize..24, 1..6),
        ) {
            let mut own = OwnRelations::new();
            let kinds = ["trade", "synonym", "place", "stem"];
            let text: String = lines.iter().map(|(g, a, b)| format!("{}\t{}\t{}\n", kinds[*g], FORMS[*a], FORMS[*b])).collect();
            own.read("own.tsv", text.as_bytes()).unwrap();
            let lexicon = Arc::new(Lexicon::new().with_own(own).with_wordnet(toy::wordnet()));
            let all: Vec<_> = lexicon.available().iter().collect();
            let wanted: Relations = wanted.into_iter().map(|at| all[at % all.len()]).collect();
            let entity = [None, Some("B-PER"), Some("I-PER"), Some("B-ORG")];
            let terms: Vec<Term> = words
                .iter()
                .map(|(form, tag, kind)| {
                    lexicon.word(FORMS[*form], None, tag.map(|tag| Upos::ALL[tag])).with_entity(entity[*kind])
                })
                .collect();
            let mut neighbours = Neighbours::new(lexicon.clone(), wanted);
            terms.iter().for_each(|term| { neighbours.push(term.clone()); });
            for term in &terms {
                let expected: Vec<u32> = (0..terms.len() as u32)
                    .filter(|&other| !lexicon.relations_among(term, &terms[other as usize], wanted).is_empty())
                    .collect();
                prop_assert_eq!(neighbours.related(term), expected);
            }
        }
    }
}
