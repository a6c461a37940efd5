//! The English annotation pipeline: tokens, sentences, tags, lemmas, chunks, entities, heads.
//!
//! Layers that a word already has are kept, and the other layers build on them. A layer is computed
//! for a sentence if any of its words lacks it. Layers that another layer depends on are computed
//! too, but kept only if requested. The components are shared: a pipeline with few layers and one
//! with all of them hold the same tagger.

use super::atoms::{Atom, atoms};
use super::learn::ChainScratch;
use super::parse::{ParseScratch, Parser, TagPair};
use super::words::Words;
use super::{
    Analysis, CHUNK_LABELS, Chunker, ENTITY_LABELS, Entities, EntityScratch, Head, Lemmatizer, Span, Style, Tagger,
    TextKind, Upos, Word, split, tokenize_as,
};
use std::borrow::Cow;
use std::sync::Arc;

/// The requested layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Universal and Penn tags.
    pub tags: bool,
    /// Lemmas.
    pub lemmas: bool,
    /// Chunks.
    pub chunks: bool,
    /// Named entities.
    pub entities: bool,
    /// Heads and dependency relations.
    pub heads: bool,
}

impl std::ops::BitOr for Layers {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            tags: self.tags | other.tags,
            lemmas: self.lemmas | other.lemmas,
            chunks: self.chunks | other.chunks,
            entities: self.entities | other.entities,
            heads: self.heads | other.heads,
        }
    }
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

    /// Adds the layer with this name. Returns `None` if the name is unknown.
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
}

/// The components of the pipeline. Components that no requested layer needs may be missing.
#[derive(Clone, Debug, Default)]
pub struct EnglishParts {
    /// The table of words.
    pub words: Arc<Words>,
    /// The tagger, needed by every layer.
    pub tagger: Option<Arc<Tagger>>,
    /// The lemmatiser.
    pub lemmatizer: Option<Arc<Lemmatizer>>,
    /// The chunker.
    pub chunker: Option<Arc<Chunker>>,
    /// The entity recogniser.
    pub entities: Option<Arc<Entities>>,
    /// The parser.
    pub parser: Option<Arc<Parser>>,
}

/// The English annotation pipeline.
#[derive(Clone, Debug)]
pub struct English {
    layers: Layers,
    parts: EnglishParts,
}

/// Buffers reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct EnglishScratch {
    /// Intermediate results, one per sentence of the batch.
    sentences: Vec<Clues>,
    chain: ChainScratch,
    labels: Vec<u8>,
    lemma: String,
    entity: EntityScratch,
    parse: ParseScratch,
    heads: Vec<(Head, u8)>,
}

/// What layers compute for later layers, besides their output.
#[derive(Clone, Debug, Default)]
struct Clues {
    atoms: Vec<Atom>,
    /// Whether the word came with a universal tag and with a Penn tag.
    given: Vec<[bool; 2]>,
    tags: Vec<TagPair>,
    /// Hashes of the Penn tags.
    xpos: Vec<u32>,
}

/// Number of sentences that pass through one layer before the next layer runs. The tables of a
/// layer exceed the processor's cache, so every switch between layers is expensive.
const BATCH: usize = 64;

impl English {
    /// Creates a pipeline with these layers. A layer whose component is missing is not computed.
    pub fn new(layers: Layers, parts: EnglishParts) -> Self {
        Self { layers, parts }
    }

    /// Returns the layers that are computed.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// Returns how rare a lower-case word is, from near 0 (most frequent) to 1 (unknown), in steps
    /// of one twelfth per factor of four in frequency.
    pub fn rarity(&self, lower: &str) -> f64 {
        let known = self.parts.words.get(Words::key(lower)).map_or(0, |info| info.frequency);
        f64::from(13_u8.saturating_sub(known).clamp(1, 12)) / 12.0
    }

    /// What kind of text this is: English, or something that cannot be annotated as English.
    pub fn kind(&self, text: &str) -> TextKind {
        TextKind::of(text, &self.parts.words)
    }

    /// Splits a text into sentences with no layers yet, each with its byte offset in the text.
    pub fn cut(text: &str) -> Vec<(usize, Analysis)> {
        let spans: Vec<Span> = tokenize_as(text, Style::Web).map(|piece| piece.span).collect();
        let mut sentences = Vec::new();
        for range in split(text, &spans) {
            let Some((first, last)) = spans[range.clone()].first().zip(spans[range.clone()].last()) else { continue };
            let (start, end) = (first.start, last.end);
            let own = spans[range].iter().map(|span| Span { start: span.start - start, end: span.end - start });
            sentences.push((start as usize, Analysis::bare(&text[start as usize..end as usize], own)));
        }
        sentences
    }

    /// Tokenises a text as one sentence, with no layers yet.
    pub fn whole(text: &str) -> Analysis {
        Analysis::bare(text, tokenize_as(text, Style::Web).map(|piece| piece.span))
    }

