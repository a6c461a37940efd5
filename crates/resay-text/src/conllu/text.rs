//! Rebuilds a text from forms.
//!
//! Each word has a form and a flag whether a space follows. The comment `# text` has the same
//! information, with the original runs of spaces. If the two agree the comment is used; if not the
//! forms win, because heads and tags refer to them.

use crate::Span;

/// A word's form, and whether the next word follows without a space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) form: &'a str,
    pub(super) is_glued: bool,
}

/// Joins forms by single spaces, or directly where two are glued.
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

/// Returns the spans of the words in `text`, if it is their text: the same words, with spaces (any
/// number) exactly where the words have them. Leading and trailing spaces are allowed.
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

    /// Parses forms separated by bars; a trailing `+` glues the next form to it.
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
