//! The chunker: trained on the training part of CoNLL-2000 with our own tags. Settings were tuned
//! on held-out sentences: every tenth block of twenty sentences.
//!
//! The corpus treats "long-term" as one token, web treebanks as three. Sentences with such words
//! are used twice for training, as they are and with hyphens split off, so that the chunker handles
//! both.

use crate::files::Files;
use crate::stretches::{Annotator, Labelled, Score, numbers};
use crate::tagger::shuffled;
use crate::treebank;
use crate::{MADE_BY, settings_of};
use anyhow::Result;
use resay_text::container::{Origin, Quality};
use resay_text::learn::{self, ChainScratch, FitOptions};
use resay_text::{CHUNKS, Chunker, bio, chunk_features};

/// Options tuned on held-out sentences.
fn options() -> FitOptions {
    FitOptions { epochs: 6, all_labels_from: 10, allowed: bio::allowed(CHUNKS.len()), ..FitOptions::default() }
}

type Sentence = (Vec<String>, Vec<u8>);

/// Converts a token to the tagger's spelling: the corpus writes quotes, brackets and slashes in
/// Penn Treebank style.
fn spelled(form: &str) -> String {
    match form {
        "``" | "''" => "\"".to_owned(),
        "`" => "'".to_owned(),
        "-LRB-" => "(".to_owned(),
        "-RRB-" => ")".to_owned(),
        "-LCB-" => "{".to_owned(),
        "-RCB-" => "}".to_owned(),
        _ => form.replace("\\/", "/").replace("\\*", "*"),
    }
}

fn read(files: &Files<'_>, part: &str) -> Result<Vec<Sentence>> {
    let kind = |name: &str| CHUNKS.iter().position(|kind| *kind == name).map(|at| at as u8);
    let text = files.text(&format!("conll2000/{part}.txt"))?;
    let sentences = treebank::columns(&text, ' ', 0, 2);
    Ok(sentences
        .iter()
        .map(|(forms, labels)| (forms.iter().map(|form| spelled(form)).collect(), numbers(labels, kind)))
        .collect())
}

/// Splits hyphens within words into tokens of their own; `None` if there are none.
fn apart((forms, labels): &Sentence) -> Option<Sentence> {
    let (mut new_forms, mut new_labels) = (Vec::new(), Vec::new());
    for (form, &label) in forms.iter().zip(labels) {
        let later = bio::kind(label).map_or(bio::OUTSIDE, bio::inside);
        let parts: Vec<&str> = form.split('-').collect();
        if parts.iter().any(|part| part.is_empty()) {
            new_forms.push(form.clone());
            new_labels.push(label);
            continue;
        }
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                new_forms.push("-".to_owned());
                new_labels.push(later);
            }
            new_forms.push(part.to_owned());
            new_labels.push(if at == 0 { label } else { later });
        }
    }
    (new_forms.len() > forms.len()).then_some((new_forms, new_labels))
}

#[allow(clippy::print_stdout, reason = "a tool for the command line")]
fn learn(sentences: &[Labelled], options: &FitOptions) -> Result<Chunker> {
    let sequence = |sentence: &Labelled| {
        learn::Labelled::new(bio::to_fine(&sentence.labels), |word, out| {
            chunk_features(&sentence.atoms, &sentence.tags, word, out);
        })
    };
    let sequences: Vec<learn::Labelled> = sentences.iter().map(sequence).collect();
    let chain = learn::fit(bio::n_fine(CHUNKS.len()), &sequences, options, shuffled, |epoch, loss| {
        println!("  epoch {epoch}: loss {loss:.0}");
    });
    Ok(Chunker::new("chunker.resay", chain)?)
}

fn measure(chunker: &Chunker, sentences: &[Labelled]) -> Score {
    let (mut scratch, mut out) = (ChainScratch::default(), Vec::new());
    let mut score = Score::default();
    for sentence in sentences {
        chunker.chunk(&sentence.atoms, &sentence.tags, &mut scratch, &mut out);
        score.add(&sentence.labels, &out);
    }
    score
}

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "chunker".to_owned(),
        data: "CoNLL-2000 chunks, training part; tags by tagger.resay".to_owned(),
        licence: "weights learned from the Wall Street Journal text of CoNLL-2000, which is not included".to_owned(),
        made: format!("{MADE_BY} chunker"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("{:?}", options()))
}

/// Builds `chunker.resay`; with `held_back`, only evaluates on held-out sentences of the training
/// part.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, held_back: bool) -> Result<()> {
    let annotator = Annotator::open(files)?;
    let annotate = |sentences: &[Sentence]| -> Vec<Labelled> {
        sentences.iter().map(|(forms, labels)| annotator.annotate(forms, None, labels.clone())).collect()
    };
    let mut train = read(files, "train")?;
    let mut test = Vec::new();
    if held_back {
        let (mut rest, mut at) = (Vec::new(), 0);
        for sentence in train {
            if at / 20 % 10 == 9 {
                test.push(sentence)
            } else {
                rest.push(sentence)
            }
            at += 1;
        }
        train = rest;
    } else {
        test = read(files, "test")?;
    }
    let test_apart: Vec<Sentence> = test.iter().filter_map(apart).collect();
    let train_apart: Vec<Sentence> = train.iter().filter_map(apart).collect();
    train.extend(train_apart);
    let chunker = learn(&annotate(&train), &options())?;
    let mut quality = Vec::new();
    let part = if held_back { "held back" } else { "test" };
    for (what, sentences) in [("", &test), (", hyphens apart (sentences with such)", &test_apart)] {
        let score = measure(&chunker, &annotate(sentences));
        let [precision, recall, f1] = [score.precision(), score.recall(), score.f1()];
        println!("chunker: CoNLL-2000 {part}{what}: precision {precision:.2}, recall {recall:.2}, F1 {f1:.2}");
        quality.push(Quality { measure: format!("F1 of chunks, CoNLL-2000 {part}{what}, our tags"), value: f1 });
    }
    let bytes = chunker.to_bytes(origin(quality))?;
    println!("chunker: {} features, {} bytes", chunker.n_features(), bytes.len());
    if held_back {
        return Ok(());
    }
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_come_apart_inside_a_chunk() {
        let check = |forms: &str, labels: &[u8], expected: Option<(&str, &[u8])>| {
            let sentence = (forms.split(' ').map(str::to_owned).collect(), labels.to_vec());
            let found = apart(&sentence).map(|(forms, labels)| (forms.join(" "), labels));
            assert_eq!(found, expected.map(|(forms, labels)| (forms.to_owned(), labels.to_vec())), "{forms}");
        };
        check("a long-term plan", &[1, 2, 2], Some(("a long - term plan", &[1, 2, 2, 2, 2])));
        check("well-known and so-so", &[1, 0, 0], Some(("well - known and so - so", &[1, 2, 2, 0, 0, 0, 0])));
        check("a -- plan - b", &[1, 0, 1, 0, 1], None);
    }
}
