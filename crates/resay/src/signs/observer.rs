//! From two texts to their signs: annotation, alignment, and a look at both.

use super::{Noticed, Sight, Wanted, notice};
use crate::Result;
use crate::align::{AlignScratch, Aligner, Alignment, Compared, Decode, WordMemo};
use crate::latent::sentences::Shape;
use crate::lexicon::Lexicon;
use crate::text::{Analysis, English, EnglishScratch};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

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

/// Room for several threads, kept from one batch of pairs to the next: words that were looked up once stay known.
#[derive(Debug, Default)]
pub(crate) struct ObserverPool {
    free: Mutex<Vec<ObserverScratch>>,
}

/// Room that goes back to its pool when it is no longer needed.
#[derive(Debug)]
pub(crate) struct Pooled<'a> {
    pool: &'a ObserverPool,
    scratch: ObserverScratch,
}

impl ObserverPool {
    /// Room that was used before, if there is any.
    pub(crate) fn take(&self) -> Pooled<'_> {
        let known = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Pooled { pool: self, scratch: known.unwrap_or_default() }
    }
}

impl Deref for Pooled<'_> {
    type Target = ObserverScratch;

    fn deref(&self) -> &ObserverScratch {
        &self.scratch
    }
}

impl DerefMut for Pooled<'_> {
    fn deref_mut(&mut self) -> &mut ObserverScratch {
        &mut self.scratch
    }
}

impl Drop for Pooled<'_> {
    fn drop(&mut self) {
        let scratch = std::mem::take(&mut self.scratch);
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
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
