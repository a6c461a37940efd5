//! Opens the output of earlier steps.

use crate::files::Files;
use anyhow::Result;
use resay::resources::Resources;
use resay_text::Tagger;
use resay_text::words::Words;

/// The word table.
pub(crate) fn words(files: &Files<'_>) -> Result<Words> {
    Ok(Words::from_bytes("words.resay", &files.made_bytes("words")?)?)
}

/// The tagger.
pub(crate) fn tagger(files: &Files<'_>) -> Result<Tagger> {
    Ok(Tagger::from_bytes("tagger.resay", &files.made_bytes("tagger")?)?)
}

/// All files built so far. Steps train with the files in the folder, never with those compiled into
/// this program.
pub(crate) fn resources(files: &Files<'_>) -> Result<Resources> {
    Ok(Resources::from_files(files.bundled()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Folders;
    use crate::make::graph::Graph;
    use resay_text::Layers;
    use std::path::PathBuf;

    /// A file that was just built is read from the folder: nothing compiled into this program
    /// replaces it.
    #[test]
    fn steps_train_with_the_files_of_the_folder() {
        let models = std::env::temp_dir().join(format!("resay-lab-open-{}", std::process::id()));
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for folder in ["resay-en-words/data", "resay-en-syntax/data"] {
            std::fs::create_dir_all(models.join(folder)).unwrap();
        }
        for file in ["resay-en-words/data/words.resay", "resay-en-syntax/data/tagger.resay"] {
            std::fs::copy(crates.join(file), models.join(file)).unwrap();
        }
        std::fs::write(models.join("resay-en-syntax/data/lemma.resay"), "new").unwrap();
        let graph = Graph::bundled().unwrap();
        let [data, work, repository] = [PathBuf::new(), PathBuf::new(), PathBuf::new()];
        let folders = Folders { data, models: models.clone(), work, repository };
        let files = Files::new(&folders, &graph, graph.find("align").unwrap());
        let resources = resources(&files).unwrap();
        let tags = resources.english(Layers { tags: true, ..Layers::NONE });
        let lemmas = resources.english(Layers::LEMMAS).map(|_| ()).map_err(|error| error.to_string());
        std::fs::remove_dir_all(&models).unwrap();
        assert!(tags.is_ok());
        assert!(lemmas.is_err_and(|error| error.contains("lemma.resay")));
    }
}
