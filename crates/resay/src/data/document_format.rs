//! Which format a file of documents is in: said by name, or guessed from its name and first line. As with pairs, what the
//! content says beyond doubt comes before what the name says; all other files are one document a line.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// One JSON object a line: `text`, `labels`, `id`.
    Jsonl,
    /// One document a line, without labels.
    Lines,
    /// The SGML of Reuters-21578.
    Reuters,
}

impl DocumentFormat {
    /// All formats that are read.
    pub const ALL: [Self; 3] = [Self::Jsonl, Self::Lines, Self::Reuters];

    /// The name for `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Lines => "lines",
            Self::Reuters => "reuters",
        }
    }

    /// Guesses from the file's name and its first line that is not blank.
    pub fn guess(file_name: &str, first_line: &[u8]) -> Self {
        let start = first_line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first_line).trim_ascii_start();
        if start.starts_with(b"<!DOCTYPE lewis") || start.starts_with(b"<REUTERS ") {
            return Self::Reuters;
        }
        // A brace and a quote begin an object; a brace or a bracket alone may begin a sentence.
        if start.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\"")) {
            return Self::Jsonl;
        }
        match file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
            Some("jsonl" | "ndjson" | "json") => Self::Jsonl,
            Some("sgm" | "sgml") => Self::Reuters,
            _ => Self::Lines,
        }
    }
}

impl fmt::Display for DocumentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DocumentFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            let name = super::lines::shorten(name);
            Error::parameter(format!("format \"{name}\" is not read for documents; expected one of {known}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses() {
        let check = |name: &str, first_line: &str, expected: DocumentFormat| {
            assert_eq!(DocumentFormat::guess(name, first_line.as_bytes()), expected, "{name} {first_line:?}");
        };
        check("-", "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">", DocumentFormat::Reuters);
        check("a.txt", " <REUTERS TOPICS=\"YES\" NEWID=\"1\">\r\n", DocumentFormat::Reuters);
        check("a.SGM", "", DocumentFormat::Reuters);
        check("-", "<REUTERSX", DocumentFormat::Lines);
        check("-", "\u{feff}{ \"text\": \"a\"}", DocumentFormat::Jsonl);
        check("a.txt", "{\"text\": \"a\"}", DocumentFormat::Jsonl);
        check("a.jsonl", "", DocumentFormat::Jsonl);
        check("a.json", "[", DocumentFormat::Jsonl);
        check("a.txt", "{see below} It rains.", DocumentFormat::Lines);
        check("-", "[1] It rains.", DocumentFormat::Lines);
        check("-", "", DocumentFormat::Lines);
    }

    #[test]
    fn names() {
        for format in DocumentFormat::ALL {
            assert_eq!(format.to_string().parse::<DocumentFormat>().expect("a name"), format);
        }
        assert_eq!(
            "tsv".parse::<DocumentFormat>().expect_err("not read").to_string(),
            "format \"tsv\" is not read for documents; expected one of jsonl, lines, reuters"
        );
    }
}
