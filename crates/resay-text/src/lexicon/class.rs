//! Word classes: a transitive substitute for word relations. Every word is in exactly one class,
//! which depends on the word alone, so that testing for "same class" compares two names.
//!
//! Synonyms are the reason for classes: a word may be in many synsets, but is mostly used in one of
//! them, and that one is its class. The name tells what the class is: `[buy|purchase]` for a
//! synset, `<PER>` for an entity type, `walk` for a stem, lemma or form, `walk/VERB` for a form
//! with its tag. Different classes have different names, whatever the words.

use super::relation::{Relation, Relations};
use super::senses::Entry;
use super::wordnet::{SynsetId, WordNet};
use super::{Lexicon, Term};
use crate::{Error, Result};

/// Relations that define a spelling class, the coarsest first.
const SPELLINGS: [(Relation, Spelling); 4] = [
    (Relation::Stem, Spelling::Stem),
    (Relation::Lemma, Spelling::Lemma),
    (Relation::IdMinusTag, Spelling::Form),
    (Relation::Id, Spelling::FormAndTag),
];

/// How a word without any other class is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    Stem,
    Lemma,
    Form,
    FormAndTag,
}

/// How words are classified: by entity type, else by synset, else by spelling, as far as requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    by_entity: bool,
    by_synset: bool,
    spelling: Spelling,
}

impl Classes {
    /// Returns the relations that define these classes, as names joined by colons.
    pub fn show(self) -> String {
        let spelling = SPELLINGS.iter().find(|(_, spelling)| *spelling == self.spelling).map(|(relation, _)| *relation);
        let named = Relations::when(self.by_entity, Relation::Ne) | Relations::when(self.by_synset, Relation::Synonym);
        (named | spelling.into_iter().collect()).to_string()
    }
}

impl Lexicon {
    /// Returns the classes that come closest to "related in one of these ways". Only `id`,
    /// `idminustag`, `lemma`, `stem`, `synonym`, `synonym1` and `ne` define classes; a class of
    /// synonyms is that of the most frequent sense, by either name. Without any of the first four,
    /// a word with no other class is classified by its form.
    pub fn classes(&self, wanted: Relations) -> Result<Classes> {
        let spellings: Relations = SPELLINGS.iter().map(|(relation, _)| *relation).collect();
        let synonyms = Relations::of(Relation::Synonym) | Relations::of(Relation::Synonym1);
        let can_be = (spellings | synonyms | Relations::of(Relation::Ne)) - self.own_types();
        let others = wanted - can_be;
        if !others.is_empty() {
            return Err(Error::parameter(format!(
                "{} makes no classes of words, expected some of: {}",
                self.show(others).replace(':', ", "),
                self.show(can_be & self.available()).replace(':', ", ")
            )));
        }
        let spelling = SPELLINGS.iter().find(|(relation, _)| wanted.contains(*relation));
        Ok(Classes {
            by_entity: wanted.contains(Relation::Ne),
            by_synset: !(wanted & synonyms).is_empty(),
            spelling: spelling.map_or(Spelling::Form, |(_, spelling)| *spelling),
        })
    }

    /// Returns the name of a word's class.
    pub fn class(&self, term: &Term, classes: Classes) -> String {
        if let Some(entity) = term.entity().filter(|_| classes.by_entity) {
            return format!("<{entity}>");
        }
        let synset = || {
            let (wordnet, entry) = (self.wordnet()?, term.wordnet?);
            Some(synset_name(wordnet, most_frequent(wordnet, entry)?))
        };
        if let Some(name) = classes.by_synset.then(synset).flatten() {
            return name;
        }
        let spelled = match (classes.spelling, term.tag()) {
            (Spelling::Stem, _) => term.stem().to_owned(),
            (Spelling::Lemma, _) => term.lemma().to_owned(),
            (Spelling::FormAndTag, Some(tag)) => format!("{}/{}", term.form(), tag.name()),
            // A form with a slash must not look like a form with a tag.
            (Spelling::FormAndTag, None) if term.form().contains('/') => format!("{}/", term.form()),
            (Spelling::FormAndTag, None) | (Spelling::Form, _) => term.form().to_owned(),
        };
        // A spelling must not look like a class of another kind.
        let is_like_others = spelled.len() > 1 && spelled.starts_with(['[', '<', '\\']);
        if is_like_others { format!("\\{spelled}") } else { spelled }
    }
}

/// Returns the most frequent synset of a word in WordNet's tagged texts. Ties go to WordNet's
/// first. `None` if WordNet does not have the word in this part of speech.
pub(super) fn most_frequent(wordnet: &WordNet, entry: Entry) -> Option<SynsetId> {
    let mut best = None;
    for sense in wordnet.senses(entry.lemma, entry.pos) {
        let count = wordnet.tag_count(sense);
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, sense));
        }
    }
    wordnet.synset_of(best?.1)
}

/// Number of words in the name of a synset.
const SHOWN: usize = 3;

/// Returns the words in the name of a synset, sorted, and whether the synset has more.
fn shown(wordnet: &WordNet, synset: SynsetId) -> (Vec<&str>, bool) {
    let mut words: Vec<&str> = wordnet.members(synset).take(SHOWN).map(|lemma| wordnet.word(lemma)).collect();
    words.sort_unstable();
    (words, wordnet.members(synset).len() > SHOWN)
}

