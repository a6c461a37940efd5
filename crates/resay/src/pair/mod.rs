//! Two texts, prepared once for every model that scores them.
//!
//! A text is [`Annotated`] once and may be part of any number of pairs. A [`PairView`] joins two of
//! them. It computes what models ask of it (the word-by-word comparison, the alignment) lazily and
//! at most once, whichever models ask. A model declares what it needs of a text beforehand
//! ([`Needs`]): rules over stems take the raw text and never pay for a parser. The joint judgement
//! asks for masked first names: which name a person has changes nothing.

mod names;

use crate::align::{Aligner, Alignment, Decode, WordMatrix};
use crate::resources::{PairScratch, Resources};
use crate::{Error, Result};
use resay_text::first_names::FirstNames;
use resay_text::lexicon::{Lexicon, WordTable};
use resay_text::normalise::{Normal, normalise};
use resay_text::{Analysis, English, EnglishScratch, Layers};
use std::cell::{OnceCell, RefCell};
use std::sync::{Arc, OnceLock};

/// How a text is split into words before it is annotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenisation {
    /// Not at all: the model tokenises the text itself, or works on characters.
    Text,
    /// The whole text as one sentence, web-style tokens: the input of aligners.
    Whole,
    /// Split into sentences with web-style tokens, each annotated by itself and then joined: the
    /// input of models over trees.
    Sentences,
}

/// The annotation that a model needs of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// How the text is tokenised.
    pub tokenisation: Tokenisation,
    /// The annotation layers of its words; none with [`Tokenisation::Text`].
    pub layers: Layers,
    /// Whether words are annotated as if first names were canonical ones, so that it does not matter
    /// which they are. Makes no difference with [`Tokenisation::Text`].
    pub masks_names: bool,
}

impl Needs {
    /// The raw text.
    pub const TEXT: Self = Self { tokenisation: Tokenisation::Text, layers: Layers::NONE, masks_names: false };

    /// Sentences with these layers.
    pub fn sentences(layers: Layers) -> Self {
        Self { tokenisation: Tokenisation::Sentences, layers, masks_names: false }
    }

    /// The same with first names masked.
    #[must_use]
    pub fn with_masked_names(self) -> Self {
        Self { masks_names: true, ..self }
    }
}

/// A text and its annotated words, shared by any number of pairs.
#[derive(Clone, Debug)]
pub struct Annotated {
    analysis: Arc<Analysis>,
    /// The needs that the annotation meets.
    has: Needs,
    /// The canonical form, once somebody asked for it.
    normal: Arc<OnceLock<Normal>>,
    /// The text with masked names, if it has names and somebody needs it.
    named: Option<Arc<names::NamedText>>,
}

impl Annotated {
    fn new(analysis: impl Into<Arc<Analysis>>, has: Needs) -> Self {
        Self { analysis: analysis.into(), has, normal: Arc::default(), named: None }
    }

    /// A raw text without words.
    pub fn text_only(text: &str) -> Self {
        let analysis = Analysis { text: text.into(), words: Vec::new() };
        Self::new(analysis, Needs::TEXT)
    }

    /// A text whose words and layers come from elsewhere, such as a corpus.
    pub fn given(analysis: impl Into<Arc<Analysis>>) -> Self {
        Self::new(analysis, Needs::sentences(Layers::ALL))
    }

    /// The canonical form of the text.
    pub(crate) fn normal(&self) -> &Normal {
        self.normal.get_or_init(|| normalise(&self.analysis.text))
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.analysis.text
    }

    /// The text and its words.
    pub fn analysis(&self) -> &Arc<Analysis> {
        &self.analysis
    }

    /// How the text was tokenised.
    pub fn tokenisation(&self) -> Tokenisation {
        self.has.tokenisation
    }

    /// Whether the annotation meets a model's needs.
    pub fn fits(&self, needs: Needs) -> bool {
        let is_cut = needs.tokenisation == Tokenisation::Text || self.has.tokenisation == needs.tokenisation;
        let is_named = needs.tokenisation == Tokenisation::Text || self.has.masks_names == needs.masks_names;
        is_cut && is_named && self.has.layers | needs.layers == self.has.layers
    }
}

/// Annotates texts for the needs of a model.
#[derive(Clone, Debug)]
pub struct TextAnnotator {
    needs: Needs,
    /// `None` for raw texts.
    english: Option<Arc<English>>,
    /// The names to mask, if any.
    names: Option<Arc<FirstNames>>,
}

impl TextAnnotator {
    /// Opens the annotators that these needs require.
    pub fn new(resources: &Resources, needs: Needs) -> Result<Self> {
        let english = match needs.tokenisation {
            Tokenisation::Text => None,
            Tokenisation::Whole | Tokenisation::Sentences => Some(resources.english(needs.layers)?),
        };
        let names = needs.masks_names.then(|| resources.first_names()).transpose()?;
        Ok(Self { needs, english, names })
    }

    /// The needs that annotated texts meet.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Annotates texts, in order. One call with many texts is faster than many calls.
    pub fn annotate<T: AsRef<str>>(&self, texts: &[T], scratch: &mut EnglishScratch) -> Vec<Annotated> {
        let Some(english) = &self.english else {
            return texts.iter().map(|text| Annotated::text_only(text.as_ref())).collect();
        };
        match &self.names {
            Some(names) => names::annotate(names, texts, self.needs, |texts| self.read(english, texts, scratch)),
            None => {
                let analyses = self.read(english, texts, scratch);
                analyses.into_iter().map(|analysis| Annotated::new(analysis, self.needs)).collect()
            }
        }
    }

