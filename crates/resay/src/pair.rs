//! Two texts, prepared once for every model that looks at them.
//!
//! A text is [`Annotated`] once and may stand in any number of pairs. A [`PairView`] is two of them side by side; what models
//! ask of it (every word compared with every word, the alignment) is computed when it is first asked for, once, whichever
//! model asks and however often. A model says what it needs of a text before it looks at pairs ([`Needs`]): rules over stems
//! take the text as it is and never pay for a parser.

use crate::align::{Aligner, Alignment, Decode, WordMatrix};
use crate::resources::{PairScratch, Resources};
use crate::{Error, Result};
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, English, EnglishScratch, Layers};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// How a text is cut into words before anything else is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenisation {
    /// Not at all: the model cuts the text itself, or works on characters.
    Text,
    /// The whole text as one sentence, web style: what aligners take.
    Whole,
    /// Into sentences, web style, each annotated by itself and then joined: what models over trees take.
    Sentences,
}

/// What a model needs of a text before it looks at pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// How the text is cut.
    pub tokenisation: Tokenisation,
    /// Which layers its words have; none with [`Tokenisation::Text`].
    pub layers: Layers,
}

impl Needs {
    /// The text alone.
    pub const TEXT: Self = Self { tokenisation: Tokenisation::Text, layers: Layers::NONE };

    /// Sentences with these layers.
    pub fn sentences(layers: Layers) -> Self {
        Self { tokenisation: Tokenisation::Sentences, layers }
    }
}

/// A text with its words, annotated once, for any number of pairs.
#[derive(Clone, Debug)]
pub struct Annotated {
    analysis: Arc<Analysis>,
    /// What it was annotated for.
    has: Needs,
}

impl Annotated {
    /// A text that is taken as it is.
    pub fn text_only(text: &str) -> Self {
        let analysis = Analysis { text: text.into(), words: Vec::new() };
        Self { analysis: Arc::new(analysis), has: Needs::TEXT }
    }

    /// A text whose words and layers came from elsewhere, such as a corpus.
    pub fn given(analysis: impl Into<Arc<Analysis>>) -> Self {
        Self { analysis: analysis.into(), has: Needs::sentences(Layers::ALL) }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.analysis.text
    }

    /// The text and its words.
    pub fn analysis(&self) -> &Arc<Analysis> {
        &self.analysis
    }

    /// How the text was cut into words.
    pub fn tokenisation(&self) -> Tokenisation {
        self.has.tokenisation
    }

    /// Whether it has what a model needs.
    pub fn fits(&self, needs: Needs) -> bool {
        let is_cut = needs.tokenisation == Tokenisation::Text || self.has.tokenisation == needs.tokenisation;
        is_cut && self.has.layers | needs.layers == self.has.layers
    }
}

/// Annotates texts as a model needs them.
#[derive(Clone, Debug)]
pub struct TextAnnotator {
    needs: Needs,
    /// None where texts are taken as they are.
    english: Option<Arc<English>>,
}

impl TextAnnotator {
    /// Opens what these needs take.
    pub fn new(resources: &Resources, needs: Needs) -> Result<Self> {
        let english = match needs.tokenisation {
            Tokenisation::Text => None,
            Tokenisation::Whole | Tokenisation::Sentences => Some(resources.english(needs.layers)?),
        };
        Ok(Self { needs, english })
    }

    /// What texts have when they were annotated.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Annotates texts, in order. Many at once are faster than one after another.
    pub fn annotate<T: AsRef<str>>(&self, texts: &[T], scratch: &mut EnglishScratch) -> Vec<Annotated> {
        let annotated = |analysis: Analysis| Annotated { analysis: Arc::new(analysis), has: self.needs };
        match (&self.english, self.needs.tokenisation) {
            (None, _) | (_, Tokenisation::Text) => {
                texts.iter().map(|text| Annotated::text_only(text.as_ref())).collect()
            }
            (Some(english), Tokenisation::Sentences) => {
                english.texts(texts, scratch).into_iter().map(annotated).collect()
            }
            (Some(english), Tokenisation::Whole) => {
                let mut analyses: Vec<Analysis> = texts.iter().map(|text| English::whole(text.as_ref())).collect();
                english.fill_all(&mut analyses, scratch);
                analyses.into_iter().map(annotated).collect()
            }
        }
    }
}

/// Opens the aligner of some resources.
pub(crate) type OpenAligner = fn(&Resources) -> Result<Arc<Aligner>>;

/// What one thread looks at pairs with. Word relations and the aligner are opened when a view first asks.
#[derive(Debug)]
pub struct PairContext {
    resources: Resources,
    open_aligner: OpenAligner,
    lexicon: OnceCell<Arc<Lexicon>>,
    aligner: OnceCell<Arc<Aligner>>,
    scratch: Room,
}

/// Room of a thread, which goes back to the resources when the thread is done.
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

    /// Annotates texts with this thread's room.
    pub(crate) fn annotate<T: AsRef<str>>(&self, annotator: &TextAnnotator, texts: &[T]) -> Vec<Annotated> {
        annotator.annotate(texts, &mut self.scratch.scratch.borrow_mut().english)
    }
}

/// What was computed, or computes it.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// Products of words beyond which two texts are not compared: time and memory grow with it.
pub const MAX_CELLS: usize = 1_000_000;

/// Says no to two texts whose words are too many to compare.
pub(crate) fn check_size([source, target]: [&Analysis; 2]) -> std::result::Result<(), String> {
    let [m, n] = [source.words.len(), target.words.len()];
    if m.saturating_mul(n) > MAX_CELLS {
        return Err(format!("{m} and {n} words are too many to align: expected sentences or short texts, cut them up"));
    }
    Ok(())
}

/// Two texts side by side. What is asked of it is computed once.
#[derive(Debug)]
pub struct PairView<'a> {
    context: &'a PairContext,
    texts: [&'a Annotated; 2],
    words: OnceCell<WordMatrix>,
    alignment: OnceCell<Alignment>,
}

impl<'a> PairView<'a> {
    /// Two texts; nothing is computed yet.
    pub fn new(context: &'a PairContext, source: &'a Annotated, target: &'a Annotated) -> Self {
        Self { context, texts: [source, target], words: OnceCell::new(), alignment: OnceCell::new() }
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

    /// Every word of one text compared with every word of the other; an error if there are too many.
    pub(crate) fn words(&self) -> Result<&WordMatrix> {
        once(&self.words, || {
            let pair = self.analyses();
            check_size(pair).map_err(Error::data)?;
            let memo = &mut self.context.scratch.scratch.borrow_mut().words;
            Ok(WordMatrix::with(pair[0], pair[1], self.context.lexicon()?, memo))
        })
    }

    /// Which words and phrases correspond.
    pub fn alignment(&self) -> Result<&Alignment> {
        once(&self.alignment, || {
            let words = self.words()?;
            let scratch = &mut self.context.scratch.scratch.borrow_mut().align;
            self.context.aligner()?.align_compared(words, Decode::Confident(None), scratch)
        })
    }
}
