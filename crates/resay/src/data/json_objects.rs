//! Reads the objects of a JSON file one by one, from an array or in sequence.
//!
//! An array is often written on one line, however long the file, so reading by lines is not an
//! option. The reader follows brackets and strings byte by byte and holds at most one object. It
//! does not parse the object. It passes the text to `json.rs` with line breaks replaced by blanks,
//! so that positions in it are relative to the start of the object.

use super::lines::MAX_LINE;
use crate::{Error, Result};
use std::io::BufRead;
use std::path::Path;

/// The reader's state outside objects. It determines what may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the first object or array.
    Start,
    /// After the bracket that opens the array.
    Opened,
    /// After a comma in the array.
    Comma,
    /// After an object in the array.
    Item,
    /// After the bracket that closes the array.
    Closed,
    /// After an object outside an array.
    Single,
}

impl Place {
    fn expected(self) -> &'static str {
        match self {
            Self::Start => "a list of objects or an object, [ or {",
            Self::Opened => "an object or the end of the list, { or ]",
            Self::Comma => "an object, {",
            Self::Item => "another object or the end of the list, a comma or ]",
            Self::Closed => "nothing behind the list",
            Self::Single => "another object, {",
        }
    }
}

/// Reads objects from `input`. `name` is used in messages.
#[derive(Debug)]
pub(super) struct ObjectReader<R> {
    name: String,
    input: R,
    line: u64,
    place: Place,
    /// How many bytes of a byte order mark have been read.
    n_mark: usize,
}

const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

impl<R: BufRead> ObjectReader<R> {
    pub(super) fn new(name: &str, input: R) -> Self {
        Self { name: name.to_owned(), input, line: 1, place: Place::Start, n_mark: 0 }
    }

    /// Makes an error for a line.
    pub(super) fn error(&self, line: u64, message: impl Into<String>) -> Error {
        Error::line(&self.name, line, message)
    }

    /// Returns the text of the next object and the line on which it starts, or `None` at the end.
    pub(super) fn next_object(&mut self) -> Result<Option<(u64, String)>> {
        while let Some(byte) = self.next_byte()? {
            if self.place == Place::Start && self.n_mark < 3 && byte == BYTE_ORDER_MARK[self.n_mark] {
                self.n_mark += 1;
                continue;
            }
            self.place = match (self.place, byte) {
                (_, b' ' | b'\t' | b'\n' | b'\r') => continue,
                (Place::Start, b'[') => Place::Opened,
                (Place::Opened | Place::Item, b']') => Place::Closed,
                (Place::Item, b',') => Place::Comma,
                (Place::Start | Place::Single, b'{') => {
                    self.place = Place::Single;
                    return self.rest_of_object().map(Some);
                }
                (Place::Opened | Place::Comma, b'{') => {
                    self.place = Place::Item;
                    return self.rest_of_object().map(Some);
                }
                (place, byte) => {
                    let (found, expected) = (byte.escape_ascii(), place.expected());
                    return Err(self.error(self.line, format!("found \"{found}\", expected {expected}")));
                }
            };
        }
        match self.place {
            Place::Opened | Place::Comma | Place::Item => {
                let expected = self.place.expected();
                Err(self.error(self.line, format!("the file ends inside the list; expected {expected}")))
            }
            Place::Start | Place::Closed | Place::Single => Ok(None),
        }
    }

