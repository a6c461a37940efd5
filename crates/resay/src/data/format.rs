//! What a format is: one row that says how its files are told from others and how they are read.
//!
//! A list of formats is an enum, so that callers can name one, and [`FileFormat`] is all that can be asked of it. The
//! macro `formats!` writes both from rows that the formats' own files hold; `formats.rs` has the lists.

use super::lines::shorten;
use super::reader::{Input, Record, Rows};
use crate::{Error, Result};
use std::fmt;

/// What is to be known about one format of records `R`.
#[derive(Debug)]
pub struct FormatRow<R: Record> {
    /// The name that users type.
    pub(super) name: &'static str,
    /// Other names that they may type.
    pub(super) other_names: &'static [&'static str],
    /// How names of such files end, in lower case.
    pub(super) endings: &'static [&'static str],
    /// Whether a first line can be of no other format, whatever the file is called.
    pub(super) is_certain: fn(&[u8]) -> bool,
    /// Whether a first line is most likely of this format, where the file's name says nothing.
    pub(super) is_likely: fn(&[u8]) -> bool,
    /// What a file without rows lacks.
    pub(super) expected: &'static str,
    /// Starts to read an input, which the user calls by this name.
    pub(super) open: Open<R>,
}

/// See [`FormatRow::open`].
type Open<R> =
    for<'a> fn(name: &str, input: Input<'a>, options: &<R as Record>::Options) -> Result<Box<dyn Rows<R> + 'a>>;

impl<R: Record> FormatRow<R> {
    /// A format whose files are told from others by nothing.
    pub(super) const fn new(name: &'static str, expected: &'static str, open: Open<R>) -> Self {
        Self { name, other_names: &[], endings: &[], is_certain: |_| false, is_likely: |_| false, expected, open }
    }
}

/// A list of formats, all of one kind of record.
pub trait FileFormat: Copy + Eq + fmt::Debug + 'static {
    /// What is read.
    type Record: Record<Format = Self>;
    /// All formats.
    const ALL: &'static [Self];
    /// What is read, in a word for messages.
    const READS: &'static str;
    /// The format of a file that looks like none of the others; its reader says what it misses.
    const OTHERWISE: Self;

    /// How files of the format are told and read.
    fn row(self) -> &'static FormatRow<Self::Record>;

    /// The name that users type.
    fn name(self) -> &'static str {
        self.row().name
    }

    /// The names of all formats, for messages.
    fn names() -> String {
        Self::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// The format by this name, or by another of its names.
    fn by_name(name: &str) -> Result<Self> {
        let is_meant = |format: &Self| format.name() == name || format.row().other_names.contains(&name);
        Self::ALL.iter().copied().find(is_meant).ok_or_else(|| {
            let (name, reads, known) = (shorten(name), Self::READS, Self::names());
            Error::parameter(format!("format \"{name}\" is not read for {reads}; expected one of {known}"))
        })
    }

    /// Guesses from the file's name and its first line that is not blank. What the line says beyond doubt comes before
    /// what the name says, and that before what the line makes likely.
    fn guess(file_name: &str, first_line: &[u8]) -> Self {
        let mut start = first_line;
        // Some files begin with several byte order marks.
        while let Some(rest) = start.strip_prefix(b"\xef\xbb\xbf") {
            start = rest;
        }
        let start = start.trim_ascii();
        let file_name = file_name.to_ascii_lowercase();
        let is_certain = |format: &&Self| (format.row().is_certain)(start);
        let is_named = |format: &&Self| format.row().endings.iter().any(|ending| file_name.ends_with(ending));
        let is_likely = |format: &&Self| (format.row().is_likely)(start);
        let all = || Self::ALL.iter();
        let found = all().find(is_certain).or_else(|| all().find(is_named)).or_else(|| all().find(is_likely));
        found.copied().unwrap_or(Self::OTHERWISE)
    }
}

/// Writes the enum of a list of formats and all that follows from its rows.
macro_rules! formats {
    (
        $(#[$about:meta])*
        $format:ident of $record:ty, options $options:ty, reads $reads:literal, rows $rows:literal,
        otherwise $otherwise:ident;
        $($(#[$what:meta])* $variant:ident: $row:path,)+
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $format {
            $($(#[$what])* $variant,)+
        }

        impl FileFormat for $format {
            type Record = $record;
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const READS: &'static str = $reads;
            const OTHERWISE: Self = Self::$otherwise;

            fn row(self) -> &'static FormatRow<$record> {
                match self {
                    $(Self::$variant => &$row,)+
                }
            }
        }

        impl Record for $record {
            type Format = $format;
            type Options = $options;
            const ROWS: &'static str = $rows;
        }

        impl fmt::Display for $format {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $format {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self> {
                Self::by_name(name)
            }
        }
    };
}

pub(super) use formats;
