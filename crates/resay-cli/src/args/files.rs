//! Output files. An option for an output file has a type of this module; any other path is an
//! input. From these types alone, [`crate::files::check`] verifies before any work is done that no
//! input would be overwritten.

use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};
use resay::data::write_whole;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An output file; `-` is standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputFile(PathBuf);

impl OutputFile {
    /// The file of an argument that is not always an output; the command checks its place.
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.0 == Path::new("-")
    }

    /// Writes the file completely or not at all. Commands write to standard output themselves.
    pub(crate) fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> resay::Result<()> {
        write_whole(&self.0, write)
    }
}

impl ValueParserFactory for OutputFile {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns all source files of the program.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("the source").map(|entry| entry.expect("an entry").path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn only_these_types_write_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for path in sources(&folder).into_iter().filter(|path| !path.ends_with(file!())) {
            let source = fs::read_to_string(&path).expect("text");
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for way in ["write_whole", "File::create", "fs::write", "OpenOptions", "create_dir"] {
                assert!(!code.contains(way), "{}: {way}; write through OutputFile", path.display());
            }
        }
    }
}
