//! Describes a file format in one row: how to recognise its files and how to read them.
//!
//! A list of formats is an enum, so that callers can name one, and [`FileFormat`] is its interface.
//! The macro `formats!` generates both from rows defined in each format's own file. The lists are
//! in `formats.rs`.

use super::lines::shorten;
use super::reader::{Input, Record, Rows};
use crate::{Error, Result};
use std::fmt;

/// The description of one format for records of type `R`.
#[derive(Debug)]
pub struct FormatRow<R: Record> {
    /// The name that users type.
    pub(super) name: &'static str,
    /// Alternative names that users may type.
    pub(super) other_names: &'static [&'static str],
    /// File name extensions, in lower case.
    pub(super) endings: &'static [&'static str],
    /// Returns whether a first line can belong to no other format, whatever the file is called.
    pub(super) is_certain: fn(&[u8]) -> bool,
    /// Returns whether a first line probably belongs to this format, if the file name does not
    /// tell.
    pub(super) is_likely: fn(&[u8]) -> bool,
    /// What an empty file is missing, for messages.
    pub(super) expected: &'static str,
    /// Starts reading an input. The name is used in messages.
    pub(super) open: Open<R>,
}

/// The type of [`FormatRow::open`].
type Open<R> =
    for<'a> fn(name: &str, input: Input<'a>, options: &<R as Record>::Options) -> Result<Box<dyn Rows<R> + 'a>>;

impl<R: Record> FormatRow<R> {
    /// A format that is never recognised automatically.
    pub(super) const fn new(name: &'static str, expected: &'static str, open: Open<R>) -> Self {
        Self { name, other_names: &[], endings: &[], is_certain: |_| false, is_likely: |_| false, expected, open }
    }
}

/// A list of formats for one type of record.
pub trait FileFormat: Copy + Eq + fmt::Debug + 'static {
    /// The type of record that is read.
    type Record: Record<Format = Self>;
    /// All formats.
    const ALL: &'static [Self];
    /// What is read, as a noun for messages.
    const READS: &'static str;
    /// The fallback for files that match no format. Its reader reports what is missing.
    const OTHERWISE: Self;

    /// Returns the description of the format.
    fn row(self) -> &'static FormatRow<Self::Record>;

    /// Returns the name that users type.
    fn name(self) -> &'static str {
        self.row().name
    }

    /// Lists the names of all formats, for messages.
    fn names() -> String {
        Self::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// Finds a format by its name or one of its alternative names.
    fn by_name(name: &str) -> Result<Self> {
        let is_meant = |format: &Self| format.name() == name || format.row().other_names.contains(&name);
        Self::ALL.iter().copied().find(is_meant).ok_or_else(|| {
            let (name, reads, known) = (shorten(name), Self::READS, Self::names());
            Error::parameter(format!("format \"{name}\" is not read for {reads}; expected one of {known}"))
        })
    }

    /// Guesses the format from the file name and the first non-blank line. A certain match of the
    /// line wins over the file name, and the file name wins over a likely match of the line.
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

/// Generates the enum for a list of formats and its implementation from the rows.
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
