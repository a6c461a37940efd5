//! Pages that are one file: no network, no script, light or dark as the reader's browser is.

pub(crate) mod diff;

/// A whole page.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

/// Text as it is written in a page, also between quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            // A page cannot hold them.
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1.5rem; font: 16px/1.55 system-ui, sans-serif; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_taken_for_a_tag() {
        assert_eq!(escape("<a href='x'>\"&\u{1b}"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{fffd}");
        assert!(page("a < b", "<p>c</p>").contains("<title>a &lt; b</title>"));
    }
}
