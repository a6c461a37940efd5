//! From two texts to their signs: annotation, alignment, and a look at both.

use super::{Noticed, Sight, Wanted, notice};
use crate::Result;
use crate::align::{AlignScratch, Aligner, Alignment, Compared, Decode};
use crate::latent::sentences::Shape;
use crate::lexicon::Lexicon;
use crate::text::{Analysis, English, EnglishScratch};

/// All that it takes to look at a pair.
#[derive(Debug)]
pub struct Observer {
    english: English,
    lexicon: Lexicon,
    aligner: Aligner,
}

/// What a thread keeps while it looks.
#[derive(Debug, Default)]
pub struct ObserverScratch {
    english: EnglishScratch,
    align: AlignScratch,
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
    pub fn new(english: English, lexicon: Lexicon, aligner: Aligner) -> Self {
        Self { english, lexicon, aligner }
    }

    /// The relations.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// A text with its layers; it may be of several sentences.
    pub fn annotate(&self, text: &str, scratch: &mut ObserverScratch) -> Analysis {
        self.english.text(text, &mut scratch.english)
    }

    /// Looks at two texts that have their layers.
    pub fn observe(
        &self,
        [source, target]: [&Analysis; 2],
        shape: Shape,
        wanted: Wanted,
        scratch: &mut ObserverScratch,
    ) -> Result<Observed> {
        let compared = Compared::new(source, target, &self.lexicon);
        let alignment = self.aligner.align_compared(&compared, Decode::Confident(None), &mut scratch.align)?;
        let noticed = notice(&Sight::new([source, target], &compared, &alignment), shape, wanted);
        Ok(Observed { alignment, noticed, compared })
    }
}
