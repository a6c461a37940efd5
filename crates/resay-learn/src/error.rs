//! One error type for the whole library. Every message says where, what was expected, and what to do next,
//! because the command line prints it as it is.

use std::io;
use std::path::{Path, PathBuf};

/// The library's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong, sorted by who can put it right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of the user's is not as expected; the line is 1-based.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file as the user named it (`-` is standard input).
        file: String,
        /// 1-based line.
        line: u64,
        /// What was found, what was expected, what to do.
        message: String,
    },
    /// A file of the user's is wrong as a whole.
    #[error("{file}: {message}")]
    File {
        /// The file as the user named it.
        file: String,
        /// What was found, what was expected, what to do.
        message: String,
    },
    /// A parameter is out of range or a kernel expression cannot be read.
    #[error("{0}")]
    Parameter(String),
    /// The data cannot be learned from as asked (one class only, no rules, too few groups ...).
    #[error("{0}")]
    Data(String),
    /// The machine could not do what was asked of it.
    #[error("{0}")]
    Machine(String),
    /// Whoever asked for the work told it to stop; nothing was left half-written.
    #[error("cancelled")]
    Cancelled,
    /// The operating system refused to read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The operating system refused to write; the old file, if there was one, is whole.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// A fault in one line of a file.
    pub fn line(file: &str, line: u64, message: impl Into<String>) -> Self {
        Self::Line { file: file.to_owned(), line, message: message.into() }
    }

    /// A fault in a file as a whole.
    pub fn file(file: &str, message: impl Into<String>) -> Self {
        Self::File { file: file.to_owned(), message: message.into() }
    }

    /// A parameter that cannot be used.
    pub fn parameter(message: impl Into<String>) -> Self {
        Self::Parameter(message.into())
    }

    /// Data that cannot be learned from.
    pub fn data(message: impl Into<String>) -> Self {
        Self::Data(message.into())
    }

    /// A machine that could not do what was asked of it.
    pub fn machine(message: impl Into<String>) -> Self {
        Self::Machine(message.into())
    }

    /// A failed read.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    /// A failed write.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    /// Whether the user's input or usage is at fault (exit status 2) rather than the machine (3).
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Line { .. } | Self::File { .. } | Self::Parameter(_) | Self::Data(_) => true,
            Self::Read { source, .. } => {
                matches!(
                    source.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory
                )
            }
            Self::Machine(_) | Self::Cancelled | Self::Write { .. } => false,
        }
    }
}
