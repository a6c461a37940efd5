//! URLs and e-mail addresses: tokens that override every other rule.

use super::Source;

/// Longer local parts and domains are invalid (RFC 5321), and a limit keeps the time linear on
/// hostile text.
const LONGEST_LOCAL: usize = 64;
const LONGEST_DOMAIN: usize = 255;

/// Returns the end of the e-mail address that starts at `start` and whose '@' is at `at_sign`, if
/// it is one. A domain needs a letter but no dot: "Smith@ACME" is an address inside a company.
pub(super) fn email_end(source: &Source, start: usize, at_sign: usize) -> Option<usize> {
    if at_sign - start > LONGEST_LOCAL {
        return None;
    }
    let is_local = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-=".contains(byte);
    if source.byte(at_sign) != b'@' || !source.slice(start, at_sign).iter().all(is_local) {
        return None;
    }
    let domain = source.bytes().get(at_sign + 1..)?;
    let is_domain = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte);
    let mut len = domain.iter().take(LONGEST_DOMAIN).take_while(is_domain).count();
    while len > 0 && !domain[len - 1].is_ascii_alphanumeric() {
        len -= 1;
    }
    let domain = &domain[..len];
    let begins_well = domain.first().is_some_and(u8::is_ascii_alphanumeric);
    (begins_well && domain.iter().any(u8::is_ascii_alphabetic)).then_some(at_sign + 1 + len)
}

/// Returns the end of a URL that was scanned up to `from`: everything up to whitespace, a quote or
/// an angle bracket, minus the punctuation that belongs to the sentence. A closing bracket belongs
/// to the URL if the URL opened it. `None` if nothing is left.
pub(super) fn url_end(source: &Source, from: usize) -> Option<usize> {
    let rest = source.text.get(from..)?;
    let is_end = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '"' | '<' | '>' | '“' | '”' | '«' | '»')
    };
    let mut url = rest.split(is_end).next().unwrap_or("");
    // The surplus of ')' over '(' in the URL.
    let mut surplus: i64 = url.bytes().map(|byte| i64::from(byte == b')') - i64::from(byte == b'(')).sum();
    while let Some(last) = url.chars().next_back() {
        match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '’' | '‘' | '…' | ']' | '}' | '*' | '|' => {}
            ')' if surplus > 0 => surplus -= 1,
            '(' => surplus += 1,
            _ => break,
        }
        url = &url[..url.len() - last.len_utf8()];
    }
    (!url.is_empty()).then_some(from + url.len())
}

/// If the ASCII letters from `start` to `colon` are the scheme of a URL, returns where its next
/// part starts.
pub(super) fn after_scheme(source: &Source, start: usize, colon: usize) -> Option<usize> {
    let scheme = source.slice(start, colon);
    if scheme.len() > 12 || !scheme.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    if source.slice(colon + 1, colon + 3) == b"//" {
        return Some(colon + 3);
    }
    (scheme.eq_ignore_ascii_case(b"mailto") && source.byte(colon + 1).is_ascii_alphanumeric()).then_some(colon + 1)
}

/// Whether the dotted word that ends at `end`, and whose last label starts at `label`, could be a
/// host name.
pub(super) fn is_host(source: &Source, label: usize, end: usize) -> bool {
    let label = source.slice(label, end);
    (2..=12).contains(&label.len()) && label.iter().all(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the URL at the start of `text`, scanned from byte `from`.
    fn check(text: &str, from: usize, expected: Option<&str>) {
        let found = url_end(&Source { text, web: false }, from).map(|end| &text[..end]);
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_url_leaves_the_sentence_its_punctuation() {
        check("http://a.org/b?c=1#d, and", 7, Some("http://a.org/b?c=1#d"));
        check("http://a.org/x_(y)).", 7, Some("http://a.org/x_(y)"));
        check("http://a.org/x_(y", 7, Some("http://a.org/x_(y"));
        check("http://a.org/!?.\"", 7, Some("http://a.org/"));
        check("http://...", 7, None);
        check("http://", 7, None);
    }

    #[test]
    fn an_address_needs_a_local_part_and_a_domain_with_a_letter() {
        let check = |text: &str, expected: Option<usize>| {
            let at_sign = text.find('@').unwrap_or(text.len());
            assert_eq!(email_end(&Source { text, web: false }, 0, at_sign), expected, "{text:?}");
        };
        check("ann.b+c@mail.example.org.", Some(24));
        check("ann@example", Some(11));
        check("ann@-example", None);
        check("3@3.5", None);
        check("ann", None);
        check("a b@c.d", None);
    }
}
