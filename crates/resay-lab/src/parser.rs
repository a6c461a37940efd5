//! The parser: trained on the training part of the English Web Treebank, with settings tuned on its
//! dev part.
//!
//! It is trained on jackknifed tags (the step `jackknife`) and evaluated with the tags of the
//! bundled tagger.

use crate::files::Files;
use crate::tagger::{sentence_atoms, shuffled};
use crate::treebank::{self, Gold};
use crate::{MADE_BY, open, settings_of};
use anyhow::{Context, Result, ensure};
use resay_text::container::{Origin, Quality};
use resay_text::learn::ChainScratch;
use resay_text::parse::{
    Parser, TagPair,
    train::{self, ParserExample, ParserOptions},
};
use resay_text::words::Words;
use resay_text::{Head, Tagger, Upos};
use std::borrow::Cow;

/// Options tuned on the dev part.
fn options() -> ParserOptions {
    ParserOptions {
        learn_width: 8,
        width: 8,
        margin: 300.0,
        epochs: 10,
        label_epochs: 5,
        max_features: 390_000,
        max_label_features: 195_000,
        limit: 40.0,
        label_limit: 10.0,
    }
}

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "parser".to_owned(),
        data: "Universal Dependencies English-EWT, training part".to_owned(),
        licence: "CC BY-SA 4.0".to_owned(),
        made: format!("{MADE_BY} jackknife, {MADE_BY} parser"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("{:?}", options()))
}

/// A training example with tags.
fn example(gold: &Gold, words: &Words, tags: Vec<TagPair>) -> ParserExample {
    let head = |&head: &usize| head.checked_sub(1).map_or(Head::Root, |head| Head::Word(head as u32));
    ParserExample {
        atoms: sentence_atoms(&gold.forms, words),
        tags,
        heads: gold.heads.iter().map(head).collect(),
        relations: gold.relations.iter().map(|relation| Cow::Owned(relation.clone())).collect(),
    }
}

/// Sentences with the jackknifed tags: one line per word with both tags, and a blank line after
/// each sentence.
fn from_file(sentences: &[Gold], words: &Words, files: &Files<'_>) -> Result<Vec<ParserExample>> {
    let (path, text) = (files.made("jackknife")?, files.made_text("jackknife")?);
    let name = path.display();
    let mut blocks = text.split("\n\n");
    let mut out = Vec::new();
    for (at, gold) in sentences.iter().enumerate() {
        let mut tags = Vec::new();
        for line in blocks.next().unwrap_or_default().lines() {
            let (upos, xpos) = line.split_once('\t').with_context(|| format!("{name}: '{line}', expected two tags"))?;
            tags.push(TagPair::new(upos.parse::<Upos>()?, xpos));
        }
        let n_words = gold.forms.len();
        ensure!(tags.len() == n_words, "{name}: sentence {}: {} tags, expected {n_words}", at + 1, tags.len());
        out.push(example(gold, words, tags));
    }
    Ok(out)
}

/// Sentences with the tags of the bundled tagger.
fn tagged(sentences: &[Gold], words: &Words, tagger: &Tagger) -> Vec<ParserExample> {
    let (mut scratch, mut tags) = (ChainScratch::default(), Vec::new());
    let tag = |gold: &Gold| {
        tagger.tag(&sentence_atoms(&gold.forms, words), &mut scratch, &mut tags);
        let pair = |&tag: &u8| {
            let (upos, xpos) = &tagger.labels()[tag as usize];
            TagPair::new(*upos, xpos)
        };
        example(gold, words, tags.iter().map(pair).collect())
    };
    sentences.iter().map(tag).collect()
}

/// Builds `parser.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, with_test: bool) -> Result<()> {
    let (words, tagger) = (open::words(files)?, open::tagger(files)?);
    let part = |part: &str| treebank::ewt(files, part);
    let learned_from = from_file(&part("train")?, &words, files)?;
    let dev = tagged(&part("dev")?, &words, &tagger);
    let parser = train::train(&learned_from, &dev, &options(), shuffled, |line| println!("parser: {line}"));
    finish(parser, &dev, files, with_test.then(|| part("test").map(|test| tagged(&test, &words, &tagger))))
}

/// Evaluates and writes the parser.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
fn finish(
    parser: Parser,
    dev: &[ParserExample],
    files: &Files<'_>,
    test: Option<Result<Vec<ParserExample>>>,
) -> Result<()> {
    let test = test.transpose()?;
    let mut quality = Vec::new();
    for (name, examples) in [("dev", Some(dev)), ("test", test.as_deref())] {
        let Some(examples) = examples else { continue };
        let found = train::measure(&parser, examples);
        println!(
            "parser: EWT {name}: heads {:.2}, with relations {:.2}, with universal relations {:.2}",
            found.heads, found.labelled, found.universal
        );
        for (what, value) in [
            ("heads", found.heads),
            ("heads and relations", found.labelled),
            ("heads and universal relations", found.universal),
        ] {
            quality.push(Quality { measure: format!("{what}, EWT {name}, gold tokens, our tags"), value });
        }
    }
    let bytes = parser.to_bytes(origin(quality))?;
    let (n_actions, n_labels) = parser.n_features();
    println!("parser: {n_actions} features of actions, {n_labels} of relations, {} bytes", bytes.len());
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}
