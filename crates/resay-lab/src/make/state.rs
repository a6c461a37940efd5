//! The current state: the hash of every file that is read or written. Hashing all corpora takes a
//! fraction of a second, so hashes are not cached and file times are ignored.

use super::graph::{Graph, Source};
use crate::files::Folders;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A SHA-256 hash in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Digest(String);

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self::finish(Sha256::new_with_prefix(bytes))
    }

    fn finish(hash: Sha256) -> Self {
        Self(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The hash of a file; `None` if it is missing.
    fn of_file(path: &Path) -> Result<Option<Self>> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        let mut read = || -> std::io::Result<()> {
            let mut file = File::open(path)?;
            loop {
                match file.read(&mut buffer)? {
                    0 => return Ok(()),
                    n => hash.update(&buffer[..n]),
                }
            }
        };
        match read() {
            Ok(()) => Ok(Some(Self::finish(hash))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| path.display().to_string()),
        }
    }
}

/// Hashes of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Hashes of source files, by name.
    pub(crate) sources: BTreeMap<String, Digest>,
    /// Hashes of existing step outputs, by step name.
    pub(crate) outputs: BTreeMap<String, Digest>,
}

impl State {
    /// Hashes the files of some steps. All source files must exist.
    pub(crate) fn look(graph: &Graph, is_in: &[bool], folders: &Folders) -> Result<Self> {
        let steps = || graph.steps().iter().zip(is_in).filter(|(_, is_in)| **is_in).map(|(step, _)| step);
        let sources: BTreeSet<Source> = steps().flat_map(|step| step.sources).copied().collect();
        let sources = sources.into_iter().map(|source| (source.to_string(), folders.source(source))).collect();
        let outputs = steps().map(|step| (step.name.to_owned(), folders.output(step))).collect();
        let (sources, missing) = digests(sources)?;
        if !missing.is_empty() {
            let files: String = missing.iter().map(|path| format!("\n  {}", path.display())).collect();
            bail!(
                "{} files to learn from are missing; put them there, or name the folder of the corpora by --data:{files}",
                missing.len()
            );
        }
        Ok(Self { sources, outputs: digests(outputs)?.0 })
    }
}

/// The hashes of files by name, and the missing files.
fn digests(files: Vec<(String, PathBuf)>) -> Result<(BTreeMap<String, Digest>, Vec<PathBuf>)> {
    let found: Vec<Option<Digest>> = files.par_iter().map(|(_, path)| Digest::of_file(path)).collect::<Result<_>>()?;
    let (mut digests, mut missing) = (BTreeMap::new(), Vec::new());
    for ((name, path), digest) in files.into_iter().zip(found) {
        match digest {
            Some(digest) => _ = digests.insert(name, digest),
            None => missing.push(path),
        }
    }
    Ok((digests, missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_sha_256() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(Digest::of(bytes).0, expected);
        check(b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        check(b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let path = std::env::temp_dir().join(format!("resay-lab-digest-{}", std::process::id()));
        let bytes = vec![7; 600_000];
        std::fs::write(&path, &bytes).unwrap();
        let found = Digest::of_file(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(found, Some(Digest::of(&bytes)));
        assert_eq!(Digest::of_file(&path).unwrap(), None);
    }
}