/// Returns the name of a synset: `[buy|purchase]`; with more words, `[begin|get|start_out|...]`; or
/// `[walk#2]` for the second synset with the same words, in the order of the first word's senses.
/// The name does not depend on the numbering of synsets.
fn synset_name(wordnet: &WordNet, synset: SynsetId) -> String {
    let (words, has_more) = shown(wordnet, synset);
    let lemma = words.first().and_then(|word| wordnet.lemma(word));
    let all = lemma.into_iter().flat_map(|lemma| wordnet.synsets(lemma, None));
    let n_before =
        all.take_while(|other| *other != synset).filter(|other| shown(wordnet, *other) == (words.clone(), has_more));
    let number = match n_before.count() {
        0 => String::new(),
        n_before => format!("#{}", n_before + 1),
    };
    format!("[{}{}{number}]", words.join("|"), if has_more { "|..." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::super::OwnRelations;
    use super::super::wordnet::toy;
    use super::*;
    use crate::Upos;
    use std::collections::BTreeMap;

    fn lexicon() -> Lexicon {
        Lexicon::new().with_wordnet(toy::wordnet())
    }

    fn check(types: &str, form: &str, tag: Option<Upos>, expected: &str) {
        let lexicon = lexicon();
        let classes = lexicon.classes(lexicon.parse(types).unwrap()).unwrap();
        assert_eq!(lexicon.class(&lexicon.word(form, None, tag), classes), expected, "{form} by {types}");
    }

    #[test]
    fn a_word_is_in_one_class() {
        check("stem:synonym", "Beasts", Some(Upos::Noun), "[animal|beast]");
        check("stem:synonym1", "Beasts", Some(Upos::Noun), "[animal|beast]");
        check("stem:synonym", "animal", None, "[animal|beast]");
        // Both verbs are "fly"; the one with a count of eight is not the one that flutters.
        check("synonym", "flies", Some(Upos::Verb), "[fly#2]");
        check("synonym", "flies", Some(Upos::Noun), "[fly]");
        check("synonym", "flies", None, "[fly#2]");
        check("synonym", "flutters", Some(Upos::Verb), "[flutter|fly]");
        check("stem:synonym", "walking", Some(Upos::Verb), "walk");
        check("synonym", "walking", Some(Upos::Verb), "walking");
        // Function words are not looked up, and "bird" is not a verb.
        check("stem:synonym", "birds", Some(Upos::Det), "bird");
        check("lemma:synonym", "bird", Some(Upos::Verb), "bird");
        check("id:lemma", "flew", Some(Upos::Verb), "fly");
        check("id", "Flew", Some(Upos::Verb), "flew/VERB");
        check("id:idminustag", "Flew", Some(Upos::Verb), "flew");
    }

    #[test]
    fn entities_come_first() {
        let lexicon = lexicon();
        let classes = lexicon.classes(lexicon.parse("ne:synonym").unwrap()).unwrap();
        let raven = || lexicon.word("Raven", None, Some(Upos::Noun));
        assert_eq!(lexicon.class(&raven().with_entity(Some("B-PER")), classes), "<PER>");
        assert_eq!(lexicon.class(&raven().with_entity(Some("O")), classes), "[raven]");
    }

    #[test]
    fn a_spelling_is_not_taken_for_another_class() {
        check("synonym", "[raven]", None, "\\[raven]");
        check("synonym", "\\[raven]", None, "\\\\[raven]");
        check("stem", "<PER>", None, "\\<per>");
        check("stem", "[", None, "[");
        check("id", "walk/NOUN", None, "walk/noun/");
        check("id", "walk", None, "walk");
    }

    #[test]
    fn different_synsets_have_different_names() {
        let wordnet = toy::wordnet();
        let mut names: BTreeMap<String, u32> = BTreeMap::new();
        for synset in 0..wordnet.n_synsets() as u32 {
            assert_eq!(names.insert(synset_name(&wordnet, SynsetId(synset)), synset), None);
        }
        assert_eq!(names.len(), 16);
    }

    #[test]
    fn classes_are_told_by_what_they_come_down_to() {
        let mut own = OwnRelations::new();
        own.read("own.tsv", "drug\taspirin\tASA\n".as_bytes()).unwrap();
        let lexicon = lexicon().with_own(own);
        let check = |types: &str, expected: &str| {
            let classes = lexicon.classes(lexicon.parse(types).unwrap());
            assert_eq!(classes.map_or_else(|error| error.to_string(), Classes::show), expected, "{types}");
        };
        check("id:stem:synonym", "stem:synonym");
        check("ne", "idminustag:ne");
        check(
            "stem:hypernym:drug",
            "hypernym, drug makes no classes of words, expected some of: id, idminustag, lemma, stem, synonym, ne, synonym1",
        );
        let mut own = OwnRelations::new();
        own.read("own.tsv", "synonym\taspirin\tASA\n".as_bytes()).unwrap();
        let lexicon = Lexicon::new().with_own(own);
        let refused = lexicon.classes(Relations::of(Relation::Synonym)).unwrap_err().to_string();
        assert_eq!(refused, "synonym makes no classes of words, expected some of: id, idminustag, lemma, stem, ne");
    }
}
