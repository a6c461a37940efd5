//! Classes of words: where relations are not transitive, classes are. Every word is in one, which follows from the word
//! alone, so that "in the same class" is a comparison of names.
//!
//! Synonyms are the reason for all this: a word may stand in many synsets, but it is mostly used in one of them, and that
//! one is its class. A name says what the class is: `[buy|purchase]` for a synset, `<PER>` for a kind of entity, `walk` for
//! a stem, lemma or form, `walk/VERB` for a form with its tag. Different classes have different names, whatever the words.

use super::relation::{Relation, Relations};
use super::senses::Entry;
use super::wordnet::{SynsetId, WordNet};
use super::{Lexicon, Term};
use crate::{Error, Result};

/// Types that can make classes, a set's coarsest spelling first.
const SPELLINGS: [(Relation, Spelling); 4] = [
    (Relation::Stem, Spelling::Stem),
    (Relation::Lemma, Spelling::Lemma),
    (Relation::IdMinusTag, Spelling::Form),
    (Relation::Id, Spelling::FormAndTag),
];

/// As what a word is spelled that has no other class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    Stem,
    Lemma,
    Form,
    FormAndTag,
}

/// Which classes words are put into: by kind of entity, else by synset, else by spelling, as far as these are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    by_entity: bool,
    by_synset: bool,
    spelling: Spelling,
}

impl Classes {
    /// The types that this comes down to, as names joined by colons.
    pub fn show(self) -> String {
        let spelling = SPELLINGS.iter().find(|(_, spelling)| *spelling == self.spelling).map(|(relation, _)| *relation);
        let named = Relations::when(self.by_entity, Relation::Ne) | Relations::when(self.by_synset, Relation::Synonym);
        (named | spelling.into_iter().collect()).to_string()
    }
}

impl Lexicon {
    /// The classes that come nearest to "related in one of these ways". Only `id`, `idminustag`, `lemma`, `stem`,
    /// `synonym` and `ne` make classes; without any of the first four, words in no other class are one by their form.
    pub fn classes(&self, wanted: Relations) -> Result<Classes> {
        let spellings: Relations = SPELLINGS.iter().map(|(relation, _)| *relation).collect();
        let can_be = (spellings | Relations::of(Relation::Synonym) | Relations::of(Relation::Ne)) - self.own_types();
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
            by_synset: wanted.contains(Relation::Synonym),
            spelling: spelling.map_or(Spelling::Form, |(_, spelling)| *spelling),
        })
    }

    /// The name of a word's class.
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
            // A form with a stroke must not look as if it had a tag.
            (Spelling::FormAndTag, None) if term.form().contains('/') => format!("{}/", term.form()),
            (Spelling::FormAndTag, None) | (Spelling::Form, _) => term.form().to_owned(),
        };
        // Nor may a spelling look like a class of another kind.
        let is_like_others = spelled.len() > 1 && spelled.starts_with(['[', '<', '\\']);
        if is_like_others { format!("\\{spelled}") } else { spelled }
    }
}

/// The synset that a word was met in most often in tagged texts; of equals WordNet's first. None if the word is not known in
/// its part of speech.
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

/// How many words of a synset are shown.
const SHOWN: usize = 3;

/// The first words of a synset in alphabetical order, and whether there are more.
fn shown(wordnet: &WordNet, synset: SynsetId) -> (Vec<&str>, bool) {
    let mut words: Vec<&str> = wordnet.members(synset).take(SHOWN).map(|lemma| wordnet.word(lemma)).collect();
    words.sort_unstable();
    (words, wordnet.members(synset).len() > SHOWN)
}

/// `[buy|purchase]`, or `[walk#2]` for the second synset of which nothing else is shown, in the order of its first word's
/// senses; `[begin|get|start_out|...]` has more words. The name does not depend on how synsets are numbered.
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
        check("stem:synonym", "animal", None, "[animal|beast]");
        // Both verbs are "fly", but the one that was met eight times is not the one that flutters.
        check("synonym", "flies", Some(Upos::Verb), "[fly#2]");
        check("synonym", "flies", Some(Upos::Noun), "[fly]");
        check("synonym", "flies", None, "[fly#2]");
        check("synonym", "flutters", Some(Upos::Verb), "[flutter|fly]");
        check("stem:synonym", "walking", Some(Upos::Verb), "walk");
        check("synonym", "walking", Some(Upos::Verb), "walking");
        // A word that holds sentences together is not looked up, and a bird is no verb.
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
            "hypernym, drug makes no classes of words, expected some of: id, idminustag, lemma, stem, synonym, ne",
        );
        let mut own = OwnRelations::new();
        own.read("own.tsv", "synonym\taspirin\tASA\n".as_bytes()).unwrap();
        let lexicon = Lexicon::new().with_own(own);
        let refused = lexicon.classes(Relations::of(Relation::Synonym)).unwrap_err().to_string();
        assert_eq!(refused, "synonym makes no classes of words, expected some of: id, idminustag, lemma, stem, ne");
    }
}
