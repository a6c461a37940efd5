//! A model that aligns: an aligner with the annotation and the word relations that its features look at.

use super::file::{kind, read_file};
use crate::align::{AlignScratch, Aligner, Alignment, Costs, Decode, Fitted, Settings};
use crate::bundled;
use crate::data::write_whole;
use crate::explain::Explanation;
use crate::lexicon::Lexicon;
use crate::pack::{Container, Reader, put, put_str};
use crate::text::{Analysis, English, EnglishScratch};
use crate::{Error, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the task in a model's description.
pub(super) const TASK: &str = "align";

/// What an aligner says of itself; the header of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignAbout {
    /// Always `align`.
    pub task: String,
    /// Names of the features that it looks at.
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
    /// The files that it was learned from, without their folders.
    pub data: String,
    /// How many pairs it was learned from.
    pub n_pairs: usize,
    /// How many gold links they have.
    pub n_links: usize,
    /// How many of the pairs were held back while steps and threshold were chosen.
    pub n_held_back: usize,
    /// F1 on those, of the steps and threshold that were chosen; none if none were held back.
    pub held_out: Option<f64>,
    /// Steps, the best threshold after them, and F1 on held-back pairs with it.
    pub tried: Vec<(usize, f64, f64)>,
    /// Why training stopped, from source to target and back.
    pub stop: [String; 2],
    /// The version of Resay that wrote it.
    pub version: String,
    /// Whatever else its maker wanted to say (licence, source).
    pub note: String,
}

/// Two sentences and what corresponds.
#[derive(Clone, Debug)]
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
    english: English,
    lexicon: Lexicon,
}

/// Pairs that one thread annotates before it aligns them: layers are faster on many sentences.
const BATCH: usize = 32;

/// The word relations that these features ask for: vectors are opened only for who looks at them.
pub(crate) fn lexicon_for(features: &[String]) -> Result<Lexicon> {
    if features.iter().any(|piece| piece == "vectors") { bundled::lexicon_with_vectors() } else { bundled::lexicon() }
}

