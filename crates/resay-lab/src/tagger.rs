//! The tagger: trained on the training part of the English Web Treebank, with settings tuned on its
//! dev part.

use crate::files::Files;
use crate::treebank::{self, Gold};
use crate::{MADE_BY, open, settings_of};
use anyhow::Result;
use resay_learn::rng::SplitMix;
use resay_text::atoms::{Atom, atoms};
use resay_text::container::{Origin, Quality};
use resay_text::learn::{ChainScratch, FitOptions, Labelled, Method, fit};
use resay_text::words::Words;
use resay_text::{TagFeatures, Tagger, Upos, penn_tag};

/// Options tuned on the dev part.
pub(crate) fn options() -> FitOptions {
    FitOptions { epochs: 6, ..FitOptions::default() }
}

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: "tagger".to_owned(),
        data: "Universal Dependencies English-EWT, training part".to_owned(),
        licence: "CC BY-SA 4.0".to_owned(),
        made: format!("{MADE_BY} tagger"),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("{:?}", options()))
}

/// The atoms of a sentence.
pub(crate) fn sentence_atoms(forms: &[String], words: &Words) -> Vec<Atom> {
    let mut out = Vec::new();
    atoms(forms.iter().map(String::as_str), words, &mut out);
    out
}

/// Shuffles the training sequences, differently in every epoch.
pub(crate) fn shuffled(epoch: usize, numbers: &mut [usize]) {
    let mut random = SplitMix::new(epoch as u64 + 1);
    for at in (1..numbers.len()).rev() {
        numbers.swap(at, random.below(at + 1));
    }
}

/// Trains a tagger.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn learn(sentences: &[Gold], words: &Words, options: &FitOptions) -> Tagger {
    let mut labels: Vec<(Upos, &str)> = sentences
        .iter()
        .flat_map(|sentence| sentence.upos.iter().copied().zip(sentence.xpos.iter().map(String::as_str)))
        .collect();
    labels.sort_unstable();
    labels.dedup();
    let number = |upos: Upos, xpos: &str| labels.binary_search(&(upos, xpos)).map(|at| at as u8).unwrap_or(0);
    let (features, mut clues) = (TagFeatures::new(), Vec::new());
    let data: Vec<Labelled> = sentences
        .iter()
        .map(|sentence| {
            let atoms = sentence_atoms(&sentence.forms, words);
            let right = sentence.upos.iter().zip(&sentence.xpos).map(|(&upos, xpos)| number(upos, xpos)).collect();
            features.clues(&atoms, &mut clues);
            Labelled::new(right, |word, out| features.of(&atoms, &clues, word, out))
        })
        .collect();
    let chain = fit(labels.len(), &data, options, shuffled, |epoch, loss| println!("  epoch {epoch}: loss {loss:.0}"));
    let labels = labels.into_iter().map(|(upos, xpos)| (upos, penn_tag(xpos))).collect();
    Tagger::new(chain, labels)
}

/// Accuracy of universal tags, Penn tags and both, in percent.
pub(crate) fn measure(tagger: &Tagger, words: &Words, sentences: &[Gold]) -> [f64; 3] {
    let (mut n, mut right) = (0, [0; 3]);
    let (mut scratch, mut out) = (ChainScratch::default(), Vec::new());
    for sentence in sentences {
        tagger.tag(&sentence_atoms(&sentence.forms, words), &mut scratch, &mut out);
        for (word, &label) in out.iter().enumerate() {
            let (upos, xpos) = &tagger.labels()[label as usize];
            let is_right = [*upos == sentence.upos[word], *xpos == sentence.xpos[word]];
            n += 1;
            right[0] += usize::from(is_right[0]);
            right[1] += usize::from(is_right[1]);
            right[2] += usize::from(is_right[0] && is_right[1]);
        }
    }
    right.map(|right| 100.0 * right as f64 / n as f64)
}

/// Builds `tagger.resay`.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>, with_test: bool, is_perceptron: bool) -> Result<()> {
    let words = open::words(files)?;
    let part = |part: &str| treebank::ewt(files, part);
    let method = if is_perceptron { Method::Perceptron } else { Method::Crf };
    let tagger = learn(&part("train")?, &words, &FitOptions { method, ..options() });
    let mut quality = Vec::new();
    let parts: &[&str] = if with_test { &["dev", "test"] } else { &["dev"] };
    for part_name in parts {
        let [upos, xpos, both] = measure(&tagger, &words, &part(part_name)?);
        println!("tagger: EWT {part_name}: universal {upos:.2}, Penn {xpos:.2}, both {both:.2}");
        for (what, value) in [("universal tags", upos), ("Penn tags", xpos)] {
            quality.push(Quality { measure: format!("{what}, EWT {part_name}, gold tokens"), value });
        }
    }
    let bytes = tagger.to_bytes(origin(quality))?;
    println!("tagger: {} features, {} bytes", tagger.n_features(), bytes.len());
    if is_perceptron {
        return Ok(());
    }
    Ok(resay::data::write_whole(&files.output(), |out| out.write_all(&bytes))?)
}
