//! Presentation of Resay's results: English names for ids, JSON shapes, HTML and SVG. Every front
//! end (command line, Python, web) presents results through this crate, so that all of them use the
//! same words. Nothing here makes a decision, and its text is never parsed back.
//!
//! - [`wording`]: plain English for ids of the library, parts of a decision and stages of long
//!   work.
//! - [`text`]: numbers, sizes, quoted strings, wrapped lines.
//! - [`reasons`]: a decision in words, the reasons for and against it, and what differs.
//! - [`groups`]: the alignment of two sentences in groups of words.
//! - [`diff`]: the differences between two texts, in words.
//! - [`json`]: the JSON shapes, one type per kind of line.
//! - [`html`]: self-contained pages without requests or scripts.
//! - [`svg`]: drawings, for pages and as files.
//!
//! Nothing here prints, reads a file or knows the command line: values go in, text comes out.
//!
//! ```
//! use resay::explain::{Explanation, What};
//! use resay_view::{json, reasons, text, wording};
//!
//! let phrase = What::Phrase { source: Some("60".into()), target: Some("80".into()) };
//! let parts = vec![Explanation::leaf(phrase, -0.75), Explanation::leaf(What::Bias, 0.5)];
//! let score = Explanation { parts, ..Explanation::leaf(What::Score, -0.25) };
//!
//! let strongest = &reasons::reasons(&score)[0];
//! let words = format!("{} {}", text::signed(strongest.value), wording::what(&strongest.what));
//! assert_eq!(words, "-0.7500 60 -> 80");
//!
//! let line = serde_json::to_string(&json::Node::of(&score))?;
//! assert_eq!(
//!     line,
//!     r#"{"value":-0.25,"kind":"score","text":"score","parts":[{"value":-0.75,"kind":"phrase","text":"60 -> 80"},"#
//!         .to_owned()
//!         + r#"{"value":0.5,"kind":"bias","text":"bias"}]}"#
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod diff;
pub mod groups;
pub mod html;
pub mod json;
mod markup;
pub mod reasons;
pub mod svg;
pub mod text;
pub mod wording;
