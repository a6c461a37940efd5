//! The parser: learned from the training part of the English Web Treebank, settings chosen on its dev part.
//!
//! It learns from tags by taggers that have not seen the sentence (the step `jackknife`), and is measured with the tags
//! of the bundled tagger.

use crate::corpora;
use crate::tagger::{sentence_atoms, shuffled, words};
use crate::treebank::{self, Gold};
use anyhow::{Context, Result, ensure};
use resay::pack::{Origin, Quality};
use resay::text::learn::ChainScratch;
use resay::text::parse::{
    Parser, TagPair,
    train::{self, Example, Options},
};
use resay::text::words::Words;
use resay::text::{Head, Tagger, Upos};
use std::borrow::Cow;
use std::path::Path;

/// What was chosen on the dev part.
fn options() -> Options {
    Options {
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

/// A part of the treebank.
fn part(data: &Path, part: &str) -> Result<Vec<Gold>> {
    treebank::conllu(&corpora::text(data, &format!("UD_English-EWT/en_ewt-ud-{part}.conllu"))?)
}

/// A sentence with tags.
fn example(gold: &Gold, words: &Words, tags: Vec<TagPair>) -> Example {
    let head = |&head: &usize| head.checked_sub(1).map_or(Head::Root, |head| Head::Word(head as u32));
    Example {
        atoms: sentence_atoms(&gold.forms, words),
        tags,
        heads: gold.heads.iter().map(head).collect(),
        relations: gold.relations.iter().map(|relation| Cow::Owned(relation.clone())).collect(),
    }
}

/// Sentences with tags from a file: a line a word, both tags, a blank line after each sentence.
fn from_file(sentences: &[Gold], words: &Words, file: &Path) -> Result<Vec<Example>> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("{name}: make it with 'resay-make jackknife'"))?;
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

/// Sentences as the bundled tagger tags them.
fn tagged(sentences: &[Gold], words: &Words, tagger: &Tagger) -> Vec<Example> {
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

/// Makes `parser.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(data: &Path, models: &Path, tags: &Path, with_test: bool) -> Result<()> {
    let words = words(models)?;
    let path = models.join("tagger.resay");
    let bytes =
        std::fs::read(&path).with_context(|| format!("{}: make it with 'resay-make tagger'", path.display()))?;
    let tagger = Tagger::from_bytes("tagger.resay", &bytes)?;
    let learned_from = from_file(&part(data, "train")?, &words, tags)?;
    let dev = tagged(&part(data, "dev")?, &words, &tagger);
    let parser = train::train(&learned_from, &dev, &options(), shuffled, |line| println!("parser: {line}"));
    finish(parser, &dev, models, with_test.then(|| part(data, "test").map(|test| tagged(&test, &words, &tagger))))
}

/// Measures and writes.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
fn finish(parser: Parser, dev: &[Example], models: &Path, test: Option<Result<Vec<Example>>>) -> Result<()> {
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
    let origin = Origin {
        resource: "parser".to_owned(),
        data: "Universal Dependencies English-EWT, training part".to_owned(),
        licence: "CC BY-SA 4.0".to_owned(),
        made: "resay-make jackknife, resay-make parser".to_owned(),
        quality,
    };
    let bytes = parser.to_bytes(origin)?;
    let (n_actions, n_labels) = parser.n_features();
    println!("parser: {n_actions} features of actions, {n_labels} of relations, {} bytes", bytes.len());
    Ok(resay::data::write_whole(&models.join("parser.resay"), |out| out.write_all(&bytes))?)
}