impl AlignModel {
    /// What was learned from `data`, a file's name.
    pub fn new(aligner: Aligner, fitted: &Fitted, data: &str, n_pairs: usize, n_links: usize) -> Result<Self> {
        let Settings { features, longest, l2, costs, .. } = aligner.settings().clone();
        let chosen = fitted.tried.iter().find(|tried| tried.0 == fitted.n_steps);
        let about = AlignAbout {
            task: TASK.to_owned(),
            features,
            longest,
            l2,
            costs: [costs.missed, costs.extra, costs.wrong],
            threshold: aligner.threshold(),
            n_steps: fitted.n_steps,
            data: data.to_owned(),
            n_pairs,
            n_links,
            n_held_back: fitted.n_held_back,
            held_out: chosen.map(|tried| tried.2),
            tried: fitted.tried.clone(),
            stop: fitted.stops.map(|stop| stop.to_string()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            note: String::new(),
        };
        Self::assemble(about, aligner)
    }

    fn assemble(about: AlignAbout, aligner: Aligner) -> Result<Self> {
        let features = &aligner.settings().features;
        let (english, lexicon) = rayon::join(|| bundled::english(aligner.layers()), || lexicon_for(features));
        Ok(Self { about, aligner, english: english?, lexicon: lexicon? })
    }

    /// What the model says of itself.
    pub fn about(&self) -> &AlignAbout {
        &self.about
    }

    /// Replaces the maker's note.
    pub fn set_note(&mut self, note: impl Into<String>) {
        self.about.note = note.into();
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

    /// Aligns many pairs in parallel, in order; `words` makes the two sentences of one.
    pub fn align_all<T: Sync>(
        &self,
        items: &[T],
        words: impl Fn(&T) -> [Analysis; 2] + Sync,
        decode: Decode,
    ) -> Result<Vec<AlignedText>> {
        let batch = |scratch: &mut (EnglishScratch, AlignScratch), items: &[T]| -> Result<Vec<AlignedText>> {
            let mut sentences: Vec<Analysis> = items.iter().flat_map(&words).collect();
            self.english.fill_all(&mut sentences, &mut scratch.0);
            let mut sentences = sentences.into_iter();
            let mut aligned = Vec::with_capacity(items.len());
            while let (Some(source), Some(target)) = (sentences.next(), sentences.next()) {
                let alignment = self.aligner.align(&self.lexicon, &source, &target, decode, &mut scratch.1)?;
                aligned.push(AlignedText { source, target, alignment });
            }
            Ok(aligned)
        };
        let batches = items.par_chunks(BATCH).map_init(Default::default, batch).collect::<Result<Vec<_>>>()?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// The best segmentation from source to target, its score taken apart; leaves add up to it.
    pub fn explain(&self, source: &str, target: &str) -> Result<(Analysis, Analysis, Explanation)> {
        let mut both = [English::whole(source), English::whole(target)];
        self.english.fill_all(&mut both, &mut EnglishScratch::default());
        let [source, target] = both;
        let explanation = self.aligner.explain(&self.lexicon, &source, &target)?;
        Ok((source, target, explanation))
    }

    /// The model as the bytes of its file: features by name with their weights, so that a file outlives a change of order.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut container = Container::new(self.about.clone());
        let mut weights = Vec::new();
        let kept: Vec<(&str, [f64; 2])> = self.aligner.weights().filter(|(_, both)| *both != [0.0; 2]).collect();
        put(&mut weights, kept.len() as u64);
        for (name, both) in kept {
            put_str(&mut weights, name);
            both.iter().for_each(|weight| weights.extend((*weight as f32).to_le_bytes()));
        }
        container.push("weights", weights);
        container.pack()
    }

    /// A model from the bytes of its file; `name` is for messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let (about, aligner) = Self::read(name, bytes)?;
        Self::assemble(about, aligner)
    }

    /// What is in the bytes of a file.
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<(AlignAbout, Aligner)> {
        let task = kind(name, bytes)?;
        if task != TASK {
            return Err(Error::file(name, format!("a model of task {task}, expected one of task {TASK}")));
        }
        let container = Container::<AlignAbout>::unpack(name, bytes)?;
        let about = container.about.clone();
        if container.n_sections() != 1 {
            let found = container.n_sections();
            return Err(Error::file(name, format!("{found} sections, expected 1: the model is damaged")));
        }
        let damaged = |error: Error| Error::file(name, format!("{error}: the model is damaged"));
        let settings = Settings {
            features: about.features.clone(),
            longest: about.longest,
            l2: about.l2,
            costs: Costs { missed: about.costs[0], extra: about.costs[1], wrong: about.costs[2] },
            ..Settings::tokens()
        };
        let features = settings.feature_names().map_err(damaged)?;
        let mut weights = [vec![0.0; features.len()], vec![0.0; features.len()]];
        let mut reader = Reader::new(name, "weights", container.section(name, "weights")?);
        let mut next = 0;
        for _ in 0..reader.count(9)? {
            let feature = reader.string()?;
            // Features come in their order, so each is looked for behind the last.
            let Some(steps) = features[next..].iter().position(|known| known == feature) else {
                return reader.fail(format!("no feature is named '{feature}', or it stands in the wrong place"));
            };
            for weights in &mut weights {
                weights[next + steps] = f64::from(reader.short_real()?);
            }
            next += steps + 1;
        }
        reader.end()?;
        let [forward, backward] = weights;
        let aligner = Aligner::new(settings, forward, backward, about.threshold).map_err(damaged)?;
        Ok((about, aligner))
    }

    /// Opens a model's file.
    pub fn open(path: &Path) -> Result<Self> {
        let (name, bytes) = read_file(path)?;
        Self::from_bytes(&name, &bytes)
    }

    /// Writes the model's file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes()?;
        write_whole(path, |out| out.write_all(&bytes))
    }
}
