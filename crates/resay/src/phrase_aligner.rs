//! [`PhraseAligner`]: which words and phrases of two texts correspond.

use crate::align::Decode;
use crate::model::{AlignModel, AlignedText, AnyModel, Header};
use crate::resources::Resources;
use crate::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// An aligner of words and phrases: the bundled one, or one of your own. Clones share it.
///
/// ```
/// use resay::prelude::*;
///
/// let aligner = PhraseAligner::bundled()?;
/// let found = aligner.align("Anna bought the house.", "The house was bought by Anna.")?;
/// let words: Vec<(&str, &str)> = found
///     .alignment
///     .pairs()
///     .into_iter()
///     .map(|(source, target)| (found.source.form(source as usize), found.target.form(target as usize)))
///     .collect();
/// assert!(words.contains(&("bought", "bought")) && words.contains(&("Anna", "Anna")));
/// # Ok::<(), resay::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PhraseAligner {
    model: Arc<AlignModel>,
}

impl PhraseAligner {
    /// The bundled aligner.
    pub fn bundled() -> Result<Self> {
        Self::open("align", &Resources::bundled())
    }

    /// Opens an aligner by the name of a bundled one or by the path of its file.
    pub fn open(name_or_path: impl AsRef<Path>, resources: &Resources) -> Result<Self> {
        let path = name_or_path.as_ref();
        match AnyModel::resolve(path, resources)? {
            AnyModel::Align(model) => Ok(Self { model: Arc::new(*model) }),
            other => {
                let message = format!("a model of the task '{}', expected one that aligns", other.header().task);
                Err(Error::file(&path.display().to_string(), message))
            }
        }
    }

    /// Aligns two sentences; links are those that the model is sure enough of.
    pub fn align(&self, source: &str, target: &str) -> Result<AlignedText> {
        self.model.align(source, target, Decode::Confident(None))
    }

    /// What the aligner says of itself.
    pub fn header(&self) -> &Header {
        &self.model.about().header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_does_not_align_is_refused() {
        let error = PhraseAligner::open("paraphrase", &Resources::bundled()).unwrap_err().to_string();
        assert_eq!(error, "paraphrase: a model of the task 'paraphrase', expected one that aligns");
        assert_eq!(PhraseAligner::bundled().unwrap().header().task, "align");
    }
}
