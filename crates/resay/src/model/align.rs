//! The aligner as a model: an aligner with the annotators and word relations that its features
//! need.

use super::contract::AlignerModel;
use super::header::{About, Header, ModelKind, Response, Versions, expect_kind};
use crate::align::{AlignScratch, AlignSettings, Aligner, Alignment, Costs, Decode, Fitted};
use crate::explain::Explanation;
use crate::id::AlignFeature;
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader, put};
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, English, EnglishScratch};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Header fields of aligners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlignDetails {
    /// The names of the feature templates in use.
    pub features: Vec<String>,
    /// The maximum number of words in a phrase.
    pub longest: usize,
    /// The L2 penalty of training: the factor of half the squared norm of the weights.
    pub l2: f64,
    /// The training costs per word of a missed link, a spurious link and a link to the wrong words.
    pub costs: [f64; 3],
    /// The minimum confidence of a link.
    pub threshold: f64,
    /// Optimiser steps.
    pub n_steps: usize,
    /// The number of gold links in the training pairs.
    pub n_links: usize,
    /// The number of pairs held out to choose the number of steps and the threshold.
    pub n_held_back: usize,
    /// Steps, the best threshold after them, and its F1 on the held-out pairs.
    pub tried: Vec<(usize, f64, f64)>,
}

/// The header of an aligner. Its measure is F1 on held-out pairs.
pub type AlignAbout = About<AlignDetails>;

/// Two sentences and their alignment.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct AlignedText {
    /// The source and its words.
    pub source: Analysis,
    /// The target and its words.
    pub target: Analysis,
    /// The links between them.
    pub alignment: Alignment,
}

/// An aligner for raw text.
#[derive(Debug)]
pub struct AlignModel {
    about: AlignAbout,
    aligner: Aligner,
    english: Arc<English>,
    lexicon: Arc<Lexicon>,
    resources: Resources,
}

/// Pairs that a thread annotates before it aligns them: annotating many sentences at once is
/// faster.
const BATCH: usize = 32;

/// The word relations that these features need. Vectors are opened only if a feature uses them.
pub(crate) fn lexicon_for(features: &[String], resources: &Resources) -> Result<Arc<Lexicon>> {
    if features.iter().any(|name| name == "vectors") { resources.lexicon_with_vectors() } else { resources.lexicon() }
}

/// Why training stopped, in both directions.
fn stop_of([forward, backward]: [String; 2]) -> String {
    if forward == backward { forward } else { format!("forward {forward}, backward {backward}") }
}

impl AlignModel {
    /// A model trained on `data`, a file name.
    pub fn new(
        aligner: Aligner,
        fitted: &Fitted,
        data: &str,
        (n_pairs, n_links): (usize, usize),
        resources: &Resources,
    ) -> Result<Self> {
        let AlignSettings { features, longest, l2, costs, .. } = aligner.settings().clone();
        let chosen = fitted.tried.iter().find(|tried| tried.0 == fitted.n_steps);
        let header = Header {
            kind: ModelKind::Align,
            task: "align".to_owned(),
            response: Response::Links,
            learner: "semi-markov".to_owned(),
            data: data.to_owned(),
            n_examples: n_pairs,
            counts: Vec::new(),
            cost: None,
            search: Vec::new(),
            measure: "F1".to_owned(),
            held_out: chosen.map(|tried| tried.2),
            folds: None,
            merged: Vec::new(),
            sure: None,
            from: None,
            stop: stop_of(fitted.stops.map(|stop| stop.to_string())),
            versions: Versions::default(),
            licence: String::new(),
            note: String::new(),
        };
        let details = AlignDetails {
            features,
            longest,
            l2,
            costs: [costs.missed, costs.extra, costs.wrong],
            threshold: aligner.threshold(),
            n_steps: fitted.n_steps,
            n_links,
            n_held_back: fitted.n_held_back,
            tried: fitted.tried.clone(),
        };
        Self::assemble(About { header, details }, aligner, resources)
    }

    fn assemble(about: AlignAbout, aligner: Aligner, resources: &Resources) -> Result<Self> {
        let english = resources.english(aligner.layers())?;
        let lexicon = lexicon_for(&aligner.settings().features, resources)?;
        Ok(Self { about, aligner, english, lexicon, resources: resources.clone() })
    }

    /// The header and details.
    pub fn about(&self) -> &AlignAbout {
        &self.about
    }

    /// The header, for the trainer to complete.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// The underlying aligner.
    pub fn aligner(&self) -> &Aligner {
        &self.aligner
    }

    /// Aligns two texts, each as one sentence.
    pub fn align(&self, source: &str, target: &str, decode: Decode) -> Result<AlignedText> {
        self.align_words(English::whole(source), English::whole(target), decode)
    }

    /// Aligns two tokenised sentences; missing annotation layers are added.
    pub fn align_words(&self, source: Analysis, target: Analysis, decode: Decode) -> Result<AlignedText> {
        let mut both = [source, target];
        self.english.fill_all(&mut both, &mut EnglishScratch::default());
        let [source, target] = both;
        let alignment = self.aligner.align(&self.lexicon, &source, &target, decode, &mut AlignScratch::default())?;
        Ok(AlignedText { source, target, alignment })
    }

