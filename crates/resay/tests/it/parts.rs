//! Unpacks and repacks model files using only the documented format, to get past the checksums.

#![allow(dead_code, reason = "each test uses some of it")]

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib;
use serde_json::{Value, json};

/// An unpacked file: its raw parts, with sections decompressed.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) version: u32,
    pub(crate) about: Value,
    /// Name and content.
    pub(crate) sections: Vec<(String, Vec<u8>)>,
}

pub(crate) const MAGIC: &[u8] = b"\x89RESAY\r\n";
/// Offset of the header: after the magic bytes, the version, its length and its checksum.
pub(crate) const HEADER: usize = 20;

pub(crate) fn take_apart(bytes: &[u8]) -> Parts {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(&bytes[..8], MAGIC);
    let start = HEADER + word(12) as usize;
    let header: Value = serde_json::from_slice(&bytes[HEADER..start]).unwrap();
    let mut at = start;
    let mut sections = Vec::new();
    for entry in header["sections"].as_array().unwrap() {
        let packed = entry["packed"].as_u64().unwrap() as usize;
        let content = decompress_to_vec_zlib(&bytes[at..at + packed]).unwrap();
        sections.push((entry["name"].as_str().unwrap().to_owned(), content));
        at += packed;
    }
    assert_eq!(at, bytes.len());
    Parts { version: word(8), about: header["about"].clone(), sections }
}

impl Parts {
    pub(crate) fn entry(name: &str, packed: &[u8], unpacked: usize) -> Value {
        json!({ "name": name, "packed": packed.len(), "unpacked": unpacked, "checksum": crc32fast::hash(packed) })
    }

    /// Packs the file with correct lengths and checksums. `lie` may alter the header.
    pub(crate) fn pack_lying(&self, lie: impl Fn(&mut Value)) -> Vec<u8> {
        let packed: Vec<Vec<u8>> = self.sections.iter().map(|(_, bytes)| compress_to_vec_zlib(bytes, 1)).collect();
        let named = self.sections.iter().zip(&packed);
        let entries: Vec<Value> = named.map(|((name, all), packed)| Self::entry(name, packed, all.len())).collect();
        let mut header = json!({ "about": self.about, "sections": entries });
        lie(&mut header);
        let header = serde_json::to_vec(&header).unwrap();
        let mut file = MAGIC.to_vec();
        file.extend(self.version.to_le_bytes());
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(crc32fast::hash(&header).to_le_bytes());
        file.extend(header);
        file.extend(packed.concat());
        file
    }

    pub(crate) fn pack(&self) -> Vec<u8> {
        self.pack_lying(|_| {})
    }

    pub(crate) fn section(&mut self, name: &str) -> &mut Vec<u8> {
        &mut self.sections.iter_mut().find(|(known, _)| known == name).expect(name).1
    }

    pub(crate) fn with(&self, name: &str, content: Vec<u8>) -> Vec<u8> {
        let mut parts = self.clone();
        *parts.section(name) = content;
        parts.pack()
    }

    pub(crate) fn with_kernel(&self, kernel: &str) -> Vec<u8> {
        let mut parts = self.clone();
        parts.about["kernel"] = json!(kernel);
        parts.pack()
    }
}