    /// Reads the rest of an object, from after its opening brace to its closing brace.
    fn rest_of_object(&mut self) -> Result<(u64, String)> {
        let start = self.line;
        let mut bytes = vec![b'{'];
        let (mut depth, mut is_string, mut is_escaped) = (1_usize, false, false);
        while depth > 0 {
            let Some(byte) = self.next_byte()? else {
                return Err(self.error(start, "the file ends inside the object that starts here; expected }"));
            };
            if bytes.len() == MAX_LINE {
                return Err(self.error(
                    start,
                    format!(
                        "the object is longer than {MAX_LINE} bytes, the most that is read; expected one pair an object"
                    ),
                ));
            }
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_string => is_escaped = true,
                b'"' => is_string = !is_string,
                b'{' if !is_string => depth += 1,
                b'}' if !is_string => depth -= 1,
                _ => {}
            }
            bytes.push(if matches!(byte, b'\n' | b'\r') && !is_string { b' ' } else { byte });
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            self.error(
                start,
                format!(
                    "byte {} of the object that starts here is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
                    place + 1
                ),
            )
        })?;
        Ok((start, text))
    }

    fn next_byte(&mut self) -> Result<Option<u8>> {
        let byte = loop {
            match self.input.fill_buf() {
                Ok(bytes) => break bytes.first().copied(),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(source) => return Err(Error::read(Path::new(&self.name), source)),
            }
        };
        if let Some(byte) = byte {
            self.input.consume(1);
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn read(input: &[u8], chunk: usize) -> Result<Vec<(u64, String)>> {
        let mut objects = ObjectReader::new("f", BufReader::with_capacity(chunk, input));
        std::iter::from_fn(|| objects.next_object().transpose()).collect()
    }

    #[test]
    fn objects_in_lists_and_in_lines() {
        let check = |input: &str, expected: &[(u64, &str)]| {
            for chunk in [1, 4096] {
                let found = read(input.as_bytes(), chunk).expect(input);
                let found: Vec<(u64, &str)> = found.iter().map(|(line, text)| (*line, text.as_str())).collect();
                assert_eq!(found, expected, "{input:?}");
            }
        };
        check("", &[]);
        check("\u{feff} \n[ ]\n", &[]);
        check("[{},{}]", &[(1, "{}"), (1, "{}")]);
        check("\u{feff}[\n\t{\"a\":\r\n1}\n\t,\n\n{}\n]\n", &[(2, "{\"a\":  1}"), (6, "{}")]);
        check("{}\n{}{}\r\n\r\n{}", &[(1, "{}"), (2, "{}"), (2, "{}"), (4, "{}")]);
        check(r#"{"a":"}\"}","b":{"c":"{"}}"#, &[(1, r#"{"a":"}\"}","b":{"c":"{"}}"#)]);
        check(r#"{"a":"\\"}{"\\\"{":1}"#, &[(1, r#"{"a":"\\"}"#), (1, r#"{"\\\"{":1}"#)]);
        check("{\"a\nb\":1}", &[(1, "{\"a\nb\":1}")]);
    }

    #[test]
    fn faults() {
        let check = |input: &[u8], expected: &str| {
            for chunk in [1, 4096] {
                assert_eq!(read(input, chunk).expect_err(expected).to_string(), expected);
            }
        };
        check(b"\n0-0", "f:2: found \"0\", expected a list of objects or an object, [ or {");
        check(b"[,", "f:1: found \",\", expected an object or the end of the list, { or ]");
        check(b"[{},]", "f:1: found \"]\", expected an object, {");
        check(b"[{}\n{}]", "f:2: found \"{\", expected another object or the end of the list, a comma or ]");
        check(b"[{}]\n{}", "f:2: found \"{\", expected nothing behind the list");
        check(b"{},{}", "f:1: found \",\", expected another object, {");
        check(b"[[{}]]", "f:1: found \"[\", expected an object or the end of the list, { or ]");
        check(
            b"[\n{}\n",
            "f:3: the file ends inside the list; expected another object or the end of the list, a comma or ]",
        );
        check(b"[", "f:1: the file ends inside the list; expected an object or the end of the list, { or ]");
        check(b"\n{\"a\n}\n", "f:2: the file ends inside the object that starts here; expected }");
        check(
            b"{}\n{\"caf\xe9\":1}",
            "f:2: byte 6 of the object that starts here is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
        );
        check(b"\xff\xfe[\0", "f:1: found \"\\xff\", expected a list of objects or an object, [ or {");
        check(b"\xef\xbb\xbf\xef", "f:1: found \"\\xef\", expected a list of objects or an object, [ or {");
    }

    #[test]
    fn an_object_without_end_does_not_fill_the_memory() {
        let object = |n: usize| format!("{{{}}}", " ".repeat(n));
        assert_eq!(read(object(MAX_LINE - 2).as_bytes(), 4096).expect("fits").len(), 1);
        assert_eq!(
            read(object(MAX_LINE - 1).as_bytes(), 4096).expect_err("too long").to_string(),
            "f:1: the object is longer than 1048576 bytes, the most that is read; expected one pair an object"
        );
    }
}
