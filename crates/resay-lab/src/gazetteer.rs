//! Gazetteers for the entity recogniser: WordNet's instances of places, organisations and people,
//! with their demonyms; given names and surnames of people in Wikidata; nicknames.

use crate::files::Files;
use crate::wndb::{Synset, Wndb};
use anyhow::Result;
use resay_text::entity::gazetteer::{
    GIVEN, Gazetteer, MAX_WORDS, OF_PLACE, ORGANISATION, PERSON, PLACE, STARTS, SURNAME, key,
};
use resay_text::words::Words;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Minimum number of people in Wikidata with a given name.
const MIN_GIVEN: u32 = 2;

/// The settings of this module.
pub(crate) fn settings() -> String {
    format!("min-given={MIN_GIVEN}")
}

/// Reads the gazetteers.
pub(crate) fn read(files: &Files<'_>) -> Result<Gazetteer> {
    let mut names: BTreeMap<String, u8> = BTreeMap::new();
    let mut add = |name: &str, kind: u8| {
        let is_name = |word: &str| word.len() > 1 && word.chars().any(char::is_alphabetic);
        let n_words = name.split(' ').count();
        if n_words <= MAX_WORDS && name.split(' ').all(is_name) {
            *names.entry(name.to_lowercase()).or_default() |= kind;
        }
    };
    wordnet(&Wndb::read(files)?, &mut add);
    people(files, &mut add)?;
    let mut keys: BTreeMap<u32, u8> = BTreeMap::new();
    for (name, kinds) in &names {
        let words: Vec<u32> = name.split(' ').map(Words::key).collect();
        *keys.entry(key(&words)).or_default() |= kinds;
        if words.len() > 1 {
            *keys.entry(words[0]).or_default() |= STARTS;
        }
    }
    Ok(Gazetteer::new(&keys.into_iter().collect::<Vec<_>>()))
}

/// Names in WordNet, and words related to places.
fn wordnet(wordnet: &Wndb, add: &mut impl FnMut(&str, u8)) {
    let nouns = &wordnet.synsets[0];
    let kinds: Vec<u8> = (0..nouns.len()).map(|at| kind(nouns, at)).collect();
    for (synset, &kind) in nouns.iter().zip(&kinds) {
        let is_instance = synset.pointers.iter().any(|pointer| pointer.symbol == "@i");
        if is_instance && kind & (PLACE | ORGANISATION | PERSON) != 0 {
            for word in synset.words.iter().filter(|word| word.starts_with(char::is_uppercase)) {
                // The surname of a famous person alone is an ordinary surname.
                let is_surname = kind == PERSON && !word.contains('_');
                add(&word.replace('_', " "), if is_surname { SURNAME } else { kind });
            }
        }
        if kind & OF_PLACE != 0 {
            for word in synset.words.iter().filter(|word| word.starts_with(char::is_uppercase)) {
                add(&word.replace('_', " "), OF_PLACE);
            }
        }
    }
    // Adjectives that pertain to a place: "French" to "France".
    for synset in &wordnet.synsets[2] {
        for pointer in synset.pointers.iter().filter(|pointer| pointer.symbol == "\\" && pointer.pos == 0) {
            let Some((from, _)) = pointer.words else { continue };
            if kinds[pointer.synset] & PLACE != 0
                && let Some(word) = synset.words.get(from).filter(|word| word.starts_with(char::is_uppercase))
            {
                add(&word.replace('_', " "), OF_PLACE);
            }
        }
    }
}

/// The entity types of a noun, by all its hypernyms.
fn kind(nouns: &[Synset], start: usize) -> u8 {
    let mut kinds = 0;
    let mut stack = vec![start];
    let mut seen = FxHashSet::default();
    while let Some(at) = stack.pop() {
        if !seen.insert(at) {
            continue;
        }
        let has = |word: &str| nouns[at].words.iter().any(|known| known == word);
        if has("inhabitant") && has("dweller") {
            kinds |= OF_PLACE;
        } else if has("person") && has("individual") {
            kinds |= PERSON;
        } else if ["location", "landmass", "body_of_water", "island", "mountain", "structure"]
            .iter()
            .any(|word| has(word))
        {
            kinds |= PLACE;
        } else if has("organization") || has("organisation") {
            kinds |= ORGANISATION;
        }
        let up = nouns[at].pointers.iter().filter(|pointer| pointer.symbol == "@" || pointer.symbol == "@i");
        stack.extend(up.map(|pointer| pointer.synset));
    }
    kinds
}

/// Given names and surnames.
fn people(files: &Files<'_>, add: &mut impl FnMut(&str, u8)) -> Result<()> {
    for line in files.text("nicknames/names.csv")?.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        if let [a, _, b] = columns[..] {
            add(a, GIVEN);
            add(b, GIVEN);
        }
    }
    let text = files.text("translit_en_he/wikidata/wd_hebrew")?;
    let mut given: BTreeMap<&str, u32> = BTreeMap::new();
    for line in text.lines() {
        let name = line.split('\t').next().unwrap_or_default();
        let words: Vec<&str> = name.split(' ').collect();
        if let ([first, .., last], true) = (&words[..], words.iter().all(|word| word.starts_with(char::is_uppercase))) {
            *given.entry(first).or_default() += 1;
            if words.len() <= 3 && last.chars().all(|letter| letter.is_alphabetic() || letter == '\'') {
                add(last, SURNAME);
            }
        }
    }
    for (name, _) in given.iter().filter(|(_, count)| **count >= MIN_GIVEN) {
        add(name, GIVEN);
    }
    Ok(())
}
