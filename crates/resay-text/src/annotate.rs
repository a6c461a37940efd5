//! Turns a string into a [`Sentence`]. This is the one place that decides what a symbol is.

use super::{
    Analysis, English, EnglishScratch, Intern, Layers, Reading, Sentence, Span, StemMemo, Stemmer, StemmerKind, Symbol,
    tokenize,
};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The units that kernels compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Stems of lower-cased tokens.
    #[default]
    Stems,
    /// Lower-cased tokens.
    Words,
    /// Lower-cased lemmas, which depend on the word's tag in its sentence.
    Lemmas,
    /// The text split on whitespace, otherwise unchanged.
    Tokens,
    /// Characters. The text is trimmed, and a run of whitespace counts as one space.
    Chars,
    /// Like `Chars`, in lower case.
    Lower,
    /// Letters in lower case. A run of any other characters counts as one space.
    Letters,
}

impl Units {
    /// All units with their names on the command line.
    pub const NAMES: [(&'static str, Units); 7] = [
        ("stems", Units::Stems),
        ("words", Units::Words),
        ("lemmas", Units::Lemmas),
        ("tokens", Units::Tokens),
        ("chars", Units::Chars),
        ("lower", Units::Lower),
        ("letters", Units::Letters),
    ];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, units)| *units == self).map_or("", |(name, _)| name)
    }

    /// Whether units are characters, which follow each other without spaces between them.
    pub fn is_chars(self) -> bool {
        matches!(self, Self::Chars | Self::Lower | Self::Letters)
    }
}

impl FromStr for Units {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, units)| *units).ok_or_else(|| {
            crate::Error::parameter(format!(
                "unknown units '{name}', expected one of: {}",
                Self::NAMES.map(|(name, _)| name).join(", ")
            ))
        })
    }
}

/// Assigns one class to every word, for kernels that compare classes.
pub trait Classify: Send + Sync + fmt::Debug {
    /// Describes the classes. Classifiers with equal descriptions assign equal classes.
    fn describe(&self) -> String;

    /// Calls `name` with the class of each word, in order. Uses the sentence's analysis; without
    /// one, each word is an unanalysed token.
    fn classes(&self, sentence: &Sentence, name: &mut dyn FnMut(&str));
}

/// What kernels need of a sentence besides its units.
#[derive(Clone, Debug)]
pub struct SentenceNeeds {
    /// The annotation layers.
    pub layers: Layers,
    /// The classes of words.
    pub classes: Option<Arc<dyn Classify>>,
    /// The other units to read the text in, each once.
    pub readings: Vec<Units>,
}

/// Turns strings into sentences.
#[derive(Clone, Debug)]
pub struct Annotator {
    units: Units,
    stemmer: Stemmer,
    english: Option<Arc<English>>,
    /// Whether sentences keep the analysis of their words.
    keeps_words: bool,
    classes: Option<Arc<dyn Classify>>,
    /// One annotator per reading in other units.
    readings: Vec<Annotator>,
}

impl Annotator {
    /// Creates an annotator for these units. Stems are Snowball English. Lemmas need
    /// [`Annotator::with`]: without its tables, they are the lower-cased tokens.
    pub fn new(units: Units) -> Self {
        Self {
            units,
            stemmer: Stemmer::new(StemmerKind::English),
            english: None,
            keeps_words: false,
            classes: None,
            readings: Vec::new(),
        }
    }

    /// Creates an annotator that uses `english` for lemmas. With `keeps_words`, sentences keep the
    /// analysis of their words; sentences of [`Units::Tokens`] or characters have none.
    pub fn with(units: Units, english: Arc<English>, keeps_words: bool) -> Self {
        Self { english: Some(english), keeps_words, ..Self::new(units) }
    }

    /// Adds the classes of words to sentences, if a classifier is given.
    #[must_use]
    pub fn with_classes(self, classes: Option<Arc<dyn Classify>>) -> Self {
        // A classifier sees the same annotation as the kernels.
        let keeps_words = self.keeps_words || classes.is_some() && self.english.is_some();
        Self { classes, keeps_words, ..self }
    }

    /// Adds what these annotators read to sentences, as readings in their units.
    #[must_use]
    pub fn with_readings(self, readings: Vec<Annotator>) -> Self {
        Self { readings, ..self }
    }

    /// Returns the units.
    pub fn units(&self) -> Units {
        self.units
    }

    /// Tokenises and interns a text. Never fails: any string is a sentence, and the empty string
    /// has no tokens.
    pub fn sentence(&self, text: &str, symbols: &mut impl Intern) -> Sentence {
        self.sentence_with(text, symbols, &mut StemMemo::default())
    }

    /// Like [`Annotator::sentence`], for many sentences in turn: `memo` caches the stems of known
    /// words.
    pub fn sentence_with(&self, text: &str, symbols: &mut impl Intern, memo: &mut StemMemo) -> Sentence {
        let mut sentence = self.read(text, symbols, memo);
        let readings = self.readings.iter();
        sentence.readings = readings.map(|reader| reader.reading(reader.read(text, symbols, memo))).collect();
        sentence
    }

