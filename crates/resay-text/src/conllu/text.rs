//! From forms back to a text.
//!
//! Each word has a form and says whether a blank follows. The comment `# text` says the same, with runs of blanks as
//! they were; where it agrees it is taken, and where it does not the forms win, because heads and tags are said of
//! them.

use crate::Span;

/// A word's form, and whether the next word follows without a blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) form: &'a str,
    pub(super) is_glued: bool,
}

/// Joins forms by single blanks, or by nothing where two are glued.
pub(super) fn rebuild(pieces: &[Piece<'_>]) -> (String, Vec<Span>) {
    let mut text = String::with_capacity(pieces.iter().map(|piece| piece.form.len() + 1).sum());
    let mut spans = Vec::with_capacity(pieces.len());
    for (idx, piece) in pieces.iter().enumerate() {
        let start = text.len() as u32;
        text.push_str(piece.form);
        spans.push(Span { start, end: text.len() as u32 });
        if !piece.is_glued && idx + 1 < pieces.len() {
            text.push(' ');
        }
    }
    (text, spans)
}

/// Where the words stand in `text`, if it is their text: the same words with blanks (any number) exactly where the
/// words say that there are some. Around the sentence there may be blanks too.
pub(super) fn locate(text: &str, pieces: &[Piece<'_>]) -> Option<Vec<Span>> {
    let mut spans = Vec::with_capacity(pieces.len());
    let mut rest = text;
    let mut blank_expected = None;
    for piece in pieces {
        let trimmed = rest.trim_start();
        if blank_expected.is_some_and(|expected| expected != (trimmed.len() < rest.len())) {
            return None;
        }
        let start = (text.len() - trimmed.len()) as u32;
        rest = trimmed.strip_prefix(piece.form)?;
        spans.push(Span { start, end: (text.len() - rest.len()) as u32 });
        blank_expected = Some(!piece.is_glued);
    }
    rest.trim_start().is_empty().then_some(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forms split by bars; `+` at the end of one glues the next to it.
    fn pieces(forms: &str) -> Vec<Piece<'_>> {
        forms
            .split('|')
            .map(|form| match form.strip_suffix('+') {
                Some(form) => Piece { form, is_glued: true },
                None => Piece { form, is_glued: false },
            })
            .collect()
    }

    #[test]
    fn forms_become_a_text() {
        let check = |forms: &str, expected: &str| {
            let pieces = pieces(forms);
            let (text, spans) = rebuild(&pieces);
            assert_eq!(text, expected);
            for (piece, span) in pieces.iter().zip(spans) {
                assert_eq!(&text[span.range()], piece.form);
            }
        };
        check("He|left+|.", "He left.");
        check("Done+|.+", "Done.");
        check("10 000|mètres", "10 000 mètres");
    }

    #[test]
    fn a_text_agrees_or_not() {
        let check = |forms: &str, text: &str, expected: Option<&[(u32, u32)]>| {
            let spans = locate(text, &pieces(forms));
            let shown = spans.map(|spans| spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>());
            assert_eq!(shown.as_deref(), expected, "{forms} in {text:?}");
        };
        check("He|left+|.", "He left.", Some(&[(0, 2), (3, 7), (7, 8)]));
        check("He|left+|.", " He \u{a0} left. ", Some(&[(1, 3), (7, 11), (11, 12)]));
        check("10 000|m", "10 000 m", Some(&[(0, 6), (7, 8)]));
        check("He|left+|.", "He left .", None);
        check("He|left|.", "He left.", None);
        check("He|left+|.", "She left.", None);
        check("He|left+|.", "He left. Now", None);
        check("He|left+|.", "He", None);
    }
}
