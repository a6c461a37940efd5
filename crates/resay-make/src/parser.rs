//! The parser.
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
}
