//! File locations and access. A step may only read the files declared in its row of the table. If
//! it read others, it would not run again when they change.

use crate::make::graph::{Graph, Source, Step};
use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// The folders.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    /// The corpora.
    pub(crate) data: PathBuf,
    /// The crates: those with the bundled files, and the lab itself with the build record.
    pub(crate) models: PathBuf,
    /// Intermediate files that are not bundled.
    pub(crate) work: PathBuf,
    /// The repository, with hand-written training data.
    pub(crate) repository: PathBuf,
}

impl Folders {
    pub(crate) fn source(&self, source: Source) -> PathBuf {
        match source {
            Source::Corpus(file) => self.data.join(file),
            Source::Own(file) => self.repository.join(file),
        }
    }

    /// The output file of a step.
    pub(crate) fn output(&self, step: &Step) -> PathBuf {
        if step.is_bundled { self.models.join(step.output) } else { self.work.join(step.output) }
    }
}

/// The files of one step.
pub(crate) struct Files<'a> {
    folders: &'a Folders,
    graph: &'a Graph,
    step: &'a Step,
}

impl<'a> Files<'a> {
    pub(crate) fn new(folders: &'a Folders, graph: &'a Graph, step: &'a Step) -> Self {
        Self { folders, graph, step }
    }

    /// The step that reads and writes them.
    #[cfg(test)]
    pub(crate) fn step(&self) -> &'a Step {
        self.step
    }

    /// All bundled files by name.
    pub(crate) fn bundled(&self) -> impl Iterator<Item = (&'static str, PathBuf)> {
        let bundled = self.graph.steps().iter().filter(|step| step.is_bundled);
        bundled.map(|step| (step.name, self.folders.output(step)))
    }

    /// The output file of this step.
    pub(crate) fn output(&self) -> PathBuf {
        self.folders.output(self.step)
    }

    /// The corpora of the step, in the order of its row.
    pub(crate) fn corpora(&self) -> Vec<PathBuf> {
        let corpora = self.step.sources.iter().filter(|source| matches!(source, Source::Corpus(_)));
        corpora.map(|&source| self.folders.source(source)).collect()
    }

    /// The folder of corpora and that of the repository, for steps that read whole folders: their rows
    /// name every file.
    pub(crate) fn roots(&self) -> (PathBuf, PathBuf) {
        (self.folders.data.clone(), self.folders.repository.clone())
    }

    /// The path of another step's output.
    pub(crate) fn made(&self, name: &str) -> Result<PathBuf> {
        self.declared(self.step.needs.contains(&name), name)?;
        let path = self.folders.output(self.graph.find(name)?);
        ensure!(path.is_file(), "{}: not there: make it with 'resay-lab make {name}'", path.display());
        Ok(path)
    }

    /// The bytes of another step's output.
    pub(crate) fn made_bytes(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.made(name)?;
        std::fs::read(&path).with_context(|| path.display().to_string())
    }

    /// The text of another step's output.
    pub(crate) fn made_text(&self, name: &str) -> Result<String> {
        let path = self.made(name)?;
        std::fs::read_to_string(&path).with_context(|| path.display().to_string())
    }

    /// The text of a corpus, decompressed if its name ends in `.gz`.
    pub(crate) fn text(&self, file: &str) -> Result<String> {
        self.corpus(file).and_then(|path| text(&path))
    }

    /// The bytes of a corpus.
    pub(crate) fn bytes(&self, file: &str) -> Result<Vec<u8>> {
        let path = self.corpus(file)?;
        std::fs::read(&path).with_context(|| path.display().to_string())
    }

    /// The text of one file in a `.tar.gz` corpus.
    pub(crate) fn archived(&self, archive: &str, file: &str) -> Result<String> {
        let path = self.corpus(archive)?;
        let open = || -> Result<String> {
            let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(BufReader::new(File::open(&path)?)));
            for entry in archive.entries()? {
                let mut entry = entry?;
                if entry.path()?.ends_with(file) {
                    let mut text = String::new();
                    entry.read_to_string(&mut text)?;
                    return Ok(text);
                }
            }
            bail!("no file {file} in it")
        };
        open().with_context(|| path.display().to_string())
    }

    /// The path and text of a file of the repository.
    pub(crate) fn own_text(&self, file: &str) -> Result<(PathBuf, String)> {
        let is_it = |source: &Source| matches!(source, Source::Own(own) if *own == file);
        self.declared(self.step.sources.iter().any(is_it), file)?;
        let path = self.folders.repository.join(file);
        text(&path).map(|text| (path, text))
    }

    fn corpus(&self, file: &str) -> Result<PathBuf> {
        let is_it = |source: &Source| matches!(source, Source::Corpus(corpus) if *corpus == file);
        self.declared(self.step.sources.iter().any(is_it), file)?;
        Ok(self.folders.data.join(file))
    }

    fn declared(&self, is_declared: bool, file: &str) -> Result<()> {
        ensure!(
            is_declared,
            "{file}: the step {} reads it, but its row in make/graph.rs does not say so",
            self.step.name
        );
        Ok(())
    }
}

/// The text of a file, decompressed if its name ends in `.gz`.
pub(crate) fn text(path: &Path) -> Result<String> {
    let open = || -> Result<String> {
        let mut input = BufReader::new(File::open(path)?);
        let mut text = String::new();
        if path.extension().is_some_and(|extension| extension == "gz") {
            flate2::read::GzDecoder::new(input).read_to_string(&mut text)?;
        } else {
            input.read_to_string(&mut text)?;
        }
        Ok(text)
    };
    open().with_context(|| path.display().to_string())
}
