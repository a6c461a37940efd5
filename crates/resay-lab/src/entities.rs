//! The entity recogniser: trained on the training part of Universal NER's English Web Treebank and
//! on tweets (WNUT 2017's training part, the Broad Twitter Corpus), with settings tuned on the
//! former's dev part.
//!
//! - Entity types other than person, location and organisation are ignored, and so is what the
//!   corpora mark as not a proper entity.
//! - Mentions in tweets ("@someone") are names in one corpus but not in the others: they are
//!   ignored.
//! - The tagger was trained on the sentences of the Web Treebank, where its tags are better than
//!   anywhere else. So these sentences use tags from taggers that were not trained on them (the
//!   step `jackknife`).

use crate::files::Files;
use crate::gazetteer;
use crate::jackknife;
use crate::stretches::{Annotator, Labelled, Score, numbers};
use crate::tagger::shuffled;
use crate::treebank;
use crate::{MADE_BY, settings_of};
use anyhow::{Result, ensure};
use resay_text::bio;
use resay_text::container::{Origin, Quality};
use resay_text::entity::gazetteer::Gazetteer;
use resay_text::entity::{Entities, EntityScratch, N_LEARNED, features_of};
use resay_text::learn::{self, FitOptions};
use std::collections::BTreeMap;

/// Options tuned on the dev part.
fn options() -> FitOptions {
    FitOptions { epochs: 6, all_labels_from: 10, allowed: bio::allowed(N_LEARNED), ..FitOptions::default() }
}

/// Maps the corpora's names of entity types to indices of [`resay_text::ENTITIES`].
fn kind(name: &str) -> Option<u8> {
    match name {
        "PER" | "person" => Some(0),
        "LOC" | "location" => Some(1),
        "ORG" | "corporation" | "group" => Some(2),
        _ => None,
    }
}

type Sentence = (Vec<String>, Vec<u8>);

/// Reads a column file, given its separator and the columns of form and label.
fn read(files: &Files<'_>, file: &str, separator: char, form: usize, label: usize) -> Result<Vec<Sentence>> {
    let text = files.text(&format!("ner/{file}"))?;
    let sentences = treebank::columns(&text, separator, form, label);
    ensure!(!sentences.is_empty(), "{file}: no sentence");
    Ok(sentences.into_iter().map(|(forms, labels)| without_mentions(forms, &labels)).collect())
}

fn without_mentions(forms: Vec<String>, labels: &[String]) -> Sentence {
    let is_mention = |at: usize| forms[at].starts_with('@') || at > 0 && forms[at - 1] == "@";
    let kept = |(at, label): (usize, &String)| if is_mention(at) { "O".to_owned() } else { label.clone() };
    let labels: Vec<String> = labels.iter().enumerate().map(kept).collect();
    (forms, numbers(&labels, kind))
}

fn web(files: &Files<'_>, part: &str) -> Result<Vec<Sentence>> {
    read(files, &format!("uner_ewt/en_ewt-ud-{part}.iob2"), '\t', 1, 2)
}

/// Jackknifed tags of the Web Treebank's training part: hashes, keyed by the words of a sentence.
fn honest_tags(files: &Files<'_>) -> Result<BTreeMap<Vec<String>, Vec<u32>>> {
    let gold = treebank::ewt(files, "train")?;
    let tags = jackknife::tags(files, &gold)?;
    Ok(gold.into_iter().map(|sentence| sentence.forms).zip(tags).collect())
}

#[allow(clippy::print_stdout, reason = "a tool for the command line")]
fn learn(sentences: &[Labelled], names: &Gazetteer, options: &FitOptions) -> Result<Entities> {
    let mut marks = Vec::new();
    let mut sequence = |sentence: &Labelled| {
        names.mark(&sentence.atoms, &mut marks);
        learn::Labelled::new(bio::to_fine(&sentence.labels), |word, out| {
            features_of(&sentence.atoms, &sentence.tags, &marks, word, out);
        })
    };
    let sequences: Vec<learn::Labelled> = sentences.iter().map(&mut sequence).collect();
    let chain = learn::fit(bio::n_fine(N_LEARNED), &sequences, options, shuffled, |epoch, loss| {
        println!("  epoch {epoch}: loss {loss:.0}");
    });
    Ok(Entities::new("entities.resay", chain, names.clone())?)
}

