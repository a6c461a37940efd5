//! Self-contained pages to view, print or send: one file, no requests, no scripts.
//!
//! Pages are well-formed XHTML, so that tests can parse them as XML. Their content security policy
//! forbids every request, and all text is escaped.

mod chart;
mod compare;
mod diff;

pub use compare::{ComparePage, compare};
pub use diff::{diff, same_files};

use crate::markup::escape;

/// The style sheet of every page.
const STYLE: &str = include_str!("page.css");

/// Renders a whole page. The title is text; the body is markup in which all text is already
/// escaped.
fn page(title: &str, body: &str) -> String {
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
    fn a_page_is_whole_and_asks_for_nothing() {
        let page = page("a <b>\n c", "<p>body</p>\n");
        assert!(page.contains("<title>a &lt;b&gt; c</title>") && page.contains("<main>\n<p>body</p>\n</main>"));
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"));
        // A style that closed itself, or that XML would read as markup, would end here.
        assert!(!STYLE.contains(['<', '&']), "the style is text");
    }
}