    /// Splits a text into sentences and annotates them. Each comes with its byte offset in the
    /// text.
    pub fn sentences(&self, text: &str, scratch: &mut EnglishScratch) -> Vec<(usize, Analysis)> {
        let (starts, mut sentences): (Vec<usize>, Vec<Analysis>) = Self::cut(text).into_iter().unzip();
        self.fill_all(&mut sentences, scratch);
        starts.into_iter().zip(sentences).collect()
    }

    /// Annotates a text of any number of sentences as one analysis. Heads stay within their
    /// sentence, and each sentence has its own root.
    pub fn text(&self, text: &str, scratch: &mut EnglishScratch) -> Analysis {
        joined(text, self.sentences(text, scratch).into_iter())
    }

    /// Annotates many texts like [`English::text`], but faster than one by one.
    pub fn texts<T: AsRef<str>>(&self, texts: &[T], scratch: &mut EnglishScratch) -> Vec<Analysis> {
        let cut: Vec<Vec<(usize, Analysis)>> = texts.iter().map(|text| Self::cut(text.as_ref())).collect();
        let n_each: Vec<usize> = cut.iter().map(Vec::len).collect();
        let (starts, mut sentences): (Vec<usize>, Vec<Analysis>) = cut.into_iter().flatten().unzip();
        self.fill_all(&mut sentences, scratch);
        let mut sentences = starts.into_iter().zip(sentences);
        let join = |(text, n): (&T, usize)| joined(text.as_ref(), sentences.by_ref().take(n));
        texts.iter().zip(n_each).map(join).collect()
    }

    /// Annotates a text as one sentence.
    pub fn sentence(&self, text: &str, scratch: &mut EnglishScratch) -> Analysis {
        let mut analysis = Self::whole(text);
        self.fill(&mut analysis, scratch);
        analysis
    }

    /// Adds the requested layers that the sentence lacks. Tags and lemmas are added to every word
    /// without one. Chunks, entities and heads depend on each other within a sentence, so they are
    /// added only if no word has any.
    pub fn fill(&self, analysis: &mut Analysis, scratch: &mut EnglishScratch) {
        self.fill_all(std::slice::from_mut(analysis), scratch);
    }

    /// Like [`English::fill`] for many sentences, but faster than one by one.
    pub fn fill_all<A: AsMut<Analysis>>(&self, sentences: &mut [A], scratch: &mut EnglishScratch) {
        let Some(tagger) = &self.parts.tagger else { return };
        for batch in sentences.chunks_mut(BATCH) {
            let mut clues = std::mem::take(&mut scratch.sentences);
            if clues.len() < batch.len() {
                clues.resize_with(batch.len(), Clues::default);
            }
            let mut layer = |work: &mut dyn FnMut(&mut Analysis, &mut Clues, &mut EnglishScratch)| {
                let pairs = batch.iter_mut().zip(&mut clues);
                pairs.for_each(|(sentence, clues)| work(sentence.as_mut(), clues, scratch));
            };
            layer(&mut |Analysis { text, words }, clues, scratch| {
                atoms(words.iter().map(|word| &text[word.span.range()]), &self.parts.words, &mut clues.atoms);
                self.tag(tagger, words, clues, scratch);
                self.lemmatize(text, words, clues, scratch);
            });
            layer(&mut |sentence, clues, scratch| self.chunk(&mut sentence.words, clues, scratch));
            layer(&mut |sentence, clues, scratch| self.find_entities(sentence, clues, scratch));
            layer(&mut |sentence, clues, scratch| self.parse(&mut sentence.words, clues, scratch));
            if !self.layers.tags {
                layer(&mut |sentence, clues, _| {
                    for (word, given) in sentence.words.iter_mut().zip(&clues.given) {
                        word.upos = word.upos.filter(|_| given[0]);
                        word.xpos = word.xpos.take().filter(|_| given[1]);
                    }
                });
            }
            scratch.sentences = clues;
        }
    }

    /// Tags every word without tags.
    fn tag(&self, tagger: &Tagger, words: &mut [Word], clues: &mut Clues, scratch: &mut EnglishScratch) {
        clues.given.clear();
        clues.given.extend(words.iter().map(|word| [word.upos.is_some(), word.xpos.is_some()]));
        if clues.given.iter().any(|given| !given[0] || !given[1]) {
            tagger.tag(&clues.atoms, &mut scratch.chain, &mut scratch.labels);
            for (word, &label) in words.iter_mut().zip(&scratch.labels) {
                let (upos, xpos) = &tagger.labels()[label as usize];
                word.upos.get_or_insert(*upos);
                word.xpos.get_or_insert_with(|| xpos.clone());
            }
        }
        clues.tags.clear();
        let pairs = words.iter().map(|word| (word.upos.unwrap_or(Upos::X), word.xpos.as_deref().unwrap_or_default()));
        clues.tags.extend(pairs.map(|(upos, xpos)| TagPair::new(upos, xpos)));
        clues.xpos.clear();
        clues.xpos.extend(clues.tags.iter().map(|tags| tags.xpos));
    }

