//! The files inside the program: models of whole tasks, what annotation reads, and tables of word relations. Nothing is
//! unpacked before it is asked for. How each file was made stands in models/README.md.

use crate::lexicon::wordnet::WordNet;
use crate::lexicon::{Lexicon, OwnRelations, Tables, WordVectors};
use crate::text::{Annotator, English, EnglishFiles, Layers, Units};
use crate::{Error, Result};
use std::sync::Arc;

macro_rules! files {
    ($($name:literal)*) => {
        /// Every file by its name. The one place that mentions their bytes, so that they are in the program once;
        /// not inlined, or every crate that does would have a copy.
        #[inline(never)]
        fn files() -> &'static [(&'static str, &'static [u8])] {
            &[$(($name, include_bytes!(concat!("../../../models/", $name, ".resay")))),*]
        }
    };
}

files! {
    "paraphrase"
    "entailment"
    "words"
    "tagger"
    "lemma"
    "chunker"
    "entities"
    "parser"
    "wordnet"
    "relations"
    "vectors"
    "align"
    "judge-paraphrase"
    "judge-entailment"
}

/// The models of whole tasks.
pub const MODELS: [&str; 2] = ["paraphrase", "entailment"];

/// The combined judges: whether two sentences say the same, and whether the second follows from the first.
pub const JUDGES: [&str; 2] = ["judge-paraphrase", "judge-entailment"];

/// The aligner.
pub const ALIGNER: &str = "align";

/// The names of all files.
pub fn names() -> impl Iterator<Item = &'static str> {
    files().iter().map(|(name, _)| *name)
}

/// A file's bytes.
pub fn bytes(name: &str) -> Result<&'static [u8]> {
    files().iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes).ok_or_else(|| {
        let known: Vec<&str> = names().collect();
        Error::parameter(format!("nothing named '{name}' is bundled, expected one of: {}", known.join(", ")))
    })
}

/// Annotation of English, with what these layers need.
pub fn english(layers: Layers) -> Result<English> {
    let files = EnglishFiles {
        words: bytes("words")?,
        tagger: bytes("tagger")?,
        lemma: bytes("lemma")?,
        chunker: bytes("chunker")?,
        entities: bytes("entities")?,
        parser: bytes("parser")?,
    };
    English::open(&files, layers)
}

/// An annotator for these units, with what they and kernels that look at these layers need.
pub fn annotator(units: Units, layers: Layers) -> Result<Annotator> {
    let is_of_words = !(units == Units::Tokens || units.is_chars());
    let lemmas = if units == Units::Lemmas { Layers::LEMMAS } else { Layers::NONE };
    if !is_of_words || (layers | lemmas) == Layers::NONE {
        return Ok(Annotator::new(units));
    }
    Ok(Annotator::with(units, Arc::new(english(layers | lemmas)?), layers != Layers::NONE))
}

/// Word relations from WordNet and the tables of pairs.
pub fn lexicon() -> Result<Lexicon> {
    let (wordnet, tables) = rayon::join(
        || WordNet::open("wordnet.resay", bytes("wordnet")?),
        || Tables::open("relations.resay", bytes("relations")?),
    );
    Ok(Lexicon::new().with_wordnet(wordnet?).with_tables(tables?))
}

/// The same with word vectors, for who compares any two words.
pub fn lexicon_with_vectors() -> Result<Lexicon> {
    let (lexicon, vectors) = rayon::join(lexicon, || WordVectors::open("vectors.resay", bytes("vectors")?));
    Ok(lexicon?.with_vectors(vectors?))
}

/// Opens the lexicon with a user's own relations added, for whoever asks for it.
pub fn open_lexicon(own: &OwnRelations) -> impl Fn() -> Result<Arc<Lexicon>> {
    move || Ok(Arc::new(lexicon()?.with_own(own.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_others_are_refused() {
        for name in names() {
            assert!(!bytes(name).unwrap().is_empty());
        }
        assert!(MODELS.iter().chain(&JUDGES).chain([&ALIGNER]).all(|name| names().any(|known| known == *name)));
        let error = bytes("answers").unwrap_err().to_string();
        assert!(error.contains("paraphrase, entailment, words"), "{error}");
    }

    #[test]
    fn vectors_know_words_that_mean_the_same_from_others() {
        let lexicon = lexicon_with_vectors().unwrap();
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
    fn all_files_together_are_small() {
        let n_bytes: usize = files().iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(n_bytes < 20 << 20, "{n_bytes} bytes");
    }
}
