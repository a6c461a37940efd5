//! The files inside the program: models of whole tasks, what annotation reads, and tables of word relations. They come
//! from the data crates. Only [`Resources`](crate::resources::Resources) looks here.

use crate::{Error, Result};

/// Models learned from research corpora, which packages from a registry do not have.
const RESEARCH: [&str; 6] = ["align", "chunker", "entailment", "judge-entailment", "judge-paraphrase", "paraphrase"];

/// The aligner.
pub(crate) const ALIGNER: &str = "align";

fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let crates =
        [resay_en_research::files(), resay_en_syntax::files(), resay_en_wordnet::files(), resay_en_words::files()];
    crates.into_iter().flatten().copied()
}

/// The names of all files.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    files().map(|(name, _)| name)
}

/// A file's bytes.
pub(crate) fn bytes(name: &str) -> Result<&'static [u8]> {
    if let Some((_, bytes)) = files().find(|(known, _)| *known == name) {
        return Ok(bytes);
    }
    Err(Error::parameter(if RESEARCH.contains(&name) {
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
        assert!(error.contains("judge-paraphrase, paraphrase, tagger"), "{error}");
    }

    #[test]
    fn research_models_are_those_of_their_crate() {
        assert!(resay_en_research::files().iter().map(|(name, _)| *name).eq(RESEARCH));
    }

    #[test]
    fn all_files_together_are_small() {
        let n_bytes: usize = files().map(|(_, bytes)| bytes.len()).sum();
        assert!(n_bytes < 20 << 20, "{n_bytes} bytes");
    }
}
