//! Tokens that do not start with a letter or digit: punctuation, quotes, emoticons, emoji,
//! mentions, signs.

use super::{Cut, Source, class, lists, word};

/// Returns where the token that starts at `start` ends. There is no word character at `start`.
pub(super) fn scan(source: &Source, start: usize) -> Cut {
    let byte = source.byte(start);
    if let Some(end) = emoticon_end(source, start) {
        return Cut::at(end);
    }
    match byte {
        b'.' if source.byte(start + 1).is_ascii_digit() && begins_number(source, start) => {
            word::scan(source, start + 1)
        }
        b'.' | b'!' | b'?' => Cut::at(stop_end(source, start)),
        b'\'' | b'`' => apostrophe(source, start, 1),
        // A sign before a number: "-5" is a number in Penn style only, "+44" is a dialling code
        // everywhere.
        b'-' | b'+' if (byte == b'+' || !source.web) && is_signed(source, start, 1) => word::scan(source, start + 1),
        b'-' | b'=' => Cut::at(arrow_end(source, start)),
        b'<' if matches!(source.byte(start + 1), b'-' | b'=') => Cut::at(run_end(source, start + 1)),
        b'>' if source.byte(start + 1) == b'=' => Cut::at(start + 2),
        b'@' => Cut::at(name_end(source, start)),
        b'#' => Cut::at(name_end(source, start).max(run_end(source, start))),
        b'*' | b'~' | b'+' | b'<' | b'>' | b'_' | b'$' => Cut::at(run_end(source, start)),
        0x80.. => beyond_ascii(source, start),
        _ => Cut::at(start + 1),
    }
}

fn beyond_ascii(source: &Source, start: usize) -> Cut {
    // The caller is on a character boundary; if not, the next byte is closer to one.
    let Some(character) = source.char(start) else { return Cut::at(start + 1) };
    let len = character.len_utf8();
    match character {
        '\u{2212}' if !source.web && is_signed(source, start, len) => word::scan(source, start + len),
        '…' => {
            let rest = source.text.get(start..).unwrap_or("");
            Cut::at(start + rest.len() - rest.trim_start_matches(['…', '.']).len())
        }
        '–' | '—' | '―' => {
            let rest = source.text.get(start..).unwrap_or("");
            Cut::at(start + rest.len() - rest.trim_start_matches(character).len())
        }
        _ if class::is_apostrophe(character) => apostrophe(source, start, len),
        _ if class::is_regional(character) => {
            let second = source.char(start + len).filter(|&next| class::is_regional(next));
            Cut::at(start + len + second.map_or(0, char::len_utf8))
        }
        _ if class::is_emoji(character) => Cut::at(emoji_end(source, start)),
        _ => Cut::at(start + len),
    }
}

/// Returns the end of sentence-final marks: they run together ("?!", "!!!"), but several full stops
/// only with each other ("..."); a single one joins other marks (".?").
fn stop_end(source: &Source, start: usize) -> usize {
    let is_dots = |at: usize| source.byte(at) == b'.' && source.byte(at + 1) == b'.';
    if is_dots(start) {
        return run_end(source, start);
    }
    let mut end = start + 1;
    while matches!(source.byte(end), b'.' | b'!' | b'?') && !is_dots(end) {
        end += 1;
    }
    end
}

/// Returns the end of a run of the byte at `start`.
fn run_end(source: &Source, start: usize) -> usize {
    let sign = source.byte(start);
    start + source.bytes().iter().skip(start).take_while(|byte| **byte == sign).count()
}

/// "--", "---===", and arrows.
fn arrow_end(source: &Source, start: usize) -> usize {
    let mut end = run_end(source, start);
    if end > start + 1 {
        end += source.bytes().iter().skip(end).take_while(|byte| matches!(byte, b'-' | b'=')).count();
    }
    if source.byte(end) == b'>' { end + 1 } else { end }
}

/// Whether a number may start at `start`, the position of its sign or decimal point: nothing before
/// it could belong to it.
fn begins_number(source: &Source, start: usize) -> bool {
    source.is_free(start) || matches!(source.byte(start - 1), b'(' | b'[' | b'$' | b'=' | b'"' | b'-' | b'+' | b'~')
}

fn is_signed(source: &Source, start: usize, len: usize) -> bool {
    let digits = start + len + usize::from(source.byte(start + len) == b'.');
    source.byte(digits).is_ascii_digit()
        && (source.is_free(start) || matches!(source.byte(start - 1), b'(' | b'[' | b'$' | b'='))
}

