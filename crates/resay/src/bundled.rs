//! The files inside the program: models of whole tasks, what annotation reads, and tables of word relations. They come
//! from the data crates. Only [`Resources`](crate::resources::Resources) looks here.

use crate::{Error, Result};

/// Every file, in the order in which they are listed.
const NAMES: [&str; 17] = [
    "judge",
    "paraphrase",
    "entailment",
    "words",
    "tagger",
    "lemma",
    "chunker",
    "entities",
    "parser",
    "wordnet",
    "relations",
    "vectors",
    "word-table",
    "phrases",
    ALIGNER,
    "judge-paraphrase",
    "judge-entailment",
];

/// The aligner.
pub(crate) const ALIGNER: &str = "align";

fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let crates = [
        resay_en_judge::files(),
        resay_en_research::files(),
        resay_en_syntax::files(),
        resay_en_wordnet::files(),
        resay_en_words::files(),
    ];
    crates.into_iter().flatten().copied()
}

/// The names of the files that are here.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().filter(|name| find(name).is_some())
}

fn find(name: &str) -> Option<&'static [u8]> {
    files().find(|(known, _)| *known == name).map(|(_, bytes)| bytes)
}

/// A file's bytes.
pub(crate) fn bytes(name: &str) -> Result<&'static [u8]> {
    if let Some(bytes) = find(name) {
        return Ok(bytes);
    }
    Err(Error::parameter(if NAMES.contains(&name) {
        format!(
            "this build has no '{name}': packages from a registry come without the models that were learned from \
             research corpora; build from the repository, or open a folder that has {name}.resay"
        )
    } else {
        let known: Vec<&str> = names().collect();
        format!("nothing named '{name}' is bundled, expected one of: {}", known.join(", "))
    }))
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
    fn every_file_of_the_data_crates_is_listed() {
        let mut listed: Vec<&str> = names().collect();
        let mut there: Vec<&str> = files().map(|(name, _)| name).collect();
        listed.sort_unstable();
        there.sort_unstable();
        assert_eq!(listed, there);
        assert_eq!(listed.len(), NAMES.len());
    }

    #[test]
    fn all_files_together_are_small() {
        let n_bytes: usize = files().map(|(_, bytes)| bytes.len()).sum();
        assert!(n_bytes < 20 << 20, "{n_bytes} bytes");
    }
}