    /// Lemmatises every word without a lemma.
    fn lemmatize(&self, text: &str, words: &mut [Word], clues: &Clues, scratch: &mut EnglishScratch) {
        let Some(lemmatizer) = &self.parts.lemmatizer else { return };
        for (word, atom) in words.iter_mut().zip(&clues.atoms) {
            if word.lemma.is_none() {
                let tags = (word.upos.unwrap_or(Upos::X), word.xpos.as_deref().unwrap_or_default());
                let form = &text[word.span.range()];
                word.lemma = Some(lemmatizer.lemma(&self.parts.words, form, atom, tags, &mut scratch.lemma).into());
            }
        }
    }

    /// Adds chunks, unless the sentence has some.
    fn chunk(&self, words: &mut [Word], clues: &Clues, scratch: &mut EnglishScratch) {
        let Some(chunker) = &self.parts.chunker else { return };
        if words.iter().any(|word| word.chunk.is_some()) {
            return;
        }
        chunker.chunk(&clues.atoms, &clues.xpos, &mut scratch.chain, &mut scratch.labels);
        for (word, &label) in words.iter_mut().zip(&scratch.labels) {
            word.chunk = CHUNK_LABELS.get(label as usize).map(|name| Cow::Borrowed(*name));
        }
    }

    /// Adds entities, unless the sentence has some.
    fn find_entities(&self, Analysis { text, words }: &mut Analysis, clues: &Clues, scratch: &mut EnglishScratch) {
        let Some(entities) = &self.parts.entities else { return };
        if words.iter().any(|word| word.entity.is_some()) {
            return;
        }
        let form = |word: usize| &text[words[word].span.range()];
        entities.find(&clues.atoms, &clues.xpos, form, &mut scratch.entity, &mut scratch.labels);
        for (word, &label) in words.iter_mut().zip(&scratch.labels) {
            word.entity = ENTITY_LABELS.get(label as usize).map(|name| Cow::Borrowed(*name));
        }
    }

    /// Adds heads and relations, unless the sentence has some.
    fn parse(&self, words: &mut [Word], clues: &Clues, scratch: &mut EnglishScratch) {
        let Some(parser) = &self.parts.parser else { return };
        if words.iter().any(|word| word.head.is_some()) {
            return;
        }
        parser.parse(&clues.atoms, &clues.tags, &mut scratch.parse, &mut scratch.heads);
        for (word, &(head, relation)) in words.iter_mut().zip(&scratch.heads) {
            word.head = Some(head);
            word.relation = parser.relations().get(relation as usize).cloned();
        }
    }
}

/// Joins the sentences of a text, given with their byte offsets, into one analysis.
fn joined(text: &str, sentences: impl Iterator<Item = (usize, Analysis)>) -> Analysis {
    let mut joined = Analysis { text: text.into(), words: Vec::new() };
    for (start, sentence) in sentences {
        let n_before = joined.words.len() as u32;
        joined.words.extend(sentence.words.into_iter().map(|mut word| {
            word.span = Span { start: word.span.start + start as u32, end: word.span.end + start as u32 };
            if let Some(Head::Word(head)) = &mut word.head {
                *head += n_before;
            }
            word
        }));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_text_of_several_sentences_is_one_analysis() {
        let english = testing::english();
        let mut scratch = EnglishScratch::default();
        let mut check = |text: &str, expected: &[&str], n_roots: usize| {
            let found = english.text(text, &mut scratch);
            assert_eq!(&*found.text, text);
            let forms: Vec<&str> = found.words.iter().map(|word| &text[word.span.range()]).collect();
            assert_eq!(forms, expected, "{text:?}");
            assert!((0..forms.len()).all(|idx| found.form(idx) == forms[idx]));
            let is_within = |word: &Word| match word.head {
                Some(Head::Word(head)) => (head as usize) < forms.len(),
                other => other == Some(Head::Root),
            };
            assert!(found.words.iter().all(is_within), "{text:?}");
            let roots = found.words.iter().filter(|word| word.head == Some(Head::Root));
            assert_eq!(roots.count(), n_roots, "{text:?}");
        };
        check("It rained.  Über uns — we stayed.", &["It", "rained", ".", "Über", "uns", "—", "we", "stayed", "."], 2);
        check("One sentence only.", &["One", "sentence", "only", "."], 1);
        check(" \n ", &[], 0);
        check("", &[], 0);
        let texts = ["It rained. We stayed.", "", "One."];
        let one_by_one = texts.map(|text| english.text(text, &mut scratch));
        assert_eq!(english.texts(&texts, &mut scratch), one_by_one);
        // Heads stay within their sentence: the second sentence is annotated as if it stood alone,
        // except that its indices are shifted.
        let text = "The old dog slept. A tall woman sang a song.";
        let whole = english.text(text, &mut scratch);
        let second = english.text(&text[19..], &mut scratch);
        let shifted: Vec<Option<Head>> = whole.words[5..].iter().map(|word| word.head).collect();
        let expected = second.words.iter().map(|word| match word.head {
            Some(Head::Word(head)) => Some(Head::Word(head + 5)),
            other => other,
        });
        assert_eq!(shifted, expected.collect::<Vec<_>>());
    }
}
