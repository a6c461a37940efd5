//! Decides which numbers with hyphens or slashes web text keeps whole.

use super::Source;

/// Whether groups of digits with hyphens are a telephone number or a date: three or more groups, or
/// two if the second has four digits and the first does not (four and four are years). The number
/// starts at `start`; the hyphen, `len` bytes long, is at `at`.
pub(super) fn is_telephone_number(source: &Source, start: usize, at: usize, len: usize) -> bool {
    let before = tail(source, start, at);
    let second = digits(source, at + len);
    let third = at + len + second;
    before.contains(&b'-')
        || (source.byte(third) == b'-' && source.byte(third + 1).is_ascii_digit())
        || (second == 4 && before.len() != 4 && before.iter().all(|byte| byte.is_ascii_digit() || *byte == b'/'))
}

/// Whether groups of digits with slashes are a date: three groups, or two that can be a month and a
/// day and do not look like a fraction ("9/11", not "2/3"). Three digits before the slash are the
/// area code of a telephone number, which stays whole too. The number starts at `start`; the slash
/// is at `at`.
pub(super) fn is_date(source: &Source, start: usize, at: usize) -> bool {
    let before = tail(source, start, at);
    let len = digits(source, at + 1);
    let behind = source.slice(at + 1, at + 1 + len);
    let third = at + 1 + len;
    if before.contains(&b'/') || (source.byte(third) == b'/' && source.byte(third + 1).is_ascii_digit()) {
        return true;
    }
    match (value(before), value(behind)) {
        (Some(first), Some(second)) => {
            (before.len() == 3 && len == 3)
                || ((1..=12).contains(&first) && (1..=31).contains(&second) && (first > second || second > 9))
                || (first <= 12 && behind.first() == Some(&b'0'))
        }
        _ => false,
    }
}

/// Returns the last bytes read so far. No relevant group of digits is longer, and a number of a
/// megabyte must not be read again at each of its hyphens.
fn tail<'a>(source: &Source<'a>, start: usize, at: usize) -> &'a [u8] {
    source.slice(start.max(at.saturating_sub(16)), at)
}

/// Returns the number of digits at `at`, up to 8.
fn digits(source: &Source, at: usize) -> usize {
    (0..8).take_while(|offset| source.byte(at + offset).is_ascii_digit()).count()
}

/// Returns the value of one to three digits.
fn value(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 3 {
        return None;
    }
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephone_numbers_but_not_ranges() {
        let check = |text: &str, expected: bool| {
            let at = text.find('-').expect("a hyphen");
            assert_eq!(is_telephone_number(&Source { text, web: true }, 0, at, 1), expected, "{text}");
        };
        check("555-1234", true);
        check("555/123-4567", true);
        check("1-800-555", true);
        check("10-12", false);
        check("1999-2003", false);
        check("1.5-2", false);
    }

    #[test]
    fn dates_but_not_fractions() {
        let check = |text: &str, expected: bool| {
            let at = text.find('/').expect("a slash");
            assert_eq!(is_date(&Source { text, web: true }, 0, at), expected, "{text}");
        };
        check("9/11", true);
        check("10/12/2003", true);
        check("3/03", true);
        check("555/123-4567", true);
        check("1/2", false);
        check("20/20", false);
        check("2001/02", false);
    }
}
