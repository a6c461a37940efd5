//! Reads and writes annotated sentences as CoNLL-U.
//!
//! A word has ten tab-separated columns, with `_` for missing values. A blank line follows each
//! sentence, and comments precede it. What an [`Analysis`] cannot represent (features, enhanced
//! dependencies, other keys of the last column, multiword tokens, empty nodes) is kept verbatim in
//! [`Extras`], so that a file survives a round trip unchanged. The reader documents where an
//! analysis gets its text from.
//!
//! CoNLL-U has no column for chunks and entities. They are in the last one, as `Chunk=B-NP` and
//! `Entity=B-PER`. Other tools use the key `Entity` for mentions in brackets: a value other than
//! `O`, `B-x` or `I-x` is theirs and stays in the extras.

mod reader;
mod text;
mod writer;

pub use reader::ConlluReader;
pub use writer::write_conllu;

use crate::Analysis;

/// The names of the ten columns.
const COLUMNS: [&str; 10] = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"];

/// A missing value.
const NOTHING: &str = "_";

/// The keys of the last column that an [`Analysis`] can represent.
const CHUNK: &str = "Chunk";
const ENTITY: &str = "Entity";
const TOKEN_RANGE: &str = "TokenRange";

/// The item of the last column for a word that the next one follows without a space.
const NO_SPACE: &str = "SpaceAfter=No";

/// A sentence of a CoNLL-U file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConlluSentence {
    /// The comment lines verbatim, each from its `#` on.
    pub comments: Vec<String>,
    /// The words and their annotation.
    pub analysis: Analysis,
    /// What the analysis cannot represent.
    pub extras: Extras,
}

impl AsMut<Analysis> for ConlluSentence {
    fn as_mut(&mut self) -> &mut Analysis {
        &mut self.analysis
    }
}

impl ConlluSentence {
    /// Creates a sentence from an analysis, with the two comments that every treebank has. Each
    /// line break and tab of the text becomes one space in its comment, so that offsets are the
    /// same in both.
    pub fn new(analysis: Analysis, sent_id: Option<&str>) -> Self {
        let mut comments: Vec<String> = sent_id.map(|id| format!("# sent_id = {id}")).into_iter().collect();
        comments.push(format!("# text = {}", analysis.text.replace(['\t', '\n', '\r'], " ")));
        Self { comments, analysis, extras: Extras::default() }
    }

    /// Returns the value of the first comment `# key = value`. A comment without `=` has the value
    /// "".
    pub fn comment(&self, key: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| comment_value(comment, key))
    }
}

/// Returns the value of a comment if it has this key: everything after `=` and one space.
fn comment_value<'a>(comment: &'a str, key: &str) -> Option<&'a str> {
    let rest = comment.strip_prefix('#')?.trim_start().strip_prefix(key)?;
    if rest.trim_start().is_empty() {
        return Some("");
    }
    let value = rest.trim_start().strip_prefix('=')?;
    Some(value.strip_prefix(' ').unwrap_or(value))
}

/// The data of a sentence beyond its [`Analysis`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// One per word; empty if no word has any.
    pub words: Vec<WordExtras>,
    /// Multiword tokens and empty nodes, in file order.
    pub lines: Vec<ExtraLine>,
}

/// The data of a word beyond its layers; `None` where the file has `_`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordExtras {
    /// A universal part of speech that is not one of the seventeen.
    pub upos: Option<Box<str>>,
    /// The features, verbatim.
    pub feats: Option<Box<str>>,
    /// The enhanced dependencies, verbatim.
    pub deps: Option<Box<str>>,
    /// The last column without what the analysis holds (chunk, entity, whether a space follows).
    /// `SpaceAfter=No` of the last word stays here: it concerns the next sentence.
    pub misc: Option<Box<str>>,
}

/// A line that is not a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraLine {
    /// The number of words before it.
    pub n_before: u32,
    /// What it is.
    pub kind: ExtraKind,
    /// All columns but the first, tab-separated, verbatim.
    pub columns: Box<str>,
}

/// The kinds of lines that are not words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraKind {
    /// A multiword token (`3-4`): one piece of text that stands for the words that follow.
    Multiword {
        /// The number of words it stands for.
        n_words: u32,
    },
    /// An empty node (`3.1`): a word that is not in the text.
    Empty {
        /// The number after the dot.
        minor: u32,
    },
}

/// Whether a tag is of the form `O`, `B-x` or `I-x`.
fn is_bio(tag: &str) -> bool {
    tag == "O" || tag.strip_prefix("B-").or_else(|| tag.strip_prefix("I-")).is_some_and(|kind| !kind.is_empty())
}

#[cfg(test)]
mod laws;
