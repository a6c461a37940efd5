//! The subset of SGML needed for Reuters-21578: elements located by their tags, attributes,
//! references, bytes in Latin-1. Everything runs in linear time and accepts any bytes: whatever is
//! neither tag nor reference is text.

/// Counts line breaks.
pub(super) fn n_lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Returns the first position of `tag`, which starts with `<`.
pub(super) fn find(bytes: &[u8], tag: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        from += bytes.get(from..)?.iter().position(|byte| *byte == b'<')?;
        if bytes[from..].starts_with(tag) {
            return Some(from);
        }
        from += 1;
    }
}

/// Returns the first position of an opening tag. `open` is `<` and the complete tag name.
pub(super) fn find_open(bytes: &[u8], open: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        from += find(bytes.get(from..)?, open)?;
        if bytes.get(from + open.len()).is_some_and(|next| ends_name(*next)) {
            return Some(from);
        }
        from += open.len();
    }
}

/// Returns whether this byte ends a tag name.
pub(super) fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'>'
}

/// An error and its position in the document.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

pub(super) fn fault(at: usize, message: impl Into<String>) -> Fault {
    Fault { at, message: message.into() }
}

/// An element of a document: `whole` includes the tags, `inner` does not.
pub(super) struct Element {
    pub(super) whole: std::ops::Range<usize>,
    pub(super) inner: std::ops::Range<usize>,
}

/// Finds the first `<name>` or `<name ...>` in `bytes[from..to]`, if any. A missing end tag is an
/// error.
pub(super) fn element(bytes: &[u8], (from, to): (usize, usize), name: &str) -> Result<Option<Element>, Fault> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let Some(at) = find_open(&bytes[from..to], open.as_bytes()) else { return Ok(None) };
    let start = from + at;
    let not_closed =
        || fault(start, format!("<{name}> is not closed: expected {close} before the end of its document"));
    let inner_start = start + 1 + bytes[start..to].iter().position(|byte| *byte == b'>').ok_or_else(not_closed)?;
    let inner_end = inner_start + find(&bytes[inner_start..to], close.as_bytes()).ok_or_else(not_closed)?;
    Ok(Some(Element { whole: start..inner_end + close.len(), inner: inner_start..inner_end }))
}

/// Returns the value of an attribute in ` NAME="value" NAME='value' NAME=value`.
pub(super) fn attribute<'b>(tag: &'b [u8], name: &[u8]) -> Option<&'b [u8]> {
    let mut rest = tag.trim_ascii();
    while let Some(equals) = rest.iter().position(|byte| *byte == b'=') {
        let found = rest[..equals].trim_ascii_end();
        // The name is the last word; words before it have no value.
        let found = found.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        rest = rest[equals + 1..].trim_ascii_start();
        let quote = rest.first().copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let start = usize::from(quote.is_some());
        let ends = |byte: &u8| quote.map_or(byte.is_ascii_whitespace(), |quote| *byte == quote);
        let end = start + rest[start..].iter().position(ends).unwrap_or(rest.len() - start);
        if found == name {
            return Some(&rest[start..end]);
        }
        rest = &rest[(end + start).min(rest.len())..];
    }
    None
}

/// Decodes Latin-1 bytes: resolves references, and replaces control characters except line breaks
/// and tabs by blanks. An `&` that begins no known reference is kept.
pub(super) fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (character, length) = match byte {
            b'&' => reference(&bytes[at..]).unwrap_or(('&', 1)),
            _ => (char::from(byte), 1),
        };
        text.push(if character.is_control() && !matches!(character, '\n' | '\t') { ' ' } else { character });
        at += length;
    }
    text
}

/// Decodes the reference `&...;` at the beginning of `bytes`. Returns the character and the number
/// of bytes.
fn reference(bytes: &[u8]) -> Option<(char, usize)> {
    // The longest reference is `&#1114111;`.
    let end = bytes.iter().take(10).position(|byte| *byte == b';')?;
    let character = match &bytes[1..end] {
        b"lt" => '<',
        b"gt" => '>',
        b"amp" => '&',
        [b'#', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            let number = digits.iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
            char::from_u32(number)?
        }
        _ => return None,
    };
    Some((character, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements() {
        let check = |input: &str, expected: Option<(&str, &str)>| {
            let found = element(input.as_bytes(), (0, input.len()), "D").ok().flatten();
            assert_eq!(found.map(|found| (&input[found.whole], &input[found.inner])), expected, "{input}");
        };
        check("a<D>b</D>c<D>d</D>", Some(("<D>b</D>", "b")));
        check("<DX>a</DX><D Y='1'\n>b</D>", Some(("<D Y='1'\n>b</D>", "b")));
        check("<D></D>", Some(("<D></D>", "")));
        for none in ["", "<", "<D", "<D>", "<D</D", "</D><D>", "<D </D", "<d></d>"] {
            check(none, None);
        }
        assert_eq!(element(b"x<D><D>", (0, 7), "D").err().map(|fault| fault.at), Some(1));
    }

    #[test]
    fn attributes() {
        let check = |tag: &str, expected: Option<&str>| {
            assert_eq!(attribute(tag.as_bytes(), b"ID"), expected.map(str::as_bytes), "{tag}");
        };
        check(" ID=\"1\" X=\"2\"", Some("1"));
        check(" X = '2' ID = 'a b' ", Some("a b"));
        check(" X=2 ID=1", Some("1"));
        check(" CSECS ID=1", Some("1"));
        check(" XID=\"1\" Y=\"ID=2\"", None);
        check(" ID=\"1", Some("1"));
        check(" X=\"1\"ID=\"2\"", Some("2"));
        check(" ID=", Some(""));
        check("ID", None);
        check("=", None);
    }

    #[test]
    fn references() {
        let check = |input: &[u8], expected: &str| assert_eq!(decode(input), expected);
        check(b"&lt;&gt;&amp;&#65;&#233;&#8364;&#1114111;", "<>&Aé€\u{10ffff}");
        check(b"&amp;lt;", "&lt;");
        check(b"a&#0;&#3;&#127;&#150;b&#10;c&#13;d", "a    b\nc d");
        check(
            b"&;&#;&#x41;&quot;&lt &#1114112;&#55296;&#99999999999999999999;&",
            "&;&#;&#x41;&quot;&lt &#1114112;&#55296;&#99999999999999999999;&",
        );
        check(b"\0\x1f\x7f\x80\x9f\xa0\xff\t\r\n", "     \u{a0}ÿ\t \n");
    }
}