fn measure(entities: &Entities, sentences: &[Labelled]) -> Score {
    let (mut scratch, mut out) = (EntityScratch::default(), Vec::new());
    let mut score = Score::default();
    for sentence in sentences {
        entities.find_names(&sentence.atoms, &sentence.tags, &mut scratch, &mut out);
        score.add(&sentence.labels, &out);
    }
    score
}

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "entities".to_owned(),
        data: "Universal NER English-EWT, WNUT 2017 and Broad Twitter Corpus, training parts; names of WordNet 3.0, \
               Wikidata, nicknames"
            .to_owned(),
        licence: "CC BY-SA 4.0, CC BY 4.0, WordNet, CC0, Apache-2.0".to_owned(),
        made: format!("{MADE_BY} entities"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("{:?} {}", options(), gazetteer::settings()))
}

/// Builds `entities.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, with_test: bool) -> Result<()> {
    let annotator = Annotator::open(files)?;
    let annotate = |(forms, labels): &Sentence| annotator.annotate(forms, None, labels.clone());
    let names = gazetteer::read(files)?;
    let tagged = honest_tags(files)?;
    let mut train: Vec<Labelled> = Vec::new();
    for (forms, labels) in web(files, "train.commit0c7ce0d")? {
        let tags = tagged.get(&forms).map(Vec::as_slice);
        train.push(annotator.annotate(&forms, tags, labels));
    }
    let mut tweets = read(files, "wnut17/wnut17train.conll", '\t', 0, 1)?;
    for part in ["a", "b", "e", "f", "g", "h"] {
        tweets.extend(read(files, &format!("btc/{part}.conll"), '\t', 0, 1)?);
    }
    train.extend(tweets.iter().map(annotate));
    let entities = learn(&train, &names, &options())?;
    let mut parts = vec![("Universal NER EWT dev", web(files, "dev")?)];
    parts.push(("WNUT 2017 dev, three kinds", read(files, "wnut17/emerging.dev.conll", '\t', 0, 1)?));
    if with_test {
        parts.push(("Universal NER EWT test", web(files, "test")?));
        parts.push(("WNUT 2017 test, three kinds", read(files, "wnut17/emerging.test.annotated", '\t', 0, 1)?));
        parts.push((
            "Wikigold, three kinds, nothing of it learned",
            read(files, "wikigold/wikigold.conll.txt", ' ', 0, 1)?,
        ));
    }
    let mut quality = Vec::new();
    for (part, sentences) in parts {
        let score = measure(&entities, &sentences.iter().map(annotate).collect::<Vec<_>>());
        let [precision, recall, f1] = [score.precision(), score.recall(), score.f1()];
        println!("entities: {part}: precision {precision:.2}, recall {recall:.2}, F1 {f1:.2}");
        quality.push(Quality { measure: format!("F1 of names, {part}"), value: f1 });
    }
    let bytes = entities.to_bytes(origin(quality))?;
    println!("entities: {} features, {} listed names, {} bytes", entities.n_features(), names.len(), bytes.len());
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_are_nothing() {
        let check = |words: &str, labels: &str, expected: &[u8]| {
            let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
            assert_eq!(without_mentions(split(words), &split(labels)).1, expected, "{words}");
        };
        check("@ bob met Ann", "B-PER B-PER O B-person", &[0, 0, 0, 1]);
        check("@bob in New York", "B-PER O B-LOC I-LOC", &[0, 0, 3, 4]);
        check("The Prize", "B-MISC I-MISC", &[0, 0]);
    }
}
