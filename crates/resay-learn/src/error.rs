//! The error type shared by the whole library. Every message says where, what was expected and what
//! to do next, because the command line prints it verbatim.

use std::io;
use std::path::{Path, PathBuf};

/// The result type of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong, grouped by who can fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A line of a user's file is malformed.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file as the user named it (`-` is standard input).
        file: String,
        /// Line number, 1-based.
        line: u64,
        /// What was found, what was expected and what to do.
        message: String,
    },
    /// A user's file is invalid as a whole.
    #[error("{file}: {message}")]
    File {
        /// The file as the user named it.
        file: String,
        /// What was found, what was expected and what to do.
        message: String,
    },
    /// A parameter is out of range, or a kernel expression does not parse.
    #[error("{0}")]
    Parameter(String),
    /// The data does not allow the requested training or evaluation (only one class, no rules, too
    /// few groups ...).
    #[error("{0}")]
    Data(String),
    /// The system failed to do what was requested.
    #[error("{0}")]
    Machine(String),
    /// The caller cancelled the work. Nothing is left half-written.
    #[error("cancelled")]
    Cancelled,
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file could not be written. An existing file is left intact.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl Error {
    /// An error in one line of a file.
    pub fn line(file: &str, line: u64, message: impl Into<String>) -> Self {
        Self::Line { file: file.to_owned(), line, message: message.into() }
    }

    /// An error in a file as a whole.
    pub fn file(file: &str, message: impl Into<String>) -> Self {
        Self::File { file: file.to_owned(), message: message.into() }
    }

    /// An invalid parameter.
    pub fn parameter(message: impl Into<String>) -> Self {
        Self::Parameter(message.into())
    }

    /// Data that cannot be trained on or evaluated.
    pub fn data(message: impl Into<String>) -> Self {
        Self::Data(message.into())
    }

    /// A failure of the system.
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

    /// Whether the user's input or usage is at fault (exit status 2) rather than the system (exit
    /// status 3).
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
