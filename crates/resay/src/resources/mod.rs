//! The resources that models use, as a value: annotators, word relations, word vectors, the word
//! table, the aligner and the bundled models by name.
//!
//! A front end (the command line, a server, a notebook) makes one [`Resources`] and passes it down.
//! Every resource is opened on first use, and only once: models that need it share it. Clones share
//! everything.
//!
//! ```
//! use resay::resources::Resources;
//! use resay_text::Layers;
//!
//! let resources = Resources::bundled();
//! let english = resources.english(Layers::LEMMAS)?;
//! assert!(resources.names().any(|name| name == "wordnet"));
//! # Ok::<(), resay::Error>(())
//! ```

mod scratch;

pub use scratch::PairScratch;
pub(crate) use scratch::Pool;

use crate::align::Aligner;
use crate::bundled;
use crate::{Error, Result};
use resay_learn::threads::Threads;
use resay_text::first_names::FirstNames;
use resay_text::lexicon::wordnet::WordNet;
use resay_text::lexicon::{Lexicon, OwnRelations, Tables, WordTable, WordVectors};
use resay_text::phrases::Phrases;
use resay_text::words::Words;
use resay_text::{
    Annotator, Chunker, English, EnglishParts, Entities, Layers, Lemmatizer, SentenceNeeds, Tagger, Units,
    parse::Parser,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Annotators, word relations and models. Cheap to clone; clones share what has been opened.
#[derive(Clone, Debug)]
pub struct Resources(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    files: Files,
    threads: Arc<Threads>,
    words: Slot<Words>,
    tagger: Slot<Tagger>,
    lemmatizer: Slot<Lemmatizer>,
    chunker: Slot<Chunker>,
    entities: Slot<Entities>,
    parser: Slot<Parser>,
    wordnet: Slot<WordNet>,
    tables: Slot<Tables>,
    vectors: Slot<WordVectors>,
    word_table: Slot<WordTable>,
    phrases: Slot<Phrases>,
    first_names: Slot<FirstNames>,
    /// The user's own tables of phrases, each with its name for messages.
    own_phrases: Vec<(String, String)>,
    plain_lexicon: Slot<Lexicon>,
    full_lexicon: Slot<Lexicon>,
    aligner: Slot<Aligner>,
    scratch: Pool<PairScratch>,
}

/// Where the bytes come from.
#[derive(Clone, Debug)]
enum Files {
    Bundled,
    /// Files by name.
    Paths(BTreeMap<String, PathBuf>),
}

/// A resource that is opened once.
#[derive(Debug)]
struct Slot<T>(OnceLock<Arc<T>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Slot<T> {
    /// Returns the resource, opening it on first use. Two threads that call this at once may both
    /// open it; only one of the two results is kept.
    fn get(&self, open: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        if let Some(known) = self.0.get() {
            return Ok(known.clone());
        }
        let opened = Arc::new(open()?);
        Ok(self.0.get_or_init(|| opened).clone())
    }
}

impl Default for Resources {
    /// The resources bundled with the program.
    fn default() -> Self {
        Self::bundled()
    }
}

impl Resources {
    /// The resources bundled with the program. Opens nothing yet.
    pub fn bundled() -> Self {
        Self::new(Files::Bundled, Arc::default(), Vec::new())
    }

    /// The `.resay` files of a folder, under the names of the bundled ones. A missing file is an
    /// error only when it is needed.
    pub fn open(folder: &Path) -> Result<Self> {
        let entries = folder.read_dir().map_err(|error| Error::read(folder, error))?;
        let mut paths = BTreeMap::new();
        for entry in entries {
            let path = entry.map_err(|error| Error::read(folder, error))?.path();
            if path.extension().is_some_and(|extension| extension == "resay") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                paths.insert(name, path);
            }
        }
        Ok(Self::new(Files::Paths(paths), Arc::default(), Vec::new()))
    }

    /// Files by name, in any location. A missing file is an error only when it is needed.
    pub fn from_files(files: impl IntoIterator<Item = (impl Into<String>, PathBuf)>) -> Self {
        let paths = files.into_iter().map(|(name, path)| (name.into(), path)).collect();
        Self::new(Files::Paths(paths), Arc::default(), Vec::new())
    }

    /// The same resources with other threads; nothing is opened yet.
    #[must_use]
    pub fn with_threads(&self, threads: Threads) -> Self {
        Self::new(self.0.files.clone(), Arc::new(threads), self.0.own_phrases.clone())
    }

    /// The same resources with the user's own tables of phrases beside the bundled one; nothing is
    /// opened yet. Each table is a name for messages and its text: lines `left<TAB>relation<TAB>right`,
    /// as in [`Phrases`]. Where one of them relates two phrases that the bundled table relates, too,
    /// the own relation holds.
    ///
    /// ```
    /// use resay::prelude::*;
    ///
    /// let own = "p/o\tequal\tpurchase order\n";
    /// let resources = Resources::bundled().with_phrases([("own.tsv", own)])?;
    /// let judge = Judge::open("judge", &resources)?;
    /// assert!(judge.decide("Please send us the p/o today.", "Please send us the purchase order today.")?.label);
    /// # Ok::<(), resay::Error>(())
    /// ```
    pub fn with_phrases(
        &self,
        tables: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Result<Self> {
        let mut own = self.0.own_phrases.clone();
        own.extend(tables.into_iter().map(|(name, text)| (name.into(), text.into())));
        // Faults come to light here, and not when something is judged.
        Phrases::read(&borrowed(&own), &[])?;
        Ok(Self::new(self.0.files.clone(), self.0.threads.clone(), own))
    }

    fn new(files: Files, threads: Arc<Threads>, own_phrases: Vec<(String, String)>) -> Self {
        Self(Arc::new(Inner {
            files,
            threads,
            words: Slot::default(),
            tagger: Slot::default(),
            lemmatizer: Slot::default(),
            chunker: Slot::default(),
            entities: Slot::default(),
            parser: Slot::default(),
            wordnet: Slot::default(),
            tables: Slot::default(),
            vectors: Slot::default(),
            word_table: Slot::default(),
            phrases: Slot::default(),
            first_names: Slot::default(),
            own_phrases,
            plain_lexicon: Slot::default(),
            full_lexicon: Slot::default(),
            aligner: Slot::default(),
            scratch: Pool::default(),
        }))
    }

    /// The thread pool for batch work.
    pub fn threads(&self) -> &Threads {
        &self.0.threads
    }

    /// The names of all files, models included.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let (bundled, paths) = match &self.0.files {
            Files::Bundled => (Some(bundled::names()), None),
            Files::Paths(paths) => (None, Some(paths.keys())),
        };
        let bundled = bundled.into_iter().flatten().map(|name| -> &str { name });
        bundled.chain(paths.into_iter().flatten().map(String::as_str))
    }

    /// The contents of a file.
    pub fn bytes(&self, name: &str) -> Result<Cow<'static, [u8]>> {
        match &self.0.files {
            Files::Bundled => bundled::bytes(name).map(Cow::Borrowed),
            Files::Paths(paths) => {
                let path = paths.get(name).ok_or_else(|| {
                    Error::parameter(format!("nothing named '{name}' is among the files given; add {name}.resay"))
                })?;
                Ok(Cow::Owned(std::fs::read(path).map_err(|error| Error::read(path, error))?))
            }
        }
    }

    /// Opens a file once.
    fn part<T>(&self, slot: &Slot<T>, name: &str, open: impl FnOnce(&str, &[u8]) -> Result<T>) -> Result<Arc<T>> {
        slot.get(|| open(&format!("{name}.resay"), &self.bytes(name)?))
    }

    /// English annotators for these layers.
    pub fn english(&self, layers: Layers) -> Result<Arc<English>> {
        fn wanted<T>(is_wanted: bool, open: impl FnOnce() -> Result<Arc<T>>) -> Result<Option<Arc<T>>> {
            if is_wanted { open().map(Some) } else { Ok(None) }
        }
        let inner = &*self.0;
        let is_any = layers != Layers::NONE;
        let parser = || wanted(layers.heads, || self.part(&inner.parser, "parser", Parser::from_bytes));
        let words = || wanted(is_any, || self.part(&inner.words, "words", Words::from_bytes));
        let tagger = || wanted(is_any, || self.part(&inner.tagger, "tagger", Tagger::from_bytes));
        let lemmatizer = || wanted(layers.lemmas, || self.part(&inner.lemmatizer, "lemma", Lemmatizer::from_bytes));
        let chunker = || wanted(layers.chunks, || self.part(&inner.chunker, "chunker", Chunker::from_bytes));
        let entities = || wanted(layers.entities, || self.part(&inner.entities, "entities", Entities::from_bytes));
        // Open the two largest first, so that threads which finish early take the smaller ones.
        let ((parser, words), ((tagger, lemmatizer), (chunker, entities))) = self.threads().run(|| {
            rayon::join(
                || rayon::join(parser, words),
                || rayon::join(|| rayon::join(tagger, lemmatizer), || rayon::join(chunker, entities)),
            )
        })?;
        let parts = EnglishParts {
            words: words?.unwrap_or_default(),
            tagger: tagger?,
            lemmatizer: lemmatizer?,
            chunker: chunker?,
            entities: entities?,
            parser: parser?,
        };
        Ok(Arc::new(English::new(layers, parts)))
    }

    /// An annotator for these units, with the layers that the units and the kernels need.
    pub fn annotator(&self, units: Units, layers: Layers) -> Result<Annotator> {
        let is_of_words = !(units == Units::Tokens || units.is_chars());
        let lemmas = if units == Units::Lemmas { Layers::LEMMAS } else { Layers::NONE };
        if !is_of_words || (layers | lemmas) == Layers::NONE {
            return Ok(Annotator::new(units));
        }
        Ok(Annotator::with(units, self.english(layers | lemmas)?, layers != Layers::NONE))
    }

    /// An annotator for these units, with all that kernels need of a sentence.
    pub fn annotator_for(&self, units: Units, needs: SentenceNeeds) -> Result<Annotator> {
        let SentenceNeeds { layers, classes, readings } = needs;
        let readings = readings.into_iter().map(|units| self.annotator(units, Layers::NONE)).collect::<Result<_>>()?;
        Ok(self.annotator(units, layers)?.with_classes(classes).with_readings(readings))
    }

    fn tables(&self) -> Result<(Arc<WordNet>, Arc<Tables>)> {
        let (wordnet, tables) = self.threads().run(|| {
            rayon::join(
                || self.part(&self.0.wordnet, "wordnet", WordNet::open),
                || self.part(&self.0.tables, "relations", Tables::open),
            )
        })?;
        Ok((wordnet?, tables?))
    }

    /// Word relations from WordNet and the relation tables.
    pub fn lexicon(&self) -> Result<Arc<Lexicon>> {
        self.0.plain_lexicon.get(|| {
            let (wordnet, tables) = self.tables()?;
            Ok(Lexicon::new().with_wordnet(wordnet).with_tables(tables))
        })
    }

    /// Word relations and word vectors, for comparing arbitrary words.
    pub fn lexicon_with_vectors(&self) -> Result<Arc<Lexicon>> {
        self.0.full_lexicon.get(|| {
            let vectors = || self.part(&self.0.vectors, "vectors", WordVectors::open);
            let (tables, vectors) = self.threads().run(|| rayon::join(|| self.tables(), vectors))?;
            let (wordnet, tables) = tables?;
            Ok(Lexicon::new().with_wordnet(wordnet).with_tables(tables).with_vectors(vectors?))
        })
    }

    /// Small vectors for the similarity of words and texts.
    pub fn word_table(&self) -> Result<Arc<WordTable>> {
        self.part(&self.0.word_table, "word-table", WordTable::open)
    }

    /// What speakers know about phrases, with the user's own tables.
    pub fn phrases(&self) -> Result<Arc<Phrases>> {
        let own = borrowed(&self.0.own_phrases);
        self.part(&self.0.phrases, "phrases", |name, bytes| Phrases::from_bytes_with(name, bytes, &own))
    }

    /// First names; the list is part of the program.
    pub(crate) fn first_names(&self) -> Result<Arc<FirstNames>> {
        self.0.first_names.get(|| Ok(FirstNames::bundled()))
    }

    /// Word relations with the user's own relations added.
    pub fn lexicon_with(&self, own: &OwnRelations) -> Result<Arc<Lexicon>> {
        if own.is_empty() {
            return self.lexicon();
        }
        let (wordnet, tables) = self.tables()?;
        Ok(Arc::new(Lexicon::new().with_wordnet(wordnet).with_tables(tables).with_own(own.clone())))
    }

    /// The aligner, read with `read` on first use.
    pub(crate) fn aligner(&self, read: impl FnOnce(&str, &[u8]) -> Result<Aligner>) -> Result<Arc<Aligner>> {
        self.0.aligner.get(|| read(bundled::ALIGNER, &self.bytes(bundled::ALIGNER)?))
    }

    /// Scratch space for scoring pairs, reused between batches.
    pub(crate) fn pair_scratch(&self) -> &Pool<PairScratch> {
        &self.0.scratch
    }
}

