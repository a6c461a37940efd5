//! English text with all its layers: tokens, sentences, tags, lemmas, chunks, entities, heads.
//!
//! Every layer that a word already has is kept as it is and the others build on it; a layer is made for a sentence if any
//! of its words lacks it. What a layer needs is made too, but kept only if it was asked for. The parts are shared: English
//! with few layers and English with all of them hold the same tagger.

use super::atoms::{Atom, atoms};
use super::learn::ChainScratch;
use super::parse::{ParseScratch, Parser, TagPair};
use super::words::Words;
use super::{
    Analysis, CHUNK_LABELS, Chunker, ENTITY_LABELS, Entities, EntityScratch, Head, Lemmatizer, Span, Style, Tagger,
    Upos, Word, split, tokenize_as,
};
use std::borrow::Cow;
use std::sync::Arc;

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
}

/// What the layers are made with; parts that no wanted layer needs are left out.
#[derive(Clone, Debug, Default)]
pub struct EnglishParts {
    /// The table of words.
    pub words: Arc<Words>,
    /// The tagger, which every layer needs.
    pub tagger: Option<Arc<Tagger>>,
    /// The lemmatizer.
    pub lemmatizer: Option<Arc<Lemmatizer>>,
    /// The chunker.
    pub chunker: Option<Arc<Chunker>>,
    /// The finder of entities.
    pub entities: Option<Arc<Entities>>,
    /// The parser.
    pub parser: Option<Arc<Parser>>,
}

/// Annotates English.
#[derive(Clone, Debug)]
pub struct English {
    layers: Layers,
    parts: EnglishParts,
}

/// Space that annotation needs, kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct EnglishScratch {
    /// What one layer leaves for the next, one a sentence of the batch.
    sentences: Vec<Clues>,
    chain: ChainScratch,
    labels: Vec<u8>,
    lemma: String,
    entity: EntityScratch,
    parse: ParseScratch,
    heads: Vec<(Head, u8)>,
}

/// What layers know of a sentence besides what they write down.
#[derive(Clone, Debug, Default)]
struct Clues {
    atoms: Vec<Atom>,
    /// Which tags a word came with: universal, Penn.
    given: Vec<[bool; 2]>,
    tags: Vec<TagPair>,
    /// Hashes of Penn tags.
    xpos: Vec<u32>,
}

/// How many sentences go through a layer before the next has its turn. A layer's table is larger than what the processor
/// keeps at hand, so every change from one to another costs.
const BATCH: usize = 64;

impl English {
    /// Annotation with these layers. A layer whose part is missing is not made.
    pub fn new(layers: Layers, parts: EnglishParts) -> Self {
        Self { layers, parts }
    }

    /// The layers that are made.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// How rare a word in lower case is, from near 0 (the most frequent ones) to 1 (unknown): a twelfth a factor of four.
    pub fn rarity(&self, lower: &str) -> f64 {
        let known = self.parts.words.get(Words::key(lower)).map_or(0, |info| info.frequency);
        f64::from(13_u8.saturating_sub(known).clamp(1, 12)) / 12.0
    }

    /// The sentences of a text with no layer yet, each with the place where it starts in the text.
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

    /// A text that is one sentence, with no layer yet.
    pub fn whole(text: &str) -> Analysis {
        Analysis::bare(text, tokenize_as(text, Style::Web).map(|piece| piece.span))
    }

    /// The sentences of a text, with their layers, each with the place where it starts in the text.
    pub fn sentences(&self, text: &str, scratch: &mut EnglishScratch) -> Vec<(usize, Analysis)> {
        let (starts, mut sentences): (Vec<usize>, Vec<Analysis>) = Self::cut(text).into_iter().unzip();
        self.fill_all(&mut sentences, scratch);
        starts.into_iter().zip(sentences).collect()
    }

    /// A text of any number of sentences as one, with their layers: heads stay within their sentence, and each sentence
    /// has a root of its own.
    pub fn text(&self, text: &str, scratch: &mut EnglishScratch) -> Analysis {
        joined(text, self.sentences(text, scratch).into_iter())
    }

    /// Many texts as [`English::text`] makes them, which is faster than one after another.
    pub fn texts<T: AsRef<str>>(&self, texts: &[T], scratch: &mut EnglishScratch) -> Vec<Analysis> {
        let cut: Vec<Vec<(usize, Analysis)>> = texts.iter().map(|text| Self::cut(text.as_ref())).collect();
        let n_each: Vec<usize> = cut.iter().map(Vec::len).collect();
        let (starts, mut sentences): (Vec<usize>, Vec<Analysis>) = cut.into_iter().flatten().unzip();
        self.fill_all(&mut sentences, scratch);
        let mut sentences = starts.into_iter().zip(sentences);
        let join = |(text, n): (&T, usize)| joined(text.as_ref(), sentences.by_ref().take(n));
        texts.iter().zip(n_each).map(join).collect()
    }

    /// A text that is one sentence, with its layers.
    pub fn sentence(&self, text: &str, scratch: &mut EnglishScratch) -> Analysis {
        let mut analysis = Self::whole(text);
        self.fill(&mut analysis, scratch);
        analysis
    }

    /// Makes the layers that were asked for and that the sentence lacks. Tags and lemmas are made for every word that has
    /// none; chunks, entities and heads hang together, so they are made only where no word has any.
    pub fn fill(&self, analysis: &mut Analysis, scratch: &mut EnglishScratch) {
        self.fill_all(std::slice::from_mut(analysis), scratch);
    }

    /// The same for many sentences, which is faster than one after another.
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

    /// Tags for every word that has none.
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

    /// Lemmas for every word that has none.
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

    /// Chunks, unless the sentence has some.
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

    /// Entities, unless the sentence has some.
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

    /// Heads and relations, unless the sentence has some.
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

/// Sentences of a text, each with where it starts, as one.
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
        // Heads stay within their sentence: the second half is annotated as if it stood alone, but for its numbers.
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