    fn read<T: AsRef<str>>(&self, english: &English, texts: &[T], scratch: &mut EnglishScratch) -> Vec<Analysis> {
        if self.needs.tokenisation == Tokenisation::Sentences {
            return english.texts(texts, scratch);
        }
        let mut analyses: Vec<Analysis> = texts.iter().map(|text| English::whole(text.as_ref())).collect();
        english.fill_all(&mut analyses, scratch);
        analyses
    }
}

/// A function that opens the aligner of the given resources.
pub(crate) type OpenAligner = fn(&Resources) -> Result<Arc<Aligner>>;

/// The per-thread state for scoring pairs. The lexicon, the word table and the aligner are opened on
/// first use.
#[derive(Debug)]
pub struct PairContext {
    resources: Resources,
    open_aligner: OpenAligner,
    lexicon: OnceCell<Arc<Lexicon>>,
    word_table: OnceCell<Arc<WordTable>>,
    aligner: OnceCell<Arc<Aligner>>,
    scratch: Room,
}

/// The scratch space of a thread; returned to the resources' pool on drop.
#[derive(Debug)]
struct Room {
    resources: Resources,
    scratch: RefCell<PairScratch>,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.resources.pair_scratch().put(self.scratch.take());
    }
}

impl PairContext {
    pub(crate) fn new(resources: &Resources, open_aligner: OpenAligner) -> Self {
        let scratch = RefCell::new(resources.pair_scratch().take().unwrap_or_default());
        Self {
            resources: resources.clone(),
            open_aligner,
            lexicon: OnceCell::new(),
            word_table: OnceCell::new(),
            aligner: OnceCell::new(),
            scratch: Room { resources: resources.clone(), scratch },
        }
    }

    /// Word relations and vectors.
    pub fn lexicon(&self) -> Result<&Arc<Lexicon>> {
        once(&self.lexicon, || self.resources.lexicon_with_vectors())
    }

    fn aligner(&self) -> Result<&Arc<Aligner>> {
        once(&self.aligner, || (self.open_aligner)(&self.resources))
    }

    /// Annotates texts with this thread's scratch space.
    pub(crate) fn annotate<T: AsRef<str>>(&self, annotator: &TextAnnotator, texts: &[T]) -> Vec<Annotated> {
        annotator.annotate(texts, &mut self.scratch.scratch.borrow_mut().english)
    }
}

/// Returns the cell's value, computing it on first use.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// The largest product of word counts that two texts may have: time and memory grow with it.
pub const MAX_CELLS: usize = 1_000_000;

/// Rejects two texts with too many words to compare.
pub(crate) fn check_size([source, target]: [&Analysis; 2]) -> std::result::Result<(), String> {
    let [m, n] = [source.words.len(), target.words.len()];
    if m.saturating_mul(n) > MAX_CELLS {
        return Err(format!("{m} and {n} words are too many to align: expected sentences or short texts, cut them up"));
    }
    Ok(())
}

/// Two texts side by side. Whatever models ask of it is computed once.
#[derive(Debug)]
pub struct PairView<'a> {
    context: &'a PairContext,
    texts: [&'a Annotated; 2],
    words: OnceCell<WordMatrix>,
    alignment: OnceCell<Alignment>,
}

impl<'a> PairView<'a> {
    /// A view of two texts; computes nothing yet.
    pub fn new(context: &'a PairContext, source: &'a Annotated, target: &'a Annotated) -> Self {
        Self { context, texts: [source, target], words: OnceCell::new(), alignment: OnceCell::new() }
    }

    /// The same texts in the other order, with nothing computed yet.
    pub(crate) fn turned(&self) -> Self {
        Self::new(self.context, self.texts[1], self.texts[0])
    }

    /// The same pair with other texts, with nothing computed yet.
    pub(crate) fn with_texts<'b>(&self, texts: &'b [Annotated; 2]) -> PairView<'b>
    where
        'a: 'b,
    {
        PairView::new(self.context, &texts[0], &texts[1])
    }

    /// The texts, source first.
    pub fn texts(&self) -> [&'a Annotated; 2] {
        self.texts
    }

    /// The words of both texts.
    pub fn analyses(&self) -> [&'a Analysis; 2] {
        self.texts.map(|text| &*text.analysis)
    }

    /// Word relations and vectors.
    pub(crate) fn lexicon(&self) -> Result<&Lexicon> {
        self.context.lexicon().map(|lexicon| &**lexicon)
    }

    /// Small vectors of words.
    pub(crate) fn word_table(&self) -> Result<&WordTable> {
        once(&self.context.word_table, || self.context.resources.word_table()).map(|table| &**table)
    }

    /// Compares every word of one text with every word of the other. Fails if there are too many.
    pub(crate) fn words(&self) -> Result<&WordMatrix> {
        once(&self.words, || {
            let pair = self.analyses();
            check_size(pair).map_err(Error::data)?;
            let memo = &mut self.context.scratch.scratch.borrow_mut().words;
            Ok(WordMatrix::with(pair[0], pair[1], self.context.lexicon()?, memo))
        })
    }

    /// The alignment of the words and phrases of the two texts.
    pub fn alignment(&self) -> Result<&Alignment> {
        once(&self.alignment, || {
            let words = self.words()?;
            let scratch = &mut self.context.scratch.scratch.borrow_mut().align;
            self.context.aligner()?.align_compared(words, Decode::Confident(None), scratch)
        })
    }
}