    /// Aligns many pairs in parallel, with one result per pair, in order. `words` returns the two
    /// sentences of an item.
    pub fn align_all<T: Sync>(
        &self,
        items: &[T],
        words: impl Fn(&T) -> [Analysis; 2] + Sync,
        decode: Decode,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<AlignedText>>> {
        let batch = |scratch: &mut (EnglishScratch, AlignScratch), items: &[T]| -> Result<Vec<Result<AlignedText>>> {
            progress.check()?;
            let mut sentences: Vec<Analysis> = items.iter().flat_map(&words).collect();
            self.english.fill_all(&mut sentences, &mut scratch.0);
            let mut sentences = sentences.into_iter();
            let mut aligned = Vec::with_capacity(items.len());
            while let (Some(source), Some(target)) = (sentences.next(), sentences.next()) {
                progress.check()?;
                let alignment = self.aligner.align(&self.lexicon, &source, &target, decode, &mut scratch.1);
                aligned.push(alignment.map(|alignment| AlignedText { source, target, alignment }));
            }
            Ok(aligned)
        };
        let run = || items.par_chunks(BATCH).map_init(Default::default, batch).collect::<Result<Vec<_>>>();
        Ok(self.resources.threads().run(run)??.into_iter().flatten().collect())
    }

    /// Explains the best segmentation from source to target; the leaves add up to its score.
    pub fn explain(&self, source: &str, target: &str) -> Result<(Analysis, Analysis, Explanation)> {
        let mut both = [English::whole(source), English::whole(target)];
        self.english.fill_all(&mut both, &mut EnglishScratch::default());
        let [source, target] = both;
        let explanation = self.aligner.explain(&self.lexicon, &source, &target)?;
        Ok((source, target, explanation))
    }

    /// Serialises the model. Weights are stored by feature code, so that files survive a reordering
    /// of features.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        container.push("weights", weights_section(self.aligner.weights()));
        if self.aligner.has_first() {
            container.push("first", weights_section(self.aligner.first_weights()));
        }
        container.pack()
    }

    /// Reads a model from bytes; `name` is for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        let (about, aligner) = Self::read(name, bytes)?;
        Self::assemble(about, aligner, resources)
    }

    /// Reads the header and the aligner.
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<(AlignAbout, Aligner)> {
        expect_kind(name, bytes, ModelKind::Align)?;
        let container = Container::<AlignAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        let damaged = |error: Error| Error::file(name, format!("{error}: the model is damaged"));
        let settings = AlignSettings {
            features: about.details.features.clone(),
            longest: about.details.longest,
            l2: about.details.l2,
            costs: Costs {
                missed: about.details.costs[0],
                extra: about.details.costs[1],
                wrong: about.details.costs[2],
            },
            ..AlignSettings::tokens()
        };
        let expected = if settings.has_two_passes() { 2 } else { 1 };
        if container.n_sections() != expected {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected {expected}: the model is damaged")));
        }
        let features = settings.feature_ids().map_err(damaged)?;
        let weights = |section: &str, features: &[AlignFeature]| {
            read_weights(SectionReader::new(name, section, container.section(name, section)?), name, features)
        };
        let [forward, backward] = weights("weights", &features)?;
        let two_passes = settings.has_two_passes();
        let n_first = settings.n_first_features().map_err(damaged)?;
        let mut aligner = Aligner::new(settings, forward, backward, about.details.threshold).map_err(damaged)?;
        if two_passes {
            let [forward, backward] = weights("first", &features[..n_first])?;
            aligner = aligner.with_first(forward, backward).map_err(damaged)?;
        }
        Ok((about, aligner))
    }
}

/// Packs the weights that are not zero, by feature code.
fn weights_section(weights: impl Iterator<Item = (AlignFeature, [f64; 2])>) -> Vec<u8> {
    let kept: Vec<(AlignFeature, [f64; 2])> = weights.filter(|(_, both)| *both != [0.0; 2]).collect();
    let mut section = Vec::new();
    put(&mut section, kept.len() as u64);
    for (feature, both) in kept {
        put(&mut section, feature.code());
        both.iter().for_each(|weight| section.extend((*weight as f32).to_le_bytes()));
    }
    section
}

/// Reads the forward and the backward weights of these features.
fn read_weights(mut reader: SectionReader<'_>, name: &str, features: &[AlignFeature]) -> Result<[Vec<f64>; 2]> {
    let mut weights = [vec![0.0; features.len()], vec![0.0; features.len()]];
    let mut next = 0;
    for _ in 0..reader.count(9)? {
        let code = reader.number()?;
        let feature = AlignFeature::from_code(code).map_err(|unknown| {
            let what_to_do = "the model is damaged, or of another version of Resay: train it again";
            Error::file(name, format!("section 'weights': {unknown}: {what_to_do}"))
        })?;
        // Features are stored in order, so the search continues after the last one.
        let Some(steps) = features[next..].iter().position(|known| *known == feature) else {
            return reader.fail(format_args!("the feature of code {code:#x} is switched off or in the wrong place"));
        };
        for weights in &mut weights {
            weights[next + steps] = f64::from(reader.short_real()?);
        }
        next += steps + 1;
    }
    reader.end()?;
    Ok(weights)
}

impl AlignerModel for AlignModel {
    fn header(&self) -> &Header {
        &self.about.header
    }

    fn align_texts(
        &self,
        pairs: &[(&str, &str)],
        decode: Decode,
        progress: Progress<'_>,
    ) -> Result<Vec<Result<AlignedText>>> {
        self.align_all(pairs, |(source, target)| [source, target].map(|text| English::whole(text)), decode, progress)
    }
}
