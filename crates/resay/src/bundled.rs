//! The files inside the program: models of whole tasks, what annotation reads, and tables of word relations. Only
//! [`Resources`](crate::resources::Resources) looks here. How each file was made stands in models/README.md.

use crate::{Error, Result};

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

/// The aligner.
pub(crate) const ALIGNER: &str = "align";

/// The names of all files.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    files().iter().map(|(name, _)| *name)
}

/// A file's bytes.
pub(crate) fn bytes(name: &str) -> Result<&'static [u8]> {
    files().iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes).ok_or_else(|| {
        let known: Vec<&str> = names().collect();
        Error::parameter(format!("nothing named '{name}' is bundled, expected one of: {}", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_others_are_refused() {
        for name in names() {
            assert!(!bytes(name).unwrap().is_empty());
        }
        assert!(names().any(|known| known == ALIGNER));
        let error = bytes("answers").unwrap_err().to_string();
        assert!(error.contains("paraphrase, entailment, words"), "{error}");
    }

    #[test]
    fn all_files_together_are_small() {
        let n_bytes: usize = files().iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(n_bytes < 20 << 20, "{n_bytes} bytes");
    }
}
