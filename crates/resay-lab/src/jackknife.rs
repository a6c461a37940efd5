//! Jackknifed tags for the training part of the treebank: each sentence is tagged by a tagger that
//! was not trained on it. Models that use tags as input (such as the parser) must be trained on
//! tags with realistic errors.
//!
//! There are ten taggers, each trained on nine tenths. The folds consist of runs of consecutive
//! sentences, so that a document's own words are mostly as unknown as those of a new document.

use crate::files::Files;
use crate::treebank::{self, Gold};
use crate::{open, tagger};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use resay_text::Upos;
use resay_text::learn::{ChainScratch, FitOptions};
use resay_text::words::Words;

const N_FOLDS: usize = 10;
/// Number of consecutive sentences in a run.
const RUN: usize = 25;
/// Fewer than for the tagger itself: the difference is below a tenth of a percent, and there are
/// ten taggers to train.
const EPOCHS: usize = 4;

fn options() -> FitOptions {
    FitOptions { epochs: EPOCHS, ..tagger::options() }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    format!("folds={N_FOLDS} run={RUN} {:?}", options())
}

/// Writes the tags.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let words = open::words(files)?;
    let sentences = treebank::ewt(files, "train")?;
    let fold_of = |sentence: usize| sentence / RUN % N_FOLDS;
    let options = options();
    let folds: Vec<Vec<Vec<(Upos, String)>>> = (0..N_FOLDS)
        .into_par_iter()
        .map(|fold| {
            let part = |is_inside: bool| -> Vec<Gold> {
                let numbered = sentences.iter().enumerate().filter(|(at, _)| (fold_of(*at) == fold) == is_inside);
                numbered.map(|(_, sentence)| sentence.clone()).collect()
            };
            let learned = tagger::learn(&part(false), &words, &options);
            let (mut scratch, mut tags) = (ChainScratch::default(), Vec::new());
            let tag = |sentence: &Gold| {
                learned.tag(&tagger::sentence_atoms(&sentence.forms, &words), &mut scratch, &mut tags);
                let label = |&tag: &u8| learned.labels()[tag as usize].clone();
                tags.iter().map(label).map(|(upos, xpos)| (upos, xpos.into_owned())).collect()
            };
            part(true).iter().map(tag).collect()
        })
        .collect();
    let mut folds: Vec<_> = folds.into_iter().map(Vec::into_iter).collect();
    let mut text = String::new();
    let (mut n, mut right) = (0, [0; 2]);
    for (at, sentence) in sentences.iter().enumerate() {
        for (word, (upos, xpos)) in folds[fold_of(at)].next().unwrap_or_default().into_iter().enumerate() {
            n += 1;
            right[0] += i32::from(upos == sentence.upos[word]);
            right[1] += i32::from(xpos == sentence.xpos[word]);
            text.push_str(upos.name());
            text.push('\t');
            text.push_str(&xpos);
            text.push('\n');
        }
        text.push('\n');
    }
    let [upos, xpos] = right.map(|right| 100.0 * f64::from(right) / f64::from(n));
    println!("jackknife: {n} words, universal {upos:.2}, Penn {xpos:.2}");
    Ok(resay::data::write_whole(&files.output(), |file| file.write_all(text.as_bytes()))?)
}

/// Reads the tags again: hashes of Penn tags, for every sentence of the training part.
pub(crate) fn tags(files: &Files<'_>, sentences: &[Gold]) -> Result<Vec<Vec<u32>>> {
    let text = files.made_text("jackknife")?;
    let tags: Vec<Vec<u32>> = text
        .split_terminator("\n\n")
        .map(|sentence| sentence.lines().map(|line| Words::key(line.split('\t').nth(1).unwrap_or_default())).collect())
        .collect();
    ensure!(
        tags.len() == sentences.len() && tags.iter().zip(sentences).all(|(tags, gold)| tags.len() == gold.forms.len()),
        "{}: not of this treebank: make it again with 'resay-lab make --force jackknife'",
        files.made("jackknife")?.display()
    );
    Ok(tags)
}
