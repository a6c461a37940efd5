//! A model that aligns: an aligner with the annotation and the word relations that its features look at.

use super::contract::AlignerModel;
use super::file::read_file;
use super::header::{About, Header, ModelKind, Response, Versions, expect_kind};
use crate::align::{AlignScratch, AlignSettings, Aligner, Alignment, Costs, Decode, Fitted};
use crate::data::write_whole;
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
use std::path::Path;
use std::sync::Arc;

/// What only aligners say of themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlignDetails {
    /// Names of the feature templates that it looks at.
    pub features: Vec<String>,
    /// Words in a phrase at most.
    pub longest: usize,
    /// What half the square of the weights was multiplied by in training.
    pub l2: f64,
    /// What a word cost in training that was missed, linked to nothing true, linked to the wrong words.
    pub costs: [f64; 3],
    /// The confidence from which links are given.
    pub threshold: f64,
    /// Steps of the minimiser.
    pub n_steps: usize,
    /// How many gold links the pairs have.
    pub n_links: usize,
    /// How many of the pairs were held back while steps and threshold were chosen.
    pub n_held_back: usize,
    /// Steps, the best threshold after them, and F1 on held-back pairs with it.
    pub tried: Vec<(usize, f64, f64)>,
}

/// What an aligner says of itself. The measure of its header is F1 on held-back pairs.
pub type AlignAbout = About<AlignDetails>;

/// Two sentences and what corresponds.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct AlignedText {
    /// The source with its words.
    pub source: Analysis,
    /// The target with its words.
    pub target: Analysis,
    /// What corresponds to what.
    pub alignment: Alignment,
}

/// An aligner that takes text.
#[derive(Debug)]
pub struct AlignModel {
    about: AlignAbout,
    aligner: Aligner,
    english: Arc<English>,
    lexicon: Arc<Lexicon>,
    resources: Resources,
}

/// Pairs that one thread annotates before it aligns them: layers are faster on many sentences.
const BATCH: usize = 32;

/// The word relations that these features ask for: vectors are opened only for who looks at them.
pub(crate) fn lexicon_for(features: &[String], resources: &Resources) -> Result<Arc<Lexicon>> {
    if features.iter().any(|name| name == "vectors") { resources.lexicon_with_vectors() } else { resources.lexicon() }
}

/// Why training stopped, from source to target and back.
fn stop_of([forward, backward]: [String; 2]) -> String {
    if forward == backward { forward } else { format!("forward {forward}, backward {backward}") }
}

impl AlignModel {
    /// What was learned from `data`, a file's name.
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

    /// What the model says of itself.
    pub fn about(&self) -> &AlignAbout {
        &self.about
    }

    /// The header, to be completed by the model's maker.
    pub fn header_mut(&mut self) -> &mut Header {
        &mut self.about.header
    }

    /// The weights and what they are of.
    pub fn aligner(&self) -> &Aligner {
        &self.aligner
    }

    /// Aligns two texts, each as one sentence.
    pub fn align(&self, source: &str, target: &str, decode: Decode) -> Result<AlignedText> {
        self.align_words(English::whole(source), English::whole(target), decode)
    }

    /// Aligns two sentences whose words are known; layers that they lack are made.
    pub fn align_words(&self, source: Analysis, target: Analysis, decode: Decode) -> Result<AlignedText> {
        let mut both = [source, target];
        self.english.fill_all(&mut both, &mut EnglishScratch::default());
        let [source, target] = both;
        let alignment = self.aligner.align(&self.lexicon, &source, &target, decode, &mut AlignScratch::default())?;
        Ok(AlignedText { source, target, alignment })
    }

    /// Aligns many pairs in parallel, in order, one result per pair; `words` makes the two sentences of one.
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

    /// The best segmentation from source to target, its score taken apart; leaves add up to it.
    pub fn explain(&self, source: &str, target: &str) -> Result<(Analysis, Analysis, Explanation)> {
        let mut both = [English::whole(source), English::whole(target)];
        self.english.fill_all(&mut both, &mut EnglishScratch::default());
        let [source, target] = both;
        let explanation = self.aligner.explain(&self.lexicon, &source, &target)?;
        Ok((source, target, explanation))
    }

    /// The model as the bytes of its file: features by code with their weights, so that a file outlives a change of order.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let mut weights = Vec::new();
        let kept: Vec<(AlignFeature, [f64; 2])> =
            self.aligner.weights().filter(|(_, both)| *both != [0.0; 2]).collect();
        put(&mut weights, kept.len() as u64);
        for (feature, both) in kept {
            put(&mut weights, feature.code());
            both.iter().for_each(|weight| weights.extend((*weight as f32).to_le_bytes()));
        }
        container.push("weights", weights);
        container.pack()
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8], resources: &Resources) -> Result<Self> {
        let (about, aligner) = Self::read(name, bytes)?;
        Self::assemble(about, aligner, resources)
    }

    /// What is in the bytes of a file.
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<(AlignAbout, Aligner)> {
        expect_kind(name, bytes, ModelKind::Align)?;
        let container = Container::<AlignAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        if container.n_sections() != 1 {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected 1: the model is damaged")));
        }
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
        let features = settings.feature_ids().map_err(damaged)?;
        let mut weights = [vec![0.0; features.len()], vec![0.0; features.len()]];
        let mut reader = SectionReader::new(name, "weights", container.section(name, "weights")?);
        let mut next = 0;
        for _ in 0..reader.count(9)? {
            let code = reader.number()?;
            let feature = AlignFeature::from_code(code).map_err(|unknown| {
                let what_to_do = "the model is damaged, or of another version of Resay: train it again";
                Error::file(name, format!("section 'weights': {unknown}: {what_to_do}"))
            })?;
            // Features come in their order, so each is looked for behind the last.
            let Some(steps) = features[next..].iter().position(|known| *known == feature) else {
                return reader
                    .fail(format_args!("the feature of code {code:#x} is switched off or in the wrong place"));
            };
            for weights in &mut weights {
                weights[next + steps] = f64::from(reader.short_real()?);
            }
            next += steps + 1;
        }
        reader.end()?;
        let [forward, backward] = weights;
        let aligner = Aligner::new(settings, forward, backward, about.details.threshold).map_err(damaged)?;
        Ok((about, aligner))
    }

    /// Opens a model's file.
    pub fn open(path: &Path, resources: &Resources) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes, resources)
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
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
