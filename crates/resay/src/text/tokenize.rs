//! Penn-style tokens with byte spans.

use super::Span;

/// A token: where it stands, and its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Where it stands in the text.
    pub span: Span,
    text: &'a str,
}

impl<'a> Piece<'a> {
    /// The token's form.
    pub fn form(&self) -> &'a str {
        &self.text[self.span.range()]
    }
}

/// Splits a text into tokens. Never fails.
pub fn tokenize(text: &str) -> impl Iterator<Item = Piece<'_>> {
    text.split_whitespace().map(move |token| {
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        Piece { span: Span { start: start as u32, end: (start + token.len()) as u32 }, text }
    })
}
