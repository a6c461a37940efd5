//! The text under the scanner, with queries about positions in it. Every query reads a bounded
//! number of bytes, or bytes that the caller then consumes. This makes the tokeniser linear.

use super::class;

/// Where a token ends, and where the next one must end if that is already known (else 0): "don't"
/// is found as a whole and split in two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) end: usize,
    pub(super) next_end: usize,
}

impl Cut {
    pub(super) fn at(end: usize) -> Self {
        Self { end, next_end: 0 }
    }
}

/// The text, with queries about single positions. Positions past the end are allowed and empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    /// Whether to follow the Web Treebank.
    pub(super) web: bool,
}

impl<'a> Source<'a> {
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Returns the byte at `at`; 0 past the end. Callers compare with printable bytes only, so a
    /// real NUL is harmless.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// Returns the bytes of a range; empty if it exceeds the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes().get(start..end).unwrap_or(&[])
    }

    /// Returns the character that starts at `at`.
    #[inline]
    pub(super) fn char(&self, at: usize) -> Option<char> {
        match self.bytes().get(at) {
            Some(&byte) if byte < 0x80 => Some(byte as char),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    /// Returns the character that ends at `at`.
    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    /// Returns the length in bytes of the letter or digit at `at`; 0 if there is none. The
    /// underscore does not count: it joins.
    #[inline]
    pub(super) fn word_len(&self, at: usize) -> usize {
        match self.bytes().get(at) {
            None => 0,
            Some(byte) if byte.is_ascii() => usize::from(byte.is_ascii_alphanumeric()),
            Some(_) => self.char(at).filter(|&character| class::is_word(character)).map_or(0, char::len_utf8),
        }
    }

    /// Returns the length in bytes of the marks at `at`.
    #[inline]
    pub(super) fn marks_len(&self, at: usize) -> usize {
        let mut end = at;
        while self.byte(end) >= 0x80 {
            match self.char(end) {
                Some(character) if class::is_extend(character) => end += character.len_utf8(),
                _ => break,
            }
        }
        end - at
    }

    /// Returns the length in bytes of the apostrophe at `at`; 0 if there is none.
    pub(super) fn apostrophe_len(&self, at: usize) -> usize {
        self.char(at).filter(|&character| class::is_apostrophe(character)).map_or(0, char::len_utf8)
    }

    /// Whether whitespace or the start of the text precedes `at`.
    pub(super) fn is_free(&self, at: usize) -> bool {
        self.char_before(at).is_none_or(char::is_whitespace)
    }

    /// Returns the position of the first non-whitespace character from `at` on. Skips only a few,
    /// to stay linear: more whitespace usually means a new paragraph, and so a new text.
    pub(super) fn after_blanks(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        rest.char_indices().take(5).find(|(_, character)| !character.is_whitespace()).map(|(offset, _)| at + offset)
    }

    /// Returns the end of the clitic whose letters start at `at`, right after its apostrophe: 's 'm
    /// 'd 'll 're 've.
    pub(super) fn clitic_end(&self, at: usize) -> Option<usize> {
        let len = match [self.byte(at) | 0x20, self.byte(at + 1) | 0x20] {
            [b'l', b'l'] | [b'r' | b'v', b'e'] => 2,
            [b's' | b'm' | b'd', _] => 1,
            _ => return None,
        };
        (self.word_len(at + len) == 0).then_some(at + len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clitics_end_where_no_letter_follows() {
        let check = |text: &str, expected: Option<usize>| {
            assert_eq!(Source { text, web: false }.clitic_end(0), expected, "{text:?}");
        };
        check("s", Some(1));
        check("ll go", Some(2));
        check("VE,", Some(2));
        check("so", None);
        check("l", None);
        check("sé", None);
        check("", None);
    }

    #[test]
    fn places_past_the_end_hold_nothing() {
        let source = Source { text: "é", web: false };
        assert_eq!((source.byte(9), source.char(9), source.word_len(9), source.after_blanks(9)), (0, None, 0, None));
        assert_eq!((source.char(1), source.word_len(0), source.marks_len(2)), (None, 2, 0));
        assert!(source.is_free(0) && !source.is_free(2));
    }

    #[test]
    fn only_a_few_blanks_are_looked_past() {
        let after = |text| Source { text, web: false }.after_blanks(0);
        assert_eq!((after("a"), after(" \u{A0}a"), after("         a"), after("  ")), (Some(0), Some(3), None, None));
    }
}
