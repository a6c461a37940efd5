//! Where the corpora lie, and the two shapes they come in: plain or gzipped files, and gzipped archives.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Every file that some step reads, below the data folder.
const FILES: [&str; 13] = [
    "UD_English-EWT/en_ewt-ud-train.conllu",
    "UD_English-EWT/en_ewt-ud-dev.conllu",
    "UD_English-EWT/en_ewt-ud-test.conllu",
    "conll2000/train.txt",
    "conll2000/test.txt",
    "ner/uner_ewt/en_ewt-ud-train.commit0c7ce0d.iob2",
    "clusters/en_logprob_browncluster.tsv.gz",
    "glove/glove.100d.top100k.txt.gz",
    "nicknames/names.csv",
    "ppdb/ppdb-1.0-eng-xxxl.pruned-20.lexical.pair.gz",
    "ppdb/ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs",
    "wordnet-3.0.tar.gz",
    "wordnet-ic.tar.gz",
];

/// Says which corpora are there.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn check(data: &Path) -> Result<()> {
    for file in FILES {
        let size = data.join(file).metadata().with_context(|| data.join(file).display().to_string())?.len();
        println!("{size:>10}  {file}");
    }
    Ok(())
}

/// The text of a file, unpacked if its name ends in `.gz`.
pub(crate) fn text(data: &Path, file: &str) -> Result<String> {
    let path = data.join(file);
    let open = || -> Result<String> {
        let mut input = BufReader::new(File::open(&path)?);
        let mut text = String::new();
        if file.ends_with(".gz") {
            flate2::read::GzDecoder::new(input).read_to_string(&mut text)?;
        } else {
            input.read_to_string(&mut text)?;
        }
        Ok(text)
    };
    open().with_context(|| path.display().to_string())
}

/// The text of one file in a `.tar.gz`.
pub(crate) fn archived(data: &Path, archive: &str, file: &str) -> Result<String> {
    let path = data.join(archive);
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
        anyhow::bail!("no file {file} in it")
    };
    open().with_context(|| path.display().to_string())
}
