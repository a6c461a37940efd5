//! Opens the bundled files for tests.

use crate::lexicon::wordnet::WordNet;
use crate::parse::Parser;
use crate::words::Words;
use crate::{Chunker, English, EnglishParts, Entities, Layers, Lemmatizer, Result, Tagger};
use std::sync::Arc;

/// Reads a bundled file.
pub(crate) fn bytes(name: &str) -> &'static [u8] {
    let crates =
        [resay_en_research::files(), resay_en_syntax::files(), resay_en_wordnet::files(), resay_en_words::files()];
    crates.into_iter().flatten().find(|(known, _)| *known == name).unwrap().1
}

fn open<T>(name: &str, open: impl FnOnce(&str, &[u8]) -> Result<T>) -> Arc<T> {
    Arc::new(open(name, bytes(name)).unwrap())
}

/// Opens the pipeline with all layers.
pub(crate) fn english() -> English {
    let parts = EnglishParts {
        words: open("words", Words::from_bytes),
        tagger: Some(open("tagger", Tagger::from_bytes)),
        lemmatizer: Some(open("lemma", Lemmatizer::from_bytes)),
        chunker: Some(open("chunker", Chunker::from_bytes)),
        entities: Some(open("entities", Entities::from_bytes)),
        parser: Some(open("parser", Parser::from_bytes)),
    };
    English::new(Layers::ALL, parts)
}

/// Opens the bundled WordNet.
pub(crate) fn wordnet() -> Arc<WordNet> {
    open("wordnet", WordNet::open)
}
