//! English text with all its layers: tokens, sentences, tags, lemmas, chunks, entities, heads.
//!
//! Every layer that a word already has is kept as it is and the others build on it; a layer is made for a sentence if any
//! of its words lacks it. What a layer needs is made too, but kept only if it was asked for. The parts are opened on
//! first need of the caller, by [`Layers`]: what is not asked for is not unpacked.

use super::atoms::{Atom, atoms};
use super::learn::ChainScratch;
use super::words::Words;
use super::{Analysis, Span, Style, Tagger, Word, split, tokenize_as};
use crate::Result;

/// Which layers are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Universal and Penn tags.
    pub tags: bool,
    /// Dictionary forms.
    pub lemmas: bool,
    /// Chunks.
    pub chunks: bool,
    /// Entities.
    pub entities: bool,
    /// Heads and relations.
    pub heads: bool,
}

impl Layers {
    /// Tokens and sentences only.
    pub const NONE: Self = Self { tags: false, lemmas: false, chunks: false, entities: false, heads: false };
    /// Every layer.
    pub const ALL: Self = Self { tags: true, lemmas: true, chunks: true, entities: true, heads: true };
    /// Tags and lemmas.
    pub const LEMMAS: Self = Self { tags: true, lemmas: true, ..Self::NONE };

    /// Names on the command line.
    pub const NAMES: [&'static str; 6] = ["tokens", "tags", "lemmas", "chunks", "entities", "heads"];

    /// These layers and the one of this name; `None` for no such name.
    #[must_use]
    pub fn with(mut self, name: &str) -> Option<Self> {
        match name {
            "tokens" => {}
            "tags" => self.tags = true,
            "lemmas" => self.lemmas = true,
            "chunks" => self.chunks = true,
            "entities" => self.entities = true,
            "heads" => self.heads = true,
            _ => return None,
        }
        Some(self)
    }

    fn any(self) -> bool {
        self != Self::NONE
    }
}

/// The files that the layers are made with.
#[derive(Clone, Copy, Debug)]
pub struct EnglishFiles<'a> {
    /// The table of words.
    pub words: &'a [u8],
    /// The tagger.
    pub tagger: &'a [u8],
}

/// Annotates English.
#[derive(Clone, Debug)]
pub struct English {
    layers: Layers,
    words: Words,
    tagger: Option<Tagger>,
}

/// Space that annotation needs, kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct EnglishScratch {
    atoms: Vec<Atom>,
    chain: ChainScratch,
    labels: Vec<u8>,
    /// Which tags a word came with: universal, Penn.
    given: Vec<[bool; 2]>,
}

impl English {
    /// Opens what the layers need, in parallel.
    pub fn open(files: &EnglishFiles<'_>, layers: Layers) -> Result<Self> {
        if !layers.any() {
            return Ok(Self { layers, words: Words::new(&[]), tagger: None });
        }
        let (words, tagger) = rayon::join(
            || Words::from_bytes("words.resay", files.words),
            || Tagger::from_bytes("tagger.resay", files.tagger),
        );
        Ok(Self { layers, words: words?, tagger: Some(tagger?) })
    }

    /// The sentences of a text, with their layers. `base` of each is where it starts in the text.
    pub fn sentences(&self, text: &str, scratch: &mut EnglishScratch) -> Vec<(usize, Analysis)> {
        let spans: Vec<Span> = tokenize_as(text, Style::Web).map(|piece| piece.span).collect();
        let mut sentences = Vec::new();
        for range in split(text, &spans) {
            let Some((first, last)) = spans[range.clone()].first().zip(spans[range.clone()].last()) else { continue };
            let (start, end) = (first.start, last.end);
            let own = spans[range].iter().map(|span| Span { start: span.start - start, end: span.end - start });
            let mut analysis = Analysis::bare(&text[start as usize..end as usize], own);
            self.fill(&mut analysis, scratch);
            sentences.push((start as usize, analysis));
        }
        sentences
    }

    /// A text that is one sentence, with its layers.
    pub fn sentence(&self, text: &str, scratch: &mut EnglishScratch) -> Analysis {
        let mut analysis = Analysis::bare(text, tokenize_as(text, Style::Web).map(|piece| piece.span));
        self.fill(&mut analysis, scratch);
        analysis
    }

    /// Makes the layers that were asked for and that the sentence lacks. Tags and lemmas are made for every word that has
    /// none; chunks, entities and heads hang together, so they are made only where no word has any.
    pub fn fill(&self, analysis: &mut Analysis, scratch: &mut EnglishScratch) {
        let Some(tagger) = &self.tagger else { return };
        let Analysis { text, words } = analysis;
        atoms(words.iter().map(|word| &text[word.span.range()]), &self.words, &mut scratch.atoms);
        self.tag(tagger, words, scratch);
        if !self.layers.tags {
            for (word, given) in words.iter_mut().zip(&scratch.given) {
                word.upos = word.upos.filter(|_| given[0]);
                word.xpos = word.xpos.take().filter(|_| given[1]);
            }
        }
    }

    /// Tags for every word that has none.
    fn tag(&self, tagger: &Tagger, words: &mut [Word], scratch: &mut EnglishScratch) {
        scratch.given.clear();
        scratch.given.extend(words.iter().map(|word| [word.upos.is_some(), word.xpos.is_some()]));
        if scratch.given.iter().any(|given| !given[0] || !given[1]) {
            tagger.tag(&scratch.atoms, &mut scratch.chain, &mut scratch.labels);
            for (word, &label) in words.iter_mut().zip(&scratch.labels) {
                let (upos, xpos) = &tagger.labels()[label as usize];
                word.upos.get_or_insert(*upos);
                word.xpos.get_or_insert_with(|| xpos.clone());
            }
        }
    }
}
