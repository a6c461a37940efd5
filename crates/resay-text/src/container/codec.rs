//! Encodes numbers as bytes and decodes them. The reader never trusts a count: a list is rejected
//! if it is longer than the remaining bytes could hold.

use crate::{Error, Result};

/// Writes an unsigned varint: groups of seven bits, lowest first; the top bit marks that more
/// follow.
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Writes a string as its length and its bytes.
pub fn put_str(out: &mut Vec<u8>, string: &str) {
    put(out, string.len() as u64);
    out.extend(string.as_bytes());
}

/// Reads what `put` and related functions have written.
#[derive(Debug)]
pub struct SectionReader<'a> {
    file: &'a str,
    section: &'a str,
    rest: &'a [u8],
}

impl<'a> SectionReader<'a> {
    /// Creates a reader of a section's bytes. The names are used in error messages.
    pub fn new(file: &'a str, section: &'a str, bytes: &'a [u8]) -> Self {
        Self { file, section, rest: bytes }
    }

    /// Returns an error that names file and section.
    #[cold]
    pub fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T> {
        Err(Error::file(self.file, format!("section '{}': {what}: the model is damaged", self.section)))
    }

    /// Reads `len` bytes.
    #[inline]
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => self.fail("it ends too early"),
        }
    }

    /// Reads a number.
    #[inline]
    pub fn number(&mut self) -> Result<u64> {
        // Fast path: most of the millions of numbers in a file take one byte.
        match self.rest {
            [byte @ 0..0x80, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*byte))
            }
            _ => self.long_number(),
        }
    }

    /// Reads a number of more than one byte.
    #[inline(never)]
    fn long_number(&mut self) -> Result<u64> {
        let mut value = 0_u64;
        for (at, &byte) in self.rest.iter().enumerate().take(10) {
            let bits = u64::from(byte & 0x7f);
            if at == 9 && bits > 1 {
                break;
            }
            value |= bits << (7 * at);
            if byte & 0x80 == 0 {
                self.rest = &self.rest[at + 1..];
                return Ok(value);
            }
        }
        self.fail(if self.rest.len() < 10 { "it ends too early" } else { "a number is too large" })
    }

    /// Reads a number below `limit`.
    #[inline]
    pub fn below(&mut self, limit: usize, what: &str) -> Result<u32> {
        let value = self.number()?;
        if value >= limit as u64 || value > u64::from(u32::MAX) {
            return self.fail(format_args!("{what} {value}, expected one below {limit}"));
        }
        Ok(value as u32)
    }

    /// Reads the length of a list whose entries take at least `least` bytes each.
    #[inline]
    pub fn count(&mut self, least: usize) -> Result<usize> {
        let count = self.number()?;
        if count > (self.rest.len() / least.max(1)) as u64 {
            return self.fail(format_args!("a list of {count} entries in {} bytes", self.rest.len()));
        }
        Ok(count as usize)
    }

    /// Reads a string.
    pub fn string(&mut self) -> Result<&'a str> {
        let len = self.count(1)?;
        let bytes = self.bytes(len)?;
        std::str::from_utf8(bytes).or_else(|_| self.fail("a word is not UTF-8"))
    }

    /// Reads a finite `f64`.
    pub fn real(&mut self) -> Result<f64> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.bytes(8)?);
        let value = f64::from_le_bytes(bytes);
        if value.is_finite() { Ok(value) } else { self.fail("a number is not finite") }
    }

    /// Reads a finite `f32`.
    pub fn short_real(&mut self) -> Result<f32> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.bytes(4)?);
        let value = f32::from_le_bytes(bytes);
        if value.is_finite() { Ok(value) } else { self.fail("a number is not finite") }
    }

    /// Fails if bytes are left.
    pub fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { self.fail(format_args!("{} bytes too many", self.rest.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_and_words_come_back(numbers in prop::collection::vec(any::<u64>(), 0..20), word in ".*") {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| put(&mut bytes, number));
            put_str(&mut bytes, &word);
            let mut reader = SectionReader::new("m.resay", "test", &bytes);
            for number in numbers {
                prop_assert_eq!(reader.number().unwrap(), number);
            }
            prop_assert_eq!(reader.string().unwrap(), word);
            prop_assert!(reader.end().is_ok());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = SectionReader::new("m.resay", "test", &bytes);
            while reader.number().is_ok() {}
            let mut reader = SectionReader::new("m.resay", "test", &bytes);
            while reader.string().is_ok() {}
        }
    }

    #[test]
    fn a_count_is_held_against_the_bytes_that_are_left() {
        let mut bytes = Vec::new();
        put(&mut bytes, 1 << 40);
        let error = SectionReader::new("m.resay", "words", &bytes).count(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "m.resay: section 'words': a list of 1099511627776 entries in 0 bytes: the model is damaged"
        );
    }
}
