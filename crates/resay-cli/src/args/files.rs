//! Files and folders that are written. An option that names one has a type of this module, any other path is read: by this
//! alone [`crate::files::check`] knows, before any work is done, that nothing which is read would be overwritten.

use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};
use resay::data::write_whole;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to be written; `-` is standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputFile(PathBuf);

impl OutputFile {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.0 == Path::new("-")
    }

    /// Writes the file whole or not at all. Standard output is the command's own to write to.
    pub(crate) fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> resay::Result<()> {
        write_whole(&self.0, write)
    }
}

/// A folder in which files are written, made if it is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputFolder(PathBuf);

impl OutputFolder {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes one of its files, whole or not at all, and returns where that is.
    pub(crate) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> resay::Result<PathBuf> {
        std::fs::create_dir_all(&self.0).map_err(|error| resay::Error::write(&self.0, error))?;
        let path = self.0.join(name);
        write_whole(&path, write)?;
        Ok(path)
    }
}

impl ValueParserFactory for OutputFile {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self)
    }
}

impl ValueParserFactory for OutputFolder {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::OutputFolder;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// All files of the program's source.
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

    #[test]
    fn a_folder_is_made_when_something_is_written() {
        let above = std::env::temp_dir().join(format!("resay-output-folder-{}", std::process::id()));
        let folder = OutputFolder(above.join("a/b"));
        for content in ["one", "two"] {
            let path = folder.write("x.csv", |file| file.write_all(content.as_bytes())).expect("written");
            assert_eq!(path, above.join("a/b/x.csv"));
            assert_eq!(fs::read_to_string(path).expect("text"), content);
        }
        fs::remove_dir_all(above).expect("removed");
    }
}
