//! Pages that people look at, print, or send to somebody: one file, nothing fetched, nothing run.
//!
//! A page is XHTML as far as an XML parser can tell, so that tests can read it as one. Its policy forbids every
//! request, and what a sentence says goes through [`escape`] on its way in.

mod chart;
pub(crate) mod compare;
pub(crate) mod diff;
mod layout;
mod svg;

pub(crate) use svg::{Frame, drawing};

/// The looks of every page.
const STYLE: &str = include_str!("page.css");

/// Text as it may stand in a page, between tags or in quotes. What would not be seen, or would change how the rest is
/// seen, is written out.
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

/// Text without what cannot be seen: control characters as their pictures, blanks of any kind but lines and tabs as they
/// are, marks that turn the direction of writing around by their numbers, what XML has no place for as a question mark.
fn visible(text: &str) -> String {
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

/// A whole page. The title is text; the body is markup, in which all text was escaped.
pub(crate) fn page(title: &str, body: &str) -> String {
    let title = escape(&title.split_whitespace().collect::<Vec<_>>().join(" "));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n\
         <meta name=\"generator\" content=\"resay {version}\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <link rel=\"icon\" href=\"data:,\"/>\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         {body}</main>\n</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
    )
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

    #[test]
    fn a_page_is_whole_and_asks_for_nothing() {
        let page = page("a <b>\n c", "<p>body</p>\n");
        assert!(page.contains("<title>a &lt;b&gt; c</title>") && page.contains("<main>\n<p>body</p>\n</main>"));
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"));
        // A style that closed itself, or that XML would read as markup, would end here.
        assert!(!STYLE.contains(['<', '&']), "the style is text");
    }
}
