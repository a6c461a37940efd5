//! Learning to align: a file of aligned pairs to an aligner, and an aligner against a file of them.

use super::train::{Progress, Stage};
use crate::align::{AlignExample, Decode, Settings, chunks, fit, synthesise};
use crate::data::{AlignedPair, AlignedPairs};
use crate::eval::alignment::{Counts, Part};
use crate::eval::blocks::Link;
use crate::model::{AlignModel, AlignedText, lexicon_for};
use crate::text::{Analysis, EnglishScratch};
use crate::{Error, Result, bundled};
use rayon::prelude::*;

/// How to learn.
#[derive(Clone, Debug)]
pub struct AlignOptions {
    /// What the aligner looks at and how it learns.
    pub settings: Settings,
    /// Learn from possible links too, as if they were sure.
    pub possible: bool,
    /// Fill the blocks of chunks that are linked word by word, so that there are phrases to learn.
    pub synthesise: bool,
}

impl AlignOptions {
    /// Sure links as they are.
    pub fn new(settings: Settings) -> Self {
        Self { settings, possible: false, synthesise: false }
    }
}

/// The gold links of a pair, sorted.
pub fn gold(pair: &AlignedPair, possible: bool) -> Vec<Link> {
    let possible = if possible { &pair.possible[..] } else { &[] };
    let mut links: Vec<Link> = pair.sure.iter().chain(possible).map(|&link| link.into()).collect();
    links.sort_unstable();
    links
}

/// The two sentences of a pair, with no layer yet.
pub fn sentences(pair: &AlignedPair) -> [Analysis; 2] {
    [&pair.source, &pair.target].map(|words| Analysis::from_forms(words.iter().map(String::as_str)))
}

/// An error for links whose words are not known.
fn check_words(pairs: &AlignedPairs) -> Result<()> {
    let bare = |pair: &AlignedPair| !pair.has_words() && !pair.sure.is_empty();
    match pairs.pairs.iter().position(bare) {
        Some(idx) => Err(pairs.error(idx, "links without words; expected a file that has the sentences as well")),
        None => Ok(()),
    }
}

/// Learns an aligner.
pub fn train_align(pairs: &AlignedPairs, options: &AlignOptions, progress: Progress<'_>) -> Result<AlignModel> {
    check_words(pairs)?;
    let mut layers = options.settings.layers()?;
    layers.chunks |= options.synthesise;
    progress(Stage::Annotate, 0, pairs.len());
    let (english, lexicon) = rayon::join(|| bundled::english(layers), || lexicon_for(&options.settings.features));
    let (english, lexicon) = (english?, lexicon?);
    let annotate = |scratch: &mut EnglishScratch, pair: &AlignedPair| {
        let mut both = sentences(pair);
        english.fill_all(&mut both, scratch);
        let mut links = gold(pair, options.possible);
        if options.synthesise {
            links = synthesise(&links, &chunks(&both[0]), &chunks(&both[1]));
        }
        (both, links)
    };
    let annotated: Vec<([Analysis; 2], Vec<Link>)> =
        pairs.pairs.par_iter().map_init(EnglishScratch::default, annotate).collect();
    progress(Stage::Features, 0, 1);
    let examples: Vec<AlignExample<'_>> =
        annotated.iter().map(|(both, links)| AlignExample { source: &both[0], target: &both[1], links }).collect();
    let n_links = examples.iter().map(|example| example.links.len()).sum();
    if n_links == 0 {
        return Err(Error::file(&pairs.name, "no pair has a link, expected some to learn from"));
    }
    let steps = |done, total| progress(Stage::Train, done, total);
    let (aligner, fitted) = fit(&examples, &lexicon, &options.settings, &steps)?;
    AlignModel::new(aligner, &fitted, &pairs.name, pairs.len(), n_links)
}

/// What an aligner says of aligned pairs, in order; their links are not looked at.
pub fn align_pairs(model: &AlignModel, pairs: &AlignedPairs, decode: Decode) -> Result<Vec<AlignedText>> {
    check_words(pairs)?;
    model.align_all(&pairs.pairs, sentences, decode)
}

/// Links that were found against those of the file, for one part of them, pair by pair.
pub fn align_counts(pairs: &AlignedPairs, found: &[Vec<Link>], part: Part, possible: bool) -> Vec<Counts> {
    let of_pair = |(pair, found): (&AlignedPair, &Vec<Link>)| {
        part.count(found, &gold(pair, possible), |link| pair.is_identical(link.into()))
    };
    pairs.pairs.iter().zip(found).map(of_pair).collect()
}
