//! Which format a file of alignments is in: said by name, or guessed from its first line, since each of the three begins
//! in a way the others cannot.

use super::alignment::parse_links;
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A format of aligned pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignmentFormat {
    /// JSON objects, in a list or one after another: `source`, `target`, `sureAlign`. Edinburgh++ is in this format.
    Json,
    /// Three lines a pair, as the alignments of RTE-2 by Microsoft Research (2006).
    Msr06,
    /// One pair a line, links only: `0-0 1-2`.
    Pharaoh,
}

impl AlignmentFormat {
    /// All formats that are read.
    pub const ALL: [Self; 3] = [Self::Json, Self::Msr06, Self::Pharaoh];

    /// The name for `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Msr06 => "msr06",
            Self::Pharaoh => "pharaoh",
        }
    }

    /// Guesses from the file's name and its first line that is not blank.
    pub fn guess(file_name: &str, first_line: &[u8]) -> Self {
        let mut start = first_line;
        // The original files of MSR06 begin with several byte order marks.
        while let Some(rest) = start.strip_prefix(b"\xef\xbb\xbf") {
            start = rest;
        }
        let start = start.trim_ascii();
        if start.starts_with(b"#") {
            return Self::Msr06;
        }
        if start.starts_with(b"[") || start.starts_with(b"{") {
            return Self::Json;
        }
        if !start.is_empty() && std::str::from_utf8(start).is_ok_and(|line| parse_links(line).is_ok()) {
            return Self::Pharaoh;
        }
        let file_name = file_name.to_ascii_lowercase();
        match file_name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("json" | "jsonl" | "ndjson") => Self::Json,
            Some("txt") if file_name.ends_with(".align.txt") => Self::Msr06,
            _ => Self::Pharaoh,
        }
    }
}

impl fmt::Display for AlignmentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AlignmentFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if name == "edinburgh" {
            return Ok(Self::Json);
        }
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            let name = super::lines::shorten(name);
            Error::parameter(format!("format \"{name}\" is not read for alignments; expected one of {known}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses() {
        let check = |name: &str, first_line: &str, expected: AlignmentFormat| {
            assert_eq!(AlignmentFormat::guess(name, first_line.as_bytes()), expected, "{name} {first_line:?}");
        };
        check("-", "# sentence pair 1\r\n", AlignmentFormat::Msr06);
        check("a.json", "\u{feff}\u{feff}# sentence pair 1\n", AlignmentFormat::Msr06);
        check("a.align.txt", "", AlignmentFormat::Msr06);
        check("-", "\u{feff}[\n", AlignmentFormat::Json);
        check("a.txt", " {\"source\": \"a\"", AlignmentFormat::Json);
        check("a.JSON", "", AlignmentFormat::Json);
        check("a.json", "0-0 1-1\n", AlignmentFormat::Pharaoh);
        check("a.align.txt", "0-0", AlignmentFormat::Pharaoh);
        check("a.txt", "0-0 x", AlignmentFormat::Pharaoh);
        check("-", "", AlignmentFormat::Pharaoh);
    }

    #[test]
    fn names() {
        for format in AlignmentFormat::ALL {
            assert_eq!(format.to_string().parse::<AlignmentFormat>().expect("a name"), format);
        }
        assert_eq!("edinburgh".parse::<AlignmentFormat>().expect("a second name"), AlignmentFormat::Json);
        assert_eq!(
            "tsv".parse::<AlignmentFormat>().expect_err("not read").to_string(),
            "format \"tsv\" is not read for alignments; expected one of json, msr06, pharaoh"
        );
    }
}
