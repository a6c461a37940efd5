//! How Resay's answers look: ids in English, JSON shapes, HTML and SVG. Every face (command line, Python, web) shows what the
//! library found through this crate, so that all of them say the same in the same words. Nothing here decides anything, and
//! nothing is read back from its words.
//!
//! - [`wording`]: ids of the library in plain English; parts of a decision, stages of long work.
//! - [`text`]: numbers, sizes, strings in quotes, lines of a given width.
//! - [`reasons`]: a decision in words, what speaks for it and against it, and what differs.
//! - [`groups`]: what corresponds in two sentences, as people look at it.
//! - [`diff`]: what became of a text, in words.
//! - [`json`]: the JSON shapes, one type for each kind of line.
//! - [`html`]: whole pages, which fetch nothing and run nothing.
//! - [`svg`]: drawings, for pages and by themselves.
//!
//! Nothing here prints, reads a file or knows a command line: values go in, text comes out.
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