    /// Makes a reading of a sentence in this annotator's units.
    fn reading(&self, sentence: Sentence) -> Reading {
        Reading { units: self.units, spans: sentence.spans, symbols: sentence.units }
    }

    /// Reads a text in this annotator's own units.
    fn read(&self, text: &str, symbols: &mut impl Intern, memo: &mut StemMemo) -> Sentence {
        let mut sentence = Sentence { text: text.into(), ..Sentence::of_units(Vec::new()) };
        if let (Units::Stems | Units::Words | Units::Lemmas, Some(english)) = (self.units, &self.english) {
            let mut analysis = match self.units {
                Units::Lemmas => English::whole(text),
                _ => Analysis::bare(text, tokenize(text).map(|piece| piece.span)),
            };
            english.fill(&mut analysis, &mut EnglishScratch::default());
            return self.words(Arc::new(analysis), symbols, memo);
        }
        let mut push = |span: Span, form: &str| {
            sentence.spans.push(span);
            sentence.units.push(self.symbol(form, form, symbols, memo));
        };
        let span = |start: usize, end: usize| Span { start: start as u32, end: end as u32 };
        match self.units {
            Units::Stems | Units::Words | Units::Lemmas => {
                for piece in tokenize(text) {
                    push(piece.span, piece.form());
                }
            }
            Units::Tokens => {
                for token in text.split_whitespace() {
                    let start = token.as_ptr() as usize - text.as_ptr() as usize;
                    push(span(start, start + token.len()), token);
                }
            }
            Units::Chars | Units::Lower | Units::Letters => {
                let is_letters = self.units == Units::Letters;
                let is_blank = |c: char| if is_letters { !c.is_alphabetic() } else { c.is_whitespace() };
                let trimmed = text.trim_matches(is_blank);
                let offset = trimmed.as_ptr() as usize - text.as_ptr() as usize;
                let mut after_blank = false;
                for (start, character) in trimmed.char_indices() {
                    let blank = is_blank(character);
                    if blank && after_blank {
                        continue;
                    }
                    after_blank = blank;
                    let end = start + character.len_utf8();
                    let form = if blank { " " } else { &trimmed[start..end] };
                    push(span(offset + start, offset + end), form);
                }
            }
        }
        self.classified(sentence, symbols)
    }

    /// Adds the classes of the words, if a classifier is set.
    fn classified(&self, mut sentence: Sentence, symbols: &mut impl Intern) -> Sentence {
        if let Some(classes) = &self.classes {
            let mut found = Vec::with_capacity(sentence.spans.len());
            classes.classes(&sentence, &mut |name| found.push(symbols.symbol(name)));
            sentence.classes = found;
        }
        sentence
    }

    /// Builds a sentence from annotated words and adds missing layers. Symbols are always made from
    /// words, whatever the units; only readings in characters are of the text.
    pub fn given(&self, analysis: &Analysis, symbols: &mut impl Intern, memo: &mut StemMemo) -> Sentence {
        let mut sentence = self.words(Arc::new(self.filled(analysis)), symbols, memo);
        let words = |reader: &Annotator| Arc::new(reader.filled(analysis));
        sentence.readings = self.readings_of(&analysis.text, words, symbols, memo);
        sentence
    }

    /// Reads characters of a text, and other units of its words.
    fn readings_of(
        &self,
        text: &str,
        words: impl Fn(&Annotator) -> Arc<Analysis>,
        symbols: &mut impl Intern,
        memo: &mut StemMemo,
    ) -> Vec<Reading> {
        let reading = |reader: &Annotator| {
            reader.reading(match reader.units.is_chars() {
                true => reader.read(text, symbols, memo),
                false => reader.words(words(reader), symbols, memo),
            })
        };
        self.readings.iter().map(reading).collect()
    }

    /// Adds missing layers.
    fn filled(&self, analysis: &Analysis) -> Analysis {
        let mut analysis = analysis.clone();
        if let Some(english) = &self.english {
            english.fill(&mut analysis, &mut EnglishScratch::default());
        }
        analysis
    }

    /// Builds a sentence from words that have all needed layers. Symbols are always made from
    /// words, whatever the units; only readings in characters are of the text. A missing lemma is
    /// replaced by the form.
    pub fn analysed(&self, analysis: Arc<Analysis>, symbols: &mut impl Intern, memo: &mut StemMemo) -> Sentence {
        let mut sentence = self.words(analysis.clone(), symbols, memo);
        sentence.readings = self.readings_of(&analysis.text, |_| analysis.clone(), symbols, memo);
        sentence
    }

    /// Builds a sentence of this annotator's own units from words that have all needed layers.
    fn words(&self, analysis: Arc<Analysis>, symbols: &mut impl Intern, memo: &mut StemMemo) -> Sentence {
        let mut unit = |idx: usize| {
            let form = analysis.form(idx);
            self.symbol(form, analysis.words[idx].lemma.as_deref().unwrap_or(form), symbols, memo)
        };
        let sentence = Sentence {
            text: analysis.text.clone(),
            spans: analysis.words.iter().map(|word| word.span).collect(),
            units: (0..analysis.words.len()).map(&mut unit).collect(),
            analysis: self.keeps_words.then_some(analysis),
            ..Sentence::of_units(Vec::new())
        };
        self.classified(sentence, symbols)
    }

