//! From two texts to their signs: annotation, alignment, and a look at both.

use super::{Noticed, Sight, Wanted, notice};
use crate::Result;
use crate::align::{AlignScratch, Aligner, Alignment, Compared, Decode, WordMemo};
use crate::latent::sentences::Shape;
use crate::lexicon::Lexicon;
use crate::text::{Analysis, English, EnglishScratch};
use std::sync::Arc;

/// All that it takes to look at a pair.
#[derive(Debug)]
pub struct Observer {
    english: Arc<English>,
    lexicon: Arc<Lexicon>,
    aligner: Aligner,
}

/// What a thread keeps while it looks.
#[derive(Debug, Default)]
pub struct ObserverScratch {
    english: EnglishScratch,
    align: AlignScratch,
    words: WordMemo,
}

/// A pair as it was seen.
#[derive(Debug)]
pub struct Observed {
    /// What corresponds.
    pub alignment: Alignment,
    /// Its signs.
    pub noticed: Noticed,
    pub(crate) compared: Compared,
}

impl Observer {
    /// Layers, relations and aligner must fit each other.
    pub fn new(english: Arc<English>, lexicon: Arc<Lexicon>, aligner: Aligner) -> Self {
        Self { english, lexicon, aligner }
    }

    /// The annotation.
    pub fn english(&self) -> &Arc<English> {
        &self.english
    }

    /// The relations.
    pub fn lexicon(&self) -> &Arc<Lexicon> {
        &self.lexicon
    }

    /// Texts with their layers; each may be of several sentences.
    pub fn annotate<T: AsRef<str>>(&self, texts: &[T], scratch: &mut ObserverScratch) -> Vec<Analysis> {
        self.english.texts(texts, &mut scratch.english)
    }

    /// Looks at two texts that have their layers.
    pub fn observe(
        &self,
        [source, target]: [&Analysis; 2],
        shape: Shape,
        wanted: Wanted,
        scratch: &mut ObserverScratch,
    ) -> Result<Observed> {
        let compared = Compared::with(source, target, &self.lexicon, &mut scratch.words);
        let alignment = self.aligner.align_compared(&compared, Decode::Confident(None), &mut scratch.align)?;
        let noticed = {
            let rarity = |lower: &str| self.english.rarity(lower);
            notice(&Sight::new([source, target], &compared, &alignment, rarity), shape, wanted)
        };
        Ok(Observed { alignment, noticed, compared })
    }
}
