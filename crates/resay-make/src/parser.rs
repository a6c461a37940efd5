//! The parser: learned from the training part of the English Web Treebank, settings chosen on its dev part.
//!
//! It learns from tags by taggers that have not seen the sentence (the step `jackknife`), and is measured with the tags
//! of the bundled tagger.

use crate::corpora;
use crate::tagger::{sentence_atoms, shuffled, words};
use crate::treebank::{self, Gold};
use anyhow::Result;
use resay::text::Head;
use resay::text::parse::{
    TagPair,
    train::{self, Example, Options},
};
use resay::text::words::Words;
use std::borrow::Cow;
use std::path::Path;

fn examples(data: &Path, part: &str, words: &Words, tags: &Path) -> Result<Vec<Example>> {
    let gold: Vec<Gold> = treebank::conllu(&corpora::text(data, &format!("UD_English-EWT/en_ewt-ud-{part}.conllu"))?)?;
    let text = std::fs::read_to_string(tags.join(format!("{part}.tags")))?;
    let tags: Vec<Vec<TagPair>> = text
        .split("\n\n")
        .filter(|s| !s.trim().is_empty())
        .map(|s| {
            s.lines()
                .filter_map(|l| l.split_once('\t'))
                .map(|(u, x)| Ok(TagPair::new(u.parse()?, x)))
                .collect::<Result<Vec<_>>>()
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(gold
        .into_iter()
        .zip(tags)
        .map(|(g, tags)| Example {
            atoms: sentence_atoms(&g.forms, words),
            tags,
            heads: g.heads.iter().map(|&h| if h == 0 { Head::Root } else { Head::Word(h as u32 - 1) }).collect(),
            relations: g.relations.iter().map(|r| Cow::Owned(r.clone())).collect(),
        })
        .collect())
}

#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(data: &Path, models: &Path, tags: &Path) -> Result<()> {
    let words = words(models)?;
    let train = examples(data, "train", &words, tags)?;
    let dev = examples(data, "dev", &words, tags)?;
    let num = |k: &str, d: f64| std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let options = Options {
        learn_width: num("LW", 8.0) as usize,
        width: num("W", 8.0) as usize,
        margin: num("M", 1000.0) as f32,
        epochs: num("E", 6.0) as usize,
        label_epochs: num("LE", 5.0) as usize,
        max_features: 5_000_000,
        max_label_features: 5_000_000,
        limit: num("L", 20.0) as f32,
    };
    println!("{options:?}");
    let start = std::time::Instant::now();
    let parser =
        train::train(&train, &dev, &options, shuffled, |line| println!("{:6.1} {line}", start.elapsed().as_secs_f64()));
    for _ in 0..2 {
        let start = std::time::Instant::now();
        let m = train::measure(&parser, &dev);
        let n: usize = dev.iter().map(|e| e.heads.len()).sum();
        println!("{m:?} {:.2} us/token", start.elapsed().as_secs_f64() * 1e6 / n as f64);
    }
    Ok(())
use anyhow::{Context, Result, ensure};
use resay::pack::{Origin, Quality};
use resay::text::learn::ChainScratch;
    Parser, TagPair,
use resay::text::{Head, Tagger, Upos};

/// What was chosen on the dev part.
fn options() -> Options {
    Options { learn_width: 8, width: 8, epochs: 10, label_epochs: 5, max_features: 600_000, max_label_features: 300_000, limit: 40.0 }

/// A part of the treebank.
fn part(data: &Path, part: &str) -> Result<Vec<Gold>> {
    treebank::conllu(&corpora::text(data, &format!("UD_English-EWT/en_ewt-ud-{part}.conllu"))?)

/// A sentence with tags.
fn example(gold: &Gold, words: &Words, tags: Vec<TagPair>) -> Example {
    let head = |&head: &usize| head.checked_sub(1).map_or(Head::Root, |head| Head::Word(head as u32));
    Example {
        atoms: sentence_atoms(&gold.forms, words),
        tags,
        heads: gold.heads.iter().map(head).collect(),
        relations: gold.relations.iter().map(|relation| Cow::Owned(relation.clone())).collect(),

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
    Ok(out)

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
    sentences.iter().map(tag).collect()

/// Makes `parser.resay`.
pub(crate) fn make(data: &Path, models: &Path, tags: &Path, with_test: bool) -> Result<()> {
    let path = models.join("tagger.resay");
    let bytes = std::fs::read(&path).with_context(|| format!("{}: make it with 'resay-make tagger'", path.display()))?;
    let tagger = Tagger::from_bytes("tagger.resay", &bytes)?;
    let learned_from = from_file(&part(data, "train")?, &words, tags)?;
    let dev = tagged(&part(data, "dev")?, &words, &tagger);
    if let Ok(dir) = std::env::var("DUMP") {
        for p in ["dev", "test"] {
            let (mut scratch, mut tags) = (ChainScratch::default(), Vec::new());
            let mut s = String::new();
            for g in part(data, p)? { tagger.tag(&sentence_atoms(&g.forms, &words), &mut scratch, &mut tags); for t in &tags { let (u, x) = &tagger.labels()[*t as usize]; s += &format!("{}\t{x}\n", u.name()) } s.push('\n') }
            std::fs::write(format!("{dir}/{p}.tags"), s)?;
        }
        return Ok(());
    let parser = train::train(&learned_from, &dev, &options(), shuffled, |line| println!("parser: {line}"));
    finish(parser, &dev, models, with_test.then(|| part(data, "test").map(|test| tagged(&test, &words, &tagger))))

/// Measures and writes.
fn finish(parser: Parser, dev: &[Example], models: &Path, test: Option<Result<Vec<Example>>>) -> Result<()> {
    let test = test.transpose()?;
    let mut quality = Vec::new();
    for (name, examples) in [("dev", Some(dev)), ("test", test.as_deref())] {
        let Some(examples) = examples else { continue };
        let found = train::measure(&parser, examples);
        println!("parser: EWT {name}: heads {:.2}, with relations {:.2}, with universal relations {:.2}", found.heads, found.labelled, found.universal);
        for (what, value) in
            [("heads", found.heads), ("heads and relations", found.labelled), ("heads and universal relations", found.universal)]
        {
            quality.push(Quality { measure: format!("{what}, EWT {name}, gold tokens, our tags"), value });
        }
    let origin = Origin {
        resource: "parser".to_owned(),
        data: "Universal Dependencies English-EWT, training part".to_owned(),
        licence: "CC BY-SA 4.0".to_owned(),
        made: "resay-make jackknife, resay-make parser".to_owned(),
        quality,
    let bytes = parser.to_bytes(origin)?;
    let (n_actions, n_labels) = parser.n_features();
    println!("parser: {n_actions} features of actions, {n_labels} of relations, {} bytes", bytes.len());
    Ok(resay::data::write_whole(&models.join("parser.resay"), |out| out.write_all(&bytes))?)
}
