//! Which format a file is in: said by name, or guessed from its name and first line. The guess looks at what cannot be
//! chance (the header of the paraphrase corpus, XML, a line of annotated words, an object), and everything else is taken for a table, whose reader
//! then says what it misses.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A format of labelled pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tab-separated columns with a header row; quotes are literal.
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// The MSR Paraphrase Corpus.
    Msrp,
    /// The XML of the Recognizing Textual Entailment challenges, 1 to 5.
    Rte,
    /// Questions with candidate sentences, annotated: answer sentence selection of the TREC questions.
    Trecqa,
    /// Annotated pairs of Heilman and Smith (2010).
    HeilmanSmith,
}

impl Format {
    /// All formats that are read.
    pub const ALL: [Self; 6] = [Self::Tsv, Self::Jsonl, Self::Msrp, Self::Rte, Self::Trecqa, Self::HeilmanSmith];

    /// The name for `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tsv => "tsv",
            Self::Jsonl => "jsonl",
            Self::Msrp => "msrp",
            Self::Rte => "rte",
            Self::Trecqa => "trecqa",
            Self::HeilmanSmith => "heilman-smith",
        }
    }

    /// Guesses from the file's name and its first line that is not blank. What the content says beyond doubt comes
    /// before what the name says.
    pub fn guess(file_name: &str, first_line: &[u8]) -> Self {
        let start = first_line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first_line).trim_ascii_start();
        if start.starts_with(b"Quality\t#1 ID\t") {
            return Self::Msrp;
        }
        const XML: [&[u8]; 6] =
            [b"<?xml", b"<entailment-corpus", b"<devset", b"<testset", b"<pair", b"<!DOCTYPE entailment-corpus"];
        if XML.iter().any(|opening| start.starts_with(opening)) {
            return Self::Rte;
        }
        if start.starts_with(b"<QApairs") {
            return Self::Trecqa;
        }
        if super::heilman_smith::looks_right(start) {
            return Self::HeilmanSmith;
        }
        match file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
            Some("tsv") => return Self::Tsv,
            Some("jsonl" | "ndjson" | "json") => return Self::Jsonl,
            Some("xml") => return Self::Rte,
            _ => {}
        }
        // A list is no line of pairs either, but the reader of objects says so best.
        if matches!(start.first(), Some(b'{' | b'[')) { Self::Jsonl } else { Self::Tsv }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            Error::parameter(format!(
                "format \"{}\" is not read; expected one of {}",
                super::lines::shorten(name),
                known.join(", ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses() {
        let check = |name: &str, first_line: &str, expected: Format| {
            assert_eq!(Format::guess(name, first_line.as_bytes()), expected, "{name} {first_line:?}");
        };
        check("a.txt", "\u{feff}Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n", Format::Msrp);
        check("a.tsv", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", Format::Msrp);
        check("-", "<?xml version=\"1.0\"?>", Format::Rte);
        check("-", "<entailment-corpus challenge=\"1\">", Format::Rte);
        check("-", "\u{feff}  <devset>", Format::Rte);
        check("-", "<testset>", Format::Rte);
        check("-", "<pair id=\"1\">", Format::Rte);
        check("-", "<!DOCTYPE entailment-corpus SYSTEM \"rte.dtd\">", Format::Rte);
        check("a.xml", "<QApairs id='1'>", Format::Trecqa);
        check("a.xml", "<other>", Format::Rte);
        check("a.tsv", "1\ta\tX\tR\t0\tO\tfalse\t1\tb\tX\tR\t0\tO\tfalse\t1\r\n", Format::HeilmanSmith);
        check("-", "1\ta\tb", Format::Tsv);
        check("-", " {\"source\": \"a\"}", Format::Jsonl);
        check("a.jsonl", "source\ttarget", Format::Jsonl);
        check("A.JSONL", "", Format::Jsonl);
        check("-", "[", Format::Jsonl);
        check("a.tsv", "{\tsource\ttarget", Format::Tsv);
        check("-", "source\ttarget", Format::Tsv);
        check("-", "", Format::Tsv);
    }

    #[test]
    fn names() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse::<Format>().expect("a name"), format);
        }
        assert_eq!(
            "pharaoh".parse::<Format>().expect_err("not read").to_string(),
            "format \"pharaoh\" is not read; expected one of tsv, jsonl, msrp, rte, trecqa, heilman-smith"
        );
    }
}