fn borrowed(tables: &[(String, String)]) -> Vec<(&str, &str)> {
    tables.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_once_is_shared() {
        let resources = Resources::bundled();
        let [one, other] = [resources.clone(), resources].map(|resources| resources.lexicon().unwrap());
        assert!(Arc::ptr_eq(&one, &other));
    }

    #[test]
    fn a_folder_of_files_takes_the_place_of_the_bundled_ones() {
        let folder = std::env::temp_dir().join(format!("resay-resources-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let bundled = Resources::bundled();
        std::fs::write(folder.join("lemma.resay"), bundled.bytes("lemma").unwrap()).unwrap();
        let opened = Resources::open(&folder).unwrap();
        assert_eq!(opened.bytes("lemma").unwrap(), bundled.bytes("lemma").unwrap());
        let missing = opened.english(Layers::ALL).unwrap_err().to_string();
        let unknown = opened.bytes("answers").unwrap_err().to_string();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(missing.contains("among the files given; add ") && missing.contains(".resay"), "{missing}");
        assert!(unknown.contains("nothing named 'answers' is among"), "{unknown}");
        assert!(Resources::open(&folder).is_err(), "the folder is gone");
    }

    #[test]
    fn vectors_know_words_that_mean_the_same_from_others() {
        let lexicon = Resources::bundled().lexicon_with_vectors().unwrap();
        let cosine = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|form| lexicon.word(form, None, None));
            lexicon.cosine(&a, &b)
        };
        let check = |word: &str, near: &str, far: &str| assert!(cosine(word, near) > cosine(word, far), "{word}");
        check("killed", "murdered", "painted");
        check("sank", "sinking", "singing");
        check("Ferry", "vessel", "senator");
        assert!(cosine("ferry", "ferry").is_some_and(|cosine| (cosine - 1.0).abs() < 0.05));
        assert_eq!(cosine("ferry", "1998"), None);
    }

    #[test]
    fn the_word_table_knows_words_and_texts_that_mean_the_same_from_others() {
        let resources = Resources::bundled();
        let table = resources.word_table().unwrap();
        assert!(Arc::ptr_eq(&table, &resources.word_table().unwrap()));
        let check = |word: &str, near: &str, far: &str| {
            let [near, far] = [near, far].map(|other| table.similarity(word, other).unwrap());
            assert!(near > far, "{word}: {near} {far}");
        };
        check("killed", "murdered", "painted");
        check("sank", "sinking", "singing");
        check("Ferry", "vessel", "senator");
        assert!(table.similarity("ferry", "ferry").is_some_and(|cosine| (cosine - 1.0).abs() < 1e-6));
        assert_eq!(table.similarity("ferry", "1998"), None);
        let text = |text: &str| text.split(' ').filter_map(|word| table.row(word, "")).collect::<Vec<u32>>();
        let boat = text("the ferry sank in the river");
        let near = table.text_similarity(boat.clone(), text("a boat went down in the stream")).unwrap();
        let far = table.text_similarity(boat, text("the senator painted in the kitchen")).unwrap();
        assert!(near > far + 0.2, "{near} {far}");
    }
}