/// Scans a clitic, a word or year with an elided start, or a quote. Two single quotes are one
/// token.
fn apostrophe(source: &Source, start: usize, len: usize) -> Cut {
    let behind = start + len;
    let is_free = source.is_free(start);
    if let Some(end) = source.clitic_end(behind) {
        // The letter in 's' is quoted, not a clitic.
        if !is_free || source.apostrophe_len(end) == 0 {
            return Cut::at(end);
        }
    }
    // No elided word has more than eight letters.
    let letters = (0..9).take_while(|offset| source.byte(behind + offset).is_ascii_alphanumeric()).count();
    let word = source.slice(behind, behind + letters);
    let ends = source.word_len(behind + letters) == 0;
    if ends && word.eq_ignore_ascii_case(b"tis") {
        return Cut { end: behind + 1, next_end: behind + 3 };
    }
    if ends && word.eq_ignore_ascii_case(b"twas") {
        return Cut { end: behind + 1, next_end: behind + 4 };
    }
    let closes = source.apostrophe_len(behind + letters) > 0;
    let is_n = word.eq_ignore_ascii_case(b"n");
    if ends && lists::elided(word) && (!closes || is_n) {
        // "'n'" keeps both its apostrophes.
        return Cut::at(behind + letters + if is_n { source.apostrophe_len(behind + letters) } else { 0 });
    }
    let is_year = matches!(word, [a, b] | [a, b, b's'] if a.is_ascii_digit() && b.is_ascii_digit());
    if ends && is_year && !closes && !source.byte(start.wrapping_sub(1)).is_ascii_digit() {
        return Cut::at(behind + letters);
    }
    Cut::at(behind + source.apostrophe_len(behind))
}

/// "@name" and "#topic": letters, digits and underscores, with at least one letter; else just the
/// sign.
fn name_end(source: &Source, start: usize) -> usize {
    let mut end = start + 1;
    let mut has_letter = false;
    loop {
        let len = source.word_len(end).max(usize::from(source.byte(end) == b'_'));
        if len == 0 {
            break;
        }
        has_letter |= source.char(end).is_some_and(char::is_alphabetic);
        end += len;
        end += source.marks_len(end);
    }
    if has_letter { end } else { start + 1 }
}

/// Returns the end of an emoji, its modifiers, and further emoji joined to it.
fn emoji_end(source: &Source, start: usize) -> usize {
    let mut end = start;
    let mut is_joined = true;
    while let Some(character) = source.char(end) {
        if class::is_extend(character) || class::is_skin_tone(character) {
            is_joined = character == '\u{200D}';
        } else if is_joined && class::is_emoji(character) {
            is_joined = false;
        } else {
            break;
        }
        end += character.len_utf8();
    }
    end
}

/// Returns the end of an emoticon: eyes, an optional nose, a mouth; and a few of other shapes. If
/// the mouth is also ordinary punctuation or a letter, whitespace must precede the emoticon.
fn emoticon_end(source: &Source, start: usize) -> Option<usize> {
    let is_free = || source.is_free(start);
    let ends = |end: usize| source.word_len(end) == 0;
    match source.byte(start) {
        b':' | b';' | b'=' => {
            let mut mouth_at = start + 1;
            if source.byte(mouth_at) == b'\'' {
                mouth_at += 1;
            }
            if matches!(source.byte(mouth_at), b'-' | b'^') {
                mouth_at += 1;
            }
            let has_nose = mouth_at > start + 1;
            let mouth = source.byte(mouth_at);
            let is_mouth = match mouth {
                b')' | b'(' => true,
                b'D' | b'P' | b'p' | b'O' | b'o' | b'3' => is_free(),
                b']' | b'[' | b'}' | b'{' | b'|' | b'\\' | b'*' => has_nose || is_free(),
                b'/' => (has_nose || is_free()) && source.byte(mouth_at + 1) != b'/',
                _ => false,
            };
            if !is_mouth || !ends(mouth_at + 1) {
                return None;
            }
            // ":)))" is one smile; the second of two brackets more likely closes an open one.
            let end = run_end(source, mouth_at);
            Some(if end - mouth_at > 2 { end } else { mouth_at + 1 })
        }
        b'(' if source.byte(start + 1) == b':' && is_free() => {
            let end = start + 2;
            (end >= source.text.len() || source.byte(end).is_ascii_whitespace()).then_some(end)
        }
        b'<' if source.byte(start + 1) == b'3' && ends(start + 2) && is_free() => Some(start + 2),
        b'>' if matches!(source.slice(start + 1, start + 3), b":(" | b":)") && is_free() => Some(start + 3),
        b'^' if source.slice(start, start + 3) == b"^_^" => Some(start + 3),
        b'-' if source.slice(start, start + 3) == b"-_-" && is_free() => Some(start + 3),
        _ => None,
    }
}
