//! The `.resay` container: named sections after a bounded header, safe to open from untrusted
//! sources.
//!
//! ```text
//! 8 bytes   0x89 "RESAY" CR LF      (a text-mode copy breaks it visibly)
//! u32 LE    version of the format
//! u32 LE    length of the header, at most 1 MiB
//! u32 LE    checksum of the header
//! header    JSON: { about, sections: [{ name, packed, unpacked, checksum }] }
//! sections  zlib, in the header's order, nothing between or after
//! ```
//!
//! No allocation trusts the file alone: lengths are checked against the available bytes, and
//! against the maximum compression ratio, before anything is unpacked. Checksums are verified
//! before anything is parsed.

use crate::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const MAGIC: [u8; 8] = *b"\x89RESAY\r\n";
/// The format version that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;
/// The longest header, in bytes.
pub const MAX_HEADER: usize = 1 << 20;
/// The largest file and the largest unpacked section, in bytes.
pub const MAX_SIZE: usize = 1 << 30;
/// Maximum compression ratio. zlib reaches about 1:1030; our sections stay below 1:20.
const MAX_RATIO: usize = 64;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header<A> {
    about: A,
    sections: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    packed: usize,
    unpacked: usize,
    checksum: u32,
}

/// An unpacked file.
#[derive(Debug)]
pub struct Container<A> {
    /// The description in the header.
    pub about: A,
    sections: Vec<(String, Vec<u8>)>,
}

impl<A: Clone + Serialize + DeserializeOwned> Container<A> {
    /// Creates a container without sections.
    pub fn new(about: A) -> Self {
        Self { about, sections: Vec::new() }
    }

    /// Adds a section.
    pub fn push(&mut self, name: impl Into<String>, bytes: Vec<u8>) {
        self.sections.push((name.into(), bytes));
    }

    /// Returns the number of sections.
    pub fn n_sections(&self) -> usize {
        self.sections.len()
    }

    /// Whether a section with this name exists.
    pub fn has(&self, name: &str) -> bool {
        self.sections.iter().any(|(known, _)| known == name)
    }

    /// Returns the bytes of a section. `file` is used in the error message if it is missing.
    pub fn section(&self, file: &str, name: &str) -> Result<&[u8]> {
        match self.sections.iter().find(|(known, _)| known == name) {
            Some((_, bytes)) => Ok(bytes),
            None => Err(Error::file(file, format!("the model has no section '{name}': it was not written by resay"))),
        }
    }

    /// Builds the whole file.
    pub fn pack(&self) -> Result<Vec<u8>> {
        let packed: Vec<Vec<u8>> = self.sections.iter().map(|(_, bytes)| squeezed(bytes)).collect();
        let entries = self.sections.iter().zip(&packed).map(|((name, bytes), packed)| Entry {
            name: name.clone(),
            packed: packed.len(),
            unpacked: bytes.len(),
            checksum: crc32fast::hash(packed),
        });
        let header = Header { about: self.about.clone(), sections: entries.collect() };
        let header = serde_json::to_vec(&header).map_err(|error| Error::data(format!("model header: {error}")))?;
        if header.len() > MAX_HEADER {
            return Err(Error::data("the model's description is longer than 1 MiB: use a shorter note or fewer costs"));
        }
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(crc32fast::hash(&header).to_le_bytes());
        file.extend(header);
        packed.iter().for_each(|section| file.extend(section));
        Ok(file)
    }

    /// Reads the description without unpacking anything. `name` is used in error messages.
    pub fn describe(name: &str, bytes: &[u8]) -> Result<A> {
        Ok(Self::header(name, bytes)?.0.about)
    }

    /// Reads the header. Returns it and the bytes after it.
    fn header<'a>(name: &str, bytes: &'a [u8]) -> Result<(Header<A>, &'a [u8])> {
        let fail = |message: String| Err(Error::file(name, message));
        let truncated = |what: &str| fail(format!("the model is cut off in its {what}: copy or train it again"));
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
            return fail("not a Resay model: expected a file written by 'resay train'".to_owned());
        }
        let word = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let (Some(version), Some(header_len), Some(checksum)) = (word(8), word(12), word(16)) else {
            return truncated("first bytes");
        };
        if version == 0 || version > VERSION {
            return fail(format!(
                "model format {version}, this program reads format {VERSION}: use another version of resay"
            ));
        }
        let header_len = header_len as usize;
        if header_len > MAX_HEADER {
            return fail(format!(
                "a header of {header_len} bytes, at most {MAX_HEADER} are allowed: the model is damaged"
            ));
        }
        let Some(header) = bytes.get(20..20 + header_len) else { return truncated("header") };
        if crc32fast::hash(header) != checksum {
            return fail("the checksum of the header differs: the model was altered or damaged".to_owned());
        }
        let header = match serde_json::from_slice(header) {
            Ok(header) => header,
            Err(error) => return fail(format!("the header cannot be read ({error}): the model is damaged")),
        };
        Ok((header, &bytes[20 + header_len..]))
    }

    /// Unpacks a file. `name` is used in error messages.
    pub fn unpack(name: &str, bytes: &[u8]) -> Result<Self> {
        let fail = |message: String| Err(Error::file(name, message));
        let (header, mut rest) = Self::header(name, bytes)?;
        let mut container = Self::new(header.about);
        for entry in header.sections {
            let section = format!("section '{}'", entry.name);
            if entry.packed > rest.len() {
                return fail(format!("the model is cut off in its {section}: copy or train it again"));
            }
            let (packed, after) = rest.split_at(entry.packed);
            rest = after;
            if crc32fast::hash(packed) != entry.checksum {
                return fail(format!("the checksum of {section} differs: the model was altered or damaged"));
            }
            if !is_believed(packed.len(), entry.unpacked) {
                return fail(format!("{section} claims to unpack to {} bytes: the model is damaged", entry.unpacked));
            }
            match miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, entry.unpacked) {
                Ok(unpacked) if unpacked.len() == entry.unpacked => container.push(entry.name, unpacked),
                _ => return fail(format!("{section} cannot be unpacked: the model is damaged")),
            }
        }
        if !rest.is_empty() {
            return fail(format!("{} bytes after the last section: the model is damaged", rest.len()));
        }
        Ok(container)
    }
}

/// Whether a claimed unpacked size is plausible. Otherwise a small file could fill the memory.
fn is_believed(packed: usize, unpacked: usize) -> bool {
    unpacked <= MAX_SIZE && unpacked <= packed.saturating_mul(MAX_RATIO).saturating_add(4096)
}

/// Compresses a section, but not beyond the ratio that a reader accepts.
fn squeezed(bytes: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6);
    if is_believed(packed.len(), bytes.len()) { packed } else { miniz_oxide::deflate::compress_to_vec_zlib(bytes, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compresses_too_well_comes_back_all_the_same() {
        for n_bytes in [0, 5000, 1 << 20] {
            let mut container = Container::new("about".to_owned());
            container.push("zeros", vec![0; n_bytes]);
            let file = container.pack().unwrap();
            let back = Container::<String>::unpack("m.resay", &file).unwrap();
            assert_eq!(back.section("m.resay", "zeros").unwrap().len(), n_bytes);
        }
    }
}