    /// Returns the symbol of a word.
    fn symbol(&self, form: &str, lemma: &str, symbols: &mut impl Intern, memo: &mut StemMemo) -> Symbol {
        match self.units {
            Units::Tokens | Units::Chars => symbols.symbol(form),
            Units::Lower | Units::Letters => symbols.symbol(&lower(form)),
            Units::Stems => symbols.symbol(memo.stem(&self.stemmer, &lower(form))),
            Units::Words => symbols.symbol(&lower(form)),
            Units::Lemmas => symbols.symbol(&lower(lemma)),
        }
    }
}

/// Lower-cases a form; borrows it if it already is lower case.
fn lower(form: &str) -> Cow<'_, str> {
    if form.is_ascii() && !form.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Cow::Borrowed(form);
    }
    if form.is_ascii() {
        return Cow::Owned(form.to_ascii_lowercase());
    }
    Cow::Owned(form.chars().flat_map(char::to_lowercase).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interner;

    /// Compares the forms at the spans, joined by a bar.
    fn check(units: Units, text: &str, expected: &str) {
        let mut symbols = Interner::new();
        let sentence = Annotator::new(units).sentence(text, &mut symbols);
        let found: Vec<&str> = sentence.spans.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found.join("|"), expected, "{text:?} as {units:?}");
        assert_eq!(sentence.units.len(), sentence.spans.len());
    }

    #[test]
    fn spans_point_into_the_text() {
        check(Units::Tokens, "  Don't  stop. ", "Don't|stop.");
        check(Units::Tokens, "", "");
        check(Units::Chars, " a  bé ", "a| |b|é");
        check(Units::Words, "Hello world", "Hello|world");
        check(Units::Lower, " A  bÉ1 ", "A| |b|É|1");
        check(Units::Letters, "1 A, - bÉ 23 c!", "A|,|b|É| |c");
        check(Units::Letters, "1+1", "");
    }

    #[test]
    fn letters_are_the_same_in_either_case() {
        let mut symbols = Interner::new();
        for units in [Units::Lower, Units::Letters] {
            let [one, other] =
                ["Mr É x", "mr  é X"].map(|text| Annotator::new(units).sentence(text, &mut symbols).units);
            assert_eq!(one, other);
        }
        assert!(symbols.get("É").is_none() && symbols.get("é").is_some());
    }

    /// Each reading is the sentence of an annotator of its own; the symbols are of one table.
    #[test]
    fn readings_are_in_their_own_units() {
        let text = " Don't stop,  the dogs ran. ";
        let readings = [Units::Words, Units::Chars, Units::Stems];
        let annotator = Annotator::new(Units::Lower).with_readings(readings.map(Annotator::new).to_vec());
        let (mut symbols, mut memo) = (Interner::new(), StemMemo::default());
        let sentence = annotator.sentence(text, &mut symbols);
        assert_eq!(sentence.readings.iter().map(|reading| reading.units).collect::<Vec<_>>(), readings);
        for units in readings {
            let alone = Annotator::new(units).sentence(text, &mut symbols);
            assert_eq!(sentence.read_as(Some(units)).unwrap(), (&alone.units[..], &alone.spans[..]), "{units:?}");
        }
        assert_eq!(sentence.read_as(None).unwrap().0, Annotator::new(Units::Lower).sentence(text, &mut symbols).units);
        let missing = sentence.read_as(Some(Units::Letters)).unwrap_err().to_string();
        assert!(missing.starts_with("a sentence without letters, expected"), "{missing}");
        // Given words are kept as they are; characters are those of the text.
        let given = Analysis::bare("ab cd", [Span { start: 0, end: 5 }]);
        for sentence in [
            annotator.given(&given, &mut symbols, &mut memo),
            annotator.analysed(Arc::new(given.clone()), &mut symbols, &mut memo),
        ] {
            let shown = |units| -> Vec<&str> {
                let symbols_of = sentence.read_as(Some(units)).unwrap().0;
                symbols_of.iter().map(|symbol| symbols.string(*symbol).unwrap()).collect()
            };
            assert_eq!((shown(Units::Words), shown(Units::Chars)), (vec!["ab cd"], vec!["a", "b", " ", "c", "d"]));
        }
        let bare = sentence.clone().without_places();
        assert_eq!((&bare.units, bare.text.len(), bare.spans.len()), (&sentence.units, 0, 0));
        let words = bare.read_as(Some(Units::Words)).unwrap();
        assert_eq!(words, (sentence.read_as(Some(Units::Words)).unwrap().0, &[][..]));
    }

    #[test]
    fn runs_of_blanks_are_one_symbol() {
        let mut symbols = Interner::new();
        let annotator = Annotator::new(Units::Chars);
        let one = annotator.sentence("a b", &mut symbols);
        let many = annotator.sentence("a \t b", &mut symbols);
        assert_eq!(one.units, many.units);
    }
}
