//! Escaping for markup: text is never interpreted as markup, and none of it is invisible.

/// Escapes text for a page or a drawing, between tags or in quotes. Characters that would be
/// invisible, or would change the rendering of the rest, are written out.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Makes invisible characters visible. Tabs, line breaks and spaces of any kind are kept. Other
/// control characters become their symbols, direction marks are written as numbers, and characters
/// that XML does not allow become a replacement character.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' | '\n' => shown.push(character),
            '\r' => shown.push('\n'),
            '\u{0}'..='\u{1f}' => shown.push(char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}')),
            '\u{7f}' => shown.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => shown.push('\u{fffd}'),
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                shown.push_str(&format!("[U+{:04X}]", character as u32));
            }
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_sentence_says_is_markup_or_unseen() {
        for (text, expected) in [
            ("plain né 日本 שלום", "plain né 日本 שלום"),
            ("</svg><script>\"'&", "&lt;/svg&gt;&lt;script&gt;&quot;&#39;&amp;"),
            ("a\u{1b}[31mb\u{0}c\u{7f}d", "a\u{241b}[31mb\u{2400}c\u{2421}d"),
            ("a\u{202e}b\u{200b}\u{85}\u{ffff}", "a[U+202E]b[U+200B]\u{fffd}\u{fffd}"),
            ("a\r\n\tb", "a\n\n\tb"),
        ] {
            assert_eq!(escape(text), expected, "{text:?}");
        }
    }
}
