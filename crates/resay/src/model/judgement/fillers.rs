//! Words before and behind a text that add nothing to what it says: "Actually, ...", "... Thanks!".

use std::ops::Range;

const BEFORE: [&str; 11] = [
    "actually,",
    "basically,",
    "by the way,",
    "frankly,",
    "honestly,",
    "i mean,",
    "of course,",
    "oh,",
    "to be honest,",
    "well,",
    "you know,",
];

/// With the mark before them, so that they are no part of the sentence.
const BEHIND: [&str; 9] = [
    ". thank you",
    "! thank you",
    ". thanks",
    "! thanks",
    "? thanks",
    "? thank you",
    ", by the way",
    ", to be honest",
    ", you know",
];

/// The fewest words that a text keeps.
const FEWEST: usize = 3;

/// The part of a text that says something.
pub(super) fn core(text: &str) -> Range<usize> {
    let mut range = trimmed(text, 0..text.len());
    while let Some(shorter) = cut_before(text, range.clone()).or_else(|| cut_behind(text, range.clone())) {
        let shorter = trimmed(text, shorter);
        if text[shorter.clone()].split_whitespace().count() < FEWEST {
            break;
        }
        range = shorter;
    }
    range
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

fn is_alike(part: &str, filler: &str) -> bool {
    part.eq_ignore_ascii_case(filler)
}

fn cut_before(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = &text[range.clone()];
    let begins = |filler: &&&str| part.get(..filler.len()).is_some_and(|begin| is_alike(begin, filler));
    BEFORE.iter().find(begins).map(|filler| range.start + filler.len()..range.end)
}

/// A question keeps its mark, and so its filler.
fn cut_behind(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text[range.clone()].trim_end_matches(['.', '!']);
    let ends = |filler: &&&str| {
        let at = part.len().checked_sub(filler.len());
        at.and_then(|at| part.get(at..)).is_some_and(|end| is_alike(end, filler))
    };
    let filler = BEHIND.iter().find(ends)?;
    // The mark of the sentence before it stays.
    let mark = usize::from(!filler.starts_with(','));
    Some(range.start..range.start + part.len() - filler.len() + mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_are_cut_and_nothing_else() {
        let rows = [
            ("Actually, the shop is closed.", "the shop is closed."),
            ("Well, to be honest, I never liked it, you know.", "I never liked it"),
            (" Please send me the file. Thanks! ", "Please send me the file."),
            ("Can you send me the file? Thank you.", "Can you send me the file?"),
            ("The shop is closed, by the way", "The shop is closed"),
            ("Is the shop closed, by the way?", "Is the shop closed, by the way?"),
            ("He is well, actually.", "He is well, actually."),
            ("Well, no.", "Well, no."),
            ("Thanks!", "Thanks!"),
            ("Öl, Wasser. Thanks", "Öl, Wasser. Thanks"),
            ("", ""),
        ];
        for (text, expected) in rows {
            assert_eq!(&text[core(text)], expected, "{text}");
        }
    }
}
